//! Emails to customers: queued by the request, sent by the server, with a delivery status.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use testing::{Server, on_both_engines};

fn invoice(status: &str, customer: &Value) -> Value {
    json!({"status": status, "customer": customer, "invoiceDate": "2026-01-05", "dueDate": "2026-01-19",
        "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]})
}

fn customer() -> Value {
    json!({"name": "Museum De Pier", "email": "klant@example.com", "kvkNumber": "12345678"})
}

on_both_engines! {
    fn an_invoice_is_mailed_once_with_its_documents(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("draft", &customer())).status,
            201
        );
        let body = json!({"externalId": "mail-1", "copyToMe": true});
        let sent = server.post(&key, "/api/v1/invoices/1/send", &body);
        assert_eq!(sent.status, 202, "{}", sent.text);
        let sent = sent.json();
        assert_eq!(
            (&sent["to"], &sent["status"], &sent["kind"]),
            (&json!("klant@example.com"), &json!("queued"), &json!("invoice"))
        );
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["status"], "sent");
        // A retry returns the same email, before and after delivery.
        let again = server.post(&key, "/api/v1/invoices/1/send", &body);
        assert_eq!(
            (again.status, again.header("idempotent-replay")),
            (200, Some("true")),
            "{}",
            again.text
        );
        assert_eq!(again.json()["id"], sent["id"]);
        let mails = server.mails("klant@example.com");
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert_eq!(mail.subject, "Factuur 2026-0001 van Test");
        assert!(
            mail.headers
                .contains(&format!("Message-ID: <{}@example.com>", sent["id"].as_str().unwrap())),
            "{}",
            mail.headers
        );
        assert!(mail.headers.contains("Reply-To: anna@example.com"), "{}", mail.headers);
        for part in [
            "multipart/alternative",
            "text/html",
            "filename=\"2026-0001.pdf\"",
            "Hierbij factuur 2026-0001 van",
        ] {
            assert!(
                mail.text.contains(part) || mail.headers.contains(part),
                "{part}: {}",
                mail.text
            );
        }
        assert_eq!(server.mails("anna@example.com").len(), 1);
        let messages = server.get(&key, "/api/v1/invoices/1/messages").json();
        let states: Vec<_> = messages["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mail| (mail["kind"].clone(), mail["status"].clone()))
            .collect();
        assert!(
            states.contains(&(json!("invoice"), json!("sent")))
                && states.contains(&(json!("copy"), json!("sent"))),
            "{messages}"
        );
        assert!(messages["data"][0]["sentAt"].is_string(), "{messages}");
        assert_eq!(server.mails("klant@example.com").len(), 1);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn after_an_hour_without_delivery_each_mail_arrives_once(engine) {
        const MAILS: usize = 20;
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        server.mails_are_taken(false);
        let mut acknowledged = BTreeSet::new();
        for number in 1..=MAILS {
            let to =
                json!({"name": "Museum De Pier", "email": format!("klant-{number}@example.com")});
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice("sent", &to)).status, 201);
            let sent = server.post(&key, &format!("/api/v1/invoices/{number}/send"), &json!({}));
            assert_eq!(sent.status, 202, "{}", sent.text);
            acknowledged.insert(format!(
                "Message-ID: <{}@example.com>",
                sent.json()["id"].as_str().unwrap()
            ));
        }
        let first = || server.get(&key, "/api/v1/invoices/1/messages").json()["data"][0].clone();
        for minute in 0..60 {
            server.clock.set(&format!("2026-03-15T12:{minute:02}:00Z"));
            server.deliver_mails();
            let waiting = first();
            assert_eq!(waiting["status"], "queued", "{waiting}");
            assert!(
                waiting["cause"]
                    .as_str()
                    .is_some_and(|cause| cause.contains("could not be written")),
                "{waiting}"
            );
        }
        server.mails_are_taken(true);
        // The last moment is beyond the longest pause that can follow an hour of failures.
        for moment in ["2026-03-15T13:00:00Z", "2026-03-15T13:30:00Z", "2026-03-15T14:00:00Z"] {
            server.clock.set(moment);
            server.deliver_mails();
        }
        let mut arrived = BTreeSet::new();
        for number in 1..=MAILS {
            let mails = server.mails(&format!("klant-{number}@example.com"));
            let [mail] = &mails[..] else { panic!("{number}: {mails:?}") };
            arrived.extend(
                mail.headers
                    .lines()
                    .filter(|line| line.starts_with("Message-ID: "))
                    .map(str::to_owned),
            );
        }
        assert_eq!(arrived, acknowledged);
        assert_eq!(first()["status"], "sent");
    }

    fn faults_of_a_mail_are_reported_and_nothing_is_sent(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices", &invoice("draft", &json!({"name": "Nobody"})))
                .status,
            201
        );
        for (body, path) in [
            // Without a `to` in the body, the fault is reported for the body as a whole.
            (json!({}), ""),
            (json!({"to": "nobody"}), "/to"),
            (json!({"to": "a@example.com\r\nBcc: b@example.com"}), "/to"),
            (json!({"to": "a@example.com", "language": "fr"}), "/language"),
            (json!({"to": "a@example.com", "subject": "x".repeat(201)}), "/subject"),
        ] {
            let refused = server.post(&key, "/api/v1/invoices/1/send", &body);
            assert_eq!(
                (refused.status, &refused.json()["errors"][0]["pointer"]),
                (422, &json!(path)),
                "{}",
                refused.text
            );
        }
        for what in ["send", "remind"] {
            let id = if what == "send" { 1 } else { 2 };
            assert_eq!(
                server
                    .post(&key, "/api/v1/invoices", &invoice("sent", &json!({"name": "Nobody"})))
                    .status,
                201
            );
            let refused =
                server.post(&key, &format!("/api/v1/invoices/{id}/{what}"), &json!({})).json();
            let (fault, message) =
                (&refused["errors"][0], refused["errors"][0]["message"].as_str().unwrap());
            assert_eq!(
                (&fault["pointer"], &fault["code"]),
                (&json!(""), &json!("required")),
                "{refused}"
            );
            assert!(
                message.contains("no e-mail address of the customer Nobody is known"),
                "{refused}"
            );
        }
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["status"], "draft");
        assert_eq!(server.post(&key, "/api/v1/invoices/9/send", &json!({})).status, 404);
        assert_eq!(server.get(&key, "/api/v1/invoices/9/messages").status, 404);
        assert_eq!(server.get(&key, "/api/v1/invoices/1/messages").json()["data"], json!([]));
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/remind", &json!({"to": "a@example.com"})).code(),
            "is_a_draft"
        );
    }

    fn a_business_is_reminded_with_interest_and_costs(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("sent", &customer())).status,
            201
        );
        for (number, day) in [(1, 15), (2, 22), (3, 29)] {
            server.clock.set(&format!("2026-03-{day}T12:00:00Z"));
            let reminded = server.post(
                &key,
                "/api/v1/invoices/1/remind",
                &json!({"externalId": format!("r{number}")}),
            );
            assert_eq!(reminded.status, 202, "{}", reminded.text);
        }
        let mails = server.mails("klant@example.com");
        let subjects: Vec<&str> = mails.iter().map(|mail| mail.subject.as_str()).collect();
        for subject in [
            "Factuur 2026-0001 staat nog open",
            "Tweede herinnering: factuur 2026-0001, 62 dagen te laat",
            "Laatste herinnering: factuur 2026-0001",
        ] {
            assert!(subjects.contains(&subject), "{subject}: {subjects:?}");
        }
        // A paid invoice gets no reminder, and its email asks for no payment.
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-03-15"})).status,
            201
        );
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/invoices/1/send",
                    &json!({"to": "paid@example.com", "language": "en"})
                )
                .status,
            202
        );
        assert!(
            server.mails("paid@example.com")[0]
                .text
                .replace("=\n", "")
                .contains("there is nothing to pay")
        );
        assert_eq!(server.post(&key, "/api/v1/invoices/1/remind", &json!({})).status, 422);
    }

    fn a_draft_is_sent_in_the_requested_language(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for (id, body, language) in [(1, json!({"language": "en"}), "en"), (3, json!({}), "nl")] {
            assert_eq!(
                server.post(&key, "/api/v1/invoices", &invoice("draft", &customer())).status,
                201
            );
            assert_eq!(
                server.post(&key, &format!("/api/v1/invoices/{id}/send"), &body).status,
                202
            );
            let sent = server.write(move |tx| Ok(store::documents::sent(tx, 1, id)?));
            assert_eq!(sent.unwrap().record.language, language);
            // A credit note is in the language of its invoice.
            let credited = server.post(
                &key,
                &format!("/api/v1/invoices/{id}/credit-notes"),
                &json!({"items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]}),
            );
            assert_eq!(credited.status, 201, "{}", credited.text);
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn a_consumer_gets_the_letter_of_the_law(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let consumer = json!({"name": "Bram de Vries", "email": "bram@example.com"});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice("sent", &consumer)).status, 201);
        for (number, day) in [(1, 15), (2, 22)] {
            server.clock.set(&format!("2026-03-{day}T12:00:00Z"));
            assert_eq!(
                server
                    .post(
                        &key,
                        "/api/v1/invoices/1/remind",
                        &json!({"externalId": format!("r{number}"), "language": "en"})
                    )
                    .status,
                202
            );
        }
        let mails = server.mails("bram@example.com");
        let letter = mails
            .iter()
            .find(|mail| mail.subject.contains("14 days"))
            .unwrap_or_else(|| panic!("{mails:?}"));
        assert!(letter.subject.contains("at no extra cost"), "{letter:?}");
        // Collection costs: 15 % of 605.00.
        assert!(letter.text.replace("=\n", "").contains("90.75"), "{}", letter.text);
        // Weeks later the term of the letter has expired, and a claim is sent instead.
        server.clock.set("2026-04-10T10:00:00Z");
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/remind", &json!({"externalId": "r3"})).status,
            202
        );
        let claim = server
            .mails("bram@example.com")
            .into_iter()
            .find(|mail| mail.subject.contains("veertien dagen is voorbij"))
            .unwrap();
        let text = claim.text.replace("=\n", "");
        assert!(text.contains("90,75") && text.contains("6:119 BW"), "{text}");
        server.clock.set("2026-04-10T11:00:00Z");
        let not_late = json!({"status": "sent", "customer": consumer, "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &not_late).status, 201);
        let refused = server.post(&key, "/api/v1/invoices/2/remind", &json!({}));
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains("2026-05-10"), "{}", refused.text);
    }

    fn without_vat_deduction_the_collection_costs_include_vat(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let consumer = json!({"name": "Bram de Vries", "email": "bram@example.com"});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice("sent", &consumer)).status, 201);
        server.clock.set("2026-04-10T10:00:00Z");
        let changed = server.post(
            &key,
            "/api/v1/vat-scheme",
            &json!({"scheme": "kor", "from": "2026-04-01"}),
        );
        assert_eq!(changed.status, 200, "{}", changed.text);
        for (number, day) in [(1, 11), (2, 18)] {
            server.clock.set(&format!("2026-04-{day}T10:00:00Z"));
            assert_eq!(
                server
                    .post(
                        &key,
                        "/api/v1/invoices/1/remind",
                        &json!({"externalId": format!("r{number}")})
                    )
                    .status,
                202
            );
        }
        let mails = server.mails("bram@example.com");
        let letter = mails
            .iter()
            .find(|mail| mail.subject.contains("betaal binnen 14 dagen"))
            .unwrap_or_else(|| panic!("{mails:?}"));
        // 90.75 plus 21 % VAT.
        let text = letter.text.replace("=\n", "");
        assert!(text.contains("109,81 incassokosten, inclusief btw, verschuldigd"), "{text}");
    }

    fn reminders_of_an_invoice_are_seven_days_apart(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        for _ in 1..=2 {
            assert_eq!(
                server.post(&key, "/api/v1/invoices", &invoice("sent", &customer())).status,
                201
            );
        }
        let remind = |id: i64, body: &Value| {
            server.post(&key, &format!("/api/v1/invoices/{id}/remind"), body)
        };
        // A day has 25 hours when summer time ends.
        server.clock.set("2026-10-18T22:30:00Z");
        let first = remind(1, &json!({"externalId": "r1"}));
        assert_eq!(first.status, 202, "{}", first.text);
        for moment in ["2026-10-18T22:30:00Z", "2026-10-19T22:30:00Z", "2026-10-25T22:59:59Z"] {
            server.clock.set(moment);
            let refused = remind(1, &json!({"externalId": "r2"}));
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (409, "reminded_recently"),
                "{moment}: {}",
                refused.text
            );
            assert!(
                refused.json()["detail"].as_str().unwrap().contains("from 2026-10-26"),
                "{}",
                refused.text
            );
            // A retry with the same external id is not a new reminder.
            let again = remind(1, &json!({"externalId": "r1"}));
            assert_eq!(
                (again.status, &again.json()["id"]),
                (200, &first.json()["id"]),
                "{}",
                again.text
            );
        }
        assert_eq!(remind(2, &json!({})).status, 202);
        server.clock.set("2026-10-25T23:00:00Z");
        assert_eq!(remind(1, &json!({"externalId": "r2"})).status, 202);
        let second = server
            .mails("klant@example.com")
            .into_iter()
            .find(|mail| mail.subject.starts_with("Tweede"));
        let text = second.unwrap().text.replace("=\n", "");
        assert!(text.contains("19 oktober") && !text.contains("18 oktober"), "{text}");
        // A reminder that could not be delivered is ignored.
        server.write(|tx| {
            tx.execute(
                "UPDATE mails SET status = 'failed' WHERE account_id = ?1 AND external_id = 'r2'",
                &[1_i64.into()],
            )?;
            Ok(())
        });
        assert_eq!(remind(1, &json!({"externalId": "r3"})).status, 202);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn one_of_two_concurrent_reminders_is_sent(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(
            server.post(&key, "/api/v1/invoices", &invoice("sent", &customer())).status,
            201
        );
        let remind = |body: Value| server.post(&key, "/api/v1/invoices/1/remind", &body).status;
        let at_once = |bodies: [Value; 6]| {
            let mut statuses = std::thread::scope(|scope| {
                let calls = bodies.map(|body| scope.spawn(|| remind(body)));
                calls.map(|call| call.join().unwrap())
            });
            statuses.sort_unstable();
            statuses
        };
        // Of six identical concurrent requests, only one sends an email: first with the same
        // external id, and a week later without one.
        assert_eq!(
            at_once([(); 6].map(|()| json!({"externalId": "r1"}))),
            [200, 200, 200, 200, 200, 202]
        );
        server.clock.set("2026-03-22T12:00:00Z");
        assert_eq!(at_once([(); 6].map(|()| json!({}))), [202, 409, 409, 409, 409, 409]);
        assert_eq!(server.mails("klant@example.com").len(), 2);
    }

    fn an_undeliverable_address_is_refused_at_input(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "Pier"})).status, 201);
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices", &invoice("sent", &json!({"name": "Pier"})))
                .status,
            201
        );
        let (local, domain) =
            ("before the @ use only letters without accents", "after the @ give a whole domain");
        for (address, why) in [
            ("x@x", domain),
            ("a@b..nl", domain),
            ("x@localhost", domain),
            ("jörg@voorbeeld.example", local),
            ("jan jansen@example.com", local),
            ("nobody", "such as name@example.com"),
        ] {
            let with_customer = invoice("draft", &json!({"name": "Pier", "email": address}));
            let patch = |path: &str| {
                let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
                server.send(
                    "PATCH",
                    path,
                    &headers,
                    Some(json!({"email": address}).to_string().as_bytes()),
                )
            };
            let replies = [
                (
                    server.post(
                        &key,
                        "/api/v1/contacts",
                        &json!({"name": "Nieuw", "email": address}),
                    ),
                    "/email",
                ),
                (patch("/api/v1/contacts/1"), "/email"),
                (server.post(&key, "/api/v1/invoices", &with_customer), "/customer/email"),
                (server.post(&key, "/api/v1/invoices/1/send", &json!({"to": address})), "/to"),
                (server.post(&key, "/api/v1/invoices/1/remind", &json!({"to": address})), "/to"),
            ];
            for (refused, pointer) in replies {
                let body = refused.json();
                assert_eq!(
                    (refused.status, &body["errors"][0]["pointer"]),
                    (422, &json!(pointer)),
                    "{address}: {body}"
                );
                assert!(
                    body["errors"][0]["message"].as_str().unwrap().contains(why),
                    "{address}: {body}"
                );
            }
        }
        // An international domain is stored in its ASCII form, the local part unchanged.
        let contact = server.post(
            &key,
            "/api/v1/contacts",
            &json!({"name": "Äggsbärden", "email": "INFO@äggsbärden.Example"}),
        );
        assert_eq!(contact.json()["email"], "INFO@xn--ggsbrden-zzae.example", "{}", contact.text);
        let id = contact.json()["id"].clone();
        let sent =
            server.post(&key, "/api/v1/invoices", &invoice("sent", &json!({"contactId": id})));
        let sent =
            server.post(&key, &format!("/api/v1/invoices/{}/send", sent.json()["id"]), &json!({}));
        assert_eq!(
            (sent.status, &sent.json()["to"]),
            (202, &json!("INFO@xn--ggsbrden-zzae.example")),
            "{}",
            sent.text
        );
        assert_eq!(server.mails("INFO@xn--ggsbrden-zzae.example").len(), 1);
    }
}
