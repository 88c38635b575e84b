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
    invoice::VatGroup,
    money::Cents,
    vat::{VatCategory, VatRate},
};
use store::{
    Tx,
    books::{Books, IdSequence},
    invoices::{self as rows, Invoice, InvoiceKind, Origin, Status, TAKEN_BACK},
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
        supply_date: None,
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

/// Returns the total of an invoice from the opening balance as one VAT group. Its VAT is unknown,
/// so a write-off turns the whole amount into a cost.
pub(super) fn total_group(invoice: &Invoice) -> VatGroup {
    VatGroup {
        rate: VatRate::ZERO,
        category: VatCategory::OutOfScope,
        supply: None,
        base: invoice.total,
        amount: Cents::ZERO,
        vat_box: None,
    }
}
