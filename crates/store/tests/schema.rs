//! Tests that both engines have the same tables, and that SQLite writes durably.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, AtomicI64, Ordering},
};
use store::{DatabaseUrl, Store, StoreError, Tx, params};
use testing::{
    Database, Engine, Raw, on_both_engines,
    raw::{Column, ColumnKind},
};

/// Tables whose primary key does not begin with the account, and the first column of each key.
const OTHER_KEYS: [(&str, &str); 13] = [
    ("accounts", "id"), // The accounts themselves.
    ("people", "id"),   // The people, who can have several accounts.
    ("recovery_codes", "person_id"),
    ("person_events", "person_id"),
    ("api_keys", "hash"), // A request has only the key, and this table maps it to the account. The same applies to sessions, links and tokens.
    ("sessions", "hash"),
    ("mail_tokens", "hash"),
    ("oauth_codes", "hash"),
    ("oauth_access_tokens", "hash"),
    ("oauth_refresh_tokens", "hash"),
    ("oauth_clients", "id"), // Partner applications belong to no account.
    ("oauth_redirect_uris", "client_id"),
    ("maintenance", "task"), // Belongs to the operator.
];
/// PostgreSQL stores the number of the last migration in a table, SQLite in the header of the file.
const ONLY_ON_POSTGRES: &str = "schema_version";

fn schema(engine: Engine) -> BTreeMap<String, Vec<Column>> {
    let database = Database::new(engine);
    drop(database.open());
    let raw = Raw::open(&database);
    raw.tables().into_iter().map(|table| (table.clone(), raw.columns(&table))).collect()
}

/// Columns of the key, in order.
fn key(columns: &[Column]) -> Vec<&str> {
    let mut key: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
    key.sort_by_key(|column| column.key);
    key.into_iter().map(|column| column.name.as_str()).collect()
}

#[test]
fn both_engines_have_the_same_tables() {
    let (sqlite, mut postgres) = (schema(Engine::Sqlite), schema(Engine::Postgres));
    assert!(postgres.remove(ONLY_ON_POSTGRES).is_some());
    assert!(sqlite.len() > 10, "{sqlite:#?}");
    assert_eq!(sqlite.keys().collect::<Vec<_>>(), postgres.keys().collect::<Vec<_>>());
    for (table, columns) in &sqlite {
        let others = &postgres[table];
        let reported = |columns: &[Column]| -> Vec<(String, bool, i64)> {
            columns
                .iter()
                .map(|column| (column.name.clone(), column.nullable, column.key))
                .collect()
        };
        assert_eq!(reported(columns), reported(others), "{table}");
        for (here, there) in columns.iter().zip(others) {
            // SQLite has no types for dates and timestamps; it stores them as text and as numbers,
            // respectively.
            let expected = match there.kind {
                ColumnKind::Day => ColumnKind::Text,
                ColumnKind::Moment => ColumnKind::Number,
                same => same,
            };
            assert_eq!(here.kind, expected, "{table}.{}", here.name);
        }
    }
}

#[test]
fn every_key_begins_with_the_account() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mut others = BTreeSet::new();
        for (table, columns) in
            schema(engine).into_iter().filter(|(table, _)| table != ONLY_ON_POSTGRES)
        {
            let key = key(&columns);
            let first = *key.first().unwrap_or_else(|| panic!("{table} has no key"));
            if first != "account_id" {
                others.insert((table, first.to_owned()));
            }
        }
        let documented = OTHER_KEYS.map(|(table, key)| (table.to_owned(), key.to_owned()));
        assert_eq!(others, BTreeSet::from(documented), "{engine:?}");
    }
}

