//! Account settings.

mod details;
