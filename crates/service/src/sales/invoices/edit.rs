//! A draft that is edited, or sent.

use super::{
    Due, InvoiceDetails, InvoiceTerms, LineInput, count, details, entry, line_as_given, prepayment,
    pricing::{SupplyDays, all_of, due_date, price, vat_date_of},
    read,
};
use crate::{
    Context, Error, Fault, Reason,
    contacts::{self, Customer, CustomerInput},
    context,
    corrections::{self, Booking, IfFiled},
    days,
    document_snapshots::{own_language, record_sent},
    vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    correction,
    invoice::{Line, Priced, Prices},
    language::Language,
    money::Cents,
    vat::{SalesDefaults, Supply, VatCategory, VatRate},
};
use store::{
    Tx,
    books::Books,
    invoices::{self as rows, Invoice, Status},
};

/// What an edit of a draft changes; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct EditInvoice {
    /// Sends the draft when `Sent`.
    pub status: Option<Status>,
    /// The language of the document, where it is sent with this and not in the account's.
    pub language: Option<Language>,
    /// A new invoice date.
    pub invoice_date: Option<Date>,
    /// A new first day of supply; `Some(None)` takes it away.
    pub supply_date: Option<Option<Date>>,
    /// A new last day of supply; `Some(None)` takes it away.
    pub supply_until: Option<Option<Date>>,
    /// A new customer, as a whole.
    pub customer: Option<CustomerInput>,
    /// New lines, as a whole.
    pub lines: Option<Vec<LineInput>>,
    /// Whether the unit prices include VAT.
    pub prices: Option<Prices>,
    /// Whether it asks for something before it is supplied.
    pub prepayment: Option<bool>,
    /// The prepayment invoices that it sets off, as a whole.
    pub sets_off: Option<Vec<i64>>,
    /// A new due date.
    pub due: Option<Due>,
    /// A new reference; `Some(None)` takes it away.
    pub reference: Option<Option<String>>,
    /// New notes; `Some(None)` takes them away.
    pub notes: Option<Option<String>>,
    /// What is to be done where a return that it is on, or comes onto, is filed.
    pub if_filed: IfFiled,
}

/// Edits a draft, or sends it. The old booking is reversed and a new one made; the number stays. `expected` looks at what is
/// there while nobody else can change it.
///
/// # Errors
/// There is no such invoice, it is not as expected, it is sent already, the values cannot be used, or a period that it touches is filed.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditInvoice,
    expected: &dyn Fn(&InvoiceDetails) -> bool,
) -> Result<InvoiceDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        old.require_made_here()?;
        match old.invoice.status {
            Status::Draft => {}
            Status::Sent => return Err(Error::NotADraft),
            Status::Cancelled => return Err(Error::Cancelled),
        }
        let mut invoice = old.invoice.clone();
        invoice.invoice_date = edit.invoice_date.unwrap_or(invoice.invoice_date);
        let customer = match &edit.customer {
            Some(given) => contacts::identify(tx, cx.actor.account, given),
            None => Ok(Customer { contact_id: Some(invoice.contact_id), party: invoice.customer.clone() }),
        };
        let terms = terms(&old, edit)?;
        let priced = priced(tx, books, cx, (&old, edit), &customer, &terms);
        let due = due(cx, books, &old, edit, invoice.invoice_date);
        let (customer, (supply, (lines, priced)), due_date) = all_of(customer, priced, due)?;
        if invoice.invoice_date != old.invoice.invoice_date {
            invoice.date_unusual = days::unusual(books, invoice.invoice_date);
        }
        invoice.due_date = due_date;
        (invoice.prices_include_vat, invoice.prepayment) = (terms.prices == Prices::Gross, terms.prepayment);
        (invoice.supply_date, invoice.supply_until) = (supply.first, supply.last);
        invoice.vat_date = vat_date_of(invoice.invoice_date, supply, &lines);
        invoice.contact_id = contacts::ensure(tx, books, cx, &customer)?;
        invoice.customer = customer.party;
        invoice.reference = edit.reference.clone().unwrap_or(invoice.reference);
        invoice.notes = edit.notes.clone().unwrap_or(invoice.notes);
        invoice.status = edit.status.unwrap_or(invoice.status);
        (invoice.subtotal, invoice.vat_total, invoice.total) = (priced.subtotal, priced.vat_total, priced.total);
        invoice.paid_at = (invoice.status == Status::Sent && invoice.total.is_zero()).then_some(invoice.invoice_date);
        let lines_with_amounts: Vec<(Line, Cents)> = lines.iter().cloned().zip(priced.line_amounts.iter().copied()).collect();
        if invoice == old.invoice && lines_with_amounts == old.lines {
            // Nothing changes, and neither does when it last did.
            return Ok(old);
        }
        invoice.updated_at = cx.now();
        let entry_ids = rebook(tx, books, cx, &old.entry_ids, (&old.invoice, &mut invoice), &priced, edit.if_filed)?;
        rows::replace(tx, cx.actor.account, &old.invoice, &invoice, &lines, &priced.line_amounts)?;
        count(books, Some(&old.invoice), &invoice);
        let edited = details(tx, cx, invoice, lines_with_amounts, priced, entry_ids)?;
        if edited.invoice.status == Status::Sent {
            let language = edit.language.unwrap_or_else(|| own_language(books.terms()));
            record_sent(tx, books, cx, &edited.invoice, &edited.lines, (None, language))?;
        }
        Ok(edited)
    })
}

