//! Editing and sending drafts.

use super::{
    Due, InvoiceDetails, InvoiceTerms, LineInput, TaxPlace, count, details, entry, line_input,
    one_stop_shop::{self, Consumer, is_declared_by_oss},
    prepayment,
    pricing::{SupplyDays, all_of, due_date, price, vat_date_of},
    read,
    small_business::{self, Sale},
    vat_proposals,
};
use crate::{
    Context, Error, Fault, InvoiceError, Reason, cash_accounting,
    contacts::{self, Customer, CustomerInput, is_business},
    context,
    corrections::{self, Booking, IfFiled},
    days,
    document_snapshots::{language_for, record_sent},
    invoicing, oss_turnover, vat_schemes,
};
use ::tax::eu_rates;
use jiff::civil::Date;
use ledger::{
    correction,
    discount::Discount,
    invoice::{Line, Priced, Prices},
    language::Language,
    money::Cents,
    oss::{is_counted_kind, member_state},
    vat::{Exemption, SalesDefaults, Supply, VatCategory, VatRate},
};
use store::{
    Tx,
    books::Books,
    contacts::Party,
    invoices::{self as rows, Invoice, Particulars, Status},
};

/// Edit of a draft. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditInvoice {
    /// `Sent` sends the draft.
    pub status: Option<Status>,
    /// New language of the document; `Some(None)` stands for that of the customer, or else of the
    /// account.
    pub language: Option<Option<Language>>,
    /// New invoice date.
    pub invoice_date: Option<Date>,
    /// New first day of supply; `Some(None)` removes it.
    pub supply_date: Option<Option<Date>>,
    /// New last day of supply; `Some(None)` removes it.
    pub supply_until: Option<Option<Date>>,
    /// New customer, replacing all fields.
    pub customer: Option<CustomerInput>,
    /// New lines, replacing all existing ones.
    pub lines: Option<Vec<LineInput>>,
    /// New choice of unit prices with or without VAT.
    pub prices: Option<Prices>,
    /// Whether the invoice is a prepayment invoice.
    pub prepayment: Option<bool>,
    /// Ids of the prepayment invoices to set off, replacing all existing ones.
    pub sets_off: Option<Vec<i64>>,
    /// New due date.
    pub due: Option<Due>,
    /// New reference; `Some(None)` removes it.
    pub reference: Option<Option<String>>,
    /// New notes; `Some(None)` removes them.
    pub notes: Option<Option<String>>,
    /// Changes of the discount on all lines, and of the customer's numbers.
    pub particulars: EditParticulars,
    /// Action if a filed VAT return contains the invoice, or would contain it after the edit.
    pub if_filed: IfFiled,
}

/// Changes of the discount on all lines of a document, and of the customer's numbers. Fields that are
/// `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditParticulars {
    /// New discount; [`Discount::None`] removes it.
    pub discount: Option<Discount>,
    /// New description of the discount; `Some(None)` removes it.
    pub discount_description: Option<Option<String>>,
    /// New order number; `Some(None)` removes it.
    pub order_number: Option<Option<String>>,
    /// New reference of the buyer; `Some(None)` removes it.
    pub buyer_reference: Option<Option<String>>,
}

impl EditParticulars {
    /// Returns the particulars after the edit.
    pub(crate) fn applied_to(&self, old: &Particulars) -> Particulars {
        let text = |new: &Option<Option<String>>, old: &Option<String>| {
            new.clone().unwrap_or_else(|| old.clone())
        };
        Particulars {
            discount: self.discount.unwrap_or(old.discount),
            discount_description: text(&self.discount_description, &old.discount_description),
            order_number: text(&self.order_number, &old.order_number),
            buyer_reference: text(&self.buyer_reference, &old.buyer_reference),
        }
    }
}

