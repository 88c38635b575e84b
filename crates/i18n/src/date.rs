//! Formatting and parsing of dates and times: `20 november 2026` in Dutch, `20 November 2026` in
//! English.

use crate::{Language, Texts};
use jiff::{
    Timestamp,
    civil::{Date, Weekday},
    tz::TimeZone,
};
use ledger::calendar::{amsterdam_today, parse_date};
use std::borrow::Borrow;
use thiserror::Error;

type Months = [&'static str; 12];

const DUTCH_MONTHS: Months = [
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
];
const ENGLISH_MONTHS: Months = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DUTCH_SHORT: Months =
    ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"];
const ENGLISH_SHORT: Months =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];
const DUTCH_DAYS: [&str; 7] =
    ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"];
const ENGLISH_DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

impl Texts {
    /// A date in a sentence: `15 maart 2026`, `15 March 2026`.
    #[must_use]
    pub fn date(self, day: impl Borrow<Date>) -> String {
        let day = *day.borrow();
        format!("{} {} {}", day.day(), self.month_name(day.month()), day.year())
    }

    /// A date in a table: `15 mrt 2026`, `15 Mar 2026`.
    #[must_use]
    pub fn short_date(self, day: impl Borrow<Date>) -> String {
        let day = *day.borrow();
        format!("{} {} {}", day.day(), self.short_month_name(day.month()), day.year())
    }

    /// A date without its year: `15 mrt`, `15 Mar`.
    #[must_use]
    pub fn day_and_month(self, day: impl Borrow<Date>) -> String {
        let day = *day.borrow();
        format!("{} {}", day.day(), self.short_month_name(day.month()))
    }

    /// A date with its weekday: `vrijdag 20 november 2026`, `Friday 20 November 2026`.
    #[must_use]
    pub fn long_date(self, day: impl Borrow<Date>) -> String {
        let day = *day.borrow();
        format!("{} {}", self.weekday_name(day.weekday()), self.date(day))
    }

    /// A date as shown in a text field: `15-03-2026`.
    #[must_use]
    pub fn date_field(self, day: impl Borrow<Date>) -> String {
        let day = *day.borrow();
        format!("{:02}-{:02}-{:04}", day.day(), day.month(), day.year())
    }

    /// A weekday: `vrijdag`, `Friday`.
    #[must_use]
    pub fn weekday_name(self, day: Weekday) -> &'static str {
        let names = match self.language {
            Language::Dutch => &DUTCH_DAYS,
            Language::English => &ENGLISH_DAYS,
        };
        // The offset is from 0 to 6.
        names[usize::from(day.to_monday_zero_offset().unsigned_abs())]
    }

    /// An abbreviated weekday: `vr`, `Fri`.
    #[must_use]
    pub fn short_weekday_name(self, day: Weekday) -> &'static str {
        let letters = match self.language {
            Language::Dutch => 2,
            Language::English => 3,
        };
        // All names are ASCII and longer than that.
        &self.weekday_name(day)[..letters]
    }

    /// A month by its number, 1 to 12: `november`, `November`. Empty for other numbers.
    #[must_use]
    pub fn month_name(self, month: i8) -> &'static str {
        self.one_of(month, &DUTCH_MONTHS, &ENGLISH_MONTHS)
    }

    /// An abbreviated month by its number, 1 to 12: `nov`, `Nov`. Empty for other numbers.
    #[must_use]
    pub fn short_month_name(self, month: i8) -> &'static str {
        self.one_of(month, &DUTCH_SHORT, &ENGLISH_SHORT)
    }

    fn one_of(self, month: i8, dutch: &'static Months, english: &'static Months) -> &'static str {
        let months = match self.language {
            Language::Dutch => dutch,
            Language::English => english,
        };
        usize::from(month.unsigned_abs())
            .checked_sub(1)
            .and_then(|place| months.get(place))
            .copied()
            .unwrap_or("")
    }

    /// The date that a timestamp has in the Netherlands, for a sentence: `15 maart 2026`.
    #[must_use]
    pub fn day_of(self, moment: impl Borrow<Timestamp>) -> String {
        self.date(amsterdam_today(*moment.borrow()))
    }

    /// Local time in the Netherlands: `14:32`.
    #[must_use]
    pub fn time(self, moment: impl Borrow<Timestamp>) -> String {
        let local = in_amsterdam(*moment.borrow());
        format!("{:02}:{:02}", local.hour(), local.minute())
    }

    /// Local date and time in the Netherlands: `15 mrt 2026 12:00`, `15 Mar 2026, 12:00`.
    #[must_use]
    pub fn moment(self, moment: impl Borrow<Timestamp>) -> String {
        let moment = *moment.borrow();
        let comma = if self.language == Language::English { "," } else { "" };
        format!("{}{comma} {}", self.short_date(in_amsterdam(moment).date()), self.time(moment))
    }

    /// Local date and time with seconds: `15 mrt 2026 12:00:05`, `15 Mar 2026, 12:00:05`.
    #[must_use]
    pub fn second(self, moment: impl Borrow<Timestamp>) -> String {
        let moment = *moment.borrow();
        // The offset of Dutch time from UTC is a whole number of minutes.
        format!("{}:{:02}", self.moment(moment), moment.as_second().rem_euclid(60))
    }
}

fn in_amsterdam(moment: Timestamp) -> jiff::Zoned {
    // The time zone database is compiled in.
    moment.to_zoned(TimeZone::get("Europe/Amsterdam").unwrap_or(TimeZone::UTC))
}

/// The text is not a date from 2000 to 2099.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid_day")]
pub struct DayError;

/// Parses a date as typed by users: `2026-12-31`, `31-12-2026`, `31/12/2026`, `31.12.2026`,
/// `1-2-26`, `31 december 2026`, `31 dec 2026`, in either language. The day precedes the month; a
/// two-digit year is in this century.
///
/// # Errors
/// The text has another form, or is not a date from 2000 to 2099.
pub fn read_date(text: &str) -> Result<Date, DayError> {
    let text = text.trim();
    if let Ok(day) = parse_date(text) {
        return Ok(day);
    }
    let parts: Vec<&str> =
        text.split(['-', '/', '.', ' ', '\u{a0}']).filter(|part| !part.is_empty()).collect();
    let &[day, month, year] = parts.as_slice() else { return Err(DayError) };
    let month = month_of(month).ok_or(DayError)?;
    let century = match year.len() {
        2 => "20",
        4 => "",
        _ => return Err(DayError),
    };
    if !matches!(day.len(), 1 | 2) {
        return Err(DayError);
    }
    parse_date(&format!("{century}{year}-{month:02}-{day:0>2}")).map_err(|_| DayError)
}

/// Parses a month: `3`, `03`, `maart`, `mrt`, `March`, `Mar`.
pub(crate) fn month_of(text: &str) -> Option<u8> {
    if matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let all = [&DUTCH_MONTHS, &ENGLISH_MONTHS, &DUTCH_SHORT, &ENGLISH_SHORT];
    let place = all
        .iter()
        .find_map(|months| months.iter().position(|name| name.eq_ignore_ascii_case(text)))?;
    u8::try_from(place + 1).ok()
}

#[cfg(test)]
#[path = "date_tests.rs"]
mod tests;
