//! A page of a list: some rows in their order, and whether more follow.

/// Bytes that a page has at the most, as it is answered; a page of one row may have more.
pub const PAGE_BYTES: usize = 4 * 1024 * 1024;

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
