//! Expenses over the API: booked as an accountant expects, edited, paid, undone.

use crate::help::{cents, file, ids, patch, vat_box};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

/// Formats the postings of an entry: account, D or C, cents, VAT box.
pub(crate) fn postings(server: &Server, key: &str, entry: &Value) -> Vec<String> {
    let entry = server.get(key, &format!("/api/v1/entries/{entry}")).json();
    let line = |posting: &Value| {
        let (debit, credit) = (cents(&posting["debit"]), cents(&posting["credit"]));
        let (side, amount) = if credit == 0 { ("D", debit) } else { ("C", credit) };
        let vat_box =
            posting["vatBox"].as_str().map_or(String::new(), |vat_box| format!(" {vat_box}"));
        format!("{} {side} {amount}{vat_box}", posting["accountCode"].as_str().unwrap())
    };
    entry["lines"].as_array().unwrap().iter().map(line).collect()
}

fn expense(items: Value, more: Value) -> Value {
    let mut body = json!({"date": "2026-02-10", "supplier": "Papierhal", "description": "Bought", "items": items});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn record(server: &Server, key: &str, body: &Value) -> Value {
    let reply = server.post(key, "/api/v1/expenses", body);
    assert_eq!(reply.status, 201, "{} {body}", reply.text);
    reply.json()
}

pub(crate) fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    let key = server.account("anna@example.com");
    server.clock.set("2026-05-02T10:00:00Z");
    (server, key)
}

pub(crate) fn act(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", path, &[("x-api-key", key)], Some(b""))
}

