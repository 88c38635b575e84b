//! VAT periods: returns by month, quarter or year.

use super::{filing_and_paying::filing_key, filings::random_books};
use crate::{
    help::{cents, codes, walk},
    simple_invoice,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    server.account_of(EMAIL, "NL", Plan::Starter);
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    (server, key)
}

fn act(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", &format!("/api/v1/{path}"), &[("x-api-key", key)], None)
}

fn change_unit(server: &Server, key: &str, unit: &str, from: &str) -> Reply {
    server.post(key, "/api/v1/vat-periods", &json!({"unit": unit, "from": from}))
}

fn invoice(server: &Server, key: &str, day: &str, price: &str, correction: bool) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice["items"][0]["unitPrice"] = price.parse::<serde_json::Number>().unwrap().into();
    invoice["correction"] = json!(correction);
    let reply = server.post(key, "/api/v1/invoices", &invoice);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn read(server: &Server, key: &str, path: &str) -> Value {
    let reply = server.get(key, &format!("/api/v1/{path}"));
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

/// Exact turnover and VAT of each box, in cents, summed over returns.
fn sums<'r>(returns: impl IntoIterator<Item = &'r Value>) -> BTreeMap<String, (i64, i64)> {
    let mut sums: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for line in returns.into_iter().flat_map(|of| of["boxes"].as_array().unwrap()) {
        let amount = |field: &str| if line[field].is_null() { 0 } else { cents(&line[field]) };
        let sum = sums.entry(line["box"].as_str().unwrap().to_owned()).or_default();
        *sum = (sum.0 + amount("turnover"), sum.1 + amount("vat"));
    }
    sums
}

/// Dates and postings of all entries except the settlements of returns.
fn journal(server: &Server, key: &str) -> Vec<Value> {
    let entries = walk(server, key, "/api/v1/entries?year=2026&limit=100", || ());
    let booked = entries.into_iter().filter(|entry| entry["source"]["type"] != "vatFiling");
    booked.map(|entry| json!([entry["date"], entry["vatDate"], entry["lines"]])).collect()
}

