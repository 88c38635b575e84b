//! Tokens: code exchange, refresh, revocation and authentication.

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

/// Tokens issued to an application.
#[derive(Clone)]
pub struct Issued {
    /// Access token for the API.
    pub access_token: String,
    /// Refresh token, usable once.
    pub refresh_token: String,
    /// Scopes of the access token.
    pub scopes: Scopes,
    /// Lifetime of the access token in seconds.
    pub expires_in: i64,
}

/// Reason why no tokens are issued. It is an outcome rather than an [`Error`]: a rejection may end
/// a grant, and an error would roll that back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The code is unknown, expired, or another application's (`invalid_grant`).
    UnknownCode,
    /// The code was used before; its grant has ended (`invalid_grant`).
    UsedCode,
    /// The code was issued for another redirect URI (`invalid_grant`).
    OtherRedirectUri,
    /// The verifier does not hash to the challenge of the code (`invalid_grant`).
    WrongVerifier,
    /// The refresh token is unknown, expired, revoked, or another application's (`invalid_grant`).
    UnknownRefreshToken,
    /// The refresh token was used before; its grant has ended (`invalid_grant`).
    UsedRefreshToken,
    /// The requested scopes exceed the granted ones (`invalid_scope`).
    ScopeTooWide,
    /// The application has been removed since it authenticated (`invalid_client`).
    InvalidClient,
}

/// Outcome of a token request.
pub type Outcome = Result<Issued, Refusal>;

/// A request to exchange a code for tokens.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Authorization code.
    pub code: String,
    /// Redirect URI to which the code was sent.
    pub redirect_uri: String,
    /// Code verifier, which must hash to the challenge (RFC 7636, section 4.5).
    pub verifier: String,
}

/// Exchanges a code for tokens.
///
/// The code is bound to its application, redirect URI and challenge. Reuse of a code ends its
/// grant, but only if all three match: an attacker who merely saw a code cannot end a grant with it
/// (RFC 9700, section 2.1.1; OAuth 2.1, section 7.5.2).
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn exchange(
    tx: &mut Tx<'_>,
    env: &Environment,
    client: &Client,
    request: &Exchange,
) -> Result<Outcome, Error> {
    let Some(hash) = secrets::recognise(SecretKind::Code, &request.code) else {
        return Ok(Err(Refusal::UnknownCode));
    };
    let find =
        |tx: &mut Tx<'_>| Ok(codes::find(tx, &hash)?.filter(|code| code.client == client.id));
    let Some(code) = find_locked(tx, |code: &Code| code.account, find)? else {
        return unknown(tx, client, Refusal::UnknownCode);
    };
    if code.redirect_uri != request.redirect_uri {
        return Ok(Err(Refusal::OtherRedirectUri));
    }
    if !verifies(&request.verifier, &code.challenge) {
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
    issue(
        tx,
        env,
        &Family { account: grant.account, grant: &grant.id, expires_at: grant.expires_at },
        grant.scopes,
    )
    .map(Ok)
}

/// Exchanges a refresh token for new tokens. Reuse of a token ends its grant, without a grace
/// period: one of the two parties that hold it is a thief (RFC 9700, section 4.14.2).
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn refresh(
    tx: &mut Tx<'_>,
    env: &Environment,
    client: &Client,
    token: &str,
    scope: Option<&str>,
) -> Result<Outcome, Error> {
    let Some(hash) = secrets::recognise(SecretKind::RefreshToken, token) else {
        return Ok(Err(Refusal::UnknownRefreshToken));
    };
    let Some(stored_token) = locked_refresh_token(tx, client, &hash)? else {
        return unknown(tx, client, Refusal::UnknownRefreshToken);
    };
    if stored_token.used_at.is_some() {
        end_for_reuse(tx, env, client, stored_token.account, &stored_token.grant)?;
        return Ok(Err(Refusal::UsedRefreshToken));
    }
    if env.now >= stored_token.expires_at || env.now >= stored_token.grant_expires_at {
        return Ok(Err(Refusal::UnknownRefreshToken));
    }
    // The access token may have fewer scopes than the refresh token, which keeps all of them (RFC
    // 6749, section 6).
    let scopes = match scope.map(parse_scopes) {
        None => stored_token.scopes,
        Some(Some(scopes)) if within(scopes, stored_token.scopes) => scopes,
        Some(_) => return Ok(Err(Refusal::ScopeTooWide)),
    };
    stored::use_up(tx, &hash, env.now)?;
    issue(
        tx,
        env,
        &Family {
            account: stored_token.account,
            grant: &stored_token.grant,
            expires_at: stored_token.grant_expires_at,
        },
        scopes,
    )
    .map(Ok)
}

/// Locks, until the end of the transaction, the account of the row that `find` returns; returns
/// that row as read under the lock. Exchanges, refreshes, revocations and disconnections of one
/// account are thereby serialised, and each sees the effect of the previous one. `None` if there is
/// no such row or its account is closed. If a test account is reset while this function waits for
/// the lock, its tokens move to the new account, so the search is repeated there.
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

/// Returns the application's refresh token with this hash, whether or not it has been used, and
/// locks its account.
fn locked_refresh_token(
    tx: &mut Tx<'_>,
    client: &Client,
    hash: &[u8; 32],
) -> Result<Option<RefreshToken>, Error> {
    let find =
        |tx: &mut Tx<'_>| Ok(stored::refresh(tx, hash)?.filter(|token| token.client == client.id));
    find_locked(tx, |token: &RefreshToken| token.account, find)
}

/// Returns the rejection for an unknown code or token: `reported` or, if the application itself has
/// been removed, [`Refusal::InvalidClient`].
fn unknown(tx: &mut Tx<'_>, client: &Client, reported: Refusal) -> Result<Outcome, Error> {
    Ok(Err(if clients::by_id(tx, &client.id)?.is_some() {
        reported
    } else {
        Refusal::InvalidClient
    }))
}

/// Ends a grant because its code or one of its refresh tokens was reused; records the event for the
/// owner once.
fn end_for_reuse(
    tx: &mut Tx<'_>,
    env: &Environment,
    client: &Client,
    account: i64,
    grant: &str,
) -> Result<(), Error> {
    if oauth::client_of(tx, account, grant)?.is_none() {
        return Ok(());
    }
    super::end(tx, env, account, grant)?;
    events::record_for_owner(tx, env, account, events::EventKind::TokenReused, &client.name)
}

/// Grant for which tokens are issued.
struct Family<'g> {
    account: i64,
    grant: &'g str,
    expires_at: Timestamp,
}

