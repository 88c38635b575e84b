//! Invoices that were open when the books began, on pages.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

/// Books an opening balance with one receivable of 605.00, with more fields.
fn opened(server: &Server, key: &str, more: &Value) {
    let mut item = json!({
        "kind": "receivable", "contact": "Museum De Pier", "number": "F-2025-41", "date": "2025-11-20", "dueDate": "2025-12-20",
        "amount": 605,
    });
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = server.post(
        key,
        "/api/v1/opening-balance",
        &json!({"date": "2026-01-01", "openItems": [item]}),
    );
    assert_eq!(reply.status, 201, "{}", reply.text);
}

fn location(answer: &Reply) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").unwrap().to_owned()
}

on_both_engines! {
    fn an_invoice_from_before_the_books_is_credited_by_amount(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        opened(&server, &key, &json!({"total": 1210, "vat": [{"rate": 21, "base": 1000, "amount": 210}]}));
        assert!(browser.get("/invoices/1").text.contains("href=\"/invoices/1/credit\""));
        let form = browser.get("/invoices/1/credit");
        assert_eq!(value_of(&form, "items.0.amount").as_deref(), Some("1,000.00"), "{}", form.text);
        assert!(!form.text.contains("items.1."), "{}", form.text);
        let on = |amount: &str| {
            browser.submit(
                &form,
                "/invoices/1/credit",
                &[("items.0.amount", amount), ("date", "2026-03-20"), ("reason", "Too much")],
            )
        };
        for amount in ["1000.01", "soon"] {
            let refused = on(amount);
            assert_eq!(refused.status, 422, "{amount}");
            assert!(fault_of(&refused, "items.0.amount").is_some() || fault_of(&refused, "items").is_some(), "{}", refused.text);
            assert_eq!(value_of(&refused, "items.0.amount").as_deref(), Some(amount));
        }
        // Without an amount there is nothing to credit.
        assert_eq!(on("").status, 422);
        assert_eq!(location(&on("500")), "/invoices/2?done=credit-note-made");
        let note = server.get(&key, "/api/v1/invoices/2").json();
        assert_eq!((&note["kind"], &note["total"]), (&json!("creditNote"), &json!(-605.0)));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["amountDue"], 0.0);
        let form = browser.get("/invoices/1/credit");
        assert_eq!(value_of(&form, "items.0.amount").as_deref(), Some("500.00"), "{}", form.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_invoice_whose_vat_is_unknown_is_credited_at_the_rates_of_its_date(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        opened(&server, &key, &json!({}));
        let form = browser.get("/invoices/1/credit");
        let amounts = ["items.0.amount", "items.1.amount", "items.2.amount"];
        assert_eq!(amounts.map(|name| value_of(&form, name)), [const { Some(String::new()) }; 3]);
        let made = browser.submit(
            &form,
            "/invoices/1/credit",
            &[("items.0.amount", "100"), ("items.1.amount", "100"), ("date", "2026-03-20")],
        );
        assert_eq!(location(&made), "/invoices/2?done=credit-note-made");
        // 21 % and 9 % on 100.00 each.
        let note = server.get(&key, "/api/v1/invoices/2").json();
        assert_eq!((&note["subtotal"], &note["vatTotal"]), (&json!(-200.0), &json!(-30.0)));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["amountDue"], 375.0);
        // More than the rest of the invoice is refused.
        let form = browser.get("/invoices/1/credit");
        let refused = browser.submit(
            &form,
            "/invoices/1/credit",
            &[("items.2.amount", "375.01"), ("date", "2026-03-20")],
        );
        assert_eq!(refused.status, 422);
        assert!(fault_of(&refused, "items").is_some(), "{}", refused.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
