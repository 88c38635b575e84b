//! A row that a query gave, on either engine; columns are taken by their place, from 0.

use crate::StoreError;
use jiff::{Timestamp, civil::Date};

/// One row of an answer.
pub enum Row<'r> {
    /// From SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// From PostgreSQL.
    Postgres(&'r tokio_postgres::Row),
}

macro_rules! take {
    ($row:expr, $column:expr, $sqlite:ty, $postgres:ty) => {
        match $row {
            Row::Sqlite(row) => row.get::<_, $sqlite>($column).map(Into::into).map_err(|e| unreadable($column, &e)),
            Row::Postgres(row) => row.try_get::<_, $postgres>($column).map(Into::into).map_err(|e| unreadable($column, &e)),
        }
    };
}

impl Row<'_> {
    /// A whole number.
    pub fn int(&self, column: usize) -> Result<i64, StoreError> {
        take!(self, column, i64, i64)
    }

    /// A whole number, or nothing.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        take!(self, column, Option<i64>, Option<i64>)
    }

    /// A whole number that fits a narrower type (a year, a month, an account code).
    pub fn narrow<T: TryFrom<i64>>(&self, column: usize) -> Result<T, StoreError> {
        let value = self.int(column)?;
        T::try_from(value).map_err(|_| StoreError::Unreadable(format!("{value} in column {column} is out of range")))
    }

    /// A text.
    pub fn text(&self, column: usize) -> Result<String, StoreError> {
        take!(self, column, String, String)
    }

    /// A text, or nothing.
    pub fn opt_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        take!(self, column, Option<String>, Option<String>)
    }

    /// A text that stands for something else: a category, a decimal.
    pub fn parsed<T>(&self, column: usize, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, StoreError> {
        let text = match self {
            Row::Sqlite(row) => {
                let value = row.get_ref(column).map_err(|e| unreadable(column, &e))?;
                value.as_str().map_err(|e| unreadable(column, &e))?
            }
            Row::Postgres(row) => row.try_get::<_, &str>(column).map_err(|e| unreadable(column, &e))?,
        };
        parse(text).ok_or_else(|| StoreError::Unreadable(format!("{text:?} in column {column} is not a known value")))
    }

    /// Thirty-two bytes.
    pub fn hash(&self, column: usize) -> Result<[u8; 32], StoreError> {
        let bytes: Vec<u8> = take!(self, column, Vec<u8>, Vec<u8>)?;
        bytes.try_into().map_err(|_| StoreError::Unreadable(format!("column {column} is not a hash of 32 bytes")))
    }

    /// A calendar day.
    pub fn date(&self, column: usize) -> Result<Date, StoreError> {
        match self {
            Row::Sqlite(_) => self.parsed(column, |text| text.parse().ok()),
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }

    /// A calendar day, or nothing.
    pub fn opt_date(&self, column: usize) -> Result<Option<Date>, StoreError> {
        match self {
            Row::Sqlite(_) => match self.opt_text(column)? {
                None => Ok(None),
                Some(_) => self.date(column).map(Some),
            },
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }

    /// A moment, to the microsecond.
    pub fn time(&self, column: usize) -> Result<Timestamp, StoreError> {
        match self {
            Row::Sqlite(_) => Timestamp::from_microsecond(self.int(column)?).map_err(|e| unreadable(column, &e)),
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }

    /// A moment, or nothing.
    pub fn opt_time(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        match self {
            Row::Sqlite(_) => match self.opt_int(column)? {
                None => Ok(None),
                Some(_) => self.time(column).map(Some),
            },
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }
}

fn unreadable(column: usize, error: &dyn std::error::Error) -> StoreError {
    StoreError::Unreadable(format!("column {column}: {error}"))
}
