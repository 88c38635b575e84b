//! Tokens: had for a code, refreshed, revoked, recognised.

use super::{ACCESS_LIFE, GRANT_LIFE, REFRESH_LIFE, after, parse_scopes, within};
use crate::{
    Actor, Environment, Error,
    actor::Credential,
    people::events,
    secrets::{self, SecretKind},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::{
    StoreError, Tx,
    keys::Scopes,
    oauth::{
        self, Grant,
        clients::{self, Client},
        codes::{self, Code},
        tokens::{self as stored, RefreshToken},
    },
    people,
};
use subtle::ConstantTimeEq;

/// What an application gets.
#[derive(Clone)]
pub struct Issued {
    /// For the API.
    pub access_token: String,
    /// For the next refresh; usable once.
    pub refresh_token: String,
    /// What the access token may do.
    pub scopes: Scopes,
    /// Seconds that the access token works.
    pub expires_in: i64,
}

/// Why an application gets nothing; what had to end has ended, so this is an outcome and no [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The code is unknown, expired, or another application's (`invalid_grant`).
    UnknownCode,
    /// The code was used before; what it gave has ended (`invalid_grant`).
    UsedCode,
    /// The code was sent to another redirect URI (`invalid_grant`).
    OtherRedirectUri,
    /// The verifier does not hash to the challenge of the code (`invalid_grant`).
    WrongVerifier,
    /// The refresh token is unknown, expired, revoked, or another application's (`invalid_grant`).
    UnknownRefreshToken,
    /// The refresh token was used before; its grant has ended (`invalid_grant`).
    UsedRefreshToken,
    /// More was asked than was granted (`invalid_scope`).
    ScopeTooWide,
    /// The application was removed since it authenticated (`invalid_client`).
    InvalidClient,
}

/// What came of asking for tokens.
pub type Outcome = Result<Issued, Refusal>;

/// A code that is brought to be exchanged.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The code.
    pub code: String,
    /// Where it was sent.
    pub redirect_uri: String,
    /// What hashes to the challenge (RFC 7636, section 4.5).
    pub verifier: String,
}

/// Exchanges a code for tokens.
///
/// The code is bound to its application, redirect URI and challenge. Only when all of these are right does it matter whether it was
/// used before: then whatever it gave ends. Someone who merely saw a code cannot end anything with it (RFC 9700, section 2.1.1;
/// OAuth 2.1, section 7.5.2).
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn exchange(tx: &mut Tx<'_>, env: &Environment, client: &Client, asked: &Exchange) -> Result<Outcome, Error> {
    let Some(hash) = secrets::recognise(SecretKind::Code, &asked.code) else { return Ok(Err(Refusal::UnknownCode)) };
    let find = |tx: &mut Tx<'_>| Ok(codes::find(tx, &hash)?.filter(|code| code.client == client.id));
    let Some(code) = find_locked(tx, |code: &Code| code.account, find)? else { return unknown(tx, client, Refusal::UnknownCode) };
    if code.redirect_uri != asked.redirect_uri {
        return Ok(Err(Refusal::OtherRedirectUri));
    }
    if !verifies(&asked.verifier, &code.challenge) {
        return Ok(Err(Refusal::WrongVerifier));
    }
    if let Some(first) = &code.grant {
        end_for_reuse(tx, env, client, code.account, first)?;
        return Ok(Err(Refusal::UsedCode));
    }
    if env.now >= code.expires_at {
        return Ok(Err(Refusal::UnknownCode));
    }
    let grant = Grant {
        account: code.account,
        id: secrets::draw_id(env.random())?,
        client: code.client,
        scopes: code.scopes,
        created_at: code.created_at,
        expires_at: after(code.created_at, GRANT_LIFE),
    };
    codes::use_up(tx, &hash, &grant.id, env.now)?;
    oauth::insert(tx, &grant)?;
    issue(tx, env, &Family { account: grant.account, grant: &grant.id, expires_at: grant.expires_at }, grant.scopes).map(Ok)
}

/// Exchanges a refresh token for new tokens. A token that was used before ends its
/// grant, without grace: one of the two who have it is a thief (RFC 9700, section 4.14.2).
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn refresh(tx: &mut Tx<'_>, env: &Environment, client: &Client, token: &str, scope: Option<&str>) -> Result<Outcome, Error> {
    let Some(hash) = secrets::recognise(SecretKind::RefreshToken, token) else { return Ok(Err(Refusal::UnknownRefreshToken)) };
    let Some(known) = locked_refresh_token(tx, client, &hash)? else { return unknown(tx, client, Refusal::UnknownRefreshToken) };
    if known.used_at.is_some() {
        end_for_reuse(tx, env, client, known.account, &known.grant)?;
        return Ok(Err(Refusal::UsedRefreshToken));
    }
    if env.now >= known.expires_at || env.now >= known.grant_expires_at {
        return Ok(Err(Refusal::UnknownRefreshToken));
    }
    // The access token may have less than was granted; the refresh token keeps it all (RFC 6749, section 6).
    let scopes = match scope.map(parse_scopes) {
        None => known.scopes,
        Some(Some(scopes)) if within(scopes, known.scopes) => scopes,
        Some(_) => return Ok(Err(Refusal::ScopeTooWide)),
    };
    stored::use_up(tx, &hash, env.now)?;
    issue(tx, env, &Family { account: known.account, grant: &known.grant, expires_at: known.grant_expires_at }, scopes).map(Ok)
}

