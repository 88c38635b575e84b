//! Ledger cards: postings of one account with the running balance, and totals of all accounts for
//! the trial balance. Balances are computed from the stored monthly totals, so the cost does not
//! depend on the number of earlier postings.

use super::{StoredEntry, WIDTH, columns, gather, read_code, read_head, read_posting, restored};
use crate::{StoreError, Tx, engine::filter::Filter, param::Param, params, tx::id_list};
use jiff::civil::{Date, date};
use ledger::{
    chart::AccountCode,
    entry::{Head, Posting, SourceType},
    money::Cents,
};

/// A posting on a ledger card.
#[derive(Debug, Clone)]
pub struct CardRow {
    /// Id of the entry that contains the posting.
    pub entry_id: i64,
    /// Line number in the entry, from 1.
    pub line: i64,
    /// Data of the entry besides its postings.
    pub head: Head,
    /// The posting.
    pub posting: Posting,
}

/// Position of a posting on a ledger card: day, entry, line.
pub type Place = (Date, i64, i64);

/// Postings on an account in a year that follow the position `after`, ordered by day, entry and
/// line.
pub fn rows(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
    year: i16,
    after: Option<Place>,
    limit: i64,
) -> Result<Vec<CardRow>, StoreError> {
    let (day, entry, line) = after.unwrap_or((date(year, 1, 1), 0, 0));
    tx.query(
        &format!(
            "SELECT {}
             FROM (SELECT x.entry_id, x.line, x.date FROM postings x
                   WHERE x.account_id = ?1 AND x.account_code = ?2 AND x.date BETWEEN ?3 AND ?4
                   AND (x.date, x.entry_id, x.line) > (?3, ?5, ?6) ORDER BY x.date, x.entry_id, x.line LIMIT ?7) k
             CROSS JOIN entries e CROSS JOIN postings p
             WHERE e.account_id = ?1 AND e.id = k.entry_id AND p.account_id = ?1 AND p.entry_id = k.entry_id AND p.line = k.line
             ORDER BY k.date, k.entry_id, k.line",
            columns()
        ),
        &params![account, i64::from(code.stored()), day, date(year, 12, 31), entry, line, limit],
        |row| Ok(CardRow { entry_id: row.int(0)?, line: row.int(WIDTH)?, head: read_head(row)?, posting: read_posting(row)? }),
    )
}

/// Positions of the postings on an account from the start of a year up to and including the given
/// position in that year, latest first.
pub fn places_until(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
    (day, entry, line): Place,
    limit: i64,
) -> Result<Vec<Place>, StoreError> {
    tx.query(
        "SELECT x.date, x.entry_id, x.line FROM postings x
         WHERE x.account_id = ?1 AND x.account_code = ?2 AND x.date BETWEEN ?3 AND ?4 AND (x.date, x.entry_id, x.line) <= (?4, ?5, ?6)
         ORDER BY x.date DESC, x.entry_id DESC, x.line DESC LIMIT ?7",
        &params![account, i64::from(code.stored()), date(day.year(), 1, 1), day, entry, line, limit],
        |row| Ok((row.date(0)?, row.int(1)?, row.int(2)?)),
    )
}

/// Debit less credit of an account on each day with postings up to `until`, ordered by day.
pub fn days(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
    until: Date,
) -> Result<Vec<(Date, Cents)>, StoreError> {
    tx.query(
        "SELECT date, CAST(SUM(debit) - SUM(credit) AS BIGINT) FROM postings
         WHERE account_id = ?1 AND account_code = ?2 AND date <= ?3 GROUP BY date ORDER BY date",
        &params![account, i64::from(code.stored()), until],
        |row| Ok((row.date(0)?, Cents::new(row.int(1)?))),
    )
}

/// Debit less credit of an account over all entries.
pub fn balance(tx: &mut Tx<'_>, account: i64, code: AccountCode) -> Result<Cents, StoreError> {
    tx.query_one(
        "SELECT CAST(COALESCE(SUM(debit - credit), 0) AS BIGINT) FROM period_totals
         WHERE account_id = ?1 AND account_code = ?2",
        &params![account, i64::from(code.stored())],
        |row| Ok(Cents::new(row.int(0)?)),
    )
}

/// Entry with its sum on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryOnAccount {
    /// Entry.
    pub entry_id: i64,
    /// Date.
    pub date: Date,
    /// Credit less debit on the account.
    pub amount: Cents,
}

