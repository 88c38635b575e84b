//! Tests with a PostgreSQL server that accepts data but does not respond: calls time out, and the
//! store recovers as soon as the server responds again.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use store::{DatabaseUrl, Store, StoreError, params};
use testing::{Database, Engine};

/// Maximum duration of a query in this test.
const LIMIT: Duration = Duration::from_millis(200);
/// Limit for a response: one second to connect, five to log in, and a margin for slow computers.
const TOO_LATE: Duration = Duration::from_secs(15);

/// Forwards data to a server until `swallows` is set. A connection that has lost data then stays
/// silent for good.
#[derive(Default)]
struct Relay {
    swallows: AtomicBool,
    dead: Mutex<Vec<TcpStream>>,
}

impl Relay {
    /// Starts a relay; returns it and its port.
    fn to(server: String) -> (Arc<Self>, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let relay = Arc::new(Self::default());
        let its = Arc::clone(&relay);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if its.swallows.load(Ordering::SeqCst) {
                    its.dead.lock().unwrap().push(client);
                    continue;
                }
                let to = TcpStream::connect(&server).unwrap();
                for (from, to) in
                    [(client.try_clone().unwrap(), to.try_clone().unwrap()), (to, client)]
                {
                    let relay = Arc::clone(&its);
                    thread::spawn(move || relay.pass_on(from, to));
                }
            }
        });
        (relay, port)
    }

    fn pass_on(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            if self.swallows.load(Ordering::SeqCst) {
                self.dead.lock().unwrap().extend([from, to]);
                return;
            }
            if to.write_all(&buffer[..length]).is_err() {
                return;
            }
        }
    }
}

fn number_series(store: &Store) -> impl Future<Output = Result<i64, StoreError>> {
    let count = "SELECT COUNT(*) FROM number_series WHERE account_id = ?1";
    store.write(move |tx| {
        tx.execute("UPDATE number_series SET last = last WHERE account_id = ?1", &params![1])?;
        tx.query_one(count, &params![1], |row| row.int(0))
    })
}

#[test]
fn a_server_that_does_not_answer_is_given_up_and_used_again_when_it_does() {
    let database = Database::new(Engine::Postgres);
    let address = database.address();
    let (front, name) = address.rsplit_once('/').unwrap();
    let (user, server) = front.rsplit_once('@').unwrap();
    let (relay, port) = Relay::to(server.to_owned());
    let through: DatabaseUrl =
        format!("{user}@127.0.0.1:{port}/{name}?connect_timeout=1&sslmode=disable")
            .parse()
            .unwrap();
    let store = Store::open(&through, 2).unwrap().with_query_limit(LIMIT);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = || {
        let begun = Instant::now();
        let answer =
            runtime.block_on(async { tokio::time::timeout(TOO_LATE, number_series(&store)).await });
        (answer.unwrap_or_else(|_| panic!("nothing after {:?}", begun.elapsed())), begun.elapsed())
    };
    assert!(matches!(ask().0, Ok(0)));
    relay.swallows.store(true, Ordering::SeqCst);
    // The first call meets the silent connection; the second cannot open a new one.
    for _ in 0..2 {
        let (answer, took) = ask();
        assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?} after {took:?}");
    }
    relay.swallows.store(false, Ordering::SeqCst);
    let (answer, took) = ask();
    assert!(matches!(answer, Ok(0)), "{answer:?} after {took:?}");
    // Closing the store must not wait for the silent connections.
    drop(store);
}
