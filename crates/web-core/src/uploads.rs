//! Files that people and programs hand in: what they are.

use crate::{AppState, capacity::Asker};
use service::{
    Error,
    receipts::{self, ReceiptError, ReceiptFile},
};

/// Looks at a file that an account hands in, whose place among the uploads is held meanwhile.
///
/// # Errors
/// The looking itself failed; the file's own faults are inside.
pub async fn look_at(
    app: &AppState,
    account: i64,
    bytes: Vec<u8>,
    name: Option<String>,
) -> Result<Result<ReceiptFile, ReceiptError>, Error> {
    app.capacity().pictures.run(account, Asker::Visitor, move || receipts::look_at(bytes, name)).await
}

/// The media type of a file that is kept, and how its name ends.
pub fn kind_of(media_type: &str) -> (&'static str, &'static str) {
    match media_type {
        "image/jpeg" => ("image/jpeg", "jpg"),
        "image/png" => ("image/png", "png"),
        "image/webp" => ("image/webp", "webp"),
        _ => ("application/pdf", "pdf"),
    }
}
