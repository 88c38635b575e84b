//! The time that a request may take, and what becomes of a panic: both end in a problem.

use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use web_core::{http::TIME_LIMIT, problem::Problem};

/// The answer, or the problem that there is none in time or that making it panicked.
pub(super) async fn within(answering: impl Future<Output = Response>) -> Response {
    // Unwind safety: what a panicking handler held is dropped; the books are behind transactions.
    match AssertUnwindSafe(tokio::time::timeout(TIME_LIMIT, answering)).catch_unwind().await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Problem::unavailable().into_response(),
        Err(_) => Problem::internal().into_response(),
    }
}
