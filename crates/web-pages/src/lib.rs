//! Pages: the application as used in a browser.
//!
//! Every page is rendered on the server and works without JavaScript. A handler takes a
//! [`page::PageContext`] (or [`page::Authenticated`], or [`page::RecentlyAuthenticated`] where a
//! recent password is required) and, for a POST, the [`form::Form`], whose origin is verified
//! before the handler runs. The handler renders a template from `templates/` with the texts of the
//! crate `i18n`.

mod access;
mod bank;
#[cfg(debug_assertions)]
mod design;
pub mod frame;
mod home;
mod hours;
mod identity;
mod journal;
mod purchases;
pub(crate) mod sales;
mod search;
mod settings;
mod tax;
mod unfinished;

use access::{api_access, consent};
use axum::{
    Router,
    routing::{MethodRouter, get},
};
use frame::{
    asset_files, assets, context, csrf, done, extractors, form, form_problems, headers, html, id,
    labels, page, render, return_to, session, submit, table, user_agent, visit,
};
pub use frame::{error_page, texts};
use identity::{
    code_fault, confirmation_mail, data, mail_sent, password, second_factor, security, sign_in,
    sign_up,
};
pub use sales::lines::LINES as INVOICE_LINES;
use std::sync::LazyLock;
pub use table::{Access, Route};
use table::{Group, Link, Page};
use web_core::AppState;
pub use {
    context::PageContext,
    html::Html,
    visit::{method_not_allowed, not_found},
};

/// Every page, in the order of the navigation.
// Long: a table of pages.
fn table() -> Vec<Page> {
    let pages = vec![
        Page::at("/")
            .public()
            .get(home::show)
            .linked(Group::Overview, "home", "o", |texts| texts.t("nav-overview")),
        Page::at("/search").get(search::show),
        Page::at("/signup").public().get(sign_up::show).post(sign_up::send),
        Page::at("/signup/sent").public().get(mail_sent::after_sign_up),
        Page::at("/confirm").public().get(sign_up::show_confirm).post(sign_up::confirm),
        Page::at("/confirm/again").public().get(sign_up::show_again).post(sign_up::send_again),
        Page::at("/login").public().get(sign_in::show).post(sign_in::send),
        Page::at("/login/code").public().get(sign_in::show_code).post(sign_in::send_code),
        Page::at("/logout").public().post(sign_in::sign_out),
        Page::at("/password/forgot")
            .public()
            .get(password::show_forgot)
            .post(password::send_forgot),
        Page::at("/password/sent").public().get(mail_sent::after_forgotten),
        Page::at("/password/reset").public().get(password::show_reset).post(password::send_reset),
        Page::at("/password/confirm").get(sign_in::show_confirm).post(sign_in::confirm),
        Page::at("/email/confirm")
            .public()
            .get(security::show_email_confirm)
            .post(security::send_email_confirm),
        Page::at("/settings").get(settings::show).post(settings::send).linked(
            Group::Last,
            "settings",
            "s",
            |texts| texts.t("nav-settings"),
        ),
        Page::at("/settings/language").get(settings::language::show).post(settings::language::send),
        Page::at("/settings/invoices").get(settings::invoices::show).post(settings::invoices::send),
        Page::at("/settings/invoices/preview").post(settings::invoices::preview),
        Page::at("/settings/invoices/logo").get(settings::invoices::logo),
        Page::at("/settings/reminders")
            .dutch()
            .get(settings::reminders::show)
            .post(settings::reminders::send),
        Page::at("/settings/security").get(security::show),
        Page::at("/settings/password").get(security::show_password).post(security::send_password),
        Page::at("/settings/email")
            .with_recent_password()
            .get(security::show_email)
            .post(security::send_email),
        Page::at("/settings/second-factor")
            .with_recent_password()
            .get(second_factor::show)
            .post(second_factor::send),
        Page::at("/settings/second-factor/off")
            .with_recent_password()
            .get(second_factor::show_off)
            .post(second_factor::send_off),
        Page::at("/settings/recovery-codes")
            .with_recent_password()
            .get(second_factor::show_codes)
            .post(second_factor::send_codes),
        Page::at("/settings/sessions/end-others")
            .post(security::end_others)
            .shown_at("/settings/security"),
        Page::at("/settings/sessions/{id}/end").post(security::end).shown_at("/settings/security"),
        Page::at("/settings/data").get(data::show),
        Page::at("/year/{year}/audit-file").dutch().get(settings::audit_file::show),
        Page::at("/settings/data/export")
            .with_recent_password()
            .get(data::show_export)
            .post(data::send_export),
        Page::at("/settings/data/close")
            .with_recent_password()
            .get(data::show_close)
            .post(data::send_close),
        #[cfg(debug_assertions)]
        Page::at("/design").public().get(design::show).post(design::send),
    ];
    let areas = [
        pages,
        api_access::pages(),
        consent::pages(),
        bank::pages(),
        sales::pages(),
        purchases::pages(),
        hours::pages(),
        unfinished::pages(),
        tax::pages(),
        journal::pages(),
    ];
    areas.into_iter().flatten().collect()
}

/// Links of the navigation.
fn links() -> &'static [Link] {
    static LINKS: LazyLock<Vec<Link>> =
        LazyLock::new(|| table().into_iter().filter_map(Page::link).collect());
    &LINKS
}

/// Routes of all pages: path, methods and access.
#[must_use]
pub fn routes() -> Vec<Route> {
    table().into_iter().flat_map(Page::routes).collect()
}

/// Router of all pages; `guard` wraps handlers with restricted access.
pub fn router(
    guard: impl Fn(Access, MethodRouter<AppState>) -> MethodRouter<AppState>,
) -> Router<AppState> {
    table().into_iter().fold(Router::new(), |router, page| page.add_to(router, &guard))
}

/// Router of the pages of customers, which have no visit: no session and no cookies.
pub fn customers() -> Router<AppState> {
    sales::customer::router()
}

/// Router of the pages' assets, and of the icon that browsers request for any page.
pub fn files() -> Router<AppState> {
    let icon = || get(asset_files::icon);
    Router::new()
        .route("/static/{name}", get(asset_files::file))
        .route("/favicon.ico", icon())
        .route("/favicon.svg", icon())
}
