//! Cacheable responses, with a strong entity tag (RFC 9110, section 8.8.3), 304 for known tags, and
//! a lifetime of an hour in any cache. Clients that accept gzip receive a compressed representation
//! with a tag of its own.

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use std::{
    io::Write,
    sync::{Arc, OnceLock},
};

/// Lifetime of a cached response.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Minimum size in bytes for compression; in smaller responses the headers dominate.
const WORTH_COMPRESSING: usize = 1_024;

/// A document with its entity tag.
#[derive(Clone, Debug)]
pub(super) struct Document {
    media: &'static str,
    /// Entity tag in hexadecimal, without quotes.
    hash: String,
    bytes: Bytes,
    /// Compressed bytes, created on first request.
    zipped: Arc<OnceLock<Option<Bytes>>>,
}

impl Document {
    /// Creates a document with the given media type and content.
    pub(super) fn new(media: &'static str, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes)[..16]);
        Self { media, hash, bytes, zipped: Arc::default() }
    }

    /// Returns the document, or 304 if the client already has it.
    pub(super) fn answer(&self, request_headers: &HeaderMap) -> Response {
        let zipped = if reads_gzip(request_headers) { self.zipped() } else { None };
        let tag = format!("\"{}{}\"", self.hash, if zipped.is_some() { "-gzip" } else { "" });
        let mut response = if is_known(&tag, request_headers) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let encoded = zipped.is_some();
            let body = zipped.unwrap_or_else(|| self.bytes.clone());
            let mut response = ([(header::CONTENT_TYPE, self.media)], body).into_response();
            if encoded {
                response
                    .headers_mut()
                    .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            response
        };
        let headers = response.headers_mut();
        if self.bytes.len() >= WORTH_COMPRESSING {
            headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        // Hexadecimal digits in quotes are a valid header.
        headers.insert(
            header::ETAG,
            HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\"")),
        );
        headers.insert(header::CACHE_CONTROL, CACHE);
        response
    }

    fn zipped(&self) -> Option<Bytes> {
        let zip = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&self.bytes).and_then(|()| encoder.finish()).map(Bytes::from).ok()
        };
        if self.bytes.len() < WORTH_COMPRESSING {
            return None;
        }
        self.zipped.get_or_init(zip).clone()
    }
}

/// Whether `Accept-Encoding` contains gzip with a weight above 0 (RFC 9110, section 12.5.3).
fn reads_gzip(headers: &HeaderMap) -> bool {
    let named =
        headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts
            .find_map(|part| part.strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok()));
        is_gzip && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// Whether `If-None-Match` contains this tag (weak comparison, RFC 9110, section 13.1.2).
fn is_known(ours: &str, headers: &HeaderMap) -> bool {
    headers.get_all(header::IF_NONE_MATCH).iter().any(|named| {
        named.as_bytes().split(|byte| *byte == b',').any(|tag| {
            let tag = tag.trim_ascii();
            tag == b"*" || tag.strip_prefix(b"W/").unwrap_or(tag) == ours.as_bytes()
        })
    })
}
