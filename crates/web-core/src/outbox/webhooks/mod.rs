//! Delivery of webhook messages. The configuration of webhooks comes in through
//! `web-api/src/access/webhooks.rs` and `web-pages/src/access/webhooks.rs`.

pub mod sender;
pub mod sending;
pub mod settings;
