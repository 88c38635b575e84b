//! `/api/docs`: the API reference as a page. All its assets come from this server.

use askama::Template;
use axum::{
    extract::Path,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use std::sync::LazyLock;
use web_core::{
    assets::Asset,
    problem::{self, Problem},
};
use web_pages::PageContext;

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("rapidoc", "js", include_bytes!("../../assets/rapidoc-min.js").as_slice())
});
static COLOURS: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("api-docs", "js", include_bytes!("../../assets/api-docs.js").as_slice())
});
static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("api-docs", "css", include_bytes!("../../assets/api-docs.css").as_slice())
});

/// Returns an asset of the page.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Problem> {
    for asset in [&*SCRIPT, &*COLOURS, &*STYLE] {
        if asset.name == name {
            return Ok(asset.into_response());
        }
    }
    Err(problem::unknown_route().await)
}

#[derive(Template)]
#[template(path = "docs/api.html")]
struct View<'a> {
    page: &'a PageContext,
    script: &'a str,
    colours: &'a str,
    style: &'a str,
}

/// Returns the page. It has no inline scripts. The renderer of the reference inserts inline styles,
/// and sends requests only to this server.
pub(crate) async fn page(page: PageContext) -> Result<Response, Problem> {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self' {}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        page.app.config().base_url
    );
    let mut response = page.show(&View {
        page: &page,
        script: &SCRIPT.name,
        colours: &COLOURS.name,
        style: &STYLE.name,
    })?;
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}
