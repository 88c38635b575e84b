//! Expenses: purchases with their lines, and the payments of bills.

use crate::{
    Page, StoreError, SyncFilter, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Column, Record, columns_by_name, record},
    },
    invoices::Origin,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::MoneyAccount,
    money::Cents,
    purchase::{BusinessShare, Deduction, PurchaseLine, VatTreatment},
    unusual_day::UnusualDay,
};

/// An expense as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expense {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the document; decides the VAT period.
    pub date: Date,
    /// The supplier among the contacts.
    pub contact_id: Option<i64>,
    /// The supplier's name.
    pub supplier: Option<String>,
    /// What was bought.
    pub description: Option<String>,
    /// What it was paid from; nothing when it is a bill to be paid.
    pub paid_from: Option<MoneyAccount>,
    /// The part that is for the business.
    pub business_share: BusinessShare,
    /// Excluding VAT.
    pub net: Cents,
    /// The VAT on the document, or due by the buyer.
    pub vat: Cents,
    /// Of the VAT, what was deducted.
    pub deductible: Cents,
    /// What the supplier asks; negative when the supplier credits.
    pub total: Cents,
    /// What was paid of it after it was booked.
    pub amount_paid: Cents,
    /// Deducted VAT that was paid back because the bill stayed unpaid.
    pub vat_repaid: Cents,
    /// The journal entry that books it now.
    pub entry_id: i64,
    /// The asset that it bought, where it is not a cost.
    pub asset_id: Option<i64>,
    /// Whether its VAT is deducted.
    pub deduction: Deduction,
    /// When it was taken back.
    pub undone_at: Option<Timestamp>,
    /// Where it was recorded.
    pub source: Origin,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Why its day was unusual when it was given.
    pub date_unusual: Option<UnusualDay>,
}

impl Expense {
    /// Whether it is a bill that was still to be paid when the books began: it has no lines, and its VAT is not known.
    #[must_use]
    pub fn is_opening_item(&self) -> bool {
        self.source == Origin::Opening
    }

    /// What is still to be paid; negative when the supplier owes it.
    #[must_use]
    pub fn amount_due(&self) -> Cents {
        if self.paid_from.is_some() || self.undone_at.is_some() { Cents::ZERO } else { self.total - self.amount_paid }
    }
}

/// A payment of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpensePayment {
    /// The bill.
    pub expense_id: i64,
    /// Unique within the bill.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the payment.
    pub date: Date,
    /// What was paid; negative when the supplier paid back.
    pub amount: Cents,
    /// Where it was paid from.
    pub method: MoneyAccount,
    /// VAT that was deducted again with it.
    pub vat_recovered: Cents,
    /// Its journal entry.
    pub entry_id: i64,
    /// When it was taken back.
    pub undone_at: Option<Timestamp>,
    /// When it was recorded.
    pub created_at: Timestamp,
}

impl ExpensePayment {
    /// When it last changed: it is made and perhaps taken back.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

columns_by_name!(Deduction, VatTreatment);
record! {
    Expense {
        "id": id,
        "external_id": external_id,
        "date": date,
        "contact_id": contact_id,
        "supplier": supplier,
        "description": description,
        "paid_from": paid_from,
        "business_share": business_share,
        "net": net,
        "vat": vat,
        "deductible": deductible,
        "total": total,
        "amount_paid": amount_paid,
        "vat_repaid": vat_repaid,
        "entry_id": entry_id,
        "asset_id": asset_id,
        "undone_at": undone_at,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
        "deduction": deduction,
        "date_unusual": date_unusual,
    }
}
record! {
    ExpensePayment {
        "expense_id": expense_id,
        "id": id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "method": method,
        "vat_recovered": vat_recovered,
        "entry_id": entry_id,
        "undone_at": undone_at,
        "created_at": created_at,
    }
}
record! {
    PurchaseLine {
        "category": category,
        "amount": amount,
        "vat_treatment": treatment,
        "vat_basis_points": rate,
        "includes_vat": includes_vat,
        "printed_vat": printed_vat,
    }
}

/// Stores a new expense with its lines.
pub fn insert(tx: &mut Tx<'_>, account: i64, expense: &Expense, lines: &[PurchaseLine]) -> Result<(), StoreError> {
    tx.record(ResourceKind::Expense, expense.id, Event::Created);
    record::insert(tx, "expenses", Expense::COLUMNS, &expense.values(account))?;
    insert_lines(tx, account, expense.id, lines)
}

fn insert_lines(tx: &mut Tx<'_>, account: i64, expense: i64, lines: &[PurchaseLine]) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(lines.len() * 9);
    for (place, line) in (1_i64..).zip(lines) {
        values.extend(params![account, expense, place]);
        line.put(&mut values);
    }
    record::insert(tx, "expense_items", &format!("expense_id, line, {}", PurchaseLine::COLUMNS), &values)
}

/// Stores an expense as it is now; its lines too, where they are given.
pub fn replace(tx: &mut Tx<'_>, account: i64, expense: &Expense, lines: Option<&[PurchaseLine]>) -> Result<(), StoreError> {
    tx.record(ResourceKind::Expense, expense.id, Event::Updated);
    record::update(tx, "expenses", Expense::COLUMNS, &expense.values(account))?;
    let Some(lines) = lines else { return Ok(()) };
    tx.execute("DELETE FROM expense_items WHERE account_id = ?1 AND expense_id = ?2", &params![account, expense.id])?;
    insert_lines(tx, account, expense.id, lines)
}

/// The expense with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Expense>, StoreError> {
    tx.query_opt(
        &format!("SELECT {} FROM expenses WHERE account_id = ?1 AND id = ?2", Expense::COLUMNS),
        &params![account, id],
        Expense::read,
    )
}

