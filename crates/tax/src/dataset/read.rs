//! Reads the data files.

use super::{Column, ColumnKind, Dataset, Row, Status, computed, source};
use crate::{
    source::day,
    value::Value,
    words::{Choice, Words},
};
use jiff::civil::Date;
use ledger::{decimal, table::Table};
use serde::Deserialize;
use std::{borrow::Cow, sync::Arc};

/// The data files in the order of the index.
const FILES: &[&str] = &[
    include_str!("../../data/vat-rates.toml"),
    include_str!("../../data/vat-rates-eu.toml"),
    include_str!("../../data/vat-return-boxes.toml"),
    include_str!("../../data/income-tax-brackets.toml"),
    include_str!("../../data/general-tax-credit.toml"),
    include_str!("../../data/labour-tax-credit.toml"),
    include_str!("../../data/entrepreneur-deductions.toml"),
    include_str!("../../data/deduction-rate-cap.toml"),
    include_str!("../../data/health-insurance-contribution.toml"),
    include_str!("../../data/investment-deduction.toml"),
    include_str!("../../data/mileage-allowance.toml"),
    include_str!("../../data/car-benefit.toml"),
    include_str!("../../data/thresholds.toml"),
    include_str!("../../data/statutory-interest.toml"),
    include_str!("../../data/collection-costs.toml"),
    include_str!("../../data/deadlines.toml"),
    include_str!("../../data/chart-of-accounts.toml"),
    include_str!("../../data/invoice-requirements.toml"),
];

/// What a data file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: String,
    title: Words,
    description: Words,
    version: u32,
    #[serde(deserialize_with = "day")]
    updated: Date,
    key: Vec<String>,
    #[serde(default, rename = "mayEnd")]
    may_end: bool,
    columns: Vec<FileColumn>,
    /// The table, without the rows that [`computed`] has.
    #[serde(default)]
    rows: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileColumn {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    values: Vec<Choice>,
    title: Words,
    meaning: Words,
}

/// Reads all data files.
///
/// # Errors
/// What is wrong with one of them, with its name.
pub(super) fn all() -> Result<Vec<Dataset>, String> {
    FILES.iter().map(|text| dataset(text)).collect()
}

/// Reads one data file.
///
/// # Errors
/// It is not TOML of that form, or a row cannot be read: which one and why.
pub(super) fn dataset(text: &str) -> Result<Dataset, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let in_file = |error: String| format!("{}: {error}", file.id);
    let mut columns: Vec<Column> = Vec::new();
    for column in file.columns {
        columns.push(read_column(column).map_err(in_file)?);
    }
    columns.extend(common_columns());
    let columns: Arc<[Column]> = columns.into();
    if let Some(name) = file.key.iter().find(|name| !columns.iter().any(|column| column.name == **name)) {
        return Err(in_file(format!("key names {name}, which is no column")));
    }
    let rows = match (file.rows, computed::rows(&file.id)) {
        (Some(rows), None) => Cow::Owned(rows),
        (None, Some(rows)) => rows,
        (Some(rows), Some(more)) => Cow::Owned(format!("{}\n{more}", rows.trim_end())),
        (None, None) => return Err(in_file("has no rows".to_owned())),
    };
    let table = Table::parse(&rows).map_err(|error| in_file(error.to_string()))?;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    if table.columns() != names {
        return Err(in_file(format!("the table has the columns {:?} instead of {names:?}", table.columns())));
    }
    let read = table.rows().iter().map(|cells| row(&columns, cells).map_err(|error| in_file(format!("{cells:?}: {error}"))));
    let rows = read.collect::<Result<Vec<_>, _>>()?;
    Ok(Dataset {
        id: file.id,
        title: file.title,
        description: file.description,
        version: file.version,
        updated: file.updated,
        columns,
        key: file.key,
        may_end: file.may_end,
        rows,
    })
}

fn read_column(column: FileColumn) -> Result<Column, String> {
    let kind = match column.kind.as_str() {
        "date" => ColumnKind::Date,
        "percent" => ColumnKind::Percent,
        "money" => ColumnKind::Money,
        "number" => ColumnKind::Number,
        "integer" => ColumnKind::Integer,
        "bool" => ColumnKind::Boolean,
        "text" => ColumnKind::Text,
        "words" => ColumnKind::Words,
        "enum" if !column.values.is_empty() => ColumnKind::Enum(column.values),
        other => return Err(format!("the column {} has the unknown type {other}, or no values", column.name)),
    };
    Ok(Column { name: column.name, kind, optional: column.optional, title: column.title, meaning: column.meaning })
}

