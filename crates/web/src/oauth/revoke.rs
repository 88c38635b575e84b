//! `POST /api/oauth/revoke`: revokes a token (RFC 7009).

use super::{OauthError, client_auth, form::Form};
use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, Uri},
};
use serde_json::{Value, json};
use service::{environment::Visitor, oauth::tokens};
use store::Lane;
use web_core::{AppState, address::ClientAddress};

pub(super) async fn revoke(
    State(app): State<AppState>,
    address: ClientAddress,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, OauthError> {
    let form = Form::read(&uri, &headers, body).await?;
    let env = app.environment(Visitor::new(&address.to_string(), ""));
    let client = client_auth::authenticate(&app, &env, &headers, &form).await?;
    let token = form.required("token")?.to_owned();
    // The hint is read but not used: it could only save a lookup, and the token itself reveals its
    // type (RFC 7009, section 2.1).
    form.field("token_type_hint")?;
    app.execute(Lane::NO_ACCOUNT, move |tx| tokens::revoke(tx, &env, &client, &token)).await?;
    // The RFC requires no body, but an empty object suits widely used clients that parse JSON.
    Ok(Json(json!({})))
}
