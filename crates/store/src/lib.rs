//! Database access: one set of queries for two engines, embedded SQLite and PostgreSQL.
//!
//! A caller passes a closure to [`Store::execute`] or [`Store::query`] and awaits its result. The
//! closure receives a [`Tx`] and runs synchronously: a command on one of the engine's threads, a
//! query on SQLite on the caller's thread. A command is one transaction: it is durable when its
//! result arrives, and leaves no trace if the result is an error. Each call names the account whose
//! books it uses ([`Lane`]), so that accounts take turns at shared resources.

pub mod access;
mod change_kinds;
pub mod changes;
pub mod due_work;
mod engine;
pub mod error;
pub mod hours;
pub mod identity;
pub mod journal;
mod lane;
pub mod maintenance;
pub mod outbox;
pub mod page;
pub mod purchases;
pub mod sales;
pub mod search;
pub mod tax;
mod watch;

pub use access::{api_calls, idempotency, keys, oauth, request_limits, webhooks};
#[cfg(feature = "observe-statements")]
pub use engine::observe;
pub use engine::{param, row, tx, url};
pub use hours::{projects, time, timers};
use identity::person_id;
pub use identity::{
    accounts, closing, mail_tokens, people, person_events, sessions, submissions, test_accounts,
    unfinished,
};
pub use journal::{
    bank_accounts, bank_allocations, bank_lines, bank_mappings, bank_rules, bank_statements,
    bank_suggestions, bank_uploads, books, events, ledger_cards, opening_items, own_accounts,
};
pub use purchases::{assets, expense_table, expenses, payment_batches, receipts, trips};
pub use sales::{
    articles, contacts, customer_links, documents, invoice_lines, invoice_table, invoices,
    payments, payouts, prepayments, quotes, receivables, recurring, reminders, sales_totals,
    vat_corrections, write_offs,
};
pub use tax::{
    cash_accounting, checks, closing_steps, filings, icp, kor, oss, payments as vat_payments,
    schemes, units as vat_units, vat_revisions, years,
};

use engine::{Purpose, append_only, backup, fair_queue::Key, job::Job, postgres, sqlite};
use lane::Requirement;
use std::{sync::Arc, time::Duration};
use tokio::sync::{Notify, oneshot};
use watch::Watchers;

pub use backup::create_private;
pub use engine::filter::Updated;
pub use engine::{
    append_only::AppendOnly,
    migrations::known as known_schema,
    moving::{Moved, Progress, move_books},
    postgres::distribution::{Distribution, distribute},
    priority::give_way,
    status::Status,
};
pub use error::StoreError;
pub use lane::Lane;
pub use page::{ListColumn, ListFilter, ListPart, Page, SyncFilter};
pub use sqlite::Snapshot;
pub use tx::Tx;
pub use url::{DatabaseUrl, NotADatabaseUrl};
pub use watch::Watch;

/// Maximum number of waiting commands; when it is reached, new commands fail with
/// [`StoreError::Unavailable`].
const QUEUE_LENGTH: usize = 4096;

/// Time limit for a query, after which the query is stopped with [`StoreError::TooLong`].
const QUERY_LIMIT: Duration = Duration::from_secs(10);
/// Number of threads for lists ([`Lane::list`]). Lists have their own threads, so that they never
/// deprive other queries of a thread or connection.
const SCANNERS: usize = 4;

/// The database with the books of all accounts; share it behind an `Arc`.
pub struct Store {
    engine: Engine,
    watchers: Watchers,
    limit: Duration,
}

enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

/// Kind of transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// One transaction, committed if the command succeeds.
    Write,
    /// Like `Write`, but a power cut may undo it.
    WriteUnflushed,
    /// One consistent snapshot, read-only.
    Read,
    /// Like `Read`, for queries that may scan many rows.
    Scan,
    /// A single query without a transaction.
    LookUp,
}

impl Access {
    /// Whether this kind of transaction commits changes.
    fn writes(self) -> bool {
        matches!(self, Self::Write | Self::WriteUnflushed)
    }

    /// Lane for a job of an account; commands and queries have separate lanes.
    fn key(self, account: i64) -> Key {
        if self.writes() { Key::Writes(account) } else { Key::Reads(account) }
    }
}

