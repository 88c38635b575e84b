//! Lines of bank statements, and their links to the statements that contain them.

use crate::{
    Page, StoreError, Tx, Updated,
    change_kinds::{Event, ResourceKind},
    engine::{
        checksum,
        filter::Filter,
        record::{self, Column, Record, columns_by_name, record},
    },
    param::Param,
    params,
    tx::id_list,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    bank_line::{BookedBy, IgnoreReason, LineState},
    money::Cents,
};
use std::collections::BTreeMap;

/// Stored line of a bank statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankLine {
    /// Unique within the account.
    pub id: i64,
    /// Bank account.
    pub bank_account_id: i64,
    /// Day on which the bank booked it.
    pub date: Date,
    /// Day from which the amount counts for interest.
    pub value_date: Option<Date>,
    /// Amount; negative if money went out.
    pub amount: Cents,
    /// Balance of the account after the line.
    pub balance_after: Option<Cents>,
    /// Name of the counterparty.
    pub name: Option<String>,
    /// IBAN of the counterparty.
    pub iban: Option<String>,
    /// Remittance information, or the bank's description.
    pub text: String,
    /// Kind of transaction, such as `directDebit`.
    pub kind: String,
    /// End-to-end id of the payer.
    pub end_to_end_id: Option<String>,
    /// Mandate of a direct debit.
    pub mandate_id: Option<String>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<String>,
    /// Reference of the bank.
    pub bank_reference: Option<String>,
    /// Structured payment reference of the payee.
    pub payment_reference: Option<String>,
    /// Amount in another currency, before the bank converted it.
    pub original: Option<OriginalAmount>,
    /// Payments of a batch that the bank booked as one line.
    pub parts: Vec<LinePart>,
    /// Reason of a returned payment.
    pub return_reason: Option<String>,
    /// Layout of the file that brought the line.
    pub layout: String,
    /// Fields that a later file filled. The line is not compared by them.
    pub learned: Learned,
    /// State.
    pub state: LineState,
    /// Reason why the line is ignored.
    pub state_reason: Option<IgnoreReason>,
    /// Remark of the owner.
    pub note: Option<String>,
    /// Line that may be the same payment.
    pub duplicate_of: Option<i64>,
    /// Kind of caller that booked the line.
    pub booked_by: Option<BookedBy>,
    /// Rule that booked or ignored the line; also after that was undone.
    pub rule_id: Option<i64>,
    /// Id of the suggestion that was accepted.
    pub accepted: Option<String>,
    /// The caller's own identifier of the booking.
    pub external_id: Option<String>,
    /// Time of the import.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Amount in another currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalAmount {
    /// Amount without sign, as decimal digits.
    pub amount: String,
    /// Currency code (ISO 4217).
    pub currency: String,
    /// Exchange rate, as decimal digits.
    pub rate: Option<String>,
}

/// Payment in a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinePart {
    /// Amount, with the sign of its line.
    pub amount: Option<Cents>,
    /// Name of the counterparty.
    pub name: Option<String>,
    /// IBAN of the counterparty.
    pub iban: Option<String>,
    /// Remittance information.
    pub text: Option<String>,
    /// End-to-end id of the payer.
    pub end_to_end_id: Option<String>,
}

/// Fields by which lines are compared and that a later file filled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Learned {
    /// IBAN of the counterparty.
    pub iban: bool,
    /// End-to-end id.
    pub end_to_end_id: bool,
    /// Reference of the bank.
    pub bank_reference: bool,
}

impl Column for Option<OriginalAmount> {
    fn take(row: &crate::row::Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        match <(Option<String>, Option<String>, Option<String>)>::take(row, at)? {
            (Some(amount), Some(currency), rate) => {
                Ok(Some(OriginalAmount { amount, currency, rate }))
            }
            (None, None, None) => Ok(None),
            _ => Err(StoreError::Unreadable("an original amount is incomplete".to_owned())),
        }
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.as_ref().map(|of| &of.amount).into());
        values.push(self.as_ref().map(|of| &of.currency).into());
        values.push(self.as_ref().and_then(|of| of.rate.as_ref()).into());
    }
}

