//! Business kilometres with a private vehicle: each trip is booked at once, by the rate of its day.

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

/// What is needed to record a trip.
#[derive(Debug, Clone)]
pub struct NewTrip {
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
}

/// What a kilometre costs on a day, in cents (art. 3.17(1)(b) Wet IB 2001).
#[must_use]
pub fn rate_on(day: Date) -> Option<Cents> {
    let row = tax::dataset::find("mileage-allowance")?.in_force_on(day).next()?;
    let euros = row.get("amountPerKm")?.number()?;
    decimal::to_cents(&euros).ok()
}

/// What so many hundredths of a kilometre cost.
pub(crate) fn cost(distance: i64, rate: Cents) -> Option<Cents> {
    let (km, euros) = (Decimal::new(distance, 2), Decimal::new(rate.get(), 2));
    decimal::multiply_to_cents(&km, &euros).ok()
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Mileage, id }
}

/// Records a trip: a cost that the owner puts in.
///
/// # Errors
/// No rate is known for the day, or there is no such project.
pub fn record(tx: &mut Tx<'_>, cx: &Context, command: &NewTrip) -> Result<Created<Trip>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        if let Some(early) = days::before_opening(books, "/date", command.date) {
            return Err(early.into());
        }
        if let Some(id) = command.project_id
            && projects::by_id(tx, cx.actor.account, id)?.is_none()
        {
            return Err(Error::fault("/projectId", Reason::UnknownProject { id }));
        }
        let year = command.date.year().to_string();
        let rate = rate_on(command.date).ok_or_else(|| Error::fault("/date", Reason::NoMileageRate { year }))?;
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
        let what = format!("{} – {}", trip.from, trip.to);
        let entry = booking::mileage(source(id), &what, trip.date, amount);
        corrections::require_open(tx, cx.actor.account, &entry)?;
        books.append(tx, &entry, cx.now())?;
        rows::insert(tx, cx.actor.account, &trip)?;
        Ok(Created::New(trip))
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<Trip>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// A trip by its id.
///
/// # Errors
/// There is no such trip in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Trip, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("trip"))
}

/// A page of trips, newest first, those with an id below `before`.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &TripFilter, before: i64, limit: i64) -> Result<Page<Trip>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, before, limit)?)
}

/// The trips that a filter lets through: a part of them, and the sums of all.
///
/// # Errors
/// The storage failed.
pub fn table(tx: &mut Tx<'_>, cx: &Context, filter: &ListFilter, part: ListPart) -> Result<(Vec<Trip>, TripSums), Error> {
    Ok((rows::table(tx, cx.actor.account, filter, part)?, rows::sums(tx, cx.actor.account, filter)?))
}

/// Takes a trip back. What was taken back stays so.
///
/// # Errors
/// There is no such trip.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Trip, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut trip = read(tx, cx, id)?;
        if trip.undone_at.is_some() {
            return Ok(trip);
        }
        let stored = corrections::require_own(tx, cx.actor.account, trip.entry_id, source(id))?;
        let reversal = stored.entry.reversal(stored.id, stored.entry.date(), stored.entry.vat_date());
        corrections::require_open(tx, cx.actor.account, &reversal)?;
        books.append(tx, &reversal, cx.now())?;
        (trip.undone_at, trip.updated_at) = (Some(cx.now()), cx.now());
        rows::undo(tx, cx.actor.account, id, cx.now())?;
        Ok(trip)
    })
}
