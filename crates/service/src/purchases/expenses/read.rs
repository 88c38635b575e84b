//! Queries for expenses.

use super::{ExpenseDetails, opening, prospect, source};
use crate::{Context, Error, corrections};
use jiff::civil::Date;
use ledger::{
    money::Cents,
    purchase::{self, PricedPurchase},
    vat_period::VatPeriod,
};
use store::{
    Page, SyncFilter, Tx,
    expense_table::{self, Column, Overview, Sums, TableFilter},
    expenses::{self as rows, Expense, ExpenseFilter, ExpensePayment},
    journal::{self, StoredEntry},
    opening_items::{self, OpenItemKind},
    payment_batches, receipts as receipt_rows,
};

/// Returns an expense by its id.
///
/// # Errors
/// There is no such expense in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<ExpenseDetails, Error> {
    let expense = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("expense"))?;
    details(tx, cx, expense)
}

/// Prices the lines of a stored expense. The amounts per line are computed, not stored.
pub(crate) fn price_again(
    tx: &mut Tx<'_>,
    account: i64,
    expense: &Expense,
) -> Result<PricedPurchase, Error> {
    if expense.is_opening_item() {
        return Ok(opening::priced(expense));
    }
    let lines = rows::lines(tx, account, expense.id)?;
    purchase::price(&lines, expense.business_share, expense.deduction)
        .map_err(|_| Error::Internal(format!("expense {} does not add up", expense.id)))
}

fn details(tx: &mut Tx<'_>, cx: &Context, expense: Expense) -> Result<ExpenseDetails, Error> {
    let priced = price_again(tx, cx.actor.account, &expense)?;
    let receipts = receipt_rows::of_expense(tx, cx.actor.account, expense.id)?;
    let entry_ids = journal::ids_by_source(tx, cx.actor.account, source(expense.id))?;
    let opening_item = if expense.is_opening_item() {
        opening_items::by_document(tx, cx.actor.account, OpenItemKind::Payable, expense.id)?
    } else {
        None
    };
    let due_date = opening_item.map_or(expense.bill.due_date, |item| Some(item.due_date));
    let duplicates = prospect::duplicates(tx, cx.actor.account, &expense)?;
    let first_paid_on = first_paid_on(tx, cx.actor.account, &expense)?;
    let in_batch = match expense.amount_due() {
        Cents::ZERO => None,
        _ => payment_batches::pending_of(tx, cx.actor.account, expense.id)?,
    };
    Ok(ExpenseDetails {
        expense,
        due_date,
        priced,
        receipts,
        entry_ids,
        duplicates,
        first_paid_on,
        in_batch,
    })
}

/// Date of a bill's first payment, ignoring undone payments.
pub(super) fn first_paid_on(
    tx: &mut Tx<'_>,
    account: i64,
    expense: &Expense,
) -> Result<Option<Date>, Error> {
    if expense.amount_paid.is_zero() {
        return Ok(None);
    }
    let payments = rows::payments(tx, account, expense.id)?;
    Ok(payments
        .iter()
        .filter(|payment| payment.undone_at.is_none())
        .map(|payment| payment.date)
        .min())
}

/// Returns a page of expenses with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ExpenseFilter,
    before: i64,
    limit: i64,
) -> Result<Page<ExpenseDetails>, Error> {
    let page = rows::list(tx, cx.actor.account, filter, cx.today(), before, limit)?;
    let rows = page
        .rows
        .into_iter()
        .map(|expense| details(tx, cx, expense))
        .collect::<Result<_, Error>>()?;
    Ok(Page { rows, more: page.more })
}

/// Returns the expense with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<ExpenseDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::by_external_id(tx, cx.actor.account, external_id)? {
        Some(expense) => details(tx, cx, expense).map(Some),
        None => Ok(None),
    }
}

/// Returns a page of the payments of a bill, oldest first, including those that were undone.
///
/// # Errors
/// There is no such expense in this account.
pub fn list_payments(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<ExpensePayment>, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("expense"))?;
    Ok(rows::page_of_payments(tx, cx.actor.account, id, filter, after, limit)?)
}

/// Returns a payment of a bill by its id.
///
/// # Errors
/// There is no such bill, or it has no such payment.
pub fn read_payment(
    tx: &mut Tx<'_>,
    cx: &Context,
    (expense, id): (i64, i64),
) -> Result<ExpensePayment, Error> {
    let payment =
        rows::payments(tx, cx.actor.account, expense)?.into_iter().find(|payment| payment.id == id);
    payment.ok_or(Error::NotFound("payment"))
}

/// Page of a list of expenses.
#[derive(Debug, Clone)]
pub struct Table {
    /// Expenses on the page.
    pub rows: Vec<Expense>,
    /// Sums over the complete list.
    pub sums: Sums,
    /// Counts per state, regardless of the filter.
    pub overview: Overview,
    /// Number of receipts without an expense.
    pub waiting: i64,
}

/// Returns a page of a list of expenses. `order` is the sort column and whether to sort in
/// descending order; `rows` is the offset and the maximum number of rows.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &TableFilter,
    order: (Column, bool),
    rows: (i64, i64),
) -> Result<Table, Error> {
    Ok(Table {
        rows: expense_table::rows(tx, cx.actor.account, filter, order, rows)?,
        sums: expense_table::sums(tx, cx.actor.account, filter)?,
        overview: expense_table::overview(tx, cx.actor.account)?,
        waiting: receipt_rows::count_waiting(tx, cx.actor.account)?,
    })
}

/// Expense with its payments and journal entries.
#[derive(Debug, Clone)]
pub struct Dossier {
    /// The expense.
    pub details: ExpenseDetails,
    /// Its payments, oldest first.
    pub payments: Vec<ExpensePayment>,
    /// Its journal entries, oldest first.
    pub entries: Vec<StoredEntry>,
    /// VAT period whose return includes the expense.
    pub vat_period: VatPeriod,
}

/// Returns an expense with its payments and journal entries.
///
/// # Errors
/// There is no such expense in this account.
pub fn dossier(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Dossier, Error> {
    let details = read(tx, cx, id)?;
    let payments = rows::payments(tx, cx.actor.account, id)?;
    let mut entries = Vec::with_capacity(details.entry_ids.len());
    for id in &details.entry_ids {
        entries.extend(journal::by_id(tx, cx.actor.account, *id)?);
    }
    let vat_period = corrections::counts_in(cx, &entries, details.expense.date);
    Ok(Dossier { details, payments, entries, vat_period })
}
