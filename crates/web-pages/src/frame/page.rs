//! What the handler of a page uses, in one place.

pub use super::{
    context::PageContext,
    extractors::{Answer, Authenticated, RecentlyAuthenticated},
    headers::policy,
    render::see_other,
};
