//! Allocations of booked bank lines, and their links to journal entries.

use crate::{
    StoreError, Tx,
    engine::{
        checksum,
        record::{self, Record, columns_by_name, record},
    },
    param::Param,
    params,
    tx::id_list,
};
use jiff::civil::Date;
use ledger::{bank_line::AllocationKind, chart::AccountCode, money::Cents};
use std::collections::BTreeMap;

/// Part of the amount of a booked line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAllocation {
    /// Bank line.
    pub line_id: i64,
    /// Position in the line, from 1.
    pub line: i64,
    /// Kind.
    pub kind: AllocationKind,
    /// Amount in the direction of the line; negative against it.
    pub amount: Cents,
    /// Invoice or expense of the booking, or the other bank account of a transfer.
    pub parent_id: Option<i64>,
    /// Payment, event, payout or entry.
    pub target_id: Option<i64>,
    /// Journal entries, in order.
    pub entry_ids: Vec<i64>,
    /// Booking that other lines can repeat: its kind and fields, separated by tabs.
    pub template: Option<String>,
}

/// Ids of entries, separated by blanks.
mod ids {
    use super::{Param, StoreError, record};

    pub(super) fn take(row: &crate::row::Row<'_>, at: &mut usize) -> Result<Vec<i64>, StoreError> {
        row.parsed(record::next(at), |text| {
            let ids = text.split(' ').map(|id| id.parse().ok()).collect::<Option<Vec<i64>>>()?;
            (words(&ids) == text).then_some(ids)
        })
    }

    pub(super) fn put(ids: &[i64], values: &mut Vec<Param<'_>>) {
        values.push(words(ids).into());
    }

    fn words(ids: &[i64]) -> String {
        ids.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
    }
}

columns_by_name!(AllocationKind);
record! {
    "bank_allocations": BankAllocation {
        "line_id": line_id,
        "line": line,
        "kind": kind,
        "amount": amount,
        "parent_id": parent_id,
        "target_id": target_id,
        "entry_ids": entry_ids with ids,
        "template": template,
    }
}

/// Stores the allocations of a line, and their links to entries.
///
/// # Errors
/// The storage failed, or an entry is linked to the line twice.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    allocations: &[BankAllocation],
) -> Result<(), StoreError> {
    let mut values = Vec::new();
    let mut links = Vec::new();
    for allocation in allocations {
        let own = allocation.own_values();
        let checksum = checksum::of(&own);
        values.push(Param::Int(account));
        values.extend(own);
        values.push(Param::Bytes(checksum.to_vec().into()));
        for entry in &allocation.entry_ids {
            links.extend([account, *entry, allocation.line_id].map(Param::Int));
        }
    }
    let columns = format!("{}, checksum", BankAllocation::COLUMNS);
    record::insert(tx, "bank_allocations", &columns, &values)?;
    tx.insert_rows("INSERT INTO bank_line_entries (account_id, entry_id, line_id)", 3, &links, "")
}

/// Adds entries to the allocation of a line that has an entry, and links them to the line.
///
/// # Errors
/// The storage failed.
pub fn add_entries(
    tx: &mut Tx<'_>,
    account: i64,
    (line, entry): (i64, i64),
    added: &[i64],
) -> Result<(), StoreError> {
    let mut allocations = of_line(tx, account, line)?;
    for allocation in &mut allocations {
        if allocation.entry_ids.contains(&entry) {
            allocation.entry_ids.extend(added);
        }
    }
    remove(tx, account, line)?;
    insert(tx, account, &allocations)
}

/// Removes the allocations of a line, and their links.
///
/// # Errors
/// The storage failed.
pub fn remove(tx: &mut Tx<'_>, account: i64, line: i64) -> Result<(), StoreError> {
    for table in ["bank_allocations", "bank_line_entries"] {
        let sql = format!("DELETE FROM {table} WHERE account_id = ?1 AND line_id = ?2");
        tx.execute(&sql, &params![account, line])?;
    }
    Ok(())
}

/// Allocations of a line, in order.
///
/// # Errors
/// The storage failed.
pub fn of_line(
    tx: &mut Tx<'_>,
    account: i64,
    line: i64,
) -> Result<Vec<BankAllocation>, StoreError> {
    Ok(of_lines(tx, account, &[line])?.remove(&line).unwrap_or_default())
}

