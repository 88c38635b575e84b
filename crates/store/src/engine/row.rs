//! A row that a query gave, on either engine; columns are taken by their place, from 0.

use crate::StoreError;
use jiff::{Timestamp, civil::Date};
use rusqlite::types::ValueRef;
use tokio_postgres::types::Type;

/// One row of an answer.
pub enum Row<'r> {
    /// From SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// From PostgreSQL.
    Postgres(&'r tokio_postgres::Row),
}

/// A value of whatever kind the database says it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes, such as a hash.
    Bytes(Vec<u8>),
    /// A calendar day.
    Date(Date),
    /// A moment, to the microsecond.
    Time(Timestamp),
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

    /// Any number of bytes.
    pub fn bytes(&self, column: usize) -> Result<Vec<u8>, StoreError> {
        take!(self, column, Vec<u8>, Vec<u8>)
    }

    /// Thirty-two bytes.
    pub fn hash(&self, column: usize) -> Result<[u8; 32], StoreError> {
        let bytes: Vec<u8> = take!(self, column, Vec<u8>, Vec<u8>)?;
        bytes.try_into().map_err(|_| StoreError::Unreadable(format!("column {column} is not a hash of 32 bytes")))
    }

    /// Thirty-two bytes, or nothing.
    pub fn opt_hash(&self, column: usize) -> Result<Option<[u8; 32]>, StoreError> {
        let Some(bytes): Option<Vec<u8>> = take!(self, column, Option<Vec<u8>>, Option<Vec<u8>>)? else { return Ok(None) };
        let wrong = |_| StoreError::Unreadable(format!("column {column} is not a hash of 32 bytes"));
        bytes.try_into().map(Some).map_err(wrong)
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

    /// All columns by their names, each value as the kind that the database tells. SQLite has no kind for days and moments: days are
    /// texts there, and moments are the numbers in columns whose name ends in `at`.
    pub fn fields(&self) -> Result<Vec<(String, Value)>, StoreError> {
        match self {
            Row::Sqlite(row) => {
                let names: Vec<String> = row.as_ref().column_names().map(str::to_owned).collect();
                let named = names.into_iter().enumerate().map(|(column, name)| {
                    let value = match row.get_ref(column).map_err(|e| unreadable(column, &e))? {
                        ValueRef::Null => Value::Null,
                        ValueRef::Integer(_) if name == "at" || name.ends_with("_at") => Value::Time(self.time(column)?),
                        ValueRef::Integer(value) => Value::Int(value),
                        ValueRef::Text(_) => Value::Text(self.text(column)?),
                        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
                        ValueRef::Real(_) => return Err(StoreError::Unreadable(format!("{name} is not exact"))),
                    };
                    Ok((name, value))
                });
                named.collect()
            }
            Row::Postgres(row) => {
                let named = row.columns().iter().enumerate().map(|(column, reported)| {
                    let value = match *reported.type_() {
                        Type::INT8 => self.opt_int(column)?.map(Value::Int),
                        Type::TEXT => self.opt_text(column)?.map(Value::Text),
                        Type::BYTEA => {
                            let bytes: Option<Vec<u8>> = row.try_get(column).map_err(|e| unreadable(column, &e))?;
                            bytes.map(Value::Bytes)
                        }
                        Type::DATE => self.opt_date(column)?.map(Value::Date),
                        Type::TIMESTAMPTZ => self.opt_time(column)?.map(Value::Time),
                        _ => return Err(StoreError::Unreadable(format!("{} is of an unknown kind", reported.name()))),
                    };
                    Ok((reported.name().to_owned(), value.unwrap_or(Value::Null)))
                });
                named.collect()
            }
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
