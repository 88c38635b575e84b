//! Expenses: purchases with their lines, and the payments of bills.

use crate::{
    Page, StoreError, Tx,
    changes::{Event, ResourceKind},
    invoices::Origin,
    param::Param,
    params,
    row::Row,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    booking::MoneyAccount,
    chart::AccountCode,
    money::Cents,
    purchase::{BusinessShare, Deduction, PurchaseLine, VatTreatment},
    vat::VatRate,
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
    /// Whether its day was far off when it was given.
    pub date_unusual: bool,
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

pub(super) const COLUMNS: &str = "id, external_id, date, contact_id, supplier, description, paid_from, business_share, net, vat, \
                                  deductible, total, amount_paid, vat_repaid, entry_id, asset_id, undone_at, source, created_at, \
                                  updated_at, deduction, date_unusual";

pub(super) fn read(row: &Row<'_>) -> Result<Expense, StoreError> {
    let share: u16 = row.narrow(7)?;
    let amount = |column| row.int(column).map(Cents::new);
    Ok(Expense {
        id: row.int(0)?,
        external_id: row.opt_text(1)?,
        date: row.date(2)?,
        contact_id: row.opt_int(3)?,
        supplier: row.opt_text(4)?,
        description: row.opt_text(5)?,
        paid_from: match row.opt_text(6)? {
            None => None,
            Some(_) => Some(row.parsed(6, MoneyAccount::parse)?),
        },
        business_share: BusinessShare::from_basis_points(share)
            .ok_or_else(|| StoreError::Unreadable(format!("{share} is no share")))?,
        net: amount(8)?,
        vat: amount(9)?,
        deductible: amount(10)?,
        total: amount(11)?,
        amount_paid: amount(12)?,
        vat_repaid: amount(13)?,
        entry_id: row.int(14)?,
        asset_id: row.opt_int(15)?,
        undone_at: row.opt_time(16)?,
        source: row.parsed(17, Origin::parse)?,
        created_at: row.time(18)?,
        updated_at: row.time(19)?,
        deduction: row.parsed(20, Deduction::parse)?,
        date_unusual: row.int(21)? != 0,
    })
}

/// Stores a new expense with its lines.
pub fn insert(tx: &mut Tx<'_>, account: i64, expense: &Expense, lines: &[PurchaseLine]) -> Result<(), StoreError> {
    tx.record(ResourceKind::Expense, expense.id, Event::Created);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(values_of(expense));
    let places: Vec<String> = (1..=values.len()).map(|place| format!("?{place}")).collect();
    let sql = format!("INSERT INTO expenses (account_id, {COLUMNS}) VALUES ({})", places.join(", "));
    tx.execute(&sql, &values)?;
    insert_lines(tx, account, expense.id, lines)
}

fn values_of(expense: &Expense) -> [Param<'_>; 22] {
    params![
        expense.id,
        &expense.external_id,
        expense.date,
        expense.contact_id,
        &expense.supplier,
        &expense.description,
        expense.paid_from.map(MoneyAccount::as_str),
        i64::from(expense.business_share.basis_points()),
        expense.net.get(),
        expense.vat.get(),
        expense.deductible.get(),
        expense.total.get(),
        expense.amount_paid.get(),
        expense.vat_repaid.get(),
        expense.entry_id,
        expense.asset_id,
        expense.undone_at,
        expense.source.as_str(),
        expense.created_at,
        expense.updated_at,
        expense.deduction.as_str(),
        i64::from(expense.date_unusual),
    ]
}

fn insert_lines(tx: &mut Tx<'_>, account: i64, expense: i64, lines: &[PurchaseLine]) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(lines.len() * 9);
    for (place, line) in (1_i64..).zip(lines) {
        values.extend(params![
            account,
            expense,
            place,
            i64::from(line.category.get()),
            line.amount.get(),
            line.treatment.as_str(),
            i64::from(line.rate.basis_points()),
            i64::from(line.includes_vat),
            line.printed_vat.map(Cents::get),
        ]);
    }
    let head = "INSERT INTO expense_items (account_id, expense_id, line, category, amount, vat_treatment, vat_basis_points, \
                includes_vat, printed_vat)";
    tx.insert_rows(head, 9, &values, "")
}

/// Stores an expense as it is now; its lines too, where they are given.
pub fn replace(tx: &mut Tx<'_>, account: i64, expense: &Expense, lines: Option<&[PurchaseLine]>) -> Result<(), StoreError> {
    tx.record(ResourceKind::Expense, expense.id, Event::Updated);
    tx.execute(
        "UPDATE expenses SET date = ?3, contact_id = ?4, supplier = ?5, description = ?6, paid_from = ?7, business_share = ?8,
         net = ?9, vat = ?10, deductible = ?11, total = ?12, amount_paid = ?13, vat_repaid = ?14, entry_id = ?15, asset_id = ?16,
         undone_at = ?17, updated_at = ?18, deduction = ?19, date_unusual = ?20 WHERE account_id = ?1 AND id = ?2",
        &params![
            account,
            expense.id,
            expense.date,
            expense.contact_id,
            &expense.supplier,
            &expense.description,
            expense.paid_from.map(MoneyAccount::as_str),
            i64::from(expense.business_share.basis_points()),
            expense.net.get(),
            expense.vat.get(),
            expense.deductible.get(),
            expense.total.get(),
            expense.amount_paid.get(),
            expense.vat_repaid.get(),
            expense.entry_id,
            expense.asset_id,
            expense.undone_at,
            expense.updated_at,
            expense.deduction.as_str(),
            i64::from(expense.date_unusual),
        ],
    )?;
    let Some(lines) = lines else { return Ok(()) };
    tx.execute("DELETE FROM expense_items WHERE account_id = ?1 AND expense_id = ?2", &params![account, expense.id])?;
    insert_lines(tx, account, expense.id, lines)
}

/// The expense with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Expense>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM expenses WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// The expense with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Expense>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM expenses WHERE account_id = ?1 AND external_id = ?2");
    tx.query_opt(&sql, &params![account, external_id], read)
}

