//! The VAT scheme: normal, or the small businesses scheme (KOR).

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
    response::Response,
};
use jiff::civil::Date;
use ledger::vat::{SchemeReason, VatScheme};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{Context, Error, scheme_changes, vat_schemes};
use store::schemes::SchemeChange;
use web_core::{
    AppState, ReadContext,
    catalogue::{KOR_HAS_TAXED_INVOICES, PERIOD_FILED},
    input::{self, change_scheme, names_of},
    problem::Problem,
};

/// VAT schemes of the account over time.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatScheme")]
struct SchemeBody {
    /// Changes of scheme, in order of date. The scheme before the first change is `normal`.
    changes: Vec<ChangeBody>,
}

/// A change of scheme.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatSchemeChange")]
struct ChangeBody {
    /// `normal`, or `kor`: the small businesses scheme, without charging or deducting VAT.
    #[schemars(extend("enum" = names_of(VatScheme::ALL)))]
    scheme: &'static str,
    /// First day of the scheme.
    from: Date,
    /// Time at which the change was recorded.
    noted_at: Moment,
    /// Reason: `choice`, or `limit` if a supply passed the limit of the small businesses scheme.
    #[schemars(extend("enum" = names_of(SchemeReason::ALL)))]
    because: &'static str,
    /// Id of the invoice that passed the limit.
    invoice_id: Option<i64>,
    /// Day on which the tax office was notified.
    #[schemars(example = &"2026-12-01")]
    notified_on: Option<Date>,
}

impl SchemeBody {
    fn new(changes: &[SchemeChange]) -> Self {
        let change = |change: &SchemeChange| ChangeBody {
            scheme: change.scheme.as_str(),
            from: change.from,
            noted_at: Moment(change.noted_at),
            because: change.because.as_str(),
            invoice_id: change.invoice_id,
            notified_on: change.notified_on,
        };
        Self { changes: changes.iter().map(change).collect() }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::read::<SchemeBody, _, _>("/vat-scheme", "readVatScheme", read)
            .says("Read the VAT scheme", ""),
        Operation::act::<SchemeBody, _, _>(
            "/vat-scheme",
            "changeVatScheme",
            Answer::Changed,
            change,
        )
        .says(
            "Change the VAT scheme",
            "Changes the scheme from a date on; a change with the same date is replaced. `kor` \
                 begins with a VAT period, and not while it is barred (`kor_barred`): the turnover \
                 of this or the previous year exceeds the limit, or the scheme ended in this or \
                 the previous year. Under `kor`, a line with VAT is rejected (`kor_applies`) if \
                 its last day of supply, or else the invoice date, is on or after that date, \
                 unless the invoice passes the limit: that ends the scheme. Invoices with VAT from \
                 that date on must be credited first (409 `kor_has_taxed_invoices`), and sales of \
                 assets and private use with VAT undone. Expenses dated from then on are booked \
                 again: VAT on them is a cost under `kor`, and depreciation follows the cost of \
                 assets. No return of that date or later may be filed. The change is recorded in \
                 the books only; apply for the scheme at the tax office yourself.",
        )
        .with_body(
            input::schema(change_scheme),
            json!({ "scheme": "normal", "from": "2027-01-01" }),
        )
        .or(&[PERIOD_FILED, KOR_HAS_TAXED_INVOICES])
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
    let changes = books.query(cx.actor.account, move |tx| vat_schemes::list(tx, &cx)).await?;
    Ok(reply::resource(&headers, &SchemeBody::new(&changes)))
}

async fn change(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, change_scheme);
    let Some(command) = parsed.command else { return Err(Error::Invalid(parsed.faults).into()) };
    once::answer(
        &app,
        cx.actor.account,
        move |tx| scheme_changes::change(tx, &cx, &command),
        move |changes| reply::changed(&SchemeBody::new(&changes)),
    )
    .await
}
