//! Time entries: hours on a project.

use super::{
    body::{self, Json},
    fields::{self, Day, Exact, Fields, Lines, Reader, Whole},
    number::Number,
    operation::Operation,
    projects::page,
    query::{self, Query, page_of},
    reply,
};
use crate::{
    App, Reading,
    catalogue::{NOT_FOUND, PROJECT_ARCHIVED},
    problem::Problem,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::hours::{Hours, HoursError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Actor, Created, Error, Fault, hours_log,
    time_entries::{self, NewTimeEntry},
};
use store::time::{HoursFilter, TimeEntry};

/// Hours on a project.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TimeEntry")]
struct TimeEntryBody<'e> {
    /// Unique in the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'e str>,
    /// The project.
    project_id: i64,
    /// The day of the work.
    date: Date,
    /// How long.
    hours: Number,
    /// What was done.
    description: &'e str,
    /// When it was recorded.
    created_at: Timestamp,
}

impl<'e> From<&'e TimeEntry> for TimeEntryBody<'e> {
    fn from(entry: &'e TimeEntry) -> Self {
        Self {
            id: entry.id,
            external_id: entry.external_id.as_deref(),
            project_id: entry.project_id,
            date: entry.date,
            hours: entry.hours.into(),
            description: &entry.description,
            created_at: entry.created_at,
        }
    }
}

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<TimeEntryBody<'_>, _, _>("/time-entries", "listTimeEntries", list)
            .says("List time entries", "In the order in which they were recorded.")
            .with_query(filter),
        Operation::create::<TimeEntryBody<'_>, _, _>("/time-entries", "createTimeEntry", create)
            .says("Write hours on a project", "For accounts of every country.")
            .with_body(
                fields::schema(new_time_entry),
                json!({ "externalId": "toggl-88", "projectId": 1, "date": "2026-11-20", "hours": 2.5, "description": "Sketches" }),
            )
            .or(&[PROJECT_ARCHIVED]),
        Operation::read::<TimeEntryBody<'_>, _, _>("/time-entries/{id}", "readTimeEntry", read_one)
            .says("Read a time entry", "")
            .or(&[NOT_FOUND]),
    ]
}

fn filter(query: &mut Query) -> (HoursFilter, (i64, i64)) {
    let project_id = query.integer("projectId", "Only hours on this project.", 1, i64::MAX);
    let from = query.day("from", "Only hours of this day or later.");
    let to = query.day("to", "Only hours of this day or earlier.");
    (HoursFilter { project_id, from, to }, page(query))
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = query::read(raw.as_deref(), filter)?;
    let rows = books.ask(move |tx| time_entries::list(tx, &actor, &filter, after, limit + 1)).await?;
    let (rows, next) = page_of(rows, limit, |last| last.id.to_string());
    let address = format!("{}/api/v1/time-entries", app.settings().base_url);
    Ok(reply::page(rows.iter().map(TimeEntryBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read_one(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "time entry")?;
    let entry = books.ask(move |tx| time_entries::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &TimeEntryBody::from(&entry)))
}

/// What could be read of a payload: enough to recognise a repeat and to name every fault.
struct Given {
    external_id: Option<String>,
    project_id: Option<i64>,
    day: Option<(Date, Hours)>,
    command: Option<NewTimeEntry>,
    faults: Vec<Fault>,
}

async fn create(State(app): State<App>, Extension(actor): Extension<Actor>, request: Request) -> Result<Response, Problem> {
    let given = read(&body::read(request).await?);
    let now = app.now();
    let outcome = match given.command {
        Some(command) => app.write_for(actor.account, move |tx| time_entries::create(tx, &actor, now, &command)).await?,
        None => Created::Known(app.read(move |tx| known_or_faults(tx, &actor, &given)).await?),
    };
    let base = app.settings().base_url.clone();
    Ok(reply::created(
        outcome,
        |entry| format!("{base}/api/v1/time-entries/{}", entry.id),
        |entry| reply::body(&TimeEntryBody::from(&entry)),
    ))
}

/// A repeat is answered with what is there, even when the rest of it is invalid (contract, §2).
fn known_or_faults(tx: &mut store::Tx<'_>, actor: &Actor, given: &Given) -> Result<TimeEntry, Error> {
    if let Some(known) = time_entries::known(tx, actor, given.external_id.as_deref())? {
        return Ok(known);
    }
    let mut faults = given.faults.clone();
    if let Some(project_id) = given.project_id {
        faults.extend(time_entries::project_fault(tx, actor, project_id)?);
    }
    if let Some((date, hours)) = given.day {
        faults.extend(hours_log::day_fault(tx, actor, date, hours)?);
    }
    Err(Error::Invalid(faults))
}

fn read(json: &Json) -> Given {
    let mut faults = Vec::new();
    let mut given = fields::read(json, &mut faults, new_time_entry);
    given.command = given.command.filter(|_| faults.is_empty());
    Given { faults, ..given }
}

/// The fields of hours on a project.
fn new_time_entry(fields: &mut Fields<'_, '_>) -> Given {
    let external_id = fields.optional("externalId", fields::EXTERNAL_ID_MEANING, fields::EXTERNAL_ID);
    let project_id =
        fields.required("projectId", "An active project of the account; GET /projects lists them.", Whole(1, i64::MAX));
    let date = fields.required("date", "The day of the work.", Day);
    let hours = fields.required("hours", HOURS_MEANING, hours());
    let description = fields.required("description", "What was done.", Lines(1000));
    let command = match (project_id, date, hours, description) {
        (Some(project_id), Some(date), Some(hours), Some(description)) => {
            Some(NewTimeEntry { external_id: external_id.clone(), project_id, date, hours, description })
        }
        _ => None,
    };
    Given { external_id, project_id, day: date.zip(hours), command, faults: Vec::new() }
}

pub(super) const HOURS_MEANING: &str =
    "Above 0, at most 24, at most two decimals. All hours of one day, on projects and in the hours log together, are at most 24.";

/// Hours worked on one day.
pub(super) fn hours() -> impl Reader<Value = Hours> {
    fields::judged(
        Exact,
        || json!({ "minimum": 0.01, "maximum": 24 }),
        |value| {
            Hours::parse(&value).map_err(|error| {
                let code = match error {
                    HoursError::OutOfRange => "out_of_range",
                    HoursError::TooManyDecimals => "too_many",
                };
                (code, error.to_string())
            })
        },
    )
}

#[cfg(fuzzing)]
pub(super) fn try_body(json: &Json) {
    let given = read(json);
    assert_eq!(given.command.is_some(), given.faults.is_empty());
}
