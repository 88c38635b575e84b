//! What went wrong, as a page: what happened, and a way on.

use crate::{
    app::{
        page::{Page, dress},
        texts::Phrase,
    },
    catalogue::ProblemKind,
    problem::Problem,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::Response,
};

/// Another site sent the form.
pub(crate) const FOREIGN_FORM: &ProblemKind = &kind("foreign_form", 403);
/// The form was made for another session, or the browser sent no cookie.
pub(crate) const STALE_FORM: &ProblemKind = &kind("stale_form", 403);
/// The form's characters are not UTF-8.
pub(crate) const MALFORMED_FORM: &ProblemKind = &kind("malformed_form", 400);
/// The form is larger than any form of ours.
pub(crate) const FORM_TOO_LARGE: &ProblemKind = &kind("form_too_large", 413);
/// What was sent is not a form.
pub(crate) const NOT_A_FORM: &ProblemKind = &kind("not_a_form", 415);

const fn kind(code: &'static str, status: u16) -> ProblemKind {
    // Pages put a problem into words by its code.
    ProblemKind { code, status, title: "", meaning: "" }
}

/// Whether a failure at this path is told in a page; programs get JSON.
pub(crate) fn is_told_in_a_page(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or("");
    !matches!(first, "api" | "healthz" | "readyz" | ".well-known" | "open-data")
}

struct Told<'a> {
    status: u16,
    title: Phrase<'a>,
    text: Phrase<'a>,
    request_id: &'a str,
    /// Whether signing in is the way on: the session that the form was made for is over.
    sign_in: bool,
}

#[derive(Template)]
#[template(path = "failure.html")]
struct View<'a> {
    page: &'a Page,
    told: &'a Told<'a>,
}

/// The same for somebody who is signed in.
#[derive(Template)]
#[template(path = "failure-inside.html")]
struct InsideView<'a> {
    page: &'a Page,
    told: &'a Told<'a>,
}

/// The page that tells of a problem.
pub(crate) fn render(problem: &Problem, page: &Page, request_id: &str) -> Response {
    let texts = page.texts;
    let (title, text) = match (problem.kind.code, problem.kind.status) {
        ("foreign_form", _) => (texts.t("failure-foreign-title"), texts.t("failure-foreign-text")),
        ("stale_form", _) => (texts.t("failure-stale-title"), texts.t("failure-stale-text")),
        ("malformed_form", _) => (texts.t("failure-malformed-title"), texts.t("failure-malformed-text")),
        ("not_a_form", _) => (texts.t("failure-no-form-title"), texts.t("failure-no-form-text")),
        (_, 404) => (texts.t("failure-missing-title"), texts.t("failure-missing-text")),
        (_, 405) => (texts.t("failure-method-title"), texts.t("failure-method-text")),
        (_, 413) => (texts.t("failure-large-title"), texts.t("failure-large-text")),
        (_, 429) => (texts.t("failure-often-title"), texts.t("failure-often-text")),
        (_, 503) => (texts.t("failure-away-title"), texts.t("failure-away-text")),
        (_, 500..) => (texts.t("failure-broken-title"), texts.t("failure-broken-text")),
        _ => (texts.t("failure-refused-title"), texts.t("failure-refused-text")),
    };
    let status = StatusCode::from_u16(problem.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let sign_in = problem.kind.code == STALE_FORM.code && page.signed_in().is_none();
    let told = &Told { status: problem.kind.status, title, text, request_id, sign_in };
    let shown = match page.signed_in() {
        Some(_) => page.show_as(status, &InsideView { page, told }),
        None => page.show_as(status, &View { page, told }),
    };
    let mut response = shown.unwrap_or_else(|_| {
        let mut bare = Response::new(format!("{}\n", status.canonical_reason().unwrap_or("Error")).into());
        *bare.status_mut() = status;
        bare
    });
    for (name, value) in problem.headers() {
        response.headers_mut().append(name, value.clone());
    }
    response.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    dress(response.headers_mut());
    response
}
