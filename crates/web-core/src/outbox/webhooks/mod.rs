//! Messages to webhooks go to wherever an account wants them. What an account says of its webhooks comes in through the interfaces:
//! `web-api/src/access/webhooks.rs`, `web-pages/src/access/webhooks.rs`.

pub mod sender;
pub mod sending;
pub mod settings;
