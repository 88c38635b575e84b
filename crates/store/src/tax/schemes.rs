//! VAT schemes of an account by starting date; the normal scheme applies until the first change.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, overwriting, record},
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::vat::{SchemeReason, VatScheme};

/// A change of scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemeChange {
    /// First day of the scheme.
    pub from: Date,
    /// Scheme from that day on.
    pub scheme: VatScheme,
    /// Time of recording.
    pub noted_at: Timestamp,
    /// Reason for the change.
    pub because: SchemeReason,
    /// Id of the invoice that passed the limit of the small businesses scheme and thereby ended it.
    pub invoice_id: Option<i64>,
    /// Day on which the tax office was notified.
    pub notified_on: Option<Date>,
}

columns_by_name!(VatScheme);
columns_by_name!(SchemeReason);
record! {
    SchemeChange {
        "valid_from": from,
        "scheme": scheme,
        "noted_at": noted_at,
        "because": because,
        "invoice_id": invoice_id,
        "notified_on": notified_on,
    }
}

/// All changes, ordered by starting date.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<SchemeChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_schemes WHERE account_id = ?1 ORDER BY valid_from",
        SchemeChange::COLUMNS
    );
    tx.query(&sql, &params![account], SchemeChange::read)
}

/// Latest change in force on the given day, if any.
pub fn on(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<Option<SchemeChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_schemes WHERE account_id = ?1 AND valid_from <= ?2 ORDER BY valid_from DESC LIMIT 1",
        SchemeChange::COLUMNS
    );
    tx.query_opt(&sql, &params![account, day], SchemeChange::read)
}

/// Records that a scheme applies from a given day, replacing any earlier record for that day.
pub fn put(tx: &mut Tx<'_>, account: i64, change: &SchemeChange) -> Result<(), StoreError> {
    let columns = format!("account_id, {}", SchemeChange::COLUMNS);
    let tail =
        overwriting("account_id, valid_from", "scheme, noted_at, because, invoice_id, notified_on");
    record::insert_into(tx, "vat_schemes", &columns, &change.values(account), &tail)
}

/// Removes the change that begins on the given day.
pub fn remove(tx: &mut Tx<'_>, account: i64, from: Date) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM vat_schemes WHERE account_id = ?1 AND valid_from = ?2",
        &params![account, from],
    )
}
