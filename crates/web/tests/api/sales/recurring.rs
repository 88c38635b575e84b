//! Recurring invoices: their days, what is made of them once, what waits, and what stops them.

use crate::help::patch;
use ledger::schedule::{Deliver, Rhythm, RhythmUnit, SupplyPeriod};
use serde_json::{Value, json};
use service::{
    contacts::CustomerInput,
    recurring::{self, MOST_ACTIVE, NewRecurring},
};
use std::collections::BTreeSet;
use store::due_work::{self, DueKind};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";
const PATH: &str = "/api/v1/recurring-invoices";

/// A recurring invoice with changes to its fields.
fn subscription(changes: &Value) -> Value {
    let mut body = json!({"customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Hosting", "unitPrice": 100, "vatRate": 21}],
        "every": {"unit": "month"}, "firstDate": "2026-04-01"});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// Creates a recurring invoice and returns its path.
fn made(server: &Server, key: &str, changes: &Value) -> String {
    let reply = server.post(key, PATH, &subscription(changes));
    assert_eq!(reply.status, 201, "{}", reply.text);
    format!("{PATH}/{}", reply.json()["id"])
}

fn act(server: &Server, key: &str, path: &str, call: &str, body: &Value) -> Reply {
    server.post(key, &format!("{path}/{call}"), body)
}

