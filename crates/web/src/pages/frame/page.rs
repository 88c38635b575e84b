//! What the handler of a page uses, in one place.

pub(crate) use super::{
    context::PageContext,
    extractors::{Answer, Authenticated, RecentlyAuthenticated},
    headers::policy,
    render::see_other,
};
