//! Year closings. The books accept no entries dated on or before 31 December of a closed year. A
//! closing is never deleted; if the year is reopened, the closing records when.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, record},
    params,
};
use jiff::Timestamp;

/// A closing of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The year.
    pub year: i16,
    /// Number of the closing within the year, from 1.
    pub version: i64,
    /// Time of closing.
    pub closed_at: Timestamp,
    /// Time of reopening.
    pub reopened_at: Option<Timestamp>,
}

record! {
    Closing {
        "year": year,
        "version": version,
        "closed_at": closed_at,
        "reopened_at": reopened_at,
    }
}

/// All closings of a year, oldest first.
pub fn closings(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<Vec<Closing>, StoreError> {
    let sql = format!(
        "SELECT {} FROM year_closings WHERE account_id = ?1 AND year = ?2 ORDER BY version",
        Closing::COLUMNS
    );
    tx.query(&sql, &params![account, i64::from(year)], Closing::read)
}

/// Latest closed year.
pub fn last_closed(tx: &mut Tx<'_>, account: i64) -> Result<Option<i16>, StoreError> {
    let last = tx.query_one(
        "SELECT MAX(year) FROM year_closings WHERE account_id = ?1 AND reopened_at IS NULL",
        &params![account],
        |row| row.opt_int(0),
    )?;
    last.map(|year| {
        i16::try_from(year).map_err(|_| StoreError::Unreadable(format!("{year} is not a year")))
    })
    .transpose()
}

/// Closes a year.
pub fn close(
    tx: &mut Tx<'_>,
    account: i64,
    year: i16,
    version: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let closing = Closing { year, version, closed_at: now, reopened_at: None };
    record::insert(tx, "year_closings", Closing::COLUMNS, &closing.values(account))
}

/// Reopens a closed year.
pub fn reopen(tx: &mut Tx<'_>, account: i64, year: i16, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE year_closings SET reopened_at = ?3 WHERE account_id = ?1 AND year = ?2 AND reopened_at IS NULL",
        &params![account, i64::from(year), now],
    )
}
