//! Payments on invoices, in full or in part, with a surplus only on request; refunds; and undoing
//! payments.

use crate::{
    Context, Created, Error, Fault, InvoiceError, Reason, bank_accounts, bank_lines,
    cash_accounting::{self, Booked},
    context,
    corrections::{self, IfFiled},
    days, invoices, vat_moves,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount, Settlement},
    calendar,
    cash_accounting::Event,
    entry::{Source, SourceType},
    money::Cents,
    write_off,
};
use store::{
    Page, SyncFilter, Tx,
    books::{self, IdSequence},
    cash_accounting as changes_of_vat,
    invoices::Invoice,
    payments::{self as rows, Payment},
};

/// Input for a new payment.
#[derive(Debug, Clone)]
pub struct NewPayment {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the invoice that was paid.
    pub invoice_id: i64,
    /// Date of payment.
    pub date: Date,
    /// Amount received in cents; negative for a refund. Defaults to the amount outstanding.
    pub amount: Option<Cents>,
    /// Account on which the payment was received.
    pub method: MoneyAccount,
    /// Payer's reference.
    pub reference: Option<String>,
    /// Whether an amount above the outstanding one is accepted and kept for the customer.
    pub keeps_surplus: bool,
    /// Action if the payment recovers a write-off and the affected VAT return is filed.
    pub if_filed: IfFiled,
}

/// Parsed fields of a payment request that has invalid fields.
#[derive(Debug, Clone, Copy)]
pub struct PartialPayment {
    /// Date.
    pub date: Option<Date>,
    /// Amount. The outer `None` means that it could not be parsed, the inner `None` that it was
    /// omitted.
    pub amount: Option<Option<Cents>>,
    /// Whether an amount above the outstanding one is accepted and kept for the customer.
    pub keeps_surplus: bool,
}

/// Input for undoing a payment.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndoPayment {
    /// Date of the reversal. Defaults to the date of the payment.
    pub date: Option<Date>,
    /// Action if the payment recovered a write-off and the affected VAT return is filed.
    pub if_filed: IfFiled,
}

/// Records a payment on a sent invoice, or a refund to the customer.
///
/// # Errors
/// There is no such invoice, it is a draft, the amount exceeds the outstanding or refundable
/// amount, the date is after tomorrow or before the opening balance, or the payment makes VAT due
/// again in a filed period and `if_filed` does not allow a correction.
// Long: it fills every field of a payment.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewPayment,
) -> Result<Created<Payment>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let details = invoices::read(tx, cx, command.invoice_id)?;
        invoices::require_sent(&details.invoice)?;
        let before = &details.invoice;
        let amount = command.amount.unwrap_or(invoices::amount_due(before));
        let written_off = before.amount_written_off;
        let recovered = amount.min(written_off).max(Cents::ZERO);
        let date_fault = too_late("/date", books.clock(), command.date)
            .or_else(|| days::before_opening(books, "/date", command.date));
        let amount_fault = amount_fault(command.amount, before, command.keeps_surplus);
        let (method, unknown) = bank_accounts::money(cx, "/method", command.method);
        let faults: Vec<Fault> =
            amount_fault.into_iter().chain(date_fault).chain(unknown).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let id = books.next_id(IdSequence::Payment);
        let event = Event::Payment { id, date: command.date, amount, recovered };
        let totals = (written_off, written_off - recovered);
        let effect = effect(tx, cx, &details, &event, totals)?;
        let settlement = Settlement {
            amount,
            method,
            balance: invoices::balance(before),
            recovered: effect.lost,
            due: effect.due,
        };
        let entry = booking::payment_received(
            source(id, amount),
            &before.number,
            command.date,
            &settlement,
        );
        let entry = entry.with_vat_date(due_again(tx, cx, before, recovered, command.date)?);
        let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let vat_move = vat_moves::on_payment(tx, books, cx, &details, (id, command.date, amount))?;
        let payment = Payment {
            id,
            invoice_id: before.id,
            external_id: command.external_id.clone(),
            date: command.date,
            amount,
            method,
            reference: command.reference.clone(),
            entry_id: corrections::own(&entry_ids)?,
            created_at: cx.now(),
            recovered,
            undoing_entry_id: None,
            undone_on: None,
            undone_at: None,
            date_unusual: days::unusual(books, command.date),
            vat_move,
        };
        rows::insert(tx, cx.actor.account, &payment)?;
        changes_of_vat::insert(tx, cx.actor.account, before.id, &effect.changes)?;
        let mut after = before.clone();
        after.amount_paid += amount;
        after.amount_written_off -= recovered;
        vat_moves::count(&mut after, &payment, 1);
        if !amount.is_negative() {
            after.first_paid_on =
                Some(after.first_paid_on.map_or(command.date, |first| first.min(command.date)));
        }
        invoices::settle(tx, books, cx, before, after, command.date)?;
        if details.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, before.id, command.if_filed)?;
        }
        Ok(Created::New(payment))
    })
}

