//! Requests that were carried out under a key of the caller's, with what was answered, so that a repeat is answered alike; for a day.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, overwriting, record},
    params,
};
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

record! {
    Kept {
        "request": request,
        "location": location,
        "answer": answer,
    }
}

/// What was carried out under a key after a moment.
pub fn find(tx: &mut Tx<'_>, account: i64, key: &str, after: Timestamp) -> Result<Option<Kept>, StoreError> {
    let columns = Kept::COLUMNS;
    let sql = format!("SELECT {columns} FROM idempotency_keys WHERE account_id = ?1 AND id = ?2 AND created_at > ?3");
    tx.query_opt(&sql, &params![account, key, after], Kept::read)
}

/// Keeps what was carried out under a key, in place of what was longer ago.
pub fn keep(tx: &mut Tx<'_>, account: i64, key: &str, kept: &Kept, now: Timestamp) -> Result<(), StoreError> {
    let mut values = kept.values(account);
    values.extend(params![now, key]);
    let columns = format!("{}, created_at", Kept::COLUMNS);
    let tail = overwriting("account_id, id", &columns);
    record::insert_into(tx, "idempotency_keys", &format!("account_id, {columns}, id"), &values, &tail)
}

/// Digest of the body that made the resource with an external id; none where no body of the API did.
pub fn creating_body(tx: &mut Tx<'_>, account: i64, resource: &str, external_id: &str) -> Result<Option<[u8; 32]>, StoreError> {
    tx.query_opt(
        "SELECT body FROM creating_bodies WHERE account_id = ?1 AND resource = ?2 AND external_id = ?3",
        &params![account, resource, external_id],
        |row| row.hash(0),
    )
}

/// Stores such a digest, in place of that of a resource which is gone.
pub fn keep_creating_body(
    tx: &mut Tx<'_>,
    account: i64,
    resource: &str,
    external_id: &str,
    body: &[u8; 32],
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO creating_bodies (account_id, resource, external_id, body) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id, resource, external_id) DO UPDATE SET body = excluded.body",
        &params![account, resource, external_id, body],
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