/// Tests that both engines have indexes with the same names, and the same number of foreign keys.
#[test]
fn both_engines_have_the_same_indexes_and_references() {
    let databases = [Engine::Sqlite, Engine::Postgres].map(|engine| {
        let database = Database::new(engine);
        drop(database.open());
        let raw = Raw::open(&database);
        (database, raw)
    });
    let [(_, sqlite), (_, postgres)] = &databases;
    let names = |raw: &Raw, sql: &str| -> BTreeSet<String> {
        raw.rows(sql).into_iter().map(|row| row[0].clone().unwrap()).collect()
    };
    let here =
        names(sqlite, "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL");
    let there = names(
        postgres,
        "SELECT indexname::text FROM pg_indexes WHERE schemaname = 'public' AND NOT EXISTS (
           SELECT 1 FROM pg_constraint c WHERE c.conname = indexname)",
    );
    assert_eq!(here, there);
    assert!(here.len() > 5);
    let here = names(
        sqlite,
        "SELECT t.name || ' -> ' || f.\"table\" || ' ' || count(*) FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
         WHERE t.type = 'table' GROUP BY t.name, f.id, f.\"table\"",
    );
    let there = names(
        postgres,
        "SELECT conrelid::regclass::text || ' -> ' || confrelid::regclass::text || ' ' || cardinality(conkey)::text
         FROM pg_constraint WHERE contype = 'f'",
    );
    assert_eq!(here, there);
    assert!(here.len() > 3);
}

on_both_engines! {
    fn a_second_start_finds_the_tables_as_they_are(engine) {
        let database = Database::new(engine);
        let tables = || {
            let raw = Raw::open(&database);
            raw.tables()
                .into_iter()
                .map(|table| (table.clone(), raw.columns(&table)))
                .collect::<Vec<_>>()
        };
        drop(database.open());
        let before = tables();
        // Opens several connections at once, as happens when several nodes start together.
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| drop(database.open()));
            }
        });
        assert_eq!(tables(), before);
    }

    fn several_that_start_at_once_on_an_empty_database_agree(engine) {
        let database = Database::new(engine);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| drop(database.open()));
            }
        });
        assert!(Raw::open(&database).tables().len() > 10);
    }

    fn references_between_tables_are_enforced(engine) {
        let database = Database::new(engine);
        let store = database.open();
        let columns = Raw::open(&database).columns("books");
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<&str> = names
            .iter()
            .map(|name| match *name {
                "account_id" => "99",
                "head_hash" => "?1",
                "stamped_at" => "?2",
                _ => "0",
            })
            .collect();
        let books = format!(
            "INSERT INTO books ({}) VALUES ({}) /* of a test */",
            names.join(", "),
            values.join(", ")
        );
        for sql in [
            books.as_str(),
            "INSERT INTO api_keys (hash, account_id, id, name, prefix, scopes, created_at) VALUES (?1, 99, 1, 'k', 'p', 'read', ?2)",
        ] {
            let statement = sql.to_owned();
            let refused: Result<(), StoreError> = store.write_blocking(move |tx| {
                tx.execute(&statement, &params![&[7_u8; 32], jiff::Timestamp::UNIX_EPOCH])
            });
            let refused = refused.unwrap_err().to_string().to_lowercase();
            assert!(refused.contains("foreign key"), "{sql}: {refused}");
        }
    }
}

/// Value of a pragma, on the connection that runs the command.
fn pragma(tx: &mut Tx<'_>, name: &str) -> Result<String, StoreError> {
    tx.query_one(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"), &[], |row| row.text(0))
}

#[test]
fn every_connection_that_writes_flushes_each_commit() {
    let database = Database::new(Engine::Sqlite);
    let stores = [database.open(), database.open()];
    for store in &stores {
        for _ in 0..3 {
            let reported = store.write_blocking(|tx| {
                Ok::<_, StoreError>([
                    pragma(tx, "synchronous")?,
                    pragma(tx, "journal_mode")?,
                    pragma(tx, "foreign_keys")?,
                ])
            });
            // synchronous=FULL is 2; NORMAL (1) can lose acknowledged rows in a power cut.
            assert_eq!(reported.unwrap(), ["2", "wal", "1"]);
        }
        let mode = store.read_blocking(|tx| pragma(tx, "journal_mode"));
        assert_eq!(mode.unwrap(), "wal");
        let write =
            store.read_blocking(|tx| tx.execute("DELETE FROM number_series /* of a test */", &[]));
        assert!(write.unwrap_err().to_string().contains("readonly"), "a query cannot write");
    }
}

#[test]
fn a_query_cannot_write_on_postgresql_either() {
    let database = Database::new(Engine::Postgres);
    let write = database.open().read_blocking(|tx| {
        tx.query("DELETE FROM number_series RETURNING year /* of a test */", &[], |row| row.int(0))
    });
    assert!(write.unwrap_err().to_string().contains("read-only"));
}

/// A crash during the switch of a backup to WAL mode leaves such a journal.
#[test]
fn a_rollback_journal_is_rolled_back_before_the_version_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut_off) = (folder.path().join("whole.db"), folder.path().join("cut-off.db"));
    let connection = rusqlite::Connection::open(&whole).unwrap();
    connection
        .execute_batch(
            "PRAGMA user_version = 7; CREATE TABLE rows (text TEXT); PRAGMA cache_size = 1; BEGIN",
        )
        .unwrap();
    // More than the cache holds, so that pages reach the file before the commit.
    for _ in 0..200 {
        connection.execute("INSERT INTO rows VALUES (hex(randomblob(2000)))", []).unwrap();
    }
    connection.execute_batch("PRAGMA user_version = 8").unwrap();
    std::fs::copy(&whole, &cut_off).unwrap();
    let journal = |path: &std::path::Path| path.with_extension("db-journal");
    std::fs::copy(journal(&whole), journal(&cut_off)).unwrap();
    let copied = folder.path().join("copy.db");
    store::copy(&cut_off, &copied).unwrap();
    assert!(!journal(&cut_off).exists());
    for path in [cut_off, copied] {
        assert_eq!(store::schema(&DatabaseUrl::Sqlite(path)).unwrap(), 7);
    }
}

