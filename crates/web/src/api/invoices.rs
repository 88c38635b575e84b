//! Invoices: made, read, listed, edited while drafts.

use super::{
    body::{self, Json},
    contacts::AddressBody,
    fields::{self, names, or_null},
    invoice_fields::{CATEGORIES, STATUSES, edited_invoice, new_invoice},
    number::{Amount, Number},
    openapi::posting_box_names,
    operation::Operation,
    query::{self, Query, page_of},
    reply,
};
use crate::{
    App, Reading,
    catalogue::{NOT_A_DRAFT, NOT_FOUND, PERIOD_FILED, PRECONDITION_FAILED},
    problem::Problem,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderMap, header},
    response::Response,
};
use jiff::{
    Timestamp,
    civil::{self, Date},
};
use ledger::calendar::{self, Quarter};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Actor, Created, Error, Fault,
    contacts::{self, CustomerGiven},
    invoices::{self, InvoiceView, NewInvoice},
};
use store::{
    contacts::Party,
    invoices::{InvoiceFilter, Kind},
};

/// An invoice or a credit note.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Invoice")]
pub(super) struct InvoiceBody<'v> {
    /// Unique in the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'v str>,
    /// `invoice` or `creditNote`.
    #[schemars(extend("enum" = names(KINDS)))]
    kind: &'static str,
    /// Its number: unique, without gaps per year.
    #[schemars(example = &"2026-0001")]
    number: &'v str,
    /// `draft` or `sent`.
    #[schemars(extend("enum" = names(STATUSES)))]
    status: &'static str,
    /// Whether nothing is to be received any more. A draft is not paid; a credit note is settled with its invoice.
    paid: bool,
    /// The day since when it is paid.
    paid_at: Option<Date>,
    /// The day that decides the VAT period.
    invoice_date: Date,
    /// The last day to pay.
    due_date: Date,
    /// The VAT period that it counts in.
    vat_period: PeriodBody,
    /// Always `EUR`.
    #[schemars(extend("enum" = ["EUR"]))]
    currency: &'static str,
    /// Who is invoiced.
    customer: CustomerBody<'v>,
    /// The lines.
    items: Vec<ItemBody<'v>>,
    /// The VAT, by rate and category.
    vat: Vec<VatBody>,
    /// Excluding VAT.
    subtotal: Amount,
    /// The VAT.
    vat_total: Amount,
    /// Including VAT; negative on a credit note.
    total: Amount,
    /// What was received on it.
    amount_paid: Amount,
    /// What credit notes took back of it.
    amount_credited: Amount,
    /// Still to be received.
    amount_due: Amount,
    /// The journal entries behind it: its booking, and after an edit the reversal and the new booking.
    entry_ids: &'v [i64],
    /// The invoice that a credit note takes back.
    credited_invoice_id: Option<i64>,
    /// Printed on it.
    #[schemars(example = &"PO 7")]
    reference: Option<&'v str>,
    /// Printed on it.
    notes: Option<&'v str>,
    /// What is legal but incomplete.
    warnings: Vec<WarningBody>,
    /// `api` or `app`: where it was made.
    #[schemars(extend("enum" = ["api", "app"]))]
    source: &'static str,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
}

/// The VAT period that a document counts in.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatPeriod")]
struct PeriodBody {
    /// The year.
    year: i16,
    /// The quarter, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
}

/// The customer, as the document keeps it; a later change of the contact does not change it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Customer")]
struct CustomerBody<'v> {
    /// The contact.
    contact_id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'v str>,
    /// A person's or a company's name.
    name: &'v str,
    /// ISO 3166-1 alpha-2.
    #[schemars(example = &"NL")]
    country: &'v str,
    /// An e-mail address.
    #[schemars(example = &"administratie@korenaar.example")]
    email: Option<&'v str>,
    /// A VAT number, in its compact form.
    #[schemars(example = &"NL002455799B11")]
    vat_number: Option<&'v str>,
    /// A number of the Dutch chamber of commerce.
    #[schemars(example = &"12345678")]
    kvk_number: Option<&'v str>,
    /// Whom to ask for.
    #[schemars(example = &"Anna de Bakker")]
    contact_person: Option<&'v str>,
    /// A postal address.
    address: Option<AddressBody<'v>>,
}

