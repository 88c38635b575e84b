//! Error page: describes the problem and offers a way to continue.

use crate::{
    context::PageContext, form_problems::STALE_FORM, headers::set_default_headers, texts::Phrase,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::Response,
};
use web_core::problem::Problem;

/// Whether an error at this path is rendered as a page; API clients get JSON.
pub fn is_rendered_as_page(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or("");
    !matches!(first, "api" | "healthz" | "readyz" | ".well-known" | "open-data")
}

struct Shown<'a> {
    status: u16,
    title: Phrase<'a>,
    text: Phrase<'a>,
    request_id: &'a str,
    /// Whether to offer sign-in, because the form's session has ended.
    sign_in: bool,
}

#[derive(Template)]
#[template(path = "frame/error-page.html")]
struct View<'a> {
    page: &'a PageContext,
    shown: &'a Shown<'a>,
}

/// Error page for a signed-in user.
#[derive(Template)]
#[template(path = "frame/error-page-inside.html")]
struct InsideView<'a> {
    page: &'a PageContext,
    shown: &'a Shown<'a>,
}

/// Renders a problem as a page.
pub fn render(problem: &Problem, page: &PageContext, request_id: &str) -> Response {
    let texts = page.texts;
    let (title, text) = match (problem.kind.code, problem.kind.status) {
        ("foreign_form", _) => (texts.t("failure-foreign-title"), texts.t("failure-foreign-text")),
        ("stale_form", _) => (texts.t("failure-stale-title"), texts.t("failure-stale-text")),
        ("malformed_form", _) => {
            (texts.t("failure-malformed-title"), texts.t("failure-malformed-text"))
        }
        ("not_a_form", _) => (texts.t("failure-no-form-title"), texts.t("failure-no-form-text")),
        ("dutch_account_required", _) => {
            (texts.t("failure-dutch-title"), texts.t("failure-dutch-text"))
        }
        (_, 404) => (texts.t("failure-missing-title"), texts.t("failure-missing-text")),
        (_, 405) => (texts.t("failure-method-title"), texts.t("failure-method-text")),
        (_, 413) => (texts.t("failure-large-title"), texts.t("failure-large-text")),
        (_, 429) => (texts.t("failure-often-title"), texts.t("failure-often-text")),
        (_, 503) => (texts.t("failure-away-title"), texts.t("failure-away-text")),
        (_, 500..) => (texts.t("failure-broken-title"), texts.t("failure-broken-text")),
        _ => (texts.t("failure-refused-title"), texts.t("failure-refused-text")),
    };
    let status =
        StatusCode::from_u16(problem.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let sign_in = problem.kind.code == STALE_FORM.code && page.signed_in().is_none();
    let shown = &Shown { status: problem.kind.status, title, text, request_id, sign_in };
    let rendered = match page.signed_in() {
        Some(_) => page.show_as(status, &InsideView { page, shown }),
        None => page.show_as(status, &View { page, shown }),
    };
    let mut response = rendered.unwrap_or_else(|_| {
        let mut bare =
            Response::new(format!("{}\n", status.canonical_reason().unwrap_or("Error")).into());
        *bare.status_mut() = status;
        bare
    });
    for (name, value) in problem.headers() {
        response.headers_mut().append(name, value.clone());
    }
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    set_default_headers(response.headers_mut());
    response
}
