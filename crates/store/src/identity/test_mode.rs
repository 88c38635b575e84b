//! Mode of a test account.

use crate::{StoreError, row::Row};
use jiff::{SignedDuration, Timestamp};

/// Mode of a test account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestMode {
    /// Live account that it belongs to.
    pub of: i64,
    /// Offset of the clock of its books to the server's.
    pub ahead: SignedDuration,
}

impl TestMode {
    /// Current time in its books.
    #[must_use]
    pub fn clock(self, now: Timestamp) -> Timestamp {
        now.saturating_add(self.ahead).unwrap_or(Timestamp::MAX)
    }

    /// Reads `test_of` and `test_ahead`.
    pub(crate) fn read(row: &Row<'_>, column: usize) -> Result<Option<Self>, StoreError> {
        let ahead = SignedDuration::from_micros(row.opt_int(column + 1)?.unwrap_or_default());
        Ok(row.opt_int(column)?.map(|of| Self { of, ahead }))
    }
}
