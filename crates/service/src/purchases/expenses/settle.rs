//! Payment of bills, and repayment of the VAT deducted on unpaid bills.

use super::{ExpenseDetails, about, read, read_payment, require_booked, source};
use crate::{
    Context, Created, Error, Fault, Reason, bank_accounts, context,
    corrections::{self, Booking, IfFiled},
    days,
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount},
    calendar::amsterdam_today,
    chart::AccountCode,
    description::DescriptionKind,
    money::Cents,
    purchase::{PricedPurchase, proportion},
};
use store::{
    Tx,
    books::Books,
    expenses::{self as rows, Expense, ExpensePayment},
    journal,
};

/// Input for paying a bill.
#[derive(Debug, Clone)]
pub struct NewExpensePayment {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the bill.
    pub expense_id: i64,
    /// Date of payment. Defaults to today.
    pub date: Option<Date>,
    /// Amount in cents; negative if the supplier pays back. Defaults to the amount due.
    pub amount: Option<Cents>,
    /// Account that the payment was made from.
    pub method: MoneyAccount,
    /// Handling of a payment that deducts VAT again in a period whose VAT return has already been
    /// filed.
    pub if_filed: IfFiled,
}

/// Records a full or partial payment of a bill. VAT that was repaid while the bill was unpaid is
/// deducted again.
///
/// # Errors
/// The account is not Dutch, there is no such expense, it was undone, nothing is due, the amount
/// exceeds the amount due, the date is more than a day ahead or before the opening balance, or VAT
/// is deducted again in a filed period and `if_filed` does not allow a correction.
// Long: all rules of the command, in the order in which they apply.
pub fn pay(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewExpensePayment,
) -> Result<Created<ExpensePayment>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_payment_by_external_id(tx, cx, command.external_id.as_deref())?
        {
            return Ok(Created::Existing(existing));
        }
        let mut expense = require_booked(tx, cx, command.expense_id)?;
        let today = amsterdam_today(books.clock());
        let date = command.date.unwrap_or(today);
        let latest = today.saturating_add(1.day());
        let late_fault =
            (date > latest).then(|| Fault::new("/date", Reason::PaymentTooLate { latest }));
        let due = expense.amount_due();
        let amount = command.amount.unwrap_or(due);
        let amount_reason = if due.is_zero() {
            Some(Reason::BillSettled)
        } else if amount.is_zero()
            || amount.is_negative() != due.is_negative()
            || amount.abs() > due.abs()
        {
            Some(Reason::ExceedsOutstanding { asked: amount, remaining: due })
        } else {
            None
        };
        let date_fault = late_fault.or_else(|| days::before_opening(books, "/date", date));
        let (method, unknown) = bank_accounts::money(cx, "/method", command.method);
        let faults: Vec<Fault> = amount_reason
            .map(|reason| Fault::new("/amount", reason))
            .into_iter()
            .chain(date_fault)
            .chain(unknown)
            .collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // The share of the repaid VAT to deduct again equals the payment's share of the amount due.
        let priced = read(tx, cx, expense.id)?.priced;
        let recovered = divide_over_accounts(
            &priced,
            expense.date,
            proportion(expense.vat_repaid, amount.get(), due.get()),
        );
        let vat_recovered: Cents = recovered.iter().map(|(_, vat)| *vat).sum();
        let entry = booking::expense_payment(
            source(expense.id),
            about(&expense),
            date,
            amount,
            method,
            &recovered,
        );
        let entry_ids = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let payments = rows::payments(tx, cx.actor.account, expense.id)?;
        let payment = ExpensePayment {
            expense_id: expense.id,
            id: payments.last().map_or(1, |last| last.id + 1),
            external_id: command.external_id.clone(),
            date,
            amount,
            method,
            vat_recovered,
            entry_id: corrections::own(&entry_ids)?,
            undone_at: None,
            created_at: cx.now(),
        };
        expense.amount_paid += amount;
        expense.vat_repaid -= vat_recovered;
        expense.updated_at = cx.now();
        rows::insert_payment(tx, cx.actor.account, &payment)?;
        rows::replace(tx, cx.actor.account, &expense, None)?;
        Ok(Created::New(payment))
    })
}

/// Returns the payment with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_payment_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<ExpensePayment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::payment_by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Undoes the payment of a bill by reversing its entry on the date of that entry. Does nothing if
/// the payment was undone before.
///
/// # Errors
/// The account is not Dutch, there is no such payment, its bill was undone, or it deducted VAT
/// again in a filed period and `if_filed` does not allow a correction.
pub fn undo_payment(
    tx: &mut Tx<'_>,
    cx: &Context,
    payment: (i64, i64),
    if_filed: IfFiled,
) -> Result<ExpensePayment, Error> {
    undo_payment_on(tx, cx, payment, None, if_filed)
}

