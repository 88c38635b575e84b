//! `POST /api/oauth/revoke`: an application gives back a token (RFC 7009).

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
    // A hint of what kind it is would only save a search, and the token itself tells (RFC 7009, section 2.1).
    form.field("token_type_hint")?;
    app.execute(Lane::NO_ACCOUNT, move |tx| tokens::revoke(tx, &env, &client, &token)).await?;
    // The RFC wants no body, but widely used clients read one as JSON.
    Ok(Json(json!({})))
}
