//! Schema migrations at startup: one folder of SQL per engine, applied in order, each in its own
//! transaction.

use crate::StoreError;
use rusqlite::Connection;

const SQLITE: &[&str] = &[
    include_str!("../../migrations/sqlite/0001_books.sql"),
    include_str!("../../migrations/sqlite/0002_vat_periods.sql"),
    include_str!("../../migrations/sqlite/0003_ec_sales_lists.sql"),
    include_str!("../../migrations/sqlite/0004_kor.sql"),
    include_str!("../../migrations/sqlite/0005_vat_moves.sql"),
    include_str!("../../migrations/sqlite/0006_closing_steps.sql"),
    include_str!("../../migrations/sqlite/0007_vat_revisions.sql"),
    include_str!("../../migrations/sqlite/0008_cash_accounting.sql"),
    include_str!("../../migrations/sqlite/0009_oss.sql"),
    include_str!("../../migrations/sqlite/0010_ledger_accounts.sql"),
    include_str!("../../migrations/sqlite/0011_kor_mails.sql"),
    include_str!("../../migrations/sqlite/0012_bank_accounts.sql"),
    include_str!("../../migrations/sqlite/0013_bank_statements.sql"),
    include_str!("../../migrations/sqlite/0014_customers.sql"),
    include_str!("../../migrations/sqlite/0015_unfinished_forms.sql"),
    include_str!("../../migrations/sqlite/0016_quotes.sql"),
    include_str!("../../migrations/sqlite/0017_lines.sql"),
    include_str!("../../migrations/sqlite/0018_articles.sql"),
    include_str!("../../migrations/sqlite/0019_recurring_invoices.sql"),
    include_str!("../../migrations/sqlite/0020_reminders.sql"),
];
pub(crate) const POSTGRES: &[&str] = &[
    include_str!("../../migrations/postgres/0001_books.sql"),
    include_str!("../../migrations/postgres/0002_vat_periods.sql"),
    include_str!("../../migrations/postgres/0003_ec_sales_lists.sql"),
    include_str!("../../migrations/postgres/0004_kor.sql"),
    include_str!("../../migrations/postgres/0005_vat_moves.sql"),
    include_str!("../../migrations/postgres/0006_closing_steps.sql"),
    include_str!("../../migrations/postgres/0007_vat_revisions.sql"),
    include_str!("../../migrations/postgres/0008_cash_accounting.sql"),
    include_str!("../../migrations/postgres/0009_oss.sql"),
    include_str!("../../migrations/postgres/0010_ledger_accounts.sql"),
    include_str!("../../migrations/postgres/0011_kor_mails.sql"),
    include_str!("../../migrations/postgres/0012_bank_accounts.sql"),
    include_str!("../../migrations/postgres/0013_bank_statements.sql"),
    include_str!("../../migrations/postgres/0014_customers.sql"),
    include_str!("../../migrations/postgres/0015_unfinished_forms.sql"),
    include_str!("../../migrations/postgres/0016_quotes.sql"),
    include_str!("../../migrations/postgres/0017_lines.sql"),
    include_str!("../../migrations/postgres/0018_articles.sql"),
    include_str!("../../migrations/postgres/0019_recurring_invoices.sql"),
    include_str!("../../migrations/postgres/0020_reminders.sql"),
];

/// Key of the advisory lock that prevents two nodes from migrating at once. The number is arbitrary
/// but the same for every node.
pub(crate) const POSTGRES_LOCK: i64 = 0x6772_6f6f_7462_6f65;

/// Key of the advisory lock that each connection of a server holds in shared mode, so that no
/// command can change the schema while a server is running. The number is arbitrary.
pub(crate) const POSTGRES_SERVING: i64 = 0x6772_6f6f_7462_6f66;

/// Number of migrations, which is the schema version that this program requires.
#[must_use]
pub fn known() -> i64 {
    i64::try_from(SQLITE.len()).unwrap_or(i64::MAX)
}

/// Whether an SQLite file lacks a migration.
pub(crate) fn are_due(connection: &Connection) -> Result<bool, StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Open(error.to_string());
    let done: i64 =
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(trouble)?;
    Ok(following(done, SQLITE)?.is_some())
}

/// Applies the missing migrations. SQLite stores the number of the last one in the file's header
/// (`user_version`).
pub(crate) fn sqlite(connection: &mut Connection) -> Result<(), StoreError> {
    let trouble = |error: rusqlite::Error| StoreError::Open(error.to_string());
    loop {
        let tx = connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(trouble)?;
        let done: i64 =
            tx.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(trouble)?;
        let Some(next) = following(done, SQLITE)? else { return Ok(()) };
        let tables: i64 = tx
            .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(trouble)?;
        if done == 0 && tables > 0 {
            return Err(StoreError::Open(
                "the file is another program's database; choose another file".into(),
            ));
        }
        tx.execute_batch(next).map_err(trouble)?;
        tx.pragma_update(None, "user_version", done + 1).map_err(trouble)?;
        tx.commit().map_err(trouble)?;
    }
}

/// Returns the migration after the first `done` ones; `None` if all are applied.
pub(crate) fn following(
    done: i64,
    all: &'static [&'static str],
) -> Result<Option<&'static str>, StoreError> {
    let done = usize::try_from(done)
        .map_err(|_| StoreError::Open("the database has an invalid schema version".into()))?;
    if done > all.len() {
        return Err(StoreError::Open(
            "the database was written by a newer version of grootboek; start that version, or restore a backup".into(),
        ));
    }
    Ok(all.get(done).copied())
}
