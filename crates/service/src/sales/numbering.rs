//! Patterns for the numbers of invoices and quotes, such as `{year}-{number:4}`.

use std::fmt::Write as _;
use thiserror::Error;

/// Default pattern for invoice numbers in a new account, which yields numbers such as `2026-0001`.
pub const DEFAULT_PATTERN: &str = "{year}-{number:4}";

/// Default pattern for quote numbers, which yields numbers such as `O-2026-0001`.
pub const DEFAULT_QUOTE_PATTERN: &str = "O-{year}-{number:4}";

/// Reason why a pattern is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PatternError {
    /// The year or the number is missing or repeated, so that two invoices could get the same
    /// number.
    #[error("incomplete")]
    Incomplete,
    /// An unknown name in braces.
    #[error("unknown_part")]
    UnknownPart,
    /// A character outside the braces that is not allowed in a number.
    #[error("unknown_character")]
    UnknownCharacter,
    /// The number is adjacent to digits, so that two invoices could get the same number.
    #[error("digit_beside_number")]
    DigitBesideNumber,
    /// The pattern is longer than 40 characters.
    #[error("too_long")]
    TooLong,
}

/// Pattern that is known to yield unique numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// The pattern cannot yield unique numbers, has an unknown part or character, or is too long.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        check(text).map(|()| Self(text.to_owned()))
    }

    /// Returns the pattern as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

enum Part<'p> {
    Text(&'p str),
    Year,
    Number { digits: usize },
}

/// Validates a pattern.
///
/// # Errors
/// The pattern cannot yield unique numbers, has an unknown part or character, or is too long.
pub fn check(pattern: &str) -> Result<(), PatternError> {
    if pattern.chars().count() > 40 {
        return Err(PatternError::TooLong);
    }
    let parts = parts(pattern)?;
    let is_plain = |c: char| c.is_alphanumeric() || " -_/.#".contains(c);
    if parts.iter().any(|part| matches!(part, Part::Text(text) if !text.chars().all(is_plain))) {
        return Err(PatternError::UnknownCharacter);
    }
    let years = parts.iter().filter(|part| matches!(part, Part::Year)).count();
    let numbers = parts.iter().filter(|part| matches!(part, Part::Number { .. })).count();
    if (years, numbers) != (1, 1) {
        return Err(PatternError::Incomplete);
    }
    if digit_beside_number(&parts) { Err(PatternError::DigitBesideNumber) } else { Ok(()) }
}

/// Whether the number is adjacent to other digits, on either side.
fn digit_beside_number(parts: &[Part<'_>]) -> bool {
    let printed: Vec<&Part<'_>> =
        parts.iter().filter(|part| !matches!(part, Part::Text(""))).collect();
    let Some(at) = printed.iter().position(|part| matches!(part, Part::Number { .. })) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|place| printed.get(place));
    let ends = before.is_some_and(|part| match part {
        Part::Text(text) => text.ends_with(char::is_numeric),
        Part::Year | Part::Number { .. } => true,
    });
    let begins = printed.get(at + 1).is_some_and(|part| match part {
        Part::Text(text) => text.starts_with(char::is_numeric),
        Part::Year | Part::Number { .. } => true,
    });
    ends || begins
}

/// Formats an invoice number.
///
/// # Errors
/// The pattern is invalid.
pub fn format(pattern: &str, year: i16, number: i64) -> Result<String, PatternError> {
    let mut text = String::with_capacity(pattern.len() + 8);
    for part in parts(pattern)? {
        // Writing to a String cannot fail.
        let _ = match part {
            Part::Text(literal) => write!(text, "{literal}"),
            Part::Year => write!(text, "{year}"),
            Part::Number { digits } => write!(text, "{number:0digits$}"),
        };
    }
    Ok(text)
}

fn parts(pattern: &str) -> Result<Vec<Part<'_>>, PatternError> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some((literal, after)) = rest.split_once('{') {
        parts.push(Part::Text(literal));
        let (name, after) = after.split_once('}').ok_or(PatternError::UnknownPart)?;
        parts.push(match name {
            "year" => Part::Year,
            "number" => Part::Number { digits: 1 },
            _ => match name.strip_prefix("number:").map(str::as_bytes) {
                Some([digit @ b'1'..=b'9']) => Part::Number { digits: usize::from(digit - b'0') },
                _ => return Err(PatternError::UnknownPart),
            },
        });
        rest = after;
    }
    parts.push(Part::Text(rest));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_numbers_by_the_pattern() {
        let cases = [
            (DEFAULT_PATTERN, 1, "2026-0001"),
            (DEFAULT_PATTERN, 12345, "2026-12345"),
            (DEFAULT_QUOTE_PATTERN, 1, "O-2026-0001"),
            ("F{year}/{number}", 7, "F2026/7"),
            ("{number:6}.{year}", 42, "000042.2026"),
            ("Één #{year}_{number:2}", 3, "Één #2026_03"),
            ("2{year}/F{number}X9", 3, "22026/F3X9"),
        ];
        for (pattern, number, printed) in cases {
            assert_eq!(check(pattern), Ok(()));
            assert_eq!(format(pattern, 2026, number).as_deref(), Ok(printed));
        }
    }

    #[test]
    fn rejects_invalid_patterns() {
        for pattern in ["", "{year}", "{number}", "{year}{number}{number}", "2026-{number}"] {
            assert_eq!(check(pattern), Err(PatternError::Incomplete), "{pattern}");
        }
        for pattern in
            ["{year}-{number:0}", "{year}-{number:10}", "{jaar}-{number}", "{year}-{number"]
        {
            assert_eq!(check(pattern), Err(PatternError::UnknownPart), "{pattern}");
        }
        // Number 11 of one pattern would look the same as number 1 of another.
        for pattern in [
            "1{number}/{year}",
            "{year}-1{number:3}",
            "{year}-{number}0",
            "{year}{number}",
            "{number:4}{year}",
            "{year}٣{number}",
        ] {
            assert_eq!(check(pattern), Err(PatternError::DigitBesideNumber), "{pattern}");
        }
        for pattern in [
            "<b>{year}-{number}",
            "{year}\n{number}",
            "{year}-{number}}",
            "{year}\u{202e}{number}",
            "\"{year}{number}\"",
            "=1+{year}{number}",
        ] {
            assert_eq!(check(pattern), Err(PatternError::UnknownCharacter), "{pattern}");
        }
    }
}
