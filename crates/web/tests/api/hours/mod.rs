//! Projects and hours.

mod edits;
mod lists;
mod projects;
mod time;
mod timer;
