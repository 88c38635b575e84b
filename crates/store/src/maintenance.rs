//! When the operator's tasks were last done.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// A task of the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// A copy of the books was made.
    Backup,
    /// All books were verified, and nothing was wrong.
    Verify,
}

impl Task {
    fn as_str(self) -> &'static str {
        match self {
            Self::Backup => "backup",
            Self::Verify => "verify",
        }
    }
}

/// Notes that a task was done.
pub fn record(tx: &mut Tx<'_>, task: Task, at: Timestamp) -> Result<(), StoreError> {
    let sql = "INSERT INTO maintenance (task, done_at) VALUES (?1, ?2) ON CONFLICT (task) DO UPDATE SET done_at = excluded.done_at";
    tx.execute(sql, &params![task.as_str(), at])
}

/// When a task was last done.
pub fn last(tx: &mut Tx<'_>, task: Task) -> Result<Option<Timestamp>, StoreError> {
    tx.query_opt(
        "SELECT done_at FROM maintenance WHERE task = ?1",
        &params![task.as_str()],
        |row| row.time(0),
    )
}
