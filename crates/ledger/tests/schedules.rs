//! Invariants of schedules: random ones, compared with a count of days and months by hand.

#![expect(clippy::unwrap_used, reason = "a test may panic, also in what it calls")]

use jiff::civil::{Date, date};
use ledger::schedule::{
    LATE_AFTER, Rhythm, RhythmUnit, Schedule, SupplyPeriod, Timeliness, timeliness,
};
use proptest::prelude::*;

fn a_day() -> impl Strategy<Value = Date> {
    (2026_i16..2050, 1_i8..=12, 1_i8..=31).prop_map(|(year, month, day)| {
        let first = date(year, month, 1);
        date(year, month, day.min(first.days_in_month()))
    })
}

fn a_schedule() -> impl Strategy<Value = Schedule> {
    let unit = prop::sample::select(RhythmUnit::ALL);
    (unit, 1_i64..=12, any::<bool>(), a_day(), 1_i64..5).prop_map(
        |(unit, count, last, first_date, first_number)| {
            let last_day_of_month = last && unit != RhythmUnit::Week;
            let rhythm = Rhythm { unit, count, last_day_of_month };
            Schedule { rhythm, first_date, first_number, last_date: None, count: None }
        },
    )
}

/// Day of a month, or the last one if the month is shorter.
fn clamped(months: i64, day: i8) -> Date {
    let year = i16::try_from(months.div_euclid(12)).unwrap();
    let first = date(year, i8::try_from(months.rem_euclid(12)).unwrap() + 1, 1);
    date(year, first.month(), day.min(first.days_in_month()))
}

/// Day of an occurrence, counted by hand.
fn by_hand(schedule: &Schedule, n: i64) -> Date {
    let Rhythm { unit, count, last_day_of_month } = schedule.rhythm;
    let (first, steps) = (schedule.first_date, (n - schedule.first_number) * count);
    let months = match unit {
        RhythmUnit::Week => {
            let mut day = first;
            for _ in 0..steps * 7 {
                day = day.tomorrow().unwrap();
            }
            return day;
        }
        RhythmUnit::Month => steps,
        RhythmUnit::Quarter => steps * 3,
        RhythmUnit::Year => steps * 12,
    };
    let of_first = i64::from(first.year()) * 12 + i64::from(first.month()) - 1;
    clamped(of_first + months, if last_day_of_month { 31 } else { first.day() })
}

proptest! {
    #[test]
    fn days_are_as_counted_by_hand(schedule in a_schedule(), step in 0_i64..40) {
        let n = schedule.first_number + step;
        let expected = by_hand(&schedule, n);
        let expected = (expected.year() <= 2099).then_some(expected);
        prop_assert_eq!(schedule.date(n), expected);
    }

    #[test]
    fn days_follow_one_another(schedule in a_schedule()) {
        let days: Vec<Date> = schedule.from(1).take(40).map(|(_, day)| day).collect();
        prop_assert!(days.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", days);
    }

    #[test]
    fn periods_follow_one_another_without_gaps(schedule in a_schedule()) {
        let period = |day, which| schedule.rhythm.period(day, which).unwrap();
        let day = schedule.first_date;
        let (first, last) = period(day, SupplyPeriod::Current);
        prop_assert!(first <= day && day <= last);
        prop_assert_eq!(period(day, SupplyPeriod::Previous).1.tomorrow().unwrap(), first);
        prop_assert_eq!(period(day, SupplyPeriod::Next).0, last.tomorrow().unwrap());
    }

    /// Whatever the moments at which somebody looks, each occurrence falls due or is late, once its
    /// day has come, and never before.
    #[test]
    fn an_occurrence_is_due_from_its_day_on(day in a_day(), after in -400_i32..400) {
        let today = day.saturating_add(jiff::Span::new().days(after));
        let expected = if after < 0 {
            Timeliness::Early
        } else if after < LATE_AFTER {
            Timeliness::Due
        } else {
            Timeliness::Late
        };
        prop_assert_eq!(timeliness(day, today), expected);
    }
}
