//! Moving VAT to the date of a payment that was received before the VAT period of its invoice.
//!
//! VAT on an amount that is received before the invoice is issued or should have been issued is due
//! on receipt (art. 13(2) Wet OB 1968). Recording such a payment moves its VAT, unless the return
//! for one of the two periods was filed. A separate command then moves the VAT as corrections.

use crate::{
    Context, Error, context,
    corrections::{self, Booking, IfFiled},
    invoices::{self, InvoiceDetails, require_sent},
};
use jiff::civil::Date;
use ledger::{
    booking::Earned,
    entry::{Source, SourceType},
    invoice::VatGroup,
    money::Cents,
    vat_move,
};
use store::{
    Tx,
    books::Books,
    invoices::Invoice,
    journal,
    payments::{self as rows, Payment, VatMove},
};

/// Moves the VAT on the waiting payments of an invoice to the dates of the payments. An invoice
/// without such payments is returned unchanged.
///
/// # Errors
/// There is no such invoice, it was not sent, an affected VAT return is filed and `if_filed` does
/// not allow a correction, or the corrections of a period would exceed their limit.
pub fn move_vat(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice_id: i64,
    if_filed: IfFiled,
) -> Result<InvoiceDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let details = invoices::read(tx, cx, invoice_id)?;
        require_sent(&details.invoice)?;
        let (before, mut after) = (&details.invoice, details.invoice.clone());
        for mut payment in rows::by_invoice(tx, cx.actor.account, invoice_id)? {
            if payment.undone_at.is_some() || payment.vat_move != VatMove::Waiting {
                continue;
            }
            let of = (payment.id, payment.date, payment.amount);
            let vat_move = book(tx, books, cx, &details, of, if_filed)?;
            count(&mut after, &payment, -1);
            payment.vat_move = vat_move;
            count(&mut after, &payment, 1);
            rows::moved(tx, cx.actor.account, &payment)?;
        }
        if after.vat_waiting == before.vat_waiting {
            return Ok(details);
        }
        let on = after.paid_at.unwrap_or(after.invoice_date);
        invoices::settle(tx, books, cx, before, after, on)?;
        invoices::read(tx, cx, invoice_id)
    })
}

/// Moves the VAT of a new payment (id, date, amount) if it is due on the date of the payment.
pub(crate) fn on_payment(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    details: &InvoiceDetails,
    payment: (i64, Date, Cents),
) -> Result<VatMove, Error> {
    let (_, date, amount) = payment;
    let is_early = cx.actor.vat_units.period_of(date) < details.vat_period;
    // Under cash accounting, the payment itself makes its VAT due.
    let is_due_anyway = details.has_vat_when_paid();
    if !is_early || is_due_anyway || amount <= Cents::ZERO {
        return Ok(VatMove::Nothing);
    }
    if groups_to_move(tx, cx, details, amount)?.is_empty() {
        return Ok(VatMove::Nothing);
    }
    for day in [date, details.invoice.vat_date] {
        if corrections::filed_on(tx, cx.actor.account, day)?.is_some() {
            return Ok(VatMove::Waiting);
        }
    }
    book(tx, books, cx, details, payment, IfFiled::Refuse)
}

/// Returns the share of a payment in the VAT of the invoice, beyond the payments whose VAT is moved.
fn groups_to_move(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &InvoiceDetails,
    amount: Cents,
) -> Result<Vec<VatGroup>, Error> {
    let payments = rows::by_invoice(tx, cx.actor.account, details.invoice.id)?;
    let is_moved = |other: &&Payment| other.undone_at.is_none() && other.vat_move == VatMove::Moved;
    let before: Cents = payments.iter().filter(is_moved).map(|other| other.amount).sum();
    Ok(vat_move::groups(&details.groups, before, amount))
}

/// Books the entries that move the VAT on a payment, if there is any.
fn book(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    details: &InvoiceDetails,
    (id, date, amount): (i64, Date, Cents),
    if_filed: IfFiled,
) -> Result<VatMove, Error> {
    let invoice = &details.invoice;
    let groups = groups_to_move(tx, cx, details, amount)?;
    if groups.is_empty() {
        return Ok(VatMove::Nothing);
    }
    let earned = if invoice.prepayment { Earned::Later } else { Earned::Now };
    let days = (date, invoice.vat_date);
    for entry in vat_move::entries(id, &invoice.number, days, &groups, earned) {
        corrections::append(tx, books, cx, entry, if_filed)?;
    }
    Ok(VatMove::Moved)
}

