//! Journal: entries, events, opening balance.

mod bookkeeping;
mod entries;
mod events;
mod opening_items;
mod unusual_days;
