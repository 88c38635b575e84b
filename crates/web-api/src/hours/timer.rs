//! The timer: `/timer`.

use crate::{
    body,
    moment::Moment,
    number::Number,
    once,
    operation::{Answer, Operation},
    query, reply,
    resource::Expected,
};
use axum::{
    Extension,
    extract::{RawQuery, Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created,
    timer::{self, Stopped},
};
use store::{Tx, timers::Timer};
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED, PROJECT_ARCHIVED, TIMER_RUNNING},
    input::{self, LOG_CATEGORIES, names, or_null, start_timer, stop_timer},
    problem::Problem,
};

/// The running timer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Timer")]
struct TimerBody<'t> {
    /// Time at which the timer was started.
    started_at: Moment,
    /// Id of the project for the hours; null for the hours log.
    project_id: Option<i64>,
    /// Description of the work.
    description: Option<&'t str>,
    /// Kind of work, for the hours log.
    #[schemars(extend("enum" = or_null(names(LOG_CATEGORIES))))]
    category: Option<&'t str>,
}

impl<'t> From<&'t Timer> for TimerBody<'t> {
    fn from(timer: &'t Timer) -> Self {
        Self {
            started_at: Moment(timer.started_at),
            project_id: timer.project_id,
            description: timer.description.as_deref(),
            category: timer.category.as_deref(),
        }
    }
}

/// The hours recorded by a timer: a time entry, or hours in the log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StoppedTimer")]
struct StoppedBody<'t> {
    /// Id of the time entry, or of the entry of the hours log.
    id: i64,
    /// Type of the entry: `timeEntry` or `hoursLog`.
    #[schemars(extend("enum" = ["timeEntry", "hoursLog"]))]
    r#type: &'static str,
    /// Id of the project; null in the hours log.
    project_id: Option<i64>,
    /// Date on which the timer was started.
    date: Date,
    /// Number of hours.
    hours: Number,
    /// Description of the work.
    description: &'t str,
    /// Kind of work, in the hours log.
    #[schemars(extend("enum" = or_null(names(LOG_CATEGORIES))))]
    category: Option<&'t str>,
    /// Time of creation.
    created_at: Moment,
}

impl<'t> From<&'t Stopped> for StoppedBody<'t> {
    fn from(stopped: &'t Stopped) -> Self {
        match stopped {
            Stopped::Entry(entry) => Self {
                id: entry.id,
                r#type: "timeEntry",
                project_id: Some(entry.project_id),
                date: entry.date,
                hours: entry.hours.into(),
                description: &entry.description,
                category: None,
                created_at: Moment(entry.created_at),
            },
            Stopped::Logged(logged) => Self {
                id: logged.id,
                r#type: "hoursLog",
                project_id: None,
                date: logged.date,
                hours: logged.hours.into(),
                description: &logged.description,
                category: Some(&logged.category),
                created_at: Moment(logged.created_at),
            },
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<TimerBody<'_>, _, _>("/timer", "readTimer", read)
            .says("Read the running timer", "Answers 404 if no timer is running.")
            .or(&[NOT_FOUND]),
        Operation::act::<TimerBody<'_>, _, _>("/timer", "startTimer", Answer::Made, start)
            .says(
                "Start the timer",
                "Only one timer can run at a time. Without a project, its hours are recorded in \
                 the hours log.",
            )
            .with_body(
                input::schema(start_timer),
                json!({ "projectId": 1, "description": "Sketches" }),
            )
            .or(&[PROJECT_ARCHIVED, TIMER_RUNNING]),
        Operation::delete::<TimerBody<'_>, _, _>("/timer", "discardTimer", Answer::Gone, discard)
            .says("Discard the timer", "Its time is not recorded.")
            .or(&[NOT_FOUND, PRECONDITION_FAILED]),
        Operation::act::<StoppedBody<'_>, _, _>("/timer/stop", "stopTimer", Answer::Made, stop)
            .says(
                "Stop the timer",
                "Records its time on the date on which it was started, rounded to a hundredth of \
                 an hour. A timer that ran for more than a day requires `hours`.",
            )
            .with_body(input::schema(stop_timer), json!({ "description": "Sketches" }))
            .or(&[NOT_FOUND, PROJECT_ARCHIVED]),
    ]
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let running = books.query(cx.actor.account, move |tx| timer::read(tx, &cx)).await?;
    Ok(reply::resource(&headers, &TimerBody::from(&running)))
}

async fn start(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let parsed = input::json(&body::read_optional(request).await?, start_timer);
    let Some(command) = parsed.command else { return Err(Problem::invalid(parsed.faults)) };
    let account = cx.actor.account;
    let location = format!("{}/api/v1/timer", app.config().base_url);
    let show = move |started| {
        reply::created(
            Created::New(started),
            |_| location.clone(),
            |started| reply::body(&TimerBody::from(&started)),
        )
    };
    once::answer(&app, account, move |tx| timer::start(tx, &cx, &command), show).await
}

async fn stop(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let parsed = input::json(&body::read_optional(request).await?, stop_timer);
    let Some(command) = parsed.command else { return Err(Problem::invalid(parsed.faults)) };
    let account = cx.actor.account;
    let base = app.config().base_url.clone();
    let location = move |stopped: &Stopped| match stopped {
        Stopped::Entry(entry) => format!("{base}/api/v1/time-entries/{}", entry.id),
        Stopped::Logged(logged) => format!("{base}/api/v1/hours-log/{}", logged.id),
    };
    let show = move |stopped| {
        reply::created(Created::New(stopped), &location, |stopped| {
            reply::body(&StoppedBody::from(&stopped))
        })
    };
    once::answer(&app, account, move |tx| timer::stop(tx, &cx, &command), show).await
}

async fn discard(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let expected = Expected::of(&headers);
    let reported = expected.reported();
    let account = cx.actor.account;
    let discard = move |tx: &mut Tx<'_>| {
        timer::discard(tx, &cx, &|running| expected.is_met_by(&TimerBody::from(running)))
    };
    app.execute(account, discard).await.map_err(reported)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
