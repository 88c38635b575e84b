//! `/signup/sent` and `/password/sent`: announce a mailed link, in the same words whether or not a
//! link was actually sent.

use crate::{page::PageContext, texts::Phrase};
use askama::Template;
use axum::response::Response;
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "identity/mail-sent.html")]
struct View<'a> {
    page: &'a PageContext,
    text: Phrase<'a>,
    /// Path of the form that requests the link again.
    again: &'a str,
}

/// `GET /signup/sent`
pub(crate) async fn after_sign_up(page: PageContext) -> Result<Response, Problem> {
    page.show(&View { page: &page, text: page.t("sign-up-sent-text"), again: "/confirm/again" })
}

/// `GET /password/sent`
pub(crate) async fn after_forgotten(page: PageContext) -> Result<Response, Problem> {
    page.show(&View { page: &page, text: page.t("forgot-sent-text"), again: "/password/forgot" })
}
