//! Journal: entries, events, opening balance.

mod bank_abuse;
mod bank_accounts;
mod bank_booking;
mod bank_expenses;
mod bank_rules;
mod bank_statements;
mod bank_suggestions;
mod bank_transfers;
mod bank_undo;
mod bookkeeping;
mod entries;
mod events;
mod ledger_accounts;
mod opening_items;
mod unusual_days;
#[path = "../../../../bank-files/tests/files/writers.rs"]
mod writers;
