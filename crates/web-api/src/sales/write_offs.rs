//! What is written off of an invoice that is not paid.

use super::payments::{filter, refuse};
use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing},
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
    Context,
    write_offs::{self, UndoWriteOff},
};
use store::{Lane, write_offs::WriteOff};
use web_core::{
    AppState, ReadContext,
    catalogue::{CORRECTION_TOO_LARGE, IS_A_CREDIT_NOTE, IS_A_DRAFT, NOT_A_DRAFT, NOT_FOUND, PERIOD_FILED},
    input::{self, new_write_off},
    problem::Problem,
};

/// A write-off of an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WriteOff")]
struct WriteOffBody<'w> {
    /// Id, unique within the account.
    id: i64,
    /// Id of the invoice.
    invoice_id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'w str>,
    /// Date from which the loss is certain; the VAT is reclaimed in the return of that date.
    date: Date,
    /// Amount written off, including VAT.
    amount: Amount,
    /// Reason of the write-off.
    reason: Option<&'w str>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time of creation.
    created_at: Moment,
    /// Time when it was undone. Undone resources stay listed, but do not count.
    undone_at: Option<Moment>,
    /// Date of the reversal in the books, such as that of a chargeback.
    undone_on: Option<Date>,
    /// Id of the journal entry that reverses it.
    undoing_entry_id: Option<i64>,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'w> From<&'w WriteOff> for WriteOffBody<'w> {
    fn from(found: &'w WriteOff) -> Self {
        Self {
            id: found.id,
            invoice_id: found.invoice_id,
            external_id: found.external_id.as_deref(),
            date: found.date,
            amount: Amount(found.amount),
            reason: found.reason.as_deref(),
            entry_id: found.entry_id,
            created_at: Moment(found.created_at),
            undone_at: found.undone_at.map(Moment),
            undone_on: found.undone_on,
            undoing_entry_id: found.undoing_entry_id,
            updated_at: Moment(found.updated_at()),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<WriteOffBody<'_>, _, _>("/invoices/{id}/write-off", "listWriteOffs", list)
            .says("List what is written off of an invoice", "Oldest first.")
            .with_query(filter)
            .or(&[NOT_FOUND]),
        Operation::create::<WriteOffBody<'_>, _, _>("/invoices/{id}/write-off", "createWriteOff", create)
            .says(
                "Create a write-off of an invoice",
                "What the customer will not pay becomes cost, and the VAT on it comes back with the return of that day (art. 29 Wet OB 1968). \
                 A payment that comes in after all recovers it.",
            )
            .with_body(
                input::schema(|fields| new_write_off(fields, 0)),
                json!({ "externalId": "bad-debt-7", "date": "2026-11-21", "amount": 121.00, "reason": "The customer is bankrupt." }),
            )
            .or(&[NOT_FOUND, NOT_A_DRAFT, IS_A_DRAFT, IS_A_CREDIT_NOTE, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read::<WriteOffBody<'_>, _, _>("/invoices/{id}/write-off/{writeOffId}", "readWriteOff", read)
            .says("Read a write-off", "")
            .or(&[NOT_FOUND]),
        Operation::act::<WriteOffBody<'_>, _, _>("/invoices/{id}/write-off/{writeOffId}/undo", "undoWriteOff", Answer::Changed, undo)
            .says("Undo a write-off", "Its entry is reversed. One that is taken back already is answered as it is.")
            .undoes(Takes::DayAndCorrection)
            .or(&[NOT_FOUND, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
    ]
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = listing.read(filter)?;
    let id = query::id(&id, "invoice")?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let page = write_offs::list(tx, &cx, id, &filter, after, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&WriteOffBody::from(row))).of_changes(
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
    Path((invoice, id)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let (invoice, id) = (query::id(&invoice, "write-off")?, query::id(&id, "write-off")?);
    let found = books.query(cx.actor.account, move |tx| write_offs::read(tx, &cx, invoice, id)).await?;
    Ok(reply::resource(&headers, &WriteOffBody::from(&found)))
}

async fn create(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(&id, "invoice")?;
    let parsed = input::json(&json, |fields| new_write_off(fields, id));
    let base = app.config().base_url.clone();
    let location = move |made: &WriteOff| format!("{base}/api/v1/invoices/{}/write-off/{}", made.invoice_id, made.id);
    let show = move |outcome| reply::created(outcome, &location, |made| reply::body(&WriteOffBody::from(&made)));
    let account = cx.actor.account;
    let creation = once::creation(account, "writeOff", &format!("/invoices/{id}/write-off"), &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| write_offs::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = write_offs::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?;
                known.map_or_else(|| refuse(tx, &cx, id, &parsed.faults), Ok)
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

async fn undo(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((invoice, id)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let how = undoing::read(request, Takes::DayAndCorrection).await?;
    let how = UndoWriteOff { date: how.date, if_filed: how.if_filed };
    let ids = (query::id(&invoice, "write-off")?, query::id(&id, "write-off")?);
    let account = cx.actor.account;
    once::answer(
        &app,
        account,
        move |tx| write_offs::undo(tx, &cx, ids, how),
        move |undone| reply::changed(&WriteOffBody::from(&undone)),
    )
    .await
}