/// What `find` finds at an account, locked until the end of the transaction: those who exchange, refresh, revoke or disconnect at one
/// account follow one another, and each sees what the one before it left. Nothing when the account is closed. When a test account is
/// emptied, what speaks for it goes over to the account that takes its place while this waits for the lock; it is looked for again there.
fn find_locked<T>(
    tx: &mut Tx<'_>,
    account: impl Fn(&T) -> i64,
    find: impl Fn(&mut Tx<'_>) -> Result<Option<T>, StoreError>,
) -> Result<Option<T>, Error> {
    let mut locked = None;
    loop {
        let Some(seen) = find(tx)? else { return Ok(None) };
        let its = account(&seen);
        if locked == Some(its) {
            return Ok(Some(seen));
        }
        let is_open = people::lock_owner(tx, its)?;
        if !is_open && find(tx)?.is_none_or(|again| account(&again) == its) {
            return Ok(None);
        }
        locked = is_open.then_some(its);
    }
}

/// The application's refresh token with that hash, used or not, locked.
fn locked_refresh_token(tx: &mut Tx<'_>, client: &Client, hash: &[u8; 32]) -> Result<Option<RefreshToken>, Error> {
    let find = |tx: &mut Tx<'_>| Ok(stored::refresh(tx, hash)?.filter(|known| known.client == client.id));
    find_locked(tx, |known: &RefreshToken| known.account, find)
}

/// What is told of a code or token that is not there: perhaps it went with its application.
fn unknown(tx: &mut Tx<'_>, client: &Client, reported: Refusal) -> Result<Outcome, Error> {
    Ok(Err(if clients::by_id(tx, &client.id)?.is_some() { reported } else { Refusal::InvalidClient }))
}

/// Ends a grant because something of it came a second time; the owner is told, once.
fn end_for_reuse(tx: &mut Tx<'_>, env: &Environment, client: &Client, account: i64, grant: &str) -> Result<(), Error> {
    if oauth::client_of(tx, account, grant)?.is_none() {
        return Ok(());
    }
    super::end(tx, env, account, grant)?;
    events::record_for_owner(tx, env, account, events::EventKind::TokenReused, &client.name)
}

/// The grant that tokens belong to.
struct Family<'g> {
    account: i64,
    grant: &'g str,
    expires_at: Timestamp,
}

fn issue(tx: &mut Tx<'_>, env: &Environment, family: &Family<'_>, scopes: Scopes) -> Result<Issued, Error> {
    let access_token = secrets::draw(env.random(), SecretKind::AccessToken)?;
    let refresh_token = secrets::draw(env.random(), SecretKind::RefreshToken)?;
    // Neither outlives the consent.
    let access_ends = after(env.now, ACCESS_LIFE).min(family.expires_at);
    let refresh_ends = after(env.now, REFRESH_LIFE).min(family.expires_at);
    stored::insert_access(tx, &secrets::hash(&access_token), family.account, family.grant, scopes, access_ends)?;
    stored::insert_refresh(tx, &secrets::hash(&refresh_token), family.account, family.grant, env.now, refresh_ends)?;
    Ok(Issued { access_token, refresh_token, scopes, expires_in: access_ends.duration_since(env.now).as_secs() })
}

/// Whether a code verifier has its form (RFC 7636, section 4.1) and hashes to the challenge (section 4.6).
fn verifies(verifier: &str, challenge: &str) -> bool {
    let sound = (43..=128).contains(&verifier.len())
        && verifier.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'));
    let computed = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    sound && bool::from(computed.as_bytes().ct_eq(challenge.as_bytes()))
}

/// Revokes a token of the application: a refresh token with its whole grant, an access token alone. Tokens
/// that are unknown or another's stay as they are, and nobody learns which (RFC 7009, section 2.1 and 2.2).
///
/// # Errors
/// The storage failed.
pub fn revoke(tx: &mut Tx<'_>, env: &Environment, client: &Client, token: &str) -> Result<(), Error> {
    if let Some(hash) = secrets::recognise(SecretKind::AccessToken, token) {
        stored::revoke_access(tx, &hash, &client.id)?;
    }
    if let Some(hash) = secrets::recognise(SecretKind::RefreshToken, token)
        && let Some(known) = locked_refresh_token(tx, client, &hash)?
    {
        super::end(tx, env, known.account, &known.grant)?;
        let kind = events::EventKind::ApplicationDisconnected;
        events::record_for_owner(tx, env, known.account, kind, &client.name)?;
    }
    Ok(())
}

/// The hash by which a presented access token is found; nothing when it cannot be one of ours.
#[must_use]
pub fn recognise(presented: &str) -> Option<[u8; 32]> {
    secrets::recognise(SecretKind::AccessToken, presented)
}

/// Who the access token with this hash speaks for; nothing when it is unknown, expired or revoked.
///
/// # Errors
/// The storage failed.
pub fn authenticate_bearer(tx: &mut Tx<'_>, env: &Environment, hash: &[u8; 32]) -> Result<Option<Actor>, Error> {
    Ok(stored::bearer(tx, hash, env.now)?.map(|holder| Actor::program(holder, Credential::Grant)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verifier_hashes_to_its_challenge() {
        // The example of RFC 7636, appendix B.
        let (verifier, challenge) =
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(verifies(verifier, challenge));
        for wrong in [challenge, &verifier[1..], &format!("{verifier}A"), "", &verifier.to_lowercase()] {
            assert!(!verifies(wrong, challenge), "{wrong}");
        }
        // The form alone can be wrong.
        for (verifier, sound) in [
            ("a".repeat(42), false),
            ("a".repeat(43), true),
            ("~".repeat(128), true),
            ("a".repeat(129), false),
            ("+".repeat(43), false),
        ] {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
            assert_eq!(verifies(&verifier, &challenge), sound, "{verifier}");
        }
    }
}
