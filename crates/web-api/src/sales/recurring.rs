//! `/recurring-invoices`: invoices that are made by themselves on the days of a schedule.

use super::{
    invoice_body::{
        CustomerBody, ItemBody, ParticularsBody, PreviewCustomerBody, PreviewEntryBody, VatBody,
        WarningBody, items, vat,
    },
    invoices::with_customer_fault,
};
use crate::{
    body, dry_run,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
    resource::{self, Expected, Filter, Listed, Resource},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use jiff::civil::{self, Date};
use ledger::schedule::{
    Deliver, OccurrenceStatus, PausedBecause, RecurringStatus, RhythmUnit, SupplyPeriod,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    contacts::CustomerInput,
    recurring::{
        self, MOST_PREVIEWED, NewRecurring, OccurrenceDetails, RecurringDetails, RecurringPreview,
    },
};
use store::{Lane, Page, Tx, Updated, recurring::RecurringFilter};
use web_core::{
    AppState, ReadContext,
    catalogue::{
        NOT_FOUND, OCCURRENCE_NOT_OPEN, PERIOD_FILED, PRECONDITION_FAILED, RECURRING_ENDED,
        TOO_MANY_ACTIVE, YEAR_CLOSED,
    },
    input::{self, Fields, Parsed, edited_recurring, names_of, new_recurring, or_null, resumption},
    problem::Problem,
};

/// A recurring invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecurringInvoice")]
pub(crate) struct RecurringBody<'r> {
    /// Id, unique within the account.
    id: i64,
    /// Customer of the invoices.
    customer: CustomerBody<'r>,
    #[serde(flatten)]
    content: ContentBody<'r>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// A recurring invoice as it would be. It has no id and times.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecurringInvoicePreview")]
pub(crate) struct RecurringPreviewBody<'r> {
    /// Always true.
    dry_run: bool,
    /// Customer of the invoices.
    customer: PreviewCustomerBody<'r>,
    #[serde(flatten)]
    content: ContentBody<'r>,
    /// Entries that would be booked: none, until the first invoice is made.
    entries: Vec<PreviewEntryBody>,
    /// Warnings about the customer, the VAT of the lines, and characters that cannot be printed.
    warnings: Vec<WarningBody>,
}

/// Rhythm of a recurring invoice.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Rhythm")]
struct EveryBody {
    /// Unit.
    #[schemars(extend("enum" = names_of(RhythmUnit::ALL)))]
    unit: &'static str,
    /// Number of units from one invoice to the next.
    #[schemars(example = &1)]
    count: i64,
}

/// Next planned occurrence of a recurring invoice.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NextOccurrence")]
struct NextBody {
    /// Number of the occurrence, from 1.
    #[schemars(example = &4)]
    n: i64,
    /// Day of the occurrence.
    date: Date,
}

/// Fields of a recurring invoice that a dry run shows too.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ContentBody<'r> {
    /// Your own identifier.
    #[schemars(example = &"subscription-1001")]
    external_id: Option<&'r str>,
    /// `active`; `paused`, by you or automatically; or `ended`.
    #[schemars(extend("enum" = names_of(RecurringStatus::ALL)))]
    status: &'static str,
    /// Reason for the pause: the `owner`; an invoice that was `refused`; or two mails that
    /// `bounced`.
    #[schemars(extend("enum" = or_null(names_of(PausedBecause::ALL))))]
    paused_because: Option<&'static str>,
    /// Code with which the invoice was refused.
    #[schemars(example = &"period_filed")]
    cause: Option<&'r str>,
    /// Rhythm.
    every: EveryBody,
    /// Day from which all days follow.
    first_date: Date,
    /// Last day on which an invoice can be made.
    last_date: Option<Date>,
    /// Number of invoices.
    #[schemars(example = &12)]
    count: Option<i64>,
    /// Whether each invoice is made on the last day of its month.
    last_day_of_month: bool,
    /// Result of each occurrence: a draft, a sent invoice, or one that is mailed.
    #[schemars(extend("enum" = names_of(Deliver::ALL)))]
    deliver: &'static str,
    /// Period of supply printed on each invoice.
    #[schemars(extend("enum" = names_of(SupplyPeriod::ALL)))]
    supply_period: &'static str,
    /// Next planned occurrence; null once it has ended.
    next: Option<NextBody>,
    /// Number of the occurrences that wait until you make or skip them.
    waiting_count: i64,
    /// Always `EUR`.
    #[schemars(extend("enum" = ["EUR"]))]
    currency: &'static str,
    /// Lines of the invoices.
    items: Vec<ItemBody<'r>>,
    /// Whether the unit prices include VAT.
    prices_include_vat: bool,
    #[serde(flatten)]
    particulars: ParticularsBody<'r>,
    /// VAT by rate and category, as the next invoice would have it.
    vat: Vec<VatBody>,
    /// Amount excluding VAT, after all discounts.
    subtotal: Amount,
    /// Amount of VAT.
    vat_total: Amount,
    /// Amount including VAT.
    total: Amount,
    /// Payment term of its invoices in days; null for that of the customer or the account.
    payment_term_days: Option<i64>,
    /// Text printed on the invoices.
    #[schemars(example = &"PO 7")]
    reference: Option<&'r str>,
    /// Text printed on the invoices.
    notes: Option<&'r str>,
    /// `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
}

