//! Records: rows of a table as a type of ours, whose columns are named once for reading and writing.

use crate::{StoreError, Tx, param::Param, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::MoneyAccount,
    calendar::Quarter,
    chart::AccountCode,
    country::CountryCode,
    decimal::{self, Decimal},
    entry::SourceType,
    hours::Hours,
    language::Language,
    money::Cents,
    purchase::BusinessShare,
    vat::{Supply, VatBox, VatCategory, VatRate},
};

/// What stands in one column of a row, or in several beside each other.
pub(crate) trait Column: Sized {
    /// Takes it from a row, from the column `at` on, which is then the one after it.
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError>;

    /// Adds it to the values of a row.
    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>);
}

/// A row of a table, or the part of it that a type of ours holds.
pub(crate) trait Record: Column {
    /// The columns, for a statement.
    const COLUMNS: &'static str;

    /// The record in a row that begins with its columns.
    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        read(row)
    }

    /// The values of a row, first those of its owner: the account, or the person.
    fn values<'v>(&'v self, owner: impl Into<Param<'v>>) -> Vec<Param<'v>> {
        let mut values = vec![owner.into()];
        self.put(&mut values);
        values
    }

    /// The values of a row whose owner, if it has one, is among the columns.
    fn own_values(&self) -> Vec<Param<'_>> {
        let mut values = Vec::new();
        self.put(&mut values);
        values
    }
}

/// What stands in the first columns of a row; of a row of a record and more, both as a tuple.
pub(crate) fn read<T: Column>(row: &Row<'_>) -> Result<T, StoreError> {
    T::take(row, &mut 0)
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
    i8: narrow, value => Param::Int(i64::from(*value));
    String: text, value => value.into();
    Option<String>: opt_text, value => value.into();
    Date: date, value => Param::Date(*value);
    Option<Date>: opt_date, value => (*value).into();
    Timestamp: time, value => Param::Time(*value);
    Option<Timestamp>: opt_time, value => (*value).into();
    [u8; 32]: hash, value => value.into();
    Option<[u8; 32]>: opt_hash, value => value.as_ref().into();
    Vec<u8>: bytes, value => value.as_slice().into();
}

/// Numbers that are types of ours: amounts in cents, hours in hundredths, an account of the chart, a share and a rate in basis points.
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

        impl Column for Option<$kind> {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                let mut column = next(at);
                row.opt_int(column)?.map(|_| <$kind>::take(row, &mut column)).transpose()
            }

            fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
                values.push(self.map(|value| i64::from($write(value))).into());
            }
        }
    )+};
}

columns_of_numbers! {
    Cents: i64, |cents| Some(Cents::new(cents)), Cents::get;
    Hours: i64, |hours| Some(Hours::new(hours)), Hours::get;
    AccountCode: u16, AccountCode::new, AccountCode::get;
    BusinessShare: u16, BusinessShare::from_basis_points, BusinessShare::basis_points;
    VatRate: u16, |points| Some(VatRate::from_basis_points(points)), VatRate::basis_points;
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

columns_by_name!(Language, MoneyAccount, SourceType, Supply, VatBox, VatCategory);

impl Column for CountryCode {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(next(at), |text| Self::parse(text).ok())
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.as_str().into());
    }
}

impl Column for Decimal {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(next(at), |text| decimal::parse(text).ok())
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(decimal::plain(self).into());
    }
}

/// The quarter of a key: two columns, the year and the number.
impl Column for Quarter {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let (year, number) = (row.narrow(next(at))?, row.narrow(next(at))?);
        Self::new(year, number).ok_or_else(|| StoreError::Unreadable(format!("{year} quarter {number} is not a quarter")))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.extend(params![i64::from(self.year()), i64::from(self.number())]);
    }
}

/// A quarter that need not be known: one column, such as `2026-Q1`.
impl Column for Option<Quarter> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let Some(text) = row.opt_text(next(at))? else { return Ok(None) };
        Quarter::parse(&text).map(Some).ok_or_else(|| StoreError::Unreadable(format!("{text:?} is not a quarter")))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.map(|quarter| quarter.to_string()).into());
    }
}

macro_rules! columns_of_tuples {
    ($($($kind:ident $part:ident),+;)+) => {$(
        impl<$($kind: Column),+> Column for ($($kind,)+) {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                Ok(($($kind::take(row, at)?,)+))
            }

            fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
                let ($($part,)+) = self;
                $($part.put(values);)+
            }
        }
    )+};
}