/// When it is supplied, and its lines with what they come to, whether or not its customer is known.
fn priced(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    (old, edit): (&InvoiceDetails, &EditInvoice),
    customer: &Result<Customer, Error>,
    terms: &InvoiceTerms,
) -> Result<(SupplyDays, (Vec<Line>, Priced)), Error> {
    let given: Vec<LineInput> = match &edit.lines {
        Some(lines) => lines.clone(),
        None => {
            let own = old.lines.iter().filter(|(line, _)| line.sets_off.is_none());
            own.map(|(line, _)| line_given_again(line, &old.invoice, cx.actor.sales)).collect()
        }
    };
    let country = customer.as_ref().map_or(old.invoice.customer.country, |customer| customer.party.country);
    let supply = supply_days(&old.invoice, edit);
    let rates_on = supply.known_last().or(edit.invoice_date).unwrap_or(old.invoice.invoice_date);
    let kor = vat_schemes::kor_in(tx, books, rates_on)?;
    rates_known(&given, edit.lines.is_some(), rates_on)
        .and_then(|()| vat_schemes::check(kor, given.iter().map(|line| line.vat_rate)))
        .and_then(|()| match customer {
            Ok(customer) => prepayment::lines(tx, cx, customer.contact_id, terms.prices, &terms.sets_off, old.invoice.id),
            Err(_) => Ok(Vec::new()),
        })
        .and_then(|set_off| price(vat_schemes::sales(cx.actor.sales, kor), country, &given, terms.prices, &set_off, rates_on))
        .and_then(|priced| supply.check().map(|supply| (supply, priced)))
}

/// When it should be paid, now that it is dated so.
fn due(cx: &Context, books: &Books, old: &InvoiceDetails, edit: &EditInvoice, date: Date) -> Result<Date, Error> {
    let due = match edit.due {
        Some(due) => due_date(cx, date, due, "/paymentTermDays"),
        // The term stays when the date moves.
        None => {
            let days = (old.invoice.due_date - old.invoice.invoice_date).get_days();
            due_date(cx, date, Due::Days(days.into()), "/invoiceDate")
        }
    };
    let moved = date != old.invoice.invoice_date;
    due.and_then(|due| match days::before_opening(books, "/invoiceDate", date) {
        Some(fault) if moved => Err(fault.into()),
        _ => Ok(due),
    })
}

