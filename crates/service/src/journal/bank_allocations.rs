//! Bookings of bank lines: allocations of their amounts, and suggestions of them.

use crate::{
    corrections::IfFiled,
    expenses::{Covered, ExpenseLine, NewExpense, Supplier},
};
use bank_suggestions::{Reason, SuggestionId};
use jiff::civil::Date;
use ledger::{
    bank_line::AllocationKind,
    chart::AccountCode,
    event::{PremiumKind, PrivateKind},
    money::Cents,
    payout::FeeVat,
    purchase::{BusinessShare, VatTreatment},
    vat_period::VatPeriod,
};
use store::expenses::Bill;

/// Command that books a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookLine {
    /// The caller's own identifier of the booking.
    pub external_id: Option<String>,
    /// Parts of the amount; at least one.
    pub allocations: Vec<Allocation>,
}

/// Part of the amount of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Amount in the direction of the line, negative against it; `None` for the rest, once.
    pub amount: Option<Cents>,
    /// Booking.
    pub booking: LineBooking,
    /// Handling of a booking in a period whose VAT return is filed.
    pub if_filed: IfFiled,
}

/// Booking of a part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineBooking {
    /// Payment on an invoice.
    Invoice {
        /// Invoice.
        invoice_id: i64,
        /// Whether the amount above the outstanding one is kept for the customer.
        keeps_surplus: bool,
    },
    /// Refund to a customer.
    Refund {
        /// Invoice, or a credit note on it.
        invoice_id: i64,
    },
    /// Payment of a bill, or money back on a credit note of a supplier.
    Bill {
        /// Expense.
        expense_id: i64,
    },
    /// Expense that the line pays, or credit of a supplier that it brings.
    Expense(Box<LineExpense>),
    /// Payment of VAT, or money back from the tax office.
    Vat {
        /// Period of the VAT return.
        period: Option<VatPeriod>,
        /// Quarter of the return of the Union scheme (OSS).
        oss_period: Option<VatPeriod>,
    },
    /// Private money.
    Private {
        /// Kind.
        kind: PrivateKind,
        /// Kind of premium.
        premium: Option<PremiumKind>,
    },
    /// Transfer to or from another bank account of the books.
    Transfer {
        /// The other bank account.
        bank_account_id: i64,
        /// The line of the other bank account.
        line_id: Option<i64>,
    },
    /// Payout of a payment provider.
    Payout {
        /// Account at the provider, instead of the default.
        provider_account: Option<i64>,
        /// Fee that the provider kept.
        fee: Cents,
        /// VAT treatment of the fee.
        fee_vat_treatment: FeeVat,
        /// VAT on the fee.
        fee_vat: Option<Cents>,
        /// Name of the provider.
        provider: Option<String>,
    },
    /// Charge of the bank, without VAT (art. 11(1)(i) and (j) Wet OB 1968).
    BankCosts,
    /// Interest.
    Interest,
    /// Loan taken out.
    Loan {
        /// Ledger account of the loan.
        account: AccountCode,
    },
    /// Repayment of a loan; the rest of the amount is principal.
    LoanRepayment {
        /// Loan.
        loan_id: i64,
        /// Interest in the amount.
        interest: Cents,
    },
    /// Any other ledger account that manual entries may use.
    Ledger {
        /// Ledger account.
        account: AccountCode,
        /// Description of the entry.
        description: Option<String>,
    },
    /// Entry that was booked before.
    Existing {
        /// Entry.
        entry_id: i64,
    },
}

/// Expense that a line pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineExpense {
    /// The caller's own identifier of the expense.
    pub external_id: Option<String>,
    /// Date of the document; by default that of the line.
    pub date: Option<Date>,
    /// Supplier. Without one and without a description, the counterparty of the line.
    pub supplier: Supplier,
    /// Description of the purchase.
    pub description: Option<String>,
    /// Lines of the document, whose total is the amount of the allocation.
    pub lines: Vec<ExpenseLine>,
    /// Whether the only line takes the whole amount of the allocation.
    pub takes_all: bool,
    /// Share of the purchase that is for the business.
    pub business_share: BusinessShare,
    /// Ids of the receipts.
    pub receipt_ids: Vec<i64>,
    /// Period that the purchase covers, if any.
    pub period: Covered,
    /// Number of the document, and how it is paid.
    pub bill: Bill,
}

impl LineExpense {
    /// Returns the command that records the expense. `total` is the amount that the supplier charges.
    pub(crate) fn command(&self, date: Date, total: Cents, if_filed: IfFiled) -> NewExpense {
        let mut lines = self.lines.clone();
        if let ([line], true) = (lines.as_mut_slice(), self.takes_all) {
            // Customs charges VAT besides the amount.
            let has_vat_besides = line.treatment == VatTreatment::ImportVatPaid;
            let vat = line.vat.filter(|_| has_vat_besides).unwrap_or_default();
            line.amount = total - vat;
        }
        NewExpense {
            external_id: self.external_id.clone(),
            date,
            supplier: self.supplier.clone(),
            description: self.description.clone(),
            lines,
            paid_from: None,
            business_share: self.business_share,
            receipt_ids: self.receipt_ids.clone(),
            period: self.period,
            bill: self.bill.clone(),
            if_filed,
        }
    }
}

impl LineBooking {
    /// Kind of allocation.
    #[must_use]
    pub const fn kind(&self) -> AllocationKind {
        match self {
            Self::Invoice { .. } => AllocationKind::Invoice,
            Self::Refund { .. } => AllocationKind::Refund,
            Self::Bill { .. } => AllocationKind::Bill,
            Self::Expense(_) => AllocationKind::Expense,
            Self::Vat { .. } => AllocationKind::Vat,
            Self::Private { .. } => AllocationKind::Private,
            Self::Transfer { .. } => AllocationKind::Transfer,
            Self::Payout { .. } => AllocationKind::Payout,
            Self::BankCosts => AllocationKind::BankCosts,
            Self::Interest => AllocationKind::Interest,
            Self::Loan { .. } => AllocationKind::Loan,
            Self::LoanRepayment { .. } => AllocationKind::LoanRepayment,
            Self::Ledger { .. } => AllocationKind::Ledger,
            Self::Existing { .. } => AllocationKind::Existing,
        }
    }
}

/// Suggestion of how to book a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// Id: a hash of the allocations and of the documents that they settle.
    pub id: SuggestionId,
    /// Whether the suggestion can be accepted without a look at it.
    pub is_certain: bool,
    /// Allocations, with their amounts.
    pub allocations: Vec<Allocation>,
    /// Reasons, at least one.
    pub reasons: Vec<Reason>,
}
