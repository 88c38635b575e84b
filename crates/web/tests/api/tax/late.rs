//! VAT that is due on a date other than that of the invoice: late invoices, payments before the
//! invoice, and the reconciliation of the balance sheet with the returns.

use super::filing_and_paying::started_at as started;
use crate::{help::cents, simple_invoice};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn create(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

fn act(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", &format!("/api/v1/{path}"), &[("x-api-key", key)], None)
}

fn read(server: &Server, key: &str, path: &str) -> Value {
    let reply = server.get(key, &format!("/api/v1/{path}"));
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

/// An invoice at 21 % dated `day`, with `supplied` as its date of supply.
fn invoice(day: &str, supplied: Option<&str>, price: i64) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice["supplyDate"] = json!(supplied);
    invoice["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
    invoice
}

/// Date and postings (account, box, debit less credit in cents) of an entry.
fn entry(server: &Server, key: &str, id: &Value) -> (String, Vec<(String, String, i64)>) {
    let entry = read(server, key, &format!("entries/{id}"));
    let postings = entry["lines"].as_array().unwrap().iter().map(|posting| {
        let vat_box = posting["vatBox"].as_str().unwrap_or_default().to_owned();
        let amount = cents(&posting["debit"]) - cents(&posting["credit"]);
        (posting["accountCode"].as_str().unwrap().to_owned(), vat_box, amount)
    });
    (entry["date"].as_str().unwrap().to_owned(), postings.collect())
}

fn lines(of: &[(&str, &str, i64)]) -> Vec<(String, String, i64)> {
    of.iter().map(|(code, vat_box, amount)| ((*code).into(), (*vat_box).into(), *amount)).collect()
}

/// Turnover and VAT of box 1a, in cents.
fn box_1a(server: &Server, key: &str, period: &str) -> (i64, i64) {
    let filing = read(server, key, &format!("vat-returns/{period}"));
    let boxes = filing["boxes"].as_array().unwrap();
    let line = boxes.iter().find(|line| line["box"] == "1a").unwrap();
    (cents(&line["turnover"]), cents(&line["vat"]))
}

/// Amount of an account on one side of the balance sheet, in cents.
fn line_of(sheet: &Value, side: &str, code: &str) -> i64 {
    let lines = sheet[side].as_array().unwrap();
    let line = lines.iter().find(|line| line["accountCode"] == code);
    line.map_or(0, |line| cents(&line["amount"]))
}

/// Rows of the reconciliation: period, declared, paid, open.
fn reconciliation(sheet: &Value) -> Vec<(Value, Value, i64, i64)> {
    let rows = sheet["vatReconciliation"].as_array().unwrap().iter();
    rows.map(|row| {
        (row["period"].clone(), row["declared"].clone(), cents(&row["paid"]), cents(&row["open"]))
    })
    .collect()
}

fn codes(of: &Value) -> Vec<&str> {
    let warnings = of["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .filter(|code| ["vat_moved", "paid_before_invoice"].contains(code))
        .collect()
}

on_both_engines! {
    /// Art. 13(1)(a) Wet OB 1968: supplied on 20 November, so the VAT is due on 15 December.
    fn vat_of_an_earlier_year_than_the_invoice_is_booked_in_that_year(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        // An invoice of 1 000.00 from October; its VAT of 210.00 is declared for the fourth
        // quarter.
        create(&server, &key, "invoices", &invoice("2026-10-10", None, 1000));
        let late = create(&server, &key, "invoices", &invoice("2027-01-20", Some("2026-11-20"), 2500));
        assert_eq!(late["vatDate"], "2026-12-15");
        let ids = late["entryIds"].as_array().unwrap();
        assert_eq!(
            entry(&server, &key, &ids[0]),
            ("2027-01-20".into(), lines(&[("1300", "", 302_500), ("8000", "", -250_000), ("1325", "", -52_500)]))
        );
        let early = lines(&[("8000", "1a", -250_000), ("8000", "", 250_000), ("1700", "1a", -52_500), ("1325", "", 52_500)]);
        assert_eq!(entry(&server, &key, &ids[1]), ("2026-12-15".into(), early));
        assert_eq!(ids.len(), 2);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (350_000, 73_500));
        assert_eq!(box_1a(&server, &key, "2027-Q1"), (0, 0));
        // The revenue from the late invoice is in 2027; the VAT in the balance sheet for 2026
        // agrees with the return.
        let summary = read(&server, &key, "summary/2026");
        let sheet = &summary["balanceSheet"];
        assert_eq!(cents(&summary["revenue"]), 100_000);
        assert_eq!(line_of(sheet, "assets", "1320"), 52_500);
        assert_eq!(line_of(sheet, "liabilities", "1780"), 73_500);
        let period = json!("2026-Q4");
        assert_eq!(reconciliation(sheet), [(period.clone(), Value::Null, 0, 73_500)]);

        assert_eq!(act(&server, &key, "vat-returns/2026-Q4/file").status, 200);
        let payment = json!({"date": "2027-01-21", "amount": 735, "vatPeriod": "2026-Q4"});
        create(&server, &key, "vat-payments", &payment);
        let sheet = read(&server, &key, "summary/2026")["balanceSheet"].clone();
        assert_eq!(reconciliation(&sheet), [(period.clone(), json!(735.0), 0, 73_500)]);
        assert_eq!(line_of(&sheet, "liabilities", "1780"), 73_500);
        let next = read(&server, &key, "summary/2027")["balanceSheet"].clone();
        // 2026-Q4 has been paid, and nothing has become due since.
        assert_eq!((reconciliation(&next), line_of(&next, "liabilities", "1780")), (vec![], 0));
        assert_eq!(line_of(&next, "assets", "1320"), 0);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_late_draft_is_edited_and_withdrawn_with_both_its_entries(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        let mut draft = invoice("2027-01-20", Some("2026-11-20"), 1000);
        draft["status"] = json!("draft");
        let made = create(&server, &key, "invoices", &draft);
        assert_eq!(made["entryIds"].as_array().unwrap().len(), 2);
        let items = json!([{"description": "Work", "unitPrice": 500, "vatRate": 21}]);
        let edited = crate::help::patch(&server, &key, "/api/v1/invoices/1", &[], &json!({"items": items}));
        assert_eq!(edited.status, 200, "{}", edited.text);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (50_000, 10_500));
        // Once the draft is dated in the year of its VAT, it is booked as a single entry again.
        let moved = crate::help::patch(&server, &key, "/api/v1/invoices/1", &[], &json!({"invoiceDate": "2026-12-31"}));
        assert_eq!(moved.json()["entryIds"].as_array().unwrap().len(), 9, "{}", moved.text);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (50_000, 10_500));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let back = crate::help::patch(&server, &key, "/api/v1/invoices/1", &[], &json!({"invoiceDate": "2027-01-20"}));
        assert_eq!(back.status, 200, "{}", back.text);
        // After the return is filed, withdrawing the draft corrects that return.
        assert_eq!(act(&server, &key, "vat-returns/2026-Q4/file").status, 200);
        let withdraw = |query: &str| {
            server.send("DELETE", &format!("/api/v1/invoices/1{query}"), &[("x-api-key", &key)], None)
        };
        assert_eq!(withdraw("").status, 409);
        let cancelled = withdraw("?correction=true");
        assert_eq!(cancelled.status, 200, "{}", cancelled.text);
        assert_eq!(box_1a(&server, &key, "2027-Q1"), (-50_000, -10_500));
        assert_eq!(line_of(&read(&server, &key, "summary/2027")["balanceSheet"], "assets", "1320"), 0);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // After the return is reopened, it includes neither the draft nor its withdrawal.
        assert_eq!(act(&server, &key, "vat-returns/2026-Q4/reopen").status, 200);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (0, 0));
        assert_eq!(box_1a(&server, &key, "2027-Q1"), (0, 0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_invoice_into_a_closed_or_within_a_year_is_one_entry(engine) {
        let (server, key) = started(engine, "2027-01-20T10:00:00Z");
        let within = create(&server, &key, "invoices", &invoice("2026-12-20", Some("2026-10-20"), 1000));
        assert_eq!((&within["vatDate"], within["entryIds"].as_array().unwrap().len()), (&json!("2026-11-15"), 1));
        assert_eq!(act(&server, &key, "years/2026/close").status, 200);
        let late = create(&server, &key, "invoices", &invoice("2027-01-20", Some("2026-11-20"), 1000));
        assert_eq!(late["entryIds"].as_array().unwrap().len(), 1);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (200_000, 42_000));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Art. 13(2) Wet OB 1968.
    fn a_payment_before_the_invoice_moves_its_vat_and_takes_it_back_when_undone(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-12-20", None, 1000));
        let paid = create(&server, &key, "invoices/1/payments", &json!({"date": "2026-09-15", "amount": 605}));
        assert_eq!(codes(&paid), ["vat_moved"]);
        assert_eq!(codes(&read(&server, &key, "invoices/1")), ["vat_moved"]);
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (50_000, 10_500));
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (50_000, 10_500));
        let moves = read(&server, &key, "entries?year=2026&sourceType=vatMove");
        let mut moves = moves["data"].as_array().unwrap().clone();
        moves.sort_by_key(|entry| entry["id"].as_i64());
        let there = lines(&[("8000", "1a", -50_000), ("8000", "", 50_000), ("1700", "1a", -10_500), ("1325", "", 10_500)]);
        assert_eq!(entry(&server, &key, &moves[0]["id"]), ("2026-09-15".into(), there.clone()));
        let back = there.into_iter().map(|(code, vat_box, amount)| (code, vat_box, -amount)).collect();
        assert_eq!(entry(&server, &key, &moves[1]["id"]), ("2026-12-20".into(), back));
        // The rest is paid in the same quarter as the invoice, so no VAT is moved.
        let rest = create(&server, &key, "invoices/1/payments", &json!({"date": "2026-10-01", "amount": 605}));
        assert!(codes(&rest).is_empty());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        let undone = server.send("DELETE", "/api/v1/invoices/1/payments/1", &[("x-api-key", &key)], None);
        assert_eq!((undone.status, codes(&undone.json()).len()), (200, 0), "{}", undone.text);
        assert!(codes(&read(&server, &key, "invoices/1")).is_empty());
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (0, 0));
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (100_000, 21_000));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// The VAT on a cent is zero.
    fn a_payment_without_vat_to_move_is_not_warned_of(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-12-20", None, 1000));
        assert_eq!(act(&server, &key, "vat-returns/2026-Q3/file").status, 200);
        let paid = create(&server, &key, "invoices/1/payments", &json!({"date": "2026-09-15", "amount": 0.01}));
        assert!(codes(&paid).is_empty(), "{paid}");
        assert_eq!(act(&server, &key, "invoices/1/move-vat").status, 200);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_vat_of_a_payment_in_a_filed_period_is_moved_as_a_correction(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-12-20", None, 1000));
        assert_eq!(act(&server, &key, "vat-returns/2026-Q3/file").status, 200);
        let paid = create(&server, &key, "invoices/1/payments", &json!({"date": "2026-09-15", "amount": 1210}));
        assert_eq!(codes(&paid), ["paid_before_invoice"]);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (100_000, 21_000));
        let refused = act(&server, &key, "invoices/1/move-vat");
        assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("period_filed")));
        assert_eq!(codes(&read(&server, &key, "invoices/1")), ["paid_before_invoice"]);
        let moved = server.post(&key, "/api/v1/invoices/1/move-vat", &json!({"correction": true}));
        assert_eq!((moved.status, codes(&moved.json())), (200, vec!["vat_moved"]), "{}", moved.text);
        assert_eq!(codes(&read(&server, &key, "invoices/1/payments/1")), ["vat_moved"]);
        // The correction of the third quarter and the move back are both in the fourth quarter,
        // where they cancel each other out.
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (100_000, 21_000));
        let again = server.post(&key, "/api/v1/invoices/1/move-vat", &json!({"correction": true}));
        assert_eq!((again.status, &again.json()["updatedAt"]), (200, &moved.json()["updatedAt"]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // After its return is reopened, the third quarter includes the VAT itself.
        assert_eq!(act(&server, &key, "vat-returns/2026-Q3/reopen").status, 200);
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (100_000, 21_000));
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (0, 0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        assert_eq!(server.post(&key, "/api/v1/invoices/9/move-vat", &json!({})).status, 404);
    }

    fn a_write_off_of_a_euro_in_all_is_a_payment_difference(engine) {
        let (server, key) = started(engine, "2026-03-20T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-03-10", None, 1000));
        create(&server, &key, "invoices/1/payments", &json!({"date": "2026-03-12", "amount": 1209}));
        let first = create(&server, &key, "invoices/1/write-off", &json!({"date": "2026-03-15", "amount": 0.60}));
        assert_eq!(entry(&server, &key, &first["entryId"]).1, lines(&[("4990", "", 60), ("1300", "", -60)]));
        let second = create(&server, &key, "invoices/1/write-off", &json!({"date": "2026-03-16"}));
        assert_eq!(entry(&server, &key, &second["entryId"]).1, lines(&[("4990", "", 40), ("1300", "", -40)]));
        assert_eq!(box_1a(&server, &key, "2026-Q1"), (100_000, 21_000));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        // The euro is received after all.
        let back = create(&server, &key, "invoices/1/payments", &json!({"date": "2026-03-18", "amount": 1}));
        assert_eq!(entry(&server, &key, &back["entryId"]).1, lines(&[("1100", "", 100), ("4990", "", -100)]));
        // A cent more than a euro is a bad debt: 1.01 × 21 / 121 = 0.18 of VAT is reclaimed.
        create(&server, &key, "invoices", &invoice("2026-03-10", None, 1000));
        create(&server, &key, "invoices/2/payments", &json!({"date": "2026-03-12", "amount": 1208.99}));
        let debt = create(&server, &key, "invoices/2/write-off", &json!({"date": "2026-03-15"}));
        assert_eq!(
            entry(&server, &key, &debt["entryId"]).1,
            lines(&[("4340", "1a", 83), ("1700", "1a", 18), ("1300", "", -101)])
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
