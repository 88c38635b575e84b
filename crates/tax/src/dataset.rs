//! Data sets: tables of figures, each row with its source and the days on which it holds.
//!
//! A data set is one file in `data/` (TOML, the rows as a [`ledger::table`]). What grootboek itself works with (VAT rates, boxes,
//! chart of accounts) comes from `ledger`, so that every figure stands in one file only.

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
/// The text of the licence.
pub const LICENCE_URL: &str = "https://creativecommons.org/publicdomain/zero/1.0/";

/// A table of figures and its description.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Its name in addresses.
    pub id: String,
    /// What it is called.
    pub title: Words,
    /// What it says, what it leaves out, and what is uncertain.
    pub description: Words,
    /// Grows by one with every change of the figures.
    pub version: u32,
    /// When the figures were changed or checked last.
    pub updated: Date,
    /// The columns, in order. The last five are the same in every data set: `validFrom`, `validTo`, `source`, `status`, `note`.
    pub columns: Arc<[Column]>,
    /// The columns that say which figure a row is: no two rows with the same values there hold on the same day.
    pub key: Vec<String>,
    /// Whether a figure may end without another in its place.
    pub may_end: bool,
    rows: Vec<Row>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in JSON and CSV.
    pub name: String,
    /// What stands in it.
    pub kind: ColumnKind,
    /// Whether a row may leave it empty (`null` in JSON).
    pub optional: bool,
    /// Its heading.
    pub title: Words,
    /// What it means.
    pub meaning: Words,
}

/// What stands in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A calendar day.
    Date,
    /// A percentage.
    Percent,
    /// An amount of euros.
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
    /// One of several texts.
    Enum(Vec<Choice>),
}

/// How firm a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Compared with the text of the law or decree.
    Law,
    /// Compared with what the government or the tax office (Belastingdienst) publishes.
    Official,
    /// Found with others who name an official text, which was not seen itself.
    Secondary,
    /// Proposed or announced, not law yet.
    Proposal,
}

impl Status {
    /// All of them, the firmest first.
    pub const ALL: [Self; 4] = [Self::Law, Self::Official, Self::Secondary, Self::Proposal];

    /// As JSON and CSV write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::Official => "official",
            Self::Secondary => "secondary",
            Self::Proposal => "proposal",
        }
    }

    /// Whether it was compared with the text of the law.
    #[must_use]
    pub const fn is_law(self) -> bool {
        matches!(self, Self::Law)
    }

    /// A sentence for people.
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

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    columns: Arc<[Column]>,
    values: Vec<Option<Value>>,
    /// The first day on which it holds.
    pub valid_from: Date,
    /// The last day on which it holds; none while it still does.
    pub valid_to: Option<Date>,
    /// Where it comes from.
    pub source: &'static Source,
    /// How firm it is.
    pub status: Status,
}

impl Row {
    /// The values in the order of the columns.
    #[must_use]
    pub fn values(&self) -> &[Option<Value>] {
        &self.values
    }

    /// The value in a column; none where the row leaves it empty or there is no such column.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&Value> {
        let place = self.columns.iter().position(|other| other.name == column)?;
        self.values[place].as_ref()
    }

    /// Whether it holds on a day.
    #[must_use]
    pub fn holds_on(&self, day: Date) -> bool {
        self.valid_from <= day && self.valid_to.is_none_or(|last| day <= last)
    }
}

static DATASETS: LazyLock<Vec<Dataset>> =
    LazyLock::new(|| read::all().expect("the data files are compiled in, and the tests read them all"));

/// All data sets, in the order of the index.
#[must_use]
pub fn all() -> &'static [Dataset] {
    &DATASETS
}

/// The data set of that name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Dataset> {
    DATASETS.iter().find(|dataset| dataset.id == id)
}

impl Dataset {
    /// All rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that a selection asks for.
    pub fn select(&self, selection: Selection) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| selection.takes(row))
    }

    /// The rows that hold on a day and are no proposals.
    pub fn in_force_on(&self, day: Date) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.holds_on(day) && row.status != Status::Proposal)
    }

    /// The sources that its rows name, each once, in the order of their first row.
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

    /// The first day of its first row, and the last day of its last row; no last day where a row still holds.
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

    /// The years of which it knows something; up to the year of the last change where rows still hold.
    #[must_use]
    pub fn years(&self) -> Vec<i16> {
        let (first, last) = self.days();
        (first.year()..=last.unwrap_or(self.updated).year()).collect()
    }
}
