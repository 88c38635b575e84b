//! Tables for hours: projects, time entries, hours log and timer.

pub mod projects;
pub mod time;
pub mod timers;
