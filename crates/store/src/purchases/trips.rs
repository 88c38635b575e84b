//! Business trips with a private vehicle.

use crate::{
    ListFilter, ListPart, Page, StoreError, Tx, Updated,
    engine::{
        filter::Filter,
        record::{self, Record, record},
    },
    invoices::Origin,
    params,
};
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

record! {
    Trip {
        "id": id,
        "external_id": external_id,
        "date": date,
        "place_from": from,
        "place_to": to,
        "distance": distance,
        "purpose": purpose,
        "project_id": project_id,
        "rate": rate,
        "amount": amount,
        "entry_id": entry_id,
        "undone_at": undone_at,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}

/// Stores a new trip.
pub fn insert(tx: &mut Tx<'_>, account: i64, trip: &Trip) -> Result<(), StoreError> {
    record::insert(tx, "trips", Trip::COLUMNS, &trip.values(account))
}

/// Notes that a trip was taken back.
pub fn undo(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE trips SET undone_at = ?3, updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
    tx.execute(sql, &params![account, id, now])
}

/// The trip with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Trip>, StoreError> {
    tx.query_opt(
        &format!("SELECT {} FROM trips WHERE account_id = ?1 AND id = ?2", Trip::COLUMNS),
        &params![account, id],
        Trip::read,
    )
}

/// The trip with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Trip>, StoreError> {
    let sql = format!("SELECT {} FROM trips WHERE account_id = ?1 AND external_id = ?2", Trip::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], Trip::read)
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
    pub updated: Option<Updated>,
}

/// Trips with an id below `before`, newest first.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &TripFilter, before: i64, limit: i64) -> Result<Page<Trip>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.given("external_id =", filter.external_id.as_ref());
    wanted.given("date >=", filter.from);
    wanted.given("date <=", filter.to);
    wanted.updated(filter.updated);
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM trips WHERE {wanted} ORDER BY id DESC LIMIT {rows}", Trip::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), Trip::read)?, limit))
}

/// The sums of a list of trips.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TripSums {
    /// How many there are, those that were taken back too.
    pub count: i64,
    /// Hundredths of a kilometre, of those that were not.
    pub distance: i64,
    /// What these cost.
    pub amount: Cents,
}

fn listed(account: i64, filter: &ListFilter) -> Filter<'_> {
    let mut wanted = Filter::of(account);
    filter.narrow(&mut wanted, &["LOWER(place_from)", "LOWER(place_to)", "LOWER(COALESCE(purpose, ''))"], "amount");
    wanted
}

/// A part of the trips that a filter lets through.
pub fn table(tx: &mut Tx<'_>, account: i64, filter: &ListFilter, part: ListPart) -> Result<Vec<Trip>, StoreError> {
    let mut wanted = listed(account, filter);
    let (limit, offset) = (wanted.bind(part.limit), wanted.bind(part.offset));
    let (columns, order) = (Trip::COLUMNS, part.order.0.order(part.order.1));
    let sql = format!("SELECT {columns} FROM trips WHERE {wanted} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    tx.query(&sql, wanted.values(), Trip::read)
}

/// The sums of all of these.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &ListFilter) -> Result<TripSums, StoreError> {
    let wanted = listed(account, filter);
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN distance ELSE 0 END), 0) AS BIGINT),
         CAST(COALESCE(SUM(CASE WHEN undone_at IS NULL THEN amount ELSE 0 END), 0) AS BIGINT) FROM trips WHERE {wanted}"
    );
    tx.query_one(&sql, wanted.values(), |row| {
        Ok(TripSums { count: row.int(0)?, distance: row.int(1)?, amount: Cents::new(row.int(2)?) })
    })
}