/// Allocations of each of these lines, in order.
///
/// # Errors
/// The storage failed.
pub fn of_lines(
    tx: &mut Tx<'_>,
    account: i64,
    lines: &[i64],
) -> Result<BTreeMap<i64, Vec<BankAllocation>>, StoreError> {
    let mut allocations: BTreeMap<i64, Vec<BankAllocation>> = BTreeMap::new();
    for chunk in lines.chunks(1_000) {
        let mut wanted = crate::engine::filter::Filter::of(account);
        wanted.one_of("line_id", chunk);
        let rows: Vec<BankAllocation> =
            crate::engine::table::first(tx, wanted, "line_id, line", i64::MAX)?;
        for row in rows {
            allocations.entry(row.line_id).or_default().push(row);
        }
    }
    Ok(allocations)
}

/// Ids of the lines that an entry belongs to, in order.
///
/// # Errors
/// The storage failed.
pub fn lines_of_entry(tx: &mut Tx<'_>, account: i64, entry: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT line_id FROM bank_line_entries WHERE account_id = ?1 AND entry_id = ?2 ORDER BY line_id";
    tx.query(sql, &params![account, entry], |row| row.int(0))
}

/// Line of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkedLine {
    /// Entry.
    pub entry_id: i64,
    /// Line.
    pub line_id: i64,
    /// Bank account of the line.
    pub bank_account_id: i64,
}

/// Lines of each of these entries, ordered by entry and line.
///
/// # Errors
/// The storage failed.
pub fn lines_of_entries(
    tx: &mut Tx<'_>,
    account: i64,
    entries: &[i64],
) -> Result<Vec<LinkedLine>, StoreError> {
    let mut lines = Vec::new();
    for chunk in entries.chunks(1_000) {
        let (places, ids) = id_list(chunk, 2);
        let mut values = vec![Param::Int(account)];
        values.extend(ids.into_iter().map(Param::Int));
        let sql = format!(
            "SELECT l.entry_id, l.line_id, b.bank_account_id FROM bank_line_entries l
             JOIN bank_lines b ON b.account_id = ?1 AND b.id = l.line_id
             WHERE l.account_id = ?1 AND l.entry_id IN ({places}) ORDER BY l.entry_id, l.line_id"
        );
        lines.extend(tx.query(&sql, &values, |row| {
            let (entry_id, line_id, bank_account_id) = (row.int(0)?, row.int(1)?, row.int(2)?);
            Ok(LinkedLine { entry_id, line_id, bank_account_id })
        })?);
    }
    Ok(lines)
}

/// Transfers of those of these entries that belong to one.
///
/// # Errors
/// The storage failed.
pub fn transfers_of_entries(
    tx: &mut Tx<'_>,
    account: i64,
    entries: &[i64],
) -> Result<BTreeMap<i64, i64>, StoreError> {
    let mut transfers = BTreeMap::new();
    for chunk in entries.chunks(1_000) {
        let (places, ids) = id_list(chunk, 2);
        let mut values = vec![Param::Int(account)];
        values.extend(ids.into_iter().map(Param::Int));
        let sql = format!(
            "SELECT id, source_id FROM entries
             WHERE account_id = ?1 AND source_type = 'transfer' AND id IN ({places}) ORDER BY id"
        );
        transfers.extend(tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))?);
    }
    Ok(transfers)
}

/// Those of these entries with a posting on a revenue account.
///
/// # Errors
/// The storage failed.
pub fn with_revenue(
    tx: &mut Tx<'_>,
    account: i64,
    entries: &[i64],
) -> Result<Vec<i64>, StoreError> {
    let mut found = Vec::new();
    for chunk in entries.chunks(1_000) {
        let (places, ids) = id_list(chunk, 2);
        let mut values = vec![Param::Int(account)];
        values.extend(ids.into_iter().map(Param::Int));
        let sql = format!(
            "SELECT DISTINCT entry_id FROM postings
             WHERE account_id = ?1 AND entry_id IN ({places})
             AND account_code % 10000 BETWEEN 8000 AND 8999 ORDER BY entry_id"
        );
        found.extend(tx.query(&sql, &values, |row| row.int(0))?);
    }
    Ok(found)
}

