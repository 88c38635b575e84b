//! The figures of Dutch tax law, each with its source and the days on which it holds, and what is computed from them.
//!
//! Nothing here reads a clock, a file or a random source: the data files (`data/`) are compiled in. Numbers are exact decimals; an
//! amount is rounded to cents where it is printed ([`value::Value::plain`]) and nowhere before.
//!
//! - [`dataset`]: tables of figures, described so that a page, JSON and CSV follow from the one description.
//! - [`calculator`]: calculators, described by their input and output in the same way.
//! - [`missing`]: which figures the coming year still lacks.

pub mod calculator;
pub mod calculators;
pub mod costs;
pub mod dataset;
pub mod deadline;
pub mod fault;
pub mod missing;
mod notation;
pub mod reminders;
pub mod source;
pub mod value;
pub mod words;
mod year;

pub use ledger::decimal::Decimal;
pub use ledger::language::Language;
