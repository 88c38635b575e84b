//! The books on disk: one set of queries for two engines, SQLite embedded and PostgreSQL.
//!
//! A caller hands a closure to [`Store::execute`] or [`Store::query`] and awaits its answer; the closure gets a [`Tx`] and runs
//! synchronously: a command on one of the engine's own threads, a query on SQLite where it is asked. A command is one transaction: it is
//! durable when its answer arrives, and it left no trace when the answer is an error. Both say of whose books they are ([`Lane`]), so that
//! accounts take turns at what they have to share.

pub mod access;
mod change_kinds;
pub mod changes;
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
pub use identity::{accounts, closing, mail_tokens, people, person_events, sessions, submissions, test_accounts};
pub use journal::{books, events, ledger_cards, opening_items};
pub use purchases::{assets, expense_table, expenses, receipts, trips};
pub use sales::{
    contacts, documents, invoice_lines, invoice_table, invoices, payments, payouts, prepayments, receivables, sales_totals,
    vat_corrections, write_offs,
};
pub use tax::{checks, filings, payments as vat_payments, schemes, years};

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

/// How many commands may wait for the database before new ones are answered with [`StoreError::Unavailable`].
const QUEUE_LENGTH: usize = 4096;

/// How long a query may take before it is stopped with [`StoreError::TooLong`].
const QUERY_LIMIT: Duration = Duration::from_secs(10);
/// Threads that answer lists ([`Lane::list`]), besides those for everything else: lists never keep a thread or a connection from other queries.
const SCANNERS: usize = 4;

/// The books of all accounts on one database; cheap to share behind an `Arc`.
pub struct Store {
    engine: Engine,
    watchers: Watchers,
    limit: Duration,
}

enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

/// What a command needs of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// One transaction that is committed when the command succeeds.
    Write,
    /// The same, which a power cut may undo.
    WriteUnflushed,
    /// One consistent snapshot of the database; nothing can be written.
    Read,
    /// The same for what may have to look at many rows.
    Scan,
    /// A single query that needs no transaction around it.
    LookUp,
}

impl Access {
    /// Whether what it writes is committed.
    fn writes(self) -> bool {
        matches!(self, Self::Write | Self::WriteUnflushed)
    }

    /// Where it waits if it is of one account.
    fn key(self, account: i64) -> Key {
        if self.writes() { Key::Writes(account) } else { Key::Reads(account) }
    }
}

impl Store {
    /// Opens the database, creating the SQLite file where it is missing, and brings its tables up to date.
    ///
    /// `connections` is the number of idle read-only connections that are kept on SQLite, and of connections on PostgreSQL, where a quarter
    /// as many (2 to 4) are opened besides when lists are asked for.
    ///
    /// # Errors
    /// The file or server cannot be opened, or was written by a newer version of the program; or its tables are older than the program and
    /// a server is at work on it.
    pub fn open(url: &DatabaseUrl, connections: usize) -> Result<Self, StoreError> {
        Self::open_for(url, connections, Purpose::Command)
    }

    /// The same for a server. As long as it lives, no second server opens the same SQLite file, and no command changes the tables.
    ///
    /// # Errors
    /// As for [`Store::open`]; or another server has the SQLite file open.
    pub fn open_to_serve(url: &DatabaseUrl, connections: usize) -> Result<Self, StoreError> {
        Self::open_for(url, connections, Purpose::Serve)
    }

    fn open_for(url: &DatabaseUrl, connections: usize, purpose: Purpose) -> Result<Self, StoreError> {
        let engine = match url {
            DatabaseUrl::Sqlite(path) => Engine::Sqlite(sqlite::Sqlite::open(path, connections, purpose)?),
            DatabaseUrl::Postgres(url) => Engine::Postgres(postgres::Postgres::open(url, connections, purpose)?),
        };
        Ok(Self { engine, watchers: Watchers::default(), limit: QUERY_LIMIT })
    }

