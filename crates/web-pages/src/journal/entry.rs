//! `/journal/{id}`: an entry with its lines, its source, and the form that reverses it.

use super::list::entry_kind;
use crate::{
    done::Done,
    form::Form,
    frame::list::{ListState, Pager},
    id::Id,
    page::Authenticated,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::entry::Posting;
use service::{
    Context, bank_lines, entries, events,
    source_documents::{self, SourceDocument},
};
use std::fmt::Write as _;
use store::{Tx, journal::StoredEntry};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "journal/entry.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    stored: StoredEntry,
    /// Pager of the entry's lines.
    lines: Pager,
    document: Option<SourceDocument>,
    /// Ids of the bank lines that the entry belongs to.
    bank_lines: Vec<i64>,
}

impl View<'_> {
    /// Lines on the current page.
    fn postings(&self) -> &[Posting] {
        let all = self.stored.entry.postings();
        all.get(self.lines.first.saturating_sub(1)..self.lines.last).unwrap_or(&[])
    }

    fn words(&self) -> String {
        self.stored.entry.words(self.page.texts.language)
    }

    fn kind(&self) -> Phrase<'static> {
        entry_kind(self.page, &self.stored.entry)
    }

    /// Path of the page about the entry's source document or event.
    fn source(&self) -> Option<String> {
        match self.document.as_ref()? {
            SourceDocument::Invoice(id) => Some(format!("/invoices/{id}")),
            SourceDocument::Expense(id) => Some(format!("/expenses/{id}")),
            SourceDocument::Asset(id) => Some(format!("/assets/{id}")),
            SourceDocument::Trip(year) => Some(format!("/mileage?year={year}")),
            SourceDocument::Payout(year) => Some(format!("/payouts?year={year}")),
            SourceDocument::VatReturn(period) => Some(crate::tax::path_of(*period)),
            SourceDocument::VatRevision(year) => Some(format!("/vat-revisions/{year}")),
            SourceDocument::VatPayment(_) => Some("/vat-payments".to_owned()),
            SourceDocument::Event(event) => super::kinds::address(event),
        }
    }

    fn is_reversible(&self) -> bool {
        let stands = matches!(&self.document, Some(SourceDocument::Event(event)) if event.undone_at.is_none());
        stands && self.stored.entry.reverses().is_none()
    }

    fn hash(&self) -> String {
        self.stored.hash.iter().fold(String::new(), |mut hash, byte| {
            // Writing to a String cannot fail.
            let _ = write!(hash, "{byte:02x}");
            hash
        })
    }
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let stored = entries::read(tx, &cx, id)?;
        let document = source_documents::source_document(tx, &cx, &stored)?;
        let bank_lines = bank_lines::of_entry(tx, &cx, id)?;
        Ok((stored, document, bank_lines))
    };
    let (stored, document, bank_lines) = page.app.query(page.who.account.id, read).await?;
    let lines = ListState::of(page, "line").pager(stored.entry.postings().len());
    page.show_as(status, &View { page, form, stored, lines, document, bank_lines })
}

/// `GET /journal/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let form = Form::of([(SUBMISSION, page.new_submission()?)]);
    show_with(&page, id, form, StatusCode::OK).await
}

/// `POST /journal/{id}/reverse`: reverses the entry completely.
pub(super) async fn reverse(
    page: Authenticated,
    Id(id): Id,
    mut form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    form = form.goes_to(format!("/journal/{id}/reverse"));
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let undone = events::reverse(tx, cx, id, if_filed)?;
        let last = undone.entries.last().map_or(id, |stored| stored.id);
        let done = Done {
            code: "entry-reversed".into(),
            name: id.to_string(),
            entry: Some(last),
            ..Done::default()
        };
        Ok(done.at(&format!("/journal/{last}")))
    };
    page.press(form, run, async |form, status| show_with(&page, id, form, status).await).await
}
