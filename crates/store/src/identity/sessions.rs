//! Sessions of signed-in people, looked up by the hash of the browser's token.

use crate::{
    StoreError, Tx,
    accounts::{self, Account},
    engine::record::{self, Column, Record, columns_by_name, record},
    params,
    person_id::PersonId,
};
use jiff::Timestamp;

/// Progress of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The password was correct; the second factor is still required.
    SecondFactor,
    /// Signed in.
    SignedIn,
}

impl Stage {
    fn as_str(self) -> &'static str {
        match self {
            Self::SecondFactor => "second_factor",
            Self::SignedIn => "signed_in",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::SecondFactor, Self::SignedIn].into_iter().find(|stage| stage.as_str() == text)
    }
}

/// Stored session, without its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Id of the session in the list of sessions.
    pub id: String,
    /// Progress of the sign-in.
    pub stage: Stage,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last use, accurate to about a minute.
    pub last_seen_at: Timestamp,
    /// Time at which the password was last entered.
    pub authenticated_at: Timestamp,
    /// Network address at the start of the session.
    pub address: String,
    /// User agent at the start of the session.
    pub user_agent: String,
}

/// Time limits that determine which sessions have expired.
#[derive(Debug, Clone, Copy)]
pub struct Alive {
    /// Sessions expire unless they were used after this time.
    pub seen_after: Timestamp,
    /// Sessions expire unless they were created after this time.
    pub begun_after: Timestamp,
    /// Sessions that still require the second factor expire unless they were created after this
    /// time.
    pub unfinished_after: Timestamp,
}

columns_by_name!(Stage);
record! {
    Session {
        "id": id,
        "stage": stage,
        "created_at": created_at,
        "last_seen_at": last_seen_at,
        "authenticated_at": authenticated_at,
        "address": address,
        "user_agent": user_agent,
    }
}

const ALIVE: &str =
    "s.last_seen_at > ?2 AND s.created_at > ?3 AND (s.stage = 'signed_in' OR s.created_at > ?4)";

/// Stores a new session.
pub fn insert(
    tx: &mut Tx<'_>,
    person: PersonId,
    hash: &[u8; 32],
    session: &Session,
) -> Result<(), StoreError> {
    let mut values = session.values(person);
    values.push(hash.into());
    record::insert_into(
        tx,
        "sessions",
        &format!("person_id, {}, hash", Session::COLUMNS),
        &values,
        "",
    )
}

/// Session with this hash, and the live account of the person who signed in. Returns `None` if the
/// session has expired or the account is closed.
pub fn find(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    alive: Alive,
) -> Result<Option<(Account, Session)>, StoreError> {
    let sql = format!(
        "SELECT {}, {} FROM {} JOIN sessions s ON s.person_id = p.id
         WHERE s.hash = ?1 AND a.test_of IS NULL AND a.closed_at IS NULL AND {ALIVE}",
        accounts::COLUMNS,
        record::of("s", Session::COLUMNS),
        accounts::FROM
    );
    tx.query_opt(
        &sql,
        &params![hash, alive.seen_after, alive.begun_after, alive.unfinished_after],
        |row| Ok((accounts::read(row)?, Session::take(row, &mut { accounts::WIDTH })?)),
    )
}

/// Sessions of a person that have not expired, last used first.
pub fn list(tx: &mut Tx<'_>, person: PersonId, alive: Alive) -> Result<Vec<Session>, StoreError> {
    let columns = Session::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM sessions s WHERE s.person_id = ?1 AND {ALIVE} ORDER BY s.last_seen_at DESC, s.id"
    );
    tx.query(
        &sql,
        &params![person, alive.seen_after, alive.begun_after, alive.unfinished_after],
        Session::read,
    )
}

/// Records the use of a session.
pub fn touch(tx: &mut Tx<'_>, hash: &[u8; 32], now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE sessions SET last_seen_at = ?2 WHERE hash = ?1 AND last_seen_at < ?2",
        &params![hash, now],
    )
}

/// Replaces the hash and stage of a session and the time of its last authentication. Returns the
/// session, or `None` if no session has the old hash.
pub fn rotate(
    tx: &mut Tx<'_>,
    old: &[u8; 32],
    new: &[u8; 32],
    stage: Stage,
    now: Timestamp,
) -> Result<Option<Session>, StoreError> {
    let sql = format!(
        "UPDATE sessions SET hash = ?2, stage = ?3, last_seen_at = ?4, authenticated_at = ?4 WHERE hash = ?1 RETURNING {}",
        Session::COLUMNS
    );
    tx.query_opt(&sql, &params![old, new, stage.as_str(), now], Session::read)
}

/// Ends the session with this hash.
pub fn end_by_hash(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<(), StoreError> {
    tx.execute("DELETE FROM sessions WHERE hash = ?1", &params![hash])
}

/// Ends a session of a person; returns whether it existed.
pub fn end(tx: &mut Tx<'_>, person: PersonId, id: &str) -> Result<bool, StoreError> {
    let ended = tx.query_opt(
        "DELETE FROM sessions WHERE person_id = ?1 AND id = ?2 RETURNING person_id",
        &params![person, id],
        |row| row.int(0),
    )?;
    Ok(ended.is_some())
}

/// Ends all sessions of a person except the one with the hash `kept`.
pub fn end_others(tx: &mut Tx<'_>, person: PersonId, kept: &[u8; 32]) -> Result<(), StoreError> {
    tx.execute("DELETE FROM sessions WHERE person_id = ?1 AND hash <> ?2", &params![person, kept])
}

/// Ends all sessions of a person.
pub fn end_all(tx: &mut Tx<'_>, person: PersonId) -> Result<(), StoreError> {
    tx.execute("DELETE FROM sessions WHERE person_id = ?1", &params![person])
}

/// Removes at most `limit` expired sessions and returns their number.
pub fn sweep(tx: &mut Tx<'_>, alive: Alive, limit: i64) -> Result<i64, StoreError> {
    let mut gone = 0;
    for (column, until) in [("last_seen_at", alive.seen_after), ("created_at", alive.begun_after)] {
        let sql = format!(
            "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE {column} <= ?1 LIMIT ?2) RETURNING person_id"
        );
        gone += tx.query(&sql, &params![until, limit - gone], |row| row.int(0))?.len() as i64;
    }
    Ok(gone)
}
