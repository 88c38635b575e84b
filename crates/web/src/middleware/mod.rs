//! What happens around every request: one job a file, the order here.

mod access_log;
mod body_end;
pub(crate) mod compression;
mod host;
mod problem_rendering;
mod request_id;
mod security_headers;
pub(crate) mod time_limit;

use crate::{AppState, address::ClientAddress};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};

/// The order: on the way in from above to below, on the way out from below to above.
pub(crate) async fn every_request(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let log = access_log::Entry::begin(&mut request);
    let request_id = app.next_request_id();
    let private = request.uri().path().starts_with("/api/");
    let form = problem_rendering::Form::of(&app, &request);
    let (mut request, body_end) = body_end::watch(request);
    let address = ClientAddress::find(request.extensions(), request.headers(), &app.config().trusted_proxies);
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
