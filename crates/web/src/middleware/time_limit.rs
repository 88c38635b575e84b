//! Time limit for requests, and handling of panics: both end in a problem.

use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use web_core::{http::TIME_LIMIT, problem::Problem};

/// Returns the response, or a problem after a timeout or panic.
pub(super) async fn within(answering: impl Future<Output = Response>) -> Response {
    // Unwind safety: a panicking handler's resources are dropped, and transactions protect the
    // books.
    match AssertUnwindSafe(tokio::time::timeout(TIME_LIMIT, answering)).catch_unwind().await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Problem::unavailable().into_response(),
        Err(_) => Problem::internal().into_response(),
    }
}
