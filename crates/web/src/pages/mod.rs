//! The pages: the application as people use it in a browser.
//!
//! Every page is made on the server and works without JavaScript. A handler takes a [`page::PageContext`] (or [`page::Authenticated`], or
//! [`page::RecentlyAuthenticated`] where the password must be fresh) and, for a POST, the [`form::Form`]: that it comes from a page of ours is
//! made sure of before the handler begins. It shows a template of `templates/`, in the texts of `locales/`.

mod access;
#[cfg(debug_assertions)]
mod design;
pub(crate) mod frame;
mod home;
mod hours;
mod identity;
mod journal;
mod purchases;
pub(crate) mod sales;
mod search;
mod settings;
mod tax;

use crate::AppState;
use access::{api_access, consent};
use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use frame::{
    asset_files, assets, context, csrf, done, extractors, form, form_problems, headers, html, id, middleware, page, render,
    return_to, session, submit, user_agent,
};
pub(crate) use frame::{error_page, texts};
use identity::{code_fault, confirmation_mail, data, mail_sent, password, second_factor, security, sign_in, sign_up};
pub(crate) use {
    context::PageContext,
    html::Html,
    middleware::{method_not_allowed, not_found},
};

/// Pages of another router in the same frame: who visits, in which language, with the headers of every page.
pub(crate) fn framed(app: &AppState, pages: Router<AppState>) -> Router<AppState> {
    pages.route_layer(from_fn_with_state(app.clone(), middleware::middleware))
}

/// All pages.
pub(crate) fn router(app: &AppState) -> Router<AppState> {
    let pages = Router::new()
        .route("/", get(home::show))
        .route("/search", get(search::show))
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
        .route("/settings/invoices", get(settings::invoices::show).post(settings::invoices::send))
        .route("/settings/invoices/preview", post(settings::invoices::preview))
        .route("/settings/security", get(security::show))
        .route("/settings/password", get(security::show_password).post(security::send_password))
        .route("/settings/email", get(security::show_email).post(security::send_email))
        .route("/settings/second-factor", get(second_factor::show).post(second_factor::send))
        .route("/settings/second-factor/off", get(second_factor::show_off).post(second_factor::send_off))
        .route("/settings/recovery-codes", get(second_factor::show_codes).post(second_factor::send_codes))
        .route("/settings/sessions/end-others", post(security::end_others))
        .route("/settings/sessions/{id}/end", post(security::end))
        .route("/settings/data", get(data::show))
        .route("/year/{year}/audit-file", get(settings::audit_file::show))
        .route("/settings/data/export", get(data::show_export).post(data::send_export))
        .route("/settings/data/close", get(data::show_close).post(data::send_close))
        .merge(api_access::router())
        .merge(consent::router())
        .merge(hours::router())
        .merge(sales::router())
        .merge(purchases::router())
        .merge(journal::router())
        .merge(tax::router());
    #[cfg(debug_assertions)]
    let pages = pages.route("/design", get(design::show).post(design::send));
    let icon = || get(asset_files::icon);
    pages
        .route_layer(from_fn_with_state(app.clone(), middleware::middleware))
        .route("/static/{name}", get(asset_files::file))
        // Where browsers look beside any page.
        .route("/favicon.ico", icon())
        .route("/favicon.svg", icon())
}
