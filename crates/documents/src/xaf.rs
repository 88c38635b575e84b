//! Audit file: XML Auditfile Financieel, version 4.0 and, for programs that still need it, 3.2.
//!
//! The file is written as a stream: head, opening balance, then the journals with any number of
//! entries. The format requires the number of lines and the sums of debits and credits before the
//! first line, so the caller states them and the writer verifies them at the end.

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

/// Version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Version 3.2, in use since 2014.
    V3_2,
    /// Version 4.0: has a field for RGS codes, and omits fields that were never used.
    V4_0,
}

impl Version {
    /// Returns the version number.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V3_2 => "3.2",
            Self::V4_0 => "4.0",
        }
    }

    /// Parses `3.2` and `4.0`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "3.2" => Some(Self::V3_2),
            "4.0" => Some(Self::V4_0),
            _ => None,
        }
    }
}

/// Data before the first entry.
#[derive(Clone, Debug)]
pub struct Head {
    /// Financial year.
    pub year: i16,
    /// Date of creation.
    pub created: Date,
    /// Version of the program.
    pub software_version: String,
    /// RGS version of the account codes.
    pub rgs_version: String,
    /// Company to which the books belong.
    pub company: Company,
    /// Customers and suppliers that occur in the entries or have a balance.
    pub relations: Vec<Relation>,
    /// Accounts, by number.
    pub accounts: Vec<Account>,
    /// VAT codes that the lines use.
    pub vat_codes: Vec<VatCode>,
    /// Balance of each account before the first day of the year.
    pub opening: Vec<OpeningLine>,
    /// Totals of the entries.
    pub totals: Totals,
}

/// Company to which the books belong.
#[derive(Clone, Debug)]
pub struct Company {
    /// Trade name.
    pub name: String,
    /// Address.
    pub address: Address,
    /// Number in the business register.
    pub kvk_number: Option<KvkNumber>,
    /// VAT number.
    pub vat_number: Option<VatNumber>,
}

/// Customer or supplier.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Identifier, unique among customers and suppliers.
    pub id: String,
    /// Name.
    pub name: String,
    /// Role.
    pub role: RelationRole,
    /// Address.
    pub address: Address,
    /// Email address.
    pub email: Option<String>,
    /// Number in the business register.
    pub kvk_number: Option<KvkNumber>,
    /// VAT number.
    pub vat_number: Option<VatNumber>,
    /// Balances, by account.
    pub balances: Vec<Balance>,
}

/// Balance of a customer or supplier on an account, in cents; negative if the company owes it.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Account code.
    pub account: String,
    /// Balance at the beginning of the year, in cents.
    pub opening: Cents,
    /// Balance at the end of the year, in cents.
    pub closing: Cents,
}

/// Role of a [`Relation`]: customer, supplier, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationRole {
    /// Customer.
    Customer,
    /// Supplier.
    Supplier,
    /// Customer and supplier.
    Both,
}

/// Account of the chart.
#[derive(Clone, Debug)]
pub struct Account {
    /// Code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Whether the account belongs to the balance sheet rather than the result.
    pub in_balance_sheet: bool,
    /// Code in the Referentie GrootboekSchema.
    pub rgs: String,
}

/// VAT code that lines use.
#[derive(Clone, Debug)]
pub struct VatCode {
    /// Identifier, such as the box of the return.
    pub id: String,
    /// Description.
    pub description: String,
    /// Account to which VAT due is booked.
    pub due_on: Option<String>,
    /// Account to which deductible VAT is booked.
    pub deducted_on: Option<String>,
}

/// Balance of an account before the first day of the year.
#[derive(Clone, Debug)]
pub struct OpeningLine {
    /// Account code.
    pub account: String,
    /// Debit in cents; negative for a credit.
    pub amount: Cents,
}

/// Number of lines, and sums of their debits and credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of entry lines.
    pub lines: u64,
    /// Sum of the debits, in cents.
    pub debit: Cents,
    /// Sum of the credits, in cents.
    pub credit: Cents,
}

/// Journal ("dagboek").
#[derive(Clone, Debug)]
pub struct Journal {
    /// Identifier, unique among the journals.
    pub id: String,
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: JournalKind,
}

/// Kind of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalKind {
    /// Sales.
    Sales,
    /// Purchases.
    Purchases,
    /// Bank.
    Bank,
    /// Cash.
    Cash,
    /// Memorial: manual entries.
    Memorial,
    /// Anything else.
    Other,
}

/// Journal entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// Number.
    pub number: i64,
    /// Description.
    pub description: &'e str,
    /// Date, in the year of the file.
    pub date: Date,
    /// Lines.
    pub lines: &'e [EntryLine<'e>],
}

/// Line of an entry.
#[derive(Clone, Copy, Debug)]
pub struct EntryLine<'e> {
    /// Account code.
    pub account: &'e str,
    /// Debit in cents; negative for a credit.
    pub amount: Cents,
    /// Source document, such as an invoice's number.
    pub document: &'e str,
    /// Date that determines the VAT period of the line.
    pub effective: Date,
    /// Customer or supplier.
    pub relation: Option<&'e str>,
    /// Number of the invoice.
    pub invoice: Option<&'e str>,
    /// VAT.
    pub vat: Option<LineVat<'e>>,
}

/// VAT of a line.
#[derive(Clone, Copy, Debug)]
pub struct LineVat<'e> {
    /// Identifier of the VAT code.
    pub code: &'e str,
    /// Rate.
    pub rate: ledger::vat::VatRate,
    /// Debit in cents; negative for a credit.
    pub amount: Cents,
}

/// Reason why the audit file cannot be written.
#[derive(Debug, Error)]
pub enum AuditFileError {
    /// Writing to the output failed.
    #[error("the audit file cannot be written: {0}")]
    Output(#[from] io::Error),
    /// An entry is not in the year of the file.
    #[error("entry {entry} of {date} is not of the year of the audit file")]
    OtherYear {
        /// Number of the entry.
        entry: i64,
        /// Date of the entry.
        date: Date,
    },
    /// Debit and credit of an entry differ.
    #[error("entry {entry} does not balance")]
    Unbalanced {
        /// Number of the entry.
        entry: i64,
    },
    /// The totals of the entries differ from those stated in the head.
    #[error("the entries come to {found:?} and not to {reported:?}")]
    OtherTotals {
        /// Totals stated in the head.
        reported: Totals,
        /// Totals of the written entries.
        found: Totals,
    },
}
