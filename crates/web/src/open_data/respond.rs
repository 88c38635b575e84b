//! Answers that may be kept: a strong entity tag (RFC 9110, section 8.8.3), 304, and an hour in any cache.

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

/// How long an answer may be kept without asking again.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// A document with its tag.
#[derive(Clone, Debug)]
pub(super) struct Document {
    media: &'static str,
    tag: HeaderValue,
    bytes: Bytes,
}

impl Document {
    /// A document of a media type.
    pub(super) fn new(media: &'static str, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let hash = Sha256::digest(&bytes);
        let tag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&hash[..16]));
        // Hexadecimal digits between quotes are a valid header.
        let tag = HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""));
        Self { media, tag, bytes }
    }

    /// The document, or 304 to whoever has it.
    pub(super) fn answer(&self, asked: &HeaderMap) -> Response {
        let mut response = if self.is_known(asked) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            ([(header::CONTENT_TYPE, self.media)], self.bytes.clone()).into_response()
        };
        response.headers_mut().insert(header::ETAG, self.tag.clone());
        response.headers_mut().insert(header::CACHE_CONTROL, CACHE);
        response
    }

    /// Whether the asker names this tag in `If-None-Match` (weak comparison, RFC 9110, section 13.1.2).
    fn is_known(&self, asked: &HeaderMap) -> bool {
        let ours = self.tag.as_bytes();
        asked.get_all(header::IF_NONE_MATCH).iter().any(|named| {
            named.as_bytes().split(|byte| *byte == b',').any(|tag| {
                let tag = tag.trim_ascii();
                tag == b"*" || tag.strip_prefix(b"W/").unwrap_or(tag) == ours
            })
        })
    }
}
