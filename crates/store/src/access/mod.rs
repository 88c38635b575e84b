//! Tables for programmatic access: API keys, OAuth, webhooks, recent calls, rate limits and
//! idempotency.

pub mod api_calls;
pub mod idempotency;
pub mod keys;
pub mod oauth;
pub mod request_limits;
pub mod webhooks;
