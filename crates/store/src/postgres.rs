//! PostgreSQL: a pool of threads, each with a connection of its own that it makes again when it is lost.
//!
//! Each thread drives its connection itself, so that a question is one write and one read on the socket without a hop to
//! another thread, and statements that give no rows travel with the next question (pipelining).

use crate::{
    Access, StoreError, Tx,
    error::{chain, is_collision},
    job::Job,
    lanes::Lanes,
    migrations,
    param::Param,
};
use futures_util::future::{join, join_all};
use std::{collections::HashMap, fmt::Write as _, sync::Arc, thread::JoinHandle, time::Duration};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, Row, Statement, config::SslMode, types::ToSql};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::{info, warn};

/// How often a command is run when others are in its way ([`is_collision`]).
const ATTEMPTS: usize = 10;
/// How many writes of one account may be with the workers at once: one that works, and one that waits for its lock to follow at its
/// heels.
const ABREAST: usize = 2;
/// Parameters of a merged statement at the most; the protocol allows 65 535.
const MOST_PARAMETERS: usize = 10_000;
/// How long to wait for a server that does not answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long one statement may take before the server gives it up: shorter than the 30 seconds of a request.
const STATEMENT_TIMEOUT: &str =
    "SET statement_timeout = '25s'; SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s'";

/// An open PostgreSQL database with its threads.
pub(crate) struct Postgres {
    jobs: Arc<Lanes<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Postgres {
    pub(crate) fn open(url: &str, connections: usize) -> Result<Self, StoreError> {
        let target = Target::parse(url)?;
        let mut first = Worker::new(target.clone())?;
        first.migrate()?;
        let jobs = Arc::new(Lanes::new((connections / 2).clamp(1, ABREAST), crate::QUEUE_LENGTH));
        let mut workers = vec![first];
        for _ in 1..connections.max(1) {
            workers.push(Worker::new(target.clone())?);
        }
        let mut threads = Vec::with_capacity(workers.len());
        for worker in workers {
            let queue = Arc::clone(&jobs);
            let thread = std::thread::Builder::new().name("postgres".into()).spawn(move || worker.work(&queue));
            threads.push(thread.map_err(|error| StoreError::Open(error.to_string()))?);
        }
        Ok(Self { jobs, threads })
    }

    /// Lets a worker do it; `account` is the one whose books it writes into, if it is one.
    pub(crate) fn put(&self, account: Option<i64>, job: Job) -> Result<(), StoreError> {
        self.jobs.put(account, job)
    }
}

impl Drop for Postgres {
    /// Finishes the commands that wait, then closes the connections.
    fn drop(&mut self) {
        self.jobs.close();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

/// Where to connect, and how.
#[derive(Clone)]
struct Target {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

impl Target {
    fn parse(url: &str) -> Result<Self, StoreError> {
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            let told = chain(&error);
            // What this parameter holds in libpq's words is refused without a word on what would be taken.
            let allowed = if told.contains("sslmode") { "; sslmode is one of disable, prefer, require" } else { "" };
            StoreError::Open(format!("{told}{allowed}"))
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("grootboek");
        }
        let tls = match (config.get_ssl_mode(), MakeRustlsConnect::with_native_certs()) {
            (SslMode::Disable, _) => None,
            (_, Ok((tls, _unreadable))) => Some(tls),
            // Without the machine's certificates no server can be trusted; the default mode then goes on without TLS, as libpq does.
            (SslMode::Prefer, Err(_)) => None,
            (_, Err(errors)) => return Err(StoreError::Open(format!("no certificates to trust: {errors:?}"))),
        };
        Ok(Self { config, tls })
    }
}

struct Worker {
    target: Target,
    runtime: Arc<Runtime>,
    session: Option<Session>,
}

/// What became of one run of a command.
enum Ran {
    /// The command has its outcome, and what was to be committed is.
    Done,
    /// Nothing was committed, and the command may be run again.
    Again(StoreError),
    /// It is not known, or known not to be committed; it must not be run again by us.
    Failed(StoreError),
}

impl Worker {
    fn new(target: Target) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| StoreError::Open(error.to_string()))?;
        Ok(Self { target, runtime: Arc::new(runtime), session: None })
    }

