//! Receipts: files by their hash, and the expenses that they belong to.

use crate::{
    Page, StoreError, Tx, Updated,
    engine::{
        filter::Filter,
        record::{self, Record, record},
    },
    invoices::Origin,
    param::Param,
    params,
    tx::id_list,
};
use jiff::Timestamp;
use ledger::description::ReceiptHash;

/// A receipt as it is stored, without its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Unique inside the account.
    pub id: i64,
    /// The SHA-256 of its file.
    pub sha256: ReceiptHash,
    /// The name that the file came with.
    pub name: Option<String>,
    /// What its bytes are: `image/jpeg`, `image/png`, `image/webp` or `application/pdf`.
    pub media_type: String,
    /// How many bytes it has.
    pub size: i64,
    /// Whether a journal entry has its hash: such a file is never deleted.
    pub is_booked: bool,
    /// Where it was handed in.
    pub source: Origin,
    /// When it was handed in.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The expenses that it belongs to.
    pub expense_ids: Vec<i64>,
}

record! {
    Receipt {
        "id": id,
        "sha256": sha256,
        "name": name,
        "media_type": media_type,
        "size": size,
        "is_booked": is_booked,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
        .. expense_ids
    }
}

/// Stores a new receipt with its file and, of a picture, a small one.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    receipt: &Receipt,
    bytes: &[u8],
    thumbnail: Option<&[u8]>,
) -> Result<(), StoreError> {
    record::insert(tx, "receipts", Receipt::COLUMNS, &receipt.values(account))?;
    tx.execute(
        "INSERT INTO receipt_files (account_id, receipt_id, bytes, thumbnail) VALUES (?1, ?2, ?3, ?4)",
        &params![account, receipt.id, bytes, thumbnail],
    )
}

fn with_expenses(tx: &mut Tx<'_>, account: i64, receipt: Option<Receipt>) -> Result<Option<Receipt>, StoreError> {
    let Some(mut receipt) = receipt else { return Ok(None) };
    receipt.expense_ids = tx.query(
        "SELECT expense_id FROM expense_receipts WHERE account_id = ?1 AND receipt_id = ?2 ORDER BY expense_id",
        &params![account, receipt.id],
        |row| row.int(0),
    )?;
    Ok(Some(receipt))
}

/// The receipt with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Receipt>, StoreError> {
    let sql = format!("SELECT {} FROM receipts WHERE account_id = ?1 AND id = ?2", Receipt::COLUMNS);
    let found = tx.query_opt(&sql, &params![account, id], Receipt::read)?;
    with_expenses(tx, account, found)
}

/// The receipt whose file has that hash.
pub fn by_hash(tx: &mut Tx<'_>, account: i64, sha256: &ReceiptHash) -> Result<Option<Receipt>, StoreError> {
    let sql = format!("SELECT {} FROM receipts WHERE account_id = ?1 AND sha256 = ?2", Receipt::COLUMNS);
    let found = tx.query_opt(&sql, &params![account, sha256], Receipt::read)?;
    with_expenses(tx, account, found)
}

/// Bytes of all receipts of the account, without the small pictures.
pub fn bytes_in_all(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM receipts WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

const LINKED: &str = "EXISTS (SELECT 1 FROM expense_receipts l WHERE l.account_id = ?1 AND l.receipt_id = receipts.id)";

/// Which receipts a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceiptFilter {
    /// Only those of an expense, or only others.
    pub used: Option<bool>,
    /// What the name of the file must hold, in upper or lower case.
    pub text: Option<String>,
}

impl ReceiptFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.either(self.used, LINKED, &format!("NOT {LINKED}"));
        if let Some(text) = &self.text {
            filter.holds(&["lower(COALESCE(name, ''))"], text, None);
        }
        filter
    }
}

/// What a list of receipts is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptColumn {
    /// The order in which they were handed in.
    Made,
    /// The name of the file.
    Name,
}

/// A part of the receipts: what they are ordered by, whether downwards, how many come before, and how many there are at the most.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ReceiptFilter,
    (column, down): (ReceiptColumn, bool),
    (offset, limit): (i64, i64),
) -> Result<Vec<Receipt>, StoreError> {
    let mut wanted = filter.of(account);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        ReceiptColumn::Made => String::new(),
        ReceiptColumn::Name => format!("lower(COALESCE(name, '')) {direction}, "),
    };
    let (limit, offset) = (wanted.bind(limit), wanted.bind(offset));
    let columns = Receipt::COLUMNS;
    let sql =
        format!("SELECT {columns} FROM receipts WHERE {wanted} ORDER BY {order}id {direction} LIMIT {limit} OFFSET {offset}");
    let mut found = tx.query(&sql, wanted.values(), Receipt::read)?;
    let ids: Vec<i64> = found.iter().map(|receipt| receipt.id).collect();
    let (places, ids) = id_list(&ids, 2);
    let values: Vec<Param<'_>> = params![account].iter().cloned().chain(ids.into_iter().map(Param::Int)).collect();
    let sql = format!(
        "SELECT receipt_id, expense_id FROM expense_receipts WHERE account_id = ?1 AND receipt_id IN ({places})
         ORDER BY receipt_id, expense_id"
    );
    for (id, expense) in tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))? {
        if let Some(receipt) = found.iter_mut().find(|receipt| receipt.id == id) {
            receipt.expense_ids.push(expense);
        }
    }
    Ok(found)
}