/// A line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InvoiceItem")]
struct ItemBody<'v> {
    /// What is sold.
    description: &'v str,
    /// How many.
    quantity: Number,
    /// Euros per unit, excluding VAT.
    unit_price: Number,
    /// Per cent.
    vat_rate: Number,
    /// `standard`, `zero`, `exempt`, `reverseCharge`, `intraCommunity`, `export` or `outOfScope`.
    #[schemars(extend("enum" = names(CATEGORIES)))]
    vat_category: &'static str,
    /// Quantity times unit price, excluding VAT.
    amount: Amount,
}

/// The VAT of a rate and category.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "InvoiceVat")]
struct VatBody {
    /// Per cent.
    rate: Number,
    /// Why the VAT is what it is.
    #[schemars(extend("enum" = names(CATEGORIES)))]
    category: &'static str,
    /// Excluding VAT.
    base: Amount,
    /// The VAT.
    amount: Amount,
    /// The box of the VAT return, such as `1a`; none where it is not declared.
    #[schemars(extend("enum" = or_null(posting_box_names())))]
    r#box: Option<&'static str>,
}

/// What is legal but incomplete.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Warning")]
struct WarningBody {
    /// Stable, `snake_case`.
    code: &'static str,
    /// What to do about it.
    message: &'static str,
}

impl<'v> CustomerBody<'v> {
    fn of(contact_id: i64, party: &'v Party) -> Self {
        Self {
            contact_id,
            external_id: party.external_id.as_deref(),
            name: &party.name,
            country: party.country.as_str(),
            email: party.email.as_deref(),
            vat_number: party.vat_number.as_deref(),
            kvk_number: party.kvk_number.as_deref(),
            contact_person: party.contact_person.as_deref(),
            address: AddressBody::of(party),
        }
    }
}

impl<'v> From<&'v InvoiceView> for InvoiceBody<'v> {
    fn from(view: &'v InvoiceView) -> Self {
        let invoice = &view.invoice;
        let quarter = Quarter::of(invoice.invoice_date);
        Self {
            id: invoice.id,
            external_id: invoice.external_id.as_deref(),
            kind: invoice.kind.as_str(),
            number: &invoice.number,
            status: invoice.status.as_str(),
            paid: view.paid(),
            paid_at: invoice.paid_at,
            invoice_date: invoice.invoice_date,
            due_date: invoice.due_date,
            vat_period: PeriodBody { year: quarter.year(), quarter: quarter.number() },
            currency: "EUR",
            customer: CustomerBody::of(invoice.contact_id, &invoice.customer),
            items: view
                .lines
                .iter()
                .map(|(line, amount)| ItemBody {
                    description: &line.description,
                    quantity: Number(line.quantity),
                    unit_price: Number(line.unit_price),
                    vat_rate: Number(line.vat_rate.percent()),
                    vat_category: line.vat_category.as_str(),
                    amount: Amount(*amount),
                })
                .collect(),
            vat: view
                .groups
                .iter()
                .map(|group| VatBody {
                    rate: Number(group.rate.percent()),
                    category: group.category.as_str(),
                    base: Amount(group.base),
                    amount: Amount(group.amount),
                    r#box: group.vat_box.map(ledger::vat::VatBox::as_str),
                })
                .collect(),
            subtotal: Amount(invoice.subtotal),
            vat_total: Amount(invoice.vat_total),
            total: Amount(invoice.total),
            amount_paid: Amount(invoice.amount_paid),
            amount_credited: Amount(invoice.amount_credited),
            amount_due: Amount(view.amount_due()),
            entry_ids: &view.entry_ids,
            credited_invoice_id: invoice.credited_invoice_id,
            reference: invoice.reference.as_deref(),
            notes: invoice.notes.as_deref(),
            warnings: view
                .warnings()
                .into_iter()
                .map(|warning| WarningBody { code: warning.code, message: warning.message })
                .collect(),
            source: invoice.source.as_str(),
            created_at: invoice.created_at,
            updated_at: invoice.updated_at,
        }
    }
}