/// Entry that moves money on a bank account and belongs to no line of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnlinkedEntry {
    /// Entry.
    pub entry_id: i64,
    /// Date.
    pub date: Date,
    /// Amount; negative if money goes out.
    pub amount: Cents,
}

/// Entries in force from one day to another that move money on a bank account and belong to no line
/// of it, ordered by date and id. The opening balance is not money that moved.
///
/// # Errors
/// The storage failed.
pub fn unlinked(
    tx: &mut Tx<'_>,
    account: i64,
    (bank_account, code): (i64, AccountCode),
    (from, to): (Date, Date),
) -> Result<Vec<UnlinkedEntry>, StoreError> {
    let sql = "SELECT p.entry_id, p.date, CAST(SUM(p.debit - p.credit) AS BIGINT) FROM postings p
               JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id
               WHERE p.account_id = ?1 AND p.account_code = ?3 AND p.date BETWEEN ?4 AND ?5
               AND e.source_type <> 'openingBalance' AND e.reverses_entry_id IS NULL
               AND NOT EXISTS (SELECT 1 FROM entries r
                   WHERE r.account_id = ?1 AND r.reverses_entry_id = p.entry_id)
               AND NOT EXISTS (SELECT 1 FROM bank_line_entries l
                   JOIN bank_lines b ON b.account_id = ?1 AND b.id = l.line_id
                   WHERE l.account_id = ?1 AND l.entry_id = p.entry_id AND b.bank_account_id = ?2)
               GROUP BY p.entry_id, p.date HAVING SUM(p.debit - p.credit) <> 0
               ORDER BY p.date, p.entry_id";
    let values = params![account, bank_account, i64::from(code.stored()), from, to];
    tx.query(sql, &values, |row| {
        let (entry_id, date, amount) = (row.int(0)?, row.date(1)?, Cents::new(row.int(2)?));
        Ok(UnlinkedEntry { entry_id, date, amount })
    })
}

/// Entry that moves money on a bank account on another day than its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryOfOtherDay {
    /// Entry, with its own date.
    pub entry: UnlinkedEntry,
    /// Line.
    pub line_id: i64,
    /// Date of the line.
    pub line_date: Date,
}

/// Entries on a bank account whose line is of another day, where the days between reach into the
/// period; ordered by date and id. Only lines from `lines.0` to `lines.1` are searched.
///
/// # Errors
/// The storage failed.
pub fn of_other_days(
    tx: &mut Tx<'_>,
    account: i64,
    (bank_account, code): (i64, AccountCode),
    (from, to): (Date, Date),
    lines: (Date, Date),
) -> Result<Vec<EntryOfOtherDay>, StoreError> {
    let sql = "SELECT p.entry_id, p.date, CAST(SUM(p.debit - p.credit) AS BIGINT), b.id, b.date
               FROM bank_lines b
               JOIN bank_line_entries l ON l.account_id = ?1 AND l.line_id = b.id
               JOIN postings p ON p.account_id = ?1 AND p.entry_id = l.entry_id
               WHERE b.account_id = ?1 AND b.bank_account_id = ?2 AND b.date BETWEEN ?6 AND ?7
               AND p.account_code = ?3 AND p.date <> b.date
               AND ((p.date <= ?5 AND b.date > ?4) OR (b.date <= ?5 AND p.date > ?4))
               GROUP BY p.entry_id, p.date, b.id, b.date HAVING SUM(p.debit - p.credit) <> 0
               ORDER BY p.date, p.entry_id";
    let values =
        params![account, bank_account, i64::from(code.stored()), from, to, lines.0, lines.1];
    tx.query(sql, &values, |row| {
        let (entry_id, date, amount) = (row.int(0)?, row.date(1)?, Cents::new(row.int(2)?));
        let entry = UnlinkedEntry { entry_id, date, amount };
        Ok(EntryOfOtherDay { entry, line_id: row.int(3)?, line_date: row.date(4)? })
    })
}

