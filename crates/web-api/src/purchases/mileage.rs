//! Mileage: business trips with a private vehicle.

use crate::{
    moment::Moment,
    number::{Amount, Number},
    operation::Operation,
    query::Query,
    resource::{Creatable, Filter, Listed, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use jiff::civil::Date;
use ledger::decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    mileage::{self, NewTrip},
};
use store::{
    Page, Tx, Updated,
    trips::{Trip, TripFilter},
};
use web_core::{
    catalogue::{NOT_FOUND, YEAR_CLOSED},
    input::{Fields, Parsed, new_trip},
};

/// A business trip with a private vehicle.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Trip")]
pub(crate) struct TripBody<'t> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'t str>,
    /// Date of the trip.
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
    /// Deductible amount for the trip.
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

impl Resource for Trip {
    type Key = i64;
    type Body<'r> = TripBody<'r>;
    const PATH: &'static str = "/mileage/{id}";
    const NAME: &'static str = "trip";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> TripBody<'_> {
        TripBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            from: &self.from,
            to: &self.to,
            km: Number(Decimal::new(self.distance, 2).normalize()),
            purpose: self.purpose.as_deref(),
            project_id: self.project_id,
            rate: Amount(self.rate),
            amount: Amount(self.amount),
            status: if self.undone_at.is_some() { "undone" } else { "booked" },
            entry_id: self.entry_id,
            source: self.source.as_str(),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        mileage::read(tx, cx, id)
    }
}

impl Filter for TripFilter {
    fn read(query: &mut Query) -> Self {
        Self {
            external_id: query.external_id(),
            from: query.day("from", "Returns only trips on or after this date."),
            to: query.day("to", "Returns only trips on or before this date."),
            updated: query.updated(),
        }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for Trip {
    type Filter = TripFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &TripFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        mileage::list(tx, cx, filter, before, limit)
    }
}

impl Creatable for Trip {
    type New = NewTrip;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewTrip> {
        new_trip(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewTrip) -> Result<Created<Self>, Error> {
        mileage::record(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        mileage::find_by_external_id(tx, cx, external_id)
    }
}

impl Undoable for Trip {
    const TAKES: Takes = Takes::Nothing;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, _: Undoing) -> Result<Self, Error> {
        mileage::undo(tx, cx, id)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "trip-9", "date": "2026-02-10", "from": "Utrecht", "to": "Zwolle", "km": 120, "purpose": "Meeting",
    });
    vec![
        Operation::list_of::<Trip>("listMileage").says("List trips", "Newest first."),
        Operation::create_of::<Trip>("createMileage", example)
            .says(
                "Create a business trip",
                "Books the trip at once as a cost at the rate per kilometre of its date (art. \
                 3.17 Wet IB 2001), against private deposits.",
            )
            .or(&[YEAR_CLOSED])
            .for_dutch_accounts(),
        Operation::read_of::<Trip>("readMileage").says("Read a trip", ""),
        Operation::undo_of::<Trip>("/mileage/{id}/undo", "undoMileage")
            .says("Undo a trip", "Reverses its journal entry on its own date; it stays listed. Repeating it changes nothing.")
            .or(&[NOT_FOUND, YEAR_CLOSED])
            .for_dutch_accounts(),
    ]
}
