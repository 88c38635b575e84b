//! The pages: the application as people use it in a browser.
//!
//! Every page is made on the server and works without JavaScript. A handler takes a [`page::Page`] (or [`page::SignedInPage`], or
//! [`page::FreshPage`] where the password must be fresh) and, for a POST, the [`form::Form`]: that it comes from a page of ours is
//! made sure of before the handler begins. It shows a template of `templates/`, in the texts of `locales/`.

mod assets;
mod cookies;
pub(crate) mod failure;
mod flash;
mod forgery;
mod form;
mod format;
mod home;
mod next;
mod page;
mod session;
pub(crate) mod texts;

use crate::App;
use axum::{Router, middleware, routing::get};

/// All pages.
pub(crate) fn router(app: &App) -> Router<App> {
    let pages = Router::new().route("/", get(home::show));
    pages.route_layer(middleware::from_fn_with_state(app.clone(), page::around)).route("/assets/{name}", get(assets::file))
}
