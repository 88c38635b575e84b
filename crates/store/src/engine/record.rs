//! Records: rows of a table as a type of ours, whose columns are named once for reading and writing.

use crate::{StoreError, Tx, param::Param, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{chart::AccountCode, hours::Hours, money::Cents, purchase::BusinessShare};

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

/// Numbers that are types of ours: amounts in cents, hours in hundredths, an account of the chart, a share in basis points.
macro_rules! columns_of_numbers {
    ($($kind:ty: $number:ty, $read:expr, $write:expr;)+) => {$(
        impl Column for $kind {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                let number: $number = row.narrow(next(at))?;
                $read(number).ok_or_else(|| StoreError::Unreadable(format!("{number} is no {}", stringify!($kind))))
            }

            fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
                values.push(Param::Int(i64::from($write(*self))));
            }
        }
    )+};
}

columns_of_numbers! {
    Cents: i64, |cents| Some(Self::new(cents)), Self::get;
    Hours: i64, |hours| Some(Self::new(hours)), Self::get;
    AccountCode: u16, Self::new, Self::get;
    BusinessShare: u16, Self::from_basis_points, Self::basis_points;
}

impl Column for Option<Cents> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        Ok(row.opt_int(next(at))?.map(Cents::new))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.map(Cents::get).into());
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

        impl $crate::engine::record::Column for Option<$kind> {
            fn take(row: &$crate::row::Row<'_>, at: &mut usize) -> Result<Self, $crate::StoreError> {
                let column = $crate::engine::record::next(at);
                row.opt_text(column)?.map(|_| row.parsed(column, <$kind>::parse)).transpose()
            }

            fn put<'v>(&'v self, values: &mut Vec<$crate::param::Param<'v>>) {
                values.push(self.map(<$kind>::as_str).into());
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
