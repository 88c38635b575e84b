//! Body of an invoice or a credit note.

use crate::{
    contacts::PartyBody,
    entry_lines::LineBody,
    moment::Moment,
    number::{Amount, Number},
    openapi::posting_box_names,
};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    cash_accounting::VatMethod,
    invoice::{Line, LineAmounts, ShownAmounts, VatGroup},
    language::Language,
    money::Cents,
    own_account::OwnAccounts,
    unusual_day::UnusualDay,
    vat::{Exemption, Supply, VatCategory},
    vat_period::VatPeriod,
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    events::EventDetails,
    invoices::{InvoiceDetails, InvoicePreview, VatDue, Warning},
};
use std::borrow::Cow;
use store::{
    contacts::Party,
    invoices::{InvoiceKind, Particulars, Status},
    journal::StoredEntry,
};
use web_core::input::{english, names, names_of, or_null};

pub(super) const KINDS: &[(&str, InvoiceKind)] =
    &[("invoice", InvoiceKind::Invoice), ("creditNote", InvoiceKind::CreditNote)];

/// An invoice or a credit note.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Invoice")]
pub(crate) struct InvoiceBody<'v> {
    /// Id, unique within the account.
    id: i64,
    /// Number, unique and without gaps per year. Items that were open at the start of the books
    /// keep their own number outside the series.
    #[schemars(example = &"2026-0001")]
    number: &'v str,
    /// Customer of the invoice.
    customer: CustomerBody<'v>,
    #[serde(flatten)]
    content: ContentBody<'v>,
    /// Ids of the journal entries: the booking, and for each edit the reversal and the new booking.
    entry_ids: &'v [i64],
    /// Address of the page on which your customer reads the document; null unless it was sent from
    /// these books, and while its link is withdrawn.
    #[schemars(example = &"https://example.com/i/9Zk3vQ0aXc7LwT2bNfR8y1")]
    public_url: Option<&'v str>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// An invoice as it would be. It has no id, number, entries and times.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InvoicePreview")]
pub(crate) struct InvoicePreviewBody<'v> {
    /// Always true.
    dry_run: bool,
    /// Customer of the invoice.
    customer: PreviewCustomerBody<'v>,
    #[serde(flatten)]
    content: ContentBody<'v>,
    /// Entries that would be booked, in order.
    entries: Vec<PreviewEntryBody>,
}

/// Customer as it would be recorded on the document.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CustomerPreview")]
pub(super) struct PreviewCustomerBody<'v> {
    /// Id of the contact; null if the contact would be created.
    #[schemars(example = &1)]
    contact_id: Option<i64>,
    #[serde(flatten)]
    party: PartyBody<'v>,
}

impl<'v> PreviewCustomerBody<'v> {
    /// Returns the customer of a document that a dry run shows.
    pub(super) fn of(contact_id: i64, is_new: bool, party: &'v Party) -> Self {
        Self { contact_id: (!is_new).then_some(contact_id), party: party.into() }
    }
}

/// An entry that would be booked.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EntryPreview")]
pub(super) struct PreviewEntryBody {
    /// Date of the entry.
    date: Date,
    /// Postings.
    lines: Vec<LineBody>,
}

impl<'v> InvoicePreviewBody<'v> {
    /// Returns the body of a preview; `own` contains the names of the owner's accounts.
    pub(super) fn new(preview: &'v InvoicePreview, own: &OwnAccounts) -> Self {
        let customer = &preview.details.invoice.customer;
        let contact_id = preview.details.invoice.contact_id;
        let entry = |stored: &StoredEntry| PreviewEntryBody {
            date: stored.entry.date(),
            lines: LineBody::all(&stored.entry, own),
        };
        Self {
            dry_run: true,
            customer: PreviewCustomerBody::of(contact_id, preview.has_new_contact, customer),
            content: (&preview.details).into(),
            entries: preview.entries.iter().map(entry).collect(),
        }
    }
}

