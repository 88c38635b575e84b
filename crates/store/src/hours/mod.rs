//! Tables of hours: projects, time entries, hours log, timer.

pub mod projects;
pub mod time;
pub mod timers;
