//! Customers on the pages: their details, the VAT proposed to them, and warnings before anything
//! leaves.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, Visitor, on_both_engines};

fn started(engine: Engine) -> (Server, Visitor, String) {
    let server = Server::start(engine);
    let browser = signed_in(&server).speaking("nl");
    let key = server.key(EMAIL, true, true);
    (server, browser, key)
}

fn location(answer: &Reply) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").unwrap().to_owned()
}

/// Codes of the warnings that a page shows.
fn codes(page: &Reply) -> Vec<String> {
    let Some((_, list)) = page.text.split_once("data-testid=\"warnings\"") else {
        return Vec::new();
    };
    let list = list.split("</ul>").next().unwrap();
    list.split("data-code=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

fn contact(server: &Server, key: &str, body: &Value) -> i64 {
    let made = server.post(key, "/api/v1/contacts", body);
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["id"].as_i64().unwrap()
}

fn webhaus() -> Value {
    json!({
        "name": "Webhaus GmbH", "country": "DE", "vatNumber": "DE136695976", "email": "post@webhaus.example",
        "address": {"street": "Hauptstr. 1", "postalCode": "10115", "city": "Berlin"},
    })
}

const LINE: [(&str, &str); 2] = [("items.0.description", "Ontwerp"), ("items.0.unitPrice", "2500")];

fn last_invoice(server: &Server, key: &str) -> Value {
    server.get(key, "/api/v1/invoices?limit=1").json()["data"][0].clone()
}

on_both_engines! {
    fn the_form_of_a_contact_takes_its_details(engine) {
        let (server, browser, key) = started(engine);
        let page = browser.get("/contacts/new");
        let details = [
            ("name", "Smith Ltd"),
            ("country", "GB"),
            ("kind", "business"),
            ("language", "en"),
            ("phone", "+44 20 7946 0000"),
            ("paymentTermDays", "21"),
            ("vatDefault.vatRate", "0"),
            ("vatDefault.vatCategory", "serviceOutsideEu"),
            ("peppolId", "0088:5012345678900"),
            ("email", "bills@smith.example"),
        ];
        let made = browser.submit(&page, "/contacts", &details);
        assert_eq!(location(&made), "/contacts/1?done=contact-created");
        let stored = server.get(&key, "/api/v1/contacts/1").json();
        assert_eq!(
            json!([stored["kind"], stored["language"], stored["paymentTermDays"], stored["vatDefault"]["vatCategory"]]),
            json!(["business", "en", 21, "serviceOutsideEu"])
        );
        assert_eq!(stored["emails"][0]["uses"].as_array().unwrap().len(), 4);
        let shown = browser.get("/contacts/1").text;
        for text in ["Ondernemer", "Engels", "+44 20 7946 0000", "0088:5012345678900"] {
            assert!(shown.contains(text), "{text}");
        }
        // Further addresses, each with its uses.
        let edit = browser.get("/contacts/1/edit");
        assert_eq!(value_of(&edit, "phone").as_deref(), Some("+44 20 7946 0000"));
        let more = [
            ("emails.1.email", "late@smith.example"),
            ("emails.1.uses.reminder", "reminder"),
        ];
        location(&browser.submit(&edit, "/contacts/1", &more));
        let emails = server.get(&key, "/api/v1/contacts/1").json()["emails"].clone();
        assert_eq!(emails[1], json!({"email": "late@smith.example", "uses": ["reminder"]}));
        assert_eq!(emails[0]["email"], "bills@smith.example");
        let edit = browser.get("/contacts/1/edit");
        let wrong = [
            ("phone", "nobody"),
            ("peppolId", "0106:1"),
            ("kind", "consumer"),
            ("emails.1.email", "nobody"),
        ];
        let refused = browser.submit(&edit, "/contacts/1", &wrong);
        assert_eq!(refused.status, 422);
        for field in ["phone", "peppolId", "emails.1.email"] {
            assert!(fault_of(&refused, field).is_some(), "{field}");
        }
        // Emptying the further address leaves the first one.
        let edit = browser.get("/contacts/1/edit");
        location(&browser.submit(&edit, "/contacts/1", &[("emails.1.email", "")]));
        let emails = server.get(&key, "/api/v1/contacts/1").json()["emails"].clone();
        assert_eq!(emails.as_array().unwrap().len(), 1, "{emails}");
    }

    fn the_lines_get_the_vat_proposed_to_the_customer(engine) {
        let (server, browser, key) = started(engine);
        let id = contact(&server, &key, &webhaus()).to_string();
        let form = browser.get("/invoices/new");
        assert_eq!(value_of(&form, "items.0.vatProposed").as_deref(), Some("true"));
        let choose = [&LINE[..], &[("customer.contactId", id.as_str()), ("action", "calculate")]].concat();
        let chosen = browser.submit(&form, "/invoices", &choose);
        assert!(chosen.text.contains("Btw aangepast aan Webhaus GmbH: verlegd"), "{}", chosen.text);
        assert_eq!(codes(&chosen), Vec::<String>::new());
        location(&browser.submit(&chosen, "/invoices", &[("action", "draft")]));
        let made = last_invoice(&server, &key);
        assert_eq!(
            json!([made["items"][0]["vatRate"], made["items"][0]["vatCategory"]]),
            json!([0, "intraCommunity"])
        );
        // A rate that was touched stays, and causes a warning.
        let touched = [("items.0.vatRate", "21"), ("action", "calculate")];
        let kept = browser.submit(&chosen, "/invoices", &touched);
        assert_eq!(codes(&kept), ["eu_business_at_dutch_rate"]);
        assert!(kept.text.contains("Toch versturen"), "{}", kept.text);
        // Without a look at the form, an untouched line is the proposal too.
        let unseen = [&LINE[..], &[("customer.contactId", id.as_str()), ("action", "draft")]].concat();
        location(&browser.submit(&browser.get("/invoices/new"), "/invoices", &unseen));
        assert_eq!(last_invoice(&server, &key)["vatTotal"], json!(0.0));
        // The contact's own page begins with it.
        let begun = browser.get(&format!("/invoices/new?contactId={id}"));
        assert!(begun.text.contains("value=\"0\" selected"), "{}", begun.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_warning_that_was_not_shown_stops_an_invoice(engine) {
        let (server, browser, key) = started(engine);
        let id = contact(&server, &key, &webhaus()).to_string();
        let form = browser.get("/invoices/new");
        let fields = [&LINE[..], &[("customer.contactId", id.as_str()), ("items.0.vatProposed", ""),
            ("items.0.vatRate", "21"), ("action", "sent")]].concat();
        let stopped = browser.submit(&form, "/invoices", &fields);
        assert_eq!((stopped.status, codes(&stopped)), (409, vec!["eu_business_at_dutch_rate".to_owned()]));
        assert!(stopped.text.contains("Er is nog niets verstuurd"), "{}", stopped.text);
        assert_eq!(server.get(&key, "/api/v1/invoices").json()["data"], json!([]));
        // Seen, it leaves.
        location(&browser.submit(&stopped, "/invoices", &[("action", "sent")]));
        assert_eq!(last_invoice(&server, &key)["status"], "sent");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_warning_that_was_not_shown_stops_a_quote(engine) {
        let (server, browser, key) = started(engine);
        contact(&server, &key, &webhaus());
        let warned = || vec!["eu_business_at_dutch_rate".to_owned()];
        let fields = [&LINE[..], &[("customer.contactId", "1"), ("items.0.vatProposed", ""),
            ("items.0.vatRate", "21"), ("action", "sent")]].concat();
        let stopped = browser.submit(&browser.get("/quotes/new"), "/quotes", &fields);
        assert_eq!((stopped.status, codes(&stopped)), (409, warned()));
        assert!(stopped.text.contains("Er is nog niets verstuurd"), "{}", stopped.text);
        assert_eq!(server.get(&key, "/api/v1/quotes").json()["data"], json!([]));
        let drafted = browser.submit(&stopped, "/quotes", &[("action", "draft")]);
        assert_eq!(location(&drafted).split('?').next(), Some("/quotes/1"));
        let (page, mail) = (browser.get("/quotes/1"), browser.get("/quotes/1/send"));
        assert_eq!((codes(&page), codes(&mail)), (warned(), warned()));
        assert!(page.text.contains("Toch als verstuurd noteren") && mail.text.contains("Toch versturen"));
        let state = || server.get(&key, "/api/v1/quotes/1").json()["status"].clone();
        // Pages that saw less send nothing.
        for (page, call) in [(&page, "mark-sent"), (&mail, "send")] {
            let stopped = browser.submit(page, &format!("/quotes/1/{call}"), &[("seen", " ")]);
            assert_eq!((stopped.status, codes(&stopped)), (409, warned()), "{call}");
            assert!(stopped.text.contains("Er is nog niets verstuurd"), "{call}: {}", stopped.text);
        }
        let edit = browser.get("/quotes/1/edit");
        let stopped = browser.submit(&edit, "/quotes/1", &[("action", "sent"), ("seen", " ")]);
        assert_eq!((stopped.status, codes(&stopped), state()), (409, warned(), json!("draft")));
        location(&browser.submit(&browser.get("/quotes/1"), "/quotes/1/mark-sent", &[]));
        assert_eq!((state(), codes(&browser.get("/quotes/1"))), (json!("sent"), Vec::new()));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn draft_and_mail_show_the_warnings_and_the_mail_has_copies(engine) {
        let (server, browser, key) = started(engine);
        let mut customer = webhaus();
        customer["emails"] = json!([
            {"email": "post@webhaus.example"},
            {"email": "copy@webhaus.example", "uses": ["invoice"]},
        ]);
        contact(&server, &key, &customer);
        let draft = json!({
            "customer": {"contactId": 1},
            "items": [{"description": "x", "unitPrice": 200, "vatRate": 21}],
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        let page = browser.get("/invoices/1");
        assert_eq!(codes(&page), ["eu_business_at_dutch_rate"]);
        assert!(page.text.contains("Toch als verstuurd noteren"));
        let mail = browser.get("/invoices/1/send");
        assert_eq!(codes(&mail), ["eu_business_at_dutch_rate"]);
        assert!(mail.text.contains("Toch versturen"));
        assert_eq!(value_of(&mail, "cc").as_deref(), Some("copy@webhaus.example"));
        // The draft changes in another window: the page that saw less sends nothing.
        let seen = value_of(&mail, "seen").unwrap();
        let fewer = seen.replace("eu_business_at_dutch_rate", "");
        let stopped = browser.submit(&mail, "/invoices/1/send", &[("seen", &fewer)]);
        assert_eq!(stopped.status, 409);
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["status"], "draft");
        assert_eq!(server.get(&key, "/api/v1/invoices/1/messages").json()["data"], json!([]));
        let twice = [("cc", "a@webhaus.example, b@webhaus.example")];
        location(&browser.submit(&stopped, "/invoices/1/send", &twice));
        let sent = server.get(&key, "/api/v1/invoices/1/messages").json()["data"][0].clone();
        assert_eq!(
            json!([sent["to"], sent["cc"]]),
            json!(["post@webhaus.example", ["a@webhaus.example", "b@webhaus.example"]])
        );
        server.deliver_mails();
        let mails = server.mails("post@webhaus.example");
        let cc = mails[0].headers.lines().find(|line| line.starts_with("Cc:"));
        assert_eq!(cc, Some("Cc: a@webhaus.example, b@webhaus.example"));
    }

    fn telephone_website_and_bic_are_settings_of_the_company(engine) {
        let (server, browser, key) = started(engine);
        let page = browser.get("/settings");
        let right = [
            ("iban", "NL91ABNA0417164300"),
            ("bic", "abnanl2a"),
            ("phone", "030 123 45 67"),
            ("website", "https://anna.example/werk"),
        ];
        assert_eq!(location(&browser.submit(&page, "/settings", &right)), "/settings?done=saved");
        let account = server.get(&key, "/api/v1/account").json();
        assert_eq!(
            json!([account["bic"], account["phone"], account["website"]]),
            json!(["ABNANL2A", "030 123 45 67", "https://anna.example/werk"])
        );
        let page = browser.get("/settings");
        assert_eq!(value_of(&page, "bic").as_deref(), Some("ABNANL2A"));
        let wrong = [
            ("bic", "KREDBEBB"),
            ("phone", "bel me"),
            ("website", "http://anna.example"),
        ];
        let refused = browser.submit(&page, "/settings", &wrong);
        assert_eq!(refused.status, 422);
        for (field, _) in wrong {
            assert!(fault_of(&refused, field).is_some(), "{field}");
        }
    }
}
