//! Middleware for POST requests to the API: the header `Idempotency-Key`. Replays are described in
//! [`web_api::once`].

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware::Next,
    response::{IntoResponse, Response},
};
use service::{Context, idempotency};
use web_api::reply::Reply;
use web_core::{
    AppState,
    http::keyed_request::{Asked, HEADER, LONGEST},
    problem::{FaultAt, Problem},
};

/// Records the idempotency key of a request, if it has one.
pub(super) async fn remember(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let Some(key) = key(request.headers())? else { return Ok(next.run(request).await) };
    let path = request.uri().path_and_query().map_or("", |path| path.as_str()).to_owned();
    let keyed_request = Asked::new(cx.actor.account, key, path, cx.env.now);
    let response = keyed_request.during(next.run(request)).await;
    // The original request has changed the books, so a repeat may be rejected before it reaches its
    // command. The stored response then replaces the rejection.
    let refused = [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY];
    match keyed_request.keyed().filter(|_| refused.contains(&response.status())) {
        None => Ok(response),
        Some(keyed) => {
            let known =
                app.query(cx.actor.account, move |tx| idempotency::known(tx, &keyed)).await?;
            Ok(known.map_or(response, |kept| Reply::again(kept).into_response()))
        }
    }
}

/// Returns the key of a request: visible ASCII characters, unchanged.
fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let invalid =
        |code, message: String| Problem::invalid([FaultAt::parameter(HEADER, code, message)]);
    if values.next().is_some() {
        return Err(invalid("too_many", format!("send the header {HEADER} once")));
    }
    if value.len() > LONGEST {
        return Err(invalid(
            "too_long",
            format!("use at most {LONGEST} characters in the header {HEADER}"),
        ));
    }
    let key = value
        .to_str()
        .ok()
        .filter(|key| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()));
    match key {
        Some(key) => Ok(Some(key.to_owned())),
        None => {
            let message = format!(
                "write 1 to {LONGEST} visible ASCII characters, without spaces, in the header {HEADER}"
            );
            Err(invalid("invalid_format", message))
        }
    }
}
