//! A session: statements that give no rows are queued and travel with the next question or with the commit (pipelining).

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

/// How much longer than a statement may take its answer is waited for: a server that lives stops the statement by itself and says so.
const GRACE: Duration = Duration::from_secs(2);

/// How long the server lets a transaction of the command line wait for its next statement.
const IDLE: Duration = Duration::from_secs(60);

/// Why a transaction cannot go on.
pub(crate) enum Failure {
    /// Someone else was in the way; the server took everything back.
    Collided(StoreError),
    /// The connection is gone.
    Lost(StoreError),
    /// The server does not answer; what it does with what it was sent is not known.
    Silent(StoreError),
    /// The server refused a statement.
    Refused(StoreError),
}

/// A live connection, the statements that the server knows on it, and those that wait to be sent.
pub(crate) struct Session {
    runtime: Arc<Runtime>,
    client: Client,
    _driver: Driver,
    statements: HashMap<String, Statement>,
    queued: Vec<Queued>,
    /// Questions are only written down just now.
    recording: bool,
    /// What is known already; forgotten at the next write, which might change it.
    answers: Vec<(Query, Vec<Row>)>,
    failure: Option<Failure>,
    /// How long the server lets a statement take.
    limit: Option<Duration>,
    /// When all statements of a job together have taken too long.
    deadline: Option<Instant>,
}

impl Session {
    /// A session on a fresh connection.
    pub(crate) fn new(runtime: &Arc<Runtime>, (client, driver): (Client, Driver)) -> Self {
        Self {
            runtime: Arc::clone(runtime),
            client,
            _driver: driver,
            statements: HashMap::new(),
            queued: Vec::new(),
            recording: false,
            answers: Vec::new(),
            failure: None,
            limit: None,
            deadline: None,
        }
    }

    /// The connection itself.
    pub(crate) fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Whether the connection is gone.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether the transaction cannot go on.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Queues the statement that begins a transaction.
    pub(super) fn begin(&mut self, statement: &'static str) {
        self.queued.push(Queued::Simple(statement));
    }

    /// Ends the transaction: with all that is queued, or without.
    pub(super) fn end(&mut self, commit: bool) {
        if !commit {
            self.queued.clear();
        }
        self.queued.push(Queued::Simple(if commit { "COMMIT" } else { "ROLLBACK" }));
        // Its failure is kept.
        drop(self.flush(None));
    }

    /// Forgets what was queued and answered; gives why the transaction could not go on, if it could not.
    pub(crate) fn finish(&mut self) -> Option<Failure> {
        self.queued.clear();
        self.answers.clear();
        self.failure.take()
    }

    /// What begins now has this long.
    pub(super) fn limit_to(&mut self, limit: Option<Duration>) -> Result<(), StoreError> {
        self.deadline = limit.map(|limit| Instant::now() + limit);
        if self.limit != limit {
            // Zero is no limit.
            let millis = limit.map_or(0, |limit| limit.as_millis().max(1));
            let runtime = Arc::clone(&self.runtime);
            // A server that cannot reach us keeps what the transaction has locked no longer than we wait for it.
            let idle = limit.map_or(IDLE, |limit| limit + GRACE).as_millis();
            let setting = format!("SET statement_timeout = {millis}; SET idle_in_transaction_session_timeout = {idle}");
            let set = runtime.block_on(within(limit, self.client.batch_execute(&setting)));
            set.ok_or_else(silent)??;
            self.limit = limit;
        }
        Ok(())
    }

    /// Notes down the questions that are asked meanwhile; they are sent with the next one.
    pub(crate) fn record(&mut self, questions: impl FnOnce(&mut Self)) {
        self.recording = true;
        questions(self);
        self.recording = false;
    }

    pub(crate) fn execute(&mut self, sql: &str, params: &[Param<'_>]) {
        self.answers.clear();
        let params = params.iter().cloned().map(Param::into_owned).collect();
        self.queued.push(Queued::Write(Query { sql: sql.to_owned(), params }));
    }

    pub(crate) fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError> {
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
        if self.queued.iter().any(|item| matches!(item, Queued::Prefetch(question) if is_this(question))) {
            self.flush(None)?;
            return self.query(sql, params);
        }
        self.flush(Some((sql, params)))
    }

    /// Sends all that is queued, and the question after it, in one go; gives the question's rows.
    fn flush(&mut self, question: Option<(&str, &[Param<'_>])>) -> Result<Vec<Row>, StoreError> {
        if self.failure.is_some() {
            return Err(StoreError::Unavailable("the transaction has failed already".into()));
        }
        let queued = merged(std::mem::take(&mut self.queued));
        let runtime = Arc::clone(&self.runtime);
        let sent = runtime.block_on(within(self.limit, async {
            // The first use of a statement on a connection costs a round trip of its own.
            for item in &queued {
                if let Queued::Write(Query { sql, .. }) | Queued::Prefetch(Query { sql, .. }) = item {
                    self.prepare(sql).await?;
                }
            }
            if let Some((sql, _)) = question {
                self.prepare(sql).await?;
            }
            let session = &*self;
            let sending = join_all(queued.iter().map(|item| session.send(item)));
            // The futures are polled in this order, and each puts its request on the wire when first polled.
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

    /// Keeps why the transaction cannot go on.
    fn failed(&mut self, error: tokio_postgres::Error) -> StoreError {
        let collision = error.code().is_some_and(is_collision);
        // A server that is stopped says so on each connection, and takes nothing on it any more.
        let ends = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
        let refused = error.as_db_error().is_some_and(|error| !ends.contains(error.code()));
        let trouble = StoreError::from(error);
        // Numbers are given out while the books are locked, so nobody else took this one: the same again would find it taken again.
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

    async fn ask(&self, statement: &Statement, params: &[Param<'_>]) -> Result<Vec<Row>, tokio_postgres::Error> {
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        self.client.query(statement, &params).await
    }
}

/// Waits for an answer, unless it takes longer than a statement may and the server should have said so.
async fn within<T>(
    limit: Option<Duration>,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Option<Result<T, tokio_postgres::Error>> {
    match limit {
        Some(limit) => timeout(limit + GRACE, answer).await.ok(),
        None => Some(answer.await),
    }
}

/// The statement with PostgreSQL's way of writing parameters: `$1` for `?1`. No statement of ours has a `?` in a text.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}
