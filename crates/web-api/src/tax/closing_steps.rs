//! `/years/{year}/closing-steps`: closing a year as a checklist.

use crate::{
    body,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::{closing_step::ClosingStep, event::AccrualKind};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    closing_steps::{self, RowSource, Step, StepRow, StepStatus, StepWarning},
};
use store::Lane;
use web_core::{
    AppState, ReadContext,
    catalogue::{
        ALREADY_DISPOSED, CORRECTION_TOO_LARGE, HAS_PARTS, NOT_FOUND, ROW_CHANGED, YEAR_CLOSED,
        YEAR_NOT_CLOSED, YEAR_NOT_OVER,
    },
    input::{self, closing_step, english, names_of},
    problem::Problem,
};

/// A step at the end of a year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ClosingStep")]
struct StepBody {
    /// The step. More steps may be added.
    #[schemars(extend("enum" = names_of(ClosingStep::ALL)))]
    step: &'static str,
    /// `toDo`, `done`, `notApplicable`, or `blocked`: the year is closed or has not begun, or it is
    /// not over yet and the step is `close`.
    #[schemars(extend("enum" = StepStatus::ALL.map(StepStatus::as_str)))]
    status: &'static str,
    /// Sum of the ticked rows or, once the step is done, of what it booked. For `lastReturn` the
    /// amount payable, for `gifts` the amount booked on 4316.
    amount: Amount,
    /// Rows that the step can book, or has booked.
    rows: Vec<RowBody>,
    /// Warnings.
    warnings: Vec<WarningBody>,
}

/// A row of a step.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ClosingRow")]
struct RowBody {
    /// Id of the row. It covers the content: if the row would be booked in another way, it has
    /// another id.
    #[schemars(example = &"invoice-12-8000.1f0c6a2b9d3e")]
    id: String,
    /// Kind of accrual, for the cut-off; otherwise null.
    #[schemars(extend("enum" = kinds()))]
    kind: Option<&'static str>,
    /// Resource that the row follows from: `invoice`, `project`, `expense`, `asset` or
    /// `privateUse`; null if a row was booked for a resource that no longer asks for it.
    #[schemars(extend("enum" = sources()))]
    source_type: Option<&'static str>,
    /// Id of that resource.
    source_id: Option<i64>,
    /// Ledger account of the revenue, the cost or the asset.
    #[schemars(example = &"8000")]
    account: String,
    /// Number of the invoice, name of the project or supplier, or description.
    #[schemars(example = &"Website")]
    description: String,
    /// Amount still to be booked; negative if too much was booked.
    amount: Amount,
    /// Amount that the step has booked.
    booked: Amount,
    /// Whether the row is booked if `rowIds` is omitted. Rows of the cut-off below 100.00 are not,
    /// unless part of them was booked before.
    #[schemars(example = &true)]
    ticked: bool,
    /// Day on which the accrual is reversed.
    #[schemars(example = &"2027-01-15")]
    reverse_on: Option<Date>,
    /// Value of goods for private use, excluding VAT.
    base: Option<Amount>,
    /// VAT rate of goods for private use, in per cent.
    vat_rate: Option<Number>,
    /// Reason for the row.
    #[schemars(example = &"supplied on 2026-12-20, invoiced on 2027-01-15")]
    why: String,
}

/// A warning about a step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ClosingWarning")]
struct WarningBody {
    /// `steps_left`, `gifts_not_checked`, `car_without_private_use`, `receipts_waiting` or
    /// `returns_open`. More codes may be added.
    #[schemars(example = &"steps_left")]
    code: &'static str,
    /// Explanation, with advice.
    #[schemars(example = &"these steps are left: cutOff")]
    message: String,
}

fn kinds() -> Vec<Option<&'static str>> {
    names_of(AccrualKind::ALL).into_iter().map(Some).chain([None]).collect()
}

fn sources() -> Vec<Option<&'static str>> {
    RowSource::ALL.map(|source| Some(source.as_str())).into_iter().chain([None]).collect()
}

impl From<&Step> for StepBody {
    fn from(step: &Step) -> Self {
        Self {
            step: step.step.as_str(),
            status: step.status.as_str(),
            amount: Amount(step.amount),
            rows: step.rows.iter().map(RowBody::from).collect(),
            warnings: step.warnings.iter().map(WarningBody::from).collect(),
        }
    }
}

