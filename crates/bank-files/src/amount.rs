//! Amounts as files write them.

use crate::fault::FaultReason;
use ledger::{decimal::Decimal, money::Cents};

/// Decimal separator of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalSeparator {
    /// `1.234,56`.
    Comma,
    /// `1,234.56`.
    Point,
    /// The last comma or point of each amount.
    Either,
}

impl DecimalSeparator {
    /// All separators.
    pub const ALL: [Self; 3] = [Self::Comma, Self::Point, Self::Either];

    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Point => ".",
            Self::Either => "either",
        }
    }
}

/// Parses an amount to the cent: a sign before or after it, groups of thousands, a euro sign and
/// blanks are accepted, so are `12,` and `,5`.
///
/// # Errors
/// The text is not a number, is finer than a cent, or exceeds [`Cents::MAX`].
pub(crate) fn parse(text: &str, separator: DecimalSeparator) -> Result<Cents, FaultReason> {
    let text = text.trim().trim_start_matches("EUR").trim_end_matches("EUR");
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '€');
    let (is_negative, digits) = sign(text);
    let digits = digits.trim_matches(|c: char| c.is_whitespace() || c == '€');
    let (whole, fraction) = split(digits, separator);
    if !is_grouped(whole) || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FaultReason::Invalid);
    }
    let mut cents: i64 = 0;
    let mut count = 0;
    for byte in whole.bytes().filter(u8::is_ascii_digit) {
        cents = add(cents, byte)?;
        count += 1;
    }
    let fraction_bytes = fraction.as_bytes();
    for place in 0..2 {
        cents = add(cents, fraction_bytes.get(place).copied().unwrap_or(b'0'))?;
    }
    if count + fraction.len() == 0 {
        return Err(FaultReason::Invalid);
    }
    if fraction_bytes.iter().skip(2).any(|byte| *byte != b'0') {
        return Err(FaultReason::TooManyDecimals);
    }
    let amount = Cents::new(if is_negative { -cents } else { cents });
    amount.within_limit().map_err(|_| FaultReason::OutOfRange)
}

fn add(cents: i64, digit: u8) -> Result<i64, FaultReason> {
    cents
        .checked_mul(10)
        .and_then(|cents| cents.checked_add(i64::from(digit - b'0')))
        .ok_or(FaultReason::OutOfRange)
}

/// Returns whether an amount is negative, and the amount without its sign.
fn sign(text: &str) -> (bool, &str) {
    for minus in ['-', '\u{2212}', '\u{2013}'] {
        if let Some(rest) = text.strip_prefix(minus).or_else(|| text.strip_suffix(minus)) {
            return (true, rest);
        }
    }
    (false, text.strip_prefix('+').or_else(|| text.strip_suffix('+')).unwrap_or(text))
}

/// Splits into the whole part, with its groups, and the decimals.
fn split(digits: &str, separator: DecimalSeparator) -> (&str, &str) {
    let place = match separator {
        DecimalSeparator::Comma => digits.rfind(','),
        DecimalSeparator::Point => digits.rfind('.'),
        DecimalSeparator::Either => digits.rfind([',', '.']).filter(|place| {
            let mark = &digits[*place..=*place];
            // `1.234.567`: the same mark twice only separates groups.
            digits.matches(mark).count() == 1
        }),
    };
    place.map_or((digits, ""), |place| (&digits[..place], &digits[place + 1..]))
}

/// Whether the whole part has only digits, or groups of three that one mark separates.
fn is_grouped(whole: &str) -> bool {
    let mut marks = whole.chars().filter(|c| !c.is_ascii_digit());
    let Some(mark) = marks.next() else { return true };
    if !matches!(mark, '.' | ',' | '\'' | '\u{2019}' | ' ' | '\u{A0}' | '\u{202F}')
        || marks.any(|other| other != mark)
    {
        return false;
    }
    let mut groups = whole.split(mark);
    groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3)
}

/// Parses an amount or a rate of another currency, with any number of decimals; `None` if it is not
/// a number.
pub(crate) fn decimal(text: &str) -> Option<Decimal> {
    let text = text.trim();
    if text.len() > 40 {
        return None;
    }
    let (_, digits) = sign(text);
    let (whole, fraction) = split(digits, DecimalSeparator::Either);
    if !is_grouped(whole) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    format!(
        "{}.{}",
        if whole.is_empty() { "0" } else { &whole },
        if fraction.is_empty() { "0" } else { fraction }
    )
    .parse::<Decimal>()
    .ok()
    .map(|decimal| decimal.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecimalSeparator::{Comma, Either, Point};

    #[test]
    fn amounts_are_exact_to_the_cent() {
        let cases = [
            ("12,", Comma, Ok(1200)),
            ("12,5", Comma, Ok(1250)),
            ("+1234,56", Comma, Ok(123_456)),
            ("-1.234,56", Comma, Ok(-123_456)),
            ("1234,56-", Comma, Ok(-123_456)),
            ("1,234.56", Point, Ok(123_456)),
            ("000000001147,95", Comma, Ok(114_795)),
            ("€ 1.234,56", Comma, Ok(123_456)),
            ("1.234,50 EUR", Comma, Ok(123_450)),
            ("-\u{a0}5", Comma, Ok(-500)),
            (",5", Comma, Ok(50)),
            ("12.500", Comma, Ok(1_250_000)),
            ("12,500", Comma, Ok(1250)),
            ("12,345", Comma, Err(FaultReason::TooManyDecimals)),
            ("1.234,56", Either, Ok(123_456)),
            ("1,234.56", Either, Ok(123_456)),
            ("1.234.567", Either, Ok(123_456_700)),
            ("15,00", Either, Ok(1500)),
            ("15.00", Either, Ok(1500)),
            ("10.00000", Point, Ok(1000)),
            ("", Comma, Err(FaultReason::Invalid)),
            (",", Comma, Err(FaultReason::Invalid)),
            ("-", Comma, Err(FaultReason::Invalid)),
            ("1.23,45", Comma, Err(FaultReason::Invalid)),
            ("1e5", Comma, Err(FaultReason::Invalid)),
            ("12a", Comma, Err(FaultReason::Invalid)),
            ("99999999999,99", Comma, Ok(9_999_999_999_999)),
            ("100000000000,00", Comma, Err(FaultReason::OutOfRange)),
            ("99999999999999999999999", Comma, Err(FaultReason::OutOfRange)),
        ];
        for (text, separator, amount) in cases {
            assert_eq!(parse(text, separator), amount.map(Cents::new), "{text}");
        }
    }

    #[test]
    fn other_currencies_keep_their_decimals() {
        for (text, value) in [("2853,125", "2853.125"), ("1.0842", "1.0842"), ("100", "100")] {
            assert_eq!(decimal(text).unwrap().to_string(), value);
        }
        assert_eq!(decimal("x"), None);
        assert_eq!(decimal(&"9".repeat(39)), None);
    }
}
