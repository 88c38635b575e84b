//! Tables with the data of an account and its owner: exported to the owner, and erased after the
//! account is closed.

use crate::{StoreError, Tx, param::Param, params, person_id::PersonId, row::Value};
use jiff::Timestamp;

/// Table whose rows belong to one person of an account, and are exported to nobody else.
const UNFINISHED: &str = "unfinished_forms";

/// All tables whose rows belong to an account, and their key columns other than the account. A
/// table that refers to another is listed before it.
pub const TABLES: &[(&str, &[&str])] = &[
    ("api_calls", &["at", "request_id"]),
    ("oauth_refresh_tokens", &["hash"]),
    ("oauth_access_tokens", &["hash"]),
    ("oauth_codes", &["hash"]),
    ("oauth_grants", &["id"]),
    ("submissions", &["id"]),
    (UNFINISHED, &["person_id", "id"]),
    ("idempotency_keys", &["id"]),
    ("creating_bodies", &["resource", "external_id"]),
    ("request_limits", &[]),
    ("mails", &["id"]),
    ("webhook_messages", &["id"]),
    ("webhook_deliveries", &["webhook_id", "id"]),
    ("webhooks", &["id"]),
    ("api_keys", &["hash"]),
    ("postings", &["entry_id", "line"]),
    ("entries", &["id"]),
    ("opening_items", &["event_id", "line"]),
    ("events", &["id"]),
    ("period_totals", &["year", "month", "account_code"]),
    ("vat_totals", &["year", "month", "account_code", "vat_box"]),
    ("document_totals", &["year", "month"]),
    ("sales_totals", &["dimension", "member", "year"]),
    ("vat_schemes", &["valid_from"]),
    ("vat_methods", &["valid_from"]),
    ("year_closings", &["year", "version"]),
    ("closing_bookings", &["id"]),
    ("vat_revision_assets", &["year", "asset_id"]),
    ("vat_revision_requests", &["external_id"]),
    ("vat_payments", &["id"]),
    (
        "oss_filing_rows",
        &["period", "version", "corrects_period", "country", "supply", "vat_basis_points"],
    ),
    ("oss_filings", &["period", "version"]),
    ("oss_registrations", &["valid_from"]),
    ("icp_vat_numbers", &["invoice_id", "change"]),
    ("icp_filing_rows", &["period", "version", "corrects_period", "vat_number"]),
    ("icp_filings", &["period", "version"]),
    ("vat_filing_boxes", &["period", "version", "line"]),
    ("vat_filings", &["period", "version"]),
    (
        "vat_corrections",
        &["invoice_id", "vat_basis_points", "vat_category", "supply", "tax_country"],
    ),
    ("vat_due", &["invoice_id", "line"]),
    ("invoice_items", &["invoice_id", "line"]),
    ("payments", &["id"]),
    ("expense_receipts", &["expense_id", "receipt_id"]),
    ("receipt_files", &["receipt_id"]),
    ("receipts", &["id"]),
    ("expense_payments", &["expense_id", "id"]),
    ("expense_items", &["expense_id", "line"]),
    ("write_offs", &["id"]),
    ("payouts", &["id"]),
    ("bank_rule_runs", &[]),
    ("bank_rules", &["id"]),
    ("bank_mappings", &["id"]),
    ("bank_refusals", &["line_id", "suggestion"]),
    ("bank_uploads", &["sha256"]),
    ("payment_batch_items", &["batch_id", "line"]),
    ("payment_batches", &["id"]),
    ("bank_line_entries", &["entry_id", "line_id"]),
    ("bank_allocations", &["line_id", "line"]),
    ("bank_line_statements", &["line_id", "statement_id"]),
    ("bank_lines", &["id"]),
    ("bank_balances", &["statement_id", "line"]),
    ("bank_statement_parts", &["statement_id", "line"]),
    ("bank_statement_files", &["statement_id"]),
    ("bank_statements", &["id"]),
    ("expenses", &["id"]),
    ("assets", &["id"]),
    ("trips", &["id"]),
    ("quote_links", &["quote_id"]),
    ("invoice_links", &["invoice_id"]),
    ("quote_visitors", &["quote_id"]),
    ("quote_documents", &["quote_id"]),
    ("quote_invoices", &["quote_id", "invoice_id"]),
    ("quote_items", &["quote_id", "line"]),
    ("quotes", &["id"]),
    ("articles", &["id"]),
    ("due_work", &["kind"]),
    ("reminders", &["invoice_id", "step"]),
    ("reminder_stops", &["invoice_id"]),
    ("recurring_occurrences", &["recurring_id", "number"]),
    ("recurring_items", &["recurring_id", "line"]),
    ("recurring_invoices", &["id"]),
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

/// All tables whose rows belong to a person, and their key columns other than the person.
pub const TABLES_OF_PEOPLE: &[(&str, &[&str])] = &[
    ("sessions", &["hash"]),
    ("mail_tokens", &["hash"]),
    ("recovery_codes", &["hash"]),
    ("person_events", &["at", "id"]),
];

/// Tables with a person's credentials, deleted as soon as the person's accounts are closed.
const SIGN_IN: [&str; 3] = ["sessions", "mail_tokens", "recovery_codes"];

/// Tables with programs' credentials, and the table `books`. Rows of an account are deleted from
/// all of them as soon as the account is closed.
const WAYS_IN: [&str; 6] = [
    "api_keys",
    "oauth_refresh_tokens",
    "oauth_access_tokens",
    "oauth_codes",
    "oauth_grants",
    // Every write locks the row in `books` and fails if the row is missing, so no booking in
    // progress outlives its account.
    "books",
];

/// Maximum number of rows read at once during an export.
const PAGE: i64 = 1_000;

/// Tables with a file in each row. An export reads only two of these rows at once.
const OF_FILES: [&str; 5] = [
    "receipt_files",
    "bank_statement_files",
    "bank_uploads",
    "invoice_documents",
    "quote_documents",
];

fn rows_at_once(table: &str) -> i64 {
    if OF_FILES.contains(&table) { 2 } else { PAGE }
}

/// Closes the accounts of a person: the email address becomes available again, sign-in, keys and
/// tokens stop working, and the rows remain until they are erased. Returns false if the person does
/// not exist or has already closed their accounts.
pub fn close(tx: &mut Tx<'_>, person: PersonId, now: Timestamp) -> Result<bool, StoreError> {
    // `closed …` is not a valid email address, so nobody can ever sign up with it.
    let gone = tx.query_opt(
        "UPDATE people SET closed_at = ?2, email = ?3, password_hash = NULL, totp_seed = NULL, totp_last_step = NULL
         WHERE id = ?1 AND closed_at IS NULL RETURNING id",
        &params![person, now, format!("closed {}", person.0)],
        |row| row.int(0),
    )?;
    if gone.is_none() {
        return Ok(false);
    }
    for table in SIGN_IN {
        tx.execute(&format!("DELETE FROM {table} WHERE person_id = ?1"), &params![person])?;
    }
    let sql = "SELECT account_id FROM memberships WHERE person_id = ?1 AND role = 'owner' ORDER BY account_id";
    for account in tx.query(sql, &params![person], |row| row.int(0))? {
        close_account(tx, account, now)?;
    }
    Ok(true)
}

/// Closes one account: keys and tokens stop working, and the rows remain until they are erased.
pub fn close_account(tx: &mut Tx<'_>, account: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE accounts SET closed_at = ?2, name = '', street = NULL, postal_code = NULL, city = NULL, kvk_number = NULL,
         vat_number = NULL, iban = NULL, bic = NULL, phone = NULL, website = NULL, bank_accounts = '' WHERE id = ?1",
        &params![account, now],
    )?;
    for table in WAYS_IN {
        tx.execute(&format!("DELETE FROM {table} WHERE account_id = ?1"), &params![account])?;
    }
    Ok(())
}

