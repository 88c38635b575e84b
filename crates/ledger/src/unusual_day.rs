//! Warnings about dates far from the rest of the books, because most such dates are typing errors.

use crate::calendar::Quarter;
use jiff::{ToSpan, civil::Date};

/// Maximum number of days by which a usual date can be ahead of today.
const AHEAD: i64 = 31;

/// Reason why a date looks like a typing error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusualDay {
    /// More than 31 days ahead of today.
    FarAhead,
    /// Before the quarter of the first entry.
    BeforeFirstEntry,
    /// In or before the last period whose VAT return is filed.
    BeforeOpenPeriods,
}

impl UnusualDay {
    /// All reasons.
    pub const ALL: [Self; 3] = [Self::FarAhead, Self::BeforeFirstEntry, Self::BeforeOpenPeriods];

    /// Returns the reason that applies to a day, if any. `first_posting` is a day in the month of
    /// the first entry, `last_filed` the last day of the latest filed period. A day before the
    /// quarter of the first entry is `BeforeFirstEntry` even if a later period has been filed.
    ///
    /// ```
    /// use ledger::{calendar::parse_date, unusual_day::UnusualDay};
    ///
    /// // 2062 instead of 2026.
    /// let (day, today) = (parse_date("2062-03-15")?, parse_date("2026-03-16")?);
    /// assert_eq!(UnusualDay::of(day, today, None, None), Some(UnusualDay::FarAhead));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(
        day: Date,
        today: Date,
        first_posting: Option<Date>,
        last_filed: Option<Date>,
    ) -> Option<Self> {
        if is_far_ahead(day, today) {
            Some(Self::FarAhead)
        } else if first_posting.is_some_and(|first| day < Quarter::of(first).first_day()) {
            Some(Self::BeforeFirstEntry)
        } else if last_filed.is_some_and(|last| day <= last) {
            Some(Self::BeforeOpenPeriods)
        } else {
            None
        }
    }

    /// Whether an earlier reason still applies: `FarAhead` no longer does once `day` is at most 31
    /// days ahead.
    #[must_use]
    pub fn holds(self, day: Date, today: Date) -> bool {
        self != Self::FarAhead || is_far_ahead(day, today)
    }

    /// Stable number for storage.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::FarAhead => 1,
            Self::BeforeFirstEntry => 2,
            Self::BeforeOpenPeriods => 3,
        }
    }
}

fn is_far_ahead(day: Date, today: Date) -> bool {
    day > today.saturating_add(AHEAD.days())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_reason_is_the_one_that_applies() {
        let today = date(2026, 11, 26);
        let (first, filed) = (Some(date(2026, 3, 1)), Some(date(2026, 9, 30)));
        let cases = [
            (date(2026, 11, 26), first, filed, None),
            (date(2026, 12, 27), first, filed, None),
            (date(2026, 12, 28), first, filed, Some(UnusualDay::FarAhead)),
            (date(2062, 1, 1), None, None, Some(UnusualDay::FarAhead)),
            (date(2026, 10, 1), first, filed, None),
            (date(2026, 9, 30), first, filed, Some(UnusualDay::BeforeOpenPeriods)),
            (date(2026, 9, 30), first, None, None),
            (date(2025, 12, 31), first, None, Some(UnusualDay::BeforeFirstEntry)),
            (date(2025, 12, 31), first, filed, Some(UnusualDay::BeforeFirstEntry)),
            (date(2025, 12, 31), None, None, None),
            // Nothing was booked, and an empty return was filed.
            (date(2026, 9, 30), None, filed, Some(UnusualDay::BeforeOpenPeriods)),
        ];
        for (day, first, filed, expected) in cases {
            assert_eq!(
                UnusualDay::of(day, today, first, filed),
                expected,
                "{day} {first:?} {filed:?}"
            );
        }
        let ahead = date(2026, 12, 28);
        assert!(
            UnusualDay::FarAhead.holds(ahead, today)
                && !UnusualDay::FarAhead.holds(ahead, date(2026, 11, 27))
        );
        assert!(
            UnusualDay::BeforeFirstEntry.holds(ahead, today)
                && UnusualDay::BeforeOpenPeriods.holds(ahead, today)
        );
    }
}
