//! Files that people and programs hand in: how many are taken in at once, and what they are.

use crate::problem::Problem;
use service::receipts::{self, ReceiptError, ReceiptFile};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Files that are taken in at once: each may have ten megabytes.
static PLACES: Semaphore = Semaphore::const_new(8);
/// Pictures that are unpacked at once: each may take a few hundred megabytes.
static PICTURES: Semaphore = Semaphore::const_new(1);

/// Waits for a place to take a file in; given back when it is dropped.
pub(crate) async fn place() -> Option<SemaphorePermit<'static>> {
    // It is never closed.
    PLACES.acquire().await.ok()
}

/// Looks at a file, on a thread that serves nobody.
///
/// # Errors
/// The looking itself failed; the file's own faults are inside.
pub(crate) async fn look_at(bytes: Vec<u8>, name: Option<String>) -> Result<Result<ReceiptFile, ReceiptError>, Problem> {
    let _picture = PICTURES.acquire().await.ok();
    tokio::task::spawn_blocking(move || receipts::look_at(bytes, name)).await.map_err(|_| Problem::internal())
}

/// The media type of a file that is kept, and how its name ends.
pub(crate) fn kind_of(media_type: &str) -> (&'static str, &'static str) {
    match media_type {
        "image/jpeg" => ("image/jpeg", "jpg"),
        "image/png" => ("image/png", "png"),
        "image/webp" => ("image/webp", "webp"),
        _ => ("application/pdf", "pdf"),
    }
}
