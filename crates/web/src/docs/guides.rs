//! The guides of `docs/` as pages.

use super::api;
use crate::AppState;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::{fmt::Write as _, sync::LazyLock};

const INTEGRATING: &str = include_str!("../../../../docs/integrating.md");
const ERRORS: &str = include_str!("../../../../docs/errors.md");

/// The guide for those who call the API.
pub(crate) async fn integrating() -> Response {
    static PAGE: LazyLock<String> = LazyLock::new(|| page(INTEGRATING));
    answer(PAGE.as_str())
}

/// The same, for programs that read Markdown.
pub(crate) async fn integrating_text() -> impl IntoResponse {
    text("text/markdown; charset=utf-8", INTEGRATING)
}

/// The errors of the API in Markdown.
pub(crate) async fn errors_text() -> impl IntoResponse {
    text("text/markdown; charset=utf-8", ERRORS)
}

/// `/llms.txt`: where language models find what there is to read (llmstxt.org).
pub(crate) async fn for_models(State(app): State<AppState>) -> impl IntoResponse {
    text("text/plain; charset=utf-8", MODELS.replace("{base}", &app.config().base_url))
}

const MODELS: &str = "\
# Grootboek

> Bookkeeping for self-employed people in the Netherlands, with an HTTP API for invoices, payments, hours, VAT returns and the journal.

## Documentation

- [Integrating with the API]({base}/docs/integrating.md): from the first key to a credit note, with commands that can be run
- [Errors]({base}/docs/errors.md): every code, and what to do about it
- [OpenAPI description]({base}/api/openapi.json): every operation, field and limit
- [Open data]({base}/open-data): rates, deadlines and calculators, without a key
";

fn text(kind: &'static str, text: impl IntoResponse) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], text)
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
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).map(here).collect();
    name_headings(&mut events);
    html::push_html(&mut html, events.into_iter());
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// Gives every heading an id to link to, and puts the list of the sections under the title.
fn name_headings(events: &mut Vec<Event<'_>>) {
    let mut contents = String::from("<nav class=\"contents\" aria-label=\"Contents\">\n<ul>\n");
    for place in 0..events.len() {
        let words: String = events[place..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            })
            .collect();
        if let Event::Start(Tag::Heading { level, id, .. }) = &mut events[place] {
            let slug: String = words
                .to_lowercase()
                .chars()
                .filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-'))
                .map(|letter| if letter == ' ' { '-' } else { letter })
                .collect();
            if *level == HeadingLevel::H2 {
                let _ = writeln!(contents, "<li><a href=\"#{slug}\">{}</a></li>", escape(&words));
            }
            *id = Some(slug.into());
        }
    }
    contents.push_str("</ul>\n</nav>\n");
    let title_end = events.iter().position(|event| matches!(event, Event::End(TagEnd::Heading(HeadingLevel::H1))));
    events.insert(title_end.map_or(0, |place| place + 1), Event::Html(contents.into()));
}

/// The text as HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
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
