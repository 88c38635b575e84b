//! VAT filings: quarterly returns, open or filed.

use super::{corrections, vat_schemes};
use crate::{Context, Error, PeriodError, context};
use ::tax::deadline::{self, Deadline};
use jiff::{
    Timestamp, ToSpan,
    civil::{self, Date},
};
use ledger::{
    booking,
    calendar::{self, Quarter},
    chart::{self, AccountCode, Role},
    entry::{Source, SourceType},
    money::Cents,
    vat_return::{self, Total, VatReturn},
};
use std::{collections::BTreeMap, iter};
use store::{
    Tx,
    books::{self, QuarterTotals},
    filings::{self as rows, FiledBox, Filing},
    journal::{self, BoxPosting},
};

/// VAT return of a quarter as currently booked, and its filed versions.
#[derive(Debug, Clone)]
pub struct VatReturnDetails {
    /// Quarter of the return.
    pub quarter: Quarter,
    /// Boxes computed from the postings. A filed quarter accepts no more of them.
    pub vat_return: VatReturn,
    /// Filed versions with their boxes, oldest first.
    pub versions: Vec<(Filing, Vec<FiledBox>)>,
    /// Stored totals of the quarter.
    pub totals: QuarterTotals,
    /// Whether the small businesses scheme applies, so that an empty return is not filed.
    pub kor: bool,
}

impl VatReturnDetails {
    /// Current version, if the quarter is filed.
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
        Deadline::of(deadline::DeadlineKind::VatReturn, self.quarter.into())
    }
}

/// Reads the return of a quarter.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<VatReturnDetails, Error> {
    let totals = journal::vat_totals_of(tx, cx.actor.account, quarter)?;
    details(tx, cx, quarter, vat_return::vat_return(totals))
}

/// Adds the filed versions and the stored totals to a computed return.
fn details(
    tx: &mut Tx<'_>,
    cx: &Context,
    quarter: Quarter,
    vat_return: VatReturn,
) -> Result<VatReturnDetails, Error> {
    let mut versions = Vec::new();
    for filing in rows::versions(tx, cx.actor.account, quarter)? {
        let boxes = rows::boxes(tx, cx.actor.account, quarter, filing.version)?;
        versions.push((filing, boxes));
    }
    let of_year = books::quarter_totals(tx, cx.actor.account, quarter.year())?;
    let totals = of_year
        .into_iter()
        .find(|(number, _)| *number == quarter.number())
        .map(|(_, totals)| totals);
    Ok(VatReturnDetails {
        quarter,
        vat_return,
        versions,
        totals: totals.unwrap_or_default(),
        kor: vat_schemes::kor_since(tx, cx.actor.account, quarter.first_day())?.is_some(),
    })
}

