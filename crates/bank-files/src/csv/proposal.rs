//! Proposal of a mapping for an unknown file, from its first rows.

use super::{
    mapping::{Amounts, Column, Columns, Mapping, head_of},
    recognize::DELIMITERS,
    rows::{Notation, Quoting, Rows},
};
use crate::{
    amount::{self, DecimalSeparator},
    charset::Source,
    dates::DateFormat,
    refusal::{Cause, Proposal, Unsupported},
    text,
    upload::Currency,
};

/// Number of rows that a proposal shows.
pub(super) const SHOWN: usize = 5;
/// Number of rows from which it is made.
const READ: usize = 10;
/// Number of rows among which the first line is searched.
const MOST_HEAD_ROWS: usize = 4;
/// Forms of dates that are tried.
const FORMS: [&str; 8] = [
    "DD-MM-YYYY",
    "YYYY-MM-DD",
    "DD/MM/YYYY",
    "DD.MM.YYYY",
    "YYYYMMDD",
    "DD-MM-YY",
    "DD/MM/YY",
    "YYYY/MM/DD",
];
/// Words of signs: those that mean that money goes out, and the others.
const OUT: &[&str] = &["af", "d", "db", "debet", "debit", "out", "-", "dr"];
const IN: &[&str] = &["bij", "c", "cr", "credit", "in", "+", "kr"];

/// Returns the refusal of an unknown file: with a proposal, if its rows have several fields.
pub(super) fn refuse(source: &Source<'_>) -> Cause {
    let best = DELIMITERS
        .into_iter()
        .chain([b'|'])
        .filter_map(|delimiter| {
            let (rows, head) = first_rows(source, delimiter, READ);
            let widths = || rows.iter().map(Vec::len);
            let width = widths().max().filter(|width| *width > 1)?;
            // A delimiter that occurs in every row, rather than one that occurs often in some.
            Some((widths().filter(|other| *other == width).count(), width, delimiter, rows, head))
        })
        .max_by_key(|(rows, width, ..)| (*rows, *width));
    match best {
        Some((_, _, delimiter, rows, head)) => {
            Cause::UnknownCsv(Box::new(propose(delimiter, rows, head)))
        }
        None => Cause::UnsupportedFile(Unsupported::Unknown),
    }
}

/// Returns the first rows of a file to be shown, and the hash of the first one.
pub(super) fn first_rows(
    source: &Source<'_>,
    delimiter: u8,
    most: usize,
) -> (Vec<Vec<Box<str>>>, Option<Box<str>>) {
    let notation = Notation { delimiter, quoting: Quoting::Fields };
    let mut rows = Rows::new(&source.bytes, source.charset, notation);
    let (mut first, mut head) = (Vec::new(), None);
    while first.len() < most && rows.advance() == Ok(true) {
        let fields = rows.fields();
        head.get_or_insert_with(|| head_of(fields.iter().map(|name| &**name)));
        first
            .push(fields.iter().map(|field| text::clean(field).text.unwrap_or_default()).collect());
    }
    (first, head)
}

/// Rows from which a proposal is made.
struct Guess {
    head: Vec<String>,
    lines: Vec<Vec<Box<str>>>,
    width: usize,
    used: Vec<bool>,
}

fn propose(delimiter: u8, mut rows: Vec<Vec<Box<str>>>, hash: Option<Box<str>>) -> Proposal {
    let is_date = |cell: &str| FORMS.iter().any(|form| crate::dates::read(form, cell).is_some());
    let head_rows = rows
        .iter()
        .take(MOST_HEAD_ROWS)
        .position(|row| row.iter().any(|cell| is_date(cell)))
        .unwrap_or(1);
    let head = head_rows.checked_sub(1).and_then(|last| rows.get(last));
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut guess = Guess {
        head: head
            .map(|head| head.iter().map(|name| name.to_lowercase()).collect())
            .unwrap_or_default(),
        lines: rows.iter().skip(head_rows).cloned().collect(),
        width,
        used: vec![false; width],
    };
    let mapping = guess.mapping(delimiter, head_rows, hash);
    rows.truncate(SHOWN);
    Proposal { mapping, rows }
}

