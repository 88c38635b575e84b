//! Payments on an invoice, and credit notes for it.

use super::invoice_body::{InvoiceBody, WarningBody};
use crate::{
    body,
    invoices::made,
    journal::bank_accounts::id_of,
    moment::Moment,
    number::Amount,
    once,
    operation::Operation,
    query,
    resource::{self, Cancellable, Creatable, Listed, Resource},
    undoing::{Takes, Undoing},
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use jiff::civil::{self, Date};
use ledger::booking::MoneyAccount;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, days,
    invoices::{self, InvoiceDetails, Warning},
    payments::{self, NewPayment, PartialPayment, UndoPayment},
    vat_moves,
};
use store::{
    Page, SyncFilter, Tx,
    invoices::InvoiceKind,
    payments::{Payment, VatMove},
};
use web_core::{
    AppState,
    catalogue::{
        ALREADY_CREDITED, BOOKED_FROM_BANK_LINE, CORRECTION_TOO_LARGE, HAS_PARTS, IS_A_CREDIT_NOTE,
        IS_A_DRAFT, IS_WRITTEN_OFF, NOT_A_DRAFT, NOT_FOUND, NUMBER_TAKEN, PERIOD_FILED,
        PRECONDITION_FAILED, YEAR_CLOSED,
    },
    input::{self, Fields, Parsed, Raw, names_of, new_credit_note, new_payment, vat_move},
    problem::Problem,
};

/// A payment on an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payment")]
pub(crate) struct PaymentBody<'p> {
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
    /// Account that received the payment.
    #[schemars(extend("enum" = names_of(MoneyAccount::ALL)))]
    method: &'static str,
    /// Id of the bank account that received the payment; null for private money.
    bank_account_id: Option<i64>,
    /// Payer's reference.
    #[schemars(example = &"PO 7")]
    reference: Option<&'p str>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time of creation.
    created_at: Moment,
    /// Time at which the payment was undone. Undone payments stay listed, but are disregarded.
    undone_at: Option<Moment>,
    /// Date of the reversal in the books, such as that of a chargeback.
    undone_on: Option<Date>,
    /// Id of the journal entry that reverses the payment.
    undoing_entry_id: Option<i64>,
    /// Time of the last change.
    updated_at: Moment,
    /// Warnings about unusual data. They are reported until the payment is undone, or until the
    /// filing deadline for the quarter of its date or the quarter in which it was recorded,
    /// whichever is later.
    warnings: Vec<WarningBody>,
}

impl Resource for Payment {
    type Key = (i64, i64);
    type Body<'r> = PaymentBody<'r>;
    const PATH: &'static str = "/invoices/{id}/payments/{paymentId}";
    const NAME: &'static str = "payment";
    const PARENT: &'static str = "invoice";

    fn key(&self) -> (i64, i64) {
        (self.invoice_id, self.id)
    }

    fn body(&self, cx: &Context) -> PaymentBody<'_> {
        PaymentBody {
            id: self.id,
            invoice_id: self.invoice_id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            amount: Amount(self.amount),
            method: self.method.as_str(),
            bank_account_id: id_of(&cx.actor.own_accounts, self.method),
            reference: self.reference.as_deref(),
            entry_id: self.entry_id,
            created_at: Moment(self.created_at),
            undone_at: self.undone_at.map(Moment),
            undone_on: self.undone_on,
            undoing_entry_id: self.undoing_entry_id,
            updated_at: Moment(self.updated_at()),
            warnings: warnings(self, cx),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, (invoice, id): (i64, i64)) -> Result<Self, Error> {
        payments::read(tx, cx, invoice, id)
    }
}

/// Returns the warnings about a payment: an unusual date, and VAT that is due on the payment date.
fn warnings(payment: &Payment, cx: &Context) -> Vec<WarningBody> {
    if payment.undone_at.is_some() {
        return Vec::new();
    }
    let (date, created_at, today) = (payment.date, payment.created_at, cx.today());
    let unusual = days::reported(payment.date_unusual, date, created_at, today);
    let mut warnings = WarningBody::of_day(unusual);
    let about_vat = match payment.vat_move {
        VatMove::Moved => Some(Warning::VatMoved),
        VatMove::Waiting => Some(Warning::PaidBeforeInvoice),
        VatMove::Nothing => None,
    };
    let is_current = days::is_current(date, created_at, today);
    warnings.extend(about_vat.filter(|_| is_current).map(WarningBody::from));
    warnings
}

impl Listed for Payment {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        invoice: i64,
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        payments::list(tx, cx, invoice, filter, after, limit)
    }
}

impl Creatable for Payment {
    type New = NewPayment;
    type Partial = PartialPayment;

    fn read_new(fields: &mut Fields<'_, '_>, invoice: i64) -> Parsed<NewPayment, PartialPayment> {
        new_payment(fields, invoice)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewPayment) -> Result<Created<Self>, Error> {
        payments::record(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        payments::find_by_external_id(tx, cx, external_id)
    }

    fn validate(
        tx: &mut Tx<'_>,
        cx: &Context,
        invoice: i64,
        partial: &PartialPayment,
    ) -> Result<Vec<Fault>, Error> {
        payments::validate(tx, cx, invoice, partial)
    }
}

impl Cancellable for Payment {
    const TAKES: Takes = Takes::DayAndCorrection;

