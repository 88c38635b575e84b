//! Write-offs of invoices that customers do not pay, the VAT reclaimed on them (art. 29 Wet OB
//! 1968), and undoing write-offs.

use crate::{
    Context, Created, Error, Fault, Reason,
    cash_accounting::{self, Booked},
    context,
    corrections::{self, IfFiled},
    days,
    invoices::{self, InvoiceDetails, require_sent},
    payments::{day_of_undoing, too_late},
};
use jiff::civil::Date;
use ledger::{
    booking, calendar,
    cash_accounting::Event,
    entry::{Source, SourceType},
    invoice::VatGroup,
    money::Cents,
    write_off,
};
use store::{
    Page, SyncFilter, Tx,
    books::IdSequence,
    cash_accounting as changes_of_vat,
    invoices::Invoice,
    write_offs::{self as rows, WriteOff},
};

/// Input for a new write-off.
#[derive(Debug, Clone)]
pub struct NewWriteOff {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the unpaid invoice.
    pub invoice_id: i64,
    /// Date from which non-payment is certain. Defaults to today, or to the invoice date if that is
    /// later.
    pub date: Option<Date>,
    /// Amount to write off in cents, including VAT. Defaults to the amount that can be written off.
    pub amount: Option<Cents>,
    /// Reason.
    pub reason: Option<String>,
    /// Action if the VAT return for the period that contains the date has been filed.
    pub if_filed: IfFiled,
}

/// Input for undoing a write-off.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndoWriteOff {
    /// Date of the reversal. Defaults to the date of the write-off.
    pub date: Option<Date>,
    /// Action if the VAT return for the period that contains the date has been filed.
    pub if_filed: IfFiled,
}

/// Writes off the unpaid amount of an invoice: it becomes a cost, and its VAT is reclaimed in the
/// VAT return for the period of the write-off, unless it was not due yet under cash accounting.
///
/// # Errors
/// There is no such invoice, it is a draft or a prepayment, the amount exceeds the outstanding
/// amount, the date is before the invoice date or after tomorrow, or the VAT return for the period
/// of the date is filed and `if_filed` does not allow a correction.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewWriteOff,
) -> Result<Created<WriteOff>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let details = invoices::read(tx, cx, command.invoice_id)?;
        let before = &details.invoice;
        require_sent(before)?;
        let (written_off, invoice_date) = (before.amount_written_off, before.invoice_date);
        let remaining = invoices::remaining_of(tx, cx, &details)?;
        let outstanding = most_of(tx, cx, &details)?;
        let date = command
            .date
            .unwrap_or_else(|| calendar::amsterdam_today(books.clock()).max(invoice_date));
        let amount = command.amount.unwrap_or(outstanding);
        let early = (date < invoice_date)
            .then(|| Fault::new("/date", Reason::WrittenOffBeforeInvoice { invoice_date }));
        let early = early.or_else(|| days::before_opening(books, "/date", date));
        let late = command.date.and_then(|date| too_late("/date", books.clock(), date));
        let faults: Vec<Fault> =
            too_much(amount, outstanding, before).into_iter().chain(early).chain(late).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let id = books.next_id(IdSequence::WriteOff);
        let event = Event::WriteOff { id, date, amount };
        let booked = cash_accounting::on_event(tx, cx, &details, &event)?;
        let booked = booked.unwrap_or_else(|| {
            let lost = write_off::between(&remaining, written_off, written_off + amount);
            Booked { lost: lost.of_prepayment(before.prepayment), ..Booked::default() }
        });
        let (number, balance) = (&before.number, invoices::balance(before));
        let entry = booking::write_off(source(id), number, date, &booked.lost, balance);
        let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let write_off = WriteOff {
            id,
            invoice_id: before.id,
            external_id: command.external_id.clone(),
            date,
            amount,
            reason: command.reason.clone(),
            entry_id: corrections::own(&entry_ids)?,
            created_at: cx.now(),
            undoing_entry_id: None,
            undone_on: None,
            undone_at: None,
        };
        rows::insert(tx, cx.actor.account, &write_off)?;
        changes_of_vat::insert(tx, cx.actor.account, before.id, &booked.changes)?;
        let mut after = before.clone();
        after.amount_written_off += amount;
        invoices::settle(tx, books, cx, before, after, date)?;
        if details.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, before.id, command.if_filed)?;
        }
        Ok(Created::New(write_off))
    })
}

