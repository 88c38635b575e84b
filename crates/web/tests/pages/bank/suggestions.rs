//! Suggestions next to bank lines, and accepting several at once.

use super::with_account;
use crate::help::{EMAIL, value_of};
use serde_json::{Value, json};
use testing::{Engine, Server, Visitor, on_both_engines};

const CUSTOMER: &str = "NL91ABNA0417164300";

/// Books with an invoice of 121.00 for each of these customers, and a line that pays each by its
/// number; the lines have the ids from 1.
fn with_payments(engine: Engine, customers: &[&str]) -> (Server, Visitor, String) {
    let (server, browser, key) = with_account(engine);
    let mut lines = Vec::new();
    for customer in customers {
        let invoice = json!({
            "status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": customer, "country": "NL"},
            "items": [{"description": "Work", "quantity": 1, "unitPrice": 100, "vatRate": 21}],
        });
        let sent = server.post(&key, "/api/v1/invoices", &invoice);
        assert_eq!(sent.status, 201, "{}", sent.text);
        let text = format!("Factuur {}", sent.json()["number"].as_str().unwrap());
        lines.push(json!({"date": "2026-03-10", "amount": 121, "text": text,
            "counterparty": {"name": customer, "iban": CUSTOMER}}));
    }
    let feed =
        json!({"bankAccountId": 6, "from": "2026-03-01", "to": "2026-03-31", "lines": lines});
    assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
    (server, browser, key)
}

fn line(server: &Server, key: &str, id: i64) -> Value {
    server.get(key, &format!("/api/v1/bank-lines/{id}")).json()
}

/// Id of the best suggestion of a line.
fn best(server: &Server, key: &str, id: i64) -> String {
    line(server, key, id)["suggestions"][0]["id"].as_str().unwrap().to_owned()
}

on_both_engines! {
    fn a_suggestion_is_shown_with_its_reasons_and_accepted(engine) {
        let (server, browser, key) = with_payments(engine, &["Studio Noord", "Bakkerij Jansen"]);
        let page = browser.get("/bank-lines?state=new&line=1");
        for text in ["2026-0001 · Studio Noord", "contains number 2026-0001", "Certain."] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let suggestion = best(&server, &key, 1);
        let fields = [("action", "accept"), ("suggestion", suggestion.as_str())];
        let booked = browser.submit(&page, "/bank-lines/1/book", &fields);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let next = browser.follow(&booked);
        assert!(next.text.contains("is booked") && next.text.contains("/bank-lines/1/undo"), "{}", next.text);
        let stored = line(&server, &key, 1);
        assert_eq!(json!([stored["state"], stored["bookedBy"]]), json!(["booked", "person"]));
        // A person confirmed the account of the customer.
        let contact = server.get(&key, "/api/v1/contacts/1").json();
        assert_eq!(contact["iban"], json!(CUSTOMER));
        // The invoice of line 2 is paid meanwhile, so its suggestion is not booked.
        let page = browser.get("/bank-lines?state=new&line=2");
        let suggestion = best(&server, &key, 2);
        let paid = server.post(&key, "/api/v1/invoices/2/payments", &json!({"date": "2026-03-09", "amount": 50}));
        assert_eq!(paid.status, 201, "{}", paid.text);
        let stale = browser.submit(&page, "/bank-lines/2/book", &[("action", "accept"), ("suggestion", &suggestion)]);
        assert_eq!(stale.status, 409, "{}", stale.text);
        assert!(stale.text.contains("no longer fits"), "{}", stale.text);
        assert_eq!(line(&server, &key, 2)["state"], json!("new"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn certain_lines_are_ticked_and_booked_together(engine) {
        let (server, browser, key) = with_payments(engine, &["Studio Noord", "Bakkerij Jansen", "De Pier", "Vlot"]);
        let page = browser.get("/bank-lines?state=new");
        assert_eq!(page.text.matches("type=\"checkbox\" form=\"accept\"").count(), 4, "{}", page.text);
        let boxes = page.text.split("<input type=\"checkbox\" form=\"accept\"").skip(1);
        let tags = boxes.map(|rest| rest.split_once('>').unwrap().0);
        assert!(tags.clone().all(|tag| tag.contains(" checked")), "{}", page.text);
        assert!(page.text.contains("Book 4 certain lines (€484.00)"), "{}", page.text);
        // Two are ticked; the suggestion of one of them is of another line.
        let (first, second) = (best(&server, &key, 1), best(&server, &key, 2));
        let fields = [
            ("action", "selected"), ("lines.0.lineId", "1"), ("lines.0.suggestion", first.as_str()),
            ("lines.1.lineId", "3"), ("lines.1.suggestion", second.as_str()),
            ("lines.2.suggestion", second.as_str()),
        ];
        let token = value_of(&page, "csrf").unwrap();
        let mut sent = vec![("csrf", token.as_str()), ("list", "/bank-lines?state=new")];
        sent.extend(fields);
        let done = browser.follow(&browser.post("/bank-lines/accept", &sent));
        assert!(done.text.contains("One line was booked. Not booked: 3."), "{}", done.text);
        let states = |server: &Server| -> Vec<Value> { (1..=4).map(|id| line(server, &key, id)["state"].clone()).collect() };
        assert_eq!(json!(states(&server)), json!(["booked", "new", "new", "new"]));
        let page = browser.get("/bank-lines?state=new");
        let done = browser.follow(&browser.submit(&page, "/bank-lines/accept", &[("action", "certain")]));
        assert!(done.text.contains("3 bank lines booked, together"), "{}", done.text);
        assert_eq!(json!(states(&server)), json!(["booked", "booked", "booked", "booked"]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_refused_suggestion_is_gone(engine) {
        let (server, browser, key) = with_payments(engine, &["Studio Noord"]);
        let page = browser.get("/bank-lines?state=new&line=1");
        let suggestion = best(&server, &key, 1);
        let token = value_of(&page, "csrf").unwrap();
        let sent = [("csrf", token.as_str()), ("suggestion", suggestion.as_str()), ("list", "/bank-lines?state=new")];
        let refused = browser.post("/bank-lines/1/refuse", &sent);
        assert_eq!(refused.status, 303, "{}", refused.text);
        let after = browser.follow(&refused);
        assert!(!after.text.contains(&suggestion), "{}", after.text);
        assert_eq!(line(&server, &key, 1)["suggestions"], json!([]));
    }
}
