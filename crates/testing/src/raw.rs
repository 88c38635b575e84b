//! Direct access to a database that bypasses the program, as an administrator would have.

use crate::Database;
use store::DatabaseUrl;

/// A separate connection to a test's database.
pub struct Raw {
    engine: RawEngine,
}

enum RawEngine {
    Sqlite(rusqlite::Connection),
    Postgres { runtime: tokio::runtime::Runtime, client: tokio_postgres::Client },
}

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// An integer.
    Number,
    /// A text.
    Text,
    /// Bytes, read and written in hexadecimal.
    Bytes,
    /// PostgreSQL's date.
    Day,
    /// PostgreSQL's timestamp with time zone.
    Moment,
}

/// A column as described by the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: ColumnKind,
    /// Whether the column may be NULL.
    pub nullable: bool,
    /// Whether the column has a default or is generated.
    pub has_default: bool,
    /// Position in the primary key, from 1; 0 if the column is not part of the key.
    pub key: i64,
}

impl Raw {
    /// Connects to a test's database.
    #[must_use]
    pub fn open(database: &Database) -> Self {
        Self::at(&database.past_rights)
    }

    /// Connects to a database by its URL.
    #[must_use]
    pub fn at(url: &DatabaseUrl) -> Self {
        let engine = match url {
            DatabaseUrl::Sqlite(path) => {
                let connection = rusqlite::Connection::open(path).unwrap();
                connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
                RawEngine::Sqlite(connection)
            }
            DatabaseUrl::Postgres(url) => {
                let runtime = tokio::runtime::Builder::new_multi_thread()
                    .worker_threads(1)
                    .enable_all()
                    .build()
                    .unwrap();
                let client = runtime.block_on(async {
                    let (client, connection) =
                        tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
                    tokio::spawn(connection);
                    client
                });
                RawEngine::Postgres { runtime, client }
            }
        };
        Self { engine }
    }

