//! VAT paid to the tax office, or paid back by it.

use crate::{Context, Created, Error, Fault, Reason, context, corrections, vat_filings::VatReturnDetails};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount},
    calendar::{self, Quarter},
    entry::{Source, SourceType},
    money::Cents,
};
use store::{
    ListFilter, ListPart, Page, SyncFilter, Tx,
    books::IdSequence,
    vat_payments::{self as rows, VatPayment},
};

/// What is needed to record a payment of VAT.
#[derive(Debug, Clone)]
pub struct NewVatPayment {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the payment.
    pub date: Date,
    /// What was paid; negative when the tax office paid it back.
    pub amount: Cents,
    /// From which account, or into which.
    pub method: MoneyAccount,
    /// The owner's own words.
    pub description: Option<String>,
    /// The return that it pays.
    pub period: Option<Quarter>,
}

/// Records a payment of VAT.
///
/// # Errors
/// The amount is nothing or too large, or the day is after tomorrow.
pub fn record(tx: &mut Tx<'_>, cx: &Context, command: &NewVatPayment) -> Result<Created<VatPayment>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let faults = faults(books.clock(), command);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let id = books.next_id(IdSequence::Manual);
        let entry = booking::vat_payment(source(id), command.date, command.amount, command.method);
        let entry_id = books.append(tx, &entry, cx.now())?;
        let payment = VatPayment {
            id,
            external_id: command.external_id.clone(),
            date: command.date,
            amount: command.amount,
            method: command.method,
            description: command.description.clone(),
            period: command.period,
            entry_id,
            undone_at: None,
            created_at: cx.now(),
        };
        rows::insert(tx, cx.actor.account, &payment)?;
        Ok(Created::New(payment))
    })
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Manual, id }
}

fn faults(now: Timestamp, command: &NewVatPayment) -> Vec<Fault> {
    let mut faults = Vec::new();
    if command.amount.is_zero() || command.amount.within_limit().is_err() {
        faults.push(Fault::new("/amount", Reason::AmountIsNothing { most: Cents::MAX }));
    }
    let tomorrow = calendar::amsterdam_today(now).saturating_add(1.day());
    if command.date > tomorrow {
        faults.push(Fault::new("/date", Reason::PaymentTooLate { latest: tomorrow }));
    }
    faults
}

/// Takes a payment back by a reversal on its own day; it stays listed. One that was taken back stays as it is.
///
/// # Errors
/// There is no such payment, or its year is closed.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<VatPayment, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let payment = read(tx, cx, id)?;
        if payment.undone_at.is_some() {
            return Ok(payment);
        }
        corrections::reverse(tx, books, cx, (source(id), payment.entry_id), corrections::IfFiled::Refuse)?;
        rows::undo(tx, cx.actor.account, id, cx.now())?;
        Ok(VatPayment { undone_at: Some(cx.now()), ..payment })
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<VatPayment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// A payment by its id.
///
/// # Errors
/// There is no such payment.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<VatPayment, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("VAT payment"))
}

/// The payments after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &SyncFilter, after: i64, limit: i64) -> Result<Page<VatPayment>, Error> {
    Ok(rows::page(tx, cx.actor.account, filter, after, limit)?)
}

/// The payments that a filter lets through: a part of them, how many there are, and what they come to.
///
/// # Errors
/// The storage failed.
pub fn table(tx: &mut Tx<'_>, cx: &Context, filter: &ListFilter, part: ListPart) -> Result<(Vec<VatPayment>, i64, Cents), Error> {
    let (count, sum) = rows::sums(tx, cx.actor.account, filter)?;
    Ok((rows::table(tx, cx.actor.account, filter, part)?, count, sum))
}

/// The payments on the return of a period, also those that were taken back.
///
/// # Errors
/// The storage failed.
pub fn of_period(tx: &mut Tx<'_>, cx: &Context, period: Quarter) -> Result<Vec<VatPayment>, Error> {
    Ok(rows::of_period(tx, cx.actor.account, period)?)
}

/// What of the amount of a return, as declared, is not paid; negative where the tax office is still to pay it back.
#[must_use]
pub fn remaining(details: &VatReturnDetails, payments: &[VatPayment]) -> Cents {
    let declared = details.filed().map_or(details.vat_return.declared_payable, |filing| filing.declared_payable);
    let paid: Cents = payments.iter().filter(|payment| payment.undone_at.is_none()).map(|payment| payment.amount).sum();
    Cents::new(declared.saturating_mul(100)) - paid
}
