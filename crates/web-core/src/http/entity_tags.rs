//! Entity tags, and files as responses (RFC 9110, section 8.8.3).

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

/// Returns a file as a download under this name, or 304 if the client already has the file.
pub fn file(headers: &HeaderMap, bytes: Vec<u8>, media_type: &'static str, name: &str) -> Response {
    let tag = entity_tag(&bytes);
    if has_already(headers, &tag) {
        return with(StatusCode::NOT_MODIFIED.into_response(), header::ETAG, &tag);
    }
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    let disposition = format!("attachment; filename=\"{name}\"");
    with(with(response, header::CONTENT_DISPOSITION, &disposition), header::ETAG, &tag)
}

/// Returns a strong entity tag: a hash of the representation.
pub fn entity_tag(body: &[u8]) -> String {
    let hash = Sha256::digest(body);
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &hash[..16] {
        let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
        tag.extend([digit(byte >> 4), digit(byte & 15)]);
    }
    tag.push('"');
    tag
}

/// Whether `If-None-Match` contains the tag (RFC 9110, section 13.1.2).
pub fn has_already(headers: &HeaderMap, tag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .any(|value| value.to_str().is_ok_and(|tags| names(tags, tag)))
}

/// Adds a header, unless its value is not a valid header value.
pub fn with(mut response: Response, name: header::HeaderName, value: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Whether a list of tags contains this one by weak comparison.
pub fn names(tags: &str, tag: &str) -> bool {
    tags.split(',')
        .map(str::trim)
        .any(|named| named == "*" || named.strip_prefix("W/").unwrap_or(named) == tag)
}
