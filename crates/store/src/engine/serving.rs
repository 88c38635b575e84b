//! File lock that marks an SQLite database as being served. The operating system releases it when
//! the server ends, even after a crash.

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

/// Interval at which a command tries to get the lock while another command migrates the schema.
const WAIT: Duration = Duration::from_millis(20);
/// Maximum number of attempts to get the lock.
const ATTEMPTS: u32 = 150;

/// Held lock; dropping the value releases the lock.
pub(crate) struct Lock {
    _file: File,
}

/// Takes the lock that marks the database as being served. A command takes it too if it has to
/// migrate the schema; for any other command, returns `None`.
pub(crate) fn lock(
    path: &Path,
    writer: &Connection,
    purpose: Purpose,
) -> Result<Option<Lock>, StoreError> {
    if purpose == Purpose::Command && !migrations::are_due(writer)? {
        return Ok(None);
    }
    let mut lock = take(path)?;
    // The holder may be another command that migrates the schema and finishes soon.
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

/// Takes the lock on an existing database; `None` if another process holds it.
///
/// # Errors
/// The lock file cannot be created.
pub(crate) fn take(database: &Path) -> Result<Option<Lock>, StoreError> {
    let path = beside(database)?;
    let trouble = |error: std::io::Error| StoreError::Open(format!("{}: {error}", path.display()));
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file =
        options.read(true).write(true).create(true).truncate(false).open(&path).map_err(trouble)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(trouble(error)),
    }
    // Shows administrators which process holds the lock.
    file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(trouble)?;
    Ok(Some(Lock { _file: file }))
}

/// Path of the lock file. It is next to the real file, because SQLite follows symbolic links.
fn beside(database: &Path) -> Result<PathBuf, StoreError> {
    let real = fs::canonicalize(database)
        .map_err(|error| StoreError::Open(format!("{}: {error}", database.display())))?;
    let mut name = OsString::from(real);
    name.push(".lock");
    Ok(name.into())
}