columns_of_tuples! {
    A a, B b;
    A a, B b, C c;
    A a, B b, C c, D d;
}

/// What stands in columns beside each other, by its fields in the order of the columns.
///
/// A field `with` a module is taken and put by the functions of that, which are as those of [`Column`]; one behind two dots has no column, and
/// is read as its default.
macro_rules! fields {
    ($kind:ty { $($field:ident $(with $codec:ident)?),+ $(, .. $other:ident)? $(,)? }) => {
        impl $crate::engine::record::Column for $kind {
            fn take(row: &$crate::row::Row<'_>, at: &mut usize) -> Result<Self, $crate::StoreError> {
                Ok(Self {
                    $($field: $crate::engine::record::column!(take $($codec)?)(row, at)?,)+
                    $($other: Default::default(),)?
                })
            }

            fn put<'v>(&'v self, values: &mut Vec<$crate::param::Param<'v>>) {
                $($crate::engine::record::column!(put $($codec)?)(&self.$field, values);)+
            }
        }
    };
}
pub(crate) use fields;

macro_rules! column {
    ($verb:ident) => {
        $crate::engine::record::Column::$verb
    };
    ($verb:ident $codec:ident) => {
        $codec::$verb
    };
}
pub(crate) use column;

/// The columns of a record, each with the field that stands in it; several columns beside each other can be one field. Makes the type a
/// [`Record`], of the columns in this order. For the fields see [`fields`].
macro_rules! record {
    ($record:ty {
        $first:literal: $key:ident
        $(, $columns:literal: $field:ident $(with $codec:ident)?)*
        $(, .. $other:ident)? $(,)?
    }) => {
        $crate::engine::record::fields! { $record { $key $(, $field $(with $codec)?)* $(, .. $other)? } }

        impl $crate::engine::record::Record for $record {
            const COLUMNS: &'static str = concat!($first $(, ", ", $columns)*);
        }
    };
}
pub(crate) use record;

/// These columns of the table that a statement calls `table`.
pub(crate) fn of(table: &str, columns: &str) -> String {
    listed(columns, |column| format!("{table}.{column}"))
}

fn listed(columns: &str, of: impl Fn(&str) -> String) -> String {
    columns.split(", ").map(of).collect::<Vec<_>>().join(", ")
}

/// The values of several rows, one after the other, those of each with its owner first.
pub(crate) fn rows(owner: i64, records: &[impl Record]) -> Vec<Param<'_>> {
    records.iter().flat_map(|record| record.values(owner)).collect()
}

/// Stores new rows of a table: the account, and the values of these columns, row after row.
pub(crate) fn insert(tx: &mut Tx<'_>, table: &str, columns: &str, values: &[Param<'_>]) -> Result<(), StoreError> {
    insert_into(tx, table, &format!("account_id, {columns}"), values, "")
}

/// The same of whatever table. `tail` is what follows the values, such as `ON CONFLICT …`.
pub(crate) fn insert_into(
    tx: &mut Tx<'_>,
    table: &str,
    columns: &str,
    values: &[Param<'_>],
    tail: &str,
) -> Result<(), StoreError> {
    tx.insert_rows(&format!("INSERT INTO {table} ({columns})"), columns.split(", ").count(), values, tail)
}

/// What follows the values of rows of which there may be one with the same key: that gets the new values of these columns.
pub(crate) fn overwriting(key: &str, columns: &str) -> String {
    format!("ON CONFLICT ({key}) DO UPDATE SET {}", listed(columns, |column| format!("{column} = excluded.{column}")))
}

/// What follows the values of such rows of a table of sums: that gets the sum of both.
pub(crate) fn adding(table: &str, key: &str, columns: &str) -> String {
    let sums = listed(columns, |column| format!("{column} = {table}.{column} + excluded.{column}"));
    format!("ON CONFLICT ({key}) DO UPDATE SET {sums}")
}

/// Writes a row of a table anew: the account and the id, and all else that the record says.
pub(crate) fn update(tx: &mut Tx<'_>, table: &str, columns: &str, values: &[Param<'_>]) -> Result<(), StoreError> {
    let set: Vec<String> =
        columns.split(", ").enumerate().skip(1).map(|(place, column)| format!("{column} = ?{}", place + 2)).collect();
    tx.execute(&format!("UPDATE {table} SET {} WHERE account_id = ?1 AND id = ?2", set.join(", ")), values)
}
