//! What an engine is doing just now, for whoever watches over it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// What an engine is doing just now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Status {
    /// Commands and questions that wait for their turn.
    pub commands_waiting: usize,
    /// Lists that wait for theirs.
    pub lists_waiting: usize,
    /// Connections to the database.
    pub connections_open: usize,
    /// Of these, those that are at work.
    pub connections_busy: usize,
    /// Whether commands could not be committed the last time, though the database can be read: its disk is full, or takes nothing.
    pub reads_only: bool,
}

/// A number of things that are there just now.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counted(Arc<AtomicUsize>);

impl Counted {
    /// One more, until it is dropped.
    pub(crate) fn one(&self) -> One {
        self.0.fetch_add(1, Ordering::Relaxed);
        One(Arc::clone(&self.0))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// One of those that are counted.
#[derive(Debug)]
pub(crate) struct One(Arc<AtomicUsize>);

impl Drop for One {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
