//! Open items of the opening balance: unpaid invoices and bills from the previous books.

use crate::{
    help::{cents, patch},
    purchases::expenses::postings,
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const OPENING: &str = "/api/v1/opening-balance";

fn receivable(number: &str, amount: f64) -> Value {
    json!({"kind": "receivable", "contact": "Museum De Pier", "number": number, "date": "2025-11-20", "dueDate": "2025-12-20", "amount": amount})
}

fn payable(number: &str, amount: f64) -> Value {
    json!({"kind": "payable", "contact": "Papierhal", "number": number, "date": "2025-12-10", "dueDate": "2026-01-09", "amount": amount})
}

fn opening(items: &[Value]) -> Value {
    json!({"externalId": "start", "date": "2026-01-01", "balances": [{"account": "1100", "amount": 8000}], "openItems": items})
}

/// Creates books that begin in 2026 with an open invoice and an open bill; today is 20 February.
fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account(EMAIL);
    server.clock.set("2026-02-20T10:00:00Z");
    let reply = server.post(
        &key,
        OPENING,
        &opening(&[receivable("F-2025-41", 605.0), payable("88104", 121.0)]),
    );
    assert_eq!(reply.status, 201, "{}", reply.text);
    (server, key)
}

/// Balance of a ledger account over all entries of 2026: debit less credit, in cents.
fn balance(server: &Server, key: &str, code: &str) -> i64 {
    let entries = server.get(key, "/api/v1/entries?year=2026&limit=500").json();
    let lines = entries["data"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|entry| entry["lines"].as_array().unwrap().clone());
    lines
        .filter(|line| line["accountCode"] == code)
        .map(|line| cents(&line["debit"]) - cents(&line["credit"]))
        .sum()
}

fn refused(reply: &Reply, code: &str) {
    assert_eq!((reply.status, reply.code().as_str()), (409, code), "{}", reply.text);
}

