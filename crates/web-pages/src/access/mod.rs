//! Pages that manage API access to the books.

pub(crate) mod api_access;
pub(crate) mod consent;
mod webhooks;
