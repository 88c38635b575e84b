//! Limits that count over all nodes.

use std::{num::NonZeroU32, thread, time::Instant};
use store::request_limits::{self, Spent};
use testing::{Database, Engine, Raw, Server, on_both_engines};
use web::RateLimit;

/// One every ten seconds, and so many at once: a node settles every two.
const AT_ONCE: u32 = 40;
const BATCH: u32 = AT_ONCE / 20;

fn start(engine: Engine, shared: bool) -> Server {
    Server::start_set(engine, |settings| {
        let (per_minute, burst) = (NonZeroU32::new(6).unwrap(), NonZeroU32::new(AT_ONCE).unwrap());
        (settings.rate_limit, settings.shared_limits) = (Some(RateLimit { per_minute, burst }), shared);
    })
}

/// Asks each node by turns until it refuses; how many were let through in all.
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

/// What `RateLimit` says is left.
fn remaining(node: &Server, key: &str) -> u32 {
    let reply = node.get(key, "/api/v1/account");
    let header = reply.header("ratelimit").unwrap();
    header.split(';').find_map(|part| part.strip_prefix("r=")).unwrap().parse().unwrap()
}

#[test]
fn two_nodes_let_through_together_what_one_limit_allows_on_postgres() {
    let server = start(Engine::Postgres, true);
    let (key, other) = (server.account("a@example.com"), server.account("b@example.com"));
    let beside = server.beside();
    let nodes = [&server, &beside];
    let count = let_through(&nodes, &key);
    assert!((AT_ONCE..=AT_ONCE + 2 * BATCH).contains(&count), "{count}");
    assert_eq!(nodes.map(|node| remaining(node, &key)), [0, 0]);
    // A minute later six more have come free, less what was let through too much; both nodes go by the same moment.
    for node in nodes {
        node.clock.set("2026-03-15T11:01:00Z");
    }
    let more = let_through(&nodes, &key);
    assert!((AT_ONCE + 6..=AT_ONCE + 6 + 4 * BATCH).contains(&(count + more)), "{count}, then {more}");
    assert_eq!(remaining(&beside, &other), AT_ONCE - 1, "another account's are its own");
}

#[test]
fn requests_that_come_at_once_are_counted_together_too_while_the_database_is_slow() {
    let server = start(Engine::Postgres, true);
    let key = server.account("a@example.com");
    let beside = server.beside();
    let raw = Raw::open(&server.database);
    raw.run("BEGIN; LOCK TABLE request_limits").unwrap();
    let count: u32 = thread::scope(|scope| {
        let ask = |node: &Server| u32::from(node.get(&key, "/api/v1/account").status == 200);
        let asked: Vec<_> = (0..AT_ONCE).flat_map(|_| [&server, &beside]).map(|node| scope.spawn(move || ask(node))).collect();
        let settling =
            "/* of a test */ SELECT pid::text FROM pg_locks WHERE NOT granted AND relation = 'request_limits'::regclass";
        while raw.rows(settling).len() < 2 {
            thread::yield_now();
        }
        raw.run("COMMIT").unwrap();
        asked.into_iter().map(|asked| asked.join().unwrap()).sum()
    });
    assert!((AT_ONCE..=AT_ONCE + 2 * BATCH).contains(&count), "{count}");
}

#[test]
fn what_one_node_lets_through_is_gone_on_the_other_too_on_postgres() {
    let server = start(Engine::Postgres, true);
    let key = server.account("a@example.com");
    let beside = server.beside();
    for asked in 1..=11 {
        assert_eq!(remaining(&server, &key), AT_ONCE - asked);
    }
    // Ten of them are settled. Here the first two are counted before anybody is asked.
    assert_eq!((0..3).map(|_| remaining(&beside, &key)).collect::<Vec<_>>(), [AT_ONCE - 1, AT_ONCE - 2, AT_ONCE - 13]);
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
    let begun = Instant::now();
    for remaining in (AT_ONCE - 4..AT_ONCE).rev() {
        let reply = server.get(&key, "/api/v1/account");
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(reply.header("ratelimit").unwrap().contains(&format!("r={remaining};")));
    }
    assert!(begun.elapsed().as_secs() < 5, "it is not waited for: {:?}", begun.elapsed());
    raw.run("COMMIT").unwrap();
    assert_eq!(let_through(&[&server], &key), AT_ONCE - 4);
}

#[test]
fn an_sqlite_file_has_one_node_whose_limit_is_that_of_all() {
    let server = start(Engine::Sqlite, true);
    let key = server.account("a@example.com");
    let count = let_through(&[&server], &key);
    assert!((AT_ONCE..AT_ONCE + 2).contains(&count), "{count}");
    let rows = Raw::open(&server.database).rows("/* of a test */ SELECT account_id FROM request_limits");
    assert!(rows.is_empty(), "it asks nobody");
}

on_both_engines! {
    fn what_is_settled_adds_up_from_when_it_was_let_through(engine) {
        let database = Database::new(engine);
        let store = database.open();
        let settle = |since, time| {
            let spent = Spent { since, time, latest: 5_000 };
            store.write_blocking(move |tx| request_limits::settle(tx, 7, spent)).unwrap()
        };
        assert_eq!(settle(1_000, 200), 1_200);
        assert_eq!(settle(1_000, 200), 1_400, "of another node");
        assert_eq!(settle(2_000, 200), 2_200, "what was let through before has come free again");
        assert_eq!(settle(1_900, 200), 2_400);
        assert_eq!(settle(4_000, 3_000), 7_000);
        assert_eq!(settle(4_000, 200), 4_200, "later than can be: by a clock that was set back since");
    }
}
