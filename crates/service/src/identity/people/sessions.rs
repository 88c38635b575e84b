//! Sessions: who is signed in where, for how long, and ending it.

use super::{Account, PersonId, Session, Stage, draw, events};
use crate::{Environment, Error, environment::Random};
use jiff::{SignedDuration, Timestamp};
use store::{Tx, mail_tokens, people, sessions as rows};

/// A session ends when it was not used for so long …
pub const IDLE: SignedDuration = SignedDuration::from_hours(24);
/// … or when it is so old …
pub const ABSOLUTE: SignedDuration = SignedDuration::from_hours(14 * 24);
/// … or when the second factor is not shown within this time.
pub const UNFINISHED: SignedDuration = SignedDuration::from_mins(10);
/// How old the password may be when something is done that asks for a fresh one.
pub const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// How often it is written down that a session is used.
const TOUCH_AFTER: SignedDuration = SignedDuration::from_mins(1);

/// What the browser holds: 256 bits, of which only the hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    pub(super) fn draw(random: &dyn Random) -> Result<Self, Error> {
        Ok(Self(draw(random)?))
    }

    /// The text for the cookie.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        hash(&self.0)
    }
}

/// Printing one would put it into logs.
impl std::fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionToken")
    }
}

/// Somebody who showed who they are, wholly or in part; see the session's stage.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Their account.
    pub account: Account,
    /// Their session.
    pub session: Session,
}

impl SignedIn {
    /// Whether the password was given at most ten minutes ago.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.session.authenticated_at + FRESH >= now
    }

    /// Whether it is to be written down that the session is used ([`touch`]).
    #[must_use]
    pub fn needs_touch(&self, now: Timestamp) -> bool {
        self.session.last_seen_at + TOUCH_AFTER <= now
    }
}

/// The hash by which the session of a cookie is found.
#[must_use]
pub fn hash(token: &str) -> [u8; 32] {
    super::hash(token)
}

pub(super) fn alive(now: Timestamp) -> rows::Alive {
    rows::Alive { seen_after: now - IDLE, begun_after: now - ABSOLUTE, unfinished_after: now - UNFINISHED }
}

/// Who holds the cookie with this hash; nobody when the session ended or its account is closed.
///
/// # Errors
/// The storage failed.
pub fn look_up(tx: &mut Tx<'_>, env: &Environment, hash: &[u8; 32]) -> Result<Option<SignedIn>, Error> {
    Ok(rows::find(tx, hash, alive(env.now))?.map(|(account, session)| SignedIn { account, session }))
}

/// Notes that a session is used, so that it does not end for being idle.
///
/// # Errors
/// The storage failed.
pub fn touch(tx: &mut Tx<'_>, env: &Environment, hash: &[u8; 32]) -> Result<(), Error> {
    Ok(rows::touch(tx, hash, env.now)?)
}

/// Begins a session in the given stage.
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

/// Gives the session another token after the password was given again: whoever has the old one has nothing.
///
/// # Errors
/// The session ended meanwhile ([`super::Refusal::SignedOut`]), or the password was changed since `verified` was read.
pub fn rotate(tx: &mut Tx<'_>, env: &Environment, old: &[u8; 32], verified: &super::Credentials) -> Result<SessionToken, Error> {
    super::credentials::require_unchanged(tx, verified)?;
    let signed_in = look_up(tx, env, old)?;
    if !signed_in.is_some_and(|it| it.session.stage == Stage::SignedIn && it.account.id == verified.account.id) {
        return Err(super::Refusal::SignedOut.into());
    }
    advance(tx, env, old)
}

/// Another token, signed in.
pub(super) fn advance(tx: &mut Tx<'_>, env: &Environment, old: &[u8; 32]) -> Result<SessionToken, Error> {
    let token = SessionToken::draw(env.random())?;
    rows::rotate(tx, old, &token.hash(), Stage::SignedIn, env.now)?.ok_or(super::Refusal::SignedOut)?;
    Ok(token)
}

/// The sessions of a person, last used first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<Vec<Session>, Error> {
    Ok(rows::list(tx, person, alive(env.now))?)
}

/// Signs out: ends the session of a cookie. One that ended before is no error.
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

/// Ends one of the person's sessions. Links to another e-mail address stop working: that session may have asked for them.
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

/// Ends all sessions of the person but the one with this hash; the links that were mailed stop working.
///
/// # Errors
/// The storage failed.
pub fn end_others(tx: &mut Tx<'_>, env: &Environment, person: PersonId, kept: &[u8; 32]) -> Result<(), Error> {
    people::lock(tx, person)?;
    rows::end_others(tx, person, kept)?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::SessionsEnded, "")
}

/// Ends all sessions of the person; the links that were mailed stop working.
///
/// # Errors
/// The storage failed.
pub fn end_all(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<(), Error> {
    people::lock(tx, person)?;
    rows::end_all(tx, person)?;
    mail_tokens::remove_all(tx, person)?;
    events::record(tx, env, person, events::EventKind::SessionsEnded, "")
}
