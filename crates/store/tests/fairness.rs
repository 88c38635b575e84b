//! Tests that accounts take turns at the database: an account with few requests gets prompt
//! responses however many requests another account sends.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use futures_util::future::{MaybeDone, maybe_done};
use std::{
    pin::Pin,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Waker},
    time::Duration,
};
use store::{Lane, Store, StoreError, Tx, params};
use testing::{Database, Engine, on_both_engines};

const LOUD: i64 = 1;
const QUIET: i64 = 2;
/// Number of jobs of each kind that the loud account queues; one lane holds this many.
const MUCH: usize = 1_000;
const CONNECTIONS: usize = 8;
/// Timeout after which a response is considered missing.
const TOO_LATE: Duration = Duration::from_secs(60);

/// A job that has been polled once and is therefore in the queue.
type Asked<T> = Pin<Box<MaybeDone<Pin<Box<dyn Future<Output = Result<T, StoreError>>>>>>>;

fn ask<T>(asked: impl Future<Output = Result<T, StoreError>> + 'static) -> Asked<T> {
    let asked: Pin<Box<dyn Future<Output = _>>> = Box::pin(asked);
    let mut asked = Box::pin(maybe_done(asked));
    // If the job completes at once, `MaybeDone` keeps its output for `answer`.
    let _ = asked.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    asked
}

fn answer<T>(mut asked: Asked<T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(TOO_LATE, asked.as_mut()).await }).unwrap();
    asked.as_mut().take_output().unwrap().unwrap()
}

/// Blocks commands and queries until opened or dropped.
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn new() -> Self {
        Self(Arc::default())
    }

    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn waiting(&self) -> impl FnMut(&mut Tx<'_>) -> Result<(), StoreError> + Send + 'static {
        let gate = Arc::clone(&self.0);
        move |_| {
            drop(gate.1.wait_while(gate.0.lock().unwrap(), |is_open| !*is_open).unwrap());
            Ok(())
        }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
    }
}

fn years(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    tx.query_one(
        "SELECT COUNT(*) FROM number_series WHERE account_id = ?1",
        &params![account],
        |row| row.int(0),
    )
}

/// A job that returns the number of jobs of the loud account that began before it.
fn counting(
    account: i64,
    done: &Arc<AtomicUsize>,
) -> impl FnMut(&mut Tx<'_>) -> Result<usize, StoreError> + Send + 'static {
    let done = Arc::clone(done);
    move |tx| {
        // The job is counted before its query runs, so that a pause of the thread between the two
        // does not change the order.
        let before = done.fetch_add(usize::from(account == LOUD), Ordering::SeqCst);
        years(tx, account)?;
        Ok(before)
    }
}

async fn execute<T: Send + 'static>(
    store: Arc<Store>,
    of: Lane,
    command: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    store.execute(of, command).await
}

async fn query<T: Send + 'static>(
    store: Arc<Store>,
    of: Lane,
    question: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    store.query(of, question).await
}

on_both_engines! {
    fn few_jobs_of_one_account_overtake_earlier_jobs_of_another(engine) {
        let database = Database::new(engine);
        let store = Arc::new(Store::open(&database.url, CONNECTIONS).unwrap());
        let gate = Gate::new();
        // These jobs occupy all workers until every other job is queued.
        let connections: Vec<_> = (0..CONNECTIONS)
            .flat_map(|_| {
                let list = query(Arc::clone(&store), Lane::NO_ACCOUNT.list(), gate.waiting());
                [ask(execute(Arc::clone(&store), Lane::NO_ACCOUNT, gate.waiting())), ask(list)]
            })
            .collect();
        let [written, read, listed]: [Arc<AtomicUsize>; 3] = Default::default();
        let asked_by = |account: i64| {
            let of = Lane::of(account);
            [
                ask(execute(Arc::clone(&store), of, counting(account, &written))),
                ask(query(Arc::clone(&store), of, counting(account, &read))),
                ask(query(Arc::clone(&store), of.list(), counting(account, &listed))),
            ]
        };
        let loud: Vec<_> = (0..MUCH).flat_map(|_| asked_by(LOUD)).collect();
        let [write, look, list] = asked_by(QUIET);
        gate.open();
        let (before_write, before_list) = (answer(write), answer(list));
        assert!(
            before_write < MUCH / 4 && before_list < MUCH / 4,
            "{before_write} commands and {before_list} lists came first"
        );
        // On SQLite, queries do not wait for turns: the loud account's queries ran as soon as they
        // were sent.
        let before_look = answer(look);
        assert!(
            engine == Engine::Sqlite || before_look < MUCH / 4,
            "{before_look} queries came first"
        );
        connections.into_iter().for_each(answer);
        for asked in loud {
            answer(asked);
        }
        assert_eq!(
            [&written, &read, &listed].map(|done| done.load(Ordering::SeqCst)),
            [MUCH; 3],
            "each job runs once"
        );
    }

    fn hanging_jobs_of_one_account_do_not_block_another(engine) {
        let database = Database::new(engine);
        let store = Arc::new(Store::open(&database.url, CONNECTIONS).unwrap());
        let gate = Gate::new();
        let (loud, quiet) = (Lane::of(LOUD), Lane::of(QUIET));
        let mut hanging: Vec<_> = (0..MUCH)
            .map(|_| ask(query(Arc::clone(&store), loud.list(), gate.waiting())))
            .collect();
        // On SQLite, a waiting command would block the only writer, and a waiting query would block
        // this thread.
        if engine == Engine::Postgres {
            for _ in 0..MUCH {
                hanging.push(ask(query(Arc::clone(&store), loud, gate.waiting())));
                hanging.push(ask(execute(Arc::clone(&store), loud, gate.waiting())));
            }
        }
        let years = |tx: &mut Tx<'_>| years(tx, QUIET);
        for _ in 0..3 {
            assert_eq!(answer(ask(query(Arc::clone(&store), quiet.list(), years))), 0);
            assert_eq!(answer(ask(query(Arc::clone(&store), quiet, years))), 0);
            assert_eq!(answer(ask(query(Arc::clone(&store), quiet.single(), years))), 0);
            assert_eq!(answer(ask(execute(Arc::clone(&store), quiet, years))), 0);
        }
        gate.open();
        hanging.into_iter().for_each(answer);
    }
}
