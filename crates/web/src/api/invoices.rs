//! `POST /invoices` and `GET /invoices/{id}`.

use super::{
    body::{self, Json},
    fields::{self, Fields, Wrong},
    number::{Amount, Number},
    query::{self, Query},
    reply,
};
use crate::{App, Reading, problem::Problem};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::{self, Quarter},
    decimal::{self, Decimal},
    identifiers::{KvkNumber, VatNumber},
    vat::{VatCategory, VatRate},
};
use serde::Serialize;
use service::{
    Actor, Created, Error, Fault,
    contacts::{self, CustomerGiven},
    invoices::{self, Due, InvoiceView, LineGiven, NewInvoice},
};
use store::{
    contacts::Party,
    invoices::{Kind, Status},
};

/// Lines of an invoice at the most (contract, §9).
const MOST_ITEMS: usize = 500;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InvoiceBody<'v> {
    id: i64,
    external_id: Option<&'v str>,
    kind: &'static str,
    number: &'v str,
    status: &'static str,
    paid: bool,
    paid_at: Option<Date>,
    invoice_date: Date,
    due_date: Date,
    vat_period: PeriodBody,
    currency: &'static str,
    customer: CustomerBody<'v>,
    items: Vec<ItemBody<'v>>,
    vat: Vec<VatBody>,
    subtotal: Amount,
    vat_total: Amount,
    total: Amount,
    amount_paid: Amount,
    amount_credited: Amount,
    amount_due: Amount,
    entry_ids: &'v [i64],
    credited_invoice_id: Option<i64>,
    reference: Option<&'v str>,
    notes: Option<&'v str>,
    warnings: Vec<WarningBody>,
    source: &'static str,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Serialize)]
