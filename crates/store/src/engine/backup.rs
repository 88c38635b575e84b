//! Copies of an SQLite database, and putting one back.

use crate::{StoreError, engine::migrations};
use rusqlite::{Connection, ErrorCode};
use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// What SQLite keeps beside a database.
pub(crate) const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

fn trouble(what: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unsupported(format!("{}: {error}", what.display()))
}

/// Copies what `source` sees to a new file, which only its owner can read. A copy that is broken off, even
/// by a power cut, never has the name of a backup.
pub(crate) fn copy(source: &Connection, to: &Path) -> Result<(), StoreError> {
    let exists = || StoreError::Unsupported(format!("{} exists already; a backup never overwrites a file", to.display()));
    if to.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let folder = folder_of(to);
    let copy = tempfile::Builder::new().prefix(".copying-").tempfile_in(folder).map_err(|error| trouble(to, &error))?;
    let text = copy.path().to_str().ok_or_else(|| StoreError::Unsupported("the file's name is not valid UTF-8".into()))?;
    // VACUUM INTO reads one snapshot, so others may write meanwhile, and leaves a compact file.
    source.execute("VACUUM INTO ?1", [text])?;
    copy.as_file().sync_all().map_err(|error| trouble(to, &error))?;
    copy.persist_noclobber(to).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => exists(),
        _ => trouble(to, &error.error),
    })?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| trouble(folder, &error))
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a file that is not there, not even as a link, for its owner alone.
///
/// # Errors
/// There is something of that name, or the folder cannot be written.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

/// Copies a backup beside the database, checks that it is whole, and only then puts it in the database's place.
pub(crate) fn restore(from: &Path, to: &Path, replace: bool) -> Result<(), StoreError> {
    if !from.is_file() {
        return Err(trouble(from, &"there is no such file"));
    }
    let remains: Vec<PathBuf> = BESIDE.iter().map(|end| beside(to, end)).filter(|path| path.exists()).collect();
    if !replace && to.exists() {
        return Err(trouble(to, &"there is a database already; give --replace to overwrite it"));
    }
    if let (false, Some(remains)) = (replace, remains.first()) {
        // SQLite would play it into whatever is put beside it.
        return Err(trouble(remains, &"this is what a database left behind; give --replace to remove it"));
    }
    let folder = folder_of(to);
    let copy = tempfile::Builder::new().prefix(".restoring-").tempfile_in(folder).map_err(|error| trouble(folder, &error))?;
    File::open(from).and_then(|mut backup| io::copy(&mut backup, &mut copy.as_file())).map_err(|error| trouble(from, &error))?;
    make_ready(copy.path())?;
    copy.as_file().sync_all().map_err(|error| trouble(copy.path(), &error))?;
    if to.exists() {
        put_aside(to)?;
    }
    for path in BESIDE.iter().map(|end| beside(to, end)).filter(|path| path.exists()) {
        std::fs::remove_file(&path).map_err(|error| trouble(&path, &error))?;
    }
    copy.persist(to).map_err(|error| trouble(to, &error.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| trouble(folder, &error))
}

pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Makes way. A database in use is left alone; one that cannot be read is kept under another name, for who wants to look into it.
fn put_aside(path: &Path) -> Result<(), StoreError> {
    let Err(error) = checkpoint_log(path) else { return Ok(()) };
    if !matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)) {
        let message = format!("{} is in use ({error}); stop the server first", path.display());
        return Err(StoreError::Unsupported(message));
    }
    let mut aside = beside(path, ".damaged");
    let mut count = 1;
    while aside.exists() {
        count += 1;
        aside = beside(path, &format!(".damaged-{count}"));
    }
    for end in ["", "-wal", "-journal"] {
        let (from, to) = (beside(path, end), beside(&aside, end));
        if from.exists() {
            std::fs::rename(&from, &to).map_err(|error| trouble(&from, &error))?;
        }
    }
    Ok(())
}

/// Leaving the write-ahead log needs the file for oneself alone, and checkpoints the log into it.
fn checkpoint_log(path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode == "delete" {
        return Ok(());
    }
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    Err(rusqlite::Error::SqliteFailure(busy, Some("others have it open".into())))
}

/// Checks that the copy is whole, brings its tables up to date, and ends what was for a short time.
fn make_ready(path: &Path) -> Result<(), StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Unsupported(format!("the backup cannot be read: {error}"));
    let mut connection = Connection::open(path).map_err(trouble)?;
    let answer: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).map_err(trouble)?;
    if answer != "ok" {
        return Err(StoreError::Unsupported(format!("the backup is damaged: {answer}")));
    }
    connection.query_row("SELECT count(*) FROM books", [], |_| Ok(())).map_err(trouble)?;
    migrations::sqlite(&mut connection)?;
    // Who signed out, or used a link, since the backup was made did so for good.
    connection.execute_batch("DELETE FROM sessions; DELETE FROM mail_tokens; DELETE FROM oauth_codes").map_err(trouble)
}
