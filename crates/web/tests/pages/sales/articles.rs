//! Articles as pages, suggestions while a form is filled in, and the preview of a document.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{
    Engine, Reply, Server, Visitor, on_both_engines,
    page::{Form, form_to},
};

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

fn make(server: &Server, key: &str, path: &str, body: &Value) -> i64 {
    let made = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(made.status, 201, "{path}: {}", made.text);
    made.json()["id"].as_i64().unwrap()
}

fn last_invoice(server: &Server, key: &str) -> Value {
    server.get(key, "/api/v1/invoices?limit=1").json()["data"][0].clone()
}

/// Sends a form of a page to another path, as a script does.
fn submit_to(
    browser: &Visitor,
    page: &Reply,
    action: &str,
    path: &str,
    filled: &[(&str, &str)],
) -> Reply {
    let form = Form { action: path.to_owned(), ..form_to(&page.text, action) };
    browser.submit_form(&form, filled)
}

/// Value of a field of the form with this action.
fn typed(page: &Reply, action: &str, field: &str) -> String {
    let fields = form_to(&page.text, action).fields.into_iter();
    fields.filter(|(name, _)| name == field).map(|(_, value)| value).collect()
}

/// Number of items of a list.
fn items(page: &Reply) -> usize {
    assert_eq!(page.status, 200, "{}", page.text);
    page.text.matches("<li").count()
}

