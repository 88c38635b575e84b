//! Reminders: the settings, the list, the section on an invoice, and the overview.

use crate::help::{EMAIL, PASSWORD, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Server, Visitor, on_both_engines};

/// Sends an invoice that is due on 19 January.
fn overdue(server: &Server, key: &str, customer: &Value) {
    let body = json!({"status": "sent", "customer": customer, "invoiceDate": "2026-01-05", "dueDate": "2026-01-19",
        "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]});
    assert_eq!(server.post(key, "/api/v1/invoices", &body).status, 201);
}

fn business(name: &str) -> Value {
    json!({"name": name, "email": "klant@example.com", "kvkNumber": "12345678"})
}

/// Posts a form that has several values of one field.
fn send(browser: &Visitor, ids: &[&str]) -> testing::Reply {
    let page = browser.get("/reminders");
    let fields = [
        ("csrf", value_of(&page, "csrf").unwrap()),
        ("submission", value_of(&page, "submission").unwrap()),
    ];
    let mut pairs: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    pairs.extend(ids.iter().map(|id| ("invoiceIds", *id)));
    pairs.push(("action", "send"));
    browser.post("/reminders", &pairs)
}

on_both_engines! {
    fn the_plan_is_chosen_in_the_settings(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/reminders");
        for (field, value) in [("minimumDays", "7"), ("business.2.days", "35"), ("business.3.days", ""), ("consumer.1.days", "21")] {
            assert_eq!(value_of(&page, field).as_deref(), Some(value), "{field}: {}", page.text);
        }
        let refused = browser.submit(&page, "/settings/reminders", &[("minimumDays", "2"), ("business.1.days", "7")]);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains("Choose more days than for the step before."), "{}", refused.text);
        let saved = browser.submit(
            &page,
            "/settings/reminders",
            &[("mode", "automatic"), ("minimumDays", "10"), ("business.0.days", "3"), ("consumer.0.days", ""), ("consumer.1.days", "")],
        );
        assert_eq!(saved.header("location"), Some("/settings/reminders?done=saved"), "{}", saved.text);
        // The page was opened before that.
        let changed = browser.submit(&page, "/settings/reminders", &[("submission", "other"), ("minimumDays", "20")]);
        assert_eq!(changed.status, 409, "{}", changed.text);
        let page = browser.get("/settings/reminders");
        for (field, value) in [("minimumDays", "10"), ("business.0.days", "3"), ("business.1.days", "21"), ("consumer.0.days", "")] {
            assert_eq!(value_of(&page, field).as_deref(), Some(value), "{field}: {}", page.text);
        }
        assert!(page.text.contains("value=\"automatic\" checked"), "{}", page.text);
    }

    fn due_reminders_are_sent_from_their_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/reminders").text.contains("No reminders due"));
        overdue(&server, &key, &business("Museum De Pier"));
        overdue(&server, &key, &business("Korenaar"));
        overdue(&server, &key, &json!({"name": "Zonder Adres"}));
        let overview = browser.get("/");
        assert!(overview.text.contains("3 reminders are due"), "{}", overview.text);
        let page = browser.get("/reminders");
        assert!(page.text.contains("Friendly reminder") && page.text.contains("Korenaar"), "{}", page.text);
        let none = send(&browser, &[]);
        assert_eq!(none.status, 422, "{}", none.text);
        assert!(none.text.contains("Choose at least one invoice."), "{}", none.text);
        // Each is refused alone, in its row.
        let sent = send(&browser, &["1", "3"]);
        assert_eq!(sent.status, 409, "{}", sent.text);
        assert!(sent.text.contains("id=\"invoice-3-fault\"") && !sent.text.contains("id=\"invoice-1-fault\""), "{}", sent.text);
        assert_eq!(server.mails("klant@example.com").len(), 1);
        let sent = send(&browser, &["2"]);
        assert_eq!((sent.status, sent.header("location")), (303, Some("/reminders?done=reminders-sent")), "{}", sent.text);
        assert_eq!(server.mails("klant@example.com").len(), 2);
        let page = browser.get("/reminders?state=stopped");
        assert!(page.text.contains("No stopped reminders"), "{}", page.text);
    }

    fn reminders_are_stopped_and_resumed_on_the_invoice(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        overdue(&server, &key, &business("Museum De Pier"));
        let page = browser.get("/invoices/1");
        let (stop, resume) = ("/invoices/1/reminders/stop", "/invoices/1/reminders/resume");
        let refused = browser.submit(&page, stop, &[("until", "2026-03-01")]);
        assert_eq!(refused.status, 422, "{}", refused.text);
        let stopped = browser.submit(&page, stop, &[("reason", "Betaalt in delen"), ("until", "")]);
        assert_eq!(stopped.header("location"), Some("/invoices/1?done=reminders-stopped"), "{}", stopped.text);
        assert!(browser.get("/reminders").text.contains("No reminders due"));
        let list = browser.get("/reminders?state=stopped");
        assert!(list.text.contains("Betaalt in delen"), "{}", list.text);
        let mail = browser.get("/invoices/1/remind");
        assert!(mail.text.contains("are stopped. Resume them first.") && !mail.text.contains(">Send reminder</button>"), "{}", mail.text);
        let page = browser.get("/invoices/1");
        assert!(page.text.contains("Betaalt in delen"), "{}", page.text);
        let resumed = browser.submit(&page, resume, &[]);
        assert_eq!(resumed.header("location"), Some("/invoices/1?done=reminders-resumed"), "{}", resumed.text);
        // A reminder in the owner's words, and one before its time.
        let mail = browser.get("/invoices/1/remind");
        let sent = browser.submit(&mail, "/invoices/1/remind", &[("subject", "Graag betalen")]);
        assert_eq!(sent.status, 303, "{}", sent.text);
        assert_eq!(server.mails("klant@example.com")[0].subject, "Graag betalen");
        server.clock.set("2026-03-17T12:00:00Z");
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let early = browser.get("/invoices/1/remind");
        assert!(early.text.contains("22 March 2026") && early.text.contains("name=\"force\" value=\"true\">Send anyway"), "{}", early.text);
        assert_eq!(browser.submit(&early, "/invoices/1/remind", &[]).status, 409);
        let forced = browser.submit(&early, "/invoices/1/remind", &[("force", "true")]);
        assert_eq!(forced.status, 303, "{}", forced.text);
        let page = browser.get("/invoices/1");
        for text in ["Friendly reminder", "Reminder with interest", "Reminder with collection costs"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        // A customer who gets no reminders.
        let form = browser.get("/contacts/1/edit");
        let saved = browser.submit(&form, "/contacts/1", &[("remindersStopped", "true")]);
        assert_eq!(saved.status, 303, "{}", saved.text);
        assert!(browser.get("/invoices/1").text.contains("This customer gets no reminders"));
    }
}
