//! Everything that is an account's: told to its owner, and erased when the account is closed.

use crate::{StoreError, Tx, param::Param, params, row::Value};
use jiff::Timestamp;

/// Every table with rows of accounts, and what its key has beside the account; whoever refers to others comes before them.
pub const TABLES: &[(&str, &[&str])] = &[
    ("api_calls", &["at", "request_id"]),
    ("oauth_refresh_tokens", &["hash"]),
    ("oauth_access_tokens", &["hash"]),
    ("oauth_codes", &["hash"]),
    ("oauth_grants", &["id"]),
    ("sessions", &["hash"]),
    ("mail_tokens", &["hash"]),
    ("recovery_codes", &["hash"]),
    ("account_events", &["at", "id"]),
    ("submissions", &["id"]),
    ("idempotency_keys", &["id"]),
    ("mails", &["id"]),
    ("webhook_deliveries", &["webhook_id", "id"]),
    ("webhooks", &["id"]),
    ("api_keys", &["hash"]),
    ("postings", &["entry_id", "line"]),
    ("entries", &["id"]),
    ("opening_items", &["event_id", "line"]),
    ("events", &["id"]),
    ("period_totals", &["year", "month", "account_code"]),
    ("vat_totals", &["year", "quarter", "account_code", "vat_box"]),
    ("quarter_totals", &["year", "quarter"]),
    ("sales_totals", &["dimension", "member", "year"]),
    ("vat_schemes", &["valid_from"]),
    ("year_closings", &["year", "version"]),
    ("vat_payments", &["id"]),
    ("vat_filing_boxes", &["year", "quarter", "version", "line"]),
    ("vat_filings", &["year", "quarter", "version"]),
    ("vat_corrections", &["invoice_id", "vat_basis_points", "vat_category", "supply"]),
    ("invoice_items", &["invoice_id", "line"]),
    ("payments", &["id"]),
    ("expense_receipts", &["expense_id", "receipt_id"]),
    ("receipt_files", &["receipt_id"]),
    ("receipts", &["id"]),
    ("expense_payments", &["expense_id", "id"]),
    ("expense_items", &["expense_id", "line"]),
    ("write_offs", &["id"]),
    ("payouts", &["id"]),
    ("expenses", &["id"]),
    ("assets", &["id"]),
    ("trips", &["id"]),
    ("invoice_documents", &["invoice_id", "format", "language"]),
    ("document_records", &["id"]),
    ("document_settings", &["sha256"]),
    ("invoice_settings", &[]),
    ("logos", &["sha256"]),
    ("invoices", &["id"]),
    ("timers", &[]),
    ("time_entries", &["id"]),
    ("hours_log", &["id"]),
    ("day_hours", &["date"]),
    ("projects", &["id"]),
    ("contacts", &["id"]),
    ("number_series", &["year"]),
    ("changes", &["sequence"]),
    ("books", &[]),
];

/// What lets somebody in: gone in the moment in which the account is closed.
const WAYS_IN: [&str; 9] = [
    "sessions",
    "mail_tokens",
    "recovery_codes",
    "api_keys",
    "oauth_refresh_tokens",
    "oauth_access_tokens",
    "oauth_codes",
    "oauth_grants",
    // Whoever writes waits for this row, and fails when it is gone: no booking that is under way outlives its account.
    "books",
];

/// Rows of a table that are read at once.
const PAGE: i64 = 1_000;

/// Tables whose rows hold a file each: few are read or erased at once.
const OF_FILES: [&str; 2] = ["receipt_files", "invoice_documents"];

fn rows_at_once(table: &str) -> i64 {
    if OF_FILES.contains(&table) { 2 } else { PAGE }
}

