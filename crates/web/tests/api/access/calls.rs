//! Call log: the last hundred calls of an account, and when and from where a key was last used.

use crate::simple_invoice;
use jiff::Timestamp;
use service::{access, accounts, environment::Clock};
use std::num::NonZeroU32;
use store::{accounts::Plan, api_calls::ApiCall, keys::ApiKey, params};
use testing::{Server, on_both_engines};
use web::RateLimit;

/// Calls of an account, latest first.
fn calls(server: &Server, email: &str) -> Vec<ApiCall> {
    server.save_calls();
    let cx = server.owner(email);
    let calls = server.store.read_blocking(move |tx| access::last_calls(tx, &cx)).unwrap();
    calls.into_iter().map(|(call, _)| call).collect()
}

fn key(server: &Server, email: &str) -> ApiKey {
    server.save_calls();
    let cx = server.owner(email);
    server.store.read_blocking(move |tx| access::list_keys(tx, &cx)).unwrap().remove(0)
}

/// Sets the clock to `second` seconds after a fixed moment; returns the new time.
fn at(server: &Server, second: i64) -> Timestamp {
    let moment = Timestamp::new(1_790_000_000 + second, 0).unwrap();
    server.clock.set(&moment.to_string());
    moment
}

on_both_engines! {
    fn each_call_is_logged_with_its_answer(engine) {
        let server = Server::start(engine);
        let key = server.account("a@example.com");
        let reads = server.key("a@example.com", true, false);
        at(&server, 1);
        let created = server.post(&key, "/api/v1/invoices", &simple_invoice());
        let moment = at(&server, 2);
        let read = server.get(&key, "/api/v1/invoices/1");
        let mut expected = vec![
            ("POST", "/api/v1/invoices", 201, "", "1"),
            ("GET", "/api/v1/invoices/{id}", 200, "", "1"),
        ];
        let failing: [(&str, &str, &str, &str, &str, i64, &str); 6] = [
            (&key, "1", "GET", "/api/v1/invoices/99", "/api/v1/invoices/{id}", 404, "not_found"),
            (
                &reads,
                "2",
                "POST",
                "/api/v1/invoices",
                "/api/v1/invoices",
                403,
                "insufficient_scope",
            ),
            (
                &key,
                "1",
                "POST",
                "/api/v1/invoices",
                "/api/v1/invoices",
                415,
                "unsupported_media_type",
            ),
            (
                &key,
                "1",
                "PUT",
                "/api/v1/invoices/1",
                "/api/v1/invoices/{id}",
                405,
                "method_not_allowed",
            ),
            (&key, "1", "GET", "/api/v1/nothing?name=secret", "unknown", 404, "unknown_route"),
            (&key, "1", "BREW", "/api/v1/account", "/api/v1/account", 405, "method_not_allowed"),
        ];
        for (second, (key, id, method, path, route, status, code)) in (3..).zip(failing) {
            at(&server, second);
            assert_eq!(
                i64::from(server.send(method, path, &[("x-api-key", key)], None).status),
                status,
                "{method} {path}"
            );
            expected.push((
                if method == "BREW" { "OTHER" } else { method },
                route,
                status,
                code,
                id,
            ));
        }
        let log = calls(&server, "a@example.com");
        let mut seen: Vec<_> = log
            .iter()
            .map(|call| {
                (
                    call.method.as_str(),
                    call.route.as_str(),
                    call.status,
                    call.code.as_str(),
                    call.caller_id.as_str(),
                )
            })
            .collect();
        seen.reverse();
        assert_eq!(seen, expected);
        assert!(log.iter().all(|call| call.caller == "key" && call.address == "127.0.0.1"));
        assert_eq!(log.last().unwrap().request_id, created.header("x-request-id").unwrap());
        let second = &log[log.len() - 2];
        assert_eq!(
            (second.at, second.request_id.as_str()),
            (moment, read.header("x-request-id").unwrap())
        );
    }

    fn calls_refused_by_plan_or_rate_limit_are_logged(engine) {
        let once = NonZeroU32::MIN;
        let server = Server::start_with(engine, Some(RateLimit { per_minute: once, burst: once }));
        server.account_of("free@example.com", "NL", Plan::Free);
        let key = server.key("free@example.com", true, true);
        at(&server, 1);
        assert_eq!(server.get(&key, "/api/v1/account").status, 403);
        at(&server, 2);
        assert_eq!(server.get(&key, "/api/v1/account").status, 429);
        let log = calls(&server, "free@example.com");
        let seen: Vec<_> = log.iter().map(|call| (call.status, call.code.as_str())).collect();
        assert_eq!(seen, [(429, "rate_limited"), (403, "plan_required")]);
    }

    fn the_last_hundred_calls_are_kept_over_several_writes(engine) {
        let server = Server::start(engine);
        let key = server.account("a@example.com");
        let other = server.account("b@example.com");
        assert_eq!(server.get(&other, "/api/v1/account").status, 200);
        for second in 0..130 {
            at(&server, second);
            assert_eq!(server.get(&key, "/api/v1/account").status, 200);
            if second % 50 == 49 {
                server.save_calls();
            }
        }
        let log = calls(&server, "a@example.com");
        let moments: Vec<i64> =
            log.iter().map(|call| call.at.as_second() - 1_790_000_000).collect();
        assert_eq!(moments, (30..130).rev().collect::<Vec<_>>());
        assert_eq!(calls(&server, "b@example.com").len(), 1, "calls of another account are kept");
    }

    fn an_account_sees_only_its_own_calls(engine) {
        let server = Server::start(engine);
        let (key, _) = (server.account("a@example.com"), server.account("b@example.com"));
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        assert_eq!(calls(&server, "a@example.com").len(), 1);
        assert_eq!(calls(&server, "b@example.com"), []);
    }

    fn calls_with_unknown_credentials_belong_to_no_account(engine) {
        let server = Server::start(engine);
        let key = server.account("a@example.com");
        let cx = server.owner("a@example.com");
        let now = server.clock.now();
        server.write(move |tx| access::revoke_key(tx, &cx.at(now), 1));
        for (name, value) in [
            ("x-api-key", key.as_str()),
            ("x-api-key", "gb_live_x"),
            ("authorization", "Bearer x"),
            ("x-y", "z"),
        ] {
            assert_eq!(server.send("GET", "/api/v1/account", &[(name, value)], None).status, 401);
        }
        assert_eq!(calls(&server, "a@example.com"), []);
        assert_eq!(self::key(&server, "a@example.com").last_used_at, None);
    }

    fn a_key_shows_when_and_from_where_it_was_last_used(engine) {
        let server = Server::start(engine);
        let secret = server.account("a@example.com");
        assert_eq!(key(&server, "a@example.com").last_used_address, None);
        at(&server, 1);
        assert_eq!(server.get(&secret, "/api/v1/account").status, 200);
        let moment = at(&server, 2);
        // The header is ignored, because no proxy is trusted unless the configuration lists it.
        let headers = [("x-api-key", secret.as_str()), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(server.send("GET", "/api/v1/account", &headers, None).status, 200);
        let key = key(&server, "a@example.com");
        assert_eq!(
            (key.last_used_at, key.last_used_address.as_deref()),
            (Some(moment), Some("127.0.0.1"))
        );
    }

    fn behind_a_trusted_proxy_the_clients_own_address_is_logged(engine) {
        let server = Server::start_set(engine, |settings| {
            settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()]
        });
        let secret = server.account("a@example.com");
        let headers =
            [("x-api-key", secret.as_str()), ("x-forwarded-for", "10.1.1.1, 2001:DB8::9")];
        assert_eq!(server.send("GET", "/api/v1/account", &headers, None).status, 200);
        assert_eq!(key(&server, "a@example.com").last_used_address.as_deref(), Some("2001:db8::9"));
        assert_eq!(calls(&server, "a@example.com")[0].address, "2001:db8::9");
    }

    fn an_account_closed_before_the_save_leaves_no_calls(engine) {
        let server = Server::start(engine);
        let key = server.account("a@example.com");
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        let now = server.clock.now();
        server.write(move |tx| {
            let account = accounts::by_email(tx, "a@example.com")?.id;
            Ok(tx.execute(
                "UPDATE accounts SET closed_at = ?2 WHERE id = ?1",
                &params![account, now],
            )?)
        });
        server.save_calls();
        let count = "SELECT count(*) FROM api_calls";
        assert_eq!(server.write(move |tx| Ok(tx.query_one(count, &[], |row| row.int(0))?)), 0);
    }
}
