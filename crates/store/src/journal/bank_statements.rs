//! Uploads of bank statements: the file, the statements in it, and their balances.

use crate::{
    Page, StoreError, SyncFilter, Tx, bank_lines,
    change_kinds::{Event, ResourceKind},
    engine::{
        checksum,
        record::{self, Column, Record, Table, record},
        table,
    },
    param::Param,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::money::Cents;

/// Stored upload, without its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankStatement {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// SHA-256 of the file.
    pub sha256: [u8; 32],
    /// Name of the file.
    pub name: Option<String>,
    /// Size in bytes.
    pub size: i64,
    /// Format, such as `camt053`.
    pub format: String,
    /// Dialect of the format.
    pub dialect: Option<String>,
    /// Whether the upload was undone.
    pub is_undone: bool,
    /// The first warnings.
    pub warnings: Vec<StatementWarning>,
    /// Number of all warnings.
    pub warning_count: i64,
    /// Time of the upload.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Statements in the file.
    pub parts: Vec<StatementPart>,
}

/// Oddity of an accepted file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementWarning {
    /// Name of the file in an archive.
    pub file: Option<String>,
    /// Line of the file, from 1; 0 if the warning is about the file as a whole.
    pub line: i64,
    /// Code.
    pub code: String,
    /// Values of the warning, in an order that follows from the code.
    pub values: Vec<String>,
}

/// Statement of one bank account in an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementPart {
    /// Position in the upload, from 1.
    pub line: i64,
    /// Name of the file in an archive.
    pub file: Option<String>,
    /// Bank account.
    pub bank_account_id: i64,
    /// Account as the file names it.
    pub account_name: Option<String>,
    /// Number of the statement.
    pub number: Option<String>,
    /// First day.
    pub from: Option<Date>,
    /// Last day.
    pub to: Option<Date>,
    /// Day of the opening balance, as the file says.
    pub opening_on: Option<Date>,
    /// Balance before the first line.
    pub opening: Option<Cents>,
    /// Day of the closing balance.
    pub closing_on: Option<Date>,
    /// Balance after the last line.
    pub closing: Option<Cents>,
    /// Number of lines.
    pub lines: i64,
    /// Number of lines that were new.
    pub taken: i64,
    /// Number of lines that were here already.
    pub known: i64,
    /// Number of new lines that are ignored.
    pub ignored: i64,
    /// Number of entries that the bank had not booked yet.
    pub pending: i64,
    /// Number of new lines that may be others.
    pub doubtful: i64,
}

/// Balance at the end of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayBalance {
    /// Position among the balances of the upload, from 1.
    pub line: i64,
    /// Bank account.
    pub bank_account_id: i64,
    /// Day.
    pub date: Date,
    /// Balance.
    pub amount: Cents,
    /// Whether it is the opening balance of a statement, on the day before its first line.
    pub is_opening: bool,
}

/// A line per warning; the values contain neither tabs nor line breaks.
impl Column for Vec<StatementWarning> {
    fn take(row: &crate::row::Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let warning = |text: &str| {
            let mut words = text.split('\t');
            let file = words.next().filter(|file| !file.is_empty()).map(str::to_owned);
            let line = words.next()?.parse().ok()?;
            let code = words.next()?.to_owned();
            Some(StatementWarning { file, line, code, values: words.map(str::to_owned).collect() })
        };
        row.parsed(record::next(at), |text| text.lines().map(warning).collect())
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        let line = |of: &StatementWarning| {
            let values = of.values.iter().map(|value| format!("\t{value}")).collect::<String>();
            format!("{}\t{}\t{}{values}", of.file.as_deref().unwrap_or(""), of.line, of.code)
        };
        values.push(self.iter().map(line).collect::<Vec<_>>().join("\n").into());
    }
}

/// Stored names of the states: taken and undone.
mod status {
    use super::{Column, Param, StoreError};