/// Fields of an invoice or credit note that a dry run shows too.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ContentBody<'v> {
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'v str>,
    /// `invoice` or `creditNote`.
    #[schemars(extend("enum" = names(KINDS)))]
    kind: &'static str,
    /// `draft`, `sent`, or `cancelled` for a deleted draft.
    #[schemars(extend("enum" = ["draft", "sent", "cancelled"]))]
    status: &'static str,
    /// Whether nothing is due. Always false for a draft; a credit note is settled together with its
    /// invoice.
    paid: bool,
    /// Date since which nothing is due.
    paid_at: Option<Date>,
    /// Date of the invoice. It determines the year of the number series.
    invoice_date: Date,
    /// First day of supply.
    supply_date: Option<Date>,
    /// Last day of supply, if the supply took more than one day.
    supply_until: Option<Date>,
    /// Date on which the VAT becomes due; it determines the VAT period.
    vat_date: Date,
    /// Last day to pay.
    due_date: Date,
    /// Calendar quarter of `vatDate`. If the VAT period of that date has been filed, a correction
    /// belongs to a later period: `GET /entries?vatPeriod=…` lists it there.
    vat_period: PeriodBody,
    /// Id of the VAT period of `vatDate`, in the unit by which the account files: `2026-05`,
    /// `2026-Q2` or `2026`.
    #[schemars(example = &"2026-Q2")]
    vat_period_id: String,
    /// When the VAT in boxes 1a, 1b, 1c and 1e is due: `invoice`, or `cash` when the customer pays.
    #[schemars(extend("enum" = names_of(VatMethod::ALL)))]
    vat_method: &'static str,
    /// VAT that is not due yet under `cash`; negative if credited VAT has not been paid back.
    vat_deferred: Amount,
    /// Amounts that became due under `cash`, by day and payment.
    vat_due: Vec<VatDueBody>,
    /// Always `EUR`.
    #[schemars(extend("enum" = ["EUR"]))]
    currency: &'static str,
    /// Lines of the document.
    items: Vec<ItemBody<'v>>,
    /// Whether the unit prices include VAT.
    prices_include_vat: bool,
    /// Whether the document is a prepayment invoice.
    prepayment: bool,
    /// Ids of the prepayment invoices that the document sets off.
    prepayment_invoice_ids: Vec<i64>,
    #[serde(flatten)]
    particulars: ParticularsBody<'v>,
    /// VAT by rate and category.
    vat: Vec<VatBody>,
    /// Amount excluding VAT, after all discounts.
    subtotal: Amount,
    /// Amount of VAT.
    vat_total: Amount,
    /// Amount including VAT; negative for a credit note.
    total: Amount,
    /// Amount received.
    amount_paid: Amount,
    /// Amount credited by credit notes.
    amount_credited: Amount,
    /// Amount written off as bad debt, less recoveries.
    amount_written_off: Amount,
    /// Amount still to be received, never negative.
    amount_due: Amount,
    /// Amount to be refunded to the customer, never negative.
    amount_to_refund: Amount,
    /// Id of the invoice that the credit note credits.
    credited_invoice_id: Option<i64>,
    /// Id of the quote from which the invoice was made.
    quote_id: Option<i64>,
    /// Id of the recurring invoice from which the invoice was made.
    recurring_invoice_id: Option<i64>,
    /// Occurrence of the recurring invoice.
    occurrence: Option<OccurrenceOfBody>,
    /// Customer's VAT number for the ICP declaration, if it was added or changed after sending; the
    /// document shows `customer.vatNumber`.
    #[schemars(example = &"DE123456789")]
    icp_vat_number: Option<&'v str>,
    /// Text printed on the document.
    #[schemars(example = &"PO 7")]
    reference: Option<&'v str>,
    /// Text printed on the document.
    notes: Option<&'v str>,
    /// Warnings about legal but incomplete or unusual data. A draft keeps its warnings. A sent
    /// document loses them once it is fully credited. Otherwise it loses them at a filing deadline:
    /// that of the calendar quarter of `vatDate`, or that of the last change if it is later.
    warnings: Vec<WarningBody>,
    /// Origin: `api`, `app`, or `opening` for a document that was open at the start of the books;
    /// such a document has no lines and no known VAT.
    #[schemars(extend("enum" = ["api", "app", "opening"]))]
    source: &'static str,
}

/// Sum of the lines and the discount on them, the numbers of the customer, and the language.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DocumentParticulars")]
pub(super) struct ParticularsBody<'v> {
    /// Sum of the lines, including VAT if `pricesIncludeVat` is set.
    lines_total: Amount,
    /// Percentage of the discount on all lines; null if it is an amount or there is none.
    #[schemars(example = &10)]
    discount_percent: Option<Number>,
    /// Discount on all lines, including VAT if `pricesIncludeVat` is set.
    discount_amount: Amount,
    /// Description of the discount on all lines.
    #[schemars(example = &"Introductory offer")]
    discount_description: Option<&'v str>,
    /// Order number of the customer.
    #[schemars(example = &"PO 7")]
    order_number: Option<&'v str>,
    /// Reference of the customer for routing the document.
    #[schemars(example = &"Department 12")]
    buyer_reference: Option<&'v str>,
    /// Language of the document: of a draft, the one in which it would be sent.
    #[schemars(extend("enum" = names_of(Language::ALL)))]
    language: &'static str,
}

