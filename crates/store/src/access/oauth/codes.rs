//! Authorization codes: each is exchanged once, and remembered for a while so that a second use is noticed.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    keys::Scopes,
    params,
};
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

/// The code with this hash, unless its account was closed.
pub fn find(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Code>, StoreError> {
    let sql = format!(
        "SELECT {} FROM oauth_codes c JOIN accounts a ON a.id = c.account_id WHERE c.hash = ?1 AND a.closed_at IS NULL",
        record::of("c", Code::COLUMNS)
    );
    tx.query_opt(&sql, &params![hash], Code::read)
}

/// Marks a code as exchanged for a grant.
pub fn use_up(tx: &mut Tx<'_>, hash: &[u8; 32], grant: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.execute("UPDATE oauth_codes SET used_at = ?2, grant_id = ?3 WHERE hash = ?1", &params![hash, now, grant])
}

/// Forgets codes that expired before a moment, at most so many; tells how many.
pub fn sweep(tx: &mut Tx<'_>, before: Timestamp, limit: i64) -> Result<i64, StoreError> {
    super::tokens::sweep_table(tx, "oauth_codes", before, limit)
}