/// How many receipts a filter lets through.
pub fn count_of(tx: &mut Tx<'_>, account: i64, filter: &ReceiptFilter) -> Result<i64, StoreError> {
    let wanted = filter.of(account);
    tx.query_one(&format!("SELECT COUNT(*) FROM receipts WHERE {wanted}"), wanted.values(), |row| row.int(0))
}

/// How many receipts there are.
pub fn count(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    tx.query_one("SELECT COUNT(*) FROM receipts WHERE account_id = ?1", &params![account], |row| row.int(0))
}

/// Receipts with an id below `before`, newest first; only those of no expense, or only others, where that is asked.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    (used, updated): (Option<bool>, Option<Updated>),
    before: i64,
    limit: i64,
) -> Result<Page<Receipt>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.updated(updated);
    wanted.either(used, LINKED, &format!("NOT {LINKED}"));
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM receipts WHERE {wanted} ORDER BY id DESC LIMIT {rows}", Receipt::COLUMNS);
    let found = tx.query(&sql, wanted.values(), Receipt::read)?;
    let mut page = Page::of(found, limit);
    for receipt in &mut page.rows {
        if let Some(whole) = with_expenses(tx, account, Some(receipt.clone()))? {
            *receipt = whole;
        }
    }
    Ok(page)
}

/// How many receipts wait for an expense.
pub fn count_waiting(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT count(*) FROM receipts r WHERE r.account_id = ?1
               AND NOT EXISTS (SELECT 1 FROM expense_receipts l WHERE l.account_id = ?1 AND l.receipt_id = r.id)";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// The file of a receipt.
pub fn bytes(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT bytes FROM receipt_files WHERE account_id = ?1 AND receipt_id = ?2";
    tx.query_opt(sql, &params![account, id], |row| row.bytes(0))
}

/// The small picture of a receipt; none where it is no picture.
pub fn thumbnail(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT thumbnail FROM receipt_files WHERE account_id = ?1 AND receipt_id = ?2 AND thumbnail IS NOT NULL";
    tx.query_opt(sql, &params![account, id], |row| row.bytes(0))
}

/// Deletes a receipt that nothing needs.
pub fn delete(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM receipt_files WHERE account_id = ?1 AND receipt_id = ?2", &params![account, id])?;
    tx.execute("DELETE FROM receipts WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// The receipts of an expense, in order.
pub fn of_expense(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Vec<(i64, ReceiptHash)>, StoreError> {
    tx.query(
        "SELECT r.id, r.sha256 FROM expense_receipts l JOIN receipts r ON r.account_id = ?1 AND r.id = l.receipt_id
         WHERE l.account_id = ?1 AND l.expense_id = ?2 ORDER BY r.id",
        &params![account, expense],
        |row| Ok((row.int(0)?, row.hash(1)?)),
    )
}

/// Says which receipts an expense has from now on.
pub fn set_of_expense(tx: &mut Tx<'_>, account: i64, expense: i64, receipts: &[i64], now: Timestamp) -> Result<(), StoreError> {
    for (before, _) in of_expense(tx, account, expense)? {
        if !receipts.contains(&before) {
            let sql = "UPDATE receipts SET updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
            tx.execute(sql, &params![account, before, now])?;
        }
    }
    tx.execute("DELETE FROM expense_receipts WHERE account_id = ?1 AND expense_id = ?2", &params![account, expense])?;
    let mut values = Vec::with_capacity(receipts.len() * 3);
    for receipt in receipts {
        values.extend(params![account, expense, *receipt]);
    }
    tx.insert_rows("INSERT INTO expense_receipts (account_id, expense_id, receipt_id)", 3, &values, "")?;
    for receipt in receipts {
        let sql = "UPDATE receipts SET is_booked = 1, updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
        tx.execute(sql, &params![account, *receipt, now])?;
    }
    Ok(())
}

/// The hashes of the receipts of all expenses, by expense; for the verification of the books.
pub fn links(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(i64, ReceiptHash)>, StoreError> {
    tx.query(
        "SELECT l.expense_id, r.sha256 FROM expense_receipts l JOIN receipts r ON r.account_id = ?1 AND r.id = l.receipt_id
         WHERE l.account_id = ?1 ORDER BY l.expense_id",
        &params![account],
        |row| Ok((row.int(0)?, row.hash(1)?)),
    )
}

/// The receipts of an account, each with whether an entry has its hash, and whether its file still has that hash and its size; for the
/// verification of the books.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    hash: impl Fn(&[u8]) -> [u8; 32],
) -> Result<Vec<(i64, ReceiptHash, bool, bool)>, StoreError> {
    let sql = "SELECT id, sha256, size, is_booked FROM receipts WHERE account_id = ?1 ORDER BY id";
    let ids = tx.query(sql, &params![account], |row| Ok((row.int(0)?, row.hash(1)?, row.int(2)?, row.int(3)? != 0)))?;
    let mut checked = Vec::with_capacity(ids.len());
    for (id, sha256, size, is_booked) in ids {
        // One at a time: a file can have many megabytes.
        let same = bytes(tx, account, id)?.is_some_and(|bytes| i64::try_from(bytes.len()) == Ok(size) && hash(&bytes) == sha256);
        checked.push((id, sha256, is_booked, same));
    }
    Ok(checked)
}
