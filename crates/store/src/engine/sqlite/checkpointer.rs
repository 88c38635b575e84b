//! Moves the pages of the write-ahead log to the main file beside the writer, so that hardly anybody waits for that.
//!
//! A connection of its own copies them while the writer goes on. The few that the writer added meanwhile it copies by itself between two commits,
//! after which SQLite begins the log anew. While pages are flushed to the main file a commit takes as long as that, as both share the disk: ten
//! milliseconds for 16 MB, several times a second where somebody writes without end. Whoever writes little beside such an account would meet that with
//! one command in a hundred, so little is moved at once then; otherwise much is, with which a sixth more is written.

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

/// Pages (of 4 KiB) in the log before they are moved to the main file.
const PAGES: i32 = 4_000;
/// The same while an account that asks for much writes beside others.
const PAGES_BESIDE_LOUD: i32 = 500;
/// Pages with which the writer waits for no other any more.
const MOST_PAGES: i32 = 4 * PAGES;

/// The thread that copies.
pub(super) struct Checkpointer {
    /// Pages in the log, as of the last commit.
    pages: Arc<AtomicI32>,
    /// Asks the thread to copy; without it the thread ends.
    ask: Option<SyncSender<()>>,
    /// Whether it was asked, and has not been followed by the writer yet.
    asked: bool,
    /// Whether it is done.
    copied: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Takes the place of the checkpoints that the writer's connection would make inside its commits.
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
        let (ask, questions) = sync_channel(1);
        let thread = spawn("sqlite-checkpoint", move || {
            for () in questions {
                copy(&connection);
                its_copied.store(true, Ordering::Release);
            }
        })?;
        Ok(Self { pages, ask: Some(ask), asked: false, copied, thread: Some(thread) })
    }

    /// Has the log copied if it is long. Called by the writer between two commits; `beside_loud` tells whether an
    /// account that asks for much writes beside others just now.
    pub(super) fn look(&mut self, writer: &Connection, beside_loud: bool) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < if beside_loud { PAGES_BESIDE_LOUD } else { PAGES } {
            return;
        }
        if self.copied.swap(false, Ordering::Acquire) || pages >= MOST_PAGES {
            copy(writer);
            self.asked = false;
        } else if !self.asked {
            // Full is asked already.
            self.asked = self.ask.as_ref().is_some_and(|ask| ask.try_send(()).is_ok());
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.ask = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Copies as far as readers allow. What fails is done the next time: the log has it all.
fn copy(connection: &Connection) {
    let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
}
