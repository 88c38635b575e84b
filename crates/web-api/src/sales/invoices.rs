//! Invoices: reading and listing, and the life of a draft.

use super::{
    customer_links,
    invoice_body::{InvoiceBody, InvoicePreviewBody, KINDS},
};
use crate::{
    body, dry_run, once,
    operation::Operation,
    query::{self, Query},
    reply::{self, Reply},
    resource::{self, Cancellable, Expected, Filter, Listed, Resource},
    undoing::{Takes, Undoing},
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use jiff::civil;
#[cfg(fuzzing)]
use jiff::civil::Date;
use serde_json::json;
use service::{
    Context, Created, Error, Fault,
    contacts::{self, CustomerInput},
    invoices::{self, InvoiceDetails, InvoicePreview, NewInvoice, SupplyDays},
};
use store::{
    Page, Tx, Updated,
    invoices::{InvoiceFilter, InvoiceKind, Status},
};
use web_core::{
    AppState,
    catalogue::{
        CORRECTION_TOO_LARGE, IS_OPENING_ITEM, NOT_A_DRAFT, NOT_FOUND, PERIOD_FILED,
        PRECONDITION_FAILED, YEAR_CLOSED,
    },
    input::{self, Parsed, edited_invoice, new_invoice},
    problem::Problem,
};

impl Resource for InvoiceDetails {
    type Key = i64;
    type Body<'r> = InvoiceBody<'r>;
    const PATH: &'static str = "/invoices/{id}";
    const NAME: &'static str = "invoice";

    fn key(&self) -> i64 {
        self.invoice.id
    }

    fn body(&self, _: &Context) -> InvoiceBody<'_> {
        self.into()
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        invoices::read(tx, cx, id)
    }
}

/// Values of the filter `status`.
const STATES: &[(&str, Status)] =
    &[("draft", Status::Draft), ("sent", Status::Sent), ("cancelled", Status::Cancelled)];

