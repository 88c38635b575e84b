//! Uploaded files: validation and media types.

use crate::{AppState, capacity::Asker};
use service::{
    Error,
    receipts::{self, ReceiptError, ReceiptFile},
};

/// Validates an uploaded file of an account. The caller must hold an upload permit.
///
/// # Errors
/// The validation could not run; faults of the file itself are in the inner result.
pub async fn look_at(
    app: &AppState,
    account: i64,
    bytes: Vec<u8>,
    name: Option<String>,
) -> Result<Result<ReceiptFile, ReceiptError>, Error> {
    app.capacity()
        .pictures
        .run(account, Asker::Visitor, move || receipts::look_at(bytes, name))
        .await
}

/// Returns the media type of a stored file and the extension for its name.
pub fn kind_of(media_type: &str) -> (&'static str, &'static str) {
    match media_type {
        "image/jpeg" => ("image/jpeg", "jpg"),
        "image/png" => ("image/png", "png"),
        "image/webp" => ("image/webp", "webp"),
        _ => ("application/pdf", "pdf"),
    }
}
