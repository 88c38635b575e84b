//! OAuth clients: partner applications registered by the operator.

use super::IN_USE;
use crate::{
    StoreError, Tx,
    engine::record::{Record, record},
    keys::Scopes,
    params,
};
use jiff::Timestamp;

/// A registered application.
#[derive(Debug, Clone)]
pub struct Client {
    /// Unique across the service.
    pub id: String,
    /// SHA-256 of the client secret.
    pub secret_hash: [u8; 32],
    /// Name shown to users.
    pub name: String,
    /// Scopes that the application may request.
    pub scopes: Scopes,
    /// Time of registration.
    pub created_at: Timestamp,
    /// Time at which the current secret was issued.
    pub secret_changed_at: Timestamp,
}

record! {
    Client {
        "id": id,
        "secret_hash": secret_hash,
        "name": name,
        "scopes": scopes,
        "created_at": created_at,
        "secret_changed_at": secret_changed_at,
    }
}

/// Stores a new application; returns `false` if its id is taken.
pub fn insert(
    tx: &mut Tx<'_>,
    client: &Client,
    redirect_uris: &[String],
) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO oauth_clients ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO NOTHING RETURNING id",
        Client::COLUMNS
    );
    if tx.query_opt(&sql, &client.own_values(), |row| row.text(0))?.is_none() {
        return Ok(false);
    }
    for uri in redirect_uris {
        tx.execute(
            "INSERT INTO oauth_redirect_uris (client_id, uri) VALUES (?1, ?2)",
            &params![&client.id, uri],
        )?;
    }
    Ok(true)
}

/// Application with this id.
pub fn by_id(tx: &mut Tx<'_>, id: &str) -> Result<Option<Client>, StoreError> {
    tx.query_opt(
        &format!("SELECT {} FROM oauth_clients WHERE id = ?1", Client::COLUMNS),
        &params![id],
        Client::read,
    )
}

/// All applications, oldest first.
pub fn all(tx: &mut Tx<'_>) -> Result<Vec<Client>, StoreError> {
    tx.query(
        &format!("SELECT {} FROM oauth_clients ORDER BY created_at, id", Client::COLUMNS),
        &[],
        Client::read,
    )
}

/// Redirect URIs of an application.
pub fn redirect_uris(tx: &mut Tx<'_>, id: &str) -> Result<Vec<String>, StoreError> {
    tx.query(
        "SELECT uri FROM oauth_redirect_uris WHERE client_id = ?1 ORDER BY uri",
        &params![id],
        |row| row.text(0),
    )
}

/// Number of accounts that have connected an application.
pub fn connections(tx: &mut Tx<'_>, id: &str, now: Timestamp) -> Result<i64, StoreError> {
    tx.query_one(
        &format!("SELECT COUNT(DISTINCT g.account_id) FROM oauth_grants g WHERE g.client_id = ?1 AND {IN_USE}"),
        &params![id, now],
        |row| row.int(0),
    )
}

/// Replaces the secret of an application; returns whether the application exists.
pub fn set_secret(
    tx: &mut Tx<'_>,
    id: &str,
    hash: &[u8; 32],
    now: Timestamp,
) -> Result<bool, StoreError> {
    let changed = tx.query_opt(
        "UPDATE oauth_clients SET secret_hash = ?2, secret_changed_at = ?3 WHERE id = ?1 RETURNING id",
        &params![id, hash, now],
        |row| row.text(0),
    )?;
    Ok(changed.is_some())
}

/// Grants that give an application access: pairs of account and grant id.
pub fn grants(tx: &mut Tx<'_>, id: &str) -> Result<Vec<(i64, String)>, StoreError> {
    let sql =
        "SELECT account_id, id FROM oauth_grants WHERE client_id = ?1 ORDER BY account_id, id";
    tx.query(sql, &params![id], |row| Ok((row.int(0)?, row.text(1)?)))
}

/// Removes an application, whose grants must have been ended; returns whether it existed.
pub fn remove(tx: &mut Tx<'_>, id: &str) -> Result<bool, StoreError> {
    for table in ["oauth_codes", "oauth_grants", "oauth_redirect_uris"] {
        tx.execute(&format!("DELETE FROM {table} WHERE client_id = ?1"), &params![id])?;
    }
    let removed = tx.query_opt(
        "DELETE FROM oauth_clients WHERE id = ?1 RETURNING id",
        &params![id],
        |row| row.text(0),
    )?;
    Ok(removed.is_some())
}
