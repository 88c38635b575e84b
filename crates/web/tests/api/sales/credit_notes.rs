//! Credit notes: numbered in the series of the invoices, and never for more than the invoice.

use crate::help::{books, cents, file, vat_box};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const CREDIT: &str = "/api/v1/invoices/1/credit-notes";

/// Creates a sent invoice of 100.00 at 21 % and 50.00 at 9 %, in total 175.50, dated 2026-02-10.
fn with_invoice(engine: testing::Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    let reply = server.post(&key, "/api/v1/invoices", &json!({
        "externalId": "o-1", "invoiceDate": "2026-02-10", "status": "sent", "reference": "PO 7", "customer": {"externalId": "c-1", "name": "Korenaar"},
        "items": [{"description": "Work", "quantity": 2, "unitPrice": 50, "vatRate": 21}, {"description": "Book", "unitPrice": 50, "vatRate": 9}],
    }));
    assert_eq!((reply.status, cents(&reply.json()["total"])), (201, 17_550), "{}", reply.text);
    (server, key)
}

fn item(price: &Value, rate: i64) -> Value {
    json!({"description": "Back", "unitPrice": price, "vatRate": rate})
}

fn created(reply: &Reply) -> Value {
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

on_both_engines! {
    fn credit_by_lines_ends_at_zero(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        // Each case: quantity, price, whether the price includes VAT, and the credited quantities.
        let cases = [
            ("10", "17.925", true, vec!["1", "9"]),
            ("10", "17.925", true, vec!["1"; 10]),
            ("1.5", "95.55", false, vec!["0.75", "0.75"]),
            ("2", "8.2645", false, vec!["1", "1"]),
            ("4", "1.6446280991735537", false, vec!["1", "3"]),
            ("3", "0.335", false, vec!["1", "1", "1"]),
            ("2.5", "10.01", false, vec!["0.5", "2"]),
        ];
        for (quantity, price, gross, parts) in cases {
            let number = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            let item = |quantity: &str| json!([{"description": "Work", "quantity": number(quantity), "unitPrice": number(price), "vatRate": 21}]);
            let invoice = created(&server.post(&key, "/api/v1/invoices", &json!({"invoiceDate": "2026-02-10", "status": "sent",
                "customer": {"name": "Korenaar"}, "pricesIncludeVat": gross, "items": item(quantity)})));
            let path = format!("/api/v1/invoices/{}", invoice["id"]);
            let mut last = Value::Null;
            for part in &parts {
                last = created(&server.post(
                    &key,
                    &format!("{path}/credit-notes"),
                    &json!({"date": "2026-02-11", "items": item(part)}),
                ));
            }
            let after = server.get(&key, &path).json();
            assert_eq!(
                (cents(&after["amountDue"]), cents(&after["amountCredited"])),
                (0, cents(&invoice["total"])),
                "{quantity} x {price}"
            );
            // The response to the create request matches a later read.
            assert_eq!(
                server.get(&key, &format!("/api/v1/invoices/{}", last["id"])).json()["items"],
                last["items"]
            );
            assert_eq!(
                server.post(&key, &format!("{path}/credit-notes"), &json!({})).code(),
                "already_credited"
            );
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_whole_invoice_is_credited(engine) {
        let (server, key) = with_invoice(engine);
        let reply = server.post(
            &key,
            CREDIT,
            &json!({"externalId": "o-1", "date": "2026-04-03", "reason": "Wrong\nperson"}),
        );
        let note = created(&reply);
        assert_eq!(
            reply.header("location").unwrap(),
            format!("http://{}/api/v1/invoices/2", server.address)
        );
        assert_eq!(
            (
                &note["kind"],
                &note["status"],
                &note["number"],
                &note["creditedInvoiceId"],
                &note["externalId"]
            ),
            (&json!("creditNote"), &json!("sent"), &json!("2026-0002"), &json!(1), &json!("o-1"))
        );
        assert_eq!(
            (&note["invoiceDate"], &note["vatPeriod"], &note["notes"], &note["source"]),
            (
                &json!("2026-04-03"),
                &json!({"year": 2026, "quarter": 2}),
                &json!("Wrong\nperson"),
                &json!("api")
            )
        );
        assert!(
            reply.text.contains("\"subtotal\":-150.00,\"vatTotal\":-25.50,\"total\":-175.50"),
            "{}",
            reply.text
        );
        let amounts: Vec<i64> =
            note["items"].as_array().unwrap().iter().map(|item| cents(&item["amount"])).collect();
        assert_eq!(amounts, [-10_000, -5_000]);
        assert_eq!(note["customer"], server.get(&key, "/api/v1/invoices/1").json()["customer"]);
        let invoice = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!(
            (
                cents(&invoice["amountCredited"]),
                cents(&invoice["amountDue"]),
                &invoice["paid"],
                &invoice["status"],
                &invoice["entryIds"]
            ),
            (17_550, 0, &json!(true), &json!("sent"), &json!([1]))
        );
        assert_eq!((cents(&invoice["total"]), &invoice["kind"]), (17_550, &json!("invoice")));
        // The credit note has its own entry on its own date, and is in the return for the quarter
        // of that date.
        let entry = server.get(&key, &format!("/api/v1/entries/{}", note["entryIds"][0])).json();
        assert_eq!(
            (&entry["source"], &entry["date"], &entry["reversesEntryId"]),
            (&json!({"type": "creditNote", "id": 2}), &json!("2026-04-03"), &Value::Null)
        );
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), vat_box(&server, &key, "2026/1", "1b")),
            ((10_000, 2_100), (5_000, 450))
        );
        assert_eq!(
            (vat_box(&server, &key, "2026/2", "1a"), vat_box(&server, &key, "2026/2", "1b")),
            ((-10_000, -2_100), (-5_000, -450))
        );
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(
            (
                cents(&summary["revenue"]),
                cents(&summary["receivables"]),
                cents(&summary["vat"]["charged"])
            ),
            (0, 0, 0)
        );
        let again = server.post(&key, CREDIT, &json!({"date": "2026-04-03"}));
        assert_eq!((again.status, again.code().as_str()), (409, "already_credited"));
        let again = server.post(&key, CREDIT, &json!({"items": [item(&json!(0.01), 21)]}));
        assert_eq!((again.status, again.code().as_str()), (409, "already_credited"));
        // With nothing outstanding no payment is accepted.
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-15"}))
                .faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn parts_are_credited_until_nothing_remains(engine) {
        let (server, key) = with_invoice(engine);
        let due = || cents(&server.get(&key, "/api/v1/invoices/1").json()["amountDue"]);
        let part = created(&server.post(
            &key,
            CREDIT,
            &json!({"items": [item(&json!(30), 21), item(&json!(10), 9)]}),
        ));
        assert_eq!(
            (cents(&part["total"]), &part["invoiceDate"], due()),
            (-4_720, &json!("2026-03-15"), 12_830)
        );
        let too_much = server.post(&key, CREDIT, &json!({"items": [item(&json!(106.04), 21)]}));
        assert_eq!(
            (too_much.status, too_much.code().as_str()),
            (422, "validation_failed"),
            "{}",
            too_much.text
        );
        assert_eq!(due(), 12_830);
        let second =
            created(&server.post(&key, CREDIT, &json!({"items": [item(&json!(33.33), 21)]})));
        assert_eq!(
            (cents(&second["subtotal"]), cents(&second["vatTotal"]), due()),
            (-3_333, -700, 8_797)
        );
        let rest = created(&server.post(&key, CREDIT, &json!({})));
        assert_eq!((cents(&rest["total"]), due()), (-8_797, 0));
        assert_eq!(["number"].map(|field| rest[field].clone()), [json!("2026-0004")]);
        assert_eq!(
            (vat_box(&server, &key, "2026/1", "1a"), vat_box(&server, &key, "2026/1", "1b")),
            ((0, 0), (0, 0))
        );
        assert_eq!(server.post(&key, CREDIT, &json!({})).code(), "already_credited");
        let numbers: Vec<Value> = server.get(&key, "/api/v1/invoices").json()["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["number"].clone())
            .collect();
        assert_eq!(numbers, ["2026-0004", "2026-0003", "2026-0002", "2026-0001"]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn payments_of_a_credited_invoice_are_due_back(engine) {
        let (server, key) = with_invoice(engine);
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-01"})).status,
            201
        );
        created(&server.post(&key, CREDIT, &json!({"items": [item(&json!(100), 21)]})));
        let invoice = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!(
            (
                cents(&invoice["amountPaid"]),
                cents(&invoice["amountCredited"]),
                cents(&invoice["amountDue"]),
                cents(&invoice["amountToRefund"])
            ),
            (17_550, 12_100, 0, 12_100)
        );
        assert_eq!((&invoice["paid"], &invoice["paidAt"]), (&json!(true), &json!("2026-03-01")));
        // An overpayment is a liability and does not reduce the receivables from other customers.
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        let owed = summary["balanceSheet"]["liabilities"]
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["accountCode"] == "1630")
            .unwrap();
        assert_eq!((cents(&summary["receivables"]), cents(&owed["amount"])), (0, 12_100));
        // An invoice paid in part and credited for the rest is paid on the credit note's date.
        let other = json!({"invoiceDate": "2026-02-10", "status": "sent", "customer": {"name": "B"}, "items": [item(&json!(100), 0)]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &other).json()["id"], 3);
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/invoices/3/payments",
                    &json!({"date": "2026-03-01", "amount": 60})
                )
                .status,
            201
        );
        created(&server.post(
            &key,
            "/api/v1/invoices/3/credit-notes",
            &json!({"date": "2026-03-09", "items": [item(&json!(40), 0)]}),
        ));
        let other = server.get(&key, "/api/v1/invoices/3").json();
        assert_eq!(
            (&other["paid"], &other["paidAt"], cents(&other["amountDue"])),
            (&json!(true), &json!("2026-03-09"), 0)
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn the_rates_are_those_of_the_invoices_own_day(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let old = json!({"invoiceDate": "2018-12-31", "status": "sent", "customer": {"name": "A"}, "items": [item(&json!(100), 6)]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &old).status, 201);
        let today = server.post(&key, CREDIT, &json!({"items": [item(&json!(10), 9)]}));
        assert_eq!(
            (today.status, today.faults()),
            (422, vec![("/items/0/vatRate".into(), "unknown_vat_rate".into())])
        );
        let part = created(&server.post(&key, CREDIT, &json!({"items": [item(&json!(10), 6)]})));
        assert_eq!(
            (cents(&part["vatTotal"]), &part["number"], &part["invoiceDate"]),
            (-60, &json!("2026-0001"), &json!("2026-03-15"))
        );
        let rest = created(&server.post(&key, CREDIT, &json!({})));
        assert_eq!((cents(&rest["total"]), &rest["vat"][0]["rate"]), (-9_540, &json!(6)));
        // The invoice and its credit notes are in the box for the reduced rate, at the rate that
        // applied on the invoice's date.
        assert_eq!(
            (vat_box(&server, &key, "2018/4", "1b"), vat_box(&server, &key, "2026/1", "1b")),
            ((10_000, 600), (-10_000, -600))
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_impossible_credit_note_is_refused_and_nothing_changes(engine) {
        let (server, key) = with_invoice(engine);
        let draft = json!({"customer": {"name": "B"}, "items": [item(&json!(100), 21)]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        let note = created(&server.post(&key, CREDIT, &json!({"items": [item(&json!(1), 21)]})));
        server.clock.set("2026-12-01T10:00:00Z");
        file(&server, "anna@example.com", 2026, 2);
        let before = books(&server, &key);
        let refused = server.post(&key, "/api/v1/invoices/2/credit-notes", &json!({}));
        assert_eq!((refused.status, refused.code().as_str()), (409, "is_a_draft"));
        for date in ["2026-04-01", "2026-06-30"] {
            let refused = server.post(&key, CREDIT, &json!({"date": date}));
            assert_eq!((refused.status, refused.code().as_str()), (409, "period_filed"), "{date}");
        }
        let on_note =
            server.post(&key, &format!("/api/v1/invoices/{}/credit-notes", note["id"]), &json!({}));
        assert_eq!(
            (on_note.status, on_note.code().as_str()),
            (409, "is_a_credit_note"),
            "{}",
            on_note.text
        );
        for id in ["9", "0", "x"] {
            for body in [json!({}), json!({"items": 5, "x": 1})] {
                let refused =
                    server.post(&key, &format!("/api/v1/invoices/{id}/credit-notes"), &body);
                assert_eq!(
                    (refused.status, refused.code().as_str()),
                    (404, "not_found"),
                    "{id} {body}"
                );
            }
        }
        let cases: Vec<(Value, Vec<(&str, &str)>)> = vec![
            (json!({"items": []}), vec![("/items", "required")]),
            (json!({"items": [item(&json!(-1), 21)]}), vec![("/items", "out_of_range")]),
            (
                json!({"items": [item(&json!(100), 21), item(&json!(100), 9)]}),
                vec![("/items", "exceeds_outstanding"), ("/items", "exceeds_outstanding")],
            ),
            (
                json!({"items": [item(&json!("1"), 19)], "date": "2026-02-29", "reason": 7, "status": "sent"}),
                vec![
                    ("/date", "invalid_date"),
                    ("/items/0/unitPrice", "invalid_type"),
                    ("/items/0/vatRate", "unknown_vat_rate"),
                    ("/reason", "invalid_type"),
                    ("/status", "unknown_field"),
                ],
            ),
            (json!({"reason": "x".repeat(5001)}), vec![("/reason", "too_long")]),
            (json!({"externalId": ""}), vec![("/externalId", "required")]),
        ];
        for (body, expected) in cases {
            let refused = server.post(&key, CREDIT, &body);
            let faults = refused.faults();
            let actual: Vec<(&str, &str)> =
                faults.iter().map(|(place, code)| (place.as_str(), code.as_str())).collect();
            assert_eq!((refused.status, actual), (422, expected), "{body}");
        }
        assert_eq!(books(&server, &key), before);
        // The refused credit notes used no number.
        assert_eq!(
            created(&server.post(&key, CREDIT, &json!({"date": "2026-07-01"})))["number"],
            "2026-0004"
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn repeating_a_credit_note_returns_the_existing_one(engine) {
        let (server, key) = with_invoice(engine);
        let first = server.post(
            &key,
            CREDIT,
            &json!({"externalId": "n-1", "items": [item(&json!(10), 21)]}),
        );
        let before = books(&server, &key);
        for body in [
            json!({"externalId": "n-1"}),
            json!({"externalId": "n-1", "items": "x", "date": 5}),
            json!({"externalId": "n-1", "items": [item(&json!(9000), 21)]}),
        ] {
            let again = server.post(&key, CREDIT, &body);
            assert_eq!(
                (again.status, again.header("idempotent-replay"), again.json()),
                (200, Some("true"), created(&first)),
                "{body}"
            );
        }
        assert_eq!(books(&server, &key), before);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let credit = || server.post(&key, CREDIT, &json!({"externalId": "n-2"})).status;
            let workers: Vec<_> = (0..16).map(|_| scope.spawn(credit)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(
            (
                statuses.iter().filter(|status| **status == 201).count(),
                statuses.iter().filter(|status| **status == 200).count()
            ),
            (1, 15)
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn one_of_many_concurrent_full_credits_succeeds(engine) {
        let (server, key) = with_invoice(engine);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let credit = || server.post(&key, CREDIT, &json!({})).status;
            let workers: Vec<_> = (0..16).map(|_| scope.spawn(credit)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert_eq!(
            (
                statuses.iter().filter(|status| **status == 201).count(),
                statuses.iter().filter(|status| **status == 409).count()
            ),
            (1, 15)
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
