//! Creating invoices.

use super::{
    Document, Due, InvoiceDetails, InvoiceTerms, LineInput, book, entry,
    one_stop_shop::{self, Consumer, is_declared_by_oss},
    prepayment,
    pricing::{SupplyDays, all_of, due_date, price, vat_date_of},
    print_number, read,
    small_business::{self, Sale},
    vat_proposals,
};
use crate::{
    Context, Created, Error, Reason, cash_accounting,
    contacts::{self, Customer, CustomerInput},
    context,
    corrections::{self, IfFiled},
    days,
    document_snapshots::{language_for, record_sent},
    oss_turnover,
};
use jiff::civil::Date;
use ledger::{
    calendar::Month, cash_accounting::VatMethod, country::CountryCode, invoice::Prices,
    language::Language, money::Cents,
};
use store::{
    Tx,
    books::{Books, IdSequence},
    invoices::{self as rows, Invoice, InvoiceKind, Particulars, Status},
};

/// Input for a new invoice.
#[derive(Debug, Clone)]
pub struct NewInvoice {
    /// Caller's own identifier. Creating an invoice with an existing identifier returns that
    /// invoice.
    pub external_id: Option<String>,
    /// Invoice date. Determines the due date and the year in the invoice number; without days of
    /// supply, also the VAT period and the VAT rates.
    pub invoice_date: Date,
    /// Days of supply.
    pub supply: SupplyDays,
    /// Draft or sent. Both are booked, numbered and included in the VAT return.
    pub status: Status,
    /// Customer.
    pub customer: CustomerInput,
    /// 1 to 500 lines.
    pub lines: Vec<LineInput>,
    /// Pricing and prepayments.
    pub terms: InvoiceTerms,
    /// Due date or payment term.
    pub due: Due,
    /// Customer's reference, which is printed on the invoice.
    pub reference: Option<String>,
    /// Notes to the customer, which are printed on the invoice.
    pub notes: Option<String>,
    /// Discount on all lines, and numbers of the customer.
    pub particulars: Particulars,
    /// Language of the document, if it is not that of the customer or the account.
    pub language: Option<Language>,
    /// Handling of an invoice whose VAT return has already been filed.
    pub if_filed: IfFiled,
}

/// Creates an invoice. Whether it is a draft or sent, it is numbered, booked and included in the
/// VAT return.
///
/// # Errors
/// The account is not Dutch, the customer cannot be identified, a value is invalid, the period is
/// filed and `if_filed` does not allow a correction, or the corrections of the period would exceed
/// their limit.
// Long: it fills every field of an invoice.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewInvoice,
) -> Result<Created<InvoiceDetails>, Error> {
    let number_year = command.invoice_date.year();
    let preconditions = |tx: &mut Tx<'_>| {
        rows::preconditions(
            tx,
            cx.actor.account,
            InvoiceKind::Invoice,
            command.external_id.as_deref(),
            command.invoice_date,
        )
    };
    let questions = |tx: &mut Tx<'_>| {
        drop(preconditions(tx));
        drop(contacts::identify(tx, cx.actor.account, &command.customer));
    };
    context::transact_with_prefetch(tx, cx, questions, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let preconditions = preconditions(tx)?;
        if let Some(existing) = preconditions.known {
            return read(tx, cx, existing).map(Created::Existing);
        }
        let customer = contacts::identify(tx, cx.actor.account, &command.customer);
        let priced = priced(tx, books, cx, command, &customer);
        let own_term = customer.as_ref().ok().and_then(|customer| customer.party.own_term());
        let due =
            own_term.filter(|_| command.due == Due::AccountTerm).map_or(command.due, Due::Days);
        let term = if due == command.due { "/paymentTermDays" } else { "/invoiceDate" };
        let due_date = due_date(cx, command.invoice_date, due, term).and_then(|due_date| {
            days::before_opening(books, "/invoiceDate", command.invoice_date)
                .map_or(Ok(due_date), |fault| Err(fault.into()))
        });
        let (customer, (supply, ((lines, priced), ending)), due_date) =
            all_of(customer, priced, due_date)?;
        let number_in_year = books.next_number(number_year, preconditions.last_number);
        let contact_id = contacts::ensure(tx, books, cx, &customer)?;
        let usual_language = language_for(&customer.party, books.terms());
        let language = command.language.unwrap_or(usual_language);
        let is_sent = command.status == Status::Sent;
        let invoice = Invoice {
            id: books.next_id(IdSequence::Invoice),
            external_id: command.external_id.clone(),
            kind: InvoiceKind::Invoice,
            number: print_number(cx, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: command.status,
            invoice_date: command.invoice_date,
            due_date,
            supply_date: supply.first,
            supply_until: supply.last,
            vat_date: vat_date_of(command.invoice_date, supply, &lines),
            contact_id,
            customer: customer.party,
            reference: command.reference.clone(),
            notes: command.notes.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            amount_paid: Cents::ZERO,
            amount_credited: Cents::ZERO,
            amount_written_off: Cents::ZERO,
            paid_at: (command.status == Status::Sent && priced.total.is_zero())
                .then_some(command.invoice_date),
            first_paid_on: None,
            prices_include_vat: command.terms.prices == Prices::Gross,
            prepayment: command.terms.prepayment,
            credited_invoice_id: None,
            source: cx.actor.origin,
            created_at: cx.now(),
            updated_at: cx.now(),
            icp_vat_number: None,
            date_unusual: days::unusual(books, command.invoice_date),
            vat_moved: 0,
            vat_waiting: 0,
            vat_method: VatMethod::Invoice,
            vat_deferred: Cents::ZERO,
            quote_id: None,
            particulars: command.particulars.clone(),
            language: command.language.or(is_sent.then_some(language)),
            recurring_id: None,
            occurrence_number: None,
            occurrence_date: None,
        };
        let invoice = cash_accounting::classify(tx, books, invoice, &priced.groups)?;
        let new_entry = entry(&invoice, &priced, None);
        let entries = if Month::of(new_entry.vat_date()) == Month::of(command.invoice_date) {
            corrections::plan_knowing(
                tx,
                cx.actor.account,
                new_entry,
                command.if_filed,
                preconditions.filed,
            )?
        } else {
            corrections::plan(tx, cx.actor.account, new_entry, command.if_filed)?
        };
        // If the invoice ends the scheme, this also rebooks the purchases made since then.
        let ends = (None, ending);
        small_business::settle(tx, books, cx, ends, (invoice.id, command.if_filed))?;
        let details = book(tx, books, cx, Document { invoice, lines, priced }, &entries)?;
        if details.invoice.status == Status::Sent {
            record_sent(tx, books, cx, &details.invoice, &details.lines, (None, language))?;
        }
        if details.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, details.invoice.id, command.if_filed)?;
            return read(tx, cx, details.invoice.id).map(Created::New);
        }
        Ok(Created::New(details))
    })
}

