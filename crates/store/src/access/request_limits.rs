//! Requests of an account that count over all nodes: until when they are paid for. That is the "theoretical arrival time" of the generic cell
//! rate algorithm (ITU-T I.371): each request moves it on by the time in which one comes free, and who is too far ahead of now has to wait.

use crate::{StoreError, Tx, params};

/// What a node let through, in microseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// When the first of the requests came.
    pub since: i64,
    /// The time that they all take.
    pub time: i64,
    /// What is later than this was written under a clock that was set back since, and does not count.
    pub latest: i64,
}

/// Adds what a node let through; gives until when the account's requests on all nodes are paid for.
pub fn settle(tx: &mut Tx<'_>, account: i64, spent: Spent) -> Result<i64, StoreError> {
    let Spent { since, time, latest } = spent;
    tx.query_one(
        "INSERT INTO request_limits (account_id, used_until) VALUES (?1, ?2)
         ON CONFLICT (account_id) DO UPDATE SET used_until = ?4 +
           CASE WHEN request_limits.used_until BETWEEN ?3 AND ?5 THEN request_limits.used_until ELSE ?3 END
         RETURNING used_until",
        &params![account, since + time, since, time, latest],
        |row| row.int(0),
    )
}
