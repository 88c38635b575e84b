//! `POST /time-entries`: hours on a project.

use super::{
    body::{self, Json},
    fields::{self, Fields, Wrong},
    number::Number,
    reply,
};
use crate::{App, problem::Problem};
use axum::{
    Extension,
    extract::{Request, State},
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::hours::{Hours, HoursError};
use serde::Serialize;
use service::{
    Actor, Created, Error, Fault, hours_log,
    time_entries::{self, NewTimeEntry},
};
use store::time::TimeEntry;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TimeEntryBody<'e> {
    id: i64,
    external_id: Option<&'e str>,
    project_id: i64,
    date: Date,
    hours: Number,
    description: &'e str,
    created_at: Timestamp,
}

fn show(entry: &TimeEntry) -> Vec<u8> {
    reply::body(&TimeEntryBody {
        id: entry.id,
        external_id: entry.external_id.as_deref(),
        project_id: entry.project_id,
        date: entry.date,
        hours: entry.hours.into(),
        description: &entry.description,
        created_at: entry.created_at,
    })
}

/// What could be read of a payload: enough to recognise a repeat and to name every fault.
struct Given {
    external_id: Option<String>,
    project_id: Option<i64>,
    day: Option<(Date, Hours)>,
    command: Option<NewTimeEntry>,
    faults: Vec<Fault>,
}

pub(super) async fn create(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    request: Request,
) -> Result<Response, Problem> {
    let given = read(&body::read(request).await?);
    let now = app.now();
    let outcome = match given.command {
        Some(command) => app.write(move |tx| time_entries::create(tx, &actor, now, &command)).await?,
        None => Created::Known(app.read(move |tx| known_or_faults(tx, &actor, &given)).await?),
    };
    let base = app.settings().base_url.clone();
    Ok(reply::created(outcome, |entry| format!("{base}/api/v1/time-entries/{}", entry.id), |entry| show(&entry)))
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
    let mut fields = Fields::of(json, "", &mut faults);
    let external_id = fields.optional("externalId", fields::external_id);
    let project_id = fields.required("projectId", fields::integer(1, i64::MAX));
    let date = fields.required("date", fields::date);
    let hours = fields.required("hours", hours);
    let description = fields.required("description", fields::lines(1000));
    fields.finish();
    let command = match (project_id, date, hours, description) {
        (Some(project_id), Some(date), Some(hours), Some(description)) if faults.is_empty() => {
            Some(NewTimeEntry { external_id: external_id.clone(), project_id, date, hours, description })
        }
        _ => None,
    };
    Given { external_id, project_id, day: date.zip(hours), command, faults }
}

/// Hours worked on one day.
pub(super) fn hours(json: &Json) -> Result<Hours, Wrong> {
    let value = fields::number(json)?;
    Hours::parse(&value).map_err(|error| {
        let code = match error {
            HoursError::OutOfRange => "out_of_range",
            HoursError::TooManyDecimals => "too_many",
        };
        (code, error.to_string())
    })
}
