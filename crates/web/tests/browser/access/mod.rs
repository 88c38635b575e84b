//! What programs may do, and by what.

mod api_access;
mod consent;
