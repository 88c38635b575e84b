//! Reasons why a file is refused, and warnings about files that are accepted. No reason is a
//! sentence: the interfaces write those.

use crate::{
    csv::Mapping,
    fault::{Faults, Field},
    upload::{AccountName, Currency},
};
use jiff::civil::Date;
use ledger::money::Cents;
use std::sync::Arc;

/// Maximum number of warnings that are listed; later ones are only counted.
pub const MOST_WARNINGS: usize = 100;

/// Refusal of a whole file: nothing of it may be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Name of the file in an archive, if one of its files is the cause.
    pub file: Option<Arc<str>>,
    /// Cause.
    pub cause: Cause,
}

/// Cause of a refusal.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// `unsupported_file`: no format that is read, or one that breaks its rules.
    UnsupportedFile(Unsupported),
    /// `no_statement`: a known format, but not one of statements, or a file without any.
    NoStatement(Option<ForeignFormat>),
    /// `unknown_csv`: values with delimiters that neither a known bank nor a mapping fits.
    UnknownCsv(Box<Proposal>),
    /// `unsupported_currency`: an account in another currency than the euro.
    UnsupportedCurrency {
        /// Account.
        account: Option<AccountName>,
        /// Its currency.
        currency: Currency,
        /// Number of its lines.
        count: usize,
    },
    /// `balance_mismatch`: opening balance and lines are not the closing balance.
    BalanceMismatch(BalanceMismatch),
    /// `validation_failed`: values that cannot be read.
    Faults(Faults),
}

/// Reason why a file is not read at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The file has no bytes, or only blanks.
    Empty,
    /// The file is not text and not an archive.
    Binary,
    /// The text is in no format that is read.
    Unknown,
    /// The file is a spreadsheet or another office document.
    Office,
    /// The file exceeds [`MOST_BYTES`](crate::limits::MOST_BYTES).
    TooLarge,
    /// A record exceeds [`MOST_RECORD_BYTES`](crate::limits::MOST_RECORD_BYTES), or has too many
    /// fields.
    RecordTooLong,
    /// There are more lines than [`MOST_LINES`](crate::limits::MOST_LINES).
    TooManyLines,
    /// There are more statements than [`MOST_STATEMENTS`](crate::limits::MOST_STATEMENTS).
    TooManyStatements,
    /// The XML is not well-formed or ends too soon.
    MalformedXml {
        /// Line of the file, from 1.
        line: u32,
    },
    /// The XML has a document type declaration.
    Doctype,
    /// The XML uses an entity other than the five of XML 1.0.
    Entity,
    /// The XML is nested deeper than [`MOST_DEPTH`](crate::limits::MOST_DEPTH).
    TooDeep,
    /// The archive cannot be read.
    MalformedArchive,
    /// The archive has more files than [`MOST_FILES`](crate::limits::MOST_FILES).
    TooManyFiles,
    /// The archive unpacks to more than
    /// [`MOST_UNPACKED_BYTES`](crate::limits::MOST_UNPACKED_BYTES).
    UnpackedTooLarge,
    /// The archive contains an archive.
    NestedArchive,
    /// The archive has a password.
    Encrypted,
}

/// Format that is recognized, but holds no account statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFormat {
    /// camt.052, account report within a day.
    Camt052,
    /// camt.054, notification of debits and credits.
    Camt054,
    /// pain.001, credit transfer initiation.
    Pain001,
    /// pain.002, payment status report.
    Pain002,
    /// pain.008, direct debit initiation.
    Pain008,
    /// MT942, interim transaction report.
    Mt942,
    /// OFX, Open Financial Exchange.
    Ofx,
    /// PDF document.
    Pdf,
}

impl ForeignFormat {
    /// Returns the usual name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Camt052 => "camt.052",
            Self::Camt054 => "camt.054",
            Self::Pain001 => "pain.001",
            Self::Pain002 => "pain.002",
            Self::Pain008 => "pain.008",
            Self::Mt942 => "MT942",
            Self::Ofx => "OFX",
            Self::Pdf => "PDF",
        }
    }
}

/// Proposal for an unknown CSV file.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Mapping that fits best. A date or amount that could not be guessed is the first column.
    pub mapping: Mapping,
    /// First five rows, the row of names included.
    pub rows: Vec<Vec<Box<str>>>,
}

/// Statement whose lines do not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceMismatch {
    /// Line of the file, from 1, on which the statement begins.
    pub line: u32,
    /// Account.
    pub account: Option<AccountName>,
    /// Number of the statement.
    pub number: Option<Box<str>>,
    /// First day whose closing balance does not fit; `None` if the closing balance has no day.
    pub date: Option<Date>,
    /// Stated balance less computed balance.
    pub difference: Cents,
}

/// Warnings about an accepted file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// The first warnings, at most [`MOST_WARNINGS`].
    pub first: Vec<Warning>,
    /// Number of all warnings.
    pub count: usize,
}

/// Oddity that rejects nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Name of the file in an archive.
    pub file: Option<Arc<str>>,
    /// Line of the file, from 1.
    pub line: u32,
    /// Oddity.
    pub kind: WarningKind,
}

/// Kind of a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// `unknown_version`: camt.053 in a later version than the last known one.
    UnknownVersion {
        /// Last two digits of the version, such as 14 of `001.14`.
        version: u8,
    },
    /// `text_cut`: a text of more than 1000 characters was cut.
    TextCut {
        /// Field.
        field: Field,
    },
    /// `balance_accepted`: the lines do not add up, and the caller accepted that.
    BalanceAccepted(BalanceMismatch),
    /// `other_currency`: an account in another currency was skipped.
    OtherCurrency {
        /// Account.
        account: Option<AccountName>,
        /// Its currency.
        currency: Currency,
        /// Number of its lines.
        count: usize,
    },
}

impl WarningKind {
    /// Returns the code in the API.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::UnknownVersion { .. } => "unknown_version",
            Self::TextCut { .. } => "text_cut",
            Self::BalanceAccepted(_) => "balance_accepted",
            Self::OtherCurrency { .. } => "other_currency",
        }
    }
}
