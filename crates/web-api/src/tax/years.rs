//! Years: closing and reopening.

use crate::{
    body,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query, reply,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context,
    years::{self, YearState},
};
use web_core::{
    AppState, ReadContext,
    catalogue::{YEAR_CLOSED, YEAR_NOT_CLOSED, YEAR_NOT_OVER},
    problem::Problem,
};

/// A year of the books, open or closed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Year")]
struct YearBody {
    /// Calendar year.
    year: i16,
    /// `open` or `closed`. Entries dated on or before 31 December of a closed year are rejected.
    #[schemars(extend("enum" = ["open", "closed"]))]
    status: &'static str,
    /// Closings of the year, oldest first.
    closings: Vec<ClosingBody>,
}

/// A closing of a year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "YearClosing")]
struct ClosingBody {
    /// Time of closing.
    closed_at: Moment,
    /// Time of reopening.
    reopened_at: Option<Moment>,
}

impl From<&YearState> for YearBody {
    fn from(state: &YearState) -> Self {
        let closing = |closing: &store::years::Closing| ClosingBody {
            closed_at: Moment(closing.closed_at),
            reopened_at: closing.reopened_at.map(Moment),
        };
        Self {
            year: state.year,
            status: if state.is_closed { "closed" } else { "open" },
            closings: state.closings.iter().map(closing).collect(),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<YearBody, _, _>("/years/{year}", "readYear", read)
            .says("Read a year", ""),
        Operation::act::<YearBody, _, _>(
            "/years/{year}/close",
            "closeYear",
            Answer::Changed,
            close,
        )
        .says(
            "Close a year",
            "Nothing more can be booked up to 31 December of the year. Closing books nothing \
                 itself. No body is required.",
        )
        .or(&[YEAR_CLOSED, YEAR_NOT_OVER])
        .for_dutch_accounts(),
        Operation::act::<YearBody, _, _>(
            "/years/{year}/reopen",
            "reopenYear",
            Answer::Changed,
            reopen,
        )
        .says(
            "Reopen a closed year",
            "Reopens the year, which must be the last closed one. Books nothing. No body is \
                 required.",
        )
        .or(&[YEAR_CLOSED, YEAR_NOT_CLOSED])
        .for_dutch_accounts(),
    ]
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(year): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let year = query::year(&year)?;
    let state = books.query(cx.actor.account, move |tx| years::read(tx, &cx, year)).await?;
    Ok(reply::resource(&headers, &YearBody::from(&state)))
}

async fn close(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(year): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let year = query::year(&year)?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| years::close(tx, &cx, year),
        move |state| reply::changed(&YearBody::from(&state)),
    )
    .await
}

async fn reopen(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(year): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let year = query::year(&year)?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| years::reopen(tx, &cx, year),
        move |state| reply::changed(&YearBody::from(&state)),
    )
    .await
}
