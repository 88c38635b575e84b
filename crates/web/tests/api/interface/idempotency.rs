//! The header `Idempotency-Key`: a repeated POST runs once, and its response is replayed for
//! 24 hours.

use crate::{
    help::{example, filled, ids, last},
    simple_invoice,
    tax::filing_and_paying::filing_key,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Raw, Reply, Server, on_both_engines, year};

const EMAIL: &str = "anna@example.com";

/// Sends a POST with a JSON body and an idempotency key.
fn post(server: &Server, key: &str, name: &str, path: &str, body: &Value) -> Reply {
    let headers =
        [("x-api-key", key), ("content-type", "application/json"), ("idempotency-key", name)];
    server.send("POST", &format!("/api/v1/{path}"), &headers, Some(body.to_string().as_bytes()))
}

/// Export of account 1, without the stored idempotency keys.
fn all(server: &Server) -> Value {
    let mut all = server.export(1);
    all.as_object_mut().unwrap().remove("idempotency_keys");
    all
}

/// Path template of a call in the API description.
fn described(paths: &serde_json::Map<String, Value>, call: &str) -> String {
    let fits = |path: &&String| {
        let (path, call): (Vec<&str>, Vec<&str>) =
            (path.split('/').skip(3).collect(), call.split('/').collect());
        path.len() == call.len()
            && path
                .iter()
                .zip(&call)
                .all(|(part, segment)| part == segment || part.starts_with('{'))
    };
    paths
        .keys()
        .filter(|path| paths[*path].get("post").is_some())
        .find(fits)
        .unwrap_or_else(|| panic!("{call}"))
        .clone()
}

struct Caller<'s> {
    server: &'s Server,
    key: String,
    called: BTreeSet<String>,
}

impl Caller<'_> {
    /// Makes a call twice with one key: the second call changes nothing and replays the first
    /// response.
    fn calls(&mut self, path: &str, body: &Value) {
        let name = format!("call-{}", self.called.len());
        let first = post(self.server, &self.key, &name, path, body);
        assert!(
            matches!(first.status, 200..=202) && first.header("idempotent-replay").is_none(),
            "{path} {body}: {}",
            first.text
        );
        // A replay does not show a secret again.
        let secret = first.json()["secret"].as_str().map(|secret| format!("\"{secret}\""));
        let expected =
            secret.map_or_else(|| first.text.clone(), |secret| first.text.replace(&secret, "null"));
        let before = all(self.server);
        let again = post(self.server, &self.key, &name, path, body);
        assert_eq!(
            (again.status, again.header("idempotent-replay"), &again.text),
            (200, Some("true"), &expected),
            "{path} {body}"
        );
        assert_eq!(again.header("location"), first.header("location"), "{path}");
        assert_eq!(all(self.server), before, "{path}");
        // A body that differs only by a space is a different body.
        let other = self.server.send(
            "POST",
            &format!("/api/v1/{path}"),
            &[
                ("x-api-key", &self.key),
                ("content-type", "application/json"),
                ("idempotency-key", &name),
            ],
            Some(format!("{body} ").as_bytes()),
        );
        assert_eq!((other.status, other.code()), (422, "idempotency_key_reused".into()), "{path}");
        assert_eq!(other.faults(), [("Idempotency-Key".to_owned(), "taken".to_owned())], "{path}");
        self.called.insert(path.to_owned());
    }

    fn last(&self, path: &str) -> i64 {
        last(self.server, &self.key, path)
    }
}

