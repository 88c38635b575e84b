//! Access and refresh tokens, looked up by hash.

use crate::{
    StoreError, Tx,
    keys::{Holder, Scopes, find_holder},
    params,
};
use jiff::Timestamp;

/// A refresh token with its grant.
#[derive(Debug, Clone)]
pub struct RefreshToken {
    /// The account.
    pub account: i64,
    /// Id of the grant within the account.
    pub grant: String,
    /// Application that holds the grant.
    pub client: String,
    /// Scopes of the grant.
    pub scopes: Scopes,
    /// Time at which the grant ends.
    pub grant_expires_at: Timestamp,
    /// Time from which the token is no longer valid.
    pub expires_at: Timestamp,
    /// Time at which the token was used; `None` if it is unused.
    pub used_at: Option<Timestamp>,
}

/// Holder of the access token with this hash; `None` if the token is unknown, expired or revoked,
/// or the account is closed.
pub fn bearer(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    now: Timestamp,
) -> Result<Option<Holder<String>>, StoreError> {
    let from = "oauth_access_tokens t
         JOIN oauth_grants g ON g.account_id = t.account_id AND g.id = t.grant_id
         JOIN accounts a ON a.id = t.account_id
         WHERE t.hash = ?1 AND t.expires_at > ?2";
    find_holder(tx, "t.account_id, t.grant_id, t.scopes", from, &params![hash, now])
}

/// Stores a new access token.
pub fn insert_access(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    account: i64,
    grant: &str,
    scopes: Scopes,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_access_tokens (hash, account_id, grant_id, scopes, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        &params![hash, account, grant, scopes.as_str(), expires_at],
    )
}

/// Stores a new refresh token.
pub fn insert_refresh(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    account: i64,
    grant: &str,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO oauth_refresh_tokens (hash, account_id, grant_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        &params![hash, account, grant, now, expires_at],
    )
}

/// Refresh token with this hash, used or unused, while its grant exists.
pub fn refresh(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<RefreshToken>, StoreError> {
    tx.query_opt(
        "SELECT r.account_id, r.grant_id, g.client_id, g.scopes, g.expires_at, r.expires_at, r.used_at
         FROM oauth_refresh_tokens r
         JOIN oauth_grants g ON g.account_id = r.account_id AND g.id = r.grant_id
         WHERE r.hash = ?1",
        &params![hash],
        |row| {
            Ok(RefreshToken {
                account: row.int(0)?,
                grant: row.text(1)?,
                client: row.text(2)?,
                scopes: row.parsed(3, Scopes::parse)?,
                grant_expires_at: row.time(4)?,
                expires_at: row.time(5)?,
                used_at: row.opt_time(6)?,
            })
        },
    )
}

/// Marks a refresh token as used.
pub fn use_up(tx: &mut Tx<'_>, hash: &[u8; 32], now: Timestamp) -> Result<(), StoreError> {
    tx.execute("UPDATE oauth_refresh_tokens SET used_at = ?2 WHERE hash = ?1", &params![hash, now])
}

/// Deletes an access token of an application; a token of another application is not affected.
pub fn revoke_access(tx: &mut Tx<'_>, hash: &[u8; 32], client: &str) -> Result<(), StoreError> {
    let owner = tx.query_opt(
        "SELECT t.account_id FROM oauth_access_tokens t JOIN oauth_grants g ON g.account_id = t.account_id AND g.id = t.grant_id
         WHERE t.hash = ?1 AND g.client_id = ?2",
        &params![hash, client],
        |row| row.int(0),
    )?;
    match owner {
        Some(account) => tx.execute(
            "DELETE FROM oauth_access_tokens WHERE hash = ?1 AND account_id = ?2",
            &params![hash, account],
        ),
        None => Ok(()),
    }
}

/// Removes at most `limit` access tokens that expired at or before `before`; returns the number
/// removed.
pub fn sweep_access(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    sweep_table(tx, "oauth_access_tokens", before, limit)
}

/// Removes at most `limit` refresh tokens that expired at or before `before`; returns the number
/// removed.
pub fn sweep_refresh(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    sweep_table(tx, "oauth_refresh_tokens", before, limit)
}

pub(super) fn sweep_table(
    tx: &mut Tx<'_>,
    table: &str,
    before: Timestamp,
    limit: i64,
) -> Result<i64, StoreError> {
    let gone = tx.query(
        &format!(
            "DELETE FROM {table} WHERE hash IN (SELECT hash FROM {table} WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
             RETURNING account_id"
        ),
        &params![before, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
