//! What can go wrong between the program and its database.

use thiserror::Error;
use tokio_postgres::error::SqlState;

/// A failure of the storage, not of the rules of the books. Printed it is its name with what was found, for the log.
#[derive(Debug, Clone, Error)]
pub enum StoreError {
    /// The database is away, locked by someone else, shutting down, or its queue is full: the same command may succeed later.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The database can be read but not written: its disk is full, or takes nothing. The same command may succeed once somebody has seen to that.
    #[error("not_writable: {0}")]
    NotWritable(String),
    /// The query took longer than it may, and was stopped.
    #[error("too_long")]
    TooLong,
    /// What was read does not have the shape that the program wrote: the file was changed from outside, or is damaged.
    #[error("unreadable: {0}")]
    Unreadable(String),
    /// A document of the account has the printed number that was to be given out.
    #[error("number_taken")]
    NumberTaken,
    /// The database refused a statement.
    #[error("refused: {0}")]
    Refused(String),
    /// The account was closed, a moment ago perhaps: nothing is written into its books any more.
    #[error("account_closed")]
    AccountClosed,
    /// The year of the day, or one after it, is closed: nothing is booked up to its 31 December any more.
    #[error("year_closed: {0}")]
    YearClosed(i16),
    /// A command of the program itself failed in a way that it should not.
    #[error("panicked")]
    Panicked,
    /// The engine cannot do this.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The database cannot be opened.
    #[error("open: {0}")]
    Open(String),
    /// The database cannot be opened, because its server does not let us in.
    #[error("connect: {0}")]
    Connect(Box<Self>),
    /// Something was wrong with a table that is moved.
    #[error("table {table}: {error}")]
    InTable {
        /// Its name.
        table: String,
        /// What was wrong.
        error: Box<Self>,
    },
}

impl StoreError {
    pub(crate) fn closing() -> Self {
        Self::Unavailable("the database is being closed".into())
    }

    /// A command would change the tables under a server.
    pub(crate) fn served_by_older() -> Self {
        let message = "its tables are older than this program, and a server is at work on it: use the program of that server's version, \
                       or stop the server and let `grootboek migrate` bring the tables up to date";
        Self::Open(message.into())
    }

    /// The tables are those of an older version.
    pub(crate) fn to_be_migrated() -> Self {
        Self::Open("its tables are older than this program: run `grootboek migrate` on it first".into())
    }

    pub(crate) fn too_many() -> Self {
        Self::Unavailable("too many commands are waiting for the database".into())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::{ErrorCode, ffi};
        if let Some(ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_TRUNCATE | ffi::SQLITE_IOERR_SHMSIZE) =
            error.sqlite_error().map(|reported| reported.extended_code)
        {
            return Self::NotWritable(error.to_string());
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::ReadOnly) => Self::NotWritable(error.to_string()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => {
                Self::Unavailable(error.to_string())
            }
            Some(ErrorCode::OperationInterrupted) => Self::TooLong,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Unreadable(error.to_string()),
            _ => {
                let said = error.to_string();
                // What SQLite says of a unique index: its columns.
                if said.contains("invoices.account_id, invoices.number") && !said.contains("invoices.number_") {
                    return Self::NumberTaken;
                }
                Self::Refused(said)
            }
        }
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(reported) if *reported.code() == SqlState::QUERY_CANCELED => Self::TooLong,
            Some(reported) if *reported.code() == SqlState::DISK_FULL => Self::NotWritable(reported.message().to_owned()),
            Some(reported) if postgres_is_away(reported.code()) => Self::Unavailable(reported.message().to_owned()),
            Some(reported) if reported.constraint() == Some("invoices_by_number") => Self::NumberTaken,
            Some(reported) => Self::Refused(format!("{} ({})", reported.message(), reported.code().code())),
            None => Self::Unavailable(chain(&error)),
        }
    }
}

/// Whether the server says that it or somebody else, not the statement, is the trouble (PostgreSQL manual, appendix A: classes 08, 40, 53,
/// 57P), or that a lock was not to be had in time.
fn postgres_is_away(code: &SqlState) -> bool {
    let code = code.code();
    ["08", "40", "53", "57P"].iter().any(|class| code.starts_with(class))
        || ["25006", SqlState::LOCK_NOT_AVAILABLE.code()].contains(&code)
}

/// Whether others were in the way. What a command looked up may be gone, or there, by the time it writes: then a constraint refuses, and
/// the command looks again and finds it so.
pub(crate) fn is_collision(code: &SqlState) -> bool {
    [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::UNIQUE_VIOLATION,
        SqlState::FOREIGN_KEY_VIOLATION,
    ]
    .contains(code)
}

/// The message of an error with those of its causes.
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
    fn what_cannot_be_written_can_still_be_read() {
        let of = |code| StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_READONLY, ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_FSYNC] {
            assert!(matches!(of(code), StoreError::NotWritable(_)), "{code}");
        }
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_CANTOPEN, ffi::SQLITE_IOERR_READ] {
            assert!(matches!(of(code), StoreError::Unavailable(_)), "{code}");
        }
    }
}
