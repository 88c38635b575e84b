//! Lower bound for the cost of creating invoices on SQLite: plain rusqlite writes the same rows, 64
//! invoices per flushed commit.

use anyhow::Context;
use rusqlite::{Connection, OpenFlags, params_from_iter, types::Value};
use std::{
    path::{Path, PathBuf},
    rc::Rc,
    time::Instant,
};

const SCHEMA: &str = include_str!("../../../crates/store/migrations/sqlite/0001_books.sql");
const PER_COMMIT: usize = 64;
/// Maximum number of invoices that are written again.
const ENOUGH: usize = 40_000;

/// A row with its column names.
struct Row {
    names: Rc<[String]>,
    values: Vec<Value>,
}

impl Row {
    fn get(&self, name: &str) -> anyhow::Result<&Value> {
        let place = self
            .names
            .iter()
            .position(|known| known == name)
            .with_context(|| format!("there is no column {name}"))?;
        Ok(&self.values[place])
    }
}

/// Rows of one invoice.
struct Written {
    invoice: Row,
    items: Vec<Row>,
    entry: Row,
    postings: Vec<Row>,
    changes: Vec<Row>,
    records: Vec<Row>,
}

/// Options of `floor`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// SQLite database whose invoices are written again, to a new file in the same folder
    #[arg(long)]
    pub books: PathBuf,
}

/// Prints the number of invoices written per second.
///
/// # Errors
/// The books cannot be read or written.
pub fn run(options: &Options) -> anyhow::Result<()> {
    println!("{}", invoices_per_second(&options.books)?);
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    clippy::float_arithmetic,
    reason = "a measurement, not money"
)]
fn invoices_per_second(books: &Path) -> anyhow::Result<f64> {
    let all = read(books)?;
    let folder =
        tempfile::tempdir_in(books.parent().context("the database has no parent folder")?)?;
    let mut fresh = Connection::open(folder.path().join("floor.db"))?;
    fresh.pragma_update(None, "journal_mode", "WAL")?;
    fresh.pragma_update(None, "synchronous", "FULL")?;
    fresh.pragma_update(None, "foreign_keys", true)?;
    fresh.execute_batch(SCHEMA)?;
    fresh.set_prepared_statement_cache_capacity(64);
    prepare(&fresh, books)?;
    let begun = Instant::now();
    for chunk in all.chunks(PER_COMMIT) {
        let commit = fresh.transaction()?;
        for invoice in chunk {
            write(&commit, invoice)?;
        }
        commit.commit()?;
    }
    Ok(all.len() as f64 / begun.elapsed().as_secs_f64())
}

