//! Days far from those that the books are at: told as a warning, and refused before the opening balance.

use crate::{Fault, Reason};
use jiff::{ToSpan, civil::Date};
use ledger::calendar::amsterdam_today;
use store::books::Books;

/// How many days ahead of today a day may be without being unusual.
const AHEAD: i64 = 31;

/// Whether a day is far off: more than 31 days ahead, or earlier than the quarter after the last one whose return is filed, or than the
/// quarter of the first posting. It may be right, but is mostly a typing error.
pub(crate) fn is_unusual(books: &Books, day: Date) -> bool {
    let terms = books.terms();
    let after_filed = terms.last_filed.map(|filed| filed.next().first_day());
    let first = terms.first_posting.map(|first| first.first_day());
    let is_early = |earliest: Option<Date>| earliest.is_some_and(|earliest| day < earliest);
    day > amsterdam_today(books.clock()).saturating_add(AHEAD.days()) || is_early(after_filed) || is_early(first)
}

/// What is wrong with a day before the opening balance, in which all that was before is.
pub(crate) fn before_opening(books: &Books, path: &str, day: Date) -> Option<Fault> {
    before(books.terms().opening, path, day)
}

/// The same where the day of the opening balance is known.
pub(crate) fn before(opening: Option<Date>, path: &str, day: Date) -> Option<Fault> {
    let opening = opening?;
    (day < opening).then(|| Fault::new(path, Reason::BeforeOpening { opening }))
}
