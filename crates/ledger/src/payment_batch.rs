//! States of batches of payments.

use crate::named::named;

named! {
    /// State of a batch of payments.
    BatchStatus {
        /// The payment file was not downloaded yet.
        Open => "open",
        /// The payment file was downloaded, so that the bank may execute it.
        Downloaded => "downloaded",
        /// Bank lines pay all items.
        Paid => "paid",
        /// The batch does not count any more.
        Cancelled => "cancelled",
    }
}

impl BatchStatus {
    /// Whether the bank may still execute the payments.
    #[must_use]
    pub const fn is_pending(self) -> bool {
        matches!(self, Self::Open | Self::Downloaded)
    }
}
