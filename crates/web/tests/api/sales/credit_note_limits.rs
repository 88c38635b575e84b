//! Limits of credit notes: for each rate and category they cannot exceed the remaining base and VAT
//! of the invoice, and they cannot be dated before it. Also the faults of payments.

use crate::help::{books, cents, vat_box};
use serde_json::{Value, json};
use testing::{Engine, Server, on_both_engines};

const CREDIT: &str = "/api/v1/invoices/1/credit-notes";

fn item(price: &str, rate: i64, category: &str) -> Value {
    let price: serde_json::Number = price.parse().unwrap();
    json!({"description": "Work", "unitPrice": price, "vatRate": rate, "vatCategory": category})
}

/// Creates a sent invoice dated 2026-02-10 with the given items.
fn with_invoice(engine: Engine, items: &[Value]) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    let invoice = json!({"invoiceDate": "2026-02-10", "status": "sent", "customer": {"name": "Korenaar"}, "items": items});
    let reply = server.post(&key, "/api/v1/invoices", &invoice);
    assert_eq!(reply.status, 201, "{}", reply.text);
    (server, key)
}

/// Posts a credit note; returns the status and the problem code (empty if it was created).
fn credit(server: &Server, key: &str, body: &Value) -> (u16, String) {
    let reply = server.post(key, CREDIT, body);
    (reply.status, if reply.status == 201 { String::new() } else { reply.code() })
}

