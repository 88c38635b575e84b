//! Invoices as documents: the page and the e-invoice.

use crate::{operation::Operation, query, query::Query};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use ledger::language::Language;
use service::{Context, invoice_documents};
use store::documents::Format;
use web_core::{
    AppState, ReadContext,
    catalogue::{IS_A_DRAFT, IS_OPENING_ITEM, NOT_A_DRAFT, NOT_EXPRESSIBLE, NOT_FOUND},
    documents,
    problem::Problem,
};

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::file("/invoices/{id}/pdf", "readInvoicePdf", &["application/pdf"], pdf)
            .says(
                "Read an invoice as PDF",
                "PDF/A-3 and PDF/UA-1, with the e-invoice attached. Made once for a sent invoice: from then on it never changes. A draft's says so on \
                 every page and has no attachment. Another `language` than the one that it was sent in gives a translation, marked as such.",
            )
            .with_query(language)
            .or(&[NOT_FOUND, IS_OPENING_ITEM]),
        Operation::file("/invoices/{id}/ubl", "readInvoiceUbl", &["application/xml"], ubl)
            .says(
                "Read an invoice as e-invoice",
                "UBL 2.1 by EN 16931, Peppol BIS Billing 3.0 and NLCIUS; a credit note as `CreditNote`. Made once: from then on it never changes. \
                 A draft has none.",
            )
            .or(&[NOT_FOUND, IS_A_DRAFT, NOT_A_DRAFT, IS_OPENING_ITEM, NOT_EXPRESSIBLE]),
    ]
}

fn language(query: &mut Query) -> Option<Language> {
    let choices: Vec<_> = Language::ALL.iter().map(|language| (language.as_str(), *language)).collect();
    query.choice("language", "The language of the words; without it, the one that the invoice was sent in.", &choices)
}

async fn pdf(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let language = query::read(raw.as_deref(), language)?;
    document(app, cx, books, &id, Format::Pdf, language, &headers).await
}

async fn ubl(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    document(app, cx, books, &id, Format::Ubl, None, &headers).await
}

async fn document(
    app: AppState,
    cx: Context,
    books: ReadContext,
    id: &str,
    format: Format,
    language: Option<Language>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let id = query::id(id, "invoice")?;
    let asker = cx.clone();
    let asked = books.query(cx.actor.account, move |tx| invoice_documents::ask(tx, &asker, id, format, language)).await?;
    // Making it may have to wait.
    books.give_back();
    documents::answer(&app, cx, asked, format, headers).await
}
