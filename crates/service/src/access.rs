//! API keys: made, shown once, recognised, revoked.

use crate::{Actor, Error, actor::Credential, outside::Random};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::{
    Tx,
    api_calls::{self, ApiCall},
    books::{self, Noun},
    invoices::Door,
    keys::{self, ApiKey, Scopes},
    oauth,
};

/// What every key begins with, so that people and secret scanners recognise one.
pub const KEY_PREFIX: &str = "gb_live_";
/// Random characters in a key: 43 digits of base 62 hold 256 bits.
const RANDOM_CHARS: usize = 43;
/// Characters of checksum in a key: CRC-32 in base 62.
const CHECKSUM_CHARS: usize = 6;
/// Characters of a key that are kept readable, to recognise it by in a list.
const SHOWN_CHARS: usize = KEY_PREFIX.len() + 4;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A key at the only moment at which it is known.
#[derive(Clone)]
pub struct NewKey {
    /// The key itself; not stored anywhere.
    pub secret: String,
    /// What is stored of it.
    pub key: ApiKey,
}

/// Makes a key for an account.
///
/// # Errors
/// No scope was chosen, the name is empty or too long, or there is no randomness.
pub fn create_key(
    tx: &mut Tx<'_>,
    actor: &Actor,
    random: &dyn Random,
    now: Timestamp,
    name: &str,
    scopes: Scopes,
) -> Result<NewKey, Error> {
    if !scopes.read && !scopes.write {
        return Err(Error::fault("/scopes", "required", "choose at least one scope: read, write"));
    }
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 255 {
        return Err(Error::fault("/name", "required", "give the key a name of 1 to 255 characters"));
    }
    let secret = draw_secret(random)?;
    books::change(tx, actor.account, |tx, books| {
        let key = ApiKey {
            id: books.next_id(Noun::ApiKey),
            name: name.to_owned(),
            prefix: secret[..SHOWN_CHARS].to_owned(),
            scopes,
            created_at: now,
            last_used_at: None,
            last_used_address: None,
            revoked_at: None,
        };
        keys::insert(tx, actor.account, &key, &hash(&secret))?;
        Ok(NewKey { secret: secret.clone(), key })
    })
}

/// All keys of the account, also the revoked ones.
///
/// # Errors
/// The storage failed.
pub fn list_keys(tx: &mut Tx<'_>, actor: &Actor) -> Result<Vec<ApiKey>, Error> {
    Ok(keys::all(tx, actor.account)?)
}

/// Ends a key at once.
///
/// # Errors
/// There is no such key, or it was revoked before.
pub fn revoke_key(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, id: i64) -> Result<(), Error> {
    if keys::revoke(tx, actor.account, id, now)? { Ok(()) } else { Err(Error::NotFound("unrevoked API key")) }
}

/// The hash by which a presented key is found; nothing when it cannot be one of ours, which its form and checksum tell without
/// asking the database.
#[must_use]
pub fn recognise(presented: &str) -> Option<[u8; 32]> {
    let body = presented.strip_prefix(KEY_PREFIX)?;
    if body.len() != RANDOM_CHARS + CHECKSUM_CHARS || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let (checked, checksum) = presented.split_at(presented.len() - CHECKSUM_CHARS);
    (self::checksum(checked) == checksum).then(|| hash(presented))
}

/// Who the key with this hash speaks for; nothing when it is unknown or revoked.
///
/// # Errors
/// The storage failed.
pub fn authenticate(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Actor>, Error> {
    Ok(keys::holder(tx, hash)?.map(|holder| Actor {
        account: holder.account,
        credential: Credential::Key(holder.key),
        scopes: holder.scopes,
        plan: holder.plan,
        country: holder.country,
        payment_term_days: holder.payment_term_days,
        number_pattern: holder.number_pattern,
        door: Door::Api,
    }))
}

/// The last use of a key or a connection.
#[derive(Debug, Clone)]
pub struct Use {
    /// Whose it is.
    pub account: i64,
    /// What was used.
    pub credential: Credential,
    /// When.
    pub at: Timestamp,
    /// From where.
    pub address: String,
}

/// Notes the last calls of the API, each with its account, and when keys and connections were last used.
///
/// # Errors
/// The storage failed.
pub fn note_calls(tx: &mut Tx<'_>, uses: &[Use], calls: &[(i64, ApiCall)]) -> Result<(), Error> {
    for Use { account, credential, at, address } in uses {
        match credential {
            Credential::Owner => {}
            Credential::Key(key) => keys::note_use(tx, *account, *key, *at, address)?,
            Credential::Grant(grant) => oauth::note_use(tx, *account, grant, *at, address)?,
        }
    }
    Ok(api_calls::append(tx, calls)?)
}

/// The last calls of the account, the latest first.
///
/// # Errors
/// The storage failed.
pub fn last_calls(tx: &mut Tx<'_>, actor: &Actor) -> Result<Vec<ApiCall>, Error> {
    Ok(api_calls::last(tx, actor.account)?)
}

fn draw_secret(random: &dyn Random) -> Result<String, Error> {
    let mut secret = String::from(KEY_PREFIX);
    let mut bytes = [0; 64];
    while secret.len() < KEY_PREFIX.len() + RANDOM_CHARS {
        random.fill(&mut bytes).map_err(|trouble| Error::Broken(trouble.to_string()))?;
        // Bytes from 248 on are drawn again, so that every character is equally likely (248 = 4 x 62).
        let chars = bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(BASE62[usize::from(byte % 62)]));
        let missing = KEY_PREFIX.len() + RANDOM_CHARS - secret.len();
        secret.extend(chars.take(missing));
    }
    let checksum = checksum(&secret);
    Ok(secret + &checksum)
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

fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outside::{Machine, NoRandomness};

    struct Same(u8);
    impl Random for Same {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
            bytes.fill(self.0);
            Ok(())
        }
    }

    #[test]
    fn a_key_has_its_form_and_is_recognised() {
        let secret = draw_secret(&Machine).unwrap();
        assert_eq!(secret.len(), 8 + 43 + 6);
        assert!(secret.starts_with("gb_live_"));
        assert_eq!(recognise(&secret), Some(hash(&secret)));
        assert_ne!(secret, draw_secret(&Machine).unwrap());
    }

    #[test]
    fn the_checksum_is_crc_32_in_base_62() {
        // CRC-32 of "123456789" is 0xCBF43926 = 3421780262 (the check value of the CRC catalogue).
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(draw_secret(&Same(0)).unwrap()[..51], format!("gb_live_{}", "0".repeat(43)));
    }

    #[test]
    fn every_changed_character_is_noticed() {
        let secret = draw_secret(&Machine).unwrap();
        for place in 0..secret.len() {
            let mut bytes = secret.clone().into_bytes();
            bytes[place] = if bytes[place] == b'x' { b'y' } else { b'x' };
            assert_eq!(recognise(&String::from_utf8(bytes).unwrap()), None, "place {place}");
        }
        for bad in ["", "gb_live_", &secret[1..], &format!("{secret}0"), &secret.to_uppercase()] {
            assert_eq!(recognise(bad), None, "{bad}");
        }
    }
}
