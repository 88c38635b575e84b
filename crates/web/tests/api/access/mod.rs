//! Access for programs: API keys, rate limits, call log, webhooks.

mod calls;
mod permissions;
mod shared_limits;
mod webhook_targets;
mod webhooks;
