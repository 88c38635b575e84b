//! Own ledger accounts on the page of the trial balance.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::json;
use testing::{Server, on_both_engines, page::forms_like};

const PAGE: &str = "/journal/accounts";

on_both_engines! {
    fn an_own_account_is_added_used_renamed_and_hidden(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-05-02T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get(PAGE);
        assert!(page.text.contains("Your own accounts"), "{}", page.text);
        // A reserved code and an unknown RGS code keep the input, with a fault at each field.
        let wrong = [("action", "add"), ("code", "1300"), ("name", "Till"), ("rgsCode", "BLimXxxYyy")];
        let refused = browser.submit(&page, PAGE, &wrong);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "code").unwrap().contains("reserved"));
        assert!(fault_of(&refused, "rgsCode").unwrap().contains("from the list"));
        assert_eq!(value_of(&refused, "name").as_deref(), Some("Till"));
        let postage = [("action", "add"), ("code", "4105"), ("name", "Postage"), ("rgsCode", "WBedKanOka")];
        let added = browser.submit(&page, PAGE, &postage);
        assert_eq!(added.header("location"), Some("/journal/accounts?done=account-added"), "{}", added.text);
        let stored = server.get(&key, "/api/v1/ledger-accounts/4105").json();
        assert_eq!(
            (&stored["name"], &stored["vatDeductible"]),
            (&json!("Postage"), &json!(true))
        );
        // Pages offer it, and show its name.
        for path in ["/journal/new", "/accruals", "/journal"] {
            assert!(browser.get(path).text.contains("4105 Postage"), "{path}");
        }
        assert!(browser.get("/expenses/new").text.contains("Postage · 4105"));
        let bought = json!({"date": "2026-03-10", "supplier": "Post", "items": [{"category": "4105", "amount": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &bought).status, 201);
        for path in ["/journal/1", "/expenses/1", "/journal/accounts?year=2026", "/journal/accounts/4105?year=2026", "/year/2026"] {
            assert!(browser.get(path).text.contains("Postage"), "{path}");
        }
        let page = browser.get("/journal/accounts?year=2026");
        let rename = [("action", "rename"), ("code", "4105"), ("name", "Couriers")];
        let saved = browser.submit(&page, PAGE, &rename);
        assert_eq!(saved.header("location"), Some("/journal/accounts?done=account-saved"), "{}", saved.text);
        assert!(browser.get("/journal/1").text.contains("4105 Couriers"));
        // With a balance it stays; without one it can be hidden, and shown again.
        let hide = [("action", "hide"), ("code", "4105")];
        let refused = browser.submit(&browser.get(PAGE), PAGE, &hide);
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert!(refused.text.contains("has a balance"));
        // The form that adds an account is as before.
        let forms = forms_like(&refused, PAGE);
        let add = forms.iter().find(|form| form.fields.iter().any(|(name, _)| name == "rgsCode"));
        assert!(add.unwrap().fields.contains(&("vatDeductible".into(), "true".into())));
        let moved = json!({"date": "2026-03-11", "description": "x", "lines": [{"account": "4100", "debit": 100}, {"account": "4105", "credit": 100}]});
        assert_eq!(server.post(&key, "/api/v1/manual-entries", &moved).status, 201);
        let hidden = browser.submit(&browser.get(PAGE), PAGE, &hide);
        assert_eq!(hidden.status, 303, "{}", hidden.text);
        assert!(!browser.get("/journal/new").text.contains("4105 Couriers"));
        assert!(browser.get("/journal").text.contains("4105 Couriers"));
        let shown = browser.submit(&browser.get(PAGE), PAGE, &[("action", "show"), ("code", "4105")]);
        assert_eq!(shown.status, 303, "{}", shown.text);
        assert!(browser.get("/journal/new").text.contains("4105 Couriers"));
        // Without the tick the VAT of purchases is a cost.
        let page = browser.get(PAGE);
        let body = [("action", "add"), ("code", "4106"), ("name", "Tickets"), ("rgsCode", "WBedVkkRep"), ("vatDeductible", "")];
        assert_eq!(browser.submit(&page, PAGE, &body).status, 303);
        let stored = server.get(&key, "/api/v1/ledger-accounts/4106").json();
        assert_eq!(stored["vatDeductible"], json!(false));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_draft_keeps_the_revenue_account_of_its_lines(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let own = json!({"code": "8105", "name": "Workshops", "rgsCode": "WOmzNodOdh"});
        assert_eq!(server.post(&key, "/api/v1/ledger-accounts", &own).status, 201);
        let draft = json!({"customer": {"name": "K"}, "items": [{"description": "a", "unitPrice": 100, "vatRate": 21, "account": "8105"}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        let form = browser.get("/invoices/1/edit");
        assert_eq!(value_of(&form, "items.0.account").as_deref(), Some("8105"));
        let saved = browser.submit(&form, "/invoices/1", &[("items.0.unitPrice", "200")]);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let items = server.get(&key, "/api/v1/invoices/1").json()["items"].clone();
        assert_eq!((&items[0]["account"], &items[0]["unitPrice"]), (&json!("8105"), &json!(200)));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