impl Store {
    /// Opens the database, creates a missing SQLite file, and applies the missing migrations.
    ///
    /// `connections` is the number of idle read-only connections kept on SQLite, and the number of
    /// connections on PostgreSQL. When a list is first requested on PostgreSQL, additional
    /// connections are opened for lists: a quarter of `connections`, but at least 2 and at most 4.
    ///
    /// # Errors
    /// The file or server cannot be opened; it was written by a newer version of the program; or
    /// its schema is older than the program and a server is using it.
    pub fn open(url: &DatabaseUrl, connections: usize) -> Result<Self, StoreError> {
        Self::open_for(url, connections, Purpose::Command)
    }

    /// Like [`Store::open`], for a server. As long as the returned store exists, no second server
    /// can open the same SQLite file, and no command can change the schema.
    ///
    /// # Errors
    /// As for [`Store::open`]; or another server has the SQLite file open.
    pub fn open_to_serve(url: &DatabaseUrl, connections: usize) -> Result<Self, StoreError> {
        Self::open_for(url, connections, Purpose::Serve)
    }

    fn open_for(
        url: &DatabaseUrl,
        connections: usize,
        purpose: Purpose,
    ) -> Result<Self, StoreError> {
        let engine = match url {
            DatabaseUrl::Sqlite(path) => {
                Engine::Sqlite(sqlite::Sqlite::open(path, connections, purpose)?)
            }
            DatabaseUrl::Postgres(url) => {
                Engine::Postgres(postgres::Postgres::open(url, connections, purpose)?)
            }
        };
        Ok(Self { engine, watchers: Watchers::default(), limit: QUERY_LIMIT })
    }

    /// Changes the time limit for queries, which is 10 seconds by default.
    #[must_use]
    pub fn with_query_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Runs a command in one transaction, in the lane of the account whose books it changes.
    /// Returns when it is durable.
    ///
    /// The command may run more than once: PostgreSQL requires that after a deadlock or a
    /// serialization failure.
    ///
    /// # Errors
    /// The command's own error, or a converted [`StoreError`]; the transaction is then rolled back.
    pub async fn execute<T, E, F>(&self, of: impl Into<Lane>, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let of = of.into();
        let access = if of.requirement == Requirement::Unflushed {
            Access::WriteUnflushed
        } else {
            Access::Write
        };
        let answer = self.submit(access, Some(self.limit), of.account, command)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// Runs a query on one consistent snapshot, in the lane of the account that it concerns.
    ///
    /// On SQLite, a query runs immediately on the caller's thread, because it neither waits for
    /// other queries nor delays them, and handing it to another thread would cost more than most
    /// queries. Lists take longer and are therefore queued.
    ///
    /// # Errors
    /// The query's own error, or a converted [`StoreError`].
    pub async fn query<T, E, F>(&self, of: impl Into<Lane>, question: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let of = of.into();
        let access = match of.requirement {
            Requirement::Single => Access::LookUp,
            Requirement::List => Access::Scan,
            Requirement::Nothing | Requirement::Unflushed => Access::Read,
        };
        if let (Engine::Sqlite(engine), Access::Read | Access::LookUp) = (&self.engine, access) {
            let mut question = question;
            return engine.snapshot(Some(self.limit))?.read(&mut question);
        }
        let answer = self.submit(access, Some(self.limit), of.account, question)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// Like [`Store::execute`], for a command without an account.
    ///
    /// # Errors
    /// As for [`Store::execute`].
    pub async fn write<T, E, F>(&self, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.execute(Lane::NO_ACCOUNT, command).await
    }

    /// Like [`Store::query`], for a query without an account.
    ///
    /// # Errors
    /// As for [`Store::query`].
    pub async fn read<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.query(Lane::NO_ACCOUNT, question).await
    }

    /// Like [`Store::write`], for callers without an async runtime (the command line), and without
    /// a time limit.
    ///
    /// # Errors
    /// As for [`Store::write`].
    pub fn write_blocking<T, E, F>(&self, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let answer = self.submit(Access::Write, None, None, command)?;
        answer.blocking_recv().unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// Like [`Store::read`], for callers on a blocking thread (the command line, an export), and
    /// without a time limit.
    ///
    /// # Errors
    /// As for [`Store::read`].
    pub fn read_blocking<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        if let Engine::Sqlite(engine) = &self.engine {
            let mut question = question;
            return engine.snapshot(None)?.read(&mut question);
        }
        let answer = self.submit(Access::Read, None, None, question)?;
        answer.blocking_recv().unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// Opens a consistent snapshot for several successive queries. Returns `None` on PostgreSQL,
    /// where a snapshot would occupy a connection.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn snapshot(&self) -> Result<Option<Snapshot>, StoreError> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.snapshot(Some(self.limit)).map(Some),
            Engine::Postgres(_) => Ok(None),
        }
    }

