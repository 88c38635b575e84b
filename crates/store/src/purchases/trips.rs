//! Business trips with a private vehicle.

use crate::{
    ListFilter, ListPart, Page, StoreError, Tx, Updated,
    engine::{
        filter::Filter,
        record::record,
        table::{self, table_functions},
    },
    invoices::Origin,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::money::Cents;

/// Stored trip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trip {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the trip.
    pub date: Date,
    /// Starting point.
    pub from: String,
    /// Destination.
    pub to: String,
    /// Distance in hundredths of a kilometre.
    pub distance: i64,
    /// Purpose of the trip.
    pub purpose: Option<String>,
    /// Id of the project for which the trip was made.
    pub project_id: Option<i64>,
    /// Rate in cents per kilometre.
    pub rate: Cents,
    /// Deductible amount for the whole trip.
    pub amount: Cents,
    /// Id of the journal entry for the trip.
    pub entry_id: i64,
    /// Time at which the trip was undone.
    pub undone_at: Option<Timestamp>,
    /// Origin of the record.
    pub source: Origin,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

record! {
    "trips": Trip {
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
table_functions!(Trip: insert, by_id, by_external_id);

/// Records that a trip was undone.
pub fn undo(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE trips SET undone_at = ?3, updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
    tx.execute(sql, &params![account, id, now])
}

/// Filter for trips.
#[derive(Debug, Clone, Default)]
pub struct TripFilter {
    /// Only the trip with this external id.
    pub external_id: Option<String>,
    /// First date.
    pub from: Option<Date>,
    /// Last date, inclusive.
    pub to: Option<Date>,
    /// Only trips that changed in this period.
    pub updated: Option<Updated>,
}

/// Trips with an id below `before`, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &TripFilter,
    before: i64,
    limit: i64,
) -> Result<Page<Trip>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.given("external_id =", filter.external_id.as_ref());
    wanted.given("date >=", filter.from);
    wanted.given("date <=", filter.to);
    wanted.updated(filter.updated);
    table::page(tx, wanted, "id DESC", limit)
}

/// Totals of a list of trips.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TripSums {
    /// Number of trips, including undone ones.
    pub count: i64,
    /// Total distance of the trips that are not undone, in hundredths of a kilometre.
    pub distance: i64,
    /// Total amount of the trips that are not undone.
    pub amount: Cents,
}

fn listed(account: i64, filter: &ListFilter) -> Filter<'_> {
    let mut wanted = Filter::of(account);
    filter.narrow(
        &mut wanted,
        &["LOWER(place_from)", "LOWER(place_to)", "LOWER(COALESCE(purpose, ''))"],
        "amount",
    );
    wanted
}

/// Section of the filtered list of trips.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ListFilter,
    part: ListPart,
) -> Result<Vec<Trip>, StoreError> {
    table::part(tx, listed(account, filter), part)
}

/// Totals of the filtered list of trips.
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
