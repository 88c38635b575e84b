//! Localization: texts, and formatting and parsing of money, numbers, dates and durations.
//!
//! Formatting and parsing are inverses, side by side in one module: a value that [`Texts`] writes
//! into a field is parsed back to the same value. The notation follows Unicode CLDR (`nl` and
//! `en-GB`), with the true minus sign U+2212 before negative amounts.

mod countries;
mod date;
mod duration;
mod money;
mod number;
mod period;
mod texts;
mod units;

pub use date::{DayError, read_date};
pub use duration::{DurationError, read_duration};
pub use ledger::language::Language;
pub use number::{plain_number, read_money, read_number};
pub use period::{Week, read_month, read_week};
pub use texts::{Argument, Phrase, Texts};
pub use units::read_unit;
