//! Access for programs: API keys, applications connected by OAuth, their secrets, and webhooks.

pub mod idempotency;
mod keys;
pub mod oauth;
pub mod secrets;
pub mod test_accounts;
pub mod webhook_targets;
pub mod webhooks;

pub use keys::{
    CreateKey, NewKey, Use, authenticate, create_key, is_first_since, last_calls, list_keys,
    recognise, record_calls, revoke_key,
};
