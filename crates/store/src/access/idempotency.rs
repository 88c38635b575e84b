//! Idempotency keys: responses to executed requests, kept for a day so that a repeated request gets
//! the same response.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, overwriting, record},
    params,
};
use jiff::Timestamp;

/// An executed request with its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// Location of the created resource.
    pub location: Option<String>,
    /// Body of the response.
    pub answer: Vec<u8>,
}

record! {
    Kept {
        "request": request,
        "location": location,
        "answer": answer,
    }
}

/// Returns the request that was executed with this idempotency key after `after`, if any.
pub fn find(
    tx: &mut Tx<'_>,
    account: i64,
    key: &str,
    after: Timestamp,
) -> Result<Option<Kept>, StoreError> {
    let columns = Kept::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM idempotency_keys WHERE account_id = ?1 AND id = ?2 AND created_at > ?3"
    );
    tx.query_opt(&sql, &params![account, key, after], Kept::read)
}

/// Stores an executed request under its idempotency key; overwrites an expired request with that
/// key.
pub fn keep(
    tx: &mut Tx<'_>,
    account: i64,
    key: &str,
    kept: &Kept,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut values = kept.values(account);
    values.extend(params![now, key]);
    let columns = format!("{}, created_at", Kept::COLUMNS);
    let tail = overwriting("account_id, id", &columns);
    record::insert_into(
        tx,
        "idempotency_keys",
        &format!("account_id, {columns}, id"),
        &values,
        &tail,
    )
}

/// Digest of the request body that created the resource with this external id; `None` if the
/// resource was not created through the API.
pub fn creating_body(
    tx: &mut Tx<'_>,
    account: i64,
    resource: &str,
    external_id: &str,
) -> Result<Option<[u8; 32]>, StoreError> {
    tx.query_opt(
        "SELECT body FROM creating_bodies WHERE account_id = ?1 AND resource = ?2 AND external_id = ?3",
        &params![account, resource, external_id],
        |row| row.hash(0),
    )
}

/// Stores the digest of the request body that created a resource, replacing any digest left by a
/// deleted resource with the same external id.
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

/// Removes at most `limit` requests that were executed at or before `until`; returns the number
/// removed.
pub fn sweep(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM idempotency_keys WHERE (account_id, id) IN
           (SELECT account_id, id FROM idempotency_keys WHERE created_at <= ?1 LIMIT ?2) RETURNING account_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
