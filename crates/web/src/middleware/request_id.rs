//! Id of the request in the response header `X-Request-Id`.

use axum::http::{HeaderMap, HeaderValue};

/// Adds the id to the response.
pub(super) fn add(headers: &mut HeaderMap, request_id: &str) {
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-request-id", id);
    }
}
