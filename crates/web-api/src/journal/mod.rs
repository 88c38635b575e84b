//! API operations for the journal.

pub(crate) mod bank_accounts;
pub(crate) mod bank_lines;
pub(crate) mod bank_rules;
pub(crate) mod bank_statements;
pub(crate) mod bank_suggestions;
mod bodies;
pub(crate) mod entries;
pub(crate) mod entry_lines;
pub(crate) mod events;
pub(crate) mod ledger_accounts;
