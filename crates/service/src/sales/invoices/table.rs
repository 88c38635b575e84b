//! Invoices as a page lists them, and one with all that belongs to it.

use super::{
    Due, InvoiceDetails, InvoiceTerms, LineInput, NewInvoice, SupplyDays, edit::rates_known, line_as_given, prepayment,
    pricing::price, read,
};
use crate::{Context, Error, contacts::CustomerInput, corrections::IfFiled};
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    invoice::{Line, Priced},
    money::Cents,
};
use store::{
    SyncFilter, Tx,
    invoice_table::{self, Column, Overview, Sums, TableFilter},
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    journal::{self, StoredEntry},
    payments::{self, Payment},
    write_offs::{self, WriteOff},
};

/// A page of a list of invoices.
#[derive(Debug, Clone)]
pub struct Table {
    /// The documents of the page.
    pub rows: Vec<Invoice>,
    /// The sums of the whole list.
    pub sums: Sums,
    /// How many are in each state, whatever the filter.
    pub overview: Overview,
}

/// An invoice or credit note with all that belongs to it.
#[derive(Debug, Clone)]
pub struct Dossier {
    /// The document.
    pub details: InvoiceDetails,
    /// The payments on it, oldest first, those that were taken back among them.
    pub payments: Vec<Payment>,
    /// What was written off of it, oldest first.
    pub write_offs: Vec<WriteOff>,
    /// The credit notes on it, oldest first.
    pub credit_notes: Vec<InvoiceDetails>,
    /// The invoice that a credit note takes back.
    pub credited: Option<Invoice>,
    /// The journal entries of the document and of its payments, in the order of booking.
    pub entries: Vec<StoredEntry>,
}

/// A page of invoices and credit notes, with sums.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &TableFilter,
    order: (Column, bool),
    page: (i64, i64),
) -> Result<Table, Error> {
    let rows = invoice_table::rows(tx, cx.actor.account, filter, order, page)?;
    let sums = invoice_table::sums(tx, cx.actor.account, filter)?;
    Ok(Table { rows, sums, overview: invoice_table::overview(tx, cx.actor.account, filter.today)? })
}

/// An invoice or credit note with all that belongs to it.
///
/// # Errors
/// There is no such invoice in this account.
pub fn dossier(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Dossier, Error> {
    let details = read(tx, cx, id)?;
    let payments = payments::by_invoice(tx, cx.actor.account, id)?;
    let write_offs = write_offs::of_invoice(tx, cx.actor.account, id, &SyncFilter::default(), 0, i64::MAX)?.rows;
    let notes = rows::credit_notes_of(tx, cx.actor.account, id)?;
    let credit_notes = notes.into_iter().map(|note| read(tx, cx, note)).collect::<Result<Vec<_>, _>>()?;
    let credited = match details.invoice.credited_invoice_id {
        Some(credited) => rows::by_id(tx, cx.actor.account, credited)?,
        None => None,
    };
    let of_payments = payments.iter().flat_map(|payment| [Some(payment.entry_id), payment.undoing_entry_id]);
    let of_write_offs = write_offs.iter().flat_map(|write_off| [Some(write_off.entry_id), write_off.undoing_entry_id]);
    let mut ids: Vec<i64> = details.entry_ids.iter().copied().chain(of_payments.chain(of_write_offs).flatten()).collect();
    ids.sort_unstable();
    let mut entries = Vec::with_capacity(ids.len());
    for id in ids {
        entries.extend(journal::by_id(tx, cx.actor.account, id)?);
    }
    Ok(Dossier { details, payments, write_offs, credit_notes, credited, entries })
}

/// What lines would come to on an invoice of that day; nothing is booked.
///
/// # Errors
/// An amount is out of range.
pub fn reckon(
    tx: &mut Tx<'_>,
    cx: &Context,
    (country, contact, on): (CountryCode, Option<i64>, Date),
    lines: &[LineInput],
    terms: &InvoiceTerms,
    own: i64,
) -> Result<Priced, Error> {
    let set_off = prepayment::lines(tx, cx, contact, terms.prices, &terms.sets_off, own)?;
    price(cx.actor.sales, country, lines, terms.prices, &set_off, on).map(|(_, priced)| priced)
}

/// A draft with the lines of another invoice, for the same contact as it is now.
///
/// # Errors
/// A rate of its lines is none any more, or it was open when the books began and has no lines.
pub fn copy_of(details: &InvoiceDetails, today: Date) -> Result<NewInvoice, Error> {
    let invoice = &details.invoice;
    details.require_made_here()?;
    let own = || details.lines.iter().filter(|(line, _)| line.sets_off.is_none());
    let line = |(line, _): &(Line, Cents)| LineInput { quantity: -line.quantity, ..line_as_given(line) };
    let as_it_is = |(line, _): &(Line, Cents)| line_as_given(line);
    let copy = NewInvoice {
        external_id: None,
        invoice_date: today,
        supply: SupplyDays::default(),
        status: Status::Draft,
        customer: CustomerInput { contact_id: Some(invoice.contact_id), ..CustomerInput::default() },
        // Of a credit note, what it took back is invoiced again.
        lines: match invoice.kind {
            InvoiceKind::CreditNote => own().map(line).collect(),
            InvoiceKind::Invoice => own().map(as_it_is).collect(),
        },
        terms: InvoiceTerms { prices: invoice.prices(), prepayment: invoice.prepayment, sets_off: Vec::new() },
        due: Due::AccountTerm,
        reference: invoice.reference.clone(),
        notes: invoice.notes.clone(),
        if_filed: IfFiled::Refuse,
    };
    rates_known(&copy.lines, true, today)?;
    Ok(copy)
}
