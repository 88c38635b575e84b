//! Emails to customers: invoices, reminders, quotes, and their status.

use super::invoice_body::WarningBody;
use crate::{
    body, dry_run,
    moment::Moment,
    once,
    operation::Operation,
    query::{self, Listing, Query},
    reply,
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, InvoiceError,
    invoice_documents::Asked,
    messages::{self, MessagePreview},
    quotes::{self, AskedQuote},
    reminders,
};
use store::{Lane, Tx, outbox::Mail};
use web_core::{
    AppState, ReadContext,
    capacity::Asker,
    catalogue::{
        IS_A_CREDIT_NOTE, IS_A_DRAFT, IS_OPENING_ITEM, NOT_FOUND, PERIOD_FILED, QUOTE_NOT_OPEN,
        REMINDED_RECENTLY, REMINDERS_STOPPED,
    },
    documents,
    input::{self, Fields, Parsed, new_reminder, sent_invoice, sent_quote},
    problem::Problem,
};

/// An email to a customer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Message")]
struct MessageBody<'m> {
    /// Id, unique within the account; also the first part of the Message-ID.
    #[schemars(example = &"5f1c0a7be39d4c21a6b0f4de8c3b9a10")]
    id: &'m str,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'m str>,
    /// Kind of email: the `invoice`, a `reminder`, a `quote`, or a `copy` for the account's owner.
    #[schemars(extend("enum" = ["invoice", "reminder", "copy", "quote"]))]
    kind: &'static str,
    /// Recipient.
    #[schemars(example = &"administratie@korenaar.example")]
    to: &'m str,
    /// Further recipients.
    cc: Vec<&'m str>,
    /// Subject of the email.
    #[schemars(example = &"Factuur 2026-0001 van Studio Noorderlicht")]
    subject: &'m str,
    /// `queued`: being delivered, or retried for two days; `sent`: accepted by the mail server;
    /// `failed`: rejected, or not delivered within two days.
    #[schemars(extend("enum" = ["queued", "sent", "failed"]))]
    status: &'static str,
    /// Time at which the mail server accepted the email.
    #[schemars(example = &"2026-03-13T10:00:02Z")]
    sent_at: Option<Moment>,
    /// Reason why the email was not sent, or has not been sent yet.
    #[schemars(example = &"550 no such user")]
    cause: Option<&'m str>,
    /// Time at which the email was queued.
    created_at: Moment,
}

impl<'m> From<&'m Mail> for MessageBody<'m> {
    fn from(mail: &'m Mail) -> Self {
        Self {
            id: &mail.id,
            external_id: mail.external_id.as_deref(),
            kind: mail.kind.as_str(),
            to: &mail.recipient,
            cc: mail.further_recipients().collect(),
            subject: &mail.subject,
            status: mail.state.as_str(),
            sent_at: mail.sent_at.map(Moment),
            cause: mail.cause.as_deref(),
            created_at: Moment(mail.created_at),
        }
    }
}

/// An email as it would be sent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MessagePreview")]
struct PreviewBody<'m> {
    /// Recipient.
    #[schemars(example = &"administratie@korenaar.example")]
    to: &'m str,
    /// Further recipients.
    cc: Vec<&'m str>,
    /// Subject of the email.
    #[schemars(example = &"Factuur 2026-0001 van Studio Noorderlicht")]
    subject: &'m str,
    /// Text of the email.
    message: &'m str,
    /// The text as HTML.
    html: String,
    /// Documents attached to the email.
    attachments: Vec<AttachmentBody>,
    /// Warnings about the invoice as it would be sent; none for a quote.
    warnings: Vec<WarningBody>,
}

