//! Secrets for programs: generated here, recognised by their form, and stored only as a hash.
//!
//! A secret consists of a prefix that names its kind, 43 random base-62 digits (256 bits), and a
//! CRC-32 of the preceding characters in 6 base-62 digits. This form lets people and secret
//! scanners recognise a secret, lets the server reject a mistyped one without a query, and keeps
//! the kinds apart.

use crate::{Error, environment::Random};
use sha2::{Digest, Sha256};

/// Number of random characters in a secret: 43 base-62 digits hold 256 bits.
const RANDOM_CHARS: usize = 43;
/// Number of characters in the checksum: a CRC-32 in base 62.
const CHECKSUM_CHARS: usize = 6;
/// Number of random characters in an identifier that is not secret but must be unguessable and
/// unique: 22 base-62 digits hold 131 bits.
const ID_CHARS: usize = 22;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Kind of secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// An API key.
    Key,
    /// An API key of a test account.
    TestKey,
    /// An access token of a connected application.
    AccessToken,
    /// A refresh token of a connected application.
    RefreshToken,
    /// An authorization code.
    Code,
    /// The secret of a partner application.
    ClientSecret,
}

impl SecretKind {
    /// Prefix of every secret of the kind.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Key => "gb_live_",
            Self::TestKey => "gb_test_",
            Self::AccessToken => "gb_access_",
            Self::RefreshToken => "gb_refresh_",
            Self::Code => "gb_code_",
            Self::ClientSecret => "gb_secret_",
        }
    }
}

/// Generates a secret.
///
/// # Errors
/// The random number generator failed.
pub fn draw(random: &dyn Random, kind: SecretKind) -> Result<String, Error> {
    let secret = kind.prefix().to_owned() + &digits(random, RANDOM_CHARS)?;
    let checksum = checksum(&secret);
    Ok(secret + &checksum)
}

/// Generates a random identifier that is not secret.
///
/// # Errors
/// The random number generator failed.
pub fn draw_id(random: &dyn Random) -> Result<String, Error> {
    digits(random, ID_CHARS)
}

/// Returns the hash under which a presented secret is stored; `None` if its form or checksum shows,
/// without a query, that it is not a secret of this kind.
#[must_use]
pub fn recognise(kind: SecretKind, presented: &str) -> Option<[u8; 32]> {
    let body = presented.strip_prefix(kind.prefix())?;
    if body.len() != RANDOM_CHARS + CHECKSUM_CHARS
        || !body.bytes().all(|byte| byte.is_ascii_alphanumeric())
    {
        return None;
    }
    let (checked, checksum) = presented.split_at(presented.len() - CHECKSUM_CHARS);
    (self::checksum(checked) == checksum).then(|| hash(presented))
}

/// Returns the hash that is stored for a secret. Neither a salt nor a slow hash is needed, since
/// 256 bits cannot be guessed (OWASP ASVS 5.0, 6.5.2).
#[must_use]
pub fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Generates random base-62 digits.
fn digits(random: &dyn Random, count: usize) -> Result<String, Error> {
    let mut text = String::with_capacity(count);
    let mut bytes = [0; 64];
    while text.len() < count {
        random.fill(&mut bytes).map_err(|error| Error::Internal(error.to_string()))?;
        // Bytes from 248 (4 × 62) on are discarded, so that every character is equally likely.
        let chars = bytes
            .iter()
            .filter(|byte| **byte < 248)
            .map(|byte| char::from(BASE62[usize::from(byte % 62)]));
        text.extend(chars.take(count - text.len()));
    }
    Ok(text)
}

fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::{NoRandomness, System};

    const ALL: [SecretKind; 6] = [
        SecretKind::Key,
        SecretKind::TestKey,
        SecretKind::AccessToken,
        SecretKind::RefreshToken,
        SecretKind::Code,
        SecretKind::ClientSecret,
    ];

    struct Same(u8);
    impl Random for Same {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
            bytes.fill(self.0);
            Ok(())
        }
    }

    #[test]
    fn a_secret_has_its_form_and_is_recognised_only_as_its_kind() {
        for kind in ALL {
            let secret = draw(&System, kind).unwrap();
            assert_eq!(secret.len(), kind.prefix().len() + 43 + 6);
            assert!(secret.starts_with(kind.prefix()));
            for other in ALL {
                assert_eq!(
                    recognise(other, &secret),
                    (other == kind).then(|| hash(&secret)),
                    "{kind:?} {other:?}"
                );
            }
            assert_ne!(secret, draw(&System, kind).unwrap());
        }
    }

    #[test]
    fn the_checksum_is_crc_32_in_base_62() {
        // The check value in the CRC catalogue: CRC-32 of "123456789" is 0xCBF43926 = 3421780262.
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(
            draw(&Same(0), SecretKind::Key).unwrap()[..51],
            format!("gb_live_{}", "0".repeat(43))
        );
    }

    #[test]
    fn a_change_of_any_character_is_detected() {
        let secret = draw(&System, SecretKind::AccessToken).unwrap();
        for place in 0..secret.len() {
            let mut bytes = secret.clone().into_bytes();
            bytes[place] = if bytes[place] == b'x' { b'y' } else { b'x' };
            assert_eq!(
                recognise(SecretKind::AccessToken, &String::from_utf8(bytes).unwrap()),
                None,
                "place {place}"
            );
        }
        for bad in ["", "gb_access_", &secret[1..], &format!("{secret}0"), &secret.to_uppercase()] {
            assert_eq!(recognise(SecretKind::AccessToken, bad), None, "{bad}");
        }
    }
}
