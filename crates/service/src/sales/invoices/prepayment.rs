//! Prepayments: the amounts that remain to be set off, and the lines with which a final invoice
//! sets them off.

use super::{InvoiceDetails, pricing::as_quantity_and_price, read, remaining_of};
use crate::{Context, Error, Fault, Reason, document_snapshots::language_of};
use jiff::civil::Date;
use ledger::{
    credit_note,
    discount::Discount,
    invoice::{Line, Prices, VatGroup},
    language::Language,
    money::Cents,
    vat::Supply,
    write_off,
};
use store::{
    Tx,
    invoices::{self as rows, InvoiceKind, Status},
    prepayments,
};

/// Prepayment invoice that is not fully set off.
#[derive(Debug, Clone)]
pub struct OpenPrepayment {
    /// Id.
    pub id: i64,
    /// Number as printed.
    pub number: String,
    /// Remaining amount in cents, excluding VAT.
    pub remaining: Cents,
}

/// Returns the prepayment invoices of a contact that are not fully set off. Amounts set off by the
/// document `excluded` are treated as remaining.
///
/// # Errors
/// The storage failed.
pub fn open_prepayments(
    tx: &mut Tx<'_>,
    cx: &Context,
    contact: i64,
    excluded: i64,
) -> Result<Vec<OpenPrepayment>, Error> {
    let mut open = Vec::new();
    for invoice in prepayments::of_contact(tx, cx.actor.account, contact)? {
        let details = read(tx, cx, invoice.id)?;
        let remaining = remaining_to_set_off(tx, cx, &details, excluded)?;
        if !credit_note::is_nothing(&remaining) {
            let remaining = remaining.iter().map(|group| group.base).sum();
            open.push(OpenPrepayment { id: invoice.id, number: invoice.number, remaining });
        }
    }
    Ok(open)
}

/// Returns the remainder of a prepayment invoice after credit notes, write-offs and final invoices,
/// ignoring amounts set off by the document `excluded`.
pub(crate) fn remaining_to_set_off(
    tx: &mut Tx<'_>,
    cx: &Context,
    prepayment: &InvoiceDetails,
    excluded: i64,
) -> Result<Vec<VatGroup>, Error> {
    let mut remaining = remaining_of(tx, cx, prepayment)?;
    let lost =
        write_off::between(&remaining, Cents::ZERO, prepayment.invoice.amount_written_off).groups;
    for group in &mut remaining {
        let key = group.key();
        if let Some(lost) = lost.iter().find(|lost| lost.key() == key) {
            group.base -= lost.base;
            group.amount -= lost.amount;
        }
    }
    for (key, set_off) in
        prepayments::set_off(tx, cx.actor.account, prepayment.invoice.id, excluded)?
    {
        for group in remaining.iter_mut().filter(|group| group.key() == key && !set_off.is_zero()) {
            group.base += set_off;
            group.amount = group.rate.of(group.base);
        }
    }
    Ok(remaining)
}

/// Returns the date of the latest prepayment invoice that the lines set off.
pub(super) fn latest(
    tx: &mut Tx<'_>,
    cx: &Context,
    lines: &[(Line, Cents)],
) -> Result<Option<Date>, Error> {
    let mut ids: Vec<i64> = lines.iter().filter_map(|(line, _)| line.sets_off).collect();
    ids.dedup();
    let mut latest = None;
    for id in ids {
        latest = latest
            .max(rows::by_id(tx, cx.actor.account, id)?.map(|prepayment| prepayment.invoice_date));
    }
    Ok(latest)
}

/// Returns the lines with which an invoice sets off the prepayment invoices `ids` of its contact:
/// one per prepayment, rate, category and supply. `own` is the id of the invoice; 0 if it is new.
pub(super) fn lines(
    tx: &mut Tx<'_>,
    cx: &Context,
    contact: Option<i64>,
    prices: Prices,
    ids: &[i64],
    own: i64,
) -> Result<Vec<Line>, Error> {
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    for (place, id) in ids.iter().enumerate() {
        let mut refuse =
            |reason| faults.push(Fault::new(format!("/prepaymentInvoiceIds/{place}"), reason));
        let prepayment = match read(tx, cx, *id) {
            Ok(prepayment) => Some(prepayment),
            Err(Error::NotFound(_)) => None,
            Err(other) => return Err(other),
        };
        let fits = |details: &InvoiceDetails| {
            let invoice = &details.invoice;
            let is_prepayment = invoice.prepayment
                && invoice.kind == InvoiceKind::Invoice
                && invoice.status == Status::Sent;
            is_prepayment && Some(invoice.contact_id) == contact && !ids[..place].contains(id)
        };
        let Some(prepayment) = prepayment.filter(fits) else {
            refuse(Reason::UnknownPrepayment { id: *id });
            continue;
        };
        let remaining = remaining_to_set_off(tx, cx, &prepayment, own)?;
        if credit_note::is_nothing(&remaining) {
            refuse(Reason::PrepaymentUsed { invoice: prepayment.invoice.number });
            continue;
        }
        // The line is printed on a document, in the language of the prepayment invoice.
        let description = match language_of(tx, cx, *id)?.unwrap_or(Language::Dutch) {
            Language::Dutch => format!("Af: voorschot, factuur {}", prepayment.invoice.number),
            Language::English => format!("Less: prepayment, invoice {}", prepayment.invoice.number),
        };
        for group in remaining.iter().filter(|group| !group.base.is_zero()) {
            let amount =
                if prices == Prices::Gross { group.base + group.amount } else { group.base };
            let (quantity, unit_price) = as_quantity_and_price(amount);
            lines.push(Line {
                description: description.clone(),
                quantity: -quantity,
                unit_price,
                vat_rate: group.rate,
                vat_category: group.category,
                supply: group.supply.unwrap_or(Supply::Services),
                tax_country: group.tax_country,
                sets_off: Some(*id),
                account: None,
                rounding: Cents::ZERO,
                unit: None,
                discount: Discount::None,
                credits: None,
            });
        }
    }
    if faults.is_empty() { Ok(lines) } else { Err(Error::Invalid(faults)) }
}
