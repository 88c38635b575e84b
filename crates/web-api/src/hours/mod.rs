//! The API of hours.

pub(crate) mod hours_log;
pub(crate) mod projects;
pub(crate) mod time_entries;
pub(crate) mod timer;
