//! Links to the pages of customers: their tokens are encrypted by the server's secret, and guesses
//! are counted.

use crate::{address::ClientAddress, config::Config};
use aes::{
    Aes256, Block,
    cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _},
};
use jiff::{SignedDuration, Timestamp};
use service::{
    customer_links::LinkedKind,
    environment::{LinkTarget, Links},
    people::EncryptionKey,
};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// Characters of a token, each one of 62. Together they have room for a block of AES.
const LENGTH: usize = 22;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Misses of one address a minute.
const MOST_MISSES: u32 = 20;
const MINUTE: SignedDuration = SignedDuration::from_mins(1);
/// Maximum number of addresses whose misses are counted at once.
const MOST_ADDRESSES: usize = 10_000;

/// Ciphers of tokens, each of which is one block. Without the key, a token looks like 128 random
/// bits, and the probability that a guessed one leads to a document is the number of links in 2¹²⁸.
struct OfSecret {
    quotes: Aes256,
    invoices: Aes256,
    /// URL of the pages.
    base_url: String,
}

impl OfSecret {
    fn new(key: &EncryptionKey, base_url: String) -> Self {
        let cipher = |purpose: &str| Aes256::new(&key.derive(purpose).into());
        let (quotes, invoices) = (cipher("links of quotes"), cipher("links of invoices"));
        Self { quotes, invoices, base_url }
    }

    fn cipher(&self, kind: LinkedKind) -> &Aes256 {
        match kind {
            LinkedKind::Quote => &self.quotes,
            LinkedKind::Invoice => &self.invoices,
        }
    }
}

impl Links for OfSecret {
    fn url(&self, kind: LinkedKind, target: LinkTarget) -> String {
        let LinkTarget { account, document, number, created_at } = target;
        let parts = [account, document, number, created_at];
        let joined = parts.iter().fold(0, |joined, part| joined << 32 | u128::from(*part));
        let mut block = Block::from(joined.to_be_bytes());
        self.cipher(kind).encrypt_block(&mut block);
        let page = match kind {
            LinkedKind::Quote => 'q',
            LinkedKind::Invoice => 'i',
        };
        format!("{}/{page}/{}", self.base_url, digits(u128::from_be_bytes(block.into())))
    }

    fn target(&self, kind: LinkedKind, token: &str) -> Option<LinkTarget> {
        let mut block = Block::from(number(token)?.to_be_bytes());
        self.cipher(kind).decrypt_block(&mut block);
        let joined = u128::from_be_bytes(block.into());
        let part = |place: u32| u32::try_from(joined >> (32 * place) & u128::from(u32::MAX)).ok();
        Some(LinkTarget {
            account: part(3)?,
            document: part(2)?,
            number: part(1)?,
            created_at: part(0)?,
        })
    }
}

/// Returns the links of the server, if it has a secret.
pub(crate) fn of(config: &Config) -> Option<Arc<dyn Links>> {
    Some(of_secret(config.encryption_key.as_ref()?, config.base_url.clone()))
}

/// Returns the links that follow from a secret, to pages below a URL.
#[must_use]
pub fn of_secret(key: &EncryptionKey, base_url: String) -> Arc<dyn Links> {
    Arc::new(OfSecret::new(key, base_url))
}

/// Writes a number in base 62, its last digit first.
fn digits(mut number: u128) -> String {
    let mut token = String::with_capacity(LENGTH);
    for _ in 0..LENGTH {
        let digit = usize::try_from(number % 62).unwrap_or_default();
        token.push(char::from(DIGITS[digit]));
        number /= 62;
    }
    token
}

/// Reads a number that [`digits`] wrote.
fn number(token: &str) -> Option<u128> {
    if token.len() != LENGTH {
        return None;
    }
    token.bytes().rev().try_fold(0_u128, |number, sign| {
        let digit = DIGITS.iter().position(|digit| *digit == sign)?;
        number.checked_mul(62)?.checked_add(u128::try_from(digit).ok()?)
    })
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

    fn links(key: u8) -> OfSecret {
        OfSecret::new(&EncryptionKey::new([key; 32]), "https://b.example".into())
    }

    #[test]
    fn a_token_leads_back_to_its_document_by_its_own_secret_and_kind_only() {
        let target = LinkTarget { account: 7, document: u32::MAX, number: 1, created_at: 9 };
        let url = links(7).url(LinkedKind::Invoice, target);
        let token = url.strip_prefix("https://b.example/i/").unwrap();
        assert!(
            token.len() == 22 && token.bytes().all(|sign| sign.is_ascii_alphanumeric()),
            "{url}"
        );
        assert_eq!(links(7).target(LinkedKind::Invoice, token), Some(target));
        for (key, kind) in [(8, LinkedKind::Invoice), (7, LinkedKind::Quote)] {
            assert_ne!(links(key).target(kind, token), Some(target));
        }
        // Neighbours have nothing in common.
        let next = links(7).url(LinkedKind::Invoice, LinkTarget { number: 2, ..target });
        let next = next.rsplit_once('/').unwrap().1;
        let same = next.bytes().zip(token.bytes()).filter(|(next, sign)| next == sign).count();
        assert!(same < 6, "{next} {token}");
    }

    #[test]
    fn each_sign_of_a_token_counts() {
        let target = LinkTarget { account: 1, document: 2, number: 3, created_at: 4 };
        let url = links(1).url(LinkedKind::Quote, target);
        let token = url.rsplit_once('/').unwrap().1;
        for place in 0..LENGTH {
            let mut other = token.as_bytes().to_vec();
            other[place] = if other[place] == b'1' { b'2' } else { b'1' };
            let other = String::from_utf8(other).unwrap();
            assert_ne!(links(1).target(LinkedKind::Quote, &other), Some(target), "{other}");
        }
        for other in [&token[1..], &format!("{token}0"), "", &"é".repeat(11), &"z".repeat(22)] {
            assert_eq!(links(1).target(LinkedKind::Quote, other), None, "{other}");
        }
    }

    #[test]
    fn numbers_are_written_in_base_62() {
        assert_eq!(digits(0), "0".repeat(22));
        assert_eq!(digits(61), format!("z{}", "0".repeat(21)));
        assert_eq!(digits(62), format!("01{}", "0".repeat(20)));
        for value in [0, 61, 62, 1 << 64, u128::MAX] {
            assert_eq!(number(&digits(value)), Some(value));
        }
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
