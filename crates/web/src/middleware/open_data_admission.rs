//! Admission to the open data: public, from any origin, with a rate limit per client address.

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock, clock::DefaultClock};
use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};
use web_core::{
    address::{ClientAddress, subscriber},
    catalogue,
    limits::RateLimit,
    problem::Problem,
};
use web_open::open_data::frame::Frame;

/// Number of requests after which the limiter forgets idle addresses.
const TIDY_EVERY: u32 = 4_096;

/// Headers that allow access from other origins (Fetch standard, CORS).
const CORS: [(HeaderName, HeaderValue); 2] = [
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("ETag, Retry-After, X-Request-Id, Mcp-Session-Id"),
    ),
];
const PREFLIGHT: [(HeaderName, HeaderValue); 3] = [
    (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST, OPTIONS")),
    (
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(
            "Accept, Content-Type, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id",
        ),
    ),
    (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400")),
];

/// Rate limiter per client address.
pub(super) struct ClientLimiter {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    requests: AtomicU32,
}

impl ClientLimiter {
    pub(super) fn new(limit: RateLimit) -> Self {
        let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
        Self { limiter: RateLimiter::keyed(quota), requests: AtomicU32::new(0) }
    }

    /// Counts a request. Returns the seconds to wait if the limit is exceeded.
    fn refuse(&self, address: IpAddr) -> Option<u64> {
        if self.requests.fetch_add(1, Ordering::Relaxed).is_multiple_of(TIDY_EVERY) {
            self.limiter.retain_recent();
        }
        let until = self.limiter.check_key(&subscriber(address)).err()?;
        Some(until.wait_time_from(DefaultClock::default().now()).as_secs() + 1)
    }
}

/// Returns a page to a browser, and a problem to any other client.
fn rate_limited(seconds: u64, request: &Request) -> Response {
    let accepts =
        request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("");
    let page = accepts.contains("text/html").then(|| {
        let uri = request.uri();
        Frame::new(uri.path(), uri.query(), request.headers())
            .rate_limited(i64::try_from(seconds).unwrap_or(i64::MAX))
    });
    let mut response = match page {
        Some(Ok(page)) => page,
        _ => {
            let unit = if seconds == 1 { "second" } else { "seconds" };
            let detail =
                format!("This address has asked too often; ask again in {seconds} {unit}.");
            Problem::new(catalogue::RATE_LIMITED, detail).into_response()
        }
    };
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

/// Admits requests below `/open-data`.
pub(super) async fn admit(
    State(limiter): State<Option<Arc<ClientLimiter>>>,
    address: ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let wait = limiter.and_then(|limiter| limiter.refuse(address.ip()));
    let mut response = if let Some(seconds) = wait {
        rate_limited(seconds, &request)
    } else if *request.method() == Method::OPTIONS {
        (StatusCode::NO_CONTENT, PREFLIGHT).into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in CORS {
        response.headers_mut().insert(name, value);
    }
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    // Other origins may embed the data, which the default headers of the application forbid.
    response
        .headers_mut()
        .insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response
}
