//! Large and slow reads by one account do not affect other accounts.

use serde_json::{Value, json};
use std::{
    io::Write,
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};
use testing::{Engine, Raw, Server, on_both_engines};

const PAGE_BYTES: usize = 4 * 1024 * 1024;

/// Creates invoices of the maximum size, with half a megabyte of lines each.
fn make_large_invoices(server: &Server, key: &str, count: usize) {
    let item = json!({ "description": "x".repeat(1000), "unitPrice": 1, "vatRate": 21 });
    let payload = json!({ "invoiceDate": "2026-03-15", "customer": { "name": "Large" }, "items": vec![item; 500] });
    for _ in 0..count {
        assert_eq!(server.post(key, "/api/v1/invoices", &payload).status, 201);
    }
}

on_both_engines! {
    fn a_page_ends_at_four_mebibytes_too_and_the_walk_sees_every_row_once(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        make_large_invoices(&server, &key, 10);
        let (mut seen, mut pages, mut path) =
            (Vec::new(), 0, "/api/v1/invoices?limit=500".to_owned());
        loop {
            let reply = server.get(&key, &path);
            assert_eq!(reply.status, 200, "{}", reply.text);
            assert!(reply.text.len() <= PAGE_BYTES, "{} bytes", reply.text.len());
            let page = reply.json();
            let rows = page["data"].as_array().unwrap();
            assert!(
                rows.iter().all(|row| row["items"].as_array().unwrap().len() == 500),
                "each row has all its lines"
            );
            seen.extend(rows.iter().map(|row| row["id"].as_i64().unwrap()));
            pages += 1;
            let Some(cursor) = page["nextCursor"].as_str() else { break };
            assert!(reply.text.len() > PAGE_BYTES / 2, "the page has as many rows as fit");
            assert!(reply.header("link").is_some_and(|link| link.contains(cursor)));
            path = format!("/api/v1/invoices?limit=500&cursor={cursor}");
        }
        assert_eq!((seen, pages), ((1..=10).rev().collect::<Vec<i64>>(), 2));
        // The parameter `limit` still applies.
        let page = server.get(&key, "/api/v1/invoices?limit=2").json();
        assert_eq!(page["data"].as_array().unwrap().len(), 2);
    }

    fn a_query_that_takes_too_long_is_stopped_with_503(engine) {
        let server = Server::start_with_query_limit(engine, Duration::from_millis(300));
        let key = server.account("anna@example.com");
        server.make_projects_endless();
        let reply = server.get(&key, "/api/v1/projects");
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (503, "query_too_long"),
            "{}",
            reply.text
        );
        assert_eq!(reply.header("retry-after"), None, "the same query would be stopped again");
        // A read of a single row is interrupted too.
        let reply = server.get(&key, "/api/v1/projects/1");
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (503, "query_too_long"),
            "{}",
            reply.text
        );
        // A command is interrupted too and leaves no change.
        let hours =
            json!({ "projectId": 1, "date": "2026-03-15", "hours": 1, "description": "Work" });
        let reply = server.post(&key, "/api/v1/time-entries", &hours);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (503, "query_too_long"),
            "{}",
            reply.text
        );
        let rows = server.get(&key, "/api/v1/time-entries").json();
        assert_eq!(rows["data"], json!([]));
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({ "name": "Next" })).status, 201);
    }

    fn lists_of_one_account_queue_and_delay_no_other_account(engine) {
        // More lists than the runtime has threads: if lists ran on the runtime's threads, no other
        // request would be answered.
        let lists_at_once =
            2 * u32::try_from(thread::available_parallelism().unwrap().get()).unwrap() + 2;
        let limit = Duration::from_secs(1);
        let server = Server::start_with_query_limit(engine, limit);
        let (loud, quiet) =
            (server.account("loud@example.com"), server.account("quiet@example.com"));
        server.make_projects_endless();
        let start = Instant::now();
        let answered = thread::scope(|scope| {
            let lists: Vec<_> = (0..lists_at_once)
                .map(|_| scope.spawn(|| server.get(&loud, "/api/v1/projects")))
                .collect();
            // Waits until the lists run; only responses during the lists are counted.
            thread::sleep(limit / 10);
            let mut answered = 0;
            let answer = |key: &str, path: &str| {
                let reply = server.get(key, path);
                assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            };
            while lists.iter().all(|list| !list.is_finished()) {
                answer(&quiet, "/api/v1/contacts");
                answer(&quiet, "/api/v1/account");
                answered += 1;
            }
            // The account with the lists waits for its turn and is answered too.
            while lists.iter().any(|list| !list.is_finished()) {
                answer(&loud, "/api/v1/account");
                answer(&quiet, "/api/v1/contacts");
            }
            for list in lists {
                assert_eq!(
                    list.join().unwrap().code(),
                    "query_too_long",
                    "an account over its share waits and is not refused"
                );
            }
            answered
        });
        assert!(
            start.elapsed() >= limit * lists_at_once / 2,
            "more than two lists ran at once: {:?}",
            start.elapsed()
        );
        assert!(
            answered >= 10,
            "others were answered {answered} times before the first list ended"
        );
    }

    fn clients_that_do_not_read_hold_little_memory_and_delay_no_others(engine) {
        let server = Server::start(engine);
        let (loud, quiet) =
            (server.account("loud@example.com"), server.account("quiet@example.com"));
        make_large_invoices(&server, &loud, 8);
        let clients: Vec<TcpStream> = (0..40)
            .map(|_| {
                let mut client = TcpStream::connect(server.address).unwrap();
                let request = format!("GET /api/v1/invoices?limit=500 HTTP/1.1\r\nhost: x\r\nx-api-key: {loud}\r\n\r\n");
                client.write_all(request.as_bytes()).unwrap();
                client
            })
            .collect();
        let mut most = 0;
        for _ in 0..100 {
            assert_eq!(server.get(&quiet, "/api/v1/contacts").status, 200);
            most = most.max(server.app.answer_bytes());
        }
        assert!(most > 0 && most <= 4 * PAGE_BYTES, "{most} bytes of answers were held");
        drop(clients);
        let start = Instant::now();
        while server.app.answer_bytes() > 0 && start.elapsed() < Duration::from_secs(30) {
            assert_eq!(server.get(&quiet, "/api/v1/contacts").status, 200);
        }
        assert_eq!(server.app.answer_bytes(), 0);
        assert_eq!(server.get(&loud, "/api/v1/invoices?limit=1").status, 200);
    }
}

