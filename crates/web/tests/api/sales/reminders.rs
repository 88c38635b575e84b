//! Reminders: what is due, what stops them, the letter to a consumer, and sending them automatically.

use crate::help::patch;
use ledger::reminder::{ReminderMode, ReminderPlan};
use serde_json::{Value, json};
use service::reminders;
use store::due_work::{self, DueKind};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const LIST: &str = "/api/v1/reminders";

fn business() -> Value {
    json!({"externalId": "pier", "name": "Museum De Pier", "email": "klant@example.com", "kvkNumber": "12345678"})
}

fn consumer() -> Value {
    json!({"externalId": "bram", "name": "Bram de Vries", "email": "bram@example.com"})
}

/// Sends an invoice of 605.00 that is due on a day, and returns its id.
fn invoice(server: &Server, key: &str, customer: &Value, due: &str) -> i64 {
    let body = json!({"status": "sent", "customer": customer, "invoiceDate": "2026-01-05", "dueDate": due,
        "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]});
    let reply = server.post(key, "/api/v1/invoices", &body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["id"].as_i64().unwrap()
}

fn remind(server: &Server, key: &str, id: i64, body: &Value) -> Reply {
    server.post(key, &format!("/api/v1/invoices/{id}/remind"), body)
}

fn rows(server: &Server, key: &str, query: &str) -> Vec<Value> {
    let reply = server.get(key, &format!("{LIST}{query}"));
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["data"].as_array().unwrap().clone()
}

/// Invoice, step and kind of the due reminders.
fn due(server: &Server, key: &str) -> Vec<(i64, i64, String)> {
    let row = |row: &Value| {
        let kind = row["kind"].as_str().unwrap().to_owned();
        (row["invoiceId"].as_i64().unwrap(), row["step"].as_i64().unwrap(), kind)
    };
    rows(server, key, "").iter().map(row).collect()
}

fn step(id: i64, step: i64, kind: &str) -> (i64, i64, String) {
    (id, step, kind.to_owned())
}

/// Subjects of the mails to an address, oldest first.
fn subjects(server: &Server, to: &str) -> Vec<String> {
    server.mails(to).into_iter().map(|mail| mail.subject).collect()
}

fn set_plan(server: &Server, plan: ReminderPlan) {
    let cx = server.owner(EMAIL);
    server.write(move |tx| reminders::update_settings(tx, &cx, &plan));
}

fn automatic() -> ReminderPlan {
    ReminderPlan { mode: ReminderMode::Automatic, ..ReminderPlan::default() }
}

/// Sets the clock and does what is due.
fn at(server: &Server, moment: &str) {
    server.clock.set(moment);
    server.do_due_work();
}

on_both_engines! {
    fn a_reminder_is_due_after_the_days_of_its_step(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let id = invoice(&server, &key, &business(), "2026-03-10");
        for (moment, expected) in [
            ("2026-03-16T22:30:00Z", vec![]),
            ("2026-03-16T23:00:00Z", vec![step(id, 1, "friendly")]),
        ] {
            server.clock.set(moment);
            assert_eq!(due(&server, &key), expected, "{moment}");
        }
        let row = rows(&server, &key, "?state=due").remove(0);
        let expected = json!({"invoiceId": id, "contactId": 1, "step": 1, "kind": "friendly", "dueSince": "2026-03-17",
            "amountDue": 605.0, "nextOn": null, "stoppedBecause": null, "reason": null, "until": null});
        assert_eq!(row, expected);
        assert_eq!(remind(&server, &key, id, &json!({})).status, 202);
        assert_eq!(due(&server, &key), []);
        for (day, kind, number) in [("2026-03-31", "interest", 2), ("2026-04-14", "costs", 3)] {
            server.clock.set(&format!("{day}T10:00:00Z"));
            assert_eq!(due(&server, &key), [step(id, number, kind)], "{day}");
            assert_eq!(remind(&server, &key, id, &json!({})).status, 202);
        }
        server.clock.set("2026-09-01T10:00:00Z");
        assert_eq!(due(&server, &key), [], "every step was sent");
        set_plan(&server, ReminderPlan { mode: ReminderMode::Off, ..ReminderPlan::default() });
        let other = invoice(&server, &key, &business(), "2026-03-10");
        assert_eq!(due(&server, &key), [], "they are off");
        set_plan(&server, ReminderPlan::default());
        assert_eq!(due(&server, &key), [step(other, 1, "friendly")]);
        let paid = server.post(&key, &format!("/api/v1/invoices/{other}/payments"), &json!({"date": "2026-03-15"}));
        assert_eq!(paid.status, 201, "{}", paid.text);
        assert_eq!(due(&server, &key), [], "a paid invoice gets none");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_list_has_pages(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let ids: Vec<i64> =
            (0..3).map(|_| invoice(&server, &key, &business(), "2026-01-10")).collect();
        let first = server.get(&key, &format!("{LIST}?limit=2"));
        let body = first.json();
        assert_eq!(body["data"].as_array().unwrap().len(), 2, "{body}");
        let cursor = body["nextCursor"].as_str().unwrap();
        let rest = rows(&server, &key, &format!("?limit=2&cursor={cursor}"));
        assert_eq!(rest[0]["invoiceId"], ids[2], "{rest:?}");
        assert_eq!(server.get(&key, &format!("{LIST}?state=sent")).status, 422);
        let other = server.account("dora@example.com");
        assert_eq!(rows(&server, &other, ""), Vec::<Value>::new());
    }

    fn a_recent_reminder_is_only_followed_by_force(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let id = invoice(&server, &key, &business(), "2026-01-19");
        assert_eq!(remind(&server, &key, id, &json!({})).status, 202);
        server.clock.set("2026-03-21T12:00:00Z");
        let refused = remind(&server, &key, id, &json!({}));
        assert_eq!((refused.status, refused.code()), (409, "reminded_recently".into()), "{}", refused.text);
        assert_eq!(refused.json()["nextPossibleOn"], "2026-03-22");
        let forced = json!({"force": true, "subject": "Graag betalen", "message": "Beste klant", "cc": ["baas@example.com"],
            "to": "klant@example.com"});
        let dry = server.post(&key, &format!("/api/v1/invoices/{id}/remind?dryRun=true"), &forced);
        assert_eq!(dry.status, 200, "{}", dry.text);
        let dry = dry.json();
        assert_eq!((&dry["subject"], &dry["message"]), (&json!("Graag betalen"), &json!("Beste klant")));
        assert_eq!(dry["cc"], json!(["baas@example.com"]));
        let sent = remind(&server, &key, id, &forced);
        assert_eq!(sent.status, 202, "{}", sent.text);
        assert_eq!(sent.json()["subject"], "Graag betalen");
        assert_eq!(remind(&server, &key, id, &json!({})).status, 409);
        server.clock.set("2026-03-28T12:00:00Z");
        assert_eq!(remind(&server, &key, id, &json!({})).status, 202);
    }

    fn a_consumer_gets_one_letter_about_all_due_invoices(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let first = invoice(&server, &key, &consumer(), "2026-02-01");
        let second = invoice(&server, &key, &consumer(), "2026-02-10");
        let not_due = invoice(&server, &key, &consumer(), "2026-05-01");
        let of_other = invoice(&server, &key, &json!({"name": "Eva", "email": "eva@example.com"}), "2026-02-01");
        assert_eq!(remind(&server, &key, first, &json!({})).status, 202);
        server.clock.set("2026-03-20T12:00:00Z");
        for body in [json!({}), json!({"force": true})] {
            let early = remind(&server, &key, first, &body);
            assert_eq!((early.status, early.code()), (409, "reminded_recently".into()), "{}", early.text);
        }
        server.clock.set("2026-03-22T12:00:00Z");
        let fixed = remind(&server, &key, first, &json!({"subject": "x", "message": "y"}));
        let expected = ["/subject", "/message"].map(|path| (path.to_owned(), "fixed_text".to_owned()));
        assert_eq!((fixed.status, fixed.faults()), (422, expected.to_vec()), "{}", fixed.text);
        let letter = remind(&server, &key, first, &json!({"externalId": "letter"}));
        assert_eq!(letter.status, 202, "{}", letter.text);
        // 15 % of both amounts together: 181.50 of 1210.00.
        let mail = server.mails("bram@example.com").pop().unwrap();
        let text = mail.text.replace("=\n", "");
        for part in ["2026-0001", "2026-0002", "181,50 incassokosten", "1.210,00"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("2026-0003") && !text.contains("2026-0004"), "{text}");
        // It is recorded at both, and neither gets another one.
        let messages = server.get(&key, &format!("/api/v1/invoices/{second}/messages")).json();
        assert_eq!(messages["data"][0]["id"], letter.json()["id"], "{messages}");
        assert_eq!(due(&server, &key), [step(of_other, 1, "friendly")]);
        for id in [first, second] {
            for body in [json!({}), json!({"force": true})] {
                let again = remind(&server, &key, id, &body);
                assert_eq!((again.status, again.code()), (409, "reminded_recently".into()), "{}", again.text);
                assert_eq!(again.json()["nextPossibleOn"], "2026-04-10");
            }
        }
        // From day 19 on the costs are claimed once, over both.
        server.clock.set("2026-04-09T21:00:00Z");
        assert_eq!(remind(&server, &key, second, &json!({})).status, 409);
        server.clock.set("2026-04-10T10:00:00Z");
        let kinds = due(&server, &key);
        assert!(kinds.contains(&step(first, 3, "costs")) && kinds.contains(&step(second, 2, "costs")), "{kinds:?}");
        let claim = remind(&server, &key, second, &json!({}));
        assert_eq!(claim.status, 202, "{}", claim.text);
        let text = server.mails("bram@example.com").pop().unwrap().text.replace("=\n", "");
        assert!(text.contains("181,50 incassokosten") && text.contains("1.210,00"), "{text}");
        assert_eq!(due(&server, &key), [step(of_other, 1, "friendly")]);
        assert_eq!(remind(&server, &key, not_due, &json!({})).status, 422);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_letter_that_bounced_is_sent_again(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let id = invoice(&server, &key, &consumer(), "2026-02-01");
        assert_eq!(remind(&server, &key, id, &json!({})).status, 202);
        server.clock.set("2026-03-22T12:00:00Z");
        assert_eq!(remind(&server, &key, id, &json!({"externalId": "letter"})).status, 202);
        server.write(|tx| {
            let sql = "UPDATE mails SET status = 'failed' WHERE account_id = ?1 AND external_id = 'letter'";
            Ok(tx.execute(sql, &[1_i64.into()])?)
        });
        let stopped = rows(&server, &key, "?state=stopped");
        assert_eq!((&stopped[0]["invoiceId"], &stopped[0]["stoppedBecause"]), (&json!(id), &json!("bounced")));
        assert_eq!(due(&server, &key), []);
        server.clock.set("2026-03-22T12:05:00Z");
        let again = remind(&server, &key, id, &json!({"to": "bram@home.example"}));
        assert_eq!(again.status, 202, "{}", again.text);
        assert!(again.json()["subject"].as_str().unwrap().contains("binnen 14 dagen"), "{}", again.text);
        assert_eq!(rows(&server, &key, "?state=stopped"), Vec::<Value>::new());
        assert_eq!(remind(&server, &key, id, &json!({})).status, 409);
    }

    fn reminders_are_stopped_and_resumed(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let id = invoice(&server, &key, &business(), "2026-01-19");
        let path = format!("/api/v1/invoices/{id}/reminders");
        let past = server.post(&key, &format!("{path}/stop"), &json!({"until": "2026-03-14"}));
        assert_eq!((past.status, past.faults()), (422, vec![("/until".into(), "out_of_range".into())]));
        let stopped = server.post(&key, &format!("{path}/stop"), &json!({"reason": "regeling", "until": "2026-03-20"}));
        assert_eq!(stopped.status, 200, "{}", stopped.text);
        let body = stopped.json();
        assert_eq!((&body["stoppedBecause"], &body["reason"]), (&json!("owner"), &json!("regeling")));
        assert_eq!((&body["until"], &body["nextOn"]), (&json!("2026-03-20"), &json!("2026-03-21")));
        assert_eq!(rows(&server, &key, "?state=stopped"), [body]);
        assert_eq!(due(&server, &key), []);
        for body in [json!({}), json!({"force": true})] {
            let refused = remind(&server, &key, id, &body);
            assert_eq!((refused.status, refused.code()), (409, "reminders_stopped".into()), "{}", refused.text);
        }
        // The last day is included.
        server.clock.set("2026-03-20T22:00:00Z");
        assert_eq!(due(&server, &key), []);
        server.clock.set("2026-03-20T23:00:00Z");
        assert_eq!(due(&server, &key), [step(id, 1, "friendly")]);
        assert_eq!(server.post(&key, &format!("{path}/stop"), &json!({})).status, 200);
        assert_eq!(due(&server, &key), []);
        for _ in 0..2 {
            let resumed = server.post(&key, &format!("{path}/resume"), &json!({}));
            assert_eq!((resumed.status, &resumed.json()["stoppedBecause"]), (200, &Value::Null), "{}", resumed.text);
        }
        assert_eq!(due(&server, &key), [step(id, 1, "friendly")]);
        // A customer without reminders.
        for (stopped, number) in [(json!(true), 0), (json!(false), 1)] {
            let edited = patch(&server, &key, "/api/v1/contacts/1", &[], &json!({"remindersStopped": stopped}));
            assert_eq!((edited.status, &edited.json()["remindersStopped"]), (200, &stopped), "{}", edited.text);
            assert_eq!(due(&server, &key).len(), number);
            assert_eq!(rows(&server, &key, "?state=stopped").len(), 1 - number);
        }
        let draft = server.post(&key, "/api/v1/invoices", &json!({"customer": business(),
            "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]})).json();
        let refused = server.post(&key, &format!("/api/v1/invoices/{}/reminders/stop", draft["id"]), &json!({}));
        assert_eq!((refused.status, refused.code()), (409, "is_a_draft".into()));
        assert_eq!(server.post(&key, "/api/v1/invoices/9/reminders/stop", &json!({})).status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn reminders_leave_at_nine_on_working_days(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        // Sunday 15 March 2026, noon.
        let id = invoice(&server, &key, &business(), "2026-01-19");
        let to_consumer = invoice(&server, &key, &consumer(), "2026-03-06");
        set_plan(&server, automatic());
        let row = rows(&server, &key, "").remove(0);
        assert_eq!((&row["invoiceId"], &row["nextOn"]), (&json!(id), &json!("2026-03-16")));
        at(&server, "2026-03-16T07:59:00Z");
        assert_eq!(subjects(&server, "klant@example.com"), Vec::<String>::new());
        at(&server, "2026-03-16T08:00:00Z");
        assert_eq!(subjects(&server, "klant@example.com"), ["Factuur 2026-0001 staat nog open"]);
        assert_eq!(subjects(&server, "bram@example.com").len(), 1);
        // The next one seven days later; nothing in the weekend, and nothing once it is paid.
        at(&server, "2026-03-22T12:00:00Z");
        assert_eq!(subjects(&server, "klant@example.com").len(), 1);
        at(&server, "2026-03-23T08:00:00Z");
        assert_eq!(subjects(&server, "klant@example.com").len(), 2);
        server.clock.set("2026-03-25T12:00:00Z");
        let paid = server.post(&key, &format!("/api/v1/invoices/{id}/payments"), &json!({"date": "2026-03-24"}));
        assert_eq!(paid.status, 201, "{}", paid.text);
        // The letter to the consumer leaves too, the claim of costs does not.
        for day in ["2026-03-27", "2026-03-30", "2026-04-20", "2026-05-20"] {
            at(&server, &format!("{day}T09:00:00Z"));
        }
        assert_eq!(subjects(&server, "klant@example.com").len(), 2);
        let to_bram = subjects(&server, "bram@example.com");
        assert!(to_bram.len() == 2 && to_bram[1].contains("binnen 14 dagen"), "{to_bram:?}");
        assert_eq!(due(&server, &key), [step(to_consumer, 3, "costs")]);
        assert_eq!(rows(&server, &key, "")[0]["nextOn"], Value::Null);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn nodes_that_look_at_once_send_each_once(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for _ in 0..5 {
            invoice(&server, &key, &business(), "2026-01-19");
        }
        set_plan(&server, automatic());
        let others: Vec<Server> =
            (0..2).filter(|_| engine != Engine::Sqlite).map(|_| server.beside()).collect();
        let nodes: Vec<&Server> = [&server].into_iter().chain(&others).collect();
        for node in &nodes {
            node.clock.set("2026-03-16T08:00:00Z");
        }
        std::thread::scope(|scope| {
            for node in nodes {
                scope.spawn(move || node.do_due_work());
                // Work without a lease, as after a lease that ended too early.
                let cx = server.owner(EMAIL);
                scope.spawn(move || {
                    let runtime =
                        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(web::due_work::do_work(node.app.store(), &cx, "other")).unwrap();
                });
            }
        });
        assert_eq!(subjects(&server, "klant@example.com").len(), 5);
        server.do_due_work();
        assert_eq!(subjects(&server, "klant@example.com").len(), 5);
        // A killed node leased the next run and did none of it.
        let cx = server.owner(EMAIL);
        for node in [&server].into_iter().chain(&others) {
            node.clock.set("2026-03-23T08:00:00Z");
        }
        let (account, now) = (cx.actor.account, "2026-03-23T08:00:00Z".parse().unwrap());
        let claimed = server.write(move |tx| {
            let until = now + jiff::SignedDuration::from_mins(2);
            Ok(due_work::claim(tx, (account, DueKind::Reminder), "dead", now, until)?)
        });
        assert!(claimed);
        server.do_due_work();
        assert_eq!(subjects(&server, "klant@example.com").len(), 5, "the lease is respected");
        at(&server, "2026-03-23T08:02:00Z");
        assert_eq!(subjects(&server, "klant@example.com").len(), 10);
    }

    fn automatic_reminders_wait_for_the_limit_of_mails(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for _ in 0..52 {
            invoice(&server, &key, &business(), "2026-01-19");
        }
        set_plan(&server, automatic());
        let without_address = invoice(&server, &key, &json!({"name": "Zonder Adres"}), "2026-01-19");
        let change_plan = |name: &'static str| {
            server.write(move |tx| {
                let sql = "UPDATE accounts SET plan = ?2 WHERE id = ?1";
                Ok(tx.execute(sql, &[1_i64.into(), name.into()])?)
            });
        };
        change_plan("free");
        at(&server, "2026-03-16T08:00:00Z");
        assert_eq!(subjects(&server, "klant@example.com").len(), 50);
        let notices = |server: &Server| {
            subjects(server, EMAIL).iter().filter(|subject| subject.contains("herinneringen wachten") || subject.contains("reminders wait")).count()
        };
        assert_eq!(notices(&server), 1);
        let cx = server.owner(EMAIL);
        assert!(server.write(move |tx| reminders::are_postponed(tx, &cx)));
        at(&server, "2026-03-16T09:00:00Z");
        assert_eq!((subjects(&server, "klant@example.com").len(), notices(&server)), (50, 1));
        at(&server, "2026-03-17T08:01:00Z");
        assert_eq!(subjects(&server, "klant@example.com").len(), 52);
        // One without an address is refused alone, and stays due.
        change_plan("pro");
        assert_eq!(due(&server, &key), [step(without_address, 1, "friendly")]);
    }

    fn the_clock_of_a_test_account_drives_them(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        set_plan(&server, automatic());
        let test = server.test_key(EMAIL);
        let id = invoice(&server, &test, &business(), "2026-01-19");
        let clock = |now: &str| {
            let reply = server.post(&test, "/api/v1/test/clock", &json!({ "now": now }));
            assert_eq!((reply.status, &reply.json()["pending"]), (200, &json!(false)), "{}", reply.text);
        };
        assert_eq!(due(&server, &test), [step(id, 1, "friendly")]);
        clock("2026-03-16T08:00:00Z");
        assert_eq!(due(&server, &test), []);
        let reminded = |server: &Server| {
            let subjects = subjects(server, EMAIL);
            subjects.iter().filter(|subject| subject.contains("[TEST]")).count()
        };
        assert_eq!(reminded(&server), 1);
        // A long way: one step.
        clock("2026-06-16T10:00:00Z");
        assert_eq!(reminded(&server), 2);
        assert_eq!(rows(&server, &key, ""), Vec::<Value>::new());
    }
}
