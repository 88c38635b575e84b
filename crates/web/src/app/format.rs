//! Amounts, numbers, days and moments as each language writes them (Unicode CLDR: `nl` and `en-GB`).

use crate::app::texts::Texts;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use ledger::{
    calendar::amsterdam_today,
    decimal::{self, Decimal},
    money::Cents,
};
use service::people::Language;
use std::borrow::Borrow;

const DUTCH_MONTHS: [&str; 12] =
    ["januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"];
const ENGLISH_MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DUTCH_SHORT: [&str; 12] = ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"];
const ENGLISH_SHORT: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

impl Texts {
    /// An amount with its currency: `€ 1.234,56` and `€1,234.56`.
    pub(crate) fn money(self, amount: impl Borrow<Cents>) -> String {
        let amount = *amount.borrow();
        let (sign, digits) = (if amount.is_negative() { "-" } else { "" }, self.amount(amount.abs()));
        match self.language {
            // The space does not break.
            Language::Dutch => format!("€\u{a0}{sign}{digits}"),
            Language::English => format!("{sign}€{digits}"),
        }
    }

    /// An amount in a column of amounts: `1.234,56` and `1,234.56`.
    pub(crate) fn amount(self, amount: impl Borrow<Cents>) -> String {
        self.number(&amount.borrow().to_string())
    }

    /// A quantity, a price per unit or a rate: `1.234,5` and `1,234.5`.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the pages of invoices and hours, which come next"))]
    pub(crate) fn decimal(self, value: &Decimal) -> String {
        self.number(&decimal::plain(value))
    }

