//! Webhooks: signed events, delivered at least once with the same id and body. Failed deliveries
//! are retried with backoff; after three days of failures the webhook is disabled.

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

/// Creates a webhook for the given types (all if empty); returns its id and secret.
pub(super) fn webhook(server: &Server, key: &str, url: &str, types: &[&str]) -> (i64, String) {
    let reply = server.post(key, "/api/v1/webhooks", &json!({"url": url, "types": types}));
    assert_eq!(reply.status, 201, "{}", reply.text);
    let body = reply.json();
    (body["id"].as_i64().unwrap(), body["secret"].as_str().unwrap().to_owned())
}

fn types(received: &[Received]) -> Vec<String> {
    let mut types: Vec<String> =
        received.iter().map(|message| body(message)["type"].as_str().unwrap().to_owned()).collect();
    types.sort();
    types
}

fn body(message: &Received) -> Value {
    serde_json::from_str(&message.body).unwrap()
}

/// Signature of a message according to Standard Webhooks 1.0.
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

/// Calls the API, delivers the due messages and returns the messages received.
fn calls(
    server: &Server,
    receiver: &Receiver,
    key: &str,
    method: &str,
    path: &str,
    with: &Value,
) -> Vec<Received> {
    let headers = [("x-api-key", key), ("content-type", "application/json")];
    let text = with.to_string();
    let (headers, sent) =
        if with.is_null() { (&headers[..1], None) } else { (&headers[..], Some(text.as_bytes())) };
    let answer = server.send(method, &format!("/api/v1/{path}"), headers, sent);
    assert!(matches!(answer.status, 200..=204), "{method} {path}: {}", answer.text);
    server.deliver_webhooks();
    receiver.take()
}

