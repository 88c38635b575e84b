//! OAuth 2.0 endpoints for partner applications: those opened in a browser, and those called by the
//! applications' servers.

pub use web_core::authorization as authorize;
mod client_auth;
mod error;
mod form;
mod metadata;
mod revoke;
mod token;

pub(crate) use error::{OauthError, OauthErrorCode};

use axum::{
    Router,
    routing::{get, post},
};
use web_core::{AppState, urls::RESOURCE_METADATA};

/// Path prefix of endpoints whose errors follow RFC 6749, section 5.2 instead of problem documents,
/// because clients expect that.
pub(crate) const PREFIX: &str = "/api/oauth/";
pub(crate) const AUTHORIZE: &str = "/oauth/authorize";
const TOKEN: &str = "/api/oauth/token";
const REVOKE: &str = "/api/oauth/revoke";

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route(TOKEN, post(token::token))
        .route(REVOKE, post(revoke::revoke))
        .route(metadata::SERVER_METADATA, get(metadata::server))
        .route(RESOURCE_METADATA, get(metadata::resource))
}
