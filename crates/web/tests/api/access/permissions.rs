//! Authorization: keys, scopes, plans, countries, rate limits, and isolation between accounts.

use crate::simple_invoice;
use serde_json::json;
use service::access;
use std::{
    num::NonZeroU32,
    time::{Duration, Instant},
};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Raw, Server, on_both_engines};
use web::RateLimit;

on_both_engines! {
    fn without_valid_credentials_every_route_answers_alike(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let (start, last) = key.split_at(key.len() - 1);
        let typo = format!("{start}{}", if last == "x" { "y" } else { "x" });
        let unknown = "gb_live_0000000000000000000000000000000000000000000";
        let cases: Vec<(Vec<(&str, &str)>, &str)> = vec![
            (vec![], "missing_credentials"),
            (vec![("authorization", "Basic YTpi")], "missing_credentials"),
            (vec![("cookie", "key=1")], "missing_credentials"),
            (vec![("x-api-key", "")], "invalid_api_key"),
            (vec![("x-api-key", "gb_live_")], "invalid_api_key"),
            (vec![("x-api-key", unknown)], "invalid_api_key"),
            (vec![("x-api-key", &typo)], "invalid_api_key"),
            (vec![("x-api-key", &key), ("x-api-key", &key)], "invalid_api_key"),
            (vec![("authorization", "Bearer abc")], "invalid_token"),
            (vec![("authorization", "bearer abc")], "invalid_token"),
        ];
        for (headers, code) in &cases {
            for (method, path) in [
                ("GET", "/api/v1/account"),
                ("GET", "/api/v1/nothing"),
                ("GET", "/api/v1/"),
                ("GET", "/api/v1"),
                ("DELETE", "/api/v1/invoices/1"),
                ("POST", "/api/v1/invoices"),
            ] {
                let reply = server.send(method, path, headers, None);
                assert_eq!(
                    (reply.status, reply.code().as_str()),
                    (401, *code),
                    "{method} {path} {headers:?}"
                );
                assert!(reply.header("www-authenticate").is_some());
                assert_eq!(reply.header("cache-control"), Some("no-store"));
                assert_eq!(reply.json()["requestId"].as_str(), reply.header("x-request-id"));
                assert_eq!(
                    reply.json()["type"],
                    format!("http://{}/docs/errors#{code}", server.address)
                );
            }
        }
        let both = server.send(
            "GET",
            "/api/v1/account",
            &[("x-api-key", &key), ("authorization", "Bearer abc")],
            None,
        );
        assert_eq!((both.status, both.code().as_str()), (400, "multiple_credentials"));
        let bare = server.send("GET", "/api/v1/account", &[("authorization", &key)], None);
        assert_eq!((bare.status, bare.code().as_str()), (401, "missing_credentials"));
        let detail = bare.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("begin with Bearer") && detail.contains("X-API-Key"), "{detail}");
        let in_query = server.send("GET", &format!("/api/v1/account?apiKey={key}"), &[], None);
        assert_eq!(in_query.code(), "missing_credentials");
    }

    fn a_revoked_key_stops_at_once(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        let cx = server.owner("anna@example.com");
        let now = "2026-03-15T12:00:00Z".parse().unwrap();
        server.write(move |tx| access::revoke_key(tx, &cx.at(now), 1));
        assert_eq!(server.get(&key, "/api/v1/account").code(), "invalid_api_key");
    }

    fn a_key_has_only_its_chosen_scopes(engine) {
        let server = Server::start(engine);
        let _ = server.account("anna@example.com");
        let (reader, writer) = (
            server.key("anna@example.com", true, false),
            server.key("anna@example.com", false, true),
        );
        assert_eq!(server.get(&reader, "/api/v1/account").json()["scopes"], json!(["read"]));
        let refused = server.get(&writer, "/api/v1/account");
        assert_eq!((refused.status, refused.code().as_str()), (403, "insufficient_scope"));
        assert!(refused.json()["detail"].as_str().unwrap().contains("`read`"));
        assert_eq!(server.post(&writer, "/api/v1/invoices", &simple_invoice()).status, 201);
        // The scope is checked before the body, the method and the route.
        for (method, path) in [
            ("POST", "/api/v1/invoices"),
            ("PATCH", "/api/v1/invoices/1"),
            ("DELETE", "/api/v1/nothing"),
        ] {
            let reply = server.send(method, path, &[("x-api-key", &reader)], Some(b"not json"));
            assert_eq!(reply.code(), "insufficient_scope", "{method} {path}");
        }
    }

    fn the_plan_is_checked_on_each_request(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (plan, status) in
            [(Plan::Free, 403), (Plan::Pro, 200), (Plan::Free, 403), (Plan::Starter, 200)]
        {
            server.write(move |tx| service::accounts::set_plan(tx, "anna@example.com", plan));
            let reply = server.get(&key, "/api/v1/account");
            assert_eq!(reply.status, status, "{plan:?}");
            if status == 403 {
                assert_eq!(reply.code(), "plan_required");
                // The plan is checked before the scope.
                assert_eq!(
                    server
                        .post(
                            &server.key("anna@example.com", true, false),
                            "/api/v1/invoices",
                            &json!({})
                        )
                        .code(),
                    "plan_required"
                );
            }
        }
    }

    fn each_operation_enforces_the_requirements_in_its_description(engine) {
        let server = Server::start(engine);
        let _ = server.account("anna@example.com");
        server.account_of("paul@example.com", "BE", Plan::Pro);
        let scoped = |email: &str, read, write, file| {
            let cx = server.owner(email);
            let now = "2026-03-15T12:00:00Z".parse().unwrap();
            let new = access::CreateKey::new("test", Scopes { read, write, file }).unwrap();
            server.write(move |tx| access::create_key(tx, &cx.at(now), &new)).secret
        };
        let without = [
            ("read", scoped("anna@example.com", false, true, true)),
            ("write", scoped("anna@example.com", true, false, true)),
            ("file", scoped("anna@example.com", true, true, false)),
        ];
        let (dutch, belgian) = (
            scoped("anna@example.com", true, true, true),
            scoped("paul@example.com", true, true, true),
        );
        let description = server.get(&dutch, "/api/openapi.json").json();
        let mut checked = 0;
        for (path, operations) in description["paths"].as_object().unwrap() {
            let address = format!("/api/v1{}", filled(path.trim_start_matches("/api/v1")));
            for (method, operation) in operations
                .as_object()
                .unwrap()
                .iter()
                .filter(|(_, operation)| operation["operationId"].is_string())
            {
                let about = format!("{method} {path}");
                let method = method.to_uppercase();
                let code = |key: &str, accept: &str| {
                    let headers =
                        [("x-api-key", key), ("accept", accept), ("content-type", "text/plain")];
                    // No operation accepts this body, so no request changes anything.
                    let body = (method != "GET").then_some(b"not json".as_slice());
                    let reply = server.send(&method, &address, &headers, body);
                    if reply.status < 400 { String::new() } else { reply.code() }
                };
                let scopes = operation["security"][1]["oauth2"].as_array().unwrap();
                for (scope, key) in &without {
                    let refused = code(key, "*/*") == "insufficient_scope";
                    assert_eq!(refused, scopes.contains(&json!(scope)), "{about} without {scope}");
                }
                let is_dutch = operation["description"]
                    .as_str()
                    .unwrap()
                    .contains("Only for accounts in the Netherlands.");
                assert_eq!(code(&belgian, "*/*") == "dutch_account_required", is_dutch, "{about}");
                let answers = operation["responses"].as_object().unwrap();
                let (_, good) = answers.iter().find(|(status, _)| status.starts_with('2')).unwrap();
                let types: Vec<&str> = good["content"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.as_str())
                    .collect();
                // Operations with several media types return stored files. Their type is not known
                // at admission, so any `Accept` header is admitted.
                if types.len() < 2 {
                    assert_eq!(code(&dutch, "text/html"), "not_acceptable", "{about}");
                }
                for media_type in types.iter().chain(&["application/json"]) {
                    assert_ne!(
                        code(&dutch, media_type),
                        "not_acceptable",
                        "{about} as {media_type}"
                    );
                }
                checked += 1;
            }
        }
        assert!(checked > 100, "{checked}");
    }

    fn only_dutch_accounts_invoice_and_log_hours(engine) {
        let server = Server::start(engine);
        server.account_of("paul@example.com", "BE", Plan::Pro);
        let key = server.key("paul@example.com", true, true);
        for path in ["/api/v1/invoices", "/api/v1/hours-log"] {
            let reply = server.post_text(&key, path, "not even json");
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (403, "dutch_account_required"),
                "{path}"
            );
        }
        // The country is checked before the route and the method.
        for (method, path) in
            [("DELETE", "/api/v1/invoices/1"), ("POST", "/api/v1/contacts/1/nothing")]
        {
            assert_eq!(
                server.send(method, path, &[("x-api-key", &key)], None).code(),
                "dutch_account_required",
                "{method} {path}"
            );
        }
        for path in [
            "/api/v1/account",
            "/api/v1/projects",
            "/api/v1/entries?year=2026",
            "/api/v1/summary/2026",
        ] {
            assert_eq!(server.get(&key, path).status, 200, "{path}");
        }
        let cx = server.owner("paul@example.com");
        let now = "2026-03-15T12:00:00Z".parse().unwrap();
        let project = service::projects::NewProject { name: "P".into(), ..Default::default() };
        server.write(move |tx| service::projects::create(tx, &cx.at(now), &project));
        let hours = json!({"projectId": 1, "date": "2026-03-15", "hours": 1, "description": "x"});
        assert_eq!(server.post(&key, "/api/v1/time-entries", &hours).status, 201);
    }

    fn an_account_cannot_see_or_change_data_of_another(engine) {
        let server = Server::start(engine);
        let (anna, bob) = (server.account("anna@example.com"), server.account("bob@example.com"));
        for _ in 0..3 {
            assert_eq!(server.post(&anna, "/api/v1/invoices", &simple_invoice()).status, 201);
        }
        let cx = server.owner("anna@example.com");
        let now = "2026-03-15T12:00:00Z".parse().unwrap();
        let project = service::projects::NewProject { name: "P".into(), ..Default::default() };
        server.write(move |tx| service::projects::create(tx, &cx.at(now), &project));
        for path in ["/api/v1/invoices/1", "/api/v1/projects/1"] {
            let (foreign, missing) = (
                server.get(&bob, path),
                server.get(&bob, &path.replace('1', "999").replace("v999", "v1")),
            );
            let same = |reply: &testing::Reply| {
                (reply.status, reply.code(), reply.json()["detail"].clone())
            };
            assert_eq!(same(&foreign), same(&missing), "{path}");
            assert_eq!(foreign.status, 404);
        }
        let hours = json!({"projectId": 1, "date": "2026-03-15", "hours": 1, "description": "x"});
        assert_eq!(
            server.post(&bob, "/api/v1/time-entries", &hours).faults(),
            [("/projectId".into(), "unknown_project".into())]
        );
        assert_eq!(server.get(&bob, "/api/v1/entries?year=2026").json()["data"], json!([]));
        assert_eq!(server.get(&bob, "/api/v1/projects").json()["data"], json!([]));
        assert_eq!(server.get(&bob, "/api/v1/summary/2026").json()["invoices"]["count"], 0);
        // Bob's first invoice has number 1 of his own series.
        assert_eq!(
            server.post(&bob, "/api/v1/invoices", &simple_invoice()).json()["number"],
            "2026-0001"
        );
    }

    fn the_rate_limit_counts_per_account_and_not_per_key(engine) {
        let limit = RateLimit {
            per_minute: NonZeroU32::new(1).unwrap(),
            burst: NonZeroU32::new(5).unwrap(),
        };
        let server = Server::start_with(engine, Some(limit));
        let (first, other) =
            (server.account("anna@example.com"), server.account("bob@example.com"));
        let second = server.key("anna@example.com", true, true);
        for remaining in (0..5).rev() {
            let reply =
                server.get(if remaining % 2 == 0 { &first } else { &second }, "/api/v1/account");
            assert_eq!(reply.status, 200);
            assert_eq!(reply.header("ratelimit-policy"), Some("\"default\";q=1;w=60"));
            assert_eq!(
                reply.header("ratelimit"),
                Some(format!("\"default\";r={remaining};t={}", 60 * (5 - remaining)).as_str())
            );
        }
        let start = Instant::now();
        let refused = server.get(&second, "/api/v1/account");
        assert!(
            start.elapsed() >= Duration::from_millis(500),
            "a refusal is delayed, which slows down aggressive clients"
        );
        assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"));
        // One more request becomes available a minute after the first request.
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(refused.header("connection"), None);
        assert_eq!(refused.header("ratelimit"), Some("\"default\";r=0;t=300"));
        assert_eq!(server.get(&other, "/api/v1/account").status, 200);
    }
}

