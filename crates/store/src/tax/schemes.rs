//! Which VAT scheme an account uses from which day on: the normal one unless another is said.

use crate::{StoreError, Tx, params};
use jiff::{Timestamp, civil::Date};
use ledger::vat::VatScheme;

/// A change of scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemeChange {
    /// The first day of it.
    pub from: Date,
    /// The scheme since then.
    pub scheme: VatScheme,
    /// When it was recorded.
    pub noted_at: Timestamp,
}

/// All changes, the first day first.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<SchemeChange>, StoreError> {
    tx.query(
        "SELECT valid_from, scheme, noted_at FROM vat_schemes WHERE account_id = ?1 ORDER BY valid_from",
        &params![account],
        |row| Ok(SchemeChange { from: row.date(0)?, scheme: row.parsed(1, VatScheme::parse)?, noted_at: row.time(2)? }),
    )
}

/// The change that holds on a day, if there is one.
pub fn on(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<Option<SchemeChange>, StoreError> {
    tx.query_opt(
        "SELECT valid_from, scheme, noted_at FROM vat_schemes WHERE account_id = ?1 AND valid_from <= ?2
         ORDER BY valid_from DESC LIMIT 1",
        &params![account, day],
        |row| Ok(SchemeChange { from: row.date(0)?, scheme: row.parsed(1, VatScheme::parse)?, noted_at: row.time(2)? }),
    )
}

/// Notes that a scheme is used from a day on.
pub fn put(tx: &mut Tx<'_>, account: i64, change: &SchemeChange) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO vat_schemes (account_id, valid_from, scheme, noted_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id, valid_from) DO UPDATE SET scheme = excluded.scheme, noted_at = excluded.noted_at",
        &params![account, change.from, change.scheme.as_str(), change.noted_at],
    )
}
