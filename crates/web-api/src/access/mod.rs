//! API operations for webhooks and for the test account.

pub(crate) mod test_account;
pub mod webhooks;
