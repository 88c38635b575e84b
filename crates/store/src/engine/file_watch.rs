//! Whether the files at the database's path are still those that are open. Somebody may move, remove or replace them under a running
//! server; what is written from then on goes into files that nobody finds again.

use crate::StoreError;
use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use tracing::{error, info};

/// Device and inode.
type Identity = (u64, u64);

/// The main file and the write-ahead log as they were when the database was opened.
pub(crate) struct FileWatch {
    main: (PathBuf, Identity),
    log: (PathBuf, Identity),
    /// What the last check found.
    replaced: AtomicBool,
}

impl FileWatch {
    /// Remembers the files of a database that is open: its log exists by then.
    ///
    /// # Errors
    /// One of them is not there.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let trouble = |error: io::Error| StoreError::Open(format!("{}: {error}", path.display()));
        // SQLite follows symbolic links and keeps the log beside the file itself.
        let mut log = OsString::from(fs::canonicalize(path).map_err(trouble)?);
        log.push("-wal");
        let log = PathBuf::from(log);
        let (main, its_log) = (identity(path).map_err(trouble)?, identity(&log).map_err(trouble)?);
        Ok(Self { main: (path.to_owned(), main), log: (log, its_log), replaced: AtomicBool::new(false) })
    }

    /// Looks whether the files are the same still, and says in the log when that changes.
    ///
    /// # Errors
    /// They are not.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let is_there = |(path, opened): &(PathBuf, Identity)| identity(path).is_ok_and(|found| found == *opened);
        let replaced = !(is_there(&self.main) && is_there(&self.log));
        if self.replaced.swap(replaced, Ordering::Relaxed) != replaced {
            let path = self.main.0.display();
            if replaced {
                error!(%path, "the database file or its -wal file was moved, removed or replaced: nothing is read or written until the files are back or the server is started again");
            } else {
                info!(%path, "the database files are back");
            }
        }
        self.last()
    }

    /// What the last check found, without looking again.
    ///
    /// # Errors
    /// The files are not the same any more.
    pub(crate) fn last(&self) -> Result<(), StoreError> {
        if self.replaced.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable(format!("{} was moved, removed or replaced", self.main.0.display())));
        }
        Ok(())
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use crate::{DatabaseUrl, Store, StoreError, Tx};
    use std::{
        fs,
        path::{Path, PathBuf},
        time::{Duration, Instant},
    };

    fn insert(store: &Store) -> Result<(), StoreError> {
        store.write_blocking(|tx| {
            tx.execute("INSERT INTO number_series VALUES (1, (SELECT COUNT(*) FROM number_series), 0, 1)", &[])
        })
    }

    fn count(store: &Store) -> Result<i64, StoreError> {
        store.read_blocking(|tx: &mut Tx<'_>| tx.query_one("SELECT COUNT(*) FROM number_series", &[], |row| row.int(0)))
    }

    /// Waits until an idle server has noticed by itself.
    fn noticed(store: &Store, gone: bool) -> bool {
        let begun = Instant::now();
        while count(store).is_err() != gone && begun.elapsed() < Duration::from_secs(20) {
            std::thread::yield_now();
        }
        count(store).is_err() == gone
    }

    fn with(path: &Path, ending: &str) -> PathBuf {
        PathBuf::from(format!("{}{ending}", path.display()))
    }

    #[test]
    fn nothing_is_read_or_written_once_the_file_was_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("books.db"), folder.path().join("copy.db"));
        let store = Store::open(&DatabaseUrl::Sqlite(path.clone()), 4).unwrap();
        insert(&store).unwrap();
        store.backup(&copy).unwrap();
        insert(&store).unwrap();
        for ending in ["", "-wal", "-shm"] {
            fs::remove_file(with(&path, ending)).unwrap();
        }
        fs::copy(&copy, &path).unwrap();
        assert!(matches!(insert(&store), Err(StoreError::Unavailable(_))), "it would go into the file that is gone");
        assert!(matches!(count(&store), Err(StoreError::Unavailable(_))));
        drop(store);
        // The file that was put there is as it was put there.
        assert_eq!(count(&Store::open(&DatabaseUrl::Sqlite(path), 4).unwrap()).unwrap(), 1);
    }

    #[test]
    fn an_idle_server_notices_too_and_goes_on_when_the_files_are_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("books.db");
        let store = Store::open(&DatabaseUrl::Sqlite(path.clone()), 4).unwrap();
        insert(&store).unwrap();
        for ending in ["", "-wal"] {
            let (there, away) = (with(&path, ending), folder.path().join("away"));
            fs::rename(&there, &away).unwrap();
            assert!(noticed(&store, true), "books.db{ending}");
            assert!(insert(&store).is_err(), "books.db{ending}");
            fs::rename(&away, &there).unwrap();
            assert!(noticed(&store, false), "books.db{ending}");
            insert(&store).unwrap();
        }
        assert_eq!(count(&store).unwrap(), 3);
    }

    #[test]
    fn a_symbolic_link_may_lead_to_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("books.db"), folder.path().join("link.db"));
        drop(Store::open(&DatabaseUrl::Sqlite(file.clone()), 4).unwrap());
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let store = Store::open(&DatabaseUrl::Sqlite(link), 4).unwrap();
        insert(&store).unwrap();
        assert_eq!(count(&store).unwrap(), 1);
    }
}
