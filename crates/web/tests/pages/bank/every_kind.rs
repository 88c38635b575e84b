//! Every kind of booking, by page in one account's books and over the API in another's: the journals
//! are the same, and undoing the lines restores the balances.

use super::IBAN;
use crate::help::{EMAIL, signed_in};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use testing::{Server, Visitor, on_both_engines};

const OTHER: &str = "bob@example.com";
const API: &str = "/api/v1";

/// Amount of each line in euros, and how it is booked. Ids are those that both books give.
fn bookings() -> Vec<(f64, Value)> {
    let costs = |rate: u8| json!([{"category": "4100", "vatRate": rate}]);
    let expense = |more: Value| {
        let mut body = json!({"kind": "expense", "supplier": "Papierhal", "description": "Toner", "items": costs(21)});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        json!([body])
    };
    let private = |kind: &str| json!([{"kind": "private", "privateKind": kind}]);
    vec![
        (121.0, json!([{"kind": "invoice", "invoiceId": 1}])),
        (130.0, json!([{"kind": "invoice", "invoiceId": 2, "overpayment": "keep"}])),
        (-9.0, json!([{"kind": "refund", "invoiceId": 2}])),
        (-60.5, json!([{"kind": "bill", "expenseId": 1}])),
        (24.2, json!([{"kind": "bill", "expenseId": 2}])),
        (-12.1, expense(json!({}))),
        (-10.9, expense(json!({"items": costs(9), "businessShare": 50}))),
        (-48.4, expense(json!({"date": "2026-03-08"}))),
        (
            -100.0,
            expense(json!({"items": [{"category": "4100", "vatRate": 21, "vatTreatment": "eu"}]})),
        ),
        (36.3, expense(json!({}))),
        (-500.0, json!([{"kind": "vat", "vatPeriod": "2026-Q1"}])),
        (45.0, json!([{"kind": "vat"}])),
        (-50.0, private("drawing")),
        (75.0, private("deposit")),
        (-310.0, private("incomeTax")),
        (20.0, private("incomeTax")),
        (-33.0, private("healthInsurance")),
        (-70.0, json!([{"kind": "transfer", "bankAccountId": 2, "lineId": 33}])),
        (15.0, json!([{"kind": "transfer", "bankAccountId": 2, "lineId": 34}])),
        (-80.0, json!([{"kind": "transfer", "bankAccountId": 2}])),
        (25.0, json!([{"kind": "transfer", "bankAccountId": 4}])),
        (98.0, json!([{"kind": "payout", "fee": 2, "provider": "Mollie"}])),
        (96.0, json!([{"kind": "payout", "fee": 4, "feeVatTreatment": "eu"}])),
        (-3.0, json!([{"kind": "payout"}])),
        (-4.5, json!([{"kind": "bankCosts"}])),
        (4.5, json!([{"kind": "bankCosts"}])),
        (-7.0, json!([{"kind": "interest"}])),
        (7.0, json!([{"kind": "interest"}])),
        (1000.0, json!([{"kind": "loan", "account": "0700"}])),
        (-110.0, json!([{"kind": "loanRepayment", "loanId": "LOAN", "interest": 10}])),
        (-12.34, json!([{"kind": "ledger", "account": "4100", "description": "Kantoor"}])),
        (-6.0, json!([{"kind": "existing", "entryId": "ENTRY"}])),
    ]
}

/// Fields of the form of an allocation: those of the API, with their paths as names.
fn fields(prefix: &str, value: &Value, into: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, value)| fields(&format!("{prefix}.{name}"), value, into));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(n, value)| fields(&format!("{prefix}.{n}"), value, into));
        }
        Value::String(text) => into.push((prefix.to_owned(), text.clone())),
        other => into.push((prefix.to_owned(), other.to_string())),
    }
}

