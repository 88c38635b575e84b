//! Bills are paid, and their VAT is paid back while they are not.

use super::{ExpenseDetails, about, read, read_payment, require_booked, source};
use crate::{
    Context, Created, Error, Fault, Reason, context,
    corrections::{self, IfFiled},
    days,
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount},
    calendar::amsterdam_today,
    chart::AccountCode,
    money::Cents,
    purchase::{PricedPurchase, proportion},
};
use store::{
    Tx,
    expenses::{self as rows, Expense, ExpensePayment},
};

/// What is needed to record the payment of a bill.
#[derive(Debug, Clone)]
pub struct NewExpensePayment {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The bill.
    pub expense_id: i64,
    /// The day of the payment; today when it is not given.
    pub date: Option<Date>,
    /// What was paid; all that is due when it is not given. Negative when the supplier pays back.
    pub amount: Option<Cents>,
    /// Where it was paid from.
    pub method: MoneyAccount,
    /// What is to be done where VAT is deducted again and the return of that day is filed.
    pub if_filed: IfFiled,
}

/// Records that a bill was paid, in part or whole. VAT that was paid back while it was not paid is deducted again.
///
/// # Errors
/// There is no such expense, it was taken back, nothing or less is due, the day is to come, or VAT is deducted again in a period that is
/// filed.
pub fn pay(tx: &mut Tx<'_>, cx: &Context, command: &NewExpensePayment) -> Result<Created<ExpensePayment>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_payment_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let mut expense = require_booked(tx, cx, command.expense_id)?;
        let today = amsterdam_today(books.clock());
        let date = command.date.unwrap_or(today);
        let latest = today.saturating_add(1.day());
        let late = (date > latest).then(|| Fault::new("/date", Reason::PaymentTooLate { latest }));
        let due = expense.amount_due();
        let amount = command.amount.unwrap_or(due);
        let wrong = if due.is_zero() {
            Some(Reason::BillSettled)
        } else if amount.is_zero() || amount.is_negative() != due.is_negative() || amount.abs() > due.abs() {
            Some(Reason::ExceedsOutstanding { asked: amount, remaining: due })
        } else {
            None
        };
        let of_day = late.or_else(|| days::before_opening(books, "/date", date));
        let faults: Vec<Fault> = wrong.map(|reason| Fault::new("/amount", reason)).into_iter().chain(of_day).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // Of the VAT that was paid back, the part of the payment in what was unpaid then.
        let priced = read(tx, cx, expense.id)?.priced;
        let recovered = divided(&priced, expense.date, proportion(expense.vat_repaid, amount.get(), due.get()));
        let vat_recovered: Cents = recovered.iter().map(|(_, vat)| *vat).sum();
        let entry = booking::expense_payment(source(expense.id), about(&expense), date, amount, command.method, &recovered);
        let booked = corrections::append(tx, books, cx, entry, command.if_filed)?;
        let payments = rows::payments(tx, cx.actor.account, expense.id)?;
        let payment = ExpensePayment {
            expense_id: expense.id,
            id: payments.last().map_or(1, |last| last.id + 1),
            external_id: command.external_id.clone(),
            date,
            amount,
            method: command.method,
            vat_recovered,
            entry_id: corrections::own(&booked)?,
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

/// What an external id names already, if anything.
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

/// Takes the payment of a bill back, on its own day. What was taken back stays so.
///
/// # Errors
/// There is no such payment, or VAT was deducted again with it in a period that is filed.
pub fn undo_payment(
    tx: &mut Tx<'_>,
    cx: &Context,
    (expense, id): (i64, i64),
    if_filed: IfFiled,
) -> Result<ExpensePayment, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let mut payment = read_payment(tx, cx, (expense, id))?;
        if payment.undone_at.is_some() {
            return Ok(payment);
        }
        let mut expense = require_booked(tx, cx, expense)?;
        corrections::reverse(tx, books, cx, (source(expense.id), payment.entry_id), if_filed)?;
        payment.undone_at = Some(cx.now());
        rows::undo_payment(tx, cx.actor.account, expense.id, id, cx.now())?;
        expense.amount_paid -= payment.amount;
        expense.vat_repaid += payment.vat_recovered;
        expense.updated_at = cx.now();
        rows::replace(tx, cx.actor.account, &expense, None)?;
        Ok(payment)
    })
}

/// Pays the VAT back that was deducted on what is still unpaid of a bill (art. 29(7) Wet OB 1968): when it is certain that it will not be
/// paid, a year after it was due at the latest. What is still to be paid back is booked; where nothing is, nothing.
///
/// # Errors
/// There is no such expense, it was taken back, nothing is to be paid back, the day is before the bill's, or its period is filed.
pub fn repay_vat(tx: &mut Tx<'_>, cx: &Context, id: i64, date: Option<Date>, if_filed: IfFiled) -> Result<ExpenseDetails, Error> {
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
        let entry = booking::vat_repayment(source(id), about(expense), date, &divided(&details.priced, expense.date, open));
        details.entry_ids.extend(corrections::append(tx, books, cx, entry, if_filed)?);
        expense.vat_repaid += open;
        expense.updated_at = cx.now();
        rows::replace(tx, cx.actor.account, expense, None)?;
        Ok(details)
    })
}

/// What is to be paid back of the VAT that was deducted on a bill, as much of it as is unpaid, and was not paid back yet.
pub(crate) fn to_repay(priced: &PricedPurchase, expense: &Expense) -> Cents {
    let due = expense.amount_due();
    if due.is_zero() {
        return Cents::ZERO;
    }
    proportion(whole_repayable(priced, expense), due.get(), expense.total.get()) - expense.vat_repaid
}

fn whole_repayable(priced: &PricedPurchase, expense: &Expense) -> Cents {
    priced.repayable(expense.date).iter().map(|(_, vat)| *vat).sum()
}

/// An amount of VAT by the accounts that it was deducted on; what rounding leaves goes to the last.
fn divided(priced: &PricedPurchase, on: Date, amount: Cents) -> Vec<(AccountCode, Cents)> {
    let accounts = priced.repayable(on);
    let whole: Cents = accounts.iter().map(|(_, vat)| *vat).sum();
    let mut remaining = amount;
    let mut parts = Vec::with_capacity(accounts.len());
    for (place, (account, vat)) in accounts.iter().enumerate() {
        let part = if place + 1 == accounts.len() { remaining } else { proportion(amount, vat.get(), whole.get()) };
        remaining -= part;
        parts.push((*account, part));
    }
    parts
}
