//! Recurring invoices: the owner's pages.

use crate::help::{EMAIL, PASSWORD, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Reply, Server, Visitor, on_both_engines};

const FIELDS: [(&str, &str); 10] = [
    ("customer.name", "Museum De Pier"),
    ("customer.country", "NL"),
    ("every.count", "1"),
    ("every.unit", "month"),
    ("firstDate", "2026-03-31"),
    ("deliver", "draft"),
    ("supplyPeriod", "current"),
    ("items.0.description", "Hosting {month}"),
    ("items.0.unitPrice", "100"),
    ("items.0.vatRate", "21"),
];

/// Sends the form for a new recurring invoice with one of its buttons.
fn post(browser: &Visitor, action: &str) -> Reply {
    let mut fields = FIELDS.to_vec();
    fields.push(("action", action));
    browser.submit(&browser.get("/recurring/new"), "/recurring", &fields)
}

/// Sends a form of the page of recurring invoice 1.
fn act(browser: &Visitor, path: &str, fields: &[(&str, &str)]) -> Reply {
    browser.submit(&browser.get("/recurring/1"), path, fields)
}

fn stored(server: &Server, key: &str) -> Value {
    server.get(key, "/api/v1/recurring-invoices/1").json()
}

on_both_engines! {
    fn a_recurring_invoice_is_made_paused_and_ended_on_its_pages(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert_eq!(browser.get("/recurring").status, 200);
        let form = browser.get("/recurring/new");
        assert_eq!((form.status, value_of(&form, "every.count").as_deref()), (200, Some("1")));
        let calculated = post(&browser, "calculate");
        assert_eq!(calculated.status, 200, "{}", calculated.text);
        assert!(calculated.text.contains("121.00"), "{}", calculated.text);
        assert_eq!(post(&browser, "sent").status, 422, "there is no such button");
        let made = post(&browser, "save");
        assert_eq!((made.status, made.header("location")), (303, Some("/recurring/1?done=recurring-created")), "{}", made.text);
        let page = browser.get("/recurring/1");
        assert_eq!(page.status, 200, "{}", page.text);
        // The next twelve with their totals.
        let planned = page.text.split("data-testid=\"planned\"").nth(1).unwrap();
        assert_eq!(planned.split("</table>").next().unwrap().matches("<tr data-id=").count(), 12);
        assert!(planned.contains("1,452.00"), "{planned}");
        let edit = browser.get("/recurring/1/edit");
        assert_eq!((edit.status, value_of(&edit, "firstDate").as_deref()), (200, Some("2026-03-31")));
        let other_window = browser.get("/recurring/1/edit");
        let edited = browser.submit(&edit, "/recurring/1", &[("items.0.unitPrice", "200"), ("count", "2"), ("action", "save")]);
        assert_eq!(edited.status, 303, "{}", edited.text);
        let now = stored(&server, &key);
        assert_eq!((&now["count"], &now["every"]["unit"], &now["supplyPeriod"]), (&json!(2), &json!("month"), &json!("current")));
        assert!(server.get(&key, "/api/v1/recurring-invoices/1").text.contains("\"total\":242.00"));
        // A window that shows an older version sees the difference.
        let old = browser.submit(&other_window, "/recurring/1", &[("notes", "Late"), ("action", "save")]);
        assert_eq!(old.status, 409, "{}", old.text);
        for (call, fields, status, done) in [
            ("/recurring/1/pause", &[][..], "paused", "/recurring/1?done=recurring-paused"),
            ("/recurring/1/resume", &[("missed", "ask")][..], "active", "/recurring/1?done=recurring-resumed"),
            ("/recurring/1/end", &[][..], "ended", "/recurring/1?done=recurring-ended"),
        ] {
            let reply = act(&browser, call, fields);
            assert_eq!((reply.status, reply.header("location")), (303, Some(done)), "{call}: {}", reply.text);
            assert_eq!(stored(&server, &key)["status"], status, "{call}");
        }
        assert_eq!(browser.get("/recurring/1/edit").status, 303);
        for (query, shown) in [("", true), ("?state=ended", true), ("?state=active", false), ("?q=pier", true), ("?q=nobody", false)] {
            let page = browser.get(&format!("/recurring{query}"));
            assert_eq!((page.status, page.text.contains("/recurring/1\"")), (200, shown), "{query}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn what_waits_is_made_or_skipped_from_the_overview(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let weekly = json!({"customer": {"name": "Museum De Pier"}, "every": {"unit": "week"}, "firstDate": "2026-03-16",
            "items": [{"description": "Hosting", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/recurring-invoices", &weekly).status, 201);
        let home = browser.get("/");
        assert!(home.text.contains("data-testid=\"coming\""), "{}", home.text);
        server.clock.set("2026-04-05T11:00:00Z");
        server.do_due_work();
        // The session has ended in the meantime.
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let home = browser.get("/");
        assert!(home.text.contains("2 recurring invoices are waiting for you"), "{}", home.text);
        let made = act(&browser, "/recurring/1/occurrences/1/make", &[]);
        assert_eq!(made.status, 303, "{}", made.text);
        assert!(made.header("location").unwrap().starts_with("/invoices/"));
        let invoice = browser.get(made.header("location").unwrap());
        assert!(invoice.text.contains("href=\"/recurring/1\""), "{}", invoice.text);
        let other_window = browser.get("/recurring/1");
        assert_eq!(act(&browser, "/recurring/1/occurrences/2/skip", &[]).status, 303);
        let late = browser.submit(&other_window, "/recurring/1/occurrences/2/make", &[]);
        assert_eq!(late.status, 409, "{}", late.text);
        assert_eq!(act(&browser, "/recurring/1/occurrences/4/skip", &[]).status, 303);
        assert!(!browser.get("/").text.contains("waiting for you"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_invoice_becomes_recurring(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let sold = json!({"customer": {"name": "Museum De Pier"}, "reference": "PO 7",
            "items": [{"description": "Hosting", "unitPrice": 55, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &sold).status, 201);
        assert!(browser.get("/invoices/1").text.contains("/recurring/new?from=1"));
        let form = browser.get("/recurring/new?from=1");
        assert_eq!((form.status, value_of(&form, "reference").as_deref()), (200, Some("PO 7")), "{}", form.text);
        let made = browser.submit(&form, "/recurring", &[("action", "save")]);
        assert_eq!(made.status, 303, "{}", made.text);
        let now = stored(&server, &key);
        assert_eq!((&now["customer"]["contactId"], &now["items"][0]["description"]), (&json!(1), &json!("Hosting")));
        assert_eq!(browser.get("/recurring/new?from=99").status, 404);
    }

    fn an_unfinished_one_is_offered_again(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let refused = browser.submit(
            &browser.get("/recurring/new"),
            "/recurring",
            &[("customer.name", "Museum De Pier"), ("action", "save")],
        );
        assert_eq!(refused.status, 422, "{}", refused.text);
        let page = browser.get("/unfinished");
        assert!(page.text.contains("Museum De Pier") && page.text.contains("/recurring/new"), "{}", page.text);
    }
}
