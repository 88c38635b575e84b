//! Prepayments: what is left of them, and the lines of a final invoice that set it off.

use super::{InvoiceDetails, pricing::as_quantity_and_price, read, remaining_of};
use crate::{Context, Error, Fault, Reason, document_snapshots::language_of};
use jiff::civil::Date;
use ledger::{
    credit_note,
    invoice::{Line, Prices, VatGroup},
    language::Language,
    money::Cents,
    vat::Supply,
};
use store::{
    Tx,
    invoices::{self as rows, InvoiceKind, Status},
    prepayments,
};

/// A prepayment invoice of which something can be set off.
#[derive(Debug, Clone)]
pub struct OpenPrepayment {
    /// Its id.
    pub id: i64,
    /// Its number as it is printed.
    pub number: String,
    /// What is left of it, excluding VAT.
    pub remaining: Cents,
}

/// The prepayment invoices of a contact of which something is left to be set off, those that the document `besides` sets off among them.
///
/// # Errors
/// The storage failed.
pub fn open_prepayments(tx: &mut Tx<'_>, cx: &Context, contact: i64, besides: i64) -> Result<Vec<OpenPrepayment>, Error> {
    let mut open = Vec::new();
    for invoice in prepayments::of_contact(tx, cx.actor.account, contact)? {
        let details = read(tx, cx, invoice.id)?;
        let remaining = remaining_to_set_off(tx, cx, &details, besides)?;
        if !credit_note::is_nothing(&remaining) {
            let remaining = remaining.iter().map(|group| group.base).sum();
            open.push(OpenPrepayment { id: invoice.id, number: invoice.number, remaining });
        }
    }
    Ok(open)
}

/// What neither credit notes nor final invoices took of a prepayment invoice; `besides` is a document that does not count.
pub(super) fn remaining_to_set_off(
    tx: &mut Tx<'_>,
    cx: &Context,
    prepayment: &InvoiceDetails,
    besides: i64,
) -> Result<Vec<VatGroup>, Error> {
    let mut remaining = remaining_of(tx, cx, prepayment)?;
    for (key, set_off) in prepayments::set_off(tx, cx.actor.account, prepayment.invoice.id, besides)? {
        for group in remaining.iter_mut().filter(|group| group.key() == key && !set_off.is_zero()) {
            group.base += set_off;
            group.amount = group.rate.of(group.base);
        }
    }
    Ok(remaining)
}

/// Date of the latest prepayment invoice that lines set off.
pub(super) fn latest(tx: &mut Tx<'_>, cx: &Context, lines: &[(Line, Cents)]) -> Result<Option<Date>, Error> {
    let mut ids: Vec<i64> = lines.iter().filter_map(|(line, _)| line.sets_off).collect();
    ids.dedup();
    let mut latest = None;
    for id in ids {
        latest = latest.max(rows::by_id(tx, cx.actor.account, id)?.map(|prepayment| prepayment.invoice_date));
    }
    Ok(latest)
}

/// The lines that set prepayment invoices off on another invoice of the same contact, one for each rate, category and supply; `own` is
/// the id of that invoice, if it has one.
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
        let mut refuse = |reason| faults.push(Fault::new(format!("/prepaymentInvoiceIds/{place}"), reason));
        let found = match read(tx, cx, *id) {
            Ok(found) => Some(found),
            Err(Error::NotFound(_)) => None,
            Err(other) => return Err(other),
        };
        let fits = |details: &InvoiceDetails| {
            let invoice = &details.invoice;
            let is_prepayment = invoice.prepayment && invoice.kind == InvoiceKind::Invoice && invoice.status == Status::Sent;
            is_prepayment && Some(invoice.contact_id) == contact && !ids[..place].contains(id)
        };
        let Some(prepayment) = found.filter(fits) else {
            refuse(Reason::UnknownPrepayment { id: *id });
            continue;
        };
        let remaining = remaining_to_set_off(tx, cx, &prepayment, own)?;
        if credit_note::is_nothing(&remaining) {
            refuse(Reason::PrepaymentUsed { invoice: prepayment.invoice.number });
            continue;
        }
        // As it was sent itself: what its line says stands on a document too.
        let description = match language_of(tx, cx, *id)?.unwrap_or(Language::Dutch) {
            Language::Dutch => format!("Af: voorschot, factuur {}", prepayment.invoice.number),
            Language::English => format!("Less: prepayment, invoice {}", prepayment.invoice.number),
        };
        for group in remaining.iter().filter(|group| !group.base.is_zero()) {
            let amount = if prices == Prices::Gross { group.base + group.amount } else { group.base };
            let (quantity, unit_price) = as_quantity_and_price(amount);
            lines.push(Line {
                description: description.clone(),
                quantity: -quantity,
                unit_price,
                vat_rate: group.rate,
                vat_category: group.category,
                supply: group.supply.unwrap_or(Supply::Services),
                sets_off: Some(*id),
                rounding: Cents::ZERO,
            });
        }
    }
    if faults.is_empty() { Ok(lines) } else { Err(Error::Invalid(faults)) }
}
