//! Business kilometres with a private vehicle. Each trip is booked at once, at the rate of its
//! date.

use crate::{Context, Created, Error, Reason, context, corrections, days};
use jiff::civil::Date;
use ledger::{
    booking,
    decimal::{self, Decimal},
    entry::{Source, SourceType},
    money::Cents,
};
use store::{
    ListFilter, ListPart, Page, Tx,
    books::IdSequence,
    projects,
    trips::{self as rows, Trip, TripFilter, TripSums},
};

/// Input for a new trip.
#[derive(Debug, Clone)]
pub struct NewTrip {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the trip.
    pub date: Date,
    /// Place of departure.
    pub from: String,
    /// Destination.
    pub to: String,
    /// Distance in hundredths of a kilometre.
    pub distance: i64,
    /// Purpose of the trip.
    pub purpose: Option<String>,
    /// Id of the project that the trip was for.
    pub project_id: Option<i64>,
}

/// Returns the deductible rate per kilometre on the given day (art. 3.17(1)(b) Wet IB 2001).
#[must_use]
pub fn rate_on(day: Date) -> Option<Cents> {
    let row = tax::dataset::find("mileage-allowance")?.in_force_on(day).next()?;
    let euros = row.get("amountPerKm")?.number()?;
    decimal::to_cents(&euros).ok()
}

/// Returns the deductible amount for a distance in hundredths of a kilometre.
pub(crate) fn cost(distance: i64, rate: Cents) -> Option<Cents> {
    let (km, euros) = (Decimal::new(distance, 2), Decimal::new(rate.get(), 2));
    decimal::multiply_to_cents(&km, &euros).ok()
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Mileage, id }
}

/// Records a trip, and books it as a cost that the owner paid privately.
///
/// # Errors
/// The account is not Dutch, there is no mileage rate for the date, the date is before the opening
/// balance, the amount is zero, or there is no such project.
pub fn record(tx: &mut Tx<'_>, cx: &Context, command: &NewTrip) -> Result<Created<Trip>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        if let Some(fault) = days::before_opening(books, "/date", command.date) {
            return Err(fault.into());
        }
        if let Some(id) = command.project_id
            && projects::by_id(tx, cx.actor.account, id)?.is_none()
        {
            return Err(Error::fault("/projectId", Reason::UnknownProject { id }));
        }
        let year = command.date.year().to_string();
        let rate = rate_on(command.date)
            .ok_or_else(|| Error::fault("/date", Reason::NoMileageRate { year }))?;
        let amount = cost(command.distance, rate).filter(|amount| !amount.is_zero());
        let amount = amount.ok_or_else(|| Error::fault("/km", Reason::NothingBought))?;
        let id = books.next_id(IdSequence::Trip);
        let trip = Trip {
            id,
            external_id: command.external_id.clone(),
            date: command.date,
            from: command.from.clone(),
            to: command.to.clone(),
            distance: command.distance,
            purpose: command.purpose.clone(),
            project_id: command.project_id,
            rate,
            amount,
            entry_id: books.upcoming_entry(),
            undone_at: None,
            source: cx.actor.origin,
            created_at: cx.now(),
            updated_at: cx.now(),
        };
        let route = format!("{} – {}", trip.from, trip.to);
        let entry = booking::mileage(source(id), &route, trip.date, amount);
        corrections::require_open(tx, cx.actor.account, &entry)?;
        books.append(tx, &entry, cx.now())?;
        rows::insert(tx, cx.actor.account, &trip)?;
        Ok(Created::New(trip))
    })
}

/// Returns the trip with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Trip>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a trip by its id.
///
/// # Errors
/// There is no such trip in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Trip, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("trip"))
}

/// Returns a page of trips with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &TripFilter,
    before: i64,
    limit: i64,
) -> Result<Page<Trip>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, before, limit)?)
}

/// Returns part of the trips that match a filter, and sums over all matches.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ListFilter,
    part: ListPart,
) -> Result<(Vec<Trip>, TripSums), Error> {
    Ok((
        rows::table(tx, cx.actor.account, filter, part)?,
        rows::sums(tx, cx.actor.account, filter)?,
    ))
}

/// Undoes a trip by reversing its entry. Does nothing if it was undone before.
///
/// # Errors
/// The account is not Dutch, or there is no such trip.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Trip, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut trip = read(tx, cx, id)?;
        if trip.undone_at.is_some() {
            return Ok(trip);
        }
        let stored = corrections::require_own(tx, cx.actor.account, trip.entry_id, source(id))?;
        let reversal =
            stored.entry.reversal(stored.id, stored.entry.date(), stored.entry.vat_date());
        corrections::require_open(tx, cx.actor.account, &reversal)?;
        books.append(tx, &reversal, cx.now())?;
        (trip.undone_at, trip.updated_at) = (Some(cx.now()), cx.now());
        rows::undo(tx, cx.actor.account, id, cx.now())?;
        Ok(trip)
    })
}
