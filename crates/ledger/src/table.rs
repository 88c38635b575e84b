//! Tables of a data file: a line for each row, cells between bars (`|`), the names of the columns in the first line.
//!
//! ```text
//! # A line that begins with a hash is a comment.
//! kind     | rate | validFrom
//! standard | 21   | 2012-10-01
//! ```

use thiserror::Error;

/// A table as it is written; every row has a cell for every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<'t> {
    columns: Vec<&'t str>,
    rows: Vec<Vec<&'t str>>,
}

/// A line does not fit the first one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the row \"{row}\" has {found} cells instead of {expected}")]
pub struct TableError {
    /// The row as it is written.
    pub row: String,
    /// How many columns the first line names.
    pub expected: usize,
    /// How many cells the row has.
    pub found: usize,
}

impl<'t> Table<'t> {
    /// Reads a table; blanks around cells are dropped, empty lines and comments are passed over.
    ///
    /// # Errors
    /// A row has not as many cells as there are columns.
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

    /// The names of the columns.
    #[must_use]
    pub fn columns(&self) -> &[&'t str] {
        &self.columns
    }

    /// The rows, each with its cells in the order of the columns.
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
