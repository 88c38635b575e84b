//! Bank statements: reading uploaded files, and the texts about them.

use crate::{AppState, capacity::Asker, problem::Problem};
use bank_files::{Cause, Column, Mapping, Refusal, Sample, TrialRow};
use jiff::civil::Date;
use serde_json::{Map, Value, json};
use service::bank_statements::{self, ReadOptions, StatementFile, StatementWarning};
use std::sync::Arc;
use tracing::warn;

/// Reads an uploaded file of an account. The caller must hold an upload permit.
///
/// # Errors
/// The file cannot be read or has a fault, or the reading could not run.
pub async fn read(
    app: &AppState,
    account: i64,
    bytes: Arc<[u8]>,
    today: Date,
    reading: ReadOptions,
) -> Result<StatementFile, Problem> {
    let file = try_read(app, account, bytes, today, reading).await?;
    file.map_err(|refusal| refused(&refusal))
}

/// Like [`read`], for a caller that reports the faults of the file itself.
///
/// # Errors
/// The reading could not run.
pub async fn try_read(
    app: &AppState,
    account: i64,
    bytes: Arc<[u8]>,
    today: Date,
    reading: ReadOptions,
) -> Result<Result<StatementFile, Box<Refusal>>, Problem> {
    let read = move || bank_statements::read_file(bytes, today, reading);
    Ok(app.capacity().statements.run(account, Asker::Visitor, read).await?)
}

/// Updates the statistics of the database after a large file has been imported. A failure only makes
/// lists slower for a minute.
pub async fn after_import(app: &AppState, account: i64) {
    if let Err(error) = app.execute(account, bank_statements::analyze).await {
        warn!(%error, "the statistics of bank lines were not updated");
    }
}

/// Returns the problem of a refused file.
#[must_use]
pub fn refused(refusal: &Refusal) -> Problem {
    let (faults, count) = bank_statements::faults(refusal);
    let problem = Problem::invalid_file(faults, count);
    match &refusal.cause {
        Cause::UnknownCsv(proposal) => problem.with_proposal(json!({
            "mapping": mapping(&proposal.mapping),
            "rows": proposal.rows,
        })),
        _ => problem,
    }
}

/// Returns the first rows of an unknown CSV file, and the lines that a mapping reads from the first
/// `most` rows after the head: `None` without a mapping, or if it names a column that is absent. The
/// caller must hold an upload permit.
///
/// # Errors
/// The reading could not run.
pub async fn try_mapping(
    app: &AppState,
    account: i64,
    bytes: Arc<[u8]>,
    today: Date,
    trial: MappingTrial,
) -> Result<(Sample, Option<Vec<TrialRow>>), Problem> {
    let read = move || {
        let MappingTrial { delimiter, encoding, mapping, most } = trial;
        let sample = bank_files::sample(&bytes, delimiter, encoding);
        let rows = mapping.and_then(|of| bank_files::trial(&bytes, &of, today, most));
        (sample, rows)
    };
    Ok(app.capacity().statements.run(account, Asker::Visitor, read).await?)
}

/// Trial of a mapping that is being made.
#[derive(Debug, Clone)]
pub struct MappingTrial {
    /// Delimiter of the first rows.
    pub delimiter: u8,
    /// Charset of the first rows.
    pub encoding: Option<bank_files::Charset>,
    /// Mapping.
    pub mapping: Option<Mapping>,
    /// Number of rows that the mapping reads.
    pub most: usize,
}

/// Returns a column as JSON: its position or its name.
fn in_json(column: &Column) -> Value {
    match column {
        Column::Index(index) => json!(index),
        Column::Name(name) => json!(name),
    }
}

/// Returns a mapping as JSON.
pub(crate) fn mapping(mapping: &Mapping) -> Value {
    let (mut columns, mut texts) = (Map::new(), Vec::new());
    for (name, column) in mapping.columns.named() {
        match name {
            "text" => texts.push(in_json(column)),
            _ => drop(columns.insert(name.to_owned(), in_json(column))),
        }
    }
    columns.insert("text".to_owned(), texts.into());
    json!({
        "delimiter": char::from(mapping.delimiter).to_string(),
        "encoding": mapping.encoding.map(bank_files::Charset::as_str),
        "headRows": mapping.head_rows,
        "columns": columns,
        "dateFormat": mapping.date_format.as_str(),
        "decimal": mapping.decimal.as_str(),
        "outWords": mapping.out_words,
        "invert": mapping.invert,
        "head": mapping.head,
    })
}

/// Returns the fields of a form with a mapping.
#[must_use]
pub fn mapping_fields(mapping: &Mapping) -> Vec<(String, String)> {
    let delimiter = match mapping.delimiter {
        b'\t' => "tab".to_owned(),
        other => char::from(other).to_string(),
    };
    let encoding = mapping.encoding.map(bank_files::Charset::as_str).unwrap_or_default();
    let mut fields = vec![
        ("delimiter".to_owned(), delimiter),
        ("encoding".to_owned(), encoding.to_owned()),
        ("headRows".to_owned(), mapping.head_rows.to_string()),
        ("dateFormat".to_owned(), mapping.date_format.as_str().to_owned()),
        ("decimal".to_owned(), mapping.decimal.as_str().to_owned()),
        ("outWords".to_owned(), mapping.out_words.join(", ")),
    ];
    if mapping.invert {
        fields.push(("invert".to_owned(), "true".to_owned()));
    }
    let mut texts = 0;
    for (name, column) in mapping.columns.named() {
        let field = if name == "text" {
            texts += 1;
            format!("columns.text.{}", texts - 1)
        } else {
            format!("columns.{name}")
        };
        let value = match column {
            Column::Index(index) => index.to_string(),
            Column::Name(name) => name.to_string(),
        };
        fields.push((field, value));
    }
    fields
}

/// Returns the English text of a warning about a file.
#[must_use]
pub fn warning(warning: &StatementWarning) -> String {
    let values: Vec<&str> = warning.values.iter().map(String::as_str).collect();
    match (&*warning.code, &values[..]) {
        ("unknown_version", [version]) => {
            format!(
                "this is version {version} of camt.053, which is newer than the known ones; check the lines"
            )
        }
        ("text_cut", [field]) => format!("a {field} of more than 1000 characters was cut"),
        ("balance_accepted", ["", difference]) => {
            format!("opening balance and lines differ by {difference} from the closing balance")
        }
        ("balance_accepted", [day, difference]) => {
            format!("opening balance and lines differ by {difference} from the balance of {day}")
        }
        ("other_currency", [account, currency, count]) => {
            format!("account {account} with {count} lines is in {currency} and was left out")
        }
        ("iban_proposed", [id, iban]) => format!(
            "the lines are taken to bank account {id}, which has no IBAN; confirm on the page /bank-accounts that {iban} is its IBAN"
        ),
        ("iban_set", [id, iban]) => format!("bank account {id} has the IBAN {iban} now"),
        (code, _) => code.to_owned(),
    }
}

/// Returns the media type of a stored file by its format, and the extension for its name.
#[must_use]
pub fn kind_of(format: &str) -> (&'static str, &'static str) {
    match format {
        "camt053" => ("application/xml", "xml"),
        "csv" => ("text/csv", "csv"),
        "zip" => ("application/zip", "zip"),
        "json" => ("text/plain", "json"),
        _ => ("text/plain", "txt"),
    }
}
