//! VAT returns of an account, open and filed.

use super::{corrections, icp, vat_schemes};
use crate::{Context, Error, PeriodError, context};
use ::tax::deadline::{self, Deadline};
use jiff::{
    Timestamp, ToSpan,
    civil::{self, Date},
};
use ledger::{
    booking,
    calendar::{self, Month, Quarter},
    chart::{AccountCode, Role},
    entry::{Source, SourceType},
    money::Cents,
    vat_period::{VatPeriod, VatUnit},
    vat_return::{self, Total, VatReturn},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};
use store::{
    Tx,
    books::{self, DocumentTotals},
    filings::{self as rows, FiledBox, Filing},
    journal::{self, BoxPosting},
};

/// VAT return of a period as currently booked, and its filed versions.
#[derive(Debug, Clone)]
pub struct VatReturnDetails {
    /// Period of the return.
    pub period: VatPeriod,
    /// Boxes computed from the postings. A filed period accepts no more postings with a box.
    pub vat_return: VatReturn,
    /// Filed versions with their boxes, oldest first.
    pub versions: Vec<(Filing, Vec<FiledBox>)>,
    /// Stored totals of the period.
    pub totals: DocumentTotals,
    /// Whether the small businesses scheme applies in the whole period, so that an empty return is
    /// not filed.
    pub kor: bool,
}

impl VatReturnDetails {
    /// Current version, if the period is filed.
    #[must_use]
    pub fn filed(&self) -> Option<&Filing> {
        self.versions.iter().map(|(filing, _)| filing).find(|filing| filing.is_filed())
    }

    /// Whether all boxes are zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = |amount: Option<Cents>| amount.unwrap_or_default().is_zero();
        self.vat_return.lines.iter().all(|line| nothing(line.turnover) && nothing(line.vat))
    }

    /// Whether a return must be filed. The small businesses scheme exempts empty returns.
    #[must_use]
    pub fn is_asked_for(&self) -> bool {
        !self.kor || !self.is_empty()
    }

    /// Latest filed version, even if it was reopened.
    #[must_use]
    pub fn last_filed(&self) -> Option<&Filing> {
        self.versions.last().map(|(filing, _)| filing)
    }

    /// Deadline for filing and payment.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        Deadline::of(deadline::DeadlineKind::VatReturn, self.period)
    }
}

/// Return of a calendar quarter, for clients that file by quarter, whatever the account's unit.
#[derive(Debug, Clone)]
pub struct QuarterReturn {
    /// The quarter.
    pub quarter: Quarter,
    /// Boxes of the quarter. If the account files by month, the declared amounts are the sums of
    /// the monthly ones. Versions are listed only if the quarter is a period of the account.
    pub details: VatReturnDetails,
    /// Returns of the account that overlap the quarter: for the quarter, its months, or its year.
    pub returns: Vec<VatReturnDetails>,
}

impl QuarterReturn {
    /// Builds the return of a quarter that is a period of the account.
    #[must_use]
    pub fn of(quarter: Quarter, details: VatReturnDetails) -> Self {
        Self { quarter, returns: vec![details.clone()], details }
    }

    /// Whether every day of the quarter is in a filed period.
    #[must_use]
    pub fn is_filed(&self) -> bool {
        self.returns.iter().all(|of| of.filed().is_some())
    }

    /// Latest filing of one of the account's returns, even if it was reopened.
    #[must_use]
    pub fn last_filed(&self) -> Option<&Filing> {
        self.returns
            .iter()
            .filter_map(VatReturnDetails::last_filed)
            .max_by_key(|filing| filing.filed_at)
    }

    /// Deadline of the last of the account's returns.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        self.returns.last().unwrap_or(&self.details).deadline()
    }
}

/// Reads the return of a period.
///
/// # Errors
/// The account does not file by this period ([`PeriodError::NotFiledBy`]), or the storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<VatReturnDetails, Error> {
    require_period(cx, period)?;
    read_any(tx, cx, period)
}

