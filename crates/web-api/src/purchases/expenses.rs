//! Expenses: recorded, read, listed, edited, undone; bills paid, and their VAT paid back.

use crate::{
    body,
    moment::Moment,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    resource::Expected,
    sales::invoice_body::PeriodBody,
    undoing::{self, Takes},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use ledger::calendar::Quarter;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    expenses::{self, ExpenseDetails, ExpenseWarning},
};
use store::{
    Lane, SyncFilter,
    expenses::{ExpenseFilter, ExpensePayment},
};
use web_core::{
    AppState, ReadContext,
    catalogue::{
        ALREADY_UNDONE, CORRECTION_TOO_LARGE, IS_AN_ASSET, IS_OPENING_ITEM, NOT_FOUND, PERIOD_FILED, PRECONDITION_FAILED,
    },
    input::{
        self, PAID_FROM, PAYING, TREATMENTS, edited_expense, english, names, new_expense, new_expense_payment, vat_repayment,
    },
    problem::Problem,
};

/// An expense: a purchase.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Expense")]
pub(crate) struct ExpenseBody<'e> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'e str>,
    /// Date of the supplier's document.
    date: Date,
    /// Name of the supplier.
    #[schemars(example = &"Papierhal B.V.")]
    supplier: Option<&'e str>,
    /// Id of the supplier's contact.
    contact_id: Option<i64>,
    /// Description of the purchase.
    #[schemars(example = &"Toner")]
    description: Option<&'e str>,
    /// `booked` or `undone`.
    #[schemars(extend("enum" = ["booked", "undone"]))]
    status: &'static str,
    /// Last day to pay, if it was open at the start of the books; otherwise null.
    due_date: Option<Date>,
    /// Lines of the document.
    items: Vec<ItemBody>,
    /// Source of the payment: `bank`, `private`, `cash`, `card` or `unpaid`.
    #[schemars(extend("enum" = names(PAID_FROM)))]
    paid_from: &'static str,
    /// Business share in per cent.
    business_share: Number,
    /// Ids of the receipts.
    receipt_ids: Vec<i64>,
    /// VAT period of its date. If that period was filed, a correction counts in a later one: `GET
    /// /entries?vatPeriod=…` lists it there.
    vat_period: PeriodBody,
    /// Amount excluding VAT.
    subtotal: Amount,
    /// Amount of VAT, on the document or due by you.
    vat_total: Amount,
    /// Amount of VAT deducted.
    vat_deductible: Amount,
    /// Amount charged by the supplier; negative for a credit.
    total: Amount,
    /// Whether nothing is due.
    paid: bool,
    /// Amount paid.
    amount_paid: Amount,
    /// Amount still to be paid; negative if the supplier owes it.
    amount_due: Amount,
    /// Deducted VAT that was repaid because the bill stayed unpaid.
    vat_repaid: Amount,
    /// Id of the asset that was purchased.
    asset_id: Option<i64>,
    /// Ids of its journal entries, oldest first.
    entry_ids: &'e [i64],
    /// Warnings about unusual or incomplete data, while they can be acted on: until the VAT return
    /// is due for its quarter or for the quarter of its last change.
    warnings: Vec<WarningBody>,
    /// Origin: `api`, `app`, or `opening` if it was unpaid at the start of the books; such an
    /// expense has no lines and no known VAT.
    #[schemars(extend("enum" = ["api", "app", "opening"]))]
    source: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// A line of an expense.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ExpenseItem")]
struct ItemBody {
    /// Ledger account that it is booked on.
    #[schemars(example = &"4100")]
    category: String,
    /// Amount in euros, as entered.
    amount: Amount,
    /// VAT rate in per cent; null if the treatment has none.
    vat_rate: Option<Number>,
    /// `normal`, `reverseCharge`, `eu`, `import`, `importVatPaid` or `none`.
    #[schemars(extend("enum" = names(TREATMENTS)))]
    vat_treatment: &'static str,
    /// Whether the amount includes VAT.
    includes_vat: bool,
    /// VAT as printed on the document, if given.
    vat: Option<Amount>,
    /// Amount excluding VAT.
    net: Amount,
    /// Amount of VAT, on the document or due by you.
    vat_amount: Amount,
    /// Amount of VAT deducted.
    vat_deductible: Amount,
}

/// A warning: legal but unusual or incomplete data.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExpenseWarning")]
struct WarningBody {
    /// `vat_differs`, `may_be_asset`, `date_unusual`, `duplicate_amount` or `paid_before_bill`.
    /// More codes may be added.
    #[schemars(example = &"vat_differs")]
    code: &'static str,
    /// Explanation, and what to do about it.
    #[schemars(example = &"the VAT of line 1 is not what the rate gives, 21.00; check both")]
    message: String,
}

