//! Partner applications and what people granted them: clients, grants, codes and tokens, each found by the hash of its secret.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// Notes when a connected application was last used.
pub fn note_use(tx: &mut Tx<'_>, account: i64, grant: &str, at: Timestamp, address: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE oauth_grants SET last_used_at = ?3, last_used_address = ?4 WHERE account_id = ?1 AND id = ?2",
        &params![account, grant, at, address],
    )
}
