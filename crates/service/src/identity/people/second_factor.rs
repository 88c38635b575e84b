//! Second factor: time-based codes that change every 30 seconds (RFC 6238), and recovery codes for
//! a lost device.

use super::{Account, EncryptionKey, PersonId, Refusal, credentials, draw_bytes, events, hash};
use crate::{Environment, Error, accounts, environment::Random};
use data_encoding::BASE32_NOPAD;
use jiff::{SignedDuration, Timestamp};
use store::{Tx, mail_tokens, people as rows, sessions as session_rows};
use totp_rs::{Algorithm, Builder, Secret, Totp};
use url::form_urlencoded::byte_serialize;

/// Issuer, which authenticator apps show above the code.
const ISSUER: &str = "grootboek";
/// Time step of a code, in seconds (RFC 6238, section 5.2).
const STEP: u64 = 30;
/// Length of a seed in bytes: 160 bits, as long as the hash (RFC 4226, section 4, R6).
const SEED: usize = 20;
/// Number of recovery codes per person.
pub const RECOVERY_CODES: usize = 10;
/// Length of a recovery code in bytes: 120 bits, so that a plain hash of the code can be stored
/// safely (OWASP ASVS 5.0, 6.5.2 requires 112 bits).
const RECOVERY: usize = 15;
/// Number of digits in a code from an app.
const DIGITS: u8 = 6;
/// Period within which a new seed has to be confirmed.
const ENROL_WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// Code as entered, classified by form.
#[derive(Clone, PartialEq, Eq)]
pub enum Code {
    /// Six digits, as an app shows them.
    App(String),
    /// Text with as many letters and digits as a recovery code. Stored in lower case, without any
    /// other characters.
    Recovery(String),
    /// Any other text; never a valid code.
    Other,
}

impl Code {
    /// Parses a code, ignoring grouping and case.
    #[must_use]
    pub fn read(typed: &str) -> Self {
        let compact: String = typed
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        // Base32 has five bits per character.
        if compact.len() == RECOVERY * 8 / 5 {
            return Self::Recovery(compact);
        }
        let digits: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        let is_of_app =
            digits.len() == usize::from(DIGITS) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_of_app { Self::App(digits) } else { Self::Other }
    }
}

/// A seed to be added to an authenticator app. Nothing is stored until a code confirms it.
#[derive(Clone)]
pub struct Enrolment {
    /// Seed in base32, in groups for typing.
    pub secret: String,
    /// URL for the QR code.
    pub otpauth_url: String,
    /// Encrypted seed, which the form passes back to [`enrol_finish`].
    pub encrypted: String,
}

/// Starts the enrolment with a new seed.
///
/// # Errors
/// A second factor is already set up, or the server has no encryption key.
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
    let encrypted =
        key.encrypt(random, &enrolling(account.owner.id), &[&until[..], &seed].concat())?;
    Ok(offer(account, seed, encrypted))
}

fn offer(account: &Account, seed: [u8; SEED], encrypted: String) -> Enrolment {
    let base32 = BASE32_NOPAD.encode(&seed);
    let label: String = byte_serialize(account.owner.email.as_bytes()).collect();
    let otpauth_url = format!(
        "otpauth://totp/{ISSUER}:{label}?secret={base32}&issuer={ISSUER}&algorithm=SHA1&digits=6&period={STEP}"
    );
    Enrolment { secret: grouped(&base32, ' '), otpauth_url, encrypted }
}

/// Restores the enrolment from the form, to show it again after a wrong code.
///
/// # Errors
/// The encrypted seed was not made by [`enrol_begin`] for this person or has expired, or the server
/// has no encryption key.
pub fn enrol_again(
    key: Option<&EncryptionKey>,
    now: Timestamp,
    account: &Account,
    encrypted: &str,
) -> Result<Enrolment, Error> {
    let seed = opened(key, now, account.owner.id, encrypted)?;
    Ok(offer(account, seed, encrypted.to_owned()))
}

/// Returns the number of people whose second factor cannot be decrypted, as a check that the server
/// has the right key. Returns zero if the key decrypts at least one: after an intended change of
/// the key, some second factors encrypted with the former key may remain.
///
/// # Errors
/// The storage failed.
pub fn out_of_reach(tx: &mut Tx<'_>, key: Option<&EncryptionKey>) -> Result<usize, Error> {
    let seeds = rows::seeds(tx)?;
    let opens = |key: &EncryptionKey| {
        seeds.iter().any(|(person, encrypted)| key.decrypt(&purpose(*person), encrypted).is_some())
    };
    Ok(if key.is_some_and(opens) { 0 } else { seeds.len() })
}

/// Sets up the second factor after a code has shown that the app has the seed; returns the recovery
/// codes, which cannot be retrieved later. All other sessions end, since they were started without
/// a second factor, and emailed links stop working.
///
/// # Errors
/// The code is wrong, a second factor is already set up, the form has expired, or the server has no
/// encryption key.
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

