//! Authentication: an API key in `X-API-Key`, or an access token in `Authorization: Bearer`.

use axum::http::{HeaderMap, header};
use service::{
    AccessError, Actor, Environment, Error, access, actor::Credential, oauth::tokens,
    secrets::SecretKind,
};
use store::{Lane, Tx};
use web_core::urls::RESOURCE_METADATA;
use web_core::{AppState, ReadContext, catalogue, problem::Problem};

/// Authenticates the caller. The request can continue in the returned snapshot, in which the
/// credentials were found.
pub async fn authenticate(
    app: &AppState,
    env: &Environment,
    headers: &HeaderMap,
) -> Result<(Actor, ReadContext), Problem> {
    let mut keys = headers.get_all("x-api-key").iter();
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    match (keys.next(), authorizations.next()) {
        (Some(_), Some(_)) => Err(Problem::new(
            catalogue::MULTIPLE_CREDENTIALS,
            "Send either X-API-Key or Authorization, not both.",
        )),
        (Some(key), None) => {
            let once = keys.next().is_none();
            let hash = key
                .to_str()
                .ok()
                .filter(|_| once)
                .and_then(access::recognise)
                .ok_or_else(invalid_key)?;
            find(app, move |tx| access::authenticate(tx, &hash)).await?.ok_or_else(invalid_key)
        }
        (None, Some(value)) => {
            let Some(token) = bearer(value.as_bytes()) else {
                return Err(not_bearer(app, value.as_bytes()));
            };
            let once = authorizations.next().is_none();
            let hash = std::str::from_utf8(token).ok().filter(|_| once).and_then(tokens::recognise);
            let hash = hash.ok_or_else(|| invalid_token(app, token))?;
            let env = env.clone();
            find(app, move |tx| tokens::authenticate_bearer(tx, &env, &hash))
                .await?
                .ok_or_else(|| invalid_token(app, token))
        }
        (None, None) => Err(missing(app)),
    }
}

/// Looks up the credentials.
async fn find<F>(app: &AppState, query: F) -> Result<Option<(Actor, ReadContext)>, Problem>
where
    F: FnMut(&mut Tx<'_>) -> Result<Option<Actor>, Error> + Send + 'static,
{
    let books = ReadContext::new(app)?;
    let actor = books.query(Lane::NO_ACCOUNT.single(), query).await?;
    Ok(actor.map(|actor| (actor, books)))
}

/// Returns the token after the scheme `Bearer`, which is case-insensitive (RFC 9110, section 11.1).
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

/// Returns the problem for an `Authorization` header without a bearer token. Its detail helps a
/// caller who put an API key there.
fn not_bearer(app: &AppState, value: &[u8]) -> Problem {
    if value.starts_with(b"gb_") {
        let detail = "Authorization must begin with Bearer, before an access token; an API key goes into the header X-API-Key.";
        return unknown(app, detail);
    }
    if value.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"basic ")) {
        let detail = "Authorization: Basic (curl -u) is not read here; an API key goes into the header X-API-Key.";
        return unknown(app, detail);
    }
    missing(app)
}

fn missing(app: &AppState) -> Problem {
    unknown(
        app,
        "Send an API key in the header X-API-Key, or an access token as Authorization: Bearer; a key is made on the page /api-access.",
    )
}

fn unknown(app: &AppState, detail: &str) -> Problem {
    Problem::new(catalogue::MISSING_CREDENTIALS, detail)
        .with_header(header::WWW_AUTHENTICATE, "ApiKey realm=\"grootboek\"")
        // The challenge has no `error`, because the request has no credentials (RFC 6750, section
        // 3.1).
        .with_header(header::WWW_AUTHENTICATE, &challenge(app, ""))
}

fn invalid_key() -> Problem {
    Problem::new(
        catalogue::INVALID_API_KEY,
        "The API key is mistyped, unknown or revoked; send a valid key, whole and once, in the header X-API-Key.",
    )
    .with_header(header::WWW_AUTHENTICATE, "ApiKey realm=\"grootboek\"")
}

fn invalid_token(app: &AppState, token: &[u8]) -> Problem {
    let detail = if [SecretKind::Key, SecretKind::TestKey]
        .iter()
        .any(|kind| token.starts_with(kind.prefix().as_bytes()))
    {
        "This is an API key: send it in the header X-API-Key, not as a bearer token."
    } else {
        "The access token is unknown, expired or revoked; refresh it or let the user connect again."
    };
    Problem::new(catalogue::INVALID_TOKEN, detail)
        .with_header(header::WWW_AUTHENTICATE, &challenge(app, ", error=\"invalid_token\""))
}

/// Returns the problem for a request whose credentials were revoked while it ran.
pub fn ended(app: &AppState, credential: &Credential) -> Problem {
    match credential {
        Credential::Grant(_) => invalid_token(app, b""),
        Credential::Key(_) | Credential::Owner => invalid_key(),
    }
}

/// Returns the problem for a request that lacks a scope. An application also gets a challenge that
/// names the scope to request (RFC 6750, section 3.1).
pub fn lacks_scope(app: &AppState, actor: &Actor, error: Error) -> Problem {
    let scope =
        if let Error::Access(AccessError::InsufficientScope(scope)) = &error { *scope } else { "" };
    let problem = Problem::from(error);
    match actor.credential {
        Credential::Grant(_) => {
            let error = format!(", error=\"insufficient_scope\", scope=\"{scope}\"");
            problem.with_header(header::WWW_AUTHENTICATE, &challenge(app, &error))
        }
        Credential::Key(_) | Credential::Owner => problem,
    }
}

/// Returns the challenge, with the URL of the resource metadata (RFC 9728, section 5.1).
fn challenge(app: &AppState, error: &str) -> String {
    format!(
        "Bearer realm=\"grootboek\"{error}, resource_metadata=\"{}{RESOURCE_METADATA}\"",
        app.config().base_url
    )
}