/// Balance of an account over the entries of each transfer, where it is not zero. Used by the
/// verification of the books.
///
/// # Errors
/// The storage failed.
pub fn in_transit(
    tx: &mut Tx<'_>,
    account: i64,
    code: AccountCode,
) -> Result<BTreeMap<i64, Cents>, StoreError> {
    let sql = "SELECT e.source_id, CAST(SUM(p.debit - p.credit) AS BIGINT) FROM postings p
               JOIN entries e ON e.account_id = ?1 AND e.id = p.entry_id
               WHERE p.account_id = ?1 AND p.account_code = ?2 AND e.source_type = 'transfer'
               GROUP BY e.source_id HAVING SUM(p.debit - p.credit) <> 0";
    let sums = tx.query(sql, &params![account, i64::from(code.stored())], |row| {
        Ok((row.int(0)?, Cents::new(row.int(1)?)))
    })?;
    Ok(sums.into_iter().collect())
}

/// Whether an entry belongs to a line of a bank account.
///
/// # Errors
/// The storage failed.
pub fn is_linked(
    tx: &mut Tx<'_>,
    account: i64,
    entry: i64,
    bank_account: i64,
) -> Result<bool, StoreError> {
    let sql = "SELECT l.line_id FROM bank_line_entries l
               JOIN bank_lines b ON b.account_id = ?1 AND b.id = l.line_id
               WHERE l.account_id = ?1 AND l.entry_id = ?2 AND b.bank_account_id = ?3";
    Ok(tx.query_opt(sql, &params![account, entry, bank_account], |row| row.int(0))?.is_some())
}

/// Whether a later entry reverses an entry.
///
/// # Errors
/// The storage failed.
pub fn is_reversed(tx: &mut Tx<'_>, account: i64, entry: i64) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM entries WHERE account_id = ?1 AND reverses_entry_id = ?2";
    Ok(tx.query_opt(sql, &params![account, entry], |row| row.int(0))?.is_some())
}

/// Sum of the postings of a line's entries on the ledger account of its bank account.
///
/// # Errors
/// The storage failed.
pub fn moved(
    tx: &mut Tx<'_>,
    account: i64,
    line: i64,
    code: AccountCode,
) -> Result<Cents, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(p.debit - p.credit), 0) AS BIGINT) FROM bank_line_entries l
               JOIN postings p ON p.account_id = ?1 AND p.entry_id = l.entry_id
               WHERE l.account_id = ?1 AND l.line_id = ?2 AND p.account_code = ?3";
    tx.query_one(sql, &params![account, line, i64::from(code.stored())], |row| {
        Ok(Cents::new(row.int(0)?))
    })
}

/// Sums as of [`moved`], of all lines of a bank account. Used by the verification of the books.
///
/// # Errors
/// The storage failed.
pub fn moved_by_line(
    tx: &mut Tx<'_>,
    account: i64,
    (bank_account, code): (i64, AccountCode),
) -> Result<BTreeMap<i64, Cents>, StoreError> {
    let sql = "SELECT l.line_id, CAST(SUM(p.debit - p.credit) AS BIGINT) FROM bank_line_entries l
               JOIN bank_lines b ON b.account_id = ?1 AND b.id = l.line_id
               JOIN postings p ON p.account_id = ?1 AND p.entry_id = l.entry_id
               WHERE l.account_id = ?1 AND b.bank_account_id = ?2 AND p.account_code = ?3
               GROUP BY l.line_id";
    let values = params![account, bank_account, i64::from(code.stored())];
    let sums = tx.query(sql, &values, |row| Ok((row.int(0)?, Cents::new(row.int(1)?))))?;
    Ok(sums.into_iter().collect())
}

/// All allocations, and whether each still has its checksum; and all links as entry and line. Used by
/// the verification of the books.
///
/// # Errors
/// The storage failed.
#[expect(clippy::type_complexity, reason = "two lists, taken apart at once")]
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<(Vec<(BankAllocation, bool)>, Vec<(i64, i64)>), StoreError> {
    let sql = format!(
        "SELECT {}, checksum FROM bank_allocations WHERE account_id = ?1 ORDER BY line_id, line",
        BankAllocation::COLUMNS
    );
    let allocations = tx.query(&sql, &params![account], |row| {
        let (allocation, checksum): (BankAllocation, [u8; 32]) = record::read(row)?;
        let is_intact = checksum::of(&allocation.own_values()) == checksum;
        Ok((allocation, is_intact))
    })?;
    let sql = "SELECT entry_id, line_id FROM bank_line_entries WHERE account_id = ?1 ORDER BY entry_id, line_id";
    let links = tx.query(sql, &params![account], |row| Ok((row.int(0)?, row.int(1)?)))?;
    Ok((allocations, links))
}
