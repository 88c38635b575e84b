//! Rules for bank lines over the API: conditions, previews, and automatic booking.

use super::bank_suggestions::{LINES, created, line, suggestions, take};
use crate::purchases::expenses::started;
use ledger::{
    booking::MoneyAccount,
    event::{Event, PrivateKind},
    money::Cents,
};
use serde_json::{Value, json};
use service::{
    Error,
    corrections::IfFiled,
    events::{self, NewEvent},
};
use std::{
    pin::pin,
    sync::mpsc::{self, Receiver, Sender},
    task::{Context, Waker},
    thread,
};
use store::{Tx, bank_lines, books};
use testing::{Server, on_both_engines};
use tokio::runtime::{Builder, Runtime};

const RULES: &str = "/api/v1/bank-rules";
const EMAIL: &str = "anna@example.com";
const BANK: (&str, &str) = ("ABN AMRO", "NL02ABNA0123456789");

fn costs() -> Value {
    json!({
        "externalId": "costs", "name": "Bank", "when": {"direction": "out", "textContains": "PAKKETKOSTEN"},
        "then": {"kind": "bankCosts"},
    })
}

/// Lines of bank charges on the first days of March.
fn charges(days: &[u8]) -> Vec<Value> {
    let text = "Pakketkosten maart";
    days.iter()
        .map(|day| line(&format!("2026-03-0{day}"), f64::from(-2 - i32::from(*day)), BANK, text))
        .collect()
}

