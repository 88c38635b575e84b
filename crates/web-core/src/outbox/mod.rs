//! The outbox: mails, and messages to webhooks (`webhooks/`), wait in the database, and each node sends those that it takes.

mod account_mails;
mod background;
pub mod webhooks;
mod worker;

pub use account_mails::AccountMails;

use std::sync::atomic::AtomicUsize;
use tokio::sync::Notify;

/// What a node has of the outbox in memory.
pub struct Outbox {
    /// By what this node is known on its leases.
    node: String,
    /// What is done in the background and may put mails into the outbox.
    under_way: AtomicUsize,
    wake: Notify,
    /// One round at once.
    round: tokio::sync::Mutex<()>,
}

impl Outbox {
    /// Creates the outbox of a node.
    pub fn new(node: String) -> Self {
        Self { node, under_way: AtomicUsize::new(0), wake: Notify::new(), round: tokio::sync::Mutex::new(()) }
    }

    /// By what this node is known on its leases.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Lets the worker look at once.
    pub fn wake(&self) {
        self.wake.notify_one();
    }
}
