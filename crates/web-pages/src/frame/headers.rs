//! Headers on every page: caching, content security and referrer policy.

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

/// Default headers on every page (security: OWASP ASVS 5.0, 3.4).
const DEFAULT_HEADERS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    // With a stricter policy, browsers would omit the origin that identifies a foreign form.
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    ),
    ("vary", "Cookie, Accept-Language"),
];

/// Content security policy that allows forms to be submitted to this server and to `form_targets`
/// (origins, each preceded by a space).
///
/// Chromium also applies `form-action` to redirects after a submission: a page whose form ends in a
/// redirect to another site must include that site.
pub fn policy(form_targets: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; \
         form-action 'self'{form_targets}; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    )
}

/// Page that shows pages of this server in frames, such as the preview of a document.
pub fn with_own_frames(mut response: Response) -> Response {
    let policy = format!("{}; frame-src 'self'", policy(""));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Adds the default headers, unless the page has set its own.
pub fn set_default_headers(headers: &mut HeaderMap) {
    for (name, value) in DEFAULT_HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy("")) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
}
