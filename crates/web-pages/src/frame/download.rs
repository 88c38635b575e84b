//! Lists as spreadsheet files: the content of a page, as CSV or XLSX depending on the extension in
//! the URL.

use crate::page::{Authenticated, PageContext};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use service::{Error, sheet::Sheet};
use web_core::{capacity::Asker, problem::Problem};

pub use service::sheet::{Cell, Format};

/// Maximum number of rows in a file.
pub const MOST_ROWS: i64 = 100_000;

/// Export of a list to a file. Amounts, hours and dates are typed cells, and no text is interpreted
/// as a formula.
pub struct Download {
    sheet: Sheet,
    name: String,
    format: Format,
}

impl Download {
    /// Begins a file; `name` has no extension.
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

    /// Response with a row for each record. The file is written on the pool for documents, one file
    /// at a time per account: a hundred thousand rows take a second, which must not delay other
    /// users.
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
        Ok(page
            .app
            .capacity()
            .documents
            .run(page.who.account.id, Asker::Visitor, written)
            .await??)
    }

    /// Response with the rows written so far.
    pub fn finish(self) -> Result<Response, Error> {
        let bytes = self.sheet.finish().map_err(unwritten)?;
        Ok(file(self.format, &self.name, bytes))
    }
}

/// Response that the browser saves under this name, with the extension of the format.
pub fn file(format: Format, name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, format.media_type().to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}.{}\"", format.ending()),
        ),
    ];
    (headers, bytes).into_response()
}

/// Converts an error that occurred while writing a file.
pub fn unwritten(error: std::io::Error) -> Error {
    Error::Internal(error.to_string())
}

impl PageContext {
    /// Format requested by the extension in the URL.
    pub fn format(&self) -> Format {
        let path = self.path_and_query().split('?').next().unwrap_or_default();
        if path.ends_with(".xlsx") { Format::Xlsx } else { Format::Csv }
    }
}
