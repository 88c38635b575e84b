//! Re-exports for page handlers.

pub use super::{
    context::PageContext,
    extractors::{Answer, Authenticated, RecentlyAuthenticated},
    headers::policy,
    render::see_other,
};