/// A document attached to an email.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Attachment")]
struct AttachmentBody {
    /// Name of the file.
    #[schemars(example = &"2026-0001.pdf")]
    name: String,
    /// Size in bytes.
    size: usize,
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::accept::<MessageBody<'_>, _, _>("/invoices/{id}/send", "sendInvoice", send)
            .says(
                "Mail an invoice to its customer",
                "Mails the invoice with its PDF and e-invoice; a draft is sent by this. The mail \
                 is stored before the response, so it survives a crash. It is delivered at once, \
                 and retried for two days if the mail server does not accept it. An `externalId` \
                 is unique among all messages of the account.",
            )
            .with_body(
                input::schema(|fields| sent_invoice(fields, 0)),
                json!({ "externalId": "mail-1001", "to": "administratie@korenaar.example", "copyToMe": true }),
            )
            .with_dry_run::<PreviewBody<'_>>()
            .or(&[NOT_FOUND, IS_OPENING_ITEM, PERIOD_FILED])
            .for_dutch_accounts(),
        Operation::accept::<MessageBody<'_>, _, _>("/invoices/{id}/remind", "remindInvoice", remind)
            .says(
                "Send a reminder for an overdue invoice",
                "Sends the next reminder: first a friendly one; then, to a business, one with the \
                 statutory interest and one with the collection costs; to a consumer, the \
                 statutory letter with a term of fourteen days (art. 6:96(6) BW) about all due \
                 invoices of the customer, and after day 19 one that claims the costs. A customer \
                 without `kind`, KvK number and VAT number is treated as a consumer. Within the \
                 minimum number of days of the owner's settings (7) after the last reminder of the \
                 invoice the answer is 409 `reminded_recently`, unless that one was not delivered \
                 or `force` is true; the letter cannot be forced. Its text is fixed: 422 \
                 `fixed_text` for `subject` and `message`.",
            )
            .with_body(input::schema(|fields| new_reminder(fields, 0)), json!({ "externalId": "reminder-1001-1" }))
            .with_dry_run::<PreviewBody<'_>>()
            .or(&[NOT_FOUND, IS_A_DRAFT, IS_A_CREDIT_NOTE, REMINDED_RECENTLY, REMINDERS_STOPPED])
            .for_dutch_accounts(),
        Operation::list::<MessageBody<'_>, _, _>("/invoices/{id}/messages", "listMessages", list)
            .says("List the mails about an invoice", "Oldest first.")
            .with_query(filter)
            .or(&[NOT_FOUND]),
        Operation::accept::<MessageBody<'_>, _, _>("/quotes/{id}/send", "sendQuote", send_quote)
            .says(
                "Mail a quote to its customer",
                "Mails the quote with its PDF and the address of its page; a draft is sent by \
                 this. A mail is stored and delivered like that of an invoice.",
            )
            .with_body(
                input::schema(|fields| sent_quote(fields, 0)),
                json!({ "externalId": "mail-quote-1001", "to": "administratie@korenaar.example" }),
            )
            .with_dry_run::<PreviewBody<'_>>()
            .or(&[NOT_FOUND, QUOTE_NOT_OPEN])
            .for_dutch_accounts(),
        Operation::list::<MessageBody<'_>, _, _>(
            "/quotes/{id}/messages",
            "listQuoteMessages",
            list_of_quote,
        )
        .says("List the mails about a quote", "Oldest first.")
        .with_query(filter)
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
    ]
}

