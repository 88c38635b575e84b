//! Suggestions: allocations of a line, with reasons.

use ledger::{
    bank_line::AllocationKind, calendar::Quarter, chart::AccountCode, event::PrivateKind,
    identifiers::Iban, money::Cents, vat_period::VatPeriod,
};
use std::{fmt, sync::Arc};

/// Charge of the bank itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Fee for its services.
    Costs,
    /// Interest.
    Interest,
}

/// Suggestion of how to book a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Hash of the allocations and of the state of the items that they settle.
    pub id: SuggestionId,
    /// Whether the suggestion can be accepted without a look at it.
    pub certain: bool,
    /// Allocations; their amounts add up to the line without its sign.
    pub allocations: Vec<Allocation>,
    /// Reasons, at least one.
    pub reasons: Vec<Reason>,
}

impl Suggestion {
    /// Kind of the first allocation.
    #[must_use]
    pub fn kind(&self) -> AllocationKind {
        self.allocations
            .first()
            .map_or(AllocationKind::Ledger, |allocation| allocation.target.kind())
    }
}

/// Identifier of a suggestion. It changes when an item that the suggestion settles has changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuggestionId(pub(crate) [u8; 16]);

impl SuggestionId {
    /// Parses 32 hexadecimal digits in lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return None;
        }
        u128::from_str_radix(text, 16).ok().map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for SuggestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for SuggestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Period of a filed return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReturnPeriod {
    /// Dutch VAT return.
    Vat(VatPeriod),
    /// One-stop-shop return.
    Oss(Quarter),
}

/// Part of a line and its booking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Amount in the direction of the line; negative against it.
    pub amount: Cents,
    /// Booking.
    pub target: Target,
}

/// Booking of an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Payment of an invoice.
    Invoice {
        /// Invoice.
        invoice: i64,
        /// Whether the amount exceeds the amount due; the surplus is owed back.
        overpayment: bool,
    },
    /// Amount paid back to a customer.
    Refund {
        /// Invoice or credit note.
        invoice: i64,
    },
    /// Payment of a bill.
    Bill {
        /// Expense.
        expense: i64,
    },
    /// VAT to or from the tax office; without a period the user chooses one.
    Vat(Option<ReturnPeriod>),
    /// Private tax or premium, withdrawal or deposit.
    Private(PrivateKind),
    /// Transfer between own accounts.
    Transfer {
        /// Other bank account.
        bank_account: i64,
        /// New line of the other account, booked together with this one.
        line: Option<i64>,
        /// Awaited transfer that the line completes.
        transfer: Option<i64>,
    },
    /// Payout of a payment provider.
    Payout {
        /// Bank account with the balance at the provider.
        provider_account: i64,
        /// Fee that the provider kept.
        fee: Cents,
    },
    /// Costs of the bank or of a provider.
    BankCosts,
    /// Interest.
    Interest,
    /// Manual entry on a ledger account.
    Ledger(AccountCode),
    /// Entry that exists.
    Existing {
        /// Entry.
        entry: i64,
    },
    /// Same booking as that of an earlier line, or that of a rule.
    Like(Template),
}

impl Target {
    /// Kind of allocation.
    #[must_use]
    pub const fn kind(&self) -> AllocationKind {
        match self {
            Self::Invoice { .. } => AllocationKind::Invoice,
            Self::Refund { .. } => AllocationKind::Refund,
            Self::Bill { .. } => AllocationKind::Bill,
            Self::Vat(_) => AllocationKind::Vat,
            Self::Private(_) => AllocationKind::Private,
            Self::Transfer { .. } => AllocationKind::Transfer,
            Self::Payout { .. } => AllocationKind::Payout,
            Self::BankCosts => AllocationKind::BankCosts,
            Self::Interest => AllocationKind::Interest,
            Self::Ledger(_) => AllocationKind::Ledger,
            Self::Existing { .. } => AllocationKind::Existing,
            Self::Like(template) => template.kind,
        }
    }
}

/// Allocation without an amount, which other lines can repeat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Template {
    /// Kind.
    pub kind: AllocationKind,
    /// Fields in the notation of the caller. Equal text means equal booking.
    pub fields: Arc<str>,
    /// Whether the booking changes a box of the VAT return.
    pub has_box: bool,
}

