//! Table rows as Rust types. Each type names its columns once, for both reading and writing.

use crate::{StoreError, Tx, param::Param, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::MoneyAccount,
    calendar::Month,
    chart::AccountCode,
    country::CountryCode,
    decimal::{self, Decimal},
    discount::Discount,
    entry::SourceType,
    hours::Hours,
    identifiers::{Bic, Iban},
    language::Language,
    money::Cents,
    purchase::BusinessShare,
    unusual_day::UnusualDay,
    vat::{Supply, VatBox, VatCategory, VatRate},
    vat_period::VatPeriod,
};
use std::fmt::Display;

/// A type stored in one column, or in several adjacent columns.
pub(crate) trait Column: Sized {
    /// Reads the value from a row, starting at column `at`; moves `at` past it.
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError>;

    /// Appends the column values.
    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>);
}

/// A table row, or part of one, as a Rust type.
pub(crate) trait Record: Column {
    /// Column list for a statement.
    const COLUMNS: &'static str;

    /// Reads the record from a row that starts with its columns.
    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        read(row)
    }

    /// Column values, preceded by the row's owner (account or person).
    fn values<'v>(&'v self, owner: impl Into<Param<'v>>) -> Vec<Param<'v>> {
        let mut values = vec![owner.into()];
        self.put(&mut values);
        values
    }

    /// Column values without a preceding owner, for tables whose owner, if any, is one of the
    /// record's columns.
    fn own_values(&self) -> Vec<Param<'_>> {
        let mut values = Vec::new();
        self.put(&mut values);
        values
    }
}

/// A record that corresponds to a whole row of a bookkeeping table.
pub(crate) trait Table: Record {
    /// Name of the table.
    const TABLE: &'static str;

    /// Query for the rows that satisfy a condition.
    fn select(condition: impl Display) -> String {
        format!("SELECT {} FROM {} WHERE {condition}", Self::COLUMNS, Self::TABLE)
    }
}

/// Reads a value from the first columns of a row. For a record followed by more columns, read a
/// tuple.
pub(crate) fn read<T: Column>(row: &Row<'_>) -> Result<T, StoreError> {
    T::take(row, &mut 0)
}

/// Returns the current column and advances to the next.
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

/// Implements [`Column`] for integer newtypes: amounts in cents, hours in hundredths, account codes
/// of the chart, shares and rates in basis points.
macro_rules! columns_of_numbers {
    ($($kind:ty: $number:ty, $read:expr, $write:expr;)+) => {$(
        impl Column for $kind {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                let number: $number = row.narrow(next(at))?;
                $read(number).ok_or_else(|| StoreError::Unreadable(format!("{number} is not a valid {}", stringify!($kind))))
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
    AccountCode: u32, AccountCode::restore, AccountCode::stored;
    BusinessShare: u16, BusinessShare::from_basis_points, BusinessShare::basis_points;
    VatRate: u16, |points| Some(VatRate::from_basis_points(points)), VatRate::basis_points;
}

/// Number of the reason why a day is unusual; 0 for an ordinary day.
impl Column for Option<UnusualDay> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let number: u8 = row.narrow(next(at))?;
        let reason = UnusualDay::ALL.into_iter().find(|reason| reason.number() == number);
        if reason.is_none() && number != 0 {
            return Err(StoreError::Unreadable(format!(
                "{number} is no reason why a day is unusual"
            )));
        }
        Ok(reason)
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(Param::Int(self.map_or(0, |reason| i64::from(reason.number()))));
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

/// Implements [`Column`] for enums stored by name.
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

columns_by_name!(Language, SourceType, Supply, VatBox, VatCategory);

/// A method of payment, followed by the code of its bank account unless it is the first of its kind.
impl Column for MoneyAccount {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(next(at), Self::restore)
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.stored().into());
    }
}

impl Column for Option<MoneyAccount> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let mut column = next(at);
        row.opt_text(column)?.map(|_| MoneyAccount::take(row, &mut column)).transpose()
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.map(MoneyAccount::stored).into());
    }
}

impl Column for CountryCode {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(next(at), |text| Self::parse(text).ok())
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.as_str().into());
    }
}

impl Column for Option<CountryCode> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let Some(text) = row.opt_text(next(at))? else { return Ok(None) };
        CountryCode::parse(&text)
            .map(Some)
            .map_err(|_| StoreError::Unreadable(format!("{text:?} is not a country")))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.as_ref().map(CountryCode::as_str).into());
    }
}

macro_rules! columns_of_identifiers {
    ($($kind:ty),+) => {$(
        impl Column for $kind {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                row.parsed(next(at), |text| {
                    <$kind>::parse(text).ok().filter(|value| value.as_str() == text)
                })
            }

            fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
                values.push(self.as_str().into());
            }
        }

        impl Column for Option<$kind> {
            fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
                let Some(text) = row.opt_text(next(at))? else { return Ok(None) };
                let value = <$kind>::parse(&text).ok().filter(|value| value.as_str() == text);
                let named = stringify!($kind);
                value
                    .map(Some)
                    .ok_or_else(|| StoreError::Unreadable(format!("{text:?} is no {named}")))
            }

            fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
                values.push(self.as_ref().map(<$kind>::as_str).into());
            }
        }
    )+};
}

columns_of_identifiers!(Iban, Bic);

impl Column for Decimal {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(next(at), |text| decimal::parse(text).ok())
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(decimal::plain(self).into());
    }
}

