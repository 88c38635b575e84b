//! Bills to pay, payment batches and codes for banking apps as pages.

use crate::help::{EMAIL, fault_of, signed_in};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

const OWN: &str = "NL91ABNA0417164300";
const SUPPLIER: &str = "NL02ABNA0123456789";

fn made(server: &Server, key: &str, path: &str, body: &Value) -> i64 {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["id"].as_i64().unwrap()
}

fn bill(supplier: &str, more: &Value) -> Value {
    let mut body = json!({"date": "2026-02-20", "supplier": supplier, "paidFrom": "unpaid",
        "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

on_both_engines! {
    fn bills_are_ticked_downloaded_and_cancelled(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/expenses?tab=toPay").text.contains("No bills to pay"));
        assert!(browser.get("/payment-batches").text.contains("No payment batches yet"));
        let pay_to = json!({"payTo": {"iban": SUPPLIER}, "supplierInvoiceNumber": "F-12"});
        let first = made(&server, &key, "expenses", &bill("Papierhal", &pay_to)).to_string();
        let nameless = made(&server, &key, "expenses", &bill("Drukkerij", &json!({})));
        let overdue = json!({"payTo": {"iban": SUPPLIER}, "dueDate": "2026-02-25"});
        let late = made(&server, &key, "expenses", &bill("Werkplaats", &overdue)).to_string();
        let without_bank = browser.get("/expenses?tab=toPay");
        assert!(without_bank.text.contains("Give your checking account its IBAN first"));
        let account = json!({"name": "Zakelijk", "kind": "checking", "iban": OWN});
        let bank = made(&server, &key, "bank-accounts", &account).to_string();
        let page = browser.get("/expenses?tab=toPay");
        for text in ["F-12", "NL02 ABNA 0123 4567 89", "Overdue", "IBAN is missing", "Zakelijk"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        assert!(!page.text.contains(&format!("name=\"expenseIds\" value=\"{nameless}\"")));
        // The most urgent bill is first.
        assert!(page.text.find("Werkplaats").unwrap() < page.text.find("Papierhal").unwrap());
        let fields = |day: &'static str| [("bankAccountId", bank.as_str()), ("executionDate", day)];
        let none = browser.submit(&page, "/payment-batches", &fields("2026-03-16"));
        assert_eq!(none.status, 422);
        assert!(none.text.contains("Tick at least one bill"), "{}", none.text);
        let ticked = [("expenseIds", first.as_str()), ("expenseIds", late.as_str())];
        let early =
            browser.submit(&none, "/payment-batches", &[&ticked[..], &fields("2026-03-01")].concat());
        assert_eq!(early.status, 422);
        assert!(fault_of(&early, "executionDate").is_some(), "{}", early.text);
        let answer =
            browser.submit(&early, "/payment-batches", &[&ticked[..], &fields("2026-03-16")].concat());
        assert_eq!(answer.status, 303, "{}", answer.text);
        let shown = browser.follow(&answer);
        for text in ["Payment batch 1", "Not downloaded yet", "GB1-1", "F-12", "<data value=\"242.00\">"] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        assert!(shown.text.contains("was due on"), "{}", shown.text);
        let file = browser.get("/payment-batches/1/file");
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/xml")));
        let by_api = server.get(&key, "/api/v1/payment-batches/1/file");
        assert_eq!(file.text, by_api.text);
        assert!(browser.get("/payment-batches/1").text.contains("Downloaded"));
        assert!(browser.get("/payment-batches").text.contains("<data value=\"242.00\">"));
        let csv = browser.get("/payment-batches.csv");
        assert_eq!(csv.text.lines().count(), 2, "{}", csv.text);
        assert!(csv.text.contains("1;2026-03-16;downloaded;Zakelijk;2;242,00;0,00"), "{}", csv.text);
        assert_eq!(browser.get("/payment-batches.xlsx").status, 200);
        assert!(browser.get("/expenses?tab=toPay").text.contains("In payment batch 1"));
        // A second batch of the same bill is refused.
        let page = browser.get("/expenses?tab=toPay");
        assert!(!page.text.contains("name=\"expenseIds\""), "{}", page.text);
        let again =
            browser.submit(&page, "/payment-batches", &[&ticked[..1], &fields("2026-03-17")].concat());
        assert_eq!(again.status, 409, "{}", again.text);
        assert!(again.text.contains("already in another payment batch"), "{}", again.text);
        let cancelled = browser.submit(&shown, "/payment-batches/1/cancel", &[]);
        assert_eq!(cancelled.status, 303, "{}", cancelled.text);
        let shown = browser.follow(&cancelled);
        assert!(shown.text.contains("Cancelled") && !shown.text.contains("/payment-batches/1/file"));
        assert_eq!(browser.get("/payment-batches/1/file").status, 409);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_page_of_a_bill_has_a_code_for_banking_apps(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let dutch = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        let own = made(&server, &key, "expenses", &bill("Papierhal", &json!({})));
        let path = format!("/expenses/{own}");
        assert!(dutch.get(&path).text.contains("IBAN invullen"));
        let edited = server.send(
            "PATCH",
            &format!("/api/v1{path}"),
            &[("x-api-key", &key), ("content-type", "application/json")],
            Some(json!({"payTo": {"iban": SUPPLIER}}).to_string().as_bytes()),
        );
        assert_eq!(edited.status, 200, "{}", edited.text);
        let shown = dutch.get(&path);
        for text in ["class=\"qr\"", "<svg xmlns", "Betalen met je bankapp", "Rabobank"] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        let paid = server.post(&key, &format!("/api/v1{path}/payments"), &json!({"date": "2026-03-01"}));
        assert_eq!(paid.status, 201, "{}", paid.text);
        assert!(!dutch.get(&path).text.contains("class=\"qr\""));
    }
}