/// Each commit writes the same number to two rows of one table and to a row of another. Different
/// numbers in a backup would show that it mixes states from two moments.
#[test]
// Long: one scenario in order.
fn a_backup_taken_during_writes_is_of_one_moment() {
    let database = Database::new(Engine::Sqlite);
    let store = database.open();
    let folder = tempfile::tempdir().unwrap();
    let both = |tx: &mut Tx<'_>, last: i64| -> Result<(), StoreError> {
        for year in [2026_i64, 2027] {
            tx.execute(
                "INSERT INTO number_series (account_id, year, start, last) VALUES (1, ?1, 0, ?2) ON CONFLICT (account_id, year) DO UPDATE SET last = excluded.last /* of a test */",
                &params![year, last],
            )?;
        }
        tx.execute(
            "INSERT INTO document_totals VALUES (1, ?1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) /* of a test */",
            &params![last],
        )
    };
    store.write_blocking(move |tx| both(tx, 0)).unwrap();
    let (enough, written) = (AtomicBool::new(false), AtomicI64::new(0));
    let taken = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !enough.load(Ordering::SeqCst) {
                let next = written.load(Ordering::SeqCst) + 1;
                store.write_blocking(move |tx| both(tx, next)).unwrap();
                written.store(next, Ordering::SeqCst);
            }
        });
        let mut taken = Vec::new();
        for number in 0..5 {
            let begun = written.load(Ordering::SeqCst);
            // Waits for five more writes before each backup.
            while written.load(Ordering::SeqCst) < begun + 5 {
                std::thread::yield_now();
            }
            let file = folder.path().join(format!("{number}.db"));
            let before = written.load(Ordering::SeqCst);
            let copied = store.backup(&file);
            let after = written.load(Ordering::SeqCst);
            taken.push((file, before, after, copied));
        }
        enough.store(true, Ordering::SeqCst);
        taken
    });
    for (file, before, after, copied) in taken {
        copied.unwrap();
        let copy = Store::open(&DatabaseUrl::Sqlite(file.clone()), 1).unwrap();
        let numbers = copy
            .read_blocking(|tx| {
                tx.query(
                    "SELECT last FROM number_series ORDER BY year /* of a test */",
                    &[],
                    |row| row.int(0),
                )
            })
            .unwrap();
        let rows = copy
            .read_blocking(|tx| {
                tx.query_one(
                    "SELECT MAX(year), COUNT(*) FROM document_totals /* of a test */",
                    &[],
                    |row| Ok((row.int(0)?, row.int(1)?)),
                )
            })
            .unwrap();
        assert_eq!(numbers[0], numbers[1]);
        assert_eq!(rows, (numbers[0], numbers[0] + 1));
        assert!(
            (before..=after + 1).contains(&numbers[0]),
            "{} is not between {before} and {after}",
            numbers[0]
        );
        assert!(store.backup(&file).unwrap_err().to_string().contains("exists already"));
        let integrity = copy.read_blocking(|tx| {
            tx.query_one("SELECT integrity_check FROM pragma_integrity_check", &[], |row| {
                row.text(0)
            })
        });
        assert_eq!(integrity.unwrap(), "ok");
    }
}
