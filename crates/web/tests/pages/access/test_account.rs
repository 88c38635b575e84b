//! Test account: separate books next to the real ones, with nothing shared between them.

use super::{connect_to, later, partner};
use serde_json::{Value, json};
use service::{Environment, environment::Clock};
use std::num::NonZeroU32;
use store::accounts::Plan;
use testing::{
    Behaviour, Receiver, Reply, Server, Visitor, on_both_engines,
    page::{forms_like, the_form, with_test_id},
};
use web::RateLimit;

const ANNA: &str = "anna@example.com";
const OPEN: &str = "/api-access/test-account";
const ALL: [(&str, &str); 4] =
    [("name", "webshop"), ("scope", "read"), ("scope", "write"), ("scope", "file")];

/// Opens an account with a test account; returns its browser, its key and its test key.
fn opened(server: &Server) -> (Visitor, String, String) {
    let live = server.account(ANNA);
    let person = server.signed_in(ANNA);
    let test = test_key(&person);
    (person, live, test)
}

fn test_key(person: &Visitor) -> String {
    let response = person.submit_form(&the_form(&person.get("/api-access"), OPEN), &ALL);
    assert_eq!(response.status, 200, "{}", response.text);
    with_test_id(&response, "new-key").unwrap()
}

fn invoice(name: &str) -> Value {
    json!({"status": "sent", "customer": {"name": name, "email": "customer@example.com"},
        "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]})
}

fn created(reply: Reply) -> Value {
    assert!([200, 201, 202].contains(&reply.status), "{}", reply.text);
    reply.json()
}

fn post_empty(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", path, &[("x-api-key", key)], None)
}

fn with_token(server: &Server, token: &str, path: &str) -> Reply {
    server.send("GET", path, &[("authorization", &format!("Bearer {token}"))], None)
}

on_both_engines! {
    fn it_is_opened_with_a_form_and_labelled_as_a_test(engine) {
        let server = Server::start(engine);
        let (person, live, test) = opened(&server);
        assert!(test.starts_with("gb_test_"), "{test}");
        for (key, is_test) in [(&live, false), (&test, true)] {
            let account = server.get(key, "/api/v1/account").json();
            assert_eq!((&account["testMode"], &account["name"]), (&json!(is_test), &json!("Test")));
        }
        // A second key opens the same books; a form submitted twice creates one key.
        let form = the_form(&person.get("/api-access"), OPEN);
        let second = person.submit_form(&form, &ALL);
        let second = with_test_id(&second, "new-key").unwrap();
        assert_eq!(person.submit_form(&form, &ALL).status, 409);
        assert_eq!(created(server.post(&test, "/api/v1/invoices", &invoice("A")))["id"], 1);
        assert_eq!(server.get(&second, "/api/v1/invoices/1").status, 200);
        // A key is revoked on the page.
        let page = person.get("/api-access");
        assert!(page.text.contains(&second[..12]) && !page.text.contains(&second), "{}", page.text);
        let revoke = forms_like(&page, "test-account/keys");
        let actions: Vec<&str> = revoke.iter().map(|form| form.action.as_str()).collect();
        assert_eq!(actions, [1, 2].map(|id| format!("/api-access/test-account/keys/{id}/revoke")));
        assert_eq!(person.submit_form(&revoke[1], &[]).status, 303);
        assert_eq!(
            (
                server.get(&second, "/api/v1/account").status,
                server.get(&test, "/api/v1/account").status
            ),
            (401, 200)
        );
        // A missing choice is reported as a fault on its field.
        let refused =
            person.submit_form(&the_form(&person.get("/api-access"), OPEN), &[("name", "x")]);
        assert!(
            refused.status == 422 && refused.text.contains("test-scope-fault"),
            "{}",
            refused.text
        );
        // Calls to both books are listed, each with a label.
        let page = person.get("/api-access").text;
        assert!(page.contains(">TEST</span>"), "{page}");
        // Another user can neither revoke a key of the test account nor get access to it.
        server.account_of("bram@example.com", "NL", Plan::Starter);
        let bram = server.signed_in("bram@example.com");
        assert_eq!(bram.submit_form(&revoke[0], &[]).status, 403);
        let csrf = the_form(&bram.get("/api-access"), OPEN).value("csrf").to_owned();
        assert_eq!(bram.post(&revoke[0].action, &[("csrf", &csrf)]).status, 404);
        assert_eq!(server.get(&test, "/api/v1/account").status, 200);
    }

    fn it_requires_a_plan_with_the_api(engine) {
        let server = Server::start(engine);
        server.account_of("free@example.com", "NL", Plan::Free);
        let person = server.signed_in("free@example.com");
        let page = person.get("/api-access");
        assert!(forms_like(&page, OPEN).is_empty());
        let csrf = forms_like(&page, "")[0].value("csrf").to_owned();
        assert_eq!(person.post(OPEN, &[&[("csrf", csrf.as_str())], &ALL[..]].concat()).status, 403);
        // A test account has the plan of its live account.
        let server = Server::start(engine);
        let (_, _, test) = opened(&server);
        server.write(|tx| service::accounts::set_plan(tx, ANNA, Plan::Free));
        assert_eq!(server.get(&test, "/api/v1/account").code(), "plan_required");
        server.write(|tx| service::accounts::set_plan(tx, ANNA, Plan::Pro));
        assert_eq!(server.get(&test, "/api/v1/account").json()["plan"], "pro");
    }

    fn its_books_and_the_real_ones_are_isolated(engine) {
        let server = Server::start(engine);
        let (person, live, test) = opened(&server);
        for name in ["Only a test", "Another test"] {
            created(server.post(&test, "/api/v1/invoices", &invoice(name)));
        }
        let project = created(server.post(
            &test,
            "/api/v1/projects",
            &json!({"externalId": "p", "name": "Test project"}),
        ));
        created(server.post(&test, "/api/v1/time-entries", &json!({"projectId": project["id"], "date": "2026-03-13", "hours": 3, "description": "x"})));
        created(server.post(
            &test,
            "/api/v1/invoices/1/payments",
            &json!({"externalId": "pay", "amount": 605, "date": "2026-03-15"}),
        ));
        let real = created(server.post(&live, "/api/v1/invoices", &invoice("A real customer")));
        // Numbers, ids and external ids are independent.
        assert_eq!((&real["number"], &real["id"]), (&json!("2026-0001"), &json!(1)));
        assert_eq!(server.get(&live, "/api/v1/invoices/2").status, 404);
        assert_eq!(server.get(&live, "/api/v1/invoices/1").json()["amountPaid"], json!(0.0));
        for path in ["projects", "time-entries", "payouts", "webhooks"] {
            assert_eq!(
                server.get(&live, &format!("/api/v1/{path}")).json()["data"]
                    .as_array()
                    .map(Vec::len),
                Some(0),
                "{path}"
            );
        }
        for path in ["/api/v1/summary/2026", "/api/v1/vat-filings/2026/1"] {
            let (of_live, of_test) = (server.get(&live, path), server.get(&test, path));
            assert_eq!((of_live.status, of_test.status), (200, 200), "{path}: {}", of_live.text);
            assert!(
                of_live.text.contains("500")
                    && of_test.text.contains("1000")
                    && !of_live.text.contains("1000"),
                "{}",
                of_live.text
            );
        }
        let changes = |key: &str| server.get(key, "/api/v1/changes").text;
        assert!(!changes(&live).contains("project") && changes(&test).contains("project"));
        // The same idempotency key can be used in both accounts.
        let keyed = |key: &str| {
            let headers = [
                ("x-api-key", key),
                ("content-type", "application/json"),
                ("idempotency-key", "once"),
            ];
            server.send("POST", "/api/v1/contacts", &headers, Some(br#"{"name": "Same"}"#))
        };
        assert_eq!((keyed(&live).status, keyed(&test).status), (201, 201));
        // Neither the pages nor the export of the account contain test data.
        for path in [
            "/",
            "/search?q=test",
            "/invoices",
            "/journal",
            "/contacts",
            "/projects",
            "/vat",
            "/year/2026",
        ] {
            let page = person.get(path);
            assert!(
                !page.text.contains("Only a test") && !page.text.contains("Test project"),
                "{path}: {}",
                page.text
            );
        }
        let data = server.export(server.owner(ANNA).actor.account).to_string();
        assert!(data.contains("A real customer") && !data.contains("Only a test"), "{data}");
        // The test books do not show data from the real books either.
        created(server.post(
            &live,
            "/api/v1/contacts",
            &json!({"externalId": "real", "name": "Real only"}),
        ));
        assert_eq!(server.get(&test, "/api/v1/contacts?externalId=real").json()["data"], json!([]));
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn its_documents_and_mails_say_test_and_reach_only_the_owner(engine) {
        let server = Server::start(engine);
        let live = server.account(ANNA);
        server.write(|tx| {
            let details = "UPDATE accounts SET street = 'Kade 1', postal_code = '1011 AB', city = 'Amsterdam', kvk_number = '68750110',
                vat_number = 'NL002455799B11', iban = 'NL91ABNA0417164300' /* of a test */";
            Ok(tx.execute(details, &[])?)
        });
        let test = test_key(&server.signed_in(ANNA));
        let seller = json!({"status": "sent", "customer": {"name": "Museum", "email": "customer@example.com"},
            "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]});
        for (key, says) in [(&live, false), (&test, true)] {
            created(server.post(key, "/api/v1/invoices", &seller));
            let ubl = server.get(key, "/api/v1/invoices/1/ubl");
            assert_eq!((ubl.status, ubl.text.contains("TEST")), (200, says), "{}", ubl.text);
            assert_eq!(server.get(key, "/api/v1/invoices/1/pdf").status, 200);
            for version in ["4.0", "3.2"] {
                let file = server.get(key, &format!("/api/v1/audit-files/2026?version={version}"));
                assert_eq!(
                    (file.status, file.text.contains("<companyName>TEST: ")),
                    (200, says),
                    "{}",
                    file.text
                );
            }
        }
        let sent = created(server.post(
            &test,
            "/api/v1/invoices/1/send",
            &json!({"externalId": "m", "copyToMe": true}),
        ));
        assert_eq!(sent["to"], json!(ANNA));
        let mails = server.mails(ANNA);
        assert!(
            mails.iter().all(|mail| mail.subject.starts_with("[TEST] Factuur 2026-0001"))
                && mails.len() == 2,
            "{mails:?}"
        );
        assert!(mails[0].text.contains("customer@example.com"), "{}", mails[0].text);
        assert!(server.mails("customer@example.com").is_empty());
        // An email from the real books reaches the customer.
        created(server.post(&live, "/api/v1/invoices/1/send", &json!({})));
        let mails = server.mails("customer@example.com");
        assert!(mails.len() == 1 && mails[0].subject == "Factuur 2026-0001 van Test", "{mails:?}");
    }

    fn its_webhooks_report_its_books_only_by_the_clock_of_the_server(engine) {
        let server = Server::start(engine);
        let (_, live, test) = opened(&server);
        let (real, trial) = (Receiver::start(), Receiver::start());
        for (key, receiver) in [(&live, &real), (&test, &trial)] {
            created(server.post(key, "/api/v1/webhooks", &json!({"url": receiver.url()})));
        }
        let types = |receiver: &Receiver| {
            server.deliver_webhooks();
            let sent: Vec<Value> = receiver
                .take()
                .iter()
                .map(|message| serde_json::from_str(&message.body).unwrap())
                .collect();
            sent.iter()
                .map(|body| {
                    format!(
                        "{} {}",
                        body["type"].as_str().unwrap(),
                        body["data"]["name"].as_str().unwrap_or("-")
                    )
                })
                .collect::<Vec<_>>()
        };
        created(server.post(&test, "/api/v1/test/clock", &json!({"now": "2030-01-01T10:00:00Z"})));
        created(server.post(&test, "/api/v1/contacts", &json!({"name": "Only a test"})));
        assert_eq!(
            (types(&real), types(&trial)),
            (vec![], vec!["contact.created Only a test".to_owned()])
        );
        created(server.post(&live, "/api/v1/contacts", &json!({"name": "Real"})));
        assert_eq!(
            (types(&real), types(&trial)),
            (vec!["contact.created Real".to_owned()], vec![])
        );
        // The creation time of a webhook, like that of a key, is real time. Its modification time
        // follows the test clock, because clients synchronize by that time.
        created(server.post(&test, "/api/v1/webhooks", &json!({"url": "https://shop.example/"})));
        let edited = server.send(
            "PATCH",
            "/api/v1/webhooks/2",
            &[("x-api-key", &test), ("content-type", "application/json")],
            Some(br#"{"description": "x"}"#),
        );
        for (field, moment) in [("createdAt", "2026-03-15T11:"), ("updatedAt", "2030-01-01T10:")] {
            assert!(edited.json()[field].as_str().unwrap().starts_with(moment), "{}", edited.text);
        }
        // The email about the disabled test webhook links to that webhook, not to the real one with
        // the same id.
        trial.behave(Behaviour::Answers(410, String::new()));
        created(post_empty(&server, &test, "/api/v1/webhooks/1/test"));
        server.deliver_webhooks();
        let mails = server.mails(ANNA);
        assert!(
            mails.len() == 1 && mails[0].text.contains("/api-access/test-account/webhooks/1\n"),
            "{mails:?}"
        );
        // A reset deletes the test webhooks; the real ones stay.
        created(post_empty(&server, &test, "/api/v1/test/reset"));
        assert_eq!(server.get(&test, "/api/v1/webhooks").json()["data"], json!([]));
        assert_eq!(server.get(&live, "/api/v1/webhooks/1").json()["enabled"], json!(true));
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn it_has_the_settings_of_its_account(engine) {
        let server = Server::start(engine);
        let live = server.account(ANNA);
        created(server.post(
            &live,
            "/api/v1/vat-scheme",
            &json!({"scheme": "kor", "from": "2026-01-01"}),
        ));
        let person = server.signed_in(ANNA);
        let form = the_form(&person.get("/settings/invoices"), "/settings/invoices");
        assert_eq!(
            person
                .submit_form(
                    &form,
                    &[
                        ("paymentTermDays", "30"),
                        ("numberPattern", "{year}-{number:4}"),
                        ("opening.nl", "Dag,"),
                        ("closing.nl", "Tot ziens")
                    ]
                )
                .status,
            303
        );
        let test = test_key(&person);
        let looks = || {
            let looks = "SELECT closing FROM invoice_settings WHERE closing IS NOT NULL";
            testing::Raw::open(&server.database).rows(looks)
        };
        for _ in 0..2 {
            let refused = server.post(&test, "/api/v1/invoices", &invoice("A"));
            assert_eq!(
                refused.faults(),
                [("/items/0/vatRate".to_owned(), "kor_applies".to_owned())],
                "{}",
                refused.text
            );
            assert_eq!(looks(), vec![vec![Some("Tot ziens".to_owned())]; 2]);
            created(post_empty(&server, &test, "/api/v1/test/reset"));
        }
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn its_clock_advances_in_its_books_only(engine) {
        let server = Server::start(engine);
        let (person, live, test) = opened(&server);
        let clock =
            |key: &str, now: &str| server.post(key, "/api/v1/test/clock", &json!({ "now": now }));
        created(server.post(&test, "/api/v1/invoices", &invoice("Late")));
        assert_eq!(
            post_empty(&server, &test, "/api/v1/vat-filings/2026/1/file").code(),
            "period_not_over"
        );
        assert_eq!(clock(&live, "2026-06-01T10:00:00Z").code(), "test_account_required");
        assert_eq!(
            created(clock(&test, "2026-06-01T10:00:00+02:00"))["now"],
            "2026-06-01T08:00:00.000000Z"
        );
        assert_eq!(server.get(&live, "/api/v1/test/clock").code(), "test_account_required");
        let read = server.get(&test, "/api/v1/test/clock");
        assert!(
            read.status == 200 && read.text.starts_with(r#"{"now":"2026-06-01T08:00:00"#),
            "{}",
            read.text
        );
        for (input, code) in [
            ("2026-05-31T10:00:00Z", "out_of_range"),
            ("2050-01-01T00:00:00Z", "out_of_range"),
            ("tomorrow", "invalid_date"),
        ] {
            let refused = clock(&test, input);
            assert_eq!(
                (refused.status, &refused.json()["errors"][0]["code"]),
                (422, &json!(code)),
                "{}",
                refused.text
            );
            assert_eq!(refused.json()["errors"][0]["pointer"], "/now");
        }
        // New test records have the test date; in the real books it is still March.
        let (then, today) = (
            created(server.post(&test, "/api/v1/invoices", &invoice("June"))),
            created(server.post(&live, "/api/v1/invoices", &invoice("March"))),
        );
        assert_eq!(
            (&then["invoiceDate"], &today["invoiceDate"]),
            (&json!("2026-06-01"), &json!("2026-03-15"))
        );
        assert!(then["updatedAt"].as_str().unwrap().starts_with("2026-06-01T08:00:"), "{then}");
        // By the test clock, the quarter has ended and can be filed, and the overdue invoice can
        // get a reminder.
        assert_eq!(post_empty(&server, &test, "/api/v1/vat-filings/2026/1/file").status, 200);
        let reminded = created(server.post(&test, "/api/v1/invoices/1/remind", &json!({})));
        assert!(reminded["createdAt"].as_str().unwrap().starts_with("2026-06-01"), "{reminded}");
        assert_eq!(server.mails(ANNA).len(), 1);
        // The test clock advances with real time; sessions, keys and limits use only real time.
        later(&server, 3_600);
        let later = created(server.post(&test, "/api/v1/contacts", &json!({"name": "Later"})));
        assert!(later["createdAt"].as_str().unwrap().starts_with("2026-06-01T09:00:"), "{later}");
        assert_eq!(
            (person.get("/api-access").status, server.get(&test, "/api/v1/account").status),
            (200, 200)
        );
        let page = person.get("/api-access").text;
        assert!(page.contains("In het testaccount is het 1 jun 2026 11:00"), "{page}");
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn a_token_refresh_during_a_reset_finds_its_connection(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let (person, _, test) = opened(&server);
        let (_, mut refresh) = connect_to(&server, &person, &client, "test");
        for turn in 0..12 {
            let refreshed = std::thread::scope(|scope| {
                let emptied =
                    scope.spawn(|| post_empty(&server, &test, "/api/v1/test/reset").status);
                std::thread::sleep(std::time::Duration::from_millis(turn * 2));
                let mut answer = super::exchange(
                    &server,
                    &client,
                    &[("grant_type", "refresh_token"), ("refresh_token", &refresh)],
                );
                assert_eq!(emptied.join().unwrap(), 200);
                if answer.status == 503 {
                    answer = super::exchange(
                        &server,
                        &client,
                        &[("grant_type", "refresh_token"), ("refresh_token", &refresh)],
                    );
                }
                answer
            });
            assert_eq!(refreshed.status, 200, "turn {turn}: {}", refreshed.text);
            refresh = refreshed.json()["refresh_token"].as_str().unwrap().to_owned();
        }
    }

    fn unknown_books_are_not_mistaken_for_the_real_ones(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let (person, _, _) = opened(&server);
        for (books, status) in [("TEST", 403), ("3", 403), ("live", 303), ("test", 303)] {
            let form =
                the_form(&person.get(&super::address(&super::right(&client))), "/oauth/authorize");
            let answer = person.submit_form(&form, &[("decision", "approve"), ("account", books)]);
            assert_eq!(answer.status, status, "{books}: {}", answer.text);
        }
    }

    fn a_reset_keeps_its_keys(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let (person, live, test) = opened(&server);
        let (access, refresh) = connect_to(&server, &person, &client, "test");
        assert_eq!(with_token(&server, &access, "/api/v1/account").json()["testMode"], json!(true));
        for name in ["One", "Two"] {
            created(server.post(&test, "/api/v1/invoices", &invoice(name)));
            created(server.post(&live, "/api/v1/invoices", &invoice(name)));
        }
        created(server.post(&test, "/api/v1/test/clock", &json!({"now": "2027-01-05T10:00:00Z"})));
        assert_eq!(
            post_empty(&server, &live, "/api/v1/test/reset").code(),
            "test_account_required"
        );
        for _ in 0..2 {
            assert_eq!(
                created(post_empty(&server, &test, "/api/v1/test/reset"))["now"],
                "2026-03-15T11:00:00.000000Z"
            );
        }
        assert_eq!(server.get(&test, "/api/v1/invoices").json()["data"], json!([]));
        assert_eq!(
            server.get(&live, "/api/v1/invoices").json()["data"].as_array().map(Vec::len),
            Some(2)
        );
        assert_eq!(with_token(&server, &access, "/api/v1/invoices").json()["data"], json!([]));
        let again = created(server.post(&test, "/api/v1/invoices", &invoice("Anew")));
        assert_eq!(
            (&again["id"], &again["number"], &again["invoiceDate"]),
            (&json!(1), &json!("2026-0001"), &json!("2026-03-15"))
        );
        // The connection and new keys keep working.
        let refreshed = super::exchange(
            &server,
            &client,
            &[("grant_type", "refresh_token"), ("refresh_token", &refresh)],
        );
        assert_eq!(refreshed.status, 200, "{}", refreshed.text);
        assert_eq!(server.get(&test_key(&person), "/api/v1/invoices/1").status, 200);
        assert_eq!(forms_like(&person.get("/api-access"), "test-account/keys").len(), 2);
        // The old records are erased at once.
        let rows = |table: &str| {
            testing::Raw::open(&server.database)
                .rows(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}"))
        };
        assert_eq!(
            [rows("accounts"), rows("books"), rows("memberships")].map(|rows| rows[0][0].clone()),
            ["2", "2", "2"].map(|count| Some(count.to_owned()))
        );
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn a_reset_does_not_raise_the_rate_limit(engine) {
        let limit = RateLimit {
            per_minute: NonZeroU32::new(1).unwrap(),
            burst: NonZeroU32::new(5).unwrap(),
        };
        let server = Server::start_with(engine, Some(limit));
        let (_, live, test) = opened(&server);
        let statuses: Vec<u16> =
            (0..8).map(|_| post_empty(&server, &test, "/api/v1/test/reset").status).collect();
        assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
        // The real books have a limit of their own.
        assert_eq!(server.get(&live, "/api/v1/account").status, 200);
    }

    fn concurrent_resets_and_writes_leave_consistent_books(engine) {
        let server = Server::start(engine);
        let (_, live, test) = opened(&server);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let reset = post_empty(&server, &test, "/api/v1/test/reset");
                        assert!([200, 503].contains(&reset.status), "{}", reset.text);
                    }
                });
                scope.spawn(|| {
                    for _ in 0..10 {
                        let response = server.post(&test, "/api/v1/invoices", &invoice("X"));
                        assert!([201, 503].contains(&response.status), "{}", response.text);
                        assert_eq!(
                            server.post(&live, "/api/v1/invoices", &invoice("Y")).status,
                            201
                        );
                    }
                });
            }
        });
        assert_eq!(
            server.get(&live, "/api/v1/invoices?limit=100").json()["data"].as_array().map(Vec::len),
            Some(30)
        );
        assert_eq!(post_empty(&server, &test, "/api/v1/test/reset").status, 200);
        assert_eq!(created(server.post(&test, "/api/v1/invoices", &invoice("Z")))["id"], 1);
        assert_eq!(server.discrepancies(ANNA), Vec::<String>::new());
    }

    fn an_application_gets_access_to_the_chosen_books_only(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        server.account_of(ANNA, "NL", Plan::Pro);
        let person = server.signed_in(ANNA);
        // The page asks for the books only if there is a choice.
        let offers_books = |person: &Visitor| {
            person.get(&super::address(&super::right(&client))).text.contains("name=\"account\"")
        };
        assert!(!offers_books(&person));
        let _ = test_key(&person);
        assert!(offers_books(&person));
        let (live, _) = connect_to(&server, &person, &client, "live");
        let (test, _) = connect_to(&server, &person, &client, "test");
        let mode =
            |token: &str| with_token(&server, token, "/api/v1/account").json()["testMode"].clone();
        assert_eq!((mode(&live), mode(&test)), (json!(false), json!(true)));
        // Each connection is disconnected separately.
        let disconnect = the_form(&person.get("/api-access"), "test-account/connections");
        let id = disconnect.action.split('/').nth(4).unwrap();
        assert_eq!(
            disconnect.action,
            format!("/api-access/test-account/connections/{id}/disconnect")
        );
        assert_eq!(person.submit_form(&disconnect, &[]).status, 303);
        assert_eq!(
            (
                with_token(&server, &live, "/api/v1/account").status,
                with_token(&server, &test, "/api/v1/account").status
            ),
            (200, 401)
        );
    }

    fn it_ends_with_the_account(engine) {
        let server = Server::start(engine);
        let (_, live, test) = opened(&server);
        let (anna, now) = (server.person(ANNA), server.clock.now());
        server.write(move |tx| service::people::data::close(tx, &Environment::at(now), anna));
        assert_eq!(
            (
                server.get(&live, "/api/v1/account").status,
                server.get(&test, "/api/v1/account").status
            ),
            (401, 401)
        );
    }
}