on_both_engines! {
    fn every_event_is_sent_as_the_api_shows_it(engine) {
        let server = Server::start(engine);
        server.account_of(EMAIL, "NL", Plan::Starter);
        let key = filing_key(&server, Scopes { read: true, write: true, file: true });
        let receiver = Receiver::start();
        webhook(&server, &key, &receiver.url(), &[]);
        let draft = json!({
            "customer": {"name": "Museum De Pier", "externalId": "m-1", "email": "klant@example.com"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}],
        });
        let feed = json!({"bankAccountId": 1, "from": "2026-03-10", "to": "2026-03-10",
            "lines": [{"date": "2026-03-10", "amount": -4.5}]});
        let costs = json!({"allocations": [{"kind": "bankCosts"}]});
        let account = json!({"name": "Paying", "kind": "checking", "iban": "NL02ABNA0123456789"});
        let account = server.post(&key, "/api/v1/bank-accounts", &account).json()["id"].clone();
        let bill = json!({"date": "2026-03-02", "supplier": "Papierhal", "paidFrom": "unpaid", "payTo": {"iban": "BE68539007547034"},
            "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        let batch = json!({"bankAccountId": account, "items": [{"expenseId": 2}]});
        let payment = json!({"bankAccountId": account, "from": "2026-03-11", "to": "2026-03-11", "lines": [{"date": "2026-03-11", "amount": -121}]});
        let offer = json!({"customer": {"contactId": 1},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        let subscription = json!({"customer": {"contactId": 1}, "every": {"unit": "month"}, "firstDate": "2027-02-01",
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        let expense = json!({"date": "2026-02-03", "supplier": "Papierhandel", "items": [{"category": "4100", "amount": 20, "vatRate": 21}]});
        let description = server.send("GET", "/api/openapi.json", &[], None).json();
        let mut seen = BTreeSet::new();
        for (method, path, with, expected) in [
            ("POST", "invoices", draft, &["contact.created", "invoice.created"][..]),
            ("PATCH", "invoices/1", json!({"notes": "Thank you"}), &["invoice.updated"]),
            ("PATCH", "invoices/1", json!({"status": "sent"}), &["invoice.sent"]),
            ("POST", "invoices/1/send", json!({}), &["invoice.updated"]),
            (
                "POST",
                "invoices/1/payments",
                json!({"date": "2026-03-15", "amount": 21}),
                &["invoice.updated", "payment.created"],
            ),
            (
                "POST",
                "invoices/1/payments",
                json!({"date": "2026-03-15"}),
                &["invoice.paid", "payment.created"],
            ),
            (
                "DELETE",
                "invoices/1/payments/2",
                Value::Null,
                &["invoice.updated", "payment.undone"],
            ),
            ("POST", "invoices/1/credit-notes", json!({}), &["creditNote.created", "invoice.paid"]),
            ("POST", "quotes", offer, &["quote.created"]),
            ("PATCH", "quotes/1", json!({"notes": "Soon"}), &["quote.updated"]),
            ("POST", "quotes/1/mark-sent", json!({}), &["quote.sent"]),
            ("POST", "quotes/1/refuse", json!({}), &["quote.refused"]),
            ("POST", "quotes/1/reopen", json!({}), &["quote.updated"]),
            ("POST", "quotes/1/accept", json!({"name": "Anna"}), &["quote.accepted"]),
            ("POST", "articles", json!({"name": "Work", "unitPrice": 50}), &["article.created"]),
            ("PATCH", "articles/1", json!({"unitPrice": 60}), &["article.updated"]),
            ("POST", "recurring-invoices", subscription, &["recurringInvoice.created"]),
            ("POST", "recurring-invoices/1/pause", json!({}), &["recurringInvoice.updated"]),
            (
                "PATCH",
                "contacts/1",
                json!({"name": "Museum De Kade"}),
                &["contact.updated", "recurringInvoice.updated"],
            ),
            ("DELETE", "contacts/1", Value::Null, &["contact.archived"]),
            (
                "POST",
                "projects",
                json!({"name": "Site", "externalId": "p-1"}),
                &["project.created"],
            ),
            ("PATCH", "projects/1", json!({"hourlyRate": 90}), &["project.updated"]),
            (
                "POST",
                "time-entries",
                json!({"projectId": 1, "date": "2026-03-02", "hours": 2, "description": "Work"}),
                &["timeEntry.created"],
            ),
            ("PATCH", "time-entries/1", json!({"hours": 3}), &["timeEntry.updated"]),
            ("DELETE", "time-entries/1", Value::Null, &["timeEntry.deleted"]),
            (
                "POST",
                "hours-log",
                json!({"date": "2026-03-02", "hours": 1, "category": "administration", "description": "Post"}),
                &["hoursLog.created"],
            ),
            ("PATCH", "hours-log/1", json!({"hours": 2}), &["hoursLog.updated"]),
            ("DELETE", "hours-log/1", Value::Null, &["hoursLog.deleted"]),
            ("POST", "expenses", expense, &["expense.created"]),
            ("PATCH", "expenses/1", json!({"description": "For the fair"}), &["expense.updated"]),
            ("POST", "bank-statements", feed, &["bankStatement.taken"]),
            ("POST", "bank-lines/1/ignore", json!({"reason": "private"}), &["bankLine.ignored"]),
            ("POST", "bank-lines/1/undo", json!({}), &["bankLine.undone"]),
            ("POST", "bank-lines/1/book", costs, &["bankLine.booked"]),
            ("POST", "bank-lines/1/undo", json!({}), &["bankLine.undone"]),
            ("POST", "bank-statements/1/undo", json!({}), &["bankStatement.undone"]),
            ("POST", "expenses", bill, &["expense.created"]),
            ("POST", "payment-batches", batch, &[]),
            ("POST", "bank-statements", payment, &["bankStatement.taken"]),
            (
                "POST",
                "bank-lines/2/book",
                json!({"allocations": [{"kind": "bill", "expenseId": 2}]}),
                &["bankLine.booked", "expense.updated", "paymentBatch.paid"],
            ),
        ] {
            let received = calls(&server, &receiver, &key, method, path, &with);
            assert_eq!(types(&received), expected, "{method} {path}");
            for message in &received {
                let event = body(message);
                seen.insert(event["type"].as_str().unwrap().to_owned());
                let (kind, data) =
                    (event["type"].as_str().unwrap().split('.').next().unwrap(), &event["data"]);
                let id = data["id"].as_i64().unwrap();
                let route = match kind {
                    "invoice" | "creditNote" => "invoices/{id}",
                    "payment" => "invoices/{id}/payments/{paymentId}",
                    "contact" => "contacts/{id}",
                    "project" => "projects/{id}",
                    "timeEntry" => "time-entries/{id}",
                    "hoursLog" => "hours-log/{id}",
                    "expense" => "expenses/{id}",
                    "bankStatement" => "bank-statements/{id}",
                    "bankLine" => "bank-lines/{id}",
                    "paymentBatch" => "payment-batches/{id}",
                    "quote" => "quotes/{id}",
                    "article" => "articles/{id}",
                    "recurringInvoice" => "recurring-invoices/{id}",
                    other => panic!("{other}"),
                };
                let owner = if kind == "payment" { &data["invoiceId"] } else { &data["id"] };
                let place = route
                    .replace("{id}", &owner.to_string())
                    .replace("{paymentId}", &id.to_string());
                let resource = &description["paths"][format!("/api/v1/{route}")]["get"]["responses"]
                    ["200"]["content"]["application/json"]["schema"];
                let message = &description["webhooks"][event["type"].as_str().unwrap()]["post"]["requestBody"]
                    ["content"]["application/json"];
                assert_eq!(
                    (&message["schema"]["properties"]["data"]["anyOf"][0], resource.is_null()),
                    (resource, false),
                    "{route}"
                );
                let current = server.get(&key, &format!("/api/v1/{place}"));
                let current =
                    if current.status == 404 { json!({ "id": id }) } else { current.json() };
                assert_eq!(*data, current, "{method} {path}");
                let change = &server
                    .get(
                        &key,
                        &format!(
                            "/api/v1/changes?after={}&limit=1{}",
                            event["sequence"].as_i64().unwrap() - 1,
                            // Newer types are listed only if they are named.
                            if kind.starts_with("bank") || ["paymentBatch", "quote", "article", "recurringInvoice"].contains(&kind) {
                                "&types=bankStatement,bankLine,paymentBatch,quote,article,recurringInvoice"
                            } else {
                                ""
                            }
                        ),
                    )
                    .json()["data"][0];
                assert_eq!(
                    (&change["type"], &change["id"], &change["at"]),
                    (&json!(kind), &json!(id), &event["timestamp"])
                );
            }
        }
        server.clock.set("2026-04-20T08:00:00Z");
        for (path, expected) in [("file", "vatFiling.filed"), ("reopen", "vatFiling.reopened")] {
            let received = calls(
                &server,
                &receiver,
                &key,
                "POST",
                &format!("vat-filings/2026/1/{path}"),
                &Value::Null,
            );
            let of_any_period = expected.replace("vatFiling", "vatReturn");
            assert_eq!(types(&received), [expected, &of_any_period]);
            let event = body(&received[0]);
            assert_eq!(event["data"]["status"], if path == "file" { "filed" } else { "open" });
            seen.extend([expected.to_owned(), of_any_period]);
        }
        for (path, expected) in [("file", "icp.filed"), ("reopen", "icp.reopened")] {
            let path = format!("icp-declarations/2026-Q1/{path}");
            let received = calls(&server, &receiver, &key, "POST", &path, &Value::Null);
            assert_eq!(types(&received), [expected]);
            assert_eq!(body(&received[0])["data"]["period"], "2026-Q1");
            seen.insert(expected.to_owned());
        }
        let oss = json!({"from": "2026-01-01", "ground": "choice"});
        assert_eq!(server.post(&key, "/api/v1/oss", &oss).status, 200);
        for (path, expected) in [("file", "ossReturn.filed"), ("reopen", "ossReturn.reopened")] {
            let path = format!("oss-returns/2026-Q1/{path}");
            let received = calls(&server, &receiver, &key, "POST", &path, &Value::Null);
            assert_eq!(types(&received), [expected]);
            assert_eq!(body(&received[0])["data"]["period"], "2026-Q1");
            seen.insert(expected.to_owned());
        }
        // This invoice is overdue already, so that a reminder can be sent.
        let late = json!({"status": "sent", "invoiceDate": "2026-01-05", "customer": {"externalId": "m-2", "name": "Laat", "email": "laat@example.com"},
            "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        let received = calls(&server, &receiver, &key, "POST", "invoices", &late);
        assert_eq!(types(&received), ["contact.created", "invoice.created", "invoice.sent"]);
        seen.insert("invoice.reminded".to_owned());
        let id = received
            .iter()
            .find(|message| message.body.contains("invoice.sent"))
            .map(|message| body(message)["data"]["id"].clone())
            .unwrap();
        assert_eq!(
            types(&calls(
                &server,
                &receiver,
                &key,
                "POST",
                &format!("invoices/{id}/remind"),
                &json!({})
            )),
            ["invoice.reminded"]
        );
        // Under the small businesses scheme: near the limit, and beyond it.
        let kor = json!({"scheme": "kor", "from": "2026-04-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &kor).status, 200);
        for (price, rate, expected) in [(16_500, 0, "kor.near"), (5_000, 21, "kor.passed")] {
            let sale = json!({"status": "sent", "invoiceDate": "2026-04-02", "customer": {"externalId": "m-2", "name": "Laat", "email": "laat@example.com"},
                "items": [{"description": "Work", "unitPrice": price, "vatRate": rate}]});
            let received = calls(&server, &receiver, &key, "POST", "invoices", &sale);
            let of_kor = received.iter().map(body).find(|event| event["type"] == expected).unwrap();
            assert_eq!(of_kor["data"], server.get(&key, "/api/v1/kor?year=2026").json());
            seen.insert(expected.to_owned());
        }
        let all: BTreeSet<String> =
            service::webhooks::WEBHOOK_TYPES.iter().map(|entry| entry.2.to_owned()).collect();
        assert_eq!(seen, all);
        let described: BTreeSet<String> =
            description["webhooks"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(described, all.into_iter().chain(["webhook.test".to_owned()]).collect());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn messages_are_signed_by_the_standard_during_a_secret_rotation_too(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, first) = webhook(&server, &key, &receiver.url(), &["contact.*"]);
        let say = |name: &str| {
            let received =
                calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": name}));
            assert_eq!(types(&received), ["contact.created"]);
            received[0].clone()
        };
        let message = say("One");
        assert_eq!(message.header("webhook-signature"), signature(&first, &message));
        assert_eq!(message.header("webhook-timestamp"), server.clock.now().as_second().to_string());
        assert_eq!(
            (message.header("content-type"), message.target.as_str()),
            ("application/json", "/hooks")
        );
        assert!(message.header("webhook-id").starts_with("msg_"));
        let rotated = server
            .send(
                "POST",
                &format!("/api/v1/webhooks/{id}/rotate-secret"),
                &[("x-api-key", &key)],
                None,
            )
            .json();
        let second = rotated["secret"].as_str().unwrap().to_owned();
        assert_ne!(first, second);
        let message = say("Two");
        assert_eq!(
            message.header("webhook-signature"),
            format!("{} {}", signature(&second, &message), signature(&first, &message))
        );
        later(&server, 24 * 3600);
        let message = say("Three");
        assert_eq!(message.header("webhook-signature"), signature(&second, &message));
        // Only the response that creates a secret shows it; the database stores it encrypted.
        for path in ["/api/v1/webhooks".to_owned(), format!("/api/v1/webhooks/{id}")] {
            let text = server.get(&key, &path).text;
            assert!(!text.contains("secret\":") && !text.contains("whsec"), "{text}");
        }
        let account = server.owner(EMAIL).actor.account;
        assert!(
            !server.export(account).to_string().contains(second.strip_prefix("whsec_").unwrap())
        );
    }

    fn a_webhook_gets_only_its_types_and_only_of_its_account(engine) {
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
        // A rejected request sends no event.
        assert_eq!(server.post(&key, "/api/v1/projects", &json!({"name": ""})).status, 422);
        server.deliver_webhooks();
        assert_eq!(types(&some.take()), ["invoice.sent", "project.created"]);
        assert_eq!(
            types(&all.take()),
            ["contact.created", "invoice.created", "invoice.sent", "project.created"]
        );
        // Another account cannot see the webhook.
        for path in ["/api/v1/webhooks/1", "/api/v1/webhooks/1/deliveries"] {
            assert_eq!(server.get(&other, path).status, 404);
        }
        assert_eq!(delete(&server, &other, "/api/v1/webhooks/1"), 404);
        assert_eq!(
            patch(&server, &other, "/api/v1/webhooks/1", &[], &json!({"enabled": false})).status,
            404
        );
    }

    fn a_failed_delivery_is_retried_for_three_days_with_the_same_id_and_body(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        receiver.behave(Behaviour::Answers(500, "out of order".repeat(100)));
        let start = server.clock.now();
        let first = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"}));
        assert_eq!(first.len(), 1);
        // The contact changes before the retry; the message does not.
        assert_eq!(
            patch(&server, &key, "/api/v1/contacts/1", &[], &json!({"name": "Changed"})).status,
            200
        );
        let delivery =
            server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"][0]
                .clone();
        assert_eq!(
            (&delivery["status"], &delivery["responseStatus"], &delivery["attempts"]),
            (&json!("pending"), &json!(500), &json!(1))
        );
        assert_eq!(delivery["responseBody"].as_str().unwrap().len(), 1000);
        assert_eq!(delivery["id"], first[0].header("webhook-id"));
        let mut attempts = 1;
        let mut at = 0;
        for pause in
            [5, 20, 120, 600, 3_600, 10_800, 36_000, 36_000, 36_000, 36_000, 36_000, 36_000, 28_055]
        {
            at += pause;
            server.clock.set(&(start + SignedDuration::from_secs(at - 1)).to_string());
            server.deliver_webhooks();
            assert_eq!(receiver.take().len(), 0, "before {at}");
            server.clock.set(&(start + SignedDuration::from_secs(at)).to_string());
            server.deliver_webhooks();
            let again = receiver.take();
            assert_eq!(again.len(), 1, "at {at}");
            attempts += 1;
            assert_eq!(
                (&again[0].body, again[0].header("webhook-id")),
                (&first[0].body, first[0].header("webhook-id"))
            );
            assert_ne!(again[0].header("webhook-signature"), first[0].header("webhook-signature"));
            let current = server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
            let over = at == 72 * 3_600;
            assert_eq!(
                (&current["enabled"], current["failingSince"].is_null()),
                (&json!(!over), false),
                "at {at}"
            );
            if over {
                assert_eq!(current["disabledBecause"], "failing");
                break;
            }
        }
        assert_eq!(attempts, 14);
        let mail = server.mails(EMAIL);
        assert!(mail.last().unwrap().text.contains(&receiver.url()), "{mail:?}");
        assert_eq!(server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries?status=failed")).json()["data"].as_array().unwrap().len(), 1);
        // Nothing is sent to a disabled webhook; once enabled again, it gets only new events.
        receiver.behave(Behaviour::Answers(200, String::new()));
        assert_eq!(
            calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Two"})).len(),
            0
        );
        assert_eq!(
            server
                .send("POST", &format!("/api/v1/webhooks/{id}/test"), &[("x-api-key", &key)], None)
                .code(),
            "webhook_disabled"
        );
        let on =
            patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &json!({"enabled": true}))
                .json();
        assert_eq!(
            (&on["enabled"], &on["failingSince"], &on["disabledAt"]),
            (&json!(true), &Value::Null, &Value::Null)
        );
        assert_eq!(
            calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Three"})).len(),
            1
        );
        // A failed delivery can be redelivered with the same body.
        let message = first[0].header("webhook-id");
        let again = server.send(
            "POST",
            &format!("/api/v1/webhooks/{id}/deliveries/{message}/redeliver"),
            &[("x-api-key", &key)],
            None,
        );
        assert_eq!((again.status, &again.json()["status"]), (202, &json!("pending")));
        server.deliver_webhooks();
        assert_eq!(receiver.take()[0].body, first[0].body);
        let outcome =
            server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries/{message}")).json();
        assert_eq!(
            (&outcome["status"], &outcome["attempts"], &outcome["responseStatus"]),
            (&json!("delivered"), &json!(15), &json!(200))
        );
    }

    fn deliveries_to_misbehaving_receivers_are_retried(engine) {
        let server = Server::start(engine);
        let (key, receiver, elsewhere) =
            (server.account(EMAIL), Receiver::start(), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        for (behaviour, status, error) in [
            (Behaviour::LeadsTo(elsewhere.url()), json!(307), None),
            (Behaviour::Closes, Value::Null, Some("no answer")),
            (Behaviour::Answers(302, String::new()), json!(302), None),
            (Behaviour::Answers(404, "\u{0}nul".into()), json!(404), None),
            (Behaviour::NeverEnds, json!(200), None),
        ] {
            receiver.behave(behaviour.clone());
            assert_eq!(
                calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"})).len(),
                1
            );
            let delivery = server
                .get(&key, &format!("/api/v1/webhooks/{id}/deliveries?limit=1"))
                .json()["data"][0]
                .clone();
            assert_eq!(delivery["responseStatus"], status, "{behaviour:?}");
            assert_eq!(
                delivery["status"],
                if status == 200 { "delivered" } else { "pending" },
                "{behaviour:?}"
            );
            match error {
                Some(error) => {
                    assert!(delivery["error"].as_str().unwrap().contains(error), "{delivery}")
                }
                None => assert_eq!(delivery["error"], Value::Null),
            }
            assert!(
                delivery["responseBody"]
                    .as_str()
                    .is_none_or(|body| body.len() <= 1000 && !body.contains('\u{0}'))
            );
            // Clears the queue, so that only the message of the next call is due.
            let account = server.owner(EMAIL).actor.account;
            server.write(move |tx| Ok(store::webhooks::give_up(tx, account, id)?));
            let on = patch(
                &server,
                &key,
                &format!("/api/v1/webhooks/{id}"),
                &[],
                &json!({"enabled": true}),
            );
            assert_eq!(on.status, 200);
        }
        assert_eq!(elsewhere.connections(), 0, "redirects are not followed");
        // No server listens at this address.
        let (gone, _) = webhook(&server, &key, "http://127.0.0.1:9/", &["contact.created"]);
        receiver.behave(Behaviour::Answers(410, String::new()));
        assert_eq!(
            calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Two"})).len(),
            1
        );
        let delivery =
            server.get(&key, &format!("/api/v1/webhooks/{gone}/deliveries")).json()["data"][0]
                .clone();
        assert!(delivery["error"].as_str().unwrap().starts_with("no connection"), "{delivery}");
        // A response from the previous URL is not attributed to the new URL.
        let on =
            patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &json!({"enabled": true}));
        assert_eq!(on.status, 200);
        let (account, now) = (server.owner(EMAIL).actor.account, server.clock.now());
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "Three"})).status, 201);
        let (previous, claimed) = server
            .write(move |tx| {
                service::webhooks::claim(tx, &Environment::at(now), account, id, "node")
            })
            .unwrap();
        let moved = patch(
            &server,
            &key,
            &format!("/api/v1/webhooks/{id}"),
            &[],
            &json!({"url": format!("{}/new", receiver.url())}),
        );
        assert_eq!(moved.status, 200);
        let answer = service::webhooks::Answer { status: Some(410), beginning: None, cause: None };
        let settled = server.write(move |tx| {
            service::webhooks::settle(
                tx,
                &Environment::at(now),
                account,
                ("node", &previous.url),
                claimed.clone(),
                &answer,
            )
        });
        assert!(matches!(settled, service::webhooks::Settled::Again), "{settled:?}");
        later(&server, 5);
        server.deliver_webhooks();
        assert_eq!(receiver.take().last().unwrap().target, "/hooks/new");
        // A 410 from the current URL disables the webhook.
        let current = server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
        assert_eq!(
            (&current["enabled"], &current["disabledBecause"]),
            (&json!(false), &json!("gone"))
        );
    }

    fn a_hanging_receiver_delays_no_other_account(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let (hanging, good) = (Receiver::start(), Receiver::start());
        hanging.behave(Behaviour::Hangs);
        let ids: Vec<i64> = (0..4)
            .map(|number| {
                webhook(&server, &key, &format!("{}?{number}", hanging.url()), &["contact.created"])
                    .0
            })
            .collect();
        webhook(&server, &other, &good.url(), &["contact.created"]);
        for number in 0..40 {
            assert_eq!(
                server
                    .post(&key, "/api/v1/contacts", &json!({"name": format!("Hangs {number}")}))
                    .status,
                201
            );
        }
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| server.deliver_webhooks());
            while hanging.connections() == 0 {
                std::thread::yield_now();
            }
            assert_eq!(
                server.post(&other, "/api/v1/contacts", &json!({"name": "Quick"})).status,
                201
            );
            // The other account's message arrives before the hanging deliveries time out.
            while good.take().is_empty() {
                assert!(!sending.is_finished());
                std::thread::yield_now();
            }
            // Polling for due messages again does not add connections.
            std::thread::sleep(std::time::Duration::from_millis(300));
            assert!(hanging.connections() <= 4, "{} at once", hanging.connections());
            // Deletes the webhooks, so that the test need not wait for each timeout.
            for id in ids {
                assert_eq!(delete(&server, &key, &format!("/api/v1/webhooks/{id}")), 204);
            }
            sending.join().unwrap();
        });
        assert_eq!(server.get(&key, "/api/v1/webhooks").json()["data"], json!([]));
    }

    fn a_retry_does_not_wait_for_hanging_receivers_of_another_account(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let (hanging, good) = (Receiver::start(), Receiver::start());
        hanging.behave(Behaviour::Hangs);
        let ids: Vec<i64> = (0..20)
            .map(|number| {
                webhook(&server, &key, &format!("{}?{number}", hanging.url()), &["contact.created"])
                    .0
            })
            .collect();
        let (retried, _) = webhook(&server, &other, &good.url(), &["contact.created"]);
        // Marks these webhooks as failing, as if the last delivery of each had failed.
        let [many, one] =
            [EMAIL, "bert@example.com"].map(|email| server.owner(email).actor.account);
        let failing = ids.iter().map(|id| (many, *id)).chain([(one, retried)]).collect::<Vec<_>>();
        let now = server.clock.now();
        server.write(move |tx| {
            failing.iter().try_for_each(|(account, id)| {
                store::webhooks::set_failing(tx, *account, *id, Some(now))
            })?;
            Ok(())
        });
        for number in 0..20 {
            assert_eq!(
                server
                    .post(&key, "/api/v1/contacts", &json!({"name": format!("Hangs {number}")}))
                    .status,
                201
            );
        }
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| server.deliver_webhooks());
            while hanging.connections() == 0 {
                std::thread::yield_now();
            }
            let start = std::time::Instant::now();
            assert_eq!(
                server.post(&other, "/api/v1/contacts", &json!({"name": "Retried"})).status,
                201
            );
            while good.take().is_empty() {
                assert!(
                    !sending.is_finished() && start.elapsed() < std::time::Duration::from_secs(8),
                    "the retry waited for the hanging receivers"
                );
                std::thread::yield_now();
            }
            assert!(hanging.connections() <= 2, "{} at once", hanging.connections());
            for id in ids {
                assert_eq!(delete(&server, &key, &format!("/api/v1/webhooks/{id}")), 204);
            }
            sending.join().unwrap();
        });
    }

    fn due_messages_alternate_between_accounts(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        for number in 0..20 {
            webhook(&server, &key, &format!("https://shop.example/{number}"), &[]);
        }
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "First"})).status, 201);
        later(&server, 1);
        webhook(&server, &other, "https://shop.example/", &[]);
        assert_eq!(server.post(&other, "/api/v1/contacts", &json!({"name": "Second"})).status, 201);
        // A test account and its live account take turns with other accounts as if they were one
        // account.
        let test = server.test_key("bert@example.com");
        webhook(&server, &test, "https://shop.example/", &[]);
        assert_eq!(server.post(&test, "/api/v1/contacts", &json!({"name": "Third"})).status, 201);
        let [many, one] =
            [EMAIL, "bert@example.com"].map(|email| server.owner(email).actor.account);
        let now = server.clock.now();
        let due = server.write(move |tx| Ok(store::webhooks::due(tx, now, 4)?));
        assert_eq!(
            due.iter().map(|due| (due.turns_as, due.healthy)).collect::<Vec<_>>(),
            [(many, true), (one, true), (one, true), (many, true)]
        );
        assert_eq!(due[1].account, one);
        assert_ne!(due[2].account, one);
    }

    fn a_message_body_is_stored_once_and_for_three_days(engine) {
        let server = Server::start(engine);
        let (key, receiver, refusing) =
            (server.account(EMAIL), Receiver::start(), Receiver::start());
        refusing.behave(Behaviour::Answers(500, String::new()));
        for number in 0..3 {
            webhook(&server, &key, &format!("{}?{number}", receiver.url()), &["contact.created"]);
        }
        webhook(&server, &key, &refusing.url(), &["contact.created"]);
        let stored = || {
            Raw::open(&server.database)
                .rows("SELECT body FROM webhook_messages")
                .into_iter()
                .map(|row| row[0].clone().unwrap())
                .collect::<Vec<_>>()
        };
        let sweep = || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(server.app.sweep()).unwrap();
        };
        let mut sent = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"}));
        sent.extend(refusing.take());
        assert_eq!((sent.len(), stored()), (4, vec![sent[0].body.clone()]));
        assert!(sent.iter().all(|message| message.body == sent[0].body));
        let redeliver = |message: &Received, webhook: i64| {
            let path = format!(
                "/api/v1/webhooks/{webhook}/deliveries/{}/redeliver",
                message.header("webhook-id")
            );
            server.send("POST", &path, &[("x-api-key", &key)], None)
        };
        let of_first = sent.iter().find(|message| message.target.ends_with("?0")).unwrap();
        // Bodies are kept during retries, and for three days after the last redelivery.
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
        // The delivery's outcome is still available, but its body can no longer be redelivered.
        let reply = server
            .get(&key, &format!("/api/v1/webhooks/1/deliveries/{}", of_first.header("webhook-id")));
        assert_eq!((reply.status, &reply.json()["status"]), (200, &json!("delivered")));
        assert_eq!(
            (redeliver(of_first, 1).status, redeliver(of_first, 1).code()),
            (404, "not_found".into())
        );
        server.deliver_webhooks();
        assert_eq!(receiver.take().len(), 0);
    }

    fn a_webhook_is_disabled_with_the_key_that_created_it(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let shops = server.key(EMAIL, true, true);
        webhook(&server, &key, &format!("{}?kept", receiver.url()), &["contact.created"]);
        webhook(&server, &shops, &format!("{}?ended", receiver.url()), &["contact.created"]);
        webhook(&server, &key, &format!("{}?led", receiver.url()), &["contact.created"]);
        // The key that last changed the URL is treated as the key that created the webhook.
        assert_eq!(
            patch(
                &server,
                &shops,
                "/api/v1/webhooks/3",
                &[],
                &json!({"url": format!("{}?elsewhere", receiver.url())})
            )
            .status,
            200
        );
        // Messages queued before the key was revoked are not sent either.
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        let (cx, now) = (server.owner(EMAIL), server.clock.now());
        server.write(move |tx| service::access::revoke_key(tx, &cx.at(now), 2));
        server.deliver_webhooks();
        assert_eq!(
            calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Two"}))
                .iter()
                .map(|message| message.target.as_str())
                .collect::<Vec<_>>(),
            ["/hooks?kept", "/hooks?kept"]
        );
        for (id, because) in [(1, Value::Null), (2, json!("keyRevoked")), (3, json!("keyRevoked"))]
        {
            let current = server.get(&key, &format!("/api/v1/webhooks/{id}")).json();
            assert_eq!(
                (&current["disabledBecause"], &current["enabled"]),
                (&because, &json!(because.is_null()))
            );
        }
        // Another key takes over the webhook by enabling it.
        assert_eq!(
            patch(&server, &key, "/api/v1/webhooks/2", &[], &json!({"enabled": true})).status,
            200
        );
        assert_eq!(
            calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "Three"})).len(),
            2
        );
        let (cx, now) = (server.owner(EMAIL), server.clock.now());
        server.write(move |tx| service::access::revoke_key(tx, &cx.at(now), 1));
        let third = server.key(EMAIL, true, true);
        assert_eq!(
            calls(&server, &receiver, &third, "POST", "contacts", &json!({"name": "Four"})).len(),
            0
        );
        assert_eq!(
            server.get(&third, "/api/v1/webhooks/2").json()["disabledBecause"],
            "keyRevoked"
        );
    }

    fn a_key_without_read_cannot_have_anything_sent(engine) {
        let server = Server::start(engine);
        let (key, writes) = (server.account(EMAIL), server.key(EMAIL, false, true));
        let receiver = Receiver::start();
        webhook(&server, &key, &receiver.url(), &["contact.created"]);
        let sent = calls(&server, &receiver, &key, "POST", "contacts", &json!({"name": "One"}));
        let again =
            format!("/api/v1/webhooks/1/deliveries/{}/redeliver", sent[0].header("webhook-id"));
        let refused = |answer: &testing::Reply| {
            assert_eq!(
                (answer.status, answer.code()),
                (403, "insufficient_scope".into()),
                "{}",
                answer.text
            );
            assert!(answer.text.contains("`read`"), "{}", answer.text);
        };
        refused(&server.post(
            &writes,
            "/api/v1/webhooks",
            &json!({"url": "https://stolen.example/"}),
        ));
        for body in [
            json!({"url": "https://stolen.example/"}),
            json!({"types": []}),
            json!({"enabled": true}),
        ] {
            refused(&patch(&server, &writes, "/api/v1/webhooks/1", &[], &body));
        }
        for path in ["/api/v1/webhooks/1/rotate-secret", &again] {
            refused(&server.send("POST", path, &[("x-api-key", &writes)], None));
        }
        assert_eq!(
            patch(&server, &writes, "/api/v1/webhooks/1", &[], &json!({"description": "Shop"}))
                .status,
            200
        );
        assert_eq!(
            server.send("POST", "/api/v1/webhooks/1/test", &[("x-api-key", &writes)], None).status,
            202
        );
        assert_eq!(delete(&server, &writes, "/api/v1/webhooks/1"), 204);
    }

    fn all_faults_are_reported_at_once(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        webhook(&server, &key, "https://shop.example/", &[]);
        let wrong = json!({"url": "x", "types": ["nope", "invoice.paid", 7, "nope2"]});
        let faults: Vec<_> = [
            ("/url", "invalid_format"),
            ("/types/0", "unknown_value"),
            ("/types/2", "invalid_type"),
            ("/types/3", "unknown_value"),
        ]
        .map(|(pointer, code)| (pointer.to_owned(), code.to_owned()))
        .into();
        for refused in [
            server.post(&key, "/api/v1/webhooks", &wrong),
            patch(&server, &key, "/api/v1/webhooks/1", &[], &wrong),
        ] {
            assert_eq!(
                (refused.status, refused.faults()),
                (422, faults.clone()),
                "{}",
                refused.text
            );
        }
    }

    fn a_webhook_is_changed_only_if_its_entity_tag_matches(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        webhook(&server, &key, "https://shop.example/", &[]);
        let path = "/api/v1/webhooks/1";
        let tag = server.get(&key, path).header("etag").unwrap().to_owned();
        let remove = |tag: &str| {
            server.send("DELETE", path, &[("x-api-key", &key), ("if-match", tag)], None)
        };
        let changed = patch(&server, &key, path, &[&tag], &json!({"description": "Shop"}));
        assert_eq!(changed.status, 200, "{}", changed.text);
        let overtaken = patch(&server, &key, path, &[&tag], &json!({"description": "Mine"}));
        for refused in [overtaken, remove(&tag), remove("words")] {
            assert_eq!(
                (refused.status, refused.code()),
                (412, "precondition_failed".into()),
                "{}",
                refused.text
            );
        }
        assert_eq!(server.get(&key, path).json()["description"], "Shop");
        assert_eq!(remove(changed.header("etag").unwrap()).status, 204);
    }

    fn a_message_whose_lease_expired_is_sent_by_another_node(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "One"})).status, 201);
        let (account, now) = (server.owner(EMAIL).actor.account, server.clock.now());
        let claimed = server.write(move |tx| {
            service::webhooks::claim(tx, &Environment::at(now), account, id, "a node that is gone")
        });
        assert!(claimed.is_some());
        server.deliver_webhooks();
        assert_eq!(receiver.take().len(), 0, "another node holds the lease");
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
        let sent = server.send(
            "POST",
            &format!("/api/v1/webhooks/{id}/test"),
            &[("x-api-key", &key)],
            None,
        );
        assert_eq!((sent.status, &sent.json()["type"]), (202, &json!("webhook.test")));
        server.deliver_webhooks();
        let received = receiver.take();
        assert_eq!(received[0].header("webhook-signature"), signature(&secret, &received[0]));
        let event = body(&received[0]);
        assert_eq!((&event["type"], &event["sequence"]), (&json!("webhook.test"), &json!(0)));
        assert_eq!(event["data"], server.get(&key, &format!("/api/v1/webhooks/{id}")).json());
    }

    fn webhooks_are_created_changed_listed_and_deleted(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let reply = server.post(&key, "/api/v1/webhooks", &json!({"url": "https://shop.example/hooks", "types": ["invoice.paid"], "description": "Shop"}));
        assert_eq!(
            (reply.status, reply.header("location").unwrap().ends_with("/api/v1/webhooks/1")),
            (201, true)
        );
        assert!(reply.json()["secret"].as_str().unwrap().starts_with("whsec_"));
        let changed = patch(
            &server,
            &key,
            "/api/v1/webhooks/1",
            &[],
            &json!({"types": null, "description": null, "url": "https://shop.example/new"}),
        );
        let current = changed.json();
        assert_eq!(
            (&current["types"], &current["description"], &current["url"]),
            (&json!([]), &Value::Null, &json!("https://shop.example/new"))
        );
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
        let refused =
            server.post(&key, "/api/v1/webhooks", &json!({"url": "https://shop.example/hooks"}));
        assert_eq!(
            (refused.status, refused.text.contains("at most 20")),
            (422, true),
            "{}",
            refused.text
        );
        let all = walk(&server, &key, "/api/v1/webhooks?limit=7", || ());
        let ids: Vec<i64> = all.iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!(ids, (1..=20).collect::<Vec<_>>());
        assert_eq!(delete(&server, &key, "/api/v1/webhooks/1"), 204);
        assert_eq!(delete(&server, &key, "/api/v1/webhooks/1"), 404);
        for path in ["1", "1/deliveries", "21", "2/deliveries/msg_x_1", "2/deliveries/1"] {
            assert_eq!(server.get(&key, &format!("/api/v1/webhooks/{path}")).status, 404, "{path}");
        }
        // A read-only key may not create a webhook, since webhooks export bookkeeping data.
        let reads = server.key(EMAIL, true, false);
        assert_eq!(
            server
                .post(&reads, "/api/v1/webhooks", &json!({"url": "https://shop.example/"}))
                .code(),
            "insufficient_scope"
        );
        assert_eq!(server.get(&reads, "/api/v1/webhooks/2").status, 200);
    }

    fn two_webhooks_cannot_have_the_same_url_and_types(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bert@example.com"));
        let make = |key: &str, types: Value| {
            server.post(
                key,
                "/api/v1/webhooks",
                &json!({"url": "https://shop.example/", "types": types}),
            )
        };
        let outcome = |reply: &testing::Reply| (reply.status, reply.faults());
        let refused = (422, vec![("/url".to_owned(), "taken".to_owned())]);
        assert_eq!(make(&key, json!(["invoice.paid", "contact.*"])).status, 201);
        // A retry after a lost response is a duplicate, whatever the order of the types.
        let again = make(&key, json!(["contact.*", "invoice.paid"]));
        assert_eq!(outcome(&again), refused, "{}", again.text);
        assert!(again.text.contains("webhook 1 has this address"), "{}", again.text);
        // Webhooks with different types may share a URL, and so may webhooks of other accounts.
        assert_eq!(
            (
                make(&key, json!(["invoice.paid"])).status,
                make(&key, json!([])).status,
                make(&other, json!([])).status
            ),
            (201, 201, 201)
        );
        let edit = |id: i64, body: Value| {
            patch(&server, &key, &format!("/api/v1/webhooks/{id}"), &[], &body)
        };
        assert_eq!(outcome(&edit(2, json!({"types": ["contact.*", "invoice.paid"]}))), refused);
        assert_eq!(outcome(&edit(3, json!({"types": ["invoice.paid"]}))), refused);
        assert_eq!(
            (
                edit(2, json!({"types": ["invoice.paid"], "description": "Paid"})).status,
                edit(2, json!({"enabled": false})).status
            ),
            (200, 200)
        );
        // A disabled webhook still occupies its URL, since it can be enabled again. A deleted
        // webhook does not.
        assert_eq!(outcome(&make(&key, json!(["invoice.paid"]))), refused);
        assert_eq!(delete(&server, &key, "/api/v1/webhooks/2"), 204);
        assert_eq!(make(&key, json!(["invoice.paid"])).status, 201);
    }

    fn deliveries_are_listed_for_thirty_days(engine) {
        let server = Server::start(engine);
        let (key, receiver) = (server.account(EMAIL), Receiver::start());
        let (id, _) = webhook(&server, &key, &receiver.url(), &["contact.created"]);
        for number in 0..12 {
            assert_eq!(
                server
                    .post(&key, "/api/v1/contacts", &json!({"name": format!("C{number}")}))
                    .status,
                201
            );
        }
        server.deliver_webhooks();
        let sent: BTreeMap<String, Received> = receiver
            .take()
            .into_iter()
            .map(|message| (message.header("webhook-id").to_owned(), message))
            .collect();
        let listed =
            walk(&server, &key, &format!("/api/v1/webhooks/{id}/deliveries?limit=5"), || ());
        assert_eq!(
            listed
                .iter()
                .map(|row| row["id"].as_str().unwrap().to_owned())
                .collect::<BTreeSet<_>>(),
            sent.keys().cloned().collect()
        );
        let sequences: Vec<i64> =
            listed.iter().map(|row| row["sequence"].as_i64().unwrap()).collect();
        assert!(sequences.is_sorted_by(|later, earlier| later > earlier), "{sequences:?}");
        let sweep = |server: &Server| {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(server.app.sweep()).unwrap();
        };
        later(&server, 30 * 24 * 3600);
        sweep(&server);
        assert_eq!(
            server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"]
                .as_array()
                .unwrap()
                .len(),
            12
        );
        later(&server, 1);
        sweep(&server);
        assert_eq!(
            server.get(&key, &format!("/api/v1/webhooks/{id}/deliveries")).json()["data"],
            json!([])
        );
        assert_eq!(delete(&server, &key, &format!("/api/v1/webhooks/{id}")), 204);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
