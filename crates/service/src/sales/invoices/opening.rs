//! An invoice that a customer still owed when the books began: made with the opening balance, and taken back with it.

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

/// What is known of such an invoice.
pub(crate) struct OpenInvoice<'i> {
    pub(crate) customer: Customer,
    /// As the other program printed it.
    pub(crate) number: &'i str,
    pub(crate) date: Date,
    pub(crate) due_date: Date,
    /// What is open of it, including VAT.
    pub(crate) amount: Cents,
}

/// Lists an invoice that was open on the day on which the books begin; gives its id.
pub(crate) fn open(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, on: Date, item: OpenInvoice<'_>) -> Result<i64, Error> {
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
    };
    rows::insert(tx, books.account(), &invoice, &[], &[])?;
    let entry = booking::opening_receivable(source(&invoice), &invoice.number, &invoice.customer.name, on, invoice.total);
    books.append(tx, &entry, cx.now())?;
    count(books, None, &invoice);
    // What it says is a link of the chain, as of an invoice that is sent.
    let language = own_language(books.terms());
    record_sent(tx, books, cx, &invoice, &[], (None, language))?;
    Ok(invoice.id)
}

/// Notes that an invoice is open no more, since its opening balance was undone; its number is free again.
pub(crate) fn close(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, before: &Invoice) -> Result<(), Error> {
    let after = Invoice { status: Status::Cancelled, number_in_year: TAKEN_BACK, updated_at: cx.now(), ..before.clone() };
    rows::update(tx, books.account(), &after)?;
    count(books, Some(before), &after);
    Ok(())
}

/// What can be lost of such an invoice: all of it is cost, since its VAT is not known.
pub(super) fn whole(invoice: &Invoice) -> VatGroup {
    VatGroup {
        rate: VatRate::ZERO,
        category: VatCategory::OutOfScope,
        supply: None,
        base: invoice.total,
        amount: Cents::ZERO,
        vat_box: None,
    }
}