    /// A number in plain notation, with this language's marks.
    fn number(self, plain: &str) -> String {
        let (thousands, mark) = match self.language {
            Language::Dutch => ('.', ','),
            Language::English => (',', '.'),
        };
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
        let mut text = String::from(sign);
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(thousands);
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push(mark);
            text.push_str(fraction);
        }
        text
    }

    /// A day in a sentence: `15 maart 2026` and `15 March 2026`.
    pub(crate) fn date(self, day: impl Borrow<Date>) -> String {
        self.day_with(*day.borrow(), &DUTCH_MONTHS, &ENGLISH_MONTHS)
    }

    /// A day in a table: `15 mrt 2026` and `15 Mar 2026`.
    pub(crate) fn short_date(self, day: impl Borrow<Date>) -> String {
        self.day_with(*day.borrow(), &DUTCH_SHORT, &ENGLISH_SHORT)
    }

    fn day_with(self, day: Date, dutch: &[&str; 12], english: &[&str; 12]) -> String {
        let months = match self.language {
            Language::Dutch => dutch,
            Language::English => english,
        };
        // A month is 1 to 12.
        let month = months[usize::from(day.month().unsigned_abs()) - 1];
        format!("{} {month} {}", day.day(), day.year())
    }

    /// The day of a moment, in a sentence.
    pub(crate) fn day_of(self, moment: impl Borrow<Timestamp>) -> String {
        self.date(amsterdam_today(*moment.borrow()))
    }

    /// A moment by the clock in the Netherlands: `15 mrt 2026 12:00` and `15 Mar 2026, 12:00`.
    pub(crate) fn moment(self, moment: impl Borrow<Timestamp>) -> String {
        // The time zones are part of the program.
        let zone = TimeZone::get("Europe/Amsterdam").unwrap_or(TimeZone::UTC);
        let there = moment.borrow().to_zoned(zone);
        let comma = if self.language == Language::English { "," } else { "" };
        format!("{}{comma} {:02}:{:02}", self.short_date(there.date()), there.hour(), there.minute())
    }

    /// A moment to the second: `15 mrt 2026 12:00:05` and `15 Mar 2026, 12:00:05`.
    pub(crate) fn second(self, moment: impl Borrow<Timestamp>) -> String {
        let moment = *moment.borrow();
        // The clock in the Netherlands is whole minutes from UTC.
        format!("{}:{:02}", self.moment(moment), moment.as_second().rem_euclid(60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const NL: Texts = Texts { language: Language::Dutch };
    const EN: Texts = Texts { language: Language::English };

    #[test]
    fn amounts_are_written_as_the_language_does() {
        let cases = [
            (0, "€\u{a0}0,00", "€0.00"),
            (5, "€\u{a0}0,05", "€0.05"),
            (-5, "€\u{a0}-0,05", "-€0.05"),
            (12_100, "€\u{a0}121,00", "€121.00"),
            (99_999, "€\u{a0}999,99", "€999.99"),
            (100_000, "€\u{a0}1.000,00", "€1,000.00"),
            (-123_456_789, "€\u{a0}-1.234.567,89", "-€1,234,567.89"),
            (9_999_999_999_999, "€\u{a0}99.999.999.999,99", "€99,999,999,999.99"),
        ];
        for (cents, dutch, english) in cases {
            assert_eq!(NL.money(Cents::new(cents)), dutch);
            assert_eq!(EN.money(Cents::new(cents)), english);
        }
        assert_eq!(NL.amount(Cents::new(-123_456)), "-1.234,56");
        assert_eq!(EN.amount(Cents::new(-123_456)), "-1,234.56");
    }

    #[test]
    fn numbers_are_written_as_the_language_does() {
        let cases = [
            ("0", "0", "0"),
            ("8.5", "8,5", "8.5"),
            ("-1234.125", "-1.234,125", "-1,234.125"),
            ("8.264462809917356", "8,264462809917356", "8.264462809917356"),
            ("1e6", "1.000.000", "1,000,000"),
            ("-100", "-100", "-100"),
        ];
        for (given, dutch, english) in cases {
            let value = decimal::parse(given).unwrap();
            assert_eq!((NL.decimal(&value).as_str(), EN.decimal(&value).as_str()), (dutch, english));
        }
    }

    #[test]
    fn days_are_written_as_the_language_does() {
        let cases = [
            (date(2026, 3, 1), "1 maart 2026", "1 March 2026", "1 mrt 2026", "1 Mar 2026"),
            (date(2000, 12, 31), "31 december 2000", "31 December 2000", "31 dec 2000", "31 Dec 2000"),
            (date(2024, 2, 29), "29 februari 2024", "29 February 2024", "29 feb 2024", "29 Feb 2024"),
            (date(2026, 9, 9), "9 september 2026", "9 September 2026", "9 sep 2026", "9 Sept 2026"),
        ];
        for (day, dutch, english, dutch_short, english_short) in cases {
            assert_eq!((NL.date(day).as_str(), EN.date(day).as_str()), (dutch, english));
            assert_eq!((NL.short_date(day).as_str(), EN.short_date(day).as_str()), (dutch_short, english_short));
        }
    }

    #[test]
    fn moments_are_told_by_the_clock_in_the_netherlands() {
        let cases = [
            ("2026-03-15T11:00:00Z", "15 mrt 2026 12:00", "15 Mar 2026, 12:00"),
            // Summer time begins: there is no half past two.
            ("2026-03-29T00:59:59Z", "29 mrt 2026 01:59", "29 Mar 2026, 01:59"),
            ("2026-03-29T01:00:00Z", "29 mrt 2026 03:00", "29 Mar 2026, 03:00"),
            ("2026-12-31T23:30:00Z", "1 jan 2027 00:30", "1 Jan 2027, 00:30"),
        ];
        for (moment, dutch, english) in cases {
            let moment: Timestamp = moment.parse().unwrap();
            assert_eq!((NL.moment(moment).as_str(), EN.moment(moment).as_str()), (dutch, english));
            let second = moment.as_second().rem_euclid(60);
            assert_eq!(NL.second(moment), format!("{dutch}:{second:02}"));
        }
    }
}
