//! Revisions of the VAT on assets: the part of each asset in the entry for a year, and the external
//! ids of the requests that booked them.

use crate::{StoreError, Tx, params};
use ledger::money::Cents;
use std::collections::BTreeMap;

/// Amounts booked in the revision for a year, by asset id.
pub fn parts(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<BTreeMap<i64, Cents>, StoreError> {
    let sql = "SELECT asset_id, amount FROM vat_revision_assets WHERE account_id = ?1 AND year = ?2 ORDER BY asset_id";
    let rows = tx.query(sql, &params![account, i64::from(year)], |row| {
        Ok((row.int(0)?, Cents::new(row.int(1)?)))
    })?;
    Ok(rows.into_iter().collect())
}

/// Replaces the amounts booked in the revision for a year.
pub fn replace_parts(
    tx: &mut Tx<'_>,
    account: i64,
    year: i16,
    parts: &BTreeMap<i64, Cents>,
) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM vat_revision_assets WHERE account_id = ?1 AND year = ?2",
        &params![account, i64::from(year)],
    )?;
    for (asset, amount) in parts {
        tx.execute(
            "INSERT INTO vat_revision_assets (account_id, year, asset_id, amount) VALUES (?1, ?2, ?3, ?4)",
            &params![account, i64::from(year), *asset, amount.get()],
        )?;
    }
    Ok(())
}

/// Years whose revision includes an asset, in ascending order.
pub fn years_of(tx: &mut Tx<'_>, account: i64, asset: i64) -> Result<Vec<i16>, StoreError> {
    let sql = "SELECT year FROM vat_revision_assets WHERE account_id = ?1 AND asset_id = ?2 ORDER BY year";
    tx.query(sql, &params![account, asset], |row| row.int(0).map(year))
}

/// Years with a booked revision, in ascending order.
pub fn years(tx: &mut Tx<'_>, account: i64) -> Result<Vec<i16>, StoreError> {
    let sql = "SELECT DISTINCT year FROM vat_revision_assets WHERE account_id = ?1 ORDER BY year";
    tx.query(sql, &params![account], |row| row.int(0).map(year))
}

fn year(stored: i64) -> i16 {
    i16::try_from(stored).unwrap_or(i16::MAX)
}

/// Year whose revision was booked by the request with this external id.
pub fn requested(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<i16>, StoreError> {
    let sql = "SELECT year FROM vat_revision_requests WHERE account_id = ?1 AND external_id = ?2";
    tx.query_opt(sql, &params![account, external_id], |row| row.int(0).map(year))
}

/// Stores the external id of the request that booked the revision for a year.
pub fn request(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
    year: i16,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO vat_revision_requests (account_id, external_id, year) VALUES (?1, ?2, ?3)",
        &params![account, external_id, i64::from(year)],
    )
}
