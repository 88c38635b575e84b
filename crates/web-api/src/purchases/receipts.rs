//! Receipts: uploaded files that document expenses.

use crate::{
    body,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query::{self, Query},
    reply,
    resource::{self, Deletable, Filter, Listed, Resource},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context, Error,
    receipts::{self, MAX_BYTES},
};
use store::{Page, Tx, Updated, receipts::Receipt};
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
const SENT_AS: &[&str] =
    &["image/jpeg", "image/png", "image/webp", "application/pdf", "application/octet-stream"];

/// A receipt.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Receipt")]
pub(crate) struct ReceiptBody {
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
    /// SHA-256 of the file in hexadecimal. Journal entries based on the receipt contain the
    /// hash.
    #[schemars(example = &"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: String,
    /// Ids of the expenses that the receipt documents; empty while it waits for one.
    expense_ids: Vec<i64>,
    /// Whether a journal entry is based on the receipt, which then cannot be deleted.
    booked: bool,
    /// Origin: `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
    /// Time of the upload.
    created_at: Moment,
    /// Time of the last change, including changes of `expenseIds`.
    updated_at: Moment,
}

impl Resource for Receipt {
    type Key = i64;
    type Body<'r> = ReceiptBody;
    const PATH: &'static str = "/receipts/{id}";
    const NAME: &'static str = "receipt";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> ReceiptBody {
        ReceiptBody {
            id: self.id,
            name: self.name.clone(),
            media_type: self.media_type.clone(),
            size: self.size,
            sha256: self.sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
            expense_ids: self.expense_ids.clone(),
            booked: self.is_booked,
            source: self.source.as_str(),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        receipts::read(tx, cx, id)
    }
}

/// Filter for the list of receipts.
pub(crate) struct ReceiptFilter {
    /// Whether the query asks for an external id, which no receipt has.
    by_external_id: bool,
    /// If true, only receipts that belong to an expense; if false, only receipts that do not.
    in_use: Option<bool>,
    /// Period of the last change.
    updated: Option<Updated>,
}

impl Filter for ReceiptFilter {
    fn read(query: &mut Query) -> Self {
        let by_external_id = query.wants_external_id();
        let waiting =
            query.flag("waiting", "Returns only receipts without an expense, or only others.");
        Self { by_external_id, in_use: waiting.map(|waiting| !waiting), updated: query.updated() }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for Receipt {
    type Filter = ReceiptFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &ReceiptFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        if filter.by_external_id {
            return Ok(Page { rows: Vec::new(), more: false });
        }
        receipts::list(tx, cx, (filter.in_use, filter.updated), before, limit)
    }
}

impl Deletable for Receipt {
    fn delete(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<(), Error> {
        receipts::delete(tx, cx, id, expected).map(drop)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list_of::<Receipt>("listReceipts").says("List receipts", "Newest first."),
        Operation::create::<ReceiptBody, _, _>("/receipts", "createReceipt", create)
            .says(
                "Upload a receipt",
                "The body is the file itself: JPEG, PNG, WebP or PDF of at most 10 MiB. Its type \
                 is detected from the bytes, and it is stored unchanged. Uploading the same file \
                 again returns the existing receipt (200).",
            )
            .with_query(name)
            .with_file(SENT_AS)
            .for_dutch_accounts(),
        Operation::read_of::<Receipt>("readReceipt").says("Read a receipt", ""),
        Operation::file("/receipts/{id}/file", "readReceiptFile", KINDS, file)
            .says(
                "Read the file of a receipt",
                "Returns the file unchanged, with its detected media type.",
            )
            .or(&[NOT_FOUND]),
        Operation::delete::<String, _, _>(
            "/receipts/{id}",
            "deleteReceipt",
            Answer::Gone,
            resource::delete::<Receipt>,
        )
        .says("Delete a receipt", "Only possible if no expense has ever used it.")
        .or(&[NOT_FOUND, RECEIPT_IN_USE, PRECONDITION_FAILED])
        .for_dutch_accounts(),
    ]
}

fn name(query: &mut Query) -> Option<String> {
    query.text("name", "Name of the file.", 255)
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
    let (receipt, bytes) =
        books.query(cx.actor.account, move |tx| receipts::file(tx, &cx, id)).await?;
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
    let (account, caller) = (cx.actor.account, cx.clone());
    let show = move |outcome| {
        reply::created(
            outcome,
            |receipt| resource::address(&base, receipt),
            |receipt| resource::shown(&receipt, &caller),
        )
    };
    once::answer(&app, account, move |tx| receipts::keep(tx, &cx, &file), show).await
}
