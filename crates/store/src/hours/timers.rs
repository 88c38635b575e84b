//! The clock that runs: one an account at the most.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    params,
};
use jiff::Timestamp;

/// A clock that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// When it was started.
    pub started_at: Timestamp,
    /// The project that the hours will be on; without one they go into the hours log.
    pub project_id: Option<i64>,
    /// What is done.
    pub description: Option<String>,
    /// For the hours log, what kind of work it is.
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

/// The clock that runs, if one does.
pub fn running(tx: &mut Tx<'_>, account: i64) -> Result<Option<Timer>, StoreError> {
    let sql = format!("SELECT {} FROM timers WHERE account_id = ?1", Timer::COLUMNS);
    tx.query_opt(&sql, &params![account], Timer::read)
}

/// Starts a clock.
pub fn insert(tx: &mut Tx<'_>, account: i64, timer: &Timer) -> Result<(), StoreError> {
    record::insert(tx, "timers", Timer::COLUMNS, &timer.values(account))
}

/// Takes the clock away.
pub fn delete(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM timers WHERE account_id = ?1", &params![account])
}
