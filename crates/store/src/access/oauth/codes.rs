//! Authorization codes. A code can be exchanged once and is kept for a while, so that a second use
//! is detected.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    keys::Scopes,
    params,
};
use jiff::Timestamp;

/// Stored authorization code.
#[derive(Debug, Clone)]
pub struct Code {
    /// Account that the code gives access to.
    pub account: i64,
    /// Application that requested the code.
    pub client: String,
    /// Redirect URI to which the code was sent.
    pub redirect_uri: String,
    /// Code challenge: the hash of the code verifier (RFC 7636, section 4.2).
    pub challenge: String,
    /// Scopes that the user allowed.
    pub scopes: Scopes,
    /// Time of the user's consent.
    pub created_at: Timestamp,
    /// Time from which the code is no longer valid.
    pub expires_at: Timestamp,
    /// Id of the grant for which the code was exchanged; `None` before the exchange.
    pub grant: Option<String>,
}

record! {
    Code {
        "account_id": account,
        "client_id": client,
        "redirect_uri": redirect_uri,
        "challenge": challenge,
        "scopes": scopes,
        "created_at": created_at,
        "expires_at": expires_at,
        "grant_id": grant,
    }
}

/// Stores a new code.
pub fn insert(tx: &mut Tx<'_>, hash: &[u8; 32], code: &Code) -> Result<(), StoreError> {
    let mut values = code.own_values();
    values.push(hash.into());
    record::insert_into(tx, "oauth_codes", &format!("{}, hash", Code::COLUMNS), &values, "")
}

/// Code with this hash, unless the account is closed.
pub fn find(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Code>, StoreError> {
    let sql = format!(
        "SELECT {} FROM oauth_codes c JOIN accounts a ON a.id = c.account_id WHERE c.hash = ?1 AND a.closed_at IS NULL",
        record::of("c", Code::COLUMNS)
    );
    tx.query_opt(&sql, &params![hash], Code::read)
}

/// Marks a code as exchanged for a grant.
pub fn use_up(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    grant: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE oauth_codes SET used_at = ?2, grant_id = ?3 WHERE hash = ?1",
        &params![hash, now, grant],
    )
}

/// Removes at most `limit` codes that expired at or before `before`; returns the number removed.
pub fn sweep(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    super::tokens::sweep_table(tx, "oauth_codes", before, limit)
}
