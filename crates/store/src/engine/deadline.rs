//! When the work on a connection to SQLite has to end.

use rusqlite::Connection;
use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Steps of SQLite's virtual machine between two looks at the clock: some tens of microseconds.
const STEPS: i32 = 5_000;
/// No deadline.
const NEVER: u64 = u64::MAX;

/// What moments are counted from.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// When the work on a connection has to end; shared with the connection, which stops by itself.
#[derive(Debug, Clone)]
pub(crate) struct Deadline(Arc<AtomicU64>);

impl Deadline {
    /// Lets a connection stop at its deadline. There is none at first.
    ///
    /// # Errors
    /// SQLite refused.
    pub(crate) fn of(connection: &mut Connection) -> rusqlite::Result<Self> {
        let deadline = Self(Arc::new(AtomicU64::new(NEVER)));
        let its = deadline.clone();
        connection.progress_handler(STEPS, Some(move || its.has_passed()))?;
        Ok(deadline)
    }

    /// What begins now has this long; without a limit, as long as it takes.
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