on_both_engines! {
    fn an_article_is_added_changed_and_archived(engine) {
        let (server, browser, key) = started(engine);
        let empty = browser.get("/articles");
        assert!(empty.text.contains("Nog geen artikelen"), "{}", empty.text);
        let page = browser.get("/articles/new");
        let wrong = [("name", ""), ("unitPrice", "veel"), ("vatCategory", "exempt"), ("vatRate", "21")];
        let refused = browser.submit(&page, "/articles", &wrong);
        assert_eq!(refused.status, 422);
        for field in ["name", "unitPrice"] {
            assert!(fault_of(&refused, field).is_some(), "{field}");
        }
        let right = [
            ("name", "Advies"),
            ("number", "A-100"),
            ("descriptions.nl", "Advies per uur"),
            ("unit", "uur"),
            ("unitPrice", "95,50"),
            ("pricesIncludeVat", "true"),
            ("vatCategory", ""),
            ("vatRate", "21"),
        ];
        assert_eq!(location(&browser.submit(&refused, "/articles", &right)), "/articles?done=article-created");
        let made = server.get(&key, "/api/v1/articles/1").json();
        assert_eq!(
            json!([made["number"], made["descriptions"]["nl"], made["unitPrice"], made["pricesIncludeVat"], made["vatRate"]]),
            json!(["A-100", "Advies per uur", 95.5, true, 21])
        );
        let list = browser.get("/articles?q=advies");
        assert!(list.text.contains("href=\"/articles/1/edit\""), "{}", list.text);
        let edit = browser.get("/articles/1/edit");
        assert_eq!(value_of(&edit, "unitPrice").as_deref(), Some("95,5"));
        let taken = make(&server, &key, "articles", &json!({"name": "Boek", "number": "B"})).to_string();
        let refused = browser.submit(&edit, "/articles/1", &[("number", "B")]);
        assert!(fault_of(&refused, "number").is_some(), "{taken}: {}", refused.text);
        location(&browser.submit(&refused, "/articles/1", &[("number", ""), ("vatRate", "9")]));
        let edited = server.get(&key, "/api/v1/articles/1").json();
        assert_eq!(json!([edited["number"], edited["vatRate"]]), json!([null, 9]));
        let edit = browser.get("/articles/1/edit");
        location(&browser.submit(&edit, "/articles/1/archive", &[]));
        assert!(browser.get("/articles?state=archived").text.contains("Advies"));
        assert_eq!(items(&browser.get("/articles/suggest?q=advies")), 0);
        let edit = browser.get("/articles/1/edit");
        location(&browser.submit(&edit, "/articles/1/restore", &[]));
        assert_eq!(server.get(&key, "/api/v1/articles/1").json()["status"], "active");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn customers_and_articles_are_suggested(engine) {
        let (server, browser, key) = started(engine);
        for number in 1..=9 {
            make(&server, &key, "contacts", &json!({"name": format!("Museum <{number}>")}));
        }
        let archived = make(&server, &key, "contacts", &json!({"name": "Museum 0"}));
        let edit = [("x-api-key", key.as_str())];
        let archiving = server.send("DELETE", &format!("/api/v1/contacts/{archived}"), &edit, None);
        assert_eq!(archiving.status, 200, "{}", archiving.text);
        let found = browser.get("/contacts/suggest?q=mus");
        assert_eq!(items(&found), 8);
        assert!(found.text.contains("data-id=\"1\" data-name=\"Museum &#60;1&#62;\""), "{}", found.text);
        assert!(!found.text.contains("Museum 0"), "{}", found.text);
        assert_eq!(items(&browser.get("/contacts/suggest?q=nobody")), 0);
        make(&server, &key, "articles", &json!({"name": "Advies", "number": "A-1",
            "descriptions": {"en": "Advice"}, "unit": "hour", "unitPrice": 121, "pricesIncludeVat": true}));
        let client = make(&server, &key, "contacts", &json!({"name": "Client", "language": "en"}));
        let net = browser.get(&format!("/articles/suggest?q=a-1&contactId={client}"));
        assert!(net.text.contains("data-description=\"Advice\" data-unit=\"uur\" data-price=\"100\""), "{}", net.text);
        let gross = browser.get("/articles/suggest?q=adv&gross=true");
        assert!(gross.text.contains("data-description=\"Advies\" data-unit=\"uur\" data-price=\"121\""), "{}", gross.text);
        // Nobody else sees them.
        let visitor = crate::help::visit(&server).get("/contacts/suggest?q=mus");
        assert_eq!(visitor.status, 303, "{}", visitor.text);
    }

    fn customers_and_articles_are_found_without_a_script(engine) {
        let (server, browser, key) = started(engine);
        let pier = make(&server, &key, "contacts", &json!({"name": "Museum De Pier", "email": "post@pier.example"}));
        let kade = make(&server, &key, "contacts", &json!({"name": "Museum De Kade"}));
        for (name, price) in [("Advies", 95), ("Advies met spoed", 120)] {
            make(&server, &key, "articles", &json!({"name": name, "unitPrice": price, "vatRate": 9}));
        }
        let form = browser.get("/invoices/new");
        let several = browser.submit(&form, "/invoices", &[("customer.name", "museum"), ("action", "findCustomer")]);
        for id in [pier, kade] {
            assert!(several.text.contains(&format!("value=\"useCustomer.{id}\"")), "{}", several.text);
        }
        let action = format!("useCustomer.{kade}");
        let chosen = browser.submit(&several, "/invoices", &[("action", action.as_str())]);
        assert_eq!(value_of(&chosen, "customer.contactId"), Some(kade.to_string()));
        assert_eq!(value_of(&chosen, "customer.name").as_deref(), Some("Museum De Kade"));
        // One of that name is chosen at once.
        let one = browser.submit(&form, "/invoices", &[("customer.name", "pier"), ("action", "findCustomer")]);
        assert_eq!(value_of(&one, "customer.contactId"), Some(pier.to_string()));
        // Another name is another customer.
        let other = browser.submit(&one, "/invoices", &[("customer.name", "De Haven"), ("action", "calculate")]);
        assert_eq!(value_of(&other, "customer.contactId").as_deref(), Some(""));

        let found = browser.submit(&chosen, "/invoices", &[("items.0.description", "advies"), ("action", "findArticle.0")]);
        assert!(found.text.contains("value=\"useArticle.0.2\""), "{}", found.text);
        let used = browser.submit(&found, "/invoices", &[("action", "useArticle.0.2")]);
        for (field, value) in [("description", "Advies met spoed"), ("unitPrice", "120"), ("articleId", "2")] {
            assert_eq!(typed(&used, "/invoices", &format!("items.0.{field}")), value, "{field}");
        }
        location(&browser.submit(&used, "/invoices", &[("action", "draft")]));
        let made = last_invoice(&server, &key);
        assert_eq!(
            json!([made["customer"]["contactId"], made["items"][0]["description"], made["items"][0]["vatRate"], made["total"]]),
            json!([kade, "Advies met spoed", 9, 130.8])
        );
        assert_eq!(server.get(&key, "/api/v1/contacts").json()["data"].as_array().unwrap().len(), 2);
        // An id alone is enough, also on a quote.
        let quote = browser.get("/quotes/new");
        let fields = [("customer.name", "museum de pier"), ("items.0.articleId", "1"), ("action", "findCustomer")];
        let found = browser.submit(&quote, "/quotes", &fields);
        assert_eq!(typed(&found, "/quotes", "items.0.description"), "Advies");
        location(&browser.submit(&found, "/quotes", &[("action", "draft")]));
        let quote = server.get(&key, "/api/v1/quotes/1").json();
        assert_eq!(json!([quote["customer"]["contactId"], quote["total"]]), json!([pier, 103.55]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn lines_are_moved_without_a_script(engine) {
        let (_server, browser, _) = started(engine);
        let form = browser.get("/invoices/new");
        let lines = [
            ("items.0.description", "A"), ("items.0.unitPrice", "1"),
            ("items.1.description", "B"), ("items.1.unitPrice", "2"),
            ("items.2.description", "C"), ("items.2.unitPrice", "3"),
        ];
        let moved = |action: &str| {
            let fields = [&lines[..], &[("action", action)]].concat();
            let page = browser.submit(&form, "/invoices", &fields);
            let at = |place: usize| typed(&page, "/invoices", &format!("items.{place}.description"));
            [at(0), at(1), at(2)].concat()
        };
        for (action, order) in [
            ("moveUp.1", "BAC"), ("moveDown.1", "ACB"), ("moveUp.0", "ABC"), ("moveDown.2", "ABC"),
            ("moveUp.9", "ABC"), ("moveUp.2", "ACB"),
        ] {
            assert_eq!(moved(action), order, "{action}");
        }
    }

    fn a_preview_is_a_draft_without_a_number_and_leaves_nothing(engine) {
        let (server, browser, key) = started(engine);
        let account = server.owner(EMAIL).actor.account;
        for (new, post, path) in [
            ("/invoices/new", "/invoices", "/invoices/preview"),
            ("/quotes/new", "/quotes", "/quotes/preview"),
            ("/recurring/new", "/recurring", "/recurring/preview"),
        ] {
            let form = browser.get(new);
            let before = server.export(account);
            let fields = [("customer.name", "Museum De Pier"), ("items.0.description", "Ontwerp"), ("items.0.unitPrice", "250")];
            let preview = submit_to(&browser, &form, post, path, &fields);
            assert_eq!(
                (preview.status, preview.header("content-type"), preview.header("x-frame-options")),
                (200, Some("application/pdf"), Some("SAMEORIGIN")),
                "{}", preview.text
            );
            assert!(preview.header("content-security-policy").unwrap().contains("frame-ancestors 'self'"));
            // The button does the same without a script.
            let by_button = [&fields[..], &[("action", "preview")]].concat();
            let by_button = browser.submit(&form, post, &by_button);
            assert_eq!((by_button.status, by_button.header("content-type")), (200, Some("application/pdf")));
            // A form that is not complete says what it lacks, in a frame and as a page.
            let missing = submit_to(&browser, &form, post, path, &fields[1..]);
            assert_eq!((missing.status, missing.header("x-frame-options")), (422, Some("SAMEORIGIN")), "{}", missing.text);
            let again = browser.submit(&form, post, &[("action", "preview")]);
            assert!(again.status == 422 && fault_of(&again, "customer.name").is_some(), "{}", again.text);
            assert_eq!(server.export(account), before, "{post}");
        }
        // A draft too, with what was changed since.
        let body = json!({"customer": {"name": "Museum De Pier"}, "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]});
        let draft = make(&server, &key, "invoices", &body);
        let form = browser.get(&format!("/invoices/{draft}/edit"));
        let path = format!("/invoices/preview?of={draft}");
        let preview = submit_to(&browser, &form, &format!("/invoices/{draft}"), &path, &[("items.0.unitPrice", "2")]);
        assert_eq!((preview.status, preview.header("content-type")), (200, Some("application/pdf")), "{}", preview.text);
        assert_eq!(server.get(&key, &format!("/api/v1/invoices/{draft}")).json()["total"], 1.21);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn previews_are_limited_per_person(engine) {
        let (server, browser, _) = started(engine);
        let form = browser.get("/invoices/new");
        let preview = || submit_to(&browser, &form, "/invoices", "/invoices/preview", &[("customer.name", "Pier")]);
        for _ in 0..30 {
            assert_eq!(preview().status, 422);
        }
        let refused = preview();
        assert_eq!(refused.status, 429, "{}", refused.text);
        let wait: i64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        let button = browser.submit(&form, "/invoices", &[("action", "preview")]);
        assert_eq!(button.status, 429, "{}", button.text);
        server.clock.set("2026-03-15T11:01:01Z");
        assert_eq!(preview().status, 422);
    }
}