/// A nullable number.
impl Column for Option<Decimal> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let mut column = next(at);
        row.opt_text(column)?.map(|_| Decimal::take(row, &mut column)).transpose()
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.as_ref().map(decimal::plain).into());
    }
}

/// A discount in two columns: its percentage, and its amount.
impl Column for Discount {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let percent: Option<Decimal> = Column::take(row, at)?;
        let amount: Option<Cents> = Column::take(row, at)?;
        if percent.is_some() && amount.is_some() {
            let what = "a discount has a percentage and an amount";
            return Err(StoreError::Unreadable(what.to_owned()));
        }
        Ok(Self::new(percent, amount))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.percent().as_ref().map(decimal::plain).into());
        values.push(self.amount().map(Cents::get).into());
    }
}

/// A month in two columns, year and number, as in the keys of tables.
impl Column for Month {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let (year, number) = (row.narrow(next(at))?, row.narrow(next(at))?);
        Self::new(year, number)
            .ok_or_else(|| StoreError::Unreadable(format!("{year}-{number} is not a month")))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.extend(params![i64::from(self.year()), i64::from(self.number())]);
    }
}

/// A VAT period by its id, such as `2026-Q1`.
impl Column for VatPeriod {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(next(at), Self::parse)
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.to_string().into());
    }
}

/// A nullable VAT period by its id.
impl Column for Option<VatPeriod> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let Some(text) = row.opt_text(next(at))? else { return Ok(None) };
        VatPeriod::parse(&text)
            .map(Some)
            .ok_or_else(|| StoreError::Unreadable(format!("{text:?} is not a VAT period")))
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.map(|period| period.to_string()).into());
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

/// Implements [`Column`] for a struct stored in adjacent columns, given its fields in column order.
///
/// A field followed by `with` and a module is read and written by that module's `take` and `put`,
/// which have the signatures of [`Column`]'s methods. A field after `..` has no column and is read
/// as its default.
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

/// Implements [`Record`] from a list of columns, each with the field stored in it. A field may span
/// several adjacent columns, and a macro may supply their names. Fields are written as in
/// [`fields`]. If the name of the table precedes the record, implements [`Table`] as well.
macro_rules! record {
    ($table:literal: $record:ty { $($columns:tt)+ }) => {
        $crate::engine::record::record! { $record { $($columns)+ } }

        impl $crate::engine::record::Table for $record {
            const TABLE: &'static str = $table;
        }
    };
    ($record:ty {
        $first:literal: $key:ident
        $(, $($columns:literal)? $($listed:ident!())?: $field:ident $(with $codec:ident)?)*
        $(, .. $other:ident)? $(,)?
    }) => {
        $crate::engine::record::fields! { $record { $key $(, $field $(with $codec)?)* $(, .. $other)? } }

        impl $crate::engine::record::Record for $record {
            const COLUMNS: &'static str = concat!($first $(, ", ", $($columns)? $($listed!())?)*);
        }
    };
}
pub(crate) use record;

/// Qualifies columns with a table alias.
pub(crate) fn of(table: &str, columns: &str) -> String {
    listed(columns, |column| format!("{table}.{column}"))
}

fn listed(columns: &str, of: impl Fn(&str) -> String) -> String {
    columns.split(", ").map(of).collect::<Vec<_>>().join(", ")
}

/// Values of several rows, each preceded by its owner.
pub(crate) fn rows(owner: i64, records: &[impl Record]) -> Vec<Param<'_>> {
    records.iter().flat_map(|record| record.values(owner)).collect()
}

/// Inserts rows into a table of an account. `values` holds, row after row, the account followed by
/// the values of `columns`.
pub(crate) fn insert(
    tx: &mut Tx<'_>,
    table: &str,
    columns: &str,
    values: &[Param<'_>],
) -> Result<(), StoreError> {
    insert_into(tx, table, &format!("account_id, {columns}"), values, "")
}

/// Inserts rows into any table. `tail` is SQL that follows the values, such as `ON CONFLICT …`.
pub(crate) fn insert_into(
    tx: &mut Tx<'_>,
    table: &str,
    columns: &str,
    values: &[Param<'_>],
    tail: &str,
) -> Result<(), StoreError> {
    tx.insert_rows(
        &format!("INSERT INTO {table} ({columns})"),
        columns.split(", ").count(),
        values,
        tail,
    )
}

/// Upsert clause that overwrites these columns of a row with the same key.
pub(crate) fn overwriting(key: &str, columns: &str) -> String {
    format!(
        "ON CONFLICT ({key}) DO UPDATE SET {}",
        listed(columns, |column| format!("{column} = excluded.{column}"))
    )
}

/// Upsert clause for a table of totals: adds the new values to these columns of a row with the same
/// key.
pub(crate) fn adding(table: &str, key: &str, columns: &str) -> String {
    let sums = listed(columns, |column| format!("{column} = {table}.{column} + excluded.{column}"));
    format!("ON CONFLICT ({key}) DO UPDATE SET {sums}")
}

/// Updates all columns of a row. `values` begins with the account and the id, which identify the
/// row.
pub(crate) fn update(
    tx: &mut Tx<'_>,
    table: &str,
    columns: &str,
    values: &[Param<'_>],
) -> Result<(), StoreError> {
    let set: Vec<String> = columns
        .split(", ")
        .enumerate()
        .skip(1)
        .map(|(place, column)| format!("{column} = ?{}", place + 2))
        .collect();
    tx.execute(
        &format!("UPDATE {table} SET {} WHERE account_id = ?1 AND id = ?2", set.join(", ")),
        values,
    )
}
