//! States of the lines of bank statements.

use crate::named::named;

named! {
    /// State of a line of a bank statement.
    LineState {
        /// The line waits to be booked or ignored.
        New => "new",
        /// The line is booked.
        Booked => "booked",
        /// The line is left out of the books.
        Ignored => "ignored",
    }
}

named! {
    /// Reason why a line is ignored.
    IgnoreReason {
        /// Private money on a business account that the owner books elsewhere.
        Private => "private",
        /// Another line is the same payment.
        Duplicate => "duplicate",
        /// Any other reason of the owner.
        Other => "other",
        /// The line is older than the opening balance, which includes it.
        BeforeOpening => "beforeOpening",
        /// The amount is 0.00.
        ZeroAmount => "zeroAmount",
    }
}

impl IgnoreReason {
    /// Reasons that a caller can give.
    pub const OF_CALLER: &'static [Self] = &[Self::Private, Self::Duplicate, Self::Other];
}
