//! Editing and undoing an expense: the old booking is reversed; an edit books a new one.

use super::{
    Covered, EditBill, ExpenseDetails, ExpenseLine, Supplier, due_fault, entry, identify, priced,
    prospect::duplicates,
    read, receipts_of,
    record::{all_of, no_faults},
    require_booked,
    settle::forget_repayments,
    source, take_sums, usual_due_date,
};
use crate::{
    BankError, BookingError, Context, Error, Fault, PeriodError, Reason, bank_accounts, bank_lines,
    context,
    corrections::{self, Booking, IfFiled},
    days, vat_schemes,
};
use jiff::civil::Date;
use ledger::{
    asset,
    booking::MoneyAccount,
    correction,
    money::Cents,
    purchase::{self, BusinessShare, Deduction, PricedPurchase},
};
use store::{
    Tx,
    books::Books,
    expenses::{self as rows, Bill, Expense},
    receipts as receipt_rows,
};

/// Edit of an expense. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditExpense {
    /// New date.
    pub date: Option<Date>,
    /// New supplier.
    pub supplier: Option<Supplier>,
    /// New description; `Some(None)` removes it.
    pub description: Option<Option<String>>,
    /// New lines, replacing all existing ones.
    pub lines: Option<Vec<ExpenseLine>>,
    /// New account that the expense was paid from; `Some(None)` makes it an unpaid bill.
    pub paid_from: Option<Option<MoneyAccount>>,
    /// New business share.
    pub business_share: Option<BusinessShare>,
    /// Ids of new receipts, replacing all existing ones.
    pub receipt_ids: Option<Vec<i64>>,
    /// New first day of the period that the purchase covers; `Some(None)` removes it.
    pub period_from: Option<Option<Date>>,
    /// New last day of that period; `Some(None)` removes it.
    pub period_until: Option<Option<Date>>,
    /// Changes of the number of the document, and of how it is paid. A due date that is removed
    /// from a bill is 30 days after its date.
    pub bill: EditBill,
    /// Action if a filed VAT return contains the expense, or would contain it after the edit.
    pub if_filed: IfFiled,
}

/// Edits an expense. If its postings change, the old booking is reversed on the date of that
/// booking and a new one is made. `expected` is called with the stored expense while the books are
/// locked; if it returns false, the result is [`Error::Changed`].
///
/// # Errors
/// There is no such expense, it is not as expected, it was undone, a value is invalid, payments
/// exceed the new total, or an affected period is filed and `if_filed` does not allow a correction.
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
        reject_opening_item(&require_booked(tx, cx, id)?)?;
        let (mut expense, new_priced, receipts) = edited(tx, books, cx, &old, edit)?;
        if expense == old.expense && new_priced == old.priced && receipts == old.receipts {
            return Ok(old);
        }
        require_line_fits(tx, cx, &old.expense, &expense)?;
        require_payments_fit(&old.expense, &expense)?;
        expense.updated_at = cx.now();
        let new_entry = entry(&expense, &new_priced, &receipts);
        corrections::require_own(tx, cx.actor.account, expense.entry_id, source(id))?;
        let before = Booking::of(tx, cx.actor.account, expense.entry_id)?.entry();
        let mut entry_ids = old.entry_ids;
        let same_postings =
            correction::posts_the_same(&before, &new_entry) && before.date() == new_entry.date();
        // If the postings stay the same and their VAT return is filed, the booking stays as well:
        // only the expense changes.
        let keeps_booking = same_postings
            && matches!(
                corrections::require_open(tx, cx.actor.account, &before),
                Err(Error::Period(PeriodError::Filed(_)))
            );
        if !keeps_booking && (!same_postings || before.description() != new_entry.description()) {
            let replaced =
                corrections::replace(tx, books, cx, expense.entry_id, new_entry, edit.if_filed)?;
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
        Ok(ExpenseDetails {
            due_date: expense.bill.due_date,
            expense,
            priced: new_priced,
            receipts,
            entry_ids,
            duplicates,
            first_paid_on,
            in_batch: old.in_batch,
        })
    })
}

