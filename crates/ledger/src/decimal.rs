//! Exact decimal numbers, parsed from text and never through a float.

use crate::money::{AmountOutOfRange, Cents};
use num_bigint::BigInt;
use std::cmp::Ordering;
use thiserror::Error;

pub use rust_decimal::Decimal;
use rust_decimal::RoundingStrategy;

/// Maximum number of decimals. Doubles from a thousandth up to the largest value never print with
/// more.
pub const MAX_DECIMALS: u32 = 20;
/// Number of digits that a [`Decimal`] always stores exactly.
const MAX_DIGITS: usize = 28;
/// Largest quantity or price.
const MAX_VALUE: i64 = 1_000_000_000;
/// Tolerance for numbers with a fixed number of decimals: sums of doubles print
/// `112.55999999999999` for 112.56.
pub const RESIDUE: Decimal = Decimal::from_parts(1, 0, 0, false, 9);
/// Exclusive upper bound of amounts, in euros.
const MAX_EUROS: i64 = 100_000_000_000;

/// Returns the largest quantity or price that [`parse`] accepts.
#[must_use]
pub fn max() -> Decimal {
    Decimal::new(MAX_VALUE, 0)
}

/// Reason why a text is not an acceptable number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecimalError {
    /// The text is not a number in JSON notation (RFC 8259, section 6).
    #[error("not_a_number")]
    NotANumber,
    /// There are more decimals than are stored; nothing is rounded silently.
    #[error("too_many_decimals")]
    TooManyDecimals,
    /// The number exceeds the limit.
    #[error("out_of_range")]
    OutOfRange,
}

/// Parses a number in JSON notation exactly as written: `0.1`, `8.264462809917356`, `1e2`.
///
/// ```
/// use ledger::decimal::{self, DecimalError};
///
/// assert_eq!(decimal::parse("33.335")?.to_string(), "33.335");
/// assert_eq!(decimal::parse("1,5"), Err(DecimalError::NotANumber));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text is not a number, has more than 20 decimals or 28 digits, or is beyond ±1 000 000 000.
pub fn parse(text: &str) -> Result<Decimal, DecimalError> {
    parse_up_to(text, MAX_VALUE, Excess::Refuse)
}

/// Parses a number in JSON notation with a fixed number of decimals. Binary floating-point residue
/// is removed: a value within [`RESIDUE`] of a number with that many decimals becomes that number.
///
/// # Errors
/// The text is not a number, has more than `decimals` decimals, or is beyond ±1 000 000 000.
pub fn parse_fixed(text: &str, decimals: u32) -> Result<Decimal, DecimalError> {
    parse_fixed_up_to(text, decimals, MAX_VALUE)
}

/// Parses an amount in euros like [`parse_fixed`] with two decimals.
///
/// ```
/// use ledger::{decimal, money::Cents};
///
/// assert_eq!(decimal::parse_euros("1210.00")?, Cents::new(121_000));
/// // A sum of doubles.
/// assert_eq!(decimal::parse_euros("112.55999999999999")?, Cents::new(11_256));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text is not a number, has more than two decimals, or is beyond [`Cents::MAX`].
pub fn parse_euros(text: &str) -> Result<Cents, DecimalError> {
    parse_fixed_up_to(text, 2, MAX_EUROS).and_then(|value| to_cents(&value))
}

fn parse_fixed_up_to(text: &str, decimals: u32, most: i64) -> Result<Decimal, DecimalError> {
    let value = parse_up_to(text, most, Excess::Cut)?;
    without_residue(&value, decimals).ok_or(DecimalError::TooManyDecimals)
}

/// Returns the nearest number with at most `decimals` decimals, if `value` is within [`RESIDUE`] of
/// it.
#[must_use]
pub fn without_residue(value: &Decimal, decimals: u32) -> Option<Decimal> {
    let nearest = value.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
    ((*value - nearest).abs() <= RESIDUE).then(|| nearest.normalize())
}

/// Treatment of digits beyond the precision of a [`Decimal`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Excess {
    Refuse,
    /// Truncated: they are far smaller than [`RESIDUE`].
    Cut,
}

