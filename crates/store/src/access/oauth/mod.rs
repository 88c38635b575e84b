//! Partner applications and what people granted them: each token belongs to a grant, and lives no longer than it.

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

/// What a person granted to an application.
#[derive(Debug, Clone)]
pub struct Grant {
    /// Whose books.
    pub account: i64,
    /// Unique inside the account; random.
    pub id: String,
    /// The application.
    pub client: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When the person consented.
    pub created_at: Timestamp,
    /// When the person must consent again.
    pub expires_at: Timestamp,
}

/// A grant as it is listed.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The grant.
    pub grant: Grant,
    /// What the application is called.
    pub client_name: String,
    /// When a token of it was last used, to the minute or so.
    pub last_used_at: Option<Timestamp>,
    /// From where.
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

/// That a grant `g` still has something to be used at the moment `?2`.
const IN_USE: &str = "(
    EXISTS (SELECT 1 FROM oauth_refresh_tokens r
            WHERE r.account_id = g.account_id AND r.grant_id = g.id AND r.used_at IS NULL AND r.expires_at > ?2)
    OR EXISTS (SELECT 1 FROM oauth_access_tokens t
            WHERE t.account_id = g.account_id AND t.grant_id = g.id AND t.expires_at > ?2))";

/// The grants of an account that still have something to be used, oldest first.
pub fn of_account(tx: &mut Tx<'_>, account: i64, now: Timestamp) -> Result<Vec<Listed>, StoreError> {
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

/// The application that a grant was given to: its id and name.
pub fn client_of(tx: &mut Tx<'_>, account: i64, grant: &str) -> Result<Option<(String, String)>, StoreError> {
    tx.query_opt(
        "SELECT c.id, c.name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id WHERE g.account_id = ?1 AND g.id = ?2",
        &params![account, grant],
        |row| Ok((row.text(0)?, row.text(1)?)),
    )
}

/// Ends a grant and all its tokens.
pub fn end(tx: &mut Tx<'_>, account: i64, grant: &str) -> Result<(), StoreError> {
    for table in ["oauth_access_tokens", "oauth_refresh_tokens"] {
        tx.execute(&format!("DELETE FROM {table} WHERE account_id = ?1 AND grant_id = ?2"), &params![account, grant])?;
    }
    tx.execute("DELETE FROM oauth_grants WHERE account_id = ?1 AND id = ?2", &params![account, grant])
}

/// The ids of the grants that an account gave to an application.
pub fn ids_of(tx: &mut Tx<'_>, account: i64, client: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT id FROM oauth_grants WHERE account_id = ?1 AND client_id = ?2 ORDER BY id";
    tx.query(sql, &params![account, client], |row| row.text(0))
}

/// Ends the codes of an account that are under way to an application.
pub fn end_codes(tx: &mut Tx<'_>, account: i64, client: &str) -> Result<(), StoreError> {
    tx.execute("DELETE FROM oauth_codes WHERE account_id = ?1 AND client_id = ?2", &params![account, client])
}

/// Notes when a connected application was last used.
pub fn record_use(tx: &mut Tx<'_>, account: i64, grant: &str, at: Timestamp, address: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE oauth_grants SET last_used_at = ?3, last_used_address = ?4 WHERE account_id = ?1 AND id = ?2",
        &params![account, grant, at, address],
    )
}

/// Grants past their end, at most so many: account and id.
pub fn expired(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<(i64, String)>, StoreError> {
    tx.query(
        "SELECT account_id, id FROM oauth_grants WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2",
        &params![now, limit],
        |row| Ok((row.int(0)?, row.text(1)?)),
    )
}