fn issue(
    tx: &mut Tx<'_>,
    env: &Environment,
    family: &Family<'_>,
    scopes: Scopes,
) -> Result<Issued, Error> {
    let access_token = secrets::draw(env.random(), SecretKind::AccessToken)?;
    let refresh_token = secrets::draw(env.random(), SecretKind::RefreshToken)?;
    // Neither token outlives the consent.
    let access_ends = after(env.now, ACCESS_LIFE).min(family.expires_at);
    let refresh_ends = after(env.now, REFRESH_LIFE).min(family.expires_at);
    stored::insert_access(
        tx,
        &secrets::hash(&access_token),
        family.account,
        family.grant,
        scopes,
        access_ends,
    )?;
    stored::insert_refresh(
        tx,
        &secrets::hash(&refresh_token),
        family.account,
        family.grant,
        env.now,
        refresh_ends,
    )?;
    Ok(Issued {
        access_token,
        refresh_token,
        scopes,
        expires_in: access_ends.duration_since(env.now).as_secs(),
    })
}

/// Whether a code verifier has the required form (RFC 7636, section 4.1) and hashes to the
/// challenge (section 4.6).
fn verifies(verifier: &str, challenge: &str) -> bool {
    let sound = (43..=128).contains(&verifier.len())
        && verifier
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'));
    let computed = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    sound && bool::from(computed.as_bytes().ct_eq(challenge.as_bytes()))
}

/// Revokes a token of the application: a refresh token together with its whole grant, an access
/// token alone. An unknown token, or one of another application, is ignored; the response is the
/// same (RFC 7009, section 2.1 and 2.2).
///
/// # Errors
/// The storage failed.
pub fn revoke(
    tx: &mut Tx<'_>,
    env: &Environment,
    client: &Client,
    token: &str,
) -> Result<(), Error> {
    if let Some(hash) = secrets::recognise(SecretKind::AccessToken, token) {
        stored::revoke_access(tx, &hash, &client.id)?;
    }
    if let Some(hash) = secrets::recognise(SecretKind::RefreshToken, token)
        && let Some(refresh_token) = locked_refresh_token(tx, client, &hash)?
    {
        super::end(tx, env, refresh_token.account, &refresh_token.grant)?;
        let kind = events::EventKind::ApplicationDisconnected;
        events::record_for_owner(tx, env, refresh_token.account, kind, &client.name)?;
    }
    Ok(())
}

/// Returns the hash under which a presented access token is stored; `None` if the text does not
/// have the form of an access token.
#[must_use]
pub fn recognise(presented: &str) -> Option<[u8; 32]> {
    secrets::recognise(SecretKind::AccessToken, presented)
}

/// Returns the caller that the access token with this hash authenticates; `None` if the token is
/// unknown, expired or revoked.
///
/// # Errors
/// The storage failed.
pub fn authenticate_bearer(
    tx: &mut Tx<'_>,
    env: &Environment,
    hash: &[u8; 32],
) -> Result<Option<Actor>, Error> {
    Ok(stored::bearer(tx, hash, env.now)?.map(|holder| Actor::program(holder, Credential::Grant)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verifier_hashes_to_its_challenge() {
        // Example from RFC 7636, appendix B.
        let (verifier, challenge) = (
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        );
        assert!(verifies(verifier, challenge));
        for wrong in
            [challenge, &verifier[1..], &format!("{verifier}A"), "", &verifier.to_lowercase()]
        {
            assert!(!verifies(wrong, challenge), "{wrong}");
        }
        // A malformed verifier fails even if it hashes to the challenge.
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
