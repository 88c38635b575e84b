//! `/quotes`: offers to customers, from the draft to its invoices. Nothing of them is booked.

use super::{
    customer_links,
    invoice_body::{
        CustomerBody, InvoiceBody, ItemBody, ParticularsBody, PreviewCustomerBody,
        PreviewEntryBody, VatBody, WarningBody, items, vat,
    },
    invoices::{made, with_customer_fault},
};
use crate::{
    body, dry_run,
    moment::Moment,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query::{self, Query},
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
use ledger::{
    decimal::Decimal,
    quote::{DecidedBy, OnAccept, QuoteStatus},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    contacts::CustomerInput,
    invoices,
    quotes::{self, AskedQuote, NewQuote, QuoteDetails, QuotePreview},
};
use store::{Page, Tx, Updated, invoices::InvoiceKind, quotes::QuoteFilter};
use web_core::{
    AppState, ReadContext,
    capacity::Asker,
    catalogue::{
        ALREADY_INVOICED, IS_A_DRAFT, NOT_FOUND, PERIOD_FILED, PRECONDITION_FAILED, QUOTE_NOT_OPEN,
        YEAR_CLOSED,
    },
    http::entity_tags,
    input::{
        self, Fields, Parsed, edited_quote, names_of, new_quote, quote_acceptance, quote_refusal,
        quote_to_invoice,
    },
    problem::Problem,
    quotes::StepRefusal,
};

/// A quote.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Quote")]
pub(crate) struct QuoteBody<'q> {
    /// Id, unique within the account.
    id: i64,
    /// Number, unique and without gaps per year, in a series of its own.
    #[schemars(example = &"O-2026-0001")]
    number: &'q str,
    /// Customer of the quote.
    customer: CustomerBody<'q>,
    #[serde(flatten)]
    content: ContentBody<'q>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// A quote as it would be. It has no id, number and times.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QuotePreview")]
pub(crate) struct QuotePreviewBody<'q> {
    /// Always true.
    dry_run: bool,
    /// Customer of the quote.
    customer: PreviewCustomerBody<'q>,
    #[serde(flatten)]
    content: ContentBody<'q>,
    /// Entries that would be booked: none.
    entries: Vec<PreviewEntryBody>,
    /// Warnings about the customer, the VAT of the lines, and characters that cannot be printed.
    warnings: Vec<WarningBody>,
}

/// Fields of a quote that a dry run shows too.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ContentBody<'q> {
    /// Your own identifier.
    #[schemars(example = &"quote-1001")]
    external_id: Option<&'q str>,
    /// `draft`; `sent`; `accepted`; `refused`; `expired` from the day after `validUntil` on, unless
    /// the customer decided; `invoiced` in whole or by a final invoice; or `withdrawn`.
    #[schemars(extend("enum" = names_of(QuoteStatus::ALL)))]
    status: &'static str,
    /// Date of the quote. It determines the year of the number series and the VAT rates.
    quote_date: Date,
    /// Last day on which the customer can accept the quote.
    valid_until: Date,
    /// Always `EUR`.
    #[schemars(extend("enum" = ["EUR"]))]
    currency: &'static str,
    /// Lines of the quote.
    items: Vec<ItemBody<'q>>,
    /// Whether the unit prices include VAT.
    prices_include_vat: bool,
    #[serde(flatten)]
    particulars: ParticularsBody<'q>,
    /// VAT by rate and category, as an invoice of the quote date would have it.
    vat: Vec<VatBody>,
    /// Amount excluding VAT, after all discounts.
    subtotal: Amount,
    /// Amount of VAT.
    vat_total: Amount,
    /// Amount including VAT.
    total: Amount,
    /// Payment term of its invoices in days; null for that of the account.
    payment_term_days: Option<i64>,
    /// Part to be invoiced in advance, in per cent.
    #[schemars(example = &30)]
    prepayment_percent: Option<Number>,
    /// Step that follows the acceptance.
    #[schemars(extend("enum" = names_of(OnAccept::ALL)))]
    on_accept: &'static str,
    /// Code with which that step was refused; the quote is accepted all the same.
    #[schemars(example = &"period_filed")]
    on_accept_refused: Option<&'q str>,
    /// Decision on the quote.
    decision: Option<DecisionBody<'q>>,
    /// Ids of the invoices made from the quote, including withdrawn and credited ones.
    invoice_ids: Vec<i64>,
    /// Id of the quote that this one replaces once it is sent.
    replaces_id: Option<i64>,
    /// Address of the page on which the customer decides. Null until the quote is sent, while its
    /// link is withdrawn, and on servers without a secret.
    #[schemars(example = &"https://example.com/q/9Zk3vQ0aXc7LwT2bNfR8yP")]
    public_url: Option<&'q str>,
    /// Text printed on the document.
    #[schemars(example = &"PO 7")]
    reference: Option<&'q str>,
    /// Text printed on the document.
    notes: Option<&'q str>,
    /// Time at which the quote was first sent.
    sent_at: Option<Moment>,
    /// `api` or `app`.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
}

