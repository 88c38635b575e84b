//! Backup and restore of SQLite databases.

use crate::{StoreError, engine::migrations};
use rusqlite::{Connection, ErrorCode};
use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// Suffixes of the files that SQLite keeps next to a database.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

fn trouble(what: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unsupported(format!("{}: {error}", what.display()))
}

/// Copies the snapshot that `source` sees to a new file, readable only by its owner. The file gets
/// its final name only when complete, so an interrupted copy is never mistaken for a backup, even
/// after a power cut.
pub(crate) fn copy(source: &Connection, to: &Path) -> Result<(), StoreError> {
    let exists = || {
        StoreError::Unsupported(format!(
            "{} exists already; a backup never overwrites a file",
            to.display()
        ))
    };
    if to.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let folder = folder_of(to);
    let copy = tempfile::Builder::new()
        .prefix(".copying-")
        .tempfile_in(folder)
        .map_err(|error| trouble(to, &error))?;
    let text = copy
        .path()
        .to_str()
        .ok_or_else(|| StoreError::Unsupported("the file's name is not valid UTF-8".into()))?;
    // VACUUM INTO reads from one snapshot, so writes can continue in the meantime. The copy
    // contains no free pages.
    source.execute("VACUUM INTO ?1", [text])?;
    copy.as_file().sync_all().map_err(|error| trouble(to, &error))?;
    copy.persist_noclobber(to).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => exists(),
        _ => trouble(to, &error.error),
    })?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| trouble(folder, &error))
}

/// Returns the folder of a file.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a file, readable only by its owner.
///
/// # Errors
/// A file or link with that name exists, or the folder is not writable.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

/// Copies a backup to the database's folder, checks its integrity, and only then replaces the
/// database.
pub(crate) fn restore(from: &Path, to: &Path, replace: bool) -> Result<(), StoreError> {
    if !from.is_file() {
        return Err(trouble(from, &"there is no such file"));
    }
    let remains: Vec<PathBuf> =
        SIDE_FILES.iter().map(|end| with_suffix(to, end)).filter(|path| path.exists()).collect();
    if !replace && to.exists() {
        return Err(trouble(to, &"there is a database already; give --replace to overwrite it"));
    }
    if let (false, Some(remains)) = (replace, remains.first()) {
        // SQLite would apply a leftover log or journal to any new database at this path.
        return Err(trouble(
            remains,
            &"a removed database left this file behind; give --replace to remove it",
        ));
    }
    let folder = folder_of(to);
    let copy = tempfile::Builder::new()
        .prefix(".restoring-")
        .tempfile_in(folder)
        .map_err(|error| trouble(folder, &error))?;
    File::open(from)
        .and_then(|mut backup| io::copy(&mut backup, &mut copy.as_file()))
        .map_err(|error| trouble(from, &error))?;
    make_ready(copy.path())?;
    copy.as_file().sync_all().map_err(|error| trouble(copy.path(), &error))?;
    if to.exists() {
        put_aside(to)?;
    }
    for path in SIDE_FILES.iter().map(|end| with_suffix(to, end)).filter(|path| path.exists()) {
        std::fs::remove_file(&path).map_err(|error| trouble(&path, &error))?;
    }
    copy.persist(to).map_err(|error| trouble(to, &error.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| trouble(folder, &error))
}

pub(crate) fn with_suffix(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Prepares a database for being replaced: fails if it is in use, and renames an unreadable one so
/// that it can be inspected later.
fn put_aside(path: &Path) -> Result<(), StoreError> {
    let Err(error) = checkpoint_log(path) else { return Ok(()) };
    if !matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    ) {
        let message = format!("{} is in use ({error}); stop the server first", path.display());
        return Err(StoreError::Unsupported(message));
    }
    let mut aside = with_suffix(path, ".damaged");
    let mut count = 1;
    while aside.exists() {
        count += 1;
        aside = with_suffix(path, &format!(".damaged-{count}"));
    }
    for end in ["", "-wal", "-journal"] {
        let (from, to) = (with_suffix(path, end), with_suffix(&aside, end));
        if from.exists() {
            std::fs::rename(&from, &to).map_err(|error| trouble(&from, &error))?;
        }
    }
    Ok(())
}

/// Switches the database out of WAL mode. This requires exclusive access, and checkpoints the log
/// into the file.
fn checkpoint_log(path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    let mode: String =
        connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode == "delete" {
        return Ok(());
    }
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    Err(rusqlite::Error::SqliteFailure(busy, Some("other processes have it open".into())))
}

/// Checks the integrity of the copy, migrates its schema, and removes short-lived credentials.
fn make_ready(path: &Path) -> Result<(), StoreError> {
    let trouble = |error: rusqlite::Error| {
        StoreError::Unsupported(format!("the backup cannot be read: {error}"))
    };
    let mut connection = Connection::open(path).map_err(trouble)?;
    let answer: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).map_err(trouble)?;
    if answer != "ok" {
        return Err(StoreError::Unsupported(format!("the backup is damaged: {answer}")));
    }
    connection.query_row("SELECT count(*) FROM books", [], |_| Ok(())).map_err(trouble)?;
    migrations::sqlite(&mut connection)?;
    // Sessions, emailed links and codes that have been used or revoked since the backup must not
    // become valid again.
    connection
        .execute_batch("DELETE FROM sessions; DELETE FROM mail_tokens; DELETE FROM oauth_codes")
        .map_err(trouble)
}
