//! Lists for spreadsheets: the same rows as CSV and as XLSX.

pub use crate::csv::Cell;

use crate::{csv::Csv, xlsx::Xlsx};
use std::io;

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Values between semicolons.
    Csv,
    /// A workbook.
    Xlsx,
}

impl Format {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Xlsx];

    /// What the names of such files end in.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    /// The media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// A list on its way into memory.
pub enum Sheet {
    /// As CSV.
    Csv(Csv<Vec<u8>>),
    /// As a workbook.
    Xlsx(Box<Xlsx>),
}

impl Sheet {
    /// Begins a list with the names of its columns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(format: Format, names: &[&str]) -> io::Result<Self> {
        Ok(match format {
            Format::Csv => Self::Csv(Csv::begin(Vec::new(), names)?),
            Format::Xlsx => Self::Xlsx(Box::new(Xlsx::begin(names)?)),
        })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> io::Result<()> {
        match self {
            Self::Csv(list) => list.row(cells),
            Self::Xlsx(list) => list.row(cells),
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// It is larger than the format allows.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Csv(list) => Ok(list.finish()),
            Self::Xlsx(list) => list.finish(),
        }
    }
}
