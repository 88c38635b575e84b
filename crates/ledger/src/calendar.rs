//! Dates, quarters, and the current date in the Netherlands.

use jiff::{Timestamp, Zoned, civil, tz::TimeZone};
use std::fmt;
use thiserror::Error;

pub use jiff::civil::{Date, DateTime};

/// The text is not a supported date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid_date")]
pub struct DateError;

/// Parses `YYYY-MM-DD`, an existing calendar date in the years 2000 to 2099.
///
/// ```
/// use ledger::calendar::{DateError, parse_date};
///
/// assert_eq!(parse_date("2026-03-15")?.month(), 3);
/// assert_eq!(parse_date("2026-02-29"), Err(DateError));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text has another form, the date does not exist, or its year is not from 2000 to 2099.
pub fn parse_date(text: &str) -> Result<Date, DateError> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().try_fold(0_i16, |sum, byte| {
            byte.is_ascii_digit().then(|| sum * 10 + i16::from(byte - b'0'))
        })
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return Err(DateError);
    }
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return Err(DateError);
    };
    if !(2000..=2099).contains(&year) {
        return Err(DateError);
    }
    let (Ok(month), Ok(day)) = (i8::try_from(month), i8::try_from(day)) else {
        return Err(DateError);
    };
    Date::new(year, month, day).map_err(|_| DateError)
}

/// Calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    year: i16,
    number: i8,
}

impl Month {
    /// Returns month `number` (1 to 12) of a year from 2000 to 2099.
    #[must_use]
    pub fn new(year: i16, number: i8) -> Option<Self> {
        ((2000..=2099).contains(&year) && (1..=12).contains(&number))
            .then_some(Self { year, number })
    }

    /// Returns the month that contains a date.
    #[must_use]
    pub fn of(date: Date) -> Self {
        Self { year: date.year(), number: date.month() }
    }

    /// Year.
    #[must_use]
    pub fn year(self) -> i16 {
        self.year
    }

    /// Number, 1 to 12.
    #[must_use]
    pub fn number(self) -> i8 {
        self.number
    }

    /// First day.
    #[must_use]
    pub fn first_day(self) -> Date {
        civil::date(self.year, self.number, 1)
    }

    /// Calendar quarter that contains the month.
    #[must_use]
    pub fn quarter(self) -> Quarter {
        Quarter { year: self.year, number: (self.number.unsigned_abs() - 1) / 3 + 1 }
    }
}

/// Formats as `2026-05`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}", self.year, self.number)
    }
}

/// Calendar quarter, the usual VAT period.
///
/// ```
/// use ledger::calendar::{Quarter, parse_date};
///
/// let quarter = Quarter::of(parse_date("2026-11-20")?);
/// assert_eq!(quarter.to_string(), "2026-Q4");
/// assert_eq!(quarter.last_day(), parse_date("2026-12-31")?);
/// assert_eq!(Some(quarter.next()), Quarter::parse("2027-Q1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quarter {
    year: i16,
    number: u8,
}

impl Quarter {
    /// Returns quarter `number` (1 to 4) of a year from 2000 to 2099.
    #[must_use]
    pub fn new(year: i16, number: u8) -> Option<Self> {
        ((2000..=2099).contains(&year) && (1..=4).contains(&number))
            .then_some(Self { year, number })
    }

    /// Returns the quarter that contains a date.
    #[must_use]
    pub fn of(date: Date) -> Self {
        // A month is 1 to 12, so the quotient is 0 to 3.
        Self { year: date.year(), number: (date.month().unsigned_abs() - 1) / 3 + 1 }
    }

    /// Year.
    #[must_use]
    pub fn year(self) -> i16 {
        self.year
    }

    /// Number, 1 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        self.number
    }

    /// The three months, each 1 to 12.
    #[must_use]
    pub fn months(self) -> [i8; 3] {
        match self.number {
            1 => [1, 2, 3],
            2 => [4, 5, 6],
            3 => [7, 8, 9],
            _ => [10, 11, 12],
        }
    }

    /// First day.
    #[must_use]
    pub fn first_day(self) -> Date {
        civil::date(self.year, self.months()[0], 1)
    }

    /// Last day.
    #[must_use]
    pub fn last_day(self) -> Date {
        civil::date(self.year, self.months()[2], 1).last_of_month()
    }

    /// Parses `2026-Q1`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, number) = text.split_once("-Q")?;
        let digits =
            |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(year, 4) || !digits(number, 1) {
            return None;
        }
        Self::new(year.parse().ok()?, number.parse().ok()?)
    }

    /// Previous quarter.
    #[must_use]
    pub fn previous(self) -> Self {
        if self.number == 1 {
            Self { year: self.year - 1, number: 4 }
        } else {
            Self { number: self.number - 1, ..self }
        }
    }

    /// Returns the following quarter.
    #[must_use]
    pub fn next(self) -> Self {
        if self.number == 4 {
            Self { year: self.year + 1, number: 1 }
        } else {
            Self { number: self.number + 1, ..self }
        }
    }
}

/// Formats as `2026-Q1`.
impl fmt::Display for Quarter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-Q{}", self.year, self.number)
    }
}

/// Returns the calendar date in the Netherlands at a point in time.
#[must_use]
pub fn amsterdam_today(now: Timestamp) -> Date {
    in_amsterdam(now).date()
}