/// Edits or sends a draft. If its booking changes, the old one is reversed and a new one is made;
/// the number stays. `expected` is called on the stored draft while the books are locked; if it
/// returns false, there is an edit conflict.
///
/// # Errors
/// There is no such invoice, it is not as expected, it is not a draft, a value is invalid, or an
/// affected period is filed and `if_filed` does not allow a correction.
// Long: all rules of the command, in the order in which they apply.
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
        old.reject_opening_item()?;
        match old.invoice.status {
            Status::Draft => {}
            Status::Sent => return Err(InvoiceError::NotADraft.into()),
            Status::Cancelled => return Err(InvoiceError::Cancelled.into()),
        }
        let mut invoice = old.invoice.clone();
        invoice.invoice_date = edit.invoice_date.unwrap_or(invoice.invoice_date);
        let customer = match &edit.customer {
            Some(customer) => contacts::identify(tx, cx.actor.account, customer),
            None => Ok(Customer {
                contact_id: Some(invoice.contact_id),
                party: invoice.customer.clone(),
            }),
        };
        let terms = terms(&old, edit)?;
        let suspended = small_business::suspend(tx, books, id)?;
        let priced = priced(tx, books, cx, (&old, edit), &customer, &terms);
        let due = due(cx, books, &old, edit, invoice.invoice_date);
        let (customer, (supply, ((lines, priced), ending)), due_date) =
            all_of(customer, priced, due)?;
        if invoice.invoice_date != old.invoice.invoice_date {
            invoice.date_unusual = days::unusual(books, invoice.invoice_date);
        }
        invoice.due_date = due_date;
        (invoice.prices_include_vat, invoice.prepayment) =
            (terms.prices == Prices::Gross, terms.prepayment);
        (invoice.supply_date, invoice.supply_until) = (supply.first, supply.last);
        invoice.vat_date = vat_date_of(invoice.invoice_date, supply, &lines);
        invoice.contact_id = contacts::ensure(tx, books, cx, &customer)?;
        invoice.customer = customer.party;
        invoice.reference = edit.reference.clone().unwrap_or(invoice.reference);
        invoice.notes = edit.notes.clone().unwrap_or(invoice.notes);
        invoice.status = edit.status.unwrap_or(invoice.status);
        invoice.particulars = edit.particulars.applied_to(&invoice.particulars);
        invoice.language = edit.language.unwrap_or(invoice.language);
        let usual_language = language_for(&invoice.customer, books.terms());
        let language = invoice.language.unwrap_or(usual_language);
        if invoice.status == Status::Sent {
            invoice.language = Some(language);
        }
        (invoice.subtotal, invoice.vat_total, invoice.total) =
            (priced.subtotal, priced.vat_total, priced.total);
        invoice.paid_at = (invoice.status == Status::Sent && invoice.total.is_zero())
            .then_some(invoice.invoice_date);
        let mut invoice = cash_accounting::classify(tx, books, invoice, &priced.groups)?;
        let lines_with_amounts: Vec<(Line, Cents)> =
            lines.iter().cloned().zip(priced.line_amounts.iter().copied()).collect();
        if invoice == old.invoice && lines_with_amounts == old.lines {
            // Nothing has changed, so `updated_at` keeps its value.
            small_business::settle(tx, books, cx, (suspended, ending), (id, edit.if_filed))?;
            return Ok(old);
        }
        invoice.updated_at = cx.now();
        small_business::settle(tx, books, cx, (suspended, ending), (id, edit.if_filed))?;
        let entry_ids = rebook(
            tx,
            books,
            cx,
            &old.entry_ids,
            (&old.invoice, &mut invoice),
            &priced,
            edit.if_filed,
        )?;
        rows::replace(tx, cx.actor.account, &old.invoice, &invoice, &lines, &priced.line_amounts)?;
        count(books, Some(&old.invoice), &invoice);
        let edited = details(tx, cx, invoice, lines_with_amounts, priced, entry_ids)?;
        if edited.invoice.status == Status::Sent {
            record_sent(tx, books, cx, &edited.invoice, &edited.lines, (None, language))?;
        }
        if old.has_vat_when_paid() || edited.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, id, edit.if_filed)?;
            return read(tx, cx, id);
        }
        Ok(edited)
    })
}

