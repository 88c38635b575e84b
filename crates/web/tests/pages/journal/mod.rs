//! Entries and events.

mod entries;