/// A decision on a quote.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "QuoteDecision")]
struct DecisionBody<'q> {
    /// `customer`, on the page of the quote, or `owner`.
    #[schemars(extend("enum" = names_of(DecidedBy::ALL)))]
    by: &'static str,
    /// Name of the person who decided; null if the owner accepted by invoicing.
    #[schemars(example = &"Anna de Bakker")]
    name: Option<&'q str>,
    /// Time of the decision.
    at: Option<Moment>,
    /// Note of the person who decided.
    #[schemars(example = &"Please begin in March.")]
    note: Option<&'q str>,
}

impl Resource for QuoteDetails {
    type Key = i64;
    type Body<'r> = QuoteBody<'r>;
    const PATH: &'static str = "/quotes/{id}";
    const NAME: &'static str = "quote";

    fn key(&self) -> i64 {
        self.quote.id
    }

    fn body(&self, _: &Context) -> QuoteBody<'_> {
        let quote = &self.quote;
        QuoteBody {
            id: quote.id,
            number: &quote.number,
            customer: CustomerBody::of(quote.contact_id, &quote.customer),
            content: self.into(),
            created_at: Moment(quote.created_at),
            updated_at: Moment(quote.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        quotes::read(tx, cx, id)
    }
}

impl<'q> From<&'q QuoteDetails> for ContentBody<'q> {
    fn from(details: &'q QuoteDetails) -> Self {
        let quote = &details.quote;
        let decision = quote.decided_by.map(|by| DecisionBody {
            by: by.as_str(),
            name: quote.decided_name.as_deref(),
            at: quote.decided_at.map(Moment),
            note: quote.decided_note.as_deref(),
        });
        Self {
            external_id: quote.external_id.as_deref(),
            status: details.status.as_str(),
            quote_date: quote.quote_date,
            valid_until: quote.valid_until,
            currency: "EUR",
            items: items(&quote.content.lines, &details.shown),
            particulars: ParticularsBody::of(&quote.particulars, &details.shown, details.language),
            prices_include_vat: quote.prices_include_vat,
            vat: vat(&details.groups),
            subtotal: Amount(quote.subtotal),
            vat_total: Amount(quote.vat_total),
            total: Amount(quote.total),
            payment_term_days: quote.payment_term_days,
            prepayment_percent: quote
                .prepayment_percent
                .map(|hundredths| Number(Decimal::new(hundredths, 2).normalize())),
            on_accept: quote.on_accept.as_str(),
            on_accept_refused: quote.on_accept_refused.as_deref(),
            decision,
            invoice_ids: quote.content.invoices.iter().map(|of| of.invoice_id).collect(),
            replaces_id: quote.replaces_id,
            public_url: details.public_url.as_deref(),
            reference: quote.reference.as_deref(),
            notes: quote.notes.as_deref(),
            sent_at: quote.sent_at.map(Moment),
            source: quote.source.as_str(),
        }
    }
}

