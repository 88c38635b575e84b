//! The API of the account.

pub(crate) mod account;
