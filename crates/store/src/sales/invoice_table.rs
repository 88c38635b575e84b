//! List of invoices as shown on a page: filter, order, pagination and totals.

pub use super::sales_totals::Sums;
use super::{
    invoices::Invoice,
    receivables,
    sales_totals::{self, Standing},
};
use crate::{
    StoreError, Tx,
    engine::{filter::Filter, table},
    param::Param,
};
use jiff::{ToSpan, civil::Date};
use ledger::money::Cents;

/// State of the documents in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// All documents.
    #[default]
    All,
    /// Drafts.
    Draft,
    /// Sent and not settled.
    Open,
    /// Open and past the due date.
    Overdue,
    /// Sent and settled without a write-off.
    Paid,
    /// Credit notes.
    CreditNotes,
}

/// Age of an open document: the number of days past its due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// Not yet due.
    NotDue,
    /// 1 to 30 days late.
    UpTo30,
    /// 31 to 60 days late.
    UpTo60,
    /// More than 60 days late.
    Older,
}

impl Age {
    fn of(due: Date, today: Date) -> Self {
        let days_before = |days: i64| today.saturating_sub(days.days());
        match due {
            due if due >= today => Self::NotDue,
            due if due >= days_before(30) => Self::UpTo30,
            due if due >= days_before(60) => Self::UpTo60,
            _ => Self::Older,
        }
    }
}

/// Column by which a list is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Order of creation.
    Made,
    /// Number.
    Number,
    /// Name of the customer.
    Customer,
    /// Invoice date.
    Date,
    /// Due date.
    DueDate,
    /// Total.
    Total,
    /// Amount still to be received.
    Due,
}

/// Filter for a list of documents.
#[derive(Debug, Clone)]
pub struct TableFilter {
    /// State.
    pub state: State,
    /// Age of open documents.
    pub age: Option<Age>,
    /// Only documents for this contact.
    pub contact_id: Option<i64>,
    /// Text that the number, the customer's name, the reference or the order number must contain,
    /// ignoring case.
    pub text: Option<String>,
    /// Amount: documents with this total, of either sign, match even if they do not contain the
    /// text.
    pub amount: Option<Cents>,
    /// Current date, which determines the age of documents and whether they are overdue.
    pub today: Date,
    /// First and last invoice date.
    pub days: Option<(Date, Date)>,
}

/// Number of documents per state, and the open documents by age.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overview {
    /// All documents.
    pub all: i64,
    /// Drafts.
    pub drafts: i64,
    /// Sent and not settled.
    pub open: i64,
    /// Open and past the due date.
    pub overdue: i64,
    /// Cancelled drafts.
    pub cancelled: i64,
    /// Settled with a write-off.
    pub written_off: i64,
    /// Credit notes.
    pub credit_notes: i64,
    /// Number and amount of open documents by age: not due, up to 30, up to 60, and more than 60
    /// days late.
    pub aging: [(i64, Cents); 4],
}

impl Overview {
    /// Number of paid invoices.
    #[must_use]
    pub fn paid(&self) -> i64 {
        self.all - self.drafts - self.cancelled - self.written_off - self.open - self.credit_notes
    }

    /// Total amount of open documents.
    #[must_use]
    pub fn outstanding(&self) -> Cents {
        self.aging.iter().fold(Cents::ZERO, |sum, (_, amount)| sum + *amount)
    }
}

impl TableFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        match self.state {
            State::All => {}
            // The first condition repeats that of a partial index, so that the database uses the
            // index.
            State::Draft => filter.and("status <> 'sent' AND status = 'draft'"),
            State::Open => filter.and(&receivables::open()),
            State::Overdue => {
                filter.and(&receivables::open());
                filter.with("due_date <", self.today);
            }
            State::Paid => filter.and(&receivables::paid()),
            State::CreditNotes => filter.and("credited_invoice_id IS NOT NULL"),
        }
        if let Some(age) = self.age {
            let (thirty, sixty) =
                (self.today.saturating_sub(30.days()), self.today.saturating_sub(60.days()));
            let (from, until) = match age {
                Age::NotDue => (Some(self.today), None),
                Age::UpTo30 => (Some(thirty), Some(self.today)),
                Age::UpTo60 => (Some(sixty), Some(thirty)),
                Age::Older => (None, Some(sixty)),
            };
            filter.and(&receivables::open());
            filter.given("due_date >=", from);
            filter.given("due_date <", until);
        }
        filter.given("contact_id =", self.contact_id);
        filter.given("invoice_date >=", self.days.map(|(first, _)| first));
        filter.given("invoice_date <=", self.days.map(|(_, last)| last));
        if let Some(text) = &self.text {
            let fields = [
                "lower(number)",
                "lower(customer_name)",
                "lower(COALESCE(reference, ''))",
                "lower(COALESCE(order_number, ''))",
            ];
            filter.holds(
                &fields,
                text,
                self.amount.map(|amount| ("ABS(total) =", Param::Int(amount.abs().get()))),
            );
        }
        filter
    }
}