/// Takes back the VAT move of a payment that is undone on `undone_on`. If that is on or after the
/// VAT date of the invoice, the payment existed until then, so its VAT stays where it is.
pub(crate) fn undo(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    payment: &Payment,
    (undone_on, vat_date): (Date, Date),
    if_filed: IfFiled,
) -> Result<(), Error> {
    if payment.vat_move != VatMove::Moved || undone_on >= vat_date {
        return Ok(());
    }
    let (account, source) = (cx.actor.account, source(payment.id));
    let booked = journal::ids_by_source(tx, account, source)?;
    for id in corrections::not_taken_back(tx, account, &booked)? {
        let entry = Booking::of(tx, account, id)?.entry();
        if entry.date() >= undone_on {
            corrections::reverse(tx, books, cx, (source, id), if_filed)?;
        } else {
            let reversal = entry.reversal(id, undone_on, undone_on);
            corrections::append(tx, books, cx, reversal, if_filed)?;
        }
    }
    Ok(())
}

/// Whether a filed return has VAT on an invoice, because a payment was received before it, or VAT
/// waits to be moved to a filed period.
pub(crate) fn is_filed(tx: &mut Tx<'_>, cx: &Context, invoice: &Invoice) -> Result<bool, Error> {
    let account = cx.actor.account;
    if (invoice.vat_moved, invoice.vat_waiting) == (0, 0) {
        return Ok(false);
    }
    for payment in rows::by_invoice(tx, account, invoice.id)? {
        let is_filed = match payment.vat_move {
            _ if payment.undone_at.is_some() => false,
            VatMove::Nothing => false,
            VatMove::Moved => corrections::filed_on(tx, account, payment.date)?.is_some(),
            VatMove::Waiting => true,
        };
        if is_filed {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes back all VAT moves of an invoice, because its VAT is due on each payment anyway.
pub(crate) fn withdraw(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    invoice_id: i64,
) -> Result<(), Error> {
    let account = cx.actor.account;
    for mut payment in rows::by_invoice(tx, account, invoice_id)? {
        if payment.vat_move != VatMove::Moved {
            continue;
        }
        let source = source(payment.id);
        let booked = journal::ids_by_source(tx, account, source)?;
        for id in corrections::not_taken_back(tx, account, &booked)? {
            corrections::reverse(tx, books, cx, (source, id), IfFiled::Refuse)?;
        }
        update(tx, books, cx, &mut payment, VatMove::Nothing)?;
    }
    Ok(())
}

/// Moves the VAT of the payments of an invoice as if they were recorded now, because its VAT is no
/// longer due on each payment.
pub(crate) fn repeat(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    invoice_id: i64,
) -> Result<(), Error> {
    for mut payment in rows::by_invoice(tx, cx.actor.account, invoice_id)? {
        let details = invoices::read(tx, cx, invoice_id)?;
        // A payment that existed until the VAT date keeps its VAT where it is when it is undone.
        let counts = payment.undone_on.is_none_or(|day| day >= details.invoice.vat_date);
        if counts && payment.vat_move == VatMove::Nothing {
            let of = (payment.id, payment.date, payment.amount);
            let vat_move = on_payment(tx, books, cx, &details, of)?;
            update(tx, books, cx, &mut payment, vat_move)?;
        }
    }
    Ok(())
}

/// Stores how the VAT of a payment was moved, with the counts of its invoice.
fn update(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    payment: &mut Payment,
    vat_move: VatMove,
) -> Result<(), Error> {
    if payment.vat_move == vat_move {
        return Ok(());
    }
    let is_counted = payment.undone_at.is_none();
    let before = invoices::read(tx, cx, payment.invoice_id)?.invoice;
    let mut after = before.clone();
    if is_counted {
        count(&mut after, payment, -1);
    }
    payment.vat_move = vat_move;
    if is_counted {
        count(&mut after, payment, 1);
    }
    rows::moved(tx, cx.actor.account, payment)?;
    let on = after.paid_at.unwrap_or(after.invoice_date);
    invoices::settle(tx, books, cx, &before, after, on)?;
    Ok(())
}

/// Adds a payment to the VAT move counts of its invoice (`by` is 1), or removes it (-1).
pub(crate) fn count(invoice: &mut Invoice, payment: &Payment, by: i64) {
    match payment.vat_move {
        VatMove::Nothing => {}
        VatMove::Moved => invoice.vat_moved += by,
        VatMove::Waiting => invoice.vat_waiting += by,
    }
}

/// Source of the entries that move the VAT on a payment.
pub(crate) fn source(payment: i64) -> Source {
    Source { kind: SourceType::VatMove, id: payment }
}