/// Kind of document that emails are about.
#[derive(Clone, Copy)]
struct Subject {
    /// Name in a 404.
    name: &'static str,
    /// Path of the list.
    list: &'static str,
    /// Query for the emails about a document.
    mails: fn(&mut Tx<'_>, &Context, i64) -> Result<Vec<Mail>, Error>,
}

const INVOICE: Subject =
    Subject { name: "invoice", list: "/invoices", mails: messages::of_invoice };
const QUOTE: Subject = Subject { name: "quote", list: "/quotes", mails: quotes::of_quote };

async fn send_quote(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    if dry_run::is_asked(request.uri())? {
        return preview_quote(&app, cx, &id, request).await;
    }
    mail(&app, cx, (QUOTE, &id, "send"), request, sent_quote, quotes::send).await
}

async fn list_of_quote(
    app: State<AppState>,
    cx: Extension<Context>,
    books: Extension<ReadContext>,
    Path(id): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    list_of(app.0, cx.0, books.0, (QUOTE, id), listing).await
}

async fn send(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    mail(&app, cx, (INVOICE, &id, "send"), request, sent_invoice, messages::send).await
}

async fn remind(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    mail(&app, cx, (INVOICE, &id, "remind"), request, new_reminder, reminders::remind).await
}

/// Queues an email about a document. `action` is the last segment of the path.
async fn mail<C: Send + 'static>(
    app: &AppState,
    cx: Context,
    (subject, id, action): (Subject, &str, &str),
    request: Request,
    read: fn(&mut Fields<'_, '_>, i64) -> Parsed<C>,
    command: fn(&mut Tx<'_>, &Context, &C) -> Result<Created<Mail>, Error>,
) -> Result<Response, Problem> {
    let is_dry_run = dry_run::is_asked(request.uri())?;
    let json = body::read_optional(request).await?;
    let id = query::id(id, subject.name)?;
    let parsed = input::json(&json, |fields| read(fields, id));
    let account = cx.actor.account;
    if is_dry_run {
        let caller = cx.clone();
        let rehearsed = move |tx: &mut Tx<'_>| {
            let known = parsed.external_id.as_deref();
            let queued = match &parsed.command {
                Some(input) => command(tx, &caller, input)?,
                None => refuse(tx, &caller, (subject, id), known, &parsed.faults)?,
            };
            messages::preview(tx, &caller, queued, id)
        };
        return preview(app, cx, rehearsed).await;
    }
    let place = format!("{}/{id}/{action}", subject.list);
    let creation = once::creation(account, "message", &place, &json);
    let command = move |tx: &mut Tx<'_>| match &parsed.command {
        Some(input) => command(tx, &cx, input),
        None => {
            let known = parsed.external_id.as_deref();
            refuse(tx, &cx, (subject, id), known, &parsed.faults)
        }
    };
    let show =
        |outcome| reply::accepted(outcome, |mail: Mail| reply::body(&MessageBody::from(&mail)));
    let answer = once::create(app, account, creation, command, show).await?;
    app.wake_outbox();
    Ok(answer)
}

