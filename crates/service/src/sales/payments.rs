//! Payments on invoices: partial, several, above what is outstanding only where that is said; money paid back; and payments taken back.

use crate::{
    Context, Created, Error, Fault, Reason, context,
    corrections::{self, IfFiled},
    days, invoices,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount, Settlement},
    calendar,
    entry::{Source, SourceType},
    money::Cents,
    write_off,
};
use store::{
    Page, SyncFilter, Tx,
    books::{self, IdSequence},
    invoices::Invoice,
    payments::{self as rows, Payment},
    write_offs,
};

/// What is needed to record a payment.
#[derive(Debug, Clone)]
pub struct NewPayment {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The invoice that was paid.
    pub invoice_id: i64,
    /// The day of the payment.
    pub date: Date,
    /// What was received, or paid back when negative; all that is outstanding unless given.
    pub amount: Option<Cents>,
    /// Where it was received.
    pub method: MoneyAccount,
    /// The payer's reference.
    pub reference: Option<String>,
    /// Whether what is above the outstanding is kept for the customer.
    pub keeps_surplus: bool,
    /// What is to be done where it recovers what was written off and the return of its day is filed.
    pub if_filed: IfFiled,
}

/// What could be read of a payment that cannot be recorded as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct PartialPayment {
    /// The day.
    pub date: Option<Date>,
    /// The amount, if one was given; nothing where it could not be read.
    pub amount: Option<Option<Cents>>,
    /// Whether what is above the outstanding is kept for the customer.
    pub keeps_surplus: bool,
}

/// How a payment is taken back.
#[derive(Debug, Clone, Copy, Default)]
pub struct UndoPayment {
    /// The day; its own unless given.
    pub date: Option<Date>,
    /// What is to be done where it recovered what was written off and the return of that day is filed.
    pub if_filed: IfFiled,
}

/// Records a payment on a sent invoice, or money that is paid back to the customer.
///
/// # Errors
/// There is no such invoice, it is a draft, less is outstanding than is paid or to be paid back than is, the payment is dated after
/// tomorrow, or it recovers VAT in a period that is filed and no correction is asked for.
pub fn record(tx: &mut Tx<'_>, cx: &Context, command: &NewPayment) -> Result<Created<Payment>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let details = invoices::read(tx, cx, command.invoice_id)?;
        invoices::require_sent(&details.invoice)?;
        let before = &details.invoice;
        let amount = command.amount.unwrap_or(invoices::amount_due(before));
        let written_off = before.amount_written_off;
        let recovered = amount.min(written_off).max(Cents::ZERO);
        let off = too_late("/date", books.clock(), command.date).or_else(|| days::before_opening(books, "/date", command.date));
        let unfit = unfit(command.amount, before, command.keeps_surplus);
        let faults: Vec<Fault> = unfit.into_iter().chain(off).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let id = books.next_id(IdSequence::Payment);
        let settlement = Settlement {
            amount,
            method: command.method,
            balance: invoices::balance(before),
            recovered: recovery(tx, cx, &details, written_off, written_off - recovered)?,
        };
        let entry = booking::payment_received(source(id, amount), &before.number, command.date, &settlement);
        let entry = entry.with_vat_date(due_again(tx, cx, before.id, recovered, command.date)?);
        let booked = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let payment = Payment {
            id,
            invoice_id: before.id,
            external_id: command.external_id.clone(),
            date: command.date,
            amount,
            method: command.method,
            reference: command.reference.clone(),
            entry_id: corrections::own(&booked)?,
            created_at: cx.now(),
            recovered,
            undoing_entry_id: None,
            undone_on: None,
            undone_at: None,
            date_unusual: days::unusual(books, command.date),
        };
        rows::insert(tx, cx.actor.account, &payment)?;
        let mut after = before.clone();
        after.amount_paid += amount;
        after.amount_written_off -= recovered;
        if !amount.is_negative() {
            after.first_paid_on = Some(after.first_paid_on.map_or(command.date, |first| first.min(command.date)));
        }
        invoices::settle(tx, books, cx, before, after, command.date)?;
        Ok(Created::New(payment))
    })
}

