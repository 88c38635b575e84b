//! Events without invoice or receipt: their entries, their faults, and undoing them.

use crate::help::{cents, codes, file, vat_box, walk};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

/// Formats the lines of an entry in accountants' notation: account, D or C, amount.
fn lines(server: &Server, key: &str, entry: &Value) -> String {
    let entry = server.get(key, &format!("/api/v1/entries/{entry}")).json();
    let line = |line: &Value| {
        let (side, amount) =
            if cents(&line["debit"]) == 0 { ("C", &line["credit"]) } else { ("D", &line["debit"]) };
        let amount = cents(amount);
        format!(
            "{} {side} {}.{:02}",
            line["accountCode"].as_str().unwrap(),
            amount / 100,
            amount % 100
        )
    };
    entry["lines"].as_array().unwrap().iter().map(line).collect::<Vec<_>>().join(", ")
}

/// Faults of a 422 response, each as pointer and code.
fn faults(answer: &testing::Reply) -> Vec<String> {
    assert_eq!(answer.status, 422, "{}", answer.text);
    let errors = answer.json()["errors"].as_array().unwrap().clone();
    errors
        .iter()
        .map(|fault| {
            format!("{} {}", fault["pointer"].as_str().unwrap(), fault["code"].as_str().unwrap())
        })
        .collect()
}