impl Filter for InvoiceFilter {
    fn read(query: &mut Query) -> Self {
        Self {
            status: query.choice(
                "status",
                "Returns only drafts, only sent documents, or only cancelled drafts.",
                STATES,
            ),
            paid: query.flag("paid", "Returns only paid or only unpaid documents."),
            kind: query.choice("kind", "Returns only invoices, or only credit notes.", KINDS),
            from: query.day("from", "Returns only documents dated on or after this date."),
            to: query.day("to", "Returns only documents dated on or before this date."),
            external_id: query.text(
                "externalId",
                "Returns only resources with this external identifier.",
                255,
            ),
            number: query.text("number", "Returns only the document with this number.", 100),
            contact_id: query.integer(
                "contactId",
                "Returns only resources of this contact.",
                1,
                i64::MAX,
            ),
            quote_id: query.integer(
                "quoteId",
                "Returns only invoices that were made from this quote.",
                1,
                i64::MAX,
            ),
            recurring_id: query.integer(
                "recurringInvoiceId",
                "Returns only invoices that were made from this recurring invoice.",
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

impl Listed for InvoiceDetails {
    type Filter = InvoiceFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &InvoiceFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        invoices::list(tx, cx, filter, before, limit)
    }
}

impl Cancellable for InvoiceDetails {
    const TAKES: Takes = Takes::Correction;

    fn cancel(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        how: Undoing,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        invoices::cancel(tx, cx, id, how.if_filed, expected)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    // Any date will do, because the description does not depend on it.
    let any_day = civil::date(2026, 1, 1);
    let own = vec![
        Operation::list_of::<InvoiceDetails>("listInvoices").says("List invoices and credit notes", "Newest first."),
        Operation::create::<InvoiceBody<'_>, _, _>("/invoices", "createInvoice", create)
            .says(
                "Create an invoice",
                "Books and numbers the invoice and includes it in the VAT return at once, even as \
                 a draft. Use DELETE to withdraw a draft.",
            )
            .with_body(
                input::schema(|fields| new_invoice(fields, any_day)),
                json!({
                    "externalId": "order-1001", "invoiceDate": "2026-11-20", "status": "sent", "paymentTermDays": 14,
                    "customer": { "externalId": "c-42", "name": "Bakkerij De Korenaar", "country": "NL" },
                    "items": [
                        { "description": "Design of a web page", "quantity": 8, "unitPrice": 95.50, "vatRate": 21 },
                        { "description": "Printed guide", "quantity": 2, "unitPrice": 12.50, "vatRate": 9 },
                    ],
                    "reference": "PO 7", "notes": "Thank you for your order.",
                }),
            )
            .with_dry_run::<InvoicePreviewBody<'_>>()
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE, YEAR_CLOSED])
            .for_dutch_accounts(),
        Operation::read_of::<InvoiceDetails>("readInvoice").says("Read an invoice or credit note", ""),
        Operation::change::<InvoiceBody<'_>, _, _>("/invoices/{id}", "editInvoice", edit)
            .says(
                "Update or finalise a draft",
                "Absent fields stay unchanged; items are replaced as a whole. The old booking is \
                 reversed and a new one made; the number stays the same. An edit without a change \
                 leaves `updatedAt`, `ETag` and the books as they are. If the customer's country \
                 changes and no items are given, each `vatCategory` that was derived from the old \
                 country is derived from the new one; others stay.",
            )
            .with_body(
                input::schema(|fields| edited_invoice(fields, any_day, SupplyDays::default())),
                json!({
                    "status": "sent",
                    "items": [{ "description": "Design of a web page", "quantity": 9, "unitPrice": 95.50, "vatRate": 21 }],
                }),
            )
            .with_dry_run::<InvoicePreviewBody<'_>>()
            .or(&[NOT_FOUND, NOT_A_DRAFT, IS_OPENING_ITEM, PERIOD_FILED, CORRECTION_TOO_LARGE, YEAR_CLOSED, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::cancel_of::<InvoiceDetails>("cancelInvoice")
            .says(
                "Delete a draft",
                "Reverses the booking and sets the status to `cancelled`. The number stays used, \
                 and the `externalId` still identifies the invoice. Prepayments that it set off \
                 become available again. A cancelled draft is returned unchanged.",
            )
            .or(&[NOT_FOUND, NOT_A_DRAFT, IS_OPENING_ITEM, PERIOD_FILED, CORRECTION_TOO_LARGE, YEAR_CLOSED, PRECONDITION_FAILED])
            .for_dutch_accounts(),
    ];
    let links = customer_links::operations::<InvoiceDetails>(
        "/invoices/{id}/link",
        ["readInvoiceLink", "renewInvoiceLink", "withdrawInvoiceLink"],
        [
            "Read the link of an invoice's page",
            "Renew the link of an invoice's page",
            "Withdraw the link of an invoice's page",
        ],
    );
    own.into_iter().chain(links).collect()
}

async fn edit(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let is_dry_run = dry_run::is_asked(request.uri())?;
    let expected = Expected::of(request.headers());
    let json = body::read(request).await?;
    let id = query::id(&id, "invoice")?;
    let (account, asker) = (cx.actor.account, cx.clone());
    let now = app.query(account, move |tx| invoices::read(tx, &asker, id)).await?.invoice;
    let supplied = SupplyDays { first: now.supply_date, last: now.supply_until };
    let parsed = input::json(&json, |fields| edited_invoice(fields, now.invoice_date, supplied));
    let Some(command) = parsed.command else {
        let refuse = move |tx: &mut Tx<'_>| {
            with_customer_fault(tx, &cx, &parsed.faults, parsed.partial.as_ref())
        };
        return Err(Problem::invalid(app.query(account, refuse).await?));
    };
    if is_dry_run {
        let (reported, caller) = (expected.reported(), cx.clone());
        let rehearsed = move |tx: &mut Tx<'_>| {
            let as_expected = |stored: &InvoiceDetails| expected.is_met_by(&stored.body(&caller));
            invoices::preview_edit(tx, &caller, id, &command, &as_expected)
        };
        let preview = app.rehearse(account, rehearsed).await.map_err(reported)?;
        return Ok(previewed(&preview, &cx));
    }
    resource::run_if(&app, cx, expected, move |tx, cx, expected| {
        invoices::edit(tx, cx, id, &command, expected)
    })
    .await
}

/// Returns the response to a dry run.
fn previewed(preview: &InvoicePreview, cx: &Context) -> Response {
    let body = InvoicePreviewBody::new(preview, &cx.actor.own_accounts);
    reply::changed(&body).into_response()
}

/// Returns what the creation of an invoice would give, or the existing one with its external id.
async fn preview(app: &AppState, cx: Context, parsed: ParsedInvoice) -> Result<Response, Problem> {
    let (account, caller) = (cx.actor.account, cx.clone());
    let rehearsed = move |tx: &mut Tx<'_>| match &parsed.command {
        Some(command) => invoices::preview(tx, &caller, command),
        None => existing_or_faults(tx, &caller, &parsed).map(|details| {
            let (has_new_contact, entries) = (false, Vec::new());
            Created::Existing(InvoicePreview { details, has_new_contact, entries })
        }),
    };
    match app.rehearse(account, rehearsed).await? {
        Created::New(preview) => Ok(previewed(&preview, &cx)),
        Created::Existing(preview) => {
            let existing = Created::Existing(preview.details);
            Ok(made(&app.config().base_url, existing).into_response())
        }
    }
}

type ParsedInvoice = Parsed<NewInvoice, Option<CustomerInput>>;

async fn create(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    let is_dry_run = dry_run::is_asked(request.uri())?;
    let json = body::read(request).await?;
    let parsed = input::json(&json, |fields| new_invoice(fields, cx.today()));
    if is_dry_run {
        return preview(&app, cx, parsed).await;
    }
    let base = app.config().base_url.clone();
    let show = move |outcome| made(&base, outcome);
    let account = cx.actor.account;
    let creation = once::creation(account, "invoice", "/invoices", &json);
    match parsed.command {
        Some(command) => {
            once::create(
                &app,
                account,
                creation,
                move |tx| invoices::create(tx, &cx, &command),
                show,
            )
            .await
        }
        None => {
            once::existing(
                &app,
                account,
                creation,
                move |tx| existing_or_faults(tx, &cx, &parsed),
                show,
            )
            .await
        }
    }
}

/// Returns the response to a request that creates an invoice or credit note.
pub(crate) fn made(base: &str, outcome: Created<InvoiceDetails>) -> Reply {
    let location = |invoice: &InvoiceDetails| resource::address(base, invoice);
    reply::created(outcome, location, |invoice| reply::body(&InvoiceBody::from(&invoice)))
}

/// Returns the existing invoice with the external id in an invalid body. If no such invoice
/// exists, fails with the faults in the body.
fn existing_or_faults(
    tx: &mut Tx<'_>,
    cx: &Context,
    parsed: &ParsedInvoice,
) -> Result<InvoiceDetails, Error> {
    if let Some(known) =
        invoices::find_by_external_id(tx, cx, InvoiceKind::Invoice, parsed.external_id.as_deref())?
    {
        return Ok(known);
    }
    Err(Error::Invalid(with_customer_fault(tx, cx, &parsed.faults, parsed.partial.as_ref())?))
}

/// Adds the fault concerning the customer, if any, to the faults in a body. This fault can only be
/// found in the books.
pub(super) fn with_customer_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    faults: &[Fault],
    customer: Option<&CustomerInput>,
) -> Result<Vec<Fault>, Error> {
    let mut faults = faults.to_vec();
    if let Some(customer) = customer {
        faults.extend(contacts::customer_fault(tx, cx, customer)?);
    }
    Ok(faults)
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &input::Raw, day: Date) {
    let parsed = input::json(json, |fields| new_invoice(fields, day));
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
    input::json(json, |fields| edited_invoice(fields, day, SupplyDays::default()));
}
