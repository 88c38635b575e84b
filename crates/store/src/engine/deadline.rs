//! Time limit for the work on an SQLite connection.

use rusqlite::Connection;
use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Number of SQLite virtual machine instructions between two checks of the clock; they take some
/// tens of microseconds.
const STEPS: i32 = 5_000;
/// Value stored instead of a time if there is no deadline.
const NEVER: u64 = u64::MAX;

/// Origin from which the stored times are measured.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Deadline for the current work on a connection. The connection's progress handler interrupts the
/// work once the deadline has passed.
#[derive(Debug, Clone)]
pub(crate) struct Deadline(Arc<AtomicU64>);

impl Deadline {
    /// Makes a connection interrupt its work at the returned deadline, which is not set at first.
    ///
    /// # Errors
    /// SQLite rejected the progress handler.
    pub(crate) fn of(connection: &mut Connection) -> rusqlite::Result<Self> {
        let deadline = Self(Arc::new(AtomicU64::new(NEVER)));
        let its = deadline.clone();
        connection.progress_handler(STEPS, Some(move || its.has_passed()))?;
        Ok(deadline)
    }

    /// Sets the deadline to `limit` from now; `None` removes it.
    pub(crate) fn set(&self, limit: Option<Duration>) {
        let moment = limit.map_or(NEVER, |limit| nanos(START.elapsed().saturating_add(limit)));
        self.0.store(moment, Ordering::Relaxed);
    }

    fn has_passed(&self) -> bool {
        let moment = self.0.load(Ordering::Relaxed);
        moment != NEVER && nanos(START.elapsed()) >= moment
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(NEVER - 1)
}
