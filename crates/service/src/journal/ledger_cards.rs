//! Ledger cards and the trial balance: what stood on an account, what moved on it, and what stands on it now.

use crate::{Context, Error};
use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, codes},
    entry::Posting,
    money::Cents,
    summary::begins_at_nought,
};
use std::collections::BTreeMap;
use store::{
    Page, Tx,
    ledger_cards::{self as rows, AccountSums, CardRow, Place},
};

/// An account over a year. Balances are debit minus credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountYear {
    /// The account.
    pub code: AccountCode,
    /// What stood on it when the year began. Revenue, costs and private accounts begin at nought: what stood on them is part of 0500.
    pub opening: Cents,
    /// The sum of the year's debits.
    pub debit: Cents,
    /// The sum of the year's credits.
    pub credit: Cents,
}

impl AccountYear {
    /// What stands on it when the year ends.
    #[must_use]
    pub fn closing(&self) -> Cents {
        self.opening + self.debit - self.credit
    }
}

/// Every account that something stands on or moved on, in the order of the codes. Openings, and debits less credits, add up to nought.
///
/// # Errors
/// The storage failed.
pub fn trial_balance(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<Vec<AccountYear>, Error> {
    let before = rows::sums(tx, cx.actor.account, i16::MIN, year - 1)?;
    let within = rows::sums(tx, cx.actor.account, year, year)?;
    let mut accounts: BTreeMap<AccountCode, AccountYear> = BTreeMap::new();
    let nothing = |code| AccountYear { code, opening: Cents::ZERO, debit: Cents::ZERO, credit: Cents::ZERO };
    for AccountSums { code, debit, credit } in before {
        let code = if begins_at_nought(code) { codes::EQUITY } else { code };
        accounts.entry(code).or_insert_with(|| nothing(code)).opening += debit - credit;
    }
    for AccountSums { code, debit, credit } in within {
        let account = accounts.entry(code).or_insert_with(|| nothing(code));
        account.debit += debit;
        account.credit += credit;
    }
    Ok(accounts.into_values().filter(|of| !(of.opening.is_zero() && of.debit.is_zero() && of.credit.is_zero())).collect())
}

/// A page of a ledger card.
#[derive(Debug, Clone)]
pub struct LedgerCard {
    /// The account over the whole year.
    pub account: AccountYear,
    /// What stands on the account before the first row of the page.
    pub carried: Cents,
    /// The postings of the page, each with what stands on the account after it.
    pub rows: Vec<(CardRow, Cents)>,
    /// Where the next page goes on, if there is one.
    pub next: Option<Place>,
    /// After which place the page before this one begins: nothing where that is the first page, or where this is.
    pub previous: Option<Place>,
}

/// A page of the ledger card of an account in a year: the postings after a place, by day, entry and line.
///
/// # Errors
/// The storage failed.
pub fn card(
    tx: &mut Tx<'_>,
    cx: &Context,
    code: AccountCode,
    year: i16,
    after: Option<Place>,
    limit: i64,
) -> Result<LedgerCard, Error> {
    let found = trial_balance(tx, cx, year)?.into_iter().find(|of| of.code == code);
    let account = found.unwrap_or(AccountYear { code, opening: Cents::ZERO, debit: Cents::ZERO, credit: Cents::ZERO });
    let after = after.filter(|(day, ..)| day.year() == year);
    let carried = match after {
        None => account.opening,
        Some(place) => {
            let (debit, credit) = rows::moved_until(tx, cx.actor.account, code, place)?;
            account.opening + debit - credit
        }
    };
    let page = Page::of(rows::rows(tx, cx.actor.account, code, year, after, limit + 1)?, limit);
    let mut balance = carried;
    let with_balance = |row: CardRow| {
        balance += moved(&row.posting);
        (row, balance)
    };
    let rows: Vec<(CardRow, Cents)> = page.rows.into_iter().map(with_balance).collect();
    let next = rows.last().filter(|_| page.more).map(|(row, _)| place(row));
    let before = match after {
        Some(place) => rows::places_until(tx, cx.actor.account, code, place, limit + 1)?,
        None => Vec::new(),
    };
    let previous = usize::try_from(limit).ok().and_then(|limit| before.get(limit)).copied();
    Ok(LedgerCard { account, carried, rows, next, previous })
}

fn moved(posting: &Posting) -> Cents {
    posting.debited() - posting.credited()
}

fn place(row: &CardRow) -> (Date, i64, i64) {
    (row.head.date, row.entry_id, row.line)
}

/// What was debited and credited from one month of a year to another, on an account or on all of them.
///
/// # Errors
/// The storage failed.
pub fn moved_in(
    tx: &mut Tx<'_>,
    cx: &Context,
    code: Option<AccountCode>,
    year: i16,
    months: (i8, i8),
) -> Result<(Cents, Cents), Error> {
    Ok(rows::moved_in(tx, cx.actor.account, code, year, months)?)
}

/// The years that have something booked in them, newest first.
///
/// # Errors
/// The storage failed.
pub fn years(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<i16>, Error> {
    Ok(rows::years(tx, cx.actor.account)?)
}
