//! VAT filings: the return of a quarter, open or filed.

use crate::{Actor, Error};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking,
    calendar::{self, Quarter},
    chart::{self, AccountCode, Role},
    entry::{Source, SourceType},
    money::Cents,
    vat_return::{self, Total, VatReturn},
};
use std::collections::BTreeMap;
use store::{
    Tx,
    books::{self, QuarterTotals},
    filings::{self as rows, Filing},
    journal::{self, BoxPosting},
};

/// The return of a quarter as the books stand now, and as it was filed.
#[derive(Debug, Clone)]
pub struct FilingView {
    /// The period.
    pub quarter: Quarter,
    /// What the postings say now; of a filed quarter, what they said when it was filed.
    pub vat_return: VatReturn,
    /// The filing, if there ever was one.
    pub filing: Option<Filing>,
    /// Counts of the quarter.
    pub totals: QuarterTotals,
}

/// Refuses a booking in a quarter whose return is filed.
pub(crate) fn require_open(tx: &mut Tx<'_>, account: i64, date: Date) -> Result<(), Error> {
    let quarter = Quarter::of(date);
    if rows::is_filed(tx, account, quarter)? { Err(Error::PeriodFiled(quarter)) } else { Ok(()) }
}

/// The return of a quarter.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, quarter: Quarter) -> Result<FilingView, Error> {
    let totals = quarter_totals(tx, actor.account, quarter)?;
    let filing = rows::by_quarter(tx, actor.account, quarter)?;
    let counts = books::quarter_totals(tx, actor.account, quarter.year())?;
    let totals_of = counts.into_iter().find(|(number, _)| *number == quarter.number()).map(|(_, sums)| sums);
    Ok(FilingView { quarter, vat_return: vat_return::vat_return(totals), filing, totals: totals_of.unwrap_or_default() })
}

/// Which postings stand behind a box: by date, entry and line, from `after` on. None when the return has no such box.
///
/// # Errors
/// The storage failed.
pub fn behind(
    tx: &mut Tx<'_>,
    actor: &Actor,
    quarter: Quarter,
    line: &str,
    after: Option<(Date, i64, i64)>,
    limit: i64,
) -> Result<Option<Vec<BoxPosting>>, Error> {
    let Some(boxes) = vat_return::boxes_behind(line) else { return Ok(None) };
    let after = after.unwrap_or((quarter.first_day(), 0, 0));
    Ok(Some(journal::behind_boxes(tx, actor.account, quarter, &boxes, after, limit)?))
}

/// Files the return of a quarter that is over: the period takes no more bookings, and what is due moves to the settlement account.
///
/// # Errors
/// It is filed already, or the quarter is not over.
pub fn file(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, quarter: Quarter) -> Result<FilingView, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        if rows::is_filed(tx, actor.account, quarter)? {
            return Err(Error::PeriodFiled(quarter));
        }
        if calendar::amsterdam_today(now) <= quarter.last_day() {
            return Err(Error::PeriodNotOver(quarter));
        }
        let totals = quarter_totals(tx, actor.account, quarter)?;
        let vat_return = vat_return::vat_return(totals.iter().cloned());
        let entry = booking::vat_settlement(source(quarter), quarter, &vat_return, &vat_balances(&totals));
        let entry_id = books.append(tx, &entry, now)?;
        let filing = Filing {
            quarter,
            filed: true,
            filed_at: now,
            entry_id,
            payable: vat_return.payable,
            declared_payable: vat_return.declared_payable,
        };
        rows::file(tx, actor.account, &filing, &vat_return.lines)?;
        let mut view = read(tx, actor, quarter)?;
        // The sums are stored when the books are closed; the settlement entry is among them.
        view.totals.entries += 1;
        Ok(view)
    })
}

/// Opens a filed quarter again: the settlement is reversed, and the period takes bookings until it is filed anew.
///
/// # Errors
/// It is not filed.
pub fn reopen(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, quarter: Quarter) -> Result<(), Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        let filing = rows::by_quarter(tx, actor.account, quarter)?.filter(|filing| filing.filed);
        let filing = filing.ok_or(Error::PeriodNotFiled(quarter))?;
        let settled = journal::by_id(tx, actor.account, filing.entry_id)?
            .ok_or_else(|| Error::Broken("the settlement entry of a filing is lost".into()))?;
        let description = format!("Reopened: {}", settled.entry.description());
        let reversal = settled.entry.reversal(settled.id, settled.entry.date(), description);
        books.append(tx, &reversal, now)?;
        Ok(rows::reopen(tx, actor.account, quarter)?)
    })
}

/// The source of a quarter's settlement.
pub(crate) fn source(quarter: Quarter) -> Source {
    // The year and the quarter, readable: 20261 is the first quarter of 2026.
    Source { kind: SourceType::VatFiling, id: i64::from(quarter.year()) * 10 + i64::from(quarter.number()) }
}

/// The sums of a quarter per account and box.
pub(crate) fn quarter_totals(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<Vec<Total>, Error> {
    let months = journal::quarter_month_totals(tx, account, quarter.year(), quarter.months())?;
    Ok(months.into_iter().map(|month| month.total).collect())
}

/// What stands on each VAT account for the period's return: debit minus credit of what is tagged with a box.
fn vat_balances(totals: &[Total]) -> Vec<(AccountCode, Cents)> {
    let mut balances: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    for total in totals.iter().filter(|total| total.vat_box.is_some()) {
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
