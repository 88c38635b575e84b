//! Page context of a request, cookies set with the response, and responses to unknown paths.

use crate::{
    context::{PageContext, Secret, Visit},
    done, error_page,
    extractors::Answer,
    headers::set_default_headers,
    render::see_other,
    return_to,
    session::{self, Stage},
    table,
    texts::{self, Texts},
};
use axum::{
    extract::{Request, State},
    http::{Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use std::sync::{Arc, OnceLock};
use web_core::{
    AppState,
    cookies::Cookies,
    problem::{self, Problem},
};

/// Answers 404; a path with a trailing slash redirects to the path without it.
pub async fn not_found(State(app): State<AppState>, request: Request) -> Response {
    if let Some(there) = without_slash(&request) {
        return (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, there)]).into_response();
    }
    respond_with(app, request, problem::unknown_route().await).await
}

/// Redirect target for a path with a trailing slash.
fn without_slash(request: &Request) -> Option<String> {
    let path = request
        .uri()
        .path()
        .strip_suffix('/')
        .filter(|path| !path.is_empty() && !path.starts_with("/api"))?;
    let there =
        request.uri().query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    (is_read && return_to::local(&there).is_some()).then_some(there)
}

/// Answers 405: the path does not support the method.
pub async fn method_not_allowed(State(app): State<AppState>, request: Request) -> Response {
    let problem = problem::method_not_allowed(request.method().clone()).await;
    respond_with(app, request, problem).await
}

/// Responds with an error page, which includes the menu for signed-in users.
async fn respond_with(app: AppState, request: Request, problem: Problem) -> Response {
    if !error_page::is_rendered_as_page(request.uri().path()) {
        return problem.into_response();
    }
    let (parts, _) = request.into_parts();
    let mut response = match find(app, &parts).await {
        Ok(page) => page.finish(problem.into_response()),
        Err(answer) => answer.into_response(),
    };
    set_default_headers(response.headers_mut());
    response
}

/// Builds the page context of a request.
///
/// # Errors
/// The response to return instead: a redirect after a change of language, or a failure to look up
/// the session.
pub async fn find(app: AppState, parts: &Parts) -> Result<PageContext, Answer> {
    let cookies = app.cookies();
    if parts.method == Method::GET
        && let Some(answer) = switch_language(cookies, &parts.uri)
    {
        return Err(Answer::of(answer));
    }
    let came =
        cookies.read_session(&parts.headers).filter(|value| is_secret(value)).map(str::to_owned);
    let known = match &came {
        Some(token) => session::find(&app, token)
            .await
            .map_err(|trouble| Answer::of(Problem::from(trouble)))?,
        None => None,
    };
    // The account's language cannot be changed before the second factor has been entered, so the
    // browser's choice applies until then.
    let set = known
        .as_ref()
        .filter(|known| known.session.stage == Stage::SignedIn)
        .and_then(session::language);
    let texts = set.unwrap_or_else(|| texts::chosen(cookies, &parts.headers));
    let flash = done::message_from(cookies, &parts.uri, &parts.headers);
    let secret = Secret { came, drawn: OnceLock::new() };
    let shown_at = (parts.method == Method::POST).then(|| table::shown(parts.uri.path()));
    let visit = Arc::new(Visit { address: parts.uri.clone(), shown_at, known, flash, secret });
    Ok(PageContext { app, visitor: session::visitor(parts), texts, visit })
}

/// Whether a cookie value has the format of a session token or a visitor's secret.
fn is_secret(value: &str) -> bool {
    value.len() == 43
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Stores the language from `?lang=nl` or `?lang=en` in a cookie, and redirects to the page without
/// that parameter.
fn switch_language(cookies: Cookies, address: &Uri) -> Option<Response> {
    let query = address.query()?;
    let (chosen, rest): (Vec<&str>, Vec<&str>) =
        query.split('&').partition(|pair| pair.starts_with("lang="));
    let texts = Texts::of_tag(chosen.last()?.strip_prefix("lang=")?)?;
    let there = if rest.is_empty() {
        address.path().to_owned()
    } else {
        format!("{}?{}", address.path(), rest.join("&"))
    };
    let mut response = see_other(return_to::local(&there).unwrap_or("/"));
    response.headers_mut().append(header::SET_COOKIE, cookies.language(texts.tag()));
    Some(response)
}

impl PageContext {
    /// Adds the page's cookies: the secret to which its forms are bound, if the browser has none
    /// yet, and the removal of a flash message that has been shown.
    pub fn finish(&self, mut response: Response) -> Response {
        // The outermost layer uses this context if it has to render an error page.
        response.extensions_mut().insert(self.clone());
        if let Some(drawn) = self.visit.secret.drawn.get()
            && !response.headers().contains_key(header::SET_COOKIE)
        {
            response.headers_mut().append(header::SET_COOKIE, self.app.cookies().session(drawn));
        }
        if self.visit.flash.is_some() && !response.status().is_redirection() {
            response.headers_mut().append(header::SET_COOKIE, self.app.cookies().no_done());
        }
        response
    }

    /// Whether the session ended while the request ran: it was revoked, or its account was closed.
    pub async fn has_ended(&self) -> bool {
        let (Some(_), Some(token)) = (&self.visit.known, &self.visit.secret.came) else {
            return false;
        };
        matches!(session::find(&self.app, token).await, Ok(None))
    }
}
