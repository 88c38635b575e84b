//! When the operator's tasks were last done, for the metrics.

use crate::{Environment, Error};
use jiff::Timestamp;
use store::{Tx, maintenance};

pub use store::maintenance::Task;

/// When tasks were last done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastDone {
    /// A copy of the books.
    pub backup: Option<Timestamp>,
    /// The verification of all books.
    pub verify: Option<Timestamp>,
}

/// Notes that a task was done.
///
/// # Errors
/// The storage failed.
pub fn record(tx: &mut Tx<'_>, env: &Environment, task: Task) -> Result<(), Error> {
    Ok(maintenance::record(tx, task, env.now)?)
}

/// When the tasks were last done.
///
/// # Errors
/// The storage failed.
pub fn last_done(tx: &mut Tx<'_>) -> Result<LastDone, Error> {
    Ok(LastDone { backup: maintenance::last(tx, Task::Backup)?, verify: maintenance::last(tx, Task::Verify)? })
}
