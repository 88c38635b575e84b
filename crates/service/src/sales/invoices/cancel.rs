//! Cancelling drafts.

use super::{InvoiceDetails, count, read, small_business, source};
use crate::{
    Context, Error, InvoiceError, cash_accounting, context,
    corrections::{self, Booking, IfFiled},
    quote_invoices,
};
use ledger::money::Cents;
use store::{
    Tx,
    invoices::{self as rows, Status},
    time,
};

/// Cancels a draft by reversing its booking; the draft's number is not reused. A cancelled draft is
/// returned unchanged. `expected` is called on the stored draft while the books are locked; if it
/// returns false, there is a conflict.
///
/// # Errors
/// There is no such invoice, it is not as expected, it has been sent, or the VAT return that
/// includes it is filed and `if_filed` does not allow a correction.
pub fn cancel(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    if_filed: IfFiled,
    expected: &dyn Fn(&InvoiceDetails) -> bool,
) -> Result<InvoiceDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut draft = read(tx, cx, id)?;
        if !expected(&draft) {
            return Err(Error::Changed);
        }
        draft.reject_opening_item()?;
        match draft.invoice.status {
            Status::Draft => {}
            Status::Cancelled => return Ok(draft),
            Status::Sent => return Err(InvoiceError::NotADraft.into()),
        }
        let booking = Booking::standing(tx, cx.actor.account, &draft.entry_ids)?;
        draft.entry_ids.extend(corrections::reverse(
            tx,
            books,
            cx,
            (source(&draft.invoice), booking.id()),
            if_filed,
        )?);
        let before = draft.invoice.clone();
        draft.invoice.status = Status::Cancelled;
        draft.invoice.vat_deferred = Cents::ZERO;
        draft.invoice.updated_at = cx.now();
        rows::update(tx, cx.actor.account, &draft.invoice)?;
        count(books, Some(&before), &draft.invoice);
        let suspended = small_business::suspend(tx, books, id)?;
        small_business::settle(tx, books, cx, (suspended, None), (id, if_filed))?;
        time::free_entries(tx, cx.actor.account, id, cx.now())?;
        quote_invoices::release(tx, cx, &draft.invoice)?;
        if draft.has_vat_when_paid() {
            cash_accounting::sync(tx, books, cx, id, if_filed)?;
            return read(tx, cx, id);
        }
        Ok(draft)
    })
}
