//! API operations for the account.

pub(crate) mod account;
