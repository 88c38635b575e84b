//! VAT paid to the tax office, or paid back by it.

use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    resource::page,
    sales::invoice_body::PeriodBody,
    undoing::{self, Takes},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{Context, Error, vat_payments};
use store::{Lane, SyncFilter, vat_payments::VatPayment};
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, YEAR_CLOSED},
    input::{self, METHODS, names, new_vat_payment},
    problem::Problem,
};

/// A payment of VAT to the tax office, or a refund.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatPayment")]
struct VatPaymentBody<'p> {
    /// Id, unique within the account among bookings made by hand.
    id: i64,
    /// Your own identifier.
    external_id: Option<&'p str>,
    /// Date of the payment.
    date: Date,
    /// Amount paid; negative if refunded by the tax office.
    amount: Amount,
    /// Account that paid it or received the refund.
    #[schemars(extend("enum" = names(METHODS)))]
    method: &'static str,
    /// Your own description.
    #[schemars(example = &"First quarter")]
    description: Option<&'p str>,
    /// VAT period of the return that it pays, if given.
    vat_period: Option<PeriodBody>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time when it was undone.
    undone_at: Option<Moment>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'p> From<&'p VatPayment> for VatPaymentBody<'p> {
    fn from(payment: &'p VatPayment) -> Self {
        Self {
            id: payment.id,
            external_id: payment.external_id.as_deref(),
            date: payment.date,
            amount: Amount(payment.amount),
            method: payment.method.as_str(),
            description: payment.description.as_deref(),
            vat_period: payment.period.map(PeriodBody::from),
            entry_id: payment.entry_id,
            undone_at: payment.undone_at.map(Moment),
            created_at: Moment(payment.created_at),
            updated_at: Moment(payment.updated_at()),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<VatPaymentBody<'_>, _, _>("/vat-payments", "listVatPayments", list)
            .says("List payments of VAT", "Oldest first, also those that were taken back.")
            .with_query(filter),
        Operation::create::<VatPaymentBody<'_>, _, _>("/vat-payments", "createVatPayment", record)
            .says("Create a payment of VAT", "A negative amount is one that the tax office paid back.")
            .with_body(
                input::schema(new_vat_payment),
                json!({ "externalId": "bank-612", "date": "2026-04-28", "amount": 1708, "method": "bank", "vatPeriod": "2026-Q1" }),
            )
            .or(&[YEAR_CLOSED])
            .for_dutch_accounts(),
        Operation::read::<VatPaymentBody<'_>, _, _>("/vat-payments/{id}", "readVatPayment", read)
            .says("Read a payment of VAT", "")
            .or(&[NOT_FOUND]),
        Operation::act::<VatPaymentBody<'_>, _, _>("/vat-payments/{id}/undo", "undoVatPayment", Answer::Changed, undo)
            .says("Undo a payment of VAT", "By a reversal on its own day; it stays listed. No body is needed.")
            .undoes(Takes::Nothing)
            .or(&[NOT_FOUND, YEAR_CLOSED])
            .for_dutch_accounts(),
    ]
}

/// Which rows, and which page.
fn filter(query: &mut Query) -> (SyncFilter, (i64, i64)) {
    (query.sync_filter(), page(query))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = listing.read(filter)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let page = vat_payments::list(tx, &cx, &filter, after, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&VatPaymentBody::from(row))).of_changes(
            tx,
            account,
            filter.updated,
        )
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "VAT payment")?;
    let payment = books.query(cx.actor.account, move |tx| vat_payments::read(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &VatPaymentBody::from(&payment)))
}

async fn record(State(app): State<AppState>, Extension(cx): Extension<Context>, request: Request) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, new_vat_payment);
    let base = app.config().base_url.clone();
    let location = move |payment: &VatPayment| format!("{base}/api/v1/vat-payments/{}", payment.id);
    let show = move |outcome| reply::created(outcome, &location, |payment| reply::body(&VatPaymentBody::from(&payment)));
    let account = cx.actor.account;
    let creation = once::creation(account, "vatPayment", "/vat-payments", &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| vat_payments::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = vat_payments::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

async fn undo(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    undoing::read(request, Takes::Nothing).await?;
    let id = query::id(&id, "VAT payment")?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| vat_payments::undo(tx, &cx, id),
        move |payment| reply::changed(&VatPaymentBody::from(&payment)),
    )
    .await
}
