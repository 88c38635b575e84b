//! Detects that the files at the database's path are no longer the files that are open. If the
//! files are moved, removed or replaced while the server runs, the server would otherwise continue
//! to write to files that can no longer be found by name.

use crate::StoreError;
use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use tracing::{error, info};

/// Device and inode number.
type Identity = (u64, u64);

/// Identities of the main file and the write-ahead log when the database was opened.
pub(crate) struct FileWatch {
    main: (PathBuf, Identity),
    log: (PathBuf, Identity),
    /// Whether the last check found that the files were moved, removed or replaced.
    replaced: AtomicBool,
}

impl FileWatch {
    /// Records the identity of an open database's files. The write-ahead log must already exist.
    ///
    /// # Errors
    /// One of the files does not exist.
    pub(crate) fn of(path: &Path) -> Result<Self, StoreError> {
        let trouble = |error: io::Error| StoreError::Open(format!("{}: {error}", path.display()));
        // SQLite follows symbolic links and keeps the log next to the real file.
        let mut log = OsString::from(fs::canonicalize(path).map_err(trouble)?);
        log.push("-wal");
        let log = PathBuf::from(log);
        let (main, its_log) = (identity(path).map_err(trouble)?, identity(&log).map_err(trouble)?);
        Ok(Self {
            main: (path.to_owned(), main),
            log: (log, its_log),
            replaced: AtomicBool::new(false),
        })
    }

    /// Checks whether the files are still the same, and logs changes.
    ///
    /// # Errors
    /// The files were moved, removed or replaced.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let is_same = |(path, opened): &(PathBuf, Identity)| {
            identity(path).is_ok_and(|current| current == *opened)
        };
        let replaced = !(is_same(&self.main) && is_same(&self.log));
        if self.replaced.swap(replaced, Ordering::Relaxed) != replaced {
            let path = self.main.0.display();
            if replaced {
                error!(%path, "the database file or its -wal file was moved, removed or replaced: reads and writes fail until the files are back or the server is restarted");
            } else {
                info!(%path, "the database files are back");
            }
        }
        self.last()
    }

    /// Returns the result of the last check without checking again.
    ///
    /// # Errors
    /// The files were moved, removed or replaced.
    pub(crate) fn last(&self) -> Result<(), StoreError> {
        if self.replaced.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable(format!(
                "{} was moved, removed or replaced",
                self.main.0.display()
            )));
        }
        Ok(())
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
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
            tx.execute(
                "INSERT INTO number_series VALUES (1, (SELECT COUNT(*) FROM number_series), 0, 1)",
                &[],
            )
        })
    }

    fn count(store: &Store) -> Result<i64, StoreError> {
        store.read_blocking(|tx: &mut Tx<'_>| {
            tx.query_one("SELECT COUNT(*) FROM number_series", &[], |row| row.int(0))
        })
    }

    /// Waits until an idle server's own check notices that the files are gone or, if `gone` is
    /// false, back again; returns whether it did in time.
    fn detects(store: &Store, gone: bool) -> bool {
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
    fn reads_and_writes_fail_once_the_file_was_replaced() {
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
        assert!(
            matches!(insert(&store), Err(StoreError::Unavailable(_))),
            "the row would go to the removed file"
        );
        assert!(matches!(count(&store), Err(StoreError::Unavailable(_))));
        drop(store);
        // The server has written nothing to the replacement file.
        assert_eq!(count(&Store::open(&DatabaseUrl::Sqlite(path), 4).unwrap()).unwrap(), 1);
    }

    #[test]
    fn an_idle_server_detects_it_too_and_continues_when_the_files_are_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("books.db");
        let store = Store::open(&DatabaseUrl::Sqlite(path.clone()), 4).unwrap();
        insert(&store).unwrap();
        for ending in ["", "-wal"] {
            let (original, away) = (with(&path, ending), folder.path().join("away"));
            fs::rename(&original, &away).unwrap();
            assert!(detects(&store, true), "books.db{ending}");
            assert!(insert(&store).is_err(), "books.db{ending}");
            fs::rename(&away, &original).unwrap();
            assert!(detects(&store, false), "books.db{ending}");
            insert(&store).unwrap();
        }
        assert_eq!(count(&store).unwrap(), 3);
    }

    #[test]
    fn a_symbolic_link_to_the_database_works() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("books.db"), folder.path().join("link.db"));
        drop(Store::open(&DatabaseUrl::Sqlite(file.clone()), 4).unwrap());
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let store = Store::open(&DatabaseUrl::Sqlite(link), 4).unwrap();
        insert(&store).unwrap();
        assert_eq!(count(&store).unwrap(), 1);
    }
}
