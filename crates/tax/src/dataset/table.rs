//! A data set in memory: its description, columns and rows.

use crate::{
    source::Source,
    status::Status,
    value::Value,
    words::{Choice, Words},
};
use jiff::civil::Date;
use std::sync::Arc;

/// A table of figures with its description.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Identifier in URLs.
    pub id: String,
    /// Title.
    pub title: Words,
    /// Contents, limitations and uncertainties.
    pub description: Words,
    /// Version number, incremented with every change of the figures.
    pub version: u32,
    /// Date of the last change or verification of the figures.
    pub updated: Date,
    /// Columns, in order. The last columns of every data set are `validFrom`, `validTo`, `source`,
    /// `status` and `note`.
    pub columns: Arc<[Column]>,
    /// Columns that identify a figure: rows with equal keys never overlap in time.
    pub key: Vec<String>,
    /// Whether the validity of a figure may end without a successor.
    pub may_end: bool,
    pub(super) rows: Vec<Row>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in JSON and CSV.
    pub name: String,
    /// Type.
    pub kind: ColumnKind,
    /// Whether a row may leave the column empty (`null` in JSON).
    pub optional: bool,
    /// Heading.
    pub title: Words,
    /// Meaning.
    pub meaning: Words,
}

/// Type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A calendar day.
    Date,
    /// A percentage.
    Percent,
    /// An amount in euros.
    Money,
    /// Another number.
    Number,
    /// A whole number.
    Integer,
    /// Yes or no.
    Boolean,
    /// A code, or a text that is the same in every language.
    Text,
    /// A text in the reader's language.
    Words,
    /// One of several codes.
    Enum(Vec<Choice>),
}

/// A row of a data set.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) columns: Arc<[Column]>,
    pub(super) values: Vec<Option<Value>>,
    /// First day of validity.
    pub valid_from: Date,
    /// Last day of validity; `None` if no end is known.
    pub valid_to: Option<Date>,
    /// Source.
    pub source: &'static Source,
    /// Reliability.
    pub status: Status,
}

impl Row {
    /// Returns the values in the order of the columns.
    #[must_use]
    pub fn values(&self) -> &[Option<Value>] {
        &self.values
    }

    /// Returns the value in a column; `None` if the cell is empty or the column does not exist.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&Value> {
        let place = self.columns.iter().position(|other| other.name == column)?;
        self.values[place].as_ref()
    }

    /// Whether the row is valid on the given day.
    #[must_use]
    pub fn holds_on(&self, day: Date) -> bool {
        self.valid_from <= day && self.valid_to.is_none_or(|last| day <= last)
    }
}

impl Dataset {
    /// Returns all rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the rows valid on the given day, except proposals.
    pub fn in_force_on(&self, day: Date) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.holds_on(day) && row.status != Status::Proposal)
    }

    /// Returns the rows valid on the given day. A proposal is included only if there is no settled
    /// row for the same figure.
    pub fn applicable_on(&self, day: Date) -> impl Iterator<Item = &Row> {
        let key = |row: &Row| -> Vec<Option<Value>> {
            self.key.iter().map(|column| row.get(column).cloned()).collect()
        };
        self.rows.iter().filter(move |row| {
            let is_settled = |other: &Row| key(other) == key(row);
            row.holds_on(day)
                && (row.status != Status::Proposal || !self.in_force_on(day).any(is_settled))
        })
    }

    /// Returns the sources of the rows, each once, in the order of first use.
    #[must_use]
    pub fn sources(&self) -> Vec<&'static Source> {
        let mut sources: Vec<&'static Source> = Vec::new();
        for row in &self.rows {
            if !sources.iter().any(|source| source.id == row.source.id) {
                sources.push(row.source);
            }
        }
        sources
    }

    /// First and last day covered by the rows; the last day is `None` if a row has no end.
    #[must_use]
    pub fn days(&self) -> (Date, Option<Date>) {
        let first = self.rows.iter().map(|row| row.valid_from).min();
        let last = if self.rows.iter().any(|row| row.valid_to.is_none()) {
            None
        } else {
            self.rows.iter().filter_map(|row| row.valid_to).max()
        };
        (first.unwrap_or(self.updated), last)
    }

    /// Years covered by the rows. If a row has no end, the list ends with the year of the last
    /// update.
    #[must_use]
    pub fn years(&self) -> Vec<i16> {
        let (first, last) = self.days();
        (first.year()..=last.unwrap_or(self.updated).year()).collect()
    }
}