/// Returns the days of supply and the priced lines, even if the customer cannot be identified.
fn priced(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    (old, edit): (&InvoiceDetails, &EditInvoice),
    customer: &Result<Customer, Error>,
    terms: &InvoiceTerms,
) -> Result<(SupplyDays, Sale), Error> {
    let lines: Vec<LineInput> = match &edit.lines {
        Some(lines) => lines.clone(),
        None => {
            let own = old.lines.iter().filter(|(line, _)| line.sets_off.is_none());
            let dated = (&old.invoice.customer, old.invoice.rates_on());
            own.map(|(line, _)| line_for_edit(line, dated, cx.actor.sales)).collect()
        }
    };
    let buyer = customer
        .as_ref()
        .map_or_else(|_| old.invoice.customer.place(), |customer| customer.party.place());
    let consumer = customer.as_ref().map_or_else(
        |_| (&old.invoice.customer).into(),
        |customer| Consumer::from(&customer.party),
    );
    let consumer = consumer.in_language(edit.language.unwrap_or(old.invoice.language));
    let old_discount = old.invoice.particulars.discount;
    let supply = supply_days(&old.invoice, edit, invoicing::has_other_days(tx, cx, old)?);
    let rates_on = supply.known_last().or(edit.invoice_date).unwrap_or(old.invoice.invoice_date);
    let document = (Some(old.invoice.id), rates_on);
    let lines = if edit.lines.is_none()
        && vat_schemes::kor_of(tx, books, rates_on, document.0)?.is_none()
    {
        // The small businesses scheme does not apply on the draft's date, so the exemption under it
        // is removed from the lines.
        lines.into_iter().map(without_kor).collect()
    } else {
        lines
    };
    rates_known(&lines, edit.lines.is_some(), rates_on)
        .and_then(|()| match customer {
            Ok(customer) => prepayment::lines(
                tx,
                cx,
                customer.contact_id,
                terms.prices,
                &terms.sets_off,
                old.invoice.id,
            ),
            Err(_) => Ok(Vec::new()),
        })
        .and_then(|set_off| {
            let lines = vat_proposals::fill(tx, cx, consumer, document, (&lines, terms.prices))?;
            let lines = one_stop_shop::resolve(tx, cx, consumer, &lines, rates_on)?;
            if is_declared_by_oss(&lines) {
                oss_turnover::require_correctable(
                    tx,
                    cx.actor.account,
                    (rates_on, cx.today()),
                    false,
                )?;
            }
            let price = |sales, lines: &[LineInput]| {
                let own = &cx.actor.own_accounts;
                let discount = edit.particulars.discount.unwrap_or(old_discount);
                price(own, sales, buyer, lines, (terms.prices, discount), &set_off, rates_on)
            };
            small_business::price_sale(tx, books, cx, document, (&lines, terms.prices), price)
        })
        .and_then(|priced| supply.check().map(|supply| (supply, priced)))
}

/// Returns the due date after an edit; `date` is the invoice date after the edit.
fn due(
    cx: &Context,
    books: &Books,
    old: &InvoiceDetails,
    edit: &EditInvoice,
    date: Date,
) -> Result<Date, Error> {
    let due = match edit.due {
        Some(due) => due_date(cx, date, due, "/paymentTermDays"),
        // The number of days stays the same, so the due date moves with the invoice date.
        None => {
            let days = (old.invoice.due_date - old.invoice.invoice_date).get_days();
            due_date(cx, date, Due::Days(days.into()), "/invoiceDate")
        }
    };
    let date_changed = date != old.invoice.invoice_date;
    due.and_then(|due| match days::before_opening(books, "/invoiceDate", date) {
        Some(fault) if date_changed => Err(fault.into()),
        _ => Ok(due),
    })
}

/// Replaces the booking if it has changed; returns the ids of the invoice's entries.
fn rebook(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    entry_ids: &[i64],
    (old, invoice): (&Invoice, &mut Invoice),
    priced: &Priced,
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    let (mut entry_ids, new_entry) = (entry_ids.to_vec(), entry(invoice, priced, None));
    let booking = Booking::standing(tx, cx.actor.account, &entry_ids)?;
    let before = booking.entry();
    let same_postings = correction::posts_the_same(&before, &new_entry);
    let same_days = (before.date(), before.vat_date()) == (new_entry.date(), new_entry.vat_date());
    if !same_postings || !same_days || before.description() != new_entry.description() {
        let sends_unchanged = invoice.status == Status::Sent && same_postings;
        if sends_unchanged && corrections::require_open(tx, cx.actor.account, &before).is_err() {
            // The VAT return with these postings is filed, so only the printed document changes.
            invoice.vat_date = old.vat_date;
        } else {
            entry_ids.extend(corrections::replace(
                tx,
                books,
                cx,
                booking.id(),
                new_entry,
                if_filed,
            )?);
        }
    }
    Ok(entry_ids)
}

