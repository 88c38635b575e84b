//! Security log for each person: events concerning the person's accounts and credentials, shown to
//! that person.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    params,
    person_id::PersonId,
};
use jiff::Timestamp;

/// Event concerning a person or one of their credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Time of the event.
    pub at: Timestamp,
    /// Distinguishes events with the same timestamp.
    pub id: String,
    /// Stable name of the kind of event, such as `signed_in`.
    pub kind: String,
    /// Name of the affected key or application; may be empty.
    pub detail: String,
    /// Network address of the request; empty if there was no request.
    pub address: String,
}

record! {
    Event {
        "at": at,
        "id": id,
        "kind": kind,
        "detail": detail,
        "address": address,
    }
}

/// Stores an event.
pub fn insert(tx: &mut Tx<'_>, person: PersonId, event: &Event) -> Result<(), StoreError> {
    record::insert_into(
        tx,
        "person_events",
        &format!("person_id, {}", Event::COLUMNS),
        &event.values(person),
        "",
    )
}

/// Removes all events of a person.
pub fn remove_all(tx: &mut Tx<'_>, person: PersonId) -> Result<(), StoreError> {
    tx.execute("DELETE FROM person_events WHERE person_id = ?1", &params![person])
}

/// Latest events of a person, newest first.
pub fn last(tx: &mut Tx<'_>, person: PersonId, limit: i64) -> Result<Vec<Event>, StoreError> {
    let sql = format!(
        "SELECT {} FROM person_events WHERE person_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2",
        Event::COLUMNS
    );
    tx.query(&sql, &params![person, limit], Event::read)
}

/// Latest events of these kinds after `after`, newest first.
pub fn last_of(
    tx: &mut Tx<'_>,
    person: PersonId,
    kinds: &[&str],
    after: Timestamp,
    limit: i64,
) -> Result<Vec<Event>, StoreError> {
    let mut values = params![person, after, limit].to_vec();
    let mut places = Vec::with_capacity(kinds.len());
    for kind in kinds {
        values.extend(params![*kind]);
        places.push(format!("?{}", values.len()));
    }
    let sql = format!(
        "SELECT {} FROM person_events WHERE person_id = ?1 AND at > ?2 AND kind IN ({}) ORDER BY at DESC, id DESC LIMIT ?3",
        Event::COLUMNS,
        places.join(", ")
    );
    tx.query(&sql, &values, Event::read)
}

/// First events of a kind: the earliest event ever for each combination of detail and address, if
/// it is later than `after`. Newest first.
pub fn firsts(
    tx: &mut Tx<'_>,
    person: PersonId,
    kind: &str,
    after: Timestamp,
    limit: i64,
) -> Result<Vec<Event>, StoreError> {
    let columns = Event::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM (
           SELECT {columns}, ROW_NUMBER() OVER (PARTITION BY detail, address ORDER BY at, id) AS place
           FROM person_events WHERE person_id = ?1 AND kind = ?2) AS placed
         WHERE place = 1 AND at > ?3 ORDER BY at DESC, id DESC LIMIT ?4"
    );
    tx.query(&sql, &params![person, kind, after, limit], Event::read)
}

/// Removes at most `limit` events that occurred at or before `until`; returns the number removed.
pub fn sweep(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM person_events WHERE (person_id, at, id) IN
           (SELECT person_id, at, id FROM person_events WHERE at <= ?1 LIMIT ?2) RETURNING person_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