#[test]
fn a_replaced_database_file_fails_creates_reads_and_readyz() {
    let server = Server::start(Engine::Sqlite);
    let key = server.account("anna@example.com");
    assert_eq!(server.send("GET", "/readyz", &[], None).status, 200);
    let path = server.database.address().strip_prefix("sqlite:").unwrap().to_owned();
    let away = format!("{path}.away");
    std::fs::rename(&path, &away).unwrap();
    std::fs::copy(&away, &path).unwrap();
    let create = || server.post(&key, "/api/v1/contacts", &json!({ "name": "Nobody" }));
    let refused = create();
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"), "{}", refused.text);
    assert_eq!(server.send("GET", "/readyz", &[], None).status, 503);
    assert_eq!(server.get(&key, "/api/v1/contacts").status, 503);
    std::fs::rename(&away, &path).unwrap();
    // Within a second the server notices that the original files are back.
    let start = Instant::now();
    while server.send("GET", "/readyz", &[], None).status != 200
        && start.elapsed() < Duration::from_secs(30)
    {}
    assert_eq!(create().status, 201);
    let rows: Value = server.get(&key, "/api/v1/contacts").json();
    assert_eq!(rows["data"].as_array().map(Vec::len), Some(1), "the refused create left no row");
}

#[test]
fn a_full_disk_of_postgres_fails_readyz_until_a_write_succeeds() {
    let server = Server::start(Engine::Postgres);
    let key = server.account("anna@example.com");
    let create = || server.post(&key, "/api/v1/contacts", &json!({ "name": "Nobody" }));
    let ready = || server.send("GET", "/readyz", &[], None).text.lines().next().map(str::to_owned);
    let raw = Raw::open(&server.database);
    raw.run(
        "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER no_room BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION no_room()",
    )
    .unwrap();
    assert_eq!(ready().as_deref(), Some("ready"));
    let refused = create();
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"), "{}", refused.text);
    assert_eq!(
        (server.get(&key, "/api/v1/contacts").status, ready().as_deref()),
        (200, Some("ready for reading only"))
    );
    raw.run("DROP TRIGGER no_room ON contacts").unwrap();
    assert_eq!((create().status, ready().as_deref()), (201, Some("ready")));
}
