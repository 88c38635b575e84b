//! Check digits of VAT numbers, where their computation is public (python-stdnum, per country).

use super::{modulo_97, passes_eleven_test};

/// Whether the check digits of a VAT number in its compact form are right. Numbers of countries
/// whose computation is not known here pass.
pub(super) fn are_right(number: &str) -> bool {
    let (prefix, rest) = number.split_at(2);
    let digits: Vec<u32> = rest.chars().filter_map(|c| c.to_digit(10)).collect();
    let is_numeric = digits.len() == rest.len();
    match prefix {
        "NL" => passes_eleven_test(&rest[..9]) || modulo_97(number) == Some(1),
        "AT" => digits.len() == 8 && (96 - doubled_from_second(&digits[..7])) % 10 == digits[7],
        "BE" => value(&digits[8..]) == 97 - value(&digits[..8]) % 97,
        // The number of a Swiss business is CHE and nine digits.
        "CH" => weighted(&digits[..8], &[5, 4, 3, 2, 7, 6, 5, 4], 11) == digits[8],
        "DE" | "HR" => modulo_11_10(&digits),
        "DK" => sum(&digits, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11),
        "EE" => sum(&digits, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10),
        "EL" => sum(&digits[..8], &[256, 128, 64, 32, 16, 8, 4, 2]) % 11 % 10 == digits[8],
        "FI" => sum(&digits, &[7, 9, 10, 5, 8, 4, 2, 1]).is_multiple_of(11),
        // The key of other numbers has letters.
        "FR" if is_numeric => value(&digits[..2]) == (value(&digits[2..]) * 100 + 12) % 97,
        "GB" | "XI" if is_numeric => is_british(&digits),
        "HU" => sum(&digits, &[9, 7, 3, 1, 9, 7, 3, 1]).is_multiple_of(10),
        "IT" => luhn(&digits),
        "LU" => value(&digits[..6]) % 89 == value(&digits[6..]),
        "PL" => sum(&digits[..9], &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == digits[9],
        "PT" => weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2], 11) % 10 == digits[8],
        "SE" => luhn(&digits[..10]),
        "SI" => weighted(&digits[..7], &[8, 7, 6, 5, 4, 3, 2], 11) % 10 == digits[7],
        _ => true,
    }
}

/// Whether a Belgian enterprise number of ten digits has the right check digits.
pub(super) fn is_belgian(number: &str) -> bool {
    number.len() == 10
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && are_right(&format!("BE{number}"))
}

fn value(digits: &[u32]) -> u64 {
    digits.iter().fold(0, |value, digit| value * 10 + u64::from(*digit))
}

fn sum(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Number that makes the weighted sum divisible by the modulus.
fn weighted(digits: &[u32], weights: &[u32], modulus: u32) -> u32 {
    (modulus - sum(digits, weights) % modulus) % modulus
}

/// Sum of the digits, the second, fourth, … doubled, with the digits of a double added up.
fn doubled_from_second(digits: &[u32]) -> u32 {
    let double = |(place, digit): (usize, &u32)| {
        if place % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit }
    };
    digits.iter().enumerate().map(double).sum()
}

/// Luhn's check (ISO/IEC 7812-1, annex B).
fn luhn(digits: &[u32]) -> bool {
    let reversed: Vec<u32> = digits.iter().rev().copied().collect();
    doubled_from_second(&reversed).is_multiple_of(10)
}

/// Check of ISO 7064, MOD 11,10.
fn modulo_11_10(digits: &[u32]) -> bool {
    let Some((check, digits)) = digits.split_last() else { return false };
    let product = digits.iter().fold(10, |product, digit| {
        let rest = (product + digit) % 10;
        (if rest == 0 { 10 } else { rest }) * 2 % 11
    });
    (product + check) % 10 == 1
}

/// Check of a British number of nine digits, which three more for a branch can follow. Numbers from
/// 100 on can also have the remainders of the series of 2009.
fn is_british(digits: &[u32]) -> bool {
    let remainder = sum(&digits[..9], &[8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97;
    remainder == 0 || (value(&digits[..3]) >= 100 && matches!(remainder, 42 | 55))
}
