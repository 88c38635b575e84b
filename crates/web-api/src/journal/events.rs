//! Events that no invoice and no receipt tells of: `/manual-entries`, `/transfers`, `/private-bookings`, `/accruals`, `/loans` with their
//! repayments, `/private-use`. Each is created, listed, read and undone alike.

use super::bodies::{
    AccrualBody, EventBody, LoanBody, ManualEntryBody, OpeningBalanceBody, PrivateBookingBody, PrivateUseBody, RepaymentBody,
    TransferBody,
};
use crate::{
    body, once,
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
use ledger::entry::SourceType;
use serde_json::{Value, json};
use service::{
    Context, Error,
    corrections::IfFiled,
    events::{self, EventDetails, NewEvent},
};
use store::{Lane, SyncFilter};
use web_core::{
    AppState, ReadContext,
    catalogue::{ALREADY_UNDONE, CORRECTION_TOO_LARGE, HAS_OPENING_BALANCE, HAS_PARTS, NOT_FOUND, PERIOD_FILED},
    input::{self, Raw, new_event},
    problem::Problem,
};

/// Description of the undo of every kind.
const UNDO: &str = "Its entries are reversed, each on its own day. It stays listed, with `undoneAt`.";

pub(crate) fn operations() -> Vec<Operation> {
    let mut operations = Vec::new();
    operations.extend(kind::<ManualEntryBody>(
        ["/manual-entries", "/manual-entries/{id}", "/manual-entries/{id}/reverse"],
        ["listManualEntries", "createManualEntry", "readManualEntry", "reverseManualEntry"],
        ["List entries made by hand", "Create a manual entry", "Read an entry made by hand", "Reverse a manual entry"],
        json!({ "externalId": "memo-7", "date": "2026-11-20", "description": "Bank costs of October",
                "lines": [{ "account": "4610", "debit": 12.50 }, { "account": "1100", "credit": 12.50 }] }),
    ));
    operations.push(undo_operation::<ManualEntryBody>("/manual-entries/{id}/undo", "undoManualEntry", "Undo a manual entry"));
    operations.extend(kind::<OpeningBalanceBody>(
        ["/opening-balance", "/opening-balance/{id}", "/opening-balance/{id}/undo"],
        ["listOpeningBalances", "createOpeningBalance", "readOpeningBalance", "undoOpeningBalance"],
        ["List opening balances", "Create the opening balance", "Read an opening balance", "Undo the opening balance"],
        json!({ "externalId": "start", "date": "2026-01-01",
                "balances": [{ "account": "1100", "amount": 8000.00 }, { "account": "0200", "amount": 1899.00 },
                             { "account": "0210", "amount": -341.82 }, { "account": "1780", "amount": -1150.00 }],
                "openItems": [{ "kind": "receivable", "contact": "Bakkerij De Korenaar", "number": "2025-0041", "date": "2025-12-02",
                                "dueDate": "2026-01-01", "amount": 605.00 },
                              { "kind": "payable", "contact": "Papierhal B.V.", "number": "88104", "date": "2025-12-15",
                                "dueDate": "2026-01-14", "amount": 121.00 }] }),
    ));
    operations.extend(kind::<TransferBody>(
        ["/transfers", "/transfers/{id}", "/transfers/{id}/undo"],
        ["listTransfers", "createTransfer", "readTransfer", "undoTransfer"],
        ["List transfers", "Create a transfer between own accounts", "Read a transfer", "Undo a transfer"],
        json!({ "externalId": "bank-77", "date": "2026-11-20", "from": "bank", "to": "savings", "amount": 1000.00 }),
    ));
    operations.extend(kind::<PrivateBookingBody>(
        ["/private-bookings", "/private-bookings/{id}", "/private-bookings/{id}/undo"],
        ["listPrivateBookings", "createPrivateBooking", "readPrivateBooking", "undoPrivateBooking"],
        ["List private money", "Create a private booking", "Read private money", "Undo a private booking"],
        json!({ "externalId": "bank-78", "date": "2026-11-25", "kind": "drawing", "amount": 1800.00, "method": "bank" }),
    ));
    operations.extend(kind::<AccrualBody>(
        ["/accruals", "/accruals/{id}", "/accruals/{id}/undo"],
        ["listAccruals", "createAccrual", "readAccrual", "undoAccrual"],
        ["List accruals", "Create an accrual", "Read an accrual", "Undo an accrual"],
        json!({ "externalId": "close-1", "date": "2026-12-31", "kind": "workToInvoice", "account": "8000", "amount": 1600.00,
                "reverseOn": "2027-01-01" }),
    ));
    operations.extend(kind::<LoanBody>(
        ["/loans", "/loans/{id}", "/loans/{id}/undo"],
        ["listLoans", "createLoan", "readLoan", "undoLoan"],
        ["List loans", "Create a loan", "Read a loan", "Undo a loan"],
        json!({ "externalId": "loan-1", "date": "2026-11-20", "account": "0700", "amount": 10_000.00 }),
    ));
    operations.extend(repayments());
    operations.extend(kind::<PrivateUseBody>(
        ["/private-use", "/private-use/{id}", "/private-use/{id}/undo"],
        ["listPrivateUse", "createPrivateUse", "readPrivateUse", "undoPrivateUse"],
        ["List private use", "Create a private use", "Read private use", "Undo private use"],
        json!({ "externalId": "close-2", "date": "2026-12-31", "kind": "car", "vat": 1080.00, "base": 8800.00 }),
    ));
    operations
}

/// What the undoing of a kind can be told.
fn takes(kind: SourceType) -> Takes {
    if input::can_be_correction(kind) { Takes::Correction } else { Takes::Nothing }
}

/// The four operations of a kind: paths of the list, of one and of undoing; names and summaries of list, create, read and undo.
fn kind<B: EventBody>(
    paths: [&'static str; 3],
    ids: [&'static str; 4],
    says: [&'static str; 4],
    example: Value,
) -> Vec<Operation> {
    let in_box = is_in_box::<B>();
    let refused: &'static [_] =
        if in_box { &[PERIOD_FILED, CORRECTION_TOO_LARGE, HAS_OPENING_BALANCE] } else { &[PERIOD_FILED, HAS_OPENING_BALANCE] };
    vec![
        Operation::list::<B, _, _>(paths[0], ids[0], list::<B>).says(says[0], "Newest first.").with_query(page),
        Operation::create::<B, _, _>(paths[0], ids[1], create::<B>)
            .says(says[1], "")
            .with_body(input::schema(|fields| new_event(fields, B::KIND, None)), example)
            .or(refused)
            .for_dutch_accounts(),
        Operation::read::<B, _, _>(paths[1], ids[2], read::<B>).says(says[2], "").or(&[NOT_FOUND]),
        undo_operation::<B>(paths[2], ids[3], says[3]),
    ]
}

/// Of all events only private use stands in a box.
fn is_in_box<B: EventBody>() -> bool {
    B::KIND == SourceType::PrivateUse
}

fn undo_operation<B: EventBody>(path: &'static str, id: &'static str, says: &'static str) -> Operation {
    Operation::act::<B, _, _>(path, id, Answer::Changed, undo::<B>)
        .says(says, UNDO)
        .undoes(takes(B::KIND))
        .or(if is_in_box::<B>() {
            &[NOT_FOUND, ALREADY_UNDONE, HAS_PARTS, PERIOD_FILED, CORRECTION_TOO_LARGE]
        } else {
            &[NOT_FOUND, ALREADY_UNDONE, HAS_PARTS, PERIOD_FILED]
        })
        .for_dutch_accounts()
}

fn repayments() -> Vec<Operation> {
    let example = json!({ "externalId": "bank-79", "date": "2026-12-20", "principal": 200.00, "interest": 41.67 });
    vec![
        Operation::list::<RepaymentBody, _, _>("/loans/{id}/repayments", "listLoanRepayments", list_repayments)
            .says("List the repayments of a loan", "Newest first.")
            .with_query(page)
            .or(&[NOT_FOUND]),
        Operation::create::<RepaymentBody, _, _>("/loans/{id}/repayments", "createLoanRepayment", repay)
            .says("Create a repayment of a loan", "Principal and interest in one payment; never more principal than is owed.")
            .with_body(input::schema(|fields| new_event(fields, SourceType::LoanRepayment, None)), example)
            .or(&[NOT_FOUND, ALREADY_UNDONE])
            .for_dutch_accounts(),
        Operation::read::<RepaymentBody, _, _>("/loans/{id}/repayments/{repaymentId}", "readLoanRepayment", read_repayment)
            .says("Read a repayment of a loan", "")
            .or(&[NOT_FOUND]),
        Operation::act::<RepaymentBody, _, _>(
            "/loans/{id}/repayments/{repaymentId}/undo",
            "undoLoanRepayment",
            Answer::Changed,
            undo_repayment,
        )
        .says("Undo a repayment of a loan", UNDO)
        .undoes(Takes::Nothing)
        .or(&[NOT_FOUND, ALREADY_UNDONE])
        .for_dutch_accounts(),
    ]
}

/// What is asked of a list: which rows, the id before which it goes on, and how many.
fn page(query: &mut Query) -> (SyncFilter, i64, i64) {
    (query.sync_filter(), query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

fn shown<B: EventBody>(details: &EventDetails) -> Vec<u8> {
    B::of(details).map_or_else(Vec::new, |body| reply::body(&body))
}

fn resource<B: EventBody>(headers: &HeaderMap, details: &EventDetails) -> Result<Response, Problem> {
    let body = B::of(details).ok_or_else(Problem::internal)?;
    Ok(reply::resource(headers, &body))
}

async fn list<B: EventBody>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    rows::<B>(&app, &cx, &books, &listing, None).await
}

async fn rows<B: EventBody>(
    app: &AppState,
    cx: &Context,
    books: &ReadContext,
    listing: &Listing,
    parent: Option<i64>,
) -> Result<Response, Problem> {
    let (filter, before, limit) = listing.read(page)?;
    let (account, cx) = (cx.actor.account, cx.clone());
    let list = move |tx: &mut store::Tx<'_>| {
        if let Some(loan) = parent {
            events::read(tx, &cx, SourceType::Loan, loan)?;
        }
        let page = events::list(tx, &cx, B::KIND, parent, &filter, before, limit)?;
        reply::rows(&page, |last| last.stored.id.to_string(), shown::<B>).of_changes(tx, account, filter.updated)
    };
    Ok(reply::page(books.query(Lane::of(account).list(), list).await?, &app.config().base_url, listing))
}

async fn create<B: EventBody>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, |fields| new_event(fields, B::KIND, None));
    make::<B>(&app, cx, (parsed, &json), None, B::PATH).await
}

async fn make<B: EventBody>(
    app: &AppState,
    cx: Context,
    (parsed, json): (input::Parsed<NewEvent>, &Raw),
    loan: Option<i64>,
    path: &str,
) -> Result<Response, Problem> {
    let location = format!("{}/api/v1{path}", app.config().base_url);
    let account = cx.actor.account;
    let creation = once::creation(account, B::KIND.as_str(), path, json);
    let show = move |outcome| {
        reply::created(outcome, |made: &EventDetails| format!("{location}/{}", made.stored.id), |made| shown::<B>(&made))
    };
    match parsed.command {
        Some(command) => once::create(app, account, creation, move |tx| events::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                if let Some(known) = events::find_by_external_id(tx, &cx, B::KIND, parsed.external_id.as_deref())? {
                    return Ok(known);
                }
                // Whether there is such a loan comes before what is wrong with the rest.
                if let Some(loan) = loan {
                    events::read(tx, &cx, SourceType::Loan, loan)?;
                }
                Err(Error::Invalid(parsed.faults.clone()))
            };
            once::existing(app, account, creation, known, show).await
        }
    }
}

async fn read<B: EventBody>(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, events::name(B::KIND))?;
    resource::<B>(&headers, &books.query(cx.actor.account, move |tx| events::read(tx, &cx, B::KIND, id)).await?)
}

