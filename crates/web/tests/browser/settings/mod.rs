//! How the account is set.

mod details;