/// Returns the days of supply and the priced lines, even if the customer cannot be identified.
fn priced(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    command: &NewInvoice,
    customer: &Result<Customer, Error>,
) -> Result<(SupplyDays, Sale), Error> {
    let typed = || command.customer.party.country.unwrap_or(CountryCode::NL);
    let buyer =
        customer.as_ref().map_or_else(|_| typed().into(), |customer| customer.party.place());
    let consumer = customer
        .as_ref()
        .map_or_else(|_| Consumer::of_country(typed()), |customer| Consumer::from(&customer.party))
        .in_language(command.language);
    let supply = command.supply.check();
    let rates_on = command.supply.known_last().unwrap_or(command.invoice_date);
    let contact = customer.as_ref().ok().and_then(|customer| customer.contact_id);
    let set_off = match (customer, command.terms.prepayment && !command.terms.sets_off.is_empty()) {
        (_, true) => Err(Error::fault("/prepaymentInvoiceIds", Reason::PrepaymentSetsOff)),
        // Prepayments cannot be checked without a customer, so only the fault in the customer is
        // reported.
        (Err(_), false) => Ok(Vec::new()),
        (Ok(_), false) => {
            prepayment::lines(tx, cx, contact, command.terms.prices, &command.terms.sets_off, 0)
        }
    };
    set_off
        .and_then(|set_off| {
            let inputs = (command.lines.as_slice(), command.terms.prices);
            let lines = vat_proposals::fill(tx, cx, consumer, (None, rates_on), inputs)?;
            let inputs = one_stop_shop::resolve(tx, cx, consumer, &lines, rates_on)?;
            if is_declared_by_oss(&inputs) {
                oss_turnover::require_correctable(
                    tx,
                    cx.actor.account,
                    (rates_on, cx.today()),
                    false,
                )?;
            }
            small_business::price_sale(
                tx,
                books,
                cx,
                (None, rates_on),
                (&inputs, command.terms.prices),
                |sales, lines| {
                    let own = &cx.actor.own_accounts;
                    let terms = (command.terms.prices, command.particulars.discount);
                    price(own, sales, buyer, lines, terms, &set_off, rates_on)
                },
            )
        })
        .and_then(|priced| supply.map(|supply| (supply, priced)))
}