/// A line per payment; the texts contain neither tabs nor line breaks.
impl Column for Vec<LinePart> {
    fn take(row: &crate::row::Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let part = |line: &str| {
            let [amount, name, iban, text, end_to_end_id]: [&str; 5] =
                line.split('\t').collect::<Vec<_>>().try_into().ok()?;
            let amount = match amount {
                "" => None,
                digits => Some(Cents::new(digits.parse().ok()?)),
            };
            let [name, iban, text, end_to_end_id] =
                [name, iban, text, end_to_end_id].map(|it| (!it.is_empty()).then(|| it.to_owned()));
            Some(LinePart { amount, name, iban, text, end_to_end_id })
        };
        row.parsed(record::next(at), |text| text.lines().map(part).collect())
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        let line = |part: &LinePart| {
            let amount = part.amount.map_or_else(String::new, |amount| amount.get().to_string());
            let texts = [&part.name, &part.iban, &part.text, &part.end_to_end_id]
                .map(|text| text.as_deref().unwrap_or(""));
            format!("{amount}\t{}", texts.join("\t"))
        };
        values.push(self.iter().map(line).collect::<Vec<_>>().join("\n").into());
    }
}

impl Learned {
    const NAMES: [&'static str; 3] = ["iban", "end_to_end_id", "bank_reference"];

    /// Names of the learned fields, separated by blanks.
    fn names(self) -> String {
        let are_learned = [self.iban, self.end_to_end_id, self.bank_reference];
        let names = Self::NAMES.into_iter().zip(are_learned).filter(|(_, is_learned)| *is_learned);
        names.map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    }
}

impl Column for Learned {
    fn take(row: &crate::row::Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        row.parsed(record::next(at), |text| {
            let [iban, end_to_end_id, bank_reference] =
                Self::NAMES.map(|name| text.split(' ').any(|word| word == name));
            let learned = Self { iban, end_to_end_id, bank_reference };
            (learned.names() == text).then_some(learned)
        })
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(self.names().into());
    }
}

columns_by_name!(LineState, IgnoreReason, BookedBy);
record! {
    "bank_lines": BankLine {
        "id": id,
        "bank_account_id": bank_account_id,
        "date": date,
        "value_date": value_date,
        "amount": amount,
        "balance_after": balance_after,
        "name": name,
        "iban": iban,
        "text": text,
        "kind": kind,
        "end_to_end_id": end_to_end_id,
        "mandate_id": mandate_id,
        "creditor_id": creditor_id,
        "bank_reference": bank_reference,
        "payment_reference": payment_reference,
        "original_amount, original_currency, original_rate": original,
        "parts": parts,
        "return_reason": return_reason,
        "layout": layout,
        "learned": learned,
        "state": state,
        "state_reason": state_reason,
        "note": note,
        "duplicate_of": duplicate_of,
        "booked_by": booked_by,
        "rule_id": rule_id,
        "accepted": accepted,
        "external_id": external_id,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}

/// Columns with the checksum.
fn checked_columns() -> String {
    format!("{}, checksum", BankLine::COLUMNS)
}

/// Values of [`checked_columns`].
fn checked_values<'v>(line: &'v BankLine, values: &mut Vec<Param<'v>>) {
    let own = line.own_values();
    let checksum = checksum::of(&own);
    values.extend(own);
    values.push(Param::Bytes(checksum.to_vec().into()));
}

/// Number of lines whose values are in memory at once.
const CHUNK: usize = 1_000;

/// Stores new lines.
///
/// # Errors
/// The storage failed.
pub fn insert(tx: &mut Tx<'_>, account: i64, lines: &[BankLine]) -> Result<(), StoreError> {
    let columns = checked_columns();
    for chunk in lines.chunks(CHUNK) {
        let mut values = Vec::new();
        for line in chunk {
            values.push(Param::Int(account));
            checked_values(line, &mut values);
        }
        record::insert(tx, "bank_lines", &columns, &values)?;
    }
    for line in lines {
        tx.record(ResourceKind::BankLine, line.id, Event::Created);
    }
    Ok(())
}

/// Stores a changed line.
///
/// # Errors
/// The storage failed.
pub fn update(tx: &mut Tx<'_>, account: i64, line: &BankLine) -> Result<(), StoreError> {
    let mut values = vec![Param::Int(account)];
    checked_values(line, &mut values);
    record::update(tx, "bank_lines", &checked_columns(), &values)?;
    tx.record(ResourceKind::BankLine, line.id, Event::Updated);
    Ok(())
}

/// Line with this id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<BankLine>, StoreError> {
    crate::engine::table::find(tx, account, "id", id)
}