/// Books what is different, and gives the entries of the invoice.
fn rebook(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    entry_ids: &[i64],
    (old, invoice): (&Invoice, &mut Invoice),
    priced: &Priced,
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    let (mut entry_ids, booked) = (entry_ids.to_vec(), entry(invoice, priced, None));
    let standing = Booking::standing(tx, cx.actor.account, &entry_ids)?;
    let before = standing.entry();
    let same_postings = correction::posts_the_same(&before, &booked);
    let same_days = (before.date(), before.vat_date()) == (booked.date(), booked.vat_date());
    if !same_postings || !same_days || before.description() != booked.description() {
        let sends_it_as_it_is = invoice.status == Status::Sent && same_postings;
        if sends_it_as_it_is && corrections::require_open(tx, cx.actor.account, &before).is_err() {
            // The return was filed with it as it is: only what is printed changes.
            invoice.vat_date = old.vat_date;
        } else {
            entry_ids.extend(corrections::replace(tx, books, cx, standing.id(), booked, if_filed)?);
        }
    }
    Ok(entry_ids)
}

/// How a draft is priced and what it is to others after an edit.
fn terms(old: &InvoiceDetails, edit: &EditInvoice) -> Result<InvoiceTerms, Error> {
    let terms = InvoiceTerms {
        prices: edit.prices.unwrap_or(old.invoice.prices()),
        prepayment: edit.prepayment.unwrap_or(old.invoice.prepayment),
        sets_off: edit.sets_off.clone().unwrap_or_else(|| old.prepayment_invoice_ids()),
    };
    if terms.prepayment && !terms.sets_off.is_empty() {
        return Err(Error::fault("/prepaymentInvoiceIds", Reason::PrepaymentSetsOff));
    }
    Ok(terms)
}

/// Refuses rates that the law does not know on the day: of lines that are given, or because the invoice moves to that day.
pub(super) fn rates_known(lines: &[LineInput], given: bool, on: Date) -> Result<(), Error> {
    let fault = |(place, line): (usize, &LineInput)| {
        let unknown = VatRate::from_percent(&line.vat_rate.percent(), on).err()?;
        let path = if given { format!("/items/{place}/vatRate") } else { "/invoiceDate".to_owned() };
        Some(Fault::new(path, unknown.into()))
    };
    let mut faults: Vec<Fault> = lines.iter().enumerate().filter_map(fault).collect();
    if !given {
        faults.truncate(1);
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// When a draft was supplied after an edit. What is sent on another day than it was dated was supplied on that earlier day, unless
/// something else is known.
fn supply_days(old: &Invoice, edit: &EditInvoice) -> SupplyDays {
    let first = edit.supply_date.unwrap_or(old.supply_date);
    let last = edit.supply_until.unwrap_or(old.supply_until);
    let moved = edit.status == Some(Status::Sent) && edit.invoice_date.is_some_and(|date| date != old.invoice_date);
    let unsaid = edit.supply_date.is_none() && first.is_none();
    SupplyDays { first: if moved && unsaid { Some(old.invoice_date) } else { first }, last }
}

/// A line of a draft as if it were given again. Of its category and supply only that is said which the customer's country and the account do
/// not give by themselves, so that they follow the customer: a sale to Belgium is none within the Netherlands.
fn line_given_again(line: &Line, draft: &Invoice, defaults: SalesDefaults) -> LineInput {
    let (category, supply) = (Some(line.vat_category), Some(line.supply));
    let gives_its_own = |(category, supply): &(Option<VatCategory>, Option<Supply>)| {
        defaults.classify(line.vat_rate, *category, *supply, draft.customer.country, draft.rates_on())
            == (line.vat_category, line.supply)
    };
    let said = [(None, None), (None, supply), (category, None)].into_iter().find(gives_its_own);
    let (vat_category, supply) = said.unwrap_or((category, supply));
    LineInput { vat_category, supply, ..line_as_given(line) }
}
