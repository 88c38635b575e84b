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
        assert!(page.text.contains("Book 4 certain bank lines: in €484.00"), "{}", page.text);
        // The buttons are above the list and below it, of one form.
        let (above, below) = page.text.split_once("<tbody>").unwrap();
        for half in [above, below] {
            assert!(half.contains("value=\"certain\"") && half.contains("value=\"selected\""), "{}", page.text);
        }
        assert_eq!(page.text.matches("id=\"accept\"").count(), 1);
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

    fn the_list_names_what_is_booked_and_what_would_be(engine) {
        let (server, browser, key) = with_payments(engine, &["Studio Noord"]);
        let words = "→ <bdi>Invoice 2026-0001 · Studio Noord</bdi>";
        let page = browser.get("/bank-lines?state=new");
        assert!(page.text.contains(words), "{}", page.text);
        let booked = browser.submit(&page, "/bank-lines/accept", &[("action", "certain")]);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let page = browser.get("/bank-lines?state=booked&line=1");
        assert!(page.text.contains(words), "{}", page.text);
        assert!(page.text.contains("<a href=\"/invoices/1\"><bdi>Invoice 2026-0001 · Studio Noord</bdi></a>"), "{}", page.text);
        // A transfer, private money and VAT name their account, purpose and period.
        let feed = json!({"bankAccountId": 6, "from": "2026-03-05", "to": "2026-03-31", "lines": [
            {"date": "2026-03-05", "amount": -40, "text": "Pin"}, {"date": "2026-03-06", "amount": -500, "text": "Q4"},
            {"date": "2026-03-07", "amount": -7.5, "text": "Kantoor"}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let bookings = [
            (2, json!({"kind": "private", "privateKind": "drawing"}), "Private: Private drawing"),
            (3, json!({"kind": "vat", "vatPeriod": "2025-Q4"}), "VAT: Q4 2025"),
            (4, json!({"kind": "expense", "supplier": "Papierhal", "items": [{"category": "4100", "vatRate": 21}]}), "4100"),
        ];
        for (id, allocation, words) in bookings {
            let path = format!("/api/v1/bank-lines/{id}/book");
            let booked = server.post(&key, &path, &json!({"allocations": [allocation]}));
            assert_eq!(booked.status, 200, "{}", booked.text);
            let page = browser.get(&format!("/bank-lines?state=booked&line={id}"));
            assert!(page.text.split("→ <bdi>").skip(1).any(|rest| rest.starts_with(words) || rest.split('<').next().unwrap().contains(words)), "{words}: {}", page.text);
        }
    }

    fn the_buttons_name_both_directions(engine) {
        let (server, browser, key) = with_payments(engine, &["Studio Noord"]);
        let bill = json!({"date": "2026-03-03", "supplier": "Papierhal", "paidFrom": "unpaid", "supplierInvoiceNumber": "PH-2026-77",
            "items": [{"category": "4100", "amount": 10, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
        let feed = json!({"bankAccountId": 6, "from": "2026-03-05", "to": "2026-03-31", "lines": [
            {"date": "2026-03-05", "amount": -12.1, "text": "PH-2026-77", "counterparty": {"name": "Papierhal"}}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let page = browser.get("/bank-lines?state=new");
        assert!(page.text.contains("Book 2 certain bank lines: in €121.00, out €12.10"), "{}", page.text);
    }

    fn a_line_that_is_booked_already_names_its_entry(engine) {
        let (server, browser, key) = with_account(engine);
        let deposit = json!({"date": "2026-03-09", "kind": "deposit", "amount": 50, "method": "1101", "description": "Startgeld"});
        assert_eq!(server.post(&key, "/api/v1/private-bookings", &deposit).status, 201);
        let feed = json!({"bankAccountId": 6, "from": "2026-03-01", "to": "2026-03-31", "lines": [{"date": "2026-03-10", "amount": 50, "text": "Overboeking"}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let page = browser.get("/bank-lines?state=new&line=1");
        let words = page.text.split("→ <bdi>").nth(1).unwrap().split('<').next().unwrap();
        assert!(words.starts_with("Booked before: ") && words.contains("Startgeld") && words.contains("9 Mar 2026"), "{words}");
        assert!(page.text.contains("<a href=\"/journal/1\">"), "{}", page.text);
    }

    fn the_form_of_a_kind_begins_with_the_suggestion_of_it(engine) {
        let (server, browser, key) = with_account(engine);
        let line = |day: &str| json!({"date": day, "amount": -45.5, "text": "Internet", "counterparty": {"name": "Kabel BV", "iban": CUSTOMER}});
        let feed = json!({"bankAccountId": 6, "from": "2026-02-01", "to": "2026-03-31", "lines": [line("2026-02-10"), line("2026-03-10")]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let costs = json!({"allocations": [{"kind": "expense", "items": [{"category": "4110", "vatRate": 9}], "businessShare": 60}]});
        assert_eq!(server.post(&key, "/api/v1/bank-lines/1/book", &costs).status, 200);
        let page = browser.get("/bank-lines?state=new&line=2&kind=expense");
        for (field, value) in [("items.0.category", "4110"), ("items.0.vatRate", "9"), ("businessShare", "60"), ("date", "2026-03-10")] {
            assert_eq!(value_of(&page, &format!("allocations.0.{field}")).as_deref(), Some(value), "{field}");
        }
        // What was sent is shown again as it was.
        let sent = [("action", "book"), ("allocations.0.items.0.category", ""), ("allocations.0.businessShare", "101")];
        let refused = browser.submit(&page, "/bank-lines/2/book", &sent);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert_eq!(value_of(&refused, "allocations.0.items.0.category").as_deref(), Some(""), "{}", refused.text);
    }

    fn charges_and_returns_are_suggested_without_history(engine) {
        let (server, browser, key) = with_account(engine);
        let invoice = json!({"status": "sent", "invoiceDate": "2025-11-05", "customer": {"name": "De Pier"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let feed = json!({"bankAccountId": 6, "from": "2026-03-01", "to": "2026-03-31", "lines": [
            {"date": "2026-03-10", "amount": -9.95, "text": "Kosten betalingsverkeer februari"},
            {"date": "2026-03-10", "amount": -21, "text": "Belastingdienst BTW"}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        for (id, words, reason) in [(1, "Bank charges", "is a charge of the bank"), (2, "VAT: Q4 2025", "which isn’t filed yet")] {
            let page = browser.get(&format!("/bank-lines?state=new&line={id}"));
            assert!(page.text.contains(&format!("perhaps <bdi>{words}</bdi>")) && page.text.contains(reason), "{}", page.text);
            let suggestion = best(&server, &key, id);
            let fields = [("action", "accept"), ("suggestion", suggestion.as_str())];
            assert_eq!(browser.submit(&page, &format!("/bank-lines/{id}/book"), &fields).status, 303);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
