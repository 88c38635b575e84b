//! Books written before VAT by month, whose sums are per quarter: input of the migration to months.

use crate::{
    Database, Raw,
    raw::{Column, ColumnKind},
};
use jiff::Timestamp;

/// Rows of the demo books of that version, with two filed quarters, a correction into the second,
/// drafts, a write-off and a credit note. A line `#table` names a table and its columns; the lines
/// after it are its rows, as SQLite stores them: values separated by tabs, `\N` for NULL, bytes in
/// hexadecimal.
const ROWS: &str = include_str!("by_quarter.txt");

const SQLITE: &str = include_str!("../../store/migrations/sqlite/0001_books.sql");
const POSTGRES: &str = include_str!("../../store/migrations/postgres/0001_books.sql");

/// Creates the tables of the first migration in an empty database and fills them.
pub fn fill(database: &Database) {
    let raw = Raw::open(database);
    let (tables, version, unprotect) = if raw.is_postgres() {
        let version = "CREATE TABLE schema_version (version BIGINT NOT NULL); INSERT INTO schema_version VALUES (1)";
        (POSTGRES, version, "SET session_replication_role = replica")
    } else {
        (SQLITE, "PRAGMA user_version = 1", "PRAGMA foreign_keys = OFF")
    };
    for sql in [tables, version, unprotect, "BEGIN"] {
        raw.run(sql).unwrap();
    }
    let (mut table, mut columns) = ("", Vec::new());
    for line in ROWS.lines() {
        if let Some(head) = line.strip_prefix('#') {
            let mut names = head.split(' ');
            table = names.next().unwrap();
            let all = raw.columns(table);
            let column = |name| all.iter().find(|column| column.name == name).unwrap().clone();
            columns = names.map(column).collect();
        } else {
            raw.run(&insert(&raw, table, &columns, line)).unwrap();
        }
    }
    raw.run("COMMIT").unwrap();
}

fn insert(raw: &Raw, table: &str, columns: &[Column], line: &str) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let value = |(column, value): (&Column, &str)| {
        let value = (value != "\\N").then(|| unescaped(value));
        match (column.kind, value) {
            (ColumnKind::Moment, Some(value)) => {
                let moment = Timestamp::from_microsecond(value.parse().unwrap()).unwrap();
                raw.literal(column, Some(&moment.to_string()))
            }
            (_, value) => raw.literal(column, value.as_deref()),
        }
    };
    let values: Vec<String> = columns.iter().zip(line.split('\t')).map(value).collect();
    assert_eq!(values.len(), columns.len(), "{table}: {line}");
    let overriding = if raw.is_postgres() { "OVERRIDING SYSTEM VALUE " } else { "" };
    format!("INSERT INTO {table} ({}) {overriding}VALUES ({})", names.join(", "), values.join(", "))
}

fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\\' => match rest.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                other => other.unwrap(),
            },
            other => other,
        });
    }
    text
}
