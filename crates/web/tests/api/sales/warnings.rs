//! Warnings about invoices: how long they last, and warnings caused by other invoices.

use crate::{help::patch, simple_invoice};
use ledger::calendar::Quarter;
use serde_json::{Value, json};
use service::{environment::Clock, vat_filings};
use testing::{Engine, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const SUPPLIER: [&str; 4] = [
    "supplier_address_missing",
    "supplier_kvk_missing",
    "supplier_vat_number_missing",
    "ubl_not_possible",
];

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    (server, key)
}

fn create(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

fn codes(body: &Value) -> Vec<String> {
    body["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning["code"].as_str().unwrap().to_owned())
        .collect()
}

on_both_engines! {
    fn warnings_of_sent_invoices_end_when_the_return_is_due(engine) {
        let (server, key) = started(engine);
        let mut invoice = simple_invoice();
        for (day, status) in
            [("2026-03-01", "sent"), ("2026-03-01", "draft"), ("2062-03-01", "sent")]
        {
            (invoice["invoiceDate"], invoice["status"]) = (json!(day), json!(status));
            create(&server, &key, "invoices", &invoice);
        }
        let of = |id: i64| codes(&server.get(&key, &format!("/api/v1/invoices/{id}")).json());
        let draft = [&SUPPLIER[..], &["draft_on_return"]].concat();
        let ahead = [&SUPPLIER[..], &["date_unusual"]].concat();
        for (moment, sent) in
            [("2026-04-30T20:00:00Z", &SUPPLIER[..]), ("2026-05-01T10:00:00Z", &[])]
        {
            server.clock.set(moment);
            assert_eq!(
                (of(1), of(2), of(3)),
                (strings(sent), strings(&draft), strings(&ahead)),
                "{moment}"
            );
        }
        // A change brings the warnings back.
        create(&server, &key, "invoices/1/payments", &json!({"date": "2026-05-01", "amount": 1}));
        assert_eq!(of(1), SUPPLIER);
        // A fully credited invoice never has warnings.
        create(&server, &key, "invoices/1/credit-notes", &json!({"date": "2026-05-01"}));
        assert!(of(1).is_empty());
        let rows = server.get(&key, "/api/v1/invoices").json();
        let listed: Vec<_> = rows["data"].as_array().unwrap().iter().map(codes).collect();
        assert_eq!(listed, [strings(&SUPPLIER), strings(&ahead), strings(&draft), Vec::new()]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_credit_note_is_never_late(engine) {
        let (server, key) = started(engine);
        let mut invoice = simple_invoice();
        (invoice["invoiceDate"], invoice["supplyDate"]) =
            (json!("2026-03-10"), json!("2026-01-10"));
        let late = [&SUPPLIER[..], &["invoiced_late"]].concat();
        assert_eq!(codes(&create(&server, &key, "invoices", &invoice)), late);
        assert_eq!(
            codes(&create(
                &server,
                &key,
                "invoices/1/credit-notes",
                &json!({"date": "2026-03-15"})
            )),
            SUPPLIER
        );
    }

    /// The VAT on a prepayment is due on the date of the prepayment invoice, and the final invoice
    /// cannot deduct it earlier (art. 13 Wet OB 1968).
    fn a_final_invoice_before_its_prepayment_has_a_warning(engine) {
        let (server, key) = started(engine);
        let invoice = |day: &str, price: i64, more: Value| {
            let mut invoice = simple_invoice();
            (invoice["invoiceDate"], invoice["customer"]) =
                (json!(day), json!({"externalId": "c-1", "name": "De Pier"}));
            invoice["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
            invoice.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            create(&server, &key, "invoices", &invoice)
        };
        invoice("2026-03-10", 100, json!({"prepayment": true}));
        let warned = |of: &Value| codes(of).contains(&"final_before_prepayment".to_owned());
        let draft = json!({"prepaymentInvoiceIds": [1], "status": "draft"});
        let early = invoice("2026-03-09", 500, draft);
        let read = || server.get(&key, "/api/v1/invoices/2").json();
        assert!(
            warned(&early)
                && warned(&read())
                && warned(&server.get(&key, "/api/v1/invoices?limit=1").json()["data"][0]),
            "{early}"
        );
        let moved =
            patch(&server, &key, "/api/v1/invoices/2", &[], &json!({"invoiceDate": "2026-03-10"}));
        assert!(
            moved.status == 200 && !warned(&moved.json()) && !warned(&read()),
            "{}",
            moved.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_reason_of_an_unusual_day_is_the_one_that_applies(engine) {
        let (server, key) = started(engine);
        let mut invoice = simple_invoice();
        let reason_given = |body: &Value| {
            let entry = body["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .find(|warning| warning["code"] == "date_unusual")
                .cloned();
            entry.map(|warning| {
                warning["message"].as_str().unwrap().split(';').next().unwrap().to_owned()
            })
        };
        invoice["invoiceDate"] = json!("2026-01-10");
        assert_eq!(reason_given(&create(&server, &key, "invoices", &invoice)), None);
        for (day, reason) in [
            ("2062-01-10", "this day is more than 31 days ahead"),
            ("2025-12-31", "this day is before the quarter of the first entry in the books"),
        ] {
            invoice["invoiceDate"] = json!(day);
            assert_eq!(
                reason_given(&create(&server, &key, "invoices", &invoice)).as_deref(),
                Some(reason),
                "{day}"
            );
        }
        let drawing =
            json!({"date": "2026-01-20", "kind": "drawing", "amount": 10, "method": "bank"});
        server.clock.set("2026-04-10T10:00:00Z");
        let (cx, now) = (server.owner(EMAIL), server.clock.now());
        server.write(move |tx| vat_filings::file(tx, &cx.at(now), Quarter::new(2026, 1).unwrap().into()));
        let filed = "this day is in or before a quarter whose VAT return is filed";
        assert_eq!(
            reason_given(&create(&server, &key, "private-bookings", &drawing)).as_deref(),
            Some(filed)
        );
        let paid = create(
            &server,
            &key,
            "invoices/1/payments",
            &json!({"date": "2026-01-20", "amount": 1}),
        );
        assert_eq!(reason_given(&paid).as_deref(), Some(filed));
        // The warning ends after some months, and at once when the booking is undone.
        let payment = "/api/v1/invoices/1/payments/1";
        server.clock.set("2026-08-01T10:00:00Z");
        assert_eq!(reason_given(&server.get(&key, payment).json()), None);
        assert_eq!(reason_given(&server.get(&key, "/api/v1/private-bookings/1").json()), None);
        server.clock.set("2026-07-31T10:00:00Z");
        assert_eq!(reason_given(&server.get(&key, payment).json()).as_deref(), Some(filed));
        let undone = server.post(&key, "/api/v1/private-bookings/1/undo", &json!({}));
        assert_eq!((undone.status, reason_given(&undone.json())), (200, None), "{}", undone.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}

fn strings(codes: &[&str]) -> Vec<String> {
    codes.iter().map(|code| (*code).to_owned()).collect()
}