impl From<&StepRow> for RowBody {
    fn from(row: &StepRow) -> Self {
        Self {
            id: row.id(),
            kind: row.kind.map(AccrualKind::as_str),
            source_type: row.source.map(|(source, _)| source.as_str()),
            source_id: row.source.map(|(_, id)| id),
            account: row.account.to_string(),
            description: row.description.clone(),
            amount: Amount(row.amount),
            booked: Amount(row.booked),
            ticked: row.is_ticked(),
            reverse_on: row.reverse_on,
            base: row.goods.map(|(base, _)| Amount(base)),
            vat_rate: row.goods.map(|(_, rate)| Number(rate.percent())),
            why: english::closing_row(&row.why),
        }
    }
}

impl From<&StepWarning> for WarningBody {
    fn from(warning: &StepWarning) -> Self {
        Self { code: warning.code(), message: english::closing_warning(warning) }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let described =
        input::schema(|fields| closing_step(fields, 2026, ClosingStep::GoodsPrivateUse));
    vec![
        Operation::list::<StepBody, _, _>("/years/{year}/closing-steps", "listClosingSteps", list)
            .says(
                "List the steps that close a year",
                "Returns the steps in the order in which they are done, all on one page, with the \
                 rows that each can book (art. 3.25 Wet IB 2001).",
            )
            .with_query(listed)
            .for_dutch_accounts(),
        Operation::act::<StepBody, _, _>(
            "/years/{year}/closing-steps/{step}",
            "doClosingStep",
            Answer::Changed,
            carry_out,
        )
        .says(
            "Carry out a step that closes a year",
            "Books the rows of the step on 31 December, or closes the year; if the last return is \
             filed, as a correction. Accruals are reversed at once, on the day of the invoice or \
             bill, or else on 1 January. A second call books only what is new. `bankLines`, \
             `receipts`, `carPrivateUse`, `gifts` and `lastReturn` are done elsewhere: the detail \
             of the 404 says where.",
        )
        .with_body(described, json!({}))
        .or_without_body()
        .or(&[NOT_FOUND, ROW_CHANGED, CORRECTION_TOO_LARGE, YEAR_CLOSED, YEAR_NOT_OVER])
        .for_dutch_accounts(),
        Operation::act::<StepBody, _, _>(
            "/years/{year}/closing-steps/{step}/undo",
            "undoClosingStep",
            Answer::Changed,
            undo,
        )
        .says(
            "Undo a step that closes a year",
            "Takes back all that the step booked, by reversal, or reopens the year. If it booked \
             nothing, nothing happens. Depreciation of a later year has to be undone first. No body \
             is required.",
        )
        .or(&[NOT_FOUND, ALREADY_DISPOSED, CORRECTION_TOO_LARGE, HAS_PARTS, YEAR_CLOSED, YEAR_NOT_CLOSED])
        .for_dutch_accounts(),
    ]
}

fn step_of(text: &str) -> Result<ClosingStep, Problem> {
    ClosingStep::parse(text).ok_or_else(|| Error::NotFound("closing step").into())
}

fn listed(query: &mut Query) -> (bool, Option<ClosingStep>, i64) {
    let wants_external_id = query.wants_external_id();
    let meaning = "Has no effect: steps change with every entry, and are always included.";
    let _: Option<Timestamp> = query.moment("updatedSince", meaning);
    (wants_external_id, query.cursor(ClosingStep::parse), query.limit())
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(year): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    let year = query::year(&year)?;
    let (wants_external_id, after, limit) = listing.read(listed)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        if wants_external_id {
            return Ok(reply::no_rows());
        }
        let mut steps = closing_steps::read(tx, &cx, year)?;
        steps.retain(|step| after.is_none_or(|after| step.step > after));
        let place = |last: &Step| last.step.as_str().to_owned();
        Ok(reply::rows(&store::Page::of(steps, limit), place, |step| {
            reply::body(&StepBody::from(step))
        }))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn carry_out(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((year, step)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let (year, step) = (query::year(&year)?, step_of(&step)?);
    let parsed = input::json(&json, |fields| closing_step(fields, year, step));
    let Some(command) = parsed.command else { return Err(Error::Invalid(parsed.faults).into()) };
    once::answer(
        &app,
        cx.actor.account,
        move |tx| closing_steps::carry_out(tx, &cx, (year, step), &command),
        move |step| reply::changed(&StepBody::from(&step)),
    )
    .await
}

async fn undo(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((year, step)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let (year, step) = (query::year(&year)?, step_of(&step)?);
    once::answer(
        &app,
        cx.actor.account,
        move |tx| closing_steps::undo(tx, &cx, (year, step)),
        move |step| reply::changed(&StepBody::from(&step)),
    )
    .await
}
