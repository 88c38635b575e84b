//! The floor of writing on SQLite: the very rows of created invoices, written by plain rusqlite, 64 invoices per commit, fsynced.

use anyhow::Context;
use rusqlite::{Connection, OpenFlags, params, params_from_iter, types::Value};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

const SCHEMA: &str = include_str!("../../../crates/store/migrations/sqlite/0001_books.sql");
const PER_COMMIT: usize = 64;
/// Invoices at the most.
const ENOUGH: usize = 40_000;

/// One invoice as rows, and where it counts.
struct Written {
    invoice: Vec<Value>,
    items: Vec<Vec<Value>>,
    entry: Vec<Value>,
    postings: Vec<Vec<Value>>,
}

/// What to write again.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The SQLite database whose invoices are written again, into a fresh file beside it
    #[arg(long)]
    pub books: PathBuf,
}

/// Prints how many invoices per second were written.
///
/// # Errors
/// The books cannot be read or written again.
pub fn run(options: &Options) -> anyhow::Result<()> {
    println!("{}", invoices_per_second(&options.books)?);
    Ok(())
}

#[expect(clippy::cast_precision_loss, clippy::float_arithmetic, reason = "a measurement, not money")]
fn invoices_per_second(books: &Path) -> anyhow::Result<f64> {
    let all = read(books)?;
    let folder = tempfile::tempdir_in(books.parent().context("the books lie in no folder")?)?;
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
    let rows = |sql: &str, key: &[&Value]| -> anyhow::Result<Vec<Vec<Value>>> {
        let mut statement = books.prepare_cached(sql)?;
        let width = statement.column_count();
        let rows = statement.query_map(params_from_iter(key), |row| (0..width).map(|column| row.get(column)).collect())?;
        Ok(rows.collect::<Result<_, _>>()?)
    };
    let invoices = rows("SELECT * FROM invoices ORDER BY created_at LIMIT ?1", &[&Value::Integer(i64::try_from(ENOUGH)?)])?;
    let of_invoice = |invoice: Vec<Value>| {
        let (account, id) = (invoice[0].clone(), invoice[1].clone());
        let items = rows("SELECT * FROM invoice_items WHERE account_id = ?1 AND invoice_id = ?2", &[&account, &id])?;
        let by_source = "SELECT * FROM entries INDEXED BY entries_by_source
             WHERE account_id = ?1 AND source_type = 'invoice' AND source_id = ?2";
        let entry = rows(by_source, &[&account, &id])?.pop().context("an invoice without an entry")?;
        let postings = rows("SELECT * FROM postings WHERE account_id = ?1 AND entry_id = ?2", &[&account, &entry[1]])?;
        Ok(Written { invoice, items, entry, postings })
    };
    invoices.into_iter().map(of_invoice).collect()
}

/// What is there before the first invoice: accounts, contacts, and the rows that are counted up.
fn prepare(fresh: &Connection, books: &Path) -> anyhow::Result<()> {
    fresh.execute("ATTACH ?1 AS books", [books.display().to_string()])?;
    fresh.execute_batch(
        "INSERT INTO accounts SELECT * FROM books.accounts;
         INSERT INTO books SELECT * FROM books.books;
         INSERT INTO contacts SELECT * FROM books.contacts;
         DETACH books;",
    )?;
    Ok(())
}

fn write(commit: &Connection, written: &Written) -> anyhow::Result<()> {
    let insert = |table: &str, row: &[Value]| -> anyhow::Result<()> {
        let places = vec!["?"; row.len()].join(",");
        commit.prepare_cached(&format!("INSERT INTO {table} VALUES ({places})"))?.execute(params_from_iter(row))?;
        Ok(())
    };
    let account = &written.invoice[0];
    insert("invoices", &written.invoice)?;
    for item in &written.items {
        insert("invoice_items", item)?;
    }
    insert("entries", &written.entry)?;
    for posting in &written.postings {
        insert("postings", posting)?;
        commit
            .prepare_cached(
                "INSERT INTO period_totals VALUES (?1, 2026, 3, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE
                 SET debit = debit + excluded.debit, credit = credit + excluded.credit",
            )?
            .execute(params![account, posting[3], posting[6], posting[4], posting[5]])?;
    }
    commit
        .prepare_cached("UPDATE books SET last_invoice = ?2, last_entry = ?3, head_hash = ?4 WHERE account_id = ?1")?
        .execute(params![account, written.invoice[1], written.entry[1], written.entry[7]])?;
    commit
        .prepare_cached("INSERT INTO number_series VALUES (?1, 2026, ?2) ON CONFLICT DO UPDATE SET last = excluded.last")?
        .execute(params![account, written.invoice[6]])?;
    commit
        .prepare_cached(
            "INSERT INTO quarter_totals VALUES (?1, 2026, 1, 1, 1, 0, 0, 0, ?2) ON CONFLICT DO UPDATE
             SET entries = entries + 1, invoices = invoices + 1, outstanding = outstanding + excluded.outstanding",
        )?
        .execute(params![account, written.invoice[25]])?;
    Ok(())
}
