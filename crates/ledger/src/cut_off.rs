//! Year-end cut-off: the part of revenue and costs that belongs to a different year than the
//! invoice or the bill (art. 3.25 Wet IB 2001).

use crate::{event::AccrualKind, money::Cents};
use jiff::civil::Date;

/// Minimum amount that the cut-off books by default, in cents. The owner selects smaller amounts.
pub const TICKED_FROM: Cents = Cents::new(10_000);

/// First and last day of a period.
pub type Days = (Date, Date);

/// Number of days, both ends included; zero if the last day is before the first.
fn count((first, last): Days) -> i64 {
    first.until(last).map_or(0, |span| (i64::from(span.get_days()) + 1).max(0))
}

/// Number of days that two periods have in common.
fn overlap(one: Days, other: Days) -> i64 {
    count((one.0.max(other.0), one.1.min(other.1)))
}

/// Fraction of an amount, in cents; half a cent is rounded away from zero.
fn part(amount: Cents, numerator: i64, denominator: i64) -> Cents {
    if denominator == 0 {
        return Cents::ZERO;
    }
    let product = i128::from(amount.get()) * i128::from(numerator);
    let (whole, over) = (i128::from(denominator), product.abs());
    let rounded = (2 * over + whole) / (2 * whole) * product.signum();
    Cents::new(i64::try_from(rounded).unwrap_or_default())
}

/// Part of an amount that falls in a year, in proportion to the days of the period.
#[must_use]
pub fn by_days(amount: Cents, period: Days, year: Days) -> Cents {
    part(amount, overlap(period, year), count(period))
}

/// Part of an amount in proportion to hours, or to any other quantity.
#[must_use]
pub fn by_quantity(amount: Cents, quantity: i64, total: i64) -> Cents {
    part(amount, quantity, total)
}

/// Cut-off of a cost at the end of a year. A document dated on or before the last day of the year
/// is a prepaid cost for the days of the period after the year. A document dated later is an
/// accrued cost for the days of the period in the year. `None` if there are no such days.
///
/// ```
/// use jiff::civil::date;
/// use ledger::{cut_off, event::AccrualKind, money::Cents};
///
/// // Insurance from 1 July to 30 June: 181 of the 365 days are in the next year.
/// let year = (date(2026, 1, 1), date(2026, 12, 31));
/// let period = (date(2026, 7, 1), date(2027, 6, 30));
/// let prepaid = cut_off::cost(Cents::new(36_500), date(2026, 7, 1), period, year);
/// assert_eq!(prepaid, Some((AccrualKind::PrepaidCost, Cents::new(18_100))));
/// ```
#[must_use]
pub fn cost(
    amount: Cents,
    document: Date,
    period: Days,
    year: Days,
) -> Option<(AccrualKind, Cents)> {
    let (kind, days) = if document <= year.1 {
        let later = count(period) - overlap(period, (Date::MIN, year.1));
        (AccrualKind::PrepaidCost, later)
    } else {
        (AccrualKind::AccruedCost, overlap(period, year))
    };
    (days > 0).then(|| (kind, part(amount, days, count(period))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const YEAR: Days = (date(2026, 1, 1), date(2026, 12, 31));

    #[test]
    fn revenue_falls_into_the_year_of_its_days() {
        let december = (date(2026, 12, 1), date(2026, 12, 31));
        // Period, amount, expected part in 2026; computed by hand.
        let cases = [
            (december, 310_000, 310_000),
            // 17 of 31 days.
            ((date(2026, 12, 15), date(2027, 1, 14)), 310_000, 170_000),
            // 1 of 3 days: 33.33 cents are rounded down. 2 of 3 days: 66.67 cents are rounded up.
            ((date(2026, 12, 31), date(2027, 1, 2)), 100, 33),
            ((date(2026, 12, 30), date(2027, 1, 1)), 100, 67),
            // Half a cent is rounded away from zero, also if negative.
            ((date(2026, 12, 31), date(2027, 1, 1)), 1, 1),
            ((date(2026, 12, 31), date(2027, 1, 1)), -1, -1),
            ((date(2027, 1, 1), date(2027, 1, 31)), 310_000, 0),
            // Begins before the year and ends after it: only the 365 days of the year are included.
            ((date(2025, 12, 31), date(2027, 1, 1)), 36_700, 36_500),
        ];
        for (period, amount, expected) in cases {
            assert_eq!(
                by_days(Cents::new(amount), period, YEAR),
                Cents::new(expected),
                "{period:?}"
            );
        }
    }

    #[test]
    fn costs_are_prepaid_before_the_turn_of_the_year_and_accrued_after_it() {
        use AccrualKind::{AccruedCost, PrepaidCost};
        let year = |from: i16| (date(from, 1, 1), date(from, 12, 31));
        // Date of the document, period, amount, expected cut-off in 2026; computed by hand.
        let cases = [
            (date(2026, 12, 20), year(2027), 120_000, Some((PrepaidCost, 120_000))),
            (
                date(2026, 7, 1),
                (date(2026, 7, 1), date(2027, 6, 30)),
                36_500,
                Some((PrepaidCost, 18_100)),
            ),
            (
                date(2027, 1, 20),
                (date(2026, 12, 1), date(2026, 12, 31)),
                5_000,
                Some((AccruedCost, 5_000)),
            ),
            (
                date(2027, 2, 1),
                (date(2026, 11, 16), date(2027, 1, 15)),
                6_100,
                Some((AccruedCost, 4_600)),
            ),
            // A bill from an earlier year still covers days after this year.
            (
                date(2025, 7, 1),
                (date(2025, 7, 1), date(2027, 6, 30)),
                73_000,
                Some((PrepaidCost, 18_100)),
            ),
            (date(2026, 3, 1), year(2026), 12_000, None),
            (date(2026, 3, 1), year(2025), 12_000, None),
            (date(2027, 3, 1), year(2027), 12_000, None),
        ];
        for (document, period, amount, expected) in cases {
            let expected = expected.map(|(kind, part)| (kind, Cents::new(part)));
            assert_eq!(cost(Cents::new(amount), document, period, YEAR), expected, "{document}");
        }
    }

    #[test]
    fn an_amount_is_shared_by_hours() {
        assert_eq!(by_quantity(Cents::new(100_000), 750, 1_000), Cents::new(75_000));
        assert_eq!(by_quantity(Cents::new(100), 1, 3), Cents::new(33));
        assert_eq!(by_quantity(Cents::new(100), 0, 0), Cents::ZERO);
    }
}
