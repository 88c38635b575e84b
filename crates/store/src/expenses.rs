//! Expenses: purchases with their VAT.

use crate::{StoreError, Tx, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{booking::MoneyAccount, chart::AccountCode, money::Cents, vat::VatRate};

/// An expense as it is stored.
#[derive(Debug, Clone)]
pub struct Expense {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The date of the purchase; decides the VAT period.
    pub date: Date,
    /// What was bought.
    pub description: String,
    /// The cost account.
    pub cost_account: AccountCode,
    /// Excluding deductible VAT.
    pub net: Cents,
    /// How VAT was treated: `deductible`, `none`, `domestic`, `outsideEu`, `eu`.
    pub vat_treatment: String,
    /// The rate; zero where there is none.
    pub vat_rate: VatRate,
    /// The VAT.
    pub vat: Cents,
    /// What it was paid from; nothing while it is owed.
    pub paid_from: Option<MoneyAccount>,
    /// Its journal entry.
    pub entry_id: i64,
    /// When it was recorded.
    pub created_at: Timestamp,
}

/// Stores a new expense.
pub fn insert(tx: &mut Tx<'_>, account: i64, expense: &Expense) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO expenses (account_id, id, external_id, date, description, cost_account, net, vat_treatment, vat_basis_points, vat,
         paid_from, entry_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        &params![
            account,
            expense.id,
            &expense.external_id,
            expense.date,
            &expense.description,
            i64::from(expense.cost_account.get()),
            expense.net.get(),
            &expense.vat_treatment,
            i64::from(expense.vat_rate.basis_points()),
            expense.vat.get(),
            expense.paid_from.map(MoneyAccount::as_str),
            expense.entry_id,
            expense.created_at,
        ],
    )
}

/// The expense with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Expense>, StoreError> {
    tx.query_opt(
        "SELECT id, external_id, date, description, cost_account, net, vat_treatment, vat_basis_points, vat, paid_from, entry_id,
         created_at FROM expenses WHERE account_id = ?1 AND external_id = ?2",
        &params![account, external_id],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<Expense, StoreError> {
    let code: u16 = row.narrow(4)?;
    let paid_from = match row.opt_text(9)? {
        None => None,
        Some(_) => Some(row.parsed(9, MoneyAccount::parse)?),
    };
    Ok(Expense {
        id: row.int(0)?,
        external_id: row.opt_text(1)?,
        date: row.date(2)?,
        description: row.text(3)?,
        cost_account: AccountCode::new(code)
            .ok_or_else(|| StoreError::Unreadable(format!("account {code} is not in the chart")))?,
        net: Cents::new(row.int(5)?),
        vat_treatment: row.text(6)?,
        vat_rate: VatRate::from_basis_points(row.narrow(7)?),
        vat: Cents::new(row.int(8)?),
        paid_from,
        entry_id: row.int(10)?,
        created_at: row.time(11)?,
    })
}
