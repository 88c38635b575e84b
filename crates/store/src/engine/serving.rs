//! That a server is at work on an SQLite database: a lock on a file beside it, which the system takes back when the server ends, however it
//! ends.

use crate::{
    StoreError,
    engine::{Purpose, migrations},
};
use rusqlite::Connection;
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// How long a command waits each time for another that brings the tables up to date.
const WAIT: Duration = Duration::from_millis(20);
/// How often it waits.
const ATTEMPTS: u32 = 150;

/// The lock, for as long as it is kept.
pub(crate) struct Lock {
    _file: File,
}

/// The lock that tells that a server is at work: a server needs it, and so does a command that is to change the tables.
pub(crate) fn lock(path: &Path, writer: &Connection, purpose: Purpose) -> Result<Option<Lock>, StoreError> {
    if purpose == Purpose::Command && !migrations::are_due(writer)? {
        return Ok(None);
    }
    let mut lock = take(path)?;
    // Whoever holds it may be a command like this one, which brings the tables up to date and is done soon.
    for _ in 0..ATTEMPTS {
        if purpose == Purpose::Serve || lock.is_some() {
            break;
        }
        std::thread::sleep(WAIT);
        if !migrations::are_due(writer)? {
            return Ok(None);
        }
        lock = take(path)?;
    }
    match (lock, purpose) {
        (Some(lock), _) => Ok(Some(lock)),
        (None, Purpose::Serve) => {
            let message = "a server has it open already; stop that one first, or give this one another database";
            Err(StoreError::Open(format!("{}: {message}", path.display())))
        }
        (None, Purpose::Command) => Err(StoreError::served_by_older()),
    }
}

/// Takes the lock of a database that is there; none when another has it.
///
/// # Errors
/// The file of the lock cannot be made.
pub(crate) fn take(database: &Path) -> Result<Option<Lock>, StoreError> {
    let path = beside(database)?;
    let trouble = |error: std::io::Error| StoreError::Open(format!("{}: {error}", path.display()));
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(trouble)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(trouble(error)),
    }
    // For people who wonder who it is.
    file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(trouble)?;
    Ok(Some(Lock { _file: file }))
}

/// The lock's file: SQLite follows symbolic links, so it lies beside the file itself.
fn beside(database: &Path) -> Result<PathBuf, StoreError> {
    let real = fs::canonicalize(database).map_err(|error| StoreError::Open(format!("{}: {error}", database.display())))?;
    let mut name = OsString::from(real);
    name.push(".lock");
    Ok(name.into())
}
