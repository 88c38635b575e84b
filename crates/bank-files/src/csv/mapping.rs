//! Mapping: how to read a CSV file of a bank that is not known.

use crate::{amount::DecimalSeparator, charset::Charset, dates::DateFormat};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::{collections::HashMap, fmt::Write};

/// Maximum number of columns of the description.
pub const MOST_TEXTS: usize = 6;
/// Number of bytes of the hash in the name of a layout.
const LAYOUT_BYTES: usize = 8;

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

impl Mapping {
    /// Returns the name of the layout of lines that are read with the mapping. Mappings that read a
    /// file in the same way have the same one.
    #[must_use]
    pub fn layout(&self) -> String {
        let hash = Sha256::digest(self.to_text());
        format!("csv/{}", HEXLOWER.encode(&hash[..LAYOUT_BYTES]))
    }

    /// Returns the mapping without its [`head`](Self::head) as text: a line per value, with its name
    /// and a tab before it.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut put = |name: &str, value: &str| {
            let value: String =
                value.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name}\t{value}");
        };
        put("delimiter", char::from(self.delimiter).encode_utf8(&mut [0; 4]));
        if let Some(encoding) = self.encoding {
            put("encoding", encoding.as_str());
        }
        put("headRows", &self.head_rows.to_string());
        for (name, column) in self.columns.named() {
            put(name, &column.to_text());
        }
        put("dateFormat", self.date_format.as_str());
        put("decimal", self.decimal.as_str());
        for word in &self.out_words {
            put("outWord", word);
        }
        if self.invert {
            put("invert", "true");
        }
        text
    }

    /// Parses a text of [`to_text`](Self::to_text).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
        for line in text.lines() {
            let (name, value) = line.split_once('\t')?;
            values.entry(name).or_default().push(value);
        }
        let all = |name: &str| values.get(name).map_or(&[][..], Vec::as_slice);
        let one = |name: &str| all(name).first().copied();
        // Absent columns are `Some(None)`, unreadable ones `None`.
        let column = |name: &str| one(name).map(Column::parse).transpose().ok();
        let texts: Result<Vec<Column>, NotAColumn> =
            all("text").iter().map(|text| Column::parse(text)).collect();
        let amount = match (column("amount")?, column("debit")?, column("credit")?, column("sign")?)
        {
            (Some(amount), None, None, None) => Amounts::Signed(amount),
            (Some(amount), None, None, Some(sign)) => Amounts::WithSign { amount, sign },
            (None, Some(debit), Some(credit), None) => Amounts::DebitCredit { debit, credit },
            _ => return None,
        };
        let encoding = match one("encoding") {
            Some(name) => Some(Charset::parse(name)?),
            None => None,
        };
        let delimiter = one("delimiter")?.as_bytes();
        Some(Self {
            delimiter: *delimiter.first().filter(|_| delimiter.len() == 1)?,
            encoding,
            head_rows: one("headRows")?.parse().ok()?,
            columns: Columns {
                date: column("date")??,
                amount,
                value_date: column("valueDate")?,
                name: column("name")?,
                iban: column("iban")?,
                text: texts.ok()?,
                reference: column("reference")?,
                balance: column("balance")?,
                account: column("account")?,
                currency: column("currency")?,
            },
            date_format: DateFormat::parse(one("dateFormat")?)?,
            decimal: DecimalSeparator::ALL
                .into_iter()
                .find(|decimal| Some(decimal.as_str()) == one("decimal"))?,
            out_words: all("outWord").iter().map(|word| Box::from(*word)).collect(),
            invert: one("invert").is_some(),
            head: None,
        })
    }
}

impl Columns {
    /// Returns the columns with their names in the API; a description of several columns has its
    /// name several times.
    #[must_use]
    pub fn named(&self) -> Vec<(&'static str, &Column)> {
        let mut named = vec![("date", &self.date)];
        match &self.amount {
            Amounts::Signed(amount) => named.push(("amount", amount)),
            Amounts::DebitCredit { debit, credit } => {
                named.extend([("debit", debit), ("credit", credit)]);
            }
            Amounts::WithSign { amount, sign } => {
                named.extend([("amount", amount), ("sign", sign)]);
            }
        }
        let optional = [
            ("valueDate", &self.value_date),
            ("name", &self.name),
            ("iban", &self.iban),
            ("reference", &self.reference),
            ("balance", &self.balance),
            ("account", &self.account),
            ("currency", &self.currency),
        ];
        named.extend(optional.into_iter().filter_map(|(name, of)| Some((name, of.as_ref()?))));
        named.extend(self.text.iter().map(|column| ("text", column)));
        named
    }
}

/// Error of a text that is no column.
struct NotAColumn;

impl Column {
    fn to_text(&self) -> String {
        match self {
            Self::Index(index) => format!("#{index}"),
            Self::Name(name) => format!("={name}"),
        }
    }

    fn parse(text: &str) -> Result<Self, NotAColumn> {
        if let Some(name) = text.strip_prefix('=') {
            return Ok(Self::Name(name.into()));
        }
        let index = text.strip_prefix('#').and_then(|index| index.parse().ok());
        index.map(Self::Index).ok_or(NotAColumn)
    }
}

/// Returns the hash of a row of names, in hexadecimal (SHA-256 of the normalized names).
#[must_use]
pub fn head_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Box<str> {
    let mut hash = Sha256::new();
    for name in names {
        hash.update(normalized(name));
        hash.update(b"\n");
    }
    HEXLOWER.encode(&hash.finalize()).into_boxed_str()
}

/// Returns the name of a column in lower case, without quotes and outer blanks.
pub(super) fn normalized(name: &str) -> String {
    name.trim().trim_matches(['"', '\'', '\u{FEFF}']).trim().to_lowercase()
}
