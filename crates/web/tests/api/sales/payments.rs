//! Payments: each is booked, and their sum never exceeds the outstanding amount.

use crate::{
    help::{books, cents, ids, vat_box, walk},
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

const PAY: &str = "/api/v1/invoices/1/payments";

/// Creates a sent invoice of 121.00, dated 2026-02-10.
fn with_invoice(engine: testing::Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    let mut payload = simple_invoice();
    payload["invoiceDate"] = json!("2026-02-10");
    assert_eq!(server.post(&key, "/api/v1/invoices", &payload).status, 201);
    (server, key)
}

/// Payment state of invoice 1: whether and since when it is paid; amounts paid and due, in cents.
fn state(server: &Server, key: &str) -> (bool, Value, i64, i64) {
    let invoice = server.get(key, "/api/v1/invoices/1").json();
    let summary = server.get(key, "/api/v1/summary/2026").json();
    assert_eq!(summary["invoices"]["outstandingAmount"], invoice["amountDue"]);
    assert_eq!(summary["invoices"]["paid"], i64::from(invoice["paid"].as_bool().unwrap()));
    assert_eq!(summary["receivables"], invoice["amountDue"]);
    assert_eq!(
        cents(&invoice["total"]),
        cents(&invoice["amountPaid"])
            + cents(&invoice["amountCredited"])
            + cents(&invoice["amountDue"])
    );
    (
        invoice["paid"].as_bool().unwrap(),
        invoice["paidAt"].clone(),
        cents(&invoice["amountPaid"]),
        cents(&invoice["amountDue"]),
    )
}

on_both_engines! {
    fn payments_add_up_until_the_invoice_is_paid(engine) {
        let (server, key) = with_invoice(engine);
        assert_eq!(state(&server, &key), (false, Value::Null, 0, 12_100));
        let first = server.post(&key, PAY, &json!({"externalId": "p-1", "date": "2026-02-20", "amount": 21, "method": "cash", "reference": "Till"}));
        assert_eq!(first.status, 201, "{}", first.text);
        assert_eq!(
            first.json(),
            json!({"id": 1, "invoiceId": 1, "externalId": "p-1", "date": "2026-02-20", "amount": 21.0, "method": "cash",
            "bankAccountId": 4, "reference": "Till", "entryId": 2, "createdAt": "2026-03-15T11:00:00.000002Z", "undoneAt": null, "undoneOn": null, "undoingEntryId": null, "updatedAt": "2026-03-15T11:00:00.000002Z", "warnings": []})
        );
        assert!(first.text.contains("\"amount\":21.00,"), "{}", first.text);
        assert_eq!(state(&server, &key), (false, Value::Null, 2_100, 10_000));
        let tag = server.get(&key, "/api/v1/invoices/1").header("etag").unwrap().to_owned();
        assert_eq!(
            server.post(&key, PAY, &json!({"date": "2026-03-01", "amount": 99.99})).status,
            201
        );
        assert_ne!(server.get(&key, "/api/v1/invoices/1").header("etag").unwrap(), tag);
        assert_eq!(state(&server, &key), (false, Value::Null, 12_099, 1));
        // The invoice counts as paid from the date of the last payment.
        server.clock.set("2026-04-03T11:00:00Z");
        let last = server.post(&key, PAY, &json!({"date": "2026-04-02"}));
        assert_eq!(
            (
                last.status,
                cents(&last.json()["amount"]),
                &last.json()["method"],
                &last.json()["externalId"]
            ),
            (201, 1, &json!("bank"), &Value::Null)
        );
        assert_eq!(state(&server, &key), (true, json!("2026-04-02"), 12_100, 0));
        for body in [json!({"date": "2026-04-03"}), json!({"date": "2026-04-03", "amount": 0.01})] {
            let reply = server.post(&key, PAY, &body);
            assert_eq!(
                (reply.status, reply.faults()),
                (422, vec![("/amount".into(), "exceeds_outstanding".into())]),
                "{body}"
            );
        }
        let listed = server.get(&key, PAY).json();
        assert_eq!(
            (ids(&listed), &listed["nextCursor"], &listed["data"][0]),
            (vec![1, 2, 3], &Value::Null, &first.json())
        );
        for id in 1..=3 {
            assert_eq!(server.get(&key, &format!("{PAY}/{id}")).json(), listed["data"][id - 1]);
        }
        // Payments are not turnover.
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), vat_box(&server, &key, "2026/2", "1a")),
            ((10_000, 2_100), (0, 0))
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn each_method_is_booked_on_its_account_against_receivables(engine) {
        let (server, key) = with_invoice(engine);
        let methods = [
            (None, "1100"),
            (Some("bank"), "1100"),
            (Some("savings"), "1110"),
            (Some("cash"), "1000"),
            (Some("card"), "1120"),
            (Some("private"), "0520"),
        ];
        for (method, account) in methods {
            let payment = server
                .post(&key, PAY, &json!({"date": "2026-03-14", "amount": 1.5, "method": method}))
                .json();
            let entry = server.get(&key, &format!("/api/v1/entries/{}", payment["entryId"])).json();
            assert_eq!(
                (&entry["source"], &entry["date"]),
                (&json!({"type": "payment", "id": payment["id"]}), &json!("2026-03-14"))
            );
            let lines: Vec<_> = entry["lines"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| {
                    (
                        line["accountCode"].as_str().unwrap(),
                        cents(&line["debit"]),
                        cents(&line["credit"]),
                        line["vatBox"].as_str(),
                    )
                })
                .collect();
            assert_eq!(lines, [(account, 150, 0, None), ("1300", 0, 150, None)], "{method:?}");
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn amounts_are_exact_and_within_what_is_outstanding(engine) {
        let (server, key) = with_invoice(engine);
        let before = books(&server, &key);
        for (amount, code) in [
            ("121.01", "exceeds_outstanding"),
            ("1e9", "exceeds_outstanding"),
            ("0", "out_of_range"),
            ("-0.00", "out_of_range"),
            ("-1", "exceeds_outstanding"),
            ("0.001", "too_many"),
            ("120.999", "too_many"),
            ("1e400", "out_of_range"),
            ("\"121\"", "invalid_type"),
            ("true", "invalid_type"),
            ("{}", "invalid_type"),
            // The limit of 1 000 000 000 applies to quantities and prices only.
            ("1000000000.01", "exceeds_outstanding"),
            ("99999999999.99", "exceeds_outstanding"),
            ("100000000000", "out_of_range"),
        ] {
            let reply = server.post_text(
                &key,
                PAY,
                &format!(r#"{{"date":"2026-03-01","amount":{amount}}}"#),
            );
            assert_eq!(
                (reply.status, reply.faults()),
                (422, vec![("/amount".to_owned(), code.to_owned())]),
                "{amount}"
            );
        }
        assert_eq!(books(&server, &key), before);
        for (amount, paid) in
            [("1e0", 100), ("0.010", 101), ("118.99000", 12_000), ("10e-1", 12_100)]
        {
            assert_eq!(
                server
                    .post_text(&key, PAY, &format!(r#"{{"date":"2026-03-01","amount":{amount}}}"#))
                    .status,
                201,
                "{amount}"
            );
            assert_eq!(state(&server, &key).2, paid, "{amount}");
        }
        let large = json!({"status": "sent", "customer": {"name": "A"}, "items": [{"description": "x", "quantity": 99, "unitPrice": 1_000_000_000, "vatRate": 0}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &large).status, 201);
        let paid = server.post_text(
            &key,
            "/api/v1/invoices/2/payments",
            r#"{"date":"2026-03-01","amount":98000000000.01}"#,
        );
        assert_eq!(paid.status, 201, "{}", paid.text);
        assert!(
            server.get(&key, "/api/v1/invoices/2").text.contains("\"amountDue\":999999999.99,")
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn only_a_sent_invoice_that_exists_is_paid(engine) {
        let (server, key) = with_invoice(engine);
        let mut draft = simple_invoice();
        draft["status"] = json!("draft");
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/invoices/1/credit-notes",
                    &json!({"items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]})
                )
                .status,
            201
        );
        let before = books(&server, &key);
        let on_draft =
            server.post(&key, "/api/v1/invoices/2/payments", &json!({"date": "2026-03-01"}));
        assert_eq!((on_draft.status, on_draft.code().as_str()), (409, "is_a_draft"));
        // Existence is checked before the body, and the body before the state.
        assert_eq!(
            server.post(&key, "/api/v1/invoices/2/payments", &json!({})).faults(),
            [("/date".into(), "required".into())]
        );
        let on_note = server.post(
            &key,
            "/api/v1/invoices/3/payments",
            &json!({"date": "2026-03-01", "amount": 1}),
        );
        assert_eq!(
            (on_note.status, on_note.code().as_str()),
            (409, "is_a_credit_note"),
            "{}",
            on_note.text
        );
        for id in ["4", "0", "-1", "x", "9223372036854775808"] {
            for body in [json!({"date": "2026-03-01"}), json!({"date": 5, "x": 1}), json!([])] {
                let reply = server.post(&key, &format!("/api/v1/invoices/{id}/payments"), &body);
                assert_eq!(
                    (reply.status, reply.code().as_str()),
                    (404, "not_found"),
                    "{id} {body}"
                );
            }
            assert_eq!(server.get(&key, &format!("/api/v1/invoices/{id}/payments")).status, 404);
        }
        assert_eq!(books(&server, &key), before);
        assert_eq!(server.get(&key, PAY).json()["data"], json!([]));
        assert_eq!(server.get(&key, &format!("{PAY}/1")).code(), "not_found");
    }

    fn repeating_a_payment_returns_the_existing_one(engine) {
        let (server, key) = with_invoice(engine);
        let first = server.post(
            &key,
            PAY,
            &json!({"externalId": "p-1", "date": "2026-02-20", "amount": 100}),
        );
        let before = books(&server, &key);
        for body in [
            json!({"externalId": "p-1", "date": "2026-02-20", "amount": 100}),
            json!({"externalId": "p-1"}),
            json!({"externalId": " p-1", "date": "never", "amount": "x", "y": 1, "method": 4}),
            json!({"externalId": "p-1", "date": "2026-02-20", "amount": 100_000}),
        ] {
            let again = server.post(&key, PAY, &body);
            assert_eq!(
                (again.status, again.header("idempotent-replay"), again.json()),
                (200, Some("true"), first.json()),
                "{body}"
            );
            assert_eq!(again.header("location"), first.header("location"));
        }
        assert_eq!(books(&server, &key), before);
        assert_eq!(
            server
                .post(&key, PAY, &json!({"externalId": "P-1", "date": "2026-02-20", "amount": 1}))
                .status,
            201
        );
        // On another invoice's path the external id still finds the payment of the first invoice.
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        let elsewhere = server.post(
            &key,
            "/api/v1/invoices/2/payments",
            &json!({"externalId": "p-1", "date": "2026-03-01"}),
        );
        assert_eq!(
            (elsewhere.status, elsewhere.header("idempotent-replay"), elsewhere.json()),
            (200, Some("true"), first.json())
        );
        assert_eq!(
            (&elsewhere.json()["invoiceId"], elsewhere.header("location")),
            (&json!(1), first.header("location"))
        );
        // External ids are unique per kind: an invoice may have the same one.
        let mut invoice = simple_invoice();
        invoice["externalId"] = json!("p-1");
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        // A replay needs the scope `write`, like the payment itself.
        let reader = server.key("anna@example.com", true, false);
        assert_eq!(
            server.post(&reader, PAY, &json!({"externalId": "p-1"})).code(),
            "insufficient_scope"
        );
    }

    fn one_of_32_concurrent_full_payments_succeeds(engine) {
        let (server, key) = with_invoice(engine);
        let bodies = [json!({"date": "2026-03-01"}), json!({"date": "2026-03-01", "amount": 121})];
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let pay = |place: usize| server.post(&key, PAY, &bodies[place % 2]).status;
            let workers: Vec<_> = (0..32).map(|place| scope.spawn(move || pay(place))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let count = |status: u16| statuses.iter().filter(|other| **other == status).count();
        assert_eq!((count(201), count(422)), (1, 31), "{statuses:?}");
        assert_eq!(state(&server, &key), (true, json!("2026-03-01"), 12_100, 0));
        assert_eq!(ids(&server.get(&key, PAY).json()), [1]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn concurrent_payments_with_one_external_id_create_one(engine) {
        let (server, key) = with_invoice(engine);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let pay =
                || server.post(&key, PAY, &json!({"externalId": "p", "date": "2026-03-01"})).status;
            let workers: Vec<_> = (0..32).map(|_| scope.spawn(pay)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(
            (
                statuses.iter().filter(|status| **status == 201).count(),
                statuses.iter().filter(|status| **status == 200).count()
            ),
            (1, 31)
        );
    }

    fn payments_are_listed_in_pages_as_all_lists_are(engine) {
        let (server, key) = with_invoice(engine);
        for _ in 0..5 {
            assert_eq!(
                server.post(&key, PAY, &json!({"date": "2026-03-01", "amount": 1})).status,
                201
            );
        }
        let rows = walk(&server, &key, &format!("{PAY}?limit=2"), || {
            assert_eq!(
                server.post(&key, PAY, &json!({"date": "2026-03-01", "amount": 1})).status,
                201
            );
        });
        let seen: Vec<i64> = rows.iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert!(
            seen.starts_with(&[1, 2, 3, 4, 5]) && seen.windows(2).all(|pair| pair[0] < pair[1]),
            "{seen:?}"
        );
        assert_eq!(
            server.get(&key, &format!("{PAY}?limit=0")).faults(),
            [("limit".into(), "out_of_range".into())]
        );
        assert_eq!(server.get(&key, &format!("{PAY}?cursor=x!")).code(), "invalid_cursor");
    }
}