impl From<ExpenseWarning> for WarningBody {
    fn from(warning: ExpenseWarning) -> Self {
        Self { code: warning.code(), message: english::expense_warning(&warning) }
    }
}

impl<'e> ExpenseBody<'e> {
    pub(crate) fn of(details: &'e ExpenseDetails, today: Date) -> Self {
        let expense = &details.expense;
        let quarter = Quarter::of(expense.date);
        Self {
            id: expense.id,
            external_id: expense.external_id.as_deref(),
            date: expense.date,
            supplier: expense.supplier.as_deref(),
            contact_id: expense.contact_id,
            description: expense.description.as_deref(),
            status: if expense.undone_at.is_some() { "undone" } else { "booked" },
            due_date: details.due_date,
            items: details.priced.lines.iter().map(ItemBody::from).collect(),
            paid_from: expense.paid_from.map_or("unpaid", |money| money.as_str()),
            business_share: Number(expense.business_share.percent()),
            receipt_ids: details.receipts.iter().map(|(id, _)| *id).collect(),
            vat_period: quarter.into(),
            subtotal: Amount(expense.net),
            vat_total: Amount(expense.vat),
            vat_deductible: Amount(expense.deductible),
            total: Amount(expense.total),
            paid: details.paid(),
            amount_paid: Amount(expense.amount_paid),
            amount_due: Amount(expense.amount_due()),
            vat_repaid: Amount(expense.vat_repaid),
            asset_id: expense.asset_id,
            entry_ids: &details.entry_ids,
            warnings: details.warnings(today).into_iter().map(WarningBody::from).collect(),
            source: expense.source.as_str(),
            created_at: Moment(expense.created_at),
            updated_at: Moment(expense.updated_at),
        }
    }
}

impl From<&(ledger::purchase::PurchaseLine, ledger::purchase::LineAmounts)> for ItemBody {
    fn from((line, of): &(ledger::purchase::PurchaseLine, ledger::purchase::LineAmounts)) -> Self {
        Self {
            category: line.category.to_string(),
            amount: Amount(line.amount),
            vat_rate: line.treatment.has_rate().then(|| Number(line.rate.percent())),
            vat_treatment: line.treatment.as_str(),
            includes_vat: line.includes_vat,
            vat: line.printed_vat.map(Amount),
            net: Amount(of.net),
            vat_amount: Amount(of.vat),
            vat_deductible: Amount(of.deductible),
        }
    }
}

