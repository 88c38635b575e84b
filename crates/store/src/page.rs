//! Pages of lists: rows in order, and whether more rows follow.

use crate::{
    engine::filter::{Filter, Updated},
    param::Param,
};
use jiff::civil::Date;
use ledger::money::Cents;

/// Maximum size of a page in a response, in bytes; a page of a single row may be larger.
pub const PAGE_BYTES: usize = 4 * 1024 * 1024;

/// Selection of the rows that a synchronizing client requests from a list.
#[derive(Debug, Clone, Default)]
pub struct SyncFilter {
    /// Only the row with this external id.
    pub external_id: Option<String>,
    /// Only rows changed in this period.
    pub updated: Option<Updated>,
}

impl SyncFilter {
    /// Filters a table that has `updated_at`.
    pub(crate) fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.updated(self.updated);
        filter
    }

    /// Filters a table with `created_at` and `undone_at`, whose rows change only by being undone.
    pub(crate) fn of_undoable(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        if let Some(Updated { since, until }) = self.updated {
            let since = filter.bind(since);
            filter.and(&format!("(created_at >= {since} OR undone_at >= {since})"));
            if let Some(until) = until {
                let until = filter.bind(until);
                filter.and(&format!(
                    "created_at <= {until} AND (undone_at IS NULL OR undone_at <= {until})"
                ));
            }
        }
        filter
    }
}

/// Rows of a list, in order.
#[derive(Debug, Clone)]
pub struct Page<T> {
    /// The rows. An empty page means that the list ends here.
    pub rows: Vec<T>,
    /// Whether more rows follow.
    pub more: bool,
}

impl<T> Page<T> {
    /// Builds a page from the result of a query that asked for one row more than `limit`: if that
    /// extra row is present, more rows follow.
    #[must_use]
    pub fn of(mut rows: Vec<T>, limit: i64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        Self { rows, more }
    }

    /// Keeps only the first `count` rows.
    pub fn shorten(&mut self, count: usize) {
        if count < self.rows.len() {
            self.rows.truncate(count);
            self.more = true;
        }
    }
}

/// Filter for a list whose rows have a date, a text and an amount.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// Only rows from the first to the last of these dates, inclusive.
    pub days: Option<(Date, Date)>,
    /// Text to search for, ignoring case.
    pub text: Option<String>,
    /// Amount: rows with this amount, of either sign, match even if they do not contain the text.
    pub amount: Option<Cents>,
}

impl ListFilter {
    /// Adds the conditions for a table with a column `date`. `texts` are the SQL expressions that
    /// are searched for the text; `amount` is the SQL expression that is compared with the amount.
    pub(crate) fn narrow<'v>(&'v self, filter: &mut Filter<'v>, texts: &[&str], amount: &str) {
        filter.given("date >=", self.days.map(|(first, _)| first));
        filter.given("date <=", self.days.map(|(_, last)| last));
        if let Some(text) = &self.text {
            let of_amount = format!("ABS({amount}) =");
            filter.holds(
                texts,
                text,
                self.amount.map(|amount| (of_amount.as_str(), Param::Int(amount.abs().get()))),
            );
        }
    }
}

/// Column by which a list with dates and amounts is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListColumn {
    /// The date.
    Date,
    /// The amount.
    Amount,
}

impl ListColumn {
    /// Returns the ORDER BY columns for rows with a `date` and an `id`.
    pub(crate) fn order(self, down: bool) -> String {
        let direction = if down { "DESC" } else { "ASC" };
        let column = match self {
            Self::Date => "date",
            Self::Amount => "amount",
        };
        format!("{column} {direction}, id {direction}")
    }
}

/// Section of a list shown on one page: order, offset and maximum number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPart {
    /// Sort column, and whether descending.
    pub order: (ListColumn, bool),
    /// Number of rows before the page.
    pub offset: i64,
    /// Maximum number of rows.
    pub limit: i64,
}
