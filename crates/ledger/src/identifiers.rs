//! Identifiers of businesses and bank accounts: VAT numbers, numbers of the Dutch Business Register
//! (KvK), electronic addresses of Peppol, postal codes, IBANs and BICs.
//!
//! Values of these types have a valid form, and valid check digits if their form has any, except a
//! customer's VAT number ([`VatNumber::of_customer`]). Only the register knows whether a number was
//! ever issued (VIES for VAT numbers).

mod check_digits;
mod peppol;

pub use peppol::{PeppolId, PeppolIdError};

use crate::country::CountryCode;
use std::fmt;
use thiserror::Error;

/// VAT identification number of an EU country, Northern Ireland, Great Britain or Switzerland, such
/// as `NL002455799B11`: upper case, with its prefix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VatNumber(String);

/// The text is not a VAT number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VatNumberError {
    /// The prefix is not that of an EU country or of Northern Ireland.
    #[error("unknown_prefix")]
    UnknownPrefix,
    /// The prefix is known, but the rest does not have the form of that country.
    #[error("wrong_form")]
    WrongForm,
    /// A Dutch number passes neither check.
    #[error("wrong_check_digits")]
    WrongCheckDigits,
}

impl VatNumber {
    /// Parses a VAT number, ignoring case, blanks, dots and dashes.
    ///
    /// A Dutch number passes one of two checks (Belastingdienst, btw-identificatienummer;
    /// python-stdnum, `stdnum.nl.btw`): its nine digits pass the eleven test of RSIN and BSN
    /// (companies; sole traders through 2019), or the whole number, prefix included, is 1 modulo 97
    /// (sole traders since 2020). For other countries only the form is checked, as listed by the
    /// European Commission for VIES. British numbers (`GB`) are no longer EU numbers; those of
    /// Northern Ireland (`XI`) are.
    ///
    /// ```
    /// use ledger::identifiers::VatNumber;
    ///
    /// let number = VatNumber::parse("nl002455799b11")?;
    /// assert_eq!(number.as_str(), "NL002455799B11");
    /// assert!(number.country().is_dutch());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The prefix is unknown, the form is not that of its country, or the check digits of a Dutch
    /// number are wrong.
    ///
    /// ```
    /// use ledger::identifiers::{VatNumber, VatNumberError};
    ///
    /// assert_eq!(VatNumber::parse("nl 0024.55.799.B11").unwrap().as_str(), "NL002455799B11");
    /// assert_eq!(VatNumber::parse("NL002455799B12"), Err(VatNumberError::WrongCheckDigits));
    /// ```
    pub fn parse(text: &str) -> Result<Self, VatNumberError> {
        let number = Self::of_form(compact(text))?;
        if number.as_str().starts_with("NL") && !number.has_right_check_digits() {
            return Err(VatNumberError::WrongCheckDigits);
        }
        Ok(number)
    }

    /// Parses the number of a customer, which need not be one of the EU, and whose check digits may
    /// be wrong ([`has_right_check_digits`](Self::has_right_check_digits)): `GB` with 9 or 12
    /// digits, and `CHE` with 9 digits, stored without the `MWST`, `TVA` or `IVA` after them.
    ///
    /// ```
    /// use ledger::identifiers::VatNumber;
    ///
    /// let swiss = VatNumber::of_customer("CHE-116.281.710 MWST")?;
    /// assert_eq!((swiss.as_str(), swiss.country().as_str()), ("CHE116281710", "CH"));
    /// let mistyped = VatNumber::of_customer("NL002455799B12")?;
    /// assert!(!mistyped.has_right_check_digits());
    /// # Ok::<(), ledger::identifiers::VatNumberError>(())
    /// ```
    ///
    /// # Errors
    /// The prefix is unknown, or the form is not that of its country.
    pub fn of_customer(text: &str) -> Result<Self, VatNumberError> {
        let compact = compact(text);
        if let Some(rest) = compact.strip_prefix("CHE") {
            let ending = ["MWST", "TVA", "IVA"].iter().find_map(|ending| rest.strip_suffix(ending));
            let digits = ending.unwrap_or(rest);
            let is_right = has_form(digits, "#########");
            return is_right.then(|| Self(format!("CHE{digits}"))).ok_or(VatNumberError::WrongForm);
        }
        if let Some(rest) = compact.strip_prefix("GB") {
            let is_right = has_form(rest, "#########") || has_form(rest, "############");
            return if is_right { Ok(Self(compact)) } else { Err(VatNumberError::WrongForm) };
        }
        Self::of_form(compact)
    }

