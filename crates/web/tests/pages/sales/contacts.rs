//! Contacts as pages: creation, edits, archiving, merging, and their invoices.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

fn location(answer: &Reply) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").unwrap().to_owned()
}

on_both_engines! {
    fn a_contact_is_added_and_changed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        let empty = browser.get("/contacts");
        assert!(
            empty.text.contains("Nog geen contacten")
                && empty.text.contains("href=\"/contacts/new\""),
            "{}",
            empty.text
        );
        let page = browser.get("/contacts/new");
        let wrong = [
            ("name", ""),
            ("email", "nobody"),
            ("vatNumber", "NL1"),
            ("kvkNumber", "1"),
            ("address.city", "Utrecht"),
        ];
        let refused = browser.submit(&page, "/contacts", &wrong);
        assert_eq!(
            (refused.status, value_of(&refused, "address.city").as_deref()),
            (422, Some("Utrecht"))
        );
        for field in ["name", "email", "vatNumber", "kvkNumber"] {
            assert!(fault_of(&refused, field).is_some(), "{field}");
        }
        let right = [
            ("name", "Museum De Pier"),
            ("country", "NL"),
            ("email", "post@pier.example"),
            ("address.street", "Kade 1"),
            ("address.city", "Utrecht"),
            ("iban", "nl91 abna 0417 1643 00"),
            ("vatNumber", ""),
            ("kvkNumber", ""),
        ];
        assert_eq!(
            location(&browser.submit(&refused, "/contacts", &right)),
            "/contacts/1?done=contact-created"
        );
        assert_eq!(
            location(&browser.submit(&refused, "/contacts", &right)),
            "/contacts/1?done=contact-created"
        );
        let made = server.get(&key, "/api/v1/contacts/1").json();
        assert_eq!(
            (&made["name"], &made["address"]["street"], &made["kvkNumber"]),
            (&json!("Museum De Pier"), &json!("Kade 1"), &Value::Null)
        );
        assert_eq!(made["iban"], json!("NL91ABNA0417164300"));
        assert!(browser.get("/contacts/1").text.contains("NL91ABNA0417164300"));
        assert_eq!(
            server.get(&key, "/api/v1/contacts").json()["data"].as_array().unwrap().len(),
            1
        );
        let (first_form, second_form) =
            (browser.get("/contacts/1/edit"), browser.get("/contacts/1/edit"));
        // An emptied field clears the value, here the whole address.
        let edit = [
            ("name", "De Pier"),
            ("country", "NL"),
            ("email", ""),
            ("address.street", ""),
            ("address.city", ""),
        ];
        assert_eq!(
            location(&browser.submit(&first_form, "/contacts/1", &edit)),
            "/contacts/1?done=contact-edited"
        );
        let edited = server.get(&key, "/api/v1/contacts/1").json();
        assert_eq!(
            (&edited["name"], &edited["email"], &edited["address"]),
            (&json!("De Pier"), &Value::Null, &Value::Null)
        );
        let late = browser.submit(
            &second_form,
            "/contacts/1",
            &[("name", "Pier"), ("country", "NL"), ("email", "post@pier.example")],
        );
        assert_eq!((late.status, value_of(&late, "name").as_deref()), (409, Some("Pier")));
        assert!(late.text.contains("<td>De Pier</td>"), "{}", late.text);
        assert_eq!(
            browser.submit(&late, "/contacts/1", &[("name", "Pier"), ("country", "NL")]).status,
            303
        );
    }

    fn contacts_are_listed_with_the_amounts_they_owe(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (name, day, price) in [
            ("Zeeland", "2025-12-05", 300),
            ("Anker", "2026-02-05", 100),
            ("Anker", "2026-03-05", 200),
        ] {
            let body = json!({"status": "sent", "invoiceDate": day, "customer": {"name": name}, "items": [{"description": "Work", "unitPrice": price, "vatRate": 0}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        assert_eq!(
            server.post(&key, "/api/v1/invoices/2/payments", &json!({"date": "2026-03-01"})).status,
            201
        );
        assert_eq!(
            server.post(&key, "/api/v1/projects", &json!({"name": "Boat", "contactId": 2})).status,
            201
        );
        let list = browser.get("/contacts");
        let (anker, zeeland) =
            (list.text.find("Anker").unwrap(), list.text.find("Zeeland").unwrap());
        assert!(anker < zeeland && list.text.contains("<data value=\"200.00\">"), "{}", list.text);
        assert!(
            browser.get("/contacts?sort=-name").text.find("Zeeland")
                < browser.get("/contacts?sort=-name").text.find("Anker")
        );
        // Anker owes 200 of 300, all from this year; Zeeland owes all of 300, from last year.
        for (sort, anker_first) in
            [("due", true), ("-due", false), ("year", false), ("-year", true)]
        {
            let text = browser.get(&format!("/contacts?sort={sort}")).text;
            assert_eq!(text.find("Anker") < text.find("Zeeland"), anker_first, "{sort}: {text}");
        }
        let foot = |path: &str| browser.get(path).text.split("<tfoot>").nth(1).unwrap().to_owned();
        for (path, sums) in
            [("/contacts", [500, 300, 600]), ("/contacts?q=zee&sort=-turnover", [300, 0, 300])]
        {
            let foot = foot(path);
            for sum in sums.into_iter().filter(|sum| *sum > 0) {
                assert!(
                    foot.contains(&format!("<data value=\"{sum}.00\">")),
                    "{path}: {sum} in {foot}"
                );
            }
        }
        assert!(!browser.get("/contacts?q=zee").text.contains("Anker"));
        let csv = browser.get("/contacts.csv");
        assert!(csv.text.contains("\r\nAnker;;;;;NL;;;;;;;active;300,00;200,00\r\n"), "{}", csv.text);
        let page = browser.get("/contacts/2");
        // The contact owes 200 of 300, all from this year, and has invoices and a project.
        for text in [
            "<data value=\"200.00\">",
            "<data value=\"300.00\">",
            "2026-0001",
            "2026-0002",
            "href=\"/projects/1\"",
            "contactId=2",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
    }

    fn a_contact_is_archived_and_a_duplicate_is_merged(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for name in ["Pier", "Museum De Pier"] {
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": name})).status, 201);
        }
        let body = json!({"status": "sent", "customer": {"contactId": 1}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        let page = browser.get("/contacts/1");
        assert_eq!(
            location(&browser.submit(&page, "/contacts/1/archive", &[])),
            "/contacts/1?done=contact-archived"
        );
        assert!(
            !browser.get("/contacts").text.contains("data-id=\"1\"")
                && browser.get("/contacts?state=archived").text.contains("data-id=\"1\"")
        );
        assert!(
            !browser.get("/invoices/new").text.contains("<option value=\"1\">Pier"),
            "an archived contact is offered"
        );
        let page = browser.get("/contacts/1");
        assert_eq!(
            location(&browser.submit(&page, "/contacts/1/restore", &[])),
            "/contacts/1?done=contact-restored"
        );
        let page = browser.get("/contacts/1");
        let refused = browser.submit(&page, "/contacts/1/merge", &[("into", "")]);
        assert_eq!((refused.status, fault_of(&refused, "into").is_some()), (422, true));
        let itself = browser.submit(&page, "/contacts/1/merge", &[("into", "1")]);
        assert!(
            itself.status == 422
                && fault_of(&itself, "into")
                    .is_some_and(|fault| fault.contains("the same contact")),
            "{}",
            itself.text
        );
        assert_eq!(
            location(&browser.submit(&page, "/contacts/1/merge", &[("into", "2")])),
            "/contacts/2?done=contact-merged"
        );
        assert!(browser.get("/contacts/2").text.contains("2026-0001"));
        // Another window that still shows the first contact cannot merge it again.
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "Kade"})).status, 201);
        let twice =
            browser.submit(&page, "/contacts/1/merge", &[("into", "3"), ("submission", "another")]);
        assert!(
            twice.status == 422 && twice.text.contains("already merged with another one"),
            "{}",
            twice.text
        );
        assert!(browser.get("/contacts/1").text.contains("href=\"/contacts/2\""));
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["customer"]["contactId"], 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