impl<'v> ParticularsBody<'v> {
    /// Returns the particulars of a document.
    pub(super) fn of(
        particulars: &'v Particulars,
        shown: &ShownAmounts,
        language: Language,
    ) -> Self {
        Self {
            lines_total: Amount(shown.lines_total),
            discount_percent: particulars.discount.percent().map(Number),
            discount_amount: Amount(shown.discount),
            discount_description: particulars.discount_description.as_deref(),
            order_number: particulars.order_number.as_deref(),
            buyer_reference: particulars.buyer_reference.as_deref(),
            language: language.as_str(),
        }
    }
}

/// An amount whose VAT became due.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatDue")]
struct VatDueBody {
    /// Day on which the VAT is due.
    date: Date,
    /// Id of the payment; null if the VAT is due without one.
    #[schemars(example = &12)]
    payment_id: Option<i64>,
    /// Amount excluding VAT; negative if it is no longer due.
    base: Amount,
    /// VAT.
    vat: Amount,
}

impl From<&VatDue> for VatDueBody {
    fn from(due: &VatDue) -> Self {
        let VatDue { date, payment_id, base, vat } = *due;
        Self { date, payment_id, base: Amount(base), vat: Amount(vat) }
    }
}

/// Calendar quarter of a VAT date, or the one in which a VAT period ends.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VatPeriod")]
pub(crate) struct PeriodBody {
    /// Calendar year.
    year: i16,
    /// Quarter, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
}

/// Customer as recorded on the document; later changes of the contact do not affect it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Customer")]
pub(super) struct CustomerBody<'v> {
    /// Id of the contact.
    contact_id: i64,
    #[serde(flatten)]
    party: PartyBody<'v>,
}

impl<'v> CustomerBody<'v> {
    /// Returns the customer of a document.
    pub(super) fn of(contact_id: i64, party: &'v Party) -> Self {
        Self { contact_id, party: party.into() }
    }
}

/// Occurrence of a recurring invoice from which an invoice was made.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OccurrenceOfInvoice")]
struct OccurrenceOfBody {
    /// Number of the occurrence, from 1.
    #[schemars(example = &4)]
    n: i64,
    /// Day of the occurrence.
    date: Date,
}

/// A line of an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InvoiceItem")]
pub(super) struct ItemBody<'v> {
    /// Description of the goods or services.
    description: &'v str,
    /// Quantity.
    quantity: Number,
    /// Unit of the quantity.
    #[schemars(example = &"hour")]
    unit: Option<&'v str>,
    /// Price per unit in euros, excluding VAT unless `pricesIncludeVat` is set.
    unit_price: Number,
    /// Quantity × unit price, including VAT if `pricesIncludeVat` is set.
    gross_amount: Amount,
    /// Percentage of the discount of the line; null if it is an amount or there is none.
    #[schemars(example = &10)]
    discount_percent: Option<Number>,
    /// Discount of the line, including VAT if `pricesIncludeVat` is set. On a credit note, its share
    /// of all discounts.
    discount_amount: Amount,
    /// Rate in per cent.
    vat_rate: Number,
    /// `standard`, `zero`, `exempt`, `reverseCharge`, `intraCommunity`, `export`,
    /// `serviceOutsideEu`, `outOfScope` or `oss` (VAT of another EU country).
    #[schemars(extend("enum" = names_of(VatCategory::PUBLIC)))]
    vat_category: &'static str,
    /// Ground for the exemption of an exempt line: `article11`, `article11Counted` (part of the
    /// turnover of the small businesses scheme) or `kor`. Null for other categories.
    #[schemars(extend("enum" = or_null(names_of(Exemption::ALL))))]
    exemption: Option<&'static str>,
    /// `services`, `goods`, `triangular` or `electronic`.
    #[schemars(extend("enum" = names_of(Supply::ALL)))]
    supply: &'static str,
    /// Country that taxes a line of category `oss`. `NL` on another line for a customer abroad: the
    /// supply was handed over in the Netherlands. Otherwise null.
    #[schemars(example = &"DE")]
    tax_country: Option<String>,
    /// Revenue account of the line; null if it is the account of the rate and category.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8105")]
    account: Option<String>,
    /// Amount of the line after its discount, excluding VAT.
    amount: Amount,
    /// Amount of the line after its discount, including VAT. The lines add up exactly to the total,
    /// before a discount on all of them.
    amount_incl_vat: Amount,
    /// On a credit note: number of the line of the invoice that it credits, from 1; null if it
    /// names none.
    invoice_item: Option<i64>,
}