/// Reads the return of a period, whether or not the account files by it.
pub(super) fn read_any(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<VatReturnDetails, Error> {
    let totals = journal::vat_totals_of(tx, cx.actor.account, period)?;
    details(tx, cx, period, vat_return::vat_return(totals))
}

/// Reads the return of a calendar quarter.
///
/// # Errors
/// The storage failed.
pub fn read_quarter(
    tx: &mut Tx<'_>,
    cx: &Context,
    quarter: Quarter,
) -> Result<QuarterReturn, Error> {
    let units = &cx.actor.vat_units;
    let mut details = read_any(tx, cx, quarter.into())?;
    let mut returns = Vec::new();
    for period in units.periods(quarter.first_day(), quarter.last_day()) {
        returns.push(if period == details.period {
            details.clone()
        } else {
            read_any(tx, cx, period)?
        });
    }
    if !units.has(details.period) {
        details.versions.clear();
        // Only monthly returns can be summed: an annual return is rounded as a whole, and no part
        // of the rounding belongs to a quarter.
        if units.on(quarter.first_day()) == VatUnit::Month {
            details.vat_return =
                details.vat_return.declared_as(returns.iter().map(|of| &of.vat_return));
        }
    }
    Ok(QuarterReturn { quarter, details, returns })
}

/// Rejects a period that is not a VAT period of the account.
///
/// # Errors
/// The account files by another unit ([`PeriodError::NotFiledBy`]).
pub fn require_period(cx: &Context, period: VatPeriod) -> Result<(), PeriodError> {
    let units = &cx.actor.vat_units;
    if units.has(period) {
        return Ok(());
    }
    let (first, last) = (units.period_of(period.first_day()), units.period_of(period.last_day()));
    Err(PeriodError::NotFiledBy { period, first, last })
}

/// Returns a calendar quarter as a VAT period of the account.
///
/// # Errors
/// The account files by another unit ([`PeriodError::OtherPeriod`]).
pub fn period_of_quarter(cx: &Context, quarter: Quarter) -> Result<VatPeriod, PeriodError> {
    match require_period(cx, quarter.into()) {
        Err(PeriodError::NotFiledBy { first, last, .. }) => {
            Err(PeriodError::OtherPeriod { first, last })
        }
        own => own.map(|()| quarter.into()),
    }
}

/// Adds the filed versions and the stored totals to a computed return.
fn details(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
    vat_return: VatReturn,
) -> Result<VatReturnDetails, Error> {
    let mut versions = Vec::new();
    for filing in rows::versions(tx, cx.actor.account, period)? {
        let boxes = rows::boxes(tx, cx.actor.account, period, filing.version)?;
        versions.push((filing, boxes));
    }
    Ok(VatReturnDetails {
        period,
        vat_return,
        versions,
        totals: books::totals_of(tx, cx.actor.account, period)?,
        kor: vat_schemes::kor_since(tx, cx.actor.account, period.first_day())?.is_some()
            && vat_schemes::kor_since(tx, cx.actor.account, period.last_day())?.is_some(),
    })
}

/// Calendar quarters with journal entries or filings, newest first.
///
/// # Errors
/// The storage failed.
pub fn quarters(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Quarter>, Error> {
    let months = rows::months(tx, cx.actor.account)?.into_iter().map(Month::quarter);
    let filed = rows::periods(tx, cx.actor.account)?;
    let filed = filed.into_iter().flat_map(quarters_of);
    let quarters: BTreeSet<Quarter> = months.chain(filed).collect();
    Ok(quarters.into_iter().rev().collect())
}

/// Calendar quarters that overlap a period, in order.
fn quarters_of(period: VatPeriod) -> impl Iterator<Item = Quarter> {
    let last = period.last_quarter();
    iter::successors(Some(Quarter::of(period.first_day())), |quarter| Some(quarter.next()))
        .take_while(move |quarter| *quarter <= last)
}

/// Periods with a return, newest first: all periods from the first one with entries to the current
/// one, and later periods with entries. A period without entries has a return too (art. 8 Algemene
/// wet inzake rijksbelastingen).
///
/// # Errors
/// The storage failed.
pub fn returns(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<VatPeriod>, Error> {
    let (units, today) = (&cx.actor.vat_units, cx.today());
    let months = rows::months(tx, cx.actor.account)?;
    let filed = rows::periods(tx, cx.actor.account)?;
    let days = months
        .iter()
        .map(|month| month.first_day())
        .chain(filed.iter().map(|period| period.first_day()));
    let days: Vec<Date> = days.chain([today]).collect();
    let first = days.iter().copied().min().unwrap_or(today);
    let mut periods: BTreeSet<VatPeriod> = days.iter().map(|day| units.period_of(*day)).collect();
    periods.extend(units.periods(first, today));
    Ok(periods.into_iter().rev().collect())
}

/// Periods of a calendar year, in order.
#[must_use]
pub fn returns_of_year(cx: &Context, year: i16) -> Vec<VatPeriod> {
    let Some(year) = VatPeriod::year(year) else { return Vec::new() };
    cx.actor.vat_units.periods(year.first_day(), year.last_day()).collect()
}

/// The given periods that are open, or were filed or reopened since `since`.
///
/// # Errors
/// The storage failed.
pub fn changed_since(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut periods: Vec<VatPeriod>,
    since: Timestamp,
) -> Result<Vec<VatPeriod>, Error> {
    let filings = rows::all(tx, cx.actor.account)?;
    periods.retain(|period| {
        let mut versions = filings.iter().filter(|filing| filing.period == *period);
        !versions
            .next_back()
            .is_some_and(|last| last.filed_at < since && last.reopened_at.is_none())
    });
    Ok(periods)
}

/// The given quarters that are open, or for which a return was filed or reopened since `since`.
///
/// # Errors
/// The storage failed.
pub fn quarters_changed_since(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut quarters: Vec<Quarter>,
    since: Timestamp,
) -> Result<Vec<Quarter>, Error> {
    let units = &cx.actor.vat_units;
    let periods =
        quarters.iter().flat_map(|quarter| units.periods(quarter.first_day(), quarter.last_day()));
    let periods: BTreeSet<VatPeriod> = periods.collect();
    let changed = changed_since(tx, cx, periods.into_iter().collect(), since)?;
    quarters.retain(|quarter| {
        units
            .periods(quarter.first_day(), quarter.last_day())
            .any(|period| changed.contains(&period))
    });
    Ok(quarters)
}

/// Postings of a box after the position `after`, ordered by date, entry and line. `None` if the
/// return has no such box.
///
/// # Errors
/// The storage failed.
pub fn postings_of_box(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
    line: &str,
    after: Option<(Date, i64, i64)>,
    limit: i64,
) -> Result<Option<Vec<BoxPosting>>, Error> {
    let Some(boxes) = vat_return::component_boxes(line) else { return Ok(None) };
    let after = after.unwrap_or((period.first_day(), 0, 0));
    Ok(Some(journal::postings_of_boxes(tx, cx.actor.account, period, &boxes, after, limit)?))
}

/// Files the return of a past period and the open EC sales lists that end in it. The period then
/// accepts no more bookings with VAT. The amount due moves to the settlement account on the
/// period's last day or, if its year is closed, on the first day after the closed years.
///
/// # Errors
/// The account is not Dutch or does not file by this period, the period is not over, or its return
/// is filed already.
pub fn file(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<VatReturnDetails, Error> {
    file_if(tx, cx, period, true, &|_| true)
}

/// Like [`file()`], but only if the return is still as the caller saw it (optimistic locking). The
/// EC sales lists are filed only if `with_lists` is true.
///
/// # Errors
/// [`Error::Changed`] if `as_seen` rejects the return; otherwise as for [`file()`].
pub fn file_if(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
    with_lists: bool,
    as_seen: &dyn Fn(&VatReturnDetails) -> bool,
) -> Result<VatReturnDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        require_period(cx, period)?;
        let totals = journal::vat_totals_of(tx, cx.actor.account, period)?;
        let balances = vat_balances(&totals);
        let mut details = details(tx, cx, period, vat_return::vat_return(totals))?;
        if details.filed().is_some() {
            return Err(PeriodError::FiledAlready(period).into());
        }
        if !as_seen(&details) {
            return Err(Error::Changed);
        }
        if calendar::amsterdam_today(books.clock()) <= period.last_day() {
            return Err(PeriodError::NotOver(period).into());
        }
        let first_open = books
            .terms()
            .closed_until
            .map(|year| civil::date(year, 12, 31).saturating_add(1.day()));
        let on = first_open.map_or(period.last_day(), |day| day.max(period.last_day()));
        let entry =
            booking::vat_settlement(source(period), (period, on), &details.vat_return, &balances);
        let filing = Filing {
            period,
            version: details.last_filed().map_or(1, |last| last.version.saturating_add(1)),
            filed_at: cx.now(),
            reopened_at: None,
            entry_id: books.append(tx, &entry, cx.now())?,
            payable: details.vat_return.payable,
            declared_payable: details.vat_return.declared_payable,
        };
        rows::file(tx, cx.actor.account, &filing, &details.vat_return.lines)?;
        let boxes = rows::boxes(tx, cx.actor.account, period, filing.version)?;
        details.versions.push((filing, boxes));
        if with_lists {
            icp::file_with_return(tx, cx, period)?;
        }
        // The stored totals will include the settlement entry only at the end of the command. The
        // entry has no boxes, so only the number of entries changes.
        details.totals.entries += i64::from(period.contains(on));
        Ok(details)
    })
}

/// Reopens a filed period: the settlement is reversed, and bookings are accepted until the return
/// is filed again. Corrections of the period that an open later return carries move back to the
/// period's own return.
///
/// # Errors
/// The return is not filed, or its year is closed.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let filing =
            rows::versions(tx, cx.actor.account, period)?.into_iter().find(Filing::is_filed);
        let filing = filing.ok_or(PeriodError::NotFiled(period))?;
        let settled =
            corrections::require_own(tx, cx.actor.account, filing.entry_id, source(period))?;
        let reversal =
            settled.entry.reversal(settled.id, settled.entry.date(), settled.entry.vat_date());
        books.append(tx, &reversal, cx.now())?;
        rows::reopen(tx, cx.actor.account, period, cx.now())?;
        corrections::take_home(tx, books, cx, period)
    })
}

/// Id of a period's return, used as the source id of its journal entries.
#[must_use]
pub fn id_of(period: VatPeriod) -> i64 {
    period.id()
}

/// Source of the settlement entry of a period.
pub(crate) fn source(period: VatPeriod) -> Source {
    Source { kind: SourceType::VatFiling, id: period.id() }
}

/// Balance (debit minus credit) of the postings with a box, per VAT account.
fn vat_balances(totals: &[Total]) -> Vec<(AccountCode, Cents)> {
    let mut balances: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    for total in totals {
        if matches!(total.account.role(), Role::VatDue | Role::InputVat) {
            *balances.entry(total.account).or_default() += total.debit - total.credit;
        }
    }
    balances.into_iter().collect()
}