    /// Returns a number of the EU or of Northern Ireland whose form is right.
    fn of_form(compact: String) -> Result<Self, VatNumberError> {
        let (prefix, rest) = compact.split_at_checked(2).ok_or(VatNumberError::UnknownPrefix)?;
        let forms = vat_number_forms(prefix).ok_or(VatNumberError::UnknownPrefix)?;
        if !forms.iter().any(|form| has_form(rest, form)) || is_excluded(prefix, rest) {
            return Err(VatNumberError::WrongForm);
        }
        Ok(Self(compact))
    }

    /// Whether the check digits are right. For some countries the computation is not known, and
    /// every number of the right form passes.
    #[must_use]
    pub fn has_right_check_digits(&self) -> bool {
        check_digits::are_right(&self.0)
    }

    /// Returns the number with its prefix, upper case, without blanks, dots and dashes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the issuing country: Greece for `EL`, the United Kingdom for `XI`, otherwise the
    /// country of the prefix (Switzerland for `CHE`).
    #[must_use]
    pub fn country(&self) -> CountryCode {
        let code = match &self.0[..2] {
            "EL" => "GR",
            "XI" => "GB",
            prefix => prefix,
        };
        CountryCode::parse(code).expect("every other prefix is the code of a country")
    }
}

impl fmt::Display for VatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Forms allowed after a prefix: `#` is a digit, `@` a letter, `*` a digit or a letter, `?` a
/// digit, a letter, `+` or `*`; a capital letter stands for itself. (European Commission, VIES,
/// structure of VAT numbers per country; compared with python-stdnum, `stdnum.eu.vat`.)
fn vat_number_forms(prefix: &str) -> Option<&'static [&'static str]> {
    Some(match prefix {
        "AT" => &["U########"],
        "BE" => &["##########"],
        "BG" => &["#########", "##########"],
        "CY" => &["########@"],
        "CZ" => &["########", "#########", "##########"],
        "DE" | "EE" | "EL" | "PT" => &["#########"],
        "DK" | "FI" | "HU" | "LU" | "MT" | "SI" => &["########"],
        "ES" => &["*#######*"],
        "FR" => &["**#########"],
        "HR" | "IT" | "LV" => &["###########"],
        "IE" => &["#?#####@", "#######@@"],
        "LT" => &["#########", "############"],
        "NL" => &["#########B##"],
        "PL" | "SK" => &["##########"],
        "RO" => &[
            "##",
            "###",
            "####",
            "#####",
            "######",
            "#######",
            "########",
            "#########",
            "##########",
        ],
        "SE" => &["############"],
        "XI" => &["#########", "############", "GD###", "HA###"],
        _ => return None,
    })
}

/// Whether a number is invalid despite its form, by rules that the notation of forms cannot
/// express.
fn is_excluded(prefix: &str, rest: &str) -> bool {
    match prefix {
        "BE" => !rest.starts_with(['0', '1']),
        // The first character, the last or both are letters.
        "ES" => rest.bytes().all(|byte| byte.is_ascii_digit()),
        // I and O look like digits.
        "FR" => rest.contains(['I', 'O']),
        // The last two digits are either a serial number of the holder's business, from 01, or
        // check digits, from 02.
        "NL" => rest.starts_with("000000000") || rest.ends_with("00"),
        _ => false,
    }
}

fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
            b'#' => byte.is_ascii_digit(),
            b'@' => byte.is_ascii_uppercase(),
            b'*' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            b'?' => {
                byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'*')
            }
            letter => byte == letter,
        })
}