/// VAT at one rate and in one category.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "InvoiceVat")]
pub(super) struct VatBody {
    /// Rate in per cent.
    rate: Number,
    /// VAT category.
    #[schemars(extend("enum" = names_of(VatCategory::PUBLIC)))]
    category: &'static str,
    /// Ground for the exemption, if the category is `exempt`.
    #[schemars(extend("enum" = or_null(names_of(Exemption::ALL))))]
    exemption: Option<&'static str>,
    /// Kind of supply, for intra-community supplies and category `oss`: the VAT return, the EC sales
    /// list and the return of the Union scheme distinguish them.
    #[schemars(extend("enum" = or_null(names_of(Supply::ALL))))]
    supply: Option<&'static str>,
    /// Country that taxes the amount, if the category is `oss`.
    #[serde(rename = "taxCountry")]
    #[schemars(example = &"DE")]
    tax_country: Option<String>,
    /// Amount excluding VAT.
    base: Amount,
    /// Amount of VAT.
    amount: Amount,
    /// Box of the VAT return, such as `1a`; null if the amount is not declared.
    #[schemars(extend("enum" = or_null(posting_box_names())))]
    r#box: Option<&'static str>,
}

/// A warning about data that is legal, but incomplete or unusual.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Warning")]
pub(crate) struct WarningBody {
    /// Stable code in `snake_case`.
    code: &'static str,
    /// Explanation, with advice.
    message: Cow<'static, str>,
}

impl From<Warning> for WarningBody {
    fn from(warning: Warning) -> Self {
        Self { code: warning.code(), message: english::invoice_warning(warning).into() }
    }
}

impl WarningBody {
    /// Returns the warnings of an invoice.
    pub(super) fn of(details: &InvoiceDetails) -> Vec<Self> {
        Self::all(details, details.warnings())
    }

    /// Returns the warnings of a quote, given the invoice that would be made of it.
    pub(super) fn of_quote(invoice: &InvoiceDetails) -> Vec<Self> {
        let warnings = invoice.warnings().into_iter();
        Self::all(invoice, warnings.filter(|warning| warning.concerns_quotes()).collect())
    }

    fn all(details: &InvoiceDetails, warnings: Vec<Warning>) -> Vec<Self> {
        let body = |warning: Warning| {
            let message = match warning {
                Warning::GlyphsMissing => english::glyphs_missing(&details.missing_glyphs()),
                Warning::UblNotPossible => {
                    let is_sent = details.invoice.status == Status::Sent;
                    english::ubl_not_possible(&details.not_expressible(), is_sent)
                }
                Warning::KorLimitNear => match details.kor {
                    Some(kor) => english::kor_limit_near(kor.remaining),
                    None => return Self::from(warning),
                },
                Warning::OssLimitNear => match details.oss {
                    Some(oss) => english::oss_limit_near(oss.remaining),
                    None => return Self::from(warning),
                },
                other => return Self::from(other),
            };
            Self { message: message.into(), ..Self::from(warning) }
        };
        warnings.into_iter().map(body).collect()
    }

    /// Returns the warning for an unusual date. The caller passes `None` if the date is usual or
    /// the warning is no longer reported ([`service::days::reported`]).
    pub(crate) fn of_day(reason: Option<UnusualDay>) -> Vec<Self> {
        reason.map(|reason| Self::from(Warning::DateUnusual(reason))).into_iter().collect()
    }

    /// Returns the warning for annual VAT returns that the tax office probably does not allow.
    pub(crate) fn annual_return_doubtful() -> Self {
        let message = english::ANNUAL_RETURN_DOUBTFUL.into();
        Self { code: "annual_return_doubtful", message }
    }

    /// Returns the warning about sales to businesses under cash accounting.
    pub(crate) fn cash_accounting_doubtful() -> Self {
        let message = english::CASH_ACCOUNTING_DOUBTFUL.into();
        Self { code: "cash_accounting_doubtful", message }
    }

    /// Returns the warnings of an event: an unusual date, or private use of goods outside the last
    /// VAT period of its year.
    pub(crate) fn of_event(details: &EventDetails) -> Vec<Self> {
        let mut warnings = Self::of_day(details.unusual);
        if details.is_too_early {
            let message = english::NOT_LAST_PERIOD.into();
            warnings.push(Self { code: "not_last_period", message });
        }
        warnings
    }
}

impl From<VatPeriod> for PeriodBody {
    fn from(period: VatPeriod) -> Self {
        period.last_quarter().into()
    }
}

impl From<Quarter> for PeriodBody {
    fn from(quarter: Quarter) -> Self {
        Self { year: quarter.year(), quarter: quarter.number() }
    }
}

