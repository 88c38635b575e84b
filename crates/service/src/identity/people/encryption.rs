//! Encryption of values that must not be readable from a copy of the database, with a key that is
//! stored elsewhere.

use crate::{Error, environment::Random};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead, KeyInit, Payload},
};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Length of the nonce that precedes the ciphertext, in bytes: long enough that random nonces do
/// not repeat.
const NONCE: usize = 24;

/// Key that encrypts second factors and webhook secrets. Without it, a copy of the database is not
/// enough to generate a person's codes.
#[derive(Clone, PartialEq, Eq)]
pub struct EncryptionKey([u8; 32]);

impl EncryptionKey {
    /// Creates a key from random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Derives secret bytes for one purpose (HMAC-SHA-256): the same ones each time, and unrelated
    /// ones for another purpose.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(&self.0)
            .expect("HMAC takes keys of any length");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Encrypts a text for one purpose, such as the second factor of one person; the result cannot
    /// be decrypted for another purpose.
    pub(crate) fn encrypt(
        &self,
        random: &dyn Random,
        purpose: &str,
        text: &[u8],
    ) -> Result<String, Error> {
        let nonce: [u8; NONCE] = super::draw_bytes(random)?;
        let payload = Payload { msg: text, aad: purpose.as_bytes() };
        let encrypted = XChaCha20Poly1305::new(&self.0.into())
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| Error::Internal("encryption failed".into()))?;
        Ok(URL_SAFE_NO_PAD.encode([&nonce[..], &encrypted].concat()))
    }

    /// Decrypts a text; `None` if it was encrypted with another key or for another purpose, or has
    /// been modified.
    pub(crate) fn decrypt(&self, purpose: &str, encrypted: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(encrypted).ok()?;
        let (nonce, encrypted) = bytes.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: encrypted, aad: purpose.as_bytes() };
        XChaCha20Poly1305::new(&self.0.into()).decrypt(&XNonce::from(*nonce), payload).ok()
    }
}

/// Hides the key, which could otherwise end up in logs.
impl std::fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EncryptionKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::System;

    #[test]
    fn derived_bytes_depend_on_the_key_and_the_purpose() {
        let (key, other) = (EncryptionKey::new([1; 32]), EncryptionKey::new([2; 32]));
        assert_eq!(key.derive("a"), key.derive("a"));
        assert_ne!(key.derive("a"), key.derive("b"));
        assert_ne!(key.derive("a"), other.derive("a"));
    }

    #[test]
    fn decryption_needs_the_same_key_and_purpose_and_an_unmodified_text() {
        let (key, other) = (EncryptionKey::new([1; 32]), EncryptionKey::new([2; 32]));
        let encrypted = key.encrypt(&System, "account 1", b"a seed").unwrap();
        assert_ne!(encrypted, key.encrypt(&System, "account 1", b"a seed").unwrap());
        assert_eq!(key.decrypt("account 1", &encrypted).as_deref(), Some(&b"a seed"[..]));
        assert_eq!(key.decrypt("account 2", &encrypted), None);
        assert_eq!(other.decrypt("account 1", &encrypted), None);
        for place in 0..encrypted.len() {
            let mut changed = encrypted.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'Q' } else { b'A' };
            assert_eq!(
                key.decrypt("account 1", &String::from_utf8(changed).unwrap()),
                None,
                "place {place}"
            );
        }
        assert_eq!(key.decrypt("account 1", ""), None);
        assert_eq!(format!("{key:?}"), "EncryptionKey");
    }
}
