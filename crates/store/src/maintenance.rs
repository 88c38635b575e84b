//! Times at which the operator's tasks were last completed.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// A task of the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Backup of the books.
    Backup,
    /// Verification of all books; recorded only if it found no faults.
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

/// Records that a task was completed.
pub fn record(tx: &mut Tx<'_>, task: Task, at: Timestamp) -> Result<(), StoreError> {
    let sql = "INSERT INTO maintenance (task, done_at) VALUES (?1, ?2) ON CONFLICT (task) DO UPDATE SET done_at = excluded.done_at";
    tx.execute(sql, &params![task.as_str(), at])
}

/// Time at which a task was last completed.
pub fn last(tx: &mut Tx<'_>, task: Task) -> Result<Option<Timestamp>, StoreError> {
    tx.query_opt(
        "SELECT done_at FROM maintenance WHERE task = ?1",
        &params![task.as_str()],
        |row| row.time(0),
    )
}
