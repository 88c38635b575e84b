//! Tenant isolation: for every operation, resources of another account look nonexistent.

use crate::help::{books, example, one_of_everything};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

/// Operations of the API description: method, path and description.
fn operations(description: &Value) -> Vec<(String, String, &Value)> {
    let mut operations = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        let methods = methods.as_object().unwrap().iter().filter(|(key, _)| *key != "parameters");
        operations.extend(
            methods.map(|(method, operation)| (method.to_uppercase(), path.clone(), operation)),
        );
    }
    operations
}

/// Status, headers and body of a reply, without the requested id and the values that differ from
/// reply to reply.
fn normalized(reply: &Reply, id: &str) -> (u16, Vec<(String, String)>, String) {
    let mut body = reply.text.clone();
    if let Some(request) = reply.header("x-request-id") {
        body = body.replace(request, "-");
    }
    let names = |name: &str| !matches!(name, "date" | "x-request-id" | "content-length");
    let mut headers: Vec<_> =
        reply.headers.iter().filter(|(name, _)| names(name)).cloned().collect();
    headers.sort();
    (reply.status, headers, body.replace(id, "ID"))
}

/// Replaces every id in a body; the schema distinguishes ids from other numbers.
fn replace_ids(description: &Value, schema: &Value, body: &mut Value, id: i64) {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => description.pointer(reference.trim_start_matches('#')).unwrap(),
        None => schema,
    };
    match body {
        Value::Object(members) => {
            for (name, value) in members {
                replace_ids(description, &schema["properties"][name], value, id);
            }
        }
        Value::Array(items) => {
            for item in items {
                replace_ids(description, &schema["items"], item, id);
            }
        }
        Value::Number(_) if schema["maximum"] == i64::MAX => *body = json!(id),
        _ => {}
    }
}

/// Body that would be valid for an operation if the resources in its path and `id` existed.
fn body(description: &Value, method: &str, operation: &Value, id: &str) -> Option<Value> {
    if matches!(method, "GET" | "DELETE") {
        return None;
    }
    let mut body = example(operation);
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    replace_ids(description, schema, &mut body, id.parse().unwrap());
    Some(body)
}

#[test]
fn ids_in_the_body_of_an_example_are_replaced() {
    let description = json!({"components": {"schemas": {
        "Line": {"properties": {"projectId": {"type": "integer", "maximum": i64::MAX}}},
    }}});
    let schema = json!({"properties": {
        "into": {"type": "integer", "maximum": i64::MAX},
        "lifeYears": {"type": "integer", "maximum": 50},
        "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
    }});
    let mut body = json!({"into": 2, "lifeYears": 2, "lines": [{"projectId": 2, "hours": 2}]});
    replace_ids(&description, &schema, &mut body, 7);
    assert_eq!(body, json!({"into": 7, "lifeYears": 2, "lines": [{"projectId": 7, "hours": 2}]}));
}

