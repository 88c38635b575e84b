//! Programs with access: webhooks, and operations of the test account.

pub(crate) mod test_account;
pub mod webhooks;
