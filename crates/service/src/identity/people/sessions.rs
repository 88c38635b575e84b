//! Sessions: creation, expiry, rotation and ending.

use super::{Account, PersonId, Session, Stage, draw, events};
use crate::{Environment, Error, environment::Random};
use jiff::{SignedDuration, Timestamp};
use store::{Tx, mail_tokens, people, sessions as rows};

/// Idle timeout: maximum time since the last use of a session.
pub const IDLE: SignedDuration = SignedDuration::from_hours(24);
/// Absolute timeout: maximum age of a session.
pub const ABSOLUTE: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Maximum age of a session that still awaits the second factor.
pub const UNFINISHED: SignedDuration = SignedDuration::from_mins(10);
/// Maximum age of the last password entry for actions that require a recent one.
pub const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// Minimum interval between updates of a session's last use.
const TOUCH_AFTER: SignedDuration = SignedDuration::from_mins(1);

/// Session token in the browser's cookie: 256 bits, of which only the hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    pub(super) fn draw(random: &dyn Random) -> Result<Self, Error> {
        Ok(Self(draw(random)?))
    }

    /// Returns the token as text, for the cookie.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash under which the session is stored.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        hash(&self.0)
    }
}

/// Hides the token, which could otherwise end up in logs.
impl std::fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionToken")
    }
}

/// A person who is fully or partly authenticated; see the stage of the session.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Account of the person.
    pub account: Account,
    /// Session of the person.
    pub session: Session,
}

impl SignedIn {
    /// Whether the password was entered at most ten minutes ago.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.session.authenticated_at + FRESH >= now
    }

    /// Whether the last use of the session has to be updated ([`touch`]).
    #[must_use]
    pub fn needs_touch(&self, now: Timestamp) -> bool {
        self.session.last_seen_at + TOUCH_AFTER <= now
    }
}

/// Returns the hash under which the session of a cookie is stored.
#[must_use]
pub fn hash(token: &str) -> [u8; 32] {
    super::hash(token)
}

pub(super) fn alive(now: Timestamp) -> rows::Alive {
    rows::Alive {
        seen_after: now - IDLE,
        begun_after: now - ABSOLUTE,
        unfinished_after: now - UNFINISHED,
    }
}

/// Returns the person and session for the cookie with this hash; `None` if the session has ended or
/// its account is closed.
///
/// # Errors
/// The storage failed.
pub fn look_up(
    tx: &mut Tx<'_>,
    env: &Environment,
    hash: &[u8; 32],
) -> Result<Option<SignedIn>, Error> {
    Ok(rows::find(tx, hash, alive(env.now))?
        .map(|(account, session)| SignedIn { account, session }))
}

/// Records that a session has just been used, so that it does not reach the idle timeout.
///
/// # Errors
/// The storage failed.
pub fn touch(tx: &mut Tx<'_>, env: &Environment, hash: &[u8; 32]) -> Result<(), Error> {
    Ok(rows::touch(tx, hash, env.now)?)
}

/// Starts a session at the given stage.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    env: &Environment,
    person: PersonId,
    stage: Stage,
) -> Result<(SessionToken, Session), Error> {
    let token = SessionToken::draw(env.random())?;
    let session = Session {
        id: format!("{:032x}", u128::from_be_bytes(super::draw_bytes(env.random())?)),
        stage,
        created_at: env.now,
        last_seen_at: env.now,
        authenticated_at: env.now,
        address: env.client.address.clone(),
        user_agent: env.client.user_agent.clone(),
    };
    rows::insert(tx, person, &token.hash(), &session)?;
    Ok((token, session))
}

/// Replaces the session's token after the password has been entered again; the old token stops
/// working.
///
/// # Errors
/// The session has ended ([`super::Refusal::SignedOut`]), or the password has been changed since
/// `verified` was read.
pub fn rotate(
    tx: &mut Tx<'_>,
    env: &Environment,
    old: &[u8; 32],
    verified: &super::Credentials,
) -> Result<SessionToken, Error> {
    super::credentials::require_unchanged(tx, verified)?;
    let signed_in = look_up(tx, env, old)?;
    if !signed_in.is_some_and(|it| {
        it.session.stage == Stage::SignedIn && it.account.id == verified.account.id
    }) {
        return Err(super::Refusal::SignedOut.into());
    }
    advance(tx, env, old)
}

/// Replaces the session's token and advances it to the signed-in stage.
pub(super) fn advance(
    tx: &mut Tx<'_>,
    env: &Environment,
    old: &[u8; 32],
) -> Result<SessionToken, Error> {
    let token = SessionToken::draw(env.random())?;
    rows::rotate(tx, old, &token.hash(), Stage::SignedIn, env.now)?
        .ok_or(super::Refusal::SignedOut)?;
    Ok(token)
}

/// Lists the sessions of a person, most recently used first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<Vec<Session>, Error> {
    Ok(rows::list(tx, person, alive(env.now))?)
}

/// Signs out: ends the session of a cookie. It is not an error if the session has already ended.
///
/// # Errors
/// The storage failed.
pub fn sign_out(tx: &mut Tx<'_>, env: &Environment, hash: &[u8; 32]) -> Result<(), Error> {
    if let Some(signed_in) = look_up(tx, env, hash)? {
        people::lock(tx, signed_in.account.owner.id)?;
        events::record(tx, env, signed_in.account.owner.id, events::EventKind::SignedOut, "")?;
    }
    Ok(rows::end_by_hash(tx, hash)?)
}

/// Ends one of the person's sessions. Links to change the email address stop working, since the
/// ended session may have requested them.
///
/// # Errors
/// There is no such session.
pub fn end(tx: &mut Tx<'_>, env: &Environment, person: PersonId, id: &str) -> Result<(), Error> {
    people::lock(tx, person)?;
    if !rows::end(tx, person, id)? {
        return Err(Error::NotFound("session"));
    }
    mail_tokens::remove(tx, person, super::Purpose::ChangeEmail)?;
    events::record(tx, env, person, events::EventKind::SessionEnded, "")
}

/// Ends all sessions of the person except the one with this hash; emailed links stop working.
///
/// # Errors
/// The storage failed.
pub fn end_others(
    tx: &mut Tx<'_>,
    env: &Environment,
    person: PersonId,
    kept: &[u8; 32],
) -> Result<(), Error> {
    people::lock(tx, person)?;
    rows::end_others(tx, person, kept)?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::SessionsEnded, "")
}

/// Ends all sessions of the person; emailed links stop working.
///
/// # Errors
/// The storage failed.
pub fn end_all(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<(), Error> {
    people::lock(tx, person)?;
    rows::end_all(tx, person)?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::SessionsEnded, "")
}
