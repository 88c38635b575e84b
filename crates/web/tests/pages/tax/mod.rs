//! VAT returns and the year.

mod vat;
mod year;
