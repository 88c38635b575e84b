//! Tests that moving books between the engines copies every row of every table.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use store::{DatabaseUrl, StoreError, Tx, move_books};
use testing::{
    Database, Engine, Raw,
    raw::{Column, ColumnKind},
};

/// PostgreSQL stores the number of the last migration in a table, SQLite in the header of the file.
const ONLY_ON_POSTGRES: &str = "schema_version";

/// Number of rows per table.
const ROWS: usize = 3;

/// A value of the column's type that is easily corrupted by copying. Numbers and strings depend
/// only on the row, so that foreign keys refer to existing rows.
fn value(column: &Column, row: usize) -> Option<String> {
    if column.nullable && row == 2 {
        return None;
    }
    Some(match column.kind {
        ColumnKind::Number => row.to_string(),
        ColumnKind::Text => format!("it's \\ \"\t\r\n\\N €🙂 {row}"),
        ColumnKind::Bytes if column.name == "bytes" => "00FF5C0A".repeat(100_000),
        ColumnKind::Bytes => format!("00FF5C0A0{row}"),
        ColumnKind::Day => format!("20{:02}-02-29", row * 4),
        ColumnKind::Moment => format!("19{row}9-12-31 23:59:59.00000{row}Z"),
    })
}

/// Columns of each table as reported by PostgreSQL, which has types for dates and timestamps.
fn columns() -> Vec<(String, Vec<Column>)> {
    let database = Database::new(Engine::Postgres);
    drop(database.open());
    let raw = Raw::open(&database);
    let tables = raw.tables().into_iter().filter(|table| table != ONLY_ON_POSTGRES);
    tables.map(|table| (table.clone(), raw.columns(&table))).collect()
}

fn fill(raw: &Raw, tables: &[(String, Vec<Column>)]) {
    raw.unprotect();
    for (table, columns) in tables {
        for row in 1..=ROWS {
            let literals = columns.iter().map(|column| {
                let value = value(column, row);
                match (raw.is_postgres(), column.kind, value.as_deref()) {
                    (false, ColumnKind::Day, Some(day)) => format!("'{day}'"),
                    (false, ColumnKind::Moment, Some(moment)) => moment
                        .replace(' ', "T")
                        .parse::<jiff::Timestamp>()
                        .unwrap()
                        .as_microsecond()
                        .to_string(),
                    (_, _, value) => raw.literal(column, value),
                }
            });
            let values: Vec<String> = literals.collect();
            let overriding = if raw.is_postgres() { "OVERRIDING SYSTEM VALUE" } else { "" };
            raw.run(&format!("INSERT INTO {table} {overriding} VALUES ({})", values.join(", ")))
                .unwrap();
        }
    }
}

/// All rows of a table in the order of its first two columns. Each value is a text that does not
/// depend on the engine.
fn rows(raw: &Raw, table: &str, columns: &[Column]) -> Vec<Vec<Option<String>>> {
    let values: Vec<String> = columns
        .iter()
        .map(|column| match (raw.is_postgres(), column.kind) {
            (true, ColumnKind::Bytes) => format!("upper(encode({}, 'hex'))", column.name),
            (true, ColumnKind::Moment) => {
                format!("(extract(epoch from {0}) * 1000000)::bigint::text", column.name)
            }
            (false, ColumnKind::Bytes) => {
                format!("CASE WHEN {0} IS NOT NULL THEN hex({0}) END", column.name)
            }
            _ => format!("CAST({} AS TEXT)", column.name),
        })
        .collect();
    raw.rows(&format!("SELECT {} FROM {table} ORDER BY 1, 2", values.join(", ")))
}

fn verified(_: &mut Tx<'_>) -> Result<(), StoreError> {
    Ok(())
}

/// An empty database of the other engine, and its URL.
fn other(engine: Engine) -> (Database, DatabaseUrl) {
    let other =
        Database::new(if engine == Engine::Sqlite { Engine::Postgres } else { Engine::Sqlite });
    let url = other.url.clone();
    (other, url)
}

testing::on_both_engines! {
    fn every_value_of_every_table_arrives(engine) {
        let from = Database::new(engine);
        drop(from.open());
        let tables = columns();
        fill(&Raw::open(&from), &tables);
        let (to, url) = other(engine);
        let mut last = None;
        let moved = move_books(&from.url, &url, &mut |progress| last = Some((progress.rows, progress.of)), verified).unwrap();
        assert_eq!(moved.tables.len(), tables.len());
        assert!(moved.tables.iter().all(|(_, rows)| *rows == ROWS as u64), "{:?}", moved.tables);
        let all = (2 * ROWS * tables.len()) as u64;
        assert_eq!(last, Some((all, all)));
        let (source, target) = (Raw::open(&from), Raw::open(&to));
        for (table, columns) in &tables {
            let copied = rows(&target, table, columns);
            assert_eq!(copied, rows(&source, table, columns), "{table}");
            assert_eq!(copied.len(), ROWS, "{table}");
        }
        // The journal is protected in the target too.
        for table in ["entries", "postings", "document_records"] {
            for sql in [format!("UPDATE {table} SET account_id = account_id"), format!("DELETE FROM {table}")] {
                let refused = target.run(&sql).unwrap_err();
                assert!(refused.contains(" are never "), "{sql}: {refused}");
            }
        }
        // A second move is refused because the target is no longer empty.
        let refused = move_books(&from.url, &url, &mut |_| (), verified).unwrap_err().to_string();
        assert!(refused.contains("is not empty") || refused.contains("is there already"), "{refused}");
    }

    fn a_failed_verification_leaves_no_database(engine) {
        let from = Database::new(engine);
        drop(from.open());
        let (to, url) = other(engine);
        let refuses = |tx: &mut Tx<'_>| {
            let count = tx.query_one("SELECT COUNT(*) FROM maintenance /* of a test */", &[], |row| row.int(0))?;
            Err::<(), _>(StoreError::Refused(format!("{count} rows seen")))
        };
        Raw::open(&from).run("INSERT INTO maintenance SELECT 'verify', created_at FROM accounts").unwrap();
        let refused = move_books(&from.url, &url, &mut |_| (), refuses).unwrap_err().to_string();
        assert!(refused.contains("0 rows seen"), "{refused}");
        match &url {
            DatabaseUrl::Sqlite(path) => {
                let leftover: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
                assert!(leftover.is_empty(), "{leftover:?}");
            }
            DatabaseUrl::Postgres(_) => drop(to.open()),
        }
        move_books(&from.url, &url, &mut |_| (), verified).unwrap();
    }
}

#[test]
fn identity_columns_continue_after_the_last_value() {
    let from = Database::new(Engine::Sqlite);
    drop(from.open());
    let tables = columns();
    fill(&Raw::open(&from), &tables);
    let (to, url) = other(Engine::Sqlite);
    move_books(&from.url, &url, &mut |_| (), verified).unwrap();
    let raw = Raw::open(&to);
    let identities = raw.rows(
        "SELECT table_name::text, column_name::text FROM information_schema.columns
         WHERE table_schema = 'public' AND is_identity = 'YES'",
    );
    assert!(!identities.is_empty());
    for identity in identities {
        let (table, column) = (identity[0].clone().unwrap(), identity[1].clone().unwrap());
        let next = raw
            .rows(&format!("SELECT nextval(pg_get_serial_sequence('{table}', '{column}'))::text"));
        assert_eq!(next[0][0].as_deref(), Some("4"), "{table}.{column}");
    }
}