/// Rebooks an expense with a different VAT deduction, because the VAT scheme in force on its date
/// has changed. If VAT is no longer deductible, its repayments while the bill was unpaid are taken
/// back. VAT that is not deductible is part of the cost of an asset: returns the id of the asset
/// and the change of its cost.
pub(crate) fn deduct(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (id, deduction): (i64, Deduction),
    if_filed: IfFiled,
) -> Result<Option<(i64, Cents)>, Error> {
    let old = read(tx, cx, id)?;
    let mut expense = old.expense;
    if expense.is_opening_item() || expense.deduction == deduction {
        return Ok(None);
    }
    let lines: Vec<_> = old.priced.lines.iter().map(|(line, _)| line.clone()).collect();
    let new_priced = purchase::price(&lines, expense.business_share, deduction)
        .map_err(|_| Error::Internal(format!("expense {id} does not add up")))?;
    let cost = expense.vat - expense.deductible;
    if deduction == Deduction::Never {
        forget_repayments(tx, books, cx, &mut expense, if_filed)?;
    }
    take_sums(&mut expense, &new_priced);
    let new_entry = entry(&expense, &new_priced, &old.receipts);
    let before = Booking::of(tx, cx.actor.account, expense.entry_id)?.entry();
    if !correction::posts_the_same(&before, &new_entry) {
        let replaced = corrections::replace(tx, books, cx, expense.entry_id, new_entry, if_filed)?;
        expense.entry_id = Booking::last_of(tx, cx.actor.account, &replaced)?.id();
    }
    expense.updated_at = cx.now();
    rows::replace(tx, cx.actor.account, &expense, None)?;
    Ok(expense.asset_id.map(|asset| (asset, expense.vat - expense.deductible - cost)))
}

/// Rejects a bill from the opening balance, which can only be changed through the opening balance.
fn reject_opening_item(expense: &Expense) -> Result<(), Error> {
    if expense.is_opening_item() { Err(BookingError::IsOpeningItem.into()) } else { Ok(()) }
}

type Edited = (Expense, PricedPurchase, Vec<(i64, ledger::description::ReceiptHash)>);

fn edited(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    old: &ExpenseDetails,
    edit: &EditExpense,
) -> Result<Edited, Error> {
    let mut expense = old.expense.clone();
    expense.date = edit.date.unwrap_or(expense.date);
    let supplier = match &edit.supplier {
        Some(supplier) => identify(tx, cx.actor.account, supplier),
        None => Ok(Supplier { contact_id: expense.contact_id, name: expense.supplier.clone() }),
    };
    let receipts = match &edit.receipt_ids {
        Some(ids) => receipts_of(tx, cx.actor.account, ids),
        None => Ok(old.receipts.clone()),
    };
    let share = edit.business_share.unwrap_or(expense.business_share);
    let lines: Vec<ExpenseLine> = match &edit.lines {
        Some(lines) => lines.clone(),
        None => old.priced.lines.iter().map(|(line, _)| input_line(line)).collect(),
    };
    let of_asset = expense.asset_id.is_some();
    let allowed = if of_asset { asset::is_account } else { purchase::is_category };
    // The new date determines whether the small businesses scheme applies. If date and lines
    // stay the same, so does the VAT.
    let deduction = match (edit.date, &edit.lines) {
        (None, None) => expense.deduction,
        _ => vat_schemes::deduction(vat_schemes::kor_in(tx, books, expense.date)?),
    };
    let new_priced =
        priced(&cx.actor.own_accounts, &lines, (share, deduction), expense.date, allowed);
    expense.description = edit.description.clone().unwrap_or(expense.description);
    let nameless =
        expense.description.is_none() && matches!(&supplier, Ok(Supplier { name: None, .. }));
    let date_changed = expense.date != old.expense.date;
    let early_date = days::before_opening(books, "/date", expense.date).filter(|_| date_changed);
    let period = Covered {
        from: edit.period_from.unwrap_or(expense.period_from),
        until: edit.period_until.unwrap_or(expense.period_until),
    };
    let (paid_from, unknown) = match edit.paid_from {
        Some(named) => bank_accounts::paid_from(cx, named),
        None => (expense.paid_from, None),
    };
    let bill = edited_bill(&old.expense, edit, expense.date, paid_from.is_none());
    let own_faults = no_faults(
        early_date
            .into_iter()
            .chain(unknown)
            .chain(nameless.then(|| Fault::new("/description", Reason::Required)))
            .chain(period.fault())
            .chain(due_fault(&bill, expense.date)),
    );
    expense.bill = bill;
    (expense.period_from, expense.period_until) = (period.from, period.until);
    if date_changed {
        expense.date_unusual = days::unusual(books, expense.date);
    }
    let ((), supplier, receipts, new_priced) = all_of(own_faults, supplier, receipts, new_priced)?;
    if of_asset && (new_priced != old.priced || expense.date != old.expense.date) {
        return Err(BookingError::IsAnAsset.into());
    }
    (expense.contact_id, expense.supplier) = (supplier.contact_id, supplier.name);
    expense.paid_from = paid_from;
    take_sums(&mut expense, &new_priced);
    Ok((expense, new_priced, receipts))
}

/// Applies the changes to the number and the payment of the document. The due date of a bill that
/// was the usual one follows its date.
fn edited_bill(old: &Expense, edit: &EditExpense, date: Date, is_bill: bool) -> Bill {
    let mut bill = edit.bill.applied_to(old.bill.clone());
    let was_usual = old.bill.due_date == Some(usual_due_date(old.date));
    let becomes_bill = old.paid_from.is_some();
    let is_usual = match edit.bill.due_date {
        Some(named) => named.is_none(),
        None if was_usual => old.date != date,
        None => becomes_bill && bill.due_date.is_none(),
    };
    if is_bill && is_usual {
        bill.due_date = Some(usual_due_date(date));
    }
    bill
}

