//! VAT payments to the tax office, and refunds from it.

use crate::{
    Context, Created, Error, Fault, Reason, bank_accounts, context, corrections, oss,
    vat_filings::VatReturnDetails,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount, VatDebt},
    calendar,
    chart::codes,
    entry::{JournalEntry, Source, SourceType},
    money::Cents,
    vat_period::VatPeriod,
};
use store::{
    ListFilter, ListPart, Page, SyncFilter, Tx,
    books::IdSequence,
    vat_payments::{self as rows, VatPayment},
};

/// Command that records a VAT payment.
#[derive(Debug, Clone)]
pub struct NewVatPayment {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the payment.
    pub date: Date,
    /// Amount in cents; negative for a refund.
    pub amount: Cents,
    /// Account that the money came from or went to.
    pub method: MoneyAccount,
    /// Description by the owner.
    pub description: Option<String>,
    /// Period of the VAT return for which the payment is made.
    pub period: Option<VatPeriod>,
    /// Quarter of the return of the Union scheme (OSS) for which the payment is made, instead.
    pub oss_period: Option<VatPeriod>,
}

/// Records a payment of VAT.
///
/// # Errors
/// The account is not Dutch, the amount is zero or too large, the date is after tomorrow, or the
/// account has no return of the Union scheme for the given quarter.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewVatPayment,
) -> Result<Created<VatPayment>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let (method, unknown) = bank_accounts::money(cx, "/method", command.method);
        let mut faults = faults(books.clock(), command);
        faults.extend(unknown);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if let Some(period) = command.oss_period {
            oss::require_return(tx, cx, period)?;
        }
        let id = books.next_id(IdSequence::Manual);
        let payment = VatPayment {
            id,
            external_id: command.external_id.clone(),
            date: command.date,
            amount: command.amount,
            method,
            description: command.description.clone(),
            period: command.period,
            oss_period: command.oss_period,
            entry_id: 0,
            undone_at: None,
            created_at: cx.now(),
        };
        let entry_id = books.append(tx, &entry(&payment), cx.now())?;
        let payment = VatPayment { entry_id, ..payment };
        rows::insert(tx, cx.actor.account, &payment)?;
        Ok(Created::New(payment))
    })
}

/// Entry of a payment.
pub(crate) fn entry(payment: &VatPayment) -> JournalEntry {
    let debt = if payment.oss_period.is_some() { VatDebt::Union } else { VatDebt::Dutch };
    let amount = (debt, payment.amount);
    booking::vat_payment(source(payment.id), payment.date, amount, payment.method)
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
    if command.period.is_some() && command.oss_period.is_some() {
        faults.push(Fault::new("/ossPeriod", Reason::VatAndOssPeriod));
    }
    if command.oss_period.is_some_and(|period| period.as_quarter().is_none()) {
        faults.push(Fault::new("/ossPeriod", Reason::NotAQuarter));
    }
    faults
}

/// Undoes a payment by reversing its entry on the date of the payment. The payment stays listed.
/// Undoing it again changes nothing.
///
/// # Errors
/// The account is not Dutch, there is no such payment, or its year is closed.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<VatPayment, Error> {
    undo_on(tx, cx, id, None)
}

/// Undoes a payment like [`undo`], on `on`, which is not before the payment.
pub(crate) fn undo_on(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    on: Option<Date>,
) -> Result<VatPayment, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let payment = read(tx, cx, id)?;
        if payment.undone_at.is_some() {
            return Ok(payment);
        }
        let own = (source(id), payment.entry_id);
        corrections::reverse_on(tx, books, cx, own, on, corrections::IfFiled::Refuse)?;
        rows::undo(tx, cx.actor.account, id, cx.now())?;
        Ok(VatPayment { undone_at: Some(cx.now()), ..payment })
    })
}

/// Returns the payment with the given external id, if there is one.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<VatPayment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a payment by its id.
///
/// # Errors
/// There is no such payment.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<VatPayment, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("VAT payment"))
}

/// Returns a page of payments with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<VatPayment>, Error> {
    Ok(rows::page(tx, cx.actor.account, filter, after, limit)?)
}

/// Returns part of the payments that match a filter, and the count and sum of all matching
/// payments.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ListFilter,
    part: ListPart,
) -> Result<(Vec<VatPayment>, i64, Cents), Error> {
    let (count, sum) = rows::sums(tx, cx.actor.account, filter)?;
    Ok((rows::table(tx, cx.actor.account, filter, part)?, count, sum))
}

/// Returns the payments for the return of a period, including undone ones.
///
/// # Errors
/// The storage failed.
pub fn of_period(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<Vec<VatPayment>, Error> {
    Ok(rows::of_period(tx, cx.actor.account, period)?)
}

/// Returns the payments for the return of the Union scheme of a quarter, including undone ones.
///
/// # Errors
/// The storage failed.
pub fn of_oss_period(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<Vec<VatPayment>, Error> {
    Ok(rows::of_oss_period(tx, cx.actor.account, period)?)
}

/// Takes the payments that name no return off what is due on filed returns, the first return first,
/// and drops the returns on which nothing remains due.
///
/// # Errors
/// The storage failed.
pub(crate) fn settle_oldest(
    tx: &mut Tx<'_>,
    cx: &Context,
    due: &mut Vec<(VatReturnDetails, Cents)>,
) -> Result<(), Error> {
    if due.is_empty() {
        return Ok(());
    }
    let mut paid = rows::without_period(tx, cx.actor.account, codes::VAT_SETTLEMENT)?;
    for (_, remaining) in &mut *due {
        let part = paid.clamp(Cents::ZERO, *remaining);
        *remaining -= part;
        paid -= part;
    }
    due.retain(|(_, remaining)| *remaining > Cents::ZERO);
    Ok(())
}

/// Unpaid part of the declared amount of a return, in cents; negative if the tax office still has
/// to refund it.
#[must_use]
pub fn remaining(details: &VatReturnDetails, payments: &[VatPayment]) -> Cents {
    let declared = details
        .filed()
        .map_or(details.vat_return.declared_payable, |filing| filing.declared_payable);
    let paid: Cents = payments
        .iter()
        .filter(|payment| payment.undone_at.is_none())
        .map(|payment| payment.amount)
        .sum();
    Cents::new(declared.saturating_mul(100)) - paid
}
