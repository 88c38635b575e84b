//! Electronic addresses of Peppol.

use super::{check_digits, has_form};
use std::fmt;
use thiserror::Error;

/// Electronic address of a receiver in Peppol, such as `0106:12345678`: a scheme of the EAS list
/// (Electronic Address Scheme, European Commission) and a value of that scheme.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeppolId(String);

/// The text is not an electronic address of Peppol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PeppolIdError {
    /// The text is not a scheme of four digits, a colon and at most 50 characters.
    #[error("wrong_form")]
    WrongForm,
    /// The scheme is not in the EAS list.
    #[error("unknown_scheme")]
    UnknownScheme,
    /// The value is not a number of its scheme.
    #[error("wrong_value")]
    WrongValue,
}

/// Schemes of the EAS list that Peppol uses (`eas` of Peppol BIS Billing 3.0, 2026.5).
const SCHEMES: &str = "0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 \
    0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 \
    0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0221 0225 0230 0235 0240 9910 9913 9914 9915 9918 9919 \
    9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 \
    9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959";

/// Maximum number of characters of a value.
const LONGEST: usize = 50;

impl PeppolId {
    /// Parses an address. Numbers of the Dutch Business Register (0106), Dutch governmental
    /// organisations (0190, OIN) and Belgian enterprises (0208, 9925), and Dutch VAT numbers (9944)
    /// are checked.
    ///
    /// ```
    /// use ledger::identifiers::{PeppolId, PeppolIdError};
    ///
    /// let id = PeppolId::parse("0106:12345678")?;
    /// assert_eq!((id.scheme(), id.value()), ("0106", "12345678"));
    /// assert_eq!(PeppolId::parse("0106:1234567"), Err(PeppolIdError::WrongValue));
    /// assert_eq!(PeppolId::parse("1234:1"), Err(PeppolIdError::UnknownScheme));
    /// # Ok::<(), PeppolIdError>(())
    /// ```
    ///
    /// # Errors
    /// The form is wrong, the scheme is unknown, or the value is not one of the scheme.
    pub fn parse(text: &str) -> Result<Self, PeppolIdError> {
        let (scheme, value) = text.trim().split_once(':').ok_or(PeppolIdError::WrongForm)?;
        let is_allowed =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'.' | b'-');
        if !has_form(scheme, "####")
            || value.is_empty()
            || value.len() > LONGEST
            || !value.bytes().all(is_allowed)
        {
            return Err(PeppolIdError::WrongForm);
        }
        if !SCHEMES.split(' ').any(|known| known == scheme) {
            return Err(PeppolIdError::UnknownScheme);
        }
        let value = match scheme {
            "9925" | "9944" => value.to_ascii_uppercase(),
            _ => value.to_owned(),
        };
        let is_right = match scheme {
            "0106" => has_form(&value, "########"),
            "0190" => has_form(&value, "####################"),
            "0208" => check_digits::is_belgian(&value),
            "9925" => value.strip_prefix("BE").is_some_and(check_digits::is_belgian),
            "9944" => value.strip_prefix("NL").is_some_and(|rest| has_form(rest, "#########B##")),
            _ => true,
        };
        if is_right {
            Ok(Self(format!("{scheme}:{value}")))
        } else {
            Err(PeppolIdError::WrongValue)
        }
    }

    /// Returns the scheme and the value, separated by a colon.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the scheme, four digits.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.0[..4]
    }

    /// Returns the value.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.0[5..]
    }

    /// Returns the schemes that Peppol uses.
    pub fn schemes() -> impl Iterator<Item = &'static str> {
        SCHEMES.split(' ')
    }
}

impl fmt::Display for PeppolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