pub(super) fn operations() -> Vec<Operation> {
    // Only descriptions are made from it.
    let any_day = civil::date(2026, 1, 1);
    vec![
        Operation::list::<InvoiceBody<'_>, _, _>("/invoices", "listInvoices", list)
            .says("List invoices and credit notes", "Newest first.")
            .with_query(filter),
        Operation::create::<InvoiceBody<'_>, _, _>("/invoices", "createInvoice", create)
            .says(
                "Make an invoice",
                "It is booked, numbered and placed on the VAT return at once, as a draft too, exactly as one that is made in the application. \
                 A draft cannot be deleted: to take it back, send it and credit it.",
            )
            .with_body(
                fields::schema(|fields| new_invoice(fields, any_day)),
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
            .or(&[PERIOD_FILED])
            .for_dutch_accounts(),
        Operation::read::<InvoiceBody<'_>, _, _>("/invoices/{id}", "readInvoice", read)
            .says("Read an invoice or credit note", "")
            .or(&[NOT_FOUND]),
        Operation::change::<InvoiceBody<'_>, _, _>("/invoices/{id}", "editInvoice", edit)
            .says(
                "Edit or send a draft",
                "What is not given stays; items are replaced as a whole. The old booking is reversed and a new one made; the number stays. An edit \
                 that changes nothing leaves `updatedAt`, `ETag` and the books as they are. When the customer's country changes and no items are \
                 given, a `vatCategory` that the old country gave by itself becomes what the new one gives; every other stays.",
            )
            .with_body(
                fields::schema(|fields| edited_invoice(fields, any_day)),
                json!({
                    "status": "sent",
                    "items": [{ "description": "Design of a web page", "quantity": 9, "unitPrice": 95.50, "vatRate": 21 }],
                }),
            )
            .or(&[NOT_FOUND, NOT_A_DRAFT, PERIOD_FILED, PRECONDITION_FAILED])
            .for_dutch_accounts(),
    ]
}

const KINDS: &[(&str, Kind)] = &[("invoice", Kind::Invoice), ("creditNote", Kind::CreditNote)];

fn filter(query: &mut Query) -> (InvoiceFilter, i64, i64) {
    let filter = InvoiceFilter {
        status: query.choice("status", "Only drafts, or only what is sent.", STATUSES),
        paid: query.flag("paid", "Only what is paid, or only what is not."),
        kind: query.choice("kind", "Only invoices, or only credit notes.", KINDS),
        from: query.day("from", "Only those dated on this day or later."),
        to: query.day("to", "Only those dated on this day or earlier."),
        external_id: query.text("externalId", "Only those with this identifier of yours.", 255),
        number: query.text("number", "Only the one with this number.", 100),
        contact_id: query.integer("contactId", "Only those of this contact.", 1, i64::MAX),
        updated_since: query.moment("updatedSince", "Only those that were made or changed at this moment or later."),
    };
    (filter, query.cursor(query::whole).unwrap_or(i64::MAX), query.limit())
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (filter, before, limit) = query::read(raw.as_deref(), filter)?;
    let rows = books.ask(move |tx| invoices::list(tx, &actor, &filter, before, limit + 1)).await?;
    let (rows, next) = page_of(rows, limit, |last| last.invoice.id.to_string());
    let address = format!("{}/api/v1/invoices", app.settings().base_url);
    Ok(reply::page(rows.iter().map(InvoiceBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "invoice")?;
    let view = books.ask(move |tx| invoices::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &InvoiceBody::from(&view)))
}

async fn edit(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let expected: Vec<String> =
        request.headers().get_all(header::IF_MATCH).iter().map(|tags| tags.to_str().unwrap_or("").to_owned()).collect();
    let tagged = expected.iter().any(|tags| reply::are_strong_tags(tags));
    let json = body::read(request).await?;
    let id = query::id(&id, "invoice")?;
    let asker = actor.clone();
    let dated = app.read(move |tx| invoices::read(tx, &asker, id)).await?.invoice.invoice_date;
    let mut faults = Vec::new();
    let command = fields::read(&json, &mut faults, |fields| edited_invoice(fields, dated));
    if !faults.is_empty() {
        let refuse = move |tx: &mut store::Tx<'_>| with_customer_fault(tx, &actor, &faults, command.customer.as_ref());
        return Err(Problem::invalid(app.read(refuse).await?));
    }
    let (now, account) = (app.now(), actor.account);
    let edit = move |tx: &mut store::Tx<'_>| {
        let as_expected = |view: &InvoiceView| reply::matches(&expected, &InvoiceBody::from(view));
        invoices::edit(tx, &actor, now, id, &command, &as_expected)
    };
    let view = app.write_for(account, edit).await.map_err(|error| match error {
        Error::Changed if !tagged => Problem::new(
            PRECONDITION_FAILED,
            "If-Match names no state: send the ETag as it was given, whole, with its quotation marks and without W/.",
        ),
        error => error.into(),
    })?;
    Ok(reply::changed(&InvoiceBody::from(&view)))
}

/// What could be read of a payload: enough to recognise a repeat and to name every fault.
struct Given {
    external_id: Option<String>,
    customer: Option<CustomerGiven>,
    command: Option<NewInvoice>,
    faults: Vec<Fault>,
}

async fn create(State(app): State<App>, Extension(actor): Extension<Actor>, request: Request) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    let now = app.now();
    let given = read_invoice(&json, calendar::amsterdam_today(now));
    let outcome = match given.command {
        Some(command) => app.write_for(actor.account, move |tx| invoices::create(tx, &actor, now, &command)).await?,
        None => Created::Known(app.read(move |tx| known_or_faults(tx, &actor, &given)).await?),
    };
    Ok(made(&app, outcome))
}

