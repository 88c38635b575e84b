//! Write-offs of invoices that customers do not pay, fully or in part.

use crate::{
    Page, StoreError, SyncFilter, Tx,
    engine::record::{self, Record, record},
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::money::Cents;

/// Stored write-off.
#[derive(Debug, Clone)]
pub struct WriteOff {
    /// Unique within the account.
    pub id: i64,
    /// Invoice that is not paid.
    pub invoice_id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date from which non-payment is certain.
    pub date: Date,
    /// Amount written off, including VAT.
    pub amount: Cents,
    /// Reason.
    pub reason: Option<String>,
    /// Journal entry of the write-off.
    pub entry_id: i64,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Journal entry that reverses it.
    pub undoing_entry_id: Option<i64>,
    /// Date of the reversal.
    pub undone_on: Option<Date>,
    /// Time at which it was undone; it no longer counts.
    pub undone_at: Option<Timestamp>,
}

impl WriteOff {
    /// Time of the last change: undoing, or else recording.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

record! {
    WriteOff {
        "id": id,
        "invoice_id": invoice_id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "reason": reason,
        "entry_id": entry_id,
        "created_at": created_at,
        "undoing_entry_id": undoing_entry_id,
        "undone_on": undone_on,
        "undone_at": undone_at,
    }
}

/// Stores a new write-off.
///
/// # Errors
/// The storage failed.
pub fn insert(tx: &mut Tx<'_>, account: i64, write_off: &WriteOff) -> Result<(), StoreError> {
    record::insert(tx, "write_offs", WriteOff::COLUMNS, &write_off.values(account))
}

/// Stores a changed write-off.
///
/// # Errors
/// The storage failed.
pub fn update(tx: &mut Tx<'_>, account: i64, write_off: &WriteOff) -> Result<(), StoreError> {
    record::update(tx, "write_offs", WriteOff::COLUMNS, &write_off.values(account))
}

/// Write-off with this id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<WriteOff>, StoreError> {
    let sql = format!("SELECT {} FROM write_offs WHERE account_id = ?1 AND id = ?2", WriteOff::COLUMNS);
    tx.query_opt(&sql, &params![account, id], WriteOff::read)
}

/// Write-off with this external id.
///
/// # Errors
/// The storage failed.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<WriteOff>, StoreError> {
    let sql = format!("SELECT {} FROM write_offs WHERE account_id = ?1 AND external_id = ?2", WriteOff::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], WriteOff::read)
}

/// Write-offs of an invoice with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn of_invoice(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<WriteOff>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("invoice_id =", invoice);
    wanted.with("id >", after);
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM write_offs WHERE {wanted} ORDER BY id LIMIT {rows}", WriteOff::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), WriteOff::read)?, limit))
}

/// Write-offs after an id, ordered by id. Used by the verification of the books.
///
/// # Errors
/// The storage failed.
pub fn after(tx: &mut Tx<'_>, account: i64, after: i64, limit: i64) -> Result<Vec<WriteOff>, StoreError> {
    let sql = format!("SELECT {} FROM write_offs WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3", WriteOff::COLUMNS);
    tx.query(&sql, &params![account, after, limit], WriteOff::read)
}