on_both_engines! {
    fn a_credit_note_with_a_total_of_zero_uses_up_its_lines(engine) {
        let (server, key) = with_invoice(
            engine,
            &[item("100.00", 21, "standard"), item("-60.50", 0, "outOfScope")],
        );
        let nothing =
            json!({"items": [item("50.00", 21, "standard"), item("-60.50", 0, "outOfScope")]});
        assert_eq!(credit(&server, &key, &nothing), (201, String::new()));
        // The line at 0 % has been credited completely.
        assert_eq!(
            server.post(&key, CREDIT, &nothing).faults(),
            [("/items".into(), "exceeds_outstanding".into())]
        );
        let rest = server.post(&key, CREDIT, &json!({}));
        assert_eq!(
            (rest.status, cents(&rest.json()["total"]), cents(&rest.json()["vatTotal"])),
            (201, -6_050, -1_050)
        );
        assert_eq!(credit(&server, &key, &json!({})), (409, "already_credited".into()));
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (0, 0));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_invoice_with_a_total_of_zero_can_be_credited_while_it_has_vat(engine) {
        // A deposit is set off: the total is 0, and VAT of 21.00 is due.
        let (server, key) = with_invoice(
            engine,
            &[item("100.00", 21, "standard"), item("-121.00", 0, "outOfScope")],
        );
        let half =
            json!({"items": [item("50.00", 21, "standard"), item("-60.50", 0, "outOfScope")]});
        assert_eq!(credit(&server, &key, &half), (201, String::new()));
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (5_000, 1_050));
        assert_eq!(credit(&server, &key, &json!({})), (201, String::new()));
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (0, 0));
        assert_eq!(credit(&server, &key, &json!({})), (409, "already_credited".into()));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn many_small_credit_notes_take_back_the_vat_that_was_charged_and_no_cent_more(engine) {
        let (server, key) = with_invoice(engine, &[item("0.20", 21, "standard")]);
        let mut vat = Vec::new();
        for _ in 0..6 {
            let note = server.post(&key, CREDIT, &json!({"items": [item("0.03", 21, "standard")]}));
            assert_eq!(note.status, 201, "{}", note.text);
            vat.push(cents(&note.json()["vatTotal"]));
        }
        assert_eq!(vat, [-1, -1, -1, -1, 0, 0]);
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (2, 0));
        let rest = server.post(&key, CREDIT, &json!({}));
        assert_eq!((rest.status, cents(&rest.json()["total"])), (201, -2), "{}", rest.text);
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (0, 0));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_credit_note_is_not_dated_before_its_invoice(engine) {
        let (server, key) = with_invoice(engine, &[item("100.00", 21, "standard")]);
        let before = books(&server, &key);
        for date in ["2001-01-01", "2026-02-09"] {
            let refused = server.post(&key, CREDIT, &json!({"date": date}));
            assert_eq!(refused.faults(), [("/date".into(), "out_of_range".into())], "{date}");
        }
        // All faults are reported at once.
        let refused = server.post(
            &key,
            CREDIT,
            &json!({"date": "2026-02-09", "items": [item("1", 9, "standard")]}),
        );
        assert_eq!(
            refused.faults(),
            [
                ("/date".into(), "out_of_range".into()),
                ("/items/0/vatRate".into(), "unknown_value".into())
            ]
        );
        let many = server.post(
            &key,
            CREDIT,
            &json!({"date": "2026-02-09", "items": [item("100.01", 21, "standard")]}),
        );
        let (early, beyond) = (
            ("/date".to_owned(), "out_of_range".to_owned()),
            ("/items".to_owned(), "exceeds_outstanding".to_owned()),
        );
        assert_eq!(many.faults(), [early.clone(), beyond.clone()]);
        let (unnamed, unread) = (json!({"unitPrice": 1, "vatRate": 21}), |at: &str, code: &str| {
            (at.to_owned(), code.to_owned())
        });
        let cases = [
            (
                json!({"date": "2026-02-09", "items": [unnamed]}),
                vec![unread("/items/0/description", "required"), early.clone()],
            ),
            (
                json!({"date": "2026-02-09", "items": [item("100.01", 21, "standard")], "reason": 7}),
                vec![unread("/reason", "invalid_type"), early.clone(), beyond.clone()],
            ),
            (
                json!({"date": "x", "items": [item("100.01", 21, "standard")]}),
                vec![unread("/date", "invalid_date"), beyond],
            ),
            (json!({"date": "2026-02-09", "x": 1}), vec![unread("/x", "unknown_field"), early]),
        ];
        for (body, faults) in cases {
            assert_eq!(server.post(&key, CREDIT, &body).faults(), faults, "{body}");
        }
        assert_eq!(books(&server, &key), before);
        assert_eq!(
            credit(
                &server,
                &key,
                &json!({"date": "2026-02-10", "items": [item("1", 21, "standard")]})
            ),
            (201, String::new())
        );
        // The credit note for an invoice dated in the future gets the invoice's date.
        let ahead = json!({"invoiceDate": "2026-05-01", "status": "sent", "customer": {"name": "B"}, "items": [item("10", 21, "standard")]});
        let id = server.post(&key, "/api/v1/invoices", &ahead).json()["id"].clone();
        let note = server.post(&key, &format!("/api/v1/invoices/{id}/credit-notes"), &json!({}));
        assert_eq!(
            (note.status, &note.json()["invoiceDate"]),
            (201, &json!("2026-05-01")),
            "{}",
            note.text
        );
    }

    fn an_excess_is_reported_at_the_field_of_the_request(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let gross = json!({"pricesIncludeVat": true, "invoiceDate": "2026-02-10", "status": "sent", "customer": {"name": "B"}, "items": [item("12.10", 21, "standard")]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &gross).status, 201);
        let refused = server.post(&key, CREDIT, &json!({"items": [item("24.20", 21, "standard")]}));
        assert_eq!(refused.faults(), [("/items".into(), "exceeds_outstanding".into())]);
        assert!(
            refused.text.contains("12.10 of the invoice remains, including VAT, not 24.20"),
            "{}",
            refused.text
        );
    }

    fn all_faults_of_a_payment_are_reported_at_once(engine) {
        let (server, key) = with_invoice(engine, &[item("100.00", 21, "standard")]);
        let (method, amount, date) = (
            ("/method", "unknown_value"),
            ("/amount", "exceeds_outstanding"),
            ("/date", "out_of_range"),
        );
        let cases = [
            (
                json!({"date": "2099-01-01", "amount": 121.01, "method": "x"}),
                vec![method, amount, date],
            ),
            (
                json!({"date": "2099-01-01", "amount": 121.01, "overpayment": "keep", "method": "x"}),
                vec![method, date],
            ),
            (json!({"date": "2099-01-01", "amount": "x"}), vec![("/amount", "invalid_type"), date]),
            (json!({"date": "x", "amount": -1}), vec![("/date", "invalid_date"), amount]),
            (json!({"amount": 121, "method": "x"}), vec![("/date", "required"), method]),
        ];
        for (body, faults) in cases {
            let expected: Vec<_> =
                faults.into_iter().map(|(at, code)| (at.to_owned(), code.to_owned())).collect();
            assert_eq!(
                server.post(&key, "/api/v1/invoices/1/payments", &body).faults(),
                expected,
                "{body}"
            );
        }
        assert_eq!(
            server.post(&key, "/api/v1/invoices/9/payments", &json!({"method": "x"})).code(),
            "not_found"
        );
    }

    fn a_payment_is_not_dated_after_tomorrow(engine) {
        let (server, key) = with_invoice(engine, &[item("100.00", 21, "standard")]);
        let pay = |date: &str| {
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": date, "amount": 10}))
        };
        for date in ["2026-03-17", "2099-12-31"] {
            assert_eq!(pay(date).faults(), [("/date".into(), "out_of_range".into())], "{date}");
        }
        // Tomorrow is accepted, since that day has begun in other time zones, and so is payment in
        // advance.
        for date in ["2026-03-16", "2026-03-15", "2026-01-05"] {
            assert_eq!(pay(date).status, 201, "{date}");
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_category_that_contradicts_the_customers_country_has_a_warning(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let cases = [
            ("NL", 0, "intraCommunity", true),
            ("US", 0, "intraCommunity", true),
            ("DE", 0, "intraCommunity", false),
            ("DE", 0, "export", true),
            ("NL", 0, "export", true),
            ("US", 0, "export", false),
            ("US", 21, "standard", true),
            ("US", 0, "outOfScope", false),
            // For a foreign customer, reverseCharge becomes the category of their country.
            ("DE", 0, "reverseCharge", false),
            ("NL", 0, "reverseCharge", false),
            ("DE", 0, "zero", false),
            ("NL", 21, "standard", false),
        ];
        for (country, rate, category, warned) in cases {
            let customer = json!({"name": "A", "country": country, "vatNumber": "DE136695976"});
            let invoice = json!({"customer": customer, "items": [item("10", rate, category)]});
            let document = server.post(&key, "/api/v1/invoices", &invoice).json();
            let codes: Vec<&Value> = document["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .map(|warning| &warning["code"])
                .collect();
            assert_eq!(
                codes.contains(&&json!("category_contradicts_country")),
                warned,
                "{country} {category}: {document}"
            );
        }
    }
}
