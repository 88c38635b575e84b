//! For tests: observes the statements sent to the database.

use crate::param::Param;
use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// A statement sent to the database.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'s> {
    /// SQL as written in the program.
    pub sql: &'s str,
    /// Parameters.
    pub params: &'s [Param<'s>],
    /// Whether the engine is PostgreSQL.
    pub postgres: bool,
    /// Number of the statement's transaction within the process, from 1.
    pub transaction: u64,
}

static OBSERVER: OnceLock<fn(&Sent<'_>)> = OnceLock::new();
static TRANSACTIONS: AtomicU64 = AtomicU64::new(1);

/// Reports all further statements to `observer`. Only the first call in a process has an effect.
pub fn statements(observer: fn(&Sent<'_>)) {
    // Setting it fails if there is an observer already.
    let _ = OBSERVER.set(observer);
}

pub(crate) fn sent(statement: &Sent<'_>) {
    if let Some(observer) = OBSERVER.get() {
        observer(statement);
    }
}

pub(crate) fn next_transaction() -> u64 {
    TRANSACTIONS.fetch_add(1, Ordering::Relaxed)
}
