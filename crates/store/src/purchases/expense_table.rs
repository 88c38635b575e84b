//! Expenses as a page lists them: filtered, ordered, a page at a time, with their sums.

use super::expenses::{Expense, OPEN};
use crate::{
    StoreError, Tx,
    engine::{filter::Filter, record::Record},
    param::Param,
    params,
};
use jiff::civil::Date;
use ledger::{chart::AccountCode, money::Cents};

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
    /// Only those from the first to the last of these days.
    pub days: Option<(Date, Date)>,
    /// Only those with a line of this category.
    pub category: Option<AccountCode>,
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
            let code = filter.bind(i64::from(category.get()));
            filter.and(&format!(
                "EXISTS (SELECT 1 FROM expense_items i WHERE i.account_id = ?1 AND i.expense_id = expenses.id AND i.category = {code})"
            ));
        }
        if let Some(text) = &self.text {
            let fields = ["lower(COALESCE(supplier, ''))", "lower(COALESCE(description, ''))"];
            filter.holds(&fields, text, self.amount.map(|amount| ("ABS(total) =", Param::Int(amount.abs().get()))));
        }
        filter
    }
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
    let mut filter = filter.of(account);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        Column::Made => String::new(),
        Column::Date => format!("date {direction}, "),
        Column::Supplier => format!("lower(COALESCE(supplier, '')) {direction}, "),
        Column::Total => format!("total {direction}, "),
    };
    let (limit, offset) = (filter.bind(limit), filter.bind(offset));
    let sql = format!(
        "SELECT {} FROM expenses WHERE {filter} ORDER BY {order}id {direction} LIMIT {limit} OFFSET {offset}",
        Expense::COLUMNS
    );
    tx.query(&sql, filter.values(), Expense::read)
}

/// The sums of a whole list.
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
        Ok(Sums { count: row.int(0)?, deductible: Cents::new(row.int(1)?), total: Cents::new(row.int(2)?) })
    })
}

/// The bills that are to be paid: how many, and what is left to pay of them.
///
/// # Errors
/// The storage failed.
pub fn to_pay(tx: &mut Tx<'_>, account: i64) -> Result<(i64, Cents), StoreError> {
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(total - amount_paid), 0) AS BIGINT) FROM expenses WHERE account_id = ?1 AND {OPEN}"
    );
    tx.query_one(&sql, &params![account], |row| Ok((row.int(0)?, Cents::new(row.int(1)?))))
}

/// How many expenses are in each state.
///
/// # Errors
/// The storage failed.
pub fn overview(tx: &mut Tx<'_>, account: i64) -> Result<Overview, StoreError> {
    let count = |tx: &mut Tx<'_>, state| sums(tx, account, &TableFilter { state, ..TableFilter::default() });
    let (open, due) = to_pay(tx, account)?;
    Ok(Overview {
        booked: count(tx, State::Booked)?.count,
        open,
        due,
        without_receipt: count(tx, State::WithoutReceipt)?.count,
        undone: count(tx, State::Undone)?.count,
    })
}