    /// Whether the engine is PostgreSQL.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        matches!(self.engine, RawEngine::Postgres { .. })
    }

    /// Disables the triggers and foreign keys that protect the tables.
    pub fn unprotect(&self) {
        match &self.engine {
            RawEngine::Sqlite(_) => {
                self.run("PRAGMA foreign_keys = OFF").unwrap();
                for trigger in self.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
                    self.run(&format!("DROP TRIGGER {}", trigger[0].as_deref().unwrap())).unwrap();
                }
            }
            RawEngine::Postgres { .. } => {
                self.run("SET session_replication_role = replica").unwrap()
            }
        }
    }

    /// Runs statements.
    ///
    /// # Errors
    /// The database's error message.
    pub fn run(&self, sql: &str) -> Result<(), String> {
        match &self.engine {
            RawEngine::Sqlite(connection) => {
                connection.execute_batch(sql).map_err(|error| error.to_string())
            }
            RawEngine::Postgres { runtime, client } => {
                runtime.block_on(client.batch_execute(sql)).map_err(|error| {
                    error
                        .as_db_error()
                        .map_or_else(|| error.to_string(), |reported| reported.message().to_owned())
                })
            }
        }
    }

    /// Parses and plans a statement of the program without running it.
    ///
    /// # Errors
    /// The database's error message.
    pub fn prepare(&self, sql: &str) -> Result<(), String> {
        match &self.engine {
            RawEngine::Sqlite(connection) => {
                connection.prepare(sql).map(drop).map_err(|error| error.to_string())
            }
            RawEngine::Postgres { runtime, client } => runtime
                .block_on(client.prepare(&sql.replace('?', "$")))
                .map(drop)
                .map_err(|error| {
                    error
                        .as_db_error()
                        .map_or_else(|| error.to_string(), |reported| reported.message().to_owned())
                }),
        }
    }

    /// Returns the rows of a query whose columns are all text.
    #[must_use]
    pub fn rows(&self, sql: &str) -> Vec<Vec<Option<String>>> {
        match &self.engine {
            RawEngine::Sqlite(connection) => {
                let mut statement = connection.prepare(sql).unwrap();
                let columns = statement.column_count();
                let rows = statement
                    .query_map([], |row| (0..columns).map(|column| row.get(column)).collect())
                    .unwrap();
                rows.collect::<Result<_, _>>().unwrap()
            }
            RawEngine::Postgres { runtime, client } => {
                let rows = runtime.block_on(client.query(sql, &[])).unwrap();
                rows.iter()
                    .map(|row| (0..row.len()).map(|column| row.get(column)).collect())
                    .collect()
            }
        }
    }

    /// Returns the names of all tables, sorted.
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        let sql = match &self.engine {
            RawEngine::Sqlite(_) => {
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            }
            RawEngine::Postgres { .. } => {
                "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name::text COLLATE \"C\""
            }
        };
        self.rows(sql).into_iter().map(|row| row[0].clone().unwrap()).collect()
    }

    /// Returns the columns of a table, in order.
    #[must_use]
    pub fn columns(&self, table: &str) -> Vec<Column> {
        let sql = match &self.engine {
            RawEngine::Sqlite(_) => format!(
                "SELECT name, type, CASE WHEN \"notnull\" = 0 AND NOT (pk > 0 AND type = 'INTEGER') THEN 'YES' ELSE 'NO' END, \
                 CAST(pk AS TEXT), \
                 CASE WHEN dflt_value IS NULL THEN 'NO' ELSE 'YES' END FROM pragma_table_info('{table}') ORDER BY cid"
            ),
            RawEngine::Postgres { .. } => format!(
                "SELECT c.column_name::text, c.data_type::text, c.is_nullable::text, COALESCE((
                   SELECT k.ordinal_position FROM information_schema.key_column_usage k JOIN information_schema.table_constraints t
                     ON t.constraint_name = k.constraint_name AND t.table_name = k.table_name AND t.constraint_type = 'PRIMARY KEY'
                   WHERE k.table_name = c.table_name AND k.column_name = c.column_name), 0)::text,
                   CASE WHEN c.column_default IS NULL AND c.is_identity = 'NO' THEN 'NO' ELSE 'YES' END
                 FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.table_name = '{table}'
                 ORDER BY c.ordinal_position"
            ),
        };
        let columns = self.rows(&sql).into_iter().map(|row| {
            let text = |place: usize| row[place].clone().unwrap();
            let kind = match text(1).as_str() {
                "INTEGER" | "bigint" => ColumnKind::Number,
                "TEXT" | "text" => ColumnKind::Text,
                "BLOB" | "bytea" => ColumnKind::Bytes,
                "date" => ColumnKind::Day,
                "timestamp with time zone" => ColumnKind::Moment,
                other => panic!("{table}.{} has an unknown type: {other}", text(0)),
            };
            Column {
                name: text(0),
                kind,
                nullable: text(2) == "YES",
                has_default: text(4) == "YES",
                key: text(3).parse().unwrap(),
            }
        });
        columns.collect()
    }

    /// Returns all rows of a table in the order of its key, each value as text.
    #[must_use]
    pub fn table(&self, table: &str) -> Vec<Vec<Option<String>>> {
        let columns = self.columns(table);
        let mut key: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
        key.sort_by_key(|column| column.key);
        let order: Vec<&str> = key.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<String> = columns.iter().map(|column| self.as_text(column)).collect();
        self.rows(&format!(
            "SELECT {} FROM {table} ORDER BY {}",
            values.join(", "),
            order.join(", ")
        ))
    }

    fn as_text(&self, column: &Column) -> String {
        let name = &column.name;
        match (&self.engine, column.kind) {
            (RawEngine::Sqlite(_), ColumnKind::Bytes) => {
                format!("CASE WHEN {name} IS NOT NULL THEN hex({name}) END")
            }
            (RawEngine::Postgres { .. }, ColumnKind::Bytes) => format!("encode({name}, 'hex')"),
            (RawEngine::Postgres { .. }, ColumnKind::Moment) => {
                format!("to_char({name} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.USZ')")
            }
            _ => format!("CAST({name} AS TEXT)"),
        }
    }

    /// Formats a value as an SQL literal.
    #[must_use]
    pub fn literal(&self, column: &Column, value: Option<&str>) -> String {
        let Some(value) = value else { return "NULL".into() };
        match (&self.engine, column.kind) {
            (_, ColumnKind::Number) => value.to_owned(),
            (RawEngine::Sqlite(_), ColumnKind::Bytes) => format!("X'{value}'"),
            (RawEngine::Postgres { .. }, ColumnKind::Bytes) => format!("'\\x{value}'"),
            (RawEngine::Postgres { .. }, ColumnKind::Day) => format!("DATE '{value}'"),
            (RawEngine::Postgres { .. }, ColumnKind::Moment) => format!("TIMESTAMPTZ '{value}'"),
            _ => format!("'{}'", value.replace('\'', "''")),
        }
    }

    /// Returns the condition that selects one row by its key.
    #[must_use]
    pub fn pick(&self, columns: &[Column], row: &[Option<String>]) -> String {
        let key = columns.iter().zip(row).filter(|(column, _)| column.key > 0);
        let parts: Vec<String> = key
            .map(|(column, value)| {
                format!("{} = {}", column.name, self.literal(column, value.as_deref()))
            })
            .collect();
        parts.join(" AND ")
    }
}
