//! Tables of what programs may do: API keys, OAuth, webhooks, recent calls, how many calls.

pub mod api_calls;
pub mod idempotency;
pub mod keys;
pub mod oauth;
pub mod request_limits;
pub mod webhooks;