/// Closes an account: its address is free again, nobody can sign in, no key and no token works, and its rows wait to be erased.
/// Returns whether there was one to close.
pub fn close(tx: &mut Tx<'_>, account: i64, now: Timestamp) -> Result<bool, StoreError> {
    // A text that is no address, so that nobody can ever have it.
    let gone = tx.query_opt(
        "UPDATE accounts SET closed_at = ?2, email = ?3, password_hash = NULL, totp_seed = NULL, totp_last_step = NULL, name = '',
         street = NULL, postal_code = NULL, city = NULL, kvk_number = NULL, vat_number = NULL, iban = NULL
         WHERE id = ?1 AND closed_at IS NULL RETURNING id",
        &params![account, now, format!("closed {account}")],
        |row| row.int(0),
    )?;
    if gone.is_none() {
        return Ok(false);
    }
    for table in WAYS_IN {
        tx.execute(&format!("DELETE FROM {table} WHERE account_id = ?1"), &params![account])?;
    }
    Ok(true)
}

/// The accounts that were closed, the first closed first, with the moment.
pub fn closed(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<(i64, Timestamp)>, StoreError> {
    tx.query(
        "SELECT id, closed_at FROM accounts WHERE closed_at IS NOT NULL ORDER BY closed_at, id LIMIT ?1",
        &params![limit],
        |row| Ok((row.int(0)?, row.time(1)?)),
    )
}

/// Erases rows of a closed account, `limit` at the most; tells how many. The account's own row stays.
pub fn erase(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<i64, StoreError> {
    let mut gone = 0;
    for (table, key) in TABLES {
        if gone >= limit {
            break;
        }
        let key = [&["account_id"], *key].concat().join(", ");
        let sql = format!(
            "DELETE FROM {table} WHERE account_id = ?1 AND ({key}) IN (SELECT {key} FROM {table} WHERE account_id = ?1 LIMIT ?2)
             AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = ?1 AND a.closed_at IS NOT NULL) RETURNING account_id"
        );
        gone += tx.query(&sql, &params![account, limit - gone], |row| row.int(0))?.len() as i64;
    }
    Ok(gone)
}

/// Erases the row of a closed account that has no others any more.
pub fn erase_account(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute("DELETE FROM accounts WHERE id = ?1 AND closed_at IS NOT NULL", &params![account])
}

/// A column's name and value.
pub type Field = (String, Value);

/// Tells everything that is an account's, row by row: first the account itself, then table by table in the order of the key.
pub fn export_rows<E: From<StoreError>>(
    tx: &mut Tx<'_>,
    account: i64,
    reported: &mut dyn FnMut(&'static str, Vec<Field>) -> Result<(), E>,
) -> Result<(), E> {
    for row in tx.query("SELECT * FROM accounts WHERE id = ?1 AND closed_at IS NULL", &params![account], |row| row.fields())? {
        reported("accounts", row)?;
    }
    for (table, key) in TABLES.iter().rev() {
        let mut after: Vec<Value> = Vec::new();
        loop {
            let rows = page(tx, table, key, account, &after)?;
            let (last, full) = (rows.last().cloned().unwrap_or_default(), rows.len() as i64 == rows_at_once(table));
            for row in rows {
                reported(table, row)?;
            }
            if !full || key.is_empty() {
                break;
            }
            let value = |column: &&str| last.iter().find(|(name, _)| name == column).map(|(_, value)| value.clone());
            after = key.iter().filter_map(value).collect();
        }
    }
    Ok(())
}

fn page(tx: &mut Tx<'_>, table: &str, key: &[&str], account: i64, after: &[Value]) -> Result<Vec<Vec<Field>>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, rows_at_once(table)].into();
    let mut further = String::new();
    if !after.is_empty() {
        let places: Vec<String> = (0..after.len()).map(|place| format!("?{}", place + 3)).collect();
        further = format!(" AND ({}) > ({})", key.join(", "), places.join(", "));
        values.extend(after.iter().map(Param::from));
    }
    let order = if key.is_empty() { "account_id".to_owned() } else { key.join(", ") };
    let sql = format!("SELECT * FROM {table} WHERE account_id = ?1{further} ORDER BY {order} LIMIT ?2");
    tx.query(&sql, &values, |row| row.fields())
}
