//! List of expenses as shown on a page: filter, order, pagination and totals.

use super::expenses::{Expense, OPEN};
use crate::{
    StoreError, Tx,
    engine::{filter::Filter, table},
    param::Param,
    params,
};
use jiff::civil::Date;
use ledger::{chart::AccountCode, money::Cents};

/// State of the expenses in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// All booked expenses.
    #[default]
    Booked,
    /// Unpaid bills.
    Open,
    /// Booked expenses without a receipt.
    WithoutReceipt,
    /// Undone expenses.
    Undone,
}

/// Column by which a list is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Order of recording.
    Made,
    /// Date.
    Date,
    /// Supplier.
    Supplier,
    /// Total of the document.
    Total,
}

/// Filter for a list of expenses.
#[derive(Debug, Clone, Default)]
pub struct TableFilter {
    /// State of the expenses.
    pub state: State,
    /// Only expenses from this contact.
    pub contact_id: Option<i64>,
    /// Text that the supplier or the description must contain, ignoring case.
    pub text: Option<String>,
    /// Amount: expenses with this total, of either sign, match even if they do not contain the
    /// text.
    pub amount: Option<Cents>,
    /// First and last date.
    pub days: Option<(Date, Date)>,
    /// Only expenses with a line of this category.
    pub category: Option<AccountCode>,
}

/// Totals of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Number of expenses.
    pub count: i64,
    /// Deducted VAT.
    pub deductible: Cents,
    /// Total of the documents.
    pub total: Cents,
}

/// Number of expenses per state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overview {
    /// All booked expenses.
    pub booked: i64,
    /// Unpaid bills.
    pub open: i64,
    /// Total amount to pay on unpaid bills.
    pub due: Cents,
    /// Booked expenses without a receipt.
    pub without_receipt: i64,
    /// Undone expenses.
    pub undone: i64,
}

const NO_RECEIPT: &str = "NOT EXISTS (SELECT 1 FROM expense_receipts l WHERE l.account_id = ?1 AND l.expense_id = expenses.id)";

impl TableFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        match self.state {
            State::Booked => filter.and("undone_at IS NULL"),
            State::Open => filter.and(OPEN),
            State::WithoutReceipt => filter.and(&format!("undone_at IS NULL AND {NO_RECEIPT}")),
            State::Undone => filter.and("undone_at IS NOT NULL"),
        }
        filter.given("contact_id =", self.contact_id);
        filter.given("date >=", self.days.map(|(first, _)| first));
        filter.given("date <=", self.days.map(|(_, last)| last));
        if let Some(category) = self.category {
            let code = filter.bind(i64::from(category.stored()));
            filter.and(&format!(
                "EXISTS (SELECT 1 FROM expense_items i WHERE i.account_id = ?1 AND i.expense_id = expenses.id AND i.category = {code})"
            ));
        }
        if let Some(text) = &self.text {
            let fields = ["lower(COALESCE(supplier, ''))", "lower(COALESCE(description, ''))"];
            filter.holds(
                &fields,
                text,
                self.amount.map(|amount| ("ABS(total) =", Param::Int(amount.abs().get()))),
            );
        }
        filter
    }
}

/// Page of a list.
///
/// # Errors
/// The storage failed.
pub fn rows(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &TableFilter,
    (column, down): (Column, bool),
    part: (i64, i64),
) -> Result<Vec<Expense>, StoreError> {
    let filter = filter.of(account);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        Column::Made => String::new(),
        Column::Date => format!("date {direction}, "),
        Column::Supplier => format!("lower(COALESCE(supplier, '')) {direction}, "),
        Column::Total => format!("total {direction}, "),
    };
    table::section(tx, filter, &format!("{order}id {direction}"), part)
}

/// Totals of a complete list.
///
/// # Errors
/// The storage failed.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &TableFilter) -> Result<Sums, StoreError> {
    let filter = filter.of(account);
    let sql = format!(
        "SELECT count(*), CAST(COALESCE(SUM(deductible), 0) AS BIGINT), CAST(COALESCE(SUM(total), 0) AS BIGINT)
         FROM expenses WHERE {filter}"
    );
    tx.query_one(&sql, filter.values(), |row| {
        Ok(Sums {
            count: row.int(0)?,
            deductible: Cents::new(row.int(1)?),
            total: Cents::new(row.int(2)?),
        })
    })
}

/// Number of unpaid bills, and the total amount still to pay on them.
///
/// # Errors
/// The storage failed.
pub fn to_pay(tx: &mut Tx<'_>, account: i64) -> Result<(i64, Cents), StoreError> {
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(total - amount_paid), 0) AS BIGINT) FROM expenses WHERE account_id = ?1 AND {OPEN}"
    );
    tx.query_one(&sql, &params![account], |row| Ok((row.int(0)?, Cents::new(row.int(1)?))))
}

/// Number of expenses per state.
///
/// # Errors
/// The storage failed.
pub fn overview(tx: &mut Tx<'_>, account: i64) -> Result<Overview, StoreError> {
    let count = |tx: &mut Tx<'_>, state| {
        sums(tx, account, &TableFilter { state, ..TableFilter::default() })
    };
    let (open, due) = to_pay(tx, account)?;
    Ok(Overview {
        booked: count(tx, State::Booked)?.count,
        open,
        due,
        without_receipt: count(tx, State::WithoutReceipt)?.count,
        undone: count(tx, State::Undone)?.count,
    })
}
