//! API operations for the journal.

mod bodies;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod ledger_accounts;
