//! Authorization codes: each is exchanged once, and remembered for a while so that a second use is noticed.

use crate::{StoreError, Tx, keys::Scopes, params};
use jiff::Timestamp;

/// A code as it is stored.
#[derive(Debug, Clone)]
pub struct Code {
    /// Whose books.
    pub account: i64,
    /// The application that asked.
    pub client: String,
    /// Where it was sent.
    pub redirect_uri: String,
    /// What the code verifier must hash to (RFC 7636, section 4.2).
    pub challenge: String,
    /// What the person allowed.
    pub scopes: Scopes,
    /// When the person allowed it.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
    /// What it was exchanged for, once it was.
    pub grant: Option<String>,
}

/// Stores a new code.
pub fn insert(tx: &mut Tx<'_>, hash: &[u8; 32], code: &Code) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_codes (hash, account_id, client_id, redirect_uri, challenge, scopes, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        &params![
            hash,
            code.account,
            &code.client,
            &code.redirect_uri,
            &code.challenge,
            code.scopes.as_str(),
            code.created_at,
            code.expires_at
        ],
    )
}

/// The code with this hash, unless its account was closed.
pub fn find(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Code>, StoreError> {
    tx.query_opt(
        "SELECT c.account_id, c.client_id, c.redirect_uri, c.challenge, c.scopes, c.created_at, c.expires_at, c.grant_id
         FROM oauth_codes c JOIN accounts a ON a.id = c.account_id
         WHERE c.hash = ?1 AND a.closed_at IS NULL",
        &params![hash],
        |row| {
            Ok(Code {
                account: row.int(0)?,
                client: row.text(1)?,
                redirect_uri: row.text(2)?,
                challenge: row.text(3)?,
                scopes: row.parsed(4, Scopes::parse)?,
                created_at: row.time(5)?,
                expires_at: row.time(6)?,
                grant: row.opt_text(7)?,
            })
        },
    )
}

/// Marks a code as exchanged for a grant.
pub fn use_up(tx: &mut Tx<'_>, hash: &[u8; 32], grant: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.execute("UPDATE oauth_codes SET used_at = ?2, grant_id = ?3 WHERE hash = ?1", &params![hash, now, grant])
}

/// Forgets codes that expired before a moment, at most so many; tells how many.
pub fn sweep(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    super::tokens::sweep_table(tx, "oauth_codes", before, limit)
}
