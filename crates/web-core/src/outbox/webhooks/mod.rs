//! Delivery of webhook messages. Webhooks are configured through
//! `web-api/src/access/webhooks.rs` and `web-pages/src/access/webhooks.rs`.

pub mod sender;
pub mod sending;
pub mod settings;
