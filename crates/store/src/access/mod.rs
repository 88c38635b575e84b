//! Tables of programmatic access: API keys, OAuth, webhooks, recent calls, rate limits,
//! idempotency.

pub mod api_calls;
pub mod idempotency;
pub mod keys;
pub mod oauth;
pub mod request_limits;
pub mod webhooks;
