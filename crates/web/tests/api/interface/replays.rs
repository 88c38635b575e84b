//! Replays by `externalId`: a response header reports whether the body differs from the original.

use crate::help::{example, filled, ids};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fmt::Write as _};
use testing::{Reply, Server, on_both_engines, year};

const EMAIL: &str = "anna@example.com";
const REPLAY: &str = "idempotent-replay";
const DIFFERS: &str = "idempotent-replay-differs";

/// Equivalent JSON in another notation: members in reverse order, whitespace, trailing zeros.
fn rewritten(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut text = String::from("{ ");
            for (name, value) in members.iter().rev() {
                write!(text, "{} : {} , ", json!(name), rewritten(value)).unwrap();
            }
            text.trim_end_matches(", ").to_owned() + "}"
        }
        Value::Array(items) => {
            format!("[ {} ]", items.iter().map(rewritten).collect::<Vec<_>>().join(" ,\n"))
        }
        Value::Number(number) if number.to_string().contains('.') => format!("{number}0"),
        Value::Number(number) => format!("{number}.0"),
        other => other.to_string(),
    }
}

fn send(server: &Server, key: &str, method: &str, path: &str, body: &str) -> Reply {
    let headers = [("x-api-key", key), ("content-type", "application/json")];
    server.send(method, &format!("/api/v1/{path}"), &headers, Some(body.as_bytes()))
}