/// The expense with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Expense>, StoreError> {
    let sql = format!("SELECT {} FROM expenses WHERE account_id = ?1 AND external_id = ?2", Expense::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], Expense::read)
}

/// Expenses after an id, in the order of their ids; for the verification of the books.
pub fn after(tx: &mut Tx<'_>, account: i64, after: i64, limit: i64) -> Result<Vec<Expense>, StoreError> {
    let sql = format!("SELECT {} FROM expenses WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3", Expense::COLUMNS);
    tx.query(&sql, &params![account, after, limit], Expense::read)
}

/// Which expenses are meant.
#[derive(Debug, Clone, Default)]
pub struct ExpenseFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those dated on this day or later.
    pub from: Option<Date>,
    /// Only those dated on this day or earlier.
    pub to: Option<Date>,
    /// Only those of this contact.
    pub contact_id: Option<i64>,
    /// Only those that are booked, or only those that were undone.
    pub undone: Option<bool>,
    /// Only bills that are to be paid, or only what is settled.
    pub paid: Option<bool>,
    /// Only those that were made or changed at this moment or later.
    pub updated: Option<Updated>,
}

/// Expenses with an id below `before`, newest first.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &ExpenseFilter, before: i64, limit: i64) -> Result<Page<Expense>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.given("external_id =", filter.external_id.as_ref());
    wanted.given("date >=", filter.from);
    wanted.given("date <=", filter.to);
    wanted.given("contact_id =", filter.contact_id);
    wanted.updated(filter.updated);
    wanted.either(filter.undone, "undone_at IS NOT NULL", "undone_at IS NULL");
    wanted.either(filter.paid, &format!("NOT ({OPEN})"), OPEN);
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM expenses WHERE {wanted} ORDER BY id DESC LIMIT {rows}", Expense::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), Expense::read)?, limit))
}

/// A bill that is to be paid.
pub(super) const OPEN: &str = "paid_from IS NULL AND undone_at IS NULL AND total <> amount_paid";

/// The lines of an expense.
pub fn lines(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Vec<PurchaseLine>, StoreError> {
    let sql =
        format!("SELECT {} FROM expense_items WHERE account_id = ?1 AND expense_id = ?2 ORDER BY line", PurchaseLine::COLUMNS);
    tx.query(&sql, &params![account, expense], PurchaseLine::read)
}

/// Stores a new payment of a bill.
pub fn insert_payment(tx: &mut Tx<'_>, account: i64, payment: &ExpensePayment) -> Result<(), StoreError> {
    record::insert(tx, "expense_payments", ExpensePayment::COLUMNS, &payment.values(account))
}

/// Notes that a payment was taken back.
pub fn undo_payment(tx: &mut Tx<'_>, account: i64, expense: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE expense_payments SET undone_at = ?4 WHERE account_id = ?1 AND expense_id = ?2 AND id = ?3",
        &params![account, expense, id, now],
    )
}

/// The payments of a bill with an id above `after`, oldest first.
pub fn page_of_payments(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<ExpensePayment>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("expense_id =", expense);
    wanted.with("id >", after);
    let rows = wanted.bind(limit.saturating_add(1));
    let sql = format!("SELECT {} FROM expense_payments WHERE {wanted} ORDER BY id LIMIT {rows}", ExpensePayment::COLUMNS);
    Ok(Page::of(tx.query(&sql, wanted.values(), ExpensePayment::read)?, limit))
}

/// The payments of a bill, oldest first.
pub fn payments(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Vec<ExpensePayment>, StoreError> {
    tx.query(
        &format!(
            "SELECT {} FROM expense_payments WHERE account_id = ?1 AND expense_id = ?2 ORDER BY id",
            ExpensePayment::COLUMNS
        ),
        &params![account, expense],
        ExpensePayment::read,
    )
}

/// Expenses of a day and an amount that were not undone, oldest first.
pub fn on_day_of_amount(tx: &mut Tx<'_>, account: i64, date: Date, total: Cents) -> Result<Vec<Expense>, StoreError> {
    let sql = format!(
        "SELECT {} FROM expenses WHERE account_id = ?1 AND date = ?2 AND total = ?3 AND undone_at IS NULL ORDER BY id",
        Expense::COLUMNS
    );
    tx.query(&sql, &params![account, date, total.get()], Expense::read)
}

/// The payment with that external id.
pub fn payment_by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<ExpensePayment>, StoreError> {
    let sql = format!("SELECT {} FROM expense_payments WHERE account_id = ?1 AND external_id = ?2", ExpensePayment::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], ExpensePayment::read)
}
