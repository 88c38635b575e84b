//! Receipts: files identified by their hash, and their links to expenses.

use crate::{
    Page, StoreError, Tx, Updated,
    engine::{filter::Filter, record::record, table},
    invoices::Origin,
    param::Param,
    params,
    tx::id_list,
};
use jiff::Timestamp;
use ledger::description::ReceiptHash;

/// Stored receipt, without its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Unique within the account.
    pub id: i64,
    /// SHA-256 of the file.
    pub sha256: ReceiptHash,
    /// Original file name.
    pub name: Option<String>,
    /// Media type detected from the bytes: `image/jpeg`, `image/png`, `image/webp` or
    /// `application/pdf`.
    pub media_type: String,
    /// Size in bytes.
    pub size: i64,
    /// Whether a journal entry contains the file's hash; such a file is never deleted.
    pub is_booked: bool,
    /// Origin of the upload.
    pub source: Origin,
    /// Time of the upload.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Expenses that the receipt belongs to.
    pub expense_ids: Vec<i64>,
}

record! {
    "receipts": Receipt {
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

/// Stores a new receipt with its file and, for an image, a thumbnail.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    receipt: &Receipt,
    bytes: &[u8],
    thumbnail: Option<&[u8]>,
) -> Result<(), StoreError> {
    table::insert(tx, account, receipt)?;
    tx.execute(
        "INSERT INTO receipt_files (account_id, receipt_id, bytes, thumbnail) VALUES (?1, ?2, ?3, ?4)",
        &params![account, receipt.id, bytes, thumbnail],
    )
}

fn with_expenses(
    tx: &mut Tx<'_>,
    account: i64,
    receipt: Option<Receipt>,
) -> Result<Option<Receipt>, StoreError> {
    let Some(mut receipt) = receipt else { return Ok(None) };
    receipt.expense_ids = tx.query(
        "SELECT expense_id FROM expense_receipts WHERE account_id = ?1 AND receipt_id = ?2 ORDER BY expense_id",
        &params![account, receipt.id],
        |row| row.int(0),
    )?;
    Ok(Some(receipt))
}

/// Receipt with this id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Receipt>, StoreError> {
    let receipt = table::find(tx, account, "id", id)?;
    with_expenses(tx, account, receipt)
}

/// Receipt whose file has this hash.
pub fn by_hash(
    tx: &mut Tx<'_>,
    account: i64,
    sha256: &ReceiptHash,
) -> Result<Option<Receipt>, StoreError> {
    let receipt = table::find(tx, account, "sha256", sha256)?;
    with_expenses(tx, account, receipt)
}

/// Total size of all receipts of the account in bytes, excluding thumbnails.
pub fn bytes_in_all(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM receipts WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

const LINKED: &str = "EXISTS (SELECT 1 FROM expense_receipts l WHERE l.account_id = ?1 AND l.receipt_id = receipts.id)";

/// Filter for a list of receipts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceiptFilter {
    /// If true, only receipts that belong to an expense; if false, only receipts that do not.
    pub used: Option<bool>,
    /// Text contained in the file name, ignoring case.
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

/// Column by which a list of receipts is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptColumn {
    /// Order of upload.
    Made,
    /// File name.
    Name,
}

/// Section of the list of receipts. `down` means descending order; `offset` and `limit` select the
/// section.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ReceiptFilter,
    (column, down): (ReceiptColumn, bool),
    part: (i64, i64),
) -> Result<Vec<Receipt>, StoreError> {
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        ReceiptColumn::Made => String::new(),
        ReceiptColumn::Name => format!("lower(COALESCE(name, '')) {direction}, "),
    };
    let mut receipts: Vec<Receipt> =
        table::section(tx, filter.of(account), &format!("{order}id {direction}"), part)?;
    let ids: Vec<i64> = receipts.iter().map(|receipt| receipt.id).collect();
    let (places, ids) = id_list(&ids, 2);
    let values: Vec<Param<'_>> =
        params![account].iter().cloned().chain(ids.into_iter().map(Param::Int)).collect();
    let sql = format!(
        "SELECT receipt_id, expense_id FROM expense_receipts WHERE account_id = ?1 AND receipt_id IN ({places})
         ORDER BY receipt_id, expense_id"
    );
    for (id, expense) in tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))? {
        if let Some(receipt) = receipts.iter_mut().find(|receipt| receipt.id == id) {
            receipt.expense_ids.push(expense);
        }
    }
    Ok(receipts)
}

/// Number of receipts that match a filter.
pub fn count_of(tx: &mut Tx<'_>, account: i64, filter: &ReceiptFilter) -> Result<i64, StoreError> {
    let wanted = filter.of(account);
    tx.query_one(&format!("SELECT COUNT(*) FROM receipts WHERE {wanted}"), wanted.values(), |row| {
        row.int(0)
    })
}

