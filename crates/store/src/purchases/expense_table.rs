//! Expenses as a page lists them: filtered, ordered, a page at a time, with their sums.

use super::expenses::{COLUMNS, Expense, OPEN, read};
use crate::{StoreError, Tx, param::Param, params};
use ledger::money::Cents;

/// The state of the expenses that a list shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// Every expense that is booked.
    #[default]
    Booked,
    /// Bills to be paid.
    Open,
    /// Without a receipt.
    WithoutReceipt,
    /// Taken back.
    Undone,
}

/// The column that a list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The order in which they were recorded.
    Made,
    /// The day.
    Date,
    /// The supplier.
    Supplier,
    /// What the supplier asks.
    Total,
}

/// Which expenses a list shows.
#[derive(Debug, Clone, Default)]
pub struct TableFilter {
    /// In which state.
    pub state: State,
    /// Of which contact.
    pub contact_id: Option<i64>,
    /// What supplier or description must hold, in upper or lower case.
    pub text: Option<String>,
    /// Or what the total is.
    pub amount: Option<Cents>,
}

/// The sums of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many.
    pub count: i64,
    /// Of the VAT, what was deducted.
    pub deductible: Cents,
    /// What the suppliers ask.
    pub total: Cents,
}

/// How many expenses are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overview {
    /// All that are booked.
    pub booked: i64,
    /// Bills to be paid.
    pub open: i64,
    /// What is to be paid.
    pub due: Cents,
    /// Without a receipt.
    pub without_receipt: i64,
    /// Taken back.
    pub undone: i64,
}

const NO_RECEIPT: &str = "NOT EXISTS (SELECT 1 FROM expense_receipts l WHERE l.account_id = ?1 AND l.expense_id = expenses.id)";

fn condition(filter: &TableFilter) -> (String, Vec<Param<'static>>) {
    let mut condition = match filter.state {
        State::Booked => "account_id = ?1 AND undone_at IS NULL".to_owned(),
        State::Open => format!("account_id = ?1 AND {OPEN}"),
        State::WithoutReceipt => format!("account_id = ?1 AND undone_at IS NULL AND {NO_RECEIPT}"),
        State::Undone => "account_id = ?1 AND undone_at IS NOT NULL".to_owned(),
    };
    let mut values: Vec<Param<'static>> = Vec::new();
    if let Some(contact) = filter.contact_id {
        values.push(contact.into());
        condition += &format!(" AND contact_id = ?{}", values.len() + 1);
    }
    if let Some(text) = &filter.text {
        let escaped = text.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        values.push(format!("%{escaped}%").into());
        let at = values.len() + 1;
        let mut any = format!(
            "lower(COALESCE(supplier, '')) LIKE ?{at} ESCAPE '\\' OR lower(COALESCE(description, '')) LIKE ?{at} ESCAPE '\\'"
        );
        if let Some(amount) = filter.amount {
            values.push(amount.get().into());
            any += &format!(" OR total = ?{}", values.len() + 1);
        }
        condition += &format!(" AND ({any})");
    }
    (condition, values)
}

/// A page of a list.
///
/// # Errors
/// The storage failed.
pub fn rows(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &TableFilter,
    (column, down): (Column, bool),
    (offset, limit): (i64, i64),
) -> Result<Vec<Expense>, StoreError> {
    let (condition, more) = condition(filter);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        Column::Made => String::new(),
        Column::Date => format!("date {direction}, "),
        Column::Supplier => format!("lower(COALESCE(supplier, '')) {direction}, "),
        Column::Total => format!("total {direction}, "),
    };
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(more);
    values.extend([Param::Int(limit), Param::Int(offset)]);
    let sql = format!(
        "SELECT {COLUMNS} FROM expenses WHERE {condition} ORDER BY {order}id {direction} LIMIT ?{} OFFSET ?{}",
        values.len() - 1,
        values.len()
    );
    tx.query(&sql, &values, read)
}

/// The sums of a whole list.
///
/// # Errors
/// The storage failed.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &TableFilter) -> Result<Sums, StoreError> {
    let (condition, more) = condition(filter);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(more);
    let sql = format!(
        "SELECT count(*), CAST(COALESCE(SUM(deductible), 0) AS BIGINT), CAST(COALESCE(SUM(total), 0) AS BIGINT)
         FROM expenses WHERE {condition}"
    );
    tx.query_one(&sql, &values, |row| {
        Ok(Sums { count: row.int(0)?, deductible: Cents::new(row.int(1)?), total: Cents::new(row.int(2)?) })
    })
}

/// How many expenses are in each state.
///
/// # Errors
/// The storage failed.
pub fn overview(tx: &mut Tx<'_>, account: i64) -> Result<Overview, StoreError> {
    let count = |tx: &mut Tx<'_>, state| sums(tx, account, &TableFilter { state, ..TableFilter::default() });
    let due =
        format!("SELECT CAST(COALESCE(SUM(total - amount_paid), 0) AS BIGINT) FROM expenses WHERE account_id = ?1 AND {OPEN}");
    Ok(Overview {
        booked: count(tx, State::Booked)?.count,
        open: count(tx, State::Open)?.count,
        due: tx.query_one(&due, &params![account], |row| row.int(0).map(Cents::new))?,
        without_receipt: count(tx, State::WithoutReceipt)?.count,
        undone: count(tx, State::Undone)?.count,
    })
}
