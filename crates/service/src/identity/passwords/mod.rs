//! Password policy, hashing and verification.
//!
//! Hashing deliberately takes tens of milliseconds and 19 MiB. It is never done inside a
//! transaction.

mod guessable;

use crate::{Error, Fault, Reason, environment::Random};
use argon2::{Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier};

/// Minimum length in characters (OWASP ASVS 5.0, 6.2.1); the pages recommend [`RECOMMENDED_CHARS`].
pub const MIN_CHARS: usize = 8;
/// Recommended length in characters.
pub const RECOMMENDED_CHARS: usize = 12;
/// Maximum length in characters, which keeps hashing cheap; long passphrases fit.
pub const MAX_CHARS: usize = 256;

/// Result of comparing a password with a stored hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The password is wrong, or none is stored.
    Mismatch,
    /// The password is right.
    Right,
    /// The password is right, but its hash was made with weaker parameters than the current ones,
    /// so the password should be hashed again.
    RightButWeaklyHashed,
}

impl Verdict {
    /// Whether the password is right.
    #[must_use]
    pub fn is_right(self) -> bool {
        self != Self::Mismatch
    }
}

/// Returns the fault in a newly chosen password, if any. `personal` contains facts about the owner
/// that others can find out, such as the address and the name.
///
/// There are no rules about character classes, because such rules make passwords worse (NIST SP
/// 800-63B, 3.1.1.2; OWASP ASVS 5.0, 6.2.5).
#[must_use]
pub fn validate(password: &str, personal: &[&str]) -> Option<Fault> {
    let fault = |reason| Some(Fault::new("/password", reason));
    if password.chars().count() < MIN_CHARS {
        return fault(Reason::PasswordTooShort { least: MIN_CHARS });
    }
    if password.chars().count() > MAX_CHARS {
        return fault(Reason::PasswordTooLong { most: MAX_CHARS });
    }
    if guessable::is_common(password) {
        return fault(Reason::PasswordCommon);
    }
    if guessable::is_personal(password, personal) {
        return fault(Reason::PasswordPersonal);
    }
    None
}

/// Hashes a password with Argon2id and the parameters that OWASP recommends (19 MiB, 2 passes, 1
/// lane), as a PHC string.
///
/// # Errors
/// The random number generator failed, or there is not enough memory.
pub fn hash(random: &dyn Random, password: &str) -> Result<String, Error> {
    let broken = |error: &dyn std::fmt::Display| Error::Internal(error.to_string());
    let mut salt = [0; 16];
    random.fill(&mut salt).map_err(|error| broken(&error))?;
    let hash = current()
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|error| broken(&error))?;
    Ok(hash.to_string())
}

/// Compares a password with the stored hash. If no hash is stored, the same work is done, so that
/// the duration does not reveal whether an account exists.
#[must_use]
pub fn verify(password: &str, stored: Option<&str>) -> Verdict {
    // Passwords longer than the maximum were never accepted.
    let parsed = stored
        .filter(|_| password.chars().count() <= MAX_CHARS)
        .and_then(|stored| PasswordHash::new(stored).ok());
    let Some(parsed) = parsed else {
        // Only the time that the hashing takes matters; its output is discarded.
        let mut out = [0; 32];
        let _ = current().hash_password_into(password.as_bytes(), &[0; 16], &mut out);
        return Verdict::Mismatch;
    };
    match current().verify_password(password.as_bytes(), &parsed) {
        Err(_) => Verdict::Mismatch,
        Ok(()) if is_weak(&parsed) => Verdict::RightButWeaklyHashed,
        Ok(()) => Verdict::Right,
    }
}

/// Returns the library's default parameters. A test checks that these are the ones that OWASP
/// recommends.
fn current() -> Argon2<'static> {
    Argon2::default()
}

