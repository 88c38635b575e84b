//! Times at which maintenance tasks were last completed, for the metrics.

use crate::{Environment, Error};
use jiff::Timestamp;
use store::{Tx, maintenance};

pub use store::maintenance::Task;

/// Time at which each task was last completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastDone {
    /// Time of the last backup of the books.
    pub backup: Option<Timestamp>,
    /// Time of the last verification of all books.
    pub verify: Option<Timestamp>,
}

/// Records that a task has been completed.
///
/// # Errors
/// The storage failed.
pub fn record(tx: &mut Tx<'_>, env: &Environment, task: Task) -> Result<(), Error> {
    Ok(maintenance::record(tx, task, env.now)?)
}

/// Returns the time at which each task was last completed.
///
/// # Errors
/// The storage failed.
pub fn last_done(tx: &mut Tx<'_>) -> Result<LastDone, Error> {
    Ok(LastDone {
        backup: maintenance::last(tx, Task::Backup)?,
        verify: maintenance::last(tx, Task::Verify)?,
    })
}