struct PeriodBody {
    year: i16,
    quarter: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CustomerBody<'v> {
    contact_id: i64,
    external_id: Option<&'v str>,
    name: &'v str,
    country: &'v str,
    email: Option<&'v str>,
    vat_number: Option<&'v str>,
    kvk_number: Option<&'v str>,
    contact_person: Option<&'v str>,
    address: Option<AddressBody<'v>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AddressBody<'v> {
    street: Option<&'v str>,
    postal_code: Option<&'v str>,
    city: Option<&'v str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemBody<'v> {
    description: &'v str,
    quantity: Number,
    unit_price: Number,
    vat_rate: Number,
    vat_category: &'static str,
    amount: Amount,
}

#[derive(Serialize)]
struct VatBody {
    rate: Number,
    category: &'static str,
    base: Amount,
    amount: Amount,
    r#box: Option<&'static str>,
}

#[derive(Serialize)]
struct WarningBody {
    code: &'static str,
    message: &'static str,
}

fn customer_body(contact_id: i64, party: &Party) -> CustomerBody<'_> {
    let (street, postal_code, city) = (party.street.as_deref(), party.postal_code.as_deref(), party.city.as_deref());
    let known = street.is_some() || postal_code.is_some() || city.is_some();
    CustomerBody {
        contact_id,
        external_id: party.external_id.as_deref(),
        name: &party.name,
        country: party.country.as_str(),
        email: party.email.as_deref(),
        vat_number: party.vat_number.as_deref(),
        kvk_number: party.kvk_number.as_deref(),
        contact_person: party.contact_person.as_deref(),
        address: known.then_some(AddressBody { street, postal_code, city }),
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
            customer: customer_body(invoice.contact_id, &invoice.customer),
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

pub(super) async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Query::of(raw.as_deref()).finish()?;
    let id = query::id(&id, "invoice")?;
    let view = books.ask(move |tx| invoices::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &InvoiceBody::from(&view)))
}

/// What could be read of a payload: enough to recognise a repeat and to name every fault.
struct Given {
    external_id: Option<String>,
    customer: Option<CustomerGiven>,
    command: Option<NewInvoice>,
    faults: Vec<Fault>,
}

pub(super) async fn create(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    request: Request,
) -> Result<Response, Problem> {
    actor.require_dutch()?;
    let json = body::read(request).await?;
    let now = app.now();
    let given = read_invoice(&json, calendar::amsterdam_today(now));
    let outcome = match given.command {
        Some(command) => app.write(move |tx| invoices::create(tx, &actor, now, &command)).await?,
        None => Created::Known(app.read(move |tx| known_or_faults(tx, &actor, &given)).await?),
    };
    let base = app.settings().base_url.clone();
    Ok(reply::created(
        outcome,
        |view| format!("{base}/api/v1/invoices/{}", view.invoice.id),
        |view| reply::body(&InvoiceBody::from(&view)),
    ))
}

/// A repeat is answered with what is there, even when the rest of it is invalid (contract, §2).
fn known_or_faults(tx: &mut store::Tx<'_>, actor: &Actor, given: &Given) -> Result<InvoiceView, Error> {
    if let Some(known) = invoices::known(tx, actor, Kind::Invoice, given.external_id.as_deref())? {
        return Ok(known);
    }
    let mut faults = given.faults.clone();
    if let Some(customer) = &given.customer {
        faults.extend(contacts::customer_fault(tx, actor.account, customer)?);
    }
    Err(Error::Invalid(faults))
}

const STATUSES: &[(&str, Status)] = &[("draft", Status::Draft), ("sent", Status::Sent)];

const CATEGORIES: &[(&str, VatCategory)] = &[
    ("standard", VatCategory::Standard),
    ("zero", VatCategory::Zero),
    ("exempt", VatCategory::Exempt),
    ("reverseCharge", VatCategory::ReverseCharge),
    ("intraCommunity", VatCategory::IntraCommunity),
    ("export", VatCategory::Export),
    ("outOfScope", VatCategory::OutOfScope),
];

fn read_invoice(json: &Json, today: Date) -> Given {
    let mut faults = Vec::new();
    let mut fields = Fields::of(json, "", &mut faults);
    let external_id = fields.optional("externalId", fields::external_id);
    // Unreadable: then the rates cannot be judged either.
    let invoice_date = if fields.has("invoiceDate") { fields.optional("invoiceDate", fields::date) } else { Some(today) };
    let status = fields.optional("status", fields::choice(STATUSES)).unwrap_or(Status::Draft);
    if !fields.has("customer") {
        fields.fault("customer", "required", "give the customer");
    }
    let customer = fields.nested("customer", |json, at, faults| {
        let customer = read_customer(json, at, faults);
        matches!(json, Json::Object(_)).then_some(customer)
    });
    if !fields.has("items") {
        fields.fault("items", "required", "give the lines of the invoice, 1 to 500");
    }
    let lines = fields.nested("items", |json, at, faults| {
        fields::list(json, at, faults, (1, MOST_ITEMS), |json, at, faults| read_line(json, at, faults, invoice_date))
    });
    let due = read_due(&mut fields, invoice_date);
    let reference = fields.optional("reference", fields::line(255));
    let notes = fields.optional("notes", fields::lines(5000));
    fields.finish();
    let command = match (&customer, lines, invoice_date) {
        (Some(customer), Some(lines), Some(invoice_date)) if faults.is_empty() => Some(NewInvoice {
            external_id: external_id.clone(),
            invoice_date,
            status,
            customer: customer.clone(),
            lines,
            due,
            reference,
            notes,
        }),
        _ => None,
    };
    Given { external_id, customer, command, faults }
}

fn read_due(fields: &mut Fields<'_, '_>, invoice_date: Option<Date>) -> Due {
    let both = fields.has("dueDate") && fields.has("paymentTermDays");
    let on = fields.optional("dueDate", fields::date);
    let days = fields.optional("paymentTermDays", fields::integer(0, 365));
    if both {
        fields.fault("paymentTermDays", "unknown_value", "give either dueDate or paymentTermDays");
    }
    if on.is_some_and(|on| invoice_date.is_some_and(|date| on < date)) {
        fields.fault("dueDate", "out_of_range", "the due date must not be before the invoice date");
    }
    match (on, days) {
        (Some(on), _) => Due::On(on),
        (None, Some(days)) => Due::Days(days),
        (None, None) => Due::AccountTerm,
    }
}

/// The customer as far as it could be read. Whether the name may be left out depends on the books.
fn read_customer(json: &Json, at: String, faults: &mut Vec<Fault>) -> CustomerGiven {
    let mut fields = Fields::of(json, at, faults);
    let external_id = fields.optional("externalId", fields::external_id);
    let name = if fields.has("name") { Some(fields.required("name", fields::line(255)).unwrap_or_default()) } else { None };
    let country = fields.optional("country", fields::country);
    let email = fields.optional("email", email);
    let vat_number = fields.optional("vatNumber", vat_number);
    let kvk_number = fields.optional("kvkNumber", kvk_number);
    let contact_person = fields.optional("contactPerson", fields::line(255));
    let address = fields.nested("address", |json, at, faults| {
        let mut fields = Fields::of(json, at, faults);
        let street = fields.optional("street", fields::line(255));
        let postal_code = fields.optional("postalCode", fields::line(20));
        let city = fields.optional("city", fields::line(255));
        fields.finish();
        Some((street, postal_code, city))
    });
    fields.finish();
    let (street, postal_code, city) = address.unwrap_or_default();
    CustomerGiven { external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city }
}

fn read_line(json: &Json, at: String, faults: &mut Vec<Fault>, on: Option<Date>) -> Option<LineGiven> {
    let before = faults.len();
    let mut fields = Fields::of(json, at.clone(), faults);
    let description = fields.required("description", fields::lines(1000));
    let quantity = fields.optional("quantity", fields::number).unwrap_or(Decimal::ONE);
    let unit_price = fields.required("unitPrice", fields::number);
    let vat_rate = fields.required("vatRate", |json| vat_rate(json, on)).flatten();
    let vat_category = fields.optional("vatCategory", fields::choice(CATEGORIES));
    if let (Some(rate), Some(category)) = (vat_rate, vat_category)
        && rate.is_zero() == (category == VatCategory::Standard)
    {
        let message = "a VAT rate above 0 goes with the category standard, and only with it";
        fields.fault("vatCategory", "unknown_value", message);
    }
    fields.finish();
    if let Some(price) = unit_price
        && decimal::multiply_to_cents(&quantity, &price).is_err()
    {
        let message = "quantity times unitPrice must lie between -99999999999.99 and 99999999999.99";
        faults.push(Fault::new(at, "out_of_range", message));
    }
    match (description, unit_price, vat_rate) {
        (Some(description), Some(unit_price), Some(vat_rate)) if faults.len() == before => {
            Some(LineGiven { description, quantity, unit_price, vat_rate, vat_category })
        }
        _ => None,
    }
}

/// A rate that the law knows on the day; without a day any number will do, and is none.
fn vat_rate(json: &Json, on: Option<Date>) -> Result<Option<VatRate>, Wrong> {
    let percent = fields::number(json)?;
    let rate = on.map(|on| VatRate::from_percent(&percent, on)).transpose();
    rate.map_err(|error| ("unknown_vat_rate", error.to_string()))
}

/// Only a mail that arrives proves an address, so the form is checked loosely.
fn email(json: &Json) -> Result<String, Wrong> {
    let text = fields::line(254)(json)?;
    let fits =
        text.split_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if fits && !text.contains(char::is_whitespace) {
        Ok(text)
    } else {
        Err(("invalid_format", "give an e-mail address such as name@example.com".into()))
    }
}

fn vat_number(json: &Json) -> Result<String, Wrong> {
    let text = fields::line(40)(json)?;
    VatNumber::parse(&text).map(|number| number.as_str().to_owned()).map_err(|error| ("invalid_format", error.to_string()))
}

fn kvk_number(json: &Json) -> Result<String, Wrong> {
    let text = fields::line(20)(json)?;
    KvkNumber::parse(&text).map(|number| number.as_str().to_owned()).map_err(|error| ("invalid_format", error.to_string()))
}