/// Lines with these ids, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn by_ids(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Vec<BankLine>, StoreError> {
    crate::engine::table::by_ids(tx, account, ids)
}

/// Values by which a stored line is compared with those of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLine {
    /// Id.
    pub id: i64,
    /// Day on which the bank booked it.
    pub date: Date,
    /// Amount.
    pub amount: Cents,
    /// IBAN of the counterparty.
    pub iban: Option<String>,
    /// End-to-end id.
    pub end_to_end_id: Option<String>,
    /// Reference of the bank.
    pub bank_reference: Option<String>,
    /// Text.
    pub text: String,
    /// Layout of the file that brought the line.
    pub layout: String,
    /// Fields that a later file filled.
    pub learned: Learned,
}

record! {
    KnownLine {
        "id": id,
        "date": date,
        "amount": amount,
        "iban": iban,
        "end_to_end_id": end_to_end_id,
        "bank_reference": bank_reference,
        "text": text,
        "layout": layout,
        "learned": learned,
    }
}

/// Lines of a bank account in a period, ordered by date and id.
///
/// # Errors
/// The storage failed.
pub fn known(
    tx: &mut Tx<'_>,
    account: i64,
    bank_account: i64,
    (from, to): (Date, Date),
) -> Result<Vec<KnownLine>, StoreError> {
    let sql = format!(
        "SELECT {} FROM bank_lines WHERE account_id = ?1 AND bank_account_id = ?2
         AND date >= ?3 AND date <= ?4 ORDER BY date, id",
        KnownLine::COLUMNS
    );
    tx.query(&sql, &params![account, bank_account, from, to], KnownLine::read)
}

/// Filter for a list of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineFilter {
    /// Bank account.
    pub bank_account: Option<i64>,
    /// State.
    pub state: Option<LineState>,
    /// First and last day.
    pub days: (Option<Date>, Option<Date>),
    /// Text in the name, the IBAN, the text, a reference or the note, ignoring case.
    pub text: Option<String>,
    /// Least and greatest amount.
    pub amounts: (Option<Cents>, Option<Cents>),
    /// IBAN of the counterparty.
    pub iban: Option<String>,
    /// Statement that contains the line.
    pub statement: Option<i64>,
    /// External id of the booking.
    pub external_id: Option<String>,
    /// Whether the line may be another one.
    pub doubtful: Option<bool>,
    /// Period of the last change.
    pub updated: Option<Updated>,
}

/// Expressions in which [`LineFilter::text`] is looked up.
const SEARCHED: &[&str] = &[
    "lower(COALESCE(name, ''))",
    "lower(COALESCE(iban, ''))",
    "lower(text)",
    "lower(COALESCE(end_to_end_id, ''))",
    "lower(COALESCE(payment_reference, ''))",
    "lower(COALESCE(note, ''))",
];

impl LineFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("bank_account_id =", self.bank_account);
        filter.given("state =", self.state.map(LineState::as_str));
        filter.given("date >=", self.days.0);
        filter.given("date <=", self.days.1);
        filter.given("amount >=", self.amounts.0.map(Cents::get));
        filter.given("amount <=", self.amounts.1.map(Cents::get));
        filter.given("iban =", self.iban.as_deref());
        filter.given("external_id =", self.external_id.as_deref());
        if let Some(statement) = self.statement {
            let statement = filter.bind(statement);
            filter.and(&format!(
                "id IN (SELECT s.line_id FROM bank_line_statements s
                 WHERE s.account_id = ?1 AND s.statement_id = {statement})"
            ));
        }
        filter.either(self.doubtful, "duplicate_of IS NOT NULL", "duplicate_of IS NULL");
        if let Some(text) = &self.text {
            filter.holds(SEARCHED, text, None);
        }
        filter.updated(self.updated);
        filter
    }
}