    pub(super) fn take(row: &crate::row::Row<'_>, at: &mut usize) -> Result<bool, StoreError> {
        let name = String::take(row, at)?;
        match &*name {
            "taken" => Ok(false),
            "undone" => Ok(true),
            _ => Err(StoreError::Unreadable(format!("{name:?} is no state of a bank statement"))),
        }
    }

    pub(super) fn put(is_undone: &bool, values: &mut Vec<Param<'_>>) {
        values.push(if *is_undone { "undone" } else { "taken" }.into());
    }
}

record! {
    "bank_statements": BankStatement {
        "id": id,
        "external_id": external_id,
        "sha256": sha256,
        "name": name,
        "size": size,
        "format": format,
        "dialect": dialect,
        "status": is_undone with status,
        "warnings": warnings,
        "warning_count": warning_count,
        "created_at": created_at,
        "updated_at": updated_at,
        .. parts
    }
}
record! {
    StatementPart {
        "line": line,
        "file": file,
        "bank_account_id": bank_account_id,
        "account_name": account_name,
        "number": number,
        "date_from": from,
        "date_to": to,
        "opening_on": opening_on,
        "opening": opening,
        "closing_on": closing_on,
        "closing": closing,
        "lines": lines,
        "taken": taken,
        "known": known,
        "ignored": ignored,
        "pending": pending,
        "doubtful": doubtful,
    }
}
record! {
    DayBalance {
        "line": line,
        "bank_account_id": bank_account_id,
        "date": date,
        "amount": amount,
        "is_opening": is_opening,
    }
}

/// Checksum of an upload: of its own values, its statements, their balances and its lines.
fn checksum(statement: &BankStatement, balances: &[DayBalance], lines: &[i64]) -> [u8; 32] {
    let mut values = statement.own_values();
    statement.parts.iter().for_each(|part| part.put(&mut values));
    balances.iter().for_each(|balance| balance.put(&mut values));
    values.extend(lines.iter().copied().map(Param::Int));
    checksum::of(&values)
}

fn checked_columns() -> String {
    format!("{}, checksum", BankStatement::COLUMNS)
}

fn checked_values<'v>(
    account: i64,
    statement: &'v BankStatement,
    balances: &[DayBalance],
    lines: &[i64],
) -> Vec<Param<'v>> {
    let mut values = statement.values(account);
    values.push(Param::Bytes(checksum(statement, balances, lines).to_vec().into()));
    values
}

/// Updates the statistics of the tables that an import fills, in a transaction of its own.
///
/// # Errors
/// The storage failed.
pub fn analyze(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.analyze("bank_lines, bank_line_statements, changes")
}

/// Stores an upload with its file, its balances, and the links to its lines, whose ids are ordered.
///
/// # Errors
/// The storage failed.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    statement: &BankStatement,
    bytes: &[u8],
    balances: &[DayBalance],
    lines: &[i64],
) -> Result<(), StoreError> {
    let values = checked_values(account, statement, balances, lines);
    record::insert(tx, "bank_statements", &checked_columns(), &values)?;
    tx.execute(
        "INSERT INTO bank_statement_files (account_id, statement_id, bytes) VALUES (?1, ?2, ?3)",
        &params![account, statement.id, bytes],
    )?;
    let parts = of_statement(account, statement.id, &statement.parts);
    record::insert(
        tx,
        "bank_statement_parts",
        &format!("statement_id, {}", StatementPart::COLUMNS),
        &parts,
    )?;
    let balances = of_statement(account, statement.id, balances);
    record::insert(
        tx,
        "bank_balances",
        &format!("statement_id, {}", DayBalance::COLUMNS),
        &balances,
    )?;
    bank_lines::link(tx, account, statement.id, lines)?;
    tx.record(ResourceKind::BankStatement, statement.id, Event::Created);
    Ok(())
}

