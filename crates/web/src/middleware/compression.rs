//! Compression for clients that accept gzip (RFC 9110, section 12.5.3): pages, styles, scripts,
//! descriptions and lists of the API.

use axum::http::{Response, header};
use http_body::Body;
use tower_http::compression::{CompressionLayer, predicate::Predicate};

/// Minimum size in bytes of a body that is worth compressing; in smaller responses the headers
/// dominate.
const LEAST: u64 = 1_024;
/// Media types to compress; fonts, photographs and PDFs are compressed already.
const KINDS: [&str; 5] =
    ["text/html", "text/css", "text/javascript", "image/svg+xml", "application/json"];

/// Predicate for responses that are worth compressing.
#[derive(Clone, Copy)]
pub(super) struct WorthIt;

impl Predicate for WorthIt {
    fn should_compress<B: Body>(&self, response: &Response<B>) -> bool {
        let kind = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or("");
        let is_large = response.body().size_hint().exact().is_none_or(|bytes| bytes >= LEAST);
        // Responses that must be sent as they are: a strong entity tag identifies the exact bytes
        // (RFC 9110, section 8.8.3), and a download states its length.
        let has_strong_tag = response
            .headers()
            .get(header::ETAG)
            .is_some_and(|tag| !tag.as_bytes().starts_with(b"W/"));
        let is_fixed =
            has_strong_tag || response.headers().contains_key(header::CONTENT_DISPOSITION);
        is_large && !is_fixed && KINDS.iter().any(|compressed| kind.starts_with(compressed))
    }
}

/// Returns the layer that compresses suitable responses.
pub(super) fn layer() -> CompressionLayer<WorthIt> {
    CompressionLayer::new().gzip(true).compress_when(WorthIt)
}