/// Removes the separators used for legibility and converts to upper case.
fn compact(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-'))
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// Eleven test of BSN and RSIN: nine times the first digit, eight times the second, …, two times
/// the eighth, minus the ninth, is a multiple of eleven.
fn passes_eleven_test(nine_digits: &str) -> bool {
    let weights = [9, 8, 7, 6, 5, 4, 3, 2, -1];
    let sum: i32 = nine_digits
        .bytes()
        .zip(weights)
        .map(|(digit, weight)| i32::from(digit - b'0') * weight)
        .sum();
    sum % 11 == 0
}

/// Remainder modulo 97 of the text read as one number, with letters as two digits from A = 10 to Z
/// = 35 (ISO 7064, MOD 97-10). `None` if the text has any other character.
fn modulo_97(text: &str) -> Option<u32> {
    text.chars().try_fold(0, |remainder, c| {
        let value = c.to_digit(36)?;
        let shifted = if value < 10 { remainder * 10 } else { remainder * 100 };
        Some((shifted + value) % 97)
    })
}

/// Number of the Dutch Business Register of the Kamer van Koophandel (KvK): eight digits, without
/// check digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KvkNumber(String);

/// The text is not a KvK number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid_kvk_number")]
pub struct KvkNumberError;

impl KvkNumber {
    /// Parses a KvK number, ignoring blanks, dots and dashes.
    ///
    /// # Errors
    /// The text is not eight digits.
    pub fn parse(text: &str) -> Result<Self, KvkNumberError> {
        let compact = compact(text);
        if has_form(&compact, "########") { Ok(Self(compact)) } else { Err(KvkNumberError) }
    }

    /// Returns the eight digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KvkNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Dutch postal code, formatted as `1234 AB`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostalCode(String);

/// The text is not a Dutch postal code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid_postal_code")]
pub struct PostalCodeError;

impl PostalCode {
    /// Parses a Dutch postal code: four digits, the first not 0, and two letters other than SA, SD
    /// and SS (PostNL).
    ///
    /// # Errors
    /// The text is not a Dutch postal code.
    pub fn parse(text: &str) -> Result<Self, PostalCodeError> {
        let compact: String =
            text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
        let never = ["SA", "SD", "SS"].iter().any(|letters| compact.ends_with(letters));
        if !has_form(&compact, "####@@") || compact.starts_with('0') || never {
            return Err(PostalCodeError);
        }
        Ok(Self(format!("{} {}", &compact[..4], &compact[4..])))
    }
}

impl fmt::Display for PostalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// International bank account number (ISO 13616), such as `NL91ABNA0417164300`: upper case, without
/// blanks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iban(String);

/// The text is not an IBAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IbanError {
    /// The text does not consist of two letters, two digits, and further letters or digits; or a
    /// Dutch IBAN does not continue with four letters for the bank and ten digits.
    #[error("wrong_form")]
    WrongForm,
    /// The first two letters are not those of a country with IBANs.
    #[error("unknown_country")]
    UnknownCountry,
    /// The length is not that of the country.
    #[error("wrong_length: {expected} expected")]
    WrongLength {
        /// Length of the country's IBANs in characters.
        expected: usize,
    },
    /// The check digits are wrong.
    #[error("wrong_check_digits")]
    WrongCheckDigits,
}

impl Iban {
    /// Parses an IBAN, ignoring case, blanks, dots and dashes.
    ///
    /// ```
    /// use ledger::identifiers::Iban;
    ///
    /// assert_eq!(Iban::parse("NL91 ABNA 0417 1643 00")?.as_str(), "NL91ABNA0417164300");
    /// // Two digits swapped.
    /// assert!(Iban::parse("NL91ABNA0417164030").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The form is wrong, the country has no IBANs, the length is not that of the country, or the
    /// check digits are wrong.
    ///
    /// ```
    /// use ledger::identifiers::{Iban, IbanError};
    ///
    /// assert_eq!(Iban::parse("NL91 ABNA 0417 1643 00").unwrap().as_str(), "NL91ABNA0417164300");
    /// assert_eq!(Iban::parse("NL91 ABNA 0417 1643 0"), Err(IbanError::WrongLength { expected: 18 }));
    /// ```
    pub fn parse(text: &str) -> Result<Self, IbanError> {
        let compact = compact(text);
        let (head, account) = compact.split_at_checked(4).ok_or(IbanError::WrongForm)?;
        if !has_form(head, "@@##") || !account.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(IbanError::WrongForm);
        }
        let (country, check_digits) = head.split_at(2);
        let expected = iban_length(country).ok_or(IbanError::UnknownCountry)?;
        if compact.len() != expected {
            return Err(IbanError::WrongLength { expected });
        }
        if country == "NL" && !has_form(account, "@@@@##########") {
            return Err(IbanError::WrongForm);
        }
        // Check digits are 98 minus a remainder modulo 97: 00, 01 and 99 would pass as 97, 98 and
        // 02, but are never issued.
        if matches!(check_digits, "00" | "01" | "99")
            || modulo_97(&format!("{account}{head}")) != Some(1)
        {
            return Err(IbanError::WrongCheckDigits);
        }
        Ok(Self(compact))
    }

    /// Returns the IBAN, upper case, without blanks.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns an account number in groups of four, as printed (ISO 13616).
///
/// ```
/// assert_eq!(ledger::identifiers::in_fours("NL91ABNA0417164300"), "NL91 ABNA 0417 1643 00");
/// ```
#[must_use]
pub fn in_fours(iban: &str) -> String {
    let mut text = String::new();
    for (place, character) in iban.chars().enumerate() {
        if place > 0 && place % 4 == 0 {
            text.push(' ');
        }
        text.push(character);
    }
    text
}

impl fmt::Display for Iban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Business identifier code of a bank, such as `ABNANL2A` (ISO 9362): upper case, without blanks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bic(String);

/// The text is not a BIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid_bic")]
pub struct BicError;

impl Bic {
    /// Parses a BIC, ignoring case and blanks: four letters for the bank, two for the country, two
    /// letters or digits for the place and, optionally, three for the branch.
    ///
    /// ```
    /// use ledger::identifiers::Bic;
    ///
    /// assert_eq!(Bic::parse("ingb nl2a").unwrap().as_str(), "INGBNL2A");
    /// assert!(Bic::parse("INGBNL2").is_err());
    /// ```
    ///
    /// # Errors
    /// The text does not have this form.
    pub fn parse(text: &str) -> Result<Self, BicError> {
        let compact: String =
            text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
        let is_valid = matches!(compact.len(), 8 | 11)
            && compact.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && compact.bytes().take(6).all(|byte| byte.is_ascii_uppercase());
        if is_valid { Ok(Self(compact)) } else { Err(BicError) }
    }

    /// Returns the BIC, upper case, without blanks.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Bic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Length of a country's IBANs in characters (SWIFT, IBAN Registry, release 101). Kosovo's prefix
/// `XK` is not an ISO country.
fn iban_length(country: &str) -> Option<usize> {
    Some(match country {
        "NO" => 15,
        "BE" => 16,
        "DK" | "FI" | "FK" | "FO" | "GL" | "NL" | "SD" => 18,
        "MK" | "SI" => 19,
        "AT" | "BA" | "EE" | "KZ" | "LT" | "LU" | "MN" | "XK" => 20,
        "CH" | "HR" | "LI" | "LV" => 21,
        "BG" | "BH" | "CR" | "DE" | "GB" | "GE" | "IE" | "ME" | "RS" | "VA" => 22,
        "AE" | "GI" | "IL" | "IQ" | "OM" | "SO" | "TL" => 23,
        "AD" | "CZ" | "ES" | "MD" | "PK" | "RO" | "SA" | "SE" | "SK" | "TN" | "VG" => 24,
        "LY" | "PT" | "ST" => 25,
        "IS" | "TR" => 26,
        "BI" | "DJ" | "FR" | "GR" | "IT" | "MC" | "MR" | "SM" => 27,
        "AL" | "AZ" | "BY" | "CY" | "DO" | "GT" | "HN" | "HU" | "LB" | "NI" | "PL" | "SV" => 28,
        "BR" | "EG" | "PS" | "QA" | "UA" => 29,
        "JO" | "KW" | "MU" | "YE" => 30,
        "MT" | "SC" => 31,
        "LC" => 32,
        "RU" => 33,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