fn made(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("{API}/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

/// Takes the lines and makes the documents that they pay; returns the id of the entry that was booked
/// by hand.
fn fill(server: &Server, key: &str) -> Value {
    made(
        server,
        key,
        "bank-accounts",
        &json!({"name": "ABN AMRO", "kind": "checking", "iban": IBAN}),
    );
    for _ in 0..2 {
        let invoice = json!({"status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": "Studio Noord", "country": "NL"},
            "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}]});
        made(server, key, "invoices", &invoice);
    }
    for amount in [50, -20] {
        let bill = json!({"date": "2026-03-03", "supplier": "Papierhal", "paidFrom": "unpaid",
            "items": [{"category": "4100", "amount": amount, "vatRate": 21}]});
        made(server, key, "expenses", &bill);
    }
    let lines: Vec<Value> = bookings().iter().map(|(amount, _)| {
        json!({"date": "2026-03-10", "amount": amount, "text": "Omschrijving", "counterparty": {"name": "Partij"}})
    }).collect();
    let feed = |account: i64, lines: &[Value]| {
        let body = json!({"bankAccountId": account, "from": "2026-03-10", "to": "2026-03-11", "lines": lines});
        made(server, key, "bank-statements", &body)
    };
    feed(6, &lines);
    feed(
        2,
        &[
            json!({"date": "2026-03-11", "amount": 70, "text": "Omschrijving"}),
            json!({"date": "2026-03-10", "amount": -15, "text": "Omschrijving"}),
        ],
    );
    let drawing = json!({"date": "2026-03-09", "kind": "drawing", "amount": 6, "method": "1101"});
    made(server, key, "private-bookings", &drawing)["entryIds"][0].clone()
}

/// Entries without what two accounts cannot share: hashes and times.
fn journal(server: &Server, key: &str) -> Vec<Value> {
    let reply = server.get(key, &format!("{API}/entries?year=2026&limit=500")).json();
    assert_eq!(reply["nextCursor"], Value::Null);
    let mut entries = reply["data"].as_array().unwrap().clone();
    for entry in &mut entries {
        let members = entry.as_object_mut().unwrap();
        assert!(members.remove("hash").is_some() && members.remove("createdAt").is_some());
    }
    entries
}

/// Balance of each account in cents, and of each VAT box.
fn balances(server: &Server, key: &str) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for entry in journal(server, key) {
        for line in entry["lines"].as_array().unwrap() {
            let cents = |name: &str| -> i64 {
                let text = line[name].to_string();
                let (euros, rest) = text.split_once('.').unwrap();
                format!("{euros}{rest:0<2}").parse().unwrap()
            };
            let amount = cents("debit") - cents("credit");
            let code = line["accountCode"].as_str().unwrap();
            *sums.entry(code.to_owned()).or_default() += amount;
            if let Some(vat_box) = line["vatBox"].as_str() {
                *sums.entry(format!("box {vat_box} of {code}")).or_default() += amount;
            }
        }
    }
    sums.retain(|_, amount| *amount != 0);
    sums
}

fn line(server: &Server, key: &str, id: usize) -> Value {
    server.get(key, &format!("{API}/bank-lines/{id}")).json()
}

/// Books a line by its form.
fn book_by_page(browser: &Visitor, id: usize, allocation: &Value) {
    let kind = allocation["kind"].as_str().unwrap();
    let page = browser.get(&format!("/bank-lines?line={id}&kind={kind}"));
    let mut filled = Vec::new();
    fields("allocations.0", allocation, &mut filled);
    let mut filled: Vec<(&str, &str)> =
        filled.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    filled.push(("action", "book"));
    // The form begins with the booking of an earlier line, whose share may be another.
    let share = "allocations.0.businessShare";
    if kind == "expense" && filled.iter().all(|(name, _)| *name != share) {
        filled.push((share, "100"));
    }
    let booked = browser.submit(&page, &format!("/bank-lines/{id}/book"), &filled);
    assert_eq!(booked.status, 303, "{allocation}: {}", booked.text);
}

on_both_engines! {
    fn every_kind_books_the_same_by_page_and_api(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (by_page, by_api) = (server.key(EMAIL, true, true), server.account(OTHER));
        let entries = [&by_page, &by_api].map(|key| fill(&server, key));
        assert_eq!(entries[0], entries[1]);
        assert_eq!(journal(&server, &by_page), journal(&server, &by_api));
        let before = balances(&server, &by_page);
        let mut loan = Value::Null;
        let bookings = bookings();
        for (id, (amount, allocations)) in (1..).zip(&bookings) {
            let mut allocations = allocations.clone();
            let allocation = &mut allocations[0];
            if allocation["loanId"] == json!("LOAN") {
                allocation["loanId"] = loan.clone();
            }
            if allocation["entryId"] == json!("ENTRY") {
                allocation["entryId"] = entries[0].clone();
            }
            assert_eq!(line(&server, &by_page, id)["amount"], json!(amount), "line {id}");
            book_by_page(&browser, id, allocation);
            let booked = server.post(&by_api, &format!("{API}/bank-lines/{id}/book"), &json!({"allocations": allocations}));
            assert_eq!(booked.status, 200, "{allocations}: {}", booked.text);
            if allocations[0]["kind"] == json!("loan") {
                loan = booked.json()["allocations"][0]["targetId"].clone();
            }
            // The allocations tell the same, too.
            let stored = [&by_page, &by_api].map(|key| line(&server, key, id)["allocations"].clone());
            assert_eq!(stored[0], stored[1], "{allocations}");
            assert_eq!(journal(&server, &by_page), journal(&server, &by_api), "{allocations}");
        }
        assert_eq!(server.get(&by_page, &format!("{API}/bank-lines?state=new")).json()["data"], json!([]));
        for email in [EMAIL, OTHER] {
            assert_eq!(server.discrepancies(email), Vec::<String>::new());
        }
        for id in (1..=bookings.len()).rev() {
            let page = browser.get(&format!("/bank-lines?state=booked&line={id}"));
            let undone = browser.submit(&page, &format!("/bank-lines/{id}/undo"), &[]);
            assert_eq!(undone.status, 303, "{id}: {}", undone.text);
            let undone = server.post(&by_api, &format!("{API}/bank-lines/{id}/undo"), &json!({}));
            assert_eq!(undone.status, 200, "{id}: {}", undone.text);
            assert_eq!(journal(&server, &by_page), journal(&server, &by_api), "{id} undone");
        }
        assert_eq!([&by_page, &by_api].map(|key| balances(&server, key)), [before.clone(), before]);
        for email in [EMAIL, OTHER] {
            assert_eq!(server.discrepancies(email), Vec::<String>::new());
        }
    }
}
