//! Invoices: created, edited while drafts, credited, read.

mod create;
mod credit;
mod edit;
mod pricing;
mod read;

pub use create::{NewInvoice, create};
pub use credit::{NewCreditNote, credit};
pub use edit::{EditInvoice, edit};
pub(crate) use read::require;
pub use read::{known, list, read};

use crate::{Actor, Error, numbering};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking,
    calendar::Quarter,
    decimal::Decimal,
    entry::{JournalEntry, Source, SourceType},
    invoice::{Line, Priced, VatGroup},
    money::Cents,
    vat::{VatCategory, VatRate},
};
use store::{
    Tx,
    books::{Books, QuarterTotals},
    invoices::{self as rows, Invoice, Kind, Status},
    payments,
};

/// A line as it is given: the category may be left to the rate and the customer's country.
#[derive(Debug, Clone)]
pub struct LineGiven {
    /// What was supplied.
    pub description: String,
    /// How many; negative for a discount.
    pub quantity: Decimal,
    /// Euros per unit, excluding VAT.
    pub unit_price: Decimal,
    /// A rate that exists on the invoice date.
    pub vat_rate: VatRate,
    /// Why the rate is what it is, where the rate alone does not say.
    pub vat_category: Option<VatCategory>,
}

/// When an invoice should be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// After the account's payment term.
    AccountTerm,
    /// So many days after the invoice date.
    Days(i64),
    /// On this day.
    On(Date),
}

/// An invoice with all that is told about it.
#[derive(Debug, Clone)]
pub struct InvoiceView {
    /// The invoice itself.
    pub invoice: Invoice,
    /// Its lines and their amounts.
    pub lines: Vec<(Line, Cents)>,
    /// Its VAT per rate and category.
    pub groups: Vec<VatGroup>,
    /// Its journal entries, oldest first.
    pub entry_ids: Vec<i64>,
}

/// Something that is legal but incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// What to do about it.
    pub message: &'static str,
}

impl InvoiceView {
    /// What is still to be received; negative when more was received or credited than invoiced.
    #[must_use]
    pub fn amount_due(&self) -> Cents {
        amount_due(&self.invoice)
    }

    /// Whether nothing is to be received any more. A draft is not paid.
    #[must_use]
    pub fn paid(&self) -> bool {
        is_paid(&self.invoice)
    }

    /// What is legal but incomplete.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let reverse = |line: &Line| matches!(line.vat_category, VatCategory::IntraCommunity | VatCategory::ReverseCharge);
        let mut warnings = Vec::new();
        if self.invoice.customer.vat_number.is_none() && self.lines.iter().any(|(line, _)| reverse(line)) {
            warnings.push(Warning {
                code: "customer_vat_number_missing",
                message: "VAT is reverse-charged to the customer, so the invoice must show the customer's VAT number \
                          (art. 35a Wet OB 1968); give customer.vatNumber",
            });
        }
        warnings
    }
}

/// What is still to be received on an invoice. A credit note is settled with the invoice that it takes back.
#[must_use]
pub fn amount_due(invoice: &Invoice) -> Cents {
    match invoice.kind {
        Kind::Invoice => invoice.total - invoice.amount_paid - invoice.amount_credited,
        Kind::CreditNote => Cents::ZERO,
    }
}

/// Whether nothing is to be received any more. A draft is not paid.
#[must_use]
pub fn is_paid(invoice: &Invoice) -> bool {
    invoice.status == Status::Sent && amount_due(invoice) <= Cents::ZERO
}

/// What an invoice adds to the sums of its quarter.
pub(crate) fn counted(invoice: &Invoice) -> QuarterTotals {
    let draft = invoice.status == Status::Draft;
    QuarterTotals {
        entries: 0,
        invoices: 1,
        drafts: i64::from(draft),
        draft_vat: if draft { invoice.vat_total } else { Cents::ZERO },
        paid: i64::from(invoice.kind == Kind::Invoice && is_paid(invoice)),
        outstanding: amount_due(invoice),
    }
}

/// Takes back from its quarter's sums what [`counted`] gave.
pub(crate) fn uncounted(invoice: &Invoice) -> QuarterTotals {
    let counted = counted(invoice);
    QuarterTotals {
        entries: -counted.entries,
        invoices: -counted.invoices,
        drafts: -counted.drafts,
        draft_vat: -counted.draft_vat,
        paid: -counted.paid,
        outstanding: -counted.outstanding,
    }
}

/// Writes a new document with its journal entry, and counts it.
fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    now: Timestamp,
    invoice: Invoice,
    lines: Vec<Line>,
    priced: Priced,
    credits: Option<&str>,
) -> Result<InvoiceView, Error> {
    rows::insert(tx, books.account(), &invoice, &lines, &priced.line_amounts)?;
    let entry_id = books.append(tx, &entry(&invoice, &priced, credits), now)?;
    books.count(Quarter::of(invoice.invoice_date), counted(&invoice));
    let lines = lines.into_iter().zip(priced.line_amounts).collect();
    Ok(InvoiceView { invoice, lines, groups: priced.groups, entry_ids: vec![entry_id] })
}

fn entry(invoice: &Invoice, priced: &Priced, credits: Option<&str>) -> JournalEntry {
    let on = invoice.invoice_date;
    match invoice.kind {
        Kind::Invoice => booking::sales_invoice(source(invoice), &invoice.number, &invoice.customer.name, on, priced),
        Kind::CreditNote => booking::credit_note(source(invoice), &invoice.number, credits.unwrap_or(""), on, priced),
    }
}

fn source(invoice: &Invoice) -> Source {
    let kind = match invoice.kind {
        Kind::Invoice => SourceType::Invoice,
        Kind::CreditNote => SourceType::CreditNote,
    };
    Source { kind, id: invoice.id }
}

fn line_as_given(line: &Line) -> LineGiven {
    LineGiven {
        description: line.description.clone(),
        quantity: line.quantity,
        unit_price: line.unit_price,
        vat_rate: line.vat_rate,
        vat_category: Some(line.vat_category),
    }
}

/// Stores what was paid and credited, and counts the difference.
pub(crate) fn settle(
    tx: &mut Tx<'_>,
    books: &mut Books,
    now: Timestamp,
    before: &Invoice,
    mut after: Invoice,
    on: Date,
) -> Result<Invoice, Error> {
    after.paid_at = match (is_paid(&after), after.paid_at) {
        (false, _) => None,
        (true, Some(since)) => Some(since),
        // The last of its payments and credit notes by day, in whatever order they are recorded.
        (true, None) => payments::last_settled_on(tx, books.account(), after.id)?.max(Some(on)),
    };
    after.updated_at = now;
    rows::settle(tx, books.account(), &after)?;
    let quarter = Quarter::of(after.invoice_date);
    books.count(quarter, uncounted(before));
    books.count(quarter, counted(&after));
    Ok(after)
}

fn print_number(actor: &Actor, year: i16, number: i64) -> Result<String, Error> {
    numbering::format(&actor.number_pattern, year, number).map_err(|error| Error::Broken(error.to_string()))
}