impl Guess {
    fn mapping(&mut self, delimiter: u8, head_rows: usize, head: Option<Box<str>>) -> Mapping {
        let dated = |form: &str| {
            let form = form.to_owned();
            move |cell: &str| crate::dates::read(&form, cell).is_some()
        };
        let (date, form) = FORMS
            .iter()
            .find_map(|form| Some((self.take(&["boek", "datum", "date"], dated(form))?, *form)))
            .unwrap_or((0, FORMS[0]));
        let value_date = self.take_named(&["rente", "valuta", "value", "interest"], dated(form));
        let balance = self.take_named(&["saldo", "balance"], is_amount);
        let (amount, out_words, decimal) = self.amounts();
        let is_iban_or_blank = |cell: &str| text::iban(cell).is_some() || cell.is_empty();
        let counter = self.take_named(&["tegen", "counter"], is_iban_or_blank);
        let own = &["rekening", "account", "eigen", "iban/bban"];
        let account = self.take_where(own, |guess, index| {
            guess.all(index, |cell| text::iban(cell).is_some()) && guess.is_constant(index)
        });
        let iban = counter.or_else(|| self.take_filled(&["iban"], is_iban_or_blank));
        let currency = self.take(&["valuta", "munt", "currency"], |cell| {
            cell.len() == 3
                && cell.bytes().all(|byte| byte.is_ascii_uppercase())
                && Currency::parse(cell).is_some()
        });
        let names = &["naam", "name", "tegenpartij", "payee", "begunstigde", "merchant"];
        let name = self.take_named(names, |_| true);
        let reference =
            self.take_named(&["referentie", "volgnr", "transactie id", "transaction id"], |_| true);
        let texts = &[
            "omschrijving",
            "mededeling",
            "description",
            "betreft",
            "reference",
            "note",
            "memo",
            "details",
        ];
        let mut text: Vec<Column> = Vec::new();
        while text.len() < 6
            && let Some(index) = self.take_named(texts, |_| true)
        {
            text.push(column(index));
        }
        if text.is_empty() {
            text.extend(self.longest().map(column));
        }
        Mapping {
            delimiter,
            encoding: None,
            head_rows: u8::try_from(head_rows).unwrap_or(1),
            columns: Columns {
                date: column(date),
                amount,
                value_date: value_date.map(column),
                name: name.map(column),
                iban: iban.map(column),
                text,
                reference: reference.map(column),
                balance: balance.map(column),
                account: account.map(column),
                currency: currency.map(column),
            },
            date_format: DateFormat::parse(form).expect("the forms that are tried are valid"),
            decimal,
            out_words,
            invert: false,
            head: head.filter(|_| head_rows > 0),
        }
    }

    fn amounts(&mut self) -> (Amounts, Vec<Box<str>>, DecimalSeparator) {
        let blank_or_amount = |cell: &str| cell.is_empty() || is_amount(cell);
        let debit = self
            .take_named(&["debet", "debit", "withdraw", "bedrag af", "uitgaven"], blank_or_amount);
        let credit = debit.and_then(|_| {
            self.take_named(&["credit", "deposit", "bedrag bij", "inkomsten"], blank_or_amount)
        });
        if let (Some(debit), Some(credit)) = (debit, credit) {
            let decimal = self.decimal(&[debit, credit]);
            let amounts = Amounts::DebitCredit { debit: column(debit), credit: column(credit) };
            return (amounts, Vec::new(), decimal);
        }
        let amount =
            debit.or_else(|| self.take(&["bedrag", "amount", "betrag"], is_amount)).unwrap_or(0);
        let decimal = self.decimal(&[amount]);
        let is_word = |cell: &str| {
            let word = cell.to_lowercase();
            OUT.contains(&&*word) || IN.contains(&&*word)
        };
        let sign = self.take(&["af", "debet", "credit", "debit"], is_word);
        match sign {
            Some(sign) => {
                let words = OUT.iter().map(|word| Box::from(*word)).collect();
                (Amounts::WithSign { amount: column(amount), sign: column(sign) }, words, decimal)
            }
            None => (Amounts::Signed(column(amount)), Vec::new(), decimal),
        }
    }

