//! Files that people and programs hand in: how many are taken in at once, and what they are.

use crate::problem::Problem;
use service::receipts::{self, ReceiptError, ReceiptFile};
use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{Notify, Semaphore};

/// Requests with files that are taken in at once: each file may have ten megabytes.
const PLACES: usize = 8;
/// Of one account: however slowly it sends, others find a place.
const OF_ONE: usize = 2;
/// Pictures that are unpacked at once: each may take a few hundred megabytes.
static PICTURES: Semaphore = Semaphore::const_new(1);

/// Where files are taken in.
#[derive(Default)]
pub(crate) struct Uploads {
    /// Places that are taken, by account.
    taken: Mutex<BTreeMap<i64, usize>>,
    freed: Notify,
}

/// A place to take files of an account in; given back when it is dropped.
pub(crate) struct Place {
    uploads: Arc<Uploads>,
    account: i64,
}

impl Uploads {
    /// Waits for a place to take files of an account in.
    pub(crate) async fn place(self: &Arc<Self>, account: i64) -> Place {
        loop {
            let mut freed = pin!(self.freed.notified());
            // Before looking, so that what is freed meanwhile is not missed.
            freed.as_mut().enable();
            if self.take(account) {
                return Place { uploads: Arc::clone(self), account };
            }
            freed.await;
        }
    }

    fn take(&self, account: i64) -> bool {
        let mut taken = self.taken();
        let has_place = taken.values().sum::<usize>() < PLACES && taken.get(&account).is_none_or(|count| *count < OF_ONE);
        if has_place {
            *taken.entry(account).or_default() += 1;
        }
        has_place
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<i64, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.uploads.taken();
        match taken.get_mut(&self.account) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(taken.remove(&self.account)),
        }
        drop(taken);
        self.uploads.freed.notify_waiters();
    }
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
