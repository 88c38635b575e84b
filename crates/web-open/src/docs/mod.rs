//! Documentation of the API: reference, guides and errors.

mod api;
mod errors;
mod escape;
mod guides;
mod highlight;

use axum::{Router, response::Redirect, routing::get};
use guides::{CHANGELOG, INTEGRATING, NOT_SUPPORTED, OAUTH, WEBSHOP};
use web_core::AppState;
use web_pages::PageContext;

/// Returns the routes of the pages.
pub fn pages() -> Router<AppState> {
    Router::new()
        .route("/api/docs", get(api::page))
        .route("/docs/errors", get(errors::page))
        .route(
            "/docs/integrating",
            get(|page: PageContext| async move { guides::show(&page, &INTEGRATING) }),
        )
        .route("/docs/oauth", get(|page: PageContext| async move { guides::show(&page, &OAUTH) }))
        .route(
            "/docs/webwinkel",
            get(|page: PageContext| async move { guides::show(&page, &WEBSHOP) }),
        )
        .route(
            "/docs/not-supported",
            get(|page: PageContext| async move { guides::show(&page, &NOT_SUPPORTED) }),
        )
        .route(
            "/docs/changelog",
            get(|page: PageContext| async move { guides::show(&page, &CHANGELOG) }),
        )
}

/// Returns the routes of the Markdown versions, assets and redirects.
pub fn files() -> Router<AppState> {
    Router::new()
        .route("/api/docs/{asset}", get(api::asset))
        .route("/docs/integrating.md", get(|| async { guides::markdown(&INTEGRATING) }))
        .route("/docs/oauth.md", get(|| async { guides::markdown(&OAUTH) }))
        .route("/docs/webwinkel.md", get(|| async { guides::markdown(&WEBSHOP) }))
        .route("/docs/not-supported.md", get(|| async { guides::markdown(&NOT_SUPPORTED) }))
        .route("/docs/changelog.md", get(|| async { guides::markdown(&CHANGELOG) }))
        .route("/docs/errors.md", get(guides::errors_text))
        .route("/llms.txt", get(guides::for_models))
        .route("/docs", get(|| async { Redirect::to("/docs/integrating") }))
        .route("/api", get(|| async { Redirect::to("/api/docs") }))
        .route("/openapi.json", get(|| async { Redirect::to("/api/openapi.json") }))
}
