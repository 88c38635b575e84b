//! Compatibility with clients that file by quarter: their requests still get the recorded answers.
//! New fields are allowed; every other difference is listed here with its reason.

use super::filing_and_paying::filing_key;
use ledger::identifiers::{KvkNumber, VatNumber};
use serde_json::{Value, json};
use service::{
    Error, accounts,
    people::settings::{self, UpdateSettings},
};
use std::fmt::Write as _;
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Server, on_both_engines};

const STEPS: &str = include_str!("../recorded/steps.json");
const ANSWERS: &str = include_str!("../recorded/answers.json");

const EMAIL: &str = "anna@example.com";

/// Sends the requests of the steps to a new account; returns the answers without request ids.
fn replay(engine: Engine) -> Vec<Value> {
    let server = Server::start(engine);
    let steps: Vec<Value> = serde_json::from_str(STEPS).unwrap();
    let mut steps = steps.iter().peekable();
    server.clock.set(steps.peek().unwrap()["clock"].as_str().unwrap());
    server.account_of(EMAIL, "NL", Plan::Starter);
    let env = server.env();
    server.write(move |tx| {
        let account = accounts::by_email(tx, EMAIL)?;
        let complete = UpdateSettings {
            street: Some("Werkpad 2".into()),
            postal_code: Some("3512 CD".into()),
            city: Some("Utrecht".into()),
            kvk_number: KvkNumber::parse("12345678").ok(),
            vat_number: VatNumber::parse("NL000099998B57").ok(),
            ..UpdateSettings::of(&account)
        };
        settings::update(tx, &env, account.id, &complete)?;
        // Not by a command, which takes a moment of the books since it changes a bank account.
        tx.execute(
            "UPDATE accounts SET iban = 'NL91ABNA0417164300' WHERE id = ?1 /* of a test */",
            &[account.id.into()],
        )?;
        Ok::<_, Error>(())
    });
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    let mut answers = Vec::new();
    for step in steps {
        if let Some(now) = step["clock"].as_str() {
            server.clock.set(now);
            continue;
        }
        let call = step["call"].as_str().unwrap();
        let (method, path) = call.split_once(' ').unwrap();
        let body = step.get("body").map(Value::to_string);
        let mut headers = vec![("x-api-key", key.as_str())];
        headers.extend(body.as_ref().map(|_| ("content-type", "application/json")));
        let body = body.as_deref().map(str::as_bytes);
        let reply = server.send(method, &format!("/api/v1{path}"), &headers, body);
        let origin = format!("http://{}", server.address);
        let text = reply.text.replace(&origin, "https://books.example.com");
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        answer.as_object_mut().unwrap().remove("requestId");
        answers.push(json!({"call": call, "status": reply.status, "answer": answer}));
    }
    answers
}

/// Writes JSON with a line for each value that fits on one.
fn write(value: &Value, indent: usize, out: &mut String) {
    let (whole, inner) = (value.to_string(), " ".repeat(indent + 2));
    let members: Vec<(String, &Value)> = match value {
        _ if whole.len() + indent <= 98 => Vec::new(),
        Value::Array(rows) => rows.iter().map(|row| (String::new(), row)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (format!("\"{name}\": "), field)).collect()
        }
        _ => Vec::new(),
    };
    if members.is_empty() {
        out.push_str(&whole);
        return;
    }
    out.push_str(if value.is_array() { "[" } else { "{" });
    for (place, (name, member)) in members.into_iter().enumerate() {
        write!(out, "{}\n{inner}{name}", if place == 0 { "" } else { "," }).unwrap();
        write(member, indent + 2, out);
    }
    write!(out, "\n{:indent$}{}", "", if value.is_array() { "]" } else { "}" }).unwrap();
}

/// Stores the answers, for the version whose answers are the recorded ones.
fn record(answers: Vec<Value>) {
    let mut text = String::new();
    write(&Value::from(answers), 0, &mut text);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/recorded/answers.json");
    std::fs::write(file, text + "\n").unwrap();
}

/// Difference from the recorded answers that is intended.
struct Change {
    /// Beginning of the calls that have it.
    call: &'static str,
    /// Paths of the values in the answer; `*` stands for any place in a list.
    paths: &'static [&'static str],
    /// Reason for the difference.
    #[expect(dead_code, reason = "explains the row to readers")]
    why: &'static str,
}

