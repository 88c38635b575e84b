//! Guides from `docs/` as pages.

use super::{escape::escape, highlight};
use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use i18n::Language;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};
use std::{fmt::Write as _, sync::OnceLock};
use web_core::{AppState, problem::Problem};
use web_pages::{Html, PageContext};

/// A guide: its path and its text.
pub(crate) struct Guide {
    pub(crate) path: &'static str,
    pub(crate) language: Language,
    markdown: &'static str,
    /// Rendered text for Dutch and for English readers; the labels of the copy buttons differ.
    shown: [OnceLock<String>; 2],
}

/// Guide for integrators, from the first key to a credit note.
pub(crate) static INTEGRATING: Guide = Guide::new(
    "/docs/integrating",
    Language::English,
    include_str!("../../../../docs/integrating.md"),
);
/// Guide to connecting other people's accounts through OAuth.
pub(crate) static OAUTH: Guide =
    Guide::new("/docs/oauth", Language::English, include_str!("../../../../docs/oauth.md"));
/// List of unsupported features.
pub(crate) static NOT_SUPPORTED: Guide = Guide::new(
    "/docs/not-supported",
    Language::English,
    include_str!("../../../../docs/not-supported.md"),
);
/// Changelog of the API.
pub(crate) static CHANGELOG: Guide =
    Guide::new("/docs/changelog", Language::English, include_str!("../../../../docs/changelog.md"));
/// Guide for owners of webshops.
pub(crate) static WEBSHOP: Guide =
    Guide::new("/docs/webwinkel", Language::Dutch, include_str!("../../../../docs/webwinkel.md"));
/// All guides, in the order of the menu.
static GUIDES: [&Guide; 5] = [&INTEGRATING, &OAUTH, &WEBSHOP, &NOT_SUPPORTED, &CHANGELOG];
const ERRORS: &str = include_str!("../../../../docs/errors.md");

impl Guide {
    const fn new(path: &'static str, language: Language, markdown: &'static str) -> Self {
        Self { path, language, markdown, shown: [const { OnceLock::new() }; 2] }
    }

    fn title(&self) -> &'static str {
        self.markdown.lines().next().unwrap_or("").trim_start_matches("# ")
    }
}

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct View<'a> {
    page: &'a PageContext,
    title: &'a str,
    language: Language,
    guides: [&'static Guide; 5],
    text: Html,
}

/// Renders a guide as a page.
pub(crate) fn show(page: &PageContext, guide: &'static Guide) -> Result<Response, Problem> {
    let shown = guide.shown[usize::from(page.texts.language == Language::English)]
        .get_or_init(|| article(guide.markdown, page));
    show_text(page, guide.title(), guide.language, shown.clone())
}

/// Renders any text from the documentation as a page.
pub(crate) fn show_text(
    page: &PageContext,
    title: &str,
    language: Language,
    text: String,
) -> Result<Response, Problem> {
    page.show(&View { page, title, language, guides: GUIDES, text: Html::of(text) })
}

/// Returns a guide in Markdown.
pub(crate) fn markdown(guide: &'static Guide) -> impl IntoResponse {
    text("text/markdown; charset=utf-8", guide.markdown)
}

/// Returns the error reference of the API in Markdown.
pub(crate) async fn errors_text() -> impl IntoResponse {
    text("text/markdown; charset=utf-8", ERRORS)
}

/// Returns `/llms.txt`, a list of the documentation for language models (llmstxt.org).
pub(crate) async fn for_models(State(app): State<AppState>) -> impl IntoResponse {
    text("text/plain; charset=utf-8", MODELS.replace("{base}", &app.config().base_url))
}

const MODELS: &str = "\
# Grootboek

> Bookkeeping for self-employed people in the Netherlands, with an HTTP API for invoices, payments, hours, VAT returns and the journal.

## Documentation

- [Integrating with the API]({base}/docs/integrating.md): from the first key to a credit note, with commands that can be run
- [OAuth with a library]({base}/docs/oauth.md): connecting other people's accounts, with code for four libraries
- [Errors]({base}/docs/errors.md): every code, and what to do about it
- [What is not supported]({base}/docs/not-supported.md)
- [Changelog of the API]({base}/docs/changelog.md)
- [OpenAPI description]({base}/api/openapi.json): every operation, field and limit
- [Open data]({base}/open-data): rates, deadlines and calculators, without a key

## Optional

- [Je webwinkel koppelen]({base}/docs/webwinkel.md): for owners, in Dutch
";

fn text(kind: &'static str, text: impl IntoResponse) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], text)
}

fn article(markdown: &str, page: &PageContext) -> String {
    let mut html = String::new();
    let mut events: Vec<Event<'_>> =
        Parser::new_ext(markdown, Options::ENABLE_TABLES).map(here).collect();
    name_headings(&mut events);
    html::push_html(&mut html, listings(events, page).into_iter());
    html
}

/// Renders code blocks with highlighting, and with a copy button where useful.
fn listings<'e>(events: Vec<Event<'e>>, page: &PageContext) -> Vec<Event<'e>> {
    let (mut all, mut info, mut code, mut number) =
        (Vec::with_capacity(events.len()), None, String::new(), 0);
    for event in events {
        match (event, &mut info) {
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                info = Some(match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                });
            }
            (Event::Text(text), Some(_)) => code.push_str(&text),
            (Event::End(TagEnd::CodeBlock), open) => {
                let info = open.take().unwrap_or_default();
                number += 1;
                all.push(Event::Html(listing(&info, &code, number, page).into()));
                code.clear();
            }
            (other, _) => all.push(other),
        }
    }
    all
}

fn listing(info: &str, code: &str, number: usize, page: &PageContext) -> String {
    let mut words = info.split(' ');
    let language = words.next().unwrap_or_default();
    let file = words.next().filter(|word| word.contains('.'));
    let coloured = highlight::html(code, language);
    let caption = file.map_or_else(String::new, |file| {
        format!("<figcaption><code>{}</code></figcaption>", escape(file))
    });
    // Examples of responses have no copy button, because they are only for reading.
    let button = if matches!(language, "sh" | "js" | "py") {
        let (copy, copied) = (page.t("copy"), page.t("copied"));
        format!(
            "<button type=\"button\" class=\"secondary\" data-copy=\"code-{number}\" data-copied=\"{copied}\" hidden>\
             <span aria-live=\"polite\">{copy}</span></button>"
        )
    } else {
        String::new()
    };
    format!(
        "<figure class=\"listing\">{caption}<pre tabindex=\"0\"><code id=\"code-{number}\">{coloured}</code></pre>{button}</figure>\n"
    )
}

/// Adds an id to every heading, and a table of contents below the title.
fn name_headings(events: &mut Vec<Event<'_>>) {
    let mut contents = String::from("<nav class=\"contents\">\n<ul>\n");
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
    let title_end = events
        .iter()
        .position(|event| matches!(event, Event::End(TagEnd::Heading(HeadingLevel::H1))));
    events.insert(title_end.map_or(0, |place| place + 1), Event::Html(contents.into()));
}

/// Changes a link to another guide's Markdown file into a link to the page of that guide.
fn here(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = dest_url
                .strip_suffix(".md")
                .map_or(dest_url.clone(), |stem| CowStr::from(format!("/docs/{stem}")));
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        other => other,
    }
}
