//! Bills that were unpaid when the books began: created and undone with the opening balance.

use super::{Supplier, source};
use crate::{Context, Error};
use jiff::civil::Date;
use ledger::{
    booking,
    money::Cents,
    purchase::{BusinessShare, Deduction, PricedPurchase},
};
use store::{
    Tx,
    books::{Books, IdSequence},
    expenses::{self as rows, Bill, Expense, PayTo},
    invoices::Origin,
};

/// Unpaid bill in the opening balance.
pub(crate) struct OpenBill<'b> {
    pub(crate) supplier: Supplier,
    /// Number of the bill, as assigned by the supplier.
    pub(crate) number: &'b str,
    pub(crate) date: Date,
    pub(crate) due_date: Date,
    /// Unpaid amount, including VAT.
    pub(crate) amount: Cents,
}

/// Creates a bill that was unpaid on the date of the opening balance; returns its id.
pub(crate) fn open(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    on: Date,
    item: OpenBill<'_>,
) -> Result<i64, Error> {
    let id = books.next_id(IdSequence::Expense);
    let supplier = item.supplier.name.as_deref().unwrap_or_default();
    let entry = booking::opening_payable(source(id), item.number, supplier, on, item.amount);
    let expense = Expense {
        id,
        external_id: None,
        date: item.date,
        contact_id: item.supplier.contact_id,
        supplier: item.supplier.name,
        description: Some(item.number.to_owned()),
        paid_from: None,
        business_share: BusinessShare::WHOLE,
        net: item.amount,
        vat: Cents::ZERO,
        deductible: Cents::ZERO,
        total: item.amount,
        amount_paid: Cents::ZERO,
        vat_repaid: Cents::ZERO,
        entry_id: books.append(tx, &entry, cx.now())?,
        asset_id: None,
        deduction: Deduction::Usual,
        undone_at: None,
        source: Origin::Opening,
        created_at: cx.now(),
        updated_at: cx.now(),
        date_unusual: None,
        period_from: None,
        period_until: None,
        bill: Bill {
            number: Some(item.number.to_owned()),
            due_date: Some(item.due_date),
            pay_to: PayTo::default(),
        },
    };
    rows::insert(tx, books.account(), &expense, &[])?;
    Ok(id)
}

/// Marks a bill as undone because its opening balance was undone.
pub(crate) fn close(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    before: &Expense,
) -> Result<(), Error> {
    let after = Expense { undone_at: Some(cx.now()), updated_at: cx.now(), ..before.clone() };
    Ok(rows::replace(tx, books.account(), &after, None)?)
}

/// Returns the priced purchase of a bill from the opening balance: an amount without lines, since
/// its VAT is unknown.
pub(super) fn priced(bill: &Expense) -> PricedPurchase {
    PricedPurchase {
        lines: Vec::new(),
        share: BusinessShare::WHOLE,
        deduction: Deduction::Usual,
        net: bill.total,
        vat: Cents::ZERO,
        deductible: Cents::ZERO,
        total: bill.total,
    }
}
