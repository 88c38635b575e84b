//! The guides of `docs/` as pages.

use super::api;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use std::sync::LazyLock;

/// The guide for those who call the API.
pub(crate) async fn integrating() -> Response {
    static PAGE: LazyLock<String> = LazyLock::new(|| page(include_str!("../../../../docs/integrating.md")));
    answer(PAGE.as_str())
}

/// A page of the documentation, with the headers that it needs.
pub(crate) fn answer(page: impl IntoResponse) -> Response {
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, page).into_response()
}

/// How a page of the documentation begins: up to what stands in its `main`.
pub(crate) fn beginning(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<title>{title} - Grootboek</title>\n<link rel=\"stylesheet\" href=\"/api/docs/{}\">\n</head>\n<body \
         class=\"guide\">\n<header><nav aria-label=\"Documentation\"><a href=\"/\">Grootboek</a> <a href=\"/api/docs\">API</a> \
         <a href=\"/docs/integrating\">Guide</a> <a href=\"/docs/errors\">Errors</a> <a href=\"/api-access\">API access</a></nav></header>\n\
         <main>\n",
        api::style()
    )
}

fn page(markdown: &str) -> String {
    let title = markdown.lines().next().unwrap_or("").trim_start_matches("# ");
    let mut html = beginning(title);
    html::push_html(&mut html, Parser::new_ext(markdown, Options::ENABLE_TABLES).map(here));
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// A file beside the guide is a page beside it.
fn here(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = dest_url.strip_suffix(".md").map_or(dest_url.clone(), |stem| CowStr::from(format!("/docs/{stem}")));
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        other => other,
    }
}
