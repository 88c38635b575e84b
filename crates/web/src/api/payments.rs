//! Payments on an invoice, and credit notes that take it back.

use super::{
    body::{self, Json},
    fields::{self, Choice, Day, Fields, Line, Lines, Need, Reader, Wrong, names},
    invoice_fields::read_lines,
    invoices::{InvoiceBody, made},
    number::Amount,
    operation::Operation,
    projects::page,
    query::{self, page_of},
    reply,
};
use crate::{
    App, Reading,
    catalogue::{ALREADY_CREDITED, IS_A_CREDIT_NOTE, IS_A_DRAFT, NOT_FOUND, PERIOD_FILED},
    problem::Problem,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{
    Timestamp,
    civil::{self, Date},
};
use ledger::{
    booking::MoneyAccount,
    calendar,
    decimal::{self, DecimalError},
    money::Cents,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use service::{
    Actor, Created, Error, Fault,
    invoices::{self, InvoiceView, NewCreditNote},
    payments::{self, NewPayment},
};
use store::{Tx, invoices::Kind, payments::Payment};

/// A payment on an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payment")]
struct PaymentBody<'p> {
    /// Unique in the account.
    id: i64,
    /// The invoice.
    invoice_id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'p str>,
    /// The day of the payment.
    date: Date,
    /// What was received.
    amount: Amount,
    /// Where it was received: `bank`, `savings`, `cash`, `card` or `private`.
    #[schemars(extend("enum" = names(METHODS)))]
    method: &'static str,
    /// The payer's reference.
    #[schemars(example = &"PO 7")]
    reference: Option<&'p str>,
    /// The journal entry behind it.
    entry_id: i64,
    /// When it was recorded.
    created_at: Timestamp,
}

impl<'p> From<&'p Payment> for PaymentBody<'p> {
    fn from(payment: &'p Payment) -> Self {
        Self {
            id: payment.id,
            invoice_id: payment.invoice_id,
            external_id: payment.external_id.as_deref(),
            date: payment.date,
            amount: Amount(payment.amount),
            method: payment.method.as_str(),
            reference: payment.reference.as_deref(),
            entry_id: payment.entry_id,
            created_at: payment.created_at,
        }
    }
}

