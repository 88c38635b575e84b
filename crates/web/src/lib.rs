//! The doors of the service: the REST API and the application's pages; room for OAuth and open data.
//!
//! A door turns what came in into a command, hands it to `service`, and turns the answer into what goes out. It knows HTTP and JSON,
//! and nothing of SQL or of the rules of bookkeeping.

mod address;
pub mod api;
mod api_docs;
mod app;
mod assets;
mod calls;
pub mod catalogue;
mod export;
mod guides;
mod health;
mod layers;
mod limits;
pub mod mail;
pub mod metrics;
pub mod oauth;
pub mod passwords;
mod problem;
pub mod server;
mod state;

pub use address::{BadProxy, TrustedProxy};
pub use limits::RateLimit;
pub(crate) use state::Reading;
pub use state::{App, Settings};

#[cfg(fuzzing)]
pub mod fuzzing {
    //! The doors for the fuzz targets.

    /// Reads any bytes as the body of every request.
    pub fn read_bodies(bytes: &[u8]) {
        crate::api::read_bodies(bytes);
    }
}

use axum::{Router, extract::State, http::header, response::IntoResponse, routing::get};

/// All doors, behind the layers that they share.
pub fn router(app: &App) -> Router {
    Router::new()
        .merge(api::router(app))
        .merge(oauth::router())
        .merge(app::router(app))
        .route("/api/openapi.json", get(openapi))
        .route("/api/docs", get(api_docs::page))
        .route("/api/docs/{asset}", get(api_docs::asset))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/docs/errors", get(catalogue::page))
        .route("/docs/integrating", get(guides::integrating))
        .fallback(app::nowhere)
        .method_not_allowed_fallback(app::wrong_method)
        .with_state(app.clone())
        .layer(axum::middleware::from_fn_with_state(app.clone(), layers::around_every_request))
}

async fn openapi(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], app.description())
}
