//! What a body can say of an invoice: the same fields for a new one, an edit and a credit note.

use super::{
    contacts::read_details,
    fields::{self, Choice, Country, Day, Exact, Fields, Line, Lines, Need, Reader, Whole},
};
use jiff::civil::{self, Date};
use ledger::{
    decimal::{self, Decimal},
    vat::{VatCategory, VatRate},
};
use serde_json::{Value, json};
use service::{
    contacts::CustomerGiven,
    invoices::{Due, EditInvoice, LineGiven, NewInvoice},
};
use store::invoices::Status;

pub(super) const STATUSES: &[(&str, Status)] = &[("draft", Status::Draft), ("sent", Status::Sent)];

pub(super) const CATEGORIES: &[(&str, VatCategory)] = &[
    ("standard", VatCategory::Standard),
    ("zero", VatCategory::Zero),
    ("exempt", VatCategory::Exempt),
    ("reverseCharge", VatCategory::ReverseCharge),
    ("intraCommunity", VatCategory::IntraCommunity),
    ("export", VatCategory::Export),
    ("outOfScope", VatCategory::OutOfScope),
];

/// The fields of a new invoice. The command is whole only when there are no faults.
pub(super) fn new_invoice(
    fields: &mut Fields<'_, '_>,
    today: Date,
) -> (Option<String>, Option<CustomerGiven>, Option<NewInvoice>) {
    let external_id = fields.optional("externalId", fields::EXTERNAL_ID_MEANING, fields::EXTERNAL_ID);
    // Unreadable: then the rates cannot be judged either.
    let dated = fields.has("invoiceDate");
    let given =
        fields.optional("invoiceDate", "The day of the invoice; it decides the VAT period. Default: today in Amsterdam.", Day);
    let invoice_date = if dated { given } else { Some(today) };
    let status = fields.optional(
        "status",
        "A draft is booked and numbered too, but can still be edited. Default: draft.",
        Choice(STATUSES),
    );
    let customer = fields.object("customer", CUSTOMER_MEANING, Need::Required, read_customer);
    let lines = read_lines(fields, Need::Required, invoice_date);
    let due = read_due(fields, invoice_date).unwrap_or(Due::AccountTerm);
    let reference = fields.optional("reference", "Printed on the invoice, such as the customer's order number.", Line(255));
    let notes = fields.optional("notes", "Printed on the invoice.", Lines(5000));
    let command = match (&customer, lines, invoice_date) {
        (Some(customer), Some(lines), Some(invoice_date)) => Some(NewInvoice {
            external_id: external_id.clone(),
            invoice_date,
            status: status.unwrap_or(Status::Draft),
            customer: customer.clone(),
            lines,
            due,
            reference,
            notes,
        }),
        _ => None,
    };
    (external_id, customer, command)
}

const CUSTOMER_MEANING: &str = "Who is invoiced. A known externalId names that contact; else a contact without one is matched by \
                                name and country; else a contact is made. The invoice keeps what is given here.";

/// Lines of an invoice at the most (contract, §9).
const MOST_ITEMS: usize = 500;

pub(super) fn read_lines(fields: &mut Fields<'_, '_>, need: Need, on: Option<Date>) -> Option<Vec<LineGiven>> {
    fields.list("items", "The lines.", need, (1, MOST_ITEMS), |fields| read_line(fields, on))
}

fn read_due(fields: &mut Fields<'_, '_>, invoice_date: Option<Date>) -> Option<Due> {
    let both = fields.has("dueDate") && fields.has("paymentTermDays");
    let on = fields.optional("dueDate", "The last day to pay. Default: the account's payment term after the invoice date.", Day);
    let days = fields.optional("paymentTermDays", "Days to pay, in place of dueDate.", Whole(0, 365));
    if both {
        fields.fault("paymentTermDays", "unknown_value", "give either dueDate or paymentTermDays");
    }
    if on.is_some_and(|on| invoice_date.is_some_and(|date| on < date)) {
        fields.fault("dueDate", "out_of_range", "give a due date on or after the invoice date");
    }
    on.map(Due::On).or(days.map(Due::Days))
}

/// The customer as far as it could be read. Whether the name may be left out depends on the books.
fn read_customer(fields: &mut Fields<'_, '_>) -> CustomerGiven {
    let external_id = fields.optional("externalId", "Your own identifier of the customer.", fields::EXTERNAL_ID);
    // One that is there but cannot be used is not missing.
    let named = fields.has("name");
    let name = fields.optional("name", "A person's or a company's name. Required unless the contact is known.", Line(255));
    let name = name.or(named.then(String::new));
    let country = fields.optional("country", "Where the customer is established. Default: NL.", Country);
    CustomerGiven { external_id, name, country, ..read_details(fields) }
}