on_both_engines! {
    fn each_event_books_its_entries_once_and_is_undone_once(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let cases = [
            (
                "transfers",
                json!({"date": "2026-03-31", "from": "bank", "to": "1110", "amount": 1000}),
                vec!["1190 D 1000.00, 1100 C 1000.00", "1110 D 1000.00, 1190 C 1000.00"],
            ),
            (
                "private-bookings",
                json!({"date": "2026-03-31", "kind": "drawing", "amount": 1800}),
                vec!["0520 D 1800.00, 1100 C 1800.00"],
            ),
            (
                "private-bookings",
                json!({"date": "2026-03-31", "kind": "deposit", "amount": 5000, "method": "savings"}),
                vec!["1110 D 5000.00, 0510 C 5000.00"],
            ),
            (
                "private-bookings",
                json!({"date": "2026-03-31", "kind": "healthInsurance", "amount": 88.5}),
                vec!["0530 D 88.50, 1100 C 88.50"],
            ),
            (
                "private-bookings",
                json!({"date": "2026-03-31", "kind": "premium", "amount": -3, "method": "bank"}),
                vec!["0540 C 3.00, 1100 D 3.00"],
            ),
            (
                "accruals",
                json!({"date": "2026-12-31", "kind": "workToInvoice", "account": "8000", "amount": 1600, "reverseOn": "2027-01-01"}),
                vec!["1320 D 1600.00, 8000 C 1600.00", "1320 C 1600.00, 8000 D 1600.00"],
            ),
            (
                "accruals",
                json!({"date": "2026-12-31", "kind": "accruedCost", "account": "4120", "amount": 50, "reverseOn": "2027-01-01"}),
                vec!["4120 D 50.00, 1610 C 50.00", "4120 C 50.00, 1610 D 50.00"],
            ),
            (
                "loans",
                json!({"date": "2026-03-31", "account": "0700", "amount": 10000}),
                vec!["1100 D 10000.00, 0700 C 10000.00"],
            ),
            (
                "private-use",
                json!({"date": "2026-12-31", "kind": "goods", "vat": 21, "base": 100}),
                vec!["0550 D 121.00, 8900 C 100.00, 1730 C 21.00"],
            ),
            (
                "manual-entries",
                json!({"date": "2026-03-31", "description": "Costs", "lines": [{"account": "4610", "debit": 12.5}, {"account": "1100", "credit": 12.5, "debit": 0}]}),
                vec!["4610 D 12.50, 1100 C 12.50"],
            ),
        ];
        for (place, (path, mut body, booked)) in cases.into_iter().enumerate() {
            body["externalId"] = json!(format!("x-{place}"));
            let path = format!("/api/v1/{path}");
            let reply = server.post(&key, &path, &body);
            assert_eq!(reply.status, 201, "{path}: {}", reply.text);
            let (again, one) = (server.post(&key, &path, &body), reply.json());
            assert_eq!(
                (again.status, again.header("idempotent-replay"), again.json()),
                (200, Some("true"), one.clone())
            );
            let entries = one["entryIds"].as_array().unwrap();
            assert_eq!(
                entries.iter().map(|entry| lines(&server, &key, entry)).collect::<Vec<_>>(),
                booked,
                "{path}"
            );
            for (field, value) in body.as_object().unwrap() {
                match (field.as_str(), &one[field]) {
                    ("lines", _) | ("to", _) => {}
                    (_, actual) if value.is_number() => {
                        assert_eq!(cents(actual), cents(value), "{field}")
                    }
                    (_, actual) => assert_eq!(actual, value, "{field}"),
                }
            }
            let here = format!("{path}/{}", one["id"]);
            assert_eq!(
                reply.header("location").unwrap().split("/api/").nth(1),
                here.split("/api/").nth(1)
            );
            assert_eq!(server.get(&key, &here).json(), one);
            let undo = format!(
                "{here}/{}",
                if path.ends_with("manual-entries") { "reverse" } else { "undo" }
            );
            let undone = server.send("POST", &undo, &[("x-api-key", &key)], None);
            assert_eq!(undone.status, 200, "{undo}: {}", undone.text);
            assert!(undone.json()["undoneAt"].is_string());
            assert_eq!(undone.json()["entryIds"].as_array().unwrap().len(), 2 * booked.len());
            let twice = server.send("POST", &undo, &[("x-api-key", &key)], None);
            assert_eq!((twice.status, &twice.json()["code"]), (409, &json!("already_undone")));
        }
        assert_eq!(walk(&server, &key, "/api/v1/private-bookings?limit=1", || ()).len(), 4);
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            (&summary["profit"], &summary["balanceSheet"]["total"]),
            (&json!(0.0), &json!(0.0))
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
        // Another account sees none of these events.
        let stranger = server.account("bo@example.com");
        assert_eq!(server.get(&stranger, "/api/v1/transfers/1").status, 404);
        assert_eq!(server.get(&stranger, "/api/v1/transfers").json()["data"], json!([]));
    }

    fn impossible_events_are_refused_and_book_nothing(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let by_hand =
            |lines: Value| json!({"date": "2026-03-31", "description": "x", "lines": lines});
        let cases = [
            (
                "transfers",
                json!({"date": "2026-03-31", "from": "bank", "to": "1100", "amount": 1, "arrived": "2026-03-30"}),
                vec!["/to unknown_value", "/arrived out_of_range"],
            ),
            (
                "transfers",
                json!({"date": "2026-03-31", "from": "private", "to": "bank", "amount": 0}),
                vec!["/from unknown_value", "/amount out_of_range"],
            ),
            (
                "private-bookings",
                json!({"date": "2026-03-31", "kind": "drawing", "amount": -1}),
                vec!["/amount out_of_range"],
            ),
            (
                "private-bookings",
                json!({"kind": "gift", "amount": 1.234}),
                vec!["/date required", "/kind unknown_value", "/amount too_many"],
            ),
            (
                "accruals",
                json!({"date": "2026-12-31", "kind": "workToInvoice", "account": "4100", "amount": 1, "reverseOn": "2026-12-31"}),
                vec!["/account unknown_value", "/reverseOn out_of_range"],
            ),
            (
                "loans",
                json!({"date": "2026-12-31", "account": "1100", "amount": 1}),
                vec!["/account unknown_value"],
            ),
            (
                "private-use",
                json!({"date": "2026-12-31", "kind": "car", "base": 1}),
                vec!["/vat required"],
            ),
            (
                "manual-entries",
                by_hand(json!([{"account": "4610", "debit": 2}, {"account": "1100", "credit": 1}])),
                vec!["/lines unbalanced"],
            ),
            (
                "manual-entries",
                by_hand(json!([{"account": "1300", "debit": 1}, {"account": "1785", "credit": 1}])),
                vec!["/lines/0/account kept_by_program", "/lines/1/account kept_by_program"],
            ),
            (
                "manual-entries",
                by_hand(
                    json!([{"account": "1700", "debit": 1}, {"account": "1500", "debit": 1}, {"account": "1600", "credit": 1}, {"account": "1620", "credit": 1}, {"account": "1630", "debit": 1}, {"account": "0590", "credit": 1}]),
                ),
                vec![
                    "/lines/0/account kept_by_program",
                    "/lines/1/account kept_by_program",
                    "/lines/2/account kept_by_program",
                    "/lines/3/account kept_by_program",
                    "/lines/4/account kept_by_program",
                    "/lines/5/account kept_by_program",
                ],
            ),
            (
                "manual-entries",
                by_hand(
                    json!([{"account": "4610", "debit": 1, "credit": 1}, {"account": "9999", "debit": 1}]),
                ),
                vec!["/lines/0/debit required", "/lines/1/account unknown_value"],
            ),
            (
                "manual-entries",
                by_hand(json!([{"account": "4610", "debit": 1}])),
                vec!["/lines required"],
            ),
        ];
        for (path, body, expected) in cases {
            let refused = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(faults(&refused), expected, "{path} {body}");
        }
        assert_eq!(server.get(&key, "/api/v1/entries?year=2026").json()["data"], json!([]));
    }

    /// Premiums for disability insurance and for annuities are deducted differently for income tax
    /// (art. 3.124 and 3.127 Wet IB 2001).
    fn a_premium_has_a_kind(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let path = "/api/v1/private-bookings";
        let booking = |kind: &str, premium: Value| json!({"date": "2026-03-31", "kind": kind, "amount": 250, "premium": premium});
        for (kind, premium) in [
            ("premium", json!("disability")),
            ("premium", json!("annuity")),
            ("premium", Value::Null),
            ("drawing", Value::Null),
        ] {
            let made = server.post(&key, path, &booking(kind, premium.clone()));
            assert_eq!(made.status, 201, "{}", made.text);
            let made = made.json();
            assert_eq!(made["premium"], premium);
            assert_eq!(server.get(&key, &format!("{path}/{}", made["id"])).json(), made);
        }
        let listed = server.get(&key, path).json();
        let kinds: Vec<&Value> =
            listed["data"].as_array().unwrap().iter().map(|one| &one["premium"]).collect();
        assert_eq!(json!(kinds), json!([null, null, "annuity", "disability"]));
        for (kind, premium, expected) in [
            ("drawing", "annuity", "/premium conflicting_fields"),
            ("healthInsurance", "disability", "/premium conflicting_fields"),
            ("premium", "pension", "/premium unknown_value"),
        ] {
            let refused = server.post(&key, path, &booking(kind, json!(premium)));
            assert_eq!(faults(&refused), [expected], "{kind}");
        }
        assert_eq!(server.get(&key, path).json()["data"].as_array().unwrap().len(), 4);
        let undo = server.send("POST", &format!("{path}/1/undo"), &[("x-api-key", &key)], None);
        assert_eq!((undo.status, &undo.json()["premium"]), (200, &json!("disability")));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_loan_is_repaid_up_to_what_is_owed(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/loans",
                    &json!({"date": "2026-01-02", "account": "0710", "amount": 500})
                )
                .status,
            201
        );
        let pay = |body: &Value| server.post(&key, "/api/v1/loans/1/repayments", body);
        assert_eq!(
            faults(&pay(&json!({"date": "2026-01-01", "principal": 500.01}))),
            ["/principal exceeds_outstanding", "/date out_of_range"]
        );
        assert_eq!(faults(&pay(&json!({"date": "2026-02-02"}))), ["/principal out_of_range"]);
        let paid = pay(&json!({"date": "2026-02-02", "principal": 200, "interest": 41.67}));
        assert_eq!(
            lines(&server, &key, &paid.json()["entryIds"][0]),
            "0710 D 200.00, 4600 D 41.67, 1100 C 241.67"
        );
        let loan = server.get(&key, "/api/v1/loans/1").json();
        assert_eq!((&loan["amountRepaid"], &loan["amountOwed"]), (&json!(200.0), &json!(300.0)));
        let refused = server.send("POST", "/api/v1/loans/1/undo", &[("x-api-key", &key)], None);
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("has_parts")));
        assert_eq!(server.get(&key, "/api/v1/loans/1/repayments").json()["data"][0], paid.json());
        assert_eq!(server.get(&key, "/api/v1/loans/1/repayments/2").json(), paid.json());
        assert_eq!(server.get(&key, "/api/v1/loans/2/repayments/2").status, 404);
        assert_eq!(
            server
                .send("POST", "/api/v1/loans/1/repayments/2/undo", &[("x-api-key", &key)], None)
                .status,
            200
        );
        assert_eq!(server.get(&key, "/api/v1/loans/1").json()["amountOwed"], 500.0);
        assert_eq!(
            server.send("POST", "/api/v1/loans/1/undo", &[("x-api-key", &key)], None).status,
            200
        );
        let late = pay(&json!({"date": "2026-02-02", "principal": 1}));
        assert_eq!((late.status, late.code().as_str()), (409, "already_undone"), "{}", late.text);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_known_repayment_has_the_address_of_its_own_loan(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for _ in 0..2 {
            assert_eq!(
                server
                    .post(
                        &key,
                        "/api/v1/loans",
                        &json!({"date": "2026-01-02", "account": "0710", "amount": 500})
                    )
                    .status,
                201
            );
        }
        let repayment = json!({"externalId": "bank-79", "date": "2026-02-02", "principal": 200});
        let made = server.post(&key, "/api/v1/loans/1/repayments", &repayment);
        let address =
            format!("http://{}/api/v1/loans/1/repayments/{}", server.address, made.json()["id"]);
        assert_eq!((made.status, made.header("location")), (201, Some(address.as_str())));
        for body in [repayment, json!({"externalId": "bank-79"})] {
            let known = server.post(&key, "/api/v1/loans/2/repayments", &body);
            assert_eq!(
                (known.status, known.header("location")),
                (200, Some(address.as_str())),
                "{body}"
            );
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    /// VAT on private use of a car is due on the last day of the book year (art. 13(4) Wet OB 1968);
    /// that on goods is declared with it.
    fn private_use_before_the_last_period_is_warned_of(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut id = 0;
        let mut warned = |day: &str, kind: &str| {
            let body = json!({"date": day, "kind": kind, "vat": 21, "base": 100});
            let made = server.post(&key, "/api/v1/private-use", &body);
            assert_eq!(made.status, 201, "{}", made.text);
            id += 1;
            let shown = server.get(&key, &format!("/api/v1/private-use/{id}")).json();
            codes(&shown).contains(&"not_last_period")
        };
        for kind in ["goods", "car"] {
            assert!(warned("2026-05-10", kind), "{kind}");
            assert!(!warned("2026-10-01", kind), "{kind}");
        }
        let monthly = json!({"unit": "month", "from": "2026-10-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-periods", &monthly).status, 200);
        for kind in ["goods", "car"] {
            assert!(warned("2026-10-01", kind), "{kind}");
            assert!(!warned("2026-12-01", kind), "{kind}");
        }
        let undone = server.post(&key, "/api/v1/private-use/1/undo", &json!({}));
        assert_eq!(undone.json()["warnings"], json!([]), "{}", undone.text);
    }

    fn private_use_counts_in_box_1d_and_not_in_a_filed_quarter(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let car = json!({"date": "2026-09-30", "kind": "car", "vat": 1080, "base": 8800});
        assert_eq!(server.post(&key, "/api/v1/private-use", &car).status, 201);
        assert_eq!(vat_box(&server, &key, "2026/3", "1d"), (514_286, 108_000));
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        // The VAT is a cost, the addition for private use reduces costs, and the VAT base is not
        // revenue.
        assert_eq!((&summary["revenue"], &summary["costs"]), (&json!(0.0), &json!(-7720.0)));
        file(&server, "anna@example.com", 2026, 3);
        for (path, body) in [("private-use", car), ("private-use/1/undo", json!({}))] {
            let refused = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(
                (refused.status, &refused.json()["code"]),
                (409, &json!("period_filed")),
                "{path}"
            );
        }
        // A transfer of money without VAT changes no return.
        let drawing = json!({"date": "2026-09-30", "kind": "drawing", "amount": 1});
        assert_eq!(server.post(&key, "/api/v1/private-bookings", &drawing).status, 201);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
