//! A draft that is edited, or sent.

use super::{
    Due, InvoiceView, LineGiven, counted, entry, line_as_given,
    pricing::{all_of, due_date, price},
    read, uncounted,
};
use crate::{
    Actor, Error, Fault,
    contacts::{self, Customer, CustomerGiven},
    vat_filings,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter,
    invoice::Line,
    money::Cents,
    vat::{VatCategory, VatRate},
};
use store::{
    Tx, books,
    invoices::{self as rows, Invoice, Status},
    journal,
};

/// What an edit of a draft changes; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct EditInvoice {
    /// Sends the draft when `Sent`.
    pub status: Option<Status>,
    /// A new invoice date.
    pub invoice_date: Option<Date>,
    /// A new customer, as a whole.
    pub customer: Option<CustomerGiven>,
    /// New lines, as a whole.
    pub lines: Option<Vec<LineGiven>>,
    /// A new due date.
    pub due: Option<Due>,
    /// A new reference; `Some(None)` takes it away.
    pub reference: Option<Option<String>>,
    /// New notes; `Some(None)` takes them away.
    pub notes: Option<Option<String>>,
}

/// Edits a draft, or sends it. The old booking is reversed and a new one made; the number stays. `expected` looks at what is
/// there while nobody else can change it.
///
/// # Errors
/// There is no such invoice, it is not as expected, it is sent already, the values cannot be used, or a period that it touches is filed.
pub fn edit(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    id: i64,
    edit: &EditInvoice,
    expected: &dyn Fn(&InvoiceView) -> bool,
) -> Result<InvoiceView, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        let old = read(tx, actor, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        if old.invoice.status != Status::Draft {
            return Err(Error::NotADraft);
        }
        let mut invoice = old.invoice.clone();
        invoice.invoice_date = edit.invoice_date.unwrap_or(invoice.invoice_date);
        let customer = match &edit.customer {
            Some(given) => contacts::identify(tx, actor.account, given),
            None => Ok(Customer { contact_id: Some(invoice.contact_id), party: invoice.customer.clone() }),
        };
        let given: Vec<LineGiven> = match &edit.lines {
            Some(lines) => lines.clone(),
            None => old.lines.iter().map(|(line, _)| line_given_again(line, &old.invoice)).collect(),
        };
        let country = customer.as_ref().map_or(invoice.customer.country, |customer| customer.party.country);
        let priced = rates_known(&given, edit.lines.is_some(), invoice.invoice_date)
            .and_then(|()| price(country, &given, invoice.invoice_date));
        let due = match edit.due {
            Some(due) => due_date(actor, invoice.invoice_date, due, "/paymentTermDays"),
            // The term stays when the date moves.
            None => {
                let days = (old.invoice.due_date - old.invoice.invoice_date).get_days();
                due_date(actor, invoice.invoice_date, Due::Days(days.into()), "/invoiceDate")
            }
        };
        let (customer, (lines, priced), due_date) = all_of(customer, priced, due)?;
        invoice.due_date = due_date;
        let (from, to) = (old.invoice.invoice_date, invoice.invoice_date);
        vat_filings::require_open(tx, actor.account, from)?;
        vat_filings::require_open(tx, actor.account, to)?;
        invoice.contact_id = contacts::ensure(tx, books, now, &customer)?;
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
        invoice.updated_at = now;
        rows::replace(tx, actor.account, &invoice, &lines, &priced.line_amounts)?;
        let (mut entry_ids, booked) = (old.entry_ids, entry(&invoice, &priced, None));
        let last = *entry_ids.last().ok_or_else(|| Error::Broken("an invoice without a journal entry".into()))?;
        let before = journal::by_id(tx, actor.account, last)?.ok_or_else(|| Error::Broken("a lost journal entry".into()))?;
        let same = before.entry.postings() == booked.postings()
            && before.entry.date() == booked.date()
            && before.entry.description() == booked.description();
        if !same {
            let description = format!("Reversal of: {}", before.entry.description());
            entry_ids.push(books.append(tx, &before.entry.reversal(last, before.entry.date(), description), now)?);
            entry_ids.push(books.append(tx, &booked, now)?);
        }
        books.count(Quarter::of(from), uncounted(&old.invoice));
        books.count(Quarter::of(to), counted(&invoice));
        Ok(InvoiceView { invoice, lines: lines_with_amounts, groups: priced.groups, entry_ids })
    })
}

/// Refuses rates that the law does not know on the day: of lines that are given, or because the invoice moves to that day.
fn rates_known(lines: &[LineGiven], given: bool, on: Date) -> Result<(), Error> {
    let fault = |(place, line): (usize, &LineGiven)| {
        let unknown = VatRate::from_percent(&line.vat_rate.percent(), on).err()?;
        let pointer = if given { format!("/items/{place}/vatRate") } else { "/invoiceDate".to_owned() };
        Some(Fault::new(pointer, "unknown_vat_rate", unknown.to_string()))
    };
    let mut faults: Vec<Fault> = lines.iter().enumerate().filter_map(fault).collect();
    if !given {
        faults.truncate(1);
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// A line of a draft as if it were given again. A category that is what the customer's country gives by itself is left to the country
/// again, so that it follows the customer: a sale to Belgium is none within the Netherlands.
fn line_given_again(line: &Line, draft: &Invoice) -> LineGiven {
    let by_itself = VatCategory::default_for(line.vat_rate, draft.customer.country, draft.invoice_date);
    LineGiven { vat_category: Some(line.vat_category).filter(|category| *category != by_itself), ..line_as_given(line) }
}
