//! All interfaces of the service: router, middleware, OAuth 2.0 endpoints, listener.
//!
//! An interface turns a request into a command or query, passes it to `service`, and turns the
//! result into a response. It deals with HTTP and JSON, but not with SQL or bookkeeping rules. The
//! API is in `web-api`, the pages in `web-pages`, open data and documentation in `web-open`; all
//! depend on `web-core`.

mod health;
mod middleware;
pub mod oauth;
pub mod server;
mod webhook_worker;

pub use health::observe;
pub use web_api as api;
pub use web_core::{
    AppState, BadProxy, Build, Config, RateLimit, Resolve, TrustedProxy, WebhookSender, catalogue,
    customer_links, english, metrics, outbox::due_work, passwords, refusals::refusal, statements,
};
pub use web_pages as pages;
pub use webhook_worker::{deliver as deliver_webhooks, run as run_webhooks};

#[cfg(fuzzing)]
pub mod fuzzing {
    //! Entry points of the fuzz targets.

    /// Parses the bytes as the body of every kind of request.
    pub fn read_bodies(bytes: &[u8]) {
        web_api::read_bodies(bytes);
    }
}

use axum::{Router, routing::get};
use web_open::{docs, open_data};

/// Returns the router of all interfaces. Each has its own middleware, inside the shared middleware.
pub fn router(app: &AppState) -> Router {
    let clock = app.clone();
    let today = move || ledger::calendar::amsterdam_today(clock.now());
    let interfaces = Router::new()
        .merge(middleware::api(app, api::router(|post| middleware::api_post(app, post))))
        .merge(oauth::router())
        .merge(middleware::docs(app, docs::pages(), docs::files()))
        .merge(middleware::open_data(app, open_data::router(&app.config().base_url, today)))
        .merge(middleware::pages(app, pages::router(middleware::page), pages::files()))
        .merge(middleware::customers(pages::customers()))
        .route("/api/openapi.json", middleware::description(api::description()))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(pages::not_found)
        .method_not_allowed_fallback(pages::method_not_allowed)
        .with_state(app.clone());
    middleware::shared(app, interfaces)
}
