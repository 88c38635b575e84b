//! What happened to an account itself, for its owner to see.

use crate::{StoreError, Tx, params, row::Row};
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

/// Removes all events of an account.
pub fn remove_all(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM account_events WHERE account_id = ?1", &params![account])
}

/// The last events of an account, the latest first.
pub fn last(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Event>, StoreError> {
    tx.query(
        "SELECT at, id, kind, detail, address FROM account_events WHERE account_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2",
        &params![account, limit],
        read,
    )
}

/// The last events of these kinds after a moment, the latest first.
pub fn last_of(tx: &mut Tx<'_>, account: i64, kinds: &[&str], after: Timestamp, limit: i64) -> Result<Vec<Event>, StoreError> {
    let mut values = params![account, after, limit].to_vec();
    let mut places = Vec::with_capacity(kinds.len());
    for kind in kinds {
        values.extend(params![*kind]);
        places.push(format!("?{}", values.len()));
    }
    let sql = format!(
        "SELECT at, id, kind, detail, address FROM account_events WHERE account_id = ?1 AND at > ?2 AND kind IN ({})
         ORDER BY at DESC, id DESC LIMIT ?3",
        places.join(", ")
    );
    tx.query(&sql, &values, read)
}

/// The events of a kind after a moment that were the first with their detail and address, the latest first.
pub fn firsts(tx: &mut Tx<'_>, account: i64, kind: &str, after: Timestamp, limit: i64) -> Result<Vec<Event>, StoreError> {
    tx.query(
        "SELECT at, id, kind, detail, address FROM (
           SELECT at, id, kind, detail, address, ROW_NUMBER() OVER (PARTITION BY detail, address ORDER BY at, id) AS place
           FROM account_events WHERE account_id = ?1 AND kind = ?2) AS placed
         WHERE place = 1 AND at > ?3 ORDER BY at DESC, id DESC LIMIT ?4",
        &params![account, kind, after, limit],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<Event, StoreError> {
    Ok(Event { at: row.time(0)?, id: row.text(1)?, kind: row.text(2)?, detail: row.text(3)?, address: row.text(4)? })
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