fn read(books: &Path) -> anyhow::Result<Vec<Written>> {
    let books = Connection::open_with_flags(books, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let rows = |sql: &str, key: &[&Value]| -> anyhow::Result<Vec<Row>> {
        let mut statement = books.prepare_cached(sql)?;
        let names: Rc<[String]> = statement.column_names().map(str::to_owned).collect();
        let read =
            |row: &rusqlite::Row<'_>| (0..names.len()).map(|column| row.get(column)).collect();
        let rows = statement.query_map(params_from_iter(key), read)?;
        rows.map(|values| Ok(Row { names: Rc::clone(&names), values: values? })).collect()
    };
    let of_invoice = |invoice: Row| {
        let key = [invoice.get("account_id")?, invoice.get("id")?];
        let items =
            rows("SELECT * FROM invoice_items WHERE account_id = ?1 AND invoice_id = ?2", &key)?;
        let by_source = "SELECT * FROM entries INDEXED BY entries_by_source
             WHERE account_id = ?1 AND source_type = 'invoice' AND source_id = ?2";
        let entry = rows(by_source, &key)?.pop().context("an invoice without an entry")?;
        let postings = rows(
            "SELECT * FROM postings WHERE account_id = ?1 AND entry_id = ?2",
            &[key[0], entry.get("id")?],
        )?;
        // Each invoice is recorded as a change; the order of the changes does not matter here.
        let changes = rows(
            "SELECT * FROM changes WHERE account_id = ?1 AND sequence = ?2 AND kind = 'invoice'",
            &key,
        )?;
        let sent = "SELECT * FROM document_records WHERE account_id = ?1 AND invoice_id = ?2 AND kind = 'sent'";
        let records = rows(sent, &key)?;
        Ok(Written { invoice, items, entry, postings, changes, records })
    };
    let invoices = rows(
        "SELECT * FROM invoices ORDER BY created_at LIMIT ?1",
        &[&Value::Integer(i64::try_from(ENOUGH)?)],
    )?;
    invoices.into_iter().map(of_invoice).collect()
}

/// Statements that copy the rows on which invoices depend: accounts, books and contacts.
const PREPARE: [&str; 3] = [
    "INSERT INTO accounts SELECT * FROM books.accounts",
    "INSERT INTO books SELECT * FROM books.books",
    "INSERT INTO contacts SELECT * FROM books.contacts",
];

/// Statement that adds to the monthly total of a ledger account.
const PERIOD_TOTALS: &str =
    "INSERT INTO period_totals (account_id, year, month, account_code, debit, credit) VALUES (?1, 2026, 3, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET debit = debit + excluded.debit, credit = credit + excluded.credit";
/// Statement that adds to the total of a ledger account in a VAT box.
const VAT_TOTALS: &str =
    "INSERT INTO vat_totals (account_id, year, quarter, account_code, vat_box, debit, credit) VALUES (?1, 2026, 1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET debit = debit + excluded.debit, credit = credit + excluded.credit";
const BOOKS: &str =
    "UPDATE books SET last_invoice = ?2, last_entry = ?3, head_hash = ?4 WHERE account_id = ?1";
const NUMBER_SERIES: &str =
    "INSERT INTO number_series (account_id, year, start, last) VALUES (?1, 2026, 0, ?2)
     ON CONFLICT DO UPDATE SET last = excluded.last";
const QUARTER_TOTALS: &str = "INSERT INTO quarter_totals VALUES (?1, 2026, 1, 1, 1, 0, 0, 0, 0, 0, ?2, 0, 0, 0, 0)
     ON CONFLICT DO UPDATE SET entries = entries + 1, invoices = invoices + 1, outstanding = outstanding + excluded.outstanding";

fn prepare(fresh: &Connection, books: &Path) -> anyhow::Result<()> {
    fresh.execute("ATTACH ?1 AS books", [books.display().to_string()])?;
    for statement in PREPARE {
        fresh.execute(statement, [])?;
    }
    Ok(fresh.execute_batch("DETACH books")?)
}

fn write(commit: &Connection, written: &Written) -> anyhow::Result<()> {
    let Written { invoice, items, entry, postings, changes, records } = written;
    let insert = |table: &str, row: &Row| -> anyhow::Result<()> {
        let places = vec!["?"; row.values.len()].join(",");
        commit
            .prepare_cached(&format!("INSERT INTO {table} VALUES ({places})"))?
            .execute(params_from_iter(&row.values))?;
        Ok(())
    };
    let count = |sql: &str, values: &[&Value]| -> anyhow::Result<()> {
        commit.prepare_cached(sql)?.execute(params_from_iter(values))?;
        Ok(())
    };
    let account = invoice.get("account_id")?;
    insert("invoices", invoice)?;
    items.iter().try_for_each(|item| insert("invoice_items", item))?;
    insert("entries", entry)?;
    changes.iter().try_for_each(|change| insert("changes", change))?;
    records.iter().try_for_each(|record| insert("document_records", record))?;
    for posting in postings {
        insert("postings", posting)?;
        let (code, vat_box) = (posting.get("account_code")?, posting.get("vat_box")?);
        let (debit, credit) = (posting.get("debit")?, posting.get("credit")?);
        count(PERIOD_TOTALS, &[account, code, debit, credit])?;
        if *vat_box != Value::Text(String::new()) {
            count(VAT_TOTALS, &[account, code, vat_box, debit, credit])?;
        }
    }
    count(BOOKS, &[account, invoice.get("id")?, entry.get("id")?, entry.get("hash")?])?;
    count(NUMBER_SERIES, &[account, invoice.get("number_in_year")?])?;
    count(QUARTER_TOTALS, &[account, invoice.get("total")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_statement_fits_the_tables() {
        let fresh = Connection::open_in_memory().unwrap();
        fresh.execute_batch(SCHEMA).unwrap();
        for statement in [PERIOD_TOTALS, VAT_TOTALS, BOOKS, NUMBER_SERIES, QUARTER_TOTALS] {
            fresh.prepare(statement).unwrap();
        }
        for (table, columns) in [
            ("invoices", ["account_id", "id", "number_in_year", "total"].as_slice()),
            ("entries", &["id", "hash", "source_type", "source_id"]),
            ("postings", &["account_code", "vat_box", "debit", "credit"]),
            ("changes", &["account_id", "sequence", "kind"]),
            ("document_records", &["account_id", "invoice_id", "kind"]),
        ] {
            fresh.prepare(&format!("SELECT {} FROM {table}", columns.join(", "))).unwrap();
        }
    }
}
