//! Requests that were carried out under a key of the caller's, with what was answered, so that a repeat is answered alike; for a day.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// A request that was carried out, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The SHA-256 of what was asked.
    pub request: [u8; 32],
    /// Where what was made is.
    pub location: Option<String>,
    /// The body of the answer.
    pub answer: Vec<u8>,
}

/// What was carried out under a key after a moment.
pub fn find(tx: &mut Tx<'_>, account: i64, key: &str, after: Timestamp) -> Result<Option<Kept>, StoreError> {
    tx.query_opt(
        "SELECT request, location, answer FROM idempotency_keys WHERE account_id = ?1 AND id = ?2 AND created_at > ?3",
        &params![account, key, after],
        |row| Ok(Kept { request: row.hash(0)?, location: row.opt_text(1)?, answer: row.bytes(2)? }),
    )
}

/// Keeps what was carried out under a key, in place of what was longer ago.
pub fn keep(tx: &mut Tx<'_>, account: i64, key: &str, kept: &Kept, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO idempotency_keys (account_id, id, request, location, answer, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (account_id, id) DO UPDATE SET request = excluded.request, location = excluded.location,
           answer = excluded.answer, created_at = excluded.created_at",
        &params![account, key, &kept.request, kept.location.as_deref(), &kept.answer[..], now],
    )
}

/// Removes what was carried out up to a moment, `limit` rows at the most; tells how many.
pub fn sweep(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM idempotency_keys WHERE (account_id, id) IN
           (SELECT account_id, id FROM idempotency_keys WHERE created_at <= ?1 LIMIT ?2) RETURNING account_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
