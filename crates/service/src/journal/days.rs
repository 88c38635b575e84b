//! Checks of dates: dates far from the rest of the books cause a warning, dates before the opening
//! balance are rejected. Also determines how long a warning is reported.

use crate::{Context, Error, Fault, Reason};
use ::tax::deadline::{Deadline, DeadlineKind};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::{Quarter, amsterdam_today},
    unusual_day::UnusualDay,
};
use store::{
    Tx,
    books::{self, Books},
};

/// Returns the reason why a day is unusual in these books, if it is unusual.
pub(crate) fn unusual(books: &Books, day: Date) -> Option<UnusualDay> {
    let terms = books.terms();
    UnusualDay::of(day, amsterdam_today(books.clock()), terms.first_posting, terms.last_filed)
}

/// Like [`unusual`], for a form that has not been submitted yet.
///
/// # Errors
/// The storage failed.
pub fn unusual_on(tx: &mut Tx<'_>, cx: &Context, day: Date) -> Result<Option<UnusualDay>, Error> {
    let terms = books::terms(tx, cx.actor.account)?;
    let (first, filed) =
        terms.map_or((None, None), |terms| (terms.first_posting, terms.last_filed));
    Ok(UnusualDay::of(day, cx.today(), first, filed))
}

/// Whether warnings about an item are still reported. Reporting ends with the filing deadline of
/// the quarter of its VAT date or of its last change, whichever is later. By then the tax office
/// has the figures, and a warning is no longer of use.
#[must_use]
pub fn is_current(vat_date: Date, changed_at: Timestamp, today: Date) -> bool {
    let quarter = Quarter::of(vat_date.max(amsterdam_today(changed_at)));
    today <= Deadline::of(DeadlineKind::VatReturn, quarter.into()).file_by
}

/// Returns the warning to report about the day of a booked item: `None` if the reason for it no
/// longer holds or the warning is no longer current. Callers pass `None` for reversed items.
#[must_use]
pub fn reported(
    unusual: Option<UnusualDay>,
    day: Date,
    changed_at: Timestamp,
    today: Date,
) -> Option<UnusualDay> {
    unusual.filter(|reason| reason.holds(day, today) && is_current(day, changed_at, today))
}

/// Returns a fault if a day is before the opening balance, which already includes everything up to
/// its own date.
pub(crate) fn before_opening(books: &Books, path: &str, day: Date) -> Option<Fault> {
    before(books.terms().opening, path, day)
}

/// Like [`before_opening`], for a caller that already has the date of the opening balance.
pub(crate) fn before(opening: Option<Date>, path: &str, day: Date) -> Option<Fault> {
    let opening = opening?;
    (day < opening).then(|| Fault::new(path, Reason::BeforeOpening { opening }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn warnings_last_until_the_return_is_due() {
        let on =
            |day: Date| day.at(12, 0, 0, 0).in_tz("UTC").expect("UTC always exists").timestamp();
        let cases = [
            // Booked in the quarter of its date.
            (date(2026, 2, 10), date(2026, 2, 10), date(2026, 4, 30), true),
            (date(2026, 2, 10), date(2026, 2, 10), date(2026, 5, 1), false),
            // Booked or paid after the return for the quarter of its date was due.
            (date(2026, 2, 10), date(2026, 6, 1), date(2026, 7, 31), true),
            (date(2026, 2, 10), date(2026, 6, 1), date(2026, 8, 1), false),
            // Dated in the future.
            (date(2027, 1, 5), date(2026, 11, 26), date(2027, 4, 30), true),
            (date(2027, 1, 5), date(2026, 11, 26), date(2027, 5, 1), false),
        ];
        for (vat_date, changed, today, expected) in cases {
            assert_eq!(
                is_current(vat_date, on(changed), today),
                expected,
                "{vat_date} {changed} {today}"
            );
        }
        let early = Some(UnusualDay::BeforeFirstEntry);
        assert_eq!(
            reported(early, date(2016, 1, 1), on(date(2026, 2, 10)), date(2026, 4, 30)),
            early
        );
        assert_eq!(
            reported(early, date(2016, 1, 1), on(date(2026, 2, 10)), date(2026, 5, 1)),
            None
        );
        let ahead = Some(UnusualDay::FarAhead);
        assert_eq!(
            reported(ahead, date(2026, 6, 1), on(date(2026, 2, 10)), date(2026, 4, 30)),
            ahead
        );
        assert_eq!(
            reported(ahead, date(2026, 6, 1), on(date(2026, 2, 10)), date(2026, 5, 1)),
            None
        );
    }
}
