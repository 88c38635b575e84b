//! Discounts on a line and on all lines of a document (art. 8 Wet OB 1968: a discount lowers the
//! amount on which VAT is due).

use crate::{
    decimal::{Decimal, divide_half_away},
    money::Cents,
};
use std::ops::Neg;

/// Discount: a percentage or an amount, including VAT if the prices of the document do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discount {
    /// No discount.
    #[default]
    None,
    /// Percentage, with at most [`Discount::DECIMALS`] decimals.
    Percent(Decimal),
    /// Amount.
    Amount(Cents),
}

impl Discount {
    /// Maximum number of decimals of a percentage.
    pub const DECIMALS: u32 = 4;

    /// Returns the discount with this percentage or amount; an amount of zero is no discount.
    #[must_use]
    pub fn new(percent: Option<Decimal>, amount: Option<Cents>) -> Self {
        match (percent, amount.filter(|amount| !amount.is_zero())) {
            (Some(percent), _) => Self::Percent(percent),
            (None, Some(amount)) => Self::Amount(amount),
            (None, None) => Self::None,
        }
    }

    /// Returns the percentage, if the discount is one.
    #[must_use]
    pub const fn percent(self) -> Option<Decimal> {
        match self {
            Self::Percent(percent) => Some(percent),
            Self::None | Self::Amount(_) => None,
        }
    }

    /// Returns the amount, if the discount is one.
    #[must_use]
    pub const fn amount(self) -> Option<Cents> {
        match self {
            Self::Amount(amount) => Some(amount),
            Self::None | Self::Percent(_) => None,
        }
    }

    /// Whether the discount is always zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        match self {
            Self::None => true,
            Self::Percent(percent) => percent.is_zero(),
            Self::Amount(amount) => amount.is_zero(),
        }
    }

    /// Whether the discount is neither below zero nor above 100 %.
    pub(crate) fn is_possible(self) -> bool {
        match self {
            Self::None => true,
            Self::Percent(percent) => (Decimal::ZERO..=Decimal::ONE_HUNDRED).contains(&percent),
            Self::Amount(amount) => !amount.is_negative(),
        }
    }

    /// Returns the discount on an amount: a percentage of it, rounded half away from zero to cents,
    /// or the amount of the discount.
    #[must_use]
    pub fn on(self, amount: Cents) -> Cents {
        match self {
            Self::None => Cents::ZERO,
            Self::Percent(_) => {
                let (part, whole) = self.ratio(amount);
                let discount = divide_half_away(i128::from(amount.get()) * part, whole);
                Cents::new(i64::try_from(discount).unwrap_or(i64::MAX))
            }
            Self::Amount(discount) => discount,
        }
    }

    /// Returns the exact share of the discount in each cent of a total, as a fraction.
    pub(crate) fn ratio(self, total: Cents) -> (i128, i128) {
        match self {
            Self::None => (0, 1),
            Self::Percent(percent) => {
                let percent = percent.round_dp(Self::DECIMALS).normalize();
                (percent.mantissa(), 10_i128.pow(percent.scale() + 2))
            }
            Self::Amount(amount) if total.is_zero() => (i128::from(amount.get()), 1),
            Self::Amount(amount) => (i128::from(amount.get()), i128::from(total.get())),
        }
    }
}

impl Neg for Discount {
    type Output = Self;

    /// Returns the discount on a negated amount.
    fn neg(self) -> Self {
        match self {
            Self::Amount(amount) => Self::Amount(-amount),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal;

    #[test]
    fn a_percentage_is_rounded_half_away_from_zero() {
        let cases = [
            ("10", 10_000, 1_000),
            ("10", 5, 1),
            ("10", 4, 0),
            ("33.3333", 30_000, 10_000),
            ("33.3333", 30_001, 10_000),
            ("12.5", 4, 1),
            ("12.5", -4, -1),
            ("0.0001", 500_000, 1),
            ("0.0001", 499_999, 0),
            ("100", 9_999_999_999_999, 9_999_999_999_999),
            ("0", 100, 0),
        ];
        for (percent, amount, discount) in cases {
            let percent = Discount::Percent(decimal::parse(percent).unwrap());
            assert_eq!(
                percent.on(Cents::new(amount)),
                Cents::new(discount),
                "{percent:?} {amount}"
            );
        }
    }

    #[test]
    fn an_amount_of_zero_is_no_discount() {
        assert_eq!(Discount::new(None, Some(Cents::ZERO)), Discount::None);
        assert!(Discount::new(Some(Decimal::ZERO), None).is_zero());
        assert_eq!(-Discount::Amount(Cents::new(5)), Discount::Amount(Cents::new(-5)));
    }
}
