//! API operations for hours, projects and the timer.

pub(crate) mod hours_log;
pub(crate) mod projects;
pub(crate) mod time_entries;
pub(crate) mod timer;
