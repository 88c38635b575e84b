//! The interfaces of the service: the REST API, OAuth 2.0 and the pages.
//!
//! An interface turns what came in into a command or a query, hands it to `service`, and turns the answer into what goes out. It knows HTTP
//! and JSON, and nothing of SQL or of the rules of bookkeeping.

mod answers;
pub mod api;
mod audit_files;
mod caller;
mod calls;
mod capacity;
mod config;
mod docs;
mod documents;
mod exports;
mod health;
mod http;
mod input;
mod jobs;
mod middleware;
pub mod oauth;
mod open_data;
mod outbox;
pub mod pages;
pub mod passwords;
pub mod server;
mod state;
mod uploads;
mod urls;

pub use address::{BadProxy, TrustedProxy};
pub use config::{Build, Config};
use http::{address, assets, cookies, limits, problem};
pub use http::{catalogue, metrics};
pub use input::english;
pub use limits::RateLimit;
pub use outbox::webhooks::sender::{Resolve, WebhookSender};
pub use state::AppState;
pub(crate) use state::ReadContext;

#[cfg(fuzzing)]
pub mod fuzzing {
    //! What the fuzz targets call.

    /// Reads any bytes as the body of every request.
    pub fn read_bodies(bytes: &[u8]) {
        crate::api::read_bodies(bytes);
    }
}

use axum::{Router, routing::get};

/// All interfaces, each inside its middleware, and all of them inside the one that they share.
pub fn router(app: &AppState) -> Router {
    let clock = app.clone();
    let today = move || ledger::calendar::amsterdam_today(clock.now());
    let interfaces = Router::new()
        .merge(middleware::api(app, api::router(|post| middleware::api_post(app, post))))
        .merge(oauth::router())
        .merge(middleware::docs(app, docs::pages(), docs::files()))
        .merge(middleware::open_data(app, open_data::router(&app.config().base_url, today)))
        .merge(middleware::pages(app, pages::router(middleware::page), pages::files()))
        .route("/api/openapi.json", middleware::description(api::description()))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(pages::not_found)
        .method_not_allowed_fallback(pages::method_not_allowed)
        .with_state(app.clone());
    middleware::shared(app, interfaces)
}
