//! `POST /hours-log`: hours beside projects that count for the hours criterion.

use super::{
    body::{self, Json},
    fields::{self, Fields},
    number::Number,
    reply,
    time_entries::hours,
};
use crate::{App, problem::Problem};
use axum::{
    Extension,
    extract::{Request, State},
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::hours::Hours;
use serde::Serialize;
use service::{
    Actor, Created, Error, Fault,
    hours_log::{self, NewLoggedHours},
};
use store::time::LoggedHours;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LoggedHoursBody<'h> {
    id: i64,
    external_id: Option<&'h str>,
    date: Date,
    hours: Number,
    description: &'h str,
    category: &'h str,
    created_at: Timestamp,
}

fn show(logged: &LoggedHours) -> Vec<u8> {
    reply::body(&LoggedHoursBody {
        id: logged.id,
        external_id: logged.external_id.as_deref(),
        date: logged.date,
        hours: logged.hours.into(),
        description: &logged.description,
        category: &logged.category,
        created_at: logged.created_at,
    })
}

pub(super) async fn create(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    request: Request,
) -> Result<Response, Problem> {
    actor.require_dutch()?;
    let given = read(&body::read(request).await?);
    let now = app.now();
    let outcome = match given.command {
        Some(command) => app.write(move |tx| hours_log::create(tx, &actor, now, &command)).await?,
        None => Created::Known(app.read(move |tx| known_or_faults(tx, &actor, &given)).await?),
    };
    let base = app.settings().base_url.clone();
    Ok(reply::created(outcome, |logged| format!("{base}/api/v1/hours-log/{}", logged.id), |logged| show(&logged)))
}

const CATEGORIES: &[(&str, &str)] = &[
    ("administration", "administration"),
    ("acquisition", "acquisition"),
    ("travel", "travel"),
    ("training", "training"),
    ("other", "other"),
];

/// What could be read of a payload: enough to recognise a repeat and to name every fault.
struct Given {
    external_id: Option<String>,
    day: Option<(Date, Hours)>,
    command: Option<NewLoggedHours>,
    faults: Vec<Fault>,
}

/// A repeat is answered with what is there, even when the rest of it is invalid (contract, §2).
fn known_or_faults(tx: &mut store::Tx<'_>, actor: &Actor, given: &Given) -> Result<LoggedHours, Error> {
    if let Some(known) = hours_log::known(tx, actor, given.external_id.as_deref())? {
        return Ok(known);
    }
    let mut faults = given.faults.clone();
    if let Some((date, hours)) = given.day {
        faults.extend(hours_log::day_fault(tx, actor, date, hours)?);
    }
    Err(Error::Invalid(faults))
}

fn read(json: &Json) -> Given {
    let mut faults = Vec::new();
    let mut fields = Fields::of(json, "", &mut faults);
    let external_id = fields.optional("externalId", fields::external_id);
    let date = fields.required("date", fields::date);
    let hours = fields.required("hours", hours);
    let description = fields.required("description", fields::lines(1000));
    let category = fields.optional("category", fields::choice(CATEGORIES)).unwrap_or("other");
    fields.finish();
    let command = match (date, hours, description) {
        (Some(date), Some(hours), Some(description)) if faults.is_empty() => {
            Some(NewLoggedHours { external_id: external_id.clone(), date, hours, description, category })
        }
        _ => None,
    };
    Given { external_id, day: date.zip(hours), command, faults }
}
