//! Expenses: purchases with their lines, and the payments of bills.

use crate::{
    Page, StoreError, SyncFilter, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Column, Record, Table, columns_by_name, fields, record},
        table::{self, table_functions},
    },
    invoices::Origin,
    params,
};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    booking::MoneyAccount,
    identifiers::{Bic, Iban},
    money::Cents,
    purchase::{BusinessShare, Deduction, PurchaseLine, VatTreatment},
    unusual_day::UnusualDay,
};

/// Party to which a bill is paid, as far as it differs from the supplier's contact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PayTo {
    /// Name of the account holder.
    pub name: Option<String>,
    /// Account.
    pub iban: Option<Iban>,
    /// BIC of the bank.
    pub bic: Option<Bic>,
    /// Reference that the supplier asks for.
    pub reference: Option<String>,
}

/// Number of a supplier's invoice, and how it is to be paid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bill {
    /// Number of the invoice, as the supplier printed it.
    pub number: Option<String>,
    /// Last day to pay.
    pub due_date: Option<Date>,
    /// Party to which it is paid.
    pub pay_to: PayTo,
}

/// Stored expense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expense {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the document; determines the VAT period.
    pub date: Date,
    /// Id of the supplier's contact.
    pub contact_id: Option<i64>,
    /// Name of the supplier.
    pub supplier: Option<String>,
    /// Description of the purchase.
    pub description: Option<String>,
    /// Account that the expense was paid from; `None` for a bill to be paid later.
    pub paid_from: Option<MoneyAccount>,
    /// Share used for the business.
    pub business_share: BusinessShare,
    /// Total excluding VAT.
    pub net: Cents,
    /// VAT charged on the document, or payable by the buyer (reverse charge).
    pub vat: Cents,
    /// Deducted part of the VAT.
    pub deductible: Cents,
    /// Amount charged by the supplier; negative for a credit note.
    pub total: Cents,
    /// Amount paid since the bill was booked.
    pub amount_paid: Cents,
    /// Deducted VAT that was repaid because the bill remained unpaid.
    pub vat_repaid: Cents,
    /// Id of the current journal entry.
    pub entry_id: i64,
    /// Id of the asset bought with this expense; `None` for a cost.
    pub asset_id: Option<i64>,
    /// Deductibility of the VAT.
    pub deduction: Deduction,
    /// Time at which the expense was undone.
    pub undone_at: Option<Timestamp>,
    /// Origin of the record.
    pub source: Origin,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Reason why the date was unusual when it was entered.
    pub date_unusual: Option<UnusualDay>,
    /// First day of the period that the purchase covers.
    pub period_from: Option<Date>,
    /// Last day of the period that the purchase covers.
    pub period_until: Option<Date>,
    /// Number of the document, and how it is paid.
    pub bill: Bill,
}

impl Expense {
    /// Whether the expense is a bill that was unpaid at the start of the books. Such a bill has no
    /// lines, and its VAT is unknown.
    #[must_use]
    pub fn is_opening_item(&self) -> bool {
        self.source == Origin::Opening
    }

    /// Amount still to pay; negative if the supplier owes the business.
    #[must_use]
    pub fn amount_due(&self) -> Cents {
        if self.paid_from.is_some() || self.undone_at.is_some() {
            Cents::ZERO
        } else {
            self.total - self.amount_paid
        }
    }
}

/// A payment of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpensePayment {
    /// Id of the bill.
    pub expense_id: i64,
    /// Unique within the bill.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the payment.
    pub date: Date,
    /// Amount paid; negative for a refund.
    pub amount: Cents,
    /// Account that the bill was paid from.
    pub method: MoneyAccount,
    /// VAT that became deductible again with the payment.
    pub vat_recovered: Cents,
    /// Id of the journal entry for the payment.
    pub entry_id: i64,
    /// Time at which the payment was undone.
    pub undone_at: Option<Timestamp>,
    /// Time of recording.
    pub created_at: Timestamp,
}

