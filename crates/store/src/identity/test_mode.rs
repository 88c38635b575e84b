//! Test accounts: their live account and the offset of their clock.

use crate::{StoreError, row::Row};
use jiff::{SignedDuration, Timestamp};

/// Settings that make an account a test account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestMode {
    /// Live account that the test account belongs to.
    pub of: i64,
    /// Time by which the clock of the test account is ahead of the server's clock.
    pub ahead: SignedDuration,
}

impl TestMode {
    /// Current time in the test account's books; `now` is the server's time.
    #[must_use]
    pub fn clock(self, now: Timestamp) -> Timestamp {
        now.saturating_add(self.ahead).unwrap_or(Timestamp::MAX)
    }

    /// Reads the columns `test_of` and `test_ahead`; `None` for a live account.
    pub(crate) fn read(row: &Row<'_>, column: usize) -> Result<Option<Self>, StoreError> {
        let ahead = SignedDuration::from_micros(row.opt_int(column + 1)?.unwrap_or_default());
        Ok(row.opt_int(column)?.map(|of| Self { of, ahead }))
    }
}
