//! Bank statements: CAMT.053, MT940, CSV and zip in, statements and lines out.
//!
//! Pure: no file, no clock and no network. [`read()`] turns the bytes of a file into an [`Upload`]
//! or a [`Refusal`]; format, dialect and charset are determined by the bytes alone.
//! [`same::compare`] finds the lines that are already known. What the lines mean for the books is
//! decided elsewhere.
//!
//! ```
//! use bank_files::{Options, read};
//! use jiff::civil::date;
//!
//! let file = b":20:1\n:25:NL02ABNA0123456789\n:28C:1/1\n:60F:C260301EUR100,00\n\
//!     :61:2603020302D12,5N426NONREF\n:86:/TRTP/SEPA OVERBOEKING/NAME/Bakker/REMI/Brood\n\
//!     :62F:C260302EUR87,50\n-\n";
//! let upload = read(file, &Options::new(date(2026, 3, 5))).expect("the balances fit");
//! let line = &upload.statements[0].lines[0];
//! assert_eq!((line.amount.get(), &*line.text), (-1250, "Brood"));
//! assert_eq!(line.name.as_deref(), Some("Bakker"));
//! ```

mod amount;
mod archive;
mod balance;
mod camt;
mod charset;
mod csv;
mod dates;
mod details;
mod fault;
mod kind;
pub mod limits;
mod mt940;
mod read;
mod refusal;
mod report;
pub mod same;
mod text;
mod upload;

pub use amount::DecimalSeparator;
pub use archive::file as file_in_archive;
pub use balance::check as mismatch;
pub use charset::Charset;
pub use csv::{
    Amounts, Column, Columns, MOST_TEXTS, Mapping, Sample, TrialRow, head_of, sample, trial,
};
pub use dates::DateFormat;
pub use fault::{Fault, FaultReason, Faults, Field, MOST_FAULTS};
pub use read::{Options, Upload, read};
pub use refusal::{
    BalanceMismatch, Cause, ForeignFormat, MOST_WARNINGS, Proposal, Refusal, Unsupported, Warning,
    WarningKind, Warnings,
};
pub use upload::{
    AccountName, Balance, Currency, Details, Dialect, Format, Line, LineKind, Original, Part,
    Statement,
};
