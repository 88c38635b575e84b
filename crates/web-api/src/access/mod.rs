//! What programs are sent, and where they try things out: webhooks, and the test account.

pub(crate) mod test_account;
pub mod webhooks;
