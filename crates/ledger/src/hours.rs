//! Hours, and the hours criterion for the self-employed.

use crate::decimal::Decimal;
use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Neg, Sub},
};
use thiserror::Error;

/// Number of hours, in hundredths. A separate type, so that it cannot be added to an amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hours(i64);

/// Hours required by the criterion in a calendar year, not pro rata (art. 3.6 Wet IB 2001).
pub const REQUIRED_HOURS: Hours = Hours(122_500);

/// Reason why a number is not a valid working time for one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HoursError {
    /// The number is zero, negative or above 24.
    #[error("out_of_range")]
    OutOfRange,
    /// There are more than two decimals.
    #[error("too_many_decimals")]
    TooManyDecimals,
}

impl Hours {
    /// Creates a number of hours from hundredths of an hour.
    #[must_use]
    pub const fn new(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Returns the number of hundredths of an hour.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Converts a number to hours worked on one day.
    ///
    /// ```
    /// use ledger::{decimal, hours::Hours};
    ///
    /// let hours = Hours::parse(&decimal::parse("7.5")?)?;
    /// assert_eq!(hours.get(), 750);
    /// assert!(Hours::parse(&decimal::parse("24.5")?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The number is zero, negative or above 24, or has more than two decimals.
    pub fn parse(value: &Decimal) -> Result<Self, HoursError> {
        if *value <= Decimal::ZERO || *value > Decimal::new(24, 0) {
            return Err(HoursError::OutOfRange);
        }
        let normal = value.normalize();
        let missing = 2_u32.checked_sub(normal.scale()).ok_or(HoursError::TooManyDecimals)?;
        // At most 24, so at most 2400 hundredths.
        i64::try_from(normal.mantissa() * 10_i128.pow(missing))
            .map(Self)
            .map_err(|_| HoursError::OutOfRange)
    }

    /// Rounds to the nearest minute, as if the hours were shown as hours and minutes and parsed
    /// again.
    #[must_use]
    pub const fn by_the_clock(self) -> Self {
        let minutes = (self.0 * 60 + 50) / 100;
        Self((minutes * 100 + 30) / 60)
    }

    /// Converts a timer's seconds to the nearest hundredth of an hour, at least one hundredth.
    #[must_use]
    pub fn of_seconds(seconds: i64) -> Self {
        Self(((seconds.max(0) + 18) / 36).max(1))
    }

    /// Returns the hours as a decimal number.
    #[must_use]
    pub fn to_decimal(self) -> Decimal {
        Decimal::new(self.0, 2).normalize()
    }
}

impl Add for Hours {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Negates the number of hours.
impl Neg for Hours {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sub for Hours {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Hours {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Hours {
    fn sum<I: Iterator<Item = Self>>(hours: I) -> Self {
        hours.fold(Self(0), Add::add)
    }
}

/// Formats as the shortest decimal: `7.5`.
impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_decimal())
    }
}

/// State of the hours criterion in a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoursCriterion {
    /// Required hours.
    pub required: Hours,
    /// Hours on projects.
    pub project: Hours,
    /// Logged hours outside projects.
    pub logged: Hours,
    /// Sum of project and logged hours.
    pub total: Hours,
    /// Hours on future days, not included in the other figures.
    pub future: Hours,
    /// Whether the total reaches the required hours.
    pub reached: bool,
    /// Whether the owner spends most of the working time on the business, if stated.
    pub majority_of_time: Option<bool>,
    /// Whether the criterion is met: enough hours, and most of the working time. The second
    /// condition does not apply to starters.
    pub met: bool,
}

impl HoursCriterion {
    /// Applies the owner's statement about the working time (art. 3.6(1)(b) and (2) Wet IB 2001).
    #[must_use]
    pub fn said(self, majority_of_time: Option<bool>, starter: bool) -> Self {
        let met = self.reached && (starter || majority_of_time == Some(true));
        Self { majority_of_time, met, ..self }
    }
}

/// Computes the criterion. Direct and indirect hours count towards it, each once (art. 3.6 Wet IB
/// 2001). The criterion is not met until [`HoursCriterion::said`] has applied the owner's
/// statement about the working time.
///
/// ```
/// use ledger::hours::{Hours, criterion};
///
/// // 1 000 hours on projects, 225 on administration.
/// let found = criterion(Hours::new(100_000), Hours::new(22_500));
/// assert!(found.reached && !found.met);
/// assert!(found.said(Some(true), false).met);
/// ```
#[must_use]
pub fn criterion(project: Hours, logged: Hours) -> HoursCriterion {
    let total = project + logged;
    let reached = total >= REQUIRED_HOURS;
    HoursCriterion {
        required: REQUIRED_HOURS,
        project,
        logged,
        total,
        future: Hours::default(),
        reached,
        majority_of_time: None,
        met: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal;

    #[test]
    fn reads_hours_of_a_day() {
        for (text, hundredths) in
            [("7.5", 750), ("24", 2400), ("0.01", 1), ("1e1", 1000), ("8.00", 800)]
        {
            assert_eq!(
                Hours::parse(&decimal::parse(text).unwrap()),
                Ok(Hours(hundredths)),
                "{text}"
            );
        }
        for (text, error) in [
            ("0", HoursError::OutOfRange),
            ("-1", HoursError::OutOfRange),
            ("1000000000", HoursError::OutOfRange),
            ("23.999", HoursError::TooManyDecimals),
            ("0.001", HoursError::TooManyDecimals),
            ("24.01", HoursError::OutOfRange),
            ("0.333", HoursError::TooManyDecimals),
        ] {
            assert_eq!(Hours::parse(&decimal::parse(text).unwrap()), Err(error), "{text}");
        }
    }

    #[test]
    fn the_criterion_asks_for_1225_hours_and_most_of_the_working_time() {
        assert!(!criterion(Hours(100_000), Hours(22_499)).reached);
        assert!(criterion(Hours(100_000), Hours(22_500)).reached);
        let enough = criterion(Hours(0), Hours(122_500));
        // Whether the owner spends most of the working time on the business, whether the owner is a
        // starter, and whether the criterion is then met.
        let cases = [
            (None, false, false),
            (Some(false), false, false),
            (Some(true), false, true),
            (None, true, true),
            (Some(false), true, true),
        ];
        for (majority, starter, met) in cases {
            assert_eq!(enough.said(majority, starter).met, met, "{majority:?} {starter}");
            assert!(!criterion(Hours(0), Hours(122_499)).said(majority, starter).met);
        }
        let halfway = criterion(Hours(50), Hours(25));
        assert_eq!(halfway.total.to_string(), "0.75");
        assert_eq!(
            (halfway.project, halfway.logged, halfway.required.to_string()),
            (Hours(50), Hours(25), "1225".to_owned())
        );
    }

    #[test]
    fn hours_print_without_trailing_zeros_and_add_up() {
        for (hundredths, text) in
            [(750, "7.5"), (800, "8"), (5, "0.05"), (0, "0"), (122_500, "1225")]
        {
            assert_eq!(Hours::new(hundredths).to_string(), text);
        }
        let mut total: Hours = [Hours(150), Hours(75)].into_iter().sum();
        total += Hours(25);
        assert_eq!((total, total.get()), (Hours(250), 250));
        assert_eq!((total - Hours(300), -total), (Hours(-50), Hours(-250)));
    }

    #[test]
    fn hours_are_shown_to_the_minute() {
        for (hundredths, shown) in
            [(0, 0), (1, 2), (33, 33), (50, 50), (67, 67), (125, 125), (2400, 2400)]
        {
            assert_eq!(Hours(hundredths).by_the_clock(), Hours(shown), "{hundredths}");
        }
    }

    #[test]
    fn a_clock_is_read_to_a_hundredth_of_an_hour() {
        for (seconds, hundredths) in
            [(-5, 1), (0, 1), (17, 1), (53, 1), (54, 2), (3600, 100), (5400, 150), (86_400, 2400)]
        {
            assert_eq!(Hours::of_seconds(seconds), Hours(hundredths), "{seconds}");
        }
    }
}
