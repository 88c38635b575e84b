//! Sessions: statements without results are queued and sent with the next query, with the commit, or
//! when their values exceed a limit (pipelining).

use super::{
    merge::{Query, Queued, merged},
    target::{Driver, silent},
};
use crate::{StoreError, engine::param::Param, error::is_collision};
use futures_util::future::{join, join_all};
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{runtime::Runtime, time::timeout};
use tokio_postgres::{Client, Row, Statement, error::SqlState, types::ToSql};

/// Extra time to wait for an answer beyond the statement timeout: a working server cancels the
/// statement itself and reports the cancellation.
const GRACE: Duration = Duration::from_secs(2);

/// Idle timeout for transactions without a time limit, such as those of command-line tools.
const IDLE: Duration = Duration::from_secs(60);

/// Size of the values of queued writes above which they are sent, in bytes: a transaction that writes
/// many rows does not hold them all in memory.
const MOST_QUEUED: usize = 1 << 20;

/// Reason why a transaction cannot continue.
pub(crate) enum Failure {
    /// A conflict with another transaction; the server rolled everything back.
    Collided(StoreError),
    /// The connection is lost.
    Lost(StoreError),
    /// The server does not answer; the state of the sent statements is unknown.
    Silent(StoreError),
    /// The server rejected a statement.
    Refused(StoreError),
}

/// A connection with its prepared statements and the queue of unsent statements.
pub(crate) struct Session {
    runtime: Arc<Runtime>,
    client: Client,
    _driver: Driver,
    statements: HashMap<String, Statement>,
    queued: Vec<Queued>,
    /// Size of the values of the queued writes, in bytes.
    queued_bytes: usize,
    /// Whether queries are recorded for a prefetch instead of being answered.
    recording: bool,
    /// Prefetched results; discarded at the next write, which might change them.
    answers: Vec<(Query, Vec<Row>)>,
    failure: Option<Failure>,
    /// Statement timeout set on the server.
    limit: Option<Duration>,
    /// Deadline for all statements of the job together.
    deadline: Option<Instant>,
}

impl Session {
    /// Creates a session on a new connection.
    pub(crate) fn new(runtime: &Arc<Runtime>, (client, driver): (Client, Driver)) -> Self {
        Self {
            runtime: Arc::clone(runtime),
            client,
            _driver: driver,
            statements: HashMap::new(),
            queued: Vec::new(),
            queued_bytes: 0,
            recording: false,
            answers: Vec::new(),
            failure: None,
            limit: None,
            deadline: None,
        }
    }

    /// Returns the connection.
    pub(crate) fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Whether the connection is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether the transaction has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Queues the statement that starts a transaction.
    pub(super) fn begin(&mut self, statement: &'static str) {
        self.queued.push(Queued::Simple(statement));
    }

    /// Ends the transaction: commits with all queued statements, or rolls back without them.
    pub(super) fn end(&mut self, commit: bool) {
        if !commit {
            self.queued.clear();
        }
        self.queued.push(Queued::Simple(if commit { "COMMIT" } else { "ROLLBACK" }));
        // The result is not needed, because the session stores any failure.
        drop(self.flush(None));
    }

    /// Discards queued statements and prefetched results; returns the failure of the transaction,
    /// if any.
    pub(crate) fn finish(&mut self) -> Option<Failure> {
        self.queued.clear();
        self.queued_bytes = 0;
        self.answers.clear();
        self.failure.take()
    }

    /// Sets the time limit of the next job.
    pub(super) fn limit_to(&mut self, limit: Option<Duration>) -> Result<(), StoreError> {
        self.deadline = limit.map(|limit| Instant::now() + limit);
        if self.limit != limit {
            // Zero means no limit.
            let millis = limit.map_or(0, |limit| limit.as_millis().max(1));
            let runtime = Arc::clone(&self.runtime);
            // If the connection breaks, this timeout makes the server release the transaction's
            // locks at about the time at which we stop waiting for an answer.
            let idle = limit.map_or(IDLE, |limit| limit + GRACE).as_millis();
            let setting = format!(
                "SET statement_timeout = {millis}; SET idle_in_transaction_session_timeout = {idle}"
            );
            let set = runtime.block_on(within(limit, self.client.batch_execute(&setting)));
            set.ok_or_else(silent)??;
            self.limit = limit;
        }
        Ok(())
    }

