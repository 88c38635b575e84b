//! The second factor: codes that change every half minute (RFC 6238), and recovery codes for when the device is lost.

use super::{Account, EncryptionKey, PersonId, Refusal, credentials, draw_bytes, events, hash};
use crate::{Environment, Error, accounts, environment::Random};
use data_encoding::BASE32_NOPAD;
use jiff::{SignedDuration, Timestamp};
use store::{Tx, mail_tokens, people as rows, sessions as session_rows};
use totp_rs::{Algorithm, Builder, Secret, Totp};
use url::form_urlencoded::byte_serialize;

/// What authenticator apps show above the code.
const ISSUER: &str = "grootboek";
/// Seconds that a code is for (RFC 6238, section 5.2).
const STEP: u64 = 30;
/// Bytes of a seed: 160 bits, as long as the hash (RFC 4226, section 4, R6).
const SEED: usize = 20;
/// Recovery codes that a person is given.
pub const RECOVERY_CODES: usize = 10;
/// Bytes of a recovery code: 120 bits, so that a plain hash keeps it (OWASP ASVS 5.0, 6.5.2 asks for 112).
const RECOVERY: usize = 15;
/// Digits of a code of an app.
const DIGITS: u8 = 6;
/// How long a seed that was shown can be confirmed.
const ENROL_WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// A code as somebody typed it, by what it looks like.
#[derive(Clone, PartialEq, Eq)]
pub enum Code {
    /// Six digits, as an app shows them.
    App(String),
    /// As long as a recovery code: its letters and digits, in small letters.
    Recovery(String),
    /// Neither, and so wrong.
    Other,
}

impl Code {
    /// Reads a code. How it is grouped and whether its letters are large does not matter.
    #[must_use]
    pub fn read(typed: &str) -> Self {
        let compact: String = typed.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        // Five bits a character.
        if compact.len() == RECOVERY * 8 / 5 {
            return Self::Recovery(compact);
        }
        let digits: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        let is_of_app = digits.len() == usize::from(DIGITS) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_of_app { Self::App(digits) } else { Self::Other }
    }
}

/// A seed on its way into an authenticator app. Nothing is stored yet.
#[derive(Clone)]
pub struct Enrolment {
    /// The seed in base32, in groups, for typing.
    pub secret: String,
    /// The address that the QR code holds.
    pub otpauth_url: String,
    /// The seed, encrypted: the form carries it to [`enrol_finish`].
    pub encrypted: String,
}

/// Draws a seed and shows it.
///
/// # Errors
/// There is a second factor already, or the server has no key.
pub fn enrol_begin(
    random: &dyn Random,
    key: Option<&EncryptionKey>,
    now: Timestamp,
    account: &Account,
) -> Result<Enrolment, Error> {
    let key = key.ok_or(Refusal::NoEncryptionKey)?;
    if account.owner.second_factor {
        return Err(Refusal::SecondFactorOn.into());
    }
    let seed: [u8; SEED] = draw_bytes(random)?;
    let until = (now + ENROL_WITHIN).as_second().to_be_bytes();
    let encrypted = key.encrypt(random, &enrolling(account.owner.id), &[&until[..], &seed].concat())?;
    Ok(offer(account, seed, encrypted))
}

fn offer(account: &Account, seed: [u8; SEED], encrypted: String) -> Enrolment {
    let base32 = BASE32_NOPAD.encode(&seed);
    let label: String = byte_serialize(account.owner.email.as_bytes()).collect();
    let otpauth_url =
        format!("otpauth://totp/{ISSUER}:{label}?secret={base32}&issuer={ISSUER}&algorithm=SHA1&digits=6&period={STEP}");
    Enrolment { secret: grouped(&base32, ' '), otpauth_url, encrypted }
}

/// The enrolment that a form carries, to show it again after a wrong code.
///
/// # Errors
/// It is not what was given out, or is too old; the server has no key.
pub fn enrol_again(key: Option<&EncryptionKey>, now: Timestamp, account: &Account, encrypted: &str) -> Result<Enrolment, Error> {
    let seed = opened(key, now, account.owner.id, encrypted)?;
    Ok(offer(account, seed, encrypted.to_owned()))
}

/// How many people have a second factor that this key is no use for: none when it opens one of them. After the key was changed on
/// purpose some may be left that it does not open.
///
/// # Errors
/// The storage failed.
pub fn out_of_reach(tx: &mut Tx<'_>, key: Option<&EncryptionKey>) -> Result<usize, Error> {
    let seeds = rows::seeds(tx)?;
    let opens = |key: &EncryptionKey| seeds.iter().any(|(person, encrypted)| key.decrypt(&purpose(*person), encrypted).is_some());
    Ok(if key.is_some_and(opens) { 0 } else { seeds.len() })
}

