//! Bank statements: reading uploaded files, and the texts about them.

use crate::{AppState, capacity::Asker, problem::Problem};
use bank_files::{Amounts, Cause, Column, DecimalSeparator, Mapping, Refusal};
use jiff::civil::Date;
use serde_json::{Map, Value, json};
use service::bank_statements::{self, ReadOptions, StatementFile, StatementWarning};
use std::sync::Arc;

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

/// Returns a mapping as JSON.
fn mapping(mapping: &Mapping) -> Value {
    let column = |column: &Column| match column {
        Column::Index(index) => json!(index),
        Column::Name(name) => json!(name),
    };
    let columns = &mapping.columns;
    let mut of_columns = Map::new();
    let mut put = |name: &str, value: Option<&Column>| {
        if let Some(value) = value {
            of_columns.insert(name.to_owned(), column(value));
        }
    };
    put("date", Some(&columns.date));
    match &columns.amount {
        Amounts::Signed(amount) => put("amount", Some(amount)),
        Amounts::DebitCredit { debit, credit } => {
            put("debit", Some(debit));
            put("credit", Some(credit));
        }
        Amounts::WithSign { amount, sign } => {
            put("amount", Some(amount));
            put("sign", Some(sign));
        }
    }
    put("valueDate", columns.value_date.as_ref());
    put("name", columns.name.as_ref());
    put("iban", columns.iban.as_ref());
    put("reference", columns.reference.as_ref());
    put("balance", columns.balance.as_ref());
    put("account", columns.account.as_ref());
    put("currency", columns.currency.as_ref());
    of_columns.insert("text".to_owned(), columns.text.iter().map(column).collect());
    json!({
        "delimiter": char::from(mapping.delimiter).to_string(),
        "encoding": mapping.encoding.map(bank_files::Charset::as_str),
        "headRows": mapping.head_rows,
        "columns": of_columns,
        "dateFormat": mapping.date_format.as_str(),
        "decimal": match mapping.decimal {
            DecimalSeparator::Comma => ",",
            DecimalSeparator::Point => ".",
            DecimalSeparator::Either => "either",
        },
        "outWords": mapping.out_words,
        "invert": mapping.invert,
        "head": mapping.head,
    })
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
