//! Projects and hours.

mod time;
