//! Tables of text with aligned columns.

/// Table: its first row names the columns.
pub(crate) struct Table(Vec<Vec<String>>);

impl Table {
    /// Creates an empty table with the given columns.
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self(vec![columns.iter().map(|column| (*column).to_owned()).collect()])
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.push(cells.into_iter().collect());
    }

    /// Returns the lines of the table: the first column is aligned to the left, the others to the
    /// right.
    pub(crate) fn lines(&self) -> Vec<String> {
        let width =
            |column: usize| self.0.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.0[0].len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells: Vec<String> = cells
                .map(|(column, (cell, width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                })
                .collect();
            format!("| {} |", cells.join(" | "))
        };
        self.0.iter().map(line).collect()
    }
}
