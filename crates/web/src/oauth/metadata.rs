//! Metadata for discovery: about the authorization server (RFC 8414), and about the API as a
//! protected resource (RFC 9728).

use super::{AUTHORIZE, REVOKE, TOKEN};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use web_core::AppState;

pub(super) const SERVER_METADATA: &str = "/.well-known/oauth-authorization-server";

/// Methods of client authentication at the token and revocation endpoints.
const CLIENT_AUTHENTICATION: &[&str] = &["client_secret_basic", "client_secret_post"];

pub(super) async fn server(State(app): State<AppState>) -> Response {
    let issuer = &app.config().base_url;
    document(&json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}{AUTHORIZE}"),
        "token_endpoint": format!("{issuer}{TOKEN}"),
        "revocation_endpoint": format!("{issuer}{REVOKE}"),
        "scopes_supported": ["read", "write", "file"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        // The default, if this field were absent, would include the implicit grant (RFC 8414,
        // section 2).
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": CLIENT_AUTHENTICATION,
        "revocation_endpoint_auth_methods_supported": CLIENT_AUTHENTICATION,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "service_documentation": format!("{issuer}/docs/integrating"),
    }))
}

pub(super) async fn resource(State(app): State<AppState>) -> Response {
    let origin = &app.config().base_url;
    document(&json!({
        "resource": origin,
        "authorization_servers": [origin],
        "scopes_supported": ["read", "write", "file"],
        "bearer_methods_supported": ["header"],
        "resource_name": "grootboek",
        "resource_documentation": format!("{origin}/docs/integrating"),
    }))
}

fn document(document: &Value) -> Response {
    (
        [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "public, max-age=3600"),
        ],
        document.to_string(),
    )
        .into_response()
}
