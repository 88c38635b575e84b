//! Re-exports for handlers of pages.

pub use super::{
    context::PageContext,
    extractors::{Answer, Authenticated, RecentlyAuthenticated},
    headers::policy,
    render::see_other,
};
