//! Mappings: how to read CSV files of banks that are not known.

use crate::{
    StoreError, Tx,
    engine::{
        filter::Filter,
        record::record,
        table::{self, table_functions},
    },
    params,
};
use jiff::Timestamp;

/// Mapping of CSV files of a bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankMapping {
    /// Unique within the account.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Bank account of files that name none.
    pub bank_account_id: Option<i64>,
    /// Hash of the first row of the files.
    pub head: Option<String>,
    /// Columns and notation: a line per value, with its name and a tab before it.
    pub notation: String,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

record! {
    "bank_mappings": BankMapping {
        "id": id,
        "name": name,
        "bank_account_id": bank_account_id,
        "head": head,
        "notation": notation,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}
table_functions!(BankMapping: insert, by_id);

/// All mappings, the latest first.
///
/// # Errors
/// The storage failed.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<BankMapping>, StoreError> {
    table::first(tx, Filter::of(account), "id DESC", i64::MAX)
}

/// Deletes a mapping.
///
/// # Errors
/// The storage failed.
pub fn delete(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM bank_mappings WHERE account_id = ?1 AND id = ?2", &params![account, id])
}