pub(super) fn operations() -> Vec<Operation> {
    // Only descriptions are made from it.
    let any_day = civil::date(2026, 1, 1);
    vec![
        Operation::list::<PaymentBody<'_>, _, _>("/invoices/{id}/payments", "listPayments", list)
            .says("List the payments on an invoice", "Oldest first.")
            .with_query(page)
            .or(&[NOT_FOUND]),
        Operation::create::<PaymentBody<'_>, _, _>("/invoices/{id}/payments", "createPayment", pay)
            .says(
                "Record a payment",
                "Payments add up; together they are never above what is outstanding. An `externalId` is unique among all payments of the \
                 account: one that is known answers 200 with that payment, also when it is on another invoice; compare `invoiceId`.",
            )
            .with_body(
                fields::schema(new_payment),
                json!({
                    "externalId": "bank-551", "date": "2026-11-21", "amount": 951.69, "method": "bank", "reference": "2026-0001",
                }),
            )
            .or(&[NOT_FOUND, IS_A_DRAFT, IS_A_CREDIT_NOTE, PERIOD_FILED])
            .for_dutch_accounts(),
        Operation::read::<PaymentBody<'_>, _, _>("/invoices/{id}/payments/{paymentId}", "readPayment", read)
            .says("Read a payment", "")
            .or(&[NOT_FOUND]),
        Operation::create::<InvoiceBody<'_>, _, _>("/invoices/{id}/credit-notes", "createCreditNote", credit)
            .says(
                "Credit an invoice, wholly or in part",
                "The credit note stands in the same number series, with negative amounts, an entry of its own and its place on the VAT \
                 return of its own date. An `externalId` is unique among all credit notes of the account: one that is known answers 200 with \
                 that credit note, also when it credits another invoice; compare `creditedInvoiceId`.",
            )
            .with_body(
                fields::schema(|fields| new_credit_note(fields, any_day, any_day)),
                json!({
                    "externalId": "return-3", "date": "2026-11-21", "reason": "One hour was too many.",
                    "items": [{ "description": "Design of a web page", "quantity": 1, "unitPrice": 95.50, "vatRate": 21 }],
                }),
            )
            .or(&[NOT_FOUND, IS_A_DRAFT, IS_A_CREDIT_NOTE, ALREADY_CREDITED, PERIOD_FILED])
            .for_dutch_accounts(),
    ]
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (after, limit) = query::read(raw.as_deref(), page)?;
    let id = query::id(&id, "invoice")?;
    let rows = books.ask(move |tx| payments::list(tx, &actor, id, after, limit + 1)).await?;
    let (rows, next) = page_of(rows, limit, |last| last.id.to_string());
    let address = format!("{}/api/v1/invoices/{id}/payments", app.settings().base_url);
    Ok(reply::page(rows.iter().map(PaymentBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path((invoice, id)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let (invoice, id) = (query::id(&invoice, "payment")?, query::id(&id, "payment")?);
    let payment = books.ask(move |tx| payments::read(tx, &actor, invoice, id)).await?;
    Ok(reply::resource(&headers, &PaymentBody::from(&payment)))
}

/// What could be read of a payment.
struct GivenPayment {
    external_id: Option<String>,
    date: Option<Date>,
    amount: Option<Cents>,
    method: MoneyAccount,
    reference: Option<String>,
}

async fn pay(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, "invoice")?;
    let now = app.now();
    let mut faults = Vec::new();
    let given = fields::read(&json, &mut faults, new_payment);
    let outcome = match given.date.filter(|_| faults.is_empty()) {
        Some(date) => {
            let GivenPayment { external_id, amount, method, reference, .. } = given;
            let command = NewPayment { external_id, invoice_id: id, date, amount, method, reference };
            app.write_for(actor.account, move |tx| payments::record(tx, &actor, now, &command)).await?
        }
        None => Created::Known(
            app.read(move |tx| {
                let known = payments::known(tx, &actor, given.external_id.as_deref())?;
                known.map_or_else(|| refuse(tx, &actor, id, &faults), Ok)
            })
            .await?,
        ),
    };
    let base = &app.settings().base_url;
    let location = |payment: &Payment| format!("{base}/api/v1/invoices/{}/payments/{}", payment.invoice_id, payment.id);
    Ok(reply::created(outcome, location, |payment| reply::body(&PaymentBody::from(&payment))))
}

/// Whether there is such an invoice comes before what is wrong with the rest.
fn refuse<T>(tx: &mut Tx<'_>, actor: &Actor, invoice: i64, faults: &[Fault]) -> Result<T, Error> {
    invoices::read(tx, actor, invoice)?;
    Err(Error::Invalid(faults.to_vec()))
}

const METHODS: &[(&str, MoneyAccount)] = &[
    ("bank", MoneyAccount::Bank),
    ("savings", MoneyAccount::Savings),
    ("cash", MoneyAccount::Cash),
    ("card", MoneyAccount::Card),
    ("private", MoneyAccount::Private),
];

fn new_payment(fields: &mut Fields<'_, '_>) -> GivenPayment {
    GivenPayment {
        external_id: fields.optional("externalId", fields::EXTERNAL_ID_MEANING, fields::EXTERNAL_ID),
        date: fields.required("date", "The day of the payment.", Day),
        amount: fields.optional(
            "amount",
            "Euros, above 0.00, with at most two decimals. Default: all that is outstanding.",
            Euros,
        ),
        method: fields.optional("method", "Where it was received. Default: bank.", Choice(METHODS)).unwrap_or(MoneyAccount::Bank),
        reference: fields.optional("reference", "The payer's reference.", Line(255)),
    }
}

/// An amount above nought.
struct Euros;

impl Reader for Euros {
    type Value = Cents;

    fn read(&self, json: &Json) -> Result<Cents, Wrong> {
        let Json::Number(text) = json else { return Err(("invalid_type", "give a number".into())) };
        match decimal::parse_euros(text) {
            Ok(amount) if amount > Cents::ZERO => Ok(amount),
            Err(DecimalError::TooManyDecimals) => Err(("too_many", "give euros with at most two decimals".into())),
            _ => Err(("out_of_range", format!("give an amount above 0.00 and at most {}", Cents::MAX))),
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0.01, "maximum": 99_999_999_999.99 })
    }
}

async fn credit(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, "invoice")?;
    let now = app.now();
    let today = calendar::amsterdam_today(now);
    let outcome = app.write_for(actor.account, move |tx| credit_invoice(tx, &actor, now, id, today, &json)).await?;
    Ok(made(&app, outcome))
}

/// The rates of the lines are those of the invoice, so the body can be read only when the invoice is known.
fn credit_invoice(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    invoice_id: i64,
    today: Date,
    json: &Json,
) -> Result<Created<InvoiceView>, Error> {
    let dated = match invoices::read(tx, actor, invoice_id) {
        Ok(view) => Some(view.invoice.invoice_date),
        Err(Error::NotFound(_)) => None,
        Err(other) => return Err(other),
    };
    let mut faults = Vec::new();
    let command = fields::read(json, &mut faults, |fields| new_credit_note(fields, today, dated.unwrap_or(today)));
    if let Some(known) = invoices::known(tx, actor, Kind::CreditNote, command.external_id.as_deref())? {
        return Ok(Created::Known(known));
    }
    if dated.is_some() && !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    invoices::credit(tx, actor, now, &NewCreditNote { invoice_id, ..command })
}

fn new_credit_note(fields: &mut Fields<'_, '_>, today: Date, dated: Date) -> NewCreditNote {
    let external_id = fields.optional("externalId", fields::EXTERNAL_ID_MEANING, fields::EXTERNAL_ID);
    let date = fields.optional("date", "The credit note's own day; it decides its VAT period. Default: today in Amsterdam.", Day);
    let lines = read_lines(fields, Need::Optional, Some(dated));
    let reason = fields.optional("reason", "Printed on the credit note.", Lines(1000));
    NewCreditNote { external_id, invoice_id: 0, date: date.unwrap_or(today), lines, reason }
}

#[cfg(fuzzing)]
pub(super) fn try_body(json: &Json, day: Date) {
    let mut faults = Vec::new();
    let given = fields::read(json, &mut faults, new_payment);
    assert!(given.date.is_some() || !faults.is_empty());
    fields::read(json, &mut Vec::new(), |fields| new_credit_note(fields, day, day));
}