/// Lines with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &LineFilter,
    before: i64,
    limit: i64,
) -> Result<Page<BankLine>, StoreError> {
    let mut wanted = filter.of(account);
    wanted.with("id <", before);
    crate::engine::table::page(tx, wanted, "id DESC", limit)
}

/// New lines with an id above `after`, ordered by id.
///
/// # Errors
/// The storage failed.
pub fn new_after(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<BankLine>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("state =", LineState::New.as_str());
    wanted.with("id >", after);
    crate::engine::table::first(tx, wanted, "id", limit)
}

/// Section of a list of lines, latest first.
///
/// # Errors
/// The storage failed.
pub fn section(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &LineFilter,
    rows: (i64, i64),
) -> Result<Vec<BankLine>, StoreError> {
    crate::engine::table::section(tx, filter.of(account), "date DESC, id DESC", rows)
}

/// Totals of a list of lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineSums {
    /// Number of lines.
    pub count: i64,
    /// Sum of the incoming amounts.
    pub incoming: Cents,
    /// Sum of the outgoing amounts, which is negative.
    pub outgoing: Cents,
}

/// Totals of a complete list of lines.
///
/// # Errors
/// The storage failed.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &LineFilter) -> Result<LineSums, StoreError> {
    let filter = filter.of(account);
    let sql = format!(
        "SELECT COUNT(*),
         CAST(COALESCE(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END), 0) AS BIGINT),
         CAST(COALESCE(SUM(CASE WHEN amount < 0 THEN amount ELSE 0 END), 0) AS BIGINT)
         FROM bank_lines WHERE {filter}"
    );
    tx.query_one(&sql, filter.values(), |row| {
        Ok(LineSums {
            count: row.int(0)?,
            incoming: Cents::new(row.int(1)?),
            outgoing: Cents::new(row.int(2)?),
        })
    })
}

/// Number of lines that wait for the owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// New lines.
    pub new: i64,
    /// New lines that may be others.
    pub doubtful: i64,
}

/// Number of lines that wait for the owner, of one bank account or of all.
///
/// # Errors
/// The storage failed.
pub fn counts(
    tx: &mut Tx<'_>,
    account: i64,
    bank_account: Option<i64>,
) -> Result<LineCounts, StoreError> {
    let mut filter = Filter::of(account);
    filter.given("bank_account_id =", bank_account);
    filter.and("state = 'new'");
    let sql = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN duplicate_of IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT)
         FROM bank_lines WHERE {filter}"
    );
    tx.query_one(&sql, filter.values(), |row| {
        Ok(LineCounts { new: row.int(0)?, doubtful: row.int(1)? })
    })
}

/// Number of new lines.
///
/// # Errors
/// The storage failed.
pub fn count_new(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM bank_lines WHERE account_id = ?1 AND state = 'new'";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Ids of the statements of each of these lines.
///
/// # Errors
/// The storage failed.
pub fn statements_of(
    tx: &mut Tx<'_>,
    account: i64,
    lines: &[i64],
) -> Result<BTreeMap<i64, Vec<i64>>, StoreError> {
    let mut statements: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for chunk in lines.chunks(CHUNK) {
        let (places, ids) = id_list(chunk, 2);
        let mut values = vec![Param::Int(account)];
        values.extend(ids.into_iter().map(Param::Int));
        let sql = format!(
            "SELECT line_id, statement_id FROM bank_line_statements
             WHERE account_id = ?1 AND line_id IN ({places}) ORDER BY line_id, statement_id"
        );
        for (line, statement) in tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))? {
            statements.entry(line).or_default().push(statement);
        }
    }
    Ok(statements)
}

