//! Bills are paid, and their VAT is paid back while they are not.

use super::{ExpenseDetails, about, read, require_booked, source};
use crate::{
    Actor, Created, Error, Reason,
    corrections::{self, IfFiled},
    days,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount},
    calendar::amsterdam_today,
    chart::AccountCode,
    money::Cents,
    purchase::{PricedPurchase, proportion},
};
use store::{
    Tx, books,
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
pub fn pay(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    command: &NewExpensePayment,
) -> Result<Created<ExpensePayment>, Error> {
    books::transact(tx, actor.account, now, |tx, books, now| {
        let actor = &actor.within(books);
        actor.require_dutch()?;
        if let Some(known) = find_payment_by_external_id(tx, actor, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        let mut expense = require_booked(tx, actor, command.expense_id)?;
        let today = amsterdam_today(books.clock());
        let date = command.date.unwrap_or(today);
        let latest = today.saturating_add(1.day());
        if date > latest {
            return Err(Error::fault("/date", Reason::PaymentTooLate { latest }));
        }
        if let Some(early) = days::before_opening(books, "/date", date) {
            return Err(early.into());
        }
        let due = expense.amount_due();
        let amount = command.amount.unwrap_or(due);
        if due.is_zero() {
            return Err(Error::fault("/amount", Reason::BillSettled));
        }
        if amount.is_zero() || amount.is_negative() != due.is_negative() || amount.abs() > due.abs() {
            return Err(Error::fault("/amount", Reason::ExceedsOutstanding { asked: amount, remaining: due }));
        }
        // Of the VAT that was paid back, the part of the payment in what was unpaid then.
        let priced = read(tx, actor, expense.id)?.priced;
        let recovered = divided(&priced, expense.date, proportion(expense.vat_repaid, amount.get(), due.get()));
        let vat_recovered: Cents = recovered.iter().map(|(_, vat)| *vat).sum();
        let entry = booking::expense_payment(source(expense.id), about(&expense), date, amount, command.method, &recovered);
        let booked = corrections::append(tx, books, now, entry, command.if_filed)?;
        let payments = rows::payments(tx, actor.account, expense.id)?;
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
            created_at: now,
        };
        expense.amount_paid += amount;
        expense.vat_repaid -= vat_recovered;
        expense.updated_at = now;
        rows::insert_payment(tx, actor.account, &payment)?;
        rows::replace(tx, actor.account, &expense, None)?;
        Ok(Created::New(payment))
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_payment_by_external_id(
    tx: &mut Tx<'_>,
    actor: &Actor,
    external_id: Option<&str>,
) -> Result<Option<ExpensePayment>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::payment_by_external_id(tx, actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Takes the payment of a bill back, on its own day. What was taken back stays so.
///
/// # Errors
/// There is no such payment, or VAT was deducted again with it in a period that is filed.
pub fn undo_payment(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    (expense, id): (i64, i64),
    if_filed: IfFiled,
) -> Result<ExpensePayment, Error> {
    books::transact(tx, actor.account, now, |tx, books, now| {
        let actor = &actor.within(books);
        actor.require_dutch()?;
        let mut payment = payment(tx, actor, expense, id)?;
        if payment.undone_at.is_some() {
            return Ok(payment);
        }
        let mut expense = require_booked(tx, actor, expense)?;
        corrections::reverse(tx, books, now, payment.entry_id, if_filed)?;
        payment.undone_at = Some(now);
        rows::undo_payment(tx, actor.account, expense.id, id, now)?;
        expense.amount_paid -= payment.amount;
        expense.vat_repaid += payment.vat_recovered;
        expense.updated_at = now;
        rows::replace(tx, actor.account, &expense, None)?;
        Ok(payment)
    })
}

fn payment(tx: &mut Tx<'_>, actor: &Actor, expense: i64, id: i64) -> Result<ExpensePayment, Error> {
    let found = rows::payments(tx, actor.account, expense)?.into_iter().find(|payment| payment.id == id);
    found.ok_or(Error::NotFound("payment"))
}

/// Pays the VAT back that was deducted on what is still unpaid of a bill (art. 29(7) Wet OB 1968): when it is certain that it will not be
/// paid, a year after it was due at the latest. What is still to be paid back is booked; where nothing is, nothing.
///
/// # Errors
/// There is no such expense, it was taken back, nothing is to be paid back, the day is before the bill's, or its period is filed.
pub fn repay_vat(
    tx: &mut Tx<'_>,
    actor: &Actor,
    now: Timestamp,
    id: i64,
    date: Option<Date>,
    if_filed: IfFiled,
) -> Result<ExpenseDetails, Error> {
    books::transact(tx, actor.account, now, |tx, books, now| {
        let actor = &actor.within(books);
        actor.require_dutch()?;
        require_booked(tx, actor, id)?;
        let mut details = read(tx, actor, id)?;
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
        details.entry_ids.extend(corrections::append(tx, books, now, entry, if_filed)?);
        expense.vat_repaid += open;
        expense.updated_at = now;
        rows::replace(tx, actor.account, expense, None)?;
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
    let mut left = amount;
    let mut parts = Vec::with_capacity(accounts.len());
    for (place, (account, vat)) in accounts.iter().enumerate() {
        let part = if place + 1 == accounts.len() { left } else { proportion(amount, vat.get(), whole.get()) };
        left -= part;
        parts.push((*account, part));
    }
    parts
}
