//! Rate limit of an account across all nodes. Stores the "theoretical arrival time" of the generic
//! cell rate algorithm (ITU-T I.371): each request advances this time by the interval at which
//! requests become available. An account whose time is too far ahead of the clock has to wait.

use crate::{StoreError, Tx, params};

/// Requests that a node admitted for an account. Times are in microseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Time of the earliest of these requests.
    pub since: i64,
    /// Sum of the intervals of the requests, in microseconds.
    pub time: i64,
    /// Latest plausible value of the stored time. A later stored time is ignored, because it must
    /// have been written before the clock was set back.
    pub latest: i64,
}

/// Advances an account's theoretical arrival time by the requests that a node admitted; returns the
/// new time, which covers the requests of all nodes.
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
