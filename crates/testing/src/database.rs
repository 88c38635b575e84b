//! A database owned by one test, on either engine.

use crate::statements;
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};
use store::{DatabaseUrl, Store};

/// Environment variable with the URL of the tests' PostgreSQL server. `cargo xtask test` starts the
/// server and sets the variable.
const SERVER: &str = "GROOTBOEK_TEST_POSTGRES";

/// Environment variable for tests on Citus, set by `cargo lab scale`. It holds the name of the
/// distributed template database on each node, the role of the servers, and the URLs of the other
/// nodes, separated by spaces.
const DISTRIBUTED: &str = "GROOTBOEK_TEST_DISTRIBUTED";

/// SQL that creates the tables on PostgreSQL; its hash is part of the template's name.
const TABLES: &str = include_str!("../../store/migrations/postgres/0001_books.sql");

/// Engine that a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A temporary database on a real server.
    Postgres,
}

/// A new database, removed when the test ends.
pub struct Database {
    /// URL.
    pub url: DatabaseUrl,
    /// URL for a role with all privileges.
    pub(crate) past_rights: DatabaseUrl,
    drop: Option<Drop_>,
}

enum Drop_ {
    Folder(tempfile::TempDir),
    Postgres { servers: Vec<String>, name: String },
}

impl Database {
    /// Creates an empty database.
    #[must_use]
    pub fn new(engine: Engine) -> Self {
        Self::made(engine, |_| None)
    }

    /// Creates a database. On PostgreSQL, it is copied from a template that already has the schema,
    /// because this is faster than creating the tables; on SQLite, it is empty.
    #[must_use]
    pub fn begun(engine: Engine) -> Self {
        Self::made(engine, |server| Some(begun_on(server).to_owned()))
    }

    fn made(engine: Engine, copied: impl FnOnce(&str) -> Option<String>) -> Self {
        statements::watch();
        match engine {
            Engine::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                let url = DatabaseUrl::Sqlite(folder.path().join("books.db"));
                Self { past_rights: url.clone(), url, drop: Some(Drop_::Folder(folder)) }
            }
            Engine::Postgres => Self::on_server(copied),
        }
    }

    fn on_server(copied: impl FnOnce(&str) -> Option<String>) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let server = std::env::var(SERVER)
            .unwrap_or_else(|_| panic!("{SERVER} is not set: run the tests with `cargo xtask test`, which starts a PostgreSQL"));
        let name = format!("test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let distributed = std::env::var(DISTRIBUTED).unwrap_or_default();
        let (mut words, mut servers) = (distributed.split_ascii_whitespace(), vec![server.clone()]);
        let (template, role) =
            (words.next().map(str::to_owned).or_else(|| copied(&server)), words.next());
        let template = template.map_or(String::new(), |template| format!(" TEMPLATE {template}"));
        servers.extend(words.map(str::to_owned));
        for server in &servers {
            statement(server, &format!("CREATE DATABASE {name}{template}"));
        }
        let (front, _) = server.rsplit_once('/').expect("the server's URL ends in a database");
        let past_rights: DatabaseUrl = format!("{front}/{name}").parse().unwrap();
        let url = role.map_or_else(
            || past_rights.clone(),
            |role| format!("{}/{name}", with_user(front, role)).parse().unwrap(),
        );
        Self { url, past_rights, drop: Some(Drop_::Postgres { servers, name }) }
    }

    /// Returns a handle on the same database that does not remove it when dropped.
    #[must_use]
    pub fn shared(&self) -> Self {
        Self { url: self.url.clone(), past_rights: self.past_rights.clone(), drop: None }
    }

    /// Returns the URL for another program, including the password, which `Display` omits.
    #[must_use]
    pub fn address(&self) -> String {
        match &self.url {
            DatabaseUrl::Sqlite(path) => format!("sqlite:{}", path.display()),
            DatabaseUrl::Postgres(url) => url.clone(),
        }
    }

    /// Drops the database while it is in use, so that clients see a failed server.
    ///
    /// # Panics
    /// The database is a file, or this is a handle from [`Database::shared`].
    pub fn take_away(&self) {
        let Some(Drop_::Postgres { servers, name }) = &self.drop else {
            panic!("only a database on a server can be taken away")
        };
        for server in servers {
            statement(server, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }

    /// Opens the database.
    #[must_use]
    pub fn open(&self) -> Store {
        Store::open(&self.url, 4).unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            statements::check();
        }
        match self.drop.take() {
            Some(Drop_::Folder(folder)) => drop(folder),
            Some(Drop_::Postgres { servers, name }) => {
                for server in servers {
                    statement(&server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
                }
            }
            None => {}
        }
    }
}

/// Returns the template database with the current schema, created by the first test that needs it.
fn begun_on(server: &str) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        TABLES.hash(&mut hasher);
        let name = format!("begun_{:016x}", hasher.finish());
        let making = format!("{name}_{}", std::process::id());
        let (front, _) = server.rsplit_once('/').expect("the server's URL ends in a database");
        let is_there = format!("SELECT datname FROM pg_database WHERE datname = '{name}'");
        if rows(server, &is_there).is_empty() {
            statement(server, &format!("CREATE DATABASE {making}"));
            drop(Store::open(&format!("{front}/{making}").parse().unwrap(), 1).unwrap());
            // If two test programs create the template at the same time, the first one to rename
            // its copy wins.
            let named = format!(
                "DO $$ BEGIN ALTER DATABASE {making} RENAME TO {name}; EXCEPTION WHEN duplicate_database THEN NULL; END $$"
            );
            statement(server, &named);
            statement(server, &format!("DROP DATABASE IF EXISTS {making} WITH (FORCE)"));
        }
        name
    })
}

/// Returns a server's URL with another user and the same password.
fn with_user(address: &str, user: &str) -> String {
    let (front, host) = address.rsplit_once('@').expect("the server's URL has a user");
    let (scheme, userinfo) = front.split_once("://").expect("the URL starts with a scheme");
    let password =
        userinfo.split_once(':').map_or(String::new(), |(_, password)| format!(":{password}"));
    format!("{scheme}://{user}{password}@{host}")
}

/// Runs a statement on a server.
pub fn statement(url: &str, sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
            .await
            .expect("the PostgreSQL of the tests answers");
        tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
    });
}

/// Returns the rows of a query on a PostgreSQL database whose columns are all text.
#[must_use]
pub fn rows(url: &str, sql: &str) -> Vec<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
            .await
            .expect("the PostgreSQL of the tests answers");
        tokio::spawn(connection);
        let rows = client.query(sql, &[]).await.unwrap();
        rows.iter()
            .map(|row| (0..row.len()).map(|column| row.get::<_, String>(column)).collect())
            .collect()
    })
}