on_both_engines! {
    fn a_bill_has_a_number_a_due_date_and_a_payee(engine) {
        let (server, key) = started(engine);
        let items = json!([{"category": "4100", "amount": 100.00, "vatRate": 21}]);
        let bill = |more: Value| {
            let mut body = expense(items.clone(), more);
            body["paidFrom"] = json!("unpaid");
            body
        };
        let faults = |body: &Value| server.post(&key, "/api/v1/expenses", body).faults();
        let text = |length: usize| "x".repeat(length);
        for (more, at, code) in [
            (json!({"dueDate": "2026-02-09"}), "/dueDate", "out_of_range"),
            (json!({"supplierInvoiceNumber": text(101)}), "/supplierInvoiceNumber", "too_long"),
            (json!({"payTo": {"iban": "NL91ABNA0417164301"}}), "/payTo/iban", "invalid_format"),
            (json!({"payTo": {"bic": "X"}}), "/payTo/bic", "invalid_format"),
            (json!({"payTo": {"name": text(71)}}), "/payTo/name", "too_long"),
            (json!({"payTo": {"reference": text(141)}}), "/payTo/reference", "too_long"),
        ] {
            assert_eq!(faults(&bill(more)), [(at.to_owned(), code.to_owned())]);
        }
        let plain = record(&server, &key, &bill(json!({})));
        assert_eq!(
            (&plain["supplierInvoiceNumber"], &plain["dueDate"], &plain["payTo"]),
            (&Value::Null, &json!("2026-03-12"), &Value::Null)
        );
        let paid = record(&server, &key, &expense(items.clone(), json!({"description": "Paid"})));
        assert_eq!(paid["dueDate"], Value::Null);
        let pay_to = json!({"name": "Factor", "iban": "nl91 abna 0417 1643 00", "reference": "7"});
        let full = json!({"supplierInvoiceNumber": "F-007/12", "dueDate": "2026-02-10", "payTo": pay_to});
        let full = record(&server, &key, &bill(full));
        let kept = json!({"name": "Factor", "iban": "NL91ABNA0417164300", "bic": null, "reference": "7"});
        assert_eq!(
            (&full["supplierInvoiceNumber"], &full["dueDate"], &full["payTo"]),
            (&json!("F-007/12"), &json!("2026-02-10"), &kept)
        );
        let found = |query: &str| ids(&server.get(&key, &format!("/api/v1/expenses?{query}")).json());
        assert_eq!(found("supplierInvoiceNumber=f00712"), [3]);
        assert_eq!(found("supplierInvoiceNumber=00F%20007-12"), [3]);
        assert!(found("supplierInvoiceNumber=f0071").is_empty());
        // Today is 2 May.
        assert_eq!((found("overdue=true"), found("overdue=false")), (vec![3, 1], vec![2]));
        assert_eq!(found("dueBefore=2026-03-12"), [3]);
        assert_eq!(found("dueBefore=2026-03-13"), [3, 1]);
    }

    fn the_number_due_date_and_payee_of_a_bill_change_without_an_entry(engine) {
        let (server, key) = started(engine);
        let items = json!([{"category": "4100", "amount": 100.00, "vatRate": 21}]);
        let made = record(&server, &key, &expense(items, json!({"paidFrom": "unpaid"})));
        let edit = |body: Value| {
            let edited = patch(&server, &key, "/api/v1/expenses/1", &[], &body);
            assert_eq!(edited.status, 200, "{}", edited.text);
            edited.json()
        };
        let iban = "NL91ABNA0417164300";
        let edited = edit(json!({"supplierInvoiceNumber": "12", "payTo": {"iban": iban, "name": "Factor"}}));
        assert_eq!((&edited["supplierInvoiceNumber"], &edited["payTo"]["iban"]), (&json!("12"), &json!(iban)));
        assert_eq!(edited["entryIds"], made["entryIds"]);
        let edited = edit(json!({"payTo": {"name": null, "reference": "R"}}));
        let kept = json!({"name": null, "iban": iban, "bic": null, "reference": "R"});
        assert_eq!(edited["payTo"], kept);
        assert_eq!(edit(json!({"description": "Other"}))["payTo"], kept);
        assert_eq!(edit(json!({"payTo": null, "supplierInvoiceNumber": null}))["payTo"], Value::Null);
        // The usual due date follows the date of the bill; another one must fit.
        assert_eq!(edit(json!({"date": "2026-02-20"}))["dueDate"], json!("2026-03-22"));
        assert_eq!(edit(json!({"dueDate": "2026-02-27"}))["dueDate"], json!("2026-02-27"));
        let refused = patch(&server, &key, "/api/v1/expenses/1", &[], &json!({"date": "2026-02-28"}));
        assert_eq!(refused.faults(), [("/dueDate".to_owned(), "out_of_range".to_owned())]);
        assert_eq!(edit(json!({"dueDate": null}))["dueDate"], json!("2026-03-22"));
        assert_eq!(edit(json!({"paidFrom": "bank", "dueDate": null}))["dueDate"], Value::Null);
        assert_eq!(edit(json!({"paidFrom": "unpaid"}))["dueDate"], json!("2026-03-22"));
    }

    fn every_treatment_is_booked_as_an_accountant_books_it(engine) {
        let (server, key) = started(engine);
        let line = |category: &str, amount: Value, treatment: &str, rate: i64| json!({"category": category, "amount": amount, "vatRate": rate, "vatTreatment": treatment});
        let meal = json!({"category": "4315", "amount": 109.00, "vatRate": 9, "includesVat": true});
        let customs = json!({"category": "7000", "vatTreatment": "importVatPaid", "vat": 210.00});
        let cases: [(Value, Value, &[&str]); 8] = [
            (
                json!([line("4100", json!(100.00), "normal", 21)]),
                json!({}),
                &["4100 D 10000", "1500 D 2100 5b", "1100 C 12100"],
            ),
            (
                json!([line("4120", json!(41.32), "normal", 21)]),
                json!({"businessShare": 70}),
                &["4120 D 2892", "1500 D 608 5b", "0520 D 1500", "1100 C 5000"],
            ),
            (
                json!([line("4110", json!(100), "eu", 21)]),
                json!({"businessShare": 60}),
                &[
                    "4110 D 6000 4b",
                    "0520 D 4000 4b",
                    "1520 D 1260 5b",
                    "0520 D 840",
                    "1760 C 2100 4b",
                    "1100 C 10000",
                ],
            ),
            (json!([meal]), json!({}), &["4315 D 10900", "1100 C 10900"]),
            (
                json!([line("7000", json!(1000), "import", 21)]),
                json!({"paidFrom": "unpaid"}),
                &["7000 D 100000 4a", "1520 D 21000 5b", "1750 C 21000 4a", "1600 C 100000"],
            ),
            (
                json!([customs, line("7000", json!(12), "normal", 21)]),
                json!({}),
                &["7000 D 1200", "1500 D 21252 5b", "1100 C 22452"],
            ),
            (
                json!([line("7100", json!(500), "reverseCharge", 21)]),
                json!({"paidFrom": "private"}),
                &["7100 D 50000 2a", "1520 D 10500 5b", "1740 C 10500 2a", "0510 C 50000"],
            ),
            (
                json!([{"category": "4400", "amount": 99.50, "vatTreatment": "none"}]),
                json!({}),
                &["4400 D 9950", "1100 C 9950"],
            ),
        ];
        for (items, more, expected) in cases {
            let recorded = record(&server, &key, &expense(items, more));
            assert_eq!(postings(&server, &key, &recorded["entryIds"][0]), expected, "{recorded}");
            assert_eq!(
                server.get(&key, &format!("/api/v1/expenses/{}", recorded["id"])).json(),
                recorded
            );
        }
        // The VAT amount printed on the bill is booked; an implausible one gets a warning.
        let printed = |vat| json!([{"category": "4100", "amount": 121, "vatRate": 21, "includesVat": true, "vat": vat}]);
        let fits =
            record(&server, &key, &expense(printed(json!(21.20)), json!({"supplier": "Drukker"})));
        assert_eq!(
            (cents(&fits["vatTotal"]), cents(&fits["subtotal"]), &fits["warnings"]),
            (2_120, 9_980, &json!([]))
        );
        let odd =
            record(&server, &key, &expense(printed(json!(9.99)), json!({"supplier": "Binder"})));
        assert_eq!(odd["warnings"][0]["code"], "vat_differs", "{odd}");
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn all_faults_are_reported_at_once_at_their_fields(engine) {
        let (server, key) = started(engine);
        let line = |more: Value| {
            let mut line = json!({"category": "4100", "amount": 10, "vatRate": 21});
            for (name, value) in more.as_object().unwrap() {
                line[name] = value.clone();
            }
            json!([line])
        };
        let cases = [
            (json!({}), vec![("/date", "required"), ("/items", "required")]),
            (
                expense(line(json!({"category": "1100"})), json!({"receiptIds": [9]})),
                vec![("/receiptIds", "unknown_receipt"), ("/items/0/category", "unknown_value")],
            ),
            (
                expense(line(json!({"vatRate": 19})), json!({})),
                vec![("/items/0/vatRate", "unknown_vat_rate")],
            ),
            (
                expense(line(json!({"vatTreatment": "eu", "vat": 2.10})), json!({})),
                vec![("/items/0/vat", "unknown_value")],
            ),
            (
                expense(line(json!({"vatTreatment": "importVatPaid"})), json!({})),
                vec![("/items/0/vat", "required")],
            ),
            (
                expense(line(json!({"amount": 0})), json!({})),
                vec![("/items/0/amount", "out_of_range")],
            ),
            (
                expense(line(json!({"discount": 1})), json!({"businessShare": 101})),
                vec![("/items/0/discount", "unknown_field"), ("/businessShare", "out_of_range")],
            ),
            (
                expense(line(json!({})), json!({"contactId": 7, "paidFrom": "barter"})),
                vec![("/paidFrom", "unknown_value")],
            ),
            (
                expense(line(json!({})), json!({"contactId": 7})),
                vec![("/contactId", "unknown_contact")],
            ),
            (
                json!({"date": "2026-02-10", "items": line(json!({}))}),
                vec![("/description", "required")],
            ),
        ];
        for (body, expected) in cases {
            let refused = server.post(&key, "/api/v1/expenses", &body);
            let expected: Vec<(String, String)> =
                expected.into_iter().map(|(at, code)| (at.to_owned(), code.to_owned())).collect();
            assert_eq!((refused.status, refused.faults()), (422, expected), "{body}");
        }
        assert_eq!(ids(&server.get(&key, "/api/v1/expenses").json()), Vec::<i64>::new());
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_edit_is_a_reversal_and_a_new_entry_and_undoing_reverses_all(engine) {
        let (server, key) = started(engine);
        let body = expense(
            json!([{"category": "4100", "amount": 100, "vatRate": 21}]),
            json!({"externalId": "shop-1"}),
        );
        let first = record(&server, &key, &body);
        let again = server.post(&key, "/api/v1/expenses", &json!({"externalId": "shop-1"}));
        assert_eq!(
            (again.status, again.json(), again.header("idempotent-replay")),
            (200, first.clone(), Some("true"))
        );
        let path = "/api/v1/expenses/1";
        let same = patch(&server, &key, path, &[], &json!({"description": "Bought"}));
        assert_eq!((same.status, same.json()), (200, first.clone()));
        let tag = server.get(&key, path).header("etag").unwrap().to_owned();
        let edited = patch(
            &server,
            &key,
            path,
            &[&tag],
            &json!({"date": "2026-04-01", "businessShare": 50}),
        );
        assert_eq!(
            (edited.status, edited.json()["entryIds"].clone()),
            (200, json!([1, 2, 3])),
            "{}",
            edited.text
        );
        assert_eq!(
            postings(&server, &key, &json!(2)),
            ["4100 C 10000", "1500 C 2100 5b", "1100 D 12100"]
        );
        assert_eq!(vat_box(&server, &key, "2026/1", "5b"), (0, 0));
        assert_eq!(vat_box(&server, &key, "2026/2", "5b"), (0, 1_050));
        let stale = patch(&server, &key, path, &[&tag], &json!({"businessShare": 60}));
        assert_eq!((stale.status, stale.code()), (412, "precondition_failed".to_owned()));
        let undone = act(&server, &key, &format!("{path}/undo"));
        assert_eq!(
            (undone.status, undone.json()["status"].clone(), undone.json()["entryIds"].clone()),
            (200, json!("undone"), json!([1, 2, 3, 4]))
        );
        assert_eq!(act(&server, &key, &format!("{path}/undo")).json(), undone.json());
        assert_eq!(
            patch(&server, &key, path, &[], &json!({"description": "x"})).code(),
            "already_undone"
        );
        assert_eq!(act(&server, &key, "/api/v1/expenses/2/undo").code(), "not_found");
        assert_eq!(vat_box(&server, &key, "2026/2", "5b"), (0, 0));
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn bills_are_paid_and_the_vat_of_unpaid_ones_is_repaid(engine) {
        let (server, key) = started(engine);
        let bill = expense(
            json!([{"category": "4100", "amount": 500, "vatRate": 21}]),
            json!({"paidFrom": "unpaid"}),
        );
        record(&server, &key, &bill);
        record(
            &server,
            &key,
            &expense(json!([{"category": "4100", "amount": 10, "vatRate": 21}]), json!({})),
        );
        assert_eq!(ids(&server.get(&key, "/api/v1/expenses?paid=false").json()), [1]);
        let pay = |body: Value| server.post(&key, "/api/v1/expenses/1/payments", &body);
        let part = pay(json!({"externalId": "p", "date": "2026-03-01", "amount": 121}));
        assert_eq!((part.status, cents(&part.json()["amount"])), (201, 12_100), "{}", part.text);
        assert_eq!(pay(json!({"externalId": "p"})).status, 200);
        assert_eq!(
            pay(json!({"amount": 484.01})).faults(),
            [("/amount".to_owned(), "exceeds_outstanding".to_owned())]
        );
        // All faults of the payment are reported at once.
        let faults = pay(json!({"amount": 484.01, "date": "2099-01-01"})).faults();
        assert_eq!(
            faults.iter().map(|fault| fault.0.as_str()).collect::<Vec<_>>(),
            ["/amount", "/date"]
        );
        assert_eq!(
            pay(json!({"date": "2026-05-04"})).faults(),
            [("/date".to_owned(), "out_of_range".to_owned())]
        );
        // A year later 484 of 605 is unpaid, so 84 of the VAT is repaid.
        server.clock.set("2027-03-01T10:00:00Z");
        let repaid = act(&server, &key, "/api/v1/expenses/1/vat-repayment");
        assert_eq!(
            (repaid.status, cents(&repaid.json()["vatRepaid"])),
            (200, 8_400),
            "{}",
            repaid.text
        );
        assert_eq!(
            postings(&server, &key, &repaid.json()["entryIds"][2]),
            ["4450 D 8400", "1500 C 8400 5b"]
        );
        assert_eq!(
            act(&server, &key, "/api/v1/expenses/1/vat-repayment").faults()[0].1,
            "exceeds_outstanding"
        );
        let refused = patch(&server, &key, "/api/v1/expenses/1", &[], &json!({"paidFrom": "bank"}));
        assert_eq!(refused.faults(), [("/paidFrom".to_owned(), "out_of_range".to_owned())]);
        // Half of the unpaid amount is paid after all, so half of the repaid VAT is deducted again.
        let half = pay(json!({"amount": 242}));
        assert_eq!(cents(&half.json()["vatRecovered"]), 4_200, "{}", half.text);
        assert_eq!(
            postings(&server, &key, &half.json()["entryId"]),
            ["1600 D 24200", "1500 D 4200 5b", "1100 C 24200", "4450 C 4200"]
        );
        let undone = act(&server, &key, "/api/v1/expenses/1/payments/2/undo");
        assert_eq!(
            (undone.status, undone.json()["undoneAt"].is_null()),
            (200, false),
            "{}",
            undone.text
        );
        let all = act(&server, &key, "/api/v1/expenses/1/payments");
        assert_eq!(
            (all.status, cents(&all.json()["amount"]), cents(&all.json()["vatRecovered"])),
            (201, 48_400, 8_400)
        );
        let bill = server.get(&key, "/api/v1/expenses/1").json();
        assert_eq!(
            (&bill["paid"], cents(&bill["amountDue"]), cents(&bill["vatRepaid"])),
            (&json!(true), 0, 0),
            "{bill}"
        );
        assert_eq!(
            server.get(&key, "/api/v1/expenses/1/payments").json()["data"]
                .as_array()
                .unwrap()
                .len(),
            3
        );
        assert_eq!(
            server.post(&key, "/api/v1/expenses/2/payments", &json!({})).faults()[0].1,
            "exceeds_outstanding"
        );
        assert_eq!(act(&server, &key, "/api/v1/expenses/1/undo").status, 200);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_filed_quarter_accepts_no_vat_but_a_new_description(engine) {
        let (server, key) = started(engine);
        let body = expense(json!([{"category": "4100", "amount": 100, "vatRate": 21}]), json!({}));
        record(&server, &key, &body);
        file(&server, "anna@example.com", 2026, 1);
        assert_eq!(server.post(&key, "/api/v1/expenses", &body).code(), "period_filed");
        for change in [json!({"businessShare": 90}), json!({"date": "2026-04-01"})] {
            assert_eq!(
                patch(&server, &key, "/api/v1/expenses/1", &[], &change).code(),
                "period_filed",
                "{change}"
            );
        }
        assert_eq!(act(&server, &key, "/api/v1/expenses/1/undo").code(), "period_filed");
        let named =
            patch(&server, &key, "/api/v1/expenses/1", &[], &json!({"description": "Toner"}));
        assert_eq!((named.status, &named.json()["entryIds"]), (200, &json!([1])), "{}", named.text);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_account_cannot_reach_expenses_and_receipts_of_another(engine) {
        let (server, key) = started(engine);
        record(
            &server,
            &key,
            &expense(json!([{"category": "4100", "amount": 100, "vatRate": 21}]), json!({})),
        );
        let pdf: &[u8] = b"%PDF-1.7 mine";
        assert_eq!(
            server
                .send(
                    "POST",
                    "/api/v1/receipts",
                    &[("x-api-key", &key), ("content-type", "application/pdf")],
                    Some(pdf)
                )
                .status,
            201
        );
        let other = server.account("bram@example.com");
        for path in ["expenses/1", "expenses/1/payments", "receipts/1", "receipts/1/file"] {
            assert_eq!(server.get(&other, &format!("/api/v1/{path}")).status, 404, "{path}");
        }
        for path in [
            "expenses/1/undo",
            "expenses/1/payments",
            "expenses/1/vat-repayment",
            "expenses/1/payments/1/undo",
        ] {
            assert_eq!(act(&server, &other, &format!("/api/v1/{path}")).status, 404, "{path}");
        }
        assert_eq!(
            server.send("DELETE", "/api/v1/receipts/1", &[("x-api-key", &other)], None).status,
            404
        );
        server.account_of("eva@example.com", "BE", store::accounts::Plan::Starter);
        let belgian = server.key("eva@example.com", true, true);
        assert_eq!(
            server.post(&belgian, "/api/v1/expenses", &json!({})).code(),
            "dutch_account_required"
        );
    }

    fn the_same_bill_twice_has_a_warning(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let bill = |more: Value| {
            expense(json!([{"category": "4100", "amount": 10, "vatTreatment": "none"}]), more)
        };
        let others = |of: &Value| {
            let duplicate = of["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .find(|warning| warning["code"] == "duplicate_amount")
                .cloned();
            duplicate.map(|warning| {
                warning["message"].as_str().unwrap().split(';').next().unwrap().to_owned()
            })
        };
        let first = record(&server, &key, &bill(json!({})));
        assert_eq!(others(&first), None);
        let dearer = json!({"items": [{"category": "4100", "amount": 11, "vatTreatment": "none"}]});
        let nameless = json!({"supplier": null});
        for (more, is_same) in [
            (json!({"date": "2026-02-11"}), false),
            (dearer, false),
            (json!({"supplier": "Papierhallen"}), false),
            (nameless.clone(), false),
            // Without a supplier, two expenses are not assumed to be from the same one.
            (nameless, false),
            (json!({"supplier": "PAPIER hal", "description": "Again"}), true),
        ] {
            let recorded = record(&server, &key, &bill(more.clone()));
            assert_eq!(
                others(&recorded),
                is_same.then(|| "the same supplier, day and amount as expense 1".to_owned()),
                "{more}"
            );
        }
        let read = |id: i64| others(&server.get(&key, &format!("/api/v1/expenses/{id}")).json());
        assert_eq!(read(1).as_deref(), Some("the same supplier, day and amount as expense 7"));
        let moved = patch(&server, &key, "/api/v1/expenses/2", &[], &json!({"date": "2026-02-10"}));
        assert_eq!(
            others(&moved.json()).as_deref(),
            Some("the same supplier, day and amount as expense 1, 7"),
            "{}",
            moved.text
        );
        for id in [2, 7] {
            assert_eq!(
                server.post(&key, &format!("/api/v1/expenses/{id}/undo"), &json!({})).status,
                200
            );
        }
        assert_eq!((read(1), read(7)), (None, None));
        // An expense with only a supplier name matches one with the contact of that name.
        let contact = server.post(&key, "/api/v1/contacts", &json!({"name": "Drukkerij"}));
        assert_eq!(contact.status, 201, "{}", contact.text);
        let named = bill(json!({"contactId": contact.json()["id"], "supplier": "Printer"}));
        assert_eq!(others(&record(&server, &key, &named)), None);
        assert_eq!(
            others(&record(&server, &key, &bill(json!({"supplier": "Drukkerij"})))).as_deref(),
            Some("the same supplier, day and amount as expense 8")
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn warnings_of_an_expense_end_when_the_return_is_due(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let odd = expense(
            json!([{"category": "4100", "amount": 100, "vatRate": 21, "vat": 2}]),
            json!({}),
        );
        let first = record(&server, &key, &odd);
        let codes = |of: &Value| {
            of["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .map(|warning| warning["code"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(&first), ["vat_differs"]);
        for (moment, count) in [("2026-04-30T20:00:00Z", 1), ("2026-05-01T10:00:00Z", 0)] {
            server.clock.set(moment);
            assert_eq!(
                codes(&server.get(&key, "/api/v1/expenses/1").json()).len(),
                count,
                "{moment}"
            );
        }
    }

    fn a_bill_that_is_moved_after_its_payments_has_a_warning(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let bill = expense(
            json!([{"category": "4100", "amount": 100, "vatRate": 21}]),
            json!({"paidFrom": "unpaid"}),
        );
        record(&server, &key, &bill);
        let early = |of: &Value| {
            of["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .any(|warning| warning["code"] == "paid_before_bill")
        };
        let read = || server.get(&key, "/api/v1/expenses/1").json();
        let pay = |day: &str| {
            server.post(&key, "/api/v1/expenses/1/payments", &json!({"date": day, "amount": 10}))
        };
        assert_eq!((pay("2026-02-10").status, early(&read())), (201, false));
        let moved =
            |day: &str| patch(&server, &key, "/api/v1/expenses/1", &[], &json!({"date": day}));
        let later = moved("2026-02-11");
        assert!(later.status == 200 && early(&later.json()) && early(&read()), "{}", later.text);
        assert!(!early(&moved("2026-02-10").json()));
        // A payment dated before the bill gets the same warning.
        assert_eq!((pay("2026-02-09").status, early(&read())), (201, true));
        assert_eq!(server.post(&key, "/api/v1/expenses/1/payments/2/undo", &json!({})).status, 200);
        assert!(!early(&read()));
        // The bill cannot move to a day after the repayment of its VAT.
        let repaid =
            server.post(&key, "/api/v1/expenses/1/vat-repayment", &json!({"date": "2026-02-20"}));
        assert_eq!(repaid.status, 200, "{}", repaid.text);
        let refused = moved("2026-02-21");
        assert_eq!(
            (refused.status, refused.faults()),
            (422, vec![("/date".into(), "out_of_range".into())]),
            "{}",
            refused.text
        );
        assert_eq!(moved("2026-02-01").status, 200);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
