//! Webhooks: subscriptions, deliveries, and the bodies of messages.

use crate::{
    body, credentials,
    moment::Moment,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply::{self, Reply},
    resource::{self, Deletable, Expected, Filter, Listed, Resource},
    sales::payments,
    tax::{icp, kor, oss, vat_filings, vat_returns},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{json, value::RawValue};
use service::{
    Context, Created, Error,
    actor::Scope,
    bank_accounts::BankAccountDetails,
    bank_lines::LineDetails,
    bank_statements::BankStatement,
    expenses::ExpenseDetails,
    invoices::InvoiceDetails,
    payment_batches::BatchDetails,
    quotes::QuoteDetails,
    recurring::RecurringDetails,
    webhooks::{self as rules, Shown},
};
use store::{
    Lane, Page, Tx, Updated, accounts,
    articles::Article,
    changes::ResourceKind,
    contacts::Contact,
    projects::Project,
    time::{LoggedHours, TimeEntry},
    webhooks::{Delivery, DeliveryStatus, Disabled, Webhook},
};
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED, WEBHOOK_DISABLED},
    input::{self, edited_webhook, new_webhook},
    outbox::webhooks::settings::{sending, validated},
    problem::Problem,
};

/// A webhook: a subscription to events.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Webhook")]
pub(crate) struct WebhookBody<'w> {
    /// Id, unique within the account.
    id: i64,
    /// URL that messages are sent to.
    #[schemars(example = &"https://shop.example/hooks")]
    url: &'w str,
    /// Types of events to send, such as `invoice.paid`, or `invoice.*` for all events of a
    /// resource. Empty for all events.
    types: &'w [String],
    /// Your own description.
    description: Option<&'w str>,
    /// Whether messages are sent.
    enabled: bool,
    /// Time at which the webhook was disabled; null if it is enabled.
    disabled_at: Option<Moment>,
    /// Reason why no messages are sent: you disabled the webhook, a message was not accepted for
    /// three days, the receiver answered 410, the API key that created the webhook was revoked, or
    /// the application that created it was disconnected.
    #[schemars(extend("enum" = input::or_null(Disabled::NAMES.iter().copied())))]
    disabled_because: Option<&'static str>,
    /// Time since which all messages have failed; null if the last message was delivered.
    failing_since: Option<Moment>,
    /// Time until which messages are also signed with the former secret.
    former_secret_until: Option<Moment>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl<'w> From<&'w Webhook> for WebhookBody<'w> {
    fn from(webhook: &'w Webhook) -> Self {
        Self {
            id: webhook.id,
            url: &webhook.url,
            types: &webhook.types.0,
            description: webhook.description.as_deref(),
            enabled: webhook.disabled_at.is_none(),
            disabled_at: webhook.disabled_at.map(Moment),
            disabled_because: webhook.disabled_because.map(Disabled::as_str),
            failing_since: webhook.failing_since.map(Moment),
            former_secret_until: webhook.former_until.map(Moment),
            created_at: Moment(webhook.created_at),
            updated_at: Moment(webhook.updated_at),
        }
    }
}

impl Resource for Webhook {
    type Key = i64;
    type Body<'r> = WebhookBody<'r>;
    const PATH: &'static str = "/webhooks/{id}";
    const NAME: &'static str = "webhook";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> WebhookBody<'_> {
        self.into()
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        rules::read(tx, cx, id)
    }
}

/// Filter for the list of webhooks.
pub(crate) struct WebhookFilter {
    /// Whether the query asks for an external id, which no webhook has.
    by_external_id: bool,
    /// Period of the last change.
    updated: Option<Updated>,
}

