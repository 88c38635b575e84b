//! Unusual dates: a warning for dates far from the current period, an error before the opening
//! balance.

use crate::{help::file, simple_invoice};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    (server, key)
}

fn invoice(day: &str) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice
}

fn expense(day: &str) -> Value {
    json!({"date": day, "supplier": "Papierhal", "items": [{"category": "4100", "amount": 10, "vatTreatment": "none"}]})
}

fn drawing(day: &str) -> Value {
    json!({"date": day, "kind": "drawing", "amount": 10, "method": "bank"})
}

/// Whether a create request reported the warning `date_unusual`; asserts that a later read gives
/// the same answer.
fn is_reported(server: &Server, key: &str, reply: &Reply) -> bool {
    assert_eq!(reply.status, 201, "{}", reply.text);
    let reported = |body: &Value| {
        body["warnings"].as_array().unwrap().iter().any(|warning| warning["code"] == "date_unusual")
    };
    if let Some(address) =
        reply.header("location").filter(|address| !address.ends_with("/payments"))
    {
        let path = &address[address.find("/api/").unwrap()..];
        assert_eq!(reported(&server.get(key, path).json()), reported(&reply.json()), "{path}");
    }
    reported(&reply.json())
}

on_both_engines! {
    fn a_day_far_ahead_or_before_the_books_begin_has_a_warning(engine) {
        let (server, key) = started(engine);
        // Today is 15 March 2026.
        for (day, unusual) in [
            ("2026-03-15", false),
            ("2026-04-15", false),
            ("2026-04-16", true),
            ("2062-03-15", true),
            ("2026-01-01", false),
            ("2025-12-31", true),
        ] {
            assert_eq!(
                is_reported(&server, &key, &server.post(&key, "/api/v1/invoices", &invoice(day))),
                unusual,
                "{day}"
            );
        }
        // The books now begin in the last quarter of 2025.
        for (path, body) in
            [("expenses", expense as fn(&str) -> Value), ("private-bookings", drawing)]
        {
            let (early, usual) = if path == "expenses" {
                ("2025-09-30", "2025-10-01")
            } else {
                ("2025-06-30", "2025-07-01")
            };
            for (day, unusual) in [(usual, false), ("2026-04-16", true), (early, true)] {
                assert_eq!(
                    is_reported(
                        &server,
                        &key,
                        &server.post(&key, &format!("/api/v1/{path}"), &body(day))
                    ),
                    unusual,
                    "{path} {day}"
                );
            }
        }
        let pay = |day: &str| {
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": day, "amount": 1}))
        };
        assert!(
            !is_reported(&server, &key, &pay("2026-03-01"))
                && is_reported(&server, &key, &pay("2016-03-01"))
        );
        // Only an edit of the date can clear the warning.
        let patch = |body: Value| {
            server
                .send(
                    "PATCH",
                    "/api/v1/expenses/3",
                    &[("x-api-key", &key), ("content-type", "application/json")],
                    Some(body.to_string().as_bytes()),
                )
                .json()
        };
        assert_eq!(patch(json!({"description": "Paper"}))["warnings"][0]["code"], "date_unusual");
        assert_eq!(patch(json!({"date": "2026-03-01"}))["warnings"], json!([]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_day_before_the_first_open_quarter_has_a_warning(engine) {
        let (server, key) = started(engine);
        assert!(!is_reported(
            &server,
            &key,
            &server.post(&key, "/api/v1/invoices", &invoice("2025-10-10"))
        ));
        file(&server, EMAIL, 2025, 4);
        for (day, unusual) in [("2026-01-01", false), ("2025-12-31", true)] {
            let paid = server.post(
                &key,
                "/api/v1/invoices/1/payments",
                &json!({"date": day, "amount": 1}),
            );
            assert_eq!(is_reported(&server, &key, &paid), unusual, "{day}");
        }
        let correction = json!({"correction": true, "invoiceDate": "2025-12-31", "status": "sent", "customer": {"name": "A"}, "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]});
        assert!(is_reported(&server, &key, &server.post(&key, "/api/v1/invoices", &correction)));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_day_before_the_opening_balance_is_refused(engine) {
        let (server, key) = started(engine);
        let opening =
            json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 8000}]});
        assert_eq!(server.post(&key, "/api/v1/opening-balance", &opening).status, 201);
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice("2026-01-01")).status, 201);
        assert_eq!(server.post(&key, "/api/v1/expenses", &json!({"date": "2026-01-01", "supplier": "A", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 10, "vatTreatment": "none"}]})).status, 201);
        let day = "2025-12-31";
        let trip = json!({"date": day, "from": "A", "to": "B", "km": 10});
        let cases = [
            ("invoices", invoice(day), "/invoiceDate"),
            ("invoices/1/payments", json!({"date": day}), "/date"),
            ("expenses", expense(day), "/date"),
            ("expenses/1/payments", json!({"date": day}), "/date"),
            ("assets", json!({"date": day, "description": "Laptop", "cost": 1000}), "/date"),
            ("mileage", trip, "/date"),
            ("payouts", json!({"date": day, "amount": 10}), "/date"),
            ("private-bookings", drawing(day), "/date"),
        ];
        for (path, body, field) in &cases {
            let refused = server.post(&key, &format!("/api/v1/{path}"), body);
            assert_eq!(
                (refused.status, refused.faults()),
                (422, vec![((*field).into(), "out_of_range".into())]),
                "{path}: {}",
                refused.text
            );
            assert!(
                refused.text.contains("the opening balance is of 2026-01-01"),
                "{}",
                refused.text
            );
        }
        assert_eq!(server.post(&key, "/api/v1/opening-balance/1/undo", &json!({})).status, 200);
        for (path, body, _) in &cases {
            let reply = server.post(&key, &format!("/api/v1/{path}"), body);
            assert_eq!(reply.status, 201, "{path}: {}", reply.text);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
