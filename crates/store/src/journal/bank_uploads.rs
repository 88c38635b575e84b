//! Uploaded bank statements whose preview was shown, until they are imported or expire.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// Uploaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankUpload {
    /// SHA-256 of the file.
    pub sha256: [u8; 32],
    /// Name of the file.
    pub name: Option<String>,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Stores a file. The same file is stored once; its name and time are replaced.
///
/// # Errors
/// The storage failed.
pub fn put(
    tx: &mut Tx<'_>,
    account: i64,
    upload: &BankUpload,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO bank_uploads (account_id, sha256, name, bytes, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (account_id, sha256) DO UPDATE SET
           name = excluded.name, created_at = excluded.created_at",
        &params![account, &upload.sha256, upload.name.as_deref(), &upload.bytes[..], now],
    )
}

/// File with this hash, if it was stored after `since`.
///
/// # Errors
/// The storage failed.
pub fn find(
    tx: &mut Tx<'_>,
    account: i64,
    sha256: [u8; 32],
    since: Timestamp,
) -> Result<Option<BankUpload>, StoreError> {
    tx.query_opt(
        "SELECT name, bytes FROM bank_uploads
         WHERE account_id = ?1 AND sha256 = ?2 AND created_at > ?3",
        &params![account, &sha256, since],
        |row| Ok(BankUpload { sha256, name: row.opt_text(0)?, bytes: row.bytes(1)? }),
    )
}

/// Removes a file.
///
/// # Errors
/// The storage failed.
pub fn remove(tx: &mut Tx<'_>, account: i64, sha256: [u8; 32]) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM bank_uploads WHERE account_id = ?1 AND sha256 = ?2",
        &params![account, &sha256],
    )
}

/// Removes all files of the account except the `most` latest.
///
/// # Errors
/// The storage failed.
pub fn keep_latest(tx: &mut Tx<'_>, account: i64, most: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM bank_uploads WHERE account_id = ?1 AND sha256 NOT IN
           (SELECT sha256 FROM bank_uploads WHERE account_id = ?1
            ORDER BY created_at DESC, sha256 LIMIT ?2)",
        &params![account, most],
    )
}

/// Total size of the files of the account in bytes.
///
/// # Errors
/// The storage failed.
pub fn bytes_in_all(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    tx.query_one(
        "SELECT CAST(COALESCE(SUM(LENGTH(bytes)), 0) AS BIGINT) FROM bank_uploads
         WHERE account_id = ?1",
        &params![account],
        |row| row.int(0),
    )
}

/// Removes at most `limit` files that were stored at or before `until`; returns the number removed.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM bank_uploads WHERE (account_id, sha256) IN
           (SELECT account_id, sha256 FROM bank_uploads WHERE created_at <= ?1 LIMIT ?2)
         RETURNING account_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(i64::try_from(gone.len()).unwrap_or(i64::MAX))
}