/// An occurrence of a recurring invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Occurrence")]
struct OccurrenceBody {
    /// Number, from 1.
    #[schemars(example = &4)]
    n: i64,
    /// Day.
    date: Date,
    /// `planned`; `made`; `waiting` for you, because its day passed long ago; or `skipped`.
    #[schemars(extend("enum" = names_of(OccurrenceStatus::ALL)))]
    status: &'static str,
    /// Id of the invoice that was made.
    invoice_id: Option<i64>,
    /// First day of supply that the invoice states.
    supply_date: Option<Date>,
    /// Last day of supply that the invoice states.
    supply_until: Option<Date>,
    /// Amount including VAT, as the recurring invoice is now; null if none is to be made.
    total: Option<Amount>,
    /// Time of the last change; null for one that is planned.
    updated_at: Option<Moment>,
}

/// Next occurrences of a recurring invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OccurrencePreview")]
struct PreviewedBody {
    /// The occurrences, in order.
    data: Vec<OccurrenceBody>,
    /// Always null: there are no further pages.
    #[schemars(extend("enum" = [null]))]
    next_cursor: Option<&'static str>,
}

impl From<OccurrenceDetails> for OccurrenceBody {
    fn from(occurrence: OccurrenceDetails) -> Self {
        Self {
            n: occurrence.number,
            date: occurrence.date,
            status: occurrence.status.as_str(),
            invoice_id: occurrence.invoice_id,
            supply_date: occurrence.supply.map(|(first, _)| first),
            supply_until: occurrence.supply.map(|(_, last)| last),
            total: occurrence.total.map(Amount),
            updated_at: occurrence.updated_at.map(Moment),
        }
    }
}

impl Resource for RecurringDetails {
    type Key = i64;
    type Body<'r> = RecurringBody<'r>;
    const PATH: &'static str = "/recurring-invoices/{id}";
    const NAME: &'static str = "recurring invoice";

    fn key(&self) -> i64 {
        self.recurring.id
    }

    fn body(&self, _: &Context) -> RecurringBody<'_> {
        let recurring = &self.recurring;
        RecurringBody {
            id: recurring.id,
            customer: CustomerBody::of(recurring.contact_id, &recurring.customer),
            content: self.into(),
            created_at: Moment(recurring.created_at),
            updated_at: Moment(recurring.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        recurring::read(tx, cx, id)
    }
}

impl<'r> From<&'r RecurringDetails> for ContentBody<'r> {
    fn from(details: &'r RecurringDetails) -> Self {
        let recurring = &details.recurring;
        let next = recurring.next_date.map(|date| NextBody { n: recurring.next_number, date });
        Self {
            external_id: recurring.external_id.as_deref(),
            status: recurring.status.as_str(),
            paused_because: recurring.paused_because.map(PausedBecause::as_str),
            cause: recurring.cause.as_deref(),
            every: EveryBody { unit: recurring.every_unit.as_str(), count: recurring.every_count },
            first_date: recurring.first_date,
            last_date: recurring.last_date,
            count: recurring.occurrence_count,
            last_day_of_month: recurring.last_day_of_month,
            deliver: recurring.deliver.as_str(),
            supply_period: recurring.supply_period.as_str(),
            next,
            waiting_count: details.waiting,
            currency: "EUR",
            items: items(&recurring.content.lines, &details.shown),
            particulars: ParticularsBody::of(
                &recurring.particulars,
                &details.shown,
                details.language,
            ),
            prices_include_vat: recurring.prices_include_vat,
            vat: vat(&details.groups),
            subtotal: Amount(recurring.subtotal),
            vat_total: Amount(recurring.vat_total),
            total: Amount(recurring.total),
            payment_term_days: recurring.payment_term_days,
            reference: recurring.reference.as_deref(),
            notes: recurring.notes.as_deref(),
            source: recurring.source.as_str(),
        }
    }
}

