//! Links to the pages of customers: their tokens follow from the server's secret, and guesses are
//! counted.

use crate::{address::ClientAddress, config::Config};
use jiff::{SignedDuration, Timestamp};
use service::{environment::Links, people::EncryptionKey};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// Characters of a token, of which each can be any of 62: 131 bits together.
const LENGTH: usize = 22;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Misses of one address a minute.
const MOST_MISSES: u32 = 20;
const MINUTE: SignedDuration = SignedDuration::from_mins(1);
/// Maximum number of addresses whose misses are counted at once.
const MOST_ADDRESSES: usize = 10_000;

struct OfSecret {
    key: EncryptionKey,
    /// URL of the pages.
    base_url: String,
}

impl Links for OfSecret {
    fn token(&self, account: i64, quote: i64, number: i64) -> String {
        digits(self.key.derive(&format!("link of quote {account} {quote} {number}")))
    }

    fn quote(&self, token: &str) -> String {
        format!("{}/q/{token}", self.base_url)
    }
}

/// Returns the links of the server, if it has a secret.
pub(crate) fn of(config: &Config) -> Option<Arc<dyn Links>> {
    config.encryption_key.clone().map(|key| of_secret(key, config.base_url.clone()))
}

/// Returns the links that follow from a secret. Their tokens do not depend on the URL of the pages.
#[must_use]
pub fn of_secret(key: EncryptionKey, base_url: String) -> Arc<dyn Links> {
    Arc::new(OfSecret { key, base_url })
}

/// Writes a number of 256 bits in base 62, and returns its last digits.
fn digits(mut number: [u8; 32]) -> String {
    let mut token = String::with_capacity(LENGTH);
    for _ in 0..LENGTH {
        let mut remainder = 0_usize;
        for byte in &mut number {
            let value = remainder * 256 + usize::from(*byte);
            // The quotient of a number below 62 × 256 fits a byte.
            *byte = u8::try_from(value / 62).unwrap_or(u8::MAX);
            remainder = value % 62;
        }
        token.push(char::from(DIGITS[remainder]));
    }
    token
}

/// Whether a text has the form of a token.
#[must_use]
pub fn is_token(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Counts of links that do not exist, per address and minute.
#[derive(Default)]
pub struct Misses(Mutex<HashMap<IpAddr, (Timestamp, u32)>>);

impl Misses {
    /// Whether an address has missed as often as it may in this minute.
    pub fn are_too_many(&self, address: ClientAddress, now: Timestamp) -> bool {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_now = |(since, _): &&(Timestamp, u32)| now.duration_since(*since) < MINUTE;
        let count = counts.get(&address.ip()).filter(of_now);
        count.is_some_and(|(_, count)| *count >= MOST_MISSES)
    }

    /// Counts a miss.
    pub fn count(&self, address: ClientAddress, now: Timestamp) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MOST_ADDRESSES {
            counts.retain(|_, (since, _)| now.duration_since(*since) < MINUTE);
        }
        if counts.len() >= MOST_ADDRESSES {
            counts.clear();
        }
        let count = counts.entry(address.ip()).or_insert((now, 0));
        if now.duration_since(count.0) >= MINUTE {
            *count = (now, 0);
        }
        count.1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_22_digits_and_depend_on_every_part() {
        let links =
            OfSecret { key: EncryptionKey::new([7; 32]), base_url: "https://b.example".into() };
        let tokens = [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)]
            .map(|(account, quote, number)| links.token(account, quote, number));
        for (place, token) in tokens.iter().enumerate() {
            assert!(is_token(token), "{token}");
            assert!(!tokens[..place].contains(token), "{token}");
        }
        assert_eq!(links.token(1, 1, 1), tokens[0]);
        assert_eq!(links.quote(&tokens[0]), format!("https://b.example/q/{}", tokens[0]));
    }

    #[test]
    fn numbers_are_written_in_base_62() {
        let mut number = [0; 32];
        assert_eq!(digits(number), "0".repeat(22));
        number[31] = 61;
        assert_eq!(digits(number), format!("z{}", "0".repeat(21)));
        (number[30], number[31]) = (0, 62);
        assert_eq!(digits(number), format!("01{}", "0".repeat(20)));
    }

    #[test]
    fn twenty_misses_a_minute_are_too_many() {
        let misses = Misses::default();
        let address = ClientAddress::of("192.0.2.1".parse().unwrap());
        let other = ClientAddress::of("192.0.2.2".parse().unwrap());
        let now = Timestamp::UNIX_EPOCH;
        for _ in 0..20 {
            assert!(!misses.are_too_many(address, now));
            misses.count(address, now);
        }
        assert!(misses.are_too_many(address, now));
        assert!(!misses.are_too_many(other, now));
        assert!(!misses.are_too_many(address, now + MINUTE));
    }
}