/// A payment of a bill.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ExpensePayment")]
struct PaymentBody<'p> {
    /// Id, unique within the bill.
    id: i64,
    /// Id of the bill.
    expense_id: i64,
    /// Your own identifier.
    #[schemars(example = &"bank-551")]
    external_id: Option<&'p str>,
    /// Date of the payment.
    date: Date,
    /// Amount paid; negative if refunded by the supplier.
    amount: Amount,
    /// Account that paid it: `bank`, `savings`, `cash`, `card` or `private`.
    #[schemars(extend("enum" = names(PAYING)))]
    method: &'static str,
    /// VAT deducted again by this payment, after it was repaid.
    vat_recovered: Amount,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time when it was undone.
    undone_at: Option<Moment>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'p> From<&'p ExpensePayment> for PaymentBody<'p> {
    fn from(payment: &'p ExpensePayment) -> Self {
        Self {
            id: payment.id,
            expense_id: payment.expense_id,
            external_id: payment.external_id.as_deref(),
            date: payment.date,
            amount: Amount(payment.amount),
            method: payment.method.as_str(),
            vat_recovered: Amount(payment.vat_recovered),
            entry_id: payment.entry_id,
            undone_at: payment.undone_at.map(Moment),
            created_at: Moment(payment.created_at),
            updated_at: Moment(payment.updated_at()),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "shop-88", "date": "2026-11-20", "supplier": "Papierhal B.V.", "description": "Toner", "paidFrom": "bank",
        "items": [{ "category": "4100", "amount": 121.00, "vatRate": 21, "includesVat": true }],
    });
    vec![
        Operation::list::<ExpenseBody<'_>, _, _>("/expenses", "listExpenses", list)
            .says("List expenses", "Newest first.")
            .with_query(filter),
        Operation::create::<ExpenseBody<'_>, _, _>("/expenses", "createExpense", create)
            .says(
                "Create an expense",
                "It is booked at once: cost and input VAT against what it was paid from, or against payables while it is a bill to be paid. \
                 VAT is deducted for the business share only, never on food and drink (account 4315; art. 15(5) Wet OB 1968), and not at \
                 all under the small businesses scheme (KOR). What is legal but looks wrong is told in `warnings`.",
            )
            .with_body(input::schema(new_expense), example)
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read::<ExpenseBody<'_>, _, _>("/expenses/{id}", "readExpense", read)
            .says("Read an expense", "")
            .or(&[NOT_FOUND]),
        Operation::change::<ExpenseBody<'_>, _, _>("/expenses/{id}", "editExpense", edit)
            .says(
                "Update an expense",
                "What is not given stays; items and receipts are replaced as a whole. The old booking is reversed and a new one made. In a \
                 quarter that is filed supplier, description and receipts can still change, since no return changes with them.",
            )
            .with_body(input::schema(edited_expense), json!({ "description": "Toner and paper", "businessShare": 80 }))
            .or(&[NOT_FOUND, ALREADY_UNDONE, IS_AN_ASSET, IS_OPENING_ITEM, PERIOD_FILED, CORRECTION_TOO_LARGE, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::act::<ExpenseBody<'_>, _, _>("/expenses/{id}/undo", "undoExpense", Answer::Changed, undo)
            .says("Undo an expense", "Its entries are reversed, those of its payments too; it stays listed. Once more changes nothing.")
            .undoes(Takes::Correction)
            .or(&[NOT_FOUND, IS_AN_ASSET, IS_OPENING_ITEM, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::list::<PaymentBody<'_>, _, _>("/expenses/{id}/payments", "listExpensePayments", list_payments)
            .says("List the payments of a bill", "Oldest first, also those that were taken back.")
            .with_query(payments_filter)
            .or(&[NOT_FOUND]),
        Operation::read::<PaymentBody<'_>, _, _>("/expenses/{id}/payments/{paymentId}", "readExpensePayment", read_payment)
            .says("Read a payment of a bill", "")
            .or(&[NOT_FOUND]),
        Operation::create::<PaymentBody<'_>, _, _>("/expenses/{id}/payments", "createExpensePayment", pay)
            .says("Create a payment of a bill", "Payments add up; together they are never more than is due.")
            .with_body(
                input::schema(|fields| new_expense_payment(fields, 0)),
                json!({ "externalId": "bank-552", "date": "2026-11-21", "amount": 121.00, "method": "bank" }),
            )
            .or_without_body()
            .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::act::<PaymentBody<'_>, _, _>("/expenses/{id}/payments/{paymentId}/undo", "undoExpensePayment", Answer::Changed, undo_payment)
            .says("Undo the payment of a bill", "Its entry is reversed on its own day; it stays listed. Once more changes nothing.")
            .undoes(Takes::Correction)
            .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::act::<ExpenseBody<'_>, _, _>("/expenses/{id}/vat-repayment", "repayExpenseVat", Answer::Changed, repay_vat)
            .says(
                "Pay back the VAT on a bill that stays unpaid",
                "VAT that was deducted is owed again on what of the bill is not paid a year after it was due (art. 29(7) Wet OB 1968). It is \
                 deducted again by itself when the bill is paid after all.",
            )
            .with_body(input::schema(vat_repayment), json!({ "date": "2026-11-20" }))
            .or_without_body()
            .or(&[NOT_FOUND, ALREADY_UNDONE, PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
    ]
}

fn filter(query: &mut Query) -> (ExpenseFilter, i64, i64) {
    const STATES: &[(&str, bool)] = &[("booked", false), ("undone", true)];
    let filter = ExpenseFilter {
        external_id: query.external_id(),
        from: query.day("from", "Only those dated on this day or later."),
        to: query.day("to", "Only those dated on this day or earlier."),
        contact_id: query.integer("contactId", "Only those of this contact.", 1, i64::MAX),
        undone: query.choice("status", "Only those that are booked, or only those that were undone.", STATES),
        paid: query.flag("paid", "Only what is paid, or only bills to be paid."),
        updated: query.updated(),
    };
    (filter, query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, before, limit) = listing.read(filter)?;
    let (account, today) = (cx.actor.account, cx.today());
    let list = move |tx: &mut store::Tx<'_>| {
        let page = expenses::list(tx, &cx, &filter, before, limit)?;
        reply::rows(&page, |last| last.expense.id.to_string(), |row| reply::body(&ExpenseBody::of(row, today))).of_changes(
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
    let id = query::id(&id, "expense")?;
    let today = cx.today();
    let details = books.query(cx.actor.account, move |tx| expenses::read(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &ExpenseBody::of(&details, today)))
}

/// A purchase as it is answered.
pub(crate) fn shown(tx: &mut store::Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    Ok(reply::body(&ExpenseBody::of(&expenses::read(tx, cx, id)?, cx.today())))
}

async fn create(State(app): State<AppState>, Extension(cx): Extension<Context>, request: Request) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let parsed = input::json(&json, new_expense);
    let (base, today) = (app.config().base_url.clone(), cx.today());
    let location = move |details: &ExpenseDetails| format!("{base}/api/v1/expenses/{}", details.expense.id);
    let show = move |outcome| reply::created(outcome, &location, |details| reply::body(&ExpenseBody::of(&details, today)));
    let account = cx.actor.account;
    let creation = once::creation(account, "expense", "/expenses", &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| expenses::record(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = expenses::find_by_external_id(tx, &cx, parsed.external_id.as_deref())?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

async fn edit(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of(request.headers());
    let reported = expected.reported();
    let json = body::read(request).await?;
    let id = query::id(&id, "expense")?;
    let parsed = input::json(&json, edited_expense);
    let account = cx.actor.account;
    let today = cx.today();
    let Some(command) = parsed.command else {
        // Whether there is such an expense comes before what is wrong with the rest.
        app.query(cx.actor.account, move |tx| expenses::read(tx, &cx, id)).await?;
        return Err(Problem::invalid(parsed.faults));
    };
    let edit = move |tx: &mut store::Tx<'_>| {
        expenses::edit(tx, &cx, id, &command, &|there| expected.is_met_by(&ExpenseBody::of(there, today)))
    };
    let details = app.execute(account, edit).await.map_err(reported)?;
    Ok(reply::changed(&ExpenseBody::of(&details, today)).into_response())
}

async fn undo(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let if_filed = undoing::read(request, Takes::Correction).await?.if_filed;
    let id = query::id(&id, "expense")?;
    let today = cx.today();
    once::answer(
        &app,
        cx.actor.account,
        move |tx| expenses::undo(tx, &cx, id, if_filed),
        move |details| reply::changed(&ExpenseBody::of(&details, today)),
    )
    .await
}

fn payments_filter(query: &mut Query) -> (SyncFilter, (i64, i64)) {
    (query.sync_filter(), crate::resource::page(query))
}

async fn read_payment(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((expense, id)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let ids = (query::id(&expense, "payment")?, query::id(&id, "payment")?);
    let payment = books.query(cx.actor.account, move |tx| expenses::read_payment(tx, &cx, ids)).await?;
    Ok(reply::resource(&headers, &PaymentBody::from(&payment)))
}

async fn list_payments(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = listing.read(payments_filter)?;
    let id = query::id(&id, "expense")?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        let page = expenses::list_payments(tx, &cx, id, &filter, after, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&PaymentBody::from(row))).of_changes(
            tx,
            account,
            filter.updated,
        )
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn pay(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(&id, "expense")?;
    let parsed = input::json(&json, |fields| new_expense_payment(fields, id));
    let base = app.config().base_url.clone();
    let location =
        move |payment: &ExpensePayment| format!("{base}/api/v1/expenses/{}/payments/{}", payment.expense_id, payment.id);
    let show = move |outcome| reply::created(outcome, &location, |payment| reply::body(&PaymentBody::from(&payment)));
    let account = cx.actor.account;
    let creation = once::creation(account, "expensePayment", &format!("/expenses/{id}/payments"), &json);
    match parsed.command {
        Some(command) => once::create(&app, account, creation, move |tx| expenses::pay(tx, &cx, &command), show).await,
        None => {
            let known = move |tx: &mut store::Tx<'_>| {
                if let Some(known) = expenses::find_payment_by_external_id(tx, &cx, parsed.external_id.as_deref())? {
                    return Ok(known);
                }
                expenses::read(tx, &cx, id)?;
                Err(Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}

async fn undo_payment(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((expense, id)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let if_filed = undoing::read(request, Takes::Correction).await?.if_filed;
    let ids = (query::id(&expense, "payment")?, query::id(&id, "payment")?);
    once::answer(
        &app,
        cx.actor.account,
        move |tx| expenses::undo_payment(tx, &cx, ids, if_filed),
        move |payment| reply::changed(&PaymentBody::from(&payment)),
    )
    .await
}

async fn repay_vat(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(&id, "expense")?;
    let parsed = input::json(&json, vat_repayment);
    let Some((date, if_filed)) = parsed.command else {
        app.query(cx.actor.account, move |tx| expenses::read(tx, &cx, id)).await?;
        return Err(Problem::invalid(parsed.faults));
    };
    let today = cx.today();
    once::answer(
        &app,
        cx.actor.account,
        move |tx| expenses::repay_vat(tx, &cx, id, date, if_filed),
        move |details| reply::changed(&ExpenseBody::of(&details, today)),
    )
    .await
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &input::Raw) {
    let parsed = input::json(json, new_expense);
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
    input::json(json, edited_expense);
    input::json(json, |fields| new_expense_payment(fields, 1));
}
