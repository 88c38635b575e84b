//! Tables of what programs may do: API keys, OAuth, recent calls.

pub mod api_calls;
pub mod idempotency;
pub mod keys;
pub mod oauth;