/// Reason of a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An entry has a posting of the same amount on the bank account, tied to no line.
    AlreadyBooked {
        /// Entry.
        entry: i64,
        /// Number of days between entry and line.
        days_apart: u8,
    },
    /// Another own account has a line of the opposite amount, or awaits this one.
    OtherHalf {
        /// Other bank account.
        bank_account: i64,
        /// Number of days between both lines.
        days_apart: u8,
    },
    /// The counterparty is an own account.
    OwnAccount {
        /// Bank account.
        bank_account: i64,
    },
    /// The text names a savings account.
    OwnAccountText {
        /// Bank account.
        bank_account: i64,
        /// Word in the text.
        words: &'static str,
    },
    /// The invoice is paid already, with the amount of the line.
    PaidTwice {
        /// Number of the invoice.
        number: String,
    },
    /// The line contains the number of a document.
    Number {
        /// Number as in the books.
        number: String,
    },
    /// The line contains a reference.
    Reference {
        /// Reference as in the books.
        reference: String,
    },
    /// The amount is the amount due.
    Amount {
        /// Amount without sign.
        amount: Cents,
    },
    /// The amount is the sum of several open items.
    AmountOfSeveral {
        /// Number of items.
        count: u32,
        /// Sum of the items, without sign.
        total: Cents,
        /// Fee that was kept back: difference between sum and line.
        fee: Cents,
    },
    /// The IBAN is that of the contact, of the bill, or of the payment provider.
    Iban {
        /// Contact, if any.
        contact: Option<i64>,
    },
    /// The name is like that of the contact or of the payment provider.
    Name {
        /// Name in the books.
        name: String,
        /// Likeness in hundredths.
        likeness: u8,
    },
    /// The counterparty is the tax office.
    TaxOffice {
        /// Letter of the assessment number, if the line contains one.
        letter: Option<char>,
    },
    /// The text names a tax or premium.
    TaxText {
        /// Words in the text.
        words: &'static str,
    },
    /// The amount is that of a return that is not filed yet.
    DueReturn {
        /// Period of the return.
        period: VatPeriod,
    },
    /// The code of the bank says that the line is its own charge.
    Charge {
        /// Kind of charge.
        charge: Charge,
    },
    /// The text is that of a charge of a bank.
    ChargeText {
        /// Kind of charge.
        charge: Charge,
        /// Words in the text.
        words: &'static str,
    },
    /// Lines of this counterparty were booked so.
    Learned {
        /// Characteristic that the lines share.
        by: Characteristic,
        /// Number of lines booked so, less refusals.
        times: u32,
        /// Number of lines booked in another way.
        exceptions: u32,
    },
    /// A rule says so.
    Rule {
        /// Rule.
        rule: i64,
    },
    /// The name is known with another IBAN.
    IbanChanged {
        /// IBAN in the books.
        known: Iban,
    },
}

impl Reason {
    /// Returns the code in the API.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlreadyBooked { .. } => "alreadyBooked",
            Self::OtherHalf { .. } => "otherHalf",
            Self::OwnAccount { .. } => "ownAccount",
            Self::OwnAccountText { .. } => "ownAccountText",
            Self::PaidTwice { .. } => "paidTwice",
            Self::Number { .. } => "number",
            Self::Reference { .. } => "reference",
            Self::Amount { .. } => "amount",
            Self::AmountOfSeveral { .. } => "amountOfSeveral",
            Self::Iban { .. } => "iban",
            Self::Name { .. } => "name",
            Self::TaxOffice { .. } => "taxOffice",
            Self::TaxText { .. } => "taxText",
            Self::DueReturn { .. } => "dueReturn",
            Self::Charge { .. } => "charge",
            Self::ChargeText { .. } => "chargeText",
            Self::Learned { .. } => "learned",
            Self::Rule { .. } => "rule",
            Self::IbanChanged { .. } => "ibanChanged",
        }
    }
}

/// Characteristic by which lines belong to one counterparty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Characteristic {
    /// IBAN.
    Iban,
    /// Creditor identifier.
    CreditorId,
    /// Name.
    Name,
}
