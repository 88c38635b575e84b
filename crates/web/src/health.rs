//! Whether the process lives, and whether it can do its work.

use crate::{App, problem::Problem};
use axum::{extract::State, http::header, response::IntoResponse};

/// The process answers.
pub(crate) async fn healthz() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ok\n")
}

/// The database answers too.
pub(crate) async fn readyz(State(app): State<App>) -> Result<impl IntoResponse, Problem> {
    app.look_up(service::accounts::any).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], "ready\n"))
}
