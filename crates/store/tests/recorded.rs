//! Compatibility of the tables with the previous release, whose nodes still use them during a
//! rolling upgrade.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, fs, path::Path};
use testing::{Database, Engine, Raw, on_both_engines, raw::Column};

fn folder(engine: Engine) -> &'static str {
    if engine == Engine::Sqlite { "sqlite" } else { "postgres" }
}

/// Version numbers of a folder such as `v0.10`, for ordering.
fn numbers(version: &Path) -> Vec<u32> {
    let name = version.file_name().unwrap().to_str().unwrap();
    name.trim_start_matches('v').split('.').map(|number| number.parse().unwrap()).collect()
}

/// Contents of a file recorded by the last release (`cargo xtask record`).
fn recorded(file: &str) -> String {
    let versions =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")).unwrap();
    let last = versions
        .map(|version| version.unwrap().path())
        .max_by_key(|version| numbers(version))
        .unwrap();
    fs::read_to_string(last.join(file)).unwrap()
}

/// Returns the migrations of the last release; asserts that the current ones begin with them.
fn released(engine: Engine) -> Vec<String> {
    let folder = folder(engine);
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(folder))
        .unwrap();
    let mut files = files.map(|file| file.unwrap().path()).collect::<BTreeSet<_>>().into_iter();
    let digests = recorded("migrations.sha256");
    let lines = digests.lines().map(|line| line.split_once("  ").unwrap());
    let migration = |(digest, name): (&str, &str)| {
        let text = fs::read_to_string(files.next().unwrap()).unwrap();
        let is_same = HEXLOWER.encode(&Sha256::digest(&text)) == digest;
        assert!(
            is_same,
            "released migrations must not change, as nodes and databases have run them; add a new one: {name}"
        );
        text
    };
    lines.filter(|(_, name)| name.starts_with(folder)).map(migration).collect()
}

/// A database created by the last release and upgraded by this one, and each table's columns before
/// the upgrade.
fn upgraded(engine: Engine) -> (Database, Vec<(String, Vec<Column>)>) {
    let database = Database::new(engine);
    let raw = Raw::open(&database);
    let migrations = released(engine);
    let version = migrations.len();
    raw.run(&migrations.concat()).unwrap();
    raw.run(&match engine {
        Engine::Sqlite => format!("PRAGMA user_version = {version}"),
        Engine::Postgres => {
            format!("CREATE TABLE schema_version (version BIGINT NOT NULL); INSERT INTO schema_version VALUES ({version})")
        }
    })
    .unwrap();
    let tables =
        raw.tables().into_iter().map(|table| (table.clone(), raw.columns(&table))).collect();
    drop(raw);
    drop(database.open());
    (database, tables)
}

on_both_engines! {
    fn the_statements_of_the_last_version_still_fit_the_tables(engine) {
        let (database, _) = upgraded(engine);
        let raw = Raw::open(&database);
        let statements = recorded("both.sql") + &recorded(&format!("{}.sql", folder(engine)));
        assert!(statements.lines().count() > 100, "too few to tell anything");
        let refused: Vec<String> = statements
            .lines()
            .filter_map(|statement| {
                raw.prepare(statement.strip_suffix(';').unwrap())
                    .err()
                    .map(|error| format!("{error}: {statement}"))
            })
            .collect();
        assert!(refused.is_empty(), "{}", refused.join("\n"));
        // This invalid statement fails, which shows that the statements above really were prepared.
        assert!(raw.prepare("SELECT nothing FROM invoices WHERE account_id = ?1").is_err());
    }

    fn rows_of_the_last_version_still_fit_the_tables(engine) {
        let (database, before) = upgraded(engine);
        let raw = Raw::open(&database);
        for (table, columns) in before {
            let known: BTreeSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let now = raw.columns(&table);
            for column in &columns {
                let current = now.iter().find(|current| current.name == column.name);
                let current = current.unwrap_or_else(|| panic!("{table}.{} is gone", column.name));
                assert_eq!(
                    current.kind, column.kind,
                    "{table}.{} holds something else",
                    column.name
                );
                assert!(
                    current.nullable || !column.nullable,
                    "{table}.{} has become mandatory",
                    column.name
                );
            }
            for column in now.iter().filter(|column| !known.contains(column.name.as_str())) {
                assert!(
                    column.nullable || column.has_default,
                    "{table}.{}: the last version does not fill it",
                    column.name
                );
            }
        }
    }
}