fn read_line(fields: &mut Fields<'_, '_>, on: Option<Date>) -> Option<LineGiven> {
    let description = fields.required("description", "What is sold.", Lines(1000));
    let quantity = fields.optional("quantity", "How many; negative on a discount line. At most 15 decimals. Default: 1.", Exact);
    let unit_price = fields.required("unitPrice", "Euros per unit, excluding VAT. At most 15 decimals: of a price with VAT divide by 1.21 and give all of them, and the total comes out to the cent.", Exact);
    let vat_rate =
        fields.required("vatRate", "Per cent: a rate of Dutch law on the invoice's date (21, 9 or 0 in 2026).", vat_rate(on));
    let vat_rate = vat_rate.flatten();
    let meaning = "Why the VAT is what it is. Default: standard above 0; at 0 by the customer's country: zero (NL), intraCommunity \
                   (other EU countries) or export. Above 0 only standard.";
    let vat_category = fields.optional("vatCategory", meaning, Choice(CATEGORIES));
    let quantity = quantity.unwrap_or(Decimal::ONE);
    if let (Some(rate), Some(category)) = (vat_rate, vat_category)
        && rate.is_zero() == (category == VatCategory::Standard)
    {
        let others: Vec<&str> =
            CATEGORIES.iter().filter(|(_, category)| *category != VatCategory::Standard).map(|(name, _)| *name).collect();
        let message = if rate.is_zero() {
            format!("with vatRate 0 give one of: {}; or leave vatCategory out", others.join(", "))
        } else {
            "a VAT rate above 0 goes with the category standard alone; leave vatCategory out".to_owned()
        };
        fields.fault("vatCategory", "unknown_value", message);
    }
    if let Some(price) = unit_price
        && decimal::multiply_to_cents(&quantity, &price).is_err()
    {
        let message = "quantity times unitPrice must lie between -99999999999.99 and 99999999999.99";
        fields.fault("", "out_of_range", message);
    }
    Some(LineGiven { description: description?, quantity, unit_price: unit_price?, vat_rate: vat_rate?, vat_category })
}

/// The rates of all years that a date can be in, in per cent.
fn rates() -> Vec<Value> {
    let years = (2000..=2099).flat_map(|year| (1..=12).map(move |month| civil::date(year, month, 1)));
    let mut rates: Vec<VatRate> = years.flat_map(VatRate::known_on).collect();
    rates.sort_unstable();
    rates.dedup();
    // A percentage is a number. Generators of clients know enumerations of whole numbers only; with 17.5 in one, openapi-python-client
    // leaves out the operation.
    let rates = rates.iter().filter_map(|rate| serde_json::from_str(&rate.to_string()).ok());
    let (whole, others): (Vec<Value>, Vec<Value>) = rates.partition(Value::is_u64);
    let others = others.iter().map(|rate| json!({ "type": "number", "minimum": rate, "maximum": rate }));
    [json!({ "type": "integer", "enum": whole })].into_iter().chain(others).collect()
}

/// A rate that the law knows on the day; without a day any number will do, and is none.
fn vat_rate(on: Option<Date>) -> impl Reader<Value = Option<VatRate>> {
    fields::judged(
        Exact,
        || json!({ "anyOf": rates(), "minimum": 0, "maximum": 100 }),
        move |percent| {
            let rate = on.map(|on| VatRate::from_percent(&percent, on)).transpose();
            rate.map_err(|error| ("unknown_vat_rate", error.to_string()))
        },
    )
}

/// The fields of an edit of a draft that is dated `dated` as long as the edit does not say otherwise.
pub(super) fn edited_invoice(fields: &mut Fields<'_, '_>, dated: Date) -> EditInvoice {
    let takes_reference_away = fields.is_null("reference");
    let takes_notes_away = fields.is_null("notes");
    let moves = fields.has("invoiceDate");
    let invoice_date = fields.optional("invoiceDate", "The day of the invoice; it decides the VAT period.", Day);
    // Unreadable: then the rates cannot be judged either.
    let on = if moves { invoice_date } else { Some(dated) };
    let status = fields.optional("status", "`sent` sends the draft.", Choice(STATUSES));
    let customer = fields.object("customer", CUSTOMER_MEANING, Need::Optional, read_customer);
    let lines = read_lines(fields, Need::Optional, on);
    let due = read_due(fields, on);
    let reference = fields.optional("reference", "Printed on the invoice; null takes it away.", Line(255));
    let notes = fields.optional("notes", "Printed on the invoice; null takes them away.", Lines(5000));
    EditInvoice {
        status,
        invoice_date,
        customer,
        lines,
        due,
        reference: reference.map(Some).or(takes_reference_away.then_some(None)),
        notes: notes.map(Some).or(takes_notes_away.then_some(None)),
    }
}