/// Sets the second factor up once a code shows that the app has the seed; gives the recovery codes, which are shown this once. All other
/// sessions end, as they were begun without it, and the links that were mailed stop working.
///
/// # Errors
/// The code is wrong; there is a second factor already; the form is too old; the server has no key.
pub fn enrol_finish(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    person: PersonId,
    session: &[u8; 32],
    encrypted: &str,
    code: &Code,
) -> Result<Vec<String>, Error> {
    let seed = opened(key, env.now, person, encrypted)?;
    let step = matching_step(seed, code, env.now).ok_or(Refusal::WrongCode)?;
    let key = key.ok_or(Refusal::NoEncryptionKey)?;
    if !rows::lock(tx, person)? {
        return Err(Error::NotFound("account"));
    }
    if credentials::own(tx, person)?.account.owner.second_factor {
        return Err(Refusal::SecondFactorOn.into());
    }
    let kept = key.encrypt(env.random(), &purpose(person), &seed)?;
    rows::set_seed(tx, person, Some((&kept, step)))?;
    session_rows::end_others(tx, person, session)?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::SecondFactorOn, "")?;
    draw_recovery_codes(tx, env, person)
}

/// Takes the second factor and its recovery codes away, once it was shown; tells whether it was.
///
/// # Errors
/// There is none; the server has no key.
pub fn disable(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    person: PersonId,
    code: &Code,
) -> Result<bool, Error> {
    if !is_shown(tx, env, key, person, code)? {
        return Ok(false);
    }
    remove(tx, person)?;
    events::record(tx, env, person, events::EventKind::SecondFactorOff, "")?;
    Ok(true)
}

/// Takes the second factor and its recovery codes away from somebody who lost both, as the operator may; all sessions end, and the links
/// that were mailed stop working.
///
/// # Errors
/// There is no account with that e-mail address, or it has no second factor.
pub fn reset_by_operator(tx: &mut Tx<'_>, env: &Environment, email: &str) -> Result<(), Error> {
    let person = accounts::by_email(tx, email)?.owner.id;
    rows::lock(tx, person)?;
    rows::seed(tx, person)?.ok_or(Refusal::SecondFactorOff)?;
    remove(tx, person)?;
    session_rows::end_all(tx, person)?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::SecondFactorOff, "operator")
}

fn remove(tx: &mut Tx<'_>, person: PersonId) -> Result<(), Error> {
    rows::set_seed(tx, person, None)?;
    Ok(rows::replace_recovery_codes(tx, person, &[])?)
}

/// Uses up a code of the moment or a recovery code; tells whether it is right. A wrong one is written down, so it is not an error.
///
/// # Errors
/// There is no second factor; the server has no key, and it is no recovery code.
pub(super) fn is_shown(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    person: PersonId,
    code: &Code,
) -> Result<bool, Error> {
    if !rows::lock(tx, person)? {
        return Err(Error::NotFound("account"));
    }
    // A recovery code works without the key.
    if use_recovery_code(tx, person, code)? {
        events::record(tx, env, person, events::EventKind::RecoveryCodeUsed, "")?;
        return Ok(true);
    }
    let is_right = check_code(tx, env, key, person, code)?;
    if !is_right {
        events::record(tx, env, person, events::EventKind::CodeFailed, &env.client.user_agent)?;
    }
    Ok(is_right)
}

/// Uses a code up; tells whether it is right: of this half minute or one of its neighbours (RFC 6238, section 5.2), and later than
/// every code that was used before.
///
/// # Errors
/// The account has no second factor; the server has no key, or another one than the seed was encrypted with.
pub fn check_code(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    person: PersonId,
    code: &Code,
) -> Result<bool, Error> {
    let encrypted = rows::seed(tx, person)?.ok_or(Refusal::SecondFactorOff)?;
    let opened = key.and_then(|key| key.decrypt(&purpose(person), &encrypted)).ok_or(Refusal::NoEncryptionKey)?;
    let seed = <[u8; SEED]>::try_from(opened).map_err(|_| Error::Internal("a seed of another length".into()))?;
    match matching_step(seed, code, env.now) {
        Some(step) => Ok(rows::take_step(tx, person, step)?),
        None => Ok(false),
    }
}

/// Uses a recovery code up; tells whether it was one of theirs.
///
/// # Errors
/// The storage failed.
pub fn use_recovery_code(tx: &mut Tx<'_>, person: PersonId, code: &Code) -> Result<bool, Error> {
    match code {
        Code::Recovery(code) => Ok(rows::take_recovery_code(tx, person, &hash(code))?),
        Code::App(_) | Code::Other => Ok(false),
    }
}

