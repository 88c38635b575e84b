//! The hours log: hours beside projects that count for the hours criterion.

use super::{
    body::{self, Json},
    fields::{self, Choice, Day, Fields, Lines, names},
    number::Number,
    operation::Operation,
    projects::page,
    query::{self, Query, page_of},
    reply,
    time_entries::{HOURS_MEANING, hours},
};
use crate::{App, Reading, catalogue::NOT_FOUND, problem::Problem};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{
    Timestamp,
    civil::{self, Date},
};
use ledger::hours::Hours;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Actor, Created, Error, Fault,
    hours_log::{self, NewLoggedHours},
};
use store::time::{HoursFilter, LoggedHours};

/// Hours beside projects, which count for the hours criterion of the income tax (urencriterium).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoggedHours")]
struct LoggedHoursBody<'h> {
    /// Unique in the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'h str>,
    /// The day of the work.
    date: Date,
    /// How long.
    hours: Number,
    /// What was done.
    description: &'h str,
    /// `administration`, `acquisition`, `travel`, `training` or `other`.
    #[schemars(extend("enum" = names(CATEGORIES)))]
    category: &'h str,
    /// When it was recorded.
    created_at: Timestamp,
}

impl<'h> From<&'h LoggedHours> for LoggedHoursBody<'h> {
    fn from(logged: &'h LoggedHours) -> Self {
        Self {
            id: logged.id,
            external_id: logged.external_id.as_deref(),
            date: logged.date,
            hours: logged.hours.into(),
            description: &logged.description,
            category: &logged.category,
            created_at: logged.created_at,
        }
    }
}

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<LoggedHoursBody<'_>, _, _>("/hours-log", "listHoursLog", list)
            .says("List the hours log", "In the order in which the hours were recorded.")
            .with_query(filter),
        Operation::create::<LoggedHoursBody<'_>, _, _>("/hours-log", "createHoursLogEntry", create)
            .says("Log hours", "Hours on projects count for the criterion by themselves; log only hours beside them.")
            .with_body(
                fields::schema(new_hours),
                json!({
                    "externalId": "log-7", "date": "2026-11-20", "hours": 1.25, "description": "Quarterly bookkeeping",
                    "category": "administration",
                }),
            )
            .for_dutch_accounts(),
        Operation::read::<LoggedHoursBody<'_>, _, _>("/hours-log/{id}", "readHoursLogEntry", read_one)
            .says("Read hours in the log", "")
            .or(&[NOT_FOUND]),
    ]
}

fn filter(query: &mut Query) -> (HoursFilter, (i64, i64)) {
    let year = query.integer("year", "Only hours of this year.", 2000, 2099).and_then(|year| i16::try_from(year).ok());
    let (from, to) = (year.map(|year| civil::date(year, 1, 1)), year.map(|year| civil::date(year, 12, 31)));
    (HoursFilter { project_id: None, from, to }, page(query))
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = query::read(raw.as_deref(), filter)?;
    let rows = books.ask(move |tx| hours_log::list(tx, &actor, &filter, after, limit + 1)).await?;
    let (rows, next) = page_of(rows, limit, |last| last.id.to_string());
    let address = format!("{}/api/v1/hours-log", app.settings().base_url);
    Ok(reply::page(rows.iter().map(LoggedHoursBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read_one(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "hours log entry")?;
    let logged = books.ask(move |tx| hours_log::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &LoggedHoursBody::from(&logged)))
}

async fn create(State(app): State<App>, Extension(actor): Extension<Actor>, request: Request) -> Result<Response, Problem> {
    let given = read(&body::read(request).await?);
    let now = app.now();
    let outcome = match given.command {
        Some(command) => app.write_for(actor.account, move |tx| hours_log::create(tx, &actor, now, &command)).await?,
        None => Created::Known(app.read(move |tx| known_or_faults(tx, &actor, &given)).await?),
    };
    let base = app.settings().base_url.clone();
    Ok(reply::created(
        outcome,
        |logged| format!("{base}/api/v1/hours-log/{}", logged.id),
        |logged| reply::body(&LoggedHoursBody::from(&logged)),
    ))
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
    let (external_id, day, command) = fields::read(json, &mut faults, new_hours);
    let command = command.filter(|_| faults.is_empty());
    Given { external_id, day, command, faults }
}

/// The fields of hours in the log.
fn new_hours(fields: &mut Fields<'_, '_>) -> (Option<String>, Option<(Date, Hours)>, Option<NewLoggedHours>) {
    let external_id = fields.optional("externalId", fields::EXTERNAL_ID_MEANING, fields::EXTERNAL_ID);
    let date = fields.required("date", "The day of the work.", Day);
    let hours = fields.required("hours", HOURS_MEANING, hours());
    let description = fields.required("description", "What was done; the tax office wants it specific.", Lines(1000));
    let category =
        fields.optional("category", "What kind of work it was. Default: other.", Choice(CATEGORIES)).unwrap_or("other");
    let command = match (date, hours, description) {
        (Some(date), Some(hours), Some(description)) => {
            Some(NewLoggedHours { external_id: external_id.clone(), date, hours, description, category })
        }
        _ => None,
    };
    (external_id, date.zip(hours), command)
}

#[cfg(fuzzing)]
pub(super) fn try_body(json: &Json) {
    let given = read(json);
    assert_eq!(given.command.is_some(), given.faults.is_empty());
}
