//! `/search?q=`: contacts, invoices, expenses, events, entries, projects and amounts.

use crate::{
    journal,
    page::{Authenticated, PageContext},
};
use askama::Template;
use axum::response::Response;
use service::search::{self, Found};
use store::search::FoundEvent;
use web_core::problem::Problem;

/// Maximum number of characters in a query.
const LONGEST: usize = 255;

#[derive(Template)]
#[template(path = "search.html")]
struct Search<'a> {
    page: &'a PageContext,
    text: String,
    found: Found,
    events: Vec<EventRow>,
}

/// Row for an event or manual entry.
struct EventRow {
    id: i64,
    address: Option<String>,
    kind: String,
    about: String,
    event: FoundEvent,
}

fn event_row(page: &Authenticated, event: FoundEvent) -> EventRow {
    let entry = event.entry_id.map(|entry| format!("/journal/{entry}"));
    let stored = &event.event;
    EventRow {
        id: stored.id,
        address: journal::address_of_event(stored).or(entry),
        kind: journal::kind_name(page, stored.event.source_type()).to_string(),
        about: stored
            .description
            .clone()
            .unwrap_or_else(|| journal::about_event(page, &stored.event)),
        event,
    }
}

/// `GET /search`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let text: String = page
        .query("q")
        .unwrap_or_default()
        .trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(LONGEST)
        .collect();
    let (cx, wanted) = (page.context(), text.clone());
    let amount = i18n::read_money(&text, page.texts.language).ok();
    let found = page.list(move |tx| search::find(tx, &cx, &wanted, amount)).await?;
    let events = found.events.iter().cloned().map(|event| event_row(&page, event)).collect();
    page.show(&Search { page: &page, text, found, events })
}