/// Returns the bodies of lines with their amounts.
pub(super) fn items<'v>(lines: &'v [(Line, Cents)], shown: &ShownAmounts) -> Vec<ItemBody<'v>> {
    let body = |((line, _), amounts): (&'v (Line, Cents), &LineAmounts)| ItemBody {
        description: &line.description,
        quantity: Number(line.quantity),
        unit: line.unit.as_deref(),
        unit_price: Number(line.unit_price),
        gross_amount: Amount(amounts.gross),
        discount_percent: line.discount.percent().map(Number),
        discount_amount: Amount(amounts.discount),
        vat_rate: Number(line.vat_rate.percent()),
        vat_category: line.vat_category.public().as_str(),
        exemption: line.vat_category.exemption().map(Exemption::as_str),
        supply: line.supply.as_str(),
        tax_country: line.tax_country.map(|country| country.to_string()),
        account: line.account.map(|account| account.to_string()),
        amount: Amount(amounts.amount),
        amount_incl_vat: Amount(amounts.amount_incl_vat),
        invoice_item: line.credits,
    };
    lines.iter().zip(&shown.lines).map(body).collect()
}

/// Returns the bodies of VAT groups.
pub(super) fn vat(groups: &[VatGroup]) -> Vec<VatBody> {
    let body = |group: &VatGroup| VatBody {
        rate: Number(group.rate.percent()),
        category: group.category.public().as_str(),
        exemption: group.category.exemption().map(Exemption::as_str),
        supply: group.supply.map(Supply::as_str),
        tax_country: group.tax_country.map(|country| country.to_string()),
        base: Amount(group.base),
        amount: Amount(group.amount),
        r#box: group.vat_box.map(ledger::vat::VatBox::as_str),
    };
    groups.iter().map(body).collect()
}

impl<'v> From<&'v InvoiceDetails> for InvoiceBody<'v> {
    fn from(view: &'v InvoiceDetails) -> Self {
        let invoice = &view.invoice;
        Self {
            id: invoice.id,
            number: &invoice.number,
            customer: CustomerBody::of(invoice.contact_id, &invoice.customer),
            content: view.into(),
            entry_ids: &view.entry_ids,
            public_url: view.public_url.as_deref(),
            created_at: Moment(invoice.created_at),
            updated_at: Moment(invoice.updated_at),
        }
    }
}

impl<'v> From<&'v InvoiceDetails> for ContentBody<'v> {
    fn from(view: &'v InvoiceDetails) -> Self {
        let invoice = &view.invoice;
        Self {
            external_id: invoice.external_id.as_deref(),
            kind: invoice.kind.as_str(),
            status: invoice.status.as_str(),
            paid: view.paid(),
            paid_at: invoice.paid_at,
            invoice_date: invoice.invoice_date,
            supply_date: invoice.supply_date,
            supply_until: invoice.supply_until,
            vat_date: invoice.vat_date,
            due_date: invoice.due_date,
            vat_period: Quarter::of(invoice.vat_date).into(),
            vat_period_id: view.vat_period.to_string(),
            vat_method: invoice.vat_method.as_str(),
            vat_deferred: Amount(invoice.vat_deferred),
            vat_due: view.vat_due.iter().map(VatDueBody::from).collect(),
            currency: "EUR",
            items: items(&view.lines, &view.shown),
            particulars: ParticularsBody::of(&invoice.particulars, &view.shown, view.language),
            prices_include_vat: invoice.prices_include_vat,
            prepayment: invoice.prepayment,
            prepayment_invoice_ids: view.prepayment_invoice_ids(),
            vat: vat(&view.groups),
            subtotal: Amount(invoice.subtotal),
            vat_total: Amount(invoice.vat_total),
            total: Amount(invoice.total),
            amount_paid: Amount(invoice.amount_paid),
            amount_credited: Amount(invoice.amount_credited),
            amount_written_off: Amount(invoice.amount_written_off),
            amount_due: Amount(view.amount_due()),
            amount_to_refund: Amount(view.amount_to_refund()),
            credited_invoice_id: invoice.credited_invoice_id,
            quote_id: invoice.quote_id,
            recurring_invoice_id: invoice.recurring_id,
            occurrence: invoice
                .occurrence_number
                .zip(invoice.occurrence_date)
                .map(|(n, date)| OccurrenceOfBody { n, date }),
            icp_vat_number: invoice.icp_vat_number.as_deref(),
            reference: invoice.reference.as_deref(),
            notes: invoice.notes.as_deref(),
            warnings: WarningBody::of(view),
            source: invoice.source.as_str(),
        }
    }
}
