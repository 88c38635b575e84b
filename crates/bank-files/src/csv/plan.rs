//! Plan: layout or mapping, applied to the columns of a file.

use super::{
    layout::{BalanceMoment, Layout, Places, Role, TextNotation},
    mapping::{Amounts, Column, Mapping, normalized},
    rows::{Notation, Quoting, Rows},
};
use crate::{
    amount::DecimalSeparator,
    charset::Source,
    dates,
    refusal::Cause,
    upload::{Currency, Dialect},
};
use jiff::civil::Date;
use std::borrow::Cow;

/// Columns and notation of the rows of a file.
pub(super) struct Plan {
    /// Dialect; `None` with a mapping.
    pub(super) dialect: Option<Dialect>,
    /// Name of the layout.
    pub(super) name: Cow<'static, str>,
    /// Delimiter and quotes.
    pub(super) notation: Notation,
    /// Rows before the first line.
    pub(super) head_rows: usize,
    /// Number of fields of each row: those of the head or of the first row, and the last one of a
    /// mapping. Rows may have more, which are empty unless the plan is that of a mapping.
    pub(super) width: usize,
    /// Columns.
    pub(super) places: Places,
    /// Forms of dates, of which the first that fits is taken.
    dates: Vec<Cow<'static, str>>,
    /// Decimal separator.
    pub(super) decimal: DecimalSeparator,
    /// Values of the sign that mean that money goes out, in lower case.
    pub(super) out_words: Vec<String>,
    /// Whether amounts have the opposite sign.
    pub(super) invert: bool,
    /// Moment of the balance.
    pub(super) balance: BalanceMoment,
    /// Notation of the text.
    pub(super) text: TextNotation,
    /// Currency of rows that state none.
    pub(super) currency: Currency,
}

impl Plan {
    /// Returns the plan of a known bank.
    pub(super) fn of_bank(layout: &Layout, places: Places, notation: Notation) -> Self {
        Self {
            dialect: Some(layout.dialect),
            name: Cow::Borrowed(layout.name),
            notation,
            head_rows: 0,
            width: 0,
            places,
            dates: layout.dates.iter().copied().map(Cow::Borrowed).collect(),
            decimal: layout.decimal,
            out_words: layout.out_words.iter().map(ToString::to_string).collect(),
            invert: false,
            balance: layout.balance,
            text: layout.text,
            currency: Currency::EUR,
        }
    }

    /// Reads a date.
    pub(super) fn date(&self, text: &str) -> Option<Date> {
        self.dates.iter().find_map(|form| dates::read(form, text))
    }
}

/// Returns the plan of a mapping; `None` if a column that it names is absent.
pub(super) fn of_mapping(source: &Source<'_>, mapping: &Mapping) -> Result<Option<Plan>, Cause> {
    let notation = Notation { delimiter: mapping.delimiter, quoting: Quoting::Fields };
    let mut rows = Rows::new(&source.bytes, source.charset, notation);
    let mut head = Vec::new();
    for _ in 0..mapping.head_rows {
        if rows.advance()? {
            head = rows.fields().iter().map(|name| normalized(name)).collect();
        }
    }
    Ok(places(mapping, &head).map(|places| Plan {
        dialect: None,
        name: Cow::Owned(mapping.layout()),
        notation,
        head_rows: usize::from(mapping.head_rows),
        width: places.width(),
        places,
        dates: vec![Cow::Owned(mapping.date_format.as_str().to_owned())],
        decimal: mapping.decimal,
        out_words: mapping.out_words.iter().map(|word| word.trim().to_lowercase()).collect(),
        invert: mapping.invert,
        balance: BalanceMoment::After,
        text: TextNotation::Plain,
        currency: Currency::EUR,
    }))
}

fn places(mapping: &Mapping, head: &[String]) -> Option<Places> {
    let mut places = Places::default();
    let columns = &mapping.columns;
    let mut set = |role, column: &Column| {
        let index = match column {
            Column::Index(index) => *index,
            Column::Name(name) => {
                let name = normalized(name);
                u16::try_from(head.iter().position(|other| *other == name)?).ok()?
            }
        };
        places.set(role, index);
        Some(())
    };
    set(Role::Date, &columns.date)?;
    match &columns.amount {
        Amounts::Signed(amount) => set(Role::Amount, amount)?,
        Amounts::DebitCredit { debit, credit } => {
            set(Role::Debit, debit)?;
            set(Role::Credit, credit)?;
        }
        Amounts::WithSign { amount, sign } => {
            set(Role::Amount, amount)?;
            set(Role::Sign, sign)?;
        }
    }
    let optional = [
        (Role::ValueDate, &columns.value_date),
        (Role::Name, &columns.name),
        (Role::Iban, &columns.iban),
        (Role::Reference, &columns.reference),
        (Role::Balance, &columns.balance),
        (Role::Account, &columns.account),
        (Role::Currency, &columns.currency),
    ];
    for (role, column) in optional {
        if let Some(column) = column {
            set(role, column)?;
        }
    }
    for column in &columns.text {
        set(Role::Text, column)?;
    }
    Some(places)
}
