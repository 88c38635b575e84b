//! Pages about the API: its description for people, the guides, the errors.

mod api;
mod errors;
mod guides;

use crate::AppState;
use axum::{Router, response::Redirect, routing::get};

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/api/docs", get(api::page))
        .route("/api/docs/{asset}", get(api::asset))
        .route("/docs/errors", get(errors::page))
        .route("/docs/integrating", get(guides::integrating))
        .route("/docs/integrating.md", get(guides::integrating_text))
        .route("/docs/errors.md", get(guides::errors_text))
        .route("/llms.txt", get(guides::for_models))
        .route("/docs", get(|| async { Redirect::to("/docs/integrating") }))
        .route("/openapi.json", get(|| async { Redirect::to("/api/openapi.json") }))
}
