//! A page of a list: some rows in their order, and whether more follow.

use crate::{
    engine::filter::{Filter, Updated},
    param::Param,
};
use jiff::civil::Date;
use ledger::money::Cents;

/// Bytes that a page has at the most, as it is answered; a page of one row may have more.
pub const PAGE_BYTES: usize = 4 * 1024 * 1024;

/// Which rows a program asks for that keeps up with a list.
#[derive(Debug, Clone, Default)]
pub struct SyncFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those that changed lately.
    pub updated: Option<Updated>,
}

impl SyncFilter {
    /// The rows of a table that has `updated_at`.
    pub(crate) fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.updated(self.updated);
        filter
    }

    /// The rows of a table with `created_at` and `undone_at`, of which nothing else ever changes.
    pub(crate) fn of_undoable(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        if let Some(Updated { since, until }) = self.updated {
            let since = filter.bind(since);
            filter.and(&format!("(created_at >= {since} OR undone_at >= {since})"));
            if let Some(until) = until {
                let until = filter.bind(until);
                filter.and(&format!("created_at <= {until} AND (undone_at IS NULL OR undone_at <= {until})"));
            }
        }
        filter
    }
}

/// Rows of a list in their order.
#[derive(Debug, Clone)]
pub struct Page<T> {
    /// The rows. There is at least one, unless the list ends here.
    pub rows: Vec<T>,
    /// Whether more follow.
    pub more: bool,
}

impl<T> Page<T> {
    /// The first `limit` of rows that were asked for with one row more than that, which tells whether there is more.
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

/// Which rows of something that has a day, a text and an amount a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// Only those from the first to the last of these days.
    pub days: Option<(Date, Date)>,
    /// What its text must hold, in upper or lower case.
    pub text: Option<String>,
    /// Or what its amount is, taken off or put in.
    pub amount: Option<Cents>,
}

impl ListFilter {
    /// Adds its conditions on rows with a column `date`, of which `texts` are searched and `amount` is compared.
    pub(crate) fn narrow<'v>(&'v self, filter: &mut Filter<'v>, texts: &[&str], amount: &str) {
        filter.given("date >=", self.days.map(|(first, _)| first));
        filter.given("date <=", self.days.map(|(_, last)| last));
        if let Some(text) = &self.text {
            let of_amount = format!("ABS({amount}) =");
            filter.holds(texts, text, self.amount.map(|amount| (of_amount.as_str(), Param::Int(amount.abs().get()))));
        }
    }
}

/// What a list of such rows is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListColumn {
    /// The day.
    Date,
    /// The amount.
    Amount,
}

impl ListColumn {
    /// The columns to order by, of rows with a `date` and an `id`.
    pub(crate) fn order(self, down: bool) -> String {
        let direction = if down { "DESC" } else { "ASC" };
        let column = match self {
            Self::Date => "date",
            Self::Amount => "amount",
        };
        format!("{column} {direction}, id {direction}")
    }
}

/// The part of a list that a page shows: what it is ordered by, whether downwards, how many rows come before, and how many there are at the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPart {
    /// What the list is ordered by, and whether downwards.
    pub order: (ListColumn, bool),
    /// How many rows come before the page.
    pub offset: i64,
    /// How many rows it has at the most.
    pub limit: i64,
}