    /// Records the queries that `questions` runs; they are sent with the next real query.
    pub(crate) fn record(&mut self, questions: impl FnOnce(&mut Self)) {
        self.recording = true;
        questions(self);
        self.recording = false;
    }

    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) {
        self.answers.clear();
        self.queued_bytes += params.iter().map(Param::size).sum::<usize>();
        let params = params.iter().cloned().map(Param::into_owned).collect();
        self.queued.push(Queued::Write(Query { sql: sql.to_owned(), params }));
        if self.queued_bytes > MOST_QUEUED {
            // The result is not needed, because the session stores any failure.
            drop(self.flush(None));
        }
    }

    pub(crate) fn query(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        let is_this = |question: &Query| question.sql == sql && question.params == params;
        if self.recording {
            let params = params.iter().cloned().map(Param::into_owned).collect();
            self.queued.push(Queued::Prefetch(Query { sql: sql.to_owned(), params }));
            return Ok(Vec::new());
        }
        if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(StoreError::TooLong);
        }
        if let Some(place) = self.answers.iter().position(|(question, _)| is_this(question)) {
            return Ok(self.answers.swap_remove(place).1);
        }
        if self
            .queued
            .iter()
            .any(|item| matches!(item, Queued::Prefetch(question) if is_this(question)))
        {
            self.flush(None)?;
            return self.query(sql, params);
        }
        self.flush(Some((sql, params)))
    }

    /// Sends all queued statements, followed by the query, in one round trip; returns the query's
    /// rows.
    fn flush(&mut self, question: Option<(&str, &[Param<'_>])>) -> Result<Vec<Row>, StoreError> {
        if self.failure.is_some() {
            return Err(StoreError::Unavailable("the transaction has already failed".into()));
        }
        self.queued_bytes = 0;
        let queued = merged(std::mem::take(&mut self.queued));
        let runtime = Arc::clone(&self.runtime);
        let sent = runtime.block_on(within(self.limit, async {
            // Preparing a statement costs a round trip on its first use per connection.
            for item in &queued {
                if let Queued::Write(Query { sql, .. }) | Queued::Prefetch(Query { sql, .. }) = item
                {
                    self.prepare(sql).await?;
                }
            }
            if let Some((sql, _)) = question {
                self.prepare(sql).await?;
            }
            let session = &*self;
            let sending = join_all(queued.iter().map(|item| session.send(item)));
            // The futures are polled in order, and each sends its request when first polled.
            let (sent, answered) = join(sending, async {
                match question {
                    Some((sql, params)) => session.ask(&session.statements[sql], params).await,
                    None => Ok(Vec::new()),
                }
            })
            .await;
            let sent = sent.into_iter().collect::<Result<Vec<_>, _>>()?;
            Ok((sent, answered?))
        }));
        let Some(sent) = sent else {
            self.failure = Some(Failure::Silent(silent()));
            return Err(silent());
        };
        let (sent, answered) = sent.map_err(|error| self.failed(error))?;
        for (item, rows) in queued.into_iter().zip(sent) {
            if let Queued::Prefetch(question) = item {
                self.answers.push((question, rows));
            }
        }
        Ok(answered)
    }

    /// Stores why the transaction cannot continue.
    fn failed(&mut self, error: tokio_postgres::Error) -> StoreError {
        let collision = error.code().is_some_and(is_collision);
        // A server that is shutting down reports this error on each connection and accepts no more
        // statements.
        let ends =
            [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
        let refused = error.as_db_error().is_some_and(|error| !ends.contains(error.code()));
        let trouble = StoreError::from(error);
        // Numbers are assigned while the books are locked, so no concurrent transaction can have
        // assigned the same number; a retry would fail in the same way.
        let collided = collision && !matches!(trouble, StoreError::NumberTaken);
        self.failure = Some(if collided {
            Failure::Collided(trouble.clone())
        } else if refused {
            Failure::Refused(trouble.clone())
        } else {
            Failure::Lost(trouble.clone())
        });
        trouble
    }

    async fn prepare(&mut self, sql: &str) -> Result<(), tokio_postgres::Error> {
        if !self.statements.contains_key(sql) {
            let statement = self.client.prepare(&numbered(sql)).await?;
            self.statements.insert(sql.to_owned(), statement);
        }
        Ok(())
    }

    async fn send(&self, item: &Queued) -> Result<Vec<Row>, tokio_postgres::Error> {
        match item {
            Queued::Simple(sql) => self.client.batch_execute(sql).await.map(|()| Vec::new()),
            Queued::Write(Query { sql, params }) | Queued::Prefetch(Query { sql, params }) => {
                self.ask(&self.statements[sql], params).await
            }
        }
    }

    async fn ask(
        &self,
        statement: &Statement,
        params: &[Param<'_>],
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        let params: Vec<&(dyn ToSql + Sync)> =
            params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        self.client.query(statement, &params).await
    }
}

/// Waits for an answer, but not longer than the statement timeout plus [`GRACE`].
async fn within<T>(
    limit: Option<Duration>,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Option<Result<T, tokio_postgres::Error>> {
    match limit {
        Some(limit) => timeout(limit + GRACE, answer).await.ok(),
        None => Some(answer.await),
    }
}

/// Converts placeholders to PostgreSQL's notation: `?1` becomes `$1`. Assumes that no statement
/// contains a `?` in a string literal.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}