/// Entries in force on an account, latest first: those that neither reverse another entry nor are
/// reversed.
pub fn in_force(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
    limit: i64,
) -> Result<Vec<EntryOnAccount>, StoreError> {
    tx.query(
        "SELECT p.entry_id, p.date, CAST(SUM(p.credit - p.debit) AS BIGINT) FROM postings p
         JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id
         WHERE p.account_id = ?1 AND p.account_code = ?2 AND e.reverses_entry_id IS NULL
         AND NOT EXISTS (SELECT 1 FROM entries r WHERE r.account_id = ?1 AND r.reverses_entry_id = p.entry_id)
         GROUP BY p.entry_id, p.date HAVING SUM(p.credit - p.debit) <> 0
         ORDER BY p.date DESC, p.entry_id DESC LIMIT ?3",
        &params![account, i64::from(code.stored()), limit],
        |row| {
            let (entry_id, date, amount) = (row.int(0)?, row.date(1)?, Cents::new(row.int(2)?));
            Ok(EntryOnAccount { entry_id, date, amount })
        },
    )
}

/// Total debit and credit in a range of months of one year, on one account or on all accounts.
pub fn moved_in(
    tx: &mut Tx<'_>,
    account: i64,
    code: Option<AccountCode>,
    year: i16,
    (first, last): (i8, i8),
) -> Result<(Cents, Cents), StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("year =", i64::from(year));
    wanted.with("month >=", i64::from(first));
    wanted.with("month <=", i64::from(last));
    wanted.given("account_code =", code.map(|code| i64::from(code.stored())));
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(debit), 0) AS BIGINT), CAST(COALESCE(SUM(credit), 0) AS BIGINT) FROM period_totals WHERE {wanted}"
    );
    tx.query_one(&sql, wanted.values(), |row| {
        Ok((Cents::new(row.int(0)?), Cents::new(row.int(1)?)))
    })
}

/// Total debit and credit on an account from the start of a year up to and including the given
/// posting in that year.
pub fn moved_until(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
    until: Place,
) -> Result<(Cents, Cents), StoreError> {
    let (day, entry, line) = until;
    let (year, month) = (i64::from(day.year()), i64::from(day.month()));
    let code = i64::from(code.stored());
    let read = |row: &crate::row::Row<'_>| Ok((Cents::new(row.int(0)?), Cents::new(row.int(1)?)));
    let months = tx.query_one(
        "SELECT CAST(COALESCE(SUM(debit), 0) AS BIGINT), CAST(COALESCE(SUM(credit), 0) AS BIGINT) FROM period_totals
         WHERE account_id = ?1 AND year = ?2 AND month < ?3 AND account_code = ?4",
        &params![account, year, month, code],
        read,
    )?;
    let days = tx.query_one(
        "SELECT CAST(COALESCE(SUM(x.debit), 0) AS BIGINT), CAST(COALESCE(SUM(x.credit), 0) AS BIGINT) FROM postings x
         WHERE x.account_id = ?1 AND x.account_code = ?2 AND x.date BETWEEN ?3 AND ?4 AND (x.date, x.entry_id, x.line) <= (?4, ?5, ?6)",
        &params![account, code, day.first_of_month(), day, entry, line],
        read,
    )?;
    Ok((months.0 + days.0, months.1 + days.1))
}

/// Total debit and credit on an account over a range of years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountSums {
    /// The account.
    pub code: AccountCode,
    /// Total debit.
    pub debit: Cents,
    /// Total credit.
    pub credit: Cents,
}

/// Totals for each account over a range of years (inclusive), ordered by account code.
pub fn sums(
    tx: &mut Tx<'_>,
    account: i64,
    from: i16,
    to: i16,
) -> Result<Vec<AccountSums>, StoreError> {
    tx.query(
        "SELECT account_code, CAST(SUM(debit) AS BIGINT), CAST(SUM(credit) AS BIGINT) FROM period_totals
         WHERE account_id = ?1 AND year BETWEEN ?2 AND ?3 GROUP BY account_code ORDER BY account_code % 10000",
        &params![account, i64::from(from), i64::from(to)],
        |row| Ok(AccountSums { code: read_code(row, 0)?, debit: Cents::new(row.int(1)?), credit: Cents::new(row.int(2)?) }),
    )
}

/// Years with entries, newest first.
pub fn years(tx: &mut Tx<'_>, account: i64) -> Result<Vec<i16>, StoreError> {
    tx.query(
        "SELECT DISTINCT year FROM document_totals WHERE account_id = ?1 AND entries > 0 ORDER BY year DESC",
        &params![account],
        |row| row.narrow(0),
    )
}

/// Entries of the given documents, all of one kind: pairs of document id and entry, ordered by
/// document, oldest entry first.
pub fn entries_of(
    tx: &mut Tx<'_>,
    account: i64,
    kind: SourceType,
    documents: &[i64],
) -> Result<Vec<(i64, StoredEntry)>, StoreError> {
    let (places, ids) = id_list(documents, 3);
    let mut values: Vec<Param<'_>> = params![account, kind.as_str()].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT {} FROM entries e JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id
         WHERE e.account_id = ?1 AND e.source_type = ?2 AND e.source_id IN ({places}) ORDER BY e.source_id, e.id, p.line",
        columns()
    );
    let entries = restored(gather(tx, &sql, &values)?.0)?;
    Ok(entries.into_iter().map(|stored| (stored.entry.source().id, stored)).collect())
}
