//! Authenticator app that generates codes for two-factor authentication.

use jiff::Timestamp;
use totp_rs::{Builder, Secret};

/// Returns the code for a seed, given in base32 (RFC 4648, section 6) with spaces.
#[must_use]
pub fn code(seed: &str, now: Timestamp) -> String {
    let mut bytes = Vec::new();
    let (mut bits, mut pending) = (0_u32, 0);
    for c in seed.chars().filter(|c| !c.is_whitespace()) {
        bits =
            bits << 5 | u32::try_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(c).unwrap()).unwrap();
        pending += 5;
        if pending >= 8 {
            pending -= 8;
            bytes.push((bits >> pending & 0xff) as u8);
        }
    }
    let totp =
        Builder::new().with_secret(Secret::new_stack(bytes.try_into().unwrap())).build().unwrap();
    totp.generate(now.as_second().cast_unsigned()).to_string()
}
