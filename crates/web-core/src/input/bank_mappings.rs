//! Input for mappings of CSV files. A mapping that a refused file proposes can be sent back as it is.

use super::{Choice, Fields, Flag, Integer, Parsed, Presence, Raw, Reader, SingleLine, validated};
use bank_files::{
    Amounts, Charset, Column, Columns, DateFormat, DecimalSeparator, MOST_TEXTS, Mapping,
    limits::MOST_COLUMNS,
};
use serde_json::{Value, json};
use service::{Reason, bank_mappings::NewMapping};

/// Maximum number of characters of a mapping's name.
const LONGEST_NAME: usize = 60;
/// Maximum number of characters of the name of a column.
const LONGEST_COLUMN: usize = 255;
/// Maximum number of rows before the first line.
const MOST_HEAD_ROWS: i64 = 20;
/// Maximum number of words, and of the characters of each.
const WORDS: (usize, usize) = (20, 40);
const DELIMITERS: &[(&str, u8)] =
    &[(";", b';'), (",", b','), ("\t", b'\t'), ("tab", b'\t'), ("|", b'|')];
const ENCODINGS: &[(&str, Charset)] =
    &[("utf-8", Charset::Utf8), ("windows-1252", Charset::Windows1252)];
const DECIMALS: &[(&str, DecimalSeparator)] = &[
    (DecimalSeparator::Comma.as_str(), DecimalSeparator::Comma),
    (DecimalSeparator::Point.as_str(), DecimalSeparator::Point),
    (DecimalSeparator::Either.as_str(), DecimalSeparator::Either),
];

/// Column: its position from 0, or its name in the head.
struct AColumn;

impl Reader for AColumn {
    type Value = Column;

    fn read(&self, raw: &Raw) -> Result<Column, Reason> {
        let most = i64::try_from(MOST_COLUMNS).unwrap_or(i64::MAX) - 1;
        let is_index = match raw {
            Raw::Number(_) => true,
            Raw::Typed(text, _) => text.bytes().all(|byte| byte.is_ascii_digit()),
            _ => false,
        };
        if is_index {
            let index = Integer(0, most).read(raw)?;
            return u16::try_from(index)
                .map(Column::Index)
                .map_err(|_| Reason::WholeOutOfRange { least: 0, most });
        }
        if raw.text().is_none() {
            return Err(Reason::NotAColumn);
        }
        SingleLine(LONGEST_COLUMN).read(raw).map(|name| Column::Name(name.into()))
    }

    fn schema(&self) -> Value {
        json!({ "oneOf": [
            { "type": "integer", "minimum": 0, "maximum": MOST_COLUMNS - 1 },
            SingleLine(LONGEST_COLUMN).schema(),
        ] })
    }
}

/// Columns of the description: a list, or on a page numbered fields.
struct Texts;

impl Reader for Texts {
    type Value = Vec<Column>;

    fn read(&self, raw: &Raw) -> Result<Vec<Column>, Reason> {
        let columns: Vec<&Raw> = match raw {
            Raw::Array(items) => items.iter().collect(),
            Raw::Object(items) => {
                items.iter().map(|(_, item)| item).filter(|item| !item.is_absent()).collect()
            }
            _ => return Err(Reason::NotAList),
        };
        if columns.len() > MOST_TEXTS {
            return Err(Reason::TooMany { most: MOST_TEXTS, given: columns.len() });
        }
        columns.into_iter().map(|column| AColumn.read(column)).collect()
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "maxItems": MOST_TEXTS, "items": AColumn.schema() })
    }
}

/// Words: a list of texts, or on a page a text with commas.
struct Words;

impl Reader for Words {
    type Value = Vec<Box<str>>;

    fn read(&self, raw: &Raw) -> Result<Vec<Box<str>>, Reason> {
        let (most, longest) = WORDS;
        let texts: Vec<String> = match raw {
            Raw::Array(items) => {
                let one = |item| SingleLine(longest).read(item);
                items.iter().map(one).collect::<Result<_, _>>()?
            }
            Raw::Typed(text, language) => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                let one =
                    |word: &str| SingleLine(longest).read(&Raw::Typed(word.to_owned(), *language));
                words.map(one).collect::<Result<_, _>>()?
            }
            _ => return Err(Reason::NotAList),
        };
        if texts.len() > most {
            return Err(Reason::TooMany { most, given: texts.len() });
        }
        Ok(texts.into_iter().map(String::into_boxed_str).collect())
    }

    fn schema(&self) -> Value {
        let (most, longest) = WORDS;
        json!({ "type": "array", "maxItems": most, "items": SingleLine(longest).schema() })
    }
}

