//! Receipts: handed in as files, read, deleted while nothing was booked from them.

use crate::{
    body,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    resource::Expected,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context,
    receipts::{self, MAX_BYTES},
};
use store::{Lane, Updated, receipts::Receipt};
use web_core::{
    AppState, ReadContext,
    capacity::Asker,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED, RECEIPT_IN_USE},
    http::entity_tags,
    problem::Problem,
    uploads,
};

/// Media types of receipts.
const KINDS: &[&str] = &["image/jpeg", "image/png", "image/webp", "application/pdf"];
/// Media types accepted for an upload; the actual type is detected from the bytes.
const SENT_AS: &[&str] = &["image/jpeg", "image/png", "image/webp", "application/pdf", "application/octet-stream"];

/// A receipt.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Receipt")]
struct ReceiptBody {
    /// Id, unique within the account.
    id: i64,
    /// Name of the uploaded file.
    #[schemars(example = &"toner.jpg")]
    name: Option<String>,
    /// Media type, detected from the bytes.
    #[schemars(extend("enum" = KINDS))]
    media_type: String,
    /// Size in bytes.
    size: i64,
    /// SHA-256 of the file in hexadecimal. The journal entries that are based on it contain the
    /// hash.
    #[schemars(example = &"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: String,
    /// Ids of the expenses that it documents; empty while it waits for one.
    expense_ids: Vec<i64>,
    /// Whether a journal entry is based on it; then it cannot be deleted.
    booked: bool,
    /// Origin: `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
    /// Time of the upload.
    created_at: Moment,
    /// Time of the last change, including changes of its expenses.
    updated_at: Moment,
}

impl From<&Receipt> for ReceiptBody {
    fn from(receipt: &Receipt) -> Self {
        Self {
            id: receipt.id,
            name: receipt.name.clone(),
            media_type: receipt.media_type.clone(),
            size: receipt.size,
            sha256: receipt.sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
            expense_ids: receipt.expense_ids.clone(),
            booked: receipt.is_booked,
            source: receipt.source.as_str(),
            created_at: Moment(receipt.created_at),
            updated_at: Moment(receipt.updated_at),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<ReceiptBody, _, _>("/receipts", "listReceipts", list)
            .says("List receipts", "Newest first.")
            .with_query(listed),
        Operation::create::<ReceiptBody, _, _>("/receipts", "createReceipt", create)
            .says(
                "Upload a receipt",
                "The body is the file itself: JPEG, PNG, WebP or PDF, 10 MiB at the most, judged by its bytes. It is kept as it came. The same \
                 file once more answers 200 with what is there.",
            )
            .with_query(name)
            .with_file(SENT_AS)
            .for_dutch_accounts(),
        Operation::read::<ReceiptBody, _, _>("/receipts/{id}", "readReceipt", read)
            .says("Read a receipt", "")
            .or(&[NOT_FOUND]),
        Operation::file("/receipts/{id}/file", "readReceiptFile", KINDS, file)
            .says("Read the file of a receipt", "The bytes as they came, with the media type that they are.")
            .or(&[NOT_FOUND]),
        Operation::delete::<String, _, _>("/receipts/{id}", "deleteReceipt", Answer::Gone, delete)
            .says("Delete a receipt", "Only one that no expense ever had.")
            .or(&[NOT_FOUND, RECEIPT_IN_USE, PRECONDITION_FAILED])
            .for_dutch_accounts(),
    ]
}

fn name(query: &mut Query) -> Option<String> {
    query.text("name", "The name of the file.", 255)
}

/// Whether an expense uses them, the filter by time of change, the id to continue before, and the
/// number of rows.
type ReceiptQuery = ((Option<bool>, Option<Updated>), i64, i64);

fn filter(query: &mut Query) -> ReceiptQuery {
    let waiting = query.flag("waiting", "Only those of no expense, or only others.");
    ((waiting.map(|waiting| !waiting), query.updated()), query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

/// The same, and whether they are to have an identifier of the caller's own.
fn listed(query: &mut Query) -> (bool, ReceiptQuery) {
    (query.wants_external_id(), filter(query))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (wants_none, (filter, before, limit)) = listing.read(listed)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        if wants_none {
            return Ok(reply::no_rows());
        }
        let page = receipts::list(tx, &cx, filter, before, limit)?;
        reply::rows(&page, |last| last.id.to_string(), |row| reply::body(&ReceiptBody::from(row)))
            .of_changes(tx, account, filter.1)
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
    let id = query::id(&id, "receipt")?;
    let receipt = books.query(cx.actor.account, move |tx| receipts::read(tx, &cx, id)).await?;
    Ok(reply::resource(&headers, &ReceiptBody::from(&receipt)))
}

async fn file(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "receipt")?;
    let (receipt, bytes) = books.query(cx.actor.account, move |tx| receipts::file(tx, &cx, id)).await?;
    let (media_type, ending) = uploads::kind_of(&receipt.media_type);
    Ok(entity_tags::file(&headers, bytes, media_type, &format!("receipt-{id}.{ending}")))
}

async fn create(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    RawQuery(raw): RawQuery,
    request: Request,
) -> Result<Response, Problem> {
    let name = query::read(raw.as_deref(), name)?;
    let _permit = app.capacity().uploads.acquire(cx.actor.account, Asker::Visitor).await?;
    let bytes = body::read_file(request, SENT_AS, MAX_BYTES).await?;
    let file = uploads::look_at(&app, cx.actor.account, bytes.into(), name)
        .await?
        .map_err(|reason| Problem::invalid([service::Fault::new("", reason.into())]))?;
    let base = app.config().base_url.clone();
    let location = move |receipt: &Receipt| format!("{base}/api/v1/receipts/{}", receipt.id);
    let show = move |outcome| reply::created(outcome, &location, |receipt| reply::body(&ReceiptBody::from(&receipt)));
    once::answer(&app, cx.actor.account, move |tx| receipts::keep(tx, &cx, &file), show).await
}

async fn delete(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let expected = Expected::of(&headers);
    let reported = expected.reported();
    let id = query::id(&id, "receipt")?;
    let as_expected = move |there: &Receipt| expected.is_met_by(&ReceiptBody::from(there));
    app.execute(cx.actor.account, move |tx| receipts::delete(tx, &cx, id, &as_expected)).await.map_err(reported)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
