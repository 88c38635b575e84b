//! VAT filings: the return of a quarter, open or filed.

use super::{corrections, vat_schemes};
use crate::{Context, Error, context};
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

/// The return of a quarter as the books stand now, and as it was filed.
#[derive(Debug, Clone)]
pub struct VatReturnDetails {
    /// The period.
    pub quarter: Quarter,
    /// What the postings say now; of a filed quarter, what they said when it was filed.
    pub vat_return: VatReturn,
    /// The versions that were filed, the first one first, each with its boxes.
    pub versions: Vec<(Filing, Vec<FiledBox>)>,
    /// Counts of the quarter.
    pub totals: QuarterTotals,
    /// Whether the small businesses scheme is used in it, so that only a return with something on it is filed.
    pub kor: bool,
}

impl VatReturnDetails {
    /// The version that counts, when the period is filed.
    #[must_use]
    pub fn filed(&self) -> Option<&Filing> {
        self.versions.iter().map(|(filing, _)| filing).find(|filing| filing.is_filed())
    }

    /// Whether anything stands in a box of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = |amount: Option<Cents>| amount.unwrap_or_default().is_zero();
        self.vat_return.lines.iter().all(|line| nothing(line.turnover) && nothing(line.vat))
    }

    /// Whether a return is to be filed: under the small businesses scheme only where something is due.
    #[must_use]
    pub fn is_asked_for(&self) -> bool {
        !self.kor || !self.is_empty()
    }

    /// The last version that was filed, also when it was opened again since.
    #[must_use]
    pub fn last_filed(&self) -> Option<&Filing> {
        self.versions.last().map(|(filing, _)| filing)
    }

    /// By when it is to be filed and paid.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        Deadline::of(deadline::DeadlineKind::VatReturn, self.quarter.into())
    }
}

/// The return of a quarter.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<VatReturnDetails, Error> {
    let totals = journal::vat_totals_of(tx, cx.actor.account, quarter)?;
    let mut versions = Vec::new();
    for filing in rows::versions(tx, cx.actor.account, quarter)? {
        let boxes = rows::boxes(tx, cx.actor.account, quarter, filing.version)?;
        versions.push((filing, boxes));
    }
    let counts = books::quarter_totals(tx, cx.actor.account, quarter.year())?;
    let totals_of = counts.into_iter().find(|(number, _)| *number == quarter.number()).map(|(_, sums)| sums);
    Ok(VatReturnDetails {
        quarter,
        vat_return: vat_return::vat_return(totals),
        versions,
        totals: totals_of.unwrap_or_default(),
        kor: vat_schemes::kor_since(tx, cx.actor.account, quarter.first_day())?.is_some(),
    })
}