    fn work(mut self, queue: &Lanes<Job>) {
        while let Some((account, mut job)) = queue.take() {
            if !job.is_abandoned() {
                let outcome = self.run_until_settled(&mut job);
                if let Err(trouble) = &outcome {
                    warn!(%trouble, "a command was not committed");
                }
                job.answer(outcome);
            }
            queue.done(account);
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
                    // Lets the one that we collided with finish first.
                    std::thread::sleep(Duration::from_millis(1 << attempt.min(6)));
                    attempt += 1;
                }
            }
        }
    }

    fn run(&mut self, job: &mut Job) -> Ran {
        let session = match self.connect() {
            Ok(session) => session,
            Err(trouble) => return Ran::Failed(trouble),
        };
        match job.access {
            Access::Write => session.queued.push(Queued::Simple("BEGIN")),
            Access::Read => session.queued.push(Queued::Simple("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")),
            Access::LookUp => {}
        }
        let wants_commit = job.run(&mut Tx::postgres(session));
        let mut commit_was_sent = false;
        if session.failure.is_none() && job.access != Access::LookUp {
            let end = if wants_commit && job.access == Access::Write {
                commit_was_sent = true;
                "COMMIT"
            } else {
                session.queued.clear();
                "ROLLBACK"
            };
            session.queued.push(Queued::Simple(end));
            // Its failure is kept in the session.
            drop(session.flush(None));
        }
        session.queued.clear();
        session.answers.clear();
        let failure = session.failure.take();
        if failure.is_some() || session.client.is_closed() {
            // A connection that saw a failure is replaced rather than mended: that is rare, and always right.
            self.session = None;
        }
        match failure {
            None => Ran::Done,
            // The answer to a question is known before its transaction ends.
            Some(_) if job.access != Access::Write && wants_commit => Ran::Done,
            Some(Failure::Collided(trouble)) => Ran::Again(trouble),
            Some(Failure::Lost(trouble)) if !commit_was_sent => Ran::Again(trouble),
            Some(Failure::Lost(trouble) | Failure::Refused(trouble)) => Ran::Failed(trouble),
        }
    }

    fn connect(&mut self) -> Result<&mut Session, StoreError> {
        let session = match self.session.take().filter(|session| !session.client.is_closed()) {
            Some(session) => session,
            None => {
                let client = self.runtime.block_on(connect(&self.target))?;
                Session {
                    runtime: Arc::clone(&self.runtime),
                    client,
                    statements: HashMap::new(),
                    queued: Vec::new(),
                    recording: false,
                    answers: Vec::new(),
                    failure: None,
                }
            }
        };
        Ok(self.session.insert(session))
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let runtime = Arc::clone(&self.runtime);
        let client = &mut self.connect().map_err(|trouble| StoreError::Open(trouble.to_string()))?.client;
        let trouble = |error: tokio_postgres::Error| StoreError::Open(chain(&error));
        runtime.block_on(async {
            loop {
                let tx = client.transaction().await.map_err(trouble)?;
                tx.execute("SELECT pg_advisory_xact_lock($1)", &[&migrations::POSTGRES_LOCK]).await.map_err(trouble)?;
                tx.batch_execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)").await.map_err(trouble)?;
                let row = tx.query_one("SELECT COALESCE(MAX(version), 0) FROM schema_version", &[]).await.map_err(trouble)?;
                let done: i64 = row.try_get(0).map_err(trouble)?;
                let Some(next) = migrations::following(done, migrations::POSTGRES)? else {
                    return tx.commit().await.map_err(trouble);
                };
                tx.batch_execute(next).await.map_err(trouble)?;
                tx.execute("INSERT INTO schema_version VALUES ($1)", &[&(done + 1)]).await.map_err(trouble)?;
                tx.commit().await.map_err(trouble)?;
            }
        })
    }
}

async fn connect(target: &Target) -> Result<Client, StoreError> {
    let client = match &target.tls {
        None => {
            let (client, connection) = target.config.connect(tokio_postgres::NoTls).await?;
            tokio::spawn(connection);
            client
        }
        Some(tls) => {
            let (client, connection) = target.config.connect(tls.clone()).await?;
            tokio::spawn(connection);
            client
        }
    };
    client.batch_execute(STATEMENT_TIMEOUT).await?;
    info!("connected to PostgreSQL");
    Ok(client)
}

