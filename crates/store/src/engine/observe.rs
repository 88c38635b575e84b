//! For tests: which statements are sent.

use crate::param::Param;
use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// A statement that is sent.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'s> {
    /// As the program writes it.
    pub sql: &'s str,
    /// Its parameters.
    pub params: &'s [Param<'s>],
    /// Whether it goes to PostgreSQL.
    pub postgres: bool,
    /// The number of its transaction, as this process counts them.
    pub transaction: u64,
}

static OBSERVER: OnceLock<fn(&Sent<'_>)> = OnceLock::new();
static TRANSACTIONS: AtomicU64 = AtomicU64::new(1);

/// Shows every statement to `observer` from now on; the first observer of a process stays.
pub fn statements(observer: fn(&Sent<'_>)) {
    // Another one is there already.
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