/// Number of receipts.
pub fn count(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    tx.query_one("SELECT COUNT(*) FROM receipts WHERE account_id = ?1", &params![account], |row| {
        row.int(0)
    })
}

/// Receipts with an id below `before`, newest first. Optionally only receipts that belong to an
/// expense, or only receipts that do not.
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
    let mut page: Page<Receipt> = table::page(tx, wanted, "id DESC", limit)?;
    for receipt in &mut page.rows {
        if let Some(whole) = with_expenses(tx, account, Some(receipt.clone()))? {
            *receipt = whole;
        }
    }
    Ok(page)
}

/// Number of receipts without an expense.
pub fn count_waiting(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT count(*) FROM receipts r WHERE r.account_id = ?1
               AND NOT EXISTS (SELECT 1 FROM expense_receipts l WHERE l.account_id = ?1 AND l.receipt_id = r.id)";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// File of a receipt.
pub fn bytes(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT bytes FROM receipt_files WHERE account_id = ?1 AND receipt_id = ?2";
    tx.query_opt(sql, &params![account, id], |row| row.bytes(0))
}

/// Thumbnail of a receipt; `None` if the receipt is not an image.
pub fn thumbnail(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT thumbnail FROM receipt_files WHERE account_id = ?1 AND receipt_id = ?2 AND thumbnail IS NOT NULL";
    tx.query_opt(sql, &params![account, id], |row| row.bytes(0))
}

/// Deletes a receipt. The caller must ensure that no expense or journal entry refers to it.
pub fn delete(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM receipt_files WHERE account_id = ?1 AND receipt_id = ?2",
        &params![account, id],
    )?;
    tx.execute("DELETE FROM receipts WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Receipts of an expense, ordered by id.
pub fn of_expense(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
) -> Result<Vec<(i64, ReceiptHash)>, StoreError> {
    tx.query(
        "SELECT r.id, r.sha256 FROM expense_receipts l JOIN receipts r ON r.account_id = ?1 AND r.id = l.receipt_id
         WHERE l.account_id = ?1 AND l.expense_id = ?2 ORDER BY r.id",
        &params![account, expense],
        |row| Ok((row.int(0)?, row.hash(1)?)),
    )
}

/// Sets the receipts of an expense.
pub fn set_of_expense(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
    receipts: &[i64],
    now: Timestamp,
) -> Result<(), StoreError> {
    for (before, _) in of_expense(tx, account, expense)? {
        if !receipts.contains(&before) {
            let sql = "UPDATE receipts SET updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
            tx.execute(sql, &params![account, before, now])?;
        }
    }
    tx.execute(
        "DELETE FROM expense_receipts WHERE account_id = ?1 AND expense_id = ?2",
        &params![account, expense],
    )?;
    let mut values = Vec::with_capacity(receipts.len() * 3);
    for receipt in receipts {
        values.extend(params![account, expense, *receipt]);
    }
    tx.insert_rows(
        "INSERT INTO expense_receipts (account_id, expense_id, receipt_id)",
        3,
        &values,
        "",
    )?;
    for receipt in receipts {
        let sql =
            "UPDATE receipts SET is_booked = 1, updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
        tx.execute(sql, &params![account, *receipt, now])?;
    }
    Ok(())
}

/// Hashes of the receipts of all expenses, ordered by expense. Used by the verification of the
/// books.
pub fn links(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(i64, ReceiptHash)>, StoreError> {
    tx.query(
        "SELECT l.expense_id, r.sha256 FROM expense_receipts l JOIN receipts r ON r.account_id = ?1 AND r.id = l.receipt_id
         WHERE l.account_id = ?1 ORDER BY l.expense_id",
        &params![account],
        |row| Ok((row.int(0)?, row.hash(1)?)),
    )
}

/// Checks the receipts of an account. Returns for each receipt its id and hash, whether a journal
/// entry contains that hash, and whether the file still has the recorded hash and size. Used by the
/// verification of the books.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    hash: impl Fn(&[u8]) -> [u8; 32],
) -> Result<Vec<(i64, ReceiptHash, bool, bool)>, StoreError> {
    let sql = "SELECT id, sha256, size, is_booked FROM receipts WHERE account_id = ?1 ORDER BY id";
    let ids = tx.query(sql, &params![account], |row| {
        Ok((row.int(0)?, row.hash(1)?, row.int(2)?, row.int(3)? != 0))
    })?;
    let mut checked = Vec::with_capacity(ids.len());
    for (id, sha256, size, is_booked) in ids {
        // Files are read one at a time, because each can be several megabytes.
        let same = bytes(tx, account, id)?
            .is_some_and(|bytes| i64::try_from(bytes.len()) == Ok(size) && hash(&bytes) == sha256);
        checked.push((id, sha256, is_booked, same));
    }
    Ok(checked)
}
