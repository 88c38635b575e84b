//! Entries and events.

mod duties;
mod entries;