fn parse_up_to(text: &str, most: i64, excess: Excess) -> Result<Decimal, DecimalError> {
    let number = Number::split(text)?;
    // Leading and trailing zeros are ignored: the other digits determine magnitude and decimals.
    let leading = number.digits().take_while(|digit| *digit == 0).count();
    let trailing = number.digits().rev().take_while(|digit| *digit == 0).count();
    let length = number.digits().count();
    if leading == length {
        return Ok(Decimal::ZERO);
    }
    let significant = length - leading - trailing;
    let scale =
        size(number.fraction.len()).saturating_sub(number.exponent).saturating_sub(size(trailing));
    if size(significant).saturating_sub(scale) > i64::from(most.ilog10()) + 1 {
        return Err(DecimalError::OutOfRange);
    }
    let beyond =
        (scale - i64::from(MAX_DECIMALS)).max(size(significant.saturating_sub(MAX_DIGITS)));
    let (mut significant, mut scale) = (significant, scale);
    if beyond > 0 {
        if excess == Excess::Refuse {
            return Err(DecimalError::TooManyDecimals);
        }
        // A number smaller than the last decimal loses all its digits.
        significant = significant.saturating_sub(usize::try_from(beyond).unwrap_or(usize::MAX));
        scale -= beyond;
    }
    let mut mantissa = number
        .digits()
        .skip(leading)
        .take(significant)
        .fold(0_i128, |sum, digit| sum * 10 + i128::from(digit));
    let decimals = u32::try_from(scale).unwrap_or_else(|_| {
        mantissa *= (scale..0).fold(1, |unit, _| unit * 10);
        0
    });
    if mantissa > i128::from(most) * 10_i128.pow(decimals) {
        return Err(DecimalError::OutOfRange);
    }
    let signed = if number.negative { -mantissa } else { mantissa };
    Decimal::try_from_i128_with_scale(signed, decimals).map_err(|_| DecimalError::OutOfRange)
}

/// Converts a length to a signed number. No text has a length beyond 63 bits.
fn size(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Parts of a JSON number (RFC 8259, section 6).
struct Number<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    exponent: i64,
}

impl<'t> Number<'t> {
    fn split(text: &'t str) -> Result<Self, DecimalError> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (number, exponent) = match rest.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, read_exponent(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match number.split_once('.') {
            Some((_, "")) => return Err(DecimalError::NotANumber),
            Some(parts) => parts,
            None => (number, ""),
        };
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || !digits(whole) || !digits(fraction) {
            return Err(DecimalError::NotANumber);
        }
        Ok(Self { negative, whole, fraction, exponent })
    }

    /// Returns all digits in order, without the point.
    fn digits(&self) -> impl DoubleEndedIterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes()).map(|byte| byte - b'0')
    }
}

fn read_exponent(text: &str) -> Result<i64, DecimalError> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'+') => (false, &text[1..]),
        Some(b'-') => (true, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::NotANumber);
    }
    // With an exponent beyond 63 bits, a number is out of range or has too many decimals,
    // regardless of its digits.
    let size = digits
        .bytes()
        .fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Ok(if negative { -size } else { size })
}

/// Converts a number of euros to cents.
///
/// # Errors
/// The number has more than two decimals, or exceeds the limit of an amount.
pub fn to_cents(value: &Decimal) -> Result<Cents, DecimalError> {
    let normal = value.normalize();
    let missing = 2_u32.checked_sub(normal.scale()).ok_or(DecimalError::TooManyDecimals)?;
    let cents = normal
        .mantissa()
        .checked_mul(10_i128.pow(missing))
        .and_then(|cents| i64::try_from(cents).ok());
    cents.and_then(|cents| Cents::new(cents).within_limit().ok()).ok_or(DecimalError::OutOfRange)
}

