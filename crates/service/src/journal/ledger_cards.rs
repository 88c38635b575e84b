//! Ledger cards and the trial balance: opening balance, movements and closing balance of accounts.

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

/// Balances and movements of an account in one year. Balances are debit minus credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountYear {
    /// The account.
    pub code: AccountCode,
    /// Opening balance of the year. Zero for revenue, cost and private accounts, whose balances
    /// from earlier years are part of 0500 (equity).
    pub opening: Cents,
    /// Sum of the year's debits.
    pub debit: Cents,
    /// Sum of the year's credits.
    pub credit: Cents,
}

impl AccountYear {
    /// Returns the closing balance of the year.
    #[must_use]
    pub fn closing(&self) -> Cents {
        self.opening + self.debit - self.credit
    }
}

/// Returns the trial balance of a year: every account with an opening balance or movements, in
/// order of code. The opening balances add up to zero, and total debits equal total credits.
///
/// # Errors
/// The storage failed.
pub fn trial_balance(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<Vec<AccountYear>, Error> {
    let before = rows::sums(tx, cx.actor.account, i16::MIN, year - 1)?;
    let within = rows::sums(tx, cx.actor.account, year, year)?;
    let mut accounts: BTreeMap<AccountCode, AccountYear> = BTreeMap::new();
    let nothing =
        |code| AccountYear { code, opening: Cents::ZERO, debit: Cents::ZERO, credit: Cents::ZERO };
    for AccountSums { code, debit, credit } in before {
        let code = if begins_at_nought(code) { codes::EQUITY } else { code };
        accounts.entry(code).or_insert_with(|| nothing(code)).opening += debit - credit;
    }
    for AccountSums { code, debit, credit } in within {
        let account = accounts.entry(code).or_insert_with(|| nothing(code));
        account.debit += debit;
        account.credit += credit;
    }
    Ok(accounts
        .into_values()
        .filter(|of| !(of.opening.is_zero() && of.debit.is_zero() && of.credit.is_zero()))
        .collect())
}

/// A page of a ledger card.
#[derive(Debug, Clone)]
pub struct LedgerCard {
    /// The account over the whole year.
    pub account: AccountYear,
    /// Balance before the first row of the page.
    pub carried: Cents,
    /// Postings of the page, each with the balance after it.
    pub rows: Vec<(CardRow, Cents)>,
    /// Cursor of the next page, if there is one.
    pub next: Option<Place>,
    /// Cursor after which the previous page begins; `None` if the previous page is the first one,
    /// or if there is no previous page.
    pub previous: Option<Place>,
}

/// Returns a page of an account's ledger card for a year: the postings after a cursor, in order of
/// day, entry and line.
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
    let existing = trial_balance(tx, cx, year)?.into_iter().find(|of| of.code == code);
    let account = existing.unwrap_or(AccountYear {
        code,
        opening: Cents::ZERO,
        debit: Cents::ZERO,
        credit: Cents::ZERO,
    });
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

/// Returns the total debits and credits of one account, or of all accounts, from one month of a
/// year to another (both inclusive).
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

/// Returns the years that have entries, newest first.
///
/// # Errors
/// The storage failed.
pub fn years(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<i16>, Error> {
    Ok(rows::years(tx, cx.actor.account)?)
}
