//! API operations for the journal.

pub(crate) mod bank_accounts;
mod bodies;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod ledger_accounts;
