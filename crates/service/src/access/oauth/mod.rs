//! The OAuth 2.0 authorization server: partner applications, what people grant them, and the tokens that come of it.
//!
//! Authorization code with PKCE (RFC 6749, section 4.1; RFC 7636, S256 alone) and refresh tokens that rotate (RFC 9700, section 4.14.2).
//! Nothing else: no implicit grant, no passwords, no client credentials.

pub mod authorize;
pub mod clients;
pub mod grants;
pub mod redirect;
pub mod tokens;

use super::webhooks;
use crate::{Environment, Error};
use jiff::{SignedDuration, Timestamp};
use store::{
    Tx,
    keys::Scopes,
    oauth::{self, codes, tokens as stored},
    webhooks::Program,
};

/// How long an authorization code may wait to be exchanged.
const CODE_LIFE: SignedDuration = SignedDuration::from_secs(60);
/// How long a code is remembered after that, so that a second use of it is noticed.
const CODE_MEMORY: SignedDuration = SignedDuration::from_hours(24);
/// How long an access token works.
const ACCESS_LIFE: SignedDuration = SignedDuration::from_hours(1);
/// How long a refresh token waits to be used.
const REFRESH_LIFE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How long a person's consent lasts, however often tokens are refreshed (OWASP ASVS 5.0, 10.4.8).
pub const GRANT_LIFE: SignedDuration = SignedDuration::from_hours(365 * 24);

/// The scopes of a `scope` parameter: names separated by single spaces (RFC 6749, section 3.3); nothing when one is unknown.
fn parse_scopes(text: &str) -> Option<Scopes> {
    let mut scopes = Scopes { read: false, write: false, file: false };
    for name in text.split(' ') {
        match name {
            "read" => scopes.read = true,
            "write" => scopes.write = true,
            "file" => scopes.file = true,
            _ => return None,
        }
    }
    Some(scopes)
}

/// Whether all that is asked is among what may be had.
fn within(asked: Scopes, had: Scopes) -> bool {
    (!asked.read || had.read) && (!asked.write || had.write) && (!asked.file || had.file)
}

/// The moment after a while. Both are far from the end of time, so the sum exists.
fn after(moment: Timestamp, while_: SignedDuration) -> Timestamp {
    moment.saturating_add(while_).unwrap_or(Timestamp::MAX)
}

/// Ends a grant and all its tokens, and switches off the webhooks that the application made.
fn end(tx: &mut Tx<'_>, env: &Environment, account: i64, grant: &str) -> Result<(), Error> {
    webhooks::disable_of(tx, env, account, Program::Grant(grant))?;
    Ok(oauth::end(tx, account, grant)?)
}

/// Forgets what has expired, at most so many rows, so that nobody has to wait long; tells how many.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let mut gone = codes::sweep(tx, after(env.now, -CODE_MEMORY), limit)?;
    gone += stored::sweep_access(tx, env.now, limit - gone)?;
    gone += stored::sweep_refresh(tx, env.now, limit - gone)?;
    for (account, grant) in oauth::expired(tx, env.now, limit - gone)? {
        end(tx, env, account, &grant)?;
        gone += 1;
    }
    Ok(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_separated_by_single_spaces() {
        let scopes = |read, write| Some(Scopes { read, write, file: false });
        let filing = Some(Scopes { read: true, write: false, file: true });
        for (text, read) in [
            ("read", scopes(true, false)),
            ("write", scopes(false, true)),
            ("read write", scopes(true, true)),
            ("write read", scopes(true, true)),
            ("read read", scopes(true, false)),
            ("file read", filing),
            ("", None),
            (" read", None),
            ("read ", None),
            ("read  write", None),
            ("read,write", None),
            ("read\twrite", None),
            ("Read", None),
            ("admin", None),
            ("read admin", None),
        ] {
            assert_eq!(parse_scopes(text), read, "{text:?}");
        }
    }
}
