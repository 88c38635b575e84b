//! Tables of a data file: one line per row, cells separated by bars (`|`), column names in the
//! first line.
//!
//! ```text
//! # A line that begins with a hash is a comment.
//! kind     | rate | validFrom
//! standard | 21   | 2012-10-01
//! ```

use thiserror::Error;

/// Parsed table; every row has a cell for every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<'t> {
    columns: Vec<&'t str>,
    rows: Vec<Vec<&'t str>>,
}

/// The number of cells in a row differs from the number of columns.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the row \"{row}\" has {found} cells instead of {expected}")]
pub struct TableError {
    /// Text of the row.
    pub row: String,
    /// Number of columns.
    pub expected: usize,
    /// Number of cells in the row.
    pub found: usize,
}

impl<'t> Table<'t> {
    /// Parses a table. Blanks around cells, empty lines and comments are ignored.
    ///
    /// # Errors
    /// The number of cells in a row differs from the number of columns.
    pub fn parse(text: &'t str) -> Result<Self, TableError> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let cells = |line: &'t str| line.split('|').map(str::trim).collect::<Vec<_>>();
        let columns = lines.next().map(cells).unwrap_or_default();
        let rows = lines.map(|line| {
            let row = cells(line);
            if row.len() == columns.len() {
                Ok(row)
            } else {
                Err(TableError { row: line.to_owned(), expected: columns.len(), found: row.len() })
            }
        });
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(Self { columns, rows })
    }

    /// Returns the column names.
    #[must_use]
    pub fn columns(&self) -> &[&'t str] {
        &self.columns
    }

    /// Returns the rows, each with its cells in column order.
    #[must_use]
    pub fn rows(&self) -> &[Vec<&'t str>] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_between_bars() {
        let table = Table::parse("# rates\n\na | b\n 1 | two words \n3|\n").unwrap();
        assert_eq!(table.columns(), ["a", "b"]);
        assert_eq!(table.rows(), [vec!["1", "two words"], vec!["3", ""]]);
    }

    #[test]
    fn a_row_with_a_missing_cell_is_refused() {
        let error = Table::parse("a | b\n1").unwrap_err();
        assert_eq!(error.to_string(), "the row \"1\" has 1 cells instead of 2");
    }
}
