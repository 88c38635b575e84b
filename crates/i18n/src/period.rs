//! Formatting and parsing of months, quarters and weeks: `november 2026`, `4e kwartaal 2026`,
//! `2026-W47`.

use crate::{Language, Texts, date::DayError};
use jiff::civil::{Date, ISOWeekDate, Weekday, date};
use ledger::{
    calendar::Quarter,
    vat_period::{VatPeriod, VatUnit},
};
use std::{borrow::Borrow, fmt};

impl Texts {
    /// A month: `november 2026`, `November 2026`.
    #[must_use]
    pub fn month(self, day: impl Borrow<Date>) -> String {
        let day = *day.borrow();
        format!("{} {}", self.month_name(day.month()), day.year())
    }

    /// A quarter: `4e kwartaal 2026`, `Q4 2026`.
    #[must_use]
    pub fn quarter(self, quarter: impl Borrow<Quarter>) -> String {
        let quarter = *quarter.borrow();
        match self.language {
            Language::Dutch => format!("{}e kwartaal {}", quarter.number(), quarter.year()),
            Language::English => format!("Q{} {}", quarter.number(), quarter.year()),
        }
    }

    /// A VAT period: `mei 2026`, `2e kwartaal 2026` or `2026`; `May 2026`, `Q2 2026` or `2026`.
    #[must_use]
    pub fn vat_period(self, period: impl Borrow<VatPeriod>) -> String {
        let period = *period.borrow();
        match period.unit() {
            VatUnit::Month => self.month(period.first_day()),
            VatUnit::Quarter => self.quarter(period.last_quarter()),
            VatUnit::Year => period.calendar_year().to_string(),
        }
    }

    /// The first and last day of a week: `16 – 22 november 2026`, `30 november – 6 december 2026`.
    #[must_use]
    pub fn week_days(self, week: impl Borrow<Week>) -> String {
        let week = *week.borrow();
        let (first, last) = (week.day(Weekday::Monday), week.day(Weekday::Sunday));
        let start = if first.month() == last.month() {
            first.day().to_string()
        } else if first.year() == last.year() {
            format!("{} {}", first.day(), self.month_name(first.month()))
        } else {
            self.date(first)
        };
        format!("{start} \u{2013} {}", self.date(last))
    }
}

/// An ISO 8601 week in the years 2000 to 2099.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    year: i16,
    number: i8,
}

impl Week {
    /// Returns the week of a day.
    #[must_use]
    pub fn of(day: Date) -> Self {
        let week = day.iso_week_date();
        Self { year: week.year(), number: week.week() }
    }

    /// ISO year: the calendar year of the week's Thursday.
    #[must_use]
    pub fn year(self) -> i16 {
        self.year
    }

    /// Number, 1 to 53.
    #[must_use]
    pub fn number(self) -> i8 {
        self.number
    }

    /// Returns the date of a weekday in the week.
    #[must_use]
    pub fn day(self, weekday: Weekday) -> Date {
        // The week exists: it was derived from a day or checked.
        ISOWeekDate::new(self.year, self.number, weekday).map_or(Date::MIN, ISOWeekDate::date)
    }

    /// The seven days of the week, from Monday to Sunday.
    pub fn days(self) -> impl Iterator<Item = Date> {
        Weekday::Monday.cycle_forward().take(7).map(move |weekday| self.day(weekday))
    }

    /// The following week.
    #[must_use]
    pub fn next(self) -> Self {
        self.day(Weekday::Sunday).tomorrow().map_or(self, Self::of)
    }

    /// The preceding week.
    #[must_use]
    pub fn previous(self) -> Self {
        self.day(Weekday::Monday).yesterday().map_or(self, Self::of)
    }
}

/// Formats as `2026-W47`, the value of `<input type=week>`.
impl fmt::Display for Week {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-W{:02}", self.year, self.number)
    }
}

