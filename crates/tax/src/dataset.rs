//! Data sets: tables of figures, each row with its source and period of validity.
//!
//! A data set is one TOML file in `data/`, with its rows as a [`ledger::table`]. Figures that the
//! bookkeeping itself uses (VAT rates, boxes, chart of accounts) come from `ledger`, so that each
//! figure is defined once.

mod computed;
mod read;
mod selection;
#[cfg(test)]
mod tests;

pub use selection::Selection;

use crate::{
    source::{self, Source},
    value::Value,
    words::{Choice, Words},
};
use jiff::civil::Date;
use std::sync::{Arc, LazyLock};

/// The licence of all data sets (SPDX).
pub const LICENCE: &str = "CC0-1.0";
/// URL of the licence text.
pub const LICENCE_URL: &str = "https://creativecommons.org/publicdomain/zero/1.0/";

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
    /// Columns, in order. Every data set ends with `validFrom`, `validTo`, `source`, `status` and
    /// `note`.
    pub columns: Arc<[Column]>,
    /// Columns that identify a figure: rows with equal keys never overlap in time.
    pub key: Vec<String>,
    /// Whether a figure may end without a successor.
    pub may_end: bool,
    rows: Vec<Row>,
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

/// Reliability of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Checked against the text of the law or decree.
    Law,
    /// Checked against a publication of the government or the tax office (Belastingdienst).
    Official,
    /// Taken from a third party that cites an official text; the text itself was not checked.
    Secondary,
    /// Proposed or announced, not yet law.
    Proposal,
}

impl Status {
    /// All values, the most reliable first.
    pub const ALL: [Self; 4] = [Self::Law, Self::Official, Self::Secondary, Self::Proposal];

    /// Code in JSON and CSV.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::Official => "official",
            Self::Secondary => "secondary",
            Self::Proposal => "proposal",
        }
    }

    /// Whether the figure was checked against the text of the law.
    #[must_use]
    pub const fn is_law(self) -> bool {
        matches!(self, Self::Law)
    }

    /// Explanation for readers.
    #[must_use]
    pub const fn meaning(self) -> Words {
        match self {
            Self::Law => Words::new("Vergeleken met de tekst van de wet.", "Compared with the text of the law."),
            Self::Official => Words::new(
                "Vergeleken met wat de overheid of de Belastingdienst bekendmaakt.",
                "Compared with what the government or the tax office (Belastingdienst) publishes.",
            ),
            Self::Secondary => Words::new(
                "Van anderen die een officiële tekst noemen; die tekst zelf is niet gezien.",
                "From others who name an official text; that text itself was not seen.",
            ),
            Self::Proposal => Words::new("Voorstel: nog geen wet.", "Proposed: not law yet."),
        }
    }
}

/// A row of a data set.
#[derive(Clone, Debug)]
pub struct Row {
    columns: Arc<[Column]>,
    values: Vec<Option<Value>>,
    /// First day of validity.
    pub valid_from: Date,
    /// Last day of validity; `None` while the row is in force.
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

    /// Whether the row is valid on a day.
    #[must_use]
    pub fn holds_on(&self, day: Date) -> bool {
        self.valid_from <= day && self.valid_to.is_none_or(|last| day <= last)
    }
}

static DATASETS: LazyLock<Vec<Dataset>> =
    LazyLock::new(|| read::all().expect("the data files are compiled in and the tests read them all"));

/// Returns all data sets, in the order of the index.
#[must_use]
pub fn all() -> &'static [Dataset] {
    &DATASETS
}

/// Returns the data set with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Dataset> {
    DATASETS.iter().find(|dataset| dataset.id == id)
}

impl Dataset {
    /// Returns all rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the selected rows.
    pub fn select(&self, selection: Selection) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| selection.takes(row))
    }

    /// Returns the rows valid on a day, without proposals.
    pub fn in_force_on(&self, day: Date) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.holds_on(day) && row.status != Status::Proposal)
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

    /// First and last day covered by the rows; no last day if a row has no end.
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

    /// Years covered by the rows; up to the year of the last update if a row has no end.
    #[must_use]
    pub fn years(&self) -> Vec<i16> {
        let (first, last) = self.days();
        (first.year()..=last.unwrap_or(self.updated).year()).collect()
    }
}