/// Quarters with journal entries or filings, newest first.
///
/// # Errors
/// The storage failed.
pub fn periods(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Quarter>, Error> {
    Ok(rows::periods(tx, cx.actor.account)?)
}

/// Quarters with a return, newest first: all from the first with entries to the current one, and
/// later ones with entries. A quarter without entries has a return too (art. 8 Algemene wet inzake
/// rijksbelastingen).
///
/// # Errors
/// The storage failed.
pub fn returns(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Quarter>, Error> {
    let now = Quarter::of(cx.today());
    let mut quarters = periods(tx, cx)?;
    let first = quarters.iter().copied().min().unwrap_or(now);
    quarters.extend(
        iter::successors(Some(first), |quarter| Some(quarter.next()))
            .take_while(|quarter| *quarter <= now),
    );
    quarters.push(now);
    quarters.sort_unstable();
    quarters.dedup();
    quarters.reverse();
    Ok(quarters)
}

/// The given quarters that are open, or were filed or reopened since `since`.
///
/// # Errors
/// The storage failed.
pub fn changed_since(
    tx: &mut Tx<'_>,
    cx: &Context,
    quarters: Vec<Quarter>,
    since: Timestamp,
) -> Result<Vec<Quarter>, Error> {
    let filings = rows::all(tx, cx.actor.account)?;
    let is_settled = |quarter: &Quarter| {
        let mut versions = filings.iter().filter(|filing| filing.quarter == *quarter);
        let is_old =
            |filing: &rows::Filing| filing.filed_at < since && filing.reopened_at.is_none();
        versions.next_back().is_some_and(is_old)
    };
    Ok(quarters.into_iter().filter(|quarter| !is_settled(quarter)).collect())
}

/// Postings of a box after the position `after`, ordered by date, entry and line. `None` if the
/// return has no such box.
///
/// # Errors
/// The storage failed.
pub fn postings_of_box(
    tx: &mut Tx<'_>,
    cx: &Context,
    quarter: Quarter,
    line: &str,
    after: Option<(Date, i64, i64)>,
    limit: i64,
) -> Result<Option<Vec<BoxPosting>>, Error> {
    let Some(boxes) = vat_return::component_boxes(line) else { return Ok(None) };
    let after = after.unwrap_or((quarter.first_day(), 0, 0));
    Ok(Some(journal::postings_of_boxes(tx, cx.actor.account, quarter, &boxes, after, limit)?))
}

/// Files the return of a past quarter, which then accepts no more bookings with VAT. The amount due
/// moves to the settlement account on the quarter's last day, or on the first day after the closed
/// years if its year is closed.
///
/// # Errors
/// The return is filed already, or the quarter is not over.
pub fn file(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<VatReturnDetails, Error> {
    file_if(tx, cx, quarter, &|_| true)
}

/// Like [`file()`], if the return still is as the caller saw it (optimistic locking).
///
/// # Errors
/// [`Error::Changed`] if `as_seen` rejects the return; otherwise as for [`file()`].
pub fn file_if(
    tx: &mut Tx<'_>,
    cx: &Context,
    quarter: Quarter,
    as_seen: &dyn Fn(&VatReturnDetails) -> bool,
) -> Result<VatReturnDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let totals = journal::vat_totals_of(tx, cx.actor.account, quarter)?;
        let balances = vat_balances(&totals);
        let mut details = details(tx, cx, quarter, vat_return::vat_return(totals))?;
        if details.filed().is_some() {
            return Err(PeriodError::FiledAlready(quarter).into());
        }
        if !as_seen(&details) {
            return Err(Error::Changed);
        }
        if calendar::amsterdam_today(books.clock()) <= quarter.last_day() {
            return Err(PeriodError::NotOver(quarter).into());
        }
        let first_open = books
            .terms()
            .closed_until
            .map(|year| civil::date(year, 12, 31).saturating_add(1.day()));
        let on = first_open.map_or(quarter.last_day(), |day| day.max(quarter.last_day()));
        let entry =
            booking::vat_settlement(source(quarter), (quarter, on), &details.vat_return, &balances);
        let filing = Filing {
            quarter,
            version: details.last_filed().map_or(1, |last| last.version.saturating_add(1)),
            filed_at: cx.now(),
            reopened_at: None,
            entry_id: books.append(tx, &entry, cx.now())?,
            payable: details.vat_return.payable,
            declared_payable: details.vat_return.declared_payable,
        };
        rows::file(tx, cx.actor.account, &filing, &details.vat_return.lines)?;
        let boxes = rows::boxes(tx, cx.actor.account, quarter, filing.version)?;
        details.versions.push((filing, boxes));
        // Stored totals are updated at the end of the command; the settlement entry has no boxes.
        details.totals.entries += i64::from(Quarter::of(on) == quarter);
        Ok(details)
    })
}

/// Reopens a filed quarter: reverses the settlement and accepts bookings until the return is filed
/// again. Corrections of the quarter on an open later return move back to the quarter's own return.
///
/// # Errors
/// The return is not filed, or its year is closed.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let filing =
            rows::versions(tx, cx.actor.account, quarter)?.into_iter().find(Filing::is_filed);
        let filing = filing.ok_or(PeriodError::NotFiled(quarter))?;
        let settled =
            corrections::require_own(tx, cx.actor.account, filing.entry_id, source(quarter))?;
        let reversal =
            settled.entry.reversal(settled.id, settled.entry.date(), settled.entry.vat_date());
        books.append(tx, &reversal, cx.now())?;
        rows::reopen(tx, cx.actor.account, quarter, cx.now())?;
        corrections::take_home(tx, books, cx, quarter)
    })
}

/// Id of a quarter's return, as in the source of its entries.
#[must_use]
pub fn id_of(quarter: Quarter) -> i64 {
    rows::id_of(quarter)
}

/// Source of the settlement entry of a quarter.
pub(crate) fn source(quarter: Quarter) -> Source {
    Source { kind: SourceType::VatFiling, id: rows::id_of(quarter) }
}

/// Balance (debit minus credit) on each VAT account of the postings with a box.
fn vat_balances(totals: &[Total]) -> Vec<(AccountCode, Cents)> {
    let mut balances: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    for total in totals {
        if matches!(chart::account(total.account).role, Role::VatDue | Role::InputVat) {
            *balances.entry(total.account).or_default() += total.debit - total.credit;
        }
    }
    balances.into_iter().collect()
}

/// English name of a quarter.
pub(crate) fn name(quarter: Quarter) -> String {
    format!("{} quarter {}", quarter.year(), quarter.number())
}
