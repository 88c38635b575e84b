//! Schedules: the days on which something recurs, what is due on a day, and the period that an
//! occurrence is about. Every day follows from the first one, never from the day before it.

use crate::named::named;
use jiff::{
    Span, ToSpan,
    civil::{Date, date},
};

named! {
    /// Unit of a rhythm.
    RhythmUnit {
        /// Weeks from Monday to Sunday.
        Week => "week",
        /// Calendar months.
        Month => "month",
        /// Calendar quarters.
        Quarter => "quarter",
        /// Calendar years.
        Year => "year",
    }
}

named! {
    /// State of a recurring invoice.
    RecurringStatus {
        /// Its invoices are made when they are due.
        Active => "active",
        /// Nothing is made until it is resumed.
        Paused => "paused",
        /// Nothing more is made.
        Ended => "ended",
    }
}

named! {
    /// Reason for a pause.
    PausedBecause {
        /// The owner paused it.
        Owner => "owner",
        /// An invoice was refused.
        Refused => "refused",
        /// Two emails with its invoices did not reach the customer.
        Bounced => "bounced",
    }
}

named! {
    /// State of an occurrence.
    OccurrenceStatus {
        /// Its day has not come. This state is never stored.
        Planned => "planned",
        /// Its invoice was made.
        Made => "made",
        /// Its day passed long ago; the owner decides.
        Waiting => "waiting",
        /// No invoice is made.
        Skipped => "skipped",
    }
}

named! {
    /// Result of making an invoice.
    Deliver {
        /// A draft.
        Draft => "draft",
        /// A final invoice.
        Sent => "sent",
        /// A final invoice that is mailed to the customer.
        Mail => "mail",
    }
}

named! {
    /// Period of supply of an occurrence, relative to the one that contains its day.
    SupplyPeriod {
        /// None is stated.
        None => "none",
        /// The period before it.
        Previous => "previous",
        /// The period that contains it.
        Current => "current",
        /// The period after it.
        Next => "next",
    }
}

named! {
    /// Treatment of occurrences whose day passed during a pause.
    Missed {
        /// No invoice is made.
        Skip => "skip",
        /// Each waits for the owner.
        Ask => "ask",
    }
}

/// Maximum number of units between occurrences.
pub const MOST_UNITS: i64 = 12;

/// Maximum number of occurrences that can be given.
pub const MOST_OCCURRENCES: i64 = 1_000;

/// Number of days after which an occurrence is no longer made automatically.
pub const LATE_AFTER: i32 = 7;

/// Last supported day.
const LAST_DAY: Date = date(2099, 12, 31);

/// Rhythm of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rhythm {
    /// Unit.
    pub unit: RhythmUnit,
    /// Number of units from one occurrence to the next, from 1.
    pub count: i64,
    /// Whether every occurrence is on the last day of its month.
    pub last_day_of_month: bool,
}

/// Days on which something recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Rhythm.
    pub rhythm: Rhythm,
    /// Day from which all occurrences follow.
    pub first_date: Date,
    /// Number of the occurrence on that day: 1, unless the schedule was changed later.
    pub first_number: i64,
    /// Last day on which there can be an occurrence.
    pub last_date: Option<Date>,
    /// Number of the last occurrence.
    pub count: Option<i64>,
}

/// Position of a day relative to today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeliness {
    /// The day is in the future.
    Early,
    /// The day is today, or passed a few days ago.
    Due,
    /// The day passed so long ago that a person decides.
    Late,
}

/// Position of the day of an occurrence relative to today.
#[must_use]
pub fn timeliness(day: Date, today: Date) -> Timeliness {
    if day > today {
        Timeliness::Early
    } else if (today - day).get_days() < LATE_AFTER {
        Timeliness::Due
    } else {
        Timeliness::Late
    }
}

impl Rhythm {
    /// Number of months from one occurrence to the next; `None` for weeks.
    fn months(self) -> Option<i64> {
        let months_of_unit = match self.unit {
            RhythmUnit::Week => return None,
            RhythmUnit::Month => 1,
            RhythmUnit::Quarter => 3,
            RhythmUnit::Year => 12,
        };
        self.count.checked_mul(months_of_unit)
    }

