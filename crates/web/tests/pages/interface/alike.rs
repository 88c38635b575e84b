//! Equivalence of pages and API: two accounts, one kept with forms and the other with calls, have
//! the same books after every step (app.md, section 3).

use crate::help::{EMAIL, signed_in};
use serde_json::Value;
use testing::{
    Server, on_both_engines,
    year::{Step, fields, steps},
};

/// Everything that the API returns for an account, without the expected differences: actor, time
/// and their consequences.
fn books(server: &Server, key: &str) -> Vec<Value> {
    let mut shown: Vec<Value> = [
        "contacts",
        "projects",
        "invoices",
        "expenses",
        "assets",
        "mileage",
        "time-entries",
        "hours-log",
        "transfers",
        "bank-accounts",
        "private-bookings",
        "accruals",
        "loans",
        "loans/4/repayments",
        "private-use",
        "opening-balance",
        "manual-entries",
        "payouts",
        "vat-payments",
        "invoices/1/payments",
        "invoices/3/write-off",
        "expenses/2/payments",
        "invoices/4/payments",
        "invoices/4/write-off",
        "expenses/4/payments",
        "entries?year=2026",
        "summary/2026",
        "vat-filings?year=2026",
        "changes?limit=500",
    ]
    .iter()
    .map(|path| server.get(key, &format!("/api/v1/{path}")).json())
    .collect();
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for name in
                    ["source", "externalId", "hash", "createdAt", "updatedAt", "at", "requestId"]
                {
                    members.remove(name);
                }
                // Each account has links of its own.
                members.entry("publicUrl").and_modify(|url| *url = Value::Bool(url.is_string()));
                members.values_mut().for_each(strip);
            }
            Value::Array(rows) => rows.iter_mut().for_each(strip),
            _ => {}
        }
    }
    shown.iter_mut().for_each(strip);
    shown
}

on_both_engines! {
    fn a_form_and_a_call_do_the_same(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        // Amounts with a decimal comma require Dutch.
        let browser = browser.speaking("nl");
        let by_forms = server.key(EMAIL, true, true);
        server.account_of("by-calls@example.com", "NL", store::accounts::Plan::Pro);
        let by_calls = server.key("by-calls@example.com", true, true);
        for Step { page, form, call, said } in steps() {
            let shown = browser.get(page);
            assert_eq!(shown.status, 200, "{page}: {}", shown.text);
            let filled = fields(&said);
            let filled: Vec<(&str, &str)> =
                filled.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let sent = browser.submit(&shown, form, &filled);
            assert_eq!(sent.status, 303, "{form} {filled:?}: {}", sent.text);
            let called = server.post(&by_calls, &format!("/api/v1/{call}"), &said);
            assert!(matches!(called.status, 200 | 201), "{call} {said}: {}", called.text);
            let (forms, calls) = (books(&server, &by_forms), books(&server, &by_calls));
            for (one, other) in forms.iter().zip(&calls) {
                assert_eq!(one, other, "after {form}");
            }
        }
        for email in [EMAIL, "by-calls@example.com"] {
            assert_eq!(server.discrepancies(email), Vec::<String>::new());
        }
    }
}