enum Queued {
    Simple(&'static str),
    Write(Query),
    /// A question whose answer is kept until it is asked for.
    Ahead(Query),
}

#[derive(Clone, PartialEq)]
struct Query {
    sql: String,
    params: Vec<Param<'static>>,
}

/// Why a transaction cannot go on.
enum Failure {
    /// Someone else was in the way; the server took everything back.
    Collided(StoreError),
    /// The connection is gone.
    Lost(StoreError),
    /// The server refused a statement.
    Refused(StoreError),
}

/// A live connection, the statements that the server knows on it, and those that wait to be sent.
pub(crate) struct Session {
    runtime: Arc<Runtime>,
    client: Client,
    statements: HashMap<String, Statement>,
    queued: Vec<Queued>,
    /// Questions are only noted down just now.
    recording: bool,
    /// What is known already; forgotten at the next write, which might change it.
    answers: Vec<(Query, Vec<Row>)>,
    failure: Option<Failure>,
}

impl Session {
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
            self.queued.push(Queued::Ahead(Query { sql: sql.to_owned(), params }));
            return Ok(Vec::new());
        }
        if let Some(place) = self.answers.iter().position(|(question, _)| is_this(question)) {
            return Ok(self.answers.swap_remove(place).1);
        }
        if self.queued.iter().any(|item| matches!(item, Queued::Ahead(question) if is_this(question))) {
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
        let sent: Result<_, tokio_postgres::Error> = runtime.block_on(async {
            // The first use of a statement on a connection costs a round trip of its own.
            for item in &queued {
                if let Queued::Write(Query { sql, .. }) | Queued::Ahead(Query { sql, .. }) = item {
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
        });
        let (sent, answered) = sent.map_err(|error| self.failed(error))?;
        for (item, rows) in queued.into_iter().zip(sent) {
            if let Queued::Ahead(question) = item {
                self.answers.push((question, rows));
            }
        }
        Ok(answered)
    }

    /// Keeps why the transaction cannot go on.
    fn failed(&mut self, error: tokio_postgres::Error) -> StoreError {
        let collided = error.code().is_some_and(is_collision);
        let refused = error.as_db_error().is_some();
        let trouble = StoreError::from(error);
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
            Queued::Write(Query { sql, params }) | Queued::Ahead(Query { sql, params }) => {
                self.ask(&self.statements[sql], params).await
            }
        }
    }

    async fn ask(&self, statement: &Statement, params: &[Param<'_>]) -> Result<Vec<Row>, tokio_postgres::Error> {
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        self.client.query(statement, &params).await
    }
}

/// Puts neighbouring writes to different tables into one statement (`WITH … AS (…)`): each statement by itself costs the server a
/// packet and us a wake-up. All parts see the tables as they were before, so a table that a part has written is left to the next
/// statement; no write of ours reads another table.
fn merged(queued: Vec<Queued>) -> Vec<Queued> {
    let mut kept: Vec<Queued> = Vec::with_capacity(queued.len());
    let mut run: Vec<Query> = Vec::new();
    for item in queued {
        match item {
            Queued::Write(write) => {
                let table = table_of(&write.sql);
                let params: usize = run.iter().map(|earlier| earlier.params.len()).sum();
                if run.iter().any(|earlier| table_of(&earlier.sql) == table) || params + write.params.len() > MOST_PARAMETERS {
                    kept.extend(one(&mut run));
                }
                run.push(write);
            }
            other => {
                kept.extend(one(&mut run));
                kept.push(other);
            }
        }
    }
    kept.extend(one(&mut run));
    kept
}

/// Several writes as one.
fn one(run: &mut Vec<Query>) -> Option<Queued> {
    if run.len() < 2 {
        return run.pop().map(Queued::Write);
    }
    let mut sql = String::with_capacity(run.iter().map(|write| write.sql.len() + 16).sum());
    let mut params = Vec::new();
    for (part, write) in run.drain(..).enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(sql, "{}w{part} AS (", if part == 0 { "WITH " } else { ", " });
        let mut pieces = write.sql.split('?');
        sql.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = piece[..digits].parse().unwrap_or(0);
            let _ = write!(sql, "?{}{}", number + params.len(), &piece[digits..]);
        }
        sql.push(')');
        params.extend(write.params);
    }
    sql.push_str(" SELECT 1");
    Some(Queued::Write(Query { sql, params }))
}

/// The table that a write is to.
fn table_of(sql: &str) -> &str {
    let mut words = sql.split_ascii_whitespace();
    match words.next() {
        Some("UPDATE") => words.next().unwrap_or(""),
        _ => words.nth(1).unwrap_or(""),
    }
}

/// The statement with PostgreSQL's way of writing parameters: `$1` for `?1`. No statement of ours has a `?` in a text.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(sql: &str, params: &[i64]) -> Queued {
        Queued::Write(Query { sql: sql.to_owned(), params: params.iter().copied().map(Param::Int).collect() })
    }

    #[test]
    fn neighbouring_writes_to_different_tables_become_one_statement() {
        let queued = vec![
            Queued::Simple("BEGIN"),
            write("INSERT INTO a (x, y) VALUES (?1, ?2), (?1, ?3) ", &[1, 2, 3]),
            write("UPDATE b SET x = ?2 WHERE y = ?1", &[4, 5]),
            write("INSERT INTO b (x) VALUES (?1)", &[6]),
            Queued::Simple("COMMIT"),
        ];
        let sent: Vec<(String, usize)> = merged(queued)
            .into_iter()
            .map(|item| match item {
                Queued::Simple(sql) => (sql.to_owned(), 0),
                Queued::Write(query) | Queued::Ahead(query) => (query.sql, query.params.len()),
            })
            .collect();
        let first =
            "WITH w0 AS (INSERT INTO a (x, y) VALUES (?1, ?2), (?1, ?3) ), w1 AS (UPDATE b SET x = ?5 WHERE y = ?4) SELECT 1";
        let wanted = [("BEGIN", 0), (first, 5), ("INSERT INTO b (x) VALUES (?1)", 1), ("COMMIT", 0)];
        assert_eq!(sent, wanted.map(|(sql, params)| (sql.to_owned(), params)));
    }
}