impl ExpensePayment {
    /// Time of the last change: when the payment was undone, or else when it was recorded.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

columns_by_name!(Deduction, VatTreatment);

/// Columns of what a supplier's invoice says.
macro_rules! bill_columns {
    () => {
        "supplier_invoice_number, due_date, pay_to_name, pay_to_iban, pay_to_bic, pay_to_reference"
    };
}

fields! { PayTo { name, iban, bic, reference } }
fields! { Bill { number, due_date, pay_to } }
record! {
    "expenses": Expense {
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
        "period_from": period_from,
        "period_until": period_until,
        bill_columns!(): bill,
    }
}
table_functions!(Expense: by_id, by_external_id, after);
record! {
    "expense_payments": ExpensePayment {
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
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    expense: &Expense,
    lines: &[PurchaseLine],
) -> Result<(), StoreError> {
    tx.record(ResourceKind::Expense, expense.id, Event::Created);
    table::insert(tx, account, expense)?;
    insert_lines(tx, account, expense.id, lines)
}

fn insert_lines(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
    lines: &[PurchaseLine],
) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(lines.len() * 9);
    for (place, line) in (1_i64..).zip(lines) {
        values.extend(params![account, expense, place]);
        line.put(&mut values);
    }
    record::insert(
        tx,
        "expense_items",
        &format!("expense_id, line, {}", PurchaseLine::COLUMNS),
        &values,
    )
}

/// Stores a changed expense, and its lines if given.
pub fn replace(
    tx: &mut Tx<'_>,
    account: i64,
    expense: &Expense,
    lines: Option<&[PurchaseLine]>,
) -> Result<(), StoreError> {
    tx.record(ResourceKind::Expense, expense.id, Event::Updated);
    table::update(tx, account, expense)?;
    let Some(lines) = lines else { return Ok(()) };
    tx.execute(
        "DELETE FROM expense_items WHERE account_id = ?1 AND expense_id = ?2",
        &params![account, expense.id],
    )?;
    insert_lines(tx, account, expense.id, lines)
}

/// Filter for expenses.
#[derive(Debug, Clone, Default)]
pub struct ExpenseFilter {
    /// Only the expense with this external id.
    pub external_id: Option<String>,
    /// First date.
    pub from: Option<Date>,
    /// Last date, inclusive.
    pub to: Option<Date>,
    /// Only expenses from this contact.
    pub contact_id: Option<i64>,
    /// Only undone expenses if true, only booked ones if false.
    pub undone: Option<bool>,
    /// Only unpaid bills if false, only other expenses if true.
    pub paid: Option<bool>,
    /// Only expenses with this number of the supplier.
    pub supplier_invoice_number: Option<String>,
    /// Only unpaid bills whose due date is before this day.
    pub due_before: Option<Date>,
    /// Only unpaid bills whose due date has passed if true, only other expenses if false.
    pub overdue: Option<bool>,
    /// Only expenses that changed in this period.
    pub updated: Option<Updated>,
}

/// Term of a bill without due date, in days.
pub const TERM_DAYS: i64 = 30;

/// SQL expression for a number of a supplier without the signs in which copies of it differ.
const NUMBER: &str = "ltrim(lower(replace(replace(replace(replace(replace(supplier_invoice_number, ' ', ''), '-', ''), '.', ''), '/', ''), '_', '')), '0')";

/// Number of a supplier without case, blanks, `-./_` and leading zeros.
fn compact_number(number: &str) -> String {
    let compact: String =
        number.chars().filter(|c| !matches!(c, ' ' | '-' | '.' | '/' | '_')).collect();
    compact.to_lowercase().trim_start_matches('0').to_owned()
}

/// SQL condition for a bill whose due date is before a day.
fn due_before(wanted: &mut Filter<'_>, day: Date) -> String {
    let (place, earlier) = (wanted.bind(day), wanted.bind(day.saturating_sub(TERM_DAYS.days())));
    format!("({OPEN} AND (due_date < {place} OR (due_date IS NULL AND date < {earlier})))")
}

/// Expenses with an id below `before`, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ExpenseFilter,
    today: Date,
    before: i64,
    limit: i64,
) -> Result<Page<Expense>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.given("external_id =", filter.external_id.as_ref());
    wanted.given("date >=", filter.from);
    wanted.given("date <=", filter.to);
    wanted.given("contact_id =", filter.contact_id);
    wanted.updated(filter.updated);
    wanted.either(filter.undone, "undone_at IS NOT NULL", "undone_at IS NULL");
    wanted.either(filter.paid, &format!("NOT ({OPEN})"), OPEN);
    wanted.given(
        &format!("{NUMBER} ="),
        filter.supplier_invoice_number.as_deref().map(compact_number),
    );
    if let Some(day) = filter.due_before {
        let condition = due_before(&mut wanted, day);
        wanted.and(&condition);
    }
    if filter.overdue.is_some() {
        let condition = due_before(&mut wanted, today);
        wanted.either(filter.overdue, &condition, &format!("NOT {condition}"));
    }
    table::page(tx, wanted, "id DESC", limit)
}

