//! The clock that runs: one an account at the most.

use crate::{StoreError, Tx, params};
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

/// The clock that runs, if one does.
pub fn running(tx: &mut Tx<'_>, account: i64) -> Result<Option<Timer>, StoreError> {
    tx.query_opt(
        "SELECT started_at, project_id, description, category FROM timers WHERE account_id = ?1",
        &params![account],
        |row| {
            Ok(Timer {
                started_at: row.time(0)?,
                project_id: row.opt_int(1)?,
                description: row.opt_text(2)?,
                category: row.opt_text(3)?,
            })
        },
    )
}

/// Starts a clock.
pub fn insert(tx: &mut Tx<'_>, account: i64, timer: &Timer) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO timers (account_id, started_at, project_id, description, category) VALUES (?1, ?2, ?3, ?4, ?5)",
        &params![account, timer.started_at, timer.project_id, &timer.description, &timer.category],
    )
}

/// Takes the clock away.
pub fn delete(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM timers WHERE account_id = ?1", &params![account])
}