/// Section of the filtered and ordered list.
///
/// # Errors
/// The storage failed.
pub fn rows(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &TableFilter,
    (column, down): (Column, bool),
    part: (i64, i64),
) -> Result<Vec<Invoice>, StoreError> {
    let filter = filter.of(account);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        Column::Made => String::new(),
        Column::Number => format!("number_year {direction}, number_in_year {direction}, "),
        Column::Customer => format!("lower(customer_name) {direction}, "),
        Column::Date => format!("invoice_date {direction}, "),
        Column::DueDate => format!("due_date {direction}, "),
        Column::Total => format!("total {direction}, "),
        Column::Due => format!("{} {direction}, ", receivables::due()),
    };
    table::section(tx, filter, &format!("{order}id {direction}"), part)
}

/// Totals of the complete filtered list. Drafts add to the amounts, except to the amount due;
/// cancelled drafts only add to the count.
///
/// # Errors
/// The storage failed.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &TableFilter) -> Result<Sums, StoreError> {
    if let Some(kept) = kept_sums(tx, account, filter)? {
        return Ok(kept);
    }
    let filter = filter.of(account);
    let sum = |what: &str| format!("CAST(COALESCE(SUM({what}), 0) AS BIGINT)");
    let counting = |what: &str| format!("CASE WHEN status = 'cancelled' THEN 0 ELSE {what} END");
    let due = sum(&receivables::due());
    let sql = format!(
        "SELECT count(*), {}, {}, {}, {due} FROM invoices WHERE {filter}",
        sum(&counting("subtotal")),
        sum(&counting("vat_total")),
        sum(&counting("total"))
    );
    tx.query_one(&sql, filter.values(), |row| {
        let amount = |column| row.int(column).map(Cents::new);
        Ok(Sums {
            count: row.int(0)?,
            subtotal: amount(1)?,
            vat_total: amount(2)?,
            total: amount(3)?,
            due: amount(4)?,
        })
    })
}

/// Totals read from the stored sums; `None` if the list is filtered by anything other than state
/// and age.
fn kept_sums(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &TableFilter,
) -> Result<Option<Sums>, StoreError> {
    if filter.contact_id.is_some() || filter.text.is_some() || filter.days.is_some() {
        return Ok(None);
    }
    let standing = match (filter.state, filter.age) {
        (State::All, None) => None,
        (State::Draft, None) => Some(Standing::Draft),
        (State::Open, None) => Some(Standing::Open),
        (State::Paid, None) => Some(Standing::Paid),
        (State::CreditNotes, None) => Some(Standing::CreditNote),
        (State::Open | State::Overdue, age) => {
            let is_late = |due: Date| filter.state == State::Open || due < filter.today;
            let mut sums = Sums::default();
            for (due, of_day) in sales_totals::by_due_date(tx, account)? {
                if is_late(due) && age.is_none_or(|age| age == Age::of(due, filter.today)) {
                    sums += of_day;
                }
            }
            return Ok(Some(sums));
        }
        _ => return Ok(None),
    };
    let mut sums = Sums::default();
    for (of, kept) in sales_totals::by_standing(tx, account)? {
        if standing.is_none_or(|standing| standing == of) {
            sums += kept;
        }
    }
    Ok(Some(sums))
}

/// Number of documents per state.
///
/// # Errors
/// The storage failed.
pub fn overview(tx: &mut Tx<'_>, account: i64, today: Date) -> Result<Overview, StoreError> {
    let standing = sales_totals::by_standing(tx, account)?;
    let count = |of: Standing| standing.get(&of).map_or(0, |sums| sums.count);
    let open = receivables::aging(tx, account, today)?;
    Ok(Overview {
        all: standing.values().map(|sums| sums.count).sum(),
        drafts: count(Standing::Draft),
        open: count(Standing::Open),
        overdue: open.late().count,
        cancelled: count(Standing::Cancelled),
        written_off: count(Standing::WrittenOff),
        credit_notes: count(Standing::CreditNote),
        aging: [open.not_due, open.late_30_days, open.late_60_days, open.later]
            .map(|bucket| (bucket.count, bucket.amount)),
    })
}
