//! `/invoices/{id}/pdf` and `/invoices/{id}/ubl`: the invoice as its customer gets it.

use super::{id, owner};
use crate::{
    documents,
    pages::{id::Id, page::Authenticated},
    problem::Problem,
};
use axum::{http::HeaderMap, response::Response};
use ledger::language::Language;
use service::invoice_documents;
use store::documents::Format;

/// `GET /invoices/{id}/pdf`, in another language with `?language=en`.
pub(super) async fn pdf(page: Authenticated, Id(text): Id, headers: HeaderMap) -> Result<Response, Problem> {
    document(page, &text, Format::Pdf, &headers).await
}

/// `GET /invoices/{id}/ubl`
pub(super) async fn ubl(page: Authenticated, Id(text): Id, headers: HeaderMap) -> Result<Response, Problem> {
    document(page, &text, Format::Ubl, &headers).await
}

async fn document(page: Authenticated, text: &str, format: Format, headers: &HeaderMap) -> Result<Response, Problem> {
    let (actor, id) = (owner(&page)?, id(text).await?);
    let language = page.query("language").as_deref().and_then(Language::parse);
    let asker = actor.clone();
    let asked = page.app.read(move |tx| invoice_documents::ask(tx, &asker, id, format, language)).await?;
    documents::answer(&page.app, actor, asked, format, headers).await
}