/// The answer to making an invoice or credit note.
pub(super) fn made(app: &App, outcome: Created<InvoiceView>) -> Response {
    let base = &app.settings().base_url;
    let location = |view: &InvoiceView| format!("{base}/api/v1/invoices/{}", view.invoice.id);
    reply::created(outcome, location, |view| reply::body(&InvoiceBody::from(&view)))
}

/// A repeat is answered with what is there, even when the rest of it is invalid (contract, §2).
fn known_or_faults(tx: &mut store::Tx<'_>, actor: &Actor, given: &Given) -> Result<InvoiceView, Error> {
    if let Some(known) = invoices::known(tx, actor, Kind::Invoice, given.external_id.as_deref())? {
        return Ok(known);
    }
    Err(Error::Invalid(with_customer_fault(tx, actor, &given.faults, given.customer.as_ref())?))
}

/// The faults of a body, and that of its customer, which only the books can tell.
fn with_customer_fault(
    tx: &mut store::Tx<'_>,
    actor: &Actor,
    faults: &[Fault],
    customer: Option<&CustomerGiven>,
) -> Result<Vec<Fault>, Error> {
    let mut faults = faults.to_vec();
    if let Some(customer) = customer {
        faults.extend(contacts::customer_fault(tx, actor.account, customer)?);
    }
    Ok(faults)
}

fn read_invoice(json: &Json, today: Date) -> Given {
    let mut faults = Vec::new();
    let (external_id, customer, command) = fields::read(json, &mut faults, |fields| new_invoice(fields, today));
    let command = command.filter(|_| faults.is_empty());
    Given { external_id, customer, command, faults }
}

#[cfg(fuzzing)]
pub(super) fn try_body(json: &Json, day: Date) {
    let given = read_invoice(json, day);
    assert_eq!(given.command.is_some(), given.faults.is_empty());
    fields::read(json, &mut Vec::new(), |fields| edited_invoice(fields, day));
}
