//! What happens around every request: its id, its time limit, its headers, its line in the log.

use crate::{
    App,
    address::ClientAddress,
    api::CallerPlace,
    app::{Page, failure},
    calls::Call,
    catalogue,
    oauth::{self, OauthError, Told},
    problem::Problem,
};
use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Version, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use hyper::body::{Frame, SizeHint};
use service::actor::Credential;
use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tracing::info;

/// How long a request may take in all (contract, §9).
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Methods that are logged by their name; others are whatever a client wrote.
const STANDARD: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/// Headers that every answer carries.
const ALWAYS: &[(HeaderName, &str)] = &[
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
];

pub(crate) async fn around_every_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let request_id = app.next_request_id();
    let method = request.method().clone();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let private = request.uri().path().starts_with("/api/");
    let oauth = request.uri().path().starts_with(oauth::PREFIX);
    let page = failure::is_told_in_a_page(request.uri().path()).then(|| Page::of_stranger(&app, &request));
    let (mut request, read_to_its_end) = watched(request);
    let address = ClientAddress::find(request.extensions(), request.headers(), &app.settings().trusted_proxies);
    request.extensions_mut().insert(address);
    let asks = CallerPlace::default();
    request.extensions_mut().insert(Arc::clone(&asks));
    // Unwind safety: what a panicking handler held is dropped; the books are behind transactions.
    let answering = async { if names_one_host(&request) { next.run(request).await } else { problem_response(malformed_host()) } };
    let answered = AssertUnwindSafe(tokio::time::timeout(TIME_LIMIT, answering)).catch_unwind().await;
    let mut response = match answered {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => problem_response(Problem::unavailable()),
        Err(_) => problem_response(Problem::internal()),
    };
    let mut code = "";
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        code = problem.kind.code;
        let mut rendered = match page {
            Some(page) => failure::render(&problem, &response.extensions_mut().remove().unwrap_or(page), &request_id),
            None if oauth => OauthError::from(&problem).into_response(),
            None => problem.render(&app.settings().base_url, &request_id),
        };
        keep_headers(response.headers(), rendered.headers_mut());
        response = rendered;
    }
    if let Some(Told(told)) = response.extensions().get().filter(|_| code.is_empty()) {
        code = told;
    }
    dress(response.headers_mut(), &request_id, private, &app);
    if !read_to_its_end.load(Ordering::Relaxed) {
        // What is left of the body would be taken for the next request: say that there is none on this connection.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let route = matched.as_ref().map_or("unknown", MatchedPath::as_str);
    app.metrics().count(route, status, took);
    let caller = asks.get();
    let account = caller.map(|caller| caller.account);
    let (key, grant) = match caller.map(|caller| &caller.credential) {
        Some(Credential::Key(key)) => (Some(*key), None),
        Some(Credential::Grant(grant)) => (None, Some(grant.as_str())),
        Some(Credential::Owner) | None => (None, None),
    };
    let method = STANDARD.iter().find(|standard| **standard == method.as_str()).copied().unwrap_or("OTHER");
    // No path, query, header or body: they may hold personal data. The route and the ids tell enough.
    info!(target: "request", %request_id, method, route, status, code, micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), account, key, grant);
    if let Some(caller) = caller {
        let caller = caller.clone();
        app.recent_calls().note_call(Call { caller, request_id, method, route: matched, status, code, address });
    }
    response
}

/// Whether the server is named in as many headers as must be (RFC 9112, section 3.2): a proxy before us and we could take different
/// ones for it.
fn names_one_host(request: &Request) -> bool {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11)
}

fn malformed_host() -> Problem {
    Problem::new(catalogue::MALFORMED_REQUEST, "Send the header Host exactly once.")
}

/// The request, and whether its body has been read to its end.
fn watched(request: Request) -> (Request, Arc<AtomicBool>) {
    let ended = Arc::new(AtomicBool::new(request.body().is_end_stream()));
    if ended.load(Ordering::Relaxed) {
        return (request, ended);
    }
    let watch = Arc::clone(&ended);
    (request.map(|body| Body::new(Watched { body, ended: watch })), ended)
}

struct Watched {
    body: Body,
    ended: Arc<AtomicBool>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.ended.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn problem_response(problem: Problem) -> Response {
    problem.into_response()
}

/// What inner layers said beside the problem itself: `Allow`, the rate limit.
fn keep_headers(from: &HeaderMap, to: &mut HeaderMap) {
    for (name, value) in from {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH && !to.contains_key(name) {
            to.insert(name.clone(), value.clone());
        }
    }
}

fn dress(headers: &mut HeaderMap, request_id: &str, private: bool, app: &App) {
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if private {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if app.settings().base_url.starts_with("https:") {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-request-id", id);
    }
}
