//! The running timer; an account has at most one.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    params,
};
use jiff::Timestamp;

/// A running timer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// Start time.
    pub started_at: Timestamp,
    /// Id of the project for the hours; `None` for the hours log.
    pub project_id: Option<i64>,
    /// Work being done.
    pub description: Option<String>,
    /// Kind of work, for the hours log.
    pub category: Option<String>,
}

record! {
    Timer {
        "started_at": started_at,
        "project_id": project_id,
        "description": description,
        "category": category,
    }
}

/// The running timer, if there is one.
pub fn running(tx: &mut Tx<'_>, account: i64) -> Result<Option<Timer>, StoreError> {
    let sql = format!("SELECT {} FROM timers WHERE account_id = ?1", Timer::COLUMNS);
    tx.query_opt(&sql, &params![account], Timer::read)
}

/// Stores a running timer.
pub fn insert(tx: &mut Tx<'_>, account: i64, timer: &Timer) -> Result<(), StoreError> {
    record::insert(tx, "timers", Timer::COLUMNS, &timer.values(account))
}

/// Deletes the running timer.
pub fn delete(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM timers WHERE account_id = ?1", &params![account])
}
