//! Statements and lines as read from a file.

use jiff::civil::Date;
use ledger::{decimal::Decimal, money::Cents};
use std::{borrow::Cow, fmt, sync::Arc};

/// File format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// ISO 20022 camt.053, bank to customer statement.
    Camt053,
    /// SWIFT MT940, customer statement message.
    Mt940,
    /// Delimiter-separated values, of a known bank or read with a [`Mapping`](crate::Mapping).
    Csv,
    /// ZIP archive of files in the other formats.
    Zip,
    /// Lines that a client sends in a JSON object; no file has this format.
    Json,
}

impl Format {
    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Camt053 => "camt053",
            Self::Mt940 => "mt940",
            Self::Csv => "csv",
            Self::Zip => "zip",
            Self::Json => "json",
        }
    }
}

/// Variant of MT940 or CSV that a bank writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// ING, `:86:` in fields such as `/CNTP/`; CSV.
    Ing,
    /// ING before SEPA, `:86:` in free text.
    IngOld,
    /// Rabobank, `:86:` in fields such as `/BENM//NAME/`; CSV.
    Rabobank,
    /// Rabobank before SEPA: `:25:` without IBAN.
    RabobankOld,
    /// ABN AMRO, `:86:` in fields such as `/TRTP/`; CSV.
    AbnAmro,
    /// ABN AMRO before SEPA, `:86:` in columns.
    AbnAmroOld,
    /// Knab.
    Knab,
    /// Triodos Bank.
    Triodos,
    /// bunq.
    Bunq,
    /// ASN Bank, SNS and RegioBank.
    AsnSnsRegio,
    /// Revolut Business (CSV only).
    Revolut,
    /// Other banks (MT940 only).
    Generic,
}

impl Dialect {
    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ing => "ing",
            Self::IngOld => "ingOld",
            Self::Rabobank => "rabobank",
            Self::RabobankOld => "rabobankOld",
            Self::AbnAmro => "abnAmro",
            Self::AbnAmroOld => "abnAmroOld",
            Self::Knab => "knab",
            Self::Triodos => "triodos",
            Self::Bunq => "bunq",
            Self::AsnSnsRegio => "asnSnsRegio",
            Self::Revolut => "revolut",
            Self::Generic => "generic",
        }
    }
}

/// Statement of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Name of the file in an archive, only to be shown.
    pub file: Option<Arc<str>>,
    /// Line of the file on which the statement begins, from 1.
    pub source_line: u32,
    /// Format of the file.
    pub format: Format,
    /// Dialect, if the format has any.
    pub dialect: Option<Dialect>,
    /// Name of the layout, such as `csv/ing-en`, or that of the [mapping](crate::Mapping::layout).
    /// Lines of the same layout have the same texts; compare
    /// [`Entry::layout`](crate::same::Entry::layout).
    pub layout: Cow<'static, str>,
    /// Index in [`Options::mappings`](crate::Options::mappings) of the mapping with which it was
    /// read.
    pub mapping: Option<usize>,
    /// Account as the file names it; `None` if the file names none.
    pub account: Option<AccountName>,
    /// Currency of the account.
    pub currency: Currency,
    /// Number of the statement.
    pub number: Option<Box<str>>,
    /// First day; `None` if the file states no period and has no line.
    pub from: Option<Date>,
    /// Last day; `None` if the file states no period and has no line.
    pub to: Option<Date>,
    /// Balance before the first line, with the day of which the file says it is the balance.
    pub opening: Option<Balance>,
    /// Balance after the last line.
    pub closing: Option<Balance>,
    /// Closing balances of days, in the order of the days, that of [`closing`](Self::closing)
    /// included. Days without a stated balance are absent.
    pub days: Vec<Balance>,
    /// Booked lines in the order of the file, or from old to new for CSV.
    pub lines: Vec<Line>,
    /// Number of entries that were not booked yet, which are not among the lines.
    pub pending: u32,
}