/// Reads the fields of a new mapping.
pub fn new_bank_mapping(fields: &mut Fields<'_, '_>) -> Parsed<NewMapping> {
    let name = fields.required("name", "Name.", SingleLine(LONGEST_NAME));
    let meaning = "Id of the bank account of files that name none.";
    let bank_account_id = fields.optional("bankAccountId", meaning, Integer(1, i64::MAX));
    let mapping = mapping(fields);
    let command =
        name.zip(mapping).map(|(name, mapping)| NewMapping { name, bank_account_id, mapping });
    Parsed::new(None, command)
}

/// Reads the columns and the notation alone.
pub fn bank_mapping(fields: &mut Fields<'_, '_>) -> Parsed<Mapping> {
    Parsed::new(None, mapping(fields))
}

fn mapping(fields: &mut Fields<'_, '_>) -> Option<Mapping> {
    let delimiter = fields.required("delimiter", "Delimiter of the columns.", Choice(DELIMITERS));
    let meaning = "Charset of files without a byte order mark. By default it is determined.";
    let encoding = fields.optional("encoding", meaning, Choice(ENCODINGS));
    let meaning = "Number of rows before the first line.";
    let head_rows = fields.required("headRows", meaning, Integer(0, MOST_HEAD_ROWS));
    let columns = fields.object("columns", "Columns.", Presence::Required, columns).flatten();
    let meaning = "Form of dates: `D`, `M` and `Y` stand for digits.";
    let format = validated(
        SingleLine(20),
        || json!({ "examples": ["DD-MM-YYYY"] }),
        |text| DateFormat::parse(&text).ok_or(Reason::NotADateFormat),
    );
    let date_format = fields.required("dateFormat", meaning, format);
    let decimal = fields.required("decimal", "Decimal separator.", Choice(DECIMALS));
    let meaning = "Words in the column of signs that mean that money goes out.";
    let out_words = fields.optional("outWords", meaning, Words).unwrap_or_default();
    let meaning = "Whether amounts have the opposite sign, as on statements of credit cards.";
    let invert = fields.optional("invert", meaning, Flag).unwrap_or(false);
    let meaning = "Hash of the first row. Files with the same first row are read with the mapping.";
    let head = fields.optional("head", meaning, SingleLine(64));
    let has_sign = columns.as_ref().is_some_and(|of| matches!(of.amount, Amounts::WithSign { .. }));
    if has_sign && out_words.is_empty() {
        fields.fault("outWords", Reason::OutWordsRequired);
    }
    Some(Mapping {
        delimiter: delimiter?,
        encoding,
        head_rows: u8::try_from(head_rows?).ok()?,
        columns: columns?,
        date_format: date_format?,
        decimal: decimal?,
        out_words,
        invert,
        head: head.map(String::into_boxed_str),
    })
}

fn columns(fields: &mut Fields<'_, '_>) -> Option<Columns> {
    let date = fields.required("date", "Booking date.", AColumn);
    let amount = amounts(fields);
    let mut optional = |name, meaning| fields.optional(name, meaning, AColumn);
    let value_date = optional("valueDate", "Day from which the amount counts for interest.");
    let name = optional("name", "Name of the counterparty.");
    let iban = optional("iban", "IBAN of the counterparty.");
    let reference = optional("reference", "Reference of the bank.");
    let balance = optional("balance", "Balance after the line.");
    let account = optional("account", "Own account.");
    let currency = optional("currency", "Currency.");
    let meaning = "Description; several columns are joined with blanks.";
    let text = fields.optional("text", meaning, Texts).unwrap_or_default();
    Some(Columns {
        date: date?,
        amount: amount?,
        value_date,
        name,
        iban,
        text,
        reference,
        balance,
        account,
        currency,
    })
}

