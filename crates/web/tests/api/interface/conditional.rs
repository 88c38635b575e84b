//! Single resources: entity tags, conditional requests, HEAD, and `Location`.

use crate::help::one_of_everything;
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

const SINGLE: [&str; 13] = [
    "account",
    "invoices/1",
    "invoices/2",
    "invoices/3",
    "invoices/1/payments/1",
    "contacts/1",
    "projects/1",
    "time-entries/1",
    "hours-log/1",
    "entries/1",
    "summary/2026",
    "vat-filings/2026/1",
    "vat-filings/2025/4",
];

const LISTS: [&str; 10] = [
    "invoices",
    "invoices/1/payments",
    "contacts?limit=1",
    "projects?limit=1",
    "time-entries",
    "hours-log?year=2026",
    "entries?year=2026&limit=2",
    "vat-filings?year=2026",
    "vat-filings/2026/1/boxes/1a?limit=1",
    "vat-filings/2026/1/boxes/5g",
];

fn stable_headers(reply: &testing::Reply) -> Vec<(String, String)> {
    let mut headers: Vec<_> = reply
        .headers
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "date" | "x-request-id"))
        .cloned()
        .collect();
    headers.sort();
    headers
}

on_both_engines! {
    fn no_resource_is_sent_again_to_a_client_that_has_it(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        for path in SINGLE {
            let path = format!("/api/v1/{path}");
            let read = server.get(&key, &path);
            assert_eq!(read.status, 200, "{path}: {}", read.text);
            let tag =
                read.header("etag").unwrap_or_else(|| panic!("{path} has no ETag")).to_owned();
            assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "{tag}");
            let ask = |method: &str, condition: &str| {
                server.send(
                    method,
                    &path,
                    &[("x-api-key", &key), ("if-none-match", condition)],
                    None,
                )
            };
            for condition in
                [tag.clone(), format!("W/{tag}"), format!("\"a\", {tag}"), "*".to_owned()]
            {
                for method in ["GET", "HEAD"] {
                    let reply = ask(method, &condition);
                    assert_eq!(
                        (reply.status, reply.text.as_str(), reply.header("etag")),
                        (304, "", Some(tag.as_str())),
                        "{method} {path} {condition}"
                    );
                    assert_eq!(reply.header("cache-control"), Some("no-store"));
                }
            }
            for condition in ["\"a\"", "W/\"a\"", &tag[1..]] {
                assert_eq!(ask("GET", condition).status, 200, "{path} {condition}");
            }
            assert_eq!(
                server.get(&key, &path).header("etag"),
                Some(tag.as_str()),
                "the entity tag is stable without changes"
            );
        }
        for path in SINGLE.iter().chain(&LISTS) {
            let path = format!("/api/v1/{path}");
            let read = server.get(&key, &path);
            let head = server.send("HEAD", &path, &[("x-api-key", &key)], None);
            assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
            assert_eq!(stable_headers(&head), stable_headers(&read), "{path}");
        }
        let missing = server.send("HEAD", "/api/v1/invoices/99", &[("x-api-key", &key)], None);
        assert_eq!((missing.status, missing.text.as_str()), (404, ""));
    }

    fn a_change_changes_the_tag(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let tags = || {
            SINGLE.map(|path| {
                server.get(&key, &format!("/api/v1/{path}")).header("etag").unwrap().to_owned()
            })
        };
        let changed = |before: &[String; 13], after: &[String; 13]| -> Vec<&str> {
            SINGLE
                .into_iter()
                .zip(before.iter().zip(after))
                .filter(|(_, (before, after))| before != after)
                .map(|(path, _)| path)
                .collect()
        };
        let steps: [(&str, Value, &[&str]); 4] = [
            (
                "invoices/1/payments",
                json!({"date": "2026-03-01", "amount": 1}),
                &["invoices/1", "summary/2026", "vat-filings/2026/1"],
            ),
            (
                "time-entries",
                json!({"projectId": 1, "date": "2026-03-01", "hours": 1, "description": "x"}),
                &["projects/1", "summary/2026"],
            ),
            (
                "hours-log",
                json!({"date": "2026-03-01", "hours": 1, "description": "x"}),
                &["summary/2026"],
            ),
            ("contacts", json!({"name": "Someone"}), &[]),
        ];
        for (path, payload, expected) in steps {
            let before = tags();
            server.clock.set("2026-03-15T11:00:01Z");
            assert_eq!(
                server.post(&key, &format!("/api/v1/{path}"), &payload).status,
                201,
                "{path}"
            );
            let actual = changed(&before, &tags());
            // The summary contains the time of its creation, so its tag always changes.
            for resource in expected {
                assert!(actual.contains(resource), "{path} changes {resource}: {actual:?}");
            }
            assert!(
                actual
                    .iter()
                    .all(|resource| expected.contains(resource) || resource.starts_with("summary")),
                "{path}: {actual:?}"
            );
        }
    }

    fn deletes_and_replacements_honour_if_match(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let receipt = server.send(
            "POST",
            "/api/v1/receipts",
            &[("x-api-key", &key), ("content-type", "application/pdf")],
            Some(b"%PDF-1.7 a receipt"),
        );
        assert_eq!(receipt.status, 201, "{}", receipt.text);
        assert_eq!(server.post(&key, "/api/v1/timer", &json!({"projectId": 1})).status, 201);
        let send = |method: &str, path: &str, (name, value): (&str, &str), body: &Value| {
            let headers =
                [("x-api-key", key.as_str()), ("content-type", "application/json"), (name, value)];
            server.send(method, path, &headers, Some(body.to_string().as_bytes()))
        };
        let refused = |reply: &testing::Reply, what: &str| {
            assert_eq!(
                (reply.status, reply.code()),
                (412, "precondition_failed".into()),
                "{what}: {}",
                reply.text
            )
        };
        let replaced = [
            ("contacts/1", "contacts/external/c-1", json!({"name": "Other"})),
            (
                "time-entries/1",
                "time-entries/external/t-1",
                json!({"projectId": 1, "date": "2026-02-14", "hours": 19, "description": "y"}),
            ),
            (
                "hours-log/1",
                "hours-log/external/h-1",
                json!({"date": "2026-02-15", "hours": 3, "description": "y"}),
            ),
        ];
        for (one, external, body) in replaced {
            let (one, external) = (format!("/api/v1/{one}"), format!("/api/v1/{external}"));
            let tag = server.get(&key, &one).header("etag").unwrap().to_owned();
            for condition in
                [("if-match", "\"old\""), ("if-none-match", "*"), ("if-none-match", tag.as_str())]
            {
                refused(&send("PUT", &external, condition, &body), &external);
            }
            assert_eq!(
                server.get(&key, &one).header("etag"),
                Some(tag.as_str()),
                "the refused request changed nothing"
            );
            assert_eq!(send("PUT", &external, ("if-match", &tag), &body).status, 200, "{external}");
            refused(&send("PUT", &external, ("if-match", &tag), &body), &external);
            // `If-Match` on a resource that does not exist.
            let new = external.replace("-1", "-new");
            for condition in ["*", tag.as_str()] {
                refused(&send("PUT", &new, ("if-match", condition), &body), &new);
            }
        }
        let project = json!({"name": "By a name"});
        refused(
            &send("PUT", "/api/v1/projects/external/p-1", ("if-match", "*"), &project),
            "nothing to replace",
        );
        assert_eq!(
            send("PUT", "/api/v1/projects/external/p-1", ("if-none-match", "*"), &project).status,
            201
        );
        refused(
            &send("PUT", "/api/v1/projects/external/p-1", ("if-none-match", "*"), &project),
            "a second one",
        );
        let taken_away = [
            "contacts/1",
            "time-entries/1",
            "hours-log/1",
            "invoices/2",
            "invoices/1/payments/1",
            "receipts/1",
            "timer",
        ];
        for path in taken_away.map(|path| format!("/api/v1/{path}")) {
            let read = server.get(&key, &path);
            let unnamed =
                server.send("DELETE", &path, &[("x-api-key", &key), ("if-match", "old")], None);
            refused(&unnamed, &path);
            assert!(
                unnamed.json()["detail"].as_str().unwrap().starts_with("If-Match names no state"),
                "{}",
                unnamed.text
            );
            refused(
                &server.send(
                    "DELETE",
                    &path,
                    &[("x-api-key", &key), ("if-match", "\"old\"")],
                    None,
                ),
                &path,
            );
            let tag = read.header("etag").unwrap();
            assert_eq!(
                server.get(&key, &path).header("etag"),
                Some(tag),
                "the refused request changed {path}"
            );
            let done =
                server.send("DELETE", &path, &[("x-api-key", &key), ("if-match", tag)], None);
            assert!(matches!(done.status, 200 | 204), "{path}: {}", done.text);
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_created_resource_is_found_at_its_location(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let customer = json!({"name": "A"});
        let items = json!([{"description": "x", "unitPrice": 1, "vatRate": 21}]);
        let creates = [
            ("invoices", json!({"customer": customer, "items": items})),
            (
                "invoices",
                json!({"customer": customer, "items": items, "status": "sent", "externalId": "made"}),
            ),
            (
                "invoices/1/payments",
                json!({"date": "2026-03-01", "amount": 1, "externalId": "made"}),
            ),
            ("invoices/1/credit-notes", json!({"items": items, "externalId": "made"})),
            ("contacts", json!({"name": "A", "externalId": "made"})),
            (
                "time-entries",
                json!({"projectId": 1, "date": "2026-03-01", "hours": 1, "description": "x", "externalId": "made"}),
            ),
            (
                "hours-log",
                json!({"date": "2026-03-01", "hours": 1, "description": "x", "externalId": "made"}),
            ),
        ];
        for (path, payload) in creates {
            let path = format!("/api/v1/{path}");
            let reply = server.post(&key, &path, &payload);
            assert_eq!(
                (reply.status, reply.header("idempotent-replay"), reply.header("cache-control")),
                (201, None, Some("no-store")),
                "{path}: {}",
                reply.text
            );
            let origin = format!("http://{}", server.address);
            let place = reply.header("location").unwrap().strip_prefix(&origin).unwrap();
            let read = server.get(&key, place);
            assert_eq!(
                (read.status, &read.text, read.header("etag")),
                (200, &reply.text, reply.header("etag")),
                "{path}"
            );
            if !payload["externalId"].is_null() {
                let again = server.post(&key, &path, &json!({"externalId": "made"}));
                assert_eq!(
                    (again.status, again.header("idempotent-replay"), &again.text),
                    (200, Some("true"), &reply.text),
                    "{path}"
                );
                assert_eq!(again.header("location"), reply.header("location"));
            }
        }
    }
}
