//! OAuth clients and grants. Each token belongs to a grant and expires no later than the grant.

pub mod clients;
pub mod codes;
pub mod tokens;

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    keys::Scopes,
    params,
};
use jiff::Timestamp;

/// Access that a user granted to an application.
#[derive(Debug, Clone)]
pub struct Grant {
    /// Account that the grant gives access to.
    pub account: i64,
    /// Random id, unique within the account.
    pub id: String,
    /// The application.
    pub client: String,
    /// Scopes of the grant.
    pub scopes: Scopes,
    /// Time of consent.
    pub created_at: Timestamp,
    /// Time from which the user must consent again.
    pub expires_at: Timestamp,
}

/// A grant in a list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The grant.
    pub grant: Grant,
    /// Name of the application.
    pub client_name: String,
    /// Time at which one of the grant's tokens was last used, accurate to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// Network address from which one of the grant's tokens was last used.
    pub last_used_address: Option<String>,
}

record! {
    Grant {
        "account_id": account,
        "id": id,
        "client_id": client,
        "scopes": scopes,
        "created_at": created_at,
        "expires_at": expires_at,
    }
}

/// Stores a new grant.
pub fn insert(tx: &mut Tx<'_>, grant: &Grant) -> Result<(), StoreError> {
    record::insert_into(tx, "oauth_grants", Grant::COLUMNS, &grant.own_values(), "")
}

/// SQL condition: whether a grant `g` has a usable token at time `?2`.
const IN_USE: &str = "(
    EXISTS (SELECT 1 FROM oauth_refresh_tokens r
            WHERE r.account_id = g.account_id AND r.grant_id = g.id AND r.used_at IS NULL AND r.expires_at > ?2)
    OR EXISTS (SELECT 1 FROM oauth_access_tokens t
            WHERE t.account_id = g.account_id AND t.grant_id = g.id AND t.expires_at > ?2))";

/// Grants of an account that have a usable token, oldest first.
pub fn of_account(
    tx: &mut Tx<'_>,
    account: i64,
    now: Timestamp,
) -> Result<Vec<Listed>, StoreError> {
    let sql = format!(
        "SELECT {}, c.name, g.last_used_at, g.last_used_address
         FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id
         WHERE g.account_id = ?1 AND {IN_USE} ORDER BY g.created_at, g.id",
        record::of("g", Grant::COLUMNS)
    );
    tx.query(&sql, &params![account, now], |row| {
        let (grant, client_name, last_used_at, last_used_address) = record::read(row)?;
        Ok(Listed { grant, client_name, last_used_at, last_used_address })
    })
}

/// Id and name of the application that holds a grant.
pub fn client_of(
    tx: &mut Tx<'_>,
    account: i64,
    grant: &str,
) -> Result<Option<(String, String)>, StoreError> {
    tx.query_opt(
        "SELECT c.id, c.name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id WHERE g.account_id = ?1 AND g.id = ?2",
        &params![account, grant],
        |row| Ok((row.text(0)?, row.text(1)?)),
    )
}

/// Ends a grant and deletes its tokens.
pub fn end(tx: &mut Tx<'_>, account: i64, grant: &str) -> Result<(), StoreError> {
    for table in ["oauth_access_tokens", "oauth_refresh_tokens"] {
        tx.execute(
            &format!("DELETE FROM {table} WHERE account_id = ?1 AND grant_id = ?2"),
            &params![account, grant],
        )?;
    }
    tx.execute(
        "DELETE FROM oauth_grants WHERE account_id = ?1 AND id = ?2",
        &params![account, grant],
    )
}

/// Ids of the grants that give an application access to an account.
pub fn ids_of(tx: &mut Tx<'_>, account: i64, client: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT id FROM oauth_grants WHERE account_id = ?1 AND client_id = ?2 ORDER BY id";
    tx.query(sql, &params![account, client], |row| row.text(0))
}

/// Deletes an application's authorization codes for an account.
pub fn end_codes(tx: &mut Tx<'_>, account: i64, client: &str) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM oauth_codes WHERE account_id = ?1 AND client_id = ?2",
        &params![account, client],
    )
}

/// Records the time and network address of a connected application's last use.
pub fn record_use(
    tx: &mut Tx<'_>,
    account: i64,
    grant: &str,
    at: Timestamp,
    address: &str,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE oauth_grants SET last_used_at = ?3, last_used_address = ?4 WHERE account_id = ?1 AND id = ?2",
        &params![account, grant, at, address],
    )
}

/// At most `limit` expired grants: pairs of account and grant id.
pub fn expired(
    tx: &mut Tx<'_>,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<(i64, String)>, StoreError> {
    tx.query(
        "SELECT account_id, id FROM oauth_grants WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2",
        &params![now, limit],
        |row| Ok((row.int(0)?, row.text(1)?)),
    )
}
