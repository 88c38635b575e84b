//! An expense is edited or taken back: the old booking is reversed and a new one made.

use super::{
    ExpenseDetails, ExpenseLine, Supplier, entry, identify, priced,
    prospect::duplicates,
    read, receipts_of,
    record::{all_of, no_faults},
    require_booked, source, take_sums,
};
use crate::{
    Context, Error, Fault, Reason, context,
    corrections::{self, Booking, IfFiled},
    days, vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    correction,
    money::Cents,
    purchase::{self, BusinessShare, PricedPurchase},
};
use store::{
    Tx,
    books::Books,
    expenses::{self as rows, Expense},
    receipts as receipt_rows,
};

/// What may change of an expense; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct EditExpense {
    /// A new day.
    pub date: Option<Date>,
    /// Another supplier.
    pub supplier: Option<Supplier>,
    /// A new description; `Some(None)` takes it away.
    pub description: Option<Option<String>>,
    /// New lines in place of all old ones.
    pub lines: Option<Vec<ExpenseLine>>,
    /// Where it was paid from; `Some(None)` makes it a bill to be paid.
    pub paid_from: Option<Option<MoneyAccount>>,
    /// Another part for the business.
    pub business_share: Option<BusinessShare>,
    /// New receipts in place of all old ones.
    pub receipt_ids: Option<Vec<i64>>,
    /// What is to be done where a return that it is on, or comes onto, is filed.
    pub if_filed: IfFiled,
}

/// Edits an expense: the old booking is reversed on its own day, and a new one made. `expected` looks at what is there while nobody else
/// can change it.
///
/// # Errors
/// There is no such expense, it is not as expected, it was taken back, the values cannot be used, more was paid than it would come to, or
/// a period that it touches is filed and no correction is asked for.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditExpense,
    expected: &dyn Fn(&ExpenseDetails) -> bool,
) -> Result<ExpenseDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        require_made_here(&require_booked(tx, cx, id)?)?;
        let (mut expense, new_priced, receipts) = edited(tx, books, cx, &old, edit)?;
        if expense == old.expense && new_priced == old.priced && receipts == old.receipts {
            return Ok(old);
        }
        require_settled(&old.expense, &expense)?;
        expense.updated_at = cx.now();
        let booked = entry(&expense, &new_priced, &receipts);
        corrections::require_own(tx, cx.actor.account, expense.entry_id, source(id))?;
        let before = Booking::of(tx, cx.actor.account, expense.entry_id)?.entry();
        let mut entry_ids = old.entry_ids;
        let same = correction::posts_the_same(&before, &booked) && before.date() == booked.date();
        // A return that was filed with it as it is stays so: only what is written about it changes.
        let is_settled = same && matches!(corrections::require_open(tx, cx.actor.account, &before), Err(Error::PeriodFiled(_)));
        if !is_settled && (!same || before.description() != booked.description()) {
            let replaced = corrections::replace(tx, books, cx, expense.entry_id, booked, edit.if_filed)?;
            expense.entry_id = Booking::last_of(tx, cx.actor.account, &replaced)?.id();
            entry_ids.extend(replaced);
        }
        let lines: Vec<_> = new_priced.lines.iter().map(|(line, _)| line.clone()).collect();
        rows::replace(tx, cx.actor.account, &expense, Some(&lines))?;
        if receipts != old.receipts {
            let ids: Vec<i64> = receipts.iter().map(|(id, _)| *id).collect();
            receipt_rows::set_of_expense(tx, cx.actor.account, id, &ids, cx.now())?;
        }
        let duplicates = duplicates(tx, cx.actor.account, &expense)?;
        let first_paid_on = old.first_paid_on;
        Ok(ExpenseDetails { expense, due_date: None, priced: new_priced, receipts, entry_ids, duplicates, first_paid_on })
    })
}

/// A bill that was open when the books began is changed with the opening balance.
fn require_made_here(expense: &Expense) -> Result<(), Error> {
    if expense.is_opening_item() { Err(Error::IsOpeningItem) } else { Ok(()) }
}

type Edited = (Expense, PricedPurchase, Vec<(i64, ledger::description::ReceiptHash)>);

