//! Static assets of pages. Their names contain a hash of their content, so browsers can cache them
//! forever.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use std::{borrow::Cow, fmt::Write as _};

/// A file that is part of the program.
pub struct Asset {
    /// File name, with the hash.
    pub name: String,
    kind: &'static str,
    content: Cow<'static, [u8]>,
}

impl Asset {
    /// Creates an asset whose name contains a digest of its content.
    pub fn new(stem: &str, ending: &str, content: impl Into<Cow<'static, [u8]>>) -> Self {
        let content = content.into();
        let kind = match ending {
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "woff2" => "font/woff2",
            _ => "image/svg+xml",
        };
        let mut name = format!("{stem}-");
        for byte in &Sha256::digest(&content)[..8] {
            // Writing to a String cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        let _ = write!(name, ".{ending}");
        Self { name, kind, content }
    }
}

impl IntoResponse for &Asset {
    fn into_response(self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, self.kind),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        (StatusCode::OK, headers, self.content.clone()).into_response()
    }
}
