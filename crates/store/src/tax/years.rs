//! Years that were closed: nothing more is booked up to their 31 December. Each closing stays; one that was undone tells when.

use crate::{StoreError, Tx, params};
use jiff::Timestamp;

/// A closing of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The year.
    pub year: i16,
    /// 1 for the first of the year.
    pub version: i64,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// When it was opened again.
    pub reopened_at: Option<Timestamp>,
}

/// All closings of a year, the first one first.
pub fn closings(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<Vec<Closing>, StoreError> {
    tx.query(
        "SELECT year, version, closed_at, reopened_at FROM year_closings WHERE account_id = ?1 AND year = ?2 ORDER BY version",
        &params![account, i64::from(year)],
        |row| Ok(Closing { year: row.narrow(0)?, version: row.int(1)?, closed_at: row.time(2)?, reopened_at: row.opt_time(3)? }),
    )
}

/// The last year that is closed.
pub fn last_closed(tx: &mut Tx<'_>, account: i64) -> Result<Option<i16>, StoreError> {
    let last = tx.query_one(
        "SELECT MAX(year) FROM year_closings WHERE account_id = ?1 AND reopened_at IS NULL",
        &params![account],
        |row| row.opt_int(0),
    )?;
    last.map(|year| i16::try_from(year).map_err(|_| StoreError::Unreadable(format!("{year} is not a year")))).transpose()
}

/// Closes a year.
pub fn close(tx: &mut Tx<'_>, account: i64, year: i16, version: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO year_closings (account_id, year, version, closed_at) VALUES (?1, ?2, ?3, ?4)",
        &params![account, i64::from(year), version, now],
    )
}

/// Opens a closed year again.
pub fn reopen(tx: &mut Tx<'_>, account: i64, year: i16, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE year_closings SET reopened_at = ?3 WHERE account_id = ?1 AND year = ?2 AND reopened_at IS NULL",
        &params![account, i64::from(year), now],
    )
}
