//! Undoing bank lines on a date: each kind, mixed lines, transfers, and lines of a closed year.

use super::bank_booking::{
    EMAIL, LINES, balances, bill, booked, created, expected, invoice, with_lines,
};
use crate::purchases::expenses::act;
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const DAY: &str = "2026-04-20";

fn undo_on(server: &Server, key: &str, id: i64, date: &str) -> Reply {
    server.post(key, &format!("{LINES}/{id}/undo"), &json!({"date": date}))
}

/// Dates of the reversals of a year with an id above `after`, and the highest id.
fn reversals(server: &Server, key: &str, after: i64) -> (Vec<String>, i64) {
    let entries = server.get(key, "/api/v1/entries?year=2026&limit=500").json();
    let entries = entries["data"].as_array().unwrap();
    let id = |entry: &&Value| entry["id"].as_i64().unwrap();
    let new = entries.iter().filter(|entry| id(entry) > after);
    let reversing = new.filter(|entry| !entry["reversesEntryId"].is_null());
    let dates = reversing.map(|entry| entry["date"].as_str().unwrap().to_owned()).collect();
    (dates, entries.iter().map(|entry| id(&entry)).max().unwrap_or_default())
}

/// Takes lines of the savings account (2, 1110) on a day; returns the id of the first.
fn savings_lines(server: &Server, key: &str, date: &str, euros: &[i64]) -> i64 {
    let lines: Vec<Value> =
        euros.iter().map(|euros| json!({"date": date, "amount": euros})).collect();
    let feed = json!({"bankAccountId": 2, "from": date, "to": date, "lines": lines});
    let reply = server.post(key, "/api/v1/bank-statements", &feed);
    assert_eq!(reply.status, 201, "{}", reply.text);
    let lines = server.get(key, &format!("{LINES}?bankAccountId=2")).json();
    let of_day = lines["data"].as_array().unwrap().iter().filter(|line| line["date"] == date);
    of_day.map(|line| line["id"].as_i64().unwrap()).min().unwrap()
}

fn out_of_range() -> [(String, String); 1] {
    [("/date".to_owned(), "out_of_range".to_owned())]
}

