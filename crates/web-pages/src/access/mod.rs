//! Pages by which people let programs into their books.

pub(crate) mod api_access;
pub(crate) mod consent;
mod webhooks;
