//! OAuth 2.0 authorization server: partner applications, grants, and tokens.
//!
//! Authorization code with PKCE (RFC 6749, section 4.1; RFC 7636, S256 only) and rotating refresh
//! tokens (RFC 9700, section 4.14.2). Other grant types (implicit, password, client credentials)
//! are not supported.

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

/// Lifetime of an authorization code.
const CODE_LIFE: SignedDuration = SignedDuration::from_secs(60);
/// Period for which a code stays stored after it has expired, so that its reuse can be detected.
const CODE_MEMORY: SignedDuration = SignedDuration::from_hours(24);
/// Lifetime of an access token.
const ACCESS_LIFE: SignedDuration = SignedDuration::from_hours(1);
/// Lifetime of a refresh token.
const REFRESH_LIFE: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Lifetime of a person's consent, regardless of refreshes (OWASP ASVS 5.0, 10.4.8).
pub const GRANT_LIFE: SignedDuration = SignedDuration::from_hours(365 * 24);

/// Parses a `scope` parameter: names separated by single spaces (RFC 6749, section 3.3); `None` if
/// a name is unknown.
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

/// Whether all requested scopes are among the available ones.
fn within(requested: Scopes, available: Scopes) -> bool {
    (!requested.read || available.read)
        && (!requested.write || available.write)
        && (!requested.file || available.file)
}

/// Adds a duration to a time. In practice the sum cannot overflow: the times are close to the
/// present, and the durations are short.
fn after(moment: Timestamp, while_: SignedDuration) -> Timestamp {
    moment.saturating_add(while_).unwrap_or(Timestamp::MAX)
}

/// Ends a grant and all its tokens, and disables the webhooks that belong to it.
fn end(tx: &mut Tx<'_>, env: &Environment, account: i64, grant: &str) -> Result<(), Error> {
    webhooks::disable_of(tx, env, account, Program::Grant(grant))?;
    Ok(oauth::end(tx, account, grant)?)
}

/// Removes at most `limit` expired rows, to keep the transaction short; returns their number.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let mut removed = codes::sweep(tx, after(env.now, -CODE_MEMORY), limit)?;
    removed += stored::sweep_access(tx, env.now, limit - removed)?;
    removed += stored::sweep_refresh(tx, env.now, limit - removed)?;
    for (account, grant) in oauth::expired(tx, env.now, limit - removed)? {
        end(tx, env, account, &grant)?;
        removed += 1;
    }
    Ok(removed)
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