fn input_line(line: &ledger::purchase::PurchaseLine) -> ExpenseLine {
    ExpenseLine {
        category: line.category,
        amount: line.amount,
        treatment: line.treatment,
        rate: Some(line.rate),
        includes_vat: line.includes_vat,
        vat: line.printed_vat,
    }
}

/// Checks that an expense that a bank line paid keeps its total and the source of its payment. A bill
/// that is not wholly paid may change in its total.
fn require_line_fits(
    tx: &mut Tx<'_>,
    cx: &Context,
    old: &Expense,
    new: &Expense,
) -> Result<(), Error> {
    let same_source = new.paid_from == old.paid_from;
    if same_source && new.total == old.total {
        return Ok(());
    }
    let mut line = bank_lines::line_of(tx, cx, old.entry_id)?;
    if line.is_none() && !(same_source && old.amount_paid != old.total) {
        for payment in rows::payments(tx, cx.actor.account, old.id)? {
            if payment.undone_at.is_none() {
                line = line.or(bank_lines::line_of(tx, cx, payment.entry_id)?);
            }
        }
    }
    line.map_or(Ok(()), |line| Err(BankError::PaidByBankLine(line).into()))
}

/// Checks that the edited expense is still consistent with its payments and its repaid VAT.
fn require_payments_fit(old: &Expense, new: &Expense) -> Result<(), Error> {
    let paid = old.amount_paid;
    let fits = new.paid_from.is_none()
        && paid.abs() <= new.total.abs()
        && (paid.is_negative() == new.total.is_negative());
    if !paid.is_zero() && !fits {
        let path = if new.paid_from.is_some() { "/paidFrom" } else { "/items" };
        return Err(Error::fault(path, Reason::AlreadyPaid { paid }));
    }
    if !old.vat_repaid.is_zero() && (new.deductible != old.deductible || new.total != old.total) {
        return Err(Error::fault("/items", Reason::VatRepaid { vat: old.vat_repaid }));
    }
    // VAT cannot be repaid before the date of the bill.
    if !old.vat_repaid.is_zero() && new.date > old.date {
        return Err(Error::fault("/date", Reason::VatRepaid { vat: old.vat_repaid }));
    }
    Ok(())
}

/// Undoes an expense and its payments: reverses each entry on the date of that entry. Does nothing
/// if the expense was undone before.
///
/// # Errors
/// There is no such expense, it is the purchase of an asset, it is from the opening balance, or an
/// affected period is filed and `if_filed` does not allow a correction.
pub fn undo(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    if_filed: IfFiled,
) -> Result<ExpenseDetails, Error> {
    undo_on(tx, cx, id, None, if_filed)
}

/// Undoes an expense like [`undo`], on `on`, which is not before any of its entries.
pub(crate) fn undo_on(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    on: Option<Date>,
    if_filed: IfFiled,
) -> Result<ExpenseDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if old.expense.undone_at.is_some() {
            return Ok(old);
        }
        reject_opening_item(&old.expense)?;
        if old.expense.asset_id.is_some() {
            return Err(BookingError::IsAnAsset.into());
        }
        take_back(tx, books, cx, old, (on, if_filed))
    })
}

/// Reverses all entries of an expense that are not yet reversed, and marks it and its payments as
/// undone. The reversals have the date `on`, or that of each entry.
pub(crate) fn take_back(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    old: ExpenseDetails,
    (on, if_filed): (Option<Date>, IfFiled),
) -> Result<ExpenseDetails, Error> {
    let ExpenseDetails { mut expense, due_date, priced, mut entry_ids, .. } = old;
    for id in corrections::not_taken_back(tx, cx.actor.account, &entry_ids)? {
        let own = (source(expense.id), id);
        entry_ids.extend(corrections::reverse_on(tx, books, cx, own, on, if_filed)?);
    }
    for payment in rows::payments(tx, cx.actor.account, expense.id)? {
        if payment.undone_at.is_none() {
            rows::undo_payment(tx, cx.actor.account, expense.id, payment.id, cx.now())?;
        }
    }
    (expense.undone_at, expense.updated_at) = (Some(cx.now()), cx.now());
    (expense.amount_paid, expense.vat_repaid) = (Cents::ZERO, Cents::ZERO);
    rows::replace(tx, cx.actor.account, &expense, None)?;
    // The receipts become available for another expense.
    receipt_rows::set_of_expense(tx, cx.actor.account, expense.id, &[], cx.now())?;
    Ok(ExpenseDetails {
        expense,
        due_date,
        priced,
        receipts: Vec::new(),
        entry_ids,
        duplicates: Vec::new(),
        first_paid_on: None,
        in_batch: None,
    })
}
