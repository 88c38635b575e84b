//! Operations of test accounts only: setting the clock, resetting the books.

use crate::{
    body,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query, reply,
};
use axum::{
    Extension,
    extract::{RawQuery, Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{Context, test_accounts};
use std::time::Duration;
use store::Tx;
use web_core::{AppState, catalogue::TEST_ACCOUNT_REQUIRED, input, problem::Problem};

/// Clock of a test account.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TestClock")]
struct ClockBody {
    /// Current time in the books of the test account. New entries are dated by this clock.
    #[schemars(example = &"2036-01-15T09:00:00.000000Z")]
    now: Moment,
    /// Whether something that became due is still being done, such as recurring invoices; the answer
    /// waits for it for ten seconds.
    #[schemars(example = &false)]
    pending: bool,
}

/// Maximum time for which the answer waits for what became due.
const DONE_WITHIN: Duration = Duration::from_secs(10);

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<ClockBody, _, _>("/test/clock", "readTestClock", read_clock)
            .says(
                "Read the clock of the test account",
                "Returns the current time of the books. The clock runs on from the time that was \
                 set, or is the server's if none was set. A live key or token is answered with \
                 403 `test_account_required`.",
            )
            .or(&[TEST_ACCOUNT_REQUIRED]),
        Operation::act::<ClockBody, _, _>(
            "/test/clock",
            "setTestClock",
            Answer::Changed,
            set_clock,
        )
        .says(
            "Set the clock of the test account",
            "Moves the clock forward to test later dates: an overdue invoice, a VAT return \
                 that is due, a year that can be closed. What becomes due by itself, such as \
                 recurring invoices, is done before the answer. It affects the dates and times of the \
                 books; keys, tokens, signatures of webhooks and rate limits use the server's \
                 clock. A live key or token is answered with 403 `test_account_required`.",
        )
        .with_body(input::schema(input::set_clock), json!({ "now": "2036-01-15T09:00:00Z" }))
        .or(&[TEST_ACCOUNT_REQUIRED]),
        Operation::act::<ClockBody, _, _>(
            "/test/reset",
            "resetTestAccount",
            Answer::Changed,
            reset,
        )
        .says(
            "Reset the test account",
            "Empties the books, with the settings of the live account and the server's time. \
                 API keys and connected applications remain; webhooks are deleted, and ids, \
                 invoice numbers and the sequence of the change feed start at 1 again. A live key \
                 or token is answered with 403 `test_account_required`.",
        )
        .or(&[TEST_ACCOUNT_REQUIRED]),
    ]
}

async fn read_clock(
    Extension(cx): Extension<Context>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    cx.actor.require_test_account()?;
    query::none(raw.as_deref())?;
    let body = ClockBody { now: Moment(cx.clock()), pending: false };
    Ok(reply::resource(&headers, &body))
}

async fn set_clock(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    cx.actor.require_test_account()?;
    let parsed = input::json(&body::read(request).await?, input::set_clock);
    let Some(to) = parsed.command else { return Err(Problem::invalid(parsed.faults)) };
    let account = cx.actor.account;
    let show = |now| reply::changed(&ClockBody { now: Moment(now), pending: false });
    let answer =
        once::answer(&app, account, move |tx| test_accounts::set_clock(tx, &cx, to), show).await?;
    match tokio::time::timeout(DONE_WITHIN, app.do_work_of(account)).await {
        Ok(Ok(())) => Ok(answer),
        // The workers go on.
        Ok(Err(_)) | Err(_) => {
            let body = ClockBody { now: Moment(to), pending: true };
            Ok(reply::changed(&body).into_response())
        }
    }
}

async fn reset(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    RawQuery(raw): RawQuery,
    request: Request,
) -> Result<Response, Problem> {
    cx.actor.require_test_account()?;
    query::none(raw.as_deref())?;
    body::read_none(request).await?;
    let (now, account) = (cx.env.now, cx.actor.account);
    let lock = move |tx: &mut Tx<'_>| test_accounts::lock(tx, account);
    let reset = move |tx: &mut Tx<'_>| test_accounts::reset(tx, &cx).map(|anew| ((), anew.id));
    let show = move |()| reply::changed(&ClockBody { now: Moment(now), pending: false });
    // The response for an `Idempotency-Key` is stored in the new books; otherwise a repeated
    // request would reset the new books too.
    once::answer_of_another(&app, account, lock, reset, show).await
}