/// What the books find wrong with a payment that cannot be recorded as it was asked for. Whether the invoice can be paid at all is told by
/// [`record`].
///
/// # Errors
/// There is no such invoice.
pub fn validate(tx: &mut Tx<'_>, cx: &Context, invoice_id: i64, given: &PartialPayment) -> Result<Vec<Fault>, Error> {
    let invoice = invoices::read(tx, cx, invoice_id)?.invoice;
    if invoices::require_sent(&invoice).is_err() {
        return Ok(Vec::new());
    }
    let opening = books::terms(tx, cx.actor.account)?.and_then(|terms| terms.opening);
    let unfit = given.amount.and_then(|amount| unfit(amount, &invoice, given.keeps_surplus));
    let off = |date| too_late("/date", cx.clock(), date).or_else(|| days::before(opening, "/date", date));
    Ok(unfit.into_iter().chain(given.date.and_then(off)).collect())
}

/// Takes a payment back by reversing its entry, on its own day unless another is given. One that is taken back already is given as it
/// is. `expected` looks at what is there while nobody else can change it.
///
/// # Errors
/// There is no such payment on the invoice, it is not as expected, the day is before that of the payment or after tomorrow, it was paid back since, it recovered what
/// was written off of an invoice that was credited since, or a return that it would change is filed and no correction is asked for.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    (invoice_id, id): (i64, i64),
    how: UndoPayment,
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
        let date = day_of_undoing(books.clock(), payment.date, how.date)?;
        let details = invoices::read(tx, cx, invoice_id)?;
        let before = &details.invoice;
        let written_off = before.amount_written_off;
        if before.amount_paid < payment.amount {
            return Err(Error::PaidBack);
        }
        if !payment.recovered.is_zero() {
            // What it recovered would be written off again, of an invoice on which too little is left since credit notes took it back.
            let remaining: Cents = invoices::remaining_of(tx, cx, &details)?.iter().map(|group| group.base + group.amount).sum();
            if remaining < written_off + payment.recovered {
                return Err(Error::AlreadyCredited);
            }
        }
        let mut recovered = recovery(tx, cx, &details, written_off + payment.recovered, written_off)?;
        recovered.retain(|group| !group.base.is_zero() || !group.amount.is_zero());
        let settlement =
            Settlement { amount: payment.amount, method: payment.method, balance: invoices::balance(before), recovered };
        let source = source(id, payment.amount);
        corrections::require_own(tx, cx.actor.account, payment.entry_id, source)?;
        let entry = booking::payment_undone(source, &before.number, date, &settlement, payment.entry_id);
        let entry = entry.with_vat_date(due_again(tx, cx, before.id, payment.recovered, date)?);
        let booked = corrections::append(tx, books, cx, entry, how.if_filed)?;
        payment.undoing_entry_id = Some(corrections::own(&booked)?);
        payment.undone_on = Some(date);
        payment.undone_at = Some(cx.now());
        rows::undo(tx, cx.actor.account, &payment)?;
        let mut after = before.clone();
        after.amount_paid -= payment.amount;
        after.amount_written_off += payment.recovered;
        let others = rows::by_invoice(tx, cx.actor.account, invoice_id)?;
        after.first_paid_on = first_day(&others);
        invoices::settle(tx, books, cx, before, after, date)?;
        Ok(payment)
    })
}

/// The day on which the VAT on what is recovered is due again: that of the payment, but not before it was given up (art. 29(5) Wet OB 1968), so
/// that no return declares again what it never gave back.
fn due_again(tx: &mut Tx<'_>, cx: &Context, invoice: i64, recovered: Cents, date: Date) -> Result<Date, Error> {
    if recovered.is_zero() {
        return Ok(date);
    }
    let made = write_offs::of_invoice(tx, cx.actor.account, invoice, &SyncFilter::default(), 0, i64::MAX)?.rows;
    Ok(made.iter().filter(|made| made.undone_at.is_none()).map(|made| made.date).fold(date, Date::max))
}

