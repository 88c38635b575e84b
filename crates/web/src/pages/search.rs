//! `/search?q=`: contacts, invoices, projects, entries and amounts.

use crate::{
    pages::page::{Authenticated, PageContext},
    problem::Problem,
};
use askama::Template;
use axum::response::Response;
use service::search::{self, Found};

/// Characters that are searched for at the most.
const LONGEST: usize = 255;

#[derive(Template)]
#[template(path = "search.html")]
struct Search<'a> {
    page: &'a PageContext,
    text: String,
    found: Found,
}

/// `GET /search`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let text: String = page.query("q").unwrap_or_default().trim().chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    let (cx, wanted) = (page.context(), text.clone());
    let amount = i18n::read_money(&text, page.texts.language).ok();
    let found = page.list(move |tx| search::find(tx, &cx, &wanted, amount)).await?;
    page.show(&Search { page: &page, text, found })
}