/// Ten new recovery codes in the place of those that there were, shown this once; none when the code is wrong.
///
/// # Errors
/// There is no second factor; the server has no key.
pub fn new_recovery_codes(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    person: PersonId,
    code: &Code,
) -> Result<Option<Vec<String>>, Error> {
    if !is_shown(tx, env, key, person, code)? {
        return Ok(None);
    }
    events::record(tx, env, person, events::EventKind::RecoveryCodesMade, "")?;
    draw_recovery_codes(tx, env, person).map(Some)
}

/// How many recovery codes are left.
///
/// # Errors
/// The storage failed.
pub fn remaining_recovery_codes(tx: &mut Tx<'_>, person: PersonId) -> Result<i64, Error> {
    Ok(rows::remaining_recovery_codes(tx, person)?)
}

fn draw_recovery_codes(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<Vec<String>, Error> {
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        // In the small letters that are easier to type.
        codes.push(BASE32_NOPAD.encode(&draw_bytes::<RECOVERY>(env.random())?).to_lowercase());
    }
    let hashes: Vec<[u8; 32]> = codes.iter().map(|code| hash(code)).collect();
    rows::replace_recovery_codes(tx, person, &hashes)?;
    Ok(codes.iter().map(|code| grouped(code, '-')).collect())
}

fn purpose(person: PersonId) -> String {
    format!("second factor of person {}", person.0)
}

fn enrolling(person: PersonId) -> String {
    format!("second factor offered to person {}", person.0)
}

fn opened(key: Option<&EncryptionKey>, now: Timestamp, person: PersonId, encrypted: &str) -> Result<[u8; SEED], Error> {
    let opened = key.ok_or(Refusal::NoEncryptionKey)?.decrypt(&enrolling(person), encrypted).ok_or(Refusal::LinkSpent)?;
    let (until, seed) = opened.split_first_chunk::<8>().ok_or(Refusal::LinkSpent)?;
    if i64::from_be_bytes(*until) <= now.as_second() {
        return Err(Refusal::LinkSpent.into());
    }
    <[u8; SEED]>::try_from(seed).map_err(|_| Refusal::LinkSpent.into())
}

/// The time step that a code is of, if it is of this or a neighbouring one.
fn matching_step(seed: [u8; SEED], code: &Code, now: Timestamp) -> Option<i64> {
    let Code::App(digits) = code else { return None };
    let seconds = u64::try_from(now.as_second()).ok()?;
    i64::try_from(totp(seed)?.check(digits, seconds)?).ok()
}

fn totp(seed: [u8; SEED]) -> Option<Totp> {
    // Apps know SHA-1 only, whatever the QR code says; for an HMAC it is still good (RFC 4226, appendix B.2).
    let builder = Builder::new().with_algorithm(Algorithm::SHA1).with_digits(DIGITS).with_skew(1).with_step_duration(STEP);
    builder.with_secret(Secret::new_stack(seed)).build().ok()
}

fn grouped(text: &str, between: char) -> String {
    let mut grouped = String::with_capacity(text.len() * 5 / 4);
    for (place, c) in text.chars().enumerate() {
        if place > 0 && place % 4 == 0 {
            grouped.push(between);
        }
        grouped.push(c);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, SHA-1, the last six of its eight digits.
        let cases = [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ];
        for (seconds, code) in cases {
            let at = |seconds: i64| {
                matching_step(*b"12345678901234567890", &Code::read(code), Timestamp::from_second(seconds).unwrap())
            };
            let step = seconds / 30;
            for near in [step * 30 - 30, step * 30, seconds, step * 30 + 59] {
                assert_eq!(at(near), Some(step), "{code} at {near}");
            }
            for far in [step * 30 - 31, step * 30 + 60] {
                assert_eq!(at(far.max(0)).filter(|_| far >= 0), None, "{code} at {far}");
            }
        }
        assert_eq!(
            matching_step(*b"12345678901234567890", &Code::read(" 287 082 "), Timestamp::from_second(59).unwrap()),
            Some(1)
        );
        for bad in ["", "28708", "2870820", "287o82", "二八七〇八二"] {
            assert_eq!(
                matching_step(*b"12345678901234567890", &Code::read(bad), Timestamp::from_second(59).unwrap()),
                None,
                "{bad}"
            );
        }
    }

    #[test]
    fn what_is_typed_is_in_groups_of_four() {
        assert_eq!(grouped("gezdgnbvgy", '-'), "gezd-gnbv-gy");
    }
}
