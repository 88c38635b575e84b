//! `/api/docs`: the description of the API for people, with everything that the page needs from this server.

use crate::{
    AppState,
    assets::Asset,
    problem::{self, Problem},
};
use axum::{
    extract::{Path, State},
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use std::sync::LazyLock;

static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("rapidoc", "js", include_bytes!("../../assets/rapidoc-min.js").as_slice()));
static COLOURS: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("api-docs", "js", include_bytes!("../../assets/api-docs.js").as_slice()));
static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("api-docs", "css", include_bytes!("../../assets/api-docs.css").as_slice()));

/// The name of the style sheet.
pub(crate) fn style() -> &'static str {
    &STYLE.name
}

/// A file of the page.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    for asset in [&*SCRIPT, &*COLOURS, &*STYLE] {
        if asset.name == name {
            return Ok(asset.into_response());
        }
    }
    Err(problem::unknown_route().await)
}

/// The page. No script stands in it; the renderer writes styles into the page, and asks only this server.
pub(crate) async fn page(State(app): State<AppState>) -> impl IntoResponse {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' {}; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        app.config().base_url
    );
    let headers: [(HeaderName, String); 3] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".into()),
        (header::CACHE_CONTROL, "no-cache".into()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    let html = PAGE.replace("{script}", &SCRIPT.name).replace("{colours}", &COLOURS.name).replace("{style}", &STYLE.name);
    (headers, html)
}

const PAGE: &str = include_str!("../../assets/api-docs.html");
