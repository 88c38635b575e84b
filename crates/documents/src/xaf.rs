//! The audit file: XML Auditfile Financieel, version 4.0 and, for who still reads it, 3.2.
//!
//! It is written as a stream: head, opening balance, then journal after journal and entry after entry, however many there are. The form wants
//! the number of lines and both sums before the first of them, so that the caller tells them and the writer checks them at the end.

mod write;

pub use write::AuditFile;

use crate::invoice::Address;
use jiff::civil::Date;
use ledger::{
    identifiers::{KvkNumber, VatNumber},
    money::Cents,
};
use std::io;
use thiserror::Error;

/// The version of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The version since 2014.
    V3_2,
    /// The version with a field for RGS codes, and without what nobody used.
    V4_0,
}

impl Version {
    /// The number of the version.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V3_2 => "3.2",
            Self::V4_0 => "4.0",
        }
    }

    /// Reads `3.2` and `4.0`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "3.2" => Some(Self::V3_2),
            "4.0" => Some(Self::V4_0),
            _ => None,
        }
    }
}

/// What stands before the first entry.
#[derive(Clone, Debug)]
pub struct Head {
    /// The year of the books.
    pub year: i16,
    /// The day on which the file is made.
    pub created: Date,
    /// The version of the program.
    pub software_version: String,
    /// The version of RGS that the accounts' codes are of.
    pub rgs_version: String,
    /// Whose books they are.
    pub company: Company,
    /// Customers and suppliers that occur in the entries or have a balance.
    pub relations: Vec<Relation>,
    /// The accounts, by number.
    pub accounts: Vec<Account>,
    /// What the VAT of a line may be.
    pub vat_codes: Vec<VatCode>,
    /// What stood on each account before the first day of the year.
    pub opening: Vec<OpeningLine>,
    /// What the entries come to.
    pub totals: Totals,
}

/// Whose books they are.
#[derive(Clone, Debug)]
pub struct Company {
    /// The name under which it trades.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// Its number in the business register.
    pub kvk_number: Option<KvkNumber>,
    /// Its VAT number.
    pub vat_number: Option<VatNumber>,
}

/// A customer or supplier.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its identifier, unique among them.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is to the company.
    pub role: RelationRole,
    /// Where it is.
    pub address: Address,
    /// Where it is written to.
    pub email: Option<String>,
    /// Its number in the business register.
    pub kvk_number: Option<KvkNumber>,
    /// Its VAT number.
    pub vat_number: Option<VatNumber>,
    /// Its balances, by account.
    pub balances: Vec<Balance>,
}

/// The balance of a relation on an account; negative where the company owes it.
#[derive(Clone, Debug)]
pub struct Balance {
    /// The account's code.
    pub account: String,
    /// At the beginning of the year.
    pub opening: Cents,
    /// At its end.
    pub closing: Cents,
}

/// What a relation is to the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationRole {
    /// It buys.
    Customer,
    /// It supplies.
    Supplier,
    /// Both.
    Both,
}

/// An account of the chart.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Whether it stands in the balance sheet, and not in the result.
    pub in_balance_sheet: bool,
    /// Its code in the Referentie GrootboekSchema.
    pub rgs: String,
}

/// What the VAT of a line may be.
#[derive(Clone, Debug)]
pub struct VatCode {
    /// Its identifier, such as the box of the return.
    pub id: String,
    /// What it means.
    pub description: String,
    /// The account on which VAT due by it is booked.
    pub due_on: Option<String>,
    /// The account on which VAT to be deducted by it is booked.
    pub deducted_on: Option<String>,
}

/// What stood on an account before the year.
#[derive(Clone, Debug)]
pub struct OpeningLine {
    /// The account's code.
    pub account: String,
    /// Debit; negative for credit.
    pub amount: Cents,
}

/// How many lines there are and what they come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Lines of entries.
    pub lines: u64,
    /// The sum of the debit side.
    pub debit: Cents,
    /// The sum of the credit side.
    pub credit: Cents,
}

/// A journal ("dagboek").
#[derive(Clone, Debug)]
pub struct Journal {
    /// Its identifier, unique among the journals.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What is written in it.
    pub kind: JournalKind,
}

/// What is written in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalKind {
    /// Sales.
    Sales,
    /// Purchases.
    Purchases,
    /// Money at the bank.
    Bank,
    /// Cash.
    Cash,
    /// Everything by hand.
    Memorial,
    /// Anything else.
    Other,
}

/// An entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// Its number.
    pub number: i64,
    /// What happened.
    pub description: &'e str,
    /// Its day, in the year of the file.
    pub date: Date,
    /// Its lines.
    pub lines: &'e [EntryLine<'e>],
}

/// A line of an entry.
#[derive(Clone, Copy, Debug)]
pub struct EntryLine<'e> {
    /// The account's code.
    pub account: &'e str,
    /// Debit; negative for credit.
    pub amount: Cents,
    /// The document behind it, such as an invoice's number.
    pub document: &'e str,
    /// The day that decides its VAT period.
    pub effective: Date,
    /// The customer or supplier.
    pub relation: Option<&'e str>,
    /// The number of the invoice that it is about.
    pub invoice: Option<&'e str>,
    /// The VAT on it.
    pub vat: Option<LineVat<'e>>,
}

/// The VAT on a line.
#[derive(Clone, Copy, Debug)]
pub struct LineVat<'e> {
    /// The identifier of its code.
    pub code: &'e str,
    /// The rate.
    pub rate: ledger::vat::VatRate,
    /// Debit; negative for credit.
    pub amount: Cents,
}

/// The audit file cannot be written.
#[derive(Debug, Error)]
pub enum AuditFileError {
    /// The output did not take it.
    #[error("the audit file cannot be written: {0}")]
    Output(#[from] io::Error),
    /// An entry is not of the year.
    #[error("entry {entry} of {date} is not of the year of the audit file")]
    OtherYear {
        /// The entry's number.
        entry: i64,
        /// Its day.
        date: Date,
    },
    /// Debit and credit of an entry differ.
    #[error("entry {entry} does not balance")]
    Unbalanced {
        /// The entry's number.
        entry: i64,
    },
    /// The entries do not come to what was told at the beginning.
    #[error("the entries come to {found:?} and not to {reported:?}")]
    OtherTotals {
        /// What was told.
        reported: Totals,
        /// What was written.
        found: Totals,
    },
}
