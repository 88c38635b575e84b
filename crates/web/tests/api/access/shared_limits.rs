//! Rate limits shared by all nodes.

use std::{num::NonZeroU32, thread, time::Instant};
use store::request_limits::{self, Spent};
use testing::{Database, Engine, Raw, Server, on_both_engines};
use web::RateLimit;

/// Burst size of a rate limit of one request every ten seconds.
const AT_ONCE: u32 = 40;
/// Number of requests after which a node synchronizes its count with the database.
const BATCH: u32 = AT_ONCE / 20;

fn start(engine: Engine, shared: bool) -> Server {
    Server::start_set(engine, |settings| {
        let (per_minute, burst) = (NonZeroU32::new(6).unwrap(), NonZeroU32::new(AT_ONCE).unwrap());
        (settings.rate_limit, settings.shared_limits) =
            (Some(RateLimit { per_minute, burst }), shared);
    })
}

/// Sends requests to each node in turn until all refuse; returns how many were admitted in total.
fn let_through(nodes: &[&Server], key: &str) -> u32 {
    let (mut count, mut open) = (0, nodes.to_vec());
    while !open.is_empty() {
        open.retain(|node| {
            let reply = node.get(key, "/api/v1/account");
            assert!([200, 429].contains(&reply.status), "{}", reply.text);
            count += u32::from(reply.status == 200);
            reply.status == 200
        });
    }
    count
}

/// Remaining requests according to the header `RateLimit`.
fn remaining(node: &Server, key: &str) -> u32 {
    let reply = node.get(key, "/api/v1/account");
    let header = reply.header("ratelimit").unwrap();
    header.split(';').find_map(|part| part.strip_prefix("r=")).unwrap().parse().unwrap()
}

#[test]
fn two_nodes_together_admit_what_one_limit_allows_on_postgres() {
    let server = start(Engine::Postgres, true);
    let (key, other) = (server.account("a@example.com"), server.account("b@example.com"));
    let second = server.beside();
    let nodes = [&server, &second];
    let count = let_through(&nodes, &key);
    assert!((AT_ONCE..=AT_ONCE + 2 * BATCH).contains(&count), "{count}");
    assert_eq!(nodes.map(|node| remaining(node, &key)), [0, 0]);
    // A minute later six more are available, less the excess admitted before.
    for node in nodes {
        node.clock.set("2026-03-15T11:01:00Z");
    }
    let more = let_through(&nodes, &key);
    assert!(
        (AT_ONCE + 6..=AT_ONCE + 6 + 4 * BATCH).contains(&(count + more)),
        "{count}, then {more}"
    );
    assert_eq!(remaining(&second, &other), AT_ONCE - 1, "another account has its own limit");
}

#[test]
fn concurrent_requests_share_one_limit_while_the_database_is_slow() {
    let server = start(Engine::Postgres, true);
    let key = server.account("a@example.com");
    let second = server.beside();
    let raw = Raw::open(&server.database);
    raw.run("BEGIN; LOCK TABLE request_limits").unwrap();
    let count: u32 = thread::scope(|scope| {
        let ask = |node: &Server| u32::from(node.get(&key, "/api/v1/account").status == 200);
        let worker: Vec<_> = (0..AT_ONCE)
            .flat_map(|_| [&server, &second])
            .map(|node| scope.spawn(move || ask(node)))
            .collect();
        let settling = "/* of a test */ SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = 'request_limits'::regclass";
        while raw.rows(settling).len() < 2 {
            thread::yield_now();
        }
        raw.run("COMMIT").unwrap();
        worker.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!((AT_ONCE..=AT_ONCE + 2 * BATCH).contains(&count), "{count}");
}

#[test]
fn requests_admitted_by_one_node_count_on_the_other_on_postgres() {
    let server = start(Engine::Postgres, true);
    let key = server.account("a@example.com");
    let second = server.beside();
    for requests in 1..=11 {
        assert_eq!(remaining(&server, &key), AT_ONCE - requests);
    }
    // The database has recorded ten of the eleven requests. The other node admits two requests
    // before it synchronizes.
    assert_eq!(
        (0..3).map(|_| remaining(&second, &key)).collect::<Vec<_>>(),
        [AT_ONCE - 1, AT_ONCE - 2, AT_ONCE - 13]
    );
}

#[test]
fn without_the_option_each_node_counts_by_itself() {
    let server = start(Engine::Postgres, false);
    let key = server.account("a@example.com");
    let count = let_through(&[&server, &server.beside()], &key);
    assert!((2 * AT_ONCE..2 * AT_ONCE + 4).contains(&count), "{count}");
}

#[test]
fn a_database_that_does_not_answer_leaves_each_node_its_own_limit() {
    let server = start(Engine::Postgres, true);
    let key = server.account("a@example.com");
    let raw = Raw::open(&server.database);
    raw.run("BEGIN; LOCK TABLE request_limits").unwrap();
    let since = Instant::now();
    for remaining in (AT_ONCE - 4..AT_ONCE).rev() {
        let reply = server.get(&key, "/api/v1/account");
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(reply.header("ratelimit").unwrap().contains(&format!("r={remaining};")));
    }
    assert!(
        since.elapsed().as_secs() < 5,
        "the request waited for the database: {:?}",
        since.elapsed()
    );
    raw.run("COMMIT").unwrap();
    assert_eq!(let_through(&[&server], &key), AT_ONCE - 4);
}

#[test]
fn on_sqlite_the_limit_of_the_only_node_applies() {
    let server = start(Engine::Sqlite, true);
    let key = server.account("a@example.com");
    let count = let_through(&[&server], &key);
    assert!((AT_ONCE..AT_ONCE + 2).contains(&count), "{count}");
    let rows =
        Raw::open(&server.database).rows("/* of a test */ SELECT account_id FROM request_limits");
    assert!(rows.is_empty(), "the limit is not stored in the database");
}

on_both_engines! {
    fn settled_requests_add_up_from_their_admission(engine) {
        let database = Database::new(engine);
        let store = database.open();
        let settle = |since, time| {
            let spent = Spent { since, time, latest: 5_000 };
            store.write_blocking(move |tx| request_limits::settle(tx, 7, spent)).unwrap()
        };
        assert_eq!(settle(1_000, 200), 1_200);
        assert_eq!(settle(1_000, 200), 1_400, "adds to the requests of the other node");
        assert_eq!(settle(2_000, 200), 2_200, "the earlier requests are available again");
        assert_eq!(settle(1_900, 200), 2_400);
        assert_eq!(settle(4_000, 3_000), 7_000);
        assert_eq!(
            settle(4_000, 200),
            4_200,
            "a moment further ahead than possible: the clock was set back since"
        );
    }
}
