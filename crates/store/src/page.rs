//! A page of a list: some rows in their order, and whether more follow.

use crate::engine::filter::Filter;
use jiff::Timestamp;

/// Bytes that a page has at the most, as it is answered; a page of one row may have more.
pub const PAGE_BYTES: usize = 4 * 1024 * 1024;

/// Which rows a program asks for that keeps up with a list.
#[derive(Debug, Clone, Default)]
pub struct SyncFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those that were made or changed at this moment or later.
    pub updated_since: Option<Timestamp>,
}

impl SyncFilter {
    /// The rows of a table that has `updated_at`.
    pub(crate) fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.given("updated_at >=", self.updated_since);
        filter
    }

    /// The rows of a table with `created_at` and `undone_at`, of which nothing else ever changes.
    pub(crate) fn of_undoable(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        if let Some(since) = self.updated_since {
            let since = filter.bind(since);
            filter.and(&format!("(created_at >= {since} OR undone_at >= {since})"));
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
