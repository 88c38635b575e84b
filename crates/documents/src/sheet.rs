//! Lists for spreadsheets: the same rows as CSV or as XLSX.

pub use crate::csv::Cell;

use crate::{csv::Csv, xlsx::Xlsx};
use std::io;

/// Format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Values separated by semicolons.
    Csv,
    /// Workbook.
    Xlsx,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Xlsx];

    /// Returns the file extension.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    /// Returns the media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// Writer that builds a list in memory.
///
/// ```
/// use documents::sheet::{Cell, Format, Sheet};
///
/// let mut list = Sheet::begin(Format::Xlsx, &["Number", "Amount"])?;
/// list.row([Cell::Text("2026-0001"), Cell::number("1210.00")])?;
/// // A workbook is a ZIP archive.
/// assert!(list.finish()?.starts_with(b"PK"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Sheet {
    /// CSV list.
    Csv(Csv<Vec<u8>>),
    /// Workbook.
    Xlsx(Box<Xlsx>),
}

impl Sheet {
    /// Starts a list with its column names.
    ///
    /// # Errors
    /// Writing fails.
    pub fn begin(format: Format, names: &[&str]) -> io::Result<Self> {
        Ok(match format {
            Format::Csv => Self::Csv(Csv::begin(Vec::new(), names)?),
            Format::Xlsx => Self::Xlsx(Box::new(Xlsx::begin(names)?)),
        })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Writing fails.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> io::Result<()> {
        match self {
            Self::Csv(list) => list.row(cells),
            Self::Xlsx(list) => list.row(cells),
        }
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// The file is larger than the format allows.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Csv(list) => Ok(list.finish()),
            Self::Xlsx(list) => list.finish(),
        }
    }
}