    /// Span of a number of steps; `None` if it is out of range.
    fn steps(self, steps: i64) -> Option<Span> {
        match self.months() {
            Some(months) => Span::new().try_months(months.checked_mul(steps)?).ok(),
            None => Span::new().try_weeks(self.count.checked_mul(steps)?).ok(),
        }
    }

    /// First day of the unit that contains a day.
    fn unit_begin(self, day: Date) -> Date {
        match self.unit {
            RhythmUnit::Week => {
                day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
            }
            RhythmUnit::Month => day.first_of_month(),
            RhythmUnit::Quarter => date(day.year(), (day.month() - 1) / 3 * 3 + 1, 1),
            RhythmUnit::Year => day.first_of_year(),
        }
    }

    /// First and last day of the period of an occurrence: as many units as lie between two
    /// occurrences, beginning with the unit that contains its day. `None` if it is out of range.
    #[must_use]
    pub fn period(self, day: Date, which: SupplyPeriod) -> Option<(Date, Date)> {
        let shift = match which {
            SupplyPeriod::Previous => -1,
            SupplyPeriod::None | SupplyPeriod::Current => 0,
            SupplyPeriod::Next => 1,
        };
        let begin = self.unit_begin(day);
        let first = begin.checked_add(self.steps(shift)?).ok()?;
        let last = first.checked_add(self.steps(1)?).ok()?.yesterday().ok()?;
        Some((first, last))
    }
}

impl Schedule {
    /// Day of occurrence `n`; `None` if there is no such occurrence.
    #[must_use]
    pub fn date(&self, n: i64) -> Option<Date> {
        if n < self.first_number || self.count.is_some_and(|count| n > count) {
            return None;
        }
        let steps = self.rhythm.steps(n - self.first_number)?;
        let day = self.first_date.checked_add(steps).ok()?;
        let day = if self.rhythm.last_day_of_month { day.last_of_month() } else { day };
        let last = self.last_date.unwrap_or(LAST_DAY).min(LAST_DAY);
        (day <= last).then_some(day)
    }

