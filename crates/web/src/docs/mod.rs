//! Pages about the API: its description for people, the guides, the errors.

mod api;
mod errors;
mod guides;

use crate::AppState;
use axum::{Router, routing::get};

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/api/docs", get(api::page))
        .route("/api/docs/{asset}", get(api::asset))
        .route("/docs/errors", get(errors::page))
        .route("/docs/integrating", get(guides::integrating))
}
