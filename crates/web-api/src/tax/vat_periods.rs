//! The unit in which the account files VAT returns: month, quarter or year.

use crate::{
    body,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query, reply,
    sales::invoice_body::WarningBody,
};
use axum::{
    Extension,
    extract::{RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::Date;
use ledger::vat_period::VatUnit;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{Context, Error, vat_units};
use store::{Tx, vat_units::UnitChange};
use web_core::{
    AppState, ReadContext,
    catalogue::PERIOD_FILED,
    input::{self, change_unit, names_of},
    problem::Problem,
};

/// Unit of the account's VAT returns, as it changes over time.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatPeriods")]
struct UnitsBody {
    /// Changes of the unit, in order of date. Before the first change, the unit is `quarter`.
    changes: Vec<ChangeBody>,
    /// `annual_return_doubtful` if the last change is to `year`, and the VAT payable for last year
    /// was 1 883.00 or more.
    warnings: Vec<WarningBody>,
}

/// A change of unit.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatPeriodChange")]
struct ChangeBody {
    /// Length of the VAT periods: `month`, `quarter` or `year`.
    #[schemars(extend("enum" = names_of(VatUnit::ALL)))]
    unit: &'static str,
    /// First day on which the unit applies.
    from: Date,
    /// Time at which the change was recorded.
    #[serde(rename = "notedAt")]
    recorded_at: Moment,
}

impl UnitsBody {
    fn new((changes, is_doubtful): &(Vec<UnitChange>, bool)) -> Self {
        let change = |change: &UnitChange| ChangeBody {
            unit: change.unit.as_str(),
            from: change.from,
            recorded_at: Moment(change.recorded_at),
        };
        let warning = is_doubtful.then(WarningBody::annual_return_doubtful);
        Self {
            changes: changes.iter().map(change).collect(),
            warnings: warning.into_iter().collect(),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<UnitsBody, _, _>("/vat-periods", "readVatPeriods", read).says(
            "Read the length of VAT periods",
            "Returns the changes of unit; the books begin with quarters.",
        ),
        Operation::act::<UnitsBody, _, _>(
            "/vat-periods",
            "changeVatPeriods",
            Answer::Changed,
            change,
        )
        .says(
            "Change the length of VAT periods",
            "Changes the unit from a date on, as the tax office's letter says. The date \
                 begins a period of the old and of the new unit: a quarter, or a year if either \
                 unit is the year. A change with the same date is replaced. Returns of that date \
                 or later must not be filed.",
        )
        .with_body(input::schema(change_unit), json!({ "unit": "month", "from": "2027-01-01" }))
        .or(&[PERIOD_FILED])
        .for_dutch_accounts(),
    ]
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let account = cx.actor.account;
    let read = move |tx: &mut Tx<'_>| {
        let changes = vat_units::list(tx, &cx)?;
        with_doubt(tx, &cx, changes)
    };
    let units = books.query(account, read).await?;
    Ok(reply::resource(&headers, &UnitsBody::new(&units)))
}

/// Pairs the changes with whether the tax office probably does not allow annual returns. This is
/// false unless the last change is to annual returns.
fn with_doubt(
    tx: &mut Tx<'_>,
    cx: &Context,
    changes: Vec<UnitChange>,
) -> Result<(Vec<UnitChange>, bool), Error> {
    let is_annual = changes.last().is_some_and(|change| change.unit == VatUnit::Year);
    let is_doubtful = is_annual && vat_units::is_annual_doubtful(tx, cx)?;
    Ok((changes, is_doubtful))
}

async fn change(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, change_unit);
    let Some(command) = parsed.command else { return Err(Error::Invalid(parsed.faults).into()) };
    once::answer(
        &app,
        cx.actor.account,
        move |tx| {
            let changes = vat_units::change(tx, &cx, &command)?;
            with_doubt(tx, &cx, changes)
        },
        move |units| reply::changed(&UnitsBody::new(&units)),
    )
    .await
}
