//! The audit file as a response.

use crate::{AppState, problem::Problem};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use service::{
    Context,
    audit_files::{self, Version},
};

/// Returns the audit file of a year, streamed while it is read.
pub fn answer(
    app: &AppState,
    cx: Context,
    year: i16,
    version: Version,
) -> Result<Response, Problem> {
    let account = cx.actor.account;
    let body = app.stream(account, move |tx, out| {
        audit_files::write(tx, &cx, year, version, out).map(drop)
    })?;
    let name = format!("attachment; filename=\"auditfile-{year}-{}.xaf\"", version.as_str());
    let headers =
        [(header::CONTENT_TYPE, "application/xml".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, body).into_response())
}
