//! `/docs/errors`: the target of a problem's `type`.

use super::{escape, guides};
use axum::response::Response;
use i18n::Language;
use std::fmt::Write as _;
use web_core::{
    catalogue::{ALL, FAULTS},
    problem::Problem,
};
use web_pages::PageContext;

/// Returns the page of all problem codes, the target of a problem's `type`.
pub(crate) async fn page(page: PageContext) -> Result<Response, Problem> {
    let mut html = String::from(
        "<h1>Errors of the API</h1>\n<p>Every failed request is answered with <code>application/problem+json</code> (RFC 9457).</p>\n",
    );
    html.push_str("<nav class=\"contents\">\n<ul>\n");
    for code in ALL.iter().map(|kind| kind.code) {
        let _ = writeln!(html, "<li><a href=\"#{code}\"><code>{code}</code></a></li>");
    }
    html.push_str("<li><a href=\"#faults\">Codes inside a 422</a></li>\n</ul>\n</nav>\n");
    for kind in ALL {
        let (code, status, title) = (kind.code, kind.status, escape(kind.title));
        let _ = writeln!(
            html,
            "<section id=\"{code}\">\n<h2><code>{code}</code></h2>\n<p>{status} {title}. {}</p>\n</section>",
            escape(kind.meaning)
        );
    }
    html.push_str("<section id=\"faults\">\n<h2>Codes inside a 422</h2>\n<dl>\n");
    for (code, meaning) in FAULTS {
        let _ = writeln!(html, "<dt><code>{code}</code></dt>\n<dd>{}</dd>", escape(meaning));
    }
    html.push_str("</dl>\n</section>\n");
    guides::show_text(&page, "Errors of the API", Language::English, html)
}

/// Returns the text as HTML, with text in backticks as code.
fn escape(text: &str) -> String {
    let escaped = escape::escape(text);
    let parts = escaped.split('`').enumerate().map(|(place, part)| {
        if place % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }
    });
    parts.collect()
}