/// Values of rows, each preceded by the account and the upload.
fn of_statement(account: i64, statement: i64, rows: &[impl Record]) -> Vec<Param<'_>> {
    let mut values = Vec::new();
    for row in rows {
        values.extend([account, statement].map(Param::Int));
        row.put(&mut values);
    }
    values
}

/// Marks an upload as undone, and removes its balances and these lines.
///
/// # Errors
/// The storage failed.
pub fn undo(
    tx: &mut Tx<'_>,
    account: i64,
    statement: &BankStatement,
    lines: &[i64],
) -> Result<(), StoreError> {
    let values = checked_values(account, statement, &[], &[]);
    record::update(tx, "bank_statements", &checked_columns(), &values)?;
    tx.execute(
        "DELETE FROM bank_balances WHERE account_id = ?1 AND statement_id = ?2",
        &params![account, statement.id],
    )?;
    bank_lines::remove(tx, account, statement.id, lines)?;
    tx.record(ResourceKind::BankStatement, statement.id, Event::Updated);
    Ok(())
}

fn with_parts(
    tx: &mut Tx<'_>,
    account: i64,
    statement: Option<BankStatement>,
) -> Result<Option<BankStatement>, StoreError> {
    let Some(mut statement) = statement else { return Ok(None) };
    let sql = format!(
        "SELECT {} FROM bank_statement_parts WHERE account_id = ?1 AND statement_id = ?2 ORDER BY line",
        StatementPart::COLUMNS
    );
    statement.parts = tx.query(&sql, &params![account, statement.id], StatementPart::read)?;
    Ok(Some(statement))
}

/// Upload with this id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<BankStatement>, StoreError> {
    let statement = table::find(tx, account, "id", id)?;
    with_parts(tx, account, statement)
}

/// Upload of a file with this hash that is not undone.
///
/// # Errors
/// The storage failed.
pub fn by_hash(
    tx: &mut Tx<'_>,
    account: i64,
    sha256: &[u8; 32],
) -> Result<Option<BankStatement>, StoreError> {
    let sql = BankStatement::select("account_id = ?1 AND sha256 = ?2 AND status = 'taken'");
    let statement = tx.query_opt(&sql, &params![account, sha256], BankStatement::read)?;
    with_parts(tx, account, statement)
}

/// Upload with this external id that is not undone.
///
/// # Errors
/// The storage failed.
pub fn by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<BankStatement>, StoreError> {
    let sql = BankStatement::select("account_id = ?1 AND external_id = ?2 AND status = 'taken'");
    let statement = tx.query_opt(&sql, &params![account, external_id], BankStatement::read)?;
    with_parts(tx, account, statement)
}

/// Uploads with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &SyncFilter,
    before: i64,
    limit: i64,
) -> Result<Page<BankStatement>, StoreError> {
    let mut wanted = filter.of(account);
    wanted.with("id <", before);
    let mut page: Page<BankStatement> = table::page(tx, wanted, "id DESC", limit)?;
    for statement in &mut page.rows {
        if let Some(whole) = with_parts(tx, account, Some(statement.clone()))? {
            *statement = whole;
        }
    }
    Ok(page)
}

/// File of an upload.
///
/// # Errors
/// The storage failed.
pub fn bytes(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT bytes FROM bank_statement_files WHERE account_id = ?1 AND statement_id = ?2";
    tx.query_opt(sql, &params![account, id], |row| row.bytes(0))
}

