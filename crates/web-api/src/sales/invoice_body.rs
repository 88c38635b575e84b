//! How the API shows an invoice or a credit note.

use crate::{
    contacts::AddressBody,
    moment::Moment,
    number::{Amount, Number},
    openapi::posting_box_names,
};
use jiff::civil::Date;
use ledger::calendar::Quarter;
use ledger::unusual_day::UnusualDay;
use schemars::JsonSchema;
use serde::Serialize;
use service::invoices::{InvoiceDetails, Warning};
use std::borrow::Cow;
use store::{
    contacts::Party,
    invoices::{InvoiceKind, Status},
};
use web_core::input::{CATEGORIES, SUPPLIES, english, names, or_null};

pub(super) const KINDS: &[(&str, InvoiceKind)] = &[("invoice", InvoiceKind::Invoice), ("creditNote", InvoiceKind::CreditNote)];

/// An invoice or a credit note.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Invoice")]
pub(crate) struct InvoiceBody<'v> {
    /// Unique in the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'v str>,
    /// `invoice` or `creditNote`.
    #[schemars(extend("enum" = names(KINDS)))]
    kind: &'static str,
    /// Its number: unique, without gaps per year. What was open when the books began keeps its own, outside the series.
    #[schemars(example = &"2026-0001")]
    number: &'v str,
    /// `draft`, `sent`, or `cancelled`: a draft that was taken back.
    #[schemars(extend("enum" = ["draft", "sent", "cancelled"]))]
    status: &'static str,
    /// Whether nothing is to be received any more. A draft is not paid; a credit note is settled with its invoice.
    paid: bool,
    /// The day since when it is paid.
    paid_at: Option<Date>,
    /// The day of the invoice; it decides the year of its number.
    invoice_date: Date,
    /// The first day of supply.
    supply_date: Option<Date>,
    /// The last day of supply, when it took more than one.
    supply_until: Option<Date>,
    /// The day on which the VAT is due; it decides the VAT period.
    vat_date: Date,
    /// The last day to pay.
    due_date: Date,
    /// The VAT period of its `vatDate`. Where that was filed, a correction counts in a later one: `GET /entries?vatPeriod=…` lists it there.
    vat_period: PeriodBody,
    /// Always `EUR`.
    #[schemars(extend("enum" = ["EUR"]))]
    currency: &'static str,
    /// Who is invoiced.
    customer: CustomerBody<'v>,
    /// The lines.
    items: Vec<ItemBody<'v>>,
    /// Whether the unit prices include VAT.
    prices_include_vat: bool,
    /// Whether it is a prepayment invoice.
    prepayment: bool,
    /// The prepayment invoices that it sets off.
    prepayment_invoice_ids: Vec<i64>,
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
    /// Written off as bad debt, less what was recovered.
    amount_written_off: Amount,
    /// Still to be received; never negative.
    amount_due: Amount,
    /// To be paid back to the customer; never negative.
    amount_to_refund: Amount,
    /// The journal entries behind it: its booking, and after an edit the reversal and the new booking.
    entry_ids: &'v [i64],
    /// The invoice that a credit note takes back.
    credited_invoice_id: Option<i64>,
    /// Printed on it.
    #[schemars(example = &"PO 7")]
    reference: Option<&'v str>,
    /// Printed on it.
    notes: Option<&'v str>,
    /// What is legal but incomplete, or looks wrong. A draft has them as long as it is one; of what was sent they end when it is wholly
    /// credited, and when the VAT return of its quarter is due, or of the quarter in which it last changed.
    warnings: Vec<WarningBody>,
    /// `api` or `app`: where it was made; `opening`: it was open when the books began, and has no lines and no known VAT.
    #[schemars(extend("enum" = ["api", "app", "opening"]))]
    source: &'static str,
    /// When it was made.
    created_at: Moment,
    /// When it last changed.
    updated_at: Moment,
}

