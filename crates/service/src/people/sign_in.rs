//! Signing in: first the password, then the second factor where there is one.

use super::{Credentials, Refusal, Session, SessionToken, Stage, Visitor, events, second_factor, sessions};
use crate::{Error, accounts, outside::Random};
use jiff::Timestamp;
use store::{Tx, people as rows};

/// The account with that e-mail address, and what its password is compared with.
///
/// # Errors
/// The storage failed.
pub fn find(tx: &mut Tx<'_>, email: &str) -> Result<Option<Credentials>, Error> {
    match accounts::normalise_email(email) {
        Some(email) => Ok(rows::by_email(tx, &email)?),
        None => Ok(None),
    }
}

/// The credentials of an account that is signed in, for asking the password again.
///
/// # Errors
/// The account was closed meanwhile.
pub fn own(tx: &mut Tx<'_>, account: i64) -> Result<Credentials, Error> {
    rows::by_id(tx, account)?.ok_or(Error::NotFound("account"))
}

/// Begins a session after the password was found right: signed in, or waiting for the second factor.
///
/// # Errors
/// The address is not confirmed; the password was changed since `verified` was read; the account was closed meanwhile.
pub fn begin(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    verified: &Credentials,
    visitor: &Visitor,
) -> Result<(SessionToken, Session), Error> {
    let account = require_unchanged(tx, verified)?.account;
    if account.email_confirmed_at.is_none() {
        return Err(Refusal::EmailUnconfirmed.into());
    }
    let stage = if account.second_factor { Stage::SecondFactor } else { Stage::SignedIn };
    if stage == Stage::SignedIn {
        events::note(tx, random, account.id, now, events::Kind::SignedIn, &visitor.user_agent, &visitor.address)?;
    }
    sessions::begin(tx, random, now, account.id, stage, visitor)
}

/// Notes that somebody gave a wrong password.
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn failed(tx: &mut Tx<'_>, random: &dyn Random, now: Timestamp, account: i64, visitor: &Visitor) -> Result<(), Error> {
    events::note(tx, random, account, now, events::Kind::SignInFailed, &visitor.user_agent, &visitor.address)
}

/// What showing the second factor gave.
pub enum Finished {
    /// Signed in, with a new token.
    SignedIn(SessionToken),
    /// The code is wrong or was used before. That is written down, so it is not an error.
    WrongCode,
}

/// Signs in with the second factor: a code of the moment, or a recovery code.
///
/// # Errors
/// The session is not waiting for a second factor (any more); the server has no key to unseal the second factor with.
pub fn finish(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    key: Option<&super::SealKey>,
    now: Timestamp,
    session: &[u8; 32],
    code: &str,
    visitor: &Visitor,
) -> Result<Finished, Error> {
    let waiting = sessions::look_up(tx, session, now)?.filter(|it| it.session.stage == Stage::SecondFactor);
    let account = waiting.ok_or(Refusal::SignedOut)?.account.id;
    if !second_factor::is_shown(tx, random, key, now, account, code, visitor)? {
        return Ok(Finished::WrongCode);
    }
    events::note(tx, random, account, now, events::Kind::SignedIn, &visitor.user_agent, &visitor.address)?;
    Ok(Finished::SignedIn(sessions::advance(tx, random, now, session)?))
}

/// The credentials as they are now, held until the end of the transaction; refused when the password is not what was compared: a session
/// must not outlive the password that it was begun with.
pub(super) fn require_unchanged(tx: &mut Tx<'_>, verified: &Credentials) -> Result<Credentials, Error> {
    if !rows::lock(tx, verified.account.id)? {
        return Err(Error::NotFound("account"));
    }
    let now = own(tx, verified.account.id)?;
    if now.password_hash.is_none() || now.password_hash != verified.password_hash {
        return Err(Refusal::PasswordChanged.into());
    }
    Ok(now)
}