const CHANGES: [Change; 10] = [
    Change {
        call: "POST /vat-filings/2025/4/file",
        paths: &["/answer/detail"],
        why: "Reworded: `detail` is a text for people, and clients decide by `code`.",
    },
    Change {
        call: "POST /vat-payments",
        paths: &["/answer/detail", "/answer/errors/*/message"],
        why: "`vatPeriod` of a VAT payment takes the id of every period, and the text says so.",
    },
    Change {
        call: "GET /vat-filings/2026/1/icp",
        paths: &["/answer/rows/*/services", "/answer/total", "/answer/box3b"],
        why: "A correction counts in the quarter that it corrects, with its part of box 3b.",
    },
    Change {
        call: "GET /vat-filings/2026/2/icp",
        paths: &["/answer/rows", "/answer/total", "/answer/box3b"],
        why: "A correction counts in the quarter that it corrects, not in the open one.",
    },
    Change {
        call: "POST /expenses",
        paths: &["/answer/dueDate"],
        why: "Every bill has a due date, by default 30 days after its date.",
    },
    Change {
        call: "GET /expenses",
        paths: &["/answer/dueDate", "/answer/data/*/dueDate"],
        why: "Every bill has a due date, by default 30 days after its date.",
    },
    Change {
        call: "GET /changes",
        paths: &["/answer/data/*/sequence"],
        why: "Rows of new types have numbers too, but are shown only if `types` names them.",
    },
    Change {
        call: "POST /invoices",
        paths: &["/answer/warnings"],
        why: "An invoice to a business without its address has a warning.",
    },
    Change {
        call: "GET /invoices",
        paths: &["/answer/warnings", "/answer/data/*/warnings"],
        why: "An invoice says what is missing or suspicious about its customer.",
    },
    Change {
        call: "GET /entries",
        paths: &["/answer/hash", "/answer/data/*/hash"],
        why: "A line of a credit note names the line that it credits, which is part of the chain.",
    },
];

/// Place in [`CHANGES`] of the row that explains a difference.
fn explains(call: &str, path: &str) -> Option<usize> {
    let same = |pattern: &str| {
        let (parts, places) = (pattern.split('/'), path.split('/'));
        parts.clone().count() == places.clone().count()
            && parts.zip(places).all(|(part, place)| part == "*" || part == place)
    };
    CHANGES.iter().position(|change| {
        call.starts_with(change.call) && change.paths.iter().any(|pattern| same(pattern))
    })
}

/// Adds the paths at which `new` lacks a field of `old` or has another value than `old`.
fn compare(old: &Value, new: &Value, path: &str, differences: &mut Vec<(String, String)>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, field) in old {
                let path = format!("{path}/{name}");
                compare(field, new.get(name).unwrap_or(&json!("missing")), &path, differences);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (place, (old, new)) in old.iter().zip(new).enumerate() {
                compare(old, new, &format!("{path}/{place}"), differences);
            }
        }
        _ if old == new => {}
        _ => differences.push((path.to_owned(), format!("was {old}\n  is {new}"))),
    }
}

on_both_engines! {
    fn a_client_that_files_by_quarter_gets_the_recorded_answers(engine) {
        let recorded: Vec<Value> = serde_json::from_str(ANSWERS).unwrap();
        let answers = replay(engine);
        if std::env::var_os("GROOTBOEK_RECORD_ANSWERS").is_some() {
            return record(answers);
        }
        assert_eq!(answers.len(), recorded.len());
        let mut seen = [false; CHANGES.len()];
        let mut faults = String::new();
        for (place, (old, new)) in recorded.iter().zip(&answers).enumerate() {
            let call = old["call"].as_str().unwrap();
            let mut differences = Vec::new();
            compare(old, new, "", &mut differences);
            for (path, values) in differences {
                match explains(call, &path) {
                    Some(change) => seen[change] = true,
                    None => write!(faults, "answer {place}, {call}: {path}\n {values}\n").unwrap(),
                }
            }
        }
        assert!(faults.is_empty(), "{faults}");
        assert!(seen.iter().all(|seen| *seen), "changes that do not occur: {seen:?}");
    }
}