impl Filter for RecurringFilter {
    fn read(query: &mut Query) -> Self {
        let states: Vec<_> =
            RecurringStatus::ALL.iter().map(|status| (status.as_str(), *status)).collect();
        Self {
            external_id: query.external_id(),
            status: query.choice(
                "status",
                "Returns only recurring invoices in this state.",
                &states,
            ),
            contact_id: query.integer(
                "contactId",
                "Returns only resources of this contact.",
                1,
                i64::MAX,
            ),
            text: query.text(
                "q",
                "Returns only recurring invoices whose customer or reference contains this text.",
                255,
            ),
            amount: None,
            updated: query.updated(),
        }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for RecurringDetails {
    type Filter = RecurringFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &RecurringFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        recurring::list(tx, cx, filter, before, limit)
    }
}

fn example() -> serde_json::Value {
    json!({
        "externalId": "subscription-1001",
        "customer": { "externalId": "c-42", "name": "Bakkerij De Korenaar", "country": "NL" },
        "items": [{ "description": "Hosting {month} {year}", "quantity": 1, "unitPrice": 45, "vatRate": 21 }],
        "every": { "unit": "month", "count": 1 }, "firstDate": "2036-01-01", "count": 12,
        "deliver": "draft", "supplyPeriod": "current", "reference": "PO 7",
    })
}

// Long: a table of operations.
pub(crate) fn operations() -> Vec<Operation> {
    // Any date will do, because the description does not depend on it.
    let any_day = civil::date(2026, 1, 1);
    vec![
        Operation::list_of::<RecurringDetails>("listRecurringInvoices")
            .says("List recurring invoices", "Newest first.")
            .for_dutch_accounts(),
        Operation::create::<RecurringBody<'_>, _, _>(
            "/recurring-invoices",
            "createRecurringInvoice",
            create,
        )
        .with_body(input::schema(|fields| new_recurring(fields, any_day)), example())
        .says(
            "Create a recurring invoice",
            "Nothing is booked until the first day. Each invoice is made within ten minutes of the \
             beginning of its day in Amsterdam and dated that day, once, whatever happens to the \
             servers and their clocks. One that is seven days late or more waits until you make or \
             skip it. If an invoice is refused, nothing is made and the recurring invoice is \
             paused, with the code in `cause`.",
        )
        .with_dry_run::<RecurringPreviewBody<'_>>()
        .or(&[TOO_MANY_ACTIVE])
        .for_dutch_accounts(),
        Operation::read_of::<RecurringDetails>("readRecurringInvoice")
            .says("Read a recurring invoice", "")
            .for_dutch_accounts(),
        Operation::change::<RecurringBody<'_>, _, _>(
            "/recurring-invoices/{id}",
            "editRecurringInvoice",
            edit,
        )
        .with_body(
            input::schema(|fields| edited_recurring(fields, any_day)),
            json!({ "notes": "Thank you for your trust.", "deliver": "sent" }),
        )
        .says(
            "Update a recurring invoice",
            "For what comes: invoices that were made stay. Absent fields stay unchanged; items are \
             replaced as a whole. With another rhythm, the days follow from `firstDate` or, without \
             one, from the next planned day.",
        )
        .or(&[NOT_FOUND, RECURRING_ENDED, PRECONDITION_FAILED])
        .for_dutch_accounts(),
        Operation::act_on::<RecurringDetails, ()>(
            "/recurring-invoices/{id}/pause",
            "pauseRecurringInvoice",
            json!({}),
            nothing,
            |tx, cx, id, ()| recurring::pause(tx, cx, id),
        )
        .says("Pause a recurring invoice", "Nothing is made until it is resumed.")
        .or_without_body()
        .or(&[NOT_FOUND, RECURRING_ENDED])
        .for_dutch_accounts(),
        Operation::act_on::<RecurringDetails, _>(
            "/recurring-invoices/{id}/resume",
            "resumeRecurringInvoice",
            json!({ "missed": "skip" }),
            resumption,
            |tx, cx, id, missed| recurring::resume(tx, cx, id, *missed),
        )
        .says(
            "Resume a recurring invoice",
            "Invoices whose day passed during the pause are skipped or, with `missed: ask`, wait \
             until you make or skip them.",
        )
        .or_without_body()
        .or(&[NOT_FOUND, RECURRING_ENDED, TOO_MANY_ACTIVE])
        .for_dutch_accounts(),
        Operation::act_on::<RecurringDetails, ()>(
            "/recurring-invoices/{id}/end",
            "endRecurringInvoice",
            json!({}),
            nothing,
            |tx, cx, id, ()| recurring::end(tx, cx, id),
        )
        .says("End a recurring invoice", "Nothing more is made. What waits can still be made.")
        .or_without_body()
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
        Operation::read::<PreviewedBody, _, _>(
            "/recurring-invoices/{id}/preview",
            "previewRecurringInvoice",
            preview_occurrences,
        )
        .says(
            "List the next occurrences",
            "The next planned ones; of a paused recurring invoice, those that would follow if it \
             were resumed today.",
        )
        .with_query(previewed)
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
        Operation::list::<OccurrenceBody, _, _>(
            "/recurring-invoices/{id}/occurrences",
            "listOccurrences",
            list_occurrences,
        )
        .says("List the occurrences so far", "Those made, skipped and waiting, by number.")
        .with_query(numbered)
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
        Operation::act::<OccurrenceBody, _, _>(
            "/recurring-invoices/{id}/occurrences/{n}/make",
            "makeOccurrence",
            Answer::Changed,
            make,
        )
        .with_body(input::schema(nothing), json!({}))
        .says(
            "Make the invoice of an occurrence",
            "Of one that waits, or whose day passed during a pause. The invoice is dated today. One \
             that was made already is returned as it is.",
        )
        .or_without_body()
        .or(&[NOT_FOUND, OCCURRENCE_NOT_OPEN, RECURRING_ENDED, PERIOD_FILED, YEAR_CLOSED])
        .for_dutch_accounts(),
        Operation::act::<OccurrenceBody, _, _>(
            "/recurring-invoices/{id}/occurrences/{n}/skip",
            "skipOccurrence",
            Answer::Changed,
            skip,
        )
        .with_body(input::schema(nothing), json!({}))
        .says("Skip an occurrence", "One that waits, or that is still planned.")
        .or_without_body()
        .or(&[NOT_FOUND, OCCURRENCE_NOT_OPEN, RECURRING_ENDED])
        .for_dutch_accounts(),
    ]
}

