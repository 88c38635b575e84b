//! Account settings.

mod company;
