//! `/payment-batches`: payment files for the bank; `/expenses/{id}/payment-qr`: codes for its app.

use crate::{
    moment::Moment,
    number::Amount,
    operation::Operation,
    query::{self, Query},
    resource::{Creatable, Filter, Listed, Resource},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use jiff::civil::Date;
use ledger::{identifiers::Bic, payment_batch::BatchStatus};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault,
    payment_batches::{
        self, BatchDetails, BatchWarning, BatchWarningKind, NewBatch, Version, end_to_end_id,
    },
};
use store::{
    Page, Tx, Updated,
    payment_batches::{BatchFilter, BatchItem},
};
use web_core::{
    AppState, ReadContext,
    catalogue::{
        ALREADY_IN_BATCH, BATCH_CANCELLED, BATCH_OUTDATED, BATCH_PAID, NO_PAYEE, NOT_FOUND,
        NOTHING_DUE,
    },
    http::entity_tags,
    input::{Fields, Parsed, english, new_payment_batch},
    problem::Problem,
};

/// A batch of payments of bills.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PaymentBatch")]
pub(crate) struct PaymentBatchBody<'b> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"batch-7")]
    external_id: Option<&'b str>,
    /// Id of the bank account that pays.
    bank_account_id: i64,
    /// Day on which the bank executes the payments.
    execution_date: Date,
    /// `open`; `downloaded` once the payment file was read; `paid` once bank lines paid all items;
    /// or `cancelled`.
    #[schemars(extend("enum" = BatchStatus::ALL.iter().map(|status| status.as_str()).collect::<Vec<_>>()))]
    status: &'static str,
    /// Payments, in order.
    items: Vec<BatchItemBody<'b>>,
    /// Sum of the payments.
    total: Amount,
    /// Warnings about payments that the bank may still execute.
    warnings: Vec<BatchWarningBody<'b>>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// Payment of a bill in a batch.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PaymentBatchItem")]
struct BatchItemBody<'b> {
    /// Id of the bill.
    expense_id: i64,
    /// Amount to pay.
    amount: Amount,
    /// Name of the payee when the batch was made.
    #[schemars(example = &"Papierhal B.V.")]
    name: &'b str,
    /// IBAN of the payee when the batch was made.
    #[schemars(example = &"NL02ABNA0123456789")]
    iban: &'b str,
    /// BIC of its bank.
    #[schemars(example = &"ABNANL2A")]
    bic: Option<&'b str>,
    /// Reference or text of the payment: that of `payTo`, or else the supplier's invoice number, or
    /// else the description of the bill.
    #[schemars(example = &"F-2026-118")]
    reference: &'b str,
    /// End-to-end id, by which the bank line is recognised.
    #[schemars(example = &"GB12-1")]
    end_to_end_id: String,
    /// Amount that bank lines paid on the bill since the batch was made.
    paid_amount: Amount,
    /// Id of the last of these bank lines.
    line_id: Option<i64>,
}

/// Warning about a payment of a batch.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PaymentBatchWarning")]
struct BatchWarningBody<'b> {
    /// `iban_changed`: the last payment to the supplier went to another account; `due_later`: the
    /// bill is due after the execution date; `overdue`: it is due before. More codes may be added.
    #[schemars(example = &"iban_changed")]
    code: &'static str,
    /// Explanation.
    #[schemars(example = &"the payment of 2026-09-12 to Papierhal B.V. went to NL91ABNA0417164300")]
    message: String,
    /// Id of the bill.
    expense_id: i64,
    /// Day of the last payment to the other account, or the due date.
    date: Date,
    /// The other account of `iban_changed`.
    #[schemars(example = &"NL91ABNA0417164300")]
    iban: Option<&'b str>,
}

impl<'b> BatchWarningBody<'b> {
    fn of(warning: &'b BatchWarning) -> Self {
        let iban = match &warning.kind {
            BatchWarningKind::IbanChanged { iban, .. } => Some(iban.as_str()),
            BatchWarningKind::DueLater { .. } | BatchWarningKind::Overdue { .. } => None,
        };
        Self {
            code: warning.kind.code(),
            message: english::batch_warning(warning),
            expense_id: warning.expense_id,
            date: warning.kind.day(),
            iban,
        }
    }
}

fn item(batch: i64, item: &BatchItem) -> BatchItemBody<'_> {
    BatchItemBody {
        expense_id: item.expense_id,
        amount: Amount(item.amount),
        name: &item.name,
        iban: item.iban.as_str(),
        bic: item.bic.as_ref().map(Bic::as_str),
        reference: &item.reference,
        end_to_end_id: end_to_end_id(batch, item.line),
        paid_amount: Amount(item.paid_amount),
        line_id: item.paid_by_line,
    }
}

impl Resource for BatchDetails {
    type Key = i64;
    type Body<'r> = PaymentBatchBody<'r>;
    const PATH: &'static str = "/payment-batches/{id}";
    const NAME: &'static str = "payment batch";
    const KIND: &'static str = "paymentBatch";

    fn key(&self) -> i64 {
        self.batch.id
    }