/// Undoes a payment like [`undo_payment`], on `on`, which is not before the payment.
pub(crate) fn undo_payment_on(
    tx: &mut Tx<'_>,
    cx: &Context,
    (expense, id): (i64, i64),
    on: Option<Date>,
    if_filed: IfFiled,
) -> Result<ExpensePayment, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut payment = read_payment(tx, cx, (expense, id))?;
        if payment.undone_at.is_some() {
            return Ok(payment);
        }
        let mut expense = require_booked(tx, cx, expense)?;
        let own = (source(expense.id), payment.entry_id);
        corrections::reverse_on(tx, books, cx, own, on, if_filed)?;
        payment.undone_at = Some(cx.now());
        rows::undo_payment(tx, cx.actor.account, expense.id, id, cx.now())?;
        expense.amount_paid -= payment.amount;
        expense.vat_repaid += payment.vat_recovered;
        expense.updated_at = cx.now();
        rows::replace(tx, cx.actor.account, &expense, None)?;
        Ok(payment)
    })
}

/// Repays the VAT deducted on the unpaid part of a bill (art. 29(7) Wet OB 1968). The law requires
/// this when it is certain that the bill will not be paid, and no later than a year after its due
/// date.
///
/// # Errors
/// The account is not Dutch, there is no such expense, it was undone, no VAT remains to be repaid,
/// the date is before the date of the bill, or its period is filed and `if_filed` does not allow a
/// correction.
pub fn repay_vat(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    date: Option<Date>,
    if_filed: IfFiled,
) -> Result<ExpenseDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        require_booked(tx, cx, id)?;
        let mut details = read(tx, cx, id)?;
        let expense = &mut details.expense;
        let date = date.unwrap_or_else(|| amsterdam_today(books.clock()));
        if date < expense.date {
            return Err(Error::fault("/date", Reason::BeforeBill { date: expense.date }));
        }
        let open = to_repay(&details.priced, expense);
        if open.is_zero() {
            return Err(Error::fault("", Reason::NoVatToRepay));
        }
        let entry = booking::vat_repayment(
            source(id),
            about(expense),
            date,
            &divide_over_accounts(&details.priced, expense.date, open),
        );
        details.entry_ids.extend(corrections::append(tx, books, cx, entry, if_filed)?);
        expense.vat_repaid += open;
        expense.updated_at = cx.now();
        rows::replace(tx, cx.actor.account, expense, None)?;
        Ok(details)
    })
}

/// Takes back the repayments of VAT on an unpaid bill, and the renewed deduction by its payments.
/// Used when the VAT on the bill turns out not to be deductible at all: nothing is then to be
/// repaid (art. 29(7) Wet OB 1968) or deducted again (art. 29(8)).
pub(super) fn forget_repayments(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    expense: &mut Expense,
    if_filed: IfFiled,
) -> Result<(), Error> {
    let (account, source) = (cx.actor.account, source(expense.id));
    let own = journal::ids_by_source(tx, account, source)?;
    for id in corrections::not_taken_back(tx, account, &own)? {
        let kind = Booking::of(tx, account, id)?.entry().description().kind;
        if kind == DescriptionKind::VatRepayment {
            corrections::reverse(tx, books, cx, (source, id), if_filed)?;
        }
    }
    for payment in rows::payments(tx, account, expense.id)? {
        if payment.undone_at.is_some() || payment.vat_recovered.is_zero() {
            continue;
        }
        let ExpensePayment { id, date, amount, method, entry_id, .. } = payment;
        let entry = booking::expense_payment(source, about(expense), date, amount, method, &[]);
        let replaced = corrections::replace(tx, books, cx, entry_id, entry, if_filed)?;
        let by = Booking::last_of(tx, account, &replaced)?.id();
        rows::without_recovered_vat(tx, account, (expense.id, id), by)?;
    }
    expense.vat_repaid = Cents::ZERO;
    Ok(())
}

/// Returns the VAT to repay on a bill, in cents: the deducted VAT on its unpaid part, less the VAT
/// that has already been repaid.
pub(crate) fn to_repay(priced: &PricedPurchase, expense: &Expense) -> Cents {
    let due = expense.amount_due();
    if due.is_zero() {
        return Cents::ZERO;
    }
    proportion(total_repayable(priced, expense), due.get(), expense.total.get())
        - expense.vat_repaid
}

fn total_repayable(priced: &PricedPurchase, expense: &Expense) -> Cents {
    priced.repayable(expense.date).iter().map(|(_, vat)| *vat).sum()
}

/// Divides VAT over the accounts on which it was deducted. The last account gets the rounding
/// difference.
fn divide_over_accounts(
    priced: &PricedPurchase,
    on: Date,
    amount: Cents,
) -> Vec<(AccountCode, Cents)> {
    let accounts = priced.repayable(on);
    let total: Cents = accounts.iter().map(|(_, vat)| *vat).sum();
    let mut remaining = amount;
    let mut parts = Vec::with_capacity(accounts.len());
    for (place, (account, vat)) in accounts.iter().enumerate() {
        let part = if place + 1 == accounts.len() {
            remaining
        } else {
            proportion(amount, vat.get(), total.get())
        };
        remaining -= part;
        parts.push((*account, part));
    }
    parts
}