/// The columns that every data set ends with.
fn common_columns() -> [Column; 5] {
    let column = |name: &str, kind, optional, title, meaning| Column { name: name.to_owned(), kind, optional, title, meaning };
    let statuses = Status::ALL.map(|status| Choice { value: Cow::Borrowed(status.as_str()), label: status.meaning() });
    [
        column(
            "validFrom",
            ColumnKind::Date,
            false,
            Words::new("Vanaf", "From"),
            Words::new("Eerste dag waarop de rij geldt.", "First day on which the row holds."),
        ),
        column(
            "validTo",
            ColumnKind::Date,
            true,
            Words::new("Tot en met", "Until"),
            Words::new(
                "Laatste dag waarop de rij geldt; leeg zolang die geldt.",
                "Last day on which the row holds; empty while it still does.",
            ),
        ),
        column(
            "source",
            ColumnKind::Text,
            false,
            Words::new("Bron", "Source"),
            Words::new("Waar het cijfer vandaan komt.", "Where the figure comes from."),
        ),
        column(
            "status",
            ColumnKind::Enum(statuses.to_vec()),
            false,
            Words::new("Zekerheid", "Firmness"),
            Words::new("Hoe zeker het cijfer is.", "How firm the figure is."),
        ),
        column(
            "note",
            ColumnKind::Words,
            true,
            Words::new("Opmerking", "Note"),
            Words::new("Uitzonderingen en wat onzeker is.", "Exceptions, and what is uncertain."),
        ),
    ]
}

fn row(columns: &Arc<[Column]>, cells: &[&str]) -> Result<Row, String> {
    let read = columns.iter().zip(cells).map(|(column, cell)| value(column, cell));
    let values = read.collect::<Result<Vec<_>, _>>()?;
    let at = |name: &str| columns.iter().position(|column| column.name == name).map(|place| (&values[place], cells[place]));
    let (Some((Some(Value::Date(valid_from)), _)), Some((last, _)), Some((_, source_id)), Some((_, status))) =
        (at("validFrom"), at("validTo"), at("source"), at("status"))
    else {
        return Err("lacks its days, source or status".to_owned());
    };
    let valid_to = match last {
        Some(Value::Date(day)) => Some(*day),
        _ => None,
    };
    if valid_to.is_some_and(|last| last < *valid_from) {
        return Err("ends before it begins".to_owned());
    }
    let source = source::find(source_id).ok_or_else(|| format!("the source {source_id:?} is not in sources.toml"))?;
    let status = Status::ALL.into_iter().find(|known| known.as_str() == status).ok_or("has an unknown status")?;
    Ok(Row { columns: Arc::clone(columns), valid_from: *valid_from, valid_to, source, status, values })
}

/// What stands in a cell; none in an empty one.
fn value(column: &Column, cell: &str) -> Result<Option<Value>, String> {
    if cell.is_empty() {
        return if column.optional { Ok(None) } else { Err(format!("{} is empty", column.name)) };
    }
    let wrong = || format!("{cell:?} is no {:?} for {}", column.kind, column.name);
    let number = || decimal::parse(cell).map_err(|error| format!("{}: {error}", wrong()));
    let text = || Value::Text(Cow::Owned(cell.to_owned()));
    Ok(Some(match &column.kind {
        ColumnKind::Date => Value::Date(cell.parse().map_err(|_| wrong())?),
        ColumnKind::Percent => Value::Percent(number()?),
        ColumnKind::Money => Value::Money(number()?),
        ColumnKind::Number => Value::Number(number()?),
        ColumnKind::Integer => Value::Integer(cell.parse().map_err(|_| wrong())?),
        ColumnKind::Boolean => Value::Boolean(cell.parse().map_err(|_| wrong())?),
        ColumnKind::Text => text(),
        ColumnKind::Enum(choices) if choices.iter().any(|choice| choice.value == cell) => text(),
        ColumnKind::Enum(_) => return Err(wrong()),
        ColumnKind::Words => {
            let (nl, en) = cell.split_once("//").ok_or_else(|| format!("{cell:?} lacks its English after //"))?;
            let words = Words::owned(nl.trim().to_owned(), en.trim().to_owned());
            if words.is_incomplete() {
                return Err(format!("{cell:?} lacks a language"));
            }
            Value::Words(words)
        }
    }))
}
