//! How the account is set.

mod company;