/// Parses a week: `2026-W47`.
///
/// # Errors
/// The text has another form, the year has no such week, or the year is not from 2000 to 2099.
pub fn read_week(text: &str) -> Result<Week, DayError> {
    let (year, number) = text.trim().split_once("-W").ok_or(DayError)?;
    let (year, number) = (digits(year, 4)?, digits(number, 2)?);
    let number = i8::try_from(number).map_err(|_| DayError)?;
    if !(2000..=2099).contains(&year) {
        return Err(DayError);
    }
    ISOWeekDate::new(year, number, Weekday::Monday).map_err(|_| DayError)?;
    Ok(Week { year, number })
}

/// Parses a month, such as `2026-11`, and returns its first day.
///
/// # Errors
/// The text has another form, or is not a month in the years 2000 to 2099.
pub fn read_month(text: &str) -> Result<Date, DayError> {
    let (year, month) = text.trim().split_once('-').ok_or(DayError)?;
    let (year, month) = (digits(year, 4)?, digits(month, 2)?);
    if !(2000..=2099).contains(&year) || !(1..=12).contains(&month) {
        return Err(DayError);
    }
    Ok(date(year, i8::try_from(month).map_err(|_| DayError)?, 1))
}

fn digits(text: &str, count: usize) -> Result<i16, DayError> {
    if text.len() != count || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DayError);
    }
    text.parse().map_err(|_| DayError)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NL: Texts = Texts { language: Language::Dutch };
    const EN: Texts = Texts { language: Language::English };

    #[test]
    fn periods_are_formatted_per_language() {
        let quarter = Quarter::new(2026, 4).unwrap();
        assert_eq!(
            (NL.quarter(quarter).as_str(), EN.quarter(quarter).as_str()),
            ("4e kwartaal 2026", "Q4 2026")
        );
        let day = date(2026, 11, 20);
        assert_eq!(
            (NL.month(day).as_str(), EN.month(day).as_str()),
            ("november 2026", "November 2026")
        );
        for (period, dutch, english) in [
            ("2026-05", "mei 2026", "May 2026"),
            ("2026-Q2", "2e kwartaal 2026", "Q2 2026"),
            ("2026", "2026", "2026"),
        ] {
            let period = VatPeriod::parse(period).unwrap();
            assert_eq!(
                (NL.vat_period(period).as_str(), EN.vat_period(period).as_str()),
                (dutch, english)
            );
        }
        let cases = [
            ("2026-W47", "16 – 22 november 2026", "16 – 22 November 2026"),
            ("2026-W49", "30 november – 6 december 2026", "30 November – 6 December 2026"),
            ("2026-W53", "28 december 2026 – 3 januari 2027", "28 December 2026 – 3 January 2027"),
        ];
        for (week, dutch, english) in cases {
            let read = read_week(week).unwrap();
            assert_eq!(
                (
                    NL.week_days(read).as_str(),
                    EN.week_days(read).as_str(),
                    read.to_string().as_str()
                ),
                (dutch, english, week)
            );
        }
    }

    #[test]
    fn weeks_are_consecutive_and_contain_their_days() {
        let mut week = read_week("2000-W01").unwrap();
        while week.year() < 2100 {
            let days: Vec<Date> = week.days().collect();
            assert_eq!(days.len(), 7);
            assert!(days.iter().all(|day| Week::of(*day) == week), "{week}");
            assert!(days.windows(2).all(|pair| pair[0].tomorrow().unwrap() == pair[1]), "{week}");
            assert_eq!(read_week(&week.to_string()), Ok(week));
            assert_eq!(week.next().previous(), week);
            assert!(week < week.next());
            week = week.next();
        }
    }

    #[test]
    fn invalid_periods_are_rejected() {
        for bad in [
            "", "2026-47", "2026-W", "2026-W00", "2026-W54", "2025-W53", "1999-W10", "2100-W01",
            "2026-W1", "+026-W10", "2026-w47",
        ] {
            assert_eq!(read_week(bad), Err(DayError), "{bad}");
        }
        for bad in ["", "2026", "2026-13", "2026-00", "2026-1", "1999-12", "2100-01", "2026-11-01"]
        {
            assert_eq!(read_month(bad), Err(DayError), "{bad}");
        }
        assert_eq!(read_month("2026-11"), Ok(date(2026, 11, 1)));
    }
}
