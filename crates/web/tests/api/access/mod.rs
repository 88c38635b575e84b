//! What programs may do, and by what.

mod calls;
mod permissions;
mod shared_limits;
mod webhook_targets;
mod webhooks;
