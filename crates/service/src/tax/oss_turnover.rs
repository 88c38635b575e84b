//! Turnover with consumers in other member states, and registration for the Union scheme (OSS), on
//! which the VAT of an invoice depends (art. 6k Wet OB 1968).

use crate::{Error, VatError};
use ::tax::eu_rates;
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter,
    kor::{CountedInvoice, NEAR, Turnover, percent, remaining},
    money::Cents,
    oss,
    vat_period::{VatPeriod, VatUnit},
};
use store::{
    Tx,
    oss::{self as rows, ConsumerSupply, OssFiling, Registration},
};

pub(super) fn terms(registrations: &[Registration]) -> Vec<oss::Registration> {
    let term = |stored: &Registration| oss::Registration { from: stored.from, until: stored.until };
    registrations.iter().map(term).collect()
}

/// Reads the supplies in a year that are part of the turnover.
pub(super) fn turnover(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<Turnover, Error> {
    let day = |month, day| Date::new(year, month, day).unwrap_or(Date::MAX);
    let mut invoices: Vec<CountedInvoice> = Vec::new();
    for supply in rows::consumer_supplies(tx, account, (day(1, 1), day(12, 31)))? {
        if !counts(&supply) {
            continue;
        }
        let ConsumerSupply { invoice: id, day, amount, .. } = supply;
        match invoices.last_mut().filter(|last| last.id == id) {
            Some(last) => last.amount += amount,
            None => invoices.push(CountedInvoice { id, day, amount }),
        }
    }
    Ok(Turnover::new(eu_rates::threshold(year).unwrap_or(Cents::MAX), invoices))
}

fn counts(supply: &ConsumerSupply) -> bool {
    let is_abroad =
        supply.tax_country.is_some() || oss::member_state(supply.country, supply.day).is_some();
    is_abroad && oss::counts(supply.category, supply.supply, supply.tax_country)
}

/// Whether the scheme is used on a day.
pub(crate) fn is_registered(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<bool, Error> {
    Ok(oss::is_registered(&terms(&rows::registrations(tx, account)?), day))
}

/// Position of an invoice relative to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OssStanding {
    /// Whether the scheme is used on the day of the invoice.
    pub is_registered: bool,
    /// Whether the turnover up to and including the invoice is near the threshold.
    pub is_near: bool,
    /// Whether the threshold was passed in the previous year, or in this one by the invoice or
    /// before it.
    pub is_passed: bool,
    /// Amount that remains below the threshold for the year, in cents.
    pub remaining: Cents,
}

/// Returns the standing of an invoice with a counted line that is supplied on `day`.
pub(crate) fn standing(
    tx: &mut Tx<'_>,
    account: i64,
    (id, day): (i64, Date),
) -> Result<OssStanding, Error> {
    let previous = turnover(tx, account, day.year() - 1)?;
    let current = turnover(tx, account, day.year())?;
    let until = current.until(id);
    Ok(OssStanding {
        is_registered: is_registered(tx, account, day)?,
        is_near: percent(until, current.limit) >= NEAR,
        is_passed: previous.total() > previous.limit || until > current.limit,
        remaining: remaining(current.total(), current.limit),
    })
}

/// Whether the return for the quarter of a day is filed, and was filed before the given moment.
pub(crate) fn is_filed_before(
    tx: &mut Tx<'_>,
    account: i64,
    day: Date,
    moment: Timestamp,
) -> Result<bool, Error> {
    let period = VatPeriod::of(day, VatUnit::Quarter);
    let mut filings = rows::filings(tx, account)?.into_iter();
    Ok(filings
        .any(|filing| filing.is_filed() && filing.period == period && filing.filed_at < moment))
}

/// Rejects a document that would correct the return of a quarter too late: a credit note on `day`,
/// or an invoice recorded on `day` if the return is filed.
pub(crate) fn require_correctable(
    tx: &mut Tx<'_>,
    account: i64,
    (supplied_on, day): (Date, Date),
    is_credit_note: bool,
) -> Result<(), Error> {
    let quarter = Quarter::of(supplied_on);
    if !oss::is_too_old(quarter, day) {
        return Ok(());
    }
    let period = VatPeriod::of(supplied_on, VatUnit::Quarter);
    let is_filed = |filing: &OssFiling| filing.is_filed() && filing.period == period;
    if is_credit_note || rows::filings(tx, account)?.iter().any(is_filed) {
        return Err(VatError::TooOldForOss(period).into());
    }
    Ok(())
}
