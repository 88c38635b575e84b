//! Lists as files for a spreadsheet: what a page shows, as CSV or as XLSX by the ending of the address.

use crate::page::{Authenticated, PageContext};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use service::{Error, sheet::Sheet};
use web_core::{capacity::Asker, problem::Problem};

pub use service::sheet::{Cell, Format};

/// Rows of a file at the most.
pub const MOST_ROWS: i64 = 100_000;

/// A list on its way into a file. Amounts, hours and days are numbers and days there too, and no text is a formula.
pub struct Download {
    sheet: Sheet,
    name: String,
    format: Format,
}

impl Download {
    /// Begins a file with that name, without its ending.
    pub fn begin(format: Format, name: &str, columns: &[&str]) -> Result<Self, Error> {
        let sheet = Sheet::begin(format, columns).map_err(unwritten)?;
        Ok(Self { sheet, name: name.to_owned(), format })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) -> Result<(), Error> {
        self.sheet.row(cells).map_err(unwritten)
    }

    /// The answer with a row for each of what was found. It is written where documents are made, one of an account at a time: a hundred
    /// thousand rows take a second, and nobody else's request waits for it.
    pub async fn answer<T: Send + 'static>(
        mut self,
        page: &Authenticated,
        found: Vec<T>,
        mut write: impl FnMut(&mut Self, &T) -> Result<(), Error> + Send + 'static,
    ) -> Result<Response, Problem> {
        let written = move || {
            found.iter().try_for_each(|row| write(&mut self, row))?;
            self.finish()
        };
        Ok(page.app.capacity().documents.run(page.who.account.id, Asker::Visitor, written).await??)
    }

    /// The answer with the rows that were written.
    pub fn finish(self) -> Result<Response, Error> {
        let bytes = self.sheet.finish().map_err(unwritten)?;
        Ok(file(self.format, &self.name, bytes))
    }
}

/// A file to be kept under that name.
pub fn file(format: Format, name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, format.media_type().to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{}\"", format.ending())),
    ];
    (headers, bytes).into_response()
}

/// Error of a file that could not be written.
pub fn unwritten(error: std::io::Error) -> Error {
    Error::Internal(error.to_string())
}

impl PageContext {
    /// The format that the address asks for by its ending.
    pub fn format(&self) -> Format {
        let path = self.path_and_query().split('?').next().unwrap_or_default();
        if path.ends_with(".xlsx") { Format::Xlsx } else { Format::Csv }
    }
}