/// Returns the faults of a payment request that has other invalid fields. [`record`] checks whether
/// the invoice can be paid at all.
///
/// # Errors
/// There is no such invoice.
pub fn validate(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice_id: i64,
    payment: &PartialPayment,
) -> Result<Vec<Fault>, Error> {
    let invoice = invoices::read(tx, cx, invoice_id)?.invoice;
    if invoices::require_sent(&invoice).is_err() {
        return Ok(Vec::new());
    }
    let opening = books::terms(tx, cx.actor.account)?.and_then(|terms| terms.opening);
    let amount_fault =
        payment.amount.and_then(|amount| amount_fault(amount, &invoice, payment.keeps_surplus));
    let date_fault =
        |date| too_late("/date", cx.clock(), date).or_else(|| days::before(opening, "/date", date));
    Ok(amount_fault.into_iter().chain(payment.date.and_then(date_fault)).collect())
}

/// Undoes a payment by reversing its entry, by default on the date of the payment. A payment that
/// was undone before is returned unchanged. `expected` is called on the stored payment while the
/// books are locked; if it returns false, there is a conflict.
///
/// # Errors
/// There is no such payment on the invoice, it is not as expected, the date is before that of the
/// payment or after tomorrow, the payment has been refunded, it recovered a write-off of an invoice
/// that has since been credited, or an affected VAT return is filed and `if_filed` does not allow a
/// correction.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    (invoice_id, id): (i64, i64),
    command: UndoPayment,
    expected: &dyn Fn(&Payment) -> bool,
) -> Result<Payment, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut payment = read(tx, cx, invoice_id, id)?;
        if !expected(&payment) {
            return Err(Error::Changed);
        }
        if payment.undone_at.is_some() {
            return Ok(payment);
        }
        let date = day_of_undoing(books.clock(), payment.date, command.date)?;
        let details = invoices::read(tx, cx, invoice_id)?;
        let before = &details.invoice;
        let written_off = before.amount_written_off;
        if before.amount_paid < payment.amount {
            return Err(InvoiceError::PaidBack.into());
        }
        if !payment.recovered.is_zero() {
            // The recovered amount would be written off again, which is impossible if later credit
            // notes have reduced the remainder of the invoice below that amount.
            let remaining: Cents = invoices::remaining_of(tx, cx, &details)?
                .iter()
                .map(|group| group.base + group.amount)
                .sum();
            if remaining < written_off + payment.recovered {
                return Err(InvoiceError::AlreadyCredited.into());
            }
        }
        let event = Event::PaymentUndone { id, date };
        let totals = (written_off + payment.recovered, written_off);
        let effect = effect(tx, cx, &details, &event, totals)?;
        let settlement = Settlement {
            amount: payment.amount,
            method: payment.method,
            balance: invoices::balance(before),
            recovered: effect.lost,
            due: effect.due,
        };
        let source = source(id, payment.amount);
        corrections::require_own(tx, cx.actor.account, payment.entry_id, source)?;
        bank_lines::release(tx, cx, &[payment.entry_id])?;
        let entry =
            booking::payment_undone(source, &before.number, date, &settlement, payment.entry_id);
        let entry = entry.with_vat_date(due_again(tx, cx, before, payment.recovered, date)?);
        let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
        vat_moves::undo(tx, books, cx, &payment, (date, before.vat_date), command.if_filed)?;
        payment.undoing_entry_id = Some(corrections::own(&entry_ids)?);
        payment.undone_on = Some(date);
        payment.undone_at = Some(cx.now());
        rows::undo(tx, cx.actor.account, &payment)?;
        changes_of_vat::insert(tx, cx.actor.account, invoice_id, &effect.changes)?;
        let mut after = before.clone();
        after.amount_paid -= payment.amount;
        after.amount_written_off += payment.recovered;
        vat_moves::count(&mut after, &payment, -1);
        let others = rows::by_invoice(tx, cx.actor.account, invoice_id)?;
        after.first_paid_on = first_day(&others);
        invoices::settle(tx, books, cx, before, after, date)?;
        if details.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, invoice_id, command.if_filed)?;
        }
        Ok(payment)
    })
}

/// Returns the VAT date of a payment that recovers a bad debt. Under cash accounting, the write-off
/// gave no VAT back, so none is due again.
fn due_again(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: &Invoice,
    recovered: Cents,
    date: Date,
) -> Result<Date, Error> {
    if recovered.is_zero() || invoice.is_due_when_paid() {
        return Ok(date);
    }
    cash_accounting::recovered_on(tx, cx.actor.account, invoice.id, date)
}