/// SQL condition for an unpaid bill.
pub(crate) const OPEN: &str = "paid_from IS NULL AND undone_at IS NULL AND total <> amount_paid";

/// Lines of an expense.
pub fn lines(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Vec<PurchaseLine>, StoreError> {
    let sql = format!(
        "SELECT {} FROM expense_items WHERE account_id = ?1 AND expense_id = ?2 ORDER BY line",
        PurchaseLine::COLUMNS
    );
    tx.query(&sql, &params![account, expense], PurchaseLine::read)
}

/// Ids and dates of the expenses dated `from` or later whose VAT can be booked differently: those
/// with VAT that are not undone and not from the opening balance.
pub fn deducting_since(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
) -> Result<Vec<(i64, Date)>, StoreError> {
    tx.query(
        "SELECT id, date FROM expenses WHERE account_id = ?1 AND date >= ?2 AND undone_at IS NULL AND vat <> 0 ORDER BY id",
        &params![account, from],
        |row| Ok((row.int(0)?, row.date(1)?)),
    )
}

/// Stores a new payment of a bill.
pub fn insert_payment(
    tx: &mut Tx<'_>,
    account: i64,
    payment: &ExpensePayment,
) -> Result<(), StoreError> {
    table::insert(tx, account, payment)
}

/// Records that a payment was undone.
pub fn undo_payment(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
    id: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE expense_payments SET undone_at = ?4 WHERE account_id = ?1 AND expense_id = ?2 AND id = ?3",
        &params![account, expense, id, now],
    )
}

/// Stores the new entry of a payment that no longer deducts repaid VAT again.
pub fn without_recovered_vat(
    tx: &mut Tx<'_>,
    account: i64,
    (expense, id): (i64, i64),
    entry: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE expense_payments SET vat_recovered = 0, entry_id = ?4 WHERE account_id = ?1 AND expense_id = ?2 AND id = ?3",
        &params![account, expense, id, entry],
    )
}

/// Payments of a bill with an id above `after`, oldest first.
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
    table::page(tx, wanted, "id", limit)
}

/// Payments of a bill, oldest first.
pub fn payments(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
) -> Result<Vec<ExpensePayment>, StoreError> {
    table::all(tx, account, "expense_id", expense)
}

/// Expenses with this date and total that are not undone, oldest first.
pub fn on_day_of_amount(
    tx: &mut Tx<'_>,
    account: i64,
    date: Date,
    total: Cents,
) -> Result<Vec<Expense>, StoreError> {
    let sql = Expense::select(
        "account_id = ?1 AND date = ?2 AND total = ?3 AND undone_at IS NULL ORDER BY id",
    );
    tx.query(&sql, &params![account, date, total.get()], Expense::read)
}

/// Payment with this external id.
pub fn payment_by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<ExpensePayment>, StoreError> {
    table::find(tx, account, "external_id", external_id)
}
