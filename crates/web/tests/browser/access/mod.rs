//! API keys and connected applications.

mod api_access;
mod consent;
