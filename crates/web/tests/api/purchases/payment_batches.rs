//! Batches of payments of bills, their files and their codes, over the API.

use super::expenses::{act, started};
use crate::help::{ids, patch};
use serde_json::{Value, json};
use std::thread;
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const OWN: &str = "NL91ABNA0417164300";
const SUPPLIER: &str = "NL02ABNA0123456789";
const OTHER: &str = "BE68539007547034";

/// Books with a bank account with an IBAN; returns its id too.
fn books(engine: Engine) -> (Server, String, i64) {
    let (server, key) = started(engine);
    let body = json!({"name": "Zakelijk", "kind": "checking", "iban": OWN});
    let bank = server.post(&key, "/api/v1/bank-accounts", &body);
    assert_eq!(bank.status, 201, "{}", bank.text);
    let id = bank.json()["id"].as_i64().unwrap();
    (server, key, id)
}

/// Records a bill of 121.00 from Papierhal.
fn bill(server: &Server, key: &str, more: Value) -> i64 {
    let mut body = json!({"date": "2026-04-20", "supplier": "Papierhal", "description": "Toner", "paidFrom": "unpaid",
        "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let reply = server.post(key, "/api/v1/expenses", &body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["id"].as_i64().unwrap()
}

fn pay_to(iban: &str) -> Value {
    json!({"payTo": {"iban": iban}})
}

fn batch(server: &Server, key: &str, bank: i64, bills: &[i64]) -> Reply {
    let items: Vec<Value> = bills.iter().map(|bill| json!({"expenseId": bill})).collect();
    let body = json!({"bankAccountId": bank, "executionDate": "2026-05-04", "items": items});
    server.post(key, "/api/v1/payment-batches", &body)
}

fn made(server: &Server, key: &str, bank: i64, bills: &[i64]) -> Value {
    let reply = batch(server, key, bank, bills);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn read(server: &Server, key: &str, id: i64) -> Value {
    server.get(key, &format!("/api/v1/payment-batches/{id}")).json()
}

/// Takes a line of the bank of this amount in cents, and books it as a payment of a bill.
fn line(
    server: &Server,
    key: &str,
    bank: i64,
    day: &str,
    cents: i64,
    iban: &str,
    bill: i64,
) -> i64 {
    let amount: Value =
        serde_json::from_str(&format!("-{}.{:02}", cents / 100, cents % 100)).unwrap();
    let body = json!({"bankAccountId": bank, "from": day, "to": day,
        "lines": [{"date": day, "amount": amount, "counterparty": {"name": "Papierhal", "iban": iban}, "text": format!("{bill}")}]});
    let taken = server.post(key, "/api/v1/bank-statements", &body);
    assert_eq!(taken.status, 201, "{}", taken.text);
    let id =
        server.get(key, "/api/v1/bank-lines?limit=1").json()["data"][0]["id"].as_i64().unwrap();
    let booking = json!({"allocations": [{"kind": "bill", "expenseId": bill}]});
    let booked = server.post(key, &format!("/api/v1/bank-lines/{id}/book"), &booking);
    assert_eq!(booked.status, 200, "{}", booked.text);
    id
}

on_both_engines! {
    fn a_part_of_a_bill_is_recognised_by_its_end_to_end_id(engine) {
        let (server, key, bank) = books(engine);
        let bill = bill(&server, &key, pay_to(SUPPLIER));
        let body = json!({"bankAccountId": bank, "executionDate": "2026-05-04", "items": [{"expenseId": bill, "amount": 50}]});
        let made = server.post(&key, "/api/v1/payment-batches", &body).json();
        assert_eq!(server.get(&key, "/api/v1/payment-batches/1/file").status, 200);
        let line = json!({"date": "2026-05-02", "amount": -50, "endToEndId": made["items"][0]["endToEndId"]});
        let feed = json!({"bankAccountId": bank, "from": "2026-05-02", "to": "2026-05-02", "lines": [line]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let best = server.get(&key, "/api/v1/bank-lines/1").json()["suggestions"][0].clone();
        let own = &best["allocations"][0];
        assert_eq!(json!([best["certain"], own["kind"], own["expenseId"], own["amount"]]), json!([true, "bill", bill, 50.0]), "{best}");
        let accepted = json!({"lines": [{"lineId": 1, "suggestion": best["id"]}]});
        assert_eq!(server.post(&key, "/api/v1/bank-lines/accept", &accepted).status, 200);
        assert_eq!(read(&server, &key, 1)["status"], json!("paid"));
        assert_eq!(server.get(&key, &format!("/api/v1/expenses/{bill}")).json()["amountDue"], json!(71.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_batch_is_a_file_for_the_bank_and_is_paid_by_its_lines(engine) {
        let (server, key, bank) = books(engine);
        let contact = json!({"name": "Drukkerij Zoë", "iban": OTHER, "bic": "KREDBEBB"});
        let contact = server.post(&key, "/api/v1/contacts", &contact).json()["id"].clone();
        let first = bill(&server, &key, json!({"supplierInvoiceNumber": "F-12", "payTo": {"iban": SUPPLIER, "name": "Factor B.V."}}));
        let second = bill(&server, &key, json!({"contactId": contact, "supplier": null, "payTo": {"reference": "2036 0000 1630 1110"}}));
        let batch = made(&server, &key, bank, &[first, second]);
        assert_eq!(
            (&batch["status"], &batch["total"], &batch["bankAccountId"], &batch["executionDate"]),
            (&json!("open"), &json!(242.00), &json!(bank), &json!("2026-05-04"))
        );
        assert_eq!(
            batch["items"],
            json!([
                {"expenseId": first, "amount": 121.00, "name": "Factor B.V.", "iban": SUPPLIER, "bic": null, "reference": "F-12",
                 "endToEndId": "GB1-1", "paidAmount": 0.00, "lineId": null},
                {"expenseId": second, "amount": 121.00, "name": "Drukkerij Zoë", "iban": OTHER, "bic": "KREDBEBB",
                 "reference": "2036 0000 1630 1110", "endToEndId": "GB1-2", "paidAmount": 0.00, "lineId": null},
            ])
        );
        let in_batch = |bill: i64| server.get(&key, &format!("/api/v1/expenses/{bill}")).json()["inBatchId"].clone();
        assert_eq!((in_batch(first), in_batch(second)), (json!(1), json!(1)));
        // The same bytes every time, and afterwards.
        let file = server.get(&key, "/api/v1/payment-batches/1/file");
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/xml")), "{}", file.text);
        for part in [
            "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09",
            "<BtchBookg>false</BtchBookg>",
            "<Cd>SEPA</Cd>",
            "<ChrgBr>SLEV</ChrgBr>",
            "<ReqdExctnDt><Dt>2026-05-04</Dt></ReqdExctnDt>",
            "<CtrlSum>242.00</CtrlSum>",
            &format!("<IBAN>{OWN}</IBAN>"),
            "<EndToEndId>GB1-1</EndToEndId>",
            "<Ustrd>F-12</Ustrd>",
            "<Nm>Drukkerij Zoe</Nm>",
            "<Issr>CUR</Issr>",
            "<Ref>2036000016301110</Ref>",
        ] {
            let flat: String = file.text.split('\n').map(str::trim).collect();
            assert!(flat.contains(part), "{part}: {}", file.text);
        }
        assert!(!file.text.contains("<PstlAdr>"));
        assert_eq!(read(&server, &key, 1)["status"], json!("downloaded"));
        let old = server.get(&key, "/api/v1/payment-batches/1/file?version=3");
        assert!(old.text.contains("pain.001.001.03") && old.text.contains("<ReqdExctnDt>2026-05-04</ReqdExctnDt>"), "{}", old.text);
        // Nothing is booked by this.
        assert_eq!(server.get(&key, &format!("/api/v1/expenses/{first}")).json()["amountDue"], json!(121.00));

        server.clock.set("2026-05-06T10:00:00Z");
        let paid = line(&server, &key, bank, "2026-05-04", 12_100, SUPPLIER, first);
        let now = read(&server, &key, 1);
        assert_eq!(
            (&now["status"], &now["items"][0]["paidAmount"], &now["items"][0]["lineId"], &now["items"][1]["lineId"]),
            (&json!("downloaded"), &json!(121.00), &json!(paid), &Value::Null)
        );
        assert_eq!((in_batch(first), in_batch(second)), (Value::Null, json!(1)));
        let refused = act(&server, &key, "/api/v1/payment-batches/1/cancel");
        assert_eq!((refused.status, refused.code().as_str()), (409, "batch_paid"), "{}", refused.text);
        let last = line(&server, &key, bank, "2026-05-05", 12_100, OTHER, second);
        assert_eq!(read(&server, &key, 1)["status"], json!("paid"));
        assert_eq!(server.get(&key, "/api/v1/payment-batches/1/file").text, file.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // A line that is undone pays nothing any more.
        assert_eq!(act(&server, &key, &format!("/api/v1/bank-lines/{last}/undo")).status, 200);
        let now = read(&server, &key, 1);
        assert_eq!(
            (&now["status"], &now["items"][1]["paidAmount"], &now["items"][1]["lineId"]),
            (&json!("downloaded"), &json!(0.00), &Value::Null)
        );
        let listed = |query: &str| ids(&server.get(&key, &format!("/api/v1/payment-batches{query}")).json());
        assert_eq!(listed(&format!("?status=downloaded&expenseId={second}")), [1]);
        assert!(listed("?status=open").is_empty() && listed("?expenseId=99").is_empty());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_payment_by_hand_counts_once_a_line_is_tied_to_it(engine) {
        let (server, key, bank) = books(engine);
        let own = bill(&server, &key, pay_to(SUPPLIER));
        let half = json!({"bankAccountId": bank, "items": [{"expenseId": own, "amount": 60.50}]});
        assert_eq!(server.post(&key, "/api/v1/payment-batches", &half).status, 201);
        let code = server.get(&key, &format!("/api/v1/bank-accounts/{bank}")).json()["accountCode"].clone();
        let by_hand = json!({"date": "2026-05-01", "amount": 60.50, "method": code});
        let paid = server.post(&key, &format!("/api/v1/expenses/{own}/payments"), &by_hand);
        assert_eq!(paid.status, 201, "{}", paid.text);
        assert_eq!(read(&server, &key, 1)["items"][0]["paidAmount"], json!(0.00));
        let body = json!({"bankAccountId": bank, "from": "2026-05-01", "to": "2026-05-01", "lines": [{"date": "2026-05-01", "amount": -60.5}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &body).status, 201);
        let booking = json!({"allocations": [{"kind": "existing", "entryId": paid.json()["entryId"]}]});
        let booked = server.post(&key, "/api/v1/bank-lines/1/book", &booking);
        assert_eq!(booked.status, 200, "{}", booked.text);
        let now = read(&server, &key, 1);
        assert_eq!(
            (&now["status"], &now["items"][0]["paidAmount"], &now["items"][0]["lineId"]),
            (&json!("paid"), &json!(60.50), &json!(1))
        );
        // The rest of the bill can go into another batch.
        assert_eq!(made(&server, &key, bank, &[own])["total"], json!(60.50));
        // Undoing the payment unties the line.
        let undone = act(&server, &key, &format!("/api/v1/expenses/{own}/payments/1/undo"));
        assert_eq!(undone.status, 200, "{}", undone.text);
        assert_eq!(read(&server, &key, 1)["status"], json!("downloaded"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn what_cannot_be_paid_is_refused_at_its_field(engine) {
        let (server, key, bank) = books(engine);
        let good = bill(&server, &key, pay_to(SUPPLIER));
        let nameless = bill(&server, &key, json!({}));
        let undone = bill(&server, &key, pay_to(SUPPLIER));
        assert_eq!(act(&server, &key, &format!("/api/v1/expenses/{undone}/undo")).status, 200);
        let mut of_bank = pay_to(SUPPLIER);
        of_bank["paidFrom"] = json!("bank");
        let paid = bill(&server, &key, of_bank);
        let mut note = pay_to(SUPPLIER);
        note["items"] = json!([{"category": "4100", "amount": -100, "vatRate": 21}]);
        let note = bill(&server, &key, note);
        let faults = |items: Value, more: Value| {
            let mut body = json!({"bankAccountId": bank, "executionDate": "2026-05-02", "items": items});
            for (name, value) in more.as_object().unwrap() {
                body[name] = value.clone();
            }
            let reply = server.post(&key, "/api/v1/payment-batches", &body);
            assert_eq!(reply.status, 422, "{}", reply.text);
            reply.faults()
        };
        let at = |path: &str, code: &str| vec![(path.to_owned(), code.to_owned())];
        for (expense, code) in [
            (nameless, "no_payee"),
            (undone, "already_undone"),
            (paid, "exceeds_outstanding"),
            (note, "is_a_credit_note"),
            (99, "unknown_value"),
        ] {
            let items = json!([{"expenseId": expense}]);
            assert_eq!(faults(items, json!({})), at("/items/0/expenseId", code));
        }
        for amount in [121.01, 0.0, -1.0] {
            let found = faults(json!([{"expenseId": good, "amount": amount}]), json!({}));
            assert_eq!(found[0].0, "/items/0/amount", "{amount}");
        }
        let twice = json!([{"expenseId": good}, {"expenseId": good}]);
        assert_eq!(faults(twice, json!({})), at("/items/1/expenseId", "taken"));
        let one = json!([{"expenseId": good}]);
        for (more, path, code) in [
            (json!({"executionDate": "2026-05-01"}), "/executionDate", "out_of_range"),
            (json!({"executionDate": "2027-05-03"}), "/executionDate", "out_of_range"),
            (json!({"bankAccountId": 1}), "/bankAccountId", "required"),
            (json!({"bankAccountId": 2}), "/bankAccountId", "unknown_value"),
            (json!({"bankAccountId": 99}), "/bankAccountId", "unknown_value"),
            (json!({"items": []}), "/items", "required"),
        ] {
            let found = faults(one.clone(), more);
            assert_eq!(found[0].0, path, "{found:?}");
            assert!(found[0].1 == code || path == "/items", "{found:?}");
        }
        let last = json!({"bankAccountId": bank, "executionDate": "2027-05-02", "items": [{"expenseId": good, "amount": 0.01}]});
        assert_eq!(server.post(&key, "/api/v1/payment-batches", &last).status, 201);
        assert_eq!(server.get(&key, "/api/v1/payment-batches/2").code(), "not_found");
    }

    fn a_file_pays_no_more_than_is_due_when_it_is_first_downloaded(engine) {
        let (server, key, bank) = books(engine);
        let file = |id: i64| server.get(&key, &format!("/api/v1/payment-batches/{id}/file"));
        let undone = bill(&server, &key, pay_to(SUPPLIER));
        made(&server, &key, bank, &[undone]);
        assert_eq!(act(&server, &key, &format!("/api/v1/expenses/{undone}/undo")).status, 200);
        let paid = bill(&server, &key, pay_to(SUPPLIER));
        made(&server, &key, bank, &[paid]);
        let payment = format!("/api/v1/expenses/{paid}/payments");
        let privately = json!({"amount": 1, "date": "2026-04-21", "method": "private"});
        assert_eq!(server.post(&key, &payment, &privately).status, 201);
        for id in [1, 2] {
            let refused = file(id);
            assert_eq!((refused.status, refused.code().as_str()), (409, "batch_outdated"), "{}", refused.text);
            assert_eq!(read(&server, &key, id)["status"], json!("open"));
            assert_eq!(act(&server, &key, &format!("/api/v1/payment-batches/{id}/cancel")).status, 200);
        }
        // A file that was handed out stays the same, so that the bank recognises it.
        let later = bill(&server, &key, pay_to(SUPPLIER));
        made(&server, &key, bank, &[later]);
        let first = file(3);
        assert_eq!(first.status, 200, "{}", first.text);
        let payment = format!("/api/v1/expenses/{later}/payments");
        assert_eq!(server.post(&key, &payment, &privately).status, 201);
        assert_eq!((file(3).status, file(3).text), (200, first.text));
    }

    fn a_bill_is_in_one_batch_that_is_to_be_paid(engine) {
        let (server, key, bank) = books(engine);
        let own = bill(&server, &key, pay_to(SUPPLIER));
        let other = bill(&server, &key, pay_to(SUPPLIER));
        let beside = (engine != Engine::Sqlite).then(|| server.beside());
        let batches: Vec<Reply> = thread::scope(|scope| {
            let tries: Vec<_> = (0..8)
                .map(|number| {
                    let node = beside.as_ref().filter(|_| number % 2 == 1).unwrap_or(&server);
                    let (key, bills) = (&key, [other, own]);
                    scope.spawn(move || batch(node, key, bank, &bills))
                })
                .collect();
            tries.into_iter().map(|running| running.join().unwrap()).collect()
        });
        let codes: Vec<u16> = batches.iter().map(|reply| reply.status).collect();
        assert_eq!(codes.iter().filter(|status| **status == 201).count(), 1, "{codes:?}");
        for reply in batches.iter().filter(|reply| reply.status != 201) {
            assert_eq!((reply.status, reply.code().as_str()), (409, "already_in_batch"), "{}", reply.text);
        }
        // A cancelled batch frees its bills, and has no file any more.
        assert_eq!(server.get(&key, "/api/v1/payment-batches/1/file").status, 200);
        for _ in 0..2 {
            let cancelled = act(&server, &key, "/api/v1/payment-batches/1/cancel");
            assert_eq!((cancelled.status, &cancelled.json()["status"]), (200, &json!("cancelled")));
        }
        let gone = server.get(&key, "/api/v1/payment-batches/1/file");
        assert_eq!((gone.status, gone.code().as_str()), (409, "batch_cancelled"));
        assert_eq!(server.get(&key, &format!("/api/v1/expenses/{own}")).json()["inBatchId"], Value::Null);
        assert_eq!(made(&server, &key, bank, &[own])["id"], json!(2));
        // The payment counts in the batch that was made last.
        line(&server, &key, bank, "2026-05-02", 12_100, SUPPLIER, own);
        assert_eq!(read(&server, &key, 1)["items"][1]["paidAmount"], json!(0.00));
        assert_eq!(read(&server, &key, 2)["status"], json!("paid"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_changed_account_and_a_due_date_are_warned_of(engine) {
        let (server, key, bank) = books(engine);
        let before = bill(&server, &key, pay_to(OTHER));
        line(&server, &key, bank, "2026-04-28", 12_100, OTHER, before);
        let due = |date: &str| json!({"payTo": {"iban": SUPPLIER}, "dueDate": date});
        let late = bill(&server, &key, due("2026-05-03"));
        let on_time = bill(&server, &key, due("2026-05-04"));
        let early = bill(&server, &key, json!({"payTo": {"iban": OTHER}, "dueDate": "2026-05-05"}));
        let batch = made(&server, &key, bank, &[late, on_time, early]);
        let warnings: Vec<(String, i64, String)> = batch["warnings"].as_array().unwrap().iter().map(|warning| {
            let text = |name: &str| warning[name].as_str().unwrap().to_owned();
            assert!(!text("message").is_empty());
            (text("code"), warning["expenseId"].as_i64().unwrap(), text("date"))
        }).collect();
        let expected = [
            ("iban_changed", late, "2026-04-28"),
            ("overdue", late, "2026-05-03"),
            ("iban_changed", on_time, "2026-04-28"),
            ("due_later", early, "2026-05-05"),
        ];
        assert_eq!(warnings, expected.map(|(code, bill, day)| (code.to_owned(), bill, day.to_owned())));
        assert_eq!(batch["warnings"][0]["iban"], json!(OTHER));
        let cancelled = act(&server, &key, "/api/v1/payment-batches/1/cancel").json();
        assert_eq!(cancelled["warnings"], json!([]));
    }

    fn the_code_of_a_bill_pays_what_is_due(engine) {
        let (server, key, bank) = books(engine);
        let own = bill(&server, &key, json!({"payTo": {"iban": SUPPLIER, "bic": "ABNANL2A", "reference": "RF18 5390 0754 7034"}}));
        let code = |bill: i64, query: &str| server.get(&key, &format!("/api/v1/expenses/{bill}/payment-qr{query}"));
        let text = code(own, "?format=text");
        assert_eq!(
            (text.status, text.text.as_str()),
            (200, "BCD\n002\n1\nSCT\nABNANL2A\nPapierhal\nNL02ABNA0123456789\nEUR121.00\n\nRF18539007547034\n")
        );
        assert!(code(own, "").text.starts_with("<svg"));
        assert_eq!(code(own, "?format=png").header("content-type"), Some("image/png"));
        assert_eq!(code(own, "?format=pdf").status, 422);
        // A partial payment leaves the rest.
        line(&server, &key, bank, "2026-05-01", 2_100, SUPPLIER, own);
        assert!(code(own, "?format=text").text.contains("\nEUR100.00\n"));
        let edited = patch(&server, &key, &format!("/api/v1/expenses/{own}"), &[], &json!({"payTo": null}));
        assert_eq!(edited.status, 200, "{}", edited.text);
        let refused = code(own, "");
        assert_eq!((refused.status, refused.code().as_str()), (409, "no_payee"), "{}", refused.text);
        line(&server, &key, bank, "2026-05-02", 10_000, SUPPLIER, own);
        assert_eq!(code(own, "").code(), "nothing_due");
        assert_eq!(code(99, "").code(), "not_found");
    }
}
