//! What programs may do: API keys, applications connected by OAuth, and the secrets that they show.

pub mod idempotency;
mod keys;
pub mod oauth;
pub mod secrets;

pub use keys::{NewKey, Use, authenticate, create_key, is_first_since, last_calls, list_keys, note_calls, recognise, revoke_key};