/// Multiplies two numbers to an amount of euros, rounded half away from zero to cents. The product
/// is exact before that single rounding, regardless of the factors' decimals.
///
/// ```
/// use ledger::{decimal, money::Cents};
///
/// // 3 × 33.335 = 100.005.
/// let amount = decimal::multiply_to_cents(&decimal::parse("3")?, &decimal::parse("33.335")?)?;
/// assert_eq!(amount, Cents::new(10_001));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The product is beyond [`Cents::MAX`].
pub fn multiply_to_cents(a: &Decimal, b: &Decimal) -> Result<Cents, AmountOutOfRange> {
    let scale = a.scale() + b.scale();
    match (a.mantissa().checked_mul(b.mantissa()), scale) {
        (Some(product), 0..=38) => cents_of(product, scale),
        _ => big_cents_of(BigInt::from(a.mantissa()) * b.mantissa(), scale),
    }
}

/// Compares an amount with the exact product of two numbers, a number of euros.
#[must_use]
pub fn compare_to_product(amount: Cents, a: &Decimal, b: &Decimal) -> Ordering {
    let unit = BigInt::from(10_u8).pow(a.scale() + b.scale());
    (BigInt::from(amount.get()) * unit).cmp(&(BigInt::from(a.mantissa()) * b.mantissa() * 100_u8))
}

/// Converts `product` × 10^-`scale` euros to cents, rounded half away from zero.
fn cents_of(product: i128, scale: u32) -> Result<Cents, AmountOutOfRange> {
    let cents = match scale.checked_sub(2) {
        None | Some(0) => product.checked_mul(10_i128.pow(2 - scale)).ok_or(AmountOutOfRange)?,
        Some(places) => divide_half_away(product, 10_i128.pow(places)),
    };
    i64::try_from(cents)
        .map_err(|_| AmountOutOfRange)
        .and_then(|cents| Cents::new(cents).within_limit())
}

/// Divides and rounds half away from zero; `divisor` is positive.
pub(crate) fn divide_half_away(dividend: i128, divisor: i128) -> i128 {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    // The remainder is compared with its distance to the divisor, because doubling the remainder
    // could overflow.
    if rest.abs() >= divisor - rest.abs() { quotient + dividend.signum() } else { quotient }
}

fn big_cents_of(product: BigInt, scale: u32) -> Result<Cents, AmountOutOfRange> {
    let unit = BigInt::from(10_u8).pow(scale.saturating_sub(2));
    let scaled = if scale < 2 { product * BigInt::from(10_u8).pow(2 - scale) } else { product };
    let half = &unit / 2_u8;
    let negative = scaled < BigInt::ZERO;
    let magnitude = (if negative { -scaled } else { scaled } + half) / unit;
    let cents = i64::try_from(magnitude).map_err(|_| AmountOutOfRange)?;
    Cents::new(if negative { -cents } else { cents }).within_limit()
}

/// Returns the part of an amount that a part of a whole has, rounded half away from zero to cents;
/// zero if the whole is zero.
///
/// ```
/// use ledger::{decimal, money::Cents};
///
/// // 5 of 6 pieces of 0.03 in all: 2.5 cents.
/// let share = decimal::share(Cents::new(3), &decimal::parse("5")?, &decimal::parse("6")?);
/// assert_eq!(share, Cents::new(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn share(amount: Cents, part: &Decimal, whole: &Decimal) -> Cents {
    if whole.is_zero() {
        return Cents::ZERO;
    }
    let ten = || BigInt::from(10_u8);
    let dividend = BigInt::from(amount.get()) * part.mantissa() * ten().pow(whole.scale());
    let divisor = BigInt::from(whole.mantissa()) * ten().pow(part.scale());
    let negative = (dividend < BigInt::ZERO) != (divisor < BigInt::ZERO);
    let (dividend, divisor) = (dividend.magnitude(), divisor.magnitude());
    let rounded = (dividend * 2_u8 + divisor) / (divisor * 2_u8);
    let cents = i64::try_from(rounded).unwrap_or(i64::MAX);
    Cents::new(if negative { -cents } else { cents })
}

