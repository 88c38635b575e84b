//! `POST /api/oauth/revoke`: an application gives back a token (RFC 7009).

use super::{OauthError, client_auth, form::Form};
use crate::{App, address::ClientAddress};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
};
use service::oauth::tokens;

pub(super) async fn revoke(
    State(app): State<App>,
    address: ClientAddress,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, OauthError> {
    let form = Form::read(&uri, &headers, body).await?;
    let caller = client_auth::authenticate(&app, address, &headers, &form).await?;
    let token = form.required("token")?.to_owned();
    // A hint of what kind it is would only save a search, and the token itself tells (RFC 7009, section 2.1).
    form.field("token_type_hint")?;
    let (random, now) = (app.random(), app.now());
    app.write(move |tx| tokens::revoke(tx, &*random, now, &caller, &token)).await?;
    Ok(StatusCode::OK)
}