    /// Registers a watch on the change feed of an account; `None` if there are too many already.
    #[must_use]
    pub fn watch(&self, account: i64) -> Option<Watch> {
        self.watchers.watch(account)
    }

    /// Returns the signal sent when the change feed of any account grows, or when a caller adds to
    /// the outbox without a change. Only one task can wait for the signal.
    #[must_use]
    pub fn reported(&self) -> Arc<Notify> {
        self.watchers.of_all()
    }

    /// Whether several servers may use the database; an SQLite file allows only one.
    #[must_use]
    pub fn has_nodes(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// Current load of the engine.
    #[must_use]
    pub fn status(&self) -> Status {
        match &self.engine {
            Engine::Sqlite(engine) => engine.status(),
            Engine::Postgres(engine) => engine.status(),
        }
    }

    /// Mechanism that protects the journal against changes.
    ///
    /// # Errors
    /// The database is unavailable.
    pub fn append_only(&self) -> Result<AppendOnly, StoreError> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(AppendOnly::Triggers),
            Engine::Postgres(_) => self.read_blocking(append_only::on_postgres),
        }
    }

    /// Copies a consistent snapshot of an SQLite database to a new file, while others read and
    /// write.
    ///
    /// # Errors
    /// The engine is PostgreSQL, or the file exists or cannot be written.
    pub fn backup(&self, to: &std::path::Path) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.backup(to),
            Engine::Postgres(_) => Err(StoreError::Unsupported(
                "`backup` copies an SQLite file; for PostgreSQL use its own pg_dump or pg_basebackup".into(),
            )),
        }
    }

    /// Checkpoints and truncates SQLite's write-ahead log, so that it contains no erased data.
    /// Returns false if other connections currently prevent this. Does nothing on PostgreSQL.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn checkpoint(&self) -> Result<bool, StoreError> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.checkpoint(),
            Engine::Postgres(_) => Ok(true),
        }
    }

    fn submit<T, E, F>(
        &self,
        access: Access,
        limit: Option<Duration>,
        account: Option<i64>,
        command: F,
    ) -> Result<oneshot::Receiver<Result<T, E>>, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (job, answer) = Job::new(access, limit, &self.watchers, command);
        match &self.engine {
            Engine::Sqlite(engine) => engine.put(account, job),
            Engine::Postgres(engine) => engine.put(account, job),
        }?;
        Ok(answer)
    }
}

/// Reads the schema version of a database without changing the database; 0 if it has no tables.
/// [`known_schema`] is the version that this program requires.
///
/// # Errors
/// The file or server cannot be opened.
pub fn schema(url: &DatabaseUrl) -> Result<i64, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => sqlite::schema(path),
        DatabaseUrl::Postgres(url) => Ok(postgres::Postgres::schema(url)?.unwrap_or(0)),
    }
}

/// Whether the SQLite file exists, or the PostgreSQL database has the program's tables. Does not
/// change the database.
///
/// # Errors
/// The server cannot be reached or queried.
pub fn is_begun(url: &DatabaseUrl) -> Result<bool, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => Ok(path.exists()),
        DatabaseUrl::Postgres(url) => Ok(postgres::Postgres::schema(url)?.is_some()),
    }
}

/// Copies one consistent snapshot of an SQLite database to a new file, while others read and write.
/// The database may have an older schema version.
///
/// # Errors
/// The database cannot be read; the new file exists or cannot be written.
pub fn copy(from: &std::path::Path, to: &std::path::Path) -> Result<(), StoreError> {
    sqlite::copy(from, to)
}

/// Replaces an SQLite database, which must not be in use, with a backup.
///
/// # Errors
/// The backup is damaged or from a newer version; the database is in use, or exists and `replace`
/// is false.
pub fn restore(
    from: &std::path::Path,
    to: &std::path::Path,
    replace: bool,
) -> Result<(), StoreError> {
    backup::restore(from, to, replace)
}
