//! Values of a file that cannot be read.

use std::sync::Arc;

/// Maximum number of faults that are listed; later ones are only counted.
pub const MOST_FAULTS: usize = 100;

/// Values that cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first faults, at most [`MOST_FAULTS`].
    pub first: Vec<Fault>,
    /// Number of all faults.
    pub count: usize,
}

/// Value that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Name of the file in an archive.
    pub file: Option<Arc<str>>,
    /// Line of the file, from 1.
    pub line: u32,
    /// Field.
    pub field: Field,
    /// Reason.
    pub reason: FaultReason,
    /// Value, cut to 40 characters; empty if there is no value.
    pub value: Box<str>,
}

/// Field with a fault or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Account of a statement.
    Account,
    /// Amount of a line.
    Amount,
    /// Balance.
    Balance,
    /// Booking date.
    Date,
    /// Value date.
    ValueDate,
    /// Direction of an amount.
    Sign,
    /// Currency.
    Currency,
    /// Status of an entry.
    Status,
    /// Name of the counterparty.
    Name,
    /// Description.
    Text,
    /// Reference.
    Reference,
    /// Columns of a row.
    Columns,
}

impl Field {
    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Amount => "amount",
            Self::Balance => "balance",
            Self::Date => "date",
            Self::ValueDate => "valueDate",
            Self::Sign => "sign",
            Self::Currency => "currency",
            Self::Status => "status",
            Self::Name => "name",
            Self::Text => "text",
            Self::Reference => "reference",
            Self::Columns => "columns",
        }
    }
}

/// Reason of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultReason {
    /// `required`: the value is absent.
    Required,
    /// `invalid`: the value has another form, or the day does not exist.
    Invalid,
    /// `too_many_decimals`: the amount is finer than a cent.
    TooManyDecimals,
    /// `out_of_range`: the day is before 2000 or more than 7 days ahead, or the amount is above the
    /// limit of [`Cents::MAX`](ledger::money::Cents::MAX).
    OutOfRange,
    /// `unknown_value`: the value is not one of the known codes.
    UnknownValue,
}

impl FaultReason {
    /// Returns the code in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Invalid => "invalid",
            Self::TooManyDecimals => "too_many_decimals",
            Self::OutOfRange => "out_of_range",
            Self::UnknownValue => "unknown_value",
        }
    }
}
