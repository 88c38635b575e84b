//! What makes an account a test account.

use crate::{StoreError, row::Row};
use jiff::{SignedDuration, Timestamp};

/// What makes an account a test account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestMode {
    /// The account that it is beside.
    pub of: i64,
    /// By how much the clock of its books is ahead of the server's.
    pub ahead: SignedDuration,
}

impl TestMode {
    /// What time it is in its books.
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
