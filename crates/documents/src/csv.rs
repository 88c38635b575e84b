//! Lists as CSV (RFC 4180) for Dutch spreadsheets: UTF-8 with a byte order mark, semicolons,
//! decimal commas.

use jiff::civil::Date;
use std::{
    fmt::Display,
    io::{self, Write},
};

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'c> {
    /// User text: never read as a formula.
    Text(&'c str),
    /// A number in plain notation (`-12.50`); in CSV its point becomes a comma.
    Number(String),
    /// Date.
    Day(Date),
    /// Empty cell.
    Empty,
}

impl<'c> Cell<'c> {
    /// Creates a text cell, or an empty cell for `None`.
    #[must_use]
    pub fn text(text: Option<&'c str>) -> Self {
        text.map_or(Self::Empty, Self::Text)
    }

    /// Creates a cell with a number in plain notation.
    #[must_use]
    pub fn number(number: impl Display) -> Self {
        Self::Number(number.to_string())
    }
}

/// CSV writer.
///
/// ```
/// use documents::csv::{Cell, Csv};
///
/// let mut list = Csv::begin(Vec::new(), &["Number", "Amount"])?;
/// list.row([Cell::Text("2026-0001"), Cell::number("1210.00")])?;
/// list.row([Cell::Text("=1+1"), Cell::Empty])?;
/// let text = String::from_utf8(list.finish())?;
/// assert_eq!(text, "\u{feff}Number;Amount\r\n2026-0001;1210,00\r\n\"'=1+1\";\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Csv<W: Write> {
    out: W,
}

impl<W: Write> Csv<W> {
    /// Starts a list with its column names.
    ///
    /// # Errors
    /// Writing to the output fails.
    pub fn begin(mut out: W, names: &[&str]) -> io::Result<Self> {
        // Excel recognises UTF-8 by the byte order mark.
        out.write_all("\u{feff}".as_bytes())?;
        let mut list = Self { out };
        list.row(names.iter().map(|name| Cell::Text(name)))?;
        Ok(list)
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Writing to the output fails.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> io::Result<()> {
        for (place, cell) in cells.into_iter().enumerate() {
            if place > 0 {
                self.out.write_all(b";")?;
            }
            match cell {
                Cell::Text(text) => self.text(text)?,
                Cell::Number(number) => self.out.write_all(number.replace('.', ",").as_bytes())?,
                Cell::Day(day) => write!(self.out, "{day}")?,
                Cell::Empty => {}
            }
        }
        self.out.write_all(b"\r\n")
    }

    /// Returns the output.
    pub fn finish(self) -> W {
        self.out
    }

    /// Writes a text; a prefix of `'` prevents spreadsheets from reading it as a formula (OWASP,
    /// "CSV Injection").
    fn text(&mut self, text: &str) -> io::Result<()> {
        let guard = if text.starts_with([
            '=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
        ]) {
            "'"
        } else {
            ""
        };
        if guard.is_empty() && !text.contains([';', '"', '\n', '\r', ',', '\'']) {
            return self.out.write_all(text.as_bytes());
        }
        write!(self.out, "\"{guard}{}\"", text.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_are_never_formulas() {
        let mut list = Csv::begin(Vec::new(), &["naam", "bedrag"]).unwrap();
        list.row([Cell::Text("De \"Kroon\"; bar"), Cell::Number("-1234.50".into())]).unwrap();
        for formula in ["=1+1", "+31 6", "-2", "@SUM(A1)", "\t=1", "＝1"] {
            list.row([Cell::Text(formula), Cell::Number("0.00".into())]).unwrap();
        }
        let text = String::from_utf8(list.finish()).unwrap();
        let wanted = "\u{feff}naam;bedrag\r\n\"De \"\"Kroon\"\"; bar\";-1234,50\r\n\"'=1+1\";0,00\r\n\"'+31 6\";0,00\r\n\"'-2\";0,00\r\n\
                      \"'@SUM(A1)\";0,00\r\n\"'\t=1\";0,00\r\n\"'＝1\";0,00\r\n";
        assert_eq!(text, wanted);
    }
}
