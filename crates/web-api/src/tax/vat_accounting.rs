//! The method of declaring VAT on sales: by invoice, or when the customer pays.

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
use ledger::cash_accounting::{CashGround, VatMethod};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    vat_accounting::{self, MethodDetails},
};
use web_core::{
    AppState, ReadContext,
    catalogue::{PERIOD_FILED, YEAR_CLOSED},
    input::{self, change_method, names_of, or_null},
    problem::Problem,
};

/// Method of declaring VAT on sales, as it changes over time.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatAccounting")]
struct MethodsBody {
    /// Changes of method, in order of date. Before the first change, the method is `invoice`.
    changes: Vec<ChangeBody>,
    /// `cash_accounting_doubtful` if businesses buy more than the ground of the last change allows.
    warnings: Vec<WarningBody>,
}

/// A change of method.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatAccountingChange")]
struct ChangeBody {
    /// `invoice`: VAT is due when it is invoiced; `cash`: when the customer pays (kasstelsel).
    #[schemars(extend("enum" = names_of(VatMethod::ALL)))]
    method: &'static str,
    /// First day of the method.
    from: Date,
    /// Ground for `cash` (art. 26(1) Uitvoeringsbeschikking omzetbelasting 1968).
    #[schemars(extend("enum" = or_null(names_of(CashGround::ALL))))]
    ground: Option<&'static str>,
    /// Day on which the tax office designated the business.
    #[schemars(example = &"2026-09-15")]
    designated_on: Option<Date>,
    /// Time at which the change was recorded.
    noted_at: Moment,
}

impl MethodsBody {
    fn new(changes: &[MethodDetails]) -> Self {
        let change = |details: &MethodDetails| ChangeBody {
            method: details.change.method.as_str(),
            from: details.change.from,
            ground: details.change.ground.map(CashGround::as_str),
            designated_on: details.change.designated_on,
            noted_at: Moment(details.change.noted_at),
        };
        let is_doubtful = changes.last().is_some_and(MethodDetails::is_doubtful);
        Self {
            changes: changes.iter().map(change).collect(),
            warnings: is_doubtful.then(WarningBody::cash_accounting_doubtful).into_iter().collect(),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<MethodsBody, _, _>("/vat-accounting", "readVatAccounting", read).says(
            "Read the method of declaring VAT",
            "Returns the changes of method; the books begin with `invoice`.",
        ),
        Operation::act::<MethodsBody, _, _>(
            "/vat-accounting",
            "changeVatAccounting",
            Answer::Changed,
            change,
        )
        .says(
            "Change the method of declaring VAT",
            "Changes the method from a date on, which begins a VAT period; a change with the same \
                 date is replaced. Under `cash` (kasstelsel), invoices supplied from then on are \
                 in boxes 1a, 1b, 1c and 1e when the customer pays: `vatDeferred` of an invoice is \
                 the VAT that is not due yet, and `vatDue` has the rest by payment. Boxes 3a, 3b, \
                 prepayments and purchases stay by invoice. Invoices that exist already are booked \
                 again. Under `invoice`, invoices of before keep their method, and the VAT on those \
                 that are open becomes due on that date. No return of that date or later may be \
                 filed.",
        )
        .with_body(
            input::schema(change_method),
            json!({ "method": "cash", "from": "2027-01-01", "ground": "listedTrade" }),
        )
        .or(&[PERIOD_FILED, YEAR_CLOSED])
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
    let changes = books.query(cx.actor.account, move |tx| vat_accounting::list(tx, &cx)).await?;
    Ok(reply::resource(&headers, &MethodsBody::new(&changes)))
}

async fn change(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, change_method);
    let Some(command) = parsed.command else { return Err(Error::Invalid(parsed.faults).into()) };
    once::answer(
        &app,
        cx.actor.account,
        move |tx| vat_accounting::change(tx, &cx, &command),
        move |changes| reply::changed(&MethodsBody::new(&changes)),
    )
    .await
}