/// Fields of the booking of a rule that are not null.
fn booking(rule: &Value) -> Value {
    let fields = rule["then"].as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
    fields
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Number of lines for an automatic rule.
const MANY: i64 = 200;

/// Locks the books of an account, as every command does, until the answer is dropped. Meanwhile says
/// how many lines are new, if some but not all are.
fn lock(
    tx: &mut Tx<'_>,
    account: i64,
    new: &Sender<i64>,
    answered: &Receiver<()>,
) -> Result<i64, Error> {
    books::lock(tx, account)?;
    let count = new_lines(tx, account)?;
    if 0 < count && count < MANY && new.send(count).is_ok() {
        let _ = answered.recv();
    }
    Ok(count)
}

fn new_lines(tx: &mut Tx<'_>, account: i64) -> Result<i64, Error> {
    let new = bank_lines::new_after(tx, account, 0, 2 * MANY)?;
    Ok(i64::try_from(new.len()).unwrap())
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn drawing() -> NewEvent {
    let event = Event::Private {
        kind: PrivateKind::Drawing,
        amount: Cents::new(100),
        method: MoneyAccount::Bank,
        premium: None,
    };
    NewEvent {
        external_id: None,
        date: jiff::civil::date(2026, 3, 1),
        description: None,
        event,
        parent_id: None,
        open_items: Vec::new(),
        if_filed: IfFiled::Refuse,
    }
}

fn state(server: &Server, key: &str, id: i64) -> Value {
    let line = server.get(key, &format!("{LINES}/{id}")).json();
    json!([line["state"], line["bookedBy"], line["ruleId"]])
}

on_both_engines! {
    fn a_rule_is_created_changed_archived_and_checked(engine) {
        let (server, key) = started(engine);
        let rule = created(&server, &key, "bank-rules", &costs());
        assert_eq!(json!([rule["position"], rule["automatic"], rule["status"], rule["when"]["bankAccountId"]]), json!([1, false, "active", null]));
        assert_eq!((booking(&rule), &rule["when"]["direction"]), (json!({"kind": "bankCosts"}), &json!("out")));
        let again = server.post(&key, RULES, &costs());
        assert_eq!((again.status, &again.json()["id"]), (200, &rule["id"]));
        let second = json!({"name": "Prive", "when": {"iban": "NL91 ABNA 0417 1643 00"}, "then": {"kind": "ignore", "reason": "private"}});
        let second = created(&server, &key, "bank-rules", &second);
        assert_eq!(json!([second["position"], second["when"]["iban"], booking(&second)]), json!([2, "NL91ABNA0417164300", {"kind": "ignore", "reason": "private"}]));
        let path = format!("{RULES}/{}", rule["id"]);
        let change = json!({"name": "Bankkosten", "then": {"kind": "ledger", "account": "4610", "description": "Pakket"}, "position": 9});
        let changed = server.send("PATCH", &path, &[("x-api-key", &key), ("content-type", "application/json")], Some(change.to_string().as_bytes()));
        assert_eq!(changed.status, 200, "{}", changed.text);
        assert_eq!(booking(&changed.json()), json!({"kind": "ledger", "account": "4610", "description": "Pakket"}));
        let same = json!({"then": second["then"]});
        let same = server.send("PATCH", &path, &[("x-api-key", &key), ("content-type", "application/json")], Some(same.to_string().as_bytes()));
        assert_eq!((same.status, &same.json()["then"]), (200, &second["then"]), "{}", same.text);
        assert_eq!(server.send("DELETE", &path, &[("x-api-key", &key)], None).status, 204);
        // What a rule names exists, and what differs from line to line is no part of it.
        for (then, field, code) in [
            (json!({"kind": "loanRepayment", "loanId": 999}), "loanId", "unknown_value"),
            (json!({"kind": "loanRepayment"}), "loanId", "required"),
            (json!({"kind": "transfer", "bankAccountId": 2, "lineId": 1}), "lineId", "unknown_field"),
            (json!({"kind": "vat", "vatPeriod": "2026-Q1"}), "vatPeriod", "unknown_field"),
        ] {
            let rule = json!({"name": "X", "when": {"textContains": "x"}, "then": then});
            let refused = server.post(&key, RULES, &rule);
            assert_eq!(refused.faults(), [(format!("/then/{field}"), code.to_owned())], "{then}");
        }
        assert_eq!(server.get(&key, &path).json()["status"], json!("archived"));
        for (rule, path, code) in [
            (json!({"when": {"direction": "in"}}), "/when", "required"),
            (json!({"when": {"textContains": "x", "amountFrom": 10, "amountTo": 9}}), "/when/amountTo", "out_of_range"),
            (json!({"when": {"textContains": "x", "bankAccountId": 99}}), "/when/bankAccountId", "unknown_value"),
            (json!({"when": {"iban": "NL91ABNA0417164301"}}), "/when/iban", "invalid_format"),
            (json!({"then": {"kind": "invoice", "invoiceId": 1}}), "/then/kind", "unknown_value"),
            (json!({"then": {"kind": "ignore"}}), "/then/reason", "required"),
            (json!({"then": {"kind": "ledger", "account": "1300"}}), "/then/account", "kept_by_program"),
            (json!({"then": {"kind": "ledger", "account": "1110"}}), "/then/account", "kept_by_program"),
            (json!({"then": {"kind": "transfer", "bankAccountId": 99}}), "/then/bankAccountId", "unknown_value"),
            (json!({"then": {"kind": "bankCosts", "amount": 3}}), "/then/amount", "unknown_field"),
        ] {
            let mut body = json!({"name": "R", "when": {"textContains": "x"}, "then": {"kind": "bankCosts"}});
            for (name, value) in rule.as_object().unwrap() {
                body[name] = value.clone();
            }
            let refused = server.post(&key, RULES, &body);
            assert_eq!(refused.faults(), [(path.to_owned(), code.to_owned())], "{body}: {}", refused.text);
        }
    }

    fn a_rule_suggests_and_is_previewed(engine) {
        let (server, key) = started(engine);
        let rule = created(&server, &key, "bank-rules", &costs());
        take(&server, &key, &charges(&[1, 2, 3, 4]));
        let shown = suggestions(&server, &key, 4);
        assert_eq!(json!([shown[0]["certain"], shown[0]["reasons"][0]["code"], shown[0]["kind"]]), json!([false, "rule", "bankCosts"]));
        let preview = |body: &Value| {
            let reply = server.post(&key, &format!("/api/v1/bank-rules/{}/preview", rule["id"]), body);
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()
        };
        assert_eq!(preview(&json!({})), json!({"new": [4, 3, 2, 1], "agreed": 0, "contradicted": []}));
        for (id, kind) in [(1, "bankCosts"), (2, "interest")] {
            let reply = server.post(&key, &format!("{LINES}/{id}/book"), &json!({"allocations": [{"kind": kind}]}));
            assert_eq!(reply.status, 200, "{}", reply.text);
        }
        assert_eq!(preview(&json!({})), json!({"new": [4, 3], "agreed": 1, "contradicted": [2]}));
        assert_eq!(server.post(&key, "/api/v1/bank-rules/99/preview", &json!({})).status, 404);
    }

    fn an_automatic_rule_books_new_lines_once_and_leaves_undone_ones(engine) {
        let (server, key) = started(engine);
        let mut rule = costs();
        rule["automatic"] = json!(true);
        let rule = created(&server, &key, "bank-rules", &rule);
        let ignoring = json!({"name": "Prive", "automatic": true, "when": {"nameContains": "kroeg"}, "then": {"kind": "ignore", "reason": "private"}});
        let ignoring = created(&server, &key, "bank-rules", &ignoring);
        // A manual entry may be line 1 already, and the rule cannot know.
        created(&server, &key, "manual-entries", &json!({"date": "2026-03-01", "description": "Pakket", "lines": [
            {"account": "4610", "debit": 3, "credit": 0}, {"account": "1100", "debit": 0, "credit": 3},
        ]}));
        let mut lines = charges(&[1, 2, 3]);
        lines.push(line("2026-03-05", -20.0, ("De Kroeg", "NL91ABNA0417164300"), "Bier"));
        lines.push(line("2026-03-06", 5.0, BANK, "Pakketkosten terug"));
        take(&server, &key, &lines);
        assert_eq!(state(&server, &key, 2), json!(["new", null, null]));
        server.apply_bank_rules();
        assert_eq!(state(&server, &key, 1), json!(["new", null, null]));
        assert_eq!(state(&server, &key, 2), json!(["booked", "rule", rule["id"]]));
        assert_eq!(state(&server, &key, 3), json!(["booked", "rule", rule["id"]]));
        assert_eq!(state(&server, &key, 4), json!(["ignored", null, ignoring["id"]]));
        assert_eq!(state(&server, &key, 5), json!(["new", null, null]));
        // The direction of line 5 is another; what is undone stays undone, also after more lines.
        for id in [2, 4] {
            assert_eq!(server.post(&key, &format!("{LINES}/{id}/undo"), &json!({})).status, 200);
        }
        take(&server, &key, &charges(&[7]));
        server.apply_bank_rules();
        assert_eq!(state(&server, &key, 2), json!(["new", null, null]));
        assert_eq!(state(&server, &key, 4), json!(["new", null, null]));
        assert_eq!(state(&server, &key, 6), json!(["booked", "rule", rule["id"]]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn people_wait_for_one_line_of_an_automatic_rule_and_not_for_all(engine) {
        let (server, key) = started(engine);
        let mut rule = costs();
        rule["automatic"] = json!(true);
        created(&server, &key, "bank-rules", &rule);
        let lines: Vec<Value> = (1..=MANY)
            .map(|number| line(&format!("2026-03-{:02}", 1 + number % 31), -2.0, BANK, &format!("Pakketkosten {number}")))
            .collect();
        take(&server, &key, &lines);
        let cx = server.owner(EMAIL);
        let account = cx.actor.account;
        let (before, after) = thread::scope(|scope| {
            scope.spawn(|| server.apply_bank_rules());
            // Waits, as a command of a person does, until its turn comes in the middle of the run.
            loop {
                let ((new, of_locked), (answer, answered)) = (mpsc::channel(), mpsc::channel());
                let app = server.app.clone();
                let locked = scope.spawn(move || {
                    let command = move |tx: &mut Tx<'_>| lock(tx, account, &new, &answered);
                    runtime().block_on(app.execute(account, command)).unwrap()
                });
                let Ok(before) = of_locked.recv() else {
                    assert!(locked.join().unwrap() > 0, "all lines were booked before a command of a person");
                    continue;
                };
                let command = {
                    let cx = cx.clone();
                    move |tx: &mut Tx<'_>| {
                        events::record(tx, &cx, &drawing())?;
                        new_lines(tx, account)
                    }
                };
                let mut booked = pin!(server.app.execute(account, command));
                // The first poll puts the command into the queue.
                assert!(booked.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
                drop(answer);
                locked.join().unwrap();
                break (before, runtime().block_on(booked).unwrap());
            }
        });
        // One line may have been ahead in the queue, and on PostgreSQL another at the lock.
        assert!(before - after <= 2, "{before} lines were left, {after} after the booking of a person");
        assert!(after > 0);
        for id in [1, MANY] {
            assert_eq!(state(&server, &key, id)[1], json!("rule"));
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_booking_that_is_refused_leaves_its_line_and_the_next_are_booked(engine) {
        let (server, key) = started(engine);
        let deposit = json!({
            "name": "Storting", "automatic": true, "when": {"nameContains": "abn"},
            "then": {"kind": "private", "privateKind": "deposit"},
        });
        created(&server, &key, "bank-rules", &deposit);
        take(&server, &key, &[
            line("2026-03-01", -5.0, BANK, "Opname"),
            line("2026-03-02", 6.0, BANK, "Storting"),
        ]);
        server.apply_bank_rules();
        assert_eq!(state(&server, &key, 2)[0], json!("booked"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
