//! What payment providers pay out.

use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
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
use service::{
    Context, Error,
    payouts::{self, UndoPayout},
};
use store::{Lane, SyncFilter, payouts::Payout};
use web_core::{
    AppState, ReadContext,
    catalogue::{CORRECTION_TOO_LARGE, NOT_FOUND, PERIOD_FILED},
    input::{self, FEE_VAT, names, new_payout},
    problem::Problem,
};

/// A payout of a payment provider.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payout")]
struct PayoutBody<'p> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'p str>,
    /// Date on which it reached the bank.
    date: Date,
    /// Amount that reached the bank; negative if the provider withdrew money.
    amount: Amount,
    /// Fee of the provider, including VAT if charged.
    fee: Amount,
    /// VAT treatment of the fee.
    #[schemars(extend("enum" = names(FEE_VAT)))]
    fee_vat_treatment: &'static str,
    /// VAT on the fee: included in it, or due by the account.
    fee_vat: Amount,
    /// Name of the provider.
    #[schemars(example = &"Mollie")]
    provider: Option<&'p str>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time of creation.
    created_at: Moment,
    /// Time when it was undone.
    undone_at: Option<Moment>,
    /// Date of the reversal in the books, such as that of a chargeback.
    undone_on: Option<Date>,
    /// Id of the journal entry that reverses it.
    undoing_entry_id: Option<i64>,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'p> From<&'p Payout> for PayoutBody<'p> {
    fn from(payout: &'p Payout) -> Self {
        Self {
            id: payout.id,
            external_id: payout.external_id.as_deref(),
            date: payout.date,
            amount: Amount(payout.amount),
            fee: Amount(payout.fee),
            fee_vat_treatment: payout.fee_vat_treatment.as_str(),
            fee_vat: Amount(payout.fee_vat),
            provider: payout.provider.as_deref(),
            entry_id: payout.entry_id,
            created_at: Moment(payout.created_at),
            undone_at: payout.undone_at.map(Moment),
            undone_on: payout.undone_on,
            undoing_entry_id: payout.undoing_entry_id,
            updated_at: Moment(payout.updated_at()),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<PayoutBody<'_>, _, _>("/payouts", "listPayouts", list)
            .says("List payouts of payment providers", "The last one first.")
            .with_query(filter),
        Operation::create::<PayoutBody<'_>, _, _>("/payouts", "createPayout", create)
            .says(
                "Create a payout of a payment provider",
                "What customers paid to it (`ideal`, `paypal`, `provider`) reaches the bank, less its fee, which is cost.",
            )
            .with_body(
                input::schema(new_payout),
                json!({
                    "externalId": "po-2026-11-21", "date": "2026-11-21", "amount": 118.50, "fee": 2.50, "feeVatTreatment": "normal",
                    "provider": "Mollie",
                }),
            )
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read::<PayoutBody<'_>, _, _>("/payouts/{id}", "readPayout", read).says("Read a payout", "").or(&[NOT_FOUND]),
        Operation::act::<PayoutBody<'_>, _, _>("/payouts/{id}/undo", "undoPayout", Answer::Changed, undo)
            .says("Undo a payout", "Its entry is reversed. One that is taken back already is answered as it is.")
            .undoes(Takes::DayAndCorrection)
            .or(&[NOT_FOUND, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
    ]
}

fn filter(query: &mut Query) -> (SyncFilter, i64, i64) {
    (query.sync_filter(), query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, before, limit) = listing.read(filter)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let page = payouts::list(tx, &cx, &filter, before, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&PayoutBody::from(row))).of_changes(
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
    let id = query::id(&id, "payout")?;
    let payout = books.query(cx.actor.account, move |tx| payouts::read(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &PayoutBody::from(&payout)))
}

async fn create(State(app): State<AppState>, Extension(cx): Extension<Context>, request: Request) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, new_payout);
    let base = app.config().base_url.clone();
    let location = move |made: &Payout| format!("{base}/api/v1/payouts/{}", made.id);
    let show = move |outcome| reply::created(outcome, &location, |made| reply::body(&PayoutBody::from(&made)));
    let account = cx.actor.account;
    let creation = once::creation(account, "payout", "/payouts", &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| payouts::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = payouts::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?;
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
    let how = undoing::read(request, Takes::DayAndCorrection).await?;
    let how = UndoPayout { date: how.date, if_filed: how.if_filed };
    let id = query::id(&id, "payout")?;
    let account = cx.actor.account;
    once::answer(
        &app,
        account,
        move |tx| payouts::undo(tx, &cx, id, how),
        move |undone| reply::changed(&PayoutBody::from(&undone)),
    )
    .await
}