/// Closed accounts with the time of closing, the earliest closed first.
pub fn closed(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<(i64, Timestamp)>, StoreError> {
    tx.query(
        "SELECT id, closed_at FROM accounts WHERE closed_at IS NOT NULL ORDER BY closed_at, id LIMIT ?1",
        &params![limit],
        |row| Ok((row.int(0)?, row.time(1)?)),
    )
}

/// Erases at most `limit` rows of a closed account and returns their number. The account's own row
/// remains.
pub fn erase(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<i64, StoreError> {
    let closed = "SELECT 1 FROM accounts a WHERE a.id = ?1 AND a.closed_at IS NOT NULL";
    erase_from(tx, TABLES, ("account_id", account), closed, limit)
}

/// Erases the row of a closed account whose other rows are gone.
pub fn erase_account(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM memberships WHERE account_id = ?1
         AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = ?1 AND a.closed_at IS NOT NULL)",
        &params![account],
    )?;
    tx.execute("DELETE FROM accounts WHERE id = ?1 AND closed_at IS NOT NULL", &params![account])
}

/// People who closed their account, the earliest closed first.
pub fn closed_people(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<PersonId>, StoreError> {
    tx.query(
        "SELECT id FROM people WHERE closed_at IS NOT NULL ORDER BY closed_at, id LIMIT ?1",
        &params![limit],
        |row| Ok(PersonId(row.int(0)?)),
    )
}

/// Erases at most `limit` rows of a person who closed their account, and returns their number. The
/// person's own row is erased last, after their accounts.
pub fn erase_person(tx: &mut Tx<'_>, person: PersonId, limit: i64) -> Result<i64, StoreError> {
    let closed = "SELECT 1 FROM people p WHERE p.id = ?1 AND p.closed_at IS NOT NULL";
    let erased = erase_from(tx, TABLES_OF_PEOPLE, ("person_id", person.0), closed, limit)?;
    if erased > 0 {
        return Ok(erased);
    }
    let gone = tx.query_opt(
        "DELETE FROM people WHERE id = ?1 AND closed_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.person_id = ?1) RETURNING id",
        &params![person],
        |row| row.int(0),
    )?;
    Ok(i64::from(gone.is_some()))
}

fn erase_from(
    tx: &mut Tx<'_>,
    tables: &[(&str, &[&str])],
    (owner, id): (&str, i64),
    closed: &str,
    limit: i64,
) -> Result<i64, StoreError> {
    let mut gone = 0;
    for (table, key) in tables {
        if gone >= limit {
            break;
        }
        let key = [&[owner], *key].concat().join(", ");
        let sql = format!(
            "DELETE FROM {table} WHERE {owner} = ?1 AND ({key}) IN (SELECT {key} FROM {table} WHERE {owner} = ?1 LIMIT ?2)
             AND EXISTS ({closed}) RETURNING {owner}"
        );
        gone += tx.query(&sql, &params![id, limit - gone], |row| row.int(0))?.len() as i64;
    }
    Ok(gone)
}

/// Name and value of a column.
pub type Field = (String, Value);

/// Exports all data of an account and its owner row by row: first the account and the owner, then
/// each table in the order of its key.
pub fn export_rows<E: From<StoreError>>(
    tx: &mut Tx<'_>,
    (account, owner): (i64, PersonId),
    reported: &mut dyn FnMut(&'static str, Vec<Field>) -> Result<(), E>,
) -> Result<(), E> {
    for row in tx.query(
        "SELECT * FROM accounts WHERE id = ?1 AND closed_at IS NULL",
        &params![account],
        |row| row.fields(),
    )? {
        reported("accounts", row)?;
    }
    for row in tx.query(
        "SELECT * FROM people WHERE id = ?1 AND closed_at IS NULL",
        &params![owner],
        |row| row.fields(),
    )? {
        reported("people", row)?;
    }
    for row in
        tx.query("SELECT * FROM memberships WHERE account_id = ?1", &params![account], |row| {
            row.fields()
        })?
    {
        reported("memberships", row)?;
    }
    let of_account =
        TABLES.iter().rev().map(|(table, key)| (*table, *key, ("account_id", account)));
    let of_owner =
        TABLES_OF_PEOPLE.iter().map(|(table, key)| (*table, *key, ("person_id", owner.0)));
    for (table, key, whose) in of_account.chain(of_owner) {
        let mut after: Vec<Value> = Vec::new();
        loop {
            let rows = page(tx, table, key, whose, &after)?;
            let (last, full) = (
                rows.last().cloned().unwrap_or_default(),
                rows.len() as i64 == rows_at_once(table),
            );
            for row in rows {
                if *table != *UNFINISHED || is_of(&row, owner) {
                    reported(table, with_digits(row))?;
                }
            }
            if !full || key.is_empty() {
                break;
            }
            let value = |column: &&str| {
                last.iter().find(|(name, _)| name == column).map(|(_, value)| value.clone())
            };
            after = key.iter().filter_map(value).collect();
        }
    }
    Ok(())
}

/// Whether a row belongs to this person of the account.
fn is_of(row: &[Field], person: PersonId) -> bool {
    row.iter().any(|(name, value)| name == "person_id" && *value == Value::Int(person.0))
}

/// Columns with the code of a ledger account.
const ACCOUNT_CODES: [&str; 6] = [
    "account_code",
    "category",
    "accumulated_code",
    "depreciation_code",
    "bank_code",
    "provider_code",
];

/// Replaces the stored codes of own accounts by their four digits.
fn with_digits(row: Vec<Field>) -> Vec<Field> {
    let digits = |(name, value): Field| {
        let of_account = ACCOUNT_CODES.contains(&name.as_str());
        let value = match value {
            Value::Int(stored) if of_account => Value::Int(stored % 10_000),
            other => other,
        };
        (name, value)
    };
    row.into_iter().map(digits).collect()
}

fn page(
    tx: &mut Tx<'_>,
    table: &str,
    key: &[&str],
    (owner, id): (&str, i64),
    after: &[Value],
) -> Result<Vec<Vec<Field>>, StoreError> {
    let mut values: Vec<Param<'_>> = params![id, rows_at_once(table)].into();
    let mut further = String::new();
    if !after.is_empty() {
        let places: Vec<String> = (0..after.len()).map(|place| format!("?{}", place + 3)).collect();
        further = format!(" AND ({}) > ({})", key.join(", "), places.join(", "));
        values.extend(after.iter().map(Param::from));
    }
    let order = if key.is_empty() { owner.to_owned() } else { key.join(", ") };
    let sql =
        format!("SELECT * FROM {table} WHERE {owner} = ?1{further} ORDER BY {order} LIMIT ?2");
    tx.query(&sql, &values, |row| row.fields())
}
