//! The journal: entries, events and manual entries, and the verification of the books.

pub mod audit_files;
pub mod bank_accounts;
pub mod bank_allocations;
pub mod bank_booking;
pub mod bank_lines;
pub mod bank_mappings;
pub mod bank_repeats;
pub mod bank_rule_runs;
pub mod bank_rules;
pub mod bank_statements;
pub mod bank_suggestions;
pub mod days;
pub mod duties;
pub mod entries;
pub mod events;
pub mod ledger_accounts;
pub mod ledger_cards;
pub mod manual_entries;
pub mod open_items;
pub mod source_documents;
pub mod unresolved;
pub mod verify;
