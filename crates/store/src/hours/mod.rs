//! Tables of hours: projects, time entries, logged hours, the clock.

pub mod projects;
pub mod time;
pub mod timers;