    /// Decimal separator: the last mark of the amounts.
    fn decimal(&self, indices: &[usize]) -> DecimalSeparator {
        let mut cells = indices.iter().flat_map(|index| self.cells(*index));
        let last = cells.find_map(|cell| {
            let place = cell.rfind([',', '.'])?;
            (cell.len() - place <= 3).then(|| cell.as_bytes()[place])
        });
        if last == Some(b'.') { DecimalSeparator::Point } else { DecimalSeparator::Comma }
    }

    fn cells(&self, index: usize) -> impl Iterator<Item = &str> {
        self.lines.iter().map(move |row| row.get(index).map_or("", |cell| &**cell))
    }

    fn all(&self, index: usize, mut fits: impl FnMut(&str) -> bool) -> bool {
        !self.lines.is_empty() && self.cells(index).all(&mut fits)
    }

    fn is_constant(&self, index: usize) -> bool {
        let mut cells = self.cells(index);
        cells.next().is_some_and(|first| cells.all(|cell| cell == first))
    }

    fn is_named(&self, index: usize, words: &[&str]) -> bool {
        self.head.get(index).is_some_and(|name| words.iter().any(|word| name.contains(word)))
    }

    /// Takes a column whose cells all fit, preferably one with such a name.
    fn take(&mut self, words: &[&str], fits: impl Fn(&str) -> bool) -> Option<usize> {
        self.take_where(words, |guess, index| guess.all(index, &fits))
            .or_else(|| self.take_where(&[""], |guess, index| guess.all(index, &fits)))
            .or_else(|| self.take_headless(|guess, index| guess.all(index, &fits)))
    }

    /// Like [`Self::take`], but for a column that has at least one value.
    fn take_filled(&mut self, words: &[&str], fits: impl Fn(&str) -> bool) -> Option<usize> {
        let is_filled = |guess: &Self, index: usize| {
            guess.all(index, &fits) && guess.cells(index).any(|cell| !cell.is_empty())
        };
        self.take_where(words, is_filled)
            .or_else(|| self.take_where(&[""], is_filled))
            .or_else(|| self.take_headless(is_filled))
    }

    /// Takes a column with such a name whose cells all fit.
    fn take_named(&mut self, words: &[&str], fits: impl Fn(&str) -> bool) -> Option<usize> {
        self.take_where(words, |guess, index| guess.all(index, &fits))
    }

    fn take_where(&mut self, words: &[&str], fits: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let index = (0..self.width).find(|index| {
            !self.used[*index] && self.is_named(*index, words) && fits(self, *index)
        })?;
        self.used[index] = true;
        Some(index)
    }

    fn take_headless(&mut self, fits: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let index =
            (self.head.len()..self.width).find(|index| !self.used[*index] && fits(self, *index))?;
        self.used[index] = true;
        Some(index)
    }

    /// Unused column with the longest texts.
    fn longest(&self) -> Option<usize> {
        let length = |index: usize| self.cells(index).map(str::len).sum::<usize>();
        (0..self.width)
            .filter(|index| !self.used[*index] && length(*index) > 0)
            .max_by_key(|index| length(*index))
    }
}

fn column(index: usize) -> Column {
    Column::Index(u16::try_from(index).unwrap_or_default())
}

/// Whether a cell is an amount, rather than a number of an account or a date.
fn is_amount(cell: &str) -> bool {
    cell.len() <= 20 && amount::parse(cell, DecimalSeparator::Either).is_ok()
}