impl Filter for WebhookFilter {
    fn read(query: &mut Query) -> Self {
        Self { by_external_id: query.wants_external_id(), updated: query.updated() }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for Webhook {
    type Filter = WebhookFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &WebhookFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        if filter.by_external_id {
            return Ok(Page { rows: Vec::new(), more: false });
        }
        rules::page(tx, cx, filter.updated, after, limit)
    }
}

impl Deletable for Webhook {
    fn delete(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<(), Error> {
        rules::delete(tx, cx, id, expected)
    }
}

/// A webhook with its secret, which is shown only once.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookWithSecret")]
struct ShownBody<'w> {
    #[serde(flatten)]
    webhook: WebhookBody<'w>,
    /// Secret that signs messages with HMAC-SHA256 (Standard Webhooks 1.0): `whsec_` followed by
    /// the key in base64. The secret is shown only once; it is null if the request is repeated with
    /// an `Idempotency-Key`.
    #[schemars(example = &"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwc3Jvb3Rib2VrIQ==")]
    secret: Option<&'w str>,
}

/// Returns the body with the secret, and the body without the secret, which may be stored.
fn bodies(shown: &Shown) -> (Vec<u8>, Vec<u8>) {
    let with =
        |secret| reply::body(&ShownBody { webhook: WebhookBody::from(&shown.webhook), secret });
    (with(Some(&shown.secret)), with(None))
}

/// A message to a webhook.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookDelivery")]
struct DeliveryBody<'d> {
    /// Id of the message, sent as `webhook-id` with every attempt.
    #[schemars(example = &"msg_3Zq0VfK9dS1xT7bY2mN4pL_17")]
    id: String,
    /// Type of the event.
    #[serde(rename = "type")]
    #[schemars(example = &"invoice.paid")]
    kind: &'d str,
    /// Sequence number of the change in the feed; a test message has that of the last change.
    sequence: i64,
    /// `pending` until delivered; `failed` if no further attempt will be made.
    #[schemars(extend("enum" = DeliveryStatus::NAMES))]
    status: &'static str,
    /// Number of attempts.
    attempts: i64,
    /// Time of the event.
    at: Moment,
    /// Time of the last attempt.
    last_attempt_at: Option<Moment>,
    /// Time of the next attempt.
    next_attempt_at: Option<Moment>,
    /// HTTP status of the last response.
    response_status: Option<i64>,
    /// First 1 000 bytes of the last response.
    response_body: Option<&'d str>,
    /// Reason why the last attempt got no response.
    error: Option<&'d str>,
}

impl<'d> DeliveryBody<'d> {
    fn of(webhook: &Webhook, delivery: &'d Delivery) -> Self {
        Self {
            id: rules::message_id(webhook, delivery.id),
            kind: &delivery.kind,
            sequence: delivery.sequence,
            status: delivery.status.as_str(),
            attempts: delivery.attempts,
            at: Moment(delivery.at),
            last_attempt_at: delivery.attempted_at.map(Moment),
            next_attempt_at: delivery.due_at().map(Moment),
            response_status: delivery.answer_status,
            response_body: delivery.answer.as_deref(),
            error: delivery.cause.as_deref(),
        }
    }
}

/// Description of `createWebhook`.
const CREATE: &str = "\
    Sends events to a URL by POST as `{type, timestamp, sequence, data}`, where `data` is the \
    resource as the API returns it, or `{id}` if it no longer exists. Messages are signed \
    according to Standard Webhooks 1.0 with the `secret`, which only this response contains. Each \
    message is sent at least once, and not always in order: `sequence` is the number of the \
    change in `GET /changes`, whose description lists the covered resources. A message that is \
    not answered with 2xx within 10 seconds is retried after 5 s, 20 s, 2 min, 10 min, 1 h, 3 h, \
    10 h and then every 10 h. After three days, or on an answer of 410, the webhook is disabled \
    and the owner is notified by mail. Redirects are not followed. The webhook is also disabled \
    when the API key that created it is revoked or the application is disconnected.";

// Long: a table of operations.
pub(crate) fn operations() -> Vec<Operation> {
    let example = || json!({ "url": "https://shop.example/hooks", "types": ["invoice.paid", "payment.created"], "description": "Shop" });
    vec![
        Operation::list_of::<Webhook>("listWebhooks")
            .says("List webhooks", "In order of creation, without secrets."),
        Operation::act::<ShownBody<'_>, _, _>("/webhooks", "createWebhook", Answer::Made, create)
            .says("Create a webhook", CREATE)
            .with_body(input::schema(new_webhook), example())
            .also_reads(),
        Operation::read_of::<Webhook>("readWebhook").says("Read a webhook", ""),
        Operation::change::<WebhookBody<'_>, _, _>("/webhooks/{id}", "updateWebhook", edit)
            .says(
                "Update a webhook",
                "Absent fields stay unchanged. `enabled: true` enables a disabled webhook; events \
                 that occurred in between are not sent, but are in `GET /changes`. A webhook \
                 belongs to the credentials that created it, last enabled it or changed its \
                 `url`. Changing `url`, `types` or `enabled` requires the scope `read` too.",
            )
            .with_body(
                input::schema(edited_webhook),
                json!({ "types": ["invoice.*"], "enabled": true }),
            )
            .or(&[NOT_FOUND, PRECONDITION_FAILED]),
        Operation::delete_of::<Webhook>("deleteWebhook")
            .says("Delete a webhook", "Pending messages are not sent.")
            .or(&[NOT_FOUND, PRECONDITION_FAILED]),
        Operation::act::<ShownBody<'_>, _, _>(
            "/webhooks/{id}/rotate-secret",
            "rotateWebhookSecret",
            Answer::Changed,
            rotate,
        )
        .says(
            "Rotate the secret",
            "Generates a new secret. For 24 hours messages are signed with both secrets, so \
                 that receivers can switch without rejecting any.",
        )
        .or(&[NOT_FOUND])
        .also_reads(),
        Operation::act::<DeliveryBody<'_>, _, _>(
            "/webhooks/{id}/test",
            "testWebhook",
            Answer::Accepted,
            test,
        )
        .says(
            "Send a test message",
            "Sends a message of the type `webhook.test`, whose `data` is the webhook.",
        )
        .or(&[NOT_FOUND, WEBHOOK_DISABLED]),
        Operation::list::<DeliveryBody<'_>, _, _>(
            "/webhooks/{id}/deliveries",
            "listWebhookDeliveries",
            list_deliveries,
        )
        .says("List the deliveries of a webhook", "Deliveries of the last 30 days, newest first.")
        .with_query(asked)
        .or(&[NOT_FOUND]),
        Operation::read::<DeliveryBody<'_>, _, _>(
            "/webhooks/{id}/deliveries/{deliveryId}",
            "readWebhookDelivery",
            read_delivery,
        )
        .says("Read a delivery", "")
        .or(&[NOT_FOUND]),
        Operation::act::<DeliveryBody<'_>, _, _>(
            "/webhooks/{id}/deliveries/{deliveryId}/redeliver",
            "redeliverWebhookDelivery",
            Answer::Accepted,
            redeliver,
        )
        .says(
            "Send a message again",
            "Sends the message with the same id and body. The body is kept for three days after \
             the first attempt or the last request to send it again; after that the answer is 404.",
        )
        .or(&[NOT_FOUND, WEBHOOK_DISABLED])
        .also_reads(),
    ]
}

