//! Business trips with a private vehicle.

use crate::{Page, StoreError, Tx, invoices::Origin, param::Param, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::money::Cents;

/// A trip as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trip {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day.
    pub date: Date,
    /// Where it began.
    pub from: String,
    /// Where it ended.
    pub to: String,
    /// Hundredths of a kilometre.
    pub distance: i64,
    /// What it was for.
    pub purpose: Option<String>,
    /// The project that it was for.
    pub project_id: Option<i64>,
    /// Cents a kilometre.
    pub rate: Cents,
    /// What it costs.
    pub amount: Cents,
    /// Its journal entry.
    pub entry_id: i64,
    /// When it was taken back.
    pub undone_at: Option<Timestamp>,
    /// Where it was recorded.
    pub source: Origin,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

const COLUMNS: &str = "id, external_id, date, place_from, place_to, distance, purpose, project_id, rate, amount, entry_id, undone_at, \
                       source, created_at, updated_at";

fn read(row: &Row<'_>) -> Result<Trip, StoreError> {
    Ok(Trip {
        id: row.int(0)?,
        external_id: row.opt_text(1)?,
        date: row.date(2)?,
        from: row.text(3)?,
        to: row.text(4)?,
        distance: row.int(5)?,
        purpose: row.opt_text(6)?,
        project_id: row.opt_int(7)?,
        rate: Cents::new(row.int(8)?),
        amount: Cents::new(row.int(9)?),
        entry_id: row.int(10)?,
        undone_at: row.opt_time(11)?,
        source: row.parsed(12, Origin::parse)?,
        created_at: row.time(13)?,
        updated_at: row.time(14)?,
    })
}

/// Stores a new trip.
pub fn insert(tx: &mut Tx<'_>, account: i64, trip: &Trip) -> Result<(), StoreError> {
    tx.execute(
        &format!(
            "INSERT INTO trips (account_id, {COLUMNS})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
        ),
        &params![
            account,
            trip.id,
            &trip.external_id,
            trip.date,
            trip.from.as_str(),
            trip.to.as_str(),
            trip.distance,
            &trip.purpose,
            trip.project_id,
            trip.rate.get(),
            trip.amount.get(),
            trip.entry_id,
            trip.undone_at,
            trip.source.as_str(),
            trip.created_at,
            trip.updated_at,
        ],
    )
}

/// Notes that a trip was taken back.
pub fn undo(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE trips SET undone_at = ?3, updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
    tx.execute(sql, &params![account, id, now])
}

/// The trip with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Trip>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM trips WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// The trip with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Trip>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM trips WHERE account_id = ?1 AND external_id = ?2");
    tx.query_opt(&sql, &params![account, external_id], read)
}

/// Which trips are meant.
#[derive(Debug, Clone, Default)]
pub struct TripFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those from this day on.
    pub from: Option<Date>,
    /// Only those up to and including this day.
    pub to: Option<Date>,
    /// Only those that changed at this moment or later.
    pub updated_since: Option<Timestamp>,
}

/// Trips with an id below `before`, newest first.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &TripFilter, before: i64, limit: i64) -> Result<Page<Trip>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, before, limit.saturating_add(1)].into();
    let mut conditions = String::new();
    let wanted: [(&str, Option<Param<'_>>); 4] = [
        ("external_id =", filter.external_id.as_ref().map(Param::from)),
        ("date >=", filter.from.map(Param::Date)),
        ("date <=", filter.to.map(Param::Date)),
        ("updated_at >=", filter.updated_since.map(Param::Time)),
    ];
    for (condition, value) in wanted {
        if let Some(value) = value {
            values.push(value);
            conditions += &format!(" AND {condition} ?{}", values.len());
        }
    }
    let sql = format!("SELECT {COLUMNS} FROM trips WHERE account_id = ?1 AND id < ?2{conditions} ORDER BY id DESC LIMIT ?3");
    Ok(Page::of(tx.query(&sql, &values, read)?, limit))
}

/// Kilometres, in hundredths, and what they cost, of the trips of a year that were not taken back.
pub fn sums(tx: &mut Tx<'_>, account: i64, (from, to): (Date, Date)) -> Result<(i64, Cents), StoreError> {
    tx.query_one(
        "SELECT CAST(COALESCE(SUM(distance), 0) AS BIGINT), CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM trips
         WHERE account_id = ?1 AND undone_at IS NULL AND date BETWEEN ?2 AND ?3",
        &params![account, from, to],
        |row| Ok((row.int(0)?, Cents::new(row.int(1)?))),
    )
}