    fn body(&self, _: &Context) -> PaymentBatchBody<'_> {
        let batch = &self.batch;
        PaymentBatchBody {
            id: batch.id,
            external_id: batch.external_id.as_deref(),
            bank_account_id: batch.bank_account_id,
            execution_date: batch.execution_date,
            status: batch.status.as_str(),
            items: batch.items.iter().map(|of| item(batch.id, of)).collect(),
            total: Amount(batch.total),
            warnings: self.warnings.iter().map(BatchWarningBody::of).collect(),
            created_at: Moment(batch.created_at),
            updated_at: Moment(batch.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        payment_batches::read(tx, cx, id)
    }
}

impl Filter for BatchFilter {
    fn read(query: &mut Query) -> Self {
        let states: Vec<_> =
            BatchStatus::ALL.iter().map(|status| (status.as_str(), *status)).collect();
        Self {
            external_id: query.external_id(),
            status: query.choice("status", "Returns only batches in this state.", &states),
            bank_account_id: query.integer(
                "bankAccountId",
                "Returns only batches that this bank account pays.",
                1,
                i64::MAX,
            ),
            expense_id: query.integer(
                "expenseId",
                "Returns only batches with this bill.",
                1,
                i64::MAX,
            ),
            updated: query.updated(),
        }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for BatchDetails {
    type Filter = BatchFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &BatchFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        payment_batches::list(tx, cx, filter, before, limit)
    }
}

impl Creatable for BatchDetails {
    type New = NewBatch;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewBatch> {
        new_payment_batch(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewBatch) -> Result<Created<Self>, Error> {
        payment_batches::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        payment_batches::find_by_external_id(tx, cx, external_id)
    }

    fn validate(_: &mut Tx<'_>, _: &Context, (): (), (): &()) -> Result<Vec<Fault>, Error> {
        Ok(Vec::new())
    }
}

/// Reads the version of the payment file.
fn version(query: &mut Query) -> Version {
    let meaning = "Version of the message: 9 for pain.001.001.09, 3 for pain.001.001.03, which \
                   banks are phasing out. Default: 9.";
    let versions = [("9", Version::V09), ("3", Version::V03)];
    query.choice("version", meaning, &versions).unwrap_or(Version::V09)
}

async fn file(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let version = query::read(raw.as_deref(), version)?;
    let id = query::id(&id, "payment batch")?;
    let account = cx.actor.account;
    let bytes =
        app.execute(account, move |tx| payment_batches::download(tx, &cx, id, version)).await?;
    Ok(entity_tags::file(&headers, bytes, "application/xml", &format!("payment-batch-{id}.xml")))
}

/// Format of a code.
#[derive(Clone, Copy)]
enum CodeFormat {
    Svg,
    Png,
    Text,
}

fn code_format(query: &mut Query) -> CodeFormat {
    let meaning = "Format of the code; `text` is its content. Default: svg.";
    let formats = [("svg", CodeFormat::Svg), ("png", CodeFormat::Png), ("text", CodeFormat::Text)];
    query.choice("format", meaning, &formats).unwrap_or(CodeFormat::Svg)
}

async fn code(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let format = query::read(raw.as_deref(), code_format)?;
    let id = query::id(&id, "expense")?;
    let text = books.query(cx.actor.account, move |tx| payment_batches::code(tx, &cx, id)).await?;
    let fits = "the content of a code fits";
    let (bytes, media_type, ending) = match format {
        CodeFormat::Svg => {
            (payment_batches::code_as_svg(&text).expect(fits).into_bytes(), "image/svg+xml", "svg")
        }
        CodeFormat::Png => (payment_batches::code_as_png(&text).expect(fits), "image/png", "png"),
        CodeFormat::Text => (text.into_bytes(), "text/plain; charset=utf-8", "txt"),
    };
    Ok(entity_tags::file(&headers, bytes, media_type, &format!("payment-{id}.{ending}")))
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "batch-7", "bankAccountId": 1, "items": [{ "expenseId": 54 }],
    });
    vec![
        Operation::list_of::<BatchDetails>("listPaymentBatches")
            .says("List payment batches", "Newest first.")
            .for_dutch_accounts(),
        Operation::create_of::<BatchDetails>("createPaymentBatch", example)
            .says(
                "Create a payment batch",
                "Makes a payment file of unpaid bills for the bank. Nothing is booked, and no money \
                 moves: you hand the file to the bank, and a bill is paid when a bank line says so. \
                 The payees and references are kept as they are now.",
            )
            .or(&[ALREADY_IN_BATCH])
            .for_dutch_accounts(),
        Operation::read_of::<BatchDetails>("readPaymentBatch")
            .says("Read a payment batch", "")
            .for_dutch_accounts(),
        Operation::file("/payment-batches/{id}/file", "readPaymentFile", &["application/xml"], file)
            .with_query(version)
            .says(
                "Read the payment file of a batch",
                "A customer credit transfer initiation (ISO 20022 pain.001). The bytes of a version \
                 are always the same, so that the bank recognises a file that it has. An `open` \
                 batch becomes `downloaded`.",
            )
            .or(&[NOT_FOUND, BATCH_CANCELLED, BATCH_OUTDATED])
            .for_dutch_accounts(),
        Operation::act_on::<BatchDetails, ()>(
            "/payment-batches/{id}/cancel",
            "cancelPaymentBatch",
            json!({}),
            |_| Parsed::new(None, Some(())),
            |tx, cx, id, ()| payment_batches::cancel(tx, cx, id),
        )
        .says(
            "Cancel a payment batch",
            "Frees its bills for another batch. A file that the bank has already stays there: \
             withdraw it at the bank. Repeating it changes nothing.",
        )
        .or_without_body()
        .or(&[NOT_FOUND, BATCH_PAID])
        .for_dutch_accounts(),
        Operation::file(
            "/expenses/{id}/payment-qr",
            "readPaymentQr",
            &["image/svg+xml", "image/png", "text/plain"],
            code,
        )
        .with_query(code_format)
        .says(
            "Read the payment QR code of a bill",
            "Code with which a banking app pays the amount due (EPC069-12, version 002).",
        )
        .or(&[NOT_FOUND, NO_PAYEE, NOTHING_DUE])
        .for_dutch_accounts(),
    ]
}
