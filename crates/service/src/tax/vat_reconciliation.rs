//! Reconciliation of the VAT in the balance sheet with the returns and their payments.

use super::summary;
use crate::{Context, Error};
use jiff::civil::{Date, date};
use ledger::{
    chart::{Role, codes},
    money::Cents,
    summary::{MonthTotal, VatTotal},
    vat_period::VatPeriod,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    SyncFilter, Tx, filings, journal,
    vat_payments::{self, VatPayment},
};

/// VAT of a period at the end of a year, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodBalance {
    /// The period; `None` for VAT without a period: opening balances, subsequent assessments, and
    /// payments that name no period.
    pub period: Option<VatPeriod>,
    /// Declared amount to pay; `None` if the return is not filed. Without a period, the amount
    /// that was due.
    pub declared: Option<Cents>,
    /// Amount paid by the end of the year.
    pub paid: Cents,
    /// Amount still to be paid: the declared amount or, if the return is not filed, the exact
    /// amount, less the amount paid.
    pub open: Cents,
}

/// Returns the VAT of the periods of a year, and of earlier periods that are not settled. The
/// amounts are as of the end of the year, or as of `as_of`. Together with the balance of account
/// 1785, the open amounts add up to the VAT on the balance sheet.
///
/// # Errors
/// The storage failed.
pub fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    as_of: Option<Date>,
) -> Result<Vec<PeriodBalance>, Error> {
    let account = cx.actor.account;
    let until = as_of.unwrap_or(date(year, 12, 31));
    let totals = summary::totals(tx, account, (year, as_of))?;
    let declared: BTreeMap<VatPeriod, Cents> = filings::all(tx, account)?
        .iter()
        .filter(|filing| filing.is_filed())
        .map(|filing| (filing.period, Cents::new(filing.declared_payable * 100)))
        .collect();
    let payments = vat_payments::page(tx, account, &SyncFilter::default(), 0, i64::MAX)?.rows;
    let paid = |period: Option<VatPeriod>| -> Cents {
        let counts = |payment: &&VatPayment| {
            payment.period == period
                && payment.oss_period.is_none()
                && payment.undone_at.is_none()
                && payment.date <= until
        };
        payments.iter().filter(counts).map(|payment| payment.amount).sum()
    };
    let posted = journal::vat_totals(tx, account, None)?;
    let unit_of = |of: &VatTotal| cx.actor.vat_units.period_of(of.month.first_day());
    let periods: BTreeSet<VatPeriod> = posted
        .iter()
        .map(unit_of)
        .chain(declared.keys().copied())
        .chain(payments.iter().filter_map(|payment| payment.period))
        .filter(|period| period.first_day() <= until)
        .collect();
    let mut balances = Vec::new();
    for period in periods {
        let exact: Cents = posted.iter().filter(|of| unit_of(of) == period).map(payable).sum();
        let (declared, paid) = (declared.get(&period).copied(), paid(Some(period)));
        let open = declared.unwrap_or(exact) - paid;
        if period.first_day().year() == year || !open.is_zero() {
            balances.push(PeriodBalance { period: Some(period), declared, paid, open });
        }
    }
    let listed: Cents = balances.iter().map(|balance| balance.open).sum();
    let (open, paid) = (vat_line(&totals) - listed, paid(None));
    if !open.is_zero() || !paid.is_zero() {
        balances.push(PeriodBalance { period: None, declared: Some(open + paid), paid, open });
    }
    Ok(balances)
}

/// Contribution of a total to the VAT to be paid: VAT due less input VAT.
fn payable(of: &VatTotal) -> Cents {
    match of.total.account.role() {
        Role::VatDue | Role::InputVat => of.total.credit - of.total.debit,
        _ => Cents::ZERO,
    }
}

/// VAT in the balance sheet, excluding accounts 1770 and 1785; positive if it is to be paid.
fn vat_line(totals: &[MonthTotal]) -> Cents {
    let counts = |of: &&MonthTotal| {
        !matches!(of.account.role(), Role::Ordinary | Role::DeferredVat)
            && of.account != codes::VAT_CORRECTIONS
    };
    totals.iter().filter(counts).map(|of| of.credit - of.debit).sum()
}