/// The day of the first payment that counts.
pub(crate) fn first_day(payments: &[Payment]) -> Option<Date> {
    let counting = payments.iter().filter(|payment| payment.undone_at.is_none() && !payment.amount.is_negative());
    counting.map(|payment| payment.date).min()
}

/// What is recovered between two sums of what was written off of an invoice, by rate.
fn recovery(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &invoices::InvoiceDetails,
    before: Cents,
    after: Cents,
) -> Result<Vec<ledger::invoice::VatGroup>, Error> {
    if before == after {
        return Ok(Vec::new());
    }
    let remaining = invoices::remaining_of(tx, cx, details)?;
    Ok(write_off::between(&remaining, after, before))
}

/// The document behind the entry of a payment.
pub(crate) fn source(id: i64, amount: Cents) -> Source {
    Source { kind: if amount.is_negative() { SourceType::Refund } else { SourceType::Payment }, id }
}

/// What is wrong with an amount, if one was given: more than is outstanding or was written off, or more paid back than is to be. Without one
/// all that is outstanding is meant, which must be something.
fn unfit(given: Option<Cents>, invoice: &Invoice, keeps_surplus: bool) -> Option<Fault> {
    let amount = given.unwrap_or(invoices::amount_due(invoice));
    let (outstanding, refundable) =
        (invoices::amount_due(invoice) + invoice.amount_written_off, (-invoices::balance(invoice)).max(Cents::ZERO));
    let reason = match amount {
        Cents::ZERO if given.is_none() && keeps_surplus => Reason::KeptAmountRequired { invoice: invoice.number.clone() },
        Cents::ZERO if outstanding.is_zero() || given.is_none() => Reason::NothingOutstanding { invoice: invoice.number.clone() },
        Cents::ZERO => Reason::AmountIsNothing { most: outstanding },
        _ if amount.is_negative() && -amount > refundable => Reason::ExceedsRefund { asked: -amount, remaining: refundable },
        _ if amount.is_negative() || amount <= outstanding => return None,
        _ if keeps_surplus => match (invoice.amount_paid + amount).within_limit() {
            Ok(_) => return None,
            Err(_) => Reason::AmountOutOfRange { most: Cents::MAX },
        },
        _ if outstanding.is_zero() => Reason::NothingOutstanding { invoice: invoice.number.clone() },
        _ => Reason::Overpaid { asked: amount, remaining: outstanding },
    };
    Some(Fault::new("/amount", reason))
}

/// Money does not move before it is there. Tomorrow is let pass: it is that day already somewhere.
pub(crate) fn too_late(path: &str, now: Timestamp, date: Date) -> Option<Fault> {
    let latest = tomorrow(now);
    (date > latest).then(|| Fault::new(path, Reason::PaymentTooLate { latest }))
}

fn tomorrow(now: Timestamp) -> Date {
    calendar::amsterdam_today(now).saturating_add(1.day())
}

/// The day on which something is taken back: its own unless another is given, which is not before it nor after tomorrow.
pub(crate) fn day_of_undoing(now: Timestamp, date: Date, on: Option<Date>) -> Result<Date, Error> {
    let day = on.unwrap_or(date);
    let early = (day < date).then(|| Fault::new("/date", Reason::UndoneBefore { date }));
    let latest = tomorrow(now);
    let late = on.filter(|on| *on > latest).map(|_| Fault::new("/date", Reason::UndoneTooLate { latest }));
    let faults: Vec<Fault> = early.into_iter().chain(late).collect();
    if faults.is_empty() { Ok(day) } else { Err(Error::Invalid(faults)) }
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<Payment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The payments on an invoice after an id, oldest first.
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

/// A payment on an invoice by its id.
///
/// # Errors
/// There is no such invoice, or no such payment on it.
pub fn read(tx: &mut Tx<'_>, cx: &Context, invoice_id: i64, id: i64) -> Result<Payment, Error> {
    let payment = rows::by_id(tx, cx.actor.account, id)?.filter(|payment| payment.invoice_id == invoice_id);
    payment.ok_or(Error::NotFound("payment"))
}