/// Formats a number in the shortest plain notation: no exponent, no trailing zeros.
#[must_use]
pub fn plain(value: &Decimal) -> String {
    value.normalize().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_numbers_exactly_as_written() {
        let cases = [
            ("0", "0"),
            ("-0", "0"),
            ("0.0", "0"),
            ("0.1", "0.1"),
            ("1.10", "1.1"),
            ("1e2", "100"),
            ("1E+2", "100"),
            ("1.5e-2", "0.015"),
            ("8.264462809917356", "8.264462809917356"),
            ("-12.50", "-12.5"),
            ("1000000000", "1000000000"),
            ("-1000000000", "-1000000000"),
            ("100000000000e-2", "1000000000"),
            ("0e999999999999", "0"),
            ("1.000000000000000000000000000", "1"),
            ("0.10000000000000000000000000000000000000000000", "0.1"),
            ("0.0000000000000000000000000000000000000000001e43", "1"),
            ("100000000000000000000000000000000000000000e-41", "1"),
            ("-1e+9", "-1000000000"),
            ("0.5e1", "5"),
            ("0e-999999999999999999999", "0"),
            ("999999999.999999999999999", "999999999.999999999999999"),
            ("0.000000000000001", "0.000000000000001"),
            // Output of doubles: 1.99 / 1.21, 0.1 + 0.2, 0.001 / 3 and 999999999 / 7.
            ("1.6446280991735538", "1.6446280991735538"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("0.00033333333333333332", "0.00033333333333333332"),
            ("3.3333333333333335e-4", "0.00033333333333333335"),
            ("142857142.71428570", "142857142.7142857"),
            ("0.00000000000000000001", "0.00000000000000000001"),
            ("12345678.90123456789012345678", "12345678.90123456789012345678"),
        ];
        for (text, read) in cases {
            assert_eq!(parse(text).map(|value| plain(&value)).as_deref(), Ok(read), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_number_or_cannot_be_kept() {
        use DecimalError::{NotANumber, OutOfRange, TooManyDecimals};
        let cases = [
            ("", NotANumber),
            ("-", NotANumber),
            ("+1", NotANumber),
            ("01", NotANumber),
            ("1.", NotANumber),
            (".5", NotANumber),
            ("1e", NotANumber),
            ("1e+", NotANumber),
            ("0x10", NotANumber),
            ("NaN", NotANumber),
            ("1,5", NotANumber),
            ("1 ", NotANumber),
            ("--1", NotANumber),
            ("1e1.5", NotANumber),
            ("1e1e1", NotANumber),
            ("1.5.5", NotANumber),
            ("-.5", NotANumber),
            ("٣", NotANumber),
            ("1000000001", OutOfRange),
            ("100000000000000000000000000000000000000000", OutOfRange),
            ("1000000000.000000000000001", OutOfRange),
            ("1e99999999999999999999", OutOfRange),
            ("123456789012345678901234567890123456789012", OutOfRange),
            ("1e-99999999999999999999", TooManyDecimals),
            ("1000000000.1", OutOfRange),
            ("1e400", OutOfRange),
            ("-1e10", OutOfRange),
            ("0.000000000000000000001", TooManyDecimals),
            ("1e-21", TooManyDecimals),
            ("1e-400", TooManyDecimals),
            ("0.123456789012345678901", TooManyDecimals),
            ("123456789.01234567890123456789", TooManyDecimals),
        ];
        for (text, error) in cases {
            assert_eq!(parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn products_are_rounded_once_half_away_from_zero() {
        let cases = [
            ("1", "0.005", 1),
            ("1", "-0.005", -1),
            ("1", "0.0049999999999", 0),
            ("3", "33.335", 10_001),
            ("0.1", "0.05", 1),
            ("8.264462809917356", "121", 100_000),
            ("-2", "12.5", -2_500),
            ("0.333333333333333", "3", 100),
            ("999.999999999999999", "0.000000000000005", 0),
            ("100000000", "99999.99", 999_999_000_000_000),
        ];
        for (a, b, cents) in cases {
            let product = multiply_to_cents(&parse(a).unwrap(), &parse(b).unwrap());
            let wanted = Cents::new(cents).within_limit();
            assert_eq!(product, wanted, "{a} x {b}");
        }
        let large = parse("999999999.999999999999999").unwrap();
        assert_eq!(multiply_to_cents(&large, &large), Err(AmountOutOfRange));
        let longest = parse("99999999.99999999999999999999").unwrap();
        assert_eq!(
            multiply_to_cents(&longest, &parse("0.00000000000000000001").unwrap()),
            Ok(Cents::ZERO)
        );
        // 0.004999999999999999… would become 0.005 if rounded twice.
        let third = parse("999999.999999999999999").unwrap();
        assert_eq!(multiply_to_cents(&third, &parse("0.000000005").unwrap()), Ok(Cents::ZERO));
    }

    #[test]
    fn euros_are_read_up_to_the_limit_of_an_amount() {
        let cases = [
            ("99999999999.99", Ok(9_999_999_999_999)),
            ("-99999999999.990", Ok(-9_999_999_999_999)),
            ("1000000000.01", Ok(100_000_000_001)),
            ("1e10", Ok(1_000_000_000_000)),
            ("0.010", Ok(1)),
            ("0.001", Err(DecimalError::TooManyDecimals)),
            ("1.005", Err(DecimalError::TooManyDecimals)),
            ("99999999999.991", Err(DecimalError::TooManyDecimals)),
            // 112.85 - 0.29, 0.1 + 0.2, 1.1 * 3, 0.1 + 0.2 - 0.3 and 8.2 - 0.2 as doubles.
            ("112.55999999999999", Ok(11_256)),
            ("0.30000000000000004", Ok(30)),
            ("3.3000000000000003", Ok(330)),
            ("5.551115123125783e-17", Ok(0)),
            ("-7.999999999999999", Ok(-800)),
            // A difference equal to the tolerance is accepted, a larger one rejected.
            ("1.230000001", Ok(123)),
            ("1.229999999", Ok(123)),
            ("1.2300000011", Err(DecimalError::TooManyDecimals)),
            ("1.2299999989", Err(DecimalError::TooManyDecimals)),
            ("99999999999.98999999999999999999999999", Ok(9_999_999_999_999)),
            ("99999999999.9999999999", Err(DecimalError::OutOfRange)),
            ("100000000000", Err(DecimalError::OutOfRange)),
            ("999999999999", Err(DecimalError::OutOfRange)),
            ("1e400", Err(DecimalError::OutOfRange)),
            ("x", Err(DecimalError::NotANumber)),
        ];
        for (text, wanted) in cases {
            assert_eq!(parse_euros(text), wanted.map(Cents::new), "{text}");
        }
    }

    proptest! {
        /// Sums and differences of amounts as printed by doubles parse as the exact amounts.
        #[test]
        fn what_doubles_make_of_amounts_is_read_as_the_amount(
            cents in proptest::collection::vec(-10_000_000_i64..=10_000_000, 1..6),
        ) {
            #[expect(clippy::float_arithmetic, reason = "imitates clients that calculate with doubles")]
            let sum = cents.iter().fold(0.0, |sum, cents| sum + f64::from(i32::try_from(*cents).unwrap()) / 100.0);
            for text in [format!("{sum}"), format!("{sum:e}")] {
                prop_assert_eq!(parse_euros(&text), Ok(Cents::new(cents.iter().sum())), "{}", text);
            }
        }

        /// With any number of decimals, values within the residue are parsed as the exact number,
        /// and all others are errors.
        #[test]
        fn a_fixed_number_of_decimals_forgives_the_residue_only(
            units in -10_000_000_i64..=10_000_000, decimals in 0_u32..=4, off in -5_000_000_000_i128..=5_000_000_000,
        ) {
            let whole = Decimal::new(units, decimals);
            let text = (whole + Decimal::from_i128_with_scale(off, 18)).to_string();
            let read = parse_fixed(&text, decimals);
            if off.abs() <= 1_000_000_000 {
                prop_assert_eq!(read, Ok(whole), "{}", text);
            } else {
                prop_assert_eq!(read, Err(DecimalError::TooManyDecimals), "{}", text);
            }
        }
    }

    #[test]
    fn amounts_have_at_most_two_decimals() {
        assert_eq!(to_cents(&parse("12.30").unwrap()), Ok(Cents::new(1230)));
        assert_eq!(to_cents(&parse("1e2").unwrap()), Ok(Cents::new(10_000)));
        assert_eq!(to_cents(&parse("0.005").unwrap()), Err(DecimalError::TooManyDecimals));
    }
}
