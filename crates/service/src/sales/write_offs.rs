//! Invoices that customers do not pay: written off, with the VAT back (art. 29 Wet OB 1968), and write-offs taken back.

use crate::{
    Context, Created, Error, Fault, Reason, context,
    corrections::{self, IfFiled},
    days,
    invoices::{self, InvoiceDetails, require_sent},
    payments::{day_of_undoing, too_late},
};
use jiff::civil::Date;
use ledger::{
    booking, calendar,
    entry::{Source, SourceType},
    invoice::VatGroup,
    money::Cents,
    write_off,
};
use store::{
    Page, SyncFilter, Tx,
    books::IdSequence,
    invoices::Invoice,
    write_offs::{self as rows, WriteOff},
};

/// What is needed to write something off.
#[derive(Debug, Clone)]
pub struct NewWriteOff {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice that is not paid.
    pub invoice_id: i64,
    /// The day from which it is certain; today unless given.
    pub date: Option<Date>,
    /// What is not paid, including VAT; all that is outstanding unless given.
    pub amount: Option<Cents>,
    /// Why.
    pub reason: Option<String>,
    /// What is to be done where the return of that day is filed.
    pub if_filed: IfFiled,
}

/// How a write-off is taken back.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndoWriteOff {
    /// The day; its own unless given.
    pub date: Option<Date>,
    /// What is to be done where the return of that day is filed.
    pub if_filed: IfFiled,
}

/// Writes off what a customer does not pay: cost, and the VAT on it comes back with the return of that day.
///
/// # Errors
/// There is no such invoice, it is a draft or a prepayment, less is outstanding than is written off, the day is before the invoice's or
/// after tomorrow, or its return is filed and no correction is asked for.
pub fn record(tx: &mut Tx<'_>, cx: &Context, command: &NewWriteOff) -> Result<Created<WriteOff>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let details = invoices::read(tx, cx, command.invoice_id)?;
        let before = &details.invoice;
        require_sent(before)?;
        if before.prepayment {
            return Err(Error::fault("", Reason::PrepaymentNotWrittenOff));
        }
        let (written_off, invoice_date) = (before.amount_written_off, before.invoice_date);
        let remaining = invoices::remaining_of(tx, cx, &details)?;
        let outstanding = most(before, &remaining);
        let date = command.date.unwrap_or_else(|| calendar::amsterdam_today(books.clock()).max(invoice_date));
        let amount = command.amount.unwrap_or(outstanding);
        let early = (date < invoice_date).then(|| Fault::new("/date", Reason::WrittenOffBeforeInvoice { invoice_date }));
        let early = early.or_else(|| days::before_opening(books, "/date", date));
        let late = command.date.and_then(|date| too_late("/date", books.clock(), date));
        let faults: Vec<Fault> = too_much(amount, outstanding, before).into_iter().chain(early).chain(late).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let groups = write_off::between(&remaining, written_off, written_off + amount);
        let id = books.next_id(IdSequence::WriteOff);
        let entry = booking::write_off(source(id), &before.number, date, &groups, invoices::balance(before));
        let booked = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let made = WriteOff {
            id,
            invoice_id: before.id,
            external_id: command.external_id.clone(),
            date,
            amount,
            reason: command.reason.clone(),
            entry_id: corrections::own(&booked)?,
            created_at: cx.now(),
            undoing_entry_id: None,
            undone_on: None,
            undone_at: None,
        };
        rows::insert(tx, cx.actor.account, &made)?;
        let mut after = before.clone();
        after.amount_written_off += amount;
        invoices::settle(tx, books, cx, before, after, date)?;
        Ok(Created::New(made))
    })
}

/// Takes a write-off back by reversing its entry, on its own day unless another is given. One that is taken back already is given as it
/// is.
///
/// # Errors
/// There is no such write-off on the invoice, some of it was received since, the day is before its own or after tomorrow, or a return that
/// it would change is filed.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, (invoice_id, id): (i64, i64), how: UndoWriteOff) -> Result<WriteOff, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut undone = read(tx, cx, invoice_id, id)?;
        if undone.undone_at.is_some() {
            return Ok(undone);
        }
        let date = day_of_undoing(books.clock(), undone.date, how.date)?;
        let details = invoices::read(tx, cx, invoice_id)?;
        let (before, written_off) = (&details.invoice, details.invoice.amount_written_off);
        if written_off < undone.amount {
            let recovered = undone.amount - written_off;
            return Err(Error::fault("", Reason::WriteOffRecovered { recovered }));
        }
        let remaining = invoices::remaining_of(tx, cx, &details)?;
        let groups = write_off::between(&remaining, written_off, written_off - undone.amount);
        corrections::require_own(tx, cx.actor.account, undone.entry_id, source(id))?;
        let entry = booking::write_off(source(id), &before.number, date, &groups, invoices::balance(before));
        let entry = entry.taking_back(undone.entry_id);
        let booked = corrections::append(tx, books, cx, entry, how.if_filed)?;
        undone.undoing_entry_id = Some(corrections::own(&booked)?);
        undone.undone_on = Some(date);
        undone.undone_at = Some(cx.now());
        rows::update(tx, cx.actor.account, &undone)?;
        let mut after = before.clone();
        after.amount_written_off -= undone.amount;
        invoices::settle(tx, books, cx, before, after, date)?;
        Ok(undone)
    })
}

/// What can be written off of an invoice at the most: what is due of it, and only what was sold, not what was paid back above it.
///
/// # Errors
/// The storage failed.
pub fn most_of(tx: &mut Tx<'_>, cx: &Context, details: &InvoiceDetails) -> Result<Cents, Error> {
    Ok(most(&details.invoice, &invoices::remaining_of(tx, cx, details)?))
}

fn most(invoice: &Invoice, remaining: &[VatGroup]) -> Cents {
    let sold: Cents = remaining.iter().map(|group| group.base + group.amount).sum();
    invoices::amount_due(invoice).min((sold - invoice.amount_written_off).max(Cents::ZERO))
}

fn too_much(amount: Cents, outstanding: Cents, invoice: &Invoice) -> Option<Fault> {
    let reason = if outstanding.is_zero() {
        Reason::NothingToWriteOff { invoice: invoice.number.clone() }
    } else {
        Reason::ExceedsOutstanding { asked: amount, remaining: outstanding }
    };
    let fits = amount > Cents::ZERO && amount <= outstanding;
    (!fits).then(|| Fault::new("/amount", reason))
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::WriteOff, id }
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<WriteOff>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The write-offs of an invoice after an id, oldest first.
///
/// # Errors
/// There is no such invoice in this account.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice_id: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<WriteOff>, Error> {
    invoices::require(tx, cx, invoice_id)?;
    Ok(rows::of_invoice(tx, cx.actor.account, invoice_id, filter, after, limit)?)
}

/// A write-off of an invoice by its id.
///
/// # Errors
/// There is no such invoice, or no such write-off of it.
pub fn read(tx: &mut Tx<'_>, cx: &Context, invoice_id: i64, id: i64) -> Result<WriteOff, Error> {
    let found = rows::by_id(tx, cx.actor.account, id)?.filter(|found| found.invoice_id == invoice_id);
    found.ok_or(Error::NotFound("write-off"))
}
