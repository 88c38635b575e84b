//! Security headers on every response (OWASP ASVS 5.0, 3.4).

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use web_core::AppState;

/// Default security headers.
const SECURITY_HEADERS: &[(HeaderName, &str)] = &[
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
];

/// Adds the headers that the response does not set itself. By default, `private` responses are
/// never stored.
pub(super) fn add(headers: &mut HeaderMap, private: bool, app: &AppState) {
    for (name, value) in SECURITY_HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if private {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if app.config().base_url.starts_with("https:") {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
}
