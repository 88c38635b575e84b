//! Middleware: one task per file; this file defines the order. `lib.rs` passes in the interfaces,
//! which have no layers of their own.
//!
//! From the outermost layer to the handler:
//!
//! | around | what |
//! |---|---|
//! | every request | [`shared`]: log, id, problem form, body end, address, host, time limit, headers |
//! | operations of the API | [`api`]: compression, admission; each POST [`api_post`]: idempotency |
//! | the description of the API | [`description`]: compression |
//! | pages | [`pages`]: compression, visit; each restricted page [`page`]: access |
//! | files that pages load | [`pages`]: compression |
//! | pages of customers | [`customers`]: compression |
//! | documentation | [`docs`]: compression; around its pages: visit |
//! | open data | [`open_data`]: admission |
//! | OAuth, `/healthz`, `/readyz` | nothing else |

mod access_log;
mod api_admission;
mod api_rate;
mod body_end;
mod compression;
mod host;
mod idempotency;
mod open_data_admission;
mod page_access;
mod page_visit;
mod problem_rendering;
mod request_id;
mod security_headers;
mod time_limit;

use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::MethodRouter,
};
use open_data_admission::ClientLimiter;
use std::sync::Arc;
use web_core::{AppState, address::ClientAddress};
use web_pages::Access;

/// Middleware for every request.
pub(crate) fn shared(app: &AppState, interfaces: Router) -> Router {
    interfaces.layer(from_fn_with_state(app.clone(), every_request))
}

/// Middleware for the operations of the API, and for unknown paths below its prefix.
pub(crate) fn api(app: &AppState, operations: Router<AppState>) -> Router<AppState> {
    operations
        .layer(from_fn_with_state(app.clone(), api_admission::admit))
        .layer(compression::layer())
}

/// Middleware for each POST, inside [`api`].
pub(crate) fn api_post(app: &AppState, handler: MethodRouter<AppState>) -> MethodRouter<AppState> {
    handler.route_layer(from_fn_with_state(app.clone(), idempotency::remember))
}

/// Middleware for the description of the API.
pub(crate) fn description(handler: MethodRouter<AppState>) -> MethodRouter<AppState> {
    handler.layer(compression::layer())
}

/// Middleware for pages, and for the files that they load.
pub(crate) fn pages(
    app: &AppState,
    pages: Router<AppState>,
    files: Router<AppState>,
) -> Router<AppState> {
    visited(app, pages).merge(files).layer(compression::layer())
}

/// Middleware for the pages of customers, which have no visit.
pub(crate) fn customers(pages: Router<AppState>) -> Router<AppState> {
    pages.layer(compression::layer())
}

/// Middleware for each page with restricted access, inside [`pages`].
pub(crate) fn page(access: Access, handlers: MethodRouter<AppState>) -> MethodRouter<AppState> {
    match access {
        Access::Public => handlers,
        _ => handlers
            .route_layer(from_fn(move |request, next| page_access::admit(access, request, next))),
    }
}

/// Middleware for the pages and files of the documentation.
pub(crate) fn docs(
    app: &AppState,
    pages: Router<AppState>,
    files: Router<AppState>,
) -> Router<AppState> {
    visited(app, pages).merge(files).layer(compression::layer())
}

fn visited(app: &AppState, pages: Router<AppState>) -> Router<AppState> {
    pages.route_layer(from_fn_with_state(app.clone(), page_visit::visit))
}

/// Middleware for the open data.
pub(crate) fn open_data(app: &AppState, open_data: Router<AppState>) -> Router<AppState> {
    let limiter =
        app.config().open_data_rate_limit.map(|limit| Arc::new(ClientLimiter::new(limit)));
    open_data.layer(from_fn_with_state(limiter, open_data_admission::admit))
}

/// Outermost middleware. The part before the response handles requests from top to bottom, the part
/// after it handles responses.
async fn every_request(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let log = access_log::Entry::begin(&mut request);
    let request_id = app.next_request_id();
    let private = request.uri().path().starts_with("/api/");
    let form = problem_rendering::Form::of(&app, &request);
    let (mut request, body_end) = body_end::watch(request);
    let address =
        ClientAddress::find(request.extensions(), request.headers(), &app.config().trusted_proxies);
    request.extensions_mut().insert(address);
    let answering = async {
        match host::check(&request) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    };

    let response = time_limit::within(answering).await;
    let (mut response, code) = form.render(response, &app, &request_id);
    security_headers::add(response.headers_mut(), private, &app);
    request_id::add(response.headers_mut(), &request_id);
    body_end.close_unless_read(response.headers_mut());
    log.write(&app, request_id, address, response.status().as_u16(), code);
    response
}
