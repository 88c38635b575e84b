//! SQLite as the source or target of a move.

use super::{
    Put,
    catalogue::{ColumnKind, OfSqlite, Table},
};
use crate::{
    StoreError, Tx,
    engine::{backup, migrations, serving, sqlite},
    param::Param,
};
use jiff::Timestamp;
use rusqlite::{Connection, types::ValueRef};
use std::{
    borrow::Cow,
    fs::{self, File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
};

/// Page cache while the target is filled, in KiB.
const CACHE: i64 = 64 * 1024;

fn trouble(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Open(format!("{}: {error}", path.display()))
}

/// A file read from one snapshot. Its lock keeps servers from starting.
pub(super) struct Source {
    connection: Connection,
    _lock: serving::Lock,
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(trouble(path, &"there is no such file"));
        }
        let connection = sqlite::open_reader(path)?;
        if migrations::are_due(&connection)? {
            return Err(StoreError::to_be_migrated());
        }
        let Some(lock) = serving::take(path)? else {
            return Err(trouble(
                path,
                &"a server, or another move, is at work on it; stop that first",
            ));
        };
        connection.execute_batch("BEGIN")?;
        Ok(Self { connection, _lock: lock })
    }

    pub(super) fn catalogue(&self) -> Result<OfSqlite, StoreError> {
        catalogue(&self.connection)
    }
}

impl super::Source for Source {
    fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        count(&self.connection, table)
    }

    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError> {
        read(&self.connection, table, each)
    }
}

/// A file filled under a temporary name.
pub(super) struct Target {
    connection: Connection,
    /// The temporary file, locked against a second move.
    file: File,
    unfinished: PathBuf,
    path: PathBuf,
}

impl Target {
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let remains = backup::SIDE_FILES.iter().map(|end| backup::with_suffix(path, end));
        if let Some(existing) = std::iter::once(path.to_owned())
            .chain(remains)
            .find(|file| file.symlink_metadata().is_ok())
        {
            return Err(trouble(
                &existing,
                &"it is there already; books are moved to a new file, so give another name",
            ));
        }
        let unfinished = backup::with_suffix(path, ".moving");
        let file = lock(&unfinished)?;
        // Discards the remains of an interrupted move.
        file.set_len(0).map_err(|error| trouble(&unfinished, &error))?;
        let mut connection = Connection::open(&unfinished)?;
        // No journal and no flushes are needed, because an incomplete file is discarded anyway.
        connection.pragma_update(None, "journal_mode", "OFF")?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "cache_size", -CACHE)?;
        sqlite::prepare(&connection)?;
        migrations::sqlite(&mut connection)?;
        // Foreign keys are checked once all rows have been written.
        connection.pragma_update(None, "foreign_keys", false)?;
        connection.execute_batch("BEGIN")?;
        Ok(Self { connection, file, unfinished, path: path.to_owned() })
    }

    pub(super) fn catalogue(&self) -> Result<OfSqlite, StoreError> {
        catalogue(&self.connection)
    }
}

/// Creates the file, readable only by its owner, or opens the existing one, and locks it.
fn lock(path: &Path) -> Result<File, StoreError> {
    let trouble_here = |error: std::io::Error| trouble(path, &error);
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(trouble_here)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(trouble(path, &"another move is writing it")),
        Err(TryLockError::Error(error)) => Err(trouble(path, &error)),
    }
}

impl super::Source for Target {
    fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        count(&self.connection, table)
    }

    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError> {
        read(&self.connection, table, each)
    }
}

impl super::Target for Target {
    fn write(
        &mut self,
        table: &Table,
        rows: &mut dyn FnMut(Put<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let places = vec!["?"; table.columns.len()].join(", ");
        let sql =
            format!("INSERT INTO {} ({}) VALUES ({places})", table.quoted(), table.column_list());
        let mut statement = self.connection.prepare(&sql)?;
        rows(&mut |values| {
            statement.execute(rusqlite::params_from_iter(values))?;
            Ok(())
        })
    }

    fn complete(&mut self, _tables: &[Table]) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1")?;
        let mut rows = statement.query([])?;
        if let Some(row) = rows.next()? {
            let (table, parent): (String, String) = (row.get(0)?, row.get(1)?);
            return Err(StoreError::Unreadable(format!(
                "a row of {table} refers to a missing row of {parent}"
            )));
        }
        Ok(())
    }

    fn tx(&mut self) -> Tx<'_> {
        Tx::sqlite(&self.connection)
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT")?;
        let at_path = |error: std::io::Error| trouble(&self.path, &error);
        self.file.sync_all().map_err(at_path)?;
        // Unlike a rename, a link never replaces an existing file. Dropping this value removes the
        // temporary name.
        fs::hard_link(&self.unfinished, &self.path).map_err(at_path)?;
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(at_path)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // If this fails, the next move overwrites the file.
        let _ = fs::remove_file(&self.unfinished);
    }
}

fn catalogue(connection: &Connection) -> Result<OfSqlite, StoreError> {
    let mut statement = connection.prepare(
        "SELECT t.name, c.name, c.pk FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.hidden = 0 ORDER BY t.name, c.cid",
    )?;
    let mut rows = statement.query([])?;
    let mut tables = OfSqlite::new();
    while let Some(row) = rows.next()? {
        tables.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?));
    }
    Ok(tables)
}

fn count(connection: &Connection, table: &Table) -> Result<u64, StoreError> {
    let rows: i64 =
        connection
            .query_row(&format!("SELECT COUNT(*) FROM {}", table.quoted()), [], |row| row.get(0))?;
    Ok(rows.unsigned_abs())
}

fn read(connection: &Connection, table: &Table, each: Put<'_>) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare(&format!("SELECT {} FROM {}", table.column_list(), table.quoted()))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let values = table.columns.iter().enumerate().map(|(place, (column, kind))| {
            value(row.get_ref(place)?, *kind).ok_or_else(|| {
                StoreError::Unreadable(format!("{column} has a value of the wrong type"))
            })
        });
        each(&values.collect::<Result<Vec<_>, _>>()?)?;
    }
    Ok(())
}

/// Reads a value as the type of its column in PostgreSQL.
fn value(stored: ValueRef<'_>, kind: ColumnKind) -> Option<Param<'_>> {
    Some(match (stored, kind) {
        (ValueRef::Null, _) => Param::Null,
        (ValueRef::Integer(number), ColumnKind::Int) => Param::Int(number),
        (ValueRef::Integer(micros), ColumnKind::Time) => {
            Param::Time(Timestamp::from_microsecond(micros).ok()?)
        }
        (ValueRef::Text(text), ColumnKind::Text) => {
            Param::Text(Cow::Borrowed(std::str::from_utf8(text).ok()?))
        }
        (ValueRef::Text(text), ColumnKind::Date) => {
            Param::Date(std::str::from_utf8(text).ok()?.parse().ok()?)
        }
        (ValueRef::Blob(bytes), ColumnKind::Bytes) => Param::Bytes(Cow::Borrowed(bytes)),
        _ => return None,
    })
}
