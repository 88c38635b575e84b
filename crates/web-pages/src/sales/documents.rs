//! `/invoices/{id}/pdf` and `/invoices/{id}/ubl`: the invoice as the customer receives it.

use super::show;
use crate::{form::Form, id::Id, page::Authenticated};
use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};
use ledger::language::Language;
use service::{
    Error, InvoiceError,
    invoice_documents::{self, Asked},
};
use store::documents::Format;
use web_core::{capacity::Asker, documents, problem::Problem};

/// `GET /invoices/{id}/pdf`, in another language with `?language=en`.
pub(super) async fn pdf(
    page: Authenticated,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    document(page, id, Format::Pdf, &headers).await
}

/// `GET /invoices/{id}/ubl`
pub(super) async fn ubl(
    page: Authenticated,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    document(page, id, Format::Ubl, &headers).await
}

async fn document(
    page: Authenticated,
    id: i64,
    format: Format,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let cx = page.context();
    let language = page.query("language").as_deref().and_then(Language::parse);
    let asker = cx.clone();
    let asked = page
        .app
        .query(page.who.account.id, move |tx| {
            invoice_documents::ask(tx, &asker, id, format, language)
        })
        .await;
    let bytes = match asked {
        Ok((number, asked)) => {
            documents::bytes(&page.app, cx.clone(), asked, format, Asker::Visitor)
                .await
                .map(|bytes| (number, bytes))
        }
        Err(error) => Err(error),
    };
    match bytes {
        Ok((number, bytes)) => {
            documents::answer(&page.app, cx, (number, Asked::Kept(bytes)), format, headers).await
        }
        Err(error @ Error::Invoice(InvoiceError::IsADraft)) => {
            let mut form = Form::default();
            form.take(error, page.texts)?;
            show::show_refused(&page, id, form).await
        }
        // The invoice's page lists the missing details.
        Err(Error::Invoice(InvoiceError::NotExpressible(_))) => {
            show::show_with(&page, id, None, StatusCode::CONFLICT).await
        }
        Err(error) => Err(error.into()),
    }
}
