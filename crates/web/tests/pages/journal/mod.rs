//! Entries and events.

mod entries;
mod own_accounts;