fn edited(tx: &mut Tx<'_>, books: &Books, cx: &Context, old: &ExpenseDetails, edit: &EditExpense) -> Result<Edited, Error> {
    let mut expense = old.expense.clone();
    expense.date = edit.date.unwrap_or(expense.date);
    let supplier = match &edit.supplier {
        Some(given) => identify(tx, cx.actor.account, given),
        None => Ok(Supplier { contact_id: expense.contact_id, name: expense.supplier.clone() }),
    };
    let receipts = match &edit.receipt_ids {
        Some(ids) => receipts_of(tx, cx.actor.account, ids),
        None => Ok(old.receipts.clone()),
    };
    let share = edit.business_share.unwrap_or(expense.business_share);
    let given: Vec<ExpenseLine> = match &edit.lines {
        Some(lines) => lines.clone(),
        None => old.priced.lines.iter().map(|(line, _)| line_given_again(line)).collect(),
    };
    let of_asset = expense.asset_id.is_some();
    let allowed = if of_asset { |code| purchase::ASSET_ACCOUNTS.contains(&code) } else { purchase::is_category };
    // The scheme is that of its day; what says nothing of day or lines leaves its VAT as it is.
    let deduction = match (edit.date, &edit.lines) {
        (None, None) => expense.deduction,
        _ => vat_schemes::deduction(vat_schemes::kor_in(tx, books, expense.date)?),
    };
    let new_priced = priced(&given, (share, deduction), expense.date, allowed);
    expense.description = edit.description.clone().unwrap_or(expense.description);
    let nameless = expense.description.is_none() && matches!(&supplier, Ok(Supplier { name: None, .. }));
    let moved = expense.date != old.expense.date;
    let early = days::before_opening(books, "/date", expense.date).filter(|_| moved);
    let named = no_faults(early.into_iter().chain(nameless.then(|| Fault::new("/description", Reason::Required))));
    if moved {
        expense.date_unusual = days::unusual(books, expense.date);
    }
    let ((), supplier, receipts, new_priced) = all_of(named, supplier, receipts, new_priced)?;
    if of_asset && (new_priced != old.priced || expense.date != old.expense.date) {
        return Err(Error::IsAnAsset);
    }
    (expense.contact_id, expense.supplier) = (supplier.contact_id, supplier.name);
    expense.paid_from = edit.paid_from.unwrap_or(expense.paid_from);
    take_sums(&mut expense, &new_priced);
    Ok((expense, new_priced, receipts))
}

fn line_given_again(line: &ledger::purchase::PurchaseLine) -> ExpenseLine {
    ExpenseLine {
        category: line.category,
        amount: line.amount,
        treatment: line.treatment,
        rate: Some(line.rate),
        includes_vat: line.includes_vat,
        vat: line.printed_vat,
    }
}

/// What was paid, or given back as VAT, must fit what the expense becomes.
fn require_settled(old: &Expense, new: &Expense) -> Result<(), Error> {
    let paid = old.amount_paid;
    let fits = new.paid_from.is_none() && paid.abs() <= new.total.abs() && (paid.is_negative() == new.total.is_negative());
    if !paid.is_zero() && !fits {
        let path = if new.paid_from.is_some() { "/paidFrom" } else { "/items" };
        return Err(Error::fault(path, Reason::AlreadyPaid { paid }));
    }
    if !old.vat_repaid.is_zero() && (new.deductible != old.deductible || new.total != old.total) {
        return Err(Error::fault("/items", Reason::VatRepaid { vat: old.vat_repaid }));
    }
    // VAT is not repaid before the day of the bill.
    if !old.vat_repaid.is_zero() && new.date > old.date {
        return Err(Error::fault("/date", Reason::VatRepaid { vat: old.vat_repaid }));
    }
    Ok(())
}

/// Takes an expense back with its payments: each of their entries is reversed on its own day. What was taken back stays so.
///
/// # Errors
/// There is no such expense, it bought an asset, or a period that it touches is filed and no correction is asked for.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, if_filed: IfFiled) -> Result<ExpenseDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if old.expense.undone_at.is_some() {
            return Ok(old);
        }
        require_made_here(&old.expense)?;
        if old.expense.asset_id.is_some() {
            return Err(Error::IsAnAsset);
        }
        take_back(tx, books, cx, old, if_filed)
    })
}

/// Reverses whatever of an expense is not reversed yet.
pub(crate) fn take_back(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    old: ExpenseDetails,
    if_filed: IfFiled,
) -> Result<ExpenseDetails, Error> {
    let ExpenseDetails { mut expense, due_date, priced, mut entry_ids, .. } = old;
    for id in corrections::not_taken_back(tx, cx.actor.account, &entry_ids)? {
        entry_ids.extend(corrections::reverse(tx, books, cx, (source(expense.id), id), if_filed)?);
    }
    for payment in rows::payments(tx, cx.actor.account, expense.id)? {
        if payment.undone_at.is_none() {
            rows::undo_payment(tx, cx.actor.account, expense.id, payment.id, cx.now())?;
        }
    }
    (expense.undone_at, expense.updated_at) = (Some(cx.now()), cx.now());
    (expense.amount_paid, expense.vat_repaid) = (Cents::ZERO, Cents::ZERO);
    rows::replace(tx, cx.actor.account, &expense, None)?;
    // The receipts wait for another expense.
    receipt_rows::set_of_expense(tx, cx.actor.account, expense.id, &[], cx.now())?;
    Ok(ExpenseDetails { expense, due_date, priced, receipts: Vec::new(), entry_ids, duplicates: Vec::new(), first_paid_on: None })
}