/// The quarters that have journal entries or were ever filed, newest first.
///
/// # Errors
/// The storage failed.
pub fn periods(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Quarter>, Error> {
    Ok(rows::periods(tx, cx.actor.account)?)
}

/// The quarters of which there is a return, newest first: every one from the first with entries until today's, as a return is filed for a
/// quarter without any too (art. 8 Algemene wet inzake rijksbelastingen), and those after it that have entries.
///
/// # Errors
/// The storage failed.
pub fn returns(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Quarter>, Error> {
    let now = Quarter::of(cx.today());
    let mut quarters = periods(tx, cx)?;
    let first = quarters.iter().copied().min().unwrap_or(now);
    quarters.extend(iter::successors(Some(first), |quarter| Some(quarter.next())).take_while(|quarter| *quarter <= now));
    quarters.push(now);
    quarters.sort_unstable();
    quarters.dedup();
    quarters.reverse();
    Ok(quarters)
}

/// Of some quarters, those that are open or were filed or reopened at a moment or later.
///
/// # Errors
/// The storage failed.
pub fn changed_since(tx: &mut Tx<'_>, cx: &Context, quarters: Vec<Quarter>, since: Timestamp) -> Result<Vec<Quarter>, Error> {
    let filings = rows::all(tx, cx.actor.account)?;
    let is_settled = |quarter: &Quarter| {
        let mut of_it = filings.iter().filter(|filing| filing.quarter == *quarter);
        let is_old = |filing: &rows::Filing| filing.filed_at < since && filing.reopened_at.is_none();
        of_it.next_back().is_some_and(is_old)
    };
    Ok(quarters.into_iter().filter(|quarter| !is_settled(quarter)).collect())
}

/// Which postings are of a box: by date, entry and line, from `after` on. None when the return has no such box.
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

/// Files the return of a quarter that is over: the period takes no more bookings, and what is due moves to the settlement account on the
/// quarter's last day; where its year is closed, on the first day after the closed years, so that these stay as they are.
///
/// # Errors
/// It is filed already, or the quarter is not over.
pub fn file(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<VatReturnDetails, Error> {
    file_if(tx, cx, quarter, &|_| true)
}

/// [`file`], where the return is still as it was looked at.
///
/// # Errors
/// [`Error::Changed`] where it is not; otherwise as for [`file`].
pub fn file_if(
    tx: &mut Tx<'_>,
    cx: &Context,
    quarter: Quarter,
    as_seen: &dyn Fn(&VatReturnDetails) -> bool,
) -> Result<VatReturnDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if rows::is_filed(tx, cx.actor.account, quarter)? {
            return Err(Error::FiledAlready(quarter));
        }
        if !as_seen(&read(tx, cx, quarter)?) {
            return Err(Error::Changed);
        }
        if calendar::amsterdam_today(books.clock()) <= quarter.last_day() {
            return Err(Error::PeriodNotOver(quarter));
        }
        let totals = journal::vat_totals_of(tx, cx.actor.account, quarter)?;
        let vat_return = vat_return::vat_return(totals.iter().cloned());
        let first_open = books.terms().closed_until.map(|year| civil::date(year, 12, 31).saturating_add(1.day()));
        let on = first_open.map_or(quarter.last_day(), |day| day.max(quarter.last_day()));
        let entry = booking::vat_settlement(source(quarter), (quarter, on), &vat_return, &vat_balances(&totals));
        let entry_id = books.append(tx, &entry, cx.now())?;
        let filing = Filing {
            quarter,
            version: 1 + i64::try_from(rows::versions(tx, cx.actor.account, quarter)?.len()).unwrap_or(i64::MAX - 1),
            filed_at: cx.now(),
            reopened_at: None,
            entry_id,
            payable: vat_return.payable,
            declared_payable: vat_return.declared_payable,
        };
        rows::file(tx, cx.actor.account, &filing, &vat_return.lines)?;
        let mut view = read(tx, cx, quarter)?;
        // The sums are stored when the books are closed; the settlement entry is among those of its day.
        view.totals.entries += i64::from(Quarter::of(on) == quarter);
        Ok(view)
    })
}

/// Opens a filed quarter again: the settlement is reversed, and the period takes bookings until it is filed anew. Corrections of it that an
/// open return carries come onto its own return.
///
/// # Errors
/// It is not filed, or its year is closed.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, quarter: Quarter) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let filing = rows::versions(tx, cx.actor.account, quarter)?.into_iter().find(Filing::is_filed);
        let filing = filing.ok_or(Error::PeriodNotFiled(quarter))?;
        let settled = corrections::require_own(tx, cx.actor.account, filing.entry_id, source(quarter))?;
        let reversal = settled.entry.reversal(settled.id, settled.entry.date(), settled.entry.vat_date());
        books.append(tx, &reversal, cx.now())?;
        rows::reopen(tx, cx.actor.account, quarter, cx.now())?;
        corrections::take_home(tx, books, cx, quarter)
    })
}

/// The number of a quarter's return, by which its entries name it.
#[must_use]
pub fn id_of(quarter: Quarter) -> i64 {
    rows::id_of(quarter)
}

/// The source of a quarter's settlement.
pub(crate) fn source(quarter: Quarter) -> Source {
    Source { kind: SourceType::VatFiling, id: rows::id_of(quarter) }
}

/// What stands on each VAT account for the period's return: debit minus credit of what is tagged with a box.
fn vat_balances(totals: &[Total]) -> Vec<(AccountCode, Cents)> {
    let mut balances: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    for total in totals {
        if matches!(chart::account(total.account).role, Role::VatDue | Role::InputVat) {
            *balances.entry(total.account).or_default() += total.debit - total.credit;
        }
    }
    balances.into_iter().collect()
}

/// A quarter in words.
pub(crate) fn name(quarter: Quarter) -> String {
    format!("{} quarter {}", quarter.year(), quarter.number())
}
