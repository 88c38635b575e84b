//! The filter `updatedSince` of every list, and `updatedAt` of its rows.

use crate::purchases::receipts::PNG;
use serde_json::{Value, json};
use testing::{Engine, Server, on_both_engines};

/// Lists without the filter: logs, which have their own cursor, the postings in a box, and what is due
/// at the moment.
const LOGS: [&str; 5] = [
    "/api/v1/changes",
    "/api/v1/reminders",
    "/api/v1/webhooks/{id}/deliveries",
    "/api/v1/vat-filings/{year}/{quarter}/boxes/{box}",
    "/api/v1/vat-returns/{period}/boxes/{box}",
];

/// A resource of each kind: list, method and body that create it, method and path that change
/// it.
const THINGS: [(&str, &str, &str, &str, &str); 11] = [
    (
        "/invoices/1/payments",
        "POST",
        r#"{"date":"2026-02-01","amount":50}"#,
        "DELETE",
        "/invoices/1/payments/1",
    ),
    (
        "/invoices/1/write-off",
        "POST",
        r#"{"date":"2026-02-02","amount":10,"reason":"r"}"#,
        "POST",
        "/invoices/1/write-off/1/undo",
    ),
    ("/payouts", "POST", r#"{"date":"2026-02-03","amount":9,"fee":1}"#, "POST", "/payouts/1/undo"),
    (
        "/expenses/1/payments",
        "POST",
        r#"{"date":"2026-02-04","amount":5}"#,
        "POST",
        "/expenses/1/payments/1/undo",
    ),
    (
        "/vat-payments",
        "POST",
        r#"{"date":"2026-02-05","amount":7}"#,
        "POST",
        "/vat-payments/{id}/undo",
    ),
    (
        "/transfers",
        "POST",
        r#"{"date":"2026-02-06","from":"bank","to":"savings","amount":8}"#,
        "POST",
        "/transfers/{id}/undo",
    ),
    (
        "/private-bookings",
        "POST",
        r#"{"date":"2026-02-07","kind":"drawing","amount":8}"#,
        "POST",
        "/private-bookings/{id}/undo",
    ),
    (
        "/manual-entries",
        "POST",
        r#"{"date":"2026-02-08","description":"d","lines":[{"account":"4610","debit":1},{"account":"1100","credit":1}]}"#,
        "POST",
        "/manual-entries/{id}/undo",
    ),
    (
        "/loans",
        "POST",
        r#"{"date":"2026-02-09","account":"0700","amount":100}"#,
        "POST",
        "/loans/{id}/repayments",
    ),
    (
        "/webhooks",
        "POST",
        r#"{"url":"https://shop.example/hooks","types":["invoice.paid"]}"#,
        "PATCH",
        "/webhooks/1",
    ),
    (
        "/mileage",
        "POST",
        r#"{"date":"2026-02-10","from":"A","to":"B","km":10,"purpose":"p"}"#,
        "POST",
        "/mileage/1/undo",
    ),
];

fn send(server: &Server, key: &str, method: &str, path: &str, body: &str) -> Value {
    let headers = [("x-api-key", key), ("content-type", "application/json")];
    let reply = server.send(method, &format!("/api/v1{path}"), &headers, Some(body.as_bytes()));
    assert!((200..300).contains(&reply.status), "{method} {path}: {}", reply.text);
    serde_json::from_str(&reply.text).unwrap_or_default()
}

fn rows(server: &Server, key: &str, path: &str, since: &Value) -> Vec<Value> {
    let reply = server.get(key, &format!("/api/v1{path}?updatedSince={}", since.as_str().unwrap()));
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()["data"].as_array().unwrap().clone()
}

#[test]
fn every_list_of_the_description_takes_updated_since() {
    let server = Server::start(Engine::Sqlite);
    let description = server.send("GET", "/api/openapi.json", &[], None).json();
    let mut lists = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        let asks = |name: &str| {
            let parameters = methods["get"]["parameters"].as_array();
            parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == name))
        };
        if asks("cursor") && !LOGS.contains(&path.as_str()) {
            lists += 1;
            assert!(asks("updatedSince"), "{path}");
            assert!(asks("limit") && asks("externalId"), "{path}");
        }
    }
    assert!(lists > 20, "{lists} lists");
}

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    send(
        &server,
        &key,
        "POST",
        "/invoices",
        r#"{"status":"sent","invoiceDate":"2026-01-10","customer":{"name":"K"},
        "items":[{"description":"d","unitPrice":100,"vatRate":21}]}"#,
    );
    send(
        &server,
        &key,
        "POST",
        "/expenses",
        r#"{"date":"2026-01-11","supplier":"S","paidFrom":"unpaid",
        "items":[{"category":"4100","amount":100,"vatRate":21}]}"#,
    );
    (server, key)
}