/// Reads a body without fields.
fn nothing(_: &mut Fields<'_, '_>) -> Parsed<()> {
    Parsed::new(None, Some(()))
}

/// Returns the recurring invoice that a creation would make, or the existing one with its external
/// id.
async fn preview(
    app: &AppState,
    cx: Context,
    parsed: Parsed<NewRecurring, Option<CustomerInput>>,
) -> Result<Response, Problem> {
    let (account, caller) = (cx.actor.account, cx.clone());
    let rehearsed = move |tx: &mut Tx<'_>| match &parsed.command {
        Some(command) => recurring::preview(tx, &caller, command),
        None => existing_or_faults(tx, &caller, &parsed).map(|details| {
            Created::Existing(RecurringPreview { details, has_new_contact: false, invoice: None })
        }),
    };
    match app.rehearse(account, rehearsed).await? {
        Created::New(preview) => {
            let recurring = &preview.details.recurring;
            let is_new = preview.has_new_contact;
            let body = RecurringPreviewBody {
                dry_run: true,
                customer: PreviewCustomerBody::of(
                    recurring.contact_id,
                    is_new,
                    &recurring.customer,
                ),
                content: (&preview.details).into(),
                entries: Vec::new(),
                warnings: preview.invoice.as_ref().map(WarningBody::of_quote).unwrap_or_default(),
            };
            Ok(reply::changed(&body).into_response())
        }
        Created::Existing(preview) => {
            let existing = Created::Existing(preview.details);
            Ok(created(&app.config().base_url, &cx, existing).into_response())
        }
    }
}

async fn create(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let is_dry_run = dry_run::is_asked(request.uri())?;
    let json = body::read(request).await?;
    let parsed = input::json(&json, |fields| new_recurring(fields, cx.today()));
    if is_dry_run {
        return preview(&app, cx, parsed).await;
    }
    let (account, base, caller) = (cx.actor.account, app.config().base_url.clone(), cx.clone());
    let show = move |outcome| created(&base, &caller, outcome);
    let creation = once::creation(account, "recurringInvoice", "/recurring-invoices", &json);
    match parsed.command {
        Some(command) => {
            let make = move |tx: &mut Tx<'_>| recurring::create(tx, &cx, &command);
            once::create(&app, account, creation, make, show).await
        }
        None => {
            let existing = move |tx: &mut Tx<'_>| existing_or_faults(tx, &cx, &parsed);
            once::existing(&app, account, creation, existing, show).await
        }
    }
}

