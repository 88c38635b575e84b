//! The id of a request: drawn here, in the log, and in the answer as `X-Request-Id`.

use axum::http::{HeaderMap, HeaderValue};

/// Writes the id into the answer.
pub(super) fn add(headers: &mut HeaderMap, request_id: &str) {
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-request-id", id);
    }
}