/// Total size of the files of the account in bytes.
///
/// # Errors
/// The storage failed.
pub fn bytes_in_all(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql =
        "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM bank_statements WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Time of the upload before which `number - 1` later ones were made; `None` if there are fewer.
///
/// # Errors
/// The storage failed.
pub fn time_of_latest(
    tx: &mut Tx<'_>,
    account: i64,
    number: i64,
) -> Result<Option<Timestamp>, StoreError> {
    let sql = "SELECT created_at FROM bank_statements WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2";
    tx.query_opt(sql, &params![account, number - 1], |row| row.time(0))
}

/// Balances of a bank account in a period, ordered by date and upload; on one day, closing balances
/// come first.
///
/// # Errors
/// The storage failed.
pub fn balances(
    tx: &mut Tx<'_>,
    account: i64,
    bank_account: i64,
    (from, to): (Date, Date),
) -> Result<Vec<DayBalance>, StoreError> {
    let sql = format!(
        "SELECT {} FROM bank_balances WHERE account_id = ?1 AND bank_account_id = ?2
         AND date >= ?3 AND date <= ?4 ORDER BY date, is_opening, statement_id, line",
        DayBalance::COLUMNS
    );
    tx.query(&sql, &params![account, bank_account, from, to], DayBalance::read)
}

/// Names of accounts in files, each with the bank account that took its statements.
///
/// # Errors
/// The storage failed.
pub fn account_names(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = "SELECT DISTINCT p.account_name, p.bank_account_id FROM bank_statement_parts p
               JOIN bank_statements s ON s.account_id = ?1 AND s.id = p.statement_id AND s.status = 'taken'
               WHERE p.account_id = ?1 AND p.account_name IS NOT NULL";
    tx.query(sql, &params![account], |row| Ok((row.text(0)?, row.int(1)?)))
}

/// Whether a bank account has statements that are not undone.
///
/// # Errors
/// The storage failed.
pub fn has_statements(
    tx: &mut Tx<'_>,
    account: i64,
    bank_account: i64,
) -> Result<bool, StoreError> {
    let sql = "SELECT p.statement_id FROM bank_statement_parts p
               JOIN bank_statements s ON s.account_id = ?1 AND s.id = p.statement_id AND s.status = 'taken'
               WHERE p.account_id = ?1 AND p.bank_account_id = ?2 LIMIT 1";
    Ok(tx.query_opt(sql, &params![account, bank_account], |row| row.int(0))?.is_some())
}

/// Latest closing balance of each bank account.
///
/// # Errors
/// The storage failed.
pub fn latest_balances(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<Vec<(i64, Date, Cents)>, StoreError> {
    let sql = "SELECT b.bank_account_id, b.date, b.amount FROM bank_balances b
               WHERE b.account_id = ?1 AND b.is_opening = 0 AND b.date = (
                   SELECT MAX(o.date) FROM bank_balances o
                   WHERE o.account_id = ?1 AND o.is_opening = 0 AND o.bank_account_id = b.bank_account_id)
               ORDER BY b.bank_account_id, b.statement_id, b.line";
    tx.query(sql, &params![account], record::read)
}

/// Uploads with an id above `after`, and whether each still has its checksum and its file. Used by the
/// verification of the books.
///
/// # Errors
/// The storage failed.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
) -> Result<Option<(BankStatement, bool)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM bank_statements WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT 1",
        checked_columns()
    );
    let found = tx.query_opt(&sql, &params![account, after], |row| {
        record::read::<(BankStatement, [u8; 32])>(row)
    })?;
    let Some((statement, stored)) = found else { return Ok(None) };
    let Some(statement) = with_parts(tx, account, Some(statement))? else { return Ok(None) };
    let sql = format!(
        "SELECT {} FROM bank_balances WHERE account_id = ?1 AND statement_id = ?2 ORDER BY line",
        DayBalance::COLUMNS
    );
    let balances = tx.query(&sql, &params![account, statement.id], DayBalance::read)?;
    let lines = bank_lines::of_statement(tx, account, statement.id)?;
    let is_intact = checksum(&statement, &balances, &lines) == stored;
    let file = bytes(tx, account, statement.id)?;
    let has_file = file.is_some_and(|bytes| {
        checksum::sha256(&bytes) == statement.sha256
            && i64::try_from(bytes.len()) == Ok(statement.size)
    });
    Ok(Some((statement, is_intact && has_file)))
}