on_both_engines! {
    fn every_post_is_carried_out_once_under_its_key(engine) {
        let server = Server::start(engine);
        server.account_of(EMAIL, "NL", Plan::Pro);
        let key = filing_key(&server, Scopes { read: true, write: true, file: true });
        let mut caller = Caller { server: &server, key, called: BTreeSet::new() };
        let nothing = json!({});
        let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        for step in year::steps() {
            let reply = match caller.called.contains(step.call) {
                true => server.post(&caller.key, &format!("/api/v1/{}", step.call), &step.said),
                false => {
                    caller.calls(step.call, &step.said);
                    continue;
                }
            };
            assert_eq!(reply.status, 201, "{}", reply.text);
        }
        // A contact to merge, and an emailed draft.
        assert_eq!(
            server.post(&caller.key, "/api/v1/contacts", &json!({"name": "Pier"})).status,
            201
        );
        caller.calls("invoices/2/send", &json!({"to": "klant@example.com"}));
        caller.calls("invoices/2/link", &nothing);
        let late = json!({"customer": {"name": "Laat"}, "status": "sent", "invoiceDate": "2026-02-01", "dueDate": "2026-02-15", "items": items});
        assert_eq!(server.post(&caller.key, "/api/v1/invoices", &late).status, 201);
        let invoice = caller.last("invoices");
        caller.calls(&format!("invoices/{invoice}/remind"), &json!({"to": "klant@example.com"}));
        caller.calls(
            &format!("invoices/{invoice}/credit-notes"),
            &json!({"items": [{"description": "Less", "unitPrice": 10, "vatRate": 21}]}),
        );
        let write_off = caller.last("invoices/3/write-off");
        caller.calls(&format!("invoices/3/write-off/{write_off}/undo"), &nothing);
        // Quotes.
        let quote = json!({"customer": {"name": "Pier", "email": "klant@example.com"}, "items": items});
        caller.calls("quotes", &quote);
        caller.calls("quotes/1/mark-sent", &nothing);
        caller.calls("quotes/1/link", &nothing);
        caller.calls("quotes/1/revise", &nothing);
        caller.calls("quotes/1/refuse", &nothing);
        caller.calls("quotes/1/reopen", &nothing);
        caller.calls("quotes/1/accept", &json!({"name": "Anna"}));
        caller.calls("quotes/1/invoice", &json!({"kind": "whole"}));
        caller.calls("quotes/2/send", &nothing);
        caller.calls("quotes/2/withdraw", &nothing);
        // Articles.
        caller.calls("articles", &json!({"name": "Work", "unitPrice": 50}));
        // Recurring invoices.
        let today = ledger::calendar::amsterdam_today(service::environment::Clock::now(&server.clock)).to_string();
        let subscription = json!({"customer": {"name": "Pier"}, "items": items, "every": {"unit": "week"}, "firstDate": today});
        caller.calls("recurring-invoices", &subscription);
        caller.calls("recurring-invoices/1/occurrences/2/skip", &nothing);
        caller.calls("recurring-invoices/1/pause", &nothing);
        caller.calls("recurring-invoices/1/occurrences/1/make", &nothing);
        caller.calls("recurring-invoices/1/resume", &nothing);
        caller.calls("recurring-invoices/1/end", &nothing);
        // Hours.
        caller.calls("projects/1/invoice", &nothing);
        // Purchases.
        let payment = caller.last("expenses/2/payments");
        caller.calls(&format!("expenses/2/payments/{payment}/undo"), &nothing);
        caller.calls("expenses/1/undo", &nothing);
        caller.calls("assets/1/dispose", &json!({"date": "2026-03-10", "proceeds": 900}));
        caller.calls("assets/1/depreciate/undo", &nothing);
        caller.calls("assets/1/undo", &nothing);
        // Events are undone in order: dependent events first.
        let (loan, repayment) = (caller.last("loans"), caller.last("loans/4/repayments"));
        caller.calls(&format!("loans/{loan}/repayments/{repayment}/undo"), &nothing);
        for kind in [
            "accruals",
            "loans",
            "mileage",
            "payouts",
            "private-bookings",
            "private-use",
            "transfers",
        ] {
            caller.calls(&format!("{kind}/{}/undo", caller.last(kind)), &nothing);
        }
        caller
            .calls(&format!("manual-entries/{}/reverse", caller.last("manual-entries")), &nothing);
        let memo = json!({"date": "2026-03-01", "description": "Memo", "lines": [{"account": "4610", "debit": 1}, {"account": "1100", "credit": 1}]});
        assert_eq!(server.post(&caller.key, "/api/v1/manual-entries", &memo).status, 201);
        caller.calls(&format!("manual-entries/{}/undo", caller.last("manual-entries")), &nothing);
        let bare = json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 100}]});
        assert_eq!(
            server.post(&caller.key, "/api/v1/opening-balance", &bare).code(),
            "has_opening_balance"
        );
        // Webhooks.
        caller.calls("webhooks", &json!({"url": "https://shop.example/hooks"}));
        caller.calls("webhooks/1/test", &nothing);
        let sent = server.get(&caller.key, "/api/v1/webhooks/1/deliveries").json()["data"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        caller.calls(&format!("webhooks/1/deliveries/{sent}/redeliver"), &nothing);
        // Taxes.
        caller.calls("vat-accounting", &json!({"method": "cash", "from": "2027-01-01", "ground": "listedTrade"}));
        caller.calls("vat-scheme", &json!({"scheme": "kor", "from": "2027-01-01"}));
        let camera = json!({"date": "2026-03-01", "description": "Camera", "cost": 20000});
        assert_eq!(server.post(&caller.key, "/api/v1/assets", &camera).status, 201);
        caller.calls(
            &format!("assets/{}/vat-revision", caller.last("assets")),
            &json!({"date": "2027-02-01"}),
        );
        caller.calls("vat-revisions/2027/undo", &nothing);
        caller.calls("vat-revisions/2027", &nothing);
        server.clock.set("2026-04-15T11:00:00Z");
        let german = json!({"invoiceDate": "2026-03-20", "status": "sent", "customer": {"name": "Muster GmbH", "country": "DE"}, "items": [{"description": "Design", "quantity": 1, "unitPrice": 100, "vatRate": 0}]});
        let german = server.post(&caller.key, "/api/v1/invoices", &german).json()["id"].to_string();
        caller.calls(&format!("invoices/{german}/vat-number"), &json!({"vatNumber": "DE123456789"}));
        caller.calls(&format!("invoices/{german}/vat-number/undo"), &nothing);
        caller.calls("icp-declarations/2026-Q1/file", &nothing);
        caller.calls("icp-declarations/2026-Q1/reopen", &nothing);
        let lines = json!({"bankAccountId": 1, "from": "2026-04-10", "to": "2026-04-10",
            "lines": [{"date": "2026-04-10", "amount": -4.5, "text": "Costs"}]});
        caller.calls("bank-statements", &lines);
        caller.calls("bank-lines/1/distinct", &nothing);
        let rule = json!({"name": "Costs", "when": {"textContains": "costs"}, "then": {"kind": "bankCosts"}});
        caller.calls("bank-rules", &rule);
        let line = server.get(&caller.key, "/api/v1/bank-lines/1").json();
        caller.calls("bank-lines/1/refuse", &json!({"suggestion": line["suggestions"][0]["id"]}));
        caller.calls("bank-lines/1/book", &json!({"allocations": [{"kind": "bankCosts"}]}));
        caller.calls("bank-lines/1/undo", &nothing);
        caller.calls("bank-lines/1/ignore", &json!({"reason": "other"}));
        caller.calls("bank-statements/1/undo", &nothing);
        let account = json!({"name": "Paying", "kind": "checking", "iban": "NL02ABNA0123456789"});
        let account = server.post(&caller.key, "/api/v1/bank-accounts", &account);
        assert_eq!(account.status, 201, "{}", account.text);
        let bill = json!({"date": "2026-04-01", "supplier": "Papierhal", "paidFrom": "unpaid", "payTo": {"iban": "BE68539007547034"},
            "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        let bill = server.post(&caller.key, "/api/v1/expenses", &bill).json()["id"].clone();
        let batch = json!({"bankAccountId": account.json()["id"], "items": [{"expenseId": bill}]});
        caller.calls("payment-batches", &batch);
        caller.calls("payment-batches/1/cancel", &nothing);
        caller.calls("oss", &json!({"from": "2026-01-01", "ground": "choice"}));
        caller.calls("oss-returns/2026-Q1/file", &nothing);
        caller.calls("oss-returns/2026-Q1/reopen", &nothing);
        caller.calls("vat-filings/2026/1/file", &nothing);
        caller.calls("vat-filings/2026/1/reopen", &nothing);
        caller.calls("vat-returns/2026-Q1/file", &nothing);
        caller.calls("vat-returns/2026-Q1/reopen", &nothing);
        caller.calls("years/2025/close", &nothing);
        caller.calls("years/2025/reopen", &nothing);
        caller.calls("assets/depreciate", &json!({"until": "2026-06-30"}));
        caller.calls("years/2026/closing-steps/depreciation", &nothing);
        caller.calls("years/2026/closing-steps/depreciation/undo", &nothing);
        server.clock.set("2027-06-15T11:00:00Z");
        caller.calls("expenses/2/vat-repayment", &nothing);
        // Other operations are called with the example in their description.
        let description = server.get(&caller.key, "/api/openapi.json").json();
        let paths = description["paths"].as_object().unwrap();
        let posts: BTreeSet<String> =
            paths.keys().filter(|path| paths[*path].get("post").is_some()).cloned().collect();
        let mut called: BTreeSet<String> =
            caller.called.iter().map(|call| described(paths, call)).collect();
        // These operations have their own tests below.
        called.extend(
            ["/api/v1/receipts", "/api/v1/opening-balance/{id}/undo", "/api/v1/test/reset"]
                .map(str::to_owned),
        );
        // Operations of a test account come last.
        let (tests, others): (Vec<_>, Vec<_>) =
            posts.difference(&called).partition(|path| path.starts_with("/api/v1/test/"));
        let test_key = server.test_key(EMAIL);
        for (key, group) in [(caller.key.clone(), others), (test_key, tests)] {
            caller.key = key;
            for path in group {
                let mut body = example(&paths[path]["post"]);
                // An external id would take precedence over the key.
                body.as_object_mut().unwrap().remove("externalId");
                caller.calls(&filled(&server, &caller.key, path), &body);
            }
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        for path in posts {
            let named = paths[&path]["post"]["parameters"].to_string();
            assert!(named.contains("#/components/parameters/IdempotencyKey"), "{path}");
        }
    }

    fn a_test_account_is_emptied_once_under_a_key(engine) {
        let server = Server::start(engine);
        let _ = server.account(EMAIL);
        let key = server.test_key(EMAIL);
        let reset = |name: &str, body: &Value| post(&server, &key, name, "test/reset", body);
        let first = reset("reset", &json!({}));
        assert_eq!((first.status, first.header("idempotent-replay")), (200, None));
        assert_eq!(server.post(&key, "/api/v1/contacts", &json!({"name": "Anew"})).status, 201);
        let again = reset("reset", &json!({}));
        assert_eq!(
            (again.status, again.header("idempotent-replay"), &again.text),
            (200, Some("true"), &first.text)
        );
        assert_eq!(server.get(&key, "/api/v1/contacts/1").status, 200);
        assert_eq!(
            (
                reset("other", &json!({"all": true})).status,
                server.get(&key, "/api/v1/contacts/1").status
            ),
            (422, 200)
        );
        assert_eq!(
            (reset("other", &json!({})).status, server.get(&key, "/api/v1/contacts/1").status),
            (200, 404)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_file_and_an_opening_balance_have_keys_too(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let hand_in = |bytes: &[u8]| {
            let headers = [
                ("x-api-key", key.as_str()),
                ("content-type", "application/pdf"),
                ("idempotency-key", "r-1"),
            ];
            server.send("POST", "/api/v1/receipts?name=a.pdf", &headers, Some(bytes))
        };
        let first = hand_in(b"%PDF-1.7 one");
        assert_eq!(
            (first.status, hand_in(b"%PDF-1.7 one").status, hand_in(b"%PDF-1.7 two").code()),
            (201, 200, "idempotency_key_reused".into())
        );
        let opening =
            json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 100}]});
        let path = |reply: &Reply| format!("opening-balance/{}/undo", reply.json()["id"]);
        let reply = post(&server, &key, "o-1", "opening-balance", &opening);
        assert_eq!(post(&server, &key, "u-1", &path(&reply), &json!({})).status, 200);
        // The effect of the request has been undone, but its first response is still replayed.
        let again = post(&server, &key, "o-1", "opening-balance", &opening);
        assert_eq!((again.status, &again.text), (200, &reply.text));
        assert_eq!(
            post(&server, &key, "u-1", &path(&reply), &json!({})).header("idempotent-replay"),
            Some("true")
        );
    }

    fn one_of_many_concurrent_requests_on_two_nodes_creates_and_the_rest_replay(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        // Only one server can use an SQLite file.
        let second = (engine == Engine::Postgres).then(|| server.beside());
        let invoice = simple_invoice();
        let replies: Vec<Reply> = std::thread::scope(|scope| {
            let node =
                |number: usize| second.as_ref().filter(|_| number % 2 == 1).unwrap_or(&server);
            let workers: Vec<_> = (0..64)
                .map(|number| {
                    let (node, key, invoice) = (node(number), &key, &invoice);
                    scope.spawn(move || post(node, key, "order-1", "invoices", invoice))
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let count = |status| replies.iter().filter(|reply| reply.status == status).count();
        assert_eq!((count(201), count(200)), (1, 63));
        let body = |reply: &Reply| reply.json();
        assert!(replies.iter().all(|reply| body(reply) == body(&replies[0])));
        assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["invoices"]["count"], 1);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn another_body_or_path_is_refused_and_another_account_has_keys_of_its_own(engine) {
        let server = Server::start(engine);
        let (key, other) = (server.account(EMAIL), server.account("bob@example.com"));
        let contact = json!({"name": "Korenaar"});
        assert_eq!(post(&server, &key, "k", "contacts", &contact).status, 201);
        for (path, body) in [
            ("contacts", json!({"name": "Pier"})),
            // The key is compared before the body is validated and the path resolved.
            ("contacts", json!({"name": 7})),
            ("hours-log", contact.clone()),
            ("invoices/99/payments", json!({"date": "2026-03-01"})),
        ] {
            let refused = post(&server, &key, "k", path, &body);
            assert_eq!(
                (refused.status, refused.code()),
                (422, "idempotency_key_reused".into()),
                "{path} {body}"
            );
        }
        assert_eq!(post(&server, &other, "k", "contacts", &json!({"name": "Pier"})).status, 201);
        // All API keys and tokens of an account share its idempotency keys. A replay needs the same
        // scope as the request.
        let second = server.key(EMAIL, false, true);
        assert_eq!(post(&server, &second, "k", "contacts", &contact).status, 200);
        assert_eq!(
            post(&server, &server.key(EMAIL, true, false), "k", "contacts", &contact).code(),
            "insufficient_scope"
        );
        // Idempotency keys are case-sensitive.
        assert_eq!(post(&server, &key, "K", "contacts", &contact).status, 201);
        assert_eq!(ids(&server.get(&key, "/api/v1/contacts").json()), [1, 2]);
        assert_eq!(ids(&server.get(&other, "/api/v1/contacts").json()), [1]);
    }

    fn a_refused_request_does_not_use_up_its_key(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let payment = json!({"date": "2026-03-10", "amount": 121});
        for _ in 0..2 {
            assert_eq!(
                post(&server, &key, "p", "invoices/1/payments", &payment).code(),
                "not_found"
            );
        }
        assert_eq!(
            post(&server, &key, "p", "invoices/1/payments", &json!({"date": "soon"})).code(),
            "not_found"
        );
        assert_eq!(post(&server, &key, "p", "contacts", &json!({})).code(), "validation_failed");
        assert_eq!(server.post(&key, "/api/v1/invoices", &simple_invoice()).status, 201);
        let paid = post(&server, &key, "p", "invoices/1/payments", &payment);
        assert_eq!(paid.status, 201);
        // The payment would now exceed the amount due, but the request does not run again.
        let again = post(&server, &key, "p", "invoices/1/payments", &payment);
        assert_eq!((again.status, again.text), (200, paid.text));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_external_id_wins(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let named = |id: &str| json!({"externalId": id, "name": "Korenaar"});
        assert_eq!(post(&server, &key, "k", "contacts", &named("a")).status, 201);
        let reply =
            post(&server, &key, "k", "contacts", &json!({"externalId": "a", "name": "Pier"}));
        assert_eq!((reply.status, reply.json()["name"].as_str()), (200, Some("Korenaar")));
        // A request with a new external id creates a contact and leaves the idempotency key unused.
        assert_eq!(post(&server, &key, "k", "contacts", &named("b")).status, 201);
        assert_eq!(
            post(&server, &key, "k", "contacts", &json!({"externalId": null, "name": "Pier"}))
                .status,
            201
        );
        assert_eq!(
            post(&server, &key, "k", "contacts", &json!({"name": "Pier"})).code(),
            "idempotency_key_reused"
        );
    }

    fn a_key_is_known_for_24_hours_and_then_forgotten(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let contact = json!({"name": "Korenaar"});
        let key_count = || {
            Raw::open(&server.database)
                .rows("/* of a test */ SELECT id FROM idempotency_keys")
                .len()
        };
        let sweep = || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(server.app.sweep()).unwrap();
        };
        assert_eq!(post(&server, &key, "k", "contacts", &contact).status, 201);
        assert_eq!(post(&server, &key, "old", "contacts", &contact).status, 201);
        server.clock.set("2026-03-16T10:59:59Z");
        sweep();
        assert_eq!((post(&server, &key, "k", "contacts", &contact).status, key_count()), (200, 2));
        server.clock.set("2026-03-16T11:00:00Z");
        // The key has expired even before the cleanup.
        let other = json!({"name": "Pier"});
        let reused = post(&server, &key, "k", "contacts", &other);
        assert_eq!((reused.status, reused.json()["id"].as_i64()), (201, Some(3)));
        sweep();
        assert_eq!((post(&server, &key, "k", "contacts", &other).status, key_count()), (200, 1));
    }

    fn a_key_is_1_to_255_visible_characters_given_once(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let contact = json!({"name": "Korenaar"});
        let refused = |name: &str| post(&server, &key, name, "contacts", &contact).faults();
        let fault = |code: &str| vec![("Idempotency-Key".to_owned(), code.to_owned())];
        for name in ["", "a b", "a\tb", "é"] {
            assert_eq!(refused(name), fault("invalid_format"), "{name:?}");
        }
        assert_eq!(refused(&"k".repeat(256)), fault("too_long"));
        let headers = [
            ("x-api-key", key.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", "a"),
            ("idempotency-key", "b"),
        ];
        let twice =
            server.send("POST", "/api/v1/contacts", &headers, Some(contact.to_string().as_bytes()));
        assert_eq!(twice.faults(), fault("too_many"));
        assert_eq!(post(&server, &key, &"k".repeat(255), "contacts", &contact).status, 201);
        assert_eq!(post(&server, &key, "\"5b2f3c1e\"", "contacts", &contact).status, 201);
        // Only POST uses the header.
        let edit = |name: &str| {
            let headers = [
                ("x-api-key", key.as_str()),
                ("content-type", "application/json"),
                ("idempotency-key", "e"),
            ];
            server.send(
                "PATCH",
                "/api/v1/contacts/1",
                &headers,
                Some(json!({"name": name}).to_string().as_bytes()),
            )
        };
        assert_eq!((edit("A").status, edit("B").json()["name"].as_str()), (200, Some("B")));
    }
}