fn verified(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

on_both_engines! {
    fn open_items_become_an_invoice_and_a_bill(engine) {
        let (server, key) = started(engine);
        let balance_sheet = server.get(&key, &format!("{OPENING}/1")).json();
        let stands: Vec<(&str, i64)> = balance_sheet["balances"]
            .as_array()
            .unwrap()
            .iter()
            .map(|of| (of["account"].as_str().unwrap(), cents(&of["amount"])))
            .collect();
        assert_eq!(
            stands,
            [("1100", 800_000), ("1300", 60_500), ("1600", -12_100), ("0500", -848_400)]
        );
        assert_eq!(balance_sheet["entryIds"], json!([1, 2, 3]));
        let items = balance_sheet["openItems"].as_array().unwrap();
        assert_eq!(
            (&items[0]["invoiceId"], &items[0]["expenseId"], &items[0]["number"]),
            (&json!(1), &json!(null), &json!("F-2025-41"))
        );
        assert_eq!(server.get(&key, "/api/v1/expenses").json()["data"][0]["dueDate"], "2026-01-09");
        assert_eq!(
            (&items[1]["invoiceId"], &items[1]["expenseId"], &items[1]["dueDate"]),
            (&json!(null), &json!(1), &json!("2026-01-09"))
        );
        let invoice = server.get(&key, "/api/v1/invoices/1").json();
        let shown_as = [
            "source",
            "number",
            "status",
            "invoiceDate",
            "dueDate",
            "items",
            "vat",
            "entryIds",
            "warnings",
        ]
        .map(|name| invoice[name].clone());
        let expected =
            json!(["opening", "F-2025-41", "sent", "2025-11-20", "2025-12-20", [], [], [2], []]);
        assert_eq!(Value::from(shown_as.to_vec()), expected);
        assert_eq!(
            (cents(&invoice["total"]), cents(&invoice["amountDue"]), cents(&invoice["vatTotal"])),
            (60_500, 60_500, 0)
        );
        assert_eq!(invoice["customer"]["name"], "Museum De Pier");
        assert_eq!(postings(&server, &key, &json!(2)), ["1300 D 60500", "0500 C 60500"]);
        let bill = server.get(&key, "/api/v1/expenses/1").json();
        let shown_as =
            ["source", "supplier", "description", "date", "dueDate", "paidFrom", "items", "paid"]
                .map(|name| bill[name].clone());
        assert_eq!(
            Value::from(shown_as.to_vec()),
            json!([
                "opening",
                "Papierhal",
                "88104",
                "2025-12-10",
                "2026-01-09",
                "unpaid",
                [],
                false
            ])
        );
        assert_eq!((cents(&bill["amountDue"]), cents(&bill["vatTotal"])), (12_100, 0));
        assert_eq!(postings(&server, &key, &json!(3)), ["0500 D 12100", "1600 C 12100"]);
        // Open items are listed and found by number. New invoices are numbered from 1.
        let listed = server.get(&key, "/api/v1/invoices?number=F-2025-41").json();
        assert_eq!(listed["data"], json!([invoice]));
        assert_eq!(server.get(&key, "/api/v1/expenses?paid=false").json()["data"], json!([bill]));
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &simple_invoice()).json()["number"],
            "2026-0001"
        );
        // Open items are in no VAT box and are not revenue.
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!((cents(&summary["revenue"]), cents(&summary["costs"])), (10_000, 0));
        let again = server.post(&key, OPENING, &opening(&[]));
        assert_eq!((again.status, &again.json()["openItems"]), (200, &balance_sheet["openItems"]));
        verified(&server);
    }

    fn open_items_are_paid_in_parts_and_payments_are_undone(engine) {
        let (server, key) = started(engine);
        let pay =
            |path: &str, body: &Value| server.post(&key, &format!("/api/v1/{path}/payments"), body);
        let day = |amount: i64| json!({"date": "2026-01-15", "amount": amount, "method": "bank"});
        assert_eq!(pay("invoices/1", &day(600)).status, 201);
        assert_eq!(
            pay("invoices/1", &day(6)).faults(),
            [("/amount".into(), "exceeds_outstanding".into())]
        );
        assert_eq!(
            pay("invoices/1", &json!({"date": "2025-12-31"})).faults(),
            [("/date".into(), "out_of_range".into())]
        );
        assert_eq!(pay("invoices/1", &json!({"date": "2026-01-20"})).status, 201);
        let paid = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!(
            (&paid["paid"], &paid["paidAt"], balance(&server, &key, "1300")),
            (&json!(true), &json!("2026-01-20"), 0)
        );
        assert_eq!(pay("expenses/1", &day(21)).status, 201);
        assert_eq!(pay("expenses/1", &json!({"date": "2026-01-16"})).status, 201);
        assert_eq!(
            (
                cents(&server.get(&key, "/api/v1/expenses/1").json()["amountDue"]),
                balance(&server, &key, "1600")
            ),
            (0, 0)
        );
        verified(&server);
        assert_eq!(
            server
                .send("DELETE", "/api/v1/invoices/1/payments/1", &[("x-api-key", &key)], None)
                .status,
            200
        );
        assert_eq!(server.post(&key, "/api/v1/expenses/1/payments/1/undo", &json!({})).status, 200);
        assert_eq!(
            (balance(&server, &key, "1300"), balance(&server, &key, "1600")),
            (60_000, -2_100)
        );
        let items = server.get(&key, &format!("{OPENING}/1")).json()["openItems"].clone();
        assert_eq!((cents(&items[0]["amountDue"]), cents(&items[1]["amountDue"])), (60_000, 2_100));
        verified(&server);
    }

    fn no_open_item_is_written_off_before_the_books_begin(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let opening = json!({"date": "2026-02-01", "openItems": [{"kind": "receivable", "contact": "Museum De Pier", "number": "2024-17",
            "date": "2025-12-01", "dueDate": "2025-12-31", "amount": 1210}]});
        assert_eq!(server.post(&key, "/api/v1/opening-balance", &opening).status, 201);
        let early =
            server.post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2026-01-31"}));
        assert_eq!(
            (early.status, early.faults()),
            (422, vec![("/date".to_owned(), "out_of_range".to_owned())]),
            "{}",
            early.text
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2026-02-01"}))
                .status,
            201
        );
    }

    fn an_open_invoice_is_written_off_as_cost_alone_and_recovered(engine) {
        let (server, key) = started(engine);
        let reply = server.post(
            &key,
            "/api/v1/invoices/1/write-off",
            &json!({"date": "2026-02-01", "amount": 105}),
        );
        assert_eq!(reply.status, 201, "{}", reply.text);
        assert_eq!(
            postings(&server, &key, &reply.json()["entryId"]),
            ["4340 D 10500", "1300 C 10500"]
        );
        let warnings = server.get(&key, "/api/v1/invoices/1").json()["warnings"].clone();
        assert_eq!(warnings[0]["code"], "vat_not_known");
        assert!(warnings[0]["message"].as_str().unwrap().contains("art. 29(2)"));
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2026-02-02"}))
                .status,
            201
        );
        assert_eq!((balance(&server, &key, "1300"), balance(&server, &key, "4340")), (0, 60_500));
        verified(&server);
        // A later payment recovers part of the loss.
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/invoices/1/payments",
                    &json!({"date": "2026-02-10", "amount": 505})
                )
                .status,
            201
        );
        assert_eq!((balance(&server, &key, "1300"), balance(&server, &key, "4340")), (0, 10_000));
        verified(&server);
        assert_eq!(
            server
                .send("DELETE", "/api/v1/invoices/1/payments/1", &[("x-api-key", &key)], None)
                .status,
            200
        );
        for write_off in [2, 1] {
            assert_eq!(
                server
                    .post(
                        &key,
                        &format!("/api/v1/invoices/1/write-off/{write_off}/undo"),
                        &json!({})
                    )
                    .status,
                200
            );
        }
        assert_eq!((balance(&server, &key, "1300"), balance(&server, &key, "4340")), (60_500, 0));
        verified(&server);
    }

    fn open_items_cannot_be_edited_or_printed(engine) {
        let (server, key) = started(engine);
        let (invoice, bill) = ("/api/v1/invoices/1", "/api/v1/expenses/1");
        let before = [server.get(&key, invoice).text, server.get(&key, bill).text];
        refused(&patch(&server, &key, invoice, &[], &json!({"notes": "x"})), "is_opening_item");
        refused(&patch(&server, &key, bill, &[], &json!({"description": "x"})), "is_opening_item");
        refused(&server.send("DELETE", invoice, &[("x-api-key", &key)], None), "is_opening_item");
        refused(&server.post(&key, &format!("{bill}/undo"), &json!({})), "is_opening_item");
        refused(
            &server.post(&key, &format!("{invoice}/send"), &json!({"to": "post@pier.example"})),
            "is_opening_item",
        );
        refused(&server.get(&key, &format!("{invoice}/pdf")), "is_opening_item");
        refused(&server.get(&key, &format!("{invoice}/ubl")), "is_opening_item");
        let nothing =
            server.post(&key, &format!("{bill}/vat-repayment"), &json!({"date": "2026-02-01"}));
        assert_eq!(nothing.status, 422, "{}", nothing.text);
        assert_eq!(before, [server.get(&key, invoice).text, server.get(&key, bill).text]);
        verified(&server);
    }

    /// Art. 29(1) Wet OB 1968: of the open 605.00, 121.00 is credited, with a number from the
    /// account's own series. The VAT is reclaimed on the date of the credit note.
    fn an_open_invoice_is_credited_at_the_rates_of_its_day(engine) {
        let (server, key) = started(engine);
        let path = "/api/v1/invoices/1/credit-notes";
        let none = server.post(&key, path, &json!({"date": "2026-02-01"}));
        assert_eq!(none.faults(), [("/items".into(), "required".into())]);
        let items = |amount: f64| json!([{"description": "Too many hours", "amount": amount, "vatRate": 21}]);
        let early = server.post(&key, path, &json!({"date": "2025-12-31", "items": items(100.0)}));
        assert_eq!(early.faults(), [("/date".into(), "out_of_range".into())]);
        let much = server.post(&key, path, &json!({"date": "2026-02-01", "items": items(500.01)}));
        assert_eq!(much.faults(), [("/items".into(), "exceeds_outstanding".into())]);
        let both = json!([{"description": "x", "amount": 1, "unitPrice": 1, "vatRate": 21}]);
        let both = server.post(&key, path, &json!({"date": "2026-02-01", "items": both}));
        assert_eq!(both.faults(), [("/items/0/amount".into(), "conflicting_fields".into())]);
        let note = server.post(&key, path, &json!({"date": "2026-02-01", "items": items(100.0)}));
        assert_eq!(note.status, 201, "{}", note.text);
        let note = note.json();
        assert_eq!((&note["number"], cents(&note["total"])), (&json!("2026-0001"), -12_100));
        assert_eq!(
            postings(&server, &key, &note["entryIds"][0]),
            ["1300 C 12100", "8000 D 10000 1a", "1700 D 2100 1a"]
        );
        let invoice = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!((cents(&invoice["amountDue"]), cents(&invoice["amountCredited"])), (48_400, 12_100));
        verified(&server);
        refused(&server.post(&key, &format!("{OPENING}/1/undo"), &json!({})), "has_parts");
        // After the rest is credited, nothing remains.
        assert_eq!(server.post(&key, path, &json!({"date": "2026-02-02", "items": items(400.0)})).status, 201);
        assert_eq!(balance(&server, &key, "1300"), 0);
        refused(&server.post(&key, path, &json!({"date": "2026-02-02", "items": items(1.0)})), "already_credited");
        verified(&server);
    }

    /// The invoice total is 1 210.00, half of which was open: a credit above the open amount is
    /// owed to the customer. The VAT is known, so a write-off reclaims it (art. 29(2) Wet OB 1968).
    fn an_open_invoice_with_its_total_and_vat_is_credited_and_written_off(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let item = |number: &str, more: &Value| {
            let mut item = json!({"kind": "receivable", "contact": "Museum De Pier", "number": number,
                "date": "2025-12-01", "dueDate": "2025-12-31", "amount": 605});
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            item
        };
        let vat = json!([{"rate": 21, "base": 1000, "amount": 210}]);
        let known = json!({"total": 1210, "supplyDate": "2025-11-28", "vat": vat});
        let open = |items: Value| server.post(&key, OPENING, &json!({"date": "2026-01-01", "openItems": items}));
        let faults = [
            (json!({"total": 604.99}), "/openItems/0/total", "out_of_range"),
            (json!({"vat": vat}), "/openItems/0/vat", "out_of_range"),
            (json!({"vat": [{"rate": 20, "base": 500, "amount": 105}]}), "/openItems/0/vat/0/rate", "unknown_vat_rate"),
        ];
        for (more, path, code) in faults {
            let refused = open(json!([item("A", &more)]));
            assert_eq!(refused.faults(), [(path.into(), code.into())], "{more}");
        }
        let mut bill = item("A", &known);
        bill["kind"] = json!("payable");
        let at = |field: &str| (format!("/openItems/0/{field}"), "conflicting_fields".to_owned());
        assert_eq!(open(json!([bill])).faults(), ["total", "supplyDate", "vat"].map(at));
        let made = open(json!([item("A", &known), item("B", &known)]));
        assert_eq!(made.status, 201, "{}", made.text);
        let shown = server.get(&key, &format!("{OPENING}/1")).json()["openItems"][0].clone();
        assert_eq!((&shown["supplyDate"], cents(&shown["total"])), (&json!("2025-11-28"), 121_000));
        assert_eq!(shown["vat"], json!([{"rate": 21, "base": 1000.0, "amount": 210.0}]));
        // Invoice A is credited in full: 605.00 on account 1300, and 605.00 owed to the customer.
        let items = json!([{"description": "All", "amount": 1000, "vatRate": 21}]);
        let note = server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({"date": "2026-02-01", "items": items}));
        assert_eq!(note.status, 201, "{}", note.text);
        assert_eq!(
            postings(&server, &key, &note.json()["entryIds"][0]),
            ["1300 C 60500", "1630 C 60500", "8000 D 100000 1a", "1700 D 21000 1a"]
        );
        assert_eq!(cents(&server.get(&key, "/api/v1/invoices/1").json()["amountToRefund"]), 60_500);
        let other = json!([{"description": "All", "amount": 10, "vatRate": 9}]);
        let unknown = server.post(&key, "/api/v1/invoices/2/credit-notes", &json!({"date": "2026-02-01", "items": other}));
        assert_eq!(unknown.faults(), [("/items/0/vatRate".into(), "unknown_value".into())]);
        // Writing off the open half of invoice B reclaims half of its VAT.
        let lost = server.post(&key, "/api/v1/invoices/2/write-off", &json!({"date": "2026-03-01"}));
        assert_eq!(
            postings(&server, &key, &lost.json()["entryId"]),
            ["4340 D 50000 1a", "1700 D 10500 1a", "1300 C 60500"]
        );
        assert_eq!(server.get(&key, "/api/v1/invoices/2").json()["warnings"], json!([]));
        verified(&server);
    }

    fn the_customer_is_reminded_without_a_document(engine) {
        let (server, key) = started(engine);
        let reminded =
            server.post(&key, "/api/v1/invoices/1/remind", &json!({"to": "post@pier.example"}));
        assert!(matches!(reminded.status, 200..=202), "{}", reminded.text);
        server.deliver_mails();
        let mails = server.mails("post@pier.example");
        assert_eq!(mails.len(), 1);
        assert!(mails[0].text.contains("F-2025-41"), "{}", mails[0].text);
        verified(&server);
    }

    fn undoing_the_opening_balance_takes_its_items_back(engine) {
        let (server, key) = started(engine);
        let undo = || server.post(&key, &format!("{OPENING}/1/undo"), &json!({}));
        let payment = json!({"date": "2026-01-15"});
        assert_eq!(server.post(&key, "/api/v1/invoices/1/payments", &payment).status, 201);
        refused(&undo(), "has_parts");
        assert_eq!(
            server
                .send("DELETE", "/api/v1/invoices/1/payments/1", &[("x-api-key", &key)], None)
                .status,
            200
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/1/write-off", &json!({"date": "2026-02-01"}))
                .status,
            201
        );
        refused(&undo(), "has_parts");
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/write-off/1/undo", &json!({})).status,
            200
        );
        assert_eq!(server.post(&key, "/api/v1/expenses/1/payments", &payment).status, 201);
        refused(&undo(), "has_parts");
        assert_eq!(server.post(&key, "/api/v1/expenses/1/payments/1/undo", &json!({})).status, 200);
        let undone = undo();
        assert_eq!(undone.status, 200, "{}", undone.text);
        for code in ["0500", "1100", "1300", "1600"] {
            assert_eq!(balance(&server, &key, code), 0, "{code}");
        }
        let (invoice, bill) = (
            server.get(&key, "/api/v1/invoices/1").json(),
            server.get(&key, "/api/v1/expenses/1").json(),
        );
        assert_eq!((&invoice["status"], cents(&invoice["amountDue"])), (&json!("cancelled"), 0));
        assert_eq!((&bill["status"], cents(&bill["amountDue"])), (&json!("undone"), 0));
        refused(&server.post(&key, "/api/v1/invoices/1/payments", &payment), "not_a_draft");
        refused(&server.post(&key, "/api/v1/expenses/1/payments", &payment), "already_undone");
        verified(&server);
        // The opening balance is entered again, with the same numbers.
        let mut replacement = opening(&[receivable("F-2025-41", 600.0), payable("88104", 121.0)]);
        replacement["externalId"] = json!("again");
        let reply = server.post(&key, OPENING, &replacement);
        assert_eq!(
            (reply.status, &reply.json()["openItems"][0]["invoiceId"]),
            (201, &json!(2)),
            "{}",
            reply.text
        );
        assert_eq!(
            server.get(&key, "/api/v1/invoices?number=F-2025-41").json()["data"][0]["id"],
            2
        );
        assert_eq!(
            server.get(&key, "/api/v1/contacts").json()["data"].as_array().unwrap().len(),
            1
        );
        verified(&server);
    }

    fn an_opening_balance_may_consist_of_open_items_only(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let empty = server.post(&key, OPENING, &json!({"date": "2026-01-01"}));
        assert_eq!(empty.faults(), [("/balances".into(), "required".into())]);
        let empty = server.post(
            &key,
            OPENING,
            &json!({"date": "2026-01-01", "balances": [], "openItems": []}),
        );
        assert_eq!(empty.faults(), [("/balances".into(), "required".into())]);
        let reply = server.post(
            &key,
            OPENING,
            &json!({"date": "2026-01-01", "openItems": [payable("7", 50.25)]}),
        );
        assert_eq!((reply.status, &reply.json()["entryIds"]), (201, &json!([1])), "{}", reply.text);
        assert_eq!(
            (balance(&server, &key, "1600"), balance(&server, &key, "0500")),
            (-5_025, 5_025)
        );
        verified(&server);
        assert_eq!(server.post(&key, &format!("{OPENING}/1/undo"), &json!({})).status, 200);
        verified(&server);
    }

    fn each_fault_of_an_item_is_named(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        let number =
            server.get(&key, "/api/v1/invoices/1").json()["number"].as_str().unwrap().to_owned();
        let year = &number[..4];
        let with = |field: &str, value: Value| {
            let mut item = receivable("A-1", 10.0);
            item[field] = value;
            item
        };
        let mut late = with("date", json!("2026-01-02"));
        late["dueDate"] = json!("2026-02-01");
        let cases = [
            (with("kind", json!("loan")), "kind", "unknown_value"),
            (with("contact", json!(99)), "contact", "unknown_contact"),
            (with("contact", json!("")), "contact", "required"),
            (with("contact", json!(true)), "contact", "invalid_type"),
            (with("number", json!(41)), "number", "invalid_type"),
            (with("number", json!(number)), "number", "taken"),
            (with("number", json!(format!("{year}-0007"))), "number", "taken"),
            (late, "date", "out_of_range"),
            (with("dueDate", json!("2025-11-19")), "dueDate", "out_of_range"),
            (with("dueDate", json!("soon")), "dueDate", "invalid_date"),
            (with("amount", json!(0)), "amount", "out_of_range"),
            (with("amount", json!(-5)), "amount", "out_of_range"),
            (with("amount", json!(1.001)), "amount", "too_many"),
            (with("paid", json!(true)), "paid", "unknown_field"),
        ];
        for (item, field, code) in cases {
            let reply = server.post(&key, OPENING, &opening(&[payable("1", 1.0), item.clone()]));
            let faults = reply.faults();
            assert_eq!(
                (reply.status, faults.len(), faults[0].0.as_str()),
                (422, 1, format!("/openItems/1/{field}").as_str()),
                "{item} {}",
                reply.text
            );
            assert_eq!(faults[0].1, code, "{item} {}", reply.text);
        }
        let twice = server.post(
            &key,
            OPENING,
            &opening(&[receivable("A-1", 1.0), payable("A-1", 1.0), receivable("A-1", 2.0)]),
        );
        assert_eq!(twice.faults(), [("/openItems/2/number".into(), "taken".into())]);
        // Numbers of bills are unique per supplier.
        let mut other = payable("A-1", 3.0);
        other["contact"] = json!("Drukkerij");
        let twice = server.post(
            &key,
            OPENING,
            &opening(&[payable("A-1", 1.0), other, payable("A-2", 1.0), payable("A-1", 2.0)]),
        );
        assert_eq!(twice.faults(), [("/openItems/3/number".into(), "taken".into())]);
        assert!(
            twice.text.contains("bill A-1 of this supplier is listed already"),
            "{}",
            twice.text
        );
        for account in ["1300", "1600"] {
            let mut named = opening(&[]);
            named["balances"] = json!([{"account": account, "amount": 5}]);
            let reply = server.post(&key, OPENING, &named);
            assert_eq!(reply.faults(), [("/balances/0/account".into(), "kept_by_program".into())]);
            assert!(reply.text.contains("openItems"), "{}", reply.text);
        }
        assert_eq!(server.get(&key, OPENING).json()["data"], json!([]));
        assert_eq!(
            server.get(&key, "/api/v1/invoices").json()["data"].as_array().unwrap().len(),
            1
        );
        verified(&server);
    }

    fn the_books_begin_today_at_the_latest_and_with_nothing_booked_before(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        server.clock.set("2026-02-20T10:00:00Z");
        let begin = |day: &str| {
            server.post(
                &key,
                OPENING,
                &json!({"date": day, "balances": [{"account": "1100", "amount": 8000}]}),
            )
        };
        let early = begin("2026-02-21");
        assert_eq!(
            (early.status, early.faults()),
            (422, vec![("/date".into(), "out_of_range".into())])
        );
        assert!(early.text.contains("2026-02-20 at the latest"), "{}", early.text);
        let mut invoice = simple_invoice();
        invoice["invoiceDate"] = json!("2026-01-15");
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let late = begin("2026-01-16");
        assert_eq!(
            (late.status, late.faults()),
            (422, vec![("/date".into(), "out_of_range".into())])
        );
        assert!(late.text.contains("something is booked on 2026-01-15"), "{}", late.text);
        assert_eq!(begin("2026-01-15").status, 201);
        assert_eq!(server.post(&key, &format!("{OPENING}/1/undo"), &json!({})).status, 200);
        // The credited invoice was in force until its credit note, so the books cannot begin on a
        // day between the two.
        assert_eq!(server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).status, 201);
        assert_eq!(begin("2026-02-01").status, 422);
        verified(&server);
        // An undone opening balance does not block a new one.
        let bob = server.account("bob@example.com");
        let at = |day: &str| {
            server.post(
                &bob,
                OPENING,
                &json!({"date": day, "balances": [{"account": "1100", "amount": 8000}]}),
            )
        };
        assert_eq!(at("2026-01-01").status, 201);
        assert_eq!(server.post(&bob, &format!("{OPENING}/1/undo"), &json!({})).status, 200);
        assert_eq!(at("2026-02-20").status, 201);
        // An entry that is reversed later is still in force on the days in between.
        let carol = server.account("carol@example.com");
        let accrual = json!({"date": "2025-12-31", "kind": "accruedCost", "account": "4120", "amount": 50, "reverseOn": "2026-01-01"});
        assert_eq!(server.post(&carol, "/api/v1/accruals", &accrual).status, 201);
        let refused = server.post(
            &carol,
            OPENING,
            &json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 8000}]}),
        );
        assert_eq!(
            (refused.status, refused.text.contains("something is booked on 2025-12-31")),
            (422, true),
            "{}",
            refused.text
        );
        assert_eq!(server.discrepancies("bob@example.com"), Vec::<String>::new());
    }

    fn the_list_of_accounts_says_which_are_taken(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let chart: Vec<String> =
            ledger::chart::CHART.iter().map(|account| account.code.to_string()).collect();
        let accounts = server.get(&key, "/api/v1/ledger-accounts?limit=500").json();
        let bookable = accounts["data"].as_array().unwrap().iter();
        let by_hand: Vec<String> = bookable
            .filter(|account| account["bookable"] == json!(true))
            .map(|account| account["code"].as_str().unwrap().to_owned())
            .collect();
        // The owner's equity is the difference of all other balances.
        let opens: Vec<&String> = by_hand.iter().filter(|code| *code != "0500").collect();
        for code in &chart {
            let alone = json!({"date": "2027-01-01", "balances": [{"account": code, "amount": 1}]});
            let faults = server.post(&key, OPENING, &alone).faults();
            assert_eq!(
                faults.iter().any(|(_, fault)| fault == "kept_by_program"),
                !opens.contains(&code),
                "{code}: {faults:?}"
            );
            let line = json!({"date": "2026-01-01", "description": "x", "lines": [{"account": code, "debit": 1}, {"account": code, "debit": 1}]});
            let faults = server.post(&key, "/api/v1/manual-entries", &line).faults();
            assert_eq!(
                faults.iter().any(|(_, fault)| fault == "kept_by_program"),
                !by_hand.contains(code),
                "{code}: {faults:?}"
            );
        }
        assert!(
            opens.contains(&&"1100".to_owned())
                && !opens.contains(&&"1300".to_owned())
                && !opens.contains(&&"0500".to_owned())
        );
    }

    fn open_items_appear_among_receivables_and_bills(engine) {
        let (server, key) = started(engine);
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        let of = |side: &str, code: &str| {
            let lines = summary["balanceSheet"][side].as_array().unwrap().clone();
            lines
                .iter()
                .find(|line| line["accountCode"] == code)
                .map_or(0, |line| cents(&line["amount"]))
        };
        assert_eq!((of("assets", "1300"), of("liabilities", "1600")), (60_500, 12_100));
        let contact =
            server.get(&key, "/api/v1/invoices/1").json()["customer"]["contactId"].clone();
        let of_contact = server.get(&key, &format!("/api/v1/invoices?contactId={contact}")).json();
        assert_eq!(of_contact["data"].as_array().unwrap().len(), 1);
        // In the audit file the open items belong to the opening balance, not to the year's sales.
        // Each has the amount that the customer owes.
        for version in ["3.2", "4.0"] {
            let xaf = server.get(&key, &format!("/api/v1/audit-files/2026?version={version}")).text;
            let xaf: String = xaf.lines().map(str::trim).collect();
            let (_, rest) = xaf.split_once("<openingBalance>").unwrap();
            let (opening, booked) = rest.split_once("</openingBalance>").unwrap();
            assert!(
                opening.contains("<accID>1300</accID><amnt>605.00</amnt><amntTp>D</amntTp>"),
                "{opening}"
            );
            assert!(
                opening.contains("<accID>1600</accID><amnt>121.00</amnt><amntTp>C</amntTp>"),
                "{opening}"
            );
            let owed = if version == "3.2" {
                "<sbType>CS</sbType>"
            } else {
                "<opBalDesc>605.00</opBalDesc><opBalTp>D</opBalTp>"
            };
            assert!(xaf.contains(owed), "{xaf}");
            assert!(
                !booked.contains("<jrnID>VRK</jrnID>") && !booked.contains("<jrnID>BEG</jrnID>"),
                "{booked}"
            );
        }
        // The export of the account includes the open items.
        let export = server.export(server.owner(EMAIL).actor.account).to_string();
        assert!(export.contains("opening_items") && export.contains("F-2025-41"));
        verified(&server);
    }
}