/// Path with its numbers and parameters replaced by `{}`.
fn place(path: &str) -> String {
    let is_variable = |part: &str| part.starts_with('{') || part.parse::<i64>().is_ok();
    path.split('/')
        .map(|part| if is_variable(part) { "{}" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

/// Status of a reply and its two headers about replays.
fn replay_state(reply: &Reply) -> (u16, Option<&str>, Option<&str>) {
    (reply.status, reply.header(REPLAY), reply.header(DIFFERS))
}

struct Caller<'s> {
    server: &'s Server,
    key: String,
    called: BTreeSet<String>,
}

impl Caller<'_> {
    /// Creates a resource and repeats the request: unchanged, in another notation, with another
    /// body and with an invalid one.
    fn creates(&mut self, path: &str, body: &Value) {
        let mut body = body.clone();
        body["externalId"] = json!(format!("call-{}", self.called.len()));
        let first = send(self.server, &self.key, "POST", path, &body.to_string());
        assert!(
            matches!(replay_state(&first), (201 | 202, None, None)),
            "{path}: {} {}",
            first.status,
            first.text
        );
        for same in [
            body.to_string(),
            rewritten(&body),
            format!("{{\"noField\":null,{}", &body.to_string()[1..]),
        ] {
            let again = send(self.server, &self.key, "POST", path, &same);
            assert_eq!(
                replay_state(&again),
                (200, Some("true"), None),
                "{path} {same}: {}",
                again.text
            );
            assert_eq!(again.json()["id"], first.json()["id"], "{path}");
        }
        let mut other = body.clone();
        other["description"] = json!("Something else");
        let bare = json!({"externalId": body["externalId"]});
        let others = [other, bare, json!({"externalId": body["externalId"], "noField": 1})];
        for other in others.into_iter().filter(|other| *other != body) {
            let again = send(self.server, &self.key, "POST", path, &other.to_string());
            assert_eq!(
                replay_state(&again),
                (200, Some("true"), Some("true")),
                "{path} {other}: {}",
                again.text
            );
            assert_eq!(again.json()["id"], first.json()["id"], "{path}");
        }
        self.called.insert(place(path));
    }
}

on_both_engines! {
    fn every_create_says_whether_the_body_is_the_one_that_made_it(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let mut caller = Caller { server: &server, key, called: BTreeSet::new() };
        let description = server.get(&caller.key, "/api/openapi.json").json();
        let paths = description["paths"].as_object().unwrap();
        // Exactly the operations that take an `externalId`.
        let mut expected = BTreeSet::new();
        for (path, methods) in paths {
            // Booking a line is an action on it, answered with 200; `journal/bank_booking.rs` repeats it.
            let Some(post) = methods.get("post").filter(|_| !path.ends_with("/book")) else { continue };
            let name = post["requestBody"]["content"]["application/json"]["schema"]["$ref"]
                .as_str()
                .and_then(|path| path.rsplit('/').next());
            let takes = name.is_some_and(|name| {
                !description["components"]["schemas"][name]["properties"]["externalId"].is_null()
            });
            assert_eq!(
                !post["responses"]["200"]["headers"]["Idempotent-Replay-Differs"].is_null(),
                takes,
                "{path}"
            );
            if takes {
                expected.insert(place(path.trim_start_matches("/api/v1/")));
            }
        }
        for step in year::steps() {
            // The first request to each operation with an externalId is checked; all other requests
            // only prepare later ones.
            if expected.contains(&place(step.call)) && !caller.called.contains(&place(step.call)) {
                caller.creates(step.call, &step.said);
            } else {
                let reply = server.post(&caller.key, &format!("/api/v1/{}", step.call), &step.said);
                assert!(matches!(reply.status, 200 | 201), "{} {}", step.call, reply.text);
            }
        }
        caller.creates("invoices/2/send", &json!({"to": "klant@example.com"}));
        let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        let late = json!({"customer": {"name": "Laat"}, "status": "sent", "invoiceDate": "2026-02-01", "dueDate": "2026-02-15", "items": items});
        let invoice = server.post(&caller.key, "/api/v1/invoices", &late);
        caller.creates(
            &format!("invoices/{}/remind", invoice.json()["id"]),
            &json!({"to": "klant@example.com"}),
        );
        let part = json!({"items": [{"description": "Less", "unitPrice": 10, "vatRate": 21}]});
        caller.creates(&format!("invoices/{}/credit-notes", invoice.json()["id"]), &part);
        let quote = json!({"customer": {"name": "Laat", "email": "klant@example.com"}, "items": items});
        caller.creates("quotes", &quote);
        caller.creates("quotes/1/send", &json!({}));
        caller.creates("articles", &json!({"name": "Work"}));
        caller.creates("quotes/1/invoice", &json!({"kind": "whole"}));
        let subscription = json!({"customer": {"name": "Laat"}, "items": items, "every": {"unit": "month"}, "firstDate": "2027-02-01"});
        caller.creates("recurring-invoices", &subscription);
        let hours =
            json!({"projectId": 1, "date": "2026-03-02", "hours": 2, "description": "More"});
        assert_eq!(server.post(&caller.key, "/api/v1/time-entries", &hours).status, 201);
        // Other operations are called with the example in their description.
        server.clock.set("2026-12-31T11:00:00Z");
        // An asset and exempt turnover in the same year, so that there is VAT to revise.
        let lessons = json!({"customer": {"name": "School"}, "status": "sent", "invoiceDate": "2026-12-01",
            "items": [{"description": "Lessons", "unitPrice": 900, "vatRate": 0, "vatCategory": "exempt"}]});
        assert_eq!(server.post(&caller.key, "/api/v1/invoices", &lessons).status, 201);
        let camera = json!({"date": "2026-12-01", "description": "Camera", "cost": 1000});
        assert_eq!(server.post(&caller.key, "/api/v1/assets", &camera).status, 201);
        let account = json!({"name": "Paying", "kind": "checking", "iban": "BE68539007547034"});
        let account = server.post(&caller.key, "/api/v1/bank-accounts", &account).json();
        let bill = json!({"date": "2026-12-01", "supplier": "Papierhal", "paidFrom": "unpaid", "payTo": {"iban": "NL02ABNA0123456789"},
            "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        let bill = server.post(&caller.key, "/api/v1/expenses", &bill).json()["id"].clone();
        let batch = json!({"bankAccountId": account["id"], "items": [{"expenseId": bill}]});
        caller.creates("payment-batches", &batch);
        for path in paths.keys() {
            let call = place(path.trim_start_matches("/api/v1/"));
            if expected.contains(&call) && !caller.called.contains(&call) {
                let call = filled(&server, &caller.key, path);
                caller.creates(&call, &example(&paths[path]["post"]));
            }
        }
        assert_eq!(expected.difference(&caller.called).collect::<Vec<_>>(), Vec::<&String>::new());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn other_ways_to_create_or_replace_a_resource_count_too(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let call = |method: &str, path: &str, body: Value| {
            send(&server, &key, method, path, &body.to_string())
        };
        let put =
            |body: &Value| send(&server, &key, "PUT", "contacts/external/a", &body.to_string());
        let post = |body: &Value| server.post(&key, "/api/v1/contacts", body);
        // The contact is created by PUT. A POST with the same fields is a replay, although the body
        // of the PUT has no externalId.
        let replies = [put(&json!({"name": "Korenaar"})), put(&json!({"name": "Pier"}))];
        assert_eq!(
            replies.iter().map(replay_state).collect::<Vec<_>>(),
            [(201, None, None), (200, None, None)]
        );
        assert_eq!(
            replay_state(&post(&json!({"externalId": "a", "name": "Korenaar"}))),
            (200, Some("true"), None)
        );
        assert_eq!(
            replay_state(&post(&json!({"externalId": "a", "name": "Pier"}))),
            (200, Some("true"), Some("true"))
        );
        // The externalId was added later, so no create request had this body.
        assert_eq!(post(&json!({"name": "Later"})).status, 201);
        assert_eq!(call("PATCH", "contacts/2", json!({"externalId": "b"})).status, 200);
        assert_eq!(
            replay_state(&post(&json!({"externalId": "b", "name": "Later"}))),
            (200, Some("true"), Some("true"))
        );
        // After deletion and re-creation, replays are compared with the latest body.
        let hours = |hours: i64| json!({"externalId": "h", "date": "2026-03-02", "hours": hours, "description": "Reading"});
        let log = |number: i64| server.post(&key, "/api/v1/hours-log", &hours(number));
        assert_eq!(replay_state(&log(1)), (201, None, None));
        assert_eq!(
            server.send("DELETE", "/api/v1/hours-log/1", &[("x-api-key", &key)], None).status,
            204
        );
        assert_eq!(replay_state(&log(2)), (201, None, None));
        assert_eq!(
            (replay_state(&log(2)), replay_state(&log(1))),
            ((200, Some("true"), None), (200, Some("true"), Some("true")))
        );
        // The same body on another invoice's path is reported as different, because the payment
        // with this external id belongs to the first invoice.
        for _ in 0..2 {
            assert_eq!(server.post(&key, "/api/v1/invoices", &crate::simple_invoice()).status, 201);
        }
        let pay = |invoice: i64| {
            server.post(
                &key,
                &format!("/api/v1/invoices/{invoice}/payments"),
                &json!({"externalId": "p", "date": "2026-03-10", "amount": 1}),
            )
        };
        assert_eq!(replay_state(&pay(1)), (201, None, None));
        let elsewhere = pay(2);
        assert_eq!(
            (replay_state(&elsewhere), elsewhere.json()["invoiceId"].as_i64()),
            ((200, Some("true"), Some("true")), Some(1))
        );
        // External ids are unique per account.
        let other = server.account("bob@example.com");
        assert_eq!(
            replay_state(&server.post(
                &other,
                "/api/v1/contacts",
                &json!({"externalId": "a", "name": "Pier"})
            )),
            (201, None, None)
        );
        assert_eq!(ids(&server.get(&other, "/api/v1/contacts").json()), [1]);
    }

    fn concurrent_creates_with_another_body_say_so(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        // An SQLite file can be used by one server only.
        let second = (engine == testing::Engine::Postgres).then(|| server.beside());
        let contact =
            |number: usize| json!({"externalId": "c", "name": format!("Name {}", number % 2)});
        let replies: Vec<(usize, Reply)> = std::thread::scope(|scope| {
            let (server, key) = (&server, &key);
            let workers: Vec<_> = (0..32)
                .map(|number| {
                    let node = second.as_ref().filter(|_| number % 4 > 1).unwrap_or(server);
                    scope.spawn(move || {
                        (number % 2, node.post(key, "/api/v1/contacts", &contact(number)))
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let first = replies.iter().find(|(_, reply)| reply.status == 201).unwrap().0;
        let expected = |kind: usize, reply: &Reply| match reply.status {
            201 => (201, None, None),
            _ if kind == first => (200, Some("true"), None),
            _ => (200, Some("true"), Some("true")),
        };
        for (kind, reply) in &replies {
            assert_eq!(replay_state(reply), expected(*kind, reply));
        }
        assert_eq!(replies.iter().filter(|(_, reply)| reply.status == 201).count(), 1);
    }
}