/// Fills in a value for each parameter of a path.
fn filled(path: &str) -> String {
    path.split('/')
        .map(|part| if part.starts_with('{') { "2026" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

#[test]
fn on_postgresql_waiting_writers_of_one_account_leave_connections_to_others() {
    let server = Server::start(Engine::Postgres);
    let (loud, quiet) = (server.account("anna@example.com"), server.account("bob@example.com"));
    let make = |key: &str| server.post(key, "/api/v1/invoices", &simple_invoice()).status;
    assert_eq!((make(&loud), make(&quiet)), (201, 201));
    let waiting = "SELECT COUNT(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let (lock, watch) = (Raw::open(&server.database), Raw::open(&server.database));
    let at_the_lock = || watch.rows(waiting)[0][0].clone().unwrap();
    lock.run("BEGIN; SELECT 1 FROM books WHERE account_id = 1 FOR UPDATE").unwrap();
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..20).map(|_| scope.spawn(|| make(&loud))).collect();
        let start = Instant::now();
        while at_the_lock() != "2" {
            assert!(
                start.elapsed() < Duration::from_secs(15),
                "{} writers wait at the lock",
                at_the_lock()
            );
            std::thread::yield_now();
        }
        // All writes by the loud account are blocked; each write by the quiet account succeeds.
        for _ in 0..5 {
            assert_eq!(make(&quiet), 201);
        }
        assert_eq!(at_the_lock(), "2", "the server has four connections");
        lock.run("ROLLBACK").unwrap();
        assert!(writers.into_iter().all(|writer| writer.join().unwrap() == 201));
    });
    assert_eq!(server.get(&loud, "/api/v1/summary/2026").json()["invoices"]["count"], 21);
    assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
}

#[test]
fn connections_ended_by_postgresql_fail_no_request() {
    let server = Server::start(Engine::Postgres);
    let key = server.account("anna@example.com");
    let make = || server.post(&key, "/api/v1/invoices", &simple_invoice()).status;
    for _ in 0..3 {
        // Every connection is used in turn and is idle afterwards.
        for _ in 0..10 {
            assert_eq!((make(), server.get(&key, "/api/v1/account").status), (201, 200));
        }
        // PostgreSQL ends all connections, as it does on a restart.
        let ended = "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
        assert!(!Raw::open(&server.database).rows(ended).is_empty());
        for _ in 0..20 {
            assert_eq!((make(), server.get(&key, "/api/v1/account").status), (201, 200));
        }
    }
}