fn created(base: &str, cx: &Context, outcome: Created<RecurringDetails>) -> reply::Reply {
    reply::created(
        outcome,
        |recurring| resource::address(base, recurring),
        |recurring| resource::shown(&recurring, cx),
    )
}

fn existing_or_faults(
    tx: &mut Tx<'_>,
    cx: &Context,
    parsed: &Parsed<NewRecurring, Option<CustomerInput>>,
) -> Result<RecurringDetails, Error> {
    if let Some(known) = recurring::find_by_external_id(tx, cx, parsed.external_id.as_deref())? {
        return Ok(known);
    }
    Err(Error::Invalid(with_customer_fault(tx, cx, &parsed.faults, parsed.partial.as_ref())?))
}

async fn edit(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let expected = Expected::of(request.headers());
    let json = body::read(request).await?;
    let id = query::id(&id, "recurring invoice")?;
    let (account, asker) = (cx.actor.account, cx.clone());
    let read = app.query(account, move |tx| recurring::read(tx, &asker, id)).await?.recurring;
    let dated = read.next_date.unwrap_or(read.priced_on);
    let parsed = input::json(&json, |fields| edited_recurring(fields, dated));
    let Some(command) = parsed.command else {
        let refuse = move |tx: &mut Tx<'_>| {
            with_customer_fault(tx, &cx, &parsed.faults, parsed.partial.as_ref())
        };
        return Err(Problem::invalid(app.query(account, refuse).await?));
    };
    resource::run_if(&app, cx, expected, move |tx, cx, expected| {
        recurring::edit(tx, cx, id, &command, expected)
    })
    .await
}

fn previewed(query: &mut Query) -> i64 {
    let meaning = "Number of occurrences. Default: 12.";
    query.integer("count", meaning, 1, MOST_PREVIEWED).unwrap_or(12)
}

async fn preview_occurrences(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let count = query::read(raw.as_deref(), previewed)?;
    let id = query::id(&id, "recurring invoice")?;
    let count = usize::try_from(count).unwrap_or(0);
    let planned =
        books.query(cx.actor.account, move |tx| recurring::upcoming(tx, &cx, id, count)).await?;
    let data = planned.into_iter().map(OccurrenceBody::from).collect();
    Ok(reply::resource(&headers, &PreviewedBody { data, next_cursor: None }))
}

/// Reads the filters, the number after which the page begins, and the number of rows.
fn numbered(query: &mut Query) -> (bool, Option<Updated>, i64, i64) {
    let wants_external_id = query.wants_external_id();
    let updated = query.updated();
    (wants_external_id, updated, query.cursor(query::whole).unwrap_or(0), query.limit())
}

async fn list_occurrences(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (wants_external_id, updated, after, limit) = listing.read(numbered)?;
    let id = query::id(&id, "recurring invoice")?;
    let account = cx.actor.account;
    let list = move |tx: &mut Tx<'_>| {
        let mut page = recurring::occurrences(tx, &cx, id, (after, updated), limit)?;
        if wants_external_id {
            page = Page::of(Vec::new(), limit);
        }
        let rows = reply::rows(
            &page,
            |last| last.number.to_string(),
            |row| reply::body(&OccurrenceBody::from(*row)),
        );
        rows.of_changes(tx, account, updated)
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

/// Executes a command on an occurrence.
async fn decide(
    app: AppState,
    cx: Context,
    (id, n): (String, String),
    request: Request,
    command: fn(&mut Tx<'_>, &Context, i64, i64) -> Result<OccurrenceDetails, Error>,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let (id, n) = (query::id(&id, "recurring invoice")?, query::id(&n, "occurrence")?);
    let parsed = input::json(&json, nothing);
    if parsed.command.is_none() {
        return Err(Problem::invalid(parsed.faults));
    }
    let account = cx.actor.account;
    let show = |occurrence| reply::changed(&OccurrenceBody::from(occurrence));
    let answer = once::answer(&app, account, move |tx| command(tx, &cx, id, n), show).await;
    app.wake_outbox();
    answer
}

async fn make(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(ids): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    decide(app, cx, ids, request, recurring::make).await
}

async fn skip(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(ids): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    decide(app, cx, ids, request, recurring::skip).await
}
