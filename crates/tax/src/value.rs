//! Values of data sets and calculators.

use crate::words::Words;
use jiff::civil::Date;
use ledger::{
    decimal::{Decimal, plain},
    language::Language,
};
use std::borrow::Cow;

/// A value with its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Euros, exact; printed with cents.
    Money(Decimal),
    /// Percentage, exact.
    Percent(Decimal),
    /// Number without a unit, or with a unit named in its row.
    Number(Decimal),
    /// Integer, such as a year or a number of days.
    Integer(i64),
    /// Yes or no.
    Boolean(bool),
    /// A calendar day.
    Date(Date),
    /// A code, or a text that is the same in every language.
    Text(Cow<'static, str>),
    /// A text in the reader's language.
    Words(Words),
}

impl Value {
    /// Formats the value as in JSON and CSV: amounts with two decimals, rounded half away from
    /// zero; other numbers in their shortest form; dates as `YYYY-MM-DD`; `true` or `false`. JSON
    /// quotes the text unless [`Value::is_bare`].
    ///
    /// ```
    /// use ledger::decimal;
    /// use tax::{Language, value::Value};
    ///
    /// let amount = Value::Money(decimal::parse("1234.565")?);
    /// assert_eq!(amount.plain(Language::English), "1234.57");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plain(&self, language: Language) -> Cow<'_, str> {
        match self {
            Self::Money(amount) => Cow::Owned(euros(amount)),
            Self::Percent(number) | Self::Number(number) => Cow::Owned(plain(number)),
            Self::Integer(number) => Cow::Owned(number.to_string()),
            Self::Boolean(yes) => Cow::Borrowed(if *yes { "true" } else { "false" }),
            Self::Date(day) => Cow::Owned(day.to_string()),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Words(words) => Cow::Borrowed(words.get(language)),
        }
    }

    /// Whether JSON writes [`Value::plain`] unquoted, as a number or boolean.
    #[must_use]
    pub const fn is_bare(&self) -> bool {
        matches!(
            self,
            Self::Money(_)
                | Self::Percent(_)
                | Self::Number(_)
                | Self::Integer(_)
                | Self::Boolean(_)
        )
    }

    /// Returns the number of a numeric value.
    #[must_use]
    pub fn number(&self) -> Option<Decimal> {
        match self {
            Self::Money(number) | Self::Percent(number) | Self::Number(number) => Some(*number),
            Self::Integer(number) => Some(Decimal::from(*number)),
            _ => None,
        }
    }

    /// Returns the text of a language-independent text value.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Rounds an amount to cents, half away from zero.
#[must_use]
pub fn cents(amount: &Decimal) -> Decimal {
    let mut rounded = round(amount, 2);
    rounded.rescale(2);
    if rounded.is_zero() { Decimal::new(0, 2) } else { rounded }
}

/// Rounds a number to `decimals` places, half away from zero.
#[must_use]
pub fn round(number: &Decimal, decimals: u32) -> Decimal {
    number.round_dp_with_strategy(decimals, rust_decimal::RoundingStrategy::MidpointAwayFromZero)
}

/// Formats an amount with two decimals: `1200.00`, `-2900.98`.
///
/// ```
/// use ledger::decimal;
/// use tax::value::euros;
///
/// assert_eq!(euros(&decimal::parse("-2900.975")?), "-2900.98");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn euros(amount: &Decimal) -> String {
    cents(amount).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::decimal::parse;

    #[test]
    fn amounts_are_rounded_to_cents_half_away_from_zero() {
        let cases = [
            ("0", "0.00"),
            ("1", "1.00"),
            ("0.005", "0.01"),
            ("-0.005", "-0.01"),
            ("-0.0049", "0.00"),
            ("2.675", "2.68"),
            ("1e9", "1000000000.00"),
        ];
        for (exact, printed) in cases {
            assert_eq!(
                Value::Money(parse(exact).unwrap()).plain(Language::English),
                printed,
                "{exact}"
            );
        }
    }
}