/// The VAT period that a document counts in.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatPeriod")]
pub(crate) struct PeriodBody {
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
    /// Euros per unit, excluding VAT unless `pricesIncludeVat`.
    unit_price: Number,
    /// Per cent.
    vat_rate: Number,
    /// `standard`, `zero`, `exempt`, `reverseCharge`, `intraCommunity`, `export`, `serviceOutsideEu` or `outOfScope`.
    #[schemars(extend("enum" = names(CATEGORIES)))]
    vat_category: &'static str,
    /// `services`, `goods` or `triangular`.
    #[schemars(extend("enum" = names(SUPPLIES)))]
    supply: &'static str,
    /// What it comes to, excluding VAT.
    amount: Amount,
    /// What it comes to, including VAT: the lines add up to the total to the cent.
    amount_incl_vat: Amount,
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
    /// What is supplied, where the return or the EC sales list tells it apart: of intra-community supplies.
    #[schemars(extend("enum" = or_null(names(SUPPLIES))))]
    supply: Option<&'static str>,
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
pub(crate) struct WarningBody {
    /// Stable, `snake_case`.
    code: &'static str,
    /// What to do about it.
    message: Cow<'static, str>,
}

impl From<Warning> for WarningBody {
    fn from(warning: Warning) -> Self {
        Self { code: warning.code(), message: english::invoice_warning(warning).into() }
    }
}

impl WarningBody {
    /// The warnings of an invoice.
    fn of(details: &InvoiceDetails) -> Vec<Self> {
        let body = |warning: Warning| {
            let message = match warning {
                Warning::GlyphsMissing => english::glyphs_missing(&details.missing_glyphs()),
                Warning::UblNotPossible => {
                    let is_sent = details.invoice.status == Status::Sent;
                    english::ubl_not_possible(&details.not_expressible(), is_sent)
                }
                other => return Self::from(other),
            };
            Self { message: message.into(), ..Self::from(warning) }
        };
        details.warnings().into_iter().map(body).collect()
    }

    /// The warning about an unusual day, if there is one to report ([`service::days::reported`]).
    pub(crate) fn of_day(reason: Option<UnusualDay>) -> Vec<Self> {
        reason.map(|reason| Self::from(Warning::DateUnusual(reason))).into_iter().collect()
    }
}

impl From<Quarter> for PeriodBody {
    fn from(quarter: Quarter) -> Self {
        Self { year: quarter.year(), quarter: quarter.number() }
    }
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

impl<'v> From<&'v InvoiceDetails> for InvoiceBody<'v> {
    fn from(view: &'v InvoiceDetails) -> Self {
        let invoice = &view.invoice;
        let quarter = Quarter::of(invoice.vat_date);
        Self {
            id: invoice.id,
            external_id: invoice.external_id.as_deref(),
            kind: invoice.kind.as_str(),
            number: &invoice.number,
            status: invoice.status.as_str(),
            paid: view.paid(),
            paid_at: invoice.paid_at,
            invoice_date: invoice.invoice_date,
            supply_date: invoice.supply_date,
            supply_until: invoice.supply_until,
            vat_date: invoice.vat_date,
            due_date: invoice.due_date,
            vat_period: quarter.into(),
            currency: "EUR",
            customer: CustomerBody::of(invoice.contact_id, &invoice.customer),
            items: view
                .lines
                .iter()
                .zip(&view.gross)
                .map(|((line, amount), gross)| ItemBody {
                    description: &line.description,
                    quantity: Number(line.quantity),
                    unit_price: Number(line.unit_price),
                    vat_rate: Number(line.vat_rate.percent()),
                    vat_category: line.vat_category.as_str(),
                    supply: line.supply.as_str(),
                    amount: Amount(*amount),
                    amount_incl_vat: Amount(*gross),
                })
                .collect(),
            prices_include_vat: invoice.prices_include_vat,
            prepayment: invoice.prepayment,
            prepayment_invoice_ids: view.prepayment_invoice_ids(),
            vat: view
                .groups
                .iter()
                .map(|group| VatBody {
                    rate: Number(group.rate.percent()),
                    category: group.category.as_str(),
                    supply: group.supply.map(ledger::vat::Supply::as_str),
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
            amount_written_off: Amount(invoice.amount_written_off),
            amount_due: Amount(view.amount_due()),
            amount_to_refund: Amount(view.amount_to_refund()),
            entry_ids: &view.entry_ids,
            credited_invoice_id: invoice.credited_invoice_id,
            reference: invoice.reference.as_deref(),
            notes: invoice.notes.as_deref(),
            warnings: WarningBody::of(view),
            source: invoice.source.as_str(),
            created_at: Moment(invoice.created_at),
            updated_at: Moment(invoice.updated_at),
        }
    }
}
