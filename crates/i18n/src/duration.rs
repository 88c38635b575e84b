//! Formatting and parsing of working time: `1:30` in hours and minutes, `1,5` as a decimal number
//! of hours.

use crate::{Language, Texts, number::plain_number};
use ledger::{
    decimal::{self, Decimal},
    hours::Hours,
};
use std::borrow::Borrow;
use thiserror::Error;

/// Number of minutes in an hour.
const MINUTES: i64 = 60;
/// Number of hundredths in an hour.
const HUNDREDTHS: i64 = 100;
/// Maximum number of hours that can be typed.
const MOST_HOURS: i64 = 100_000;

impl Texts {
    /// Decimal hours: `1.104,5`, `1,104.5`.
    #[must_use]
    pub fn hours(self, hours: impl Borrow<Hours>) -> String {
        self.number(hours.borrow().to_decimal())
    }

    /// Hours and minutes, rounded to the minute: `1:30`.
    #[must_use]
    pub fn clock(self, hours: impl Borrow<Hours>) -> String {
        let hundredths = hours.borrow().get();
        let minutes =
            rounded(hundredths.unsigned_abs(), MINUTES.unsigned_abs(), HUNDREDTHS.unsigned_abs());
        let sign = if hundredths < 0 { "\u{2212}" } else { "" };
        format!("{sign}{}:{:02}", minutes / 60, minutes % 60)
    }
}

/// `amount` × `by` ÷ `of`, rounded to the nearest integer.
const fn rounded(amount: u64, by: u64, of: u64) -> u64 {
    amount.saturating_mul(by).saturating_add(of / 2) / of
}

/// The text is not a working time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid_duration")]
pub struct DurationError;

/// Parses a working time as typed by users: `1:30`, `1,5`, `1.5`, `90m`, `1u30`, `2u`, `1h 30m`,
/// `:45`.
///
/// The books store hundredths of an hour, so minutes are rounded: `0:20` is 0.33 hours, which
/// [`Texts::clock`] formats as `0:20` again.
///
/// # Errors
/// The text has another form, is negative, exceeds 100 000 hours, or has more than two decimals.
pub fn read_duration(text: &str, language: Language) -> Result<Hours, DurationError> {
    let tight: String =
        text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    if let Some((hours, minutes)) = tight.split_once(':') {
        return of_clock(hours, minutes, 59);
    }
    // Minutes are tried first, because a text that ends in minutes may contain hours: `1u30m`.
    for unit in ["minuten", "minutes", "min", "m"] {
        if let Some(before) = tight.strip_suffix(unit) {
            return match before.split_once(['u', 'h']) {
                Some((hours, minutes)) => of_clock(hours, minutes, 59),
                None => of_clock("", before, MOST_HOURS * MINUTES),
            };
        }
    }
    for unit in ["uur", "hours", "hour", "u", "h"] {
        if let Some(before) = tight.strip_suffix(unit) {
            return of_number(before, language);
        }
    }
    match tight.split_once(['u', 'h']) {
        Some((hours, minutes)) => of_clock(hours, minutes, 59),
        None => of_number(&tight, language),
    }
}

fn of_clock(hours: &str, minutes: &str, most_minutes: i64) -> Result<Hours, DurationError> {
    let hours = if hours.is_empty() { 0 } else { digits(hours)? };
    let minutes = digits(minutes)?;
    if hours > MOST_HOURS || minutes > most_minutes {
        return Err(DurationError);
    }
    let hundredths =
        rounded(minutes.unsigned_abs(), HUNDREDTHS.unsigned_abs(), MINUTES.unsigned_abs());
    i64::try_from(hundredths)
        .map(|hundredths| Hours::new(hours * HUNDREDTHS + hundredths))
        .map_err(|_| DurationError)
}

fn digits(text: &str) -> Result<i64, DurationError> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DurationError);
    }
    text.parse().map_err(|_| DurationError)
}

fn of_number(text: &str, language: Language) -> Result<Hours, DurationError> {
    let text = plain_number(text, language).map_err(|_| DurationError)?;
    let value = decimal::parse_fixed(&text, 2).map_err(|_| DurationError)?;
    if value < Decimal::ZERO || value > Decimal::new(MOST_HOURS, 0) {
        return Err(DurationError);
    }
    i64::try_from(value * Decimal::ONE_HUNDRED).map(Hours::new).map_err(|_| DurationError)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NL: Texts = Texts { language: Language::Dutch };
    const EN: Texts = Texts { language: Language::English };

    #[test]
    fn hours_are_formatted_as_clock_time_and_as_decimals() {
        let cases = [
            (0, "0:00", "0", "0"),
            (150, "1:30", "1,5", "1.5"),
            (33, "0:20", "0,33", "0.33"),
            (110_450, "1104:30", "1.104,5", "1,104.5"),
        ];
        for (hundredths, clock, dutch, english) in cases {
            let hours = Hours::new(hundredths);
            assert_eq!(
                (NL.clock(hours).as_str(), NL.hours(hours).as_str(), EN.hours(hours).as_str()),
                (clock, dutch, english)
            );
        }
    }

    #[test]
    fn typed_hours_are_parsed() {
        let cases = [
            ("1:30", 150),
            ("01:05", 108),
            ("0:20", 33),
            (":45", 75),
            ("1,5", 150),
            ("1.5", 150),
            ("8", 800),
            ("7,25", 725),
            ("90m", 150),
            ("90 min", 150),
            ("15 minuten", 25),
            ("1u30", 150),
            ("1u 30m", 150),
            ("1h30", 150),
            ("1H 30 min", 150),
            ("2u", 200),
            ("2 uur", 200),
            ("1,5 uur", 150),
            ("1.5 hours", 150),
            ("24:00", 2_400),
            ("0", 0),
        ];
        for (typed, hundredths) in cases {
            for language in [Language::Dutch, Language::English] {
                assert_eq!(read_duration(typed, language), Ok(Hours::new(hundredths)), "{typed}");
            }
        }
        for bad in [
            "",
            ":",
            "1:",
            "1:60",
            "1:3a",
            "-1:30",
            "-1",
            "1,333",
            "anderhalf",
            "m",
            "u",
            "1u60",
            "1:30:00",
            "1m30",
            "9999999",
            "999999999999999m",
        ] {
            assert_eq!(read_duration(bad, Language::Dutch), Err(DurationError), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn formatted_hours_are_parsed_to_the_same_hours(minutes in 0_i64..100_000) {
            let hours = read_duration(&format!("{minutes}m"), Language::Dutch).unwrap();
            for texts in [NL, EN] {
                prop_assert_eq!(texts.clock(hours), format!("{}:{:02}", minutes / 60, minutes % 60));
                prop_assert_eq!(read_duration(&texts.clock(hours), texts.language), Ok(hours));
                prop_assert_eq!(read_duration(&texts.hours(hours), texts.language), Ok(hours));
            }
        }
    }
}
