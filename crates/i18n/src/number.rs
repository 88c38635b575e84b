//! Formatting and parsing of numbers: `1.234,5` in Dutch, `1,234.5` in English.

use crate::{Language, Texts};
use ledger::{
    decimal::{self, Decimal, DecimalError},
    money::Cents,
};
use std::borrow::Borrow;

/// Minus sign (U+2212), as wide as a digit.
pub(crate) const MINUS: char = '\u{2212}';
/// No-break space (U+00A0).
pub(crate) const NO_BREAK_SPACE: char = '\u{a0}';

impl Texts {
    /// A quantity, a unit price or a number of hours: `1.234,5`, `1,234.5`.
    #[must_use]
    pub fn number(self, value: impl Borrow<Decimal>) -> String {
        self.grouped(&decimal::plain(value.borrow()))
    }

    /// An integer: `1.234`, `1,234`.
    #[must_use]
    pub fn count(self, value: impl TryInto<i64>) -> String {
        // Counts fit in 63 bits.
        self.grouped(&value.try_into().unwrap_or(i64::MAX).to_string())
    }

    /// A percentage: `21%`, `17,5%`.
    #[must_use]
    pub fn percent(self, value: impl Borrow<Decimal>) -> String {
        format!("{}%", self.number(value))
    }

    /// A number as shown in a field: with the language's decimal mark, without thousands
    /// separators.
    #[must_use]
    pub fn number_field(self, value: impl Borrow<Decimal>) -> String {
        decimal::plain(value.borrow()).replace('.', self.decimal_mark())
    }

    fn decimal_mark(self) -> &'static str {
        match self.language {
            Language::Dutch => ",",
            Language::English => ".",
        }
    }

    /// Formats a number in plain notation (`-1234.5`) with the language's decimal mark and
    /// thousands separator.
    pub(crate) fn grouped(self, plain: &str) -> String {
        let thousands = match self.language {
            Language::Dutch => '.',
            Language::English => ',',
        };
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let (negative, digits) =
            whole.strip_prefix('-').map_or((false, whole), |digits| (true, digits));
        let mut text = String::with_capacity(plain.len() + 4);
        if negative {
            text.push(MINUS);
        }
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(thousands);
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push_str(self.decimal_mark());
            text.push_str(fraction);
        }
        text
    }
}

/// Parses a number as typed by users; see [`plain_number`].
///
/// # Errors
/// The text is not a number, has more than 20 decimals, or is beyond ±1,000,000,000.
pub fn read_number(text: &str, language: Language) -> Result<Decimal, DecimalError> {
    decimal::parse(&plain_number(text, language)?)
}

/// Parses a euro amount as typed by users; see [`plain_number`].
///
/// # Errors
/// The text is not a number, has more than two decimals, or is out of the range of amounts.
pub fn read_money(text: &str, language: Language) -> Result<Cents, DecimalError> {
    decimal::parse_euros(&plain_number(text, language)?)
}

/// Converts a number as typed by users to JSON notation: `€ 1.234,56` becomes `1234.56`.
///
/// A number with both a point and a comma is unambiguous (`1.234,56`, `1,234.56`), and so are
/// repeated marks (`1.234.567`) and a single mark that cannot be a thousands separator (`1234.56`,
/// `0.125`, `12,5`). The only ambiguous case, a single mark before exactly three digits (`1.234`),
/// depends on the language. Also accepted are spaces, a minus sign before the number, `€` or `EUR`
/// before or after it, a percent sign after it, and the Dutch dash for zero cents (`12,-`).
///
/// # Errors
/// The text is not a number.
pub fn plain_number(text: &str, language: Language) -> Result<String, DecimalError> {
    let (negative, digits) = without_signs(text).ok_or(DecimalError::NotANumber)?;
    let (whole, fraction) = split(&digits, language).ok_or(DecimalError::NotANumber)?;
    let all = || whole.bytes().chain(fraction.bytes());
    if all().next().is_none() || !all().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::NotANumber);
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let sign = if negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    Ok(format!("{sign}{whole}{point}{fraction}"))
}

/// Splits a text into its minus sign and the rest, without spaces, currency and percent sign.
fn without_signs(text: &str) -> Option<(bool, String)> {
    if !spaces_separate_thousands(text) {
        return None;
    }
    let tight: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut rest = tight.as_str();
    let (mut negative, mut currency) = (false, false);
    loop {
        if let Some(after) = rest.strip_prefix(['-', MINUS, '\u{2013}']) {
            if negative {
                return None;
            }
            (negative, rest) = (true, after);
        } else if let Some(after) = rest.strip_prefix('€').or_else(|| rest.strip_prefix("EUR")) {
            if currency {
                return None;
            }
            (currency, rest) = (true, after);
        } else {
            break;
        }
    }
    for dash in [",-", ",\u{2013}", ",\u{2014}", ",--"] {
        if let Some(before) = rest.strip_suffix(dash) {
            return (!before.is_empty()).then(|| (negative, format!("{before},00")));
        }
    }
    if !currency {
        rest = rest
            .strip_suffix('€')
            .or_else(|| rest.strip_suffix("EUR"))
            .or_else(|| rest.strip_suffix('%'))
            .unwrap_or(rest);
    }
    Some((negative, rest.to_owned()))
}

/// Whether every space between two digits is followed by exactly three digits: `1 234 567` is a
/// number, `12 50` is two.
fn spaces_separate_thousands(text: &str) -> bool {
    let groups: Vec<&str> = text.split_whitespace().collect();
    groups.windows(2).all(|pair| {
        let digits = pair[1].bytes().take_while(u8::is_ascii_digit).count();
        let apart = !pair[0].ends_with(|c: char| c.is_ascii_digit()) || digits == 0;
        apart || digits == 3
    })
}

/// Splits a number at its decimal mark.
fn split(text: &str, language: Language) -> Option<(String, String)> {
    let marks: Vec<char> = text.chars().filter(|c| matches!(c, '.' | ',')).collect();
    let decimal = match marks.as_slice() {
        [] => return Some((text.to_owned(), String::new())),
        [mark] => (!is_thousands_separator(text, *mark, language)).then_some(*mark),
        [.., before, last] if before != last => Some(*last),
        _ => None,
    };
    let (whole, fraction) = decimal.and_then(|mark| text.rsplit_once(mark)).unwrap_or((text, ""));
    let mut groups = whole.split(['.', ',']);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let one_mark = whole
        .chars()
        .filter(|c| matches!(c, '.' | ','))
        .all(|mark| Some(mark) != decimal && Some(&mark) == marks.first());
    let grouped = rest.is_empty()
        || (matches!(first.len(), 1..=3) && rest.iter().all(|group| group.len() == 3));
    (one_mark && grouped).then(|| (format!("{first}{}", rest.concat()), fraction.to_owned()))
}

/// Whether the only mark of a number is a thousands separator: it is the language's thousands
/// separator, exactly three digits follow it, and one to three digits precede it, the first of
/// which is not 0.
fn is_thousands_separator(text: &str, mark: char, language: Language) -> bool {
    let (whole, fraction) = text.split_once(mark).unwrap_or((text, ""));
    let thousands = match language {
        Language::Dutch => '.',
        Language::English => ',',
    };
    mark == thousands
        && fraction.len() == 3
        && matches!(whole.len(), 1..=3)
        && !whole.starts_with('0')
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
