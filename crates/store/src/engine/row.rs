//! Result rows of both engines; columns are numbered from 0.

use crate::StoreError;
use jiff::{Timestamp, civil::Date};
use rusqlite::types::ValueRef;
use tokio_postgres::types::Type;

/// A result row.
pub enum Row<'r> {
    /// From SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// From PostgreSQL.
    Postgres(&'r tokio_postgres::Row),
}

/// A value of any column type.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// NULL.
    Null,
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes, such as a hash.
    Bytes(Vec<u8>),
    /// A date.
    Date(Date),
    /// A timestamp, with microsecond precision.
    Time(Timestamp),
}

macro_rules! take {
    ($row:expr, $column:expr, $sqlite:ty, $postgres:ty) => {
        match $row {
            Row::Sqlite(row) => {
                row.get::<_, $sqlite>($column).map(Into::into).map_err(|e| unreadable($column, &e))
            }
            Row::Postgres(row) => row
                .try_get::<_, $postgres>($column)
                .map(Into::into)
                .map_err(|e| unreadable($column, &e)),
        }
    };
}

impl Row<'_> {
    /// Reads an integer.
    pub fn int(&self, column: usize) -> Result<i64, StoreError> {
        take!(self, column, i64, i64)
    }

    /// Reads a nullable integer.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        take!(self, column, Option<i64>, Option<i64>)
    }

    /// Reads an integer into a narrower type, such as a year, a month or an account code.
    pub fn narrow<T: TryFrom<i64>>(&self, column: usize) -> Result<T, StoreError> {
        let value = self.int(column)?;
        T::try_from(value).map_err(|_| {
            StoreError::Unreadable(format!("{value} in column {column} is out of range"))
        })
    }

    /// Reads a text.
    pub fn text(&self, column: usize) -> Result<String, StoreError> {
        take!(self, column, String, String)
    }

    /// Reads a nullable text.
    pub fn opt_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        take!(self, column, Option<String>, Option<String>)
    }

    /// Reads a text and parses it, such as a category or a decimal.
    pub fn parsed<T>(
        &self,
        column: usize,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        let text = match self {
            Row::Sqlite(row) => {
                let value = row.get_ref(column).map_err(|e| unreadable(column, &e))?;
                value.as_str().map_err(|e| unreadable(column, &e))?
            }
            Row::Postgres(row) => {
                row.try_get::<_, &str>(column).map_err(|e| unreadable(column, &e))?
            }
        };
        parse(text).ok_or_else(|| {
            StoreError::Unreadable(format!("{text:?} in column {column} is not a known value"))
        })
    }

    /// Reads bytes.
    pub fn bytes(&self, column: usize) -> Result<Vec<u8>, StoreError> {
        take!(self, column, Vec<u8>, Vec<u8>)
    }

    /// Reads a 32-byte hash.
    pub fn hash(&self, column: usize) -> Result<[u8; 32], StoreError> {
        let bytes: Vec<u8> = take!(self, column, Vec<u8>, Vec<u8>)?;
        bytes.try_into().map_err(|_| {
            StoreError::Unreadable(format!("column {column} is not a hash of 32 bytes"))
        })
    }

    /// Reads a nullable 32-byte hash.
    pub fn opt_hash(&self, column: usize) -> Result<Option<[u8; 32]>, StoreError> {
        let Some(bytes): Option<Vec<u8>> = take!(self, column, Option<Vec<u8>>, Option<Vec<u8>>)?
        else {
            return Ok(None);
        };
        let wrong =
            |_| StoreError::Unreadable(format!("column {column} is not a hash of 32 bytes"));
        bytes.try_into().map(Some).map_err(wrong)
    }

    /// Reads a date.
    pub fn date(&self, column: usize) -> Result<Date, StoreError> {
        match self {
            Row::Sqlite(_) => self.parsed(column, |text| text.parse().ok()),
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }

    /// Reads a nullable date.
    pub fn opt_date(&self, column: usize) -> Result<Option<Date>, StoreError> {
        match self {
            Row::Sqlite(_) => match self.opt_text(column)? {
                None => Ok(None),
                Some(_) => self.date(column).map(Some),
            },
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }

    /// Reads a timestamp, with microsecond precision.
    pub fn time(&self, column: usize) -> Result<Timestamp, StoreError> {
        match self {
            Row::Sqlite(_) => {
                Timestamp::from_microsecond(self.int(column)?).map_err(|e| unreadable(column, &e))
            }
            Row::Postgres(row) => row.try_get(column).map_err(|e| unreadable(column, &e)),
        }
    }

    /// Reads all columns with their names; the type of each value is the one that the database
    /// reports. SQLite has no types for dates and timestamps: dates are returned as strings, and
    /// integers in columns named `at` or `…_at` as timestamps.
    pub fn fields(&self) -> Result<Vec<(String, Value)>, StoreError> {
        match self {
            Row::Sqlite(row) => {
                let names: Vec<String> = row.as_ref().column_names().map(str::to_owned).collect();
                let named = names.into_iter().enumerate().map(|(column, name)| {
                    let value = match row.get_ref(column).map_err(|e| unreadable(column, &e))? {
                        ValueRef::Null => Value::Null,
                        ValueRef::Integer(_) if name == "at" || name.ends_with("_at") => {
                            Value::Time(self.time(column)?)
                        }
                        ValueRef::Integer(value) => Value::Int(value),
                        ValueRef::Text(_) => Value::Text(self.text(column)?),
                        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
                        ValueRef::Real(_) => {
                            return Err(StoreError::Unreadable(format!(
                                "{name} is a floating-point number"
                            )));
                        }
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
                            let bytes: Option<Vec<u8>> =
                                row.try_get(column).map_err(|e| unreadable(column, &e))?;
                            bytes.map(Value::Bytes)
                        }
                        Type::DATE => self.opt_date(column)?.map(Value::Date),
                        Type::TIMESTAMPTZ => self.opt_time(column)?.map(Value::Time),
                        _ => {
                            return Err(StoreError::Unreadable(format!(
                                "{} has an unknown type",
                                reported.name()
                            )));
                        }
                    };
                    Ok((reported.name().to_owned(), value.unwrap_or(Value::Null)))
                });
                named.collect()
            }
        }
    }

    /// Reads a nullable timestamp.
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
