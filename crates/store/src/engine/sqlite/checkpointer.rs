//! Checkpoints the write-ahead log concurrently with the writer, so that commands rarely wait for
//! it.
//!
//! A connection of its own copies the pages while the writer continues. Between two commits, the
//! writer itself copies the few pages that it added in the meantime, after which SQLite restarts
//! the log. While pages are flushed to the main file, a commit takes as long as the flush, because
//! they share the disk: ten milliseconds for 16 MB, several times a second under continuous writes.
//! That would delay one in a hundred commands of a quiet account next to a loud one, so checkpoints
//! are small in that case. Otherwise they are large, which makes writes a sixth faster.

use super::{BUSY_TIMEOUT, spawn};
use crate::StoreError;
use rusqlite::{Connection, hooks::Wal};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, Ordering},
        mpsc::{SyncSender, sync_channel},
    },
    thread::JoinHandle,
};

/// Number of pages (of 4 KiB) in the log at which a checkpoint is triggered.
const PAGES: i32 = 4_000;
/// Number of pages in the log at which a checkpoint is triggered while loud and quiet accounts are
/// writing.
const PAGES_BESIDE_LOUD: i32 = 500;
/// Number of pages in the log at which the writer does the checkpoint itself, without waiting for
/// the thread.
const MOST_PAGES: i32 = 4 * PAGES;

/// The checkpoint thread.
pub(super) struct Checkpointer {
    /// Number of pages in the log after the last commit.
    pages: Arc<AtomicI32>,
    /// Channel for requesting a checkpoint; dropping the sender ends the thread.
    request: Option<SyncSender<()>>,
    /// Whether a checkpoint was requested and the writer has not completed it yet.
    requested: bool,
    /// Whether the thread has finished copying.
    copied: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Replaces the automatic checkpoints of the writer's connection, which run inside its commits.
    pub(super) fn of(writer: &mut Connection, path: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let (pages, copied) = (Arc::new(AtomicI32::new(0)), Arc::new(AtomicBool::new(false)));
        let (its_pages, its_copied) = (Arc::clone(&pages), Arc::clone(&copied));
        writer.wal_hook(Some(move |_: &mut Wal, pages| {
            its_pages.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        let (request, requests) = sync_channel(1);
        let thread = spawn("sqlite-checkpoint", move || {
            for () in requests {
                copy(&connection);
                its_copied.store(true, Ordering::Release);
            }
        })?;
        Ok(Self { pages, request: Some(request), requested: false, copied, thread: Some(thread) })
    }

    /// Checkpoints the log if it is long. The writer calls this between two commits. `beside_loud`
    /// is true if loud and quiet accounts are writing at the same time.
    pub(super) fn look(&mut self, writer: &Connection, beside_loud: bool) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < if beside_loud { PAGES_BESIDE_LOUD } else { PAGES } {
            return;
        }
        if self.copied.swap(false, Ordering::Acquire) || pages >= MOST_PAGES {
            copy(writer);
            self.requested = false;
        } else if !self.requested {
            // A full channel means that a checkpoint is already requested.
            self.requested =
                self.request.as_ref().is_some_and(|sender| sender.try_send(()).is_ok());
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.request = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Copies as many pages as the readers' snapshots allow. A failure is harmless: the log keeps
/// everything until the next attempt.
fn copy(connection: &Connection) {
    let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
}
