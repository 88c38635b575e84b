//! Workers: take jobs from the queue, run each in a transaction, and retry after conflicts.

use super::{
    session::{Failure, Session},
    target::{Target, silent},
};
use crate::{
    Access, StoreError, Tx,
    engine::{
        Purpose, fair_queue::FairQueue, job::Job, migrations, priority::give_way, status::One,
    },
    error::chain,
};
use std::{
    sync::{Arc, atomic::Ordering},
    thread::JoinHandle,
    time::Duration,
};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, error::SqlState};
use tracing::warn;

/// Maximum number of attempts to run a command that conflicts ([`crate::error::is_collision`]).
const ATTEMPTS: usize = 10;

/// A worker with its connection.
pub(crate) struct Worker {
    target: Target,
    runtime: Arc<Runtime>,
    session: Option<(Session, One)>,
    /// Value of [`Target::silences`] when the session was opened.
    silences: u64,
}

/// Result of one attempt to run a command.
enum Ran {
    /// The command has its result, and its changes, if any, are committed.
    Done,
    /// Nothing was committed, and the command may be retried.
    Again(StoreError),
    /// The command must not be retried here: its outcome is unknown, or an immediate retry would
    /// not help.
    Failed(StoreError),
}

impl Worker {
    /// Creates a worker that is not connected yet.
    pub(crate) fn new(target: Target) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| StoreError::Open(error.to_string()))?;
        Ok(Self { target, runtime: Arc::new(runtime), session: None, silences: 0 })
    }

    /// Takes jobs from the queue on its own thread, until the queue is closed.
    pub(super) fn start(self, queue: &Arc<FairQueue<Job>>) -> Result<JoinHandle<()>, StoreError> {
        self.spawn("postgres", queue, || ())
    }

    /// Like [`Worker::start`], for long-running queries: the thread has a lower priority.
    pub(super) fn start_scanning(
        self,
        queue: &Arc<FairQueue<Job>>,
    ) -> Result<JoinHandle<()>, StoreError> {
        self.spawn("postgres-scan", queue, give_way)
    }

    fn spawn(
        self,
        name: &str,
        queue: &Arc<FairQueue<Job>>,
        prepare: fn(),
    ) -> Result<JoinHandle<()>, StoreError> {
        let queue = Arc::clone(queue);
        let life = move || {
            prepare();
            self.work(&queue);
        };
        let thread = std::thread::Builder::new().name(name.into()).spawn(life);
        thread.map_err(|error| StoreError::Open(error.to_string()))
    }

    fn work(mut self, queue: &FairQueue<Job>) {
        while let Some((key, mut job)) = queue.take() {
            if !job.is_abandoned() {
                let busy = self.target.busy.one();
                let outcome = self.run_until_settled(&mut job);
                drop(busy);
                // An outage is not logged again: it was logged when it was detected.
                if let (Err(trouble), false) = (&outcome, self.target.is_away()) {
                    warn!(%trouble, "a command was not committed");
                }
                job.answer(outcome);
            }
            queue.done(key);
        }
    }

    fn run_until_settled(&mut self, job: &mut Job) -> Result<(), StoreError> {
        let mut attempt = 1;
        loop {
            match self.run(job) {
                Ran::Done => return Ok(()),
                Ran::Failed(trouble) => return Err(trouble),
                Ran::Again(trouble) if attempt == ATTEMPTS => return Err(trouble),
                Ran::Again(_) => {
                    // Gives the conflicting transaction time to finish.
                    std::thread::sleep(Duration::from_millis(1 << attempt.min(6)));
                    attempt += 1;
                }
            }
        }
    }

    fn run(&mut self, job: &mut Job) -> Ran {
        let limited = self.connect(job.limit).and_then(|session| session.limit_to(job.limit));
        let Some((session, _)) = self.session.as_mut().filter(|_| limited.is_ok()) else {
            self.session = None;
            return Ran::Failed(limited.err().unwrap_or_else(silent));
        };
        match job.access {
            Access::Write => session.begin("BEGIN"),
            Access::WriteUnflushed => session.begin("BEGIN; SET LOCAL synchronous_commit TO OFF"),
            Access::Read | Access::Scan => {
                session.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            }
            Access::LookUp => {}
        }
        let mut tx = Tx::postgres(session);
        let wants_commit = job.run(&mut tx);
        let wrote = tx.writes() > 0;
        let mut commit_was_sent = false;
        if !session.has_failed() && job.access != Access::LookUp {
            commit_was_sent = wants_commit && job.access.writes();
            session.end(commit_was_sent);
        }
        let failure = session.finish();
        if failure.is_some() || session.is_closed() {
            // After a failure, the connection is replaced rather than repaired: failures are
            // rare, and a new connection is always in a correct state.
            self.session = None;
            // Lets the runtime close the connection now rather than when the next job starts.
            self.runtime.block_on(tokio::task::yield_now());
        }
        match &failure {
            None if commit_was_sent && wrote => {
                self.target.reads_only.store(false, Ordering::Relaxed)
            }
            Some(Failure::Refused(StoreError::NotWritable(_))) => {
                self.target.reads_only.store(true, Ordering::Relaxed)
            }
            _ => {}
        }
        match failure {
            None => Ran::Done,
            // A read already has its result, which a failure to end the transaction does not
            // affect.
            Some(_) if !job.access.writes() && wants_commit => Ran::Done,
            Some(Failure::Collided(trouble)) => Ran::Again(trouble),
            Some(Failure::Lost(trouble)) if !commit_was_sent => Ran::Again(trouble),
            Some(Failure::Silent(trouble)) => {
                self.target.is_silent(&trouble);
                Ran::Failed(trouble)
            }
            Some(Failure::Lost(trouble) | Failure::Refused(trouble)) => Ran::Failed(trouble),
        }
    }

    fn connect(&mut self, limit: Option<Duration>) -> Result<&mut Session, StoreError> {
        let is_good = |(session, _): &(Session, One)| {
            !session.is_closed() && self.silences == self.target.silences()
        };
        let session = match self.session.take().filter(is_good) {
            Some(session) => session,
            None => {
                self.silences = self.target.silences();
                let connected = self.runtime.block_on(self.target.connect(limit))?;
                (Session::new(&self.runtime, connected), self.target.open.one())
            }
        };
        Ok(&mut self.session.insert(session).0)
    }

    /// Reads the schema version; `None` if there are no tables yet.
    pub(super) fn schema(&mut self) -> Result<Option<i64>, StoreError> {
        let runtime = Arc::clone(&self.runtime);
        let client =
            self.connect(None).map_err(|trouble| StoreError::Connect(Box::new(trouble)))?.client();
        let trouble = |error: tokio_postgres::Error| StoreError::Open(chain(&error));
        runtime.block_on(async {
            let row = client
                .query_one("SELECT to_regclass('schema_version') IS NOT NULL", &[])
                .await
                .map_err(trouble)?;
            if !row.try_get(0).map_err(trouble)? {
                return Ok(None);
            }
            let row = client
                .query_one("SELECT COALESCE(MAX(version), 0) FROM schema_version", &[])
                .await
                .map_err(trouble)?;
            row.try_get(0).map(Some).map_err(trouble)
        })
    }

    /// Passes the connection to `at`, which runs checks on it.
    pub(super) fn look(
        &mut self,
        at: impl AsyncFnOnce(&Client) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let runtime = Arc::clone(&self.runtime);
        let client =
            self.connect(None).map_err(|trouble| StoreError::Connect(Box::new(trouble)))?.client();
        runtime.block_on(at(client))
    }

    /// Applies the missing migrations.
    pub(crate) fn migrate(&mut self, purpose: Purpose) -> Result<(), StoreError> {
        let runtime = Arc::clone(&self.runtime);
        let client =
            self.connect(None).map_err(|trouble| StoreError::Connect(Box::new(trouble)))?.client();
        let trouble = |error: tokio_postgres::Error| StoreError::Open(chain(&error));
        runtime.block_on(async {
            loop {
                let tx = client.transaction().await.map_err(trouble)?;
                // Waits without a time limit, because another node may be migrating, which can take
                // a long time.
                tx.batch_execute("SET LOCAL lock_timeout = 0").await.map_err(trouble)?;
                tx.execute("SELECT pg_advisory_xact_lock($1)", &[&migrations::POSTGRES_LOCK])
                    .await
                    .map_err(trouble)?;
                // `IF NOT EXISTS` is not used: a role that only serves lacks the privilege for it.
                let row = tx
                    .query_one("SELECT to_regclass('schema_version') IS NULL", &[])
                    .await
                    .map_err(trouble)?;
                if row.try_get(0).map_err(trouble)? {
                    tx.batch_execute("CREATE TABLE schema_version (version BIGINT NOT NULL)")
                        .await
                        .map_err(not_the_owner)?;
                }
                let row = tx
                    .query_one("SELECT COALESCE(MAX(version), 0) FROM schema_version", &[])
                    .await
                    .map_err(trouble)?;
                let done: i64 = row.try_get(0).map_err(trouble)?;
                let Some(next) = migrations::following(done, migrations::POSTGRES)? else {
                    return tx.commit().await.map_err(trouble);
                };
                if purpose == Purpose::Command {
                    // Waits briefly, because a transaction does not release all its locks at once:
                    // another command that just committed a migration may still have this one.
                    tx.batch_execute("SET LOCAL lock_timeout = '1s'").await.map_err(trouble)?;
                    let alone = tx.execute(
                        "SELECT pg_advisory_xact_lock($1)",
                        &[&migrations::POSTGRES_SERVING],
                    );
                    alone.await.map_err(|error| {
                        let is_locked = error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE);
                        if is_locked { StoreError::served_by_older() } else { trouble(error) }
                    })?;
                    tx.batch_execute("SET LOCAL lock_timeout = 0").await.map_err(trouble)?;
                }
                tx.batch_execute(next).await.map_err(not_the_owner)?;
                tx.execute("INSERT INTO schema_version VALUES ($1)", &[&(done + 1)])
                    .await
                    .map_err(trouble)?;
                tx.commit().await.map_err(trouble)?;
            }
        })
    }
}

/// Error for a failed migration, with advice if the role lacks the privilege.
fn not_the_owner(error: tokio_postgres::Error) -> StoreError {
    if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
        let message = "its tables are older than this program, and this role may not change them: run `grootboek migrate` with the role that \
                       owns them, then `grootboek distribute` if they are distributed";
        return StoreError::Open(format!("{message} ({})", chain(&error)));
    }
    StoreError::Open(chain(&error))
}
