//! Current load of an engine, for monitoring.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Current load of an engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Status {
    /// Number of waiting commands and queries.
    pub commands_waiting: usize,
    /// Number of waiting list queries (scans).
    pub lists_waiting: usize,
    /// Number of open connections to the database.
    pub connections_open: usize,
    /// Number of connections in use.
    pub connections_busy: usize,
    /// Whether the last commit failed although the database can be read: the disk is full or not
    /// writable.
    pub reads_only: bool,
}

/// A count of live objects.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted(Arc<AtomicUsize>);

impl Counted {
    /// Adds one to the count until the returned value is dropped.
    pub(crate) fn one(&self) -> One {
        self.0.fetch_add(1, Ordering::Relaxed);
        One(Arc::clone(&self.0))
    }

    /// Current count.
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Keeps one object counted until dropped.
#[derive(Debug)]
pub(crate) struct One(Arc<AtomicUsize>);

impl Drop for One {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