async fn create(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let (sending, account) = (sending(&app), cx.actor.account);
    let parsed = validated(input::json(&body::read(request).await?, new_webhook), &sending);
    let new = parsed.command.ok_or_else(|| Problem::invalid(parsed.faults))?;
    let make = move |tx: &mut Tx<'_>| rules::create(tx, &cx, &sending, &new);
    let base = app.config().base_url.clone();
    let show = move |shown: Shown| {
        let ((body, kept), place) =
            (bodies(&shown), format!("{base}/api/v1/webhooks/{}", shown.webhook.id));
        reply::created(Created::New(()), |()| place, |()| body).shown_once(kept)
    };
    once::answer(&app, account, make, show).await
}

async fn edit(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of(request.headers());
    let (sending, account) = (sending(&app), cx.actor.account);
    let parsed = validated(input::json(&body::read(request).await?, edited_webhook), &sending);
    let id = query::id(&id, "webhook")?;
    let Some(command) = parsed.command else {
        // A missing resource is reported before any faults in the body.
        app.query(account, move |tx| rules::read(tx, &cx, id).map(drop)).await?;
        return Err(Problem::invalid(parsed.faults));
    };
    if command.url.is_some() || command.types.is_some() || command.enabled.is_some() {
        // Messages contain whole resources, so the caller must be allowed to read them.
        cx.actor
            .require_scope(Scope::Read)
            .map_err(|error| credentials::lacks_scope(&app, &cx.actor, error))?;
    }
    let edit = move |tx: &mut Tx<'_>, cx: &Context, expected: &dyn Fn(&Webhook) -> bool| {
        rules::edit(tx, cx, &sending, id, &command, expected)
    };
    resource::run_if(&app, cx, expected, edit).await
}

async fn rotate(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, "webhook")?;
    let (sending, account) = (sending(&app), cx.actor.account);
    let rotate = move |tx: &mut Tx<'_>| rules::rotate(tx, &cx, &sending, id);
    let show = |shown: Shown| {
        let (body, kept) = bodies(&shown);
        reply::changed_as(body).shown_once(kept)
    };
    once::answer(&app, account, rotate, show).await
}

async fn test(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, "webhook")?;
    let account = cx.actor.account;
    let answered = once::answer(&app, account, move |tx| rules::test(tx, &cx, id), accepted).await;
    app.store().reported().notify_one();
    answered
}

fn accepted(sent: (Webhook, Delivery)) -> Reply {
    reply::accepted(Created::New(sent), |(webhook, delivery)| {
        reply::body(&DeliveryBody::of(&webhook, &delivery))
    })
}