/// Reads the columns of the amount: one with a sign, one with a column for the sign, or two.
fn amounts(fields: &mut Fields<'_, '_>) -> Option<Amounts> {
    let is_given = ["amount", "debit", "credit"].map(|name| fields.has(name));
    let amount = fields.optional("amount", "Amount.", AColumn);
    let debit = fields.optional("debit", "Money that goes out.", AColumn);
    let credit = fields.optional("credit", "Money that comes in.", AColumn);
    let has_sign = fields.has("sign");
    let sign = fields.optional("sign", "Word that says the direction of the amount.", AColumn);
    match is_given {
        [true, false, false] => Some(match (amount?, sign) {
            (amount, Some(sign)) => Amounts::WithSign { amount, sign },
            (amount, None) => Amounts::Signed(amount),
        }),
        [false, true, true] => {
            if has_sign {
                fields.fault("sign", Reason::AmountColumns);
            }
            Some(Amounts::DebitCredit { debit: debit?, credit: credit? })
        }
        [false, true, false] => {
            fields.fault("credit", Reason::Required);
            None
        }
        [false, false, true] => {
            fields.fault("debit", Reason::Required);
            None
        }
        [false, false, false] => {
            fields.fault("amount", Reason::Required);
            None
        }
        [true, ..] => {
            fields.fault("amount", Reason::AmountColumns);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        http::json_body,
        input::{form, json as read_json},
        statements,
    };
    use bank_files::{Cause, Options};
    use i18n::Language;
    use jiff::civil::date;

    fn proposed(file: &str) -> Mapping {
        let options = Options::new(date(2026, 11, 28));
        match bank_files::read(file.as_bytes(), &options).unwrap_err().cause {
            Cause::UnknownCsv(proposal) => proposal.mapping,
            cause => panic!("{cause:?}"),
        }
    }

    /// Name and value of a field.
    type Filled<'f> = (&'f str, &'f str);

    const FILES: [&str; 3] = [
        "Boekdatum;Bedrag;Naam;Omschrijving\n02-03-2026;-1.234,56;Jansen;Factuur 12\n",
        "Date\tDebit\tCredit\tPayee\n2026-03-02\t1234.56\t\tJansen\n",
        "Datum|Af/Bij|Bedrag|Naam|Saldo\n02/03/2026|Af|1234,56|Jansen|0,00\n",
    ];

    #[test]
    fn a_proposed_mapping_can_be_sent_back_as_it_is() {
        for file in FILES {
            let mapping = proposed(file);
            let body =
                json_body::parse(statements::mapping(&mapping).to_string().as_bytes()).unwrap();
            let parsed = read_json(&body, bank_mapping);
            assert_eq!((parsed.faults, parsed.command), (Vec::new(), Some(mapping)), "{file}");
        }
    }

    #[test]
    fn a_form_has_the_same_fields() {
        for file in FILES {
            let mapping = proposed(file);
            let pairs = statements::mapping_fields(&mapping);
            let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            let parsed = form(pairs, Language::Dutch, bank_mapping);
            let expected = Mapping { head: None, ..mapping };
            assert_eq!((parsed.faults, parsed.command), (Vec::new(), Some(expected)), "{file}");
        }
    }

    #[test]
    fn each_fault_is_at_its_field() {
        let all = [
            ("delimiter", ";"),
            ("headRows", "1"),
            ("columns.date", "0"),
            ("columns.amount", "1"),
            ("dateFormat", "DD-MM-YYYY"),
            ("decimal", ","),
        ];
        let cases: [(&[Filled<'_>], &str, &str); 16] = [
            (&[("delimiter", "x")], "/delimiter", "unknown_value"),
            (&[("delimiter", "")], "/delimiter", "required"),
            (&[("encoding", "utf-16le")], "/encoding", "unknown_value"),
            (&[("headRows", "21")], "/headRows", "out_of_range"),
            (&[("columns.date", "")], "/columns/date", "required"),
            (&[("columns.date", "200")], "/columns/date", "out_of_range"),
            (&[("columns.amount", "")], "/columns/amount", "required"),
            (&[("columns.amount", ""), ("columns.debit", "1")], "/columns/credit", "required"),
            (&[("columns.amount", ""), ("columns.credit", "1")], "/columns/debit", "required"),
            (&[("columns.debit", "1")], "/columns/amount", "unknown_value"),
            (&[("columns.sign", "2")], "/outWords", "required"),
            (&[("dateFormat", "DD-MM")], "/dateFormat", "invalid_format"),
            (&[("dateFormat", "")], "/dateFormat", "required"),
            (&[("decimal", ";")], "/decimal", "unknown_value"),
            (&[("outWords", &"af,".repeat(21))], "/outWords", "too_many"),
            (
                &[
                    ("columns.amount", ""),
                    ("columns.debit", "1"),
                    ("columns.credit", "2"),
                    ("columns.sign", "3"),
                ],
                "/columns/sign",
                "unknown_value",
            ),
        ];
        for (changes, path, code) in cases {
            let others =
                all.iter().filter(|(name, _)| !changes.iter().any(|(other, _)| other == name));
            let pairs = changes.iter().chain(others).copied();
            let faults = form(pairs, Language::Dutch, bank_mapping).faults;
            let faults: Vec<(&str, &str)> =
                faults.iter().map(|fault| (fault.path.as_str(), fault.reason.code())).collect();
            assert_eq!(faults, [(path, code)], "{changes:?}");
        }
    }
}
