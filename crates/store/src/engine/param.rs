//! Statement parameters for both engines.

use crate::row::Value;
use jiff::{Timestamp, civil::Date};
use std::borrow::Cow;
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut};

/// A statement parameter. Amounts are in cents, hours in hundredths of an hour.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Param<'a> {
    /// NULL.
    Null,
    /// An integer.
    Int(i64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes, such as a hash.
    Bytes(Cow<'a, [u8]>),
    /// A date.
    Date(Date),
    /// A timestamp, with microsecond precision.
    Time(Timestamp),
}

impl Param<'_> {
    /// Returns the size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let text = match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Null | Self::Int(_) | Self::Date(_) | Self::Time(_) => 0,
        };
        size_of::<Self>() + text
    }

    /// Converts the parameter to one that owns its data.
    #[must_use]
    pub fn into_owned(self) -> Param<'static> {
        match self {
            Self::Null => Param::Null,
            Self::Int(value) => Param::Int(value),
            Self::Text(value) => Param::Text(Cow::Owned(value.into_owned())),
            Self::Bytes(value) => Param::Bytes(Cow::Owned(value.into_owned())),
            Self::Date(value) => Param::Date(value),
            Self::Time(value) => Param::Time(value),
        }
    }
}

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}

impl From<String> for Param<'_> {
    fn from(value: String) -> Self {
        Self::Text(Cow::Owned(value))
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}

impl<'a> From<&'a [u8; 32]> for Param<'a> {
    fn from(value: &'a [u8; 32]) -> Self {
        Self::Bytes(Cow::Borrowed(value))
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(value))
    }
}

impl From<Date> for Param<'_> {
    fn from(value: Date) -> Self {
        Self::Date(value)
    }
}

impl From<Timestamp> for Param<'_> {
    fn from(value: Timestamp) -> Self {
        Self::Time(value)
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a> From<&'a Option<String>> for Param<'a> {
    fn from(value: &'a Option<String>) -> Self {
        value.as_deref().map_or(Self::Null, Into::into)
    }
}

impl<'a> From<&'a Value> for Param<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Int(value) => Self::Int(*value),
            Value::Text(value) => Self::Text(Cow::Borrowed(value)),
            Value::Bytes(value) => Self::Bytes(Cow::Borrowed(value)),
            Value::Date(value) => Self::Date(*value),
            Value::Time(value) => Self::Time(*value),
        }
    }
}

/// Builds an array of [`Param`]s from values of different types.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { [$($crate::param::Param::from($value)),*] };
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::{ToSqlOutput, Value, ValueRef};
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Int(value) => ToSqlOutput::Owned(Value::Integer(*value)),
            Self::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Self::Bytes(value) => ToSqlOutput::Borrowed(ValueRef::Blob(value)),
            Self::Date(value) => ToSqlOutput::Owned(Value::Text(value.to_string())),
            Self::Time(value) => ToSqlOutput::Owned(Value::Integer(value.as_microsecond())),
        })
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *ty == Type::INT4 => i32::try_from(*value)?.to_sql(ty, out),
            Self::Int(value) => value.to_sql(ty, out),
            Self::Text(value) => value.as_ref().to_sql(ty, out),
            Self::Bytes(value) => value.as_ref().to_sql(ty, out),
            Self::Date(value) => value.to_sql(ty, out),
            Self::Time(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}
