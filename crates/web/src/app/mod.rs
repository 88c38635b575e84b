//! The pages: the application as people use it in a browser.
//!
//! Every page is made on the server and works without JavaScript. A handler takes a [`page::Page`] (or [`page::SignedInPage`], or
//! [`page::FreshPage`] where the password must be fresh) and, for a POST, the [`form::Form`]: that it comes from a page of ours is
//! made sure of before the handler begins. It shows a template of `templates/`, in the texts of `locales/`.

mod api_access;
mod assets;
mod consent;
pub(crate) mod cookies;
mod countries;
mod data;
mod device;
pub(crate) mod failure;
mod faults;
mod flash;
mod forgery;
mod form;
mod format;
mod home;
mod id;
mod mail_sent;
mod next;
mod page;
mod password;
mod second_factor;
mod security;
mod session;
mod settings;
mod sign_in;
mod sign_up;
pub(crate) mod texts;

use crate::App;
use axum::{
    Router, middleware,
    routing::{get, post},
};
pub(crate) use page::{Page, nowhere, wrong_method};

/// All pages.
pub(crate) fn router(app: &App) -> Router<App> {
    let pages = Router::new()
        .route("/", get(home::show))
        .route("/signup", get(sign_up::show).post(sign_up::send))
        .route("/signup/sent", get(mail_sent::after_sign_up))
        .route("/confirm", get(sign_up::show_confirm).post(sign_up::confirm))
        .route("/confirm/again", get(sign_up::show_again).post(sign_up::send_again))
        .route("/login", get(sign_in::show).post(sign_in::send))
        .route("/login/code", get(sign_in::show_code).post(sign_in::send_code))
        .route("/logout", post(sign_in::leave))
        .route("/password/forgot", get(password::show_forgot).post(password::send_forgot))
        .route("/password/sent", get(mail_sent::after_forgotten))
        .route("/password/reset", get(password::show_reset).post(password::send_reset))
        .route("/password/confirm", get(sign_in::show_confirm).post(sign_in::confirm))
        .route("/email/confirm", get(security::show_email_confirm).post(security::send_email_confirm))
        .route("/settings", get(settings::show).post(settings::send))
        .route("/settings/language", post(settings::send_language))
        .route("/settings/security", get(security::show))
        .route("/settings/password", get(security::show_password).post(security::send_password))
        .route("/settings/email", get(security::show_email).post(security::send_email))
        .route("/settings/second-factor", get(second_factor::show).post(second_factor::send))
        .route("/settings/second-factor/off", get(second_factor::show_off).post(second_factor::send_off))
        .route("/settings/recovery-codes", get(second_factor::show_codes).post(second_factor::send_codes))
        .route("/settings/sessions/end-others", post(security::end_others))
        .route("/settings/sessions/{id}/end", post(security::end))
        .route("/settings/data", get(data::show))
        .route("/settings/data/export", get(data::show_export).post(data::send_export))
        .route("/settings/data/close", get(data::show_close).post(data::send_close))
        .merge(api_access::router())
        .merge(consent::router());
    let icon = || get(assets::icon);
    pages
        .route_layer(middleware::from_fn_with_state(app.clone(), page::around))
        .route("/assets/{name}", get(assets::file))
        // Where browsers look beside any page.
        .route("/favicon.ico", icon())
        .route("/favicon.svg", icon())
}