    /// The same store with another limit to what a query may take; it is 10 seconds otherwise.
    #[must_use]
    pub fn with_query_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Carries out a command in one transaction, in the lane of the account whose books it writes into, and answers when it is durable.
    ///
    /// The command may run more than once: PostgreSQL asks for that after a deadlock or a serialization failure.
    ///
    /// # Errors
    /// The command's own error, or a [`StoreError`] turned into it; then nothing of the command is in the books.
    pub async fn execute<T, E, F>(&self, of: impl Into<Lane>, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let of = of.into();
        let access = if of.requirement == Requirement::Unflushed { Access::WriteUnflushed } else { Access::Write };
        let answer = self.submit(access, Some(self.limit), of.account, command)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// Answers a question on one consistent snapshot of the books, in the lane of the account that it is about.
    ///
    /// On SQLite it is answered at once, where it is asked, unless it is a list: it waits for nobody and keeps nobody waiting, and to hand it
    /// to another thread would cost more than most answers. There only lists, which take long, are queued.
    ///
    /// # Errors
    /// The question's own error, or a [`StoreError`] turned into it.
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

    /// [`Store::execute`] of no account.
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

    /// [`Store::query`] of no account.
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

    /// [`Store::write`] for callers without an async runtime (the command line). It takes as long as it takes.
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

    /// [`Store::read`] for callers on a thread that may wait (the command line, an export). It takes as long as it takes.
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

    /// One consistent snapshot of the books that several questions can be asked of without waiting; none on PostgreSQL, where that
    /// would keep a connection from others.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn snapshot(&self) -> Result<Option<Snapshot>, StoreError> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.snapshot(Some(self.limit)).map(Some),
            Engine::Postgres(_) => Ok(None),
        }
    }

    /// A place to wait for the change feed of an account; none while too many wait already.
    #[must_use]
    pub fn watch(&self, account: i64) -> Option<Watch> {
        self.watchers.watch(account)
    }

    /// Notified whenever the change feed of some account has more to report, and by whoever put something into the outbox that no change belongs
    /// to. One task can wait for it.
    #[must_use]
    pub fn reported(&self) -> Arc<Notify> {
        self.watchers.of_all()
    }

    /// Whether several servers may use the database: an SQLite file has one.
    #[must_use]
    pub fn has_nodes(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// What the engine is doing just now.
    #[must_use]
    pub fn status(&self) -> Status {
        match &self.engine {
            Engine::Sqlite(engine) => engine.status(),
            Engine::Postgres(engine) => engine.status(),
        }
    }

    /// What keeps the journal from being changed.
    ///
    /// # Errors
    /// The database is away.
    pub fn append_only(&self) -> Result<AppendOnly, StoreError> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(AppendOnly::Triggers),
            Engine::Postgres(_) => self.read_blocking(append_only::on_postgres),
        }
    }

    /// Copies a consistent snapshot of an SQLite database to a new file, while others read and write.
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

    /// Takes what was erased out of the engine's log too; false when others are in the way just now. PostgreSQL sees to that itself.
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

/// The version of the tables of a database, which is not changed; 0 as long as there are none. [`known_schema`] is the version that this
/// program works with.
///
/// # Errors
/// The file or server cannot be opened.
pub fn schema(url: &DatabaseUrl) -> Result<i64, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => sqlite::schema(path),
        DatabaseUrl::Postgres(url) => Ok(postgres::Postgres::schema(url)?.unwrap_or(0)),
    }
}

/// Whether books were ever begun in a database, which is not changed.
///
/// # Errors
/// The file or server cannot be opened.
pub fn is_begun(url: &DatabaseUrl) -> Result<bool, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => Ok(path.exists()),
        DatabaseUrl::Postgres(url) => Ok(postgres::Postgres::schema(url)?.is_some()),
    }
}

/// Copies an SQLite database to a new file as it is, also when its tables are those of an older version: one consistent snapshot, while others
/// read and write.
///
/// # Errors
/// The database cannot be read; the new file exists or cannot be written.
pub fn copy(from: &std::path::Path, to: &std::path::Path) -> Result<(), StoreError> {
    sqlite::copy(from, to)
}

/// Puts a backup in the place of an SQLite database that nobody has open.
///
/// # Errors
/// The backup is damaged or from a newer version; the database is in use, or exists and is not to be replaced.
pub fn restore(from: &std::path::Path, to: &std::path::Path, replace: bool) -> Result<(), StoreError> {
    backup::restore(from, to, replace)
}
