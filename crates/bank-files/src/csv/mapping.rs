//! Mapping: how to read a CSV file of a bank that is not known.

use crate::{amount::DecimalSeparator, charset::Charset, dates::DateFormat};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Columns and notation of a CSV file. A [`Proposal`](crate::Proposal) contains a mapping that can
/// be used as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Delimiter, an ASCII character.
    pub delimiter: u8,
    /// Charset of files without a byte order mark; `None` to determine it.
    pub encoding: Option<Charset>,
    /// Number of rows before the first line.
    pub head_rows: u8,
    /// Columns.
    pub columns: Columns,
    /// Form of dates.
    pub date_format: DateFormat,
    /// Decimal separator of amounts and balances.
    pub decimal: DecimalSeparator,
    /// Values of the column of signs that mean that money goes out, in any case.
    pub out_words: Vec<Box<str>>,
    /// Whether amounts have the opposite sign, as on statements of credit cards.
    pub invert: bool,
    /// Hash of the first row ([`head_of`]): files with the same first row are read with this
    /// mapping.
    pub head: Option<Box<str>>,
}

/// Columns of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Booking date.
    pub date: Column,
    /// Amount.
    pub amount: Amounts,
    /// Value date.
    pub value_date: Option<Column>,
    /// Name of the counterparty.
    pub name: Option<Column>,
    /// IBAN of the counterparty.
    pub iban: Option<Column>,
    /// Description, at most six columns; they are joined with blanks.
    pub text: Vec<Column>,
    /// Reference of the bank.
    pub reference: Option<Column>,
    /// Balance after the line.
    pub balance: Option<Column>,
    /// Own account.
    pub account: Option<Column>,
    /// Currency.
    pub currency: Option<Column>,
}

/// Columns of the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amounts {
    /// One amount with a sign.
    Signed(Column),
    /// One column for money that goes out and one for money that comes in; one of them is empty or
    /// zero.
    DebitCredit {
        /// Money that goes out.
        debit: Column,
        /// Money that comes in.
        credit: Column,
    },
    /// An amount without a sign, and a word that says its direction.
    WithSign {
        /// Amount.
        amount: Column,
        /// Word, compared with [`Mapping::out_words`].
        sign: Column,
    },
}

/// Column of a CSV file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// Position, from 0.
    Index(u16),
    /// Name in the last head row, in any case.
    Name(Box<str>),
}

/// Returns the hash of a row of names, in hexadecimal (SHA-256 of the normalized names).
#[must_use]
pub fn head_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Box<str> {
    let mut hash = Sha256::new();
    for name in names {
        hash.update(normalized(name));
        hash.update(b"\n");
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex.into_boxed_str()
}

/// Returns the name of a column in lower case, without quotes and outer blanks.
pub(super) fn normalized(name: &str) -> String {
    name.trim().trim_matches(['"', '\'', '\u{FEFF}']).trim().to_lowercase()
}
