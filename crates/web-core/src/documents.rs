//! Invoice documents: rendered on first use, then stored.

use crate::{AppState, capacity::Asker, http::entity_tags, problem::Problem};
use axum::{http::HeaderMap, response::Response};
use service::{
    Context, Error,
    invoice_documents::{self, Asked, Made, Unmade},
};
use store::documents::Format;

/// Renders a document as soon as a slot is free; accounts take turns.
///
/// # Errors
/// Too many documents are waiting, or rendering fails.
pub async fn make(
    app: &AppState,
    account: i64,
    unmade: Box<Unmade>,
    asker: Asker,
) -> Result<Made, Error> {
    app.capacity().documents.run(account, asker, move || invoice_documents::make(&unmade)).await?
}

/// Returns the bytes of a requested document, rendering and storing it if needed.
pub async fn bytes(
    app: &AppState,
    cx: Context,
    asked: Asked,
    format: Format,
    asker: Asker,
) -> Result<Vec<u8>, Error> {
    match asked {
        Asked::Kept(bytes) => Ok(bytes),
        Asked::Unmade(unmade) => {
            let made = make(app, cx.actor.account, unmade, asker).await?;
            if made.is_kept() {
                app.execute(cx.actor.account, move |tx| {
                    invoice_documents::keep(tx, &cx, &made, format)
                })
                .await
            } else {
                made.bytes(format)
            }
        }
    }
}

/// Returns a document as a response.
pub async fn answer(
    app: &AppState,
    cx: Context,
    (number, asked): (String, Asked),
    format: Format,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let bytes = bytes(app, cx, asked, format, Asker::Visitor).await?;
    let media_type = match format {
        Format::Pdf => "application/pdf",
        Format::Ubl => "application/xml",
    };
    Ok(entity_tags::file(
        headers,
        bytes,
        media_type,
        &invoice_documents::file_name(&number, format),
    ))
}