impl Filter for QuoteFilter {
    fn read(query: &mut Query) -> Self {
        let states: Vec<_> =
            QuoteStatus::ALL.iter().map(|status| (status.as_str(), *status)).collect();
        Self {
            external_id: query.external_id(),
            status: query.choice("status", "Returns only quotes in this state.", &states),
            contact_id: query.integer(
                "contactId",
                "Returns only resources of this contact.",
                1,
                i64::MAX,
            ),
            text: query.text(
                "q",
                "Returns only quotes whose number, customer or reference contains this text.",
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

impl Listed for QuoteDetails {
    type Filter = QuoteFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &QuoteFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        quotes::list(tx, cx, filter, before, limit)
    }
}

fn example() -> serde_json::Value {
    json!({
        "externalId": "quote-1001", "quoteDate": "2026-11-20", "validUntil": "2026-12-20",
        "customer": { "externalId": "c-42", "name": "Bakkerij De Korenaar", "country": "NL" },
        "items": [{ "description": "Design of a web page", "quantity": 8, "unitPrice": 95.50, "vatRate": 21 }],
        "prepaymentPercent": 30, "onAccept": "nothing", "reference": "PO 7",
    })
}

const NOT_OPEN: &[&web_core::catalogue::ProblemKind] = &[NOT_FOUND, QUOTE_NOT_OPEN];

// Long: a table of operations.
pub(crate) fn operations() -> Vec<Operation> {
    // Any date will do, because the description does not depend on it.
    let any_day = civil::date(2026, 1, 1);
    let own = vec![
        Operation::list_of::<QuoteDetails>("listQuotes")
            .says("List quotes", "Newest first.")
            .for_dutch_accounts(),
        Operation::create::<QuoteBody<'_>, _, _>("/quotes", "createQuote", create)
            .with_body(input::schema(|fields| new_quote(fields, any_day)), example())
            .says(
                "Create a quote",
                "Makes a draft with the next number of its own series. Nothing is booked.",
            )
            .with_dry_run::<QuotePreviewBody<'_>>()
            .for_dutch_accounts(),
        Operation::read_of::<QuoteDetails>("readQuote")
            .says("Read a quote", "")
            .for_dutch_accounts(),
        Operation::change::<QuoteBody<'_>, _, _>("/quotes/{id}", "editQuote", edit)
            .with_body(
                input::schema(|fields| edited_quote(fields, any_day)),
                json!({ "validUntil": "2026-12-24", "notes": "Prices are valid until the end of the year." }),
            )
            .says(
                "Update a draft",
                "Absent fields stay unchanged; items are replaced as a whole. A sent quote never \
                 changes: revise it.",
            )
            .or(&[NOT_FOUND, QUOTE_NOT_OPEN, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::file("/quotes/{id}/pdf", "readQuotePdf", &["application/pdf"], pdf)
            .says(
                "Read a quote as PDF",
                "The file of a sent quote is created once and never changes. A draft is marked as \
                 such. A quote has no e-invoice.",
            )
            .or(&[NOT_FOUND])
            .for_dutch_accounts(),
        Operation::act_on::<QuoteDetails, ()>(
            "/quotes/{id}/mark-sent",
            "markQuoteSent",
            json!({}),
            nothing,
            |tx, cx, id, ()| quotes::mark_sent(tx, cx, id),
        )
        .says(
            "Mark a draft as sent",
            "For a quote that is sent in another way than by mail. From then on it never changes, \
             and its customer has a page (`publicUrl`). A quote that it replaces is withdrawn.",
        )
        .or_without_body()
        .or(NOT_OPEN)
        .for_dutch_accounts(),
        Operation::act::<QuoteBody<'_>, _, _>(
            "/quotes/{id}/accept",
            "acceptQuote",
            Answer::Changed,
            accept,
        )
        .with_body(
            input::schema(quote_acceptance),
            json!({ "name": "Anna de Bakker", "note": "By telephone" }),
        )
        .says(
            "Accept a quote on the customer's behalf",
            "Also takes the step of `onAccept`. If that step is refused, the quote is accepted all \
             the same, and `onAcceptRefused` has the code.",
        )
        .or(NOT_OPEN)
        .for_dutch_accounts(),
        Operation::act_on::<QuoteDetails, _>(
            "/quotes/{id}/refuse",
            "refuseQuote",
            json!({ "name": "Anna de Bakker", "note": "Too late for us" }),
            quote_refusal,
            quotes::refuse,
        )
        .says("Refuse a quote on the customer's behalf", "")
        .or_without_body()
        .or(NOT_OPEN)
        .for_dutch_accounts(),
        Operation::act_on::<QuoteDetails, ()>(
            "/quotes/{id}/withdraw",
            "withdrawQuote",
            json!({}),
            nothing,
            |tx, cx, id, ()| quotes::withdraw(tx, cx, id),
        )
        .says("Withdraw a quote", "A draft, or a quote on which the customer did not decide.")
        .or_without_body()
        .or(NOT_OPEN)
        .for_dutch_accounts(),
        Operation::act_on::<QuoteDetails, ()>(
            "/quotes/{id}/reopen",
            "reopenQuote",
            json!({}),
            nothing,
            |tx, cx, id, ()| quotes::reopen(tx, cx, id),
        )
        .says(
            "Reopen a quote",
            "Takes back a decision or a withdrawal while no invoice of the quote stands: the \
             customer can decide again. A withdrawn draft is sent by this.",
        )
        .or_without_body()
        .or(NOT_OPEN)
        .for_dutch_accounts(),
        Operation::act::<QuoteBody<'_>, _, _>(
            "/quotes/{id}/revise",
            "reviseQuote",
            Answer::Created,
            revise,
        )
        .says(
            "Revise a sent quote",
            "Makes a draft with the same content, dated today (`replacesId`). Sending it withdraws \
             this quote. While that draft is not sent, it is returned again (200).",
        )
        .or(NOT_OPEN)
        .for_dutch_accounts(),
        Operation::act::<InvoiceBody<'_>, _, _>(
            "/quotes/{id}/invoice",
            "invoiceQuote",
            Answer::Created,
            invoice,
        )
        .with_body(
            input::schema(quote_to_invoice),
            json!({ "externalId": "quote-1001-deposit", "kind": "prepayment", "percent": 30 }),
        )
        .says(
            "Invoice a quote",
            "Makes an invoice of the `whole` quote, a `prepayment`, or the `final` invoice, which \
             sets off the prepayments. A quote that is still open is accepted by this. A quote is \
             invoiced once: withdrawing or crediting the invoice releases it.",
        )
        .or(&[NOT_FOUND, QUOTE_NOT_OPEN, ALREADY_INVOICED, IS_A_DRAFT, PERIOD_FILED, YEAR_CLOSED])
        .for_dutch_accounts(),
    ];
    let links = customer_links::operations::<QuoteDetails>(
        "/quotes/{id}/link",
        ["readQuoteLink", "renewQuoteLink", "withdrawQuoteLink"],
        [
            "Read the link of a quote's page",
            "Renew the link of a quote's page",
            "Withdraw the link of a quote's page",
        ],
    );
    own.into_iter().chain(links).collect()
}

/// Reads a body without fields.
fn nothing(_: &mut Fields<'_, '_>) -> Parsed<()> {
    Parsed::new(None, Some(()))
}

/// Returns the quote that a creation would make, or the existing one with its external id.
async fn preview(
    app: &AppState,
    cx: Context,
    parsed: Parsed<NewQuote, Option<CustomerInput>>,
) -> Result<Response, Problem> {
    let (account, caller) = (cx.actor.account, cx.clone());
    let rehearsed = move |tx: &mut Tx<'_>| match &parsed.command {
        Some(command) => quotes::preview(tx, &caller, command),
        None => existing_or_faults(tx, &caller, &parsed).map(|details| {
            Created::Existing(QuotePreview { details, has_new_contact: false, invoice: None })
        }),
    };
    match app.rehearse(account, rehearsed).await? {
        Created::New(preview) => {
            let quote = &preview.details.quote;
            let is_new = preview.has_new_contact;
            let body = QuotePreviewBody {
                dry_run: true,
                customer: PreviewCustomerBody::of(quote.contact_id, is_new, &quote.customer),
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
    let parsed = input::json(&json, |fields| new_quote(fields, cx.today()));
    if is_dry_run {
        return preview(&app, cx, parsed).await;
    }
    let (account, base, caller) = (cx.actor.account, app.config().base_url.clone(), cx.clone());
    let show = move |outcome| created(&base, &caller, outcome);
    let creation = once::creation(account, "quote", "/quotes", &json);
    match parsed.command {
        Some(command) => {
            let make = move |tx: &mut Tx<'_>| quotes::create(tx, &cx, &command);
            once::create(&app, account, creation, make, show).await
        }
        None => {
            let existing = move |tx: &mut Tx<'_>| existing_or_faults(tx, &cx, &parsed);
            once::existing(&app, account, creation, existing, show).await
        }
    }
}

fn created(base: &str, cx: &Context, outcome: Created<QuoteDetails>) -> reply::Reply {
    reply::created(
        outcome,
        |quote| resource::address(base, quote),
        |quote| resource::shown(&quote, cx),
    )
}

fn existing_or_faults(
    tx: &mut Tx<'_>,
    cx: &Context,
    parsed: &Parsed<NewQuote, Option<CustomerInput>>,
) -> Result<QuoteDetails, Error> {
    if let Some(known) = quotes::find_by_external_id(tx, cx, parsed.external_id.as_deref())? {
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
    let id = query::id(&id, "quote")?;
    let (account, asker) = (cx.actor.account, cx.clone());
    let dated = app.query(account, move |tx| quotes::read(tx, &asker, id)).await?.quote.quote_date;
    let parsed = input::json(&json, |fields| edited_quote(fields, dated));
    let Some(command) = parsed.command else {
        let refuse = move |tx: &mut Tx<'_>| {
            with_customer_fault(tx, &cx, &parsed.faults, parsed.partial.as_ref())
        };
        return Err(Problem::invalid(app.query(account, refuse).await?));
    };
    resource::run_if(&app, cx, expected, move |tx, cx, expected| {
        quotes::edit(tx, cx, id, &command, expected)
    })
    .await
}

async fn pdf(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "quote")?;
    let asker = cx.clone();
    let (number, asked): (String, AskedQuote) =
        books.query(cx.actor.account, move |tx| quotes::ask(tx, &asker, id)).await?;
    // Gives back the snapshot, because creating the document may have to wait for capacity.
    books.give_back();
    let bytes = web_core::quotes::pdf(&app, cx, asked, Asker::Visitor).await?;
    Ok(entity_tags::file(&headers, bytes, "application/pdf", &quotes::file_name(&number)))
}

async fn accept(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, "quote")?;
    let parsed = input::json(&json, quote_acceptance);
    let Some(decision) = parsed.command else {
        app.query(cx.actor.account, move |tx| quotes::require(tx, &cx, id)).await?;
        return Err(Problem::invalid(parsed.faults));
    };
    let refusal = StepRefusal::default();
    let (first, attempted) = (refusal.clone(), decision.clone());
    let answer =
        resource::run(&app, cx.clone(), move |tx, cx| first.accept(tx, cx, id, &attempted));
    let answer = match (answer.await, refusal.code()) {
        (Err(_), Some(code)) => {
            let decision = service::quotes::Decision { refused_step: Some(code), ..decision };
            resource::run(&app, cx, move |tx, cx| refusal.accept(tx, cx, id, &decision)).await
        }
        (answer, _) => answer,
    };
    app.wake_outbox();
    answer
}

async fn revise(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, "quote")?;
    let (account, base, caller) = (cx.actor.account, app.config().base_url.clone(), cx.clone());
    let show = move |outcome| created(&base, &caller, outcome);
    once::answer(&app, account, move |tx| quotes::revise(tx, &cx, id), show).await
}

async fn invoice(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let id = query::id(&id, "quote")?;
    let parsed = input::json(&json, quote_to_invoice);
    let account = cx.actor.account;
    let base = app.config().base_url.clone();
    let show = move |outcome| made(&base, outcome);
    let creation = once::creation(account, "invoice", &format!("/quotes/{id}/invoice"), &json);
    match parsed.command {
        Some(command) => {
            let make = move |tx: &mut Tx<'_>| quotes::invoice(tx, &cx, id, &command);
            once::create(&app, account, creation, make, show).await
        }
        None => {
            let known = move |tx: &mut Tx<'_>| {
                quotes::require(tx, &cx, id)?;
                let known = invoices::find_by_external_id(
                    tx,
                    &cx,
                    InvoiceKind::Invoice,
                    parsed.external_id.as_deref(),
                )?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}
