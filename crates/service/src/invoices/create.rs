//! A new invoice.

use super::{
    Due, InvoiceView, LineGiven, book,
    pricing::{all_of, due_date, price},
    print_number, read,
};
use crate::{
    Actor, Created, Error,
    contacts::{self, CustomerGiven},
};
use jiff::{Timestamp, civil::Date};
use ledger::{calendar::Quarter, country::CountryCode, money::Cents};
use store::{
    Tx,
    books::{self, Noun},
    invoices::{self as rows, Invoice, Kind, Status},
};

/// What is needed to make an invoice.
#[derive(Debug, Clone)]
pub struct NewInvoice {
    /// The caller's own identifier; the same again names the same invoice.
    pub external_id: Option<String>,
    /// Decides the VAT period and the rates that exist.
    pub invoice_date: Date,
    /// Draft or sent; both are booked, numbered and placed on the VAT return.
    pub status: Status,
    /// Who is to pay.
    pub customer: CustomerGiven,
    /// 1 to 500 lines.
    pub lines: Vec<LineGiven>,
    /// When it should be paid.
    pub due: Due,
    /// Printed on the invoice.
    pub reference: Option<String>,
    /// Printed on the invoice.
    pub notes: Option<String>,
}

/// Creates an invoice: numbered, booked and placed on the VAT return, whether draft or sent.
///
/// # Errors
/// The account is not Dutch, the customer cannot be identified, an amount is out of range, the period's return is filed.
pub fn create(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewInvoice) -> Result<Created<InvoiceView>, Error> {
    actor.require_dutch()?;
    let number_year = command.invoice_date.year();
    let ground =
        |tx: &mut Tx<'_>| rows::ground(tx, actor.account, Kind::Invoice, command.external_id.as_deref(), command.invoice_date);
    let questions = |tx: &mut Tx<'_>| {
        drop(ground(tx));
        drop(contacts::identify(tx, actor.account, &command.customer));
    };
    books::change_foreseen(tx, actor.account, questions, |tx, books| {
        let ground = ground(tx)?;
        if let Some(known) = ground.known {
            return read(tx, actor, known).map(Created::Known);
        }
        let customer = contacts::identify(tx, actor.account, &command.customer);
        let country =
            customer.as_ref().map_or(command.customer.country.unwrap_or(CountryCode::NL), |customer| customer.party.country);
        let priced = price(country, &command.lines, command.invoice_date);
        let due_date = due_date(actor, command.invoice_date, command.due, "/paymentTermDays");
        let (customer, (lines, priced), due_date) = all_of(customer, priced, due_date)?;
        if ground.filed {
            return Err(Error::PeriodFiled(Quarter::of(command.invoice_date)));
        }
        let number_in_year = books.next_number(number_year, ground.last_number);
        let contact_id = contacts::ensure(tx, books, now, &customer)?;
        let invoice = Invoice {
            id: books.next_id(Noun::Invoice),
            external_id: command.external_id.clone(),
            kind: Kind::Invoice,
            number: print_number(actor, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: command.status,
            invoice_date: command.invoice_date,
            due_date,
            contact_id,
            customer: customer.party,
            reference: command.reference.clone(),
            notes: command.notes.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            amount_paid: Cents::ZERO,
            amount_credited: Cents::ZERO,
            paid_at: (command.status == Status::Sent && priced.total.is_zero()).then_some(command.invoice_date),
            credited_invoice_id: None,
            source: actor.door,
            created_at: now,
            updated_at: now,
        };
        book(tx, books, now, invoice, lines, priced, None).map(Created::New)
    })
}