    fn cancel(
        tx: &mut Tx<'_>,
        cx: &Context,
        key: (i64, i64),
        how: Undoing,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        payments::undo(
            tx,
            cx,
            key,
            UndoPayment { date: how.date, if_filed: how.if_filed },
            expected,
        )
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    // Any date will do, because the description does not depend on it.
    let any_day = civil::date(2026, 1, 1);
    let example = json!({
        "externalId": "bank-551", "date": "2026-11-21", "amount": 951.69, "method": "bank", "reference": "2026-0001",
    });
    vec![
        Operation::list_of::<Payment>("listPayments")
            .says("List the payments on an invoice", "Oldest first.")
            .or(&[NOT_FOUND]),
        Operation::create_of::<Payment>("createPayment", example)
            .says(
                "Create a payment",
                "Records a payment. Payments add up; together they exceed the outstanding amount \
                 only with `overpayment: \"keep\"`. A negative amount is a refund to the \
                 customer. If part of the invoice was written off, a payment first recovers that \
                 part, even if the rest is still due; its VAT becomes due again at once (art. 29 \
                 Wet OB 1968). An `externalId` is unique among all payments of the account: a \
                 known one returns that payment (200), even if it is on another invoice; compare \
                 `invoiceId`.",
            )
            .or(&[
                NOT_FOUND,
                NOT_A_DRAFT,
                IS_A_DRAFT,
                IS_A_CREDIT_NOTE,
                PERIOD_FILED,
                CORRECTION_TOO_LARGE,
                YEAR_CLOSED,
            ])
            .for_dutch_accounts(),
        Operation::read_of::<Payment>("readPayment").says("Read a payment", ""),
        Operation::cancel_of::<Payment>("undoPayment")
            .says(
                "Delete a payment",
                "Reverses its journal entry. The payment stays listed with `undoneAt`, but does \
                 not count. A payment that is already undone is returned unchanged. If part of it \
                 was refunded to the customer, undo the refund first.",
            )
            .or(&[
                NOT_FOUND,
                ALREADY_CREDITED,
                HAS_PARTS,
                PERIOD_FILED,
                CORRECTION_TOO_LARGE,
                PRECONDITION_FAILED,
                BOOKED_FROM_BANK_LINE,
            ])
            .for_dutch_accounts(),
        move_vat(),
        credit_note(any_day),
    ]
}

/// Operation that moves the VAT of payments before the invoice.
fn move_vat() -> Operation {
    Operation::act_on::<InvoiceDetails, _>(
        "/invoices/{id}/move-vat",
        "moveInvoiceVat",
        json!({ "correction": true }),
        vat_move,
        |tx, cx, id, if_filed| vat_moves::move_vat(tx, cx, id, *if_filed),
    )
    .says(
        "Move the VAT of payments before the invoice",
        "VAT on an amount received before the invoice is due on receipt (art. 13(2) Wet OB \
         1968). A payment moves its VAT by itself; if the return of the payment or of the \
         invoice was filed, this moves it as a correction, and the warning \
         `paid_before_invoice` becomes `vat_moved`. Undoing the payment takes it back. \
         Without such payments nothing changes.",
    )
    .or_without_body()
    .or(&[
        NOT_FOUND,
        IS_A_DRAFT,
        IS_A_CREDIT_NOTE,
        NOT_A_DRAFT,
        PERIOD_FILED,
        CORRECTION_TOO_LARGE,
        YEAR_CLOSED,
    ])
    .for_dutch_accounts()
}

/// Operation that creates a credit note.
fn credit_note(any_day: civil::Date) -> Operation {
    Operation::create::<InvoiceBody<'_>, _, _>("/invoices/{id}/credit-notes", "createCreditNote", credit)
        .says(
            "Create a credit note for all or part of an invoice",
            "Creates a credit note in the same number series, with negative amounts, its own \
             journal entry, and its place in the VAT return of its own date. An `externalId` \
             is unique among all credit notes of the account: a known one returns that credit \
             note (200), even if it credits another invoice; compare `creditedInvoiceId`. \
             `items` take quantities of the invoice's lines at the same `unitPrice` and \
             `vatRate`. The amount of an item may differ by a cent from quantity times price, \
             so that the credit notes of a line add up to its amount. An invoice that was open \
             when the books began needs `items`, at the rates of its own day; they may take \
             an `amount`. It is credited up to its total: beyond the open amount the \
             customer is owed the difference.",
        )
        .with_body(
            input::schema(|fields| new_credit_note(fields, 0, (any_day, true))),
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
            NUMBER_TAKEN,
        ])
        .for_dutch_accounts()
}

/// Returns the representation of a payment by its own id.
pub(crate) fn current(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let payment =
        store::payments::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("payment"))?;
    Ok(resource::shown(&payment, cx))
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
    let creation =
        once::creation(account, "creditNote", &format!("/invoices/{id}/credit-notes"), &json);
    let credit = move |tx: &mut Tx<'_>| credit_invoice(tx, &cx, id, &json);
    once::create(&app, account, creation, credit, move |outcome| made(&base, outcome)).await
}

/// Credits an invoice. The body is read here because its VAT rates depend on the invoice date.
fn credit_invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice_id: i64,
    json: &Raw,
) -> Result<Created<InvoiceDetails>, Error> {
    let dated = match invoices::read(tx, cx, invoice_id) {
        Ok(view) => Some((view.invoice.rates_on(), view.has_foreign_vat())),
        Err(Error::NotFound(_)) => None,
        Err(other) => return Err(other),
    };
    let rates_of = dated.unwrap_or_else(|| (cx.today(), false));
    let parsed = input::json(json, |fields| new_credit_note(fields, invoice_id, rates_of));
    if let Some(existing) = invoices::find_by_external_id(
        tx,
        cx,
        InvoiceKind::CreditNote,
        parsed.external_id.as_deref(),
    )? {
        return Ok(Created::Existing(existing));
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
    input::json(json, |fields| new_credit_note(fields, 1, (day, true)));
}
