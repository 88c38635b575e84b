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

named! {
    /// Direction of the lines that a rule is for.
    LineDirection {
        /// Money comes in.
        In => "in",
        /// Money goes out.
        Out => "out",
        /// Either.
        Any => "any",
    }
}

named! {
    /// Author of the booking of a line.
    BookedBy {
        /// A person.
        Person => "person",
        /// A program with a key or token.
        Api => "api",
        /// A rule of the owner.
        Rule => "rule",
    }
}

named! {
    /// Kind of booking of a part of a line.
    AllocationKind {
        /// Payment on an invoice.
        Invoice => "invoice",
        /// Refund to a customer.
        Refund => "refund",
        /// Payment of a bill.
        Bill => "bill",
        /// Expense without a bill that waits, paid by the line.
        Expense => "expense",
        /// Payment of VAT.
        Vat => "vat",
        /// Private money.
        Private => "private",
        /// Transfer between bank accounts of the books.
        Transfer => "transfer",
        /// Payout of a payment provider.
        Payout => "payout",
        /// Charge of the bank.
        BankCosts => "bankCosts",
        /// Interest.
        Interest => "interest",
        /// Loan taken out.
        Loan => "loan",
        /// Repayment of a loan.
        LoanRepayment => "loanRepayment",
        /// Any other ledger account.
        Ledger => "ledger",
        /// Entry that was booked before.
        Existing => "existing",
    }
}