/// Returns the invoice terms that apply after an edit.
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

/// Rejects rates that do not exist on the date `on`. If the lines were not submitted, the fault
/// refers to the new invoice date.
pub(super) fn rates_known(lines: &[LineInput], submitted: bool, on: Date) -> Result<(), Error> {
    let fault = |(place, line): (usize, &LineInput)| {
        // The rates of the Union scheme are checked with the country (`one_stop_shop`), like a rate
        // that is omitted or that only another member state has.
        let may_be_foreign =
            line.place.standard_rate || matches!(line.vat_category, None | Some(VatCategory::Oss));
        if may_be_foreign {
            return None;
        }
        let unknown = VatRate::from_percent(&line.vat_rate.percent(), on).err()?;
        let path =
            if submitted { format!("/items/{place}/vatRate") } else { "/invoiceDate".to_owned() };
        Some(Fault::new(path, unknown.into()))
    };
    let mut faults: Vec<Fault> = lines.iter().enumerate().filter_map(fault).collect();
    if !submitted {
        faults.truncate(1);
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// Returns the days of supply after an edit. If a draft without a day of supply is sent with a new
/// invoice date, the old invoice date becomes the first day of supply, unless the draft invoices
/// hours worked on other days.
fn supply_days(old: &Invoice, edit: &EditInvoice, has_other_days: bool) -> SupplyDays {
    let first = edit.supply_date.unwrap_or(old.supply_date);
    let last = edit.supply_until.unwrap_or(old.supply_until);
    let sent_on_new_date = edit.status == Some(Status::Sent)
        && edit.invoice_date.is_some_and(|date| date != old.invoice_date);
    let no_supply_date = edit.supply_date.is_none() && first.is_none() && !has_other_days;
    SupplyDays {
        first: if sent_on_new_date && no_supply_date { Some(old.invoice_date) } else { first },
        last,
    }
}

/// Returns a line of a draft as input. Category and supply are omitted if they follow from the
/// account and the customer's country, so that they change with the customer: for a new customer in
/// Belgium, for example, the sale is no longer domestic.
pub(super) fn line_for_edit(
    line: &Line,
    (customer, day): (&Party, Date),
    defaults: SalesDefaults,
) -> LineInput {
    if line.vat_category.exemption().is_some() {
        return LineInput { vat_category: Some(VatCategory::Exempt), ..line_input(line) };
    }
    if line.vat_category == VatCategory::Oss {
        return oss_line_for_edit(line, (customer, day), defaults);
    }
    let (category, supply) = (Some(line.vat_category.public()), Some(line.supply));
    let are_defaults = |(category, supply): &(Option<VatCategory>, Option<Supply>)| {
        defaults.classify(line.vat_rate, (*category, None), *supply, customer.place(), day)
            == (line.vat_category.public(), line.supply)
    };
    let shortest = [(None, None), (None, supply), (category, None)].into_iter().find(are_defaults);
    let (vat_category, supply) = shortest.unwrap_or((category, supply));
    // A taxed line stays taxed here, although the Union scheme may be the default by now.
    let is_taxed = line.vat_category == VatCategory::Standard;
    let vat_category = if is_taxed { category } else { vat_category };
    LineInput { vat_category, supply, ..line_input(line) }
}

/// Returns a line of the Union scheme as input. The country, category and rate are omitted if they
/// follow from the customer and the day.
fn oss_line_for_edit(
    line: &Line,
    (customer, day): (&Party, Date),
    defaults: SalesDefaults,
) -> LineInput {
    let input = line_input(line);
    let country = member_state(customer.country, day);
    let is_default =
        country == line.tax_country && is_counted_kind(line.supply) && !is_business(customer);
    if !is_default {
        return input;
    }
    let standard = country.and_then(|country| eu_rates::standard(country, day));
    let standard_rate = standard == Some(line.vat_rate);
    let supply = input.supply.filter(|supply| *supply != defaults.supply);
    let place = TaxPlace { country: None, standard_rate };
    LineInput { vat_category: None, supply, place, ..input }
}

/// Removes the exemption under the small businesses scheme from a line.
pub(super) fn without_kor(line: LineInput) -> LineInput {
    let exemption = line.exemption.filter(|exemption| *exemption != Exemption::Kor);
    LineInput { exemption, ..line }
}
