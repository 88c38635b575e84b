//! Headers of every page: what a browser may keep, load and send on.

use axum::http::{HeaderMap, HeaderValue, header};

/// Headers of every page, unless the page says otherwise (security: OWASP ASVS 5.0, 3.4).
const DEFAULT_HEADERS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    // With less, browsers leave out the origin by which a foreign form is known.
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    ),
    ("vary", "Cookie, Accept-Language"),
];

/// What a page may load and where its forms may lead: only this server, and `form_targets` (origins, each after a space).
///
/// Chromium also holds the answer to a form against `form-action`: a page whose form ends in a redirect elsewhere must name that place.
pub fn policy(form_targets: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; \
         form-action 'self'{form_targets}; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    )
}

/// Adds the headers of every page, unless the page has set its own.
pub fn set_default_headers(headers: &mut HeaderMap) {
    for (name, value) in DEFAULT_HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy("")) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
}
