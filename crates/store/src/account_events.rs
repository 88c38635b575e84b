//! What happened to an account itself, for its owner to see.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// Something that happened to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// Tells it from others of the same moment.
    pub id: String,
    /// What, as a stable name such as `signed_in`.
    pub kind: String,
    /// Which: a key's name, an application's name; may be empty.
    pub detail: String,
    /// Where the request came from; empty where there was none.
    pub address: String,
}

/// Writes an event down.
pub fn insert(tx: &mut Tx<'_>, account: i64, event: &Event) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO account_events (account_id, at, id, kind, detail, address) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        &params![account, event.at, &event.id, &event.kind, &event.detail, &event.address],
    )
}

/// The last events of an account, the latest first.
pub fn last(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Event>, StoreError> {
    tx.query(
        "SELECT at, id, kind, detail, address FROM account_events WHERE account_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2",
        &params![account, limit],
        |row| Ok(Event { at: row.time(0)?, id: row.text(1)?, kind: row.text(2)?, detail: row.text(3)?, address: row.text(4)? }),
    )
}

/// Removes events up to a moment, `limit` at the most; tells how many.
pub fn sweep(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM account_events WHERE (account_id, at, id) IN
           (SELECT account_id, at, id FROM account_events WHERE at <= ?1 LIMIT ?2) RETURNING account_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
