//! Identifiers: VAT numbers, numbers of the Dutch chamber of commerce, and IBANs, each checked by its own digits.

use crate::country::CountryCode;
use std::fmt;
use thiserror::Error;

/// A VAT number in its compact form: upper case, without spaces, dots and dashes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VatNumber(String);

/// The text is not a VAT number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VatNumberError {
    /// It does not begin with a member state's prefix.
    #[error("a VAT number begins with the prefix of an EU country, such as NL or DE (Greece is EL)")]
    UnknownPrefix,
    /// Its form is not that of its country.
    #[error("the VAT number does not have the form of its country; a Dutch one is NL, 9 digits, B, 2 digits")]
    WrongForm,
    /// Its check digits do not fit.
    #[error("the VAT number's check digits do not fit: please look for a typing error")]
    WrongCheckDigits,
}

impl VatNumber {
    /// Reads a VAT number of an EU member state, or of Northern Ireland (XI). A Dutch one passes either the eleven test on its
    /// nine digits (companies, and sole traders until 2019) or mod 97 over the whole (sole traders since 2020; Belastingdienst,
    /// "Opbouw btw-identificatienummer"). Of others only the form is checked, as the European Commission lists it for VIES.
    ///
    /// # Errors
    /// The prefix is unknown, the form is wrong, or the check digits do not fit.
    pub fn parse(text: &str) -> Result<Self, VatNumberError> {
        let compact = compact(text);
        let (prefix, rest) = compact.split_at_checked(2).ok_or(VatNumberError::UnknownPrefix)?;
        let forms = forms(prefix).ok_or(VatNumberError::UnknownPrefix)?;
        if !forms.iter().any(|form| has_form(rest, form)) {
            return Err(VatNumberError::WrongForm);
        }
        if prefix == "NL" && !eleven_test(&rest[..9]) && mod_97(&compact) != Some(1) {
            return Err(VatNumberError::WrongCheckDigits);
        }
        Ok(Self(compact))
    }

    /// The compact form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The country that gave it out.
    #[must_use]
    pub fn country(&self) -> CountryCode {
        let iso = match &self.0[..2] {
            "EL" => "GR",
            "XI" => "GB",
            other => other,
        };
        CountryCode::parse(iso).expect("every prefix that is accepted is a country's")
    }
}

impl fmt::Display for VatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The forms of a prefix: `9` a digit, `A` a letter, `*` either (or + and *, Ireland), any other character itself.
fn forms(prefix: &str) -> Option<&'static [&'static str]> {
    Some(match prefix {
        "AT" => &["U99999999"],
        "BE" => &["9999999999"],
        "BG" => &["999999999", "9999999999"],
        "CY" => &["99999999A"],
        "CZ" => &["99999999", "999999999", "9999999999"],
        "DE" | "EE" | "EL" | "PT" => &["999999999"],
        "DK" | "FI" | "HU" | "LU" | "MT" | "SI" => &["99999999"],
        "ES" => &["*9999999*"],
        "FR" => &["**999999999"],
        "HR" | "IT" | "LV" => &["99999999999"],
        "IE" => &["9*99999A", "9999999A", "9999999AA"],
        "LT" => &["999999999", "999999999999"],
        "NL" => &["999999999B99"],
        "PL" | "SK" => &["9999999999"],
        "RO" => &["99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999", "9999999999"],
        "SE" => &["999999999999"],
        "XI" => &["999999999", "999999999999", "GD999", "HA999"],
        _ => return None,
    })
}

fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
            b'9' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_uppercase() && !matches!(form.as_bytes(), [b'U', ..]),
            b'*' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '.' | '-')).map(|c| c.to_ascii_uppercase()).collect()
}

/// The eleven test of Dutch citizen and company numbers: 9a+8b+…+2h−i is a multiple of 11, and not all is zero.
fn eleven_test(digits: &str) -> bool {
    let weights = [9, 8, 7, 6, 5, 4, 3, 2, -1];
    let sum: i32 = digits.bytes().zip(weights).map(|(digit, weight)| i32::from(digit - b'0') * weight).sum();
    sum != 0 && sum % 11 == 0
}

/// The remainder by 97 of the text read as a number, letters as two digits (A = 10 … Z = 35; ISO 7064).
fn mod_97(text: &str) -> Option<u32> {
    text.chars().try_fold(0, |rest, c| {
        let value = c.to_digit(36)?;
        Some(if value < 10 { rest * 10 + value } else { rest * 100 + value } % 97)
    })
}

/// A number of the Dutch chamber of commerce: eight digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KvkNumber(String);

/// The text is not such a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a KvK number has eight digits")]
pub struct KvkNumberError;

impl KvkNumber {
    /// Reads eight digits.
    ///
    /// # Errors
    /// There are other characters, or more or fewer digits.
    pub fn parse(text: &str) -> Result<Self, KvkNumberError> {
        let compact = compact(text);
        if compact.len() == 8 && compact.bytes().all(|byte| byte.is_ascii_digit()) { Ok(Self(compact)) } else { Err(KvkNumberError) }
    }

