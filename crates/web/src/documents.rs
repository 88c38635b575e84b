//! Documents of invoices, on their way out: made where they were not made yet, and kept.

use crate::{AppState, api::reply, problem::Problem};
use axum::{http::HeaderMap, response::Response};
use service::{
    Context, Error,
    invoice_documents::{self, Asked},
};
use store::documents::Format;

/// The bytes of a document that was asked for.
pub(crate) async fn bytes(app: &AppState, cx: Context, asked: Asked, format: Format) -> Result<Vec<u8>, Error> {
    match asked {
        Asked::Kept(bytes) => Ok(bytes),
        Asked::Unmade(unmade) => {
            // A page of many lines takes its time: not on a thread that serves.
            let made = tokio::task::spawn_blocking(move || invoice_documents::make(&unmade)).await;
            let made = made.map_err(|trouble| Error::Internal(trouble.to_string()))??;
            if made.is_kept() {
                app.execute(cx.actor.account, move |tx| invoice_documents::keep(tx, &cx, &made, format)).await
            } else {
                made.bytes(format)
            }
        }
    }
}

/// The answer with a document.
pub(crate) async fn answer(
    app: &AppState,
    cx: Context,
    (number, asked): (String, Asked),
    format: Format,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let bytes = bytes(app, cx, asked, format).await?;
    let media_type = match format {
        Format::Pdf => "application/pdf",
        Format::Ubl => "application/xml",
    };
    Ok(reply::file(headers, bytes, media_type, &invoice_documents::file_name(&number, format)))
}