/// Returns the date of the first payment that is not undone, ignoring refunds.
pub(crate) fn first_day(payments: &[Payment]) -> Option<Date> {
    let received = payments
        .iter()
        .filter(|payment| payment.undone_at.is_none() && !payment.amount.is_negative());
    received.map(|payment| payment.date).min()
}

/// Returns the amounts that a payment, or undoing it, books besides the money: the part recovered
/// when the total written off goes from one of the two totals to the other, and VAT that becomes
/// due under cash accounting.
fn effect(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &invoices::InvoiceDetails,
    event: &Event,
    (before, after): (Cents, Cents),
) -> Result<Booked, Error> {
    if let Some(booked) = cash_accounting::on_event(tx, cx, details, event)? {
        return Ok(booked);
    }
    if before == after {
        return Ok(Booked::default());
    }
    let remaining = invoices::remaining_of(tx, cx, details)?;
    let lost = write_off::between(&remaining, after, before);
    Ok(Booked { lost: lost.of_prepayment(details.invoice.prepayment), ..Booked::default() })
}

/// Returns the source of the journal entry of a payment or refund.
pub(crate) fn source(id: i64, amount: Cents) -> Source {
    Source { kind: if amount.is_negative() { SourceType::Refund } else { SourceType::Payment }, id }
}

/// Returns the fault in an amount, if any: more than the outstanding and written-off amounts
/// together (unless a surplus is kept), or a refund of more than is refundable. If no amount is
/// given, the outstanding amount applies, which must not be zero.
fn amount_fault(submitted: Option<Cents>, invoice: &Invoice, keeps_surplus: bool) -> Option<Fault> {
    let amount = submitted.unwrap_or(invoices::amount_due(invoice));
    let (outstanding, refundable) = (
        invoices::amount_due(invoice) + invoice.amount_written_off,
        (-invoices::balance(invoice)).max(Cents::ZERO),
    );
    let reason = match amount {
        Cents::ZERO if submitted.is_none() && keeps_surplus => {
            Reason::KeptAmountRequired { invoice: invoice.number.clone() }
        }
        Cents::ZERO if outstanding.is_zero() || submitted.is_none() => {
            Reason::NothingOutstanding { invoice: invoice.number.clone() }
        }
        Cents::ZERO => Reason::AmountIsNothing { most: outstanding },
        _ if amount.is_negative() && -amount > refundable => {
            Reason::ExceedsRefund { asked: -amount, remaining: refundable }
        }
        _ if amount.is_negative() || amount <= outstanding => return None,
        _ if keeps_surplus => match (invoice.amount_paid + amount).within_limit() {
            Ok(_) => return None,
            Err(_) => Reason::AmountOutOfRange { most: Cents::MAX },
        },
        _ if outstanding.is_zero() => {
            Reason::NothingOutstanding { invoice: invoice.number.clone() }
        }
        _ => Reason::Overpaid { asked: amount, remaining: outstanding },
    };
    Some(Fault::new("/amount", reason))
}

/// Returns a fault if a date is after tomorrow. Tomorrow is accepted because it has already begun
/// in other time zones.
pub(crate) fn too_late(path: &str, now: Timestamp, date: Date) -> Option<Fault> {
    let latest = tomorrow(now);
    (date > latest).then(|| Fault::new(path, Reason::PaymentTooLate { latest }))
}

fn tomorrow(now: Timestamp) -> Date {
    calendar::amsterdam_today(now).saturating_add(1.day())
}

/// Returns the date of a reversal: `on`, or by default the date of the document that is undone. It
/// may not be before the document's date or after tomorrow.
pub(crate) fn day_of_undoing(now: Timestamp, date: Date, on: Option<Date>) -> Result<Date, Error> {
    let day = on.unwrap_or(date);
    let early = (day < date).then(|| Fault::new("/date", Reason::UndoneBefore { date }));
    let latest = tomorrow(now);
    let late =
        on.filter(|on| *on > latest).map(|_| Fault::new("/date", Reason::UndoneTooLate { latest }));
    let faults: Vec<Fault> = early.into_iter().chain(late).collect();
    if faults.is_empty() { Ok(day) } else { Err(Error::Invalid(faults)) }
}

/// Returns the payment with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Payment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns the payments on an invoice that have an id above `after`, oldest first.
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
) -> Result<Page<Payment>, Error> {
    invoices::require(tx, cx, invoice_id)?;
    Ok(rows::page_of_invoice(tx, cx.actor.account, invoice_id, filter, after, limit)?)
}

/// Returns a payment on an invoice by its id.
///
/// # Errors
/// There is no such invoice, or it has no such payment.
pub fn read(tx: &mut Tx<'_>, cx: &Context, invoice_id: i64, id: i64) -> Result<Payment, Error> {
    let payment =
        rows::by_id(tx, cx.actor.account, id)?.filter(|payment| payment.invoice_id == invoice_id);
    payment.ok_or(Error::NotFound("payment"))
}
