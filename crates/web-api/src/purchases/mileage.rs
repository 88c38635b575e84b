//! Mileage: business trips with a private vehicle.

use crate::{
    body,
    moment::Moment,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    undoing::{self, Takes},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::Date;
use ledger::decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    mileage::{self},
};
use store::{
    Lane,
    trips::{Trip, TripFilter},
};
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, YEAR_CLOSED},
    input::{self, new_trip},
    problem::Problem,
};

/// A business trip with a private vehicle.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Trip")]
struct TripBody<'t> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'t str>,
    /// Date of the booking.
    date: Date,
    /// Place of departure.
    #[schemars(example = &"Utrecht")]
    from: &'t str,
    /// Destination.
    #[schemars(example = &"Zwolle")]
    to: &'t str,
    /// Distance in kilometres.
    km: Number,
    /// Purpose.
    #[schemars(example = &"Meeting with a customer")]
    purpose: Option<&'t str>,
    /// Id of the project.
    project_id: Option<i64>,
    /// Rate per kilometre in euros.
    rate: Amount,
    /// Cost of the trip.
    amount: Amount,
    /// `booked` or `undone`.
    #[schemars(extend("enum" = ["booked", "undone"]))]
    status: &'static str,
    /// Id of the journal entry.
    entry_id: i64,
    /// Origin: `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'t> From<&'t Trip> for TripBody<'t> {
    fn from(trip: &'t Trip) -> Self {
        Self {
            id: trip.id,
            external_id: trip.external_id.as_deref(),
            date: trip.date,
            from: &trip.from,
            to: &trip.to,
            km: Number(Decimal::new(trip.distance, 2).normalize()),
            purpose: trip.purpose.as_deref(),
            project_id: trip.project_id,
            rate: Amount(trip.rate),
            amount: Amount(trip.amount),
            status: if trip.undone_at.is_some() { "undone" } else { "booked" },
            entry_id: trip.entry_id,
            source: trip.source.as_str(),
            created_at: Moment(trip.created_at),
            updated_at: Moment(trip.updated_at),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<TripBody<'_>, _, _>("/mileage", "listMileage", list).says("List trips", "Newest first.").with_query(filter),
        Operation::create::<TripBody<'_>, _, _>("/mileage", "createMileage", create)
            .says(
                "Create a business trip with a private vehicle",
                "Booked at once as cost by the rate of its day (art. 3.17 Wet IB 2001), against private deposits.",
            )
            .with_body(
                input::schema(new_trip),
                json!({
                    "externalId": "trip-9", "date": "2026-02-10", "from": "Utrecht", "to": "Zwolle", "km": 120, "purpose": "Meeting",
                }),
            )
            .or(&[YEAR_CLOSED])
            .for_dutch_accounts(),
        Operation::read::<TripBody<'_>, _, _>("/mileage/{id}", "readMileage", read).says("Read a trip", "").or(&[NOT_FOUND]),
        Operation::act::<TripBody<'_>, _, _>("/mileage/{id}/undo", "undoMileage", Answer::Changed, undo)
            .says("Undo a trip", "Its entry is reversed on its own day; it stays listed. Once more changes nothing.")
            .undoes(Takes::Nothing)
            .or(&[NOT_FOUND, YEAR_CLOSED])
            .for_dutch_accounts(),
    ]
}

fn filter(query: &mut Query) -> (TripFilter, i64, i64) {
    let filter = TripFilter {
        external_id: query.external_id(),
        from: query.day("from", "Only those on this day or later."),
        to: query.day("to", "Only those on this day or earlier."),
        updated: query.updated(),
    };
    (filter, query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, before, limit) = listing.read(filter)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let page = mileage::list(tx, &cx, &filter, before, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&TripBody::from(row))).of_changes(
            tx,
            account,
            filter.updated,
        )
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "trip")?;
    let trip = books.query(cx.actor.account, move |tx| mileage::read(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &TripBody::from(&trip)))
}

async fn create(State(app): State<AppState>, Extension(cx): Extension<Context>, request: Request) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, new_trip);
    let base = app.config().base_url.clone();
    let location = move |trip: &Trip| format!("{base}/api/v1/mileage/{}", trip.id);
    let show = move |outcome| reply::created(outcome, &location, |trip| reply::body(&TripBody::from(&trip)));
    let account = cx.actor.account;
    let creation = once::creation(account, "trip", "/mileage", &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| mileage::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = mileage::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

async fn undo(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    undoing::read(request, Takes::Nothing).await?;
    let id = query::id(&id, "trip")?;
    once::answer(&app, cx.actor.account, move |tx| mileage::undo(tx, &cx, id), move |trip| reply::changed(&TripBody::from(&trip)))
        .await
}
