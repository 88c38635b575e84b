//! Quotes: their numbers, documents, decisions and invoices.

use crate::help::{cents, patch};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const QUOTES: &str = "/api/v1/quotes";

fn quote(price: i64) -> Value {
    json!({"quoteDate": "2026-03-10", "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Route through the rooms", "unitPrice": price, "vatRate": 21},
                  {"description": "Guide", "unitPrice": 100, "vatRate": 9}]})
}

/// Creates a quote, sends it unless it is to stay a draft, and returns its path.
fn made(server: &Server, key: &str, body: &Value, is_sent: bool) -> String {
    let reply = server.post(key, QUOTES, body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    let path = format!("{QUOTES}/{}", reply.json()["id"]);
    if is_sent {
        let sent = act(server, key, &path, "mark-sent", &json!({}));
        assert_eq!((sent.status, &sent.json()["status"]), (200, &json!("sent")), "{}", sent.text);
    }
    path
}

fn act(server: &Server, key: &str, path: &str, call: &str, body: &Value) -> Reply {
    server.post(key, &format!("{path}/{call}"), body)
}

fn state(server: &Server, key: &str, path: &str) -> String {
    server.get(key, path).json()["status"].as_str().unwrap().to_owned()
}

on_both_engines! {
    fn a_quote_is_made_edited_sent_and_read_without_being_booked(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let mut body = quote(1_000);
        body["externalId"] = json!("q-1");
        body["prepaymentPercent"] = json!(30);
        let reply = server.post(&key, QUOTES, &body);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let made = reply.json();
        for (field, value) in [
            ("number", json!("O-2026-0001")),
            ("status", json!("draft")),
            ("validUntil", json!("2026-04-09")),
            ("onAccept", json!("nothing")),
            ("prepaymentPercent", json!(30)),
            ("decision", Value::Null),
            ("invoiceIds", json!([])),
            ("replacesId", Value::Null),
            ("publicUrl", Value::Null),
            ("sentAt", Value::Null),
            ("source", json!("api")),
        ] {
            assert_eq!(made[field], value, "{field}");
        }
        assert!(
            reply.text.contains("\"subtotal\":1100.00,\"vatTotal\":219.00,\"total\":1319.00"),
            "{}",
            reply.text
        );
        let path = format!("{QUOTES}/1");
        assert_eq!(server.get(&key, &path).text, reply.text);
        let draft = server.get(&key, &format!("{path}/pdf"));
        assert_eq!(draft.header("content-type"), Some("application/pdf"));
        let edited = patch(&server, &key, &path, &[], &json!({"notes": "Soon", "validUntil": "2026-03-31"}));
        assert_eq!(edited.status, 200, "{}", edited.text);
        assert_eq!(edited.json()["validUntil"], "2026-03-31");
        let sent = act(&server, &key, &path, "mark-sent", &json!({}));
        assert_eq!(sent.status, 200, "{}", sent.text);
        assert!(sent.json()["publicUrl"].as_str().unwrap().contains("/q/"), "{}", sent.text);
        // A sent quote never changes, and neither does its file.
        let refused = patch(&server, &key, &path, &[], &json!({"notes": "Later"}));
        assert_eq!((refused.status, refused.code()), (409, "quote_not_open".into()));
        let file = || server.get(&key, &format!("{path}/pdf"));
        let first = file();
        assert_eq!(first.status, 200);
        server.clock.set("2026-03-20T11:00:00Z");
        assert_eq!(file().text, first.text);
        // Nothing is booked.
        assert_eq!(server.get(&key, "/api/v1/entries?year=2026").json()["data"], json!([]));
        for (query, found) in [
            ("", 1),
            ("?status=sent", 1),
            ("?status=draft", 0),
            ("?contactId=1", 1),
            ("?contactId=2", 0),
            ("?q=pier", 1),
            ("?q=nobody", 0),
            ("?externalId=q-1", 1),
        ] {
            let page = server.get(&key, &format!("{QUOTES}{query}")).json();
            assert_eq!(page["data"].as_array().unwrap().len(), found, "{query}: {page}");
        }
        // It expires the day after it is valid.
        server.clock.set("2026-03-31T11:00:00Z");
        assert_eq!(state(&server, &key, &path), "sent");
        server.clock.set("2026-04-01T11:00:00Z");
        assert_eq!(state(&server, &key, &path), "expired");
        let page = server.get(&key, &format!("{QUOTES}?status=expired")).json();
        assert_eq!(page["data"][0]["id"], 1, "{page}");
        let late = act(&server, &key, &path, "accept", &json!({"name": "Anna"}));
        assert_eq!((late.status, late.code()), (409, "quote_not_open".into()), "{}", late.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn numbers_have_no_gaps_when_quotes_are_made_at_once(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let numbers: BTreeSet<String> = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..12)
                .map(|number| {
                    let (server, key) = (&server, &key);
                    scope.spawn(move || {
                        // Every third request is refused, and takes no number.
                        let body = if number % 3 == 0 { json!({}) } else { quote(100) };
                        let reply = server.post(key, QUOTES, &body);
                        (reply.status == 201)
                            .then(|| reply.json()["number"].as_str().unwrap().to_owned())
                    })
                })
                .collect();
            calls.into_iter().filter_map(|call| call.join().unwrap()).collect()
        });
        let expected: BTreeSet<String> =
            (1..=8).map(|number| format!("O-2026-{number:04}")).collect();
        assert_eq!(numbers, expected);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn each_call_is_allowed_in_the_states_of_the_law_only(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let nothing = json!({});
        let name = json!({"name": "Anna"});
        // How each state is reached, and the state after each call, or nothing if it is refused.
        type Calls<'c> = &'c [(&'c str, &'c Value)];
        let states: [(&str, bool, Calls<'_>); 5] = [
            ("draft", false, &[]),
            ("sent", true, &[]),
            ("accepted", true, &[("accept", &name)]),
            ("refused", true, &[("refuse", &nothing)]),
            ("withdrawn", true, &[("withdraw", &nothing)]),
        ];
        let calls = ["accept", "refuse", "withdraw", "reopen"];
        let after = |state: &str, call: &str| match (state, call) {
            ("sent", "accept") => Some("accepted"),
            ("sent", "refuse") => Some("refused"),
            ("draft" | "sent", "withdraw") => Some("withdrawn"),
            ("accepted" | "refused" | "withdrawn", "reopen") => Some("sent"),
            _ => None,
        };
        for (name_of_state, is_sent, steps) in states {
            for call in calls {
                let path = made(&server, &key, &quote(100), is_sent);
                for (step, body) in steps {
                    assert_eq!(act(&server, &key, &path, step, body).status, 200, "{step}");
                }
                assert_eq!(state(&server, &key, &path), name_of_state);
                let body = if call == "accept" { &name } else { &nothing };
                let reply = act(&server, &key, &path, call, body);
                match after(name_of_state, call) {
                    Some(next) => {
                        assert_eq!(reply.status, 200, "{name_of_state} {call}: {}", reply.text);
                        assert_eq!(reply.json()["status"], next, "{name_of_state} {call}");
                    }
                    None => {
                        assert_eq!(
                            (reply.status, reply.code()),
                            (409, "quote_not_open".into()),
                            "{name_of_state} {call}: {}",
                            reply.text
                        );
                        assert_eq!(state(&server, &key, &path), name_of_state);
                    }
                }
            }
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_first_of_two_decisions_at_once_wins(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &quote(100), true);
        let replies: Vec<Reply> = std::thread::scope(|scope| {
            let calls: Vec<_> = ["accept", "refuse", "accept", "refuse"]
                .into_iter()
                .map(|call| {
                    let (server, key, path) = (&server, &key, &path);
                    scope.spawn(move || act(server, key, path, call, &json!({"name": "Anna"})))
                })
                .collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        let taken: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 200).collect();
        let [first] = taken[..] else { panic!("{}", taken.len()) };
        let later = replies.iter().filter(|reply| reply.status != 200);
        assert!(later.into_iter().all(|reply| reply.code() == "quote_not_open"));
        assert_eq!(server.get(&key, &path).json()["status"], first.json()["status"]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_revision_replaces_the_quote_once_it_is_sent(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &quote(100), true);
        let reply = act(&server, &key, &path, "revise", &json!({}));
        assert_eq!(reply.status, 201, "{}", reply.text);
        let newer = reply.json();
        assert_eq!(
            (&newer["number"], &newer["status"], &newer["replacesId"]),
            (&json!("O-2026-0002"), &json!("draft"), &json!(1))
        );
        assert_eq!(state(&server, &key, &path), "sent");
        let sent = act(&server, &key, &format!("{QUOTES}/2"), "mark-sent", &json!({}));
        assert_eq!(sent.status, 200, "{}", sent.text);
        assert_eq!(state(&server, &key, &path), "withdrawn");
        let reopened = act(&server, &key, &path, "reopen", &json!({}));
        assert_eq!(reopened.status, 409, "{}", reopened.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_accepted_quote_is_invoiced_in_advance_and_finally(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let mut body = quote(1_000);
        body["prepaymentPercent"] = json!(30);
        let path = made(&server, &key, &body, true);
        let invoice = |body: &Value| act(&server, &key, &path, "invoice", body);
        // Beyond the quote.
        let beyond = invoice(&json!({"kind": "prepayment", "amount": 5_000}));
        assert_eq!(beyond.status, 422, "{}", beyond.text);
        assert_eq!(beyond.faults()[0].1, "out_of_range", "{}", beyond.text);
        // Invoicing a sent quote accepts it in the name of the owner.
        let part = invoice(&json!({"externalId": "i-1", "kind": "prepayment", "status": "sent", "invoiceDate": "2026-03-12"}));
        assert_eq!(part.status, 201, "{}", part.text);
        let part = part.json();
        assert!(part["subtotal"].to_string().starts_with("330"), "{part}");
        assert_eq!(part["items"].as_array().unwrap().len(), 2, "{part}");
        let read = server.get(&key, &path).json();
        assert_eq!(
            (&read["status"], &read["decision"]["by"], &read["invoiceIds"]),
            (&json!("accepted"), &json!("owner"), &json!([1]))
        );
        let again = invoice(&json!({"externalId": "i-1", "kind": "prepayment", "status": "sent"}));
        assert_eq!((again.status, &again.json()["id"]), (200, &json!(1)), "{}", again.text);
        let last = invoice(&json!({"kind": "final", "status": "sent", "invoiceDate": "2026-03-14"}));
        assert_eq!(last.status, 201, "{}", last.text);
        assert_eq!(state(&server, &key, &path), "invoiced");
        let total = cents(&server.get(&key, &path).json()["total"]);
        assert_eq!(cents(&part["total"]) + cents(&last.json()["total"]), total);
        for kind in ["whole", "final"] {
            let refused = invoice(&json!({"kind": kind}));
            assert_eq!(
                (refused.status, refused.code()),
                (409, "already_invoiced".into()),
                "{kind}: {}",
                refused.text
            );
        }
        let page = server.get(&key, "/api/v1/invoices?quoteId=1").json();
        assert_eq!(page["data"].as_array().unwrap().len(), 2, "{page}");
        // Credit of the final invoice frees the quote.
        let id = last.json()["id"].to_string();
        let credit = server.post(&key, &format!("/api/v1/invoices/{id}/credit-notes"), &json!({}));
        assert_eq!(credit.status, 201, "{}", credit.text);
        assert_eq!(state(&server, &key, &path), "accepted");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_withdrawn_draft_invoice_frees_the_quote(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &quote(100), true);
        let whole = json!({"kind": "whole"});
        let reply = act(&server, &key, &path, "invoice", &whole);
        assert_eq!(reply.status, 201, "{}", reply.text);
        assert_eq!(reply.json()["quoteId"], 1, "{}", reply.text);
        let refused = act(&server, &key, &path, "reopen", &json!({}));
        assert_eq!((refused.status, state(&server, &key, &path)), (409, "invoiced".into()));
        let id = reply.json()["id"].to_string();
        let path_of_invoice = format!("/api/v1/invoices/{id}");
        let cancelled = server.send("DELETE", &path_of_invoice, &[("x-api-key", &key)], None);
        assert!(matches!(cancelled.status, 200 | 204), "{}", cancelled.text);
        assert_eq!(state(&server, &key, &path), "accepted");
        assert_eq!(act(&server, &key, &path, "invoice", &whole).status, 201);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn what_follows_an_acceptance_happens_with_it(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for (step, percent, expected) in [
            ("nothing", None, None),
            ("draft", None, Some(("draft", 131_900))),
            ("sent", Some(50), Some(("sent", 65_950))),
            ("mail", None, Some(("sent", 131_900))),
        ] {
            let mut body = quote(1_000);
            body["onAccept"] = json!(step);
            body["prepaymentPercent"] = json!(percent);
            let path = made(&server, &key, &body, true);
            let reply = act(&server, &key, &path, "accept", &json!({"name": "Anna", "note": "Go"}));
            assert_eq!(reply.status, 200, "{step}: {}", reply.text);
            let accepted = reply.json();
            assert_eq!(accepted["decision"]["note"], "Go");
            assert_eq!(accepted["onAcceptRefused"], Value::Null, "{step}: {accepted}");
            let invoices = accepted["invoiceIds"].as_array().unwrap();
            assert_eq!(invoices.len(), usize::from(expected.is_some()), "{step}");
            if let Some((status, total)) = expected {
                let invoice = server.get(&key, &format!("/api/v1/invoices/{}", invoices[0])).json();
                assert_eq!(invoice["status"], status, "{step}");
                assert_eq!(cents(&invoice["total"]), total, "{invoice}");
            }
        }
        // Without an address, the mail is refused; the acceptance stays.
        let mut body = quote(1_000);
        body["onAccept"] = json!("mail");
        body["customer"] = json!({"name": "Nobody"});
        let path = made(&server, &key, &body, true);
        let reply = act(&server, &key, &path, "accept", &json!({"name": "Anna"}));
        assert_eq!(reply.status, 200, "{}", reply.text);
        let accepted = reply.json();
        assert_eq!((&accepted["status"], &accepted["invoiceIds"]), (&json!("accepted"), &json!([])));
        assert!(accepted["onAcceptRefused"].is_string(), "{accepted}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_quote_is_mailed_with_its_document_and_its_link(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &quote(100), false);
        let body = json!({"externalId": "m-1"});
        let reply = act(&server, &key, &path, "send", &body);
        assert_eq!(reply.status, 202, "{}", reply.text);
        assert_eq!(
            (&reply.json()["kind"], &reply.json()["to"]),
            (&json!("quote"), &json!("klant@example.com"))
        );
        assert_eq!(act(&server, &key, &path, "send", &body).status, 200);
        let read = server.get(&key, &path).json();
        assert_eq!(read["status"], "sent");
        let mails = server.mails("klant@example.com");
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert!(mail.subject.contains("O-2026-0001"), "{}", mail.subject);
        assert!(mail.text.contains("O-2026-0001.pdf"), "{}", mail.text);
        let token = read["publicUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        assert!(mail.text.contains(&token), "{}", mail.text);
        let messages = server.get(&key, "/api/v1/quotes/1/messages").json();
        assert_eq!(messages["data"][0]["kind"], "quote", "{messages}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_quote_proposes_vat_and_a_dry_run_of_it_writes_nothing(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let body = json!({"quoteDate": "2026-03-10", "externalId": "q-1",
            "customer": {"name": "Webhaus GmbH", "country": "DE", "vatNumber": "DE136695976", "language": "en",
                "emails": [{"email": "buero@example.com", "uses": ["invoice"]}, {"email": "angebot@example.com", "uses": ["quote"]},
                    {"email": "chef@example.com", "uses": ["quote"]}]},
            "items": [{"description": "Route through the rooms", "unitPrice": 500}]});
        let dry = server.post(&key, "/api/v1/quotes?dryRun=true", &body);
        assert_eq!(dry.status, 200, "{}", dry.text);
        let dry = dry.json();
        for name in ["id", "number", "createdAt", "updatedAt"] {
            assert!(dry.get(name).is_none(), "{name}");
        }
        assert_eq!((&dry["dryRun"], &dry["entries"]), (&json!(true), &json!([])));
        assert_eq!(dry["customer"]["contactId"], Value::Null);
        assert_eq!(dry["items"][0]["vatCategory"], "intraCommunity", "{dry}");
        assert_eq!(dry["warnings"][0]["code"], "customer_address_missing", "{dry}");
        assert_eq!(server.get(&key, QUOTES).json()["data"], json!([]));
        assert_eq!(server.get(&key, "/api/v1/contacts").json()["data"], json!([]));
        assert_eq!(server.get(&key, "/api/v1/invoices").json()["data"], json!([]));
        // The quote in earnest is the same, with the next number.
        let reply = server.post(&key, QUOTES, &body);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let made = reply.json();
        assert_eq!((&made["number"], &made["items"]), (&json!("O-2026-0001"), &dry["items"]));
        let again = server.post(&key, "/api/v1/quotes?dryRun=true", &body);
        assert_eq!((again.status, &again.json()["id"]), (200, &made["id"]), "{}", again.text);
        // The email goes to the addresses for quotes, in the customer's language.
        let path = "/api/v1/quotes/1";
        let dry = server.post(&key, &format!("{path}/send?dryRun=true"), &json!({}));
        assert_eq!(dry.status, 200, "{}", dry.text);
        let dry = dry.json();
        assert_eq!((&dry["to"], &dry["cc"]), (&json!("angebot@example.com"), &json!(["chef@example.com"])));
        assert!(dry["subject"].as_str().unwrap().starts_with("Quote O-2026-0001"), "{dry}");
        assert_eq!(dry["attachments"][0]["name"], "O-2026-0001.pdf", "{dry}");
        assert_eq!(state(&server, &key, path), "draft");
        assert_eq!(server.get(&key, &format!("{path}/messages")).json()["data"], json!([]));
        let sent = act(&server, &key, path, "send", &json!({}));
        assert_eq!((sent.status, &sent.json()["subject"]), (202, &dry["subject"]), "{}", sent.text);
        // A customer elsewhere with the Dutch rate is warned of.
        let mut abroad = body;
        abroad["items"][0]["vatRate"] = json!(21);
        abroad["externalId"] = json!("q-2");
        let dry = server.post(&key, "/api/v1/quotes?dryRun=true", &abroad).json();
        let codes: Vec<&Value> = dry["warnings"].as_array().unwrap().iter().map(|warning| &warning["code"]).collect();
        assert!(codes.contains(&&json!("eu_business_at_dutch_rate")), "{codes:?}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_link_is_renewed_and_withdrawn(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &quote(100), false);
        let link = format!("{path}/link");
        assert_eq!(server.get(&key, &link).status, 404);
        assert_eq!(act(&server, &key, &path, "mark-sent", &json!({})).status, 200);
        let at = |url: &Value| url.as_str().unwrap().rsplit_once("/q/").unwrap().1.to_owned();
        let first = at(&server.get(&key, &link).json()["url"]);
        assert!(first.len() == 22 && first.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let page = |token: &str| server.send("GET", &format!("/q/{token}"), &[], None).status;
        assert_eq!(page(&first), 200);
        let renewed = server.post(&key, &link, &json!({}));
        assert_eq!(renewed.status, 200, "{}", renewed.text);
        let second = at(&renewed.json()["url"]);
        assert_eq!((page(&first), page(&second)), (404, 200));
        assert_eq!(server.get(&key, &link).json()["openCount"], 1);
        let withdrawn = server.send("DELETE", &link, &[("x-api-key", &key)], None);
        assert_eq!(withdrawn.status, 200, "{}", withdrawn.text);
        assert_eq!(withdrawn.json()["url"], Value::Null);
        assert_eq!(page(&second), 404);
        assert_eq!(server.get(&key, &path).json()["publicUrl"], Value::Null);
    }

    fn faults_of_quotes_are_named(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for (field, value) in [
            ("validUntil", json!("2026-03-09")),
            ("prepaymentPercent", json!(0)),
            ("prepaymentPercent", json!(101)),
            ("onAccept", json!("later")),
            ("items", json!([])),
        ] {
            let mut body = quote(100);
            body[field] = value;
            let reply = server.post(&key, QUOTES, &body);
            assert_eq!(reply.status, 422, "{field}: {}", reply.text);
            assert_eq!(reply.faults()[0].0, format!("/{field}"), "{}", reply.text);
        }
        let path = made(&server, &key, &quote(100), true);
        for (call, body) in [
            ("accept", json!({})),
            ("accept", json!({"name": "A", "note": "x".repeat(1_001)})),
            ("invoice", json!({"kind": "half"})),
            ("invoice", json!({"kind": "prepayment"})),
            ("invoice", json!({"kind": "prepayment", "percent": 10, "amount": 10})),
        ] {
            let reply = act(&server, &key, &path, call, &body);
            assert_eq!(reply.status, 422, "{call} {body}: {}", reply.text);
        }
    }
}