/// Expenses after an id, in the order of their ids; for the verification of the books.
pub fn after(tx: &mut Tx<'_>, account: i64, after: i64, limit: i64) -> Result<Vec<Expense>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM expenses WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3");
    tx.query(&sql, &params![account, after, limit], read)
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
    pub updated_since: Option<Timestamp>,
}

/// Expenses with an id below `before`, newest first.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &ExpenseFilter, before: i64, limit: i64) -> Result<Page<Expense>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, before, limit + 1].into();
    let mut conditions = String::new();
    let mut add = |condition: &str, value: Param<'static>| {
        values.push(value);
        conditions += &format!(" AND {condition} ?{}", values.len());
    };
    if let Some(external_id) = filter.external_id.clone() {
        add("external_id =", external_id.into());
    }
    if let Some(from) = filter.from {
        add("date >=", from.into());
    }
    if let Some(to) = filter.to {
        add("date <=", to.into());
    }
    if let Some(contact) = filter.contact_id {
        add("contact_id =", contact.into());
    }
    if let Some(since) = filter.updated_since {
        add("updated_at >=", since.into());
    }
    match filter.undone {
        Some(true) => conditions += " AND undone_at IS NOT NULL",
        Some(false) => conditions += " AND undone_at IS NULL",
        None => {}
    }
    match filter.paid {
        Some(false) => conditions += &format!(" AND {OPEN}"),
        Some(true) => conditions += &format!(" AND NOT ({OPEN})"),
        None => {}
    }
    let sql = format!("SELECT {COLUMNS} FROM expenses WHERE account_id = ?1 AND id < ?2{conditions} ORDER BY id DESC LIMIT ?3");
    Ok(Page::of(tx.query(&sql, &values, read)?, limit))
}

/// A bill that is to be paid.
pub(super) const OPEN: &str = "paid_from IS NULL AND undone_at IS NULL AND total <> amount_paid";

/// The lines of an expense.
pub fn lines(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Vec<PurchaseLine>, StoreError> {
    tx.query(
        "SELECT category, amount, vat_treatment, vat_basis_points, includes_vat, printed_vat FROM expense_items
         WHERE account_id = ?1 AND expense_id = ?2 ORDER BY line",
        &params![account, expense],
        |row| {
            let code: u16 = row.narrow(0)?;
            Ok(PurchaseLine {
                category: AccountCode::new(code)
                    .ok_or_else(|| StoreError::Unreadable(format!("account {code} is not in the chart")))?,
                amount: Cents::new(row.int(1)?),
                treatment: row.parsed(2, VatTreatment::parse)?,
                rate: VatRate::from_basis_points(row.narrow(3)?),
                includes_vat: row.int(4)? != 0,
                printed_vat: row.opt_int(5)?.map(Cents::new),
            })
        },
    )
}

const PAYMENT: &str =
    "expense_id, id, external_id, date, amount, method, vat_recovered, entry_id, undone_at, created_at FROM expense_payments";

fn read_payment(row: &Row<'_>) -> Result<ExpensePayment, StoreError> {
    Ok(ExpensePayment {
        expense_id: row.int(0)?,
        id: row.int(1)?,
        external_id: row.opt_text(2)?,
        date: row.date(3)?,
        amount: Cents::new(row.int(4)?),
        method: row.parsed(5, MoneyAccount::parse)?,
        vat_recovered: Cents::new(row.int(6)?),
        entry_id: row.int(7)?,
        undone_at: row.opt_time(8)?,
        created_at: row.time(9)?,
    })
}

/// Stores a new payment of a bill.
pub fn insert_payment(tx: &mut Tx<'_>, account: i64, payment: &ExpensePayment) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO expense_payments (account_id, expense_id, id, external_id, date, amount, method, vat_recovered, entry_id,
         undone_at, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        &params![
            account,
            payment.expense_id,
            payment.id,
            &payment.external_id,
            payment.date,
            payment.amount.get(),
            payment.method.as_str(),
            payment.vat_recovered.get(),
            payment.entry_id,
            payment.undone_at,
            payment.created_at,
        ],
    )
}

/// Notes that a payment was taken back.
pub fn undo_payment(tx: &mut Tx<'_>, account: i64, expense: i64, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE expense_payments SET undone_at = ?4 WHERE account_id = ?1 AND expense_id = ?2 AND id = ?3",
        &params![account, expense, id, now],
    )
}

/// The payments of a bill, oldest first.
pub fn payments(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Vec<ExpensePayment>, StoreError> {
    tx.query(
        &format!("SELECT {PAYMENT} WHERE account_id = ?1 AND expense_id = ?2 ORDER BY id"),
        &params![account, expense],
        read_payment,
    )
}

/// The payment with that external id.
pub fn payment_by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<ExpensePayment>, StoreError> {
    let sql = format!("SELECT {PAYMENT} WHERE account_id = ?1 AND external_id = ?2");
    tx.query_opt(&sql, &params![account, external_id], read_payment)
}