impl Statement {
    /// Returns the closing balances of days. Before them comes the opening balance, as the closing
    /// balance of the day before the first line, if there is a line.
    #[must_use]
    pub fn balances(&self) -> Vec<Balance> {
        let first = self.lines.iter().map(|line| line.date).min();
        let before = self.opening.zip(first).and_then(|(opening, first)| {
            Some(Balance { date: first.yesterday().ok()?, amount: opening.amount })
        });
        before.into_iter().chain(self.days.iter().copied()).collect()
    }
}

/// Balance at the end of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Day.
    pub date: Date,
    /// Balance; negative if overdrawn.
    pub amount: Cents,
}

/// Account as a file names it: IBAN, the number of a domestic account, or a name. Upper case,
/// without blanks and dots and without a currency at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName(pub(crate) Box<str>);

impl AccountName {
    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Currency code of three capitals (ISO 4217); not checked against the list of the norm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// Euro.
    pub const EUR: Self = Self(*b"EUR");

    /// Parses three letters of either case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code: [u8; 3] = text.trim().as_bytes().try_into().ok()?;
        code.iter()
            .all(u8::is_ascii_alphabetic)
            .then(|| Self(code.map(|letter| letter.to_ascii_uppercase())))
    }

    /// Returns the code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a code is made of ASCII letters only")
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Booked line. Texts have at most 1000 characters, no control characters and no bidirectional
/// overrides; blanks are single.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Line of the file on which the entry begins, from 1.
    pub source_line: u32,
    /// Day on which the bank booked it.
    pub date: Date,
    /// Day from which the amount counts for interest.
    pub value_date: Option<Date>,
    /// Amount; negative if money went out.
    pub amount: Cents,
    /// Balance of the account after this line.
    pub balance_after: Option<Cents>,
    /// Name of the counterparty.
    pub name: Option<Box<str>>,
    /// IBAN of the counterparty, without blanks: only its shape is checked.
    pub iban: Option<Box<str>>,
    /// Remittance information, or the bank's description.
    pub text: Box<str>,
    /// Kind of transaction.
    pub kind: LineKind,
    /// End-to-end id of the payer; never `NOTPROVIDED`.
    pub end_to_end_id: Option<Box<str>>,
    /// Reference that the bank gave the line.
    pub bank_reference: Option<Box<str>>,
    /// Structured payment reference of the payee (Dutch 16 digits, or ISO 11649).
    pub payment_reference: Option<Box<str>>,
    /// Rare details.
    pub details: Option<Box<Details>>,
}

/// Details that few lines have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Mandate of a direct debit.
    pub mandate_id: Option<Box<str>>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<Box<str>>,
    /// Reason of a returned payment (ISO 20022, such as `MD06`).
    pub return_reason: Option<Box<str>>,
    /// Amount in another currency.
    pub original: Option<Original>,
    /// Payments of a batch that the bank booked as one line.
    pub parts: Vec<Part>,
}

impl Details {
    /// Boxes the details; `None` if there are none.
    pub(crate) fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

/// Amount in another currency, before the bank converted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Amount without sign.
    pub amount: Decimal,
    /// Currency.
    pub currency: Currency,
    /// Exchange rate as the bank states it.
    pub rate: Option<Decimal>,
}

/// Payment in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Amount, with the sign of its line; `None` if the file states none.
    pub amount: Option<Cents>,
    /// Name of the counterparty.
    pub name: Option<Box<str>>,
    /// IBAN of the counterparty.
    pub iban: Option<Box<str>>,
    /// Remittance information.
    pub text: Option<Box<str>>,
    /// End-to-end id of the payer.
    pub end_to_end_id: Option<Box<str>>,
}

/// Kind of transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// Credit transfer.
    Transfer,
    /// Direct debit.
    DirectDebit,
    /// Card payment.
    Card,
    /// iDEAL payment.
    Ideal,
    /// Cash withdrawal or deposit.
    Cash,
    /// Charge of the bank.
    Fee,
    /// Interest.
    Interest,
    /// Anything else, and unknown codes.
    #[default]
    Other,
}

impl LineKind {
    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Transfer => "transfer",
            Self::DirectDebit => "directDebit",
            Self::Card => "card",
            Self::Ideal => "ideal",
            Self::Cash => "cash",
            Self::Fee => "fee",
            Self::Interest => "interest",
            Self::Other => "other",
        }
    }
}