fn settled(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

on_both_engines! {
    fn every_kind_is_undone_on_the_date_that_is_given(engine) {
        let cents = [
            12_100, 13_000, -900, -1_210, -12_100, -6_050, -9_900, -5_000, -7_000, 9_800, -450, -300, 100_000, -11_000,
            -1_234, -6_660,
        ];
        let (server, key) = with_lines(engine, &cents);
        let (paid, overpaid, owed) = (invoice(&server, &key), invoice(&server, &key), bill(&server, &key));
        let before = balances(&server, &key);
        let toner = |more: Value| {
            let mut body = json!({"kind": "expense", "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]});
            for (name, value) in more.as_object().unwrap() {
                body[name] = value.clone();
            }
            body
        };
        let mut kinds = vec![
            json!([{"kind": "invoice", "invoiceId": paid}]),
            json!([{"kind": "invoice", "invoiceId": overpaid, "overpayment": "keep"}]),
            json!([{"kind": "refund", "invoiceId": overpaid}]),
            json!([{"kind": "bill", "expenseId": owed}]),
            json!([toner(json!({}))]),
            json!([toner(json!({"date": "2026-02-20"}))]),
            json!([{"kind": "vat", "vatPeriod": "2026-Q1"}]),
            json!([{"kind": "private", "privateKind": "drawing"}]),
            json!([{"kind": "transfer", "bankAccountId": 2}]),
            json!([{"kind": "payout", "fee": 2, "provider": "Mollie"}]),
            json!([{"kind": "bankCosts"}]),
            json!([{"kind": "interest"}]),
            json!([{"kind": "loan", "account": "0700"}]),
            json!([{"kind": "loanRepayment", "interest": 10}]),
            json!([{"kind": "ledger", "account": "4100"}]),
            // A line of several kinds is undone on one day.
            json!([toner(json!({"amount": 60.5})), {"kind": "private", "privateKind": "drawing", "amount": 5}, {"kind": "bankCosts"}]),
        ];
        let mut loan = Value::Null;
        for (id, allocations) in (1..).zip(&mut kinds) {
            if allocations[0]["kind"] == "loanRepayment" {
                allocations[0]["loanId"] = loan.clone();
            }
            let line = booked(&server, &key, id, allocations);
            if allocations[0]["kind"] == "loan" {
                loan = line["allocations"][0]["targetId"].clone();
            }
        }
        settled(&server);
        let (_, mut last) = reversals(&server, &key, 0);
        for (place, allocations) in kinds.iter().enumerate().rev() {
            let id = i64::try_from(place).unwrap() + 1;
            for date in ["2026-03-09", "2026-05-04"] {
                assert_eq!(undo_on(&server, &key, id, date).faults(), out_of_range(), "{allocations} on {date}");
            }
            let undone = undo_on(&server, &key, id, DAY);
            assert_eq!((undone.status, &undone.json()["state"]), (200, &json!("new")), "{allocations}: {}", undone.text);
            let (dates, now) = reversals(&server, &key, last);
            assert!(!dates.is_empty() && dates.iter().all(|date| date == DAY), "{allocations}: {dates:?}");
            last = now;
            settled(&server);
        }
        assert_eq!(balances(&server, &key), before);
        // A line can be booked again on its own day.
        booked(&server, &key, 11, &kinds[10]);
        assert_eq!(undo_on(&server, &key, 11, "2026-03-10").status, 200);
        settled(&server);
    }

    fn lines_of_a_closed_year_are_undone_on_an_open_day(engine) {
        let (server, key) = with_lines(engine, &[-450]);
        let first = savings_lines(&server, &key, "2025-12-10", &[-121, -50, 300, -127, -20]);
        let toner = json!({"kind": "expense", "amount": 121, "description": "Toner", "items": [{"category": "4100", "vatRate": 21}]});
        let kinds = [
            json!([toner]),
            json!([{"kind": "private", "privateKind": "drawing"}]),
            json!([{"kind": "vat"}]),
            json!([toner, {"kind": "ledger", "account": "4200", "amount": 4}, {"kind": "bankCosts"}]),
            json!([{"kind": "transfer", "bankAccountId": 6}]),
        ];
        // The bank orders lines of a day as it likes.
        let amounts: Vec<Value> = (first..first + 5).map(|id| server.get(&key, &format!("{LINES}/{id}")).json()["amount"].clone()).collect();
        assert_eq!(json!(amounts), json!([-121.0, -50.0, 300.0, -127.0, -20.0]));
        for (id, allocations) in (first..).zip(&kinds) {
            booked(&server, &key, id, allocations);
        }
        assert_eq!(act(&server, &key, "/api/v1/years/2025/close").status, 200);
        for (id, allocations) in (first..).zip(&kinds) {
            let own_day = server.post(&key, &format!("{LINES}/{id}/undo"), &json!({}));
            assert_eq!((own_day.status, own_day.code()), (409, "year_closed".into()), "{allocations}");
            let undone = undo_on(&server, &key, id, "2026-01-15");
            assert_eq!(undone.status, 200, "{allocations}: {}", undone.text);
            settled(&server);
        }
        let (dates, _) = reversals(&server, &key, 0);
        assert_eq!((dates.len(), dates.iter().all(|date| date == "2026-01-15")), (7, true), "{dates:?}");
    }

    fn each_half_of_a_transfer_is_undone_on_its_own_day_or_both_on_the_given_day(engine) {
        let (server, key) = with_lines(engine, &[-7_000]);
        let other = savings_lines(&server, &key, "2026-03-12", &[70]);
        let both = json!([{"kind": "transfer", "bankAccountId": 2, "lineId": other}]);
        booked(&server, &key, 1, &both);
        let (_, last) = reversals(&server, &key, 0);
        // No entry is reversed before its own day.
        assert_eq!(undo_on(&server, &key, 1, "2026-03-11").faults(), out_of_range());
        assert_eq!(server.get(&key, &format!("{LINES}/1")).json()["state"], json!("booked"));
        assert_eq!(server.post(&key, &format!("{LINES}/1/undo"), &json!({})).status, 200);
        assert_eq!(reversals(&server, &key, last).0, ["2026-03-10", "2026-03-12"]);
        assert_eq!(balances(&server, &key), expected(&[]));
        settled(&server);
        booked(&server, &key, 1, &both);
        let (_, last) = reversals(&server, &key, 0);
        assert_eq!(undo_on(&server, &key, other, DAY).status, 200);
        assert_eq!(reversals(&server, &key, last).0, [DAY, DAY]);
        settled(&server);
    }

    fn a_line_without_an_amount_stays_ignored(engine) {
        let (server, key) = with_lines(engine, &[-450]);
        let id = savings_lines(&server, &key, "2026-03-11", &[0]);
        let line = server.get(&key, &format!("{LINES}/{id}")).json();
        assert_eq!(json!([line["state"], line["stateReason"]]), json!(["ignored", "zeroAmount"]));
        let refused = server.post(&key, &format!("{LINES}/{id}/undo"), &json!({}));
        assert_eq!((refused.status, refused.code()), (409, "not_booked".into()));
        assert!(refused.json()["detail"].as_str().unwrap().contains("its amount is zero"), "{}", refused.text);
        // A line that a person ignored is undone on no day before its own.
        assert_eq!(server.post(&key, &format!("{LINES}/1/ignore"), &json!({"reason": "other"})).status, 200);
        assert_eq!(undo_on(&server, &key, 1, "2026-03-09").faults(), out_of_range());
        assert_eq!(undo_on(&server, &key, 1, DAY).json()["state"], json!("new"));
    }

    fn the_opening_balance_is_no_payment(engine) {
        let (server, key) = with_lines(engine, &[100_000]);
        let opening = json!({"date": "2026-01-01", "balances": [{"account": "1101", "amount": 1000}]});
        let opening = created(&server, &key, "opening-balance", &opening);
        let linked = json!({"allocations": [{"kind": "existing", "entryId": opening["entryIds"][0]}]});
        let refused = server.post(&key, &format!("{LINES}/1/book"), &linked);
        assert_eq!(refused.faults(), [("/allocations/0/entryId".to_owned(), "not_this_amount".to_owned())]);
        assert!(refused.text.contains("opens the books"), "{}", refused.text);
        settled(&server);
    }
}
