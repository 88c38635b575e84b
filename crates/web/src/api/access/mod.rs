//! What programs are sent: webhooks.

pub(crate) mod webhooks;