/// Returns the email that a rehearsed command would queue, or the existing one with its external id.
async fn preview(
    app: &AppState,
    cx: Context,
    rehearsed: impl FnMut(&mut Tx<'_>) -> Result<Created<MessagePreview>, Error> + Send + 'static,
) -> Result<Response, Problem> {
    let account = cx.actor.account;
    let preview = match app.rehearse(account, rehearsed).await? {
        Created::New(preview) => preview,
        Created::Existing(preview) => return Ok(existing(preview.mail)),
    };
    let mut attachments = Vec::new();
    for (name, format, asked) in preview.documents {
        let bytes = match asked {
            Asked::Kept(bytes) => Ok(bytes),
            // The documents of a dry run are not stored.
            Asked::Unmade(unmade) => documents::make(app, account, unmade, Asker::Visitor)
                .await
                .and_then(|made| made.bytes(format)),
        };
        match bytes {
            Ok(bytes) => attachments.push(AttachmentBody { name, size: bytes.len() }),
            Err(Error::Invoice(InvoiceError::NotExpressible(_))) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(previewed(&preview.mail, attachments, WarningBody::of(&preview.details)))
}

/// Returns the email with a quote that a request would queue, or the existing one with its external
/// id.
async fn preview_quote(
    app: &AppState,
    cx: Context,
    id: &str,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(id, QUOTE.name)?;
    let parsed = input::json(&json, |fields| sent_quote(fields, id));
    let account = cx.actor.account;
    let rehearsed = move |tx: &mut Tx<'_>| {
        let known = parsed.external_id.as_deref();
        let queued = match &parsed.command {
            Some(input) => quotes::send(tx, &cx, input)?,
            None => refuse(tx, &cx, (QUOTE, id), known, &parsed.faults)?,
        };
        quotes::preview_mail(tx, &cx, queued, id)
    };
    let preview = match app.rehearse(account, rehearsed).await? {
        Created::New(preview) => preview,
        Created::Existing(preview) => return Ok(existing(preview.mail)),
    };
    let mut attachments = Vec::new();
    if let Some((name, asked)) = preview.document {
        let size = match asked {
            AskedQuote::Kept(bytes) => bytes.len(),
            // The document of a dry run is not stored.
            AskedQuote::Unmade(unmade) => {
                let made = web_core::quotes::make(app, account, unmade, Asker::Visitor).await?;
                made.bytes.len()
            }
        };
        attachments.push(AttachmentBody { name, size });
    }
    Ok(previewed(&preview.mail, attachments, Vec::new()))
}

/// Returns the response to a dry run that found an existing message.
fn existing(mail: Mail) -> Response {
    let show = |mail: Mail| reply::body(&MessageBody::from(&mail));
    reply::accepted(Created::Existing(mail), show).into_response()
}

/// Returns the response to the dry run of an email.
fn previewed(
    mail: &Mail,
    attachments: Vec<AttachmentBody>,
    warnings: Vec<WarningBody>,
) -> Response {
    let body = PreviewBody {
        to: &mail.recipient,
        cc: mail.further_recipients().collect(),
        subject: &mail.subject,
        message: &mail.body,
        html: web_core::letter_html(&mail.body, mail.language),
        attachments,
        warnings,
    };
    reply::changed(&body).into_response()
}

/// Returns the existing message with the external id. Otherwise reports a missing document, or else
/// the faults in the body.
fn refuse(
    tx: &mut Tx<'_>,
    cx: &Context,
    (subject, id): (Subject, i64),
    external_id: Option<&str>,
    faults: &[service::Fault],
) -> Result<Created<Mail>, Error> {
    if let Some(existing) = messages::find_by_external_id(tx, cx, external_id)? {
        return Ok(Created::Existing(existing));
    }
    (subject.mails)(tx, cx, id)?;
    Err(Error::Invalid(faults.to_vec()))
}

/// Reads the filters, the number of rows to skip, and the number to return.
fn filter(query: &mut Query) -> (Option<String>, Option<Timestamp>, usize, i64) {
    let meaning = "Leaves out mails that were created and sent before this time.";
    let (external_id, since) = (query.external_id(), query.moment("updatedSince", meaning));
    let after = query.cursor(query::whole).and_then(|count| usize::try_from(count).ok());
    (external_id, since, after.unwrap_or(0), query.limit())
}

async fn list(
    app: State<AppState>,
    cx: Extension<Context>,
    books: Extension<ReadContext>,
    Path(id): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    list_of(app.0, cx.0, books.0, (INVOICE, id), listing).await
}

/// Lists the emails about a document.
async fn list_of(
    app: AppState,
    cx: Context,
    books: ReadContext,
    (subject, id): (Subject, String),
    listing: Listing,
) -> Result<Response, Problem> {
    let (external_id, since, after, limit) = listing.read(filter)?;
    let id = query::id(&id, subject.name)?;
    let account = cx.actor.account;
    let list = move |tx: &mut Tx<'_>| {
        let mut rows = (subject.mails)(tx, &cx, id)?;
        rows.retain(|mail| external_id.is_none() || mail.external_id == external_id);
        rows.retain(|mail| since.is_none_or(|since| mail.sent_at.is_none_or(|sent| sent >= since)));
        let numbered = (1..).zip(rows).skip(after).collect();
        let page = store::Page::of(numbered, limit);
        Ok(reply::rows(
            &page,
            |(place, _)| i64::to_string(place),
            |(_, mail)| reply::body(&MessageBody::from(mail)),
        ))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}
