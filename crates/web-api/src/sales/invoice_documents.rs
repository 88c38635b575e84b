//! Documents of invoices: PDF and e-invoice.

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
                "Returns a PDF/A-3 and PDF/UA-1 file with the e-invoice attached. The file of a \
                 sent invoice is created once and never changes. A draft is marked as such on \
                 every page, and has no attachment. With a `language` other than the one it was \
                 sent in, the result is marked as a translation.",
            )
            .with_query(language)
            .or(&[NOT_FOUND, IS_OPENING_ITEM]),
        Operation::file("/invoices/{id}/ubl", "readInvoiceUbl", &["application/xml"], ubl)
            .says(
                "Read an invoice as e-invoice",
                "Returns UBL 2.1 according to EN 16931, Peppol BIS Billing 3.0 and NLCIUS; a \
                 credit note as `CreditNote`. The file is created once and never changes. Drafts \
                 have none.",
            )
            .or(&[NOT_FOUND, IS_A_DRAFT, NOT_A_DRAFT, IS_OPENING_ITEM, NOT_EXPRESSIBLE]),
    ]
}

fn language(query: &mut Query) -> Option<Language> {
    let choices: Vec<_> =
        Language::ALL.iter().map(|language| (language.as_str(), *language)).collect();
    query.choice(
        "language",
        "Language of the document. Default: the one that the invoice was sent in.",
        &choices,
    )
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
    let document = books
        .query(cx.actor.account, move |tx| invoice_documents::ask(tx, &asker, id, format, language))
        .await?;
    // Gives back the snapshot, because creating the document may have to wait for capacity.
    books.give_back();
    documents::answer(&app, cx, document, format, headers).await
}
