//! Links to the pages on which customers read their invoices and quotes.

use crate::help::patch;
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const INVOICES: &str = "/api/v1/invoices";
const LINK: &str = "/api/v1/invoices/1/link";

fn invoice(status: &str) -> Value {
    json!({"status": status, "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Route", "unitPrice": 100, "vatRate": 21}]})
}

/// Creates an invoice and returns the response.
fn made(server: &Server, key: &str, status: &str) -> Value {
    let reply = server.post(key, INVOICES, &invoice(status));
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn delete(server: &Server, key: &str, path: &str) -> Reply {
    server.send("DELETE", path, &[("x-api-key", key)], None)
}

/// Status of a page, opened as a person does, at its address.
fn opened(server: &Server, url: &Value) -> u16 {
    let path = url.as_str().unwrap().strip_prefix(&format!("http://{}", server.address)).unwrap();
    server.send("GET", path, &[], None).status
}

on_both_engines! {
    fn a_link_lives_from_sending_until_it_is_renewed_or_withdrawn(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        // A draft has none.
        assert_eq!(made(&server, &key, "draft")["publicUrl"], Value::Null);
        for reply in [
            server.get(&key, LINK),
            server.post(&key, LINK, &json!({})),
            delete(&server, &key, LINK),
        ] {
            assert_eq!((reply.status, reply.code()), (404, "not_found".into()), "{}", reply.text);
        }
        let sent = patch(&server, &key, &format!("{INVOICES}/1"), &[], &json!({"status": "sent"}));
        let first = sent.json()["publicUrl"].clone();
        let token = first.as_str().unwrap().rsplit_once("/i/").unwrap().1;
        assert!(token.len() == 22 && token.bytes().all(|sign| sign.is_ascii_alphanumeric()), "{token}");
        assert_eq!(
            server.get(&key, LINK).json(),
            json!({"url": first, "openedAt": null, "lastOpenedAt": null, "openCount": 0, "withdrawnAt": null})
        );
        // Opening counts; it is no change of the invoice.
        let before = server.get(&key, &format!("{INVOICES}/1")).text;
        assert_eq!(opened(&server, &first), 200);
        server.clock.set("2026-03-15T11:05:00Z");
        assert_eq!(opened(&server, &first), 200);
        let link = server.get(&key, LINK).json();
        assert_eq!(link["openCount"], 2, "{link}");
        assert!(link["openedAt"].as_str().unwrap() < link["lastOpenedAt"].as_str().unwrap(), "{link}");
        assert_eq!(server.get(&key, &format!("{INVOICES}/1")).text, before);
        // The new link was never opened, and the old one ends at once.
        let renewed = server.post(&key, LINK, &json!({}));
        assert_eq!(renewed.status, 200, "{}", renewed.text);
        let second = renewed.json()["url"].clone();
        assert_eq!((&renewed.json()["openCount"], &renewed.json()["openedAt"]), (&json!(0), &Value::Null));
        assert_eq!((opened(&server, &first), opened(&server, &second)), (404, 200));
        assert_eq!(server.get(&key, &format!("{INVOICES}/1")).json()["publicUrl"], second);
        assert_eq!(server.get(&key, INVOICES).json()["data"][0]["publicUrl"], second);
        // A withdrawal stays, also if it is repeated.
        let withdrawn = delete(&server, &key, LINK);
        assert_eq!((withdrawn.status, &withdrawn.json()["url"]), (200, &Value::Null), "{}", withdrawn.text);
        assert!(withdrawn.json()["withdrawnAt"].is_string(), "{}", withdrawn.text);
        server.clock.set("2026-03-15T11:10:00Z");
        assert_eq!(delete(&server, &key, LINK).text, withdrawn.text);
        assert_eq!((opened(&server, &first), opened(&server, &second)), (404, 404));
        assert_eq!(server.get(&key, &format!("{INVOICES}/1")).json()["publicUrl"], Value::Null);
        let third = server.post(&key, LINK, &json!({})).json()["url"].clone();
        assert!(third != first && third != second, "{third}");
        assert_eq!((opened(&server, &second), opened(&server, &third)), (404, 200));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn every_way_of_sending_makes_a_link(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let created = made(&server, &key, "sent")["publicUrl"].clone();
        made(&server, &key, "draft");
        let mailed = server.post(&key, &format!("{INVOICES}/2/send"), &json!({}));
        assert_eq!(mailed.status, 202, "{}", mailed.text);
        let mailed = server.get(&key, &format!("{INVOICES}/2")).json()["publicUrl"].clone();
        // The credit note too; and what a customer who accepts a quote gets.
        let note = server.post(&key, &format!("{INVOICES}/1/credit-notes"), &json!({}));
        let note = note.json()["publicUrl"].clone();
        let quote = json!({"onAccept": "sent", "customer": {"name": "Pier"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/quotes", &quote).status, 201);
        for (call, body) in [("mark-sent", json!({})), ("accept", json!({"name": "Anna"}))] {
            let reply = server.post(&key, &format!("/api/v1/quotes/1/{call}"), &body);
            assert_eq!(reply.status, 200, "{}", reply.text);
        }
        let accepted = server.get(&key, &format!("{INVOICES}?quoteId=1")).json();
        let accepted = accepted["data"][0]["publicUrl"].clone();
        let recurring = json!({"deliver": "sent", "customer": {"name": "Pier"}, "every": {"unit": "month"},
            "firstDate": "2026-03-15", "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        let reply = server.post(&key, "/api/v1/recurring-invoices", &recurring);
        assert_eq!(reply.status, 201, "{}", reply.text);
        server.do_due_work();
        let recurred = server.get(&key, &format!("{INVOICES}?recurringInvoiceId=1")).json();
        let recurred = recurred["data"][0]["publicUrl"].clone();
        let urls = [created, mailed, note, accepted, recurred];
        for (place, url) in urls.iter().enumerate() {
            assert!(!urls[..place].contains(url), "{url}");
            assert_eq!(opened(&server, url), 200, "{place}: {url}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_mail_of_an_invoice_contains_its_link(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for _ in 0..3 {
            made(&server, &key, "draft");
        }
        let url = |id: i64| server.get(&key, &format!("{INVOICES}/{id}")).json()["publicUrl"].clone();
        let dry = server.post(&key, &format!("{INVOICES}/1/send?dryRun=true"), &json!({})).json();
        for (id, message) in [
            (1, None),
            (2, Some("Look here: {link}\n\nAnna")),
            (3, Some("No link in the text")),
        ] {
            let body = message.map_or(json!({}), |message| json!({"message": message}));
            let reply = server.post(&key, &format!("{INVOICES}/{id}/send"), &body);
            assert_eq!(reply.status, 202, "{}", reply.text);
        }
        assert!(dry["message"].as_str().unwrap().contains(url(1).as_str().unwrap()), "{dry}");
        let mails = server.mails("klant@example.com");
        assert_eq!(mails.len(), 3);
        for id in 1..=3 {
            let (url, shown) = (url(id), format!("2026-000{id}"));
            let mail = mails.iter().find(|mail| mail.subject.contains(&shown)).unwrap();
            assert!(mail.text.contains(url.as_str().unwrap()), "{url}: {}", mail.text);
            assert!(!mail.text.contains("{link}"), "{}", mail.text);
        }
        // Without its link, a mail says nothing about a page.
        assert_eq!(delete(&server, &key, LINK).status, 200);
        let again = server.post(&key, &format!("{INVOICES}/1/send"), &json!({"message": "Again\n\nSee {link}"}));
        assert_eq!(again.status, 202, "{}", again.text);
        let mails = server.mails("klant@example.com");
        let again = mails.iter().find(|mail| mail.text.contains("Again")).unwrap();
        assert!(!again.text.contains("See"), "{}", again.text);
    }

    fn a_link_belongs_to_its_account(engine) {
        let server = Server::start(engine);
        let (anna, bob) = (server.account(EMAIL), server.account("bob@example.com"));
        let url = made(&server, &anna, "sent")["publicUrl"].clone();
        let reading = server.key(EMAIL, true, false);
        for reply in [
            server.get(&bob, LINK),
            server.post(&bob, LINK, &json!({})),
            delete(&server, &bob, LINK),
        ] {
            assert_eq!((reply.status, reply.code()), (404, "not_found".into()), "{}", reply.text);
        }
        assert_eq!(server.post(&reading, LINK, &json!({})).status, 403);
        assert_eq!(server.get(&reading, LINK).json()["url"], url);
        // Invoices of two accounts with the same id have different links.
        let other = made(&server, &bob, "sent")["publicUrl"].clone();
        assert_ne!(url, other);
        assert_eq!((opened(&server, &url), opened(&server, &other)), (200, 200));
        assert_eq!(server.get(&anna, LINK).json()["openCount"], 1);
    }
}