fn is_weak(hash: &PasswordHash) -> bool {
    let now = Params::default();
    hash.algorithm.as_str() != "argon2id"
        || Params::try_from(hash).map_or(true, |then| {
            then.m_cost() < now.m_cost()
                || then.t_cost() < now.t_cost()
                || then.p_cost() < now.p_cost()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::System;
    use argon2::{Algorithm, Version};

    #[test]
    fn good_passwords_are_accepted_and_others_rejected() {
        let personal = ["anna.ontwerp@example.com", "Anna Ontwerp"];
        let long = "één ".repeat(42);
        for good in [
            "ochtendnevel",
            "correct horse battery staple",
            "x7!mQ-2p",
            &long,
            "日本語のパスワードです",
            "welkom bij de drie biggen",
            "amsterdam fiets 2026 gracht",
            "Anna eet taart",
        ] {
            assert_eq!(validate(good, &personal), None, "{good}");
        }
        let too_long = format!("{long}{long}");
        let cases = [
            ("", "out_of_range"),
            ("seven 7", "out_of_range"),
            (&too_long, "out_of_range"),
            ("password", "too_common"),
            ("PassWord1", "too_common"),
            ("12345678", "too_common"),
            ("Welkom01", "too_common"),
            ("aaaaaaaaaaaa", "too_common"),
            ("        ", "too_common"),
            ("anna.ontwerp", "too_common"),
            ("Anna.Ontwerp@Example.com", "too_common"),
            ("anna ontwerp", "too_common"),
            // A common, everyday or personal word with the usual additions.
            ("Welkom2026!", "too_common"),
            ("Winter2026!", "too_common"),
            ("amsterdam2026", "too_common"),
            ("Amsterdam 2026", "too_common"),
            ("grootboek123", "too_common"),
            ("Gr00tb0ek!!", "too_common"),
            ("ajax1234", "too_common"),
            ("W@chtw00rd-1", "too_common"),
            ("2026maandag", "too_common"),
            ("september.26", "too_common"),
            ("P@ssw0rd2026", "too_common"),
            ("anna2026!", "too_common"),
            ("Ontwerp#12", "too_common"),
            ("example2026", "too_common"),
            ("31-12-1999", "too_common"),
            ("        . ", "too_common"),
            ("!!!!2026!!!!", "too_common"),
            ("annaontwerp", "too_common"),
        ];
        for (bad, code) in cases {
            assert_eq!(
                validate(bad, &personal).map(|fault| fault.reason.code()),
                Some(code),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_hash_is_argon2id_with_the_parameters_of_owasp() {
        let made = hash(&System, "a long passphrase").unwrap();
        assert!(made.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{made}");
        assert_ne!(made, hash(&System, "a long passphrase").unwrap());
        assert_eq!(verify("a long passphrase", Some(&made)), Verdict::Right);
        for wrong in ["A long passphrase", "a long passphrase ", "", &"x".repeat(10_000)] {
            assert_eq!(verify(wrong, Some(&made)), Verdict::Mismatch, "{wrong:.20}");
        }
        assert_eq!(verify("a long passphrase", None), Verdict::Mismatch);
        assert_eq!(verify("a long passphrase", Some("plain text")), Verdict::Mismatch);
    }

    #[test]
    fn every_character_of_a_long_passphrase_counts() {
        let long = "0123456789abcdef".repeat(16);
        let made = hash(&System, &long).unwrap();
        assert_eq!(verify(&long, Some(&made)), Verdict::Right);
        assert_eq!(verify(&long[..255], Some(&made)), Verdict::Mismatch);
        assert_eq!(verify(&format!("{long}x"), Some(&made)), Verdict::Mismatch);
    }

    #[test]
    fn a_hash_with_lower_parameters_is_reported_as_weak() {
        let lower = Argon2::new(
            Algorithm::Argon2id,
            Version::V0x13,
            Params::new(8_192, 1, 1, None).unwrap(),
        );
        let old =
            lower.hash_password_with_salt(b"a long passphrase", &[7; 16]).unwrap().to_string();
        assert_eq!(verify("a long passphrase", Some(&old)), Verdict::RightButWeaklyHashed);
        assert_eq!(verify("another passphrase", Some(&old)), Verdict::Mismatch);
        let higher = Argon2::new(
            Algorithm::Argon2id,
            Version::V0x13,
            Params::new(19_456, 3, 1, None).unwrap(),
        );
        let strong =
            higher.hash_password_with_salt(b"a long passphrase", &[7; 16]).unwrap().to_string();
        assert_eq!(verify("a long passphrase", Some(&strong)), Verdict::Right);
    }
}
