//! Messages to webhooks go to wherever an account wants them. What an account says of its webhooks comes in through the interfaces:
//! `api/access/webhooks.rs`, `pages/access/webhooks.rs`.

pub(crate) mod sender;
pub(crate) mod sending;
mod worker;
