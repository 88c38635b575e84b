//! `/api/docs`: the description of the API for people, with everything that the page needs from this server.

use crate::{
    App,
    problem::{self, Problem},
};
use axum::{
    extract::{Path, State},
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use std::{fmt::Write as _, sync::LazyLock};

/// A file of the page. Its name holds a hash of what is in it, so that it can be kept for ever.
struct Asset {
    name: String,
    kind: &'static str,
    text: &'static str,
}

static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("rapidoc", "js", "text/javascript; charset=utf-8", include_str!("../assets/rapidoc-min.js")));
static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("api-docs", "css", "text/css; charset=utf-8", include_str!("../assets/api-docs.css")));

impl Asset {
    fn new(stem: &str, ending: &str, kind: &'static str, text: &'static str) -> Self {
        let mut name = format!("{stem}-");
        for byte in &Sha256::digest(text)[..8] {
            // Writing to a String cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        let _ = write!(name, ".{ending}");
        Self { name, kind, text }
    }
}

/// The name of the style sheet.
pub(crate) fn style() -> &'static str {
    &STYLE.name
}

/// A file of the page.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    for asset in [&*SCRIPT, &*STYLE] {
        if asset.name == name {
            let headers = [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
            return Ok((StatusCode::OK, headers, asset.text).into_response());
        }
    }
    Err(problem::unknown_route().await)
}

/// The page. It has no script of its own; the renderer writes styles into the page, and asks only this server.
pub(crate) async fn page(State(app): State<App>) -> impl IntoResponse {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' {}; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        app.settings().base_url
    );
    let headers: [(HeaderName, String); 3] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".into()),
        (header::CACHE_CONTROL, "no-cache".into()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    let html = PAGE.replace("{script}", &SCRIPT.name).replace("{style}", &STYLE.name);
    (headers, html)
}

const PAGE: &str = include_str!("../assets/api-docs.html");