/// Returns the local time in the Netherlands at a point in time.
#[must_use]
pub fn amsterdam_time(now: Timestamp) -> DateTime {
    in_amsterdam(now).datetime()
}

/// Returns the moment of a full hour of a day in the Netherlands, or an hour later if the clock skips
/// that time.
#[must_use]
pub fn amsterdam_hour(day: Date, hour: i8) -> Timestamp {
    // Supported dates are far from the last representable moment.
    day.at(hour, 0, 0, 0).to_zoned(amsterdam()).map_or(Timestamp::MAX, |moment| moment.timestamp())
}

fn in_amsterdam(moment: Timestamp) -> Zoned {
    moment.to_zoned(amsterdam())
}

fn amsterdam() -> TimeZone {
    TimeZone::get("Europe/Amsterdam").expect("the time zone database is built into the program")
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn hours_follow_summer_time() {
        for (day, hour, expected) in [
            (date(2026, 3, 28), 8, "2026-03-28T07:00:00Z"),
            (date(2026, 3, 29), 8, "2026-03-29T06:00:00Z"),
            (date(2026, 3, 29), 2, "2026-03-29T01:00:00Z"),
            (date(2026, 10, 25), 0, "2026-10-24T22:00:00Z"),
            (date(2026, 10, 26), 0, "2026-10-25T23:00:00Z"),
        ] {
            assert_eq!(amsterdam_hour(day, hour).to_string(), expected, "{day} {hour}");
        }
    }

    #[test]
    fn reads_real_days_only() {
        assert_eq!(parse_date("2026-03-15"), Ok(date(2026, 3, 15)));
        assert_eq!(parse_date("2024-02-29"), Ok(date(2024, 2, 29)));
        assert_eq!(parse_date("2000-01-01"), Ok(date(2000, 1, 1)));
        assert_eq!(parse_date("2099-12-31"), Ok(date(2099, 12, 31)));
        for bad in [
            "",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "2026-1-01",
            "26-01-01",
            "2026/01/01",
            "1999-12-31",
            "2100-01-01",
            "2026-01-01T00:00:00Z",
            " 2026-01-01",
            "2026-01-1\u{0661}",
            "20260101",
            "-026-01-01",
            "2026-01-+1",
        ] {
            assert_eq!(parse_date(bad), Err(DateError), "{bad}");
        }
    }

    #[test]
    fn a_quarter_has_its_first_and_last_day() {
        let cases = [
            (1, date(2026, 1, 1), date(2026, 3, 31)),
            (2, date(2026, 4, 1), date(2026, 6, 30)),
            (3, date(2026, 7, 1), date(2026, 9, 30)),
            (4, date(2026, 10, 1), date(2026, 12, 31)),
        ];
        for (number, first, last) in cases {
            let quarter = Quarter::new(2026, number).unwrap();
            assert_eq!((quarter.first_day(), quarter.last_day()), (first, last));
            assert_eq!((Quarter::of(first), Quarter::of(last)), (quarter, quarter));
        }
        for (year, number) in [(2026, 0), (2026, 5), (1999, 1), (2100, 1)] {
            assert_eq!(Quarter::new(year, number), None, "{year} quarter {number}");
        }
    }

    #[test]
    fn quarters_are_written_and_read_back() {
        for (year, number) in [(2000, 1), (2026, 3), (2099, 4)] {
            let quarter = Quarter::new(year, number).unwrap();
            assert_eq!(Quarter::parse(&quarter.to_string()), Some(quarter));
        }
        assert_eq!(Quarter::new(2026, 1).unwrap().to_string(), "2026-Q1");
        for bad in [
            "", "2026", "2026-1", "2026-Q0", "2026-Q5", "2026-Q", "2026-q1", "2026-Q01", "+026-Q1",
            "1999-Q1", "2026-Q1 ",
        ] {
            assert_eq!(Quarter::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn quarters_follow_one_another_without_a_gap() {
        let mut quarter = Quarter::new(2000, 1).unwrap();
        for month in 0..400 {
            let (year, month) = (2000 + month / 12, i8::try_from(month % 12 + 1).unwrap());
            let there = Quarter::of(date(year, month, 15));
            assert!(there == quarter || there == quarter.next(), "{year}-{month}");
            assert!(there.months().contains(&month) && there.year() == year);
            quarter = there;
            assert_eq!(quarter.next().first_day(), quarter.last_day().tomorrow().unwrap());
            assert!(quarter < quarter.next());
        }
    }

    #[test]
    fn the_day_is_the_one_in_amsterdam() {
        let cases = [
            ("2026-03-31T21:59:59Z", (2026, 3, 31)),
            ("2026-03-31T22:00:00Z", (2026, 4, 1)),
            ("2025-12-31T23:00:00Z", (2026, 1, 1)),
            ("2026-12-31T22:59:59Z", (2026, 12, 31)),
            // The clock goes back an hour in the night of 25 October 2026.
            ("2026-10-24T21:59:59Z", (2026, 10, 24)),
            ("2026-10-25T22:59:59Z", (2026, 10, 25)),
            ("2026-10-25T23:00:00Z", (2026, 10, 26)),
        ];
        for (moment, (year, month, day)) in cases {
            assert_eq!(amsterdam_today(moment.parse().unwrap()), date(year, month, day));
        }
    }
}
