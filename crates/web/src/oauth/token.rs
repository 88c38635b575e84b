//! `POST /api/oauth/token`: exchanges a code or a refresh token for new tokens (RFC 6749, sections
//! 4.1.3, 5 and 6).

use super::{OauthError, client_auth, error::NEVER_STORED, form::Form};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, Uri},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use service::{
    Environment,
    environment::Visitor,
    oauth::{
        clients::Client,
        tokens::{self, Exchange, Issued},
    },
};
use store::Lane;
use web_core::{AppState, address::ClientAddress};

/// Successful response (RFC 6749, section 5.1).
#[derive(Serialize)]
struct TokenBody {
    access_token: String,
    token_type: &'static str,
    expires_in: i64,
    refresh_token: String,
    scope: &'static str,
}

pub(super) async fn token(
    State(app): State<AppState>,
    address: ClientAddress,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, OauthError> {
    let form = Form::read(&uri, &headers, body).await?;
    let env = app.environment(Visitor::new(&address.to_string(), ""));
    let client = client_auth::authenticate(&app, &env, &headers, &form).await?;
    let issued = match form.required("grant_type")? {
        "authorization_code" => exchange(&app, env, client, &form).await?,
        "refresh_token" => refresh(&app, env, client, &form).await?,
        _ => return Err(OauthError::unsupported_grant_type()),
    };
    let body = TokenBody {
        access_token: issued.access_token,
        token_type: "Bearer",
        expires_in: issued.expires_in,
        refresh_token: issued.refresh_token,
        scope: issued.scopes.as_str(),
    };
    // Strings and an integer always serialise.
    Ok((NEVER_STORED, serde_json::to_string(&body).unwrap_or_default()).into_response())
}

async fn exchange(
    app: &AppState,
    env: Environment,
    client: Client,
    form: &Form,
) -> Result<Issued, OauthError> {
    let request = Exchange {
        code: form.required("code")?.to_owned(),
        redirect_uri: form.required("redirect_uri")?.to_owned(),
        verifier: form.required("code_verifier")?.to_owned(),
    };
    Ok(app
        .execute(Lane::NO_ACCOUNT, move |tx| tokens::exchange(tx, &env, &client, &request))
        .await??)
}

async fn refresh(
    app: &AppState,
    env: Environment,
    client: Client,
    form: &Form,
) -> Result<Issued, OauthError> {
    let token = form.required("refresh_token")?.to_owned();
    let scope = form.field("scope")?.map(str::to_owned);
    Ok(app
        .execute(Lane::NO_ACCOUNT, move |tx| {
            tokens::refresh(tx, &env, &client, &token, scope.as_deref())
        })
        .await??)
}
