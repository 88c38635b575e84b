//! Entries and events.

mod bookkeeping;
mod entries;
mod events;
mod opening_items;
mod unusual_days;