on_both_engines! {
    fn resources_of_another_account_look_nonexistent(engine) {
        let server = Server::start(engine);
        let (anna, bob) = (server.account("anna@example.com"), server.account("bob@example.com"));
        one_of_everything(&server, "anna@example.com", &anna);
        // The dates of the examples are in 2026.
        server.clock.set("2026-12-31T11:00:00Z");
        let before = books(&server, &anna);
        let description = server.send("GET", "/api/openapi.json", &[], None).json();
        let send = |key: &str, method: &str, path: &str, operation: &Value, id: &str| {
            let ids =
                ["{id}", "{paymentId}", "{repaymentId}", "{writeOffId}", "{deliveryId}", "{n}"];
            let filled = ids.iter().fold(path.to_owned(), |path, name| path.replace(name, id));
            let filled =
                filled.replace("{year}", "2026").replace("{quarter}", "1").replace("{box}", "1a");
            let filled = filled.replace("{code}", "4105");
            assert!(!filled.contains('{'), "{filled}");
            let headers = [("x-api-key", key), ("content-type", "application/json")];
            match body(&description, method, operation, id) {
                Some(body) => {
                    server.send(method, &filled, &headers, Some(body.to_string().as_bytes()))
                }
                None => server.send(method, &filled, &headers[..1], None),
            }
        };
        let operations = operations(&description);
        assert!(operations.len() >= 24, "{}", operations.len());
        let mut named = 0;
        for (method, path, operation) in &operations {
            if !path.contains("{id}") && path != "/api/v1/time-entries" {
                continue;
            }
            // Each id belongs to resources of Anna's. The responses must equal those for an id that
            // does not exist.
            // All books have the bank accounts 1 to 5.
            let ids: &[&str] =
                if path.starts_with("/api/v1/bank-accounts") { &["6"] } else { &["1", "2", "3"] };
            for id in ids.iter().copied() {
                let [foreign, missing] =
                    [id, "987654"].map(|id| send(&bob, method, path, operation, id));
                if path != "/api/v1/time-entries" {
                    assert_eq!(
                        (foreign.status, foreign.code().as_str()),
                        (404, "not_found"),
                        "{method} {path} {id}"
                    );
                } else if method == "POST" {
                    assert_eq!(foreign.faults(), [("/projectId".into(), "unknown_project".into())]);
                }
                // Only an id between spaces is replaced: its digits may also be part of a number.
                let (foreign, missing) =
                    (normalized(&foreign, &format!(" {id} ")), normalized(&missing, " 987654 "));
                assert_eq!(foreign, missing, "{method} {path} {id}");
                named += 1;
            }
            assert_eq!(books(&server, &anna), before, "{method} {path}");
        }
        assert!(named >= 30, "{named}");
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn lists_sums_and_filters_show_nothing_of_another_account(engine) {
        let server = Server::start(engine);
        let (anna, bob) = (server.account("anna@example.com"), server.account("bob@example.com"));
        let paths = [
            "invoices",
            "quotes",
            "quotes?externalId=q-1",
            "recurring-invoices",
            "recurring-invoices?externalId=r-1",
            "quotes?contactId=1",
            "articles",
            "articles?externalId=a-1",
            "articles?q=work",
            "invoices?externalId=o-1",
            "invoices?number=2026-0001",
            "invoices?contactId=1",
            "invoices?status=draft",
            "invoices?paid=false",
            "contacts",
            "contacts?q=Korenaar",
            "contacts?externalId=c-1",
            "projects",
            "time-entries",
            "time-entries?projectId=1",
            "hours-log",
            "hours-log?year=2026",
            "manual-entries",
            "opening-balance",
            "transfers",
            "private-bookings",
            "accruals",
            "loans",
            "private-use",
            "entries?year=2026",
            "entries?year=2026&accountCode=1300",
            "summary/2026",
            "summary/2025",
            "vat-filings?year=2025",
            "vat-filings?year=2026",
            "vat-filings/2025/4",
            "vat-filings/2026/1",
            "vat-filings/2026/1/boxes/1a",
            "vat-filings/2026/1/boxes/5g",
            "account",
        ];
        let all = || {
            paths.map(|path| {
                let reply = server.get(&bob, &format!("/api/v1/{path}"));
                assert_eq!(reply.status, 200, "{path}");
                reply.text
            })
        };
        let before = all();
        one_of_everything(&server, "anna@example.com", &anna);
        assert_eq!(all(), before);
        // Anna's cursor applied to Bob's list returns none of Anna's rows.
        let cursor = server.get(&anna, "/api/v1/invoices?limit=1").json()["nextCursor"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            server.get(&bob, &format!("/api/v1/invoices?cursor={cursor}")).json()["data"],
            json!([])
        );
    }

    fn external_ids_numbers_and_filings_of_another_account_have_no_effect(engine) {
        let server = Server::start(engine);
        let (anna, bob) = (server.account("anna@example.com"), server.account("bob@example.com"));
        one_of_everything(&server, "anna@example.com", &anna);
        let before = books(&server, &anna);
        crate::help::project(&server, "bob@example.com");
        let items = json!([{"description": "x", "unitPrice": 50, "vatRate": 21}]);
        // Anna has filed the last quarter of 2025, uses these external ids, and has hours on these
        // days.
        let creates = [
            ("contacts", json!({"externalId": "c-1", "name": "Bob's"})),
            (
                "invoices",
                json!({"externalId": "o-1", "invoiceDate": "2025-12-31", "status": "sent", "customer": {"externalId": "c-1"}, "items": items}),
            ),
            (
                "invoices/1/payments",
                json!({"externalId": "p-1", "date": "2025-12-31", "amount": 1}),
            ),
            (
                "invoices/1/credit-notes",
                json!({"externalId": "n-1", "date": "2025-12-31", "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]}),
            ),
            (
                "time-entries",
                json!({"externalId": "t-1", "projectId": 1, "date": "2026-02-14", "hours": 24, "description": "x"}),
            ),
            (
                "hours-log",
                json!({"externalId": "h-1", "date": "2026-02-15", "hours": 24, "description": "x"}),
            ),
        ];
        for (path, payload) in creates {
            let reply = server.post(&bob, &format!("/api/v1/{path}"), &payload);
            assert_eq!(
                (reply.status, reply.header("idempotent-replay")),
                (201, None),
                "{path}: {}",
                reply.text
            );
        }
        let invoice = server.get(&bob, "/api/v1/invoices/1").json();
        assert_eq!(
            (&invoice["number"], &invoice["customer"]["name"], &invoice["id"]),
            (&json!("2025-0001"), &json!("Bob's"), &json!(1))
        );
        assert_eq!(books(&server, &anna), before);
        for email in ["anna@example.com", "bob@example.com"] {
            assert_eq!(server.discrepancies(email), Vec::<String>::new());
        }
    }
}