async fn undo<B: EventBody>(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let if_filed = undoing::read(request, takes(B::KIND)).await?.if_filed;
    let id = query::id(&id, events::name(B::KIND))?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| events::undo(tx, &cx, (B::KIND, id), if_filed),
        |undone| reply::changed_as(shown::<B>(&undone)),
    )
    .await
}

async fn list_repayments(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(loan): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    let loan = query::id(&loan, "loan")?;
    rows::<RepaymentBody>(&app, &cx, &books, &listing, Some(loan)).await
}

async fn repay(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(loan): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let loan = query::id(&loan, "loan")?;
    let parsed = input::json(&json, |fields| new_event(fields, SourceType::LoanRepayment, Some(loan)));
    make::<RepaymentBody>(&app, cx, (parsed, &json), Some(loan), &format!("/loans/{loan}/repayments")).await
}

/// A repayment of that loan.
fn repayment(tx: &mut store::Tx<'_>, cx: &Context, loan: i64, id: i64) -> Result<EventDetails, Error> {
    let found = events::read(tx, cx, SourceType::LoanRepayment, id)?;
    Some(found).filter(|found| found.stored.parent_id == Some(loan)).ok_or(Error::NotFound("repayment"))
}

async fn read_repayment(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((loan, id)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let (loan, id) = (query::id(&loan, "repayment")?, query::id(&id, "repayment")?);
    resource::<RepaymentBody>(&headers, &books.query(cx.actor.account, move |tx| repayment(tx, &cx, loan, id)).await?)
}

async fn undo_repayment(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((loan, id)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    undoing::read(request, Takes::Nothing).await?;
    let (loan, id) = (query::id(&loan, "repayment")?, query::id(&id, "repayment")?);
    let account = cx.actor.account;
    let undo = move |tx: &mut store::Tx<'_>| {
        repayment(tx, &cx, loan, id)?;
        events::undo(tx, &cx, (SourceType::LoanRepayment, id), IfFiled::Refuse)
    };
    once::answer(&app, account, undo, |undone| reply::changed_as(shown::<RepaymentBody>(&undone))).await
}