/// Removes the second factor and its recovery codes if the code is right; returns whether it was.
///
/// # Errors
/// There is no second factor, or the server has no encryption key and the code is not a recovery
/// code.
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

/// Removes the second factor and its recovery codes on behalf of the operator, for an owner who has
/// lost the device and the recovery codes; all sessions end, and emailed links stop working.
///
/// # Errors
/// There is no account with this email address, or it has no second factor.
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

/// Consumes a current code or a recovery code; returns whether it was right. A wrong code is not an
/// error, because the event that records it must be committed.
///
/// # Errors
/// There is no second factor, or the server has no encryption key and the code is not a recovery
/// code.
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

/// Consumes a code from an app; returns whether it was right. A code is right if it belongs to the
/// current time step or an adjacent one (RFC 6238, section 5.2) and no code of that step or a later
/// one has been used.
///
/// # Errors
/// The account has no second factor, the server has no encryption key, or the seed was encrypted
/// with another key.
pub fn check_code(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&EncryptionKey>,
    person: PersonId,
    code: &Code,
) -> Result<bool, Error> {
    let encrypted = rows::seed(tx, person)?.ok_or(Refusal::SecondFactorOff)?;
    let opened = key
        .and_then(|key| key.decrypt(&purpose(person), &encrypted))
        .ok_or(Refusal::NoEncryptionKey)?;
    let seed = <[u8; SEED]>::try_from(opened)
        .map_err(|_| Error::Internal("a seed of the wrong length".into()))?;
    match matching_step(seed, code, env.now) {
        Some(step) => Ok(rows::take_step(tx, person, step)?),
        None => Ok(false),
    }
}

/// Consumes a recovery code; returns whether it was right.
///
/// # Errors
/// The storage failed.
pub fn use_recovery_code(tx: &mut Tx<'_>, person: PersonId, code: &Code) -> Result<bool, Error> {
    match code {
        Code::Recovery(code) => Ok(rows::take_recovery_code(tx, person, &hash(code))?),
        Code::App(_) | Code::Other => Ok(false),
    }
}

/// Replaces the recovery codes with ten new ones, which cannot be retrieved later; `None` if the
/// code is wrong.
///
/// # Errors
/// There is no second factor, or the server has no encryption key and the code is not a recovery
/// code.
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

/// Returns the number of unused recovery codes.
///
/// # Errors
/// The storage failed.
pub fn remaining_recovery_codes(tx: &mut Tx<'_>, person: PersonId) -> Result<i64, Error> {
    Ok(rows::remaining_recovery_codes(tx, person)?)
}

fn draw_recovery_codes(
    tx: &mut Tx<'_>,
    env: &Environment,
    person: PersonId,
) -> Result<Vec<String>, Error> {
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        // Lower case is easier to type.
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

fn opened(
    key: Option<&EncryptionKey>,
    now: Timestamp,
    person: PersonId,
    encrypted: &str,
) -> Result<[u8; SEED], Error> {
    let opened = key
        .ok_or(Refusal::NoEncryptionKey)?
        .decrypt(&enrolling(person), encrypted)
        .ok_or(Refusal::LinkSpent)?;
    let (until, seed) = opened.split_first_chunk::<8>().ok_or(Refusal::LinkSpent)?;
    if i64::from_be_bytes(*until) <= now.as_second() {
        return Err(Refusal::LinkSpent.into());
    }
    <[u8; SEED]>::try_from(seed).map_err(|_| Refusal::LinkSpent.into())
}

/// Returns the time step of a code, if that is the current step or an adjacent one.
fn matching_step(seed: [u8; SEED], code: &Code, now: Timestamp) -> Option<i64> {
    let Code::App(digits) = code else { return None };
    let seconds = u64::try_from(now.as_second()).ok()?;
    i64::try_from(totp(seed)?.check(digits, seconds)?).ok()
}

fn totp(seed: [u8; SEED]) -> Option<Totp> {
    // Many apps support only SHA-1, whatever the QR code specifies. It is still secure in an HMAC
    // (RFC 4226, appendix B.2).
    let builder = Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(DIGITS)
        .with_skew(1)
        .with_step_duration(STEP);
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
    fn codes_match_those_of_rfc_6238() {
        // RFC 6238, appendix B, SHA-1: the last six of the eight digits in each test value.
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
                matching_step(
                    *b"12345678901234567890",
                    &Code::read(code),
                    Timestamp::from_second(seconds).unwrap(),
                )
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
            matching_step(
                *b"12345678901234567890",
                &Code::read(" 287 082 "),
                Timestamp::from_second(59).unwrap()
            ),
            Some(1)
        );
        for bad in ["", "28708", "2870820", "287o82", "二八七〇八二"] {
            assert_eq!(
                matching_step(
                    *b"12345678901234567890",
                    &Code::read(bad),
                    Timestamp::from_second(59).unwrap()
                ),
                None,
                "{bad}"
            );
        }
    }

    #[test]
    fn codes_are_shown_in_groups_of_four() {
        assert_eq!(grouped("gezdgnbvgy", '-'), "gezd-gnbv-gy");
    }
}