on_both_engines! {
    fn created_and_undone_rows_are_listed_since_then(engine) {
        let (server, key) = started(engine);
        for (day, (list, method, body, how, change)) in (16..).zip(THINGS) {
            let resource = send(&server, &key, method, list, body);
            let row = rows(&server, &key, list, &json!("2026-01-01T00:00:00Z")).pop().unwrap();
            assert_eq!(row["id"], resource["id"], "{list}");
            assert_eq!(
                rows(&server, &key, list, &row["updatedAt"]).len(),
                1,
                "{list}: updatedSince is inclusive"
            );
            server.clock.set(&format!("2026-03-{day}T12:00:00Z"));
            let later = json!(format!("2026-03-{day}T12:00:00Z"));
            assert_eq!(rows(&server, &key, list, &later).len(), 0, "{list}: nothing changed since");
            let with = if change.ends_with("repayments") {
                r#"{"date":"2026-03-01","principal":10,"interest":1}"#
            } else {
                "{}"
            };
            let with = if how == "PATCH" { r#"{"description":"other"}"# } else { with };
            send(&server, &key, how, &change.replace("{id}", &resource["id"].to_string()), with);
            let changed = rows(&server, &key, list, &later);
            assert_eq!(changed.len(), 1, "{list}: the change is listed");
            assert!(
                changed[0]["updatedAt"].as_str().unwrap() > row["updatedAt"].as_str().unwrap(),
                "{list}: {}",
                changed[0]
            );
            // Advances the clock, so that the next resource is created later.
            server.clock.set(&format!("2026-03-{day}T13:00:00Z"));
        }
    }

    fn entries_and_returns_since_a_moment(engine) {
        let (server, key) = started(engine);
        let of_year = |since: &str| {
            let path = format!("/api/v1/entries?year=2026&updatedSince={since}");
            let reply = server.get(&key, &path);
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()["data"].as_array().unwrap().len()
        };
        let booked = server.get(&key, "/api/v1/entries?year=2026").json()["data"][1]["createdAt"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            (of_year("2026-01-01T00:00:00Z"), of_year(&booked), of_year("2099-01-01T00:00:00Z")),
            (2, 1, 0)
        );
        let by_account = server
            .get(&key, &format!("/api/v1/entries?year=2026&accountCode=4100&updatedSince={booked}"))
            .json();
        assert_eq!(by_account["data"].as_array().unwrap().len(), 1);
        server.clock.set("2026-04-02T10:00:00Z");
        let (cx, now) = (server.owner("anna@example.com"), "2026-04-02T10:00:00Z".parse().unwrap());
        server.write(move |tx| {
            service::vat_filings::file(
                tx,
                &cx.at(now),
                ledger::calendar::Quarter::new(2026, 1).unwrap().into(),
            )
        });
        for (since, filings) in [("2026-04-02T00:00:00Z", 1), ("2026-04-03T00:00:00Z", 0)] {
            assert_eq!(
                rows(&server, &key, "/vat-filings", &json!(since)).len(),
                filings,
                "{since}"
            );
        }
    }

    fn lists_without_external_ids_find_nothing_by_one(engine) {
        let (server, key) = started(engine);
        for list in ["entries?year=2026&", "vat-filings?", "webhooks?", "receipts?"] {
            let reply = server.get(&key, &format!("/api/v1/{list}externalId=order-1"));
            assert_eq!(
                (reply.status, reply.json()),
                (200, json!({"data": [], "nextCursor": null})),
                "{list}"
            );
        }
    }

    fn a_receipt_changes_with_its_expense(engine) {
        let (server, key) = started(engine);
        let reply = server.send(
            "POST",
            "/api/v1/receipts",
            &[("x-api-key", &key), ("content-type", "image/png")],
            Some(PNG),
        );
        assert_eq!(reply.status, 201, "{}", reply.text);
        server.clock.set("2026-03-20T10:00:00Z");
        let later = json!("2026-03-20T00:00:00Z");
        assert_eq!(rows(&server, &key, "/receipts", &later).len(), 0);
        send(&server, &key, "PATCH", "/expenses/1", r#"{"receiptIds":[1]}"#);
        assert_eq!(rows(&server, &key, "/receipts", &later).len(), 1);
    }

    fn the_payment_of_a_bill_is_read_where_its_location_leads(engine) {
        let (server, key) = started(engine);
        let reply = server.post(
            &key,
            "/api/v1/expenses/1/payments",
            &json!({"date": "2026-02-04", "amount": 5}),
        );
        let location = reply.header("location").unwrap().to_owned();
        let path = location.split_once("/api/v1").unwrap().1;
        let read = server.get(&key, &format!("/api/v1{path}"));
        assert_eq!((read.status, read.json()), (200, reply.json()), "{location}");
        assert_eq!(server.get(&key, "/api/v1/expenses/1/payments/2").status, 404);
        send(&server, &key, "POST", "/expenses/1/payments", r#"{"date":"2026-02-05","amount":6}"#);
        let first = server.get(&key, "/api/v1/expenses/1/payments?limit=1").json();
        let cursor = first["nextCursor"].as_str().unwrap();
        let second = server
            .get(&key, &format!("/api/v1/expenses/1/payments?limit=1&cursor={cursor}"))
            .json();
        assert_eq!(
            (&first["data"][0]["id"], &second["data"][0]["id"], &second["nextCursor"]),
            (&json!(1), &json!(2), &Value::Null)
        );
    }
}
