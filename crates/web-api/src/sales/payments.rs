//! Payments on an invoice, and credit notes that take it back.

use super::invoice_body::{InvoiceBody, WarningBody};
use crate::{
    body,
    invoices::made,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    resource::{Expected, page},
    undoing::{self, Takes},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use jiff::civil::{self, Date};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, days,
    invoices::{self, InvoiceDetails},
    payments::{self, UndoPayment},
};
use store::{Lane, SyncFilter, Tx, invoices::InvoiceKind, payments::Payment};
use web_core::{
    AppState, ReadContext,
    catalogue::{
        ALREADY_CREDITED, CORRECTION_TOO_LARGE, HAS_PARTS, IS_A_CREDIT_NOTE, IS_A_DRAFT, IS_OPENING_ITEM, IS_WRITTEN_OFF,
        NOT_A_DRAFT, NOT_FOUND, NUMBER_TAKEN, PERIOD_FILED, PRECONDITION_FAILED, YEAR_CLOSED,
    },
    input::{self, METHODS, Raw, names, new_credit_note, new_payment},
    problem::Problem,
};

/// A payment on an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payment")]
struct PaymentBody<'p> {
    /// Id, unique within the account.
    id: i64,
    /// Id of the invoice.
    invoice_id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'p str>,
    /// Date of the payment.
    date: Date,
    /// Amount received; negative if refunded to the customer.
    amount: Amount,
    /// Account that received it.
    #[schemars(extend("enum" = names(METHODS)))]
    method: &'static str,
    /// Reference of the payer.
    #[schemars(example = &"PO 7")]
    reference: Option<&'p str>,
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
    /// Warnings about unusual data, until it is undone, or the VAT return is due for its quarter or
    /// for the quarter in which it was recorded.
    warnings: Vec<WarningBody>,
}

