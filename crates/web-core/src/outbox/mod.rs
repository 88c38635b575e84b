//! The outbox: emails and webhook messages (`webhooks/`) are queued in the database, and each node
//! sends those that it has leased.

mod account_mails;
mod background;
mod bank_rules;
pub mod due_work;
mod letters;
pub mod webhooks;
mod worker;

pub use account_mails::AccountMails;
pub(crate) use letters::letters;

use std::sync::atomic::AtomicUsize;
use tokio::sync::Notify;

/// In-memory outbox state of a node.
pub struct Outbox {
    /// Name of this node in its leases.
    node: String,
    /// Number of running background tasks, which may queue emails.
    under_way: AtomicUsize,
    wake: Notify,
    /// Lock that allows one round of deliveries at a time.
    round: tokio::sync::Mutex<()>,
}

impl Outbox {
    /// Creates the outbox of a node.
    pub fn new(node: String) -> Self {
        Self {
            node,
            under_way: AtomicUsize::new(0),
            wake: Notify::new(),
            round: tokio::sync::Mutex::new(()),
        }
    }

    /// Name of this node in its leases.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Wakes the worker.
    pub fn wake(&self) {
        self.wake.notify_one();
    }
}
