//! Lists of invoices, and single invoices with their payments, credit notes and entries.

use super::{
    Due, InvoiceDetails, InvoiceTerms, LineInput, NewInvoice, SupplyDays,
    edit::rates_known,
    line_input,
    one_stop_shop::{self, Consumer},
    prepayment,
    pricing::price,
    read, vat_proposals,
};
use crate::{
    Context, Error, cash_accounting,
    contacts::CustomerInput,
    corrections::{self, IfFiled},
    vat_moves,
};
use jiff::civil::Date;
use ledger::{
    discount::Discount,
    invoice::{Line, Priced},
    money::Cents,
    vat::VatCategory,
    vat_period::VatPeriod,
};
use store::{
    SyncFilter, Tx,
    invoice_table::{self, Column, Overview, Sums, TableFilter},
    invoices::{self as rows, Invoice, InvoiceKind, Status},
    journal::{self, StoredEntry},
    payments::{self, Payment, VatMove},
    write_offs::{self, WriteOff},
};

/// Page of a list of invoices.
#[derive(Debug, Clone)]
pub struct Table {
    /// Documents on the page.
    pub rows: Vec<Invoice>,
    /// Sums over the complete list.
    pub sums: Sums,
    /// Counts per state, regardless of the filter.
    pub overview: Overview,
}

/// Invoice or credit note with its payments, write-offs, credit notes and entries.
#[derive(Debug, Clone)]
pub struct Dossier {
    /// The document.
    pub details: InvoiceDetails,
    /// Its payments, oldest first, including those that were undone.
    pub payments: Vec<Payment>,
    /// Its write-offs, oldest first.
    pub write_offs: Vec<WriteOff>,
    /// Its credit notes, oldest first.
    pub credit_notes: Vec<InvoiceDetails>,
    /// Invoice that the document credits, if it is a credit note.
    pub credited: Option<Invoice>,
    /// Journal entries of the document, its payments and its write-offs, in the order of booking.
    pub entries: Vec<StoredEntry>,
    /// VAT period whose return includes the document.
    pub vat_period: VatPeriod,
}

/// Returns a page of invoices and credit notes, with sums. `order` is the sort column and whether
/// to sort in descending order; `page` is the offset and the maximum number of rows.
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

/// Returns an invoice or credit note with its payments, write-offs, credit notes and entries.
///
/// # Errors
/// There is no such invoice in this account.
pub fn dossier(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Dossier, Error> {
    let details = read(tx, cx, id)?;
    let payments = payments::by_invoice(tx, cx.actor.account, id)?;
    let write_offs =
        write_offs::of_invoice(tx, cx.actor.account, id, &SyncFilter::default(), 0, i64::MAX)?.rows;
    let notes = rows::credit_notes_of(tx, cx.actor.account, id)?;
    let credit_notes =
        notes.into_iter().map(|note| read(tx, cx, note)).collect::<Result<Vec<_>, _>>()?;
    let credited = match details.invoice.credited_invoice_id {
        Some(credited) => rows::by_id(tx, cx.actor.account, credited)?,
        None => None,
    };
    let of_payments =
        payments.iter().flat_map(|payment| [Some(payment.entry_id), payment.undoing_entry_id]);
    let of_write_offs = write_offs
        .iter()
        .flat_map(|write_off| [Some(write_off.entry_id), write_off.undoing_entry_id]);
    let mut ids: Vec<i64> = details
        .entry_ids
        .iter()
        .copied()
        .chain(of_payments.chain(of_write_offs).flatten())
        .collect();
    for payment in payments.iter().filter(|payment| payment.vat_move == VatMove::Moved) {
        ids.extend(journal::ids_by_source(tx, cx.actor.account, vat_moves::source(payment.id))?);
    }
    ids.extend(journal::ids_by_source(tx, cx.actor.account, cash_accounting::source(id))?);
    ids.sort_unstable();
    let mut entries = Vec::with_capacity(ids.len());
    for id in ids {
        entries.extend(journal::by_id(tx, cx.actor.account, id)?);
    }
    let vat_period = corrections::counts_in(cx, &entries, details.invoice.vat_date);
    Ok(Dossier { details, payments, write_offs, credit_notes, credited, entries, vat_period })
}

/// Prices lines as on an invoice dated `on`, without booking them. `own` is the id of the
/// invoice; 0 if it is new.
///
/// # Errors
/// A line or a prepayment is invalid, or an amount is out of range.
pub fn reckon(
    tx: &mut Tx<'_>,
    cx: &Context,
    (customer, contact, on): (Consumer, Option<i64>, Date),
    lines: &[LineInput],
    (terms, discount): (&InvoiceTerms, Discount),
    own: i64,
) -> Result<Priced, Error> {
    let set_off = prepayment::lines(tx, cx, contact, terms.prices, &terms.sets_off, own)?;
    let document = ((own != 0).then_some(own), on);
    let lines = vat_proposals::fill(tx, cx, customer, document, (lines, terms.prices))?;
    let lines = one_stop_shop::resolve(tx, cx, customer, &lines, on)?;
    let (own, place) = (&cx.actor.own_accounts, customer.place());
    let terms = (terms.prices, discount);
    price(own, cx.actor.sales, place, &lines, terms, &set_off, on).map(|(_, priced)| priced)
}

/// Returns a new draft with the lines of an existing invoice, for the same contact with the
/// contact's current data.
///
/// # Errors
/// A VAT rate of the lines is no longer in force, or the invoice is from the opening balance and
/// has no lines.
pub fn copy_of(details: &InvoiceDetails, today: Date) -> Result<NewInvoice, Error> {
    let invoice = &details.invoice;
    details.reject_opening_item()?;
    let own = || details.lines.iter().filter(|(line, _)| line.sets_off.is_none());
    let negated = |(line, _): &(Line, Cents)| LineInput {
        quantity: -line.quantity,
        discount: -line.discount,
        ..copied(line)
    };
    let unchanged = |(line, _): &(Line, Cents)| copied(line);
    let copy = NewInvoice {
        external_id: None,
        invoice_date: today,
        supply: SupplyDays::default(),
        status: Status::Draft,
        customer: CustomerInput::contact(invoice.contact_id),
        // A copy of a credit note invoices the credited items again.
        lines: match invoice.kind {
            InvoiceKind::CreditNote => own().map(negated).collect(),
            InvoiceKind::Invoice => own().map(unchanged).collect(),
        },
        terms: InvoiceTerms {
            prices: invoice.prices(),
            prepayment: invoice.prepayment,
            sets_off: Vec::new(),
        },
        due: Due::AccountTerm,
        reference: invoice.reference.clone(),
        notes: invoice.notes.clone(),
        particulars: invoice.particulars.clone(),
        language: None,
        if_filed: IfFiled::Refuse,
    };
    rates_known(&copy.lines, true, today)?;
    Ok(copy)
}

/// Returns a line as input for an invoice on another day. A line that is exempt under the small
/// businesses scheme gets the default category on that day.
pub(super) fn copied(line: &Line) -> LineInput {
    let category = line.vat_category.public();
    let input = LineInput { vat_category: Some(category), ..line_input(line) };
    if line.vat_category == VatCategory::SmallBusiness {
        LineInput { vat_category: None, exemption: None, ..input }
    } else {
        input
    }
}