/// Links lines to a statement.
///
/// # Errors
/// The storage failed.
pub fn link(
    tx: &mut Tx<'_>,
    account: i64,
    statement: i64,
    lines: &[i64],
) -> Result<(), StoreError> {
    let values: Vec<Param<'_>> =
        lines.iter().flat_map(|line| [account, *line, statement].map(Param::Int)).collect();
    let head = "INSERT INTO bank_line_statements (account_id, line_id, statement_id)";
    tx.insert_rows(head, 3, &values, "")
}

/// Ids of the lines of a statement, in order.
///
/// # Errors
/// The storage failed.
pub fn of_statement(tx: &mut Tx<'_>, account: i64, statement: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT line_id FROM bank_line_statements WHERE account_id = ?1 AND statement_id = ?2 ORDER BY line_id";
    tx.query(sql, &params![account, statement], |row| row.int(0))
}

/// Ids and states of the lines that no other statement contains, in order.
///
/// # Errors
/// The storage failed.
pub fn only_of_statement(
    tx: &mut Tx<'_>,
    account: i64,
    statement: i64,
) -> Result<Vec<(i64, LineState)>, StoreError> {
    let sql = "SELECT b.id, b.state FROM bank_line_statements l
               JOIN bank_lines b ON b.account_id = ?1 AND b.id = l.line_id
               WHERE l.account_id = ?1 AND l.statement_id = ?2 AND NOT EXISTS (
                   SELECT 1 FROM bank_line_statements o
                   WHERE o.account_id = ?1 AND o.line_id = l.line_id AND o.statement_id <> ?2)
               ORDER BY b.id";
    tx.query(sql, &params![account, statement], |row| {
        Ok((row.int(0)?, row.parsed(1, LineState::parse)?))
    })
}

/// Removes the links of a statement, and these lines.
///
/// # Errors
/// The storage failed.
pub fn remove(
    tx: &mut Tx<'_>,
    account: i64,
    statement: i64,
    lines: &[i64],
) -> Result<(), StoreError> {
    let sql = "DELETE FROM bank_line_statements WHERE account_id = ?1 AND statement_id = ?2";
    tx.execute(sql, &params![account, statement])?;
    for chunk in lines.chunks(CHUNK) {
        let (places, ids) = id_list(chunk, 2);
        let mut values = vec![Param::Int(account)];
        values.extend(ids.into_iter().map(Param::Int));
        let sql = format!("DELETE FROM bank_lines WHERE account_id = ?1 AND id IN ({places})");
        tx.execute(&sql, &values)?;
        let sql =
            format!("DELETE FROM bank_refusals WHERE account_id = ?1 AND line_id IN ({places})");
        tx.execute(&sql, &values)?;
    }
    for line in lines {
        tx.record(ResourceKind::BankLine, *line, Event::Deleted);
    }
    Ok(())
}

/// Lines that may be the same payment as a line that does not exist.
///
/// # Errors
/// The storage failed.
pub fn doubts_without_line(tx: &mut Tx<'_>, account: i64) -> Result<Vec<BankLine>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.and(
        "duplicate_of IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM bank_lines o WHERE o.account_id = ?1 AND o.id = bank_lines.duplicate_of)",
    );
    crate::engine::table::first(tx, wanted, "id", i64::MAX)
}

/// Lines of a bank account in figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineFigures {
    /// Number of new lines.
    pub new: i64,
    /// Date of the first line.
    pub first: Option<Date>,
    /// Date of the last line.
    pub last: Option<Date>,
}

