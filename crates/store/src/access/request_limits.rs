//! Rate limit of an account across all nodes. Stores the "theoretical arrival time" of the generic
//! cell rate algorithm (ITU-T I.371): each request advances it by the interval at which requests
//! become available. A caller whose time is too far ahead of the clock has to wait.

use crate::{StoreError, Tx, params};

/// Requests admitted by a node, in microseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// Time of the first of the requests.
    pub since: i64,
    /// Total of their intervals.
    pub time: i64,
    /// Latest plausible stored value; a later one was written under a clock that has been set back
    /// since, and is ignored.
    pub latest: i64,
}

/// Adds the requests admitted by a node; returns the theoretical arrival time of the account over
/// all nodes.
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
