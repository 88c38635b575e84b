//! Euro amounts, in whole cents.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Neg, Sub, SubAssign},
};
use thiserror::Error;

/// Euro amount in cents. A type of its own, so that an amount cannot be added to a quantity or to
/// hours.
///
/// ```
/// use ledger::money::Cents;
///
/// let total = Cents::new(100_000) + Cents::new(21_000);
/// assert_eq!(total.to_string(), "1210.00");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

/// The amount exceeds the limit of one document ([`Cents::MAX`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("amount_out_of_range")]
pub struct AmountOutOfRange;

impl Cents {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// Largest amount in one document: 99 999 999 999.99 euros.
    pub const MAX: Self = Self(9_999_999_999_999);

    /// Creates an amount of `cents` cents.
    #[must_use]
    pub const fn new(cents: i64) -> Self {
        Self(cents)
    }

    /// Returns the number of cents.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Returns the absolute value.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.checked_abs().expect(FITS))
    }

    /// Whether the amount is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether the amount is negative.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Adds two amounts; `None` on overflow.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    /// Returns the amount if it is within the limit of one document.
    ///
    /// # Errors
    /// The absolute value is above [`Cents::MAX`].
    pub const fn within_limit(self) -> Result<Self, AmountOutOfRange> {
        if self.0 <= Self::MAX.0 && self.0 >= -Self::MAX.0 {
            Ok(self)
        } else {
            Err(AmountOutOfRange)
        }
    }

    /// Converts to whole euros, rounded towards minus infinity.
    #[must_use]
    pub const fn whole_euros_down(self) -> i64 {
        self.0.div_euclid(100)
    }

    /// Converts to whole euros, rounded towards plus infinity.
    #[must_use]
    pub const fn whole_euros_up(self) -> i64 {
        -(-self.0).div_euclid(100)
    }
}

/// Formats as euros with exactly two decimals: `121.00`, `-0.05`.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

/// Reason why arithmetic on cents cannot overflow: a document is limited to [`Cents::MAX`], and 64
/// bits hold about 900 000 times that amount.
const FITS: &str = "sums of amounts within the limit of one document fit 64 bits";

impl Add for Cents {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.checked_add(other.0).expect(FITS))
    }
}

impl Sub for Cents {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect(FITS))
    }
}

impl Neg for Cents {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.checked_neg().expect(FITS))
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Cents {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_two_decimals() {
        let cases = [
            (0, "0.00"),
            (5, "0.05"),
            (-5, "-0.05"),
            (12_100, "121.00"),
            (-100, "-1.00"),
            (9_999_999_999_999, "99999999999.99"),
        ];
        for (cents, text) in cases {
            assert_eq!(Cents::new(cents).to_string(), text);
        }
    }

    #[test]
    fn whole_euros_round_towards_the_named_side() {
        let cases = [
            (0, 0, 0),
            (1, 0, 1),
            (99, 0, 1),
            (100, 1, 1),
            (101, 1, 2),
            (-1, -1, 0),
            (-100, -1, -1),
            (-101, -2, -1),
        ];
        for (cents, down, up) in cases {
            assert_eq!(
                (Cents::new(cents).whole_euros_down(), Cents::new(cents).whole_euros_up()),
                (down, up),
                "{cents}"
            );
        }
    }

    #[test]
    fn the_limit_is_inclusive_on_both_sides() {
        for cents in [Cents::MAX, -Cents::MAX, Cents::ZERO] {
            assert_eq!(cents.within_limit(), Ok(cents));
        }
        for cents in [Cents::MAX + Cents::new(1), -Cents::MAX - Cents::new(1)] {
            assert_eq!(cents.within_limit(), Err(AmountOutOfRange));
        }
    }
}
