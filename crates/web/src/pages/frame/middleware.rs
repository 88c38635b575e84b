//! Around every page: finds out who visits, reads the form of a POST, adds the headers. A handler cannot forget it.

use super::read_form::takes_files;
use crate::{
    AppState,
    cookies::Cookies,
    pages::{
        context::{PageContext, Secret, Visit},
        done, error_page,
        extractors::Answer,
        headers::set_default_headers,
        render::see_other,
        return_to,
        session::{self, Stage},
        table,
        texts::{self, Texts},
    },
    problem::{self, Problem},
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{Method, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::{Arc, OnceLock};

/// Finds out who comes, lets only our own forms in, and adds the headers of every page.
pub(crate) async fn middleware(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = match begin(app, request).await {
        Ok((page, request)) => {
            let response = next.run(request).await;
            if response.extensions().get::<Problem>().is_some() && page.has_ended().await {
                see_other(&return_to::with_next("/login", page.path_and_query()))
            } else {
                page.finish(response)
            }
        }
        Err(answer) => answer.into_response(),
    };
    set_default_headers(response.headers_mut());
    response
}

/// Nothing is at the address, unless without the slash at its end.
pub(crate) async fn not_found(State(app): State<AppState>, request: Request) -> Response {
    if let Some(there) = without_slash(&request) {
        return (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, there)]).into_response();
    }
    respond_with(app, request, problem::unknown_route().await).await
}

/// Where to go from an address that a person typed with a slash at its end.
fn without_slash(request: &Request) -> Option<String> {
    let path = request.uri().path().strip_suffix('/').filter(|path| !path.is_empty() && !path.starts_with("/api"))?;
    let there = request.uri().query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    (is_read && return_to::local(&there).is_some()).then_some(there)
}

/// What is at the address does not know the method.
pub(crate) async fn method_not_allowed(State(app): State<AppState>, request: Request) -> Response {
    let problem = problem::method_not_allowed(request.method().clone()).await;
    respond_with(app, request, problem).await
}

/// Where no page answers; whoever is signed in sees it with their menu beside it.
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

async fn find(app: AppState, parts: &Parts) -> Result<PageContext, Answer> {
    let cookies = app.cookies();
    if parts.method == Method::GET
        && let Some(answer) = switch_language(cookies, &parts.uri)
    {
        return Err(Answer::of(answer));
    }
    let came = cookies.read_session(&parts.headers).filter(|value| is_secret(value)).map(str::to_owned);
    let known = match &came {
        Some(token) => session::find(&app, token).await.map_err(|trouble| Answer::of(Problem::from(trouble)))?,
        None => None,
    };
    // Whose second factor is waited for cannot change the account's language yet: what they choose here counts.
    let set = known.as_ref().filter(|known| known.session.stage == Stage::SignedIn).and_then(session::language);
    let texts = set.unwrap_or_else(|| texts::chosen(cookies, &parts.headers));
    let flash = done::message_from(cookies, &parts.uri, &parts.headers);
    let secret = Secret { came, drawn: OnceLock::new() };
    let shown_at = (parts.method == Method::POST).then(|| table::shown(parts.uri.path()));
    let visit = Arc::new(Visit { address: parts.uri.clone(), shown_at, known, flash, secret });
    Ok(PageContext { app, visitor: session::visitor(parts), texts, visit })
}

async fn begin(app: AppState, request: Request) -> Result<(PageContext, Request), Answer> {
    let (mut parts, body) = request.into_parts();
    let page = find(app, &parts).await?;
    // No page knows another method that changes something; the router refuses them.
    if parts.method == Method::POST {
        let content_type = parts.headers.get(header::CONTENT_TYPE).map_or(&b""[..], |kind| kind.as_bytes());
        let has_files = content_type.get(..9).is_some_and(|kind| kind.eq_ignore_ascii_case(b"multipart"));
        if has_files && takes_files(page.path()) && page.signed_in().is_none() {
            let form = page.read_form(&parts.headers, body).await.ok().filter(|_| page.awaiting_second_factor().is_none());
            let there = || see_other(&return_to::with_next("/login", page.path_and_query()));
            return Err(Answer::of(match form.and_then(|form| page.sign_in_again(&form)) {
                Some(again) => page.finish(again.into_response()),
                None => page.nothing_saved(there()),
            }));
        }
        let form =
            page.read_form(&parts.headers, body).await.map_err(|problem| Answer::of(page.finish(problem.into_response())))?;
        parts.extensions.insert(form);
        parts.extensions.insert(page.clone());
        return Ok((page, Request::from_parts(parts, Body::empty())));
    }
    parts.extensions.insert(page.clone());
    Ok((page, Request::from_parts(parts, body)))
}

/// Whether it has the form of a session's token or a visitor's secret.
fn is_secret(value: &str) -> bool {
    value.len() == 43 && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// `?lang=nl` and `?lang=en` on any page are remembered by the browser; then the page is shown without it.
fn switch_language(cookies: Cookies, address: &Uri) -> Option<Response> {
    let query = address.query()?;
    let (chosen, rest): (Vec<&str>, Vec<&str>) = query.split('&').partition(|pair| pair.starts_with("lang="));
    let texts = Texts::of_tag(chosen.last()?.strip_prefix("lang=")?)?;
    let there = if rest.is_empty() { address.path().to_owned() } else { format!("{}?{}", address.path(), rest.join("&")) };
    let mut response = see_other(return_to::local(&there).unwrap_or("/"));
    response.headers_mut().append(header::SET_COOKIE, cookies.language(texts.tag()));
    Some(response)
}

impl PageContext {
    /// Gives the browser the secret that the page's forms are bound to, where it has none yet.
    fn finish(&self, mut response: Response) -> Response {
        // For a failure, which is put into words by the outermost layer.
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

    /// Whether somebody came with a session that is gone by now: it was ended, or its account closed, in that moment.
    async fn has_ended(&self) -> bool {
        let (Some(_), Some(token)) = (&self.visit.known, &self.visit.secret.came) else { return false };
        matches!(session::find(&self.app, token).await, Ok(None))
    }
}
