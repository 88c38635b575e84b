//! `/static/…` and the icon: files whose names contain a hash.

use crate::{assets, visit::not_found};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use web_core::AppState;

/// `GET /favicon.ico` and `GET /favicon.svg`: redirects to the current file.
pub async fn icon() -> Redirect {
    Redirect::temporary(&assets::mark())
}

/// `GET /static/{name}`
pub async fn file(app: State<AppState>, request: Request) -> Response {
    let asked = request.uri().path().strip_prefix("/static/").unwrap_or("");
    match assets::find(asked) {
        Some(asset) => asset.into_response(),
        None => not_found(app, request).await,
    }
}
