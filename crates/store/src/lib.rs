//! The books on disk: one set of queries for two engines, SQLite embedded and PostgreSQL.
//!
//! A caller hands a closure to [`Store::write`] or [`Store::read`] and awaits its answer; the closure gets a [`Tx`] and runs
//! synchronously: a write on one of the engine's own threads, a read on SQLite where it is asked. A write is one transaction: it is durable when its answer arrives,
//! and it left no trace when the answer is an error.

pub mod account_events;
pub mod accounts;
pub mod api_calls;
mod backup;
pub mod books;
pub mod closing;
pub mod contacts;
pub mod error;
pub mod expenses;
pub mod filings;
pub mod invoices;
mod job;
pub mod journal;
pub mod keys;
mod lanes;
pub mod mail_tokens;
mod migrations;
pub mod oauth;
pub mod param;
pub mod payments;
pub mod people;
mod postgres;
pub mod projects;
pub mod row;
pub mod sessions;
mod sqlite;
pub mod time;
pub mod tx;
pub mod url;

use job::Job;
use tokio::sync::oneshot;

pub use backup::create_private;
pub use error::StoreError;
pub use sqlite::Snapshot;
pub use tx::Tx;
pub use url::DatabaseUrl;

/// How many commands may wait for the database before new ones are answered with [`StoreError::Unavailable`].
const QUEUE_LENGTH: usize = 4096;

/// The books of all accounts on one database; cheap to share behind an `Arc`.
pub struct Store {
    engine: Engine,
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
    /// One consistent picture of the database; nothing can be written.
    Read,
    /// A single query that needs no transaction around it.
    LookUp,
}

impl Store {
    /// Opens the database, creating the SQLite file where it is missing, and brings its tables up to date.
    ///
    /// `connections` is the number of idle read-only connections that are kept on SQLite, and of connections on PostgreSQL.
    ///
    /// # Errors
    /// The file or server cannot be opened, or was written by a newer version of the program.
    pub fn open(url: &DatabaseUrl, connections: usize) -> Result<Self, StoreError> {
        let engine = match url {
            DatabaseUrl::Sqlite(path) => Engine::Sqlite(sqlite::Sqlite::open(path, connections)?),
            DatabaseUrl::Postgres(url) => Engine::Postgres(postgres::Postgres::open(url, connections)?),
        };
        Ok(Self { engine })
    }

    /// Runs a command in one transaction and answers when it is durable.
    ///
    /// The command may run more than once: PostgreSQL asks for that after a deadlock or a serialization failure.
    ///
    /// # Errors
    /// The command's own error, or a [`StoreError`] turned into it; then nothing of the command is in the books.
    pub async fn write<T, E, F>(&self, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(Access::Write, None, command).await
    }

    /// [`Store::write`] into the books of one account. Its writers follow one another; on PostgreSQL those that must wait do so without
    /// keeping a connection from other accounts.
    ///
    /// # Errors
    /// As for [`Store::write`].
    pub async fn write_for<T, E, F>(&self, account: i64, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(Access::Write, Some(account), command).await
    }

    /// Runs a question on one consistent picture of the books.
    ///
    /// # Errors
    /// The question's own error, or a [`StoreError`] turned into it.
    pub async fn read<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(Access::Read, None, question).await
    }

    /// Runs a question of a single query, which needs no transaction to be consistent.
    ///
    /// # Errors
    /// The question's own error, or a [`StoreError`] turned into it.
    pub async fn look_up<T, E, F>(&self, question: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(Access::LookUp, None, question).await
    }

    /// [`Store::write`] for callers without an async runtime (the command line).
    ///
    /// # Errors
    /// As for [`Store::write`].
    pub fn write_blocking<T, E, F>(&self, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let answer = self.submit(Access::Write, None, command)?;
        answer.blocking_recv().unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// [`Store::read`] for callers without an async runtime (the command line).
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
            return engine.snapshot()?.read(&mut question);
        }
        let answer = self.submit(Access::Read, None, question)?;
        answer.blocking_recv().unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    /// One consistent picture of the books that several questions can be asked of without waiting; none on PostgreSQL, where that
    /// would keep a connection from others.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn snapshot(&self) -> Result<Option<Snapshot>, StoreError> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.snapshot().map(Some),
            Engine::Postgres(_) => Ok(None),
        }
    }

    /// Copies a consistent picture of an SQLite database to a new file, while others read and write.
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
    pub fn fold(&self) -> Result<bool, StoreError> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.fold(),
            Engine::Postgres(_) => Ok(true),
        }
    }

    async fn run<T, E, F>(&self, access: Access, account: Option<i64>, command: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        if let (Engine::Sqlite(engine), Access::Read | Access::LookUp) = (&self.engine, access) {
            let mut question = command;
            return engine.snapshot()?.read(&mut question);
        }
        let answer = self.submit(access, account, command)?;
        answer.await.unwrap_or_else(|_| Err(StoreError::closing().into()))
    }

    fn submit<T, E, F>(&self, access: Access, account: Option<i64>, command: F) -> Result<oneshot::Receiver<Result<T, E>>, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (job, answer) = Job::new(access, command);
        match &self.engine {
            Engine::Sqlite(engine) => engine.put(job),
            Engine::Postgres(engine) => engine.put(account, job),
        }?;
        Ok(answer)
    }
}

/// Puts a backup in the place of an SQLite database that nobody has open.
///
/// # Errors
/// The backup is damaged or from a newer version; the database is in use, or exists and is not to be replaced.
pub fn restore(from: &std::path::Path, to: &std::path::Path, replace: bool) -> Result<(), StoreError> {
    backup::restore(from, to, replace)
}
