//! Sign-in: first the password, then the second factor if there is one.

pub use super::credentials::{find, own};
use super::{
    Credentials, PersonId, Refusal, Session, SessionToken, Stage, credentials::require_unchanged,
    events, second_factor, sessions,
};
use crate::{Environment, Error};
use store::Tx;

/// Starts a session after the password has been verified. The session is signed in or, if the
/// account has a second factor, awaits the code.
///
/// # Errors
/// The address is not confirmed, the password has been changed since `verified` was read, or the
/// account has been closed.
pub fn begin(
    tx: &mut Tx<'_>,
    env: &Environment,
    verified: &Credentials,
) -> Result<(SessionToken, Session), Error> {
    let account = require_unchanged(tx, verified)?.account;
    if account.owner.email_confirmed_at.is_none() {
        return Err(Refusal::EmailUnconfirmed.into());
    }
    let stage = if account.owner.second_factor { Stage::SecondFactor } else { Stage::SignedIn };
    if stage == Stage::SignedIn {
        events::record(
            tx,
            env,
            account.owner.id,
            events::EventKind::SignedIn,
            &env.client.user_agent,
        )?;
    }
    sessions::begin(tx, env, account.owner.id, stage)
}

/// Records an attempt with a wrong password.
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn failed(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<(), Error> {
    events::record(tx, env, person, events::EventKind::SignInFailed, &env.client.user_agent)
}

/// Result of entering the second factor.
pub enum Finished {
    /// Signed in, with a new token.
    SignedIn(SessionToken),
    /// The code is wrong or was used before. This is not an error, because the event that records
    /// the attempt must be committed.
    WrongCode,
}

/// Completes the sign-in with the second factor: a current code or a recovery code.
///
/// # Errors
/// The session is not, or no longer, awaiting a second factor, or the server has no key to decrypt
/// the second factor.
pub fn finish(
    tx: &mut Tx<'_>,
    env: &Environment,
    key: Option<&super::EncryptionKey>,
    session: &[u8; 32],
    code: &second_factor::Code,
) -> Result<Finished, Error> {
    let waiting =
        sessions::look_up(tx, env, session)?.filter(|it| it.session.stage == Stage::SecondFactor);
    let person = waiting.ok_or(Refusal::SignedOut)?.account.owner.id;
    if !second_factor::is_shown(tx, env, key, person, code)? {
        return Ok(Finished::WrongCode);
    }
    events::record(tx, env, person, events::EventKind::SignedIn, &env.client.user_agent)?;
    Ok(Finished::SignedIn(sessions::advance(tx, env, session)?))
}
