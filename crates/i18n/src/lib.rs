//! Everything that depends on the reader's language: texts, and money, numbers, days and durations, written and read.
//!
//! What is written and what is read stand side by side in one module and are inverses: what [`Texts`] writes into a field, it reads
//! back as the same value. Notation follows Unicode CLDR (`nl` and `en-GB`), with the true minus sign U+2212 before negative amounts.

mod countries;
mod date;
mod duration;
mod money;
mod number;
mod period;
mod texts;

pub use date::{DayError, read_date};
pub use duration::{DurationError, read_duration};
pub use ledger::language::Language;
pub use number::{plain_number, read_money, read_number};
pub use period::{Week, read_month, read_week};
pub use texts::{Argument, Phrase, Texts};