fn read(server: &Server, key: &str, path: &str) -> Value {
    let reply = server.get(key, path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

fn rows(server: &Server, key: &str, path: &str) -> Vec<Value> {
    read(server, key, path)["data"].as_array().unwrap().clone()
}

/// Invoices of a recurring invoice, oldest first: status, date, and number and day of the occurrence.
fn invoices(server: &Server, key: &str, path: &str) -> Vec<(String, String, i64, String)> {
    let id = path.rsplit('/').next().unwrap();
    let found = rows(server, key, &format!("/api/v1/invoices?limit=500&recurringInvoiceId={id}"));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |invoice: &Value| {
        assert_eq!(invoice["recurringInvoiceId"].to_string(), id);
        let occurrence = &invoice["occurrence"];
        (
            text(&invoice["status"]),
            text(&invoice["invoiceDate"]),
            occurrence["n"].as_i64().unwrap(),
            text(&occurrence["date"]),
        )
    };
    found.iter().rev().map(row).collect()
}

fn invoice(status: &str, made: &str, n: i64, date: &str) -> (String, String, i64, String) {
    (status.into(), made.into(), n, date.into())
}

/// Occurrences of a recurring invoice: number and state.
fn occurrences(server: &Server, key: &str, path: &str) -> Vec<(i64, String)> {
    let found = rows(server, key, &format!("{path}/occurrences"));
    let row =
        |row: &Value| (row["n"].as_i64().unwrap(), row["status"].as_str().unwrap().to_owned());
    found.iter().map(row).collect()
}

fn states(of: &[(i64, &str)]) -> Vec<(i64, String)> {
    of.iter().map(|(n, state)| (*n, (*state).to_owned())).collect()
}

/// Sets the clock and does what is due.
fn at(server: &Server, moment: &str) {
    server.clock.set(moment);
    server.do_due_work();
}

on_both_engines! {
    fn invoices_are_made_on_their_days_and_tell_their_occurrence(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let body = subscription(&json!({"externalId": "r-1", "count": 3, "supplyPeriod": "previous"}));
        let reply = server.post(&key, PATH, &body);
        assert_eq!(reply.status, 201, "{}", reply.text);
        let created = reply.json();
        for (field, value) in [
            ("status", json!("active")),
            ("pausedBecause", Value::Null),
            ("cause", Value::Null),
            ("every", json!({"unit": "month", "count": 1})),
            ("firstDate", json!("2026-04-01")),
            ("lastDate", Value::Null),
            ("count", json!(3)),
            ("lastDayOfMonth", json!(false)),
            ("deliver", json!("draft")),
            ("supplyPeriod", json!("previous")),
            ("next", json!({"n": 1, "date": "2026-04-01"})),
            ("waitingCount", json!(0)),
            ("source", json!("api")),
        ] {
            assert_eq!(created[field], value, "{field}");
        }
        assert!(reply.text.contains("\"total\":121.00"), "{}", reply.text);
        let again = server.post(&key, PATH, &body);
        assert_eq!((again.status, &again.text), (200, &reply.text));
        let path = format!("{PATH}/1");
        assert_eq!(server.get(&key, &path).text, reply.text);
        assert_eq!(path, "/api/v1/recurring-invoices/1");
        let preview = read(&server, &key, "/api/v1/recurring-invoices/1/preview");
        assert_eq!(preview["nextCursor"], Value::Null);
        let days: Vec<&Value> =
            preview["data"].as_array().unwrap().iter().map(|row| &row["date"]).collect();
        assert_eq!(days, ["2026-04-01", "2026-05-01", "2026-06-01"]);
        assert_eq!(
            (&preview["data"][0]["status"], &preview["data"][0]["supplyDate"], &preview["data"][0]["supplyUntil"]),
            (&json!("planned"), &json!("2026-03-01"), &json!("2026-03-31"))
        );
        assert_eq!(rows(&server, &key, &format!("{path}/preview?count=2")).len(), 2);
        assert_eq!(server.get(&key, &format!("{path}/preview?count=61")).status, 422);
        // Nothing is made before the day begins in Amsterdam.
        at(&server, "2026-03-31T21:59:59Z");
        assert_eq!(invoices(&server, &key, &path), []);
        assert_eq!(read(&server, &key, "/api/v1/entries?year=2026")["data"], json!([]));
        at(&server, "2026-03-31T22:00:00Z");
        assert_eq!(invoices(&server, &key, &path), [invoice("draft", "2026-04-01", 1, "2026-04-01")]);
        let first = rows(&server, &key, "/api/v1/invoices?recurringInvoiceId=1").remove(0);
        assert_eq!(
            (&first["supplyDate"], &first["supplyUntil"], &first["entryIds"]),
            (&json!("2026-03-01"), &json!("2026-03-31"), &json!([1]))
        );
        assert_eq!(read(&server, &key, &path)["next"], json!({"n": 2, "date": "2026-05-01"}));
        // A clock that goes back, or stands still, makes none twice.
        at(&server, "2026-03-01T11:00:00Z");
        at(&server, "2026-04-01T11:00:00Z");
        assert_eq!(invoices(&server, &key, &path).len(), 1);
        at(&server, "2026-05-04T11:00:00Z");
        at(&server, "2026-06-01T00:10:00Z");
        at(&server, "2026-07-01T11:00:00Z");
        assert_eq!(
            invoices(&server, &key, &path),
            [
                invoice("draft", "2026-04-01", 1, "2026-04-01"),
                invoice("draft", "2026-05-04", 2, "2026-05-01"),
                invoice("draft", "2026-06-01", 3, "2026-06-01"),
            ]
        );
        assert_eq!(occurrences(&server, &key, &path), states(&[(1, "made"), (2, "made"), (3, "made")]));
        let ended = read(&server, &key, &path);
        assert_eq!((&ended["status"], &ended["next"]), (&json!("ended"), &Value::Null));
        assert_eq!(rows(&server, &key, &format!("{path}/preview")), Vec::<Value>::new());
        for (query, found) in [
            ("", 1),
            ("?status=ended", 1),
            ("?status=active", 0),
            ("?contactId=1", 1),
            ("?contactId=2", 0),
            ("?q=pier", 1),
            ("?q=nobody", 0),
            ("?externalId=r-1", 1),
        ] {
            assert_eq!(rows(&server, &key, &format!("{PATH}{query}")).len(), found, "{query}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_last_day_of_a_month_is_found_in_every_month(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let of = |changes: &Value, most: usize| -> Vec<String> {
            let path = made(&server, &key, changes);
            let found = rows(&server, &key, &format!("{path}/preview?count={most}"));
            found.iter().map(|row| row["date"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(
            of(&json!({"firstDate": "2027-12-31"}), 4),
            ["2027-12-31", "2028-01-31", "2028-02-29", "2028-03-31"]
        );
        assert_eq!(
            of(&json!({"firstDate": "2027-04-30", "lastDayOfMonth": true}), 3),
            ["2027-04-30", "2027-05-31", "2027-06-30"]
        );
        assert_eq!(
            of(&json!({"firstDate": "2028-02-29", "every": {"unit": "year"}, "lastDate": "2032-02-29"}), 60),
            ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]
        );
        assert_eq!(
            of(&json!({"firstDate": "2026-12-28", "every": {"unit": "week", "count": 2}, "count": 2}), 60),
            ["2026-12-28", "2027-01-11"]
        );
    }

    fn an_invoice_is_a_draft_or_sent_or_mailed_at_eight(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for deliver in ["draft", "sent", "mail"] {
            made(&server, &key, &json!({"deliver": deliver, "count": 1,
                "items": [{"description": "Hosting {month} {year}, {period}", "unitPrice": 10, "vatRate": 21}],
                "notes": "{quarter} {year} {unknown}"}));
        }
        at(&server, "2026-04-01T00:05:00Z");
        let status = |id: i64| invoices(&server, &key, &format!("{PATH}/{id}")).remove(0).0;
        assert_eq!([status(1), status(2), status(3)], ["draft", "sent", "sent"]);
        let texts = rows(&server, &key, "/api/v1/invoices?recurringInvoiceId=3").remove(0);
        assert_eq!(texts["items"][0]["description"], "Hosting april 2026, april 2026");
        assert_eq!(texts["notes"], "2e kwartaal 2026 {unknown}");
        // The mail waits until eight in the morning.
        assert_eq!(server.mails("klant@example.com").len(), 0);
        server.clock.set("2026-04-01T05:59:00Z");
        assert_eq!(server.mails("klant@example.com").len(), 0);
        server.clock.set("2026-04-01T06:00:00Z");
        let mails = server.mails("klant@example.com");
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert!(mail.text.contains("2026-0003.pdf"), "{}", mail.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn what_is_seven_days_late_waits_and_is_made_or_skipped_one_by_one(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &json!({"every": {"unit": "week"}, "firstDate": "2026-03-16"}));
        // 20 days later: the days of 20 and 13 days ago wait, that of six days ago is made.
        at(&server, "2026-04-05T11:00:00Z");
        assert_eq!(
            occurrences(&server, &key, &path),
            states(&[(1, "waiting"), (2, "waiting"), (3, "made")])
        );
        assert_eq!(invoices(&server, &key, &path), [invoice("draft", "2026-04-05", 3, "2026-03-30")]);
        assert_eq!(read(&server, &key, &path)["waitingCount"], 2);
        let call = |n: i64, call: &str| {
            act(&server, &key, &path, &format!("occurrences/{n}/{call}"), &json!({}))
        };
        let made = call(1, "make");
        assert_eq!((made.status, &made.json()["status"]), (200, &json!("made")), "{}", made.text);
        assert!(made.json()["invoiceId"].is_i64(), "{}", made.text);
        // The same call again makes nothing.
        assert_eq!(call(1, "make").text, made.text);
        assert_eq!(call(2, "skip").json()["status"], "skipped");
        assert_eq!(call(2, "skip").status, 200);
        for (n, name) in [(1, "skip"), (2, "make"), (3, "skip"), (4, "make"), (50, "make")] {
            let reply = call(n, name);
            assert_eq!((reply.status, reply.code()), (409, "occurrence_not_open".into()), "{n} {name}");
        }
        assert_eq!((call(1_000_000, "make").status, call(0, "make").status), (404, 404));
        // A planned one is skipped in advance.
        assert_eq!(call(5, "skip").status, 200);
        at(&server, "2026-04-06T11:00:00Z");
        at(&server, "2026-04-13T11:00:00Z");
        at(&server, "2026-04-20T11:00:00Z");
        assert_eq!(
            occurrences(&server, &key, &path),
            states(&[(1, "made"), (2, "skipped"), (3, "made"), (4, "made"), (5, "skipped"), (6, "made")])
        );
        assert_eq!(invoices(&server, &key, &path).len(), 4);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_refusal_makes_nothing_and_pauses_and_tells_the_owner(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let other = made(&server, &key, &json!({}));
        let refused = json!({"deliver": "mail", "customer": {"name": "Nobody"}});
        let path = made(&server, &key, &refused);
        at(&server, "2026-04-01T11:00:00Z");
        let paused = read(&server, &key, &path);
        assert_eq!(
            (&paused["status"], &paused["pausedBecause"], &paused["cause"]),
            (&json!("paused"), &json!("refused"), &json!("required"))
        );
        assert_eq!((invoices(&server, &key, &path), occurrences(&server, &key, &path)), (vec![], vec![]));
        assert_eq!(invoices(&server, &key, &other).len(), 1, "others go on");
        let mails = server.mails(EMAIL);
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert!(mail.text.contains("/recurring/2"), "{}", mail.text);
        // Once there is an address, the missed one is made by hand, and the next one by itself.
        let contact = paused["customer"]["contactId"].to_string();
        let address = json!({"email": "nobody@example.com"});
        assert_eq!(patch(&server, &key, &format!("/api/v1/contacts/{contact}"), &[], &address).status, 200);
        assert_eq!(act(&server, &key, &path, "occurrences/1/make", &json!({})).status, 200);
        let resumed = act(&server, &key, &path, "resume", &json!({}));
        assert_eq!(resumed.status, 200, "{}", resumed.text);
        assert_eq!(
            (&resumed.json()["status"], &resumed.json()["cause"], &resumed.json()["next"]["n"]),
            (&json!("active"), &Value::Null, &json!(2))
        );
        at(&server, "2026-05-01T11:00:00Z");
        assert_eq!(invoices(&server, &key, &path).len(), 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn two_mails_that_do_not_arrive_pause_it(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(
            &server,
            &key,
            &json!({"deliver": "mail", "every": {"unit": "week"}, "firstDate": "2026-03-16"}),
        );
        server.mails_are_taken(false);
        for (day, later, status) in [(16, 19, "active"), (23, 26, "paused")] {
            at(&server, &format!("2026-03-{day}T11:00:00Z"));
            // The mail is given up after two days.
            for day in day..=later {
                for hour in ["12", "16", "20"] {
                    server.clock.set(&format!("2026-03-{day}T{hour}:00:00Z"));
                    server.deliver_mails();
                }
            }
            assert_eq!(read(&server, &key, &path)["status"], status, "{day}");
        }
        assert_eq!(read(&server, &key, &path)["pausedBecause"], "bounced");
        at(&server, "2026-03-30T11:00:00Z");
        assert_eq!(invoices(&server, &key, &path).len(), 2);
        server.mails_are_taken(true);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_limit_of_mails_lets_it_wait(engine) {
        let server = Server::start(engine);
        server.account_of(EMAIL, "NL", store::accounts::Plan::Free);
        let cx = server.owner(EMAIL);
        let customer = |number: i64| CustomerInput {
            party: store::contacts::PartialParty {
                name: Some(format!("Customer {number}")),
                email: Some(Some(format!("customer{number}@example.com"))),
                ..Default::default()
            },
            ..CustomerInput::default()
        };
        server.write(move |tx| {
            for number in 0..52 {
                recurring::create(tx, &cx, &new(customer(number), Deliver::Mail))?;
            }
            Ok(())
        });
        at(&server, "2026-04-01T11:00:00Z");
        let count = || {
            let cx = server.owner(EMAIL);
            let read = move |tx: &mut store::Tx<'_>| {
                let filter = store::invoices::InvoiceFilter::default();
                service::invoices::list(tx, &cx, &filter, i64::MAX, 500)
            };
            server.store.read_blocking(read).unwrap().rows.len()
        };
        assert_eq!(count(), 50, "as many as may be mailed in a day");
        // The owner gets one email, and the others wait without being paused.
        at(&server, "2026-04-01T12:00:00Z");
        at(&server, "2026-04-01T13:00:00Z");
        assert_eq!((count(), server.mails(EMAIL).len()), (50, 1));
        at(&server, "2026-04-02T12:00:00Z");
        assert_eq!(count(), 52);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn nodes_that_look_at_once_make_each_once(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let paths: Vec<String> = (0..8).map(|_| made(&server, &key, &json!({}))).collect();
        // Only one process opens the books in SQLite; there, threads of one node compete.
        let others: Vec<Server> =
            (0..2).filter(|_| engine != Engine::Sqlite).map(|_| server.beside()).collect();
        let nodes: Vec<&Server> = [&server].into_iter().chain(&others).collect();
        for node in &nodes {
            node.clock.set("2026-04-01T11:00:00Z");
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
        for path in &paths {
            assert_eq!(
                invoices(&server, &key, path),
                [invoice("draft", "2026-04-01", 1, "2026-04-01")],
                "{path}"
            );
        }
        let numbers: BTreeSet<String> = rows(&server, &key, "/api/v1/invoices?limit=500")
            .iter()
            .map(|row| row["number"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(numbers.len(), 8);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_work_of_a_node_that_was_killed_is_done_by_another(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &json!({}));
        server.clock.set("2026-04-01T11:00:00Z");
        let cx = server.owner(EMAIL);
        let (account, now) = (cx.actor.account, cx.env.now);
        // The killed node leased the work and did none of it.
        let claimed = server.write(move |tx| {
            let until = now + jiff::SignedDuration::from_mins(2);
            Ok(due_work::claim(tx, (account, DueKind::RecurringInvoice), "dead", now, until)?)
        });
        assert!(claimed);
        let beside = (engine != Engine::Sqlite).then(|| server.beside());
        let other = beside.as_ref().unwrap_or(&server);
        other.do_due_work();
        assert_eq!(invoices(&server, &key, &path), [], "the lease is respected");
        other.clock.set("2026-04-01T11:02:00Z");
        other.do_due_work();
        assert_eq!(invoices(&server, &key, &path).len(), 1);
        server.do_due_work();
        assert_eq!(invoices(&server, &key, &path).len(), 1);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_pause_makes_nothing_and_what_was_missed_is_skipped_or_asked_for(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let weekly = json!({"every": {"unit": "week"}, "firstDate": "2026-03-16"});
        let (skipped, asked) = (made(&server, &key, &weekly), made(&server, &key, &weekly));
        for path in [&skipped, &asked] {
            for _ in 0..2 {
                let paused = act(&server, &key, path, "pause", &json!({}));
                assert_eq!(paused.status, 200, "{}", paused.text);
                assert_eq!(paused.json()["pausedBecause"], "owner");
            }
        }
        at(&server, "2026-03-30T11:00:00Z");
        assert_eq!(occurrences(&server, &key, &skipped), []);
        let planned = rows(&server, &key, &format!("{skipped}/preview?count=1")).remove(0);
        assert_eq!((&planned["n"], &planned["date"]), (&json!(3), &json!("2026-03-30")));
        assert_eq!(act(&server, &key, &skipped, "resume", &json!({})).status, 200);
        assert_eq!(act(&server, &key, &asked, "resume", &json!({"missed": "ask"})).status, 200);
        server.do_due_work();
        assert_eq!(
            occurrences(&server, &key, &skipped),
            states(&[(1, "skipped"), (2, "skipped"), (3, "made")])
        );
        assert_eq!(
            occurrences(&server, &key, &asked),
            states(&[(1, "waiting"), (2, "waiting"), (3, "made")])
        );
        // Once it has ended, only what waits can be made.
        assert_eq!(act(&server, &key, &asked, "end", &json!({})).json()["status"], "ended");
        assert_eq!(act(&server, &key, &asked, "end", &json!({})).status, 200);
        assert_eq!(act(&server, &key, &asked, "occurrences/1/make", &json!({})).status, 200);
        for call in ["pause", "resume"] {
            let reply = act(&server, &key, &asked, call, &json!({}));
            assert_eq!((reply.status, reply.code()), (409, "recurring_ended".into()), "{call}");
        }
        let reply = patch(&server, &key, &asked, &[], &json!({"notes": "Later"}));
        assert_eq!(reply.code(), "recurring_ended");
        at(&server, "2026-04-06T11:00:00Z");
        assert_eq!(invoices(&server, &key, &asked).len(), 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_edit_is_for_what_comes(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &json!({}));
        at(&server, "2026-04-01T11:00:00Z");
        let items = json!([{"description": "Hosting", "unitPrice": 200, "vatRate": 21}]);
        let reply = patch(&server, &key, &path, &[], &json!({"items": items, "deliver": "sent"}));
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(reply.text.contains("\"total\":242.00"), "{}", reply.text);
        let same = patch(&server, &key, &path, &[], &json!({"deliver": "sent"}));
        assert_eq!(same.text, reply.text, "no change");
        // With another rhythm, the days follow from the next planned day.
        let reply = patch(&server, &key, &path, &[], &json!({"every": {"unit": "quarter"}}));
        assert_eq!(reply.json()["next"], json!({"n": 2, "date": "2026-05-01"}), "{}", reply.text);
        let days: Vec<Value> = rows(&server, &key, &format!("{path}/preview?count=2"))
            .iter()
            .map(|row| row["date"].clone())
            .collect();
        assert_eq!(days, ["2026-05-01", "2026-08-01"]);
        let reply = patch(&server, &key, &path, &[], &json!({"firstDate": "2026-06-15", "count": 3}));
        assert_eq!(reply.json()["next"], json!({"n": 2, "date": "2026-06-15"}), "{}", reply.text);
        at(&server, "2026-06-15T11:00:00Z");
        at(&server, "2026-09-15T11:00:00Z");
        at(&server, "2026-12-15T11:00:00Z");
        assert_eq!(
            invoices(&server, &key, &path),
            [
                invoice("draft", "2026-04-01", 1, "2026-04-01"),
                invoice("sent", "2026-06-15", 2, "2026-06-15"),
                invoice("sent", "2026-09-15", 3, "2026-09-15"),
            ]
        );
        let old = server.get(&key, "/api/v1/invoices/1").text;
        assert!(old.contains("\"total\":121.00"), "{old}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn invoices_have_the_details_that_the_contact_has_by_then(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = made(&server, &key, &json!({}));
        let own = made(&server, &key, &json!({"customer": {"contactId": 1, "contactPerson": "Kim"}}));
        let moved = json!({"name": "Museum De Kade", "email": "nieuw@example.com"});
        assert_eq!(patch(&server, &key, "/api/v1/contacts/1", &[], &moved).status, 200);
        assert_eq!(read(&server, &key, &path)["customer"]["name"], "Museum De Kade");
        at(&server, "2026-04-01T11:00:00Z");
        let customer = |path: &str| {
            let id = path.rsplit('/').next().unwrap();
            let found = rows(&server, &key, &format!("/api/v1/invoices?recurringInvoiceId={id}"));
            found[0]["customer"].clone()
        };
        assert_eq!(customer(&path)["email"], "nieuw@example.com");
        assert_eq!(
            (&customer(&own)["contactPerson"], &customer(&own)["name"]),
            (&json!("Kim"), &json!("Museum De Pier")),
            "details of its own stay"
        );
    }

    fn a_dry_run_writes_nothing(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let dry = format!("{PATH}?dryRun=true");
        let reply = server.post(&key, &dry, &subscription(&json!({"customer": {"name": "Muster", "country": "DE"}})));
        assert_eq!(reply.status, 200, "{}", reply.text);
        let preview = reply.json();
        assert_eq!((&preview["dryRun"], &preview["entries"]), (&json!(true), &json!([])));
        assert_eq!(preview["next"]["date"], "2026-04-01");
        assert!(preview.get("id").is_none() && preview.get("createdAt").is_none(), "{preview}");
        let codes: Vec<&str> = preview["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|warning| warning["code"].as_str().unwrap())
            .collect();
        assert!(codes.contains(&"customer_kind_unknown"), "{codes:?}");
        let refused = server.post(&key, &dry, &subscription(&json!({"firstDate": "2026-03-14"})));
        assert_eq!(refused.status, 422, "{}", refused.text);
        for list in [PATH, "/api/v1/contacts", "/api/v1/invoices", "/api/v1/changes"] {
            assert_eq!(rows(&server, &key, list), Vec::<Value>::new(), "{list}");
        }
    }

    fn the_clock_of_a_test_account_drives_it(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let test = server.test_key(EMAIL);
        let path = made(&server, &test, &json!({"deliver": "mail", "firstDate": "2027-04-01"}));
        let clock = |now: &str| {
            let reply = server.post(&test, "/api/v1/test/clock", &json!({ "now": now }));
            assert_eq!((reply.status, &reply.json()["pending"]), (200, &json!(false)), "{}", reply.text);
        };
        clock("2027-03-31T21:59:00Z");
        assert_eq!(invoices(&server, &test, &path), []);
        clock("2027-03-31T22:00:00Z");
        assert_eq!(invoices(&server, &test, &path), [invoice("sent", "2027-04-01", 1, "2027-04-01")]);
        // The clock runs on, and the workers follow it.
        clock("2027-04-30T21:00:00Z");
        server.do_due_work();
        assert_eq!(invoices(&server, &test, &path).len(), 1);
        server.clock.set("2026-03-15T12:00:00Z");
        server.do_due_work();
        assert_eq!(invoices(&server, &test, &path).len(), 2);
        // The mail of the first left at eight by the clock of the books; that of the second waits.
        let mails = |server: &Server| {
            let mails = server.mails(EMAIL);
            mails.iter().filter(|mail| mail.text.contains(".pdf")).count()
        };
        assert_eq!(mails(&server), 1);
        clock("2027-05-01T06:00:00Z");
        assert_eq!(mails(&server), 2);
        // A long way: what is older waits.
        clock("2027-07-02T10:00:00Z");
        assert_eq!(
            occurrences(&server, &test, &path),
            states(&[(1, "made"), (2, "made"), (3, "waiting"), (4, "made")])
        );
        assert_eq!(rows(&server, &key, PATH), Vec::<Value>::new());
    }

    fn there_is_a_limit_to_the_active_ones(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let cx = server.owner(EMAIL);
        server.write(move |tx| {
            for _ in 0..MOST_ACTIVE {
                recurring::create(tx, &cx, &new(CustomerInput::named("Pier"), Deliver::Draft))?;
            }
            Ok(())
        });
        let reply = server.post(&key, PATH, &subscription(&json!({})));
        assert_eq!((reply.status, reply.code()), (409, "too_many_active".into()), "{}", reply.text);
        assert_eq!(act(&server, &key, &format!("{PATH}/1"), "pause", &json!({})).status, 200);
        assert_eq!(server.post(&key, PATH, &subscription(&json!({}))).status, 201);
        let reply = act(&server, &key, &format!("{PATH}/1"), "resume", &json!({}));
        assert_eq!((reply.status, reply.code()), (409, "too_many_active".into()), "{}", reply.text);
    }

    fn faults_of_recurring_invoices_are_named(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        for (field, value, code) in [
            ("every", json!({"unit": "day"}), "unknown_value"),
            ("every", json!({"unit": "month", "count": 13}), "out_of_range"),
            ("every", Value::Null, "required"),
            ("firstDate", json!("2026-03-14"), "out_of_range"),
            ("lastDate", json!("2026-03-31"), "out_of_range"),
            ("count", json!(1_001), "out_of_range"),
            ("deliver", json!("post"), "unknown_value"),
            ("supplyPeriod", json!("later"), "unknown_value"),
            ("items", json!([]), "required"),
            ("invoiceDate", json!("2026-04-01"), "unknown_field"),
        ] {
            let reply = server.post(&key, PATH, &subscription(&json!({ field: value })));
            assert_eq!(reply.status, 422, "{field}: {}", reply.text);
            let faults = reply.faults();
            assert!(faults[0].0.starts_with(&format!("/{field}")), "{}", reply.text);
            assert_eq!(faults[0].1, code, "{}", reply.text);
        }
        let weekly = json!({"every": {"unit": "week"}, "lastDayOfMonth": true});
        let reply = server.post(&key, PATH, &subscription(&weekly));
        assert_eq!(reply.faults()[0], ("/lastDayOfMonth".to_owned(), "conflicting_fields".to_owned()));
        let path = made(&server, &key, &json!({"lastDayOfMonth": true}));
        let reply = patch(&server, &key, &path, &[], &json!({"firstDate": "2026-03-01"}));
        assert_eq!(reply.faults()[0].0, "/firstDate", "{}", reply.text);
        let reply = act(&server, &key, &path, "resume", &json!({"missed": "all"}));
        assert_eq!(reply.status, 422, "{}", reply.text);
    }
}

/// Input for a monthly recurring invoice from 1 April 2026 on.
fn new(customer: CustomerInput, deliver: Deliver) -> NewRecurring {
    let line = service::invoices::LineInput {
        description: "Hosting".into(),
        quantity: ledger::decimal::Decimal::ONE,
        unit_price: ledger::decimal::Decimal::ONE_HUNDRED,
        vat_rate: ledger::vat::VatRate::from_basis_points(2_100),
        vat_category: None,
        exemption: None,
        supply: None,
        place: service::invoices::TaxPlace { country: None, standard_rate: false },
        account: None,
        unit: None,
        discount: ledger::discount::Discount::None,
        credits: None,
        article: None,
    };
    NewRecurring {
        external_id: None,
        customer,
        lines: vec![line],
        prices: ledger::invoice::Prices::Net,
        payment_term_days: None,
        reference: None,
        notes: None,
        particulars: store::invoices::Particulars::default(),
        language: None,
        rhythm: Rhythm { unit: RhythmUnit::Month, count: 1, last_day_of_month: false },
        first_date: jiff::civil::date(2026, 4, 1),
        last_date: None,
        count: None,
        deliver,
        supply_period: SupplyPeriod::None,
    }
}