on_both_engines! {
    fn months_are_filed_in_place_of_their_quarter(engine) {
        let (server, key) = started(engine);
        let changed = change_unit(&server, &key, "month", "2026-01-01");
        assert_eq!(changed.status, 200, "{}", changed.text);
        assert_eq!(changed.json()["changes"][0]["unit"], "month");
        assert_eq!(read(&server, &key, "account")["vatPeriod"], "month");
        let made = invoice(&server, &key, "2026-01-20", "100.02", false);
        assert_eq!(
            (&made["vatPeriodId"], &made["vatPeriod"]),
            (&json!("2026-01"), &json!({"year": 2026, "quarter": 1}))
        );
        invoice(&server, &key, "2026-02-10", "200.03", false);
        invoice(&server, &key, "2026-03-31", "300.04", false);
        let returns = read(&server, &key, "vat-returns?year=2026");
        let periods: Vec<&str> =
            returns["data"].as_array().unwrap().iter().map(|of| of["period"].as_str().unwrap()).collect();
        assert_eq!((periods.len(), periods[0], periods[11]), (12, "2026-01", "2026-12"));
        let january = read(&server, &key, "vat-returns/2026-01");
        // The due date is the last day of the next month.
        assert_eq!(
            (&january["dueDate"], &january["unit"], &january["declaredPayable"]),
            (&json!("2026-02-28"), &json!("month"), &json!(21))
        );
        // Exact: 21.00 + 42.01 + 63.01; declared: 21 + 42 + 63.
        let quarter = read(&server, &key, "vat-filings/2026/1");
        assert_eq!(cents(&quarter["payable"]), 2_100 + 4_201 + 6_301);
        assert_eq!(
            (&quarter["declaredPayable"], &quarter["periods"]),
            (&json!(126), &json!(["2026-01", "2026-02", "2026-03"]))
        );

        server.clock.set("2026-04-02T10:00:00Z");
        let other = act(&server, &key, "vat-filings/2026/1/file");
        assert_eq!((other.status, &other.json()["code"]), (409, &json!("other_period")));
        assert!(other.text.contains("2026-01") && other.text.contains("2026-03"), "{}", other.text);
        let missing = server.get(&key, "/api/v1/vat-returns/2026-Q1");
        assert_eq!(missing.status, 404);
        assert!(missing.text.contains("2026-01") && missing.text.contains("2026-03"), "{}", missing.text);
        assert_eq!(server.get(&key, "/api/v1/vat-returns/2026-13").status, 404);
        for month in ["2026-01", "2026-02"] {
            let filed = act(&server, &key, &format!("vat-returns/{month}/file"));
            assert_eq!((filed.status, &filed.json()["status"]), (200, &json!("filed")));
        }
        assert_eq!(read(&server, &key, "vat-filings/2026/1")["status"], "open");
        let again = act(&server, &key, "vat-returns/2026-02/file");
        assert_eq!((again.status, &again.json()["code"]), (409, &json!("period_filed")));

        // A correction to January is included in the return for March, the first open month.
        invoice(&server, &key, "2026-01-25", "1000", true);
        let entries = read(&server, &key, "entries?vatPeriod=2026-03&limit=100");
        let carrying = entries["data"].as_array().unwrap().iter().find(|of| !of["correctsPeriodId"].is_null());
        let carrying = carrying.unwrap_or_else(|| panic!("no correction: {entries}"));
        assert_eq!(
            (&carrying["correctsPeriodId"], &carrying["correctsPeriod"], &carrying["vatDate"]),
            (&json!("2026-01"), &json!({"year": 2026, "quarter": 1}), &json!("2026-03-01"))
        );
        assert_eq!(act(&server, &key, "vat-returns/2026-03/file").status, 200);
        assert_eq!(read(&server, &key, "vat-filings/2026/1")["status"], "filed");
        let refused = change_unit(&server, &key, "quarter", "2026-01-01");
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("period_filed")));
        assert_eq!(change_unit(&server, &key, "quarter", "2026-04-01").status, 200);
        assert_eq!(act(&server, &key, "vat-returns/2026-03/reopen").status, 200);
        assert_eq!(read(&server, &key, "vat-filings/2026/1")["status"], "open");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_year_is_one_return(engine) {
        let (server, key) = started(engine);
        assert_eq!(change_unit(&server, &key, "year", "2026-01-01").status, 200);
        for (day, price) in [("2026-02-10", "100.02"), ("2026-06-10", "200.03"), ("2026-11-10", "300.04")] {
            invoice(&server, &key, day, price, false);
        }
        let early = act(&server, &key, "vat-returns/2026/file");
        assert_eq!((early.status, &early.json()["code"]), (409, &json!("period_not_over")));
        server.clock.set("2027-01-02T10:00:00Z");
        let filed = act(&server, &key, "vat-returns/2026/file");
        assert_eq!(filed.status, 200, "{}", filed.text);
        let filed = filed.json();
        // The exact amount is 126.02.
        assert_eq!(
            (&filed["dueDate"], &filed["declaredPayable"], cents(&filed["payable"])),
            (&json!("2027-03-31"), &json!(126), 12_602)
        );
        let entries = read(&server, &key, "entries?year=2026&limit=100");
        let settlement = entries["data"].as_array().unwrap().iter().find(|of| of["source"]["type"] == "vatFiling");
        let settlement = settlement.unwrap_or_else(|| panic!("no settlement: {entries}"));
        assert_eq!(
            (&settlement["date"], &settlement["source"]["id"]),
            (&json!("2026-12-31"), &json!(2026))
        );
        // A quarter within the year is rounded on its own.
        let quarter = read(&server, &key, "vat-filings/2026/2");
        assert_eq!(
            (&quarter["status"], &quarter["periods"], &quarter["declaredPayable"]),
            (&json!("filed"), &json!(["2026"]), &json!(42))
        );
        assert_eq!(read(&server, &key, "vat-returns?status=filed")["data"][0]["period"], "2026");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_change_of_unit_begins_a_period_of_both_units(engine) {
        let (server, key) = started(engine);
        for (unit, from) in [
            ("month", "2026-02-01"),
            ("month", "2026-04-02"),
            ("year", "2026-04-01"),
            ("quarter", "2026-05-01"),
        ] {
            let refused = change_unit(&server, &key, unit, from);
            assert_eq!(refused.status, 422, "{unit} from {from}");
            assert_eq!(
                (&refused.json()["errors"][0]["pointer"], &refused.json()["errors"][0]["code"]),
                (&json!("/from"), &json!("out_of_range")),
                "{unit} from {from}: {}",
                refused.text
            );
        }
        assert_eq!(change_unit(&server, &key, "decade", "2026-04-01").status, 422);
        assert_eq!(change_unit(&server, &key, "month", "2026-04-01").status, 200);
        // Yearly returns from January are rejected, because the year contains the change in April.
        assert_eq!(change_unit(&server, &key, "year", "2026-01-01").status, 422);
        // A change that takes effect on the same day replaces the earlier one, even with concurrent
        // requests.
        std::thread::scope(|scope| {
            for unit in ["month", "quarter"].repeat(8) {
                let (server, key) = (&server, &key);
                scope.spawn(move || {
                    assert_eq!(change_unit(server, key, unit, "2026-04-01").status, 200);
                });
            }
        });
        let changes = read(&server, &key, "vat-periods");
        assert_eq!(changes["changes"].as_array().unwrap().len(), 1, "{changes}");
    }

    /// The tax office usually ends annual returns from 1 883.00 of VAT a year.
    fn annual_returns_are_doubtful_from_1883_euros_of_vat(engine) {
        for (price, doubtful) in [("8966.67", true), ("8966.60", false)] {
            let (server, key) = started(engine);
            let mut invoice = simple_invoice();
            invoice["invoiceDate"] = json!("2025-11-03");
            invoice["items"] = json!([{
                "description": "Advice", "quantity": 1, "vatRate": 21,
                "unitPrice": price.parse::<serde_json::Number>().unwrap(),
            }]);
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
            let year = change_unit(&server, &key, "year", "2026-01-01");
            assert_eq!(year.status, 200, "{}", year.text);
            let shown = read(&server, &key, "vat-periods");
            assert_eq!(shown, year.json());
            let is_warned = codes(&shown).contains(&"annual_return_doubtful");
            assert_eq!(is_warned, doubtful, "{shown}");
            // Quarterly returns are always allowed.
            let quarter = change_unit(&server, &key, "quarter", "2026-01-01");
            assert_eq!(quarter.json()["warnings"], json!([]), "{}", quarter.text);
        }
    }

    fn the_feed_reports_returns_of_all_periods_by_name_only(engine) {
        let (server, key) = started(engine);
        server.clock.set("2026-05-02T10:00:00Z");
        assert_eq!(act(&server, &key, "vat-returns/2026-Q1/file").status, 200);
        assert_eq!(change_unit(&server, &key, "month", "2026-04-01").status, 200);
        assert_eq!(act(&server, &key, "vat-returns/2026-04/file").status, 200);
        // The refusal names the latest filed period, not the quarter before it.
        let refused = change_unit(&server, &key, "quarter", "2026-04-01");
        assert!(refused.status == 409 && refused.text.contains("April 2026"), "{}", refused.text);
        let rows = |query: &str| -> Vec<Value> {
            let changes = read(&server, &key, &format!("changes{query}"));
            let rows = changes["data"].as_array().unwrap().iter();
            rows.map(|row| json!([row["type"], row["id"], row["period"]])).collect()
        };
        assert_eq!(rows(""), [json!(["vatFiling", 20261, "2026-Q1"])]);
        assert_eq!(
            rows("?types=vatReturn"),
            [json!(["vatReturn", 20261, "2026-Q1"]), json!(["vatReturn", 202_604, "2026-04"])]
        );
    }

    /// The same books are filed by month, by quarter and by year: the boxes have equal sums, and
    /// only the settlements in the journals differ.
    fn the_unit_changes_only_the_settlements(engine) {
        let results: Vec<_> = ["month", "quarter", "year"]
            .map(|unit| {
                let (server, key) = started(engine);
                random_books(&server, &key, 7_041);
                assert_eq!(change_unit(&server, &key, unit, "2026-01-01").status, 200);
                let before = journal(&server, &key);
                server.clock.set("2027-01-02T10:00:00Z");
                let returns = read(&server, &key, "vat-returns?year=2026");
                let returns = returns["data"].as_array().unwrap().clone();
                for of in &returns {
                    let path = format!("vat-returns/{}/file", of["period"].as_str().unwrap());
                    let filed = act(&server, &key, &path);
                    assert_eq!(filed.status, 200, "{path}: {}", filed.text);
                }
                let quarters = (1..=4)
                    .map(|number| read(&server, &key, &format!("vat-filings/2026/{number}")))
                    .collect::<Vec<_>>();
                assert_eq!(sums(&quarters), sums(&returns), "{unit}");
                assert_eq!(journal(&server, &key), before, "{unit}");
                assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new(), "{unit}");
                (sums(&returns), before)
            })
            .into();
        assert!(results[0].0.values().filter(|sum| **sum != (0, 0)).count() > 5, "too few boxes");
        assert_eq!(results[0], results[1]);
        assert_eq!(results[1], results[2]);
    }
}
