//! Webhooks: what happens is sent, signed, at least once, with the same id and the same body; whoever takes nothing is asked later, and in the
//! end no more.

use crate::{
    help::{patch, walk},
    simple_invoice,
    tax::filing_and_paying::filing_key,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use jiff::SignedDuration;
use serde_json::{Value, json};
use service::{Environment, environment::Clock};
use sha2::Sha256;
use std::collections::{BTreeMap, BTreeSet};
use store::{accounts::Plan, keys::Scopes};
use testing::{Behaviour, Raw, Received, Receiver, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

/// A webhook for everything, or for some types; gives its id and its secret.
pub(super) fn webhook(server: &Server, key: &str, url: &str, types: &[&str]) -> (i64, String) {
    let made = server.post(key, "/api/v1/webhooks", &json!({"url": url, "types": types}));
    assert_eq!(made.status, 201, "{}", made.text);
    let body = made.json();
    (body["id"].as_i64().unwrap(), body["secret"].as_str().unwrap().to_owned())
}

fn types(received: &[Received]) -> Vec<String> {
    let mut types: Vec<String> = received.iter().map(|message| body(message)["type"].as_str().unwrap().to_owned()).collect();
    types.sort();
    types
}

fn body(message: &Received) -> Value {
    serde_json::from_str(&message.body).unwrap()
}

/// What Standard Webhooks 1.0 says that the signature is.
fn signature(secret: &str, message: &Received) -> String {
    let secret = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
    let (id, timestamp) = (message.header("webhook-id"), message.header("webhook-timestamp"));
    mac.update(format!("{id}.{timestamp}.{}", message.body).as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn delete(server: &Server, key: &str, path: &str) -> u16 {
    server.send("DELETE", path, &[("x-api-key", key)], None).status
}

fn later(server: &Server, seconds: i64) {
    let now = server.clock.now() + SignedDuration::from_secs(seconds);
    server.clock.set(&now.to_string());
}

/// Calls, sends what is due, and gives the types of what came.
fn calls(server: &Server, receiver: &Receiver, key: &str, method: &str, path: &str, with: &Value) -> Vec<Received> {
    let headers = [("x-api-key", key), ("content-type", "application/json")];
    let text = with.to_string();
    let (headers, sent) = if with.is_null() { (&headers[..1], None) } else { (&headers[..], Some(text.as_bytes())) };
    let answer = server.send(method, &format!("/api/v1/{path}"), headers, sent);
    assert!(matches!(answer.status, 200..=204), "{method} {path}: {}", answer.text);
    server.deliver_webhooks();
    receiver.take()
}

on_both_engines! {
    fn everything_that_happens_is_sent_as_the_api_shows_it(engine) {
        let server = Server::start(engine);
        server.account_of(EMAIL, "NL", Plan::Starter);
        let key = filing_key(&server, Scopes { read: true, write: true, file: true });
        let receiver = Receiver::start();
        webhook(&server, &key, &receiver.url(), &[]);
        let draft = json!({
            "customer": {"name": "Museum De Pier", "externalId": "m-1", "email": "klant@example.com"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}],
        });
        let expense = json!({"date": "2026-02-03", "supplier": "Papierhandel", "items": [{"category": "4100", "amount": 20, "vatRate": 21}]});
        let description = server.send("GET", "/api/openapi.json", &[], None).json();
        let mut seen = BTreeSet::new();
        for (method, path, with, wanted) in [
            ("POST", "invoices", draft, &["contact.created", "invoice.created"][..]),
            ("PATCH", "invoices/1", json!({"notes": "Thank you"}), &["invoice.updated"]),
            ("PATCH", "invoices/1", json!({"status": "sent"}), &["invoice.sent"]),
            ("POST", "invoices/1/send", json!({}), &["invoice.updated"]),
            ("POST", "invoices/1/payments", json!({"date": "2026-03-15", "amount": 21}), &["invoice.updated", "payment.created"]),
            ("POST", "invoices/1/payments", json!({"date": "2026-03-15"}), &["invoice.paid", "payment.created"]),
            ("DELETE", "invoices/1/payments/2", Value::Null, &["invoice.updated", "payment.undone"]),
            ("POST", "invoices/1/credit-notes", json!({}), &["creditNote.created", "invoice.paid"]),
            ("PATCH", "contacts/1", json!({"name": "Museum De Kade"}), &["contact.updated"]),
            ("DELETE", "contacts/1", Value::Null, &["contact.archived"]),
            ("POST", "projects", json!({"name": "Site", "externalId": "p-1"}), &["project.created"]),
            ("PATCH", "projects/1", json!({"hourlyRate": 90}), &["project.updated"]),
            ("POST", "time-entries", json!({"projectId": 1, "date": "2026-03-02", "hours": 2, "description": "Work"}), &["timeEntry.created"]),
            ("PATCH", "time-entries/1", json!({"hours": 3}), &["timeEntry.updated"]),
            ("DELETE", "time-entries/1", Value::Null, &["timeEntry.deleted"]),
            ("POST", "hours-log", json!({"date": "2026-03-02", "hours": 1, "category": "administration", "description": "Post"}), &["hoursLog.created"]),
            ("PATCH", "hours-log/1", json!({"hours": 2}), &["hoursLog.updated"]),
            ("DELETE", "hours-log/1", Value::Null, &["hoursLog.deleted"]),
            ("POST", "expenses", expense, &["expense.created"]),
            ("PATCH", "expenses/1", json!({"description": "For the fair"}), &["expense.updated"]),
        ] {
            let received = calls(&server, &receiver, &key, method, path, &with);
            assert_eq!(types(&received), wanted, "{method} {path}");
            for message in &received {
                let said = body(message);
                seen.insert(said["type"].as_str().unwrap().to_owned());
                let (kind, data) = (said["type"].as_str().unwrap().split('.').next().unwrap(), &said["data"]);
                let id = data["id"].as_i64().unwrap();
                let route = match kind {
                    "invoice" | "creditNote" => "invoices/{id}",
                    "payment" => "invoices/{id}/payments/{paymentId}",
                    "contact" => "contacts/{id}",
                    "project" => "projects/{id}",
                    "timeEntry" => "time-entries/{id}",
                    "hoursLog" => "hours-log/{id}",
                    "expense" => "expenses/{id}",
                    other => panic!("{other}"),
                };
                let owner = if kind == "payment" { &data["invoiceId"] } else { &data["id"] };
                let place = route.replace("{id}", &owner.to_string()).replace("{paymentId}", &id.to_string());
                let resource = &description["paths"][format!("/api/v1/{route}")]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
                let message = &description["webhooks"][said["type"].as_str().unwrap()]["post"]["requestBody"]["content"]["application/json"];
                assert_eq!((&message["schema"]["properties"]["data"]["anyOf"][0], resource.is_null()), (resource, false), "{route}");
                let shown = server.get(&key, &format!("/api/v1/{place}"));
                let shown = if shown.status == 404 { json!({ "id": id }) } else { shown.json() };
                assert_eq!(*data, shown, "{method} {path}");
                let change = &server.get(&key, &format!("/api/v1/changes?after={}&limit=1", said["sequence"].as_i64().unwrap() - 1)).json()["data"][0];
                assert_eq!((&change["type"], &change["id"], &change["at"]), (&json!(kind), &json!(id), &said["timestamp"]));
            }
        }
        server.clock.set("2026-04-20T08:00:00Z");
        for (path, wanted) in [("file", "vatFiling.filed"), ("reopen", "vatFiling.reopened")] {
            let received = calls(&server, &receiver, &key, "POST", &format!("vat-filings/2026/1/{path}"), &Value::Null);
            assert_eq!(types(&received), [wanted]);
            let said = body(&received[0]);
            assert_eq!(said["data"]["status"], if path == "file" { "filed" } else { "open" });
            seen.insert(wanted.to_owned());
        }
        // Late by now, so that the customer can be reminded.
        let late = json!({"status": "sent", "invoiceDate": "2026-01-05", "customer": {"externalId": "m-2", "name": "Laat", "email": "laat@example.com"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        let received = calls(&server, &receiver, &key, "POST", "invoices", &late);
        assert_eq!(types(&received), ["contact.created", "invoice.created", "invoice.sent"]);
        seen.insert("invoice.reminded".to_owned());
        let id = received.iter().find(|message| message.body.contains("invoice.sent")).map(|message| body(message)["data"]["id"].clone()).unwrap();
        assert_eq!(types(&calls(&server, &receiver, &key, "POST", &format!("invoices/{id}/remind"), &json!({}))), ["invoice.reminded"]);
        let all: BTreeSet<String> = service::webhooks::WEBHOOK_TYPES.iter().map(|known| known.2.to_owned()).collect();
        assert_eq!(seen, all);
        let described: BTreeSet<String> = description["webhooks"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(described, all.into_iter().chain(["webhook.test".to_owned()]).collect());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn messages_are_signed_by_the_standard_also_while_the_secret_is_changed(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, first) = webhook(&server, &key, &receiver.url(), &["contact.*"]);
        let say = |name: &str| {
            let received = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": name}));
            assert_eq!(types(&received), ["contact.created"]);
            received[0].clone()
        };
        let message = say("One");
        assert_eq!(message.header("webhook-signature"), signature(&first, &message));
        assert_eq!(message.header("webhook-timestamp"), server.clock.now().as_second().to_string());
        assert_eq!((message.header("content-type"), message.target.as_str()), ("application/json", "/hooks"));
        assert!(message.header("webhook-id").starts_with("msg_"));
        let rotated = server.send("POST", &format!("/api/v1/webhooks/{id}/rotate-secret"), &[("x-api-key", &key)], None).json();
        let second = rotated["secret"].as_str().unwrap().to_owned();
        assert_ne!(first, second);
        let message = say("Two");
        assert_eq!(message.header("webhook-signature"), format!("{} {}", signature(&second, &message), signature(&first, &message)));
        later(&server, 24 * 3600);
        let message = say("Three");
        assert_eq!(message.header("webhook-signature"), signature(&second, &message));
        // The secret is shown in the answers that made it, and nowhere else; in the database it is encrypted.
        for path in ["/api/v1/webhooks".to_owned(), format!("/api/v1/webhooks/{id}")] {
            let shown = server.get(&key, &path).text;
            assert!(!shown.contains("secret\":") && !shown.contains("whsec"), "{shown}");
        }
        let account = server.owner(EMAIL).actor.account;
        assert!(!server.export(account).to_string().contains(second.strip_prefix("whsec_").unwrap()));
    }

    fn only_what_is_asked_for_is_sent_and_only_of_the_own_account(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let (some, all) = (Receiver::start(), Receiver::start());
        webhook(&server, &key, &some.url(), &["invoice.sent", "project.*"]);
        webhook(&server, &key, &all.url(), &[]);
        assert_eq!(server.post(&other, "/api/v1/invoices", &simple_invoice()).status, 201);
        server.deliver_webhooks();
        assert_eq!((some.take().len(), all.take().len()), (0, 0));
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": "Site"})).status, 201);
        // What was refused did not happen.
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": ""})).status, 422);
        server.deliver_webhooks();
        assert_eq!(types(&some.take()), ["invoice.sent", "project.created"]);
        assert_eq!(types(&all.take()), ["contact.created", "invoice.created", "invoice.sent", "project.created"]);
        // A stranger finds nothing.
        for path in ["/api/v1/webhooks/1", "/api/v1/webhooks/1/deliveries"] {
            assert_eq!(server.get(&other, path).status, 404);
        }
        assert_eq!(delete(&server, &other, "/api/v1/webhooks/1"), 404);
        assert_eq!(patch(&server, &other, "/api/v1/webhooks/1", &[], &json!({"enabled": false})).status, 404);
    }

    fn what_is_not_taken_is_tried_again_for_three_days_with_the_same_id_and_body(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        receiver.behave(Behaviour::Answers(500, "out of order".repeat(100)));
        let begun = server.clock.now();
        let first = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"}));
        assert_eq!(first.len(), 1);
        // The contact is another meanwhile; the message is what it was.
        assert_eq!(patch(&server, &key, "/api/v1/contacts/1", &[], &json!({"name": "Changed"})).status, 200);
        let delivery = server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"][0].clone();
        assert_eq!((&delivery["status"], &delivery["responseStatus"], &delivery["attempts"]), (&json!("pending"), &json!(500), &json!(1)));
        assert_eq!(delivery["responseBody"].as_str().unwrap().len(), 1000);
        assert_eq!(delivery["id"], first[0].header("webhook-id"));
        let mut attempts = 1;
        let mut at = 0;
        for pause in [5, 20, 120, 600, 3_600, 10_800, 36_000, 36_000, 36_000, 36_000, 36_000, 36_000, 28_055] {
            at += pause;
            server.clock.set(&(begun + SignedDuration::from_secs(at - 1)).to_string());
            server.deliver_webhooks();
            assert_eq!(receiver.take().len(), 0, "before {at}");
            server.clock.set(&(begun + SignedDuration::from_secs(at)).to_string());
            server.deliver_webhooks();
            let again = receiver.take();
            assert_eq!(again.len(), 1, "at {at}");
            attempts += 1;
            assert_eq!((&again[0].body, again[0].header("webhook-id")), (&first[0].body, first[0].header("webhook-id")));
            assert_ne!(again[0].header("webhook-signature"), first[0].header("webhook-signature"));
            let shown = server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
            let over = at == 72 * 3_600;
            assert_eq!((&shown["enabled"], shown["failingSince"].is_null()), (&json!(!over), false), "at {at}");
            if over {
                assert_eq!(shown["disabledBecause"], "failing");
                break;
            }
        }
        assert_eq!(attempts, 14);
        let mail = server.mails(EMAIL);
        assert!(mail.last().unwrap().text.contains(&receiver.url()), "{mail:?}");
        assert_eq!(server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries?status=failed")).json()["data"].as_array().unwrap().len(), 1);
        // Switched off, it is sent nothing; switched on again, what happens from then on.
        receiver.behave(Behaviour::Answers(200, String::new()));
        assert_eq!(calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Two"})).len(), 0);
        assert_eq!(server.send("POST", &format!("/api/v1/webhooks/{id}/test"), &[("x-api-key", &key)], None).code(), "webhook_disabled");
        let on = patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &json!({"enabled": true})).json();
        assert_eq!((&on["enabled"], &on["failingSince"], &on["disabledAt"]), (&json!(true), &Value::Null, &Value::Null));
        assert_eq!(calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Three"})).len(), 1);
        // What failed can be asked for again, as it was.
        let message = first[0].header("webhook-id");
        let again = server.send("POST", &format!("/api/v1/webhooks/{id}/deliveries/{message}/redeliver"), &[("x-api-key", &key)], None);
        assert_eq!((again.status, &again.json()["status"]), (202, &json!("pending")));
        server.deliver_webhooks();
        assert_eq!(receiver.take()[0].body, first[0].body);
        let shown = server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries/{message}")).json();
        assert_eq!((&shown["status"], &shown["attempts"], &shown["responseStatus"]), (&json!("delivered"), &json!(15), &json!(200)));
    }

    fn receivers_that_misbehave_only_wait_longer(engine) {
        let server = Server::start(engine);
        let (key, receiver, elsewhere) = (server.account(EMAIL), Receiver::start(), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        for (behaviour, status, error) in [
            (Behaviour::LeadsTo(elsewhere.url()), json!(307), None),
            (Behaviour::Closes, Value::Null, Some("no answer")),
            (Behaviour::Answers(302, String::new()), json!(302), None),
            (Behaviour::Answers(404, "\u{0}nul".into()), json!(404), None),
            (Behaviour::NeverEnds, json!(200), None),
        ] {
            receiver.behave(behaviour.clone());
            assert_eq!(calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"})).len(), 1);
            let shown = server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries?limit=1")).json()["data"][0].clone();
            assert_eq!(shown["responseStatus"], status, "{behaviour:?}");
            assert_eq!(shown["status"], if status == 200 { "delivered" } else { "pending" }, "{behaviour:?}");
            match error {
                Some(error) => assert!(shown["error"].as_str().unwrap().contains(error), "{shown}"),
                None => assert_eq!(shown["error"], Value::Null),
            }
            assert!(shown["responseBody"].as_str().is_none_or(|body| body.len() <= 1000 && !body.contains('\u{0}')));
            // So that only what comes next is due.
            let account = server.owner(EMAIL).actor.account;
            server.write(move |tx| Ok(store::webhooks::give_up(tx, account, id)?));
            let on = patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &json!({"enabled": true}));
            assert_eq!(on.status, 200);
        }
        assert_eq!(elsewhere.connections(), 0, "redirects are not followed");
        // Nobody listens any more.
        let (gone, _) = webhook(&server, &key, "http://127.0.0.1:9/", &["contact.created"]);
        receiver.behave(Behaviour::Answers(410, String::new()));
        assert_eq!(calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Two"})).len(), 1);
        let shown = server.get(&key, &format!("/api/v1/webhooks/{gone}/deliveries")).json()["data"][0].clone();
        assert!(shown["error"].as_str().unwrap().starts_with("no connection"), "{shown}");
        // What the address before answers says nothing of the one that there is now.
        let on = patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &json!({"enabled": true}));
        assert_eq!(on.status, 200);
        let (account, now) = (server.owner(EMAIL).actor.account, server.clock.now());
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "Three"})).status, 201);
        let (was, claimed) = server.write(move |tx| service::webhooks::claim(tx, &Environment::at(now), account, id, "node")).unwrap();
        let moved = patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &json!({"url": format!("{}/new", receiver.url())}));
        assert_eq!(moved.status, 200);
        let answer = service::webhooks::Answer { status: Some(410), beginning: None, cause: None };
        let settled = server.write(move |tx| service::webhooks::settle(tx, &Environment::at(now), account, ("node", &was.url), claimed.clone(), &answer));
        assert!(matches!(settled, service::webhooks::Settled::Again), "{settled:?}");
        later(&server, 5);
        server.deliver_webhooks();
        assert_eq!(receiver.take().last().unwrap().target, "/hooks/new");
        // 410 says that it is gone for good.
        let shown = server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
        assert_eq!((&shown["enabled"], &shown["disabledBecause"]), (&json!(false), &json!("gone")));
    }

    fn one_that_hangs_keeps_no_others_waiting(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let (hanging, good) = (Receiver::start(), Receiver::start());
        hanging.behave(Behaviour::Hangs);
        let ids: Vec<i64> = (0..4).map(|number| webhook(&server, &key, &format!("{}?{number}", hanging.url()), &["contact.created"]).0).collect();
        webhook(&server, &other, &good.url(), &["contact.created"]);
        for number in 0..40 {
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": format!("Hangs {number}")})).status, 201);
        }
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| server.deliver_webhooks());
            while hanging.connections() == 0 {
                std::thread::yield_now();
            }
            assert_eq!(server.post(&other, "/api/v1/contacts", &json!({"name": "Quick"})).status, 201);
            // Those that hang have not even been given up by then.
            while good.take().is_empty() {
                assert!(!sending.is_finished());
                std::thread::yield_now();
            }
            // However often it is looked what is due.
            std::thread::sleep(std::time::Duration::from_millis(300));
            assert!(hanging.connections() <= 4, "{} at once", hanging.connections());
            // Removed, so that the test need not wait for each of them.
            for id in ids {
                assert_eq!(delete(&server, &key, &format!("/api/v1/webhooks/{id}")), 204);
            }
            sending.join().unwrap();
        });
        assert_eq!(server.get(&key, "/api/v1/webhooks").json()["data"], json!([]));
    }

    fn a_retry_waits_for_no_other_account_whose_receivers_hang(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let (hanging, good) = (Receiver::start(), Receiver::start());
        hanging.behave(Behaviour::Hangs);
        let ids: Vec<i64> = (0..20).map(|number| webhook(&server, &key, &format!("{}?{number}", hanging.url()), &["contact.created"]).0).collect();
        let (retried, _) = webhook(&server, &other, &good.url(), &["contact.created"]);
        // None of them took the last message.
        let [many, one] = [EMAIL, "bert@example.com"].map(|email| server.owner(email).actor.account);
        let failing = ids.iter().map(|id| (many, *id)).chain([(one, retried)]).collect::<Vec<_>>();
        let now = server.clock.now();
        server.write(move |tx| {
            failing.iter().try_for_each(|(account, id)| store::webhooks::set_failing(tx, *account, *id, Some(now)))?;
            Ok(())
        });
        for number in 0..20 {
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": format!("Hangs {number}")})).status, 201);
        }
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| server.deliver_webhooks());
            while hanging.connections() == 0 {
                std::thread::yield_now();
            }
            let asked = std::time::Instant::now();
            assert_eq!(server.post(&other, "/api/v1/contacts", &json!({"name": "Retried"})).status, 201);
            while good.take().is_empty() {
                assert!(!sending.is_finished() && asked.elapsed() < std::time::Duration::from_secs(8), "it waited for those that hang");
                std::thread::yield_now();
            }
            assert!(hanging.connections() <= 2, "{} at once", hanging.connections());
            for id in ids {
                assert_eq!(delete(&server, &key, &format!("/api/v1/webhooks/{id}")), 204);
            }
            sending.join().unwrap();
        });
    }

    fn what_is_due_is_told_of_every_account_however_much_one_has(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        for number in 0..20 {
            webhook(&server, &key, &format!("https://shop.example/{number}"), &[]);
        }
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "First"})).status, 201);
        later(&server, 1);
        webhook(&server, &other, "https://shop.example/", &[]);
        assert_eq!(server.post(&other, "/api/v1/contacts", &json!({"name": "Second"})).status, 201);
        // The test account takes its turns with the live one.
        let test = server.test_key("bert@example.com");
        webhook(&server, &test, "https://shop.example/", &[]);
        assert_eq!(server.post(&test, "/api/v1/contacts", &json!({"name": "Third"})).status, 201);
        let [many, one] = [EMAIL, "bert@example.com"].map(|email| server.owner(email).actor.account);
        let now = server.clock.now();
        let due = server.write(move |tx| Ok(store::webhooks::due(tx, now, 4)?));
        assert_eq!(due.iter().map(|due| (due.turns_as, due.healthy)).collect::<Vec<_>>(), [(many, true), (one, true), (one, true), (many, true)]);
        assert_eq!(due[1].account, one);
        assert_ne!(due[2].account, one);
    }

    fn what_a_message_says_is_stored_once_and_for_three_days(engine) {
        let server = Server::start(engine);
        let (key, receiver, refusing) = (server.account(EMAIL), Receiver::start(), Receiver::start());
        refusing.behave(Behaviour::Answers(500, String::new()));
        for number in 0..3 {
            webhook(&server, &key, &format!("{}?{number}", receiver.url()), &["contact.created"]);
        }
        webhook(&server, &key, &refusing.url(), &["contact.created"]);
        let stored = || Raw::open(&server.database).rows("SELECT body FROM webhook_messages").into_iter().map(|row| row[0].clone().unwrap()).collect::<Vec<_>>();
        let sweep = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(server.app.sweep()).unwrap();
        };
        let mut sent = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"}));
        sent.extend(refusing.take());
        assert_eq!((sent.len(), stored()), (4, vec![sent[0].body.clone()]));
        assert!(sent.iter().all(|message| message.body == sent[0].body));
        let redeliver = |message: &Received, webhook: i64| {
            let path = format!("/api/v1/webhooks/{webhook}/deliveries/{}/redeliver", message.header("webhook-id"));
            server.send("POST", &path, &[("x-api-key", &key)], None)
        };
        let of_first = sent.iter().find(|message| message.target.ends_with("?0")).unwrap();
        // As long as one is tried, and for three days from when somebody last asked.
        later(&server, 3 * 24 * 3600);
        sweep();
        assert_eq!(stored().len(), 1);
        assert_eq!(redeliver(of_first, 1).status, 202);
        server.deliver_webhooks();
        assert_eq!(receiver.take()[0].body, sent[0].body);
        assert_eq!(server.get(&key, "/api/v1/webhooks/4").json()["disabledBecause"], "failing");
        later(&server, 3 * 24 * 3600);
        sweep();
        assert_eq!(stored().len(), 1);
        later(&server, 1);
        sweep();
        assert_eq!(stored(), Vec::<String>::new());
        // What became of it is still told; the same body cannot be sent any more.
        let shown = server.get(&key, &format!("/api/v1/webhooks/1/deliveries/{}", of_first.header("webhook-id")));
        assert_eq!((shown.status, &shown.json()["status"]), (200, &json!("delivered")));
        assert_eq!((redeliver(of_first, 1).status, redeliver(of_first, 1).code()), (404, "not_found".into()));
        server.deliver_webhooks();
        assert_eq!(receiver.take().len(), 0);
    }

    fn a_webhook_ends_with_the_key_that_made_it(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let shops = server.key(EMAIL, true, true);
        webhook(&server, &key, &format!("{}?kept", receiver.url()), &["contact.created"]);
        webhook(&server, &shops, &format!("{}?ended", receiver.url()), &["contact.created"]);
        webhook(&server, &key, &format!("{}?led", receiver.url()), &["contact.created"]);
        // Whoever leads one elsewhere counts as who made it.
        assert_eq!(patch(&server, &shops, "/api/v1/webhooks/3", &[], &json!({"url": format!("{}?elsewhere", receiver.url())})).status, 200);
        // What waits is not sent either.
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        let (cx, now) = (server.owner(EMAIL), server.clock.now());
        server.write(move |tx| service::access::revoke_key(tx, &cx.at(now), 2));
        server.deliver_webhooks();
        assert_eq!(calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Two"})).iter().map(|message| message.target.as_str()).collect::<Vec<_>>(), ["/hooks?kept", "/hooks?kept"]);
        for (id, because) in [(1, Value::Null), (2, json!("keyRevoked")), (3, json!("keyRevoked"))] {
            let shown = server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
            assert_eq!((&shown["disabledBecause"], &shown["enabled"]), (&because, &json!(because.is_null())));
        }
        // Another key takes one over, and it goes on.
        assert_eq!(patch(&server, &key, "/api/v1/webhooks/2", &[], &json!({"enabled": true})).status, 200);
        assert_eq!(calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Three"})).len(), 2);
        let (cx, now) = (server.owner(EMAIL), server.clock.now());
        server.write(move |tx| service::access::revoke_key(tx, &cx.at(now), 1));
        let third = server.key(EMAIL, true, true);
        assert_eq!(calls(&server, &receiver, &third, "POST", "contacts", &json!({"name": "Four"})).len(), 0);
        assert_eq!(server.get(&third, "/api/v1/webhooks/2").json()["disabledBecause"], "keyRevoked");
    }

    fn whoever_may_not_read_has_nothing_sent(engine) {
        let server = Server::start(engine);
        let (key, writes) = (server.account(EMAIL), server.key(EMAIL, false, true));
        let receiver = Receiver::start();
        webhook(&server, &key, &receiver.url(), &["contact.created"]);
        let sent = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"}));
        let again = format!("/api/v1/webhooks/1/deliveries/{}/redeliver", sent[0].header("webhook-id"));
        let refused = |answer: &testing::Reply| {
            assert_eq!((answer.status, answer.code()), (403, "insufficient_scope".into()), "{}", answer.text);
            assert!(answer.text.contains("`read`"), "{}", answer.text);
        };
        refused(&server.post(&writes, "/api/v1/webhooks", &json!({"url": "https://stolen.example/"})));
        for body in [json!({"url": "https://stolen.example/"}), json!({"types": []}), json!({"enabled": true})] {
            refused(&patch(&server, &writes, "/api/v1/webhooks/1", &[], &body));
        }
        for path in ["/api/v1/webhooks/1/rotate-secret", &again] {
            refused(&server.send("POST", path, &[("x-api-key", &writes)], None));
        }
        assert_eq!(patch(&server, &writes, "/api/v1/webhooks/1", &[], &json!({"description": "Shop"})).status, 200);
        assert_eq!(server.send("POST", "/api/v1/webhooks/1/test", &[("x-api-key", &writes)], None).status, 202);
        assert_eq!(delete(&server, &writes, "/api/v1/webhooks/1"), 204);
    }

    fn all_faults_are_told_at_once(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        webhook(&server, &key, "https://shop.example/", &[]);
        let wrong = json!({"url": "x", "types": ["nope", "invoice.paid", 7, "nope2"]});
        let faults: Vec<_> = [("/url", "invalid_format"), ("/types/0", "unknown_value"), ("/types/2", "invalid_type"), ("/types/3", "unknown_value")]
            .map(|(pointer, code)| (pointer.to_owned(), code.to_owned())).into();
        for refused in [server.post(&key, "/api/v1/webhooks", &wrong), patch(&server, &key, "/api/v1/webhooks/1", &[], &wrong)] {
            assert_eq!((refused.status, refused.faults()), (422, faults.clone()), "{}", refused.text);
        }
    }

    fn a_webhook_is_changed_only_as_it_was_read(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        webhook(&server, &key, "https://shop.example/", &[]);
        let path = "/api/v1/webhooks/1";
        let tag = server.get(&key, path).header("etag").unwrap().to_owned();
        let remove = |tag: &str| server.send("DELETE", path, &[("x-api-key", &key), ("if-match", tag)], None);
        let changed = patch(&server, &key, path, &[&tag], &json!({"description": "Shop"}));
        assert_eq!(changed.status, 200, "{}", changed.text);
        let overtaken = patch(&server, &key, path, &[&tag], &json!({"description": "Mine"}));
        for refused in [overtaken, remove(&tag), remove("words")] {
            assert_eq!((refused.status, refused.code()), (412, "precondition_failed".into()), "{}", refused.text);
        }
        assert_eq!(server.get(&key, path).json()["description"], "Shop");
        assert_eq!(remove(changed.header("etag").unwrap()).status, 204);
    }

    fn a_message_whose_sender_is_gone_is_sent_by_another_node(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        let (account, now) = (server.owner(EMAIL).actor.account, server.clock.now());
        let claimed = server.write(move |tx| service::webhooks::claim(tx, &Environment::at(now), account, id, "a node that is gone"));
        assert!(claimed.is_some());
        server.deliver_webhooks();
        assert_eq!(receiver.take().len(), 0, "the lease is another's");
        later(&server, 30);
        server.deliver_webhooks();
        assert_eq!(types(&receiver.take()), ["contact.created"]);
        server.deliver_webhooks();
        assert_eq!(receiver.take().len(), 0);
    }

    fn a_test_shows_the_webhook_itself(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, secret) = webhook(&server, &key, &receiver.url(), &["invoice.paid"]);
        let sent = server.send("POST", &format!("/api/v1/webhooks/{id}/test"), &[("x-api-key", &key)], None);
        assert_eq!((sent.status, &sent.json()["type"]), (202, &json!("webhook.test")));
        server.deliver_webhooks();
        let received = receiver.take();
        assert_eq!(received[0].header("webhook-signature"), signature(&secret, &received[0]));
        let said = body(&received[0]);
        assert_eq!((&said["type"], &said["sequence"]), (&json!("webhook.test"), &json!(0)));
        assert_eq!(said["data"], server.get(&key, &format!("/api/v1/webhooks/{id}")).json());
    }

    fn webhooks_are_made_changed_listed_and_removed(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let made = server.post(&key, "/api/v1/webhooks", &json!({"url": "https://shop.example/hooks", "types": ["invoice.paid"], "description": "Shop"}));
        assert_eq!((made.status, made.header("location").unwrap().ends_with("/api/v1/webhooks/1")), (201, true));
        assert!(made.json()["secret"].as_str().unwrap().starts_with("whsec_"));
        let changed = patch(&server, &key, "/api/v1/webhooks/1", &[], &json!({"types": null, "description": null, "url": "https://shop.example/new"}));
        let shown = changed.json();
        assert_eq!((&shown["types"], &shown["description"], &shown["url"]), (&json!([]), &Value::Null, &json!("https://shop.example/new")));
        for (body, pointer) in [
            (json!({}), "/url"),
            (json!({"url": 7}), "/url"),
            (json!({"url": "shop"}), "/url"),
            (json!({"url": "ftp://shop.example/"}), "/url"),
            (json!({"url": "https://anna:word@shop.example/"}), "/url"),
            (json!({"url": format!("https://shop.example/{}", "x".repeat(2000))}), "/url"),
            (json!({"url": "https://shop.example/", "types": ["invoice.eaten"]}), "/types/0"),
            (json!({"url": "https://shop.example/", "types": "invoice.paid"}), "/types"),
            (json!({"url": "https://shop.example/", "types": {}}), "/types"),
            (json!({"url": "https://shop.example/", "types": {"0": "invoice.paid"}}), "/types"),
            (json!({"url": "https://shop.example/", "secret": "whsec_mine"}), "/secret"),
        ] {
            let refused = server.post(&key, "/api/v1/webhooks", &body);
            assert_eq!(refused.status, 422, "{body}: {}", refused.text);
            assert_eq!(refused.json()["errors"][0]["pointer"], pointer, "{}", refused.text);
        }
        for number in 1..20 {
            webhook(&server, &key, &format!("https://shop.example/hooks/{number}"), &[]);
        }
        let refused = server.post(&key, "/api/v1/webhooks", &json!({"url": "https://shop.example/hooks"}));
        assert_eq!((refused.status, refused.text.contains("at most 20")), (422, true), "{}", refused.text);
        let all = walk(&server, &key, "/api/v1/webhooks?limit=7", || ());
        let ids: Vec<i64> = all.iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!(ids, (1..=20).collect::<Vec<_>>());
        assert_eq!(delete(&server, &key, "/api/v1/webhooks/1"), 204);
        assert_eq!(delete(&server, &key, "/api/v1/webhooks/1"), 404);
        for path in ["1", "1/deliveries", "21", "2/deliveries/msg_x_1", "2/deliveries/1"] {
            assert_eq!(server.get(&key, &format!("/api/v1/webhooks/{path}")).status, 404, "{path}");
        }
        // Whoever may only read may not have books sent elsewhere.
        let reads = server.key(EMAIL, true, false);
        assert_eq!(server.post(&reads, "/api/v1/webhooks", &json!({"url": "https://shop.example/"})).code(), "insufficient_scope");
        assert_eq!(server.get(&reads, "/api/v1/webhooks/2").status, 200);
    }

    fn nothing_is_sent_twice_to_one_address_by_two_webhooks_that_are_alike(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let make = |key: &str, types: Value| server.post(key, "/api/v1/webhooks", &json!({"url": "https://shop.example/", "types": types}));
        let taken = |reply: &testing::Reply| (reply.status, reply.faults());
        let refused = (422, vec![("/url".to_owned(), "taken".to_owned())]);
        assert_eq!(make(&key, json!(["invoice.paid", "contact.*"])).status, 201);
        // As after an answer that was lost; the order says nothing.
        let again = make(&key, json!(["contact.*", "invoice.paid"]));
        assert_eq!(taken(&again), refused, "{}", again.text);
        assert!(again.text.contains("webhook 1 has this address"), "{}", again.text);
        // One address can have several that are sent different things, and is free in other accounts.
        assert_eq!((make(&key, json!(["invoice.paid"])).status, make(&key, json!([])).status, make(&other, json!([])).status), (201, 201, 201));
        let edit = |id: i64, body: Value| patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &body);
        assert_eq!(taken(&edit(2, json!({"types": ["contact.*", "invoice.paid"]}))), refused);
        assert_eq!(taken(&edit(3, json!({"types": ["invoice.paid"]}))), refused);
        assert_eq!((edit(2, json!({"types": ["invoice.paid"], "description": "Paid"})).status, edit(2, json!({"enabled": false})).status), (200, 200));
        // One that is switched off can be switched on again; one that is deleted is gone.
        assert_eq!(taken(&make(&key, json!(["invoice.paid"]))), refused);
        assert_eq!(delete(&server, &key, "/api/v1/webhooks/2"), 204);
        assert_eq!(make(&key, json!(["invoice.paid"])).status, 201);
    }

    fn what_was_sent_is_listed_for_thirty_days(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        for number in 0..12 {
            assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": format!("C{number}")})).status, 201);
        }
        server.deliver_webhooks();
        let sent: BTreeMap<String, Received> =
            receiver.take().into_iter().map(|message| (message.header("webhook-id").to_owned(), message)).collect();
        let listed = walk(&server, &key, &format!("/api/v1/webhooks/{id}/deliveries?limit=5"), || ());
        assert_eq!(listed.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>(), sent.keys().cloned().collect());
        let sequences: Vec<i64> = listed.iter().map(|row| row["sequence"].as_i64().unwrap()).collect();
        assert!(sequences.is_sorted_by(|later, earlier| later > earlier), "{sequences:?}");
        let sweep = |server: &Server| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(server.app.sweep()).unwrap();
        };
        later(&server, 30 * 24 * 3600);
        sweep(&server);
        assert_eq!(server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"].as_array().unwrap().len(), 12);
        later(&server, 1);
        sweep(&server);
        assert_eq!(server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"], json!([]));
        assert_eq!(delete(&server, &key, &format!("/api/v1/webhooks/{id}")), 204);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