    /// Occurrences from `n` on, in order.
    pub fn from(&self, n: i64) -> impl Iterator<Item = (i64, Date)> + '_ {
        (n.max(self.first_number)..).map_while(|n| Some((n, self.date(n)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(unit: RhythmUnit, count: i64, first_date: Date) -> Schedule {
        let rhythm = Rhythm { unit, count, last_day_of_month: false };
        Schedule { rhythm, first_date, first_number: 1, last_date: None, count: None }
    }

    fn first_days(schedule: &Schedule, most: usize) -> Vec<String> {
        schedule.from(1).take(most).map(|(_, day)| day.to_string()).collect()
    }

    #[test]
    fn every_day_follows_from_the_first() {
        use RhythmUnit as U;
        let last = |mut schedule: Schedule| {
            schedule.rhythm.last_day_of_month = true;
            schedule
        };
        let cases: [(Schedule, &[&str]); 11] = [
            (schedule(U::Week, 1, date(2026, 12, 28)), &["2026-12-28", "2027-01-04", "2027-01-11"]),
            (schedule(U::Week, 2, date(2026, 2, 20)), &["2026-02-20", "2026-03-06", "2026-03-20"]),
            (schedule(U::Month, 1, date(2026, 1, 1)), &["2026-01-01", "2026-02-01", "2026-03-01"]),
            (schedule(U::Month, 1, date(2026, 1, 31)), &["2026-01-31", "2026-02-28", "2026-03-31"]),
            (schedule(U::Month, 1, date(2028, 1, 30)), &["2028-01-30", "2028-02-29", "2028-03-30"]),
            (schedule(U::Month, 6, date(2026, 8, 31)), &["2026-08-31", "2027-02-28", "2027-08-31"]),
            (
                schedule(U::Quarter, 1, date(2026, 11, 30)),
                &["2026-11-30", "2027-02-28", "2027-05-30"],
            ),
            (
                schedule(U::Year, 1, date(2028, 2, 29)),
                &["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"],
            ),
            (schedule(U::Year, 12, date(2090, 1, 1)), &["2090-01-01"]),
            (
                last(schedule(U::Month, 1, date(2027, 11, 30))),
                &["2027-11-30", "2027-12-31", "2028-01-31", "2028-02-29"],
            ),
            (last(schedule(U::Quarter, 1, date(2026, 2, 3))), &["2026-02-28", "2026-05-31"]),
        ];
        for (schedule, expected) in cases {
            assert_eq!(first_days(&schedule, expected.len()), expected, "{schedule:?}");
        }
    }

    #[test]
    fn a_schedule_ends_by_its_last_day_or_its_number_whichever_comes_first() {
        let monthly = schedule(RhythmUnit::Month, 1, date(2026, 1, 31));
        let cases = [
            (None, Some(2), 2),
            (Some(date(2026, 3, 31)), None, 3),
            (Some(date(2026, 3, 30)), None, 2),
            (Some(date(2026, 3, 31)), Some(5), 3),
            (Some(date(2027, 3, 31)), Some(5), 5),
            (Some(date(2025, 12, 31)), None, 0),
        ];
        for (last_date, count, expected) in cases {
            let schedule = Schedule { last_date, count, ..monthly };
            assert_eq!(schedule.from(1).count(), expected, "{schedule:?}");
        }
        assert_eq!(monthly.from(1).last().unwrap().1, date(2099, 12, 31));
        assert_eq!((monthly.date(0), monthly.date(-1), monthly.date(i64::MAX)), (None, None, None));
    }

    #[test]
    fn a_changed_schedule_counts_on() {
        let changed = Schedule {
            first_number: 4,
            count: Some(5),
            ..schedule(RhythmUnit::Quarter, 1, date(2026, 4, 1))
        };
        let days: Vec<_> = changed.from(1).collect();
        assert_eq!(days, [(4, date(2026, 4, 1)), (5, date(2026, 7, 1))]);
    }

    #[test]
    fn an_occurrence_is_made_until_it_is_seven_days_late() {
        let day = date(2026, 3, 1);
        for (today, expected) in [
            (date(2026, 2, 28), Timeliness::Early),
            (date(2026, 3, 1), Timeliness::Due),
            (date(2026, 3, 7), Timeliness::Due),
            (date(2026, 3, 8), Timeliness::Late),
            (date(2031, 3, 8), Timeliness::Late),
        ] {
            assert_eq!(timeliness(day, today), expected, "{today}");
        }
    }

    #[test]
    fn periods_are_calendar_units() {
        use RhythmUnit as U;
        use SupplyPeriod as P;
        let cases = [
            (U::Week, 1, date(2026, 3, 4), P::Current, "2026-03-02", "2026-03-08"),
            (U::Week, 1, date(2026, 3, 4), P::Previous, "2026-02-23", "2026-03-01"),
            (U::Week, 2, date(2026, 3, 2), P::Next, "2026-03-16", "2026-03-29"),
            (U::Month, 1, date(2026, 1, 31), P::Previous, "2025-12-01", "2025-12-31"),
            (U::Month, 1, date(2028, 1, 31), P::Next, "2028-02-01", "2028-02-29"),
            (U::Month, 3, date(2026, 4, 1), P::Previous, "2026-01-01", "2026-03-31"),
            (U::Quarter, 1, date(2026, 5, 15), P::Current, "2026-04-01", "2026-06-30"),
            (U::Quarter, 1, date(2026, 5, 15), P::Previous, "2026-01-01", "2026-03-31"),
            (U::Year, 1, date(2026, 5, 15), P::Next, "2027-01-01", "2027-12-31"),
            (U::Year, 2, date(2026, 5, 15), P::None, "2026-01-01", "2027-12-31"),
        ];
        for (unit, count, day, which, first, last) in cases {
            let rhythm = Rhythm { unit, count, last_day_of_month: false };
            let (from, until) = rhythm.period(day, which).unwrap();
            assert_eq!(
                (from.to_string(), until.to_string()),
                (first.to_owned(), last.to_owned()),
                "{rhythm:?} {day} {which:?}"
            );
        }
    }
}
