//! Figures of Dutch tax law, each with its source and period of validity, and the calculations
//! based on them.
//!
//! The code reads no clock, file or random source: the data files (`data/`) are compiled in.
//! Numbers are exact decimals; amounts are rounded to cents only when they are printed
//! ([`value::Value::plain`]).
//!
//! - [`dataset`]: tables of figures with a description from which the page, JSON and CSV are
//!   generated.
//! - [`calculator`]: calculators, described in the same way by their inputs and outputs.
//! - [`missing`]: figures still missing for the coming year.

pub mod calculator;
pub mod calculators;
pub mod costs;
pub mod dataset;
pub mod deadline;
pub mod eu_rates;
pub mod fault;
pub mod missing;
mod notation;
pub mod reminders;
pub mod source;
mod status;
pub mod tax_office;
pub mod value;
pub mod words;
mod year;

pub use ledger::decimal::Decimal;
pub use ledger::language::Language;
