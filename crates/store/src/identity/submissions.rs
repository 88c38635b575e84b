//! Processed form submissions, so that a form sent twice takes effect only once.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// Starts processing a form submitted in an account. Returns the redirect target if the form has
/// already been processed. If another transaction is processing the form, waits for it.
pub fn begin(
    tx: &mut Tx<'_>,
    account: i64,
    id: &str,
    now: Timestamp,
) -> Result<Option<String>, StoreError> {
    let begun = tx.query_opt(
        "INSERT INTO submissions (account_id, id, location, created_at) VALUES (?1, ?2, '', ?3)
         ON CONFLICT (account_id, id) DO NOTHING RETURNING location",
        &params![account, id, now],
        |row| row.text(0),
    )?;
    if begun.is_some() {
        return Ok(None);
    }
    tx.query_opt(
        "SELECT location FROM submissions WHERE account_id = ?1 AND id = ?2",
        &params![account, id],
        |row| row.text(0),
    )
}

/// Redirect target of a form that was already processed.
pub fn known(tx: &mut Tx<'_>, account: i64, id: &str) -> Result<Option<String>, StoreError> {
    tx.query_opt(
        "SELECT location FROM submissions WHERE account_id = ?1 AND id = ?2",
        &params![account, id],
        |row| row.text(0),
    )
}

/// Stores the redirect target of a processed form.
pub fn finish(tx: &mut Tx<'_>, account: i64, id: &str, location: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE submissions SET location = ?3 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, location],
    )
}

/// Removes at most `limit` forms that were processed at or before `until`; returns the number
/// removed.
pub fn sweep(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM submissions WHERE (account_id, id) IN
           (SELECT account_id, id FROM submissions WHERE created_at <= ?1 LIMIT ?2) RETURNING account_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
