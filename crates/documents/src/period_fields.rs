//! Fields in the texts of recurring invoices that stand for the period of an occurrence: `{period}`,
//! `{week}`, `{month}`, `{quarter}` and `{year}`.

use crate::words;
use i18n::Texts;
use jiff::civil::Date;
use ledger::{calendar::Quarter, language::Language};

/// Period of an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// First day.
    pub first: Date,
    /// Last day.
    pub last: Date,
    /// Whether the period is one of weeks, so that `{year}` is the year of the week.
    pub is_of_weeks: bool,
}

/// Fills in the fields of a text. Other braces stay, and filled-in text is not searched again.
#[must_use]
pub fn fill(text: &str, period: Period, language: Language) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        filled.push_str(before);
        let field = from.find('}').and_then(|close| {
            Some((value(from.get(1..close)?, period, Texts { language })?, close + 1))
        });
        let (value, width) = field.unwrap_or_else(|| ("{".to_owned(), 1));
        filled.push_str(&value);
        rest = from.get(width..).unwrap_or_default();
    }
    filled + rest
}

/// Value of a field; `None` if there is no such field.
fn value(name: &str, period: Period, texts: Texts) -> Option<String> {
    let (first, week) = (period.first, period.first.iso_week_date());
    Some(match name {
        "period" => words::period(texts, first, period.last),
        "week" => week.week().to_string(),
        "month" => texts.month_name(first.month()).to_owned(),
        "quarter" => {
            let number = Quarter::of(first).number();
            match texts.language {
                Language::Dutch => format!("{number}e kwartaal"),
                Language::English => format!("Q{number}"),
            }
        }
        "year" if period.is_of_weeks => week.year().to_string(),
        "year" => first.year().to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn fields_stand_for_the_period() {
        let of = |first, last, is_of_weeks| Period { first, last, is_of_weeks };
        let april = of(date(2026, 4, 1), date(2026, 4, 30), false);
        let quarter = of(date(2026, 4, 1), date(2026, 6, 30), false);
        // The first week of 2026 begins in 2025.
        let week = of(date(2025, 12, 29), date(2026, 1, 4), true);
        let (nl, en) = (Language::Dutch, Language::English);
        let cases = [
            ("Hosting {month} {year}", april, nl, "Hosting april 2026"),
            ("Hosting {month} {year}", april, en, "Hosting April 2026"),
            ("Hosting {period}", april, nl, "Hosting april 2026"),
            ("{quarter} {year}", quarter, nl, "2e kwartaal 2026"),
            ("{quarter} {year}", quarter, en, "Q2 2026"),
            ("{period}", quarter, nl, "1 april 2026 tot en met 30 juni 2026"),
            ("week {week}, {year}", week, nl, "week 1, 2026"),
            ("{link} {{month}} {month", april, nl, "{link} {april} {month"),
            ("{} é{year}é } {", april, nl, "{} é2026é } {"),
            ("", april, nl, ""),
        ];
        for (text, period, language, expected) in cases {
            assert_eq!(fill(text, period, language), expected, "{text}");
        }
    }
}
