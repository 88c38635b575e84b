//! Invoices of quotes: those that stand, and what becomes of the quote when one no longer does.

use crate::{Context, Error};
use ledger::{
    credit_note,
    money::Cents,
    quote::{QuotePart, QuoteStatus},
};
use store::{
    Tx,
    invoices::{self as invoice_rows, Invoice, Status},
    quotes::{self as rows, Quote},
};

/// Whether an invoice stands: it is neither a withdrawn draft nor credited in full. One that
/// prepayments cover has a total of zero; it is credited once all of them are released.
fn stands(tx: &mut Tx<'_>, account: i64, invoice: &Invoice) -> Result<bool, Error> {
    if invoice.status == Status::Cancelled {
        return Ok(false);
    }
    if !invoice.total.is_zero() {
        return Ok(invoice.amount_credited != invoice.total);
    }
    let mut documents = invoice_rows::credit_notes_of(tx, account, invoice.id)?;
    let is_credited = !documents.is_empty();
    documents.push(invoice.id);
    let mut set_off = Cents::ZERO;
    for id in documents {
        let lines = invoice_rows::lines(tx, account, id)?;
        let offsets = lines.iter().map(|(line, _)| line).filter(|line| line.sets_off.is_some());
        set_off += offsets.map(credit_note::amount).sum::<Cents>();
    }
    Ok(!is_credited || !set_off.is_zero())
}

/// Returns the invoices of a quote that stand, oldest first.
pub(crate) fn standing(
    tx: &mut Tx<'_>,
    account: i64,
    quote: &Quote,
) -> Result<Vec<(Invoice, QuotePart)>, Error> {
    let mut found = Vec::new();
    for made in &quote.content.invoices {
        if let Some(invoice) = invoice_rows::by_id(tx, account, made.invoice_id)?
            && stands(tx, account, &invoice)?
        {
            found.push((invoice, made.part));
        }
    }
    Ok(found)
}

/// Whether the invoices make the quote invoiced: one of them is for all of it, or the final one.
pub(crate) fn invoice_all(standing: &[(Invoice, QuotePart)]) -> bool {
    standing.iter().any(|(_, part)| *part != QuotePart::Prepayment)
}

/// Returns the amount that prepayments ask for, in cents including VAT.
pub(crate) fn prepaid(standing: &[(Invoice, QuotePart)]) -> Cents {
    let of_prepayments = standing.iter().filter(|(_, part)| *part == QuotePart::Prepayment);
    of_prepayments.map(|(invoice, _)| invoice.total - invoice.amount_credited).sum()
}

/// Makes the quote of an invoice accepted again, after the invoice was withdrawn or credited, if no
/// other invoice makes it invoiced. The books are locked.
pub(crate) fn release(tx: &mut Tx<'_>, cx: &Context, invoice: &Invoice) -> Result<(), Error> {
    let Some(id) = invoice.quote_id else { return Ok(()) };
    if stands(tx, cx.actor.account, invoice)? {
        return Ok(());
    }
    let Some(quote) = rows::by_id(tx, cx.actor.account, id)? else { return Ok(()) };
    if quote.status != QuoteStatus::Invoiced
        || invoice_all(&standing(tx, cx.actor.account, &quote)?)
    {
        return Ok(());
    }
    let quote = Quote { status: QuoteStatus::Accepted, updated_at: cx.now(), ..quote };
    Ok(rows::update(tx, cx.actor.account, &quote, None)?)
}
