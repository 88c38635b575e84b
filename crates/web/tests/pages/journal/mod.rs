//! Entries and events.

mod bank_accounts;
mod entries;
mod own_accounts;