/// Reads the status filter, the upper bound for the page's ids, and the number of rows.
fn asked(query: &mut Query) -> (Option<DeliveryStatus>, i64, i64) {
    const STATUSES: &[(&str, DeliveryStatus)] = &[
        ("pending", DeliveryStatus::Pending),
        ("delivered", DeliveryStatus::Delivered),
        ("failed", DeliveryStatus::Failed),
    ];
    let status = query.choice("status", "Returns only deliveries with this status.", STATUSES);
    (status, query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

async fn list_deliveries(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (status, before, limit) = listing.read(asked)?;
    let (id, account) = (query::id(&id, "webhook")?, cx.actor.account);
    let list = move |tx: &mut Tx<'_>| {
        let (webhook, found) = rules::deliveries(tx, &cx, id, status, before, limit + 1)?;
        let page = store::Page::of(found, limit);
        Ok(reply::rows(
            &page,
            |last| last.id.to_string(),
            |row| reply::body(&DeliveryBody::of(&webhook, row)),
        ))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read_delivery(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((id, delivery)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "webhook")?;
    let (webhook, delivery) =
        books.query(cx.actor.account, move |tx| rules::delivery(tx, &cx, id, &delivery)).await?;
    Ok(reply::resource(&headers, &DeliveryBody::of(&webhook, &delivery)))
}

async fn redeliver(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((id, delivery)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, "webhook")?;
    let account = cx.actor.account;
    let send = move |tx: &mut Tx<'_>| rules::redeliver(tx, &cx, id, &delivery);
    let answered = once::answer(&app, account, send, accepted).await;
    app.store().reported().notify_one();
    answered
}

/// Body of a message.
#[derive(Serialize)]
struct Payload<'p> {
    #[serde(rename = "type")]
    kind: &'p str,
    timestamp: Moment,
    sequence: i64,
    data: &'p RawValue,
}

/// Returns the body of a message with the current state of the resource, and stores the body for
/// further attempts and for other webhooks.
pub fn payload(
    tx: &mut Tx<'_>,
    app: &AppState,
    account: i64,
    webhook: &Webhook,
    delivery: &Delivery,
    now: Timestamp,
) -> Result<String, Error> {
    let owner = accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
    let data = match (
        delivery.kind.split_once('.').and_then(|(kind, _)| ResourceKind::parse(kind)),
        delivery.resource_id,
    ) {
        (Some(kind), Some(id)) => match current(tx, &app.context_of(&owner), kind, id) {
            Err(Error::Store(error)) => return Err(Error::Store(error)),
            // The resource is deleted or cannot be shown. The message is sent with the id only,
            // because a message that always fails would block all later messages.
            Err(_) => reply::body(&json!({ "id": id })),
            Ok(found) => found,
        },
        _ => reply::body(&WebhookBody::from(webhook)),
    };
    let data = String::from_utf8(data).map_err(|error| error.to_string());
    let data = data
        .and_then(|data| RawValue::from_string(data).map_err(|error| error.to_string()))
        .map_err(Error::Internal)?;
    let payload = Payload {
        kind: &delivery.kind,
        timestamp: Moment(delivery.at),
        sequence: delivery.sequence,
        data: &data,
    };
    let body =
        serde_json::to_string(&payload).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(store::webhooks::insert_body(tx, account, delivery.id, &body, now)?)
}

/// Returns a resource as the API shows it.
fn current(tx: &mut Tx<'_>, cx: &Context, kind: ResourceKind, id: i64) -> Result<Vec<u8>, Error> {
    match kind {
        ResourceKind::Invoice | ResourceKind::CreditNote => {
            resource::current::<InvoiceDetails>(tx, cx, id)
        }
        ResourceKind::Payment => payments::current(tx, cx, id),
        ResourceKind::Contact => resource::current::<Contact>(tx, cx, id),
        ResourceKind::Project => resource::current::<Project>(tx, cx, id),
        ResourceKind::TimeEntry => resource::current::<TimeEntry>(tx, cx, id),
        ResourceKind::HoursLog => resource::current::<LoggedHours>(tx, cx, id),
        ResourceKind::Expense => resource::current::<ExpenseDetails>(tx, cx, id),
        ResourceKind::VatFiling => vat_filings::shown(tx, cx, id),
        ResourceKind::VatReturn => vat_returns::shown(tx, cx, id),
        ResourceKind::Icp => icp::shown(tx, cx, id),
        ResourceKind::Kor => kor::shown(tx, cx, id),
        ResourceKind::OssReturn => oss::shown(tx, cx, id),
        ResourceKind::BankAccount => resource::current::<BankAccountDetails>(tx, cx, id),
        ResourceKind::BankStatement => resource::current::<BankStatement>(tx, cx, id),
        ResourceKind::BankLine => resource::current::<LineDetails>(tx, cx, id),
        ResourceKind::PaymentBatch => resource::current::<BatchDetails>(tx, cx, id),
        ResourceKind::Quote => resource::current::<QuoteDetails>(tx, cx, id),
        ResourceKind::Article => resource::current::<Article>(tx, cx, id),
        ResourceKind::RecurringInvoice => resource::current::<RecurringDetails>(tx, cx, id),
    }
}
