//! Around every POST of the API: the header `Idempotency-Key`. [`web_api::once`] says what becomes of it.

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

/// Around every POST: notes the key of a request that has one.
pub(super) async fn remember(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let Some(key) = key(request.headers())? else { return Ok(next.run(request).await) };
    let path = request.uri().path_and_query().map_or("", |path| path.as_str()).to_owned();
    let asked = Asked::new(cx.actor.account, key, path, cx.env.now);
    let response = asked.during(next.run(request)).await;
    // What was carried out changed the books: the same request may be refused by now before it comes to its command.
    let refused = [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY];
    match asked.keyed().filter(|_| refused.contains(&response.status())) {
        None => Ok(response),
        Some(keyed) => {
            let known = app.query(cx.actor.account, move |tx| idempotency::known(tx, &keyed)).await?;
            Ok(known.map_or(response, |kept| Reply::again(kept).into_response()))
        }
    }
}

/// The key of a request: visible ASCII characters, taken as they are.
fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let invalid = |code, message: String| Problem::invalid([FaultAt::parameter(HEADER, code, message)]);
    if values.next().is_some() {
        return Err(invalid("too_many", format!("send the header {HEADER} once")));
    }
    if value.len() > LONGEST {
        return Err(invalid("too_long", format!("use at most {LONGEST} characters in the header {HEADER}")));
    }
    let key = value.to_str().ok().filter(|key| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()));
    match key {
        Some(key) => Ok(Some(key.to_owned())),
        None => {
            let message = format!("write 1 to {LONGEST} visible ASCII characters, without spaces, in the header {HEADER}");
            Err(invalid("invalid_format", message))
        }
    }
}