    /// The eight digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An IBAN in its compact form (ISO 13616).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iban(String);

/// The text is not an IBAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IbanError {
    /// Not two letters, two check digits and 11 to 30 letters and digits.
    #[error("an IBAN has two letters, two digits and then letters and digits, such as NL91 ABNA 0417 1643 00")]
    WrongForm,
    /// Its length is not that of its country.
    #[error("the IBAN does not have the length of its country; a Dutch one has 18 characters")]
    WrongLength,
    /// Its check digits do not fit.
    #[error("the IBAN's check digits do not fit: please look for a typing error")]
    WrongCheckDigits,
}

/// Lengths per country of the SEPA area (IBAN registry, ISO 13616).
const IBAN_LENGTHS: &[(&str, usize)] = &[
    ("AD", 24), ("AT", 20), ("BE", 16), ("BG", 22), ("CH", 21), ("CY", 28), ("CZ", 24), ("DE", 22), ("DK", 18), ("EE", 20), ("ES", 24),
    ("FI", 18), ("FR", 27), ("GB", 22), ("GI", 23), ("GR", 27), ("HR", 21), ("HU", 28), ("IE", 22), ("IS", 26), ("IT", 27), ("LI", 21),
    ("LT", 20), ("LU", 20), ("LV", 21), ("MC", 27), ("MT", 31), ("NL", 18), ("NO", 15), ("PL", 28), ("PT", 25), ("RO", 24), ("SE", 24),
    ("SI", 19), ("SK", 24), ("SM", 27), ("VA", 22),
];

impl Iban {
    /// Reads an IBAN: form, length where the country's is known, and check digits.
    ///
    /// # Errors
    /// The form, the length or the check digits are wrong.
    pub fn parse(text: &str) -> Result<Self, IbanError> {
        let compact = compact(text);
        let bytes = compact.as_bytes();
        let form = (15..=34).contains(&bytes.len())
            && bytes[..2].iter().all(u8::is_ascii_uppercase)
            && bytes[2..4].iter().all(u8::is_ascii_digit)
            && bytes[4..].iter().all(u8::is_ascii_alphanumeric);
        if !form {
            return Err(IbanError::WrongForm);
        }
        if IBAN_LENGTHS.iter().any(|(country, length)| compact.starts_with(country) && compact.len() != *length) {
            return Err(IbanError::WrongLength);
        }
        let turned = format!("{}{}", &compact[4..], &compact[..4]);
        if mod_97(&turned) == Some(1) { Ok(Self(compact)) } else { Err(IbanError::WrongCheckDigits) }
    }

    /// The compact form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vat_numbers_pass_by_their_check_digits_or_form() {
        // The Dutch ones are examples of python-stdnum (stdnum.nl.btw) and of the tax office.
        let good = [
            ("NL004495445B01", "NL"), ("nl 0044.95.445.B01", "NL"), ("NL002455799B11", "NL"), ("NL000099998B57", "NL"), ("ATU13585627", "AT"),
            ("DE136695976", "DE"), ("EL094259216", "GR"), ("XI110305878", "GB"), ("IE6433435F", "IE"), ("ESX2482300W", "ES"), ("FR83404833048", "FR"),
        ];
        for (text, country) in good {
            assert_eq!(VatNumber::parse(text).map(|number| number.country().to_string()).as_deref(), Ok(country), "{text}");
        }
        let bad = [
            ("NL123456789B90", VatNumberError::WrongCheckDigits), ("NL004495445B0", VatNumberError::WrongForm), ("NL004495445C01", VatNumberError::WrongForm),
            ("NL000000000B00", VatNumberError::WrongCheckDigits), ("GB123456789", VatNumberError::UnknownPrefix), ("", VatNumberError::UnknownPrefix),
            ("é", VatNumberError::UnknownPrefix), ("DE12345678", VatNumberError::WrongForm), ("GR094259216", VatNumberError::UnknownPrefix),
        ];
        for (text, error) in bad {
            assert_eq!(VatNumber::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn kvk_numbers_have_eight_digits() {
        assert_eq!(KvkNumber::parse("1234 5678").unwrap().as_str(), "12345678");
        for bad in ["", "1234567", "123456789", "1234567a"] {
            assert_eq!(KvkNumber::parse(bad), Err(KvkNumberError), "{bad}");
        }
    }

    #[test]
    fn ibans_pass_by_length_and_check_digits() {
        // Examples of the IBAN registry.
        for good in ["NL91 ABNA 0417 1643 00", "BE68539007547034", "DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819"] {
            assert!(Iban::parse(good).is_ok(), "{good}");
        }
        let bad = [
            ("NL91ABNA0417164301", IbanError::WrongCheckDigits), ("NL91ABNA041716430", IbanError::WrongLength), ("NL", IbanError::WrongForm),
            ("91NLABNA0417164300", IbanError::WrongForm), ("NL91ABNA04171643é", IbanError::WrongForm),
        ];
        for (text, error) in bad {
            assert_eq!(Iban::parse(text), Err(error), "{text}");
        }
    }
}