/// Figures of the lines of each bank account.
///
/// # Errors
/// The storage failed.
pub fn figures(tx: &mut Tx<'_>, account: i64) -> Result<BTreeMap<i64, LineFigures>, StoreError> {
    let sql = "SELECT bank_account_id, MIN(date), MAX(date) FROM bank_lines
               WHERE account_id = ?1 GROUP BY bank_account_id";
    let days = tx.query(sql, &params![account], |row| {
        Ok((row.int(0)?, LineFigures { new: 0, first: row.opt_date(1)?, last: row.opt_date(2)? }))
    })?;
    let mut figures: BTreeMap<i64, LineFigures> = days.into_iter().collect();
    // The sign keeps SQLite from reading all lines in the order of an index on bank accounts.
    let sql = "SELECT bank_account_id, COUNT(*) FROM bank_lines
               WHERE account_id = ?1 AND state = 'new' GROUP BY +bank_account_id, bank_account_id";
    for (bank_account, new) in
        tx.query(sql, &params![account], |row| Ok((row.int(0)?, row.int(1)?)))?
    {
        figures.entry(bank_account).or_default().new = new;
    }
    Ok(figures)
}

/// Number of all lines, and of the new ones, in a period.
///
/// # Errors
/// The storage failed.
pub fn count(
    tx: &mut Tx<'_>,
    account: i64,
    (from, to): (Date, Date),
) -> Result<(i64, i64), StoreError> {
    let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN state = 'new' THEN 1 ELSE 0 END), 0) AS BIGINT)
               FROM bank_lines WHERE account_id = ?1 AND date >= ?2 AND date <= ?3";
    tx.query_one(sql, &params![account, from, to], |row| Ok((row.int(0)?, row.int(1)?)))
}

/// Lines of a day in sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaySum {
    /// Day.
    pub date: Date,
    /// Sum of the lines, except those that are ignored as duplicates.
    pub amount: Cents,
    /// Sum of the new lines.
    pub new: Cents,
    /// Number of the new lines.
    pub count: i64,
    /// Sum of the lines that are ignored, except duplicates.
    pub ignored: Cents,
}

record! {
    DaySum {
        "date": date,
        "amount": amount,
        "new": new,
        "count": count,
        "ignored": ignored,
    }
}

/// Sums of the lines of a bank account on each day with lines up to `until`, ordered by day.
///
/// # Errors
/// The storage failed.
pub fn sums_of_days(
    tx: &mut Tx<'_>,
    account: i64,
    bank_account: i64,
    until: Date,
) -> Result<Vec<DaySum>, StoreError> {
    let sql = "SELECT date,
               CAST(SUM(CASE WHEN state_reason = 'duplicate' THEN 0 ELSE amount END) AS BIGINT),
               CAST(SUM(CASE WHEN state = 'new' THEN amount ELSE 0 END) AS BIGINT),
               CAST(SUM(CASE WHEN state = 'new' THEN 1 ELSE 0 END) AS BIGINT),
               CAST(SUM(CASE WHEN state = 'ignored' AND state_reason <> 'duplicate'
                        THEN amount ELSE 0 END) AS BIGINT)
               FROM bank_lines WHERE account_id = ?1 AND bank_account_id = ?2 AND date <= ?3
               GROUP BY date ORDER BY date";
    tx.query(sql, &params![account, bank_account, until], DaySum::read)
}

/// Sum of the lines of a bank account after one day, up to and including another, except those that
/// are ignored as duplicates.
///
/// # Errors
/// The storage failed.
pub fn sum_between(
    tx: &mut Tx<'_>,
    account: i64,
    bank_account: i64,
    (after, until): (Date, Date),
) -> Result<Cents, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(
                 CASE WHEN state_reason = 'duplicate' THEN 0 ELSE amount END), 0) AS BIGINT)
               FROM bank_lines WHERE account_id = ?1 AND bank_account_id = ?2
               AND date > ?3 AND date <= ?4";
    let sum = tx.query_one(sql, &params![account, bank_account, after, until], |row| row.int(0))?;
    Ok(Cents::new(sum))
}

/// Lines with an id above `after`, and whether each still has its checksum. Used by the verification of
/// the books.
///
/// # Errors
/// The storage failed.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<(BankLine, bool)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM bank_lines WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
        checked_columns()
    );
    tx.query(&sql, &params![account, after, limit], |row| {
        let (line, checksum): (BankLine, [u8; 32]) = record::read(row)?;
        let is_intact = checksum::of(&line.own_values()) == checksum;
        Ok((line, is_intact))
    })
}
