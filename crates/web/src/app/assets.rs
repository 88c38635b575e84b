//! The files that the pages are dressed with.

use crate::{App, app::page::nowhere, assets::Asset};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use std::sync::LazyLock;

static STYLE: LazyLock<Asset> = LazyLock::new(|| Asset::new("app", "css", include_str!("../../assets/app.css")));
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| Asset::new("app", "js", include_str!("../../assets/app.js")));
static MARK: LazyLock<Asset> = LazyLock::new(|| Asset::new("mark", "svg", include_str!("../../assets/mark.svg")));
static ICONS: LazyLock<Asset> = LazyLock::new(|| Asset::new("icons", "svg", include_str!("../../assets/icons.svg")));

/// Where the layout finds the files.
pub(crate) struct Names {
    pub(crate) style: &'static str,
    pub(crate) script: &'static str,
    pub(crate) mark: &'static str,
    pub(crate) icons: &'static str,
}

/// Their names, with the hashes in them.
pub(crate) fn names() -> Names {
    Names { style: &STYLE.name, script: &SCRIPT.name, mark: &MARK.name, icons: &ICONS.name }
}

/// `GET /favicon.ico` and `GET /favicon.svg`: the way to the file of that moment.
pub(crate) async fn icon() -> Redirect {
    Redirect::temporary(&format!("/assets/{}", MARK.name))
}

/// `GET /assets/{name}`
pub(crate) async fn file(app: State<App>, request: Request) -> Response {
    let asked = request.uri().path().strip_prefix("/assets/");
    match [&*STYLE, &*SCRIPT, &*MARK, &*ICONS].into_iter().find(|asset| asked == Some(asset.name.as_str())) {
        Some(asset) => asset.into_response(),
        None => nowhere(app, request).await,
    }
}
