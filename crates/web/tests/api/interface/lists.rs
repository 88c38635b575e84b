//! Lists: pagination, cursors, filters, entity tags.

use crate::simple_invoice;
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

fn ids(page: &Value) -> Vec<i64> {
    page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

on_both_engines! {
    fn a_walk_with_the_cursor_sees_each_entry_once_while_others_write(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let book = |date: &str| {
            let mut payload = simple_invoice();
            payload["invoiceDate"] = json!(date);
            assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
        };
        for day in [
            "2026-02-03",
            "2026-01-01",
            "2026-02-03",
            "2026-03-31",
            "2026-02-02",
            "2026-02-03",
            "2026-04-01",
            "2025-12-31",
        ] {
            book(day);
        }
        let mut seen = Vec::new();
        let mut path = "/api/v1/entries?year=2026&quarter=1&limit=2".to_owned();
        loop {
            let reply = server.get(&key, &path);
            assert_eq!(reply.status, 200, "{}", reply.text);
            let page = reply.json();
            seen.extend(ids(&page));
            // New entries appear during the walk, before and after the current position.
            book("2026-01-01");
            book("2026-03-31");
            let Some(cursor) = page["nextCursor"].as_str() else { break };
            let next = format!("/api/v1/entries?year=2026&quarter=1&limit=2&cursor={cursor}");
            assert_eq!(
                reply.header("link"),
                Some(format!("<http://{}{next}>; rel=\"next\"", server.address).as_str())
            );
            path = next;
            if seen.len() > 50 {
                break;
            }
        }
        let old: Vec<i64> = seen.iter().copied().filter(|id| *id <= 8).collect();
        assert_eq!(old, [2, 5, 1, 3, 6, 4], "sorted by date, then in the order of booking");
        let mut unique = seen.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), seen.len());
    }

    fn entries_are_filtered_by_period_account_and_source(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (date, rate) in [
            ("2026-01-01", 21),
            ("2026-03-31", 9),
            ("2026-04-01", 21),
            ("2026-12-31", 0),
            ("2025-12-31", 21),
        ] {
            let mut payload = simple_invoice();
            payload["invoiceDate"] = json!(date);
            payload["items"][0]["vatRate"] = json!(rate);
            assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
        }
        let cases = [
            ("year=2026", vec![1, 2, 3, 4]),
            ("year=2025", vec![5]),
            ("year=2026&quarter=1", vec![1, 2]),
            ("year=2026&quarter=2", vec![3]),
            ("year=2026&quarter=3", vec![]),
            ("year=2026&quarter=4", vec![4]),
            ("year=2026&accountCode=8010", vec![2]),
            ("year=2026&accountCode=1300&limit=500", vec![1, 2, 3, 4]),
            ("year=2026&sourceType=invoice&quarter=1", vec![1, 2]),
            ("year=2026&sourceType=expense", vec![]),
            ("year=2026&limit=1", vec![1]),
        ];
        for (query, expected) in cases {
            let reply = server.get(&key, &format!("/api/v1/entries?{query}"));
            assert_eq!((reply.status, ids(&reply.json())), (200, expected), "{query}");
        }
    }

    fn parameters_that_cannot_be_used_are_named(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let cases = [
            ("/api/v1/entries", vec![("year", "required")]),
            ("/api/v1/entries?year=", vec![("year", "out_of_range")]),
            ("/api/v1/entries?year=26", vec![("year", "out_of_range")]),
            ("/api/v1/entries?year=2026&quarter=0", vec![("quarter", "out_of_range")]),
            ("/api/v1/entries?year=2026&quarter=5", vec![("quarter", "out_of_range")]),
            ("/api/v1/entries?year=2026&quarter=%2B1", vec![("quarter", "out_of_range")]),
            ("/api/v1/entries?year=2026&limit=0", vec![("limit", "out_of_range")]),
            ("/api/v1/entries?year=2026&limit=501", vec![("limit", "out_of_range")]),
            ("/api/v1/entries?year=2026&accountCode=9999", vec![("accountCode", "unknown_value")]),
            ("/api/v1/entries?year=2026&sourceType=x", vec![("sourceType", "unknown_value")]),
            ("/api/v1/entries?year=2026&year=2025", vec![("year", "too_many")]),
            ("/api/v1/entries?year=2026&kwartaal=1", vec![("kwartaal", "unknown_field")]),
            (
                "/api/v1/entries?quarter=9&limit=x&y=1",
                vec![
                    ("year", "required"),
                    ("quarter", "out_of_range"),
                    ("limit", "out_of_range"),
                    ("y", "unknown_field"),
                ],
            ),
            ("/api/v1/summary/26", vec![("year", "out_of_range")]),
            ("/api/v1/summary/20260", vec![("year", "out_of_range")]),
            ("/api/v1/summary/x", vec![("year", "out_of_range")]),
            ("/api/v1/projects?limit=-1", vec![("limit", "out_of_range")]),
            ("/api/v1/account?x=1", vec![("x", "unknown_field")]),
        ];
        for (path, expected) in cases {
            let reply = server.get(&key, path);
            let faults = reply.faults();
            let actual: Vec<(&str, &str)> =
                faults.iter().map(|(place, code)| (place.as_str(), code.as_str())).collect();
            assert_eq!((reply.status, actual), (422, expected), "{path}");
        }
        for cursor in ["x", "!!!", "MjAyNi0wMy0xNQ", "%00"] {
            let reply = server.get(&key, &format!("/api/v1/entries?year=2026&cursor={cursor}"));
            assert_eq!((reply.status, reply.code().as_str()), (400, "invalid_cursor"), "{cursor}");
        }
    }

    fn the_next_page_is_named_once_however_its_cursor_was_written(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for _ in 0..3 {
            assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        }
        let cursor = server.get(&key, "/api/v1/invoices?limit=1").json()["nextCursor"]
            .as_str()
            .unwrap()
            .to_owned();
        let reply = server.get(&key, &format!("/api/v1/invoices?limit=1&%63ursor={cursor}"));
        let next = reply.json()["nextCursor"].as_str().unwrap().to_owned();
        let expected = format!(
            "<http://{}/api/v1/invoices?limit=1&cursor={next}>; rel=\"next\"",
            server.address
        );
        assert_eq!((ids(&reply.json()), reply.header("link")), (vec![2], Some(expected.as_str())));
    }

    fn a_cursor_belongs_to_one_list_with_its_filters(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for number in 1..=3 {
            assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
            assert_eq!(
                server
                    .post(&key, "/api/v1/contacts", &json!({"name": format!("Name {number}")}))
                    .status,
                201
            );
        }
        for invoice in [1, 2] {
            for number in 1..=2 {
                let payment = json!({"date": "2026-03-10", "amount": number});
                assert_eq!(
                    server
                        .post(&key, &format!("/api/v1/invoices/{invoice}/payments"), &payment)
                        .status,
                    201
                );
            }
        }
        let of = |path: &str, cursor: &str| {
            let sign = if path.contains('?') { '&' } else { '?' };
            server.get(&key, &format!("/api/v1/{path}{sign}cursor={cursor}"))
        };
        let cursor = |path: &str| {
            server.get(&key, &format!("/api/v1/{path}")).json()["nextCursor"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        // Lists that must not accept each other's cursors: each differs in its filters, its
        // resource or its parent.
        let lists = [
            "invoices?limit=1",
            "invoices?limit=1&status=sent",
            "invoices?limit=1&kind=invoice",
            "invoices?limit=1&status=sent&kind=invoice",
            "invoices?limit=1&from=2026-01-01",
            "invoices?limit=1&from=2026-01-02",
            "invoices?limit=1&updatedSince=2026-01-01T00:00:00Z",
            "contacts?limit=1",
            "contacts?limit=1&q=name",
            "invoices/1/payments?limit=1",
            "invoices/2/payments?limit=1",
            "entries?limit=1&year=2026",
            "entries?limit=1&year=2026&quarter=1",
            "entries?limit=1&vatPeriod=2026-Q1",
            "vat-filings/2026/1/boxes/1a?limit=1",
            "vat-filings/2026/1/boxes/5a?limit=1",
        ];
        let cursors: Vec<String> = lists.iter().map(|list| cursor(list)).collect();
        for (from, token) in lists.iter().zip(&cursors) {
            for to in lists {
                let reply = of(to, token);
                match to == *from {
                    true => assert_eq!(reply.status, 200, "{from}: {}", reply.text),
                    false => assert_eq!(
                        (reply.status, reply.code().as_str()),
                        (400, "invalid_cursor"),
                        "{from} to {to}"
                    ),
                }
            }
        }
        // The limit and the notation of the same filter may change from page to page.
        for same in [
            "invoices?limit=2&status=sent&kind=invoice",
            "invoices?kind=invoice&status=sent",
            "invoices?%6bind=invoice&status=%73ent&limit=7",
        ] {
            let reply = of(same, &cursors[3]);
            assert_eq!((reply.status, ids(&reply.json())), (200, vec![2, 1]), "{same}");
        }
    }

    fn a_client_with_the_current_version_gets_304(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let create_reply = server.post(&key, "/api/v1/invoices", &simple_invoice());
        let read = server.get(&key, "/api/v1/invoices/1");
        let tag = read.header("etag").unwrap().to_owned();
        assert_eq!(create_reply.header("etag"), Some(tag.as_str()));
        for (condition, status) in [
            (tag.clone(), 304),
            (format!("\"x\", W/{tag}"), 304),
            ("*".into(), 304),
            ("\"x\"".into(), 200),
        ] {
            let reply = server.send(
                "GET",
                "/api/v1/invoices/1",
                &[("x-api-key", &key), ("if-none-match", &condition)],
                None,
            );
            assert_eq!(
                (reply.status, reply.header("etag")),
                (status, Some(tag.as_str())),
                "{condition}"
            );
            assert_eq!(reply.text.is_empty(), status == 304);
        }
        let head = server.send("HEAD", "/api/v1/invoices/1", &[("x-api-key", &key)], None);
        assert_eq!(
            (head.status, head.header("etag"), head.text.as_str()),
            (200, Some(tag.as_str()), "")
        );
        assert_eq!(head.header("content-length"), read.header("content-length"));
    }

    fn projects_are_listed_in_pages(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let cx = server.owner("anna@example.com");
        let now = "2026-03-15T12:00:00Z".parse().unwrap();
        server.write(move |tx| {
            for number in 1..=5 {
                let project = service::projects::NewProject {
                    name: format!("Project {number}"),
                    ..Default::default()
                };
                service::projects::create(tx, &cx.at(now), &project)?;
            }
            Ok(())
        });
        let first = server.get(&key, "/api/v1/projects?limit=3").json();
        assert_eq!(ids(&first), [1, 2, 3]);
        let second = server
            .get(
                &key,
                &format!(
                    "/api/v1/projects?limit=3&cursor={}",
                    first["nextCursor"].as_str().unwrap()
                ),
            )
            .json();
        assert_eq!((ids(&second), &second["nextCursor"]), (vec![4, 5], &Value::Null));
        assert_eq!(
            first["data"][0],
            json!({"id": 1, "externalId": null, "name": "Project 1", "contactId": null, "status": "active", "hourlyRate": null,
            "budgetHours": null, "budgetAmount": null, "hoursLogged": 0, "hoursNotInvoiced": 0,
            "createdAt": "2026-03-15T12:00:00.000000Z", "updatedAt": "2026-03-15T12:00:00.000000Z"})
        );
    }
}
