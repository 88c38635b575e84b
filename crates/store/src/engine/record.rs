//! Records: rows of a table as a type of ours, whose columns are named once for reading and writing.

use crate::{StoreError, Tx, param::Param, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::money::Cents;

/// What stands in one column of a row, or in several beside each other.
pub(crate) trait Column: Sized {
    /// Takes it from a row, from the column `at` on, which is then the one after it.
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError>;

    /// Adds it to the values of a row.
    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>);
}

/// The place of a column, and one step on.
pub(crate) fn next(at: &mut usize) -> usize {
    *at += 1;
    *at - 1
}

macro_rules! columns {
    ($($kind:ty: $read:ident, $value:ident => $put:expr;)+) => {$(
        impl Column for $kind {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                row.$read(next(at))
            }

            fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
                let $value = self;
                values.push($put);
            }
        }
    )+};
}

columns! {
    i64: int, value => Param::Int(*value);
    Option<i64>: opt_int, value => (*value).into();
    i16: narrow, value => Param::Int(i64::from(*value));
    String: text, value => value.into();
    Option<String>: opt_text, value => value.into();
    Date: date, value => Param::Date(*value);
    Option<Date>: opt_date, value => (*value).into();
    Timestamp: time, value => Param::Time(*value);
    Option<Timestamp>: opt_time, value => (*value).into();
}

impl Column for Cents {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.int(next(at)).map(Self::new)
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(Param::Int(self.get()));
    }
}

impl Column for bool {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        Ok(row.int(next(at))? != 0)
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(Param::Int(i64::from(*self)));
    }
}

/// Kinds that stand in a column by their names.
macro_rules! columns_by_name {
    ($($kind:ty),+ $(,)?) => {$(
        impl $crate::engine::record::Column for $kind {
            fn take(row: &$crate::row::Row<'_>, at: &mut usize) -> Result<Self, $crate::StoreError> {
                row.parsed($crate::engine::record::next(at), <$kind>::parse)
            }

            fn put<'v>(&'v self, values: &mut Vec<$crate::param::Param<'v>>) {
                values.push(self.as_str().into());
            }
        }
    )+};
}
pub(crate) use columns_by_name;

/// The columns of a record, each with the field that stands in it; several columns beside each other can be one field. Gives the record
/// its `COLUMNS`, `read` and `values`, all in that order.
macro_rules! record {
    ($record:ty { $first:literal: $key:ident $(, $columns:literal: $field:ident)* $(,)? }) => {
        impl $record {
            /// The columns, for a statement.
            pub(crate) const COLUMNS: &'static str = concat!($first $(, ", ", $columns)*);

            /// The record in a row that begins with its columns.
            pub(crate) fn read(row: &$crate::row::Row<'_>) -> Result<Self, $crate::StoreError> {
                let mut at = 0;
                Ok(Self {
                    $key: $crate::engine::record::Column::take(row, &mut at)?,
                    $($field: $crate::engine::record::Column::take(row, &mut at)?,)*
                })
            }

            /// The values of a row, those of the account first.
            pub(crate) fn values(&self, account: i64) -> Vec<$crate::param::Param<'_>> {
                let mut values = vec![account.into()];
                $crate::engine::record::Column::put(&self.$key, &mut values);
                $($crate::engine::record::Column::put(&self.$field, &mut values);)*
                values
            }
        }
    };
}
pub(crate) use record;

/// Stores a new row of a table: the account, and the values of a record's columns.
pub(crate) fn insert(tx: &mut Tx<'_>, table: &str, columns: &str, values: &[Param<'_>]) -> Result<(), StoreError> {
    tx.insert_rows(&format!("INSERT INTO {table} (account_id, {columns})"), values.len(), values, "")
}

/// Writes a row of a table anew: the account and the id, and all else that the record says.
pub(crate) fn update(tx: &mut Tx<'_>, table: &str, columns: &str, values: &[Param<'_>]) -> Result<(), StoreError> {
    let set: Vec<String> =
        columns.split(", ").enumerate().skip(1).map(|(place, column)| format!("{column} = ?{}", place + 2)).collect();
    tx.execute(&format!("UPDATE {table} SET {} WHERE account_id = ?1 AND id = ?2", set.join(", ")), values)
}
