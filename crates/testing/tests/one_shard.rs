//! Database access of API requests: each transaction uses the books of one account, and writes no
//! reference table of a distributed database.

use std::collections::{BTreeMap, BTreeSet};
use testing::{
    Engine, Server,
    statements::{Sent, accounts, collect, collected, written},
    year,
};

/// Groups statements by transaction.
fn transactions(sent: Vec<Sent>) -> BTreeMap<u64, Vec<Sent>> {
    let mut transactions: BTreeMap<u64, Vec<Sent>> = BTreeMap::new();
    for statement in sent {
        transactions.entry(statement.transaction).or_default().push(statement);
    }
    transactions
}

/// Returns the written tables that are not bookkeeping tables.
fn written_everywhere(sent: &[Sent]) -> BTreeSet<String> {
    sent.iter()
        .filter_map(written)
        .filter(|(_, is_of_books)| !is_of_books)
        .map(|(table, _)| table)
        .collect()
}

/// Kinds of calls that do not occur in the year of `year::steps`: edits, deletions, upserts, hours,
/// emails, filings, closing, webhooks and others. `{}` stands for the id returned by the last call
/// that created something.
const FURTHER: &[(&str, &str, &str)] = &[
    ("POST", "contacts", r#"{"name": "Korenaar", "email": "post@korenaar.example"}"#),
    ("PATCH", "contacts/{}", r#"{"name": "De Korenaar"}"#),
    ("PUT", "contacts/external/c-9", r#"{"name": "Twice"}"#),
    ("DELETE", "contacts/{}", ""),
    ("POST", "projects", r#"{"name": "Site", "hourlyRate": 90}"#),
    ("PATCH", "projects/{}", r#"{"budgetHours": 10}"#),
    (
        "POST",
        "time-entries",
        r#"{"projectId": 1, "date": "2026-03-03", "hours": 1, "description": "Work"}"#,
    ),
    ("PATCH", "time-entries/{}", r#"{"hours": 2}"#),
    ("DELETE", "time-entries/{}", ""),
    ("POST", "hours-log", r#"{"date": "2026-03-03", "hours": 1, "description": "Books"}"#),
    ("PATCH", "hours-log/{}", r#"{"hours": 2}"#),
    ("DELETE", "hours-log/{}", ""),
    ("POST", "timer", r#"{"projectId": 1}"#),
    ("DELETE", "timer", ""),
    (
        "POST",
        "invoices",
        r#"{"customer": {"name": "K", "email": "k@example.com"}, "items": [{"description": "d", "unitPrice": 100, "vatRate": 21}]}"#,
    ),
    ("PATCH", "invoices/{}", r#"{"reference": "PO 8"}"#),
    (
        "PATCH",
        "invoices/{}",
        r#"{"items": [{"description": "d", "unitPrice": 90, "vatRate": 9}], "status": "sent"}"#,
    ),
    ("POST", "invoices/{}/send", "{}"),
    ("POST", "invoices/{}/payments", r#"{"date": "2026-03-15", "amount": 10}"#),
    (
        "POST",
        "invoices",
        r#"{"customer": {"name": "K"}, "items": [{"description": "d", "unitPrice": 100, "vatRate": 21}]}"#,
    ),
    ("DELETE", "invoices/{}", ""),
    (
        "POST",
        "invoices",
        r#"{"status": "sent", "customer": {"name": "K"}, "items": [{"description": "d", "unitPrice": 100, "vatRate": 21}]}"#,
    ),
    ("POST", "invoices/{}/link", "{}"),
    ("DELETE", "invoices/{}/link", ""),
    ("POST", "invoices/{}/write-off", r#"{"amount": 21, "reason": "r"}"#),
    (
        "POST",
        "invoices",
        r#"{"status": "sent", "customer": {"name": "K"}, "items": [{"description": "d", "unitPrice": 100, "vatRate": 21}]}"#,
    ),
    ("POST", "invoices/{}/credit-notes", "{}"),
    (
        "POST",
        "expenses",
        r#"{"date": "2026-03-04", "supplier": "S", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 100, "vatRate": 21}]}"#,
    ),
    ("PATCH", "expenses/{}", r#"{"description": "Toner"}"#),
    ("POST", "expenses/{}/payments", r#"{"date": "2026-03-05"}"#),
    (
        "POST",
        "expenses",
        r#"{"date": "2026-03-04", "supplier": "S", "items": [{"category": "4100", "amount": 100, "vatRate": 21}]}"#,
    ),
    ("POST", "expenses/{}/undo", "{}"),
    (
        "POST",
        "mileage",
        r#"{"date": "2026-03-05", "from": "A", "to": "B", "km": 10, "purpose": "p"}"#,
    ),
    ("POST", "mileage/{}/undo", "{}"),
    (
        "POST",
        "transfers",
        r#"{"date": "2026-03-06", "from": "bank", "to": "savings", "amount": 8}"#,
    ),
    ("POST", "transfers/{}/undo", "{}"),
    ("POST", "vat-payments", r#"{"date": "2026-03-07", "amount": 7}"#),
    ("POST", "vat-payments/{}/undo", "{}"),
    ("POST", "vat-scheme", r#"{"scheme": "kor", "from": "2027-01-01"}"#),
];

/// Calls that also record an event for the owner. Events are in a reference table, which every node
/// has. These calls are rare, and none of them makes a booking.
const WITH_EVENTS: &[(&str, &str, &str)] = &[
    ("POST", "webhooks", r#"{"url": "https://shop.example/hooks", "types": ["invoice.paid"]}"#),
    ("PATCH", "webhooks/{}", r#"{"description": "Shop"}"#),
    ("POST", "webhooks/{}/test", "{}"),
    ("DELETE", "webhooks/{}", ""),
];

/// Calls that change settings in the row of the account. Accounts are a reference table, which every
/// node has. These calls are rare, and none of them makes a booking.
const OF_SETTINGS: &[(&str, &str, &str)] = &[
    ("POST", "bank-accounts", r#"{"name": "Tax reserve", "kind": "savings"}"#),
    ("PATCH", "bank-accounts/{}", r#"{"name": "Reserve"}"#),
    ("POST", "ledger-accounts", r#"{"code": "4105", "name": "Tickets", "rgsCode": "WBedVkkRep"}"#),
    ("POST", "vat-periods", r#"{"unit": "month", "from": "2027-01-01"}"#),
];

/// Makes the calls in order.
fn carry_out(server: &Server, key: &str, calls: &[(&str, &str, &str)]) {
    let mut id = String::new();
    for (method, path, body) in calls.iter().copied() {
        let headers = [("x-api-key", key), ("content-type", "application/json")];
        let headers = if body.is_empty() { &headers[..1] } else { &headers[..] };
        let body = (!body.is_empty()).then_some(body.as_bytes());
        let answer =
            server.send(method, &format!("/api/v1/{}", path.replace("{}", &id)), headers, body);
        assert!((200..300).contains(&answer.status), "{method} {path}: {}", answer.text);
        if matches!(method, "POST" | "PUT") && !path.contains("{}") {
            id = answer.json()["id"].to_string();
        }
    }
}

// The only test in this process, because it collects all statements.
#[test]
fn a_request_uses_the_books_of_one_account_and_writes_no_reference_table() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let server = Server::start(engine);
        let keys = [server.account("a@example.com"), server.account("b@example.com")];
        collect();
        for key in &keys {
            for step in year::steps().iter().filter(|step| !step.is_setting()) {
                step.carry_out(&server, key);
            }
            carry_out(&server, key, FURTHER);
        }
        for key in &keys {
            for path in [
                "invoices",
                "expenses",
                "entries?year=2026",
                "contacts",
                "changes",
                "vat-filings",
                "projects",
            ] {
                let reply = server.get(key, &format!("/api/v1/{path}"));
                assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            }
        }
        let sent = collected();
        assert_eq!(written_everywhere(&sent), BTreeSet::new());
        let (mut seen, mut writes) = (BTreeSet::new(), 0);
        for sent in transactions(sent).values() {
            let accounts: BTreeSet<i64> = sent.iter().flat_map(accounts).collect();
            assert!(accounts.len() <= 1, "{accounts:?}: {sent:#?}");
            seen.extend(accounts);
            writes += usize::from(sent.iter().any(|sent| written(sent).is_some()));
        }
        assert!(
            seen.len() == 2 && writes > 50,
            "{seen:?}, {writes} transactions that write: too few to be conclusive"
        );

        collect();
        carry_out(&server, &keys[0], OF_SETTINGS);
        assert_eq!(written_everywhere(&collected()), BTreeSet::from(["accounts".to_owned()]));

        collect();
        carry_out(&server, &keys[0], WITH_EVENTS);
        assert_eq!(written_everywhere(&collected()), BTreeSet::from(["person_events".to_owned()]));

        // Every half minute, the server stores when each key was last used, for many calls at once.
        collect();
        server.save_calls();
        let sent = collected();
        assert!(written_everywhere(&sent).contains("api_keys"), "{sent:#?}");
        assert!(
            sent.iter().filter_map(written).any(|(table, _)| table == "api_calls"),
            "{sent:#?}"
        );
    }
}