/// Undoes a write-off by reversing its entry, by default on the date of the write-off. A write-off
/// that was undone before is returned unchanged.
///
/// # Errors
/// There is no such write-off on the invoice, part of the amount has since been received, the date
/// is before that of the write-off or after tomorrow, or an affected VAT return is filed and
/// `if_filed` does not allow a correction.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    (invoice_id, id): (i64, i64),
    command: UndoWriteOff,
) -> Result<WriteOff, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut write_off = read(tx, cx, invoice_id, id)?;
        if write_off.undone_at.is_some() {
            return Ok(write_off);
        }
        let date = day_of_undoing(books.clock(), write_off.date, command.date)?;
        let details = invoices::read(tx, cx, invoice_id)?;
        let (before, written_off) = (&details.invoice, details.invoice.amount_written_off);
        if written_off < write_off.amount {
            let recovered = write_off.amount - written_off;
            return Err(Error::fault("", Reason::WriteOffRecovered { recovered }));
        }
        let remaining = invoices::remaining_of(tx, cx, &details)?;
        let event = Event::WriteOffUndone { id, date };
        let booked = cash_accounting::on_event(tx, cx, &details, &event)?;
        let booked = booked.unwrap_or_else(|| {
            let after = written_off - write_off.amount;
            let lost = write_off::between(&remaining, written_off, after);
            Booked { lost: lost.of_prepayment(before.prepayment), ..Booked::default() }
        });
        corrections::require_own(tx, cx.actor.account, write_off.entry_id, source(id))?;
        let (number, balance) = (&before.number, invoices::balance(before));
        let entry = booking::write_off(source(id), number, date, &booked.lost, balance);
        let entry = entry.taking_back(write_off.entry_id);
        let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
        write_off.undoing_entry_id = Some(corrections::own(&entry_ids)?);
        write_off.undone_on = Some(date);
        write_off.undone_at = Some(cx.now());
        rows::update(tx, cx.actor.account, &write_off)?;
        changes_of_vat::insert(tx, cx.actor.account, invoice_id, &booked.changes)?;
        let mut after = before.clone();
        after.amount_written_off -= write_off.amount;
        invoices::settle(tx, books, cx, before, after, date)?;
        if details.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, invoice_id, command.if_filed)?;
        }
        Ok(write_off)
    })
}

/// Returns the maximum amount of an invoice that can be written off, in cents: the amount due, but
/// no more than the part of the sale that has not been written off or, if the invoice is a
/// prepayment, set off. Refunds beyond the sale can make the amount due larger than that.
///
/// # Errors
/// The storage failed.
pub fn most_of(tx: &mut Tx<'_>, cx: &Context, details: &InvoiceDetails) -> Result<Cents, Error> {
    let invoice = &details.invoice;
    let gross = |groups: Vec<VatGroup>| -> Cents {
        groups.iter().map(|group| group.base + group.amount).sum()
    };
    let remaining = if invoice.prepayment {
        gross(invoices::remaining_to_set_off(tx, cx, details, 0)?)
    } else {
        gross(invoices::remaining_of(tx, cx, details)?) - invoice.amount_written_off
    };
    Ok(invoices::amount_due(invoice).min(remaining.max(Cents::ZERO)))
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

/// Returns the write-off with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<WriteOff>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns the write-offs of an invoice that have an id above `after`, oldest first.
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

/// Returns a write-off of an invoice by its id.
///
/// # Errors
/// There is no such invoice, or it has no such write-off.
pub fn read(tx: &mut Tx<'_>, cx: &Context, invoice_id: i64, id: i64) -> Result<WriteOff, Error> {
    let write_off = rows::by_id(tx, cx.actor.account, id)?
        .filter(|write_off| write_off.invoice_id == invoice_id);
    write_off.ok_or(Error::NotFound("write-off"))
}
