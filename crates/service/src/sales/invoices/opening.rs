//! Invoices that were unpaid when the books began: created and cancelled with the opening balance.

use super::{count, source};
use crate::{
    Context, Error,
    contacts::{self, Customer},
    document_snapshots::{own_language, record_sent},
};
use jiff::civil::Date;
use ledger::{
    booking,
    cash_accounting::VatMethod,
    credit_note,
    invoice::VatGroup,
    money::Cents,
    vat::{VatCategory, VatRate, sales_box},
};
use store::{
    Tx,
    books::{Books, IdSequence},
    invoices::{self as rows, Invoice, InvoiceKind, Origin, Particulars, Status, TAKEN_BACK},
    opening_items::{self as rows_of_items, OpenItemKind, OpeningVat},
};

/// Unpaid invoice in the opening balance.
pub(crate) struct OpenInvoice<'i> {
    pub(crate) customer: Customer,
    /// Number as printed by the other program.
    pub(crate) number: &'i str,
    pub(crate) date: Date,
    pub(crate) due_date: Date,
    /// Unpaid amount, including VAT.
    pub(crate) amount: Cents,
    /// Day of supply.
    pub(crate) supply_date: Option<Date>,
}

/// Creates an invoice that was unpaid on the date of the opening balance; returns its id.
pub(crate) fn open(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    on: Date,
    item: OpenInvoice<'_>,
) -> Result<i64, Error> {
    let contact_id = contacts::ensure(tx, books, cx, &item.customer)?;
    let invoice = Invoice {
        id: books.next_id(IdSequence::Invoice),
        external_id: None,
        kind: InvoiceKind::Invoice,
        number: item.number.to_owned(),
        number_year: item.date.year(),
        number_in_year: 0,
        status: Status::Sent,
        invoice_date: item.date,
        supply_date: item.supply_date,
        supply_until: None,
        vat_date: on,
        due_date: item.due_date,
        contact_id,
        customer: item.customer.party,
        reference: None,
        notes: None,
        subtotal: item.amount,
        vat_total: Cents::ZERO,
        total: item.amount,
        amount_paid: Cents::ZERO,
        amount_credited: Cents::ZERO,
        amount_written_off: Cents::ZERO,
        paid_at: None,
        first_paid_on: None,
        prices_include_vat: false,
        prepayment: false,
        credited_invoice_id: None,
        source: Origin::Opening,
        created_at: cx.now(),
        updated_at: cx.now(),
        date_unusual: None,
        icp_vat_number: None,
        vat_moved: 0,
        vat_waiting: 0,
        vat_method: VatMethod::Invoice,
        vat_deferred: Cents::ZERO,
        quote_id: None,
        particulars: Particulars::default(),
        language: Some(own_language(books.terms())),
        recurring_id: None,
        occurrence_number: None,
        occurrence_date: None,
    };
    rows::insert(tx, books.account(), &invoice, &[], &[])?;
    let entry = booking::opening_receivable(
        source(&invoice),
        &invoice.number,
        &invoice.customer.name,
        on,
        invoice.total,
    );
    books.append(tx, &entry, cx.now())?;
    count(books, None, &invoice);
    // The invoice's contents are appended to the hash chain, as for an invoice that is sent.
    let language = own_language(books.terms());
    record_sent(tx, books, cx, &invoice, &[], (None, language))?;
    Ok(invoice.id)
}

/// Cancels an invoice because its opening balance was undone. Its number becomes available again.
pub(crate) fn close(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    before: &Invoice,
) -> Result<(), Error> {
    let after = Invoice {
        status: Status::Cancelled,
        number_in_year: TAKEN_BACK,
        updated_at: cx.now(),
        ..before.clone()
    };
    rows::update(tx, books.account(), &after)?;
    count(books, Some(before), &after);
    Ok(())
}

/// Invoice from before the books began, as far as the opening balance describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroughtForward {
    /// Total including VAT, in cents: at least the amount that was open.
    pub total: Cents,
    /// VAT by rate; empty if it is unknown.
    pub groups: Vec<VatGroup>,
}

impl BroughtForward {
    /// Reads the total and the VAT that the opening balance records for one of its invoices.
    pub(crate) fn of(tx: &mut Tx<'_>, account: i64, invoice: &Invoice) -> Result<Self, Error> {
        let item = rows_of_items::by_document(tx, account, OpenItemKind::Receivable, invoice.id)?;
        let Some(item) = item else {
            return Ok(Self { total: invoice.total, groups: Vec::new() });
        };
        let group = |line: OpeningVat| {
            let category =
                if line.rate.is_zero() { VatCategory::OutOfScope } else { VatCategory::Standard };
            VatGroup {
                rate: line.rate,
                category,
                supply: None,
                tax_country: None,
                base: line.base,
                amount: line.amount,
                vat_box: sales_box(category, line.rate, invoice.rates_on()),
            }
        };
        Ok(Self {
            total: item.total.unwrap_or(invoice.total),
            groups: item.vat_lines().into_iter().map(group).collect(),
        })
    }

    /// Returns the amounts that remain after credit notes with the given groups, by rate. If the
    /// VAT is unknown, the remainder is one group without VAT, so that a write-off is a cost in
    /// full.
    pub(super) fn remaining(&self, credited: &[VatGroup]) -> Vec<VatGroup> {
        if !self.groups.is_empty() {
            return credit_note::remaining_of(&self.groups, credited);
        }
        let back: Cents = credited.iter().map(|group| group.base + group.amount).sum();
        vec![VatGroup {
            rate: VatRate::ZERO,
            category: VatCategory::OutOfScope,
            supply: None,
            tax_country: None,
            base: self.total + back,
            amount: Cents::ZERO,
            vat_box: None,
        }]
    }
}
