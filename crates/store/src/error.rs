//! Errors of the storage.

use thiserror::Error;
use tokio_postgres::error::SqlState;

/// An error of the storage rather than of the bookkeeping rules. `Display` prints its name and
/// details, for the log.
#[derive(Debug, Clone, Error)]
pub enum StoreError {
    /// The database is down, locked or shutting down, or its queue is full; a retry may succeed
    /// later.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The database can be read but not written: its disk is full or not writable. A retry may
    /// succeed once an operator has fixed this.
    #[error("not_writable: {0}")]
    NotWritable(String),
    /// The query exceeded its time limit and was stopped.
    #[error("too_long")]
    TooLong,
    /// Stored data does not have the expected form: the database is damaged or was changed from
    /// outside.
    #[error("unreadable: {0}")]
    Unreadable(String),
    /// The new invoice number is already in use by another document of the account.
    #[error("number_taken")]
    NumberTaken,
    /// The database rejected a statement.
    #[error("refused: {0}")]
    Refused(String),
    /// The account is closed, possibly since the request began; its books are read-only.
    #[error("account_closed")]
    AccountClosed,
    /// The date is in a closed year, or before one. The value is the latest closed year; nothing
    /// can be booked on or before 31 December of that year.
    #[error("year_closed: {0}")]
    YearClosed(i16),
    /// A command panicked.
    #[error("panicked")]
    Panicked,
    /// The engine does not support the operation.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The database cannot be opened.
    #[error("open: {0}")]
    Open(String),
    /// The database cannot be opened because connecting to its server failed.
    #[error("connect: {0}")]
    Connect(Box<Self>),
    /// An error in a table during a move.
    #[error("table {table}: {error}")]
    InTable {
        /// Name of the table.
        table: String,
        /// The error.
        error: Box<Self>,
    },
}

impl StoreError {
    pub(crate) fn closing() -> Self {
        Self::Unavailable("the database is being closed".into())
    }

    /// Error for a command that would change the schema while an older server uses the database.
    pub(crate) fn served_by_older() -> Self {
        let message = "its tables are older than this program, and a server is at work on it: use the program of that server's version, \
                       or stop the server and let `grootboek migrate` bring the tables up to date";
        Self::Open(message.into())
    }

    /// Error for a schema that is older than the program.
    pub(crate) fn to_be_migrated() -> Self {
        Self::Open(
            "its tables are older than this program: run `grootboek migrate` on it first".into(),
        )
    }

    pub(crate) fn too_many() -> Self {
        Self::Unavailable("too many commands are waiting for the database".into())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::{ErrorCode, ffi};
        if let Some(
            ffi::SQLITE_IOERR_WRITE
            | ffi::SQLITE_IOERR_FSYNC
            | ffi::SQLITE_IOERR_TRUNCATE
            | ffi::SQLITE_IOERR_SHMSIZE,
        ) = error.sqlite_error().map(|reported| reported.extended_code)
        {
            return Self::NotWritable(error.to_string());
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::ReadOnly) => Self::NotWritable(error.to_string()),
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::CannotOpen
                | ErrorCode::SystemIoFailure,
            ) => Self::Unavailable(error.to_string()),
            Some(ErrorCode::OperationInterrupted) => Self::TooLong,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Unreadable(error.to_string())
            }
            _ => {
                let message = error.to_string();
                // SQLite's message names the columns of a unique index, not the index.
                if message.contains("invoices.account_id, invoices.number")
                    && !message.contains("invoices.number_")
                {
                    return Self::NumberTaken;
                }
                Self::Refused(message)
            }
        }
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(reported) if *reported.code() == SqlState::QUERY_CANCELED => Self::TooLong,
            Some(reported) if *reported.code() == SqlState::DISK_FULL => {
                Self::NotWritable(reported.message().to_owned())
            }
            Some(reported) if postgres_is_away(reported.code()) => {
                Self::Unavailable(reported.message().to_owned())
            }
            Some(reported) if reported.constraint() == Some("invoices_by_number") => {
                Self::NumberTaken
            }
            Some(reported) => {
                Self::Refused(format!("{} ({})", reported.message(), reported.code().code()))
            }
            None => Self::Unavailable(chain(&error)),
        }
    }
}

/// Whether the failure has nothing to do with the statement itself: the server or another session
/// caused it (PostgreSQL manual, appendix A: classes 08, 40, 53, 57P), the server is read-only
/// (25006), or a lock timeout expired.
fn postgres_is_away(code: &SqlState) -> bool {
    let code = code.code();
    ["08", "40", "53", "57P"].iter().any(|class| code.starts_with(class))
        || ["25006", SqlState::LOCK_NOT_AVAILABLE.code()].contains(&code)
}

/// Whether the error is a conflict with a concurrent transaction. Rows that a command looked up may
/// have been deleted or inserted by the time it writes. A constraint then rejects the write, and a
/// retry sees the new state.
pub(crate) fn is_collision(code: &SqlState) -> bool {
    [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::UNIQUE_VIOLATION,
        SqlState::FOREIGN_KEY_VIOLATION,
    ]
    .contains(code)
}

/// Message of an error followed by those of its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    #[test]
    fn write_errors_are_distinguished_from_unavailability() {
        let of =
            |code| StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [
            ffi::SQLITE_FULL,
            ffi::SQLITE_READONLY,
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_IOERR_FSYNC,
        ] {
            assert!(matches!(of(code), StoreError::NotWritable(_)), "{code}");
        }
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_CANTOPEN, ffi::SQLITE_IOERR_READ] {
            assert!(matches!(of(code), StoreError::Unavailable(_)), "{code}");
        }
    }
}
