//! Webhooks: messages go to wherever an account wants them.

pub mod sender;
pub(crate) mod sending;
mod worker;
