//! Which VAT scheme an account uses from which day on: the normal one unless another is said.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, overwriting, record},
    params,
};
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

columns_by_name!(VatScheme);
record! {
    SchemeChange {
        "valid_from": from,
        "scheme": scheme,
        "noted_at": noted_at,
    }
}

/// All changes, the first day first.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<SchemeChange>, StoreError> {
    let sql = format!("SELECT {} FROM vat_schemes WHERE account_id = ?1 ORDER BY valid_from", SchemeChange::COLUMNS);
    tx.query(&sql, &params![account], SchemeChange::read)
}

/// The change that holds on a day, if there is one.
pub fn on(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<Option<SchemeChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_schemes WHERE account_id = ?1 AND valid_from <= ?2 ORDER BY valid_from DESC LIMIT 1",
        SchemeChange::COLUMNS
    );
    tx.query_opt(&sql, &params![account, day], SchemeChange::read)
}

/// Notes that a scheme is used from a day on.
pub fn put(tx: &mut Tx<'_>, account: i64, change: &SchemeChange) -> Result<(), StoreError> {
    let columns = format!("account_id, {}", SchemeChange::COLUMNS);
    let tail = overwriting("account_id, valid_from", "scheme, noted_at");
    record::insert_into(tx, "vat_schemes", &columns, &change.values(account), &tail)
}