impl<'p> PaymentBody<'p> {
    fn of(payment: &'p Payment, today: Date) -> Self {
        let unusual = payment.date_unusual.filter(|_| payment.undone_at.is_none());
        Self {
            id: payment.id,
            invoice_id: payment.invoice_id,
            external_id: payment.external_id.as_deref(),
            date: payment.date,
            amount: Amount(payment.amount),
            method: payment.method.as_str(),
            reference: payment.reference.as_deref(),
            entry_id: payment.entry_id,
            created_at: Moment(payment.created_at),
            undone_at: payment.undone_at.map(Moment),
            undone_on: payment.undone_on,
            undoing_entry_id: payment.undoing_entry_id,
            updated_at: Moment(payment.updated_at()),
            warnings: WarningBody::of_day(days::reported(unusual, payment.date, payment.created_at, today)),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    // Only descriptions are made from it.
    let any_day = civil::date(2026, 1, 1);
    vec![
        Operation::list::<PaymentBody<'_>, _, _>("/invoices/{id}/payments", "listPayments", list)
            .says("List the payments on an invoice", "Oldest first.")
            .with_query(filter)
            .or(&[NOT_FOUND]),
        Operation::create::<PaymentBody<'_>, _, _>("/invoices/{id}/payments", "createPayment", pay)
            .says(
                "Create a payment",
                "Payments add up; together they are above what is outstanding only with `overpayment: \"keep\"`. A negative amount is money \
                 paid back to the customer. On an invoice of which something was written off, a payment recovers that first, also where the rest is still due: \
                 the VAT on it is due again at once (art. 29 Wet OB 1968). An `externalId` is unique among all payments of the \
                 account: one that is known answers 200 with that payment, also when it is on another invoice; compare `invoiceId`.",
            )
            .with_body(
                input::schema(|fields| new_payment(fields, 0)),
                json!({
                    "externalId": "bank-551", "date": "2026-11-21", "amount": 951.69, "method": "bank", "reference": "2026-0001",
                }),
            )
            .or(&[NOT_FOUND, NOT_A_DRAFT, IS_A_DRAFT, IS_A_CREDIT_NOTE, PERIOD_FILED, CORRECTION_TOO_LARGE, YEAR_CLOSED])
            .for_dutch_accounts(),
        Operation::read::<PaymentBody<'_>, _, _>("/invoices/{id}/payments/{paymentId}", "readPayment", read)
            .says("Read a payment", "")
            .or(&[NOT_FOUND]),
        Operation::delete::<PaymentBody<'_>, _, _>("/invoices/{id}/payments/{paymentId}", "undoPayment", Answer::Changed, undo)
            .says(
                "Delete a payment",
                "Its entry is reversed. It stays listed, with `undoneAt`, and no longer counts. One that is taken back already is answered as it \
                 is; one of which something was paid back to the customer is refused until that refund is taken back.",
            )
            .undoes(Takes::DayAndCorrection)
            .or(&[NOT_FOUND, ALREADY_CREDITED, HAS_PARTS, PERIOD_FILED, CORRECTION_TOO_LARGE, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::create::<InvoiceBody<'_>, _, _>("/invoices/{id}/credit-notes", "createCreditNote", credit)
            .says(
                "Create a credit note for all or part of an invoice",
                "The credit note stands in the same number series, with negative amounts, an entry of its own and its place on the VAT \
                 return of its own date. An `externalId` is unique among all credit notes of the account: one that is known answers 200 with \
                 that credit note, also when it credits another invoice; compare `creditedInvoiceId`. `items` take quantities of the invoice's \
                 lines at the same `unitPrice` and `vatRate`; the amount of an item can be a cent off its quantity times its price, so that the \
                 credit notes on a line come to its amount.",
            )
            .with_body(
                input::schema(|fields| new_credit_note(fields, 0, any_day)),
                json!({
                    "externalId": "return-3", "date": "2026-11-21", "reason": "One hour was too many.",
                    "items": [{ "description": "Design of a web page", "quantity": 1, "unitPrice": 95.50, "vatRate": 21 }],
                }),
            )
            .or(&[
                NOT_FOUND,
                IS_A_DRAFT,
                IS_A_CREDIT_NOTE,
                ALREADY_CREDITED,
                NOT_A_DRAFT,
                IS_WRITTEN_OFF,
                PERIOD_FILED,
                CORRECTION_TOO_LARGE,
                YEAR_CLOSED,
                IS_OPENING_ITEM,
                NUMBER_TAKEN,
            ])
            .for_dutch_accounts(),
    ]
}

/// Which rows, and which page.
pub(super) fn filter(query: &mut Query) -> (SyncFilter, (i64, i64)) {
    (query.sync_filter(), page(query))
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
    let (account, today) = (cx.actor.account, cx.today());
    let list = move |tx: &mut store::Tx<'_>| {
        let page = payments::list(tx, &cx, id, &filter, after, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&PaymentBody::of(row, today))).of_changes(
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
    let (invoice, id) = (query::id(&invoice, "payment")?, query::id(&id, "payment")?);
    let today = cx.today();
    let payment = books.query(cx.actor.account, move |tx| payments::read(tx, &cx, invoice, id)).await?;
    Ok(reply::resource(&headers, &PaymentBody::of(&payment, today)))
}

/// A payment as it is answered.
pub(crate) fn shown(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let payment = store::payments::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("payment"))?;
    Ok(reply::body(&PaymentBody::of(&payment, cx.today())))
}

async fn pay(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, "invoice")?;
    let parsed = input::json(&json, |fields| new_payment(fields, id));
    let base = app.config().base_url.clone();
    let location = move |payment: &Payment| format!("{base}/api/v1/invoices/{}/payments/{}", payment.invoice_id, payment.id);
    let today = cx.today();
    let show = move |outcome| reply::created(outcome, &location, |payment| reply::body(&PaymentBody::of(&payment, today)));
    let account = cx.actor.account;
    let creation = once::creation(account, "payment", &format!("/invoices/{id}/payments"), &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| payments::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                if let Some(known) = payments::find_by_external_id(tx, &cx, parsed.external_id.as_deref())? {
                    return Ok(known);
                }
                // Whether there is such an invoice comes before what is wrong with the rest.
                let more = payments::validate(tx, &cx, id, &parsed.partial)?;
                Err(Error::Invalid([parsed.faults.clone(), more].concat()))
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
    let expected = Expected::of(request.headers());
    let reported = expected.reported();
    let how = undoing::read(request, Takes::DayAndCorrection).await?;
    let how = UndoPayment { date: how.date, if_filed: how.if_filed };
    let ids = (query::id(&invoice, "payment")?, query::id(&id, "payment")?);
    let (account, today) = (cx.actor.account, cx.today());
    let as_expected = move |there: &Payment| expected.is_met_by(&PaymentBody::of(there, today));
    let payment = app.execute(account, move |tx| payments::undo(tx, &cx, ids, how, &as_expected)).await.map_err(reported)?;
    Ok(reply::changed(&PaymentBody::of(&payment, today)).into_response())
}

/// Whether there is such an invoice comes before what is wrong with the rest.
pub(super) fn refuse<T>(tx: &mut Tx<'_>, cx: &Context, invoice: i64, faults: &[Fault]) -> Result<T, Error> {
    invoices::read(tx, cx, invoice)?;
    Err(Error::Invalid(faults.to_vec()))
}

async fn credit(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(&id, "invoice")?;
    let base = app.config().base_url.clone();
    let account = cx.actor.account;
    let creation = once::creation(account, "creditNote", &format!("/invoices/{id}/credit-notes"), &json);
    let credit = move |tx: &mut Tx<'_>| credit_invoice(tx, &cx, id, &json);
    once::create(&app, account, creation, credit, move |outcome| made(&base, outcome)).await
}

/// The rates of the lines are those of the invoice, so the body can be read only when the invoice is known.
fn credit_invoice(tx: &mut Tx<'_>, cx: &Context, invoice_id: i64, json: &Raw) -> Result<Created<InvoiceDetails>, Error> {
    let dated = match invoices::read(tx, cx, invoice_id) {
        Ok(view) => Some(view.invoice.rates_on()),
        Err(Error::NotFound(_)) => None,
        Err(other) => return Err(other),
    };
    let rates_of = dated.unwrap_or_else(|| cx.today());
    let parsed = input::json(json, |fields| new_credit_note(fields, invoice_id, rates_of));
    if let Some(known) = invoices::find_by_external_id(tx, cx, InvoiceKind::CreditNote, parsed.external_id.as_deref())? {
        return Ok(Created::Existing(known));
    }
    match parsed.command {
        Some(command) => invoices::credit(tx, cx, &command),
        None if dated.is_some() => {
            let more = invoices::validate_credit(tx, cx, invoice_id, &parsed.partial)?;
            Err(Error::Invalid([parsed.faults, more].concat()))
        }
        None => Err(Error::NotFound("invoice")),
    }
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &Raw, day: Date) {
    let parsed = input::json(json, |fields| new_payment(fields, 1));
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
    input::json(json, |fields| new_credit_note(fields, 1, day));
}
