//! Cash accounting (kasstelsel, art. 26 Wet OB 1968): VAT that is due when the customer pays.

use super::filing_and_paying::filing_key;
use crate::{help::cents, simple_invoice};
use serde_json::{Value, json};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn started(engine: Engine, now: &str) -> (Server, String) {
    let server = Server::start(engine);
    server.clock.set(now);
    server.account_of(EMAIL, "NL", Plan::Starter);
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    (server, key)
}

/// Starts a server with an account that uses cash accounting from 1 April 2026.
fn started_with_cash(engine: Engine, now: &str) -> (Server, String) {
    let (server, key) = started(engine, now);
    assert_eq!(change(&server, &key, "cash", "2026-04-01").status, 200);
    (server, key)
}

fn change(server: &Server, key: &str, method: &str, from: &str) -> Reply {
    let mut body = json!({"method": method, "from": from});
    if method == "cash" {
        body["ground"] = json!("listedTrade");
    }
    server.post(key, "/api/v1/vat-accounting", &body)
}

fn create(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert_eq!(reply.status, 201, "{path}: {}", reply.text);
    reply.json()
}

fn read(server: &Server, key: &str, path: &str) -> Value {
    let reply = server.get(key, &format!("/api/v1/{path}"));
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

fn file(server: &Server, key: &str, period: &str) {
    let path = format!("/api/v1/vat-returns/{period}/file");
    assert_eq!(server.post(key, &path, &json!({})).status, 200);
}

/// A sent invoice dated `day` with a line of each price and rate.
fn invoice(day: &str, items: &[(f64, u8)]) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice["supplyDate"] = Value::Null;
    let line = |(price, rate): &(f64, u8)| json!({"description": format!("Work at {rate}"), "unitPrice": price, "vatRate": rate});
    invoice["items"] = items.iter().map(line).collect();
    invoice
}

fn pay(server: &Server, key: &str, id: i64, day: &str, amount: f64) -> Value {
    let path = format!("invoices/{id}/payments");
    create(server, key, &path, &json!({"date": day, "amount": amount}))
}

fn delete(server: &Server, key: &str, path: &str) -> Reply {
    server.send("DELETE", &format!("/api/v1/{path}"), &[("x-api-key", key)], None)
}

/// Postings (account, box, debit less credit in cents) of an entry.
fn entry(server: &Server, key: &str, id: &Value) -> Vec<(String, String, i64)> {
    let entry = read(server, key, &format!("entries/{id}"));
    let postings = entry["lines"].as_array().unwrap().iter().map(|posting| {
        let vat_box = posting["vatBox"].as_str().unwrap_or_default().to_owned();
        let amount = cents(&posting["debit"]) - cents(&posting["credit"]);
        (posting["accountCode"].as_str().unwrap().to_owned(), vat_box, amount)
    });
    postings.collect()
}

fn lines(of: &[(&str, &str, i64)]) -> Vec<(String, String, i64)> {
    of.iter().map(|(code, vat_box, amount)| ((*code).into(), (*vat_box).into(), *amount)).collect()
}

/// Turnover and VAT of a box, in cents.
fn of_box(server: &Server, key: &str, period: &str, vat_box: &str) -> (i64, i64) {
    let filing = read(server, key, &format!("vat-returns/{period}"));
    let boxes = filing["boxes"].as_array().unwrap();
    let line = boxes.iter().find(|line| line["box"] == vat_box).unwrap();
    let amount = |field: &str| if line[field].is_null() { 0 } else { cents(&line[field]) };
    (amount("turnover"), amount("vat"))
}

fn box_1a(server: &Server, key: &str, period: &str) -> (i64, i64) {
    of_box(server, key, period, "1a")
}

/// Method, VAT that is not due yet in cents, and the day, payment, base and VAT of what became due.
type Vat = (String, i64, Vec<(String, Option<i64>, i64, i64)>);

fn vat_of(server: &Server, key: &str, id: i64) -> Vat {
    let invoice = read(server, key, &format!("invoices/{id}"));
    let due = invoice["vatDue"].as_array().unwrap().iter().map(|due| {
        let day = due["date"].as_str().unwrap().to_owned();
        (day, due["paymentId"].as_i64(), cents(&due["base"]), cents(&due["vat"]))
    });
    let method = invoice["vatMethod"].as_str().unwrap().to_owned();
    (method, cents(&invoice["vatDeferred"]), due.collect())
}

fn cash(deferred: i64, due: &[(&str, Option<i64>, i64, i64)]) -> Vat {
    let due = due.iter().map(|(day, id, base, vat)| ((*day).to_owned(), *id, *base, *vat));
    ("cash".into(), deferred, due.collect())
}

/// Amount of an account among the liabilities at the end of 2026, in cents.
fn liability(server: &Server, key: &str, code: &str) -> i64 {
    let summary = read(server, key, "summary/2026");
    let lines = summary["balanceSheet"]["liabilities"].as_array().unwrap().clone();
    lines.iter().find(|line| line["accountCode"] == code).map_or(0, |line| cents(&line["amount"]))
}

fn assert_sound(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

/// Code and pointer of the only fault in a rejected body.
fn fault(reply: &Reply) -> (u16, String, String) {
    let errors = reply.json()["errors"].as_array().unwrap().clone();
    let [only] = errors.as_slice() else { panic!("{}", reply.text) };
    let text = |field: &str| only[field].as_str().unwrap().to_owned();
    (reply.status, text("code"), text("pointer"))
}

/// Numbers that look random: a linear congruential generator with the constants of Knuth's MMIX.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % most
    }

    fn one_of<'l, T: ?Sized>(&mut self, list: &[&'l T]) -> &'l T {
        list[usize::try_from(self.below(i64::try_from(list.len()).unwrap())).unwrap()]
    }
}

/// Path and body of a random command on one of the invoices up to `last`.
fn draw(dice: &mut Dice, last: i64) -> (String, Value) {
    let day = dice.one_of(&["2026-02-03", "2026-04-01", "2026-05-17", "2026-07-01", "2026-09-09"]);
    let id = 1 + dice.below(last.max(1));
    let euros = |cents: i64| {
        let sign = if cents < 0 { "-" } else { "" };
        let text = format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100);
        json!(text.parse::<f64>().unwrap())
    };
    let price = euros(1 + dice.below(9_999));
    let (path, mut body) = match dice.below(if last == 0 { 1 } else { 13 }) {
        0 | 1 => {
            let mut sale = invoice(day, &[]);
            let line = |rate: i64| json!({"description": format!("Work {rate}"), "unitPrice": price, "vatRate": rate});
            let rates = dice.one_of(&[&[21_i64][..], &[21, 9], &[9, 0], &[21, 9, 0]]);
            sale["items"] = rates.iter().map(|rate| line(*rate)).collect();
            ("invoices".into(), sale)
        }
        2..=4 => {
            let mut payment = json!({"date": day});
            if dice.below(3) > 0 {
                payment["amount"] = price;
            }
            if dice.below(4) == 0 {
                payment["overpayment"] = json!("keep");
            }
            (format!("invoices/{id}/payments"), payment)
        }
        5 => (
            format!("invoices/{id}/payments"),
            json!({"date": day, "amount": euros(-1 - dice.below(5_000))}),
        ),
        6 => {
            let payment = 1 + dice.below(2 * last);
            return (format!("invoices/{id}/payments/{payment}?date={day}"), Value::Null);
        }
        7 => (format!("invoices/{id}/credit-notes"), json!({"date": day})),
        8 => {
            let rate = dice.below(2) * 12 + 9;
            let line = json!({"description": "Back", "quantity": 1, "unitPrice": euros(1 + dice.below(3_000)), "vatRate": rate});
            (format!("invoices/{id}/credit-notes"), json!({"date": day, "items": [line]}))
        }
        9 => {
            let amount = euros(1 + dice.below(2_000));
            (format!("invoices/{id}/write-off"), json!({"date": day, "amount": amount}))
        }
        10 => {
            (format!("invoices/{id}/write-off/{}/undo", 1 + dice.below(last)), json!({"date": day}))
        }
        11 => {
            let period = dice.one_of(&["2026-Q1", "2026-Q2", "2026-Q3"]);
            let action = dice.one_of(&["file", "reopen"]);
            return (format!("vat-returns/{period}/{action}"), json!({}));
        }
        _ => {
            let from = dice.one_of(&["2026-01-01", "2026-04-01", "2026-07-01"]);
            let cash = json!({"method": "cash", "from": from, "ground": "listedTrade"});
            let change =
                if dice.below(2) == 0 { cash } else { json!({"method": "invoice", "from": from}) };
            return ("vat-accounting".into(), change);
        }
    };
    if dice.below(3) == 0 {
        body["correction"] = json!(true);
    }
    (path, body)
}

on_both_engines! {
    fn the_vat_on_an_invoice_is_due_when_it_is_paid(engine) {
        let (server, key) = started_with_cash(engine, "2026-08-01T10:00:00Z");
        let made = create(&server, &key, "invoices", &invoice("2026-04-10", &[(1000.0, 21)]));
        assert_eq!((&made["vatMethod"], cents(&made["vatDeferred"])), (&json!("cash"), 21_000));
        assert_eq!((&made["vatDue"], &made["vatDate"]), (&json!([]), &json!("2026-04-10")));
        let sale = lines(&[("1300", "", 121_000), ("8000", "", -100_000), ("1770", "", -21_000)]);
        assert_eq!(entry(&server, &key, &made["entryIds"][0]), sale);
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (0, 0));

        let paid = pay(&server, &key, 1, "2026-05-20", 605.0);
        let half = lines(&[
            ("1100", "", 60_500), ("1300", "", -60_500),
            ("8000", "", 50_000), ("8000", "1a", -50_000), ("1770", "", 10_500), ("1700", "1a", -10_500),
        ]);
        assert_eq!(entry(&server, &key, &paid["entryId"]), half);
        assert_eq!(vat_of(&server, &key, 1), cash(10_500, &[("2026-05-20", Some(1), 50_000, 10_500)]));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (50_000, 10_500));
        // VAT that is not due yet has a line of its own in the balance sheet.
        assert_eq!(liability(&server, &key, "1770"), 10_500);
        assert_eq!(liability(&server, &key, "1780"), 10_500);
        assert_sound(&server);

        // Undone in July, and paid in full then.
        let undo = delete(&server, &key, "invoices/1/payments/1?date=2026-07-05");
        assert_eq!(undo.status, 200, "{}", undo.text);
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (50_000, 10_500));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (-50_000, -10_500));
        pay(&server, &key, 1, "2026-07-10", 1210.0);
        let all = [
            ("2026-05-20", Some(1), 50_000, 10_500),
            ("2026-07-05", Some(1), -50_000, -10_500),
            ("2026-07-10", Some(2), 100_000, 21_000),
        ];
        assert_eq!(vat_of(&server, &key, 1), cash(0, &all));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (50_000, 10_500));
        let listed = read(&server, &key, "invoices")["data"][0].clone();
        assert_eq!(listed["vatDue"], read(&server, &key, "invoices/1")["vatDue"]);
        assert_sound(&server);
    }

    /// 121.00 at 21 %, 109.00 at 9 %, 20.00 at 0 %: 250.00 in all, of which 100.01 is paid. Of each
    /// amount 100.01 ÷ 250: 40.004 of 100.00, 8.40084 of 21.00, 3.60036 of 9.00, 8.0008 of 20.00.
    fn each_rate_has_its_share_and_the_last_payment_takes_the_rest(engine) {
        let (server, key) = started_with_cash(engine, "2026-08-01T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(100.0, 21), (100.0, 9), (20.0, 0)]));
        pay(&server, &key, 1, "2026-05-20", 100.01);
        let boxes = |period: &str| ["1a", "1b", "1e"].map(|of| of_box(&server, &key, period, of));
        assert_eq!(boxes("2026-Q2"), [(4_000, 840), (4_000, 360), (800, 0)]);
        pay(&server, &key, 1, "2026-07-20", 149.99);
        assert_eq!(boxes("2026-Q3"), [(6_000, 1_260), (6_000, 540), (1_200, 0)]);
        // Services to a business in Germany stay by invoice, next to a domestic line.
        let mut mixed = invoice("2026-07-01", &[(100.0, 21)]);
        mixed["customer"] = json!({"name": "Müller", "country": "DE", "vatNumber": "DE123456789"});
        mixed["items"].as_array_mut().unwrap().push(json!({"description": "Advice", "unitPrice": 50, "vatRate": 0}));
        let made = create(&server, &key, "invoices", &mixed);
        assert_eq!(cents(&made["vatDeferred"]), 2_100);
        assert_eq!(of_box(&server, &key, "2026-Q3", "3b"), (5_000, 0));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (6_000, 1_260));
        assert_sound(&server);
    }

    fn credited_vat_is_taken_back_when_the_customer_is_paid_back(engine) {
        let (server, key) = started_with_cash(engine, "2026-11-01T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(1000.0, 21)]));
        pay(&server, &key, 1, "2026-05-20", 1210.0);
        let half = json!({"date": "2026-07-15", "items": [{"description": "Half", "quantity": 0.5, "unitPrice": 1000, "vatRate": 21}]});
        let note = create(&server, &key, "invoices/1/credit-notes", &half);
        let credit = lines(&[("1630", "", -60_500), ("8000", "", 50_000), ("1770", "", 10_500)]);
        assert_eq!(entry(&server, &key, &note["entryIds"][0]), credit);
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (0, 0));
        assert_eq!(vat_of(&server, &key, 1).1, -10_500);
        // 200.00 of 605.00: 165.29 of 500.00 and 34.71 of 105.00; the rest in October.
        pay(&server, &key, 1, "2026-09-01", -200.0);
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (-16_529, -3_471));
        pay(&server, &key, 1, "2026-10-01", -405.0);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (-33_471, -7_029));
        assert_eq!(vat_of(&server, &key, 1).1, 0);
        // An unpaid invoice that is credited in full was never due.
        create(&server, &key, "invoices", &invoice("2026-10-10", &[(300.0, 21)]));
        create(&server, &key, "invoices/3/credit-notes", &json!({"date": "2026-10-20"}));
        assert_eq!(vat_of(&server, &key, 3), cash(0, &[]));
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (-33_471, -7_029));
        assert_sound(&server);
        // A credit note that settles an invoice of two rates moves what was paid to the other rate:
        // of 1 210.00, 636.57 was for work at 21 % and 573.44 for work at 9 %.
        create(&server, &key, "invoices", &invoice("2026-10-10", &[(1000.0, 21), (1000.0, 9)]));
        pay(&server, &key, 5, "2026-10-11", 1210.0);
        let low = json!({"date": "2026-10-12", "items": [{"description": "Low", "quantity": 1, "unitPrice": 1000, "vatRate": 9}]});
        create(&server, &key, "invoices/5/credit-notes", &low);
        assert_eq!(vat_of(&server, &key, 5).1, 0);
        assert_eq!(of_box(&server, &key, "2026-Q4", "1a"), (100_000 - 33_471, 21_000 - 7_029));
        assert_eq!(of_box(&server, &key, "2026-Q4", "1b"), (0, 0));
        assert_sound(&server);
    }

    fn a_write_off_gives_no_vat_back_because_none_was_paid(engine) {
        let (server, key) = started_with_cash(engine, "2026-11-01T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(1000.0, 21)]));
        pay(&server, &key, 1, "2026-05-20", 605.0);
        let lost = create(&server, &key, "invoices/1/write-off", &json!({"date": "2026-07-15"}));
        let cost = lines(&[("4340", "", 50_000), ("1770", "", 10_500), ("1300", "", -60_500)]);
        assert_eq!(entry(&server, &key, &lost["entryId"]), cost);
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (0, 0));
        // Half of it comes in after all, so its VAT is due then.
        let paid = pay(&server, &key, 1, "2026-10-05", 302.5);
        let back = lines(&[
            ("1100", "", 30_250), ("4340", "", -25_000), ("1770", "", -5_250),
            ("8000", "", 25_000), ("8000", "1a", -25_000), ("1770", "", 5_250), ("1700", "1a", -5_250),
        ]);
        assert_eq!(entry(&server, &key, &paid["entryId"]), back);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (25_000, 5_250));
        assert_sound(&server);
        let undo = delete(&server, &key, "invoices/1/payments/2");
        assert_eq!(undo.status, 200, "{}", undo.text);
        assert_sound(&server);
        let undo = server.post(&key, "/api/v1/invoices/1/write-off/1/undo", &json!({}));
        assert_eq!(undo.status, 200, "{}", undo.text);
        assert_sound(&server);
        assert_eq!(vat_of(&server, &key, 1).1, 10_500);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (0, 0));
        // Up to a euro in all is a payment difference: 0.83 ÷ 1.00 × 0.21 = 0.17 of VAT.
        create(&server, &key, "invoices", &invoice("2026-10-10", &[(1000.0, 21)]));
        pay(&server, &key, 2, "2026-10-12", 1209.0);
        let difference = create(&server, &key, "invoices/2/write-off", &json!({"date": "2026-10-20"}));
        let small = lines(&[("4990", "", 83), ("1770", "", 17), ("1300", "", -100)]);
        assert_eq!(entry(&server, &key, &difference["entryId"]), small);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (99_917, 20_983));
        assert_sound(&server);
    }

    fn invoices_since_the_first_day_are_booked_again_and_older_ones_stay(engine) {
        let (server, key) = started(engine, "2026-06-10T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-03-20", &[(100.0, 21)]));
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(1000.0, 21)]));
        // Supplied in March, although the VAT is due in April.
        let mut late = invoice("2026-04-20", &[(10.0, 21)]);
        late["supplyDate"] = json!("2026-03-31");
        assert_eq!(create(&server, &key, "invoices", &late)["vatDate"], "2026-04-15");
        let mut draft = invoice("2026-05-02", &[(400.0, 21)]);
        draft["status"] = json!("draft");
        create(&server, &key, "invoices", &draft);
        pay(&server, &key, 1, "2026-05-20", 121.0);
        pay(&server, &key, 2, "2026-05-20", 605.0);
        let credit = json!({"date": "2026-06-01", "items": [{"description": "A tenth", "quantity": 0.1, "unitPrice": 1000, "vatRate": 21}]});
        create(&server, &key, "invoices/2/credit-notes", &credit);
        let before = box_1a(&server, &key, "2026-Q2");
        assert_eq!(before, (131_000, 27_510));

        assert_eq!(change(&server, &key, "cash", "2026-04-01").status, 200);
        for older in [1, 3] {
            assert_eq!(vat_of(&server, &key, older), ("invoice".into(), 0, Vec::new()), "{older}");
        }
        // The credit note came after the payment, so 605 ÷ 1 210 of the whole was due by then.
        assert_eq!(vat_of(&server, &key, 2), cash(8_400, &[("2026-05-20", Some(2), 50_000, 10_500)]));
        assert_eq!(vat_of(&server, &key, 4), cash(8_400, &[]));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (51_000, 10_710));
        assert_eq!(box_1a(&server, &key, "2026-Q1"), (10_000, 2_100));
        assert_sound(&server);
        // The same again changes nothing; the opposite of that day turns all of it round.
        let invoice = read(&server, &key, "invoices/2");
        assert_eq!(change(&server, &key, "cash", "2026-04-01").status, 200);
        assert_eq!(read(&server, &key, "invoices/2"), invoice);
        let changes = change(&server, &key, "invoice", "2026-04-01").json()["changes"].clone();
        assert_eq!((changes.as_array().unwrap().len(), &changes[0]["method"]), (1, &json!("invoice")));
        assert_eq!(vat_of(&server, &key, 2), ("invoice".into(), 0, Vec::new()));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), before);
        assert_sound(&server);
        // Payments can still be undone, and count for nothing.
        let undo = delete(&server, &key, "invoices/2/payments/2");
        assert_eq!(undo.status, 200, "{}", undo.text);
        assert_eq!(box_1a(&server, &key, "2026-Q2"), before);
        assert_sound(&server);
    }

    /// The books are those that would exist if cash accounting had been recorded first.
    fn write_offs_and_early_payments_follow_a_change_of_method(engine) {
        let (server, key) = started(engine, "2026-08-01T10:00:00Z");
        let boxes = || ["2026-Q1", "2026-Q2", "2026-Q3"].map(|period| box_1a(&server, &key, period));
        let lost = |id: i64, amount: f64| {
            let path = format!("invoices/{id}/write-off");
            create(&server, &key, &path, &json!({"date": "2026-07-10", "amount": amount}))
        };
        // A payment difference, and a bad debt of two rates with cents that do not divide.
        create(&server, &key, "invoices", &invoice("2026-07-02", &[(100.0, 21)]));
        let difference = lost(1, 0.92);
        create(&server, &key, "invoices", &invoice("2026-07-02", &[(13_739.05, 21), (4_331.58, 9)]));
        pay(&server, &key, 2, "2026-07-05", 4_139.26);
        lost(2, 17_206.41);
        // Paid before its VAT period, once for good and once undone later.
        create(&server, &key, "invoices", &invoice("2026-06-10", &[(1000.0, 21)]));
        pay(&server, &key, 3, "2026-02-10", 605.0);
        create(&server, &key, "invoices", &invoice("2026-06-10", &[(1000.0, 21)]));
        let undone = pay(&server, &key, 4, "2026-02-10", 605.0);
        let path = format!("invoices/4/payments/{}?date=2026-07-26", undone["id"]);
        assert_eq!(delete(&server, &key, &path).status, 200);
        assert_sound(&server);
        let by_invoice = boxes();
        assert_eq!(change(&server, &key, "cash", "2026-01-01").status, 200);
        assert_sound(&server);
        let by_payment = boxes();
        // Both payments of 605.00 in the first quarter; one undone in the third.
        assert_eq!(by_payment[..2], [(100_000, 21_000), (0, 0)]);
        let sum = |id: i64| vat_of(&server, &key, id).2.iter().map(|due| due.2).sum::<i64>();
        // What was paid on invoice 2 at both rates, less what was undone.
        let low = of_box(&server, &key, "2026-Q3", "1b").0;
        assert_eq!(by_payment[2].0 + low, sum(2) - 50_000);
        let write_off = read(&server, &key, "invoices/1/write-off/1");
        let postings = entry(&server, &key, &write_off["entryId"]);
        assert_eq!(postings, lines(&[("4990", "", 76), ("1770", "", 16), ("1300", "", -92)]));
        assert_ne!(write_off["entryId"], difference["entryId"]);
        // And back again.
        assert_eq!(change(&server, &key, "invoice", "2026-01-01").status, 200);
        assert_sound(&server);
        assert_eq!(boxes(), by_invoice);
    }

    /// Losses that were recovered or are no longer written off follow a change of method too, and
    /// so does the last part of an invoice that is written off after the method has ended.
    fn methods_recorded_late_give_the_books_of_those_recorded_early(engine) {
        let books = |methods_first: bool| {
            let (server, key) = started(engine, "2026-12-20T10:00:00Z");
            let methods = || {
                assert_eq!(change(&server, &key, "cash", "2026-01-01").status, 200);
                assert_eq!(change(&server, &key, "invoice", "2026-10-01").status, 200);
            };
            if methods_first {
                methods();
            }
            let lose = |id: i64, day: &str, amount: f64| {
                let path = format!("invoices/{id}/write-off");
                create(&server, &key, &path, &json!({"date": day, "amount": amount}))
            };
            // A payment difference that a payment recovers.
            create(&server, &key, "invoices", &invoice("2026-06-01", &[(2_959.91, 9), (287.43, 21)]));
            pay(&server, &key, 1, "2026-07-14", 3_000.0);
            lose(1, "2026-07-23", 0.39);
            pay(&server, &key, 1, "2026-08-06", 327.59);
            // A bad debt, of which a payment recovers a part, and the payment is undone.
            create(&server, &key, "invoices", &invoice("2026-06-01", &[(251.15, 9), (1_360.26, 21)]));
            lose(2, "2026-07-23", 618.3);
            let paid = pay(&server, &key, 2, "2026-08-06", 1_500.0);
            let path = format!("invoices/2/payments/{}?date=2026-08-20", paid["id"]);
            assert_eq!(delete(&server, &key, &path).status, 200);
            // A bad debt that was one for some weeks.
            create(&server, &key, "invoices", &invoice("2026-06-01", &[(1_000.0, 21)]));
            lose(3, "2026-06-20", 1_210.0);
            let undo = server.post(&key, "/api/v1/invoices/3/write-off/3/undo", &json!({"date": "2026-07-20"}));
            assert_eq!(undo.status, 200, "{}", undo.text);
            // Paid and written off after the last day of cash accounting.
            create(&server, &key, "invoices", &invoice("2026-09-09", &[(251.15, 9), (1_360.26, 21)]));
            pay(&server, &key, 4, "2026-10-03", 1_301.36);
            lose(4, "2026-12-11", 618.3);
            if !methods_first {
                methods();
            }
            assert_sound(&server);
            let boxes = ["2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4"].map(|period| {
                read(&server, &key, &format!("vat-returns/{period}"))["boxes"].clone()
            });
            let sheet = read(&server, &key, "summary/2026")["balanceSheet"].clone();
            (boxes, ["assets", "equity", "liabilities"].map(|side| sheet[side].clone()))
        };
        let (early, late) = (books(true), books(false));
        for (period, (early, late)) in early.0.iter().zip(&late.0).enumerate() {
            assert_eq!(early, late, "quarter {}", period + 1);
        }
        assert_eq!(early.1, late.1);
    }

    /// A payment before the first day of cash accounting too, as long as its return is open.
    fn an_invoice_paid_before_the_first_day_follows_the_method(engine) {
        let (server, key) = started(engine, "2026-08-01T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-06-10", &[(1000.0, 21)]));
        pay(&server, &key, 1, "2026-02-10", 605.0);
        let boxes = || ["2026-Q1", "2026-Q2"].map(|period| box_1a(&server, &key, period));
        assert_eq!(boxes(), [(50_000, 10_500), (50_000, 10_500)]);
        assert_eq!(change(&server, &key, "cash", "2026-04-01").status, 200);
        assert_eq!(boxes(), [(50_000, 10_500), (0, 0)]);
        assert_sound(&server);
    }

    fn on_leaving_each_open_invoice_becomes_due(engine) {
        let (server, key) = started_with_cash(engine, "2026-06-10T10:00:00Z");
        for price in [1000.0, 200.0, 300.0] {
            create(&server, &key, "invoices", &invoice("2026-04-10", &[(price, 21)]));
        }
        pay(&server, &key, 1, "2026-05-20", 605.0);
        pay(&server, &key, 2, "2026-05-20", 242.0);
        assert_eq!(change(&server, &key, "invoice", "2026-07-01").status, 200);
        let due = [("2026-05-20", Some(1), 50_000, 10_500), ("2026-07-01", None, 50_000, 10_500)];
        assert_eq!(vat_of(&server, &key, 1), cash(0, &due));
        assert_eq!(vat_of(&server, &key, 3), cash(0, &[("2026-07-01", None, 30_000, 6_300)]));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (80_000, 16_800));
        let entries = read(&server, &key, "entries?year=2026&sourceType=vatDue")["data"].as_array().unwrap().clone();
        assert_eq!(entries.len(), 2, "one entry for each open invoice");
        assert!(entries.iter().all(|entry| entry["date"] == "2026-07-01"));
        assert_sound(&server);
        // What comes in before that day is due on its own day, so less is due on 1 July.
        pay(&server, &key, 1, "2026-06-05", 302.5);
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (95_000, 19_950));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (55_000, 11_550));
        // A new invoice of June is under cash accounting; one of July is not.
        create(&server, &key, "invoices", &invoice("2026-06-10", &[(100.0, 21)]));
        assert_eq!(vat_of(&server, &key, 4), cash(0, &[("2026-07-01", None, 10_000, 2_100)]));
        assert_sound(&server);
        server.clock.set("2026-08-01T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-07-02", &[(700.0, 21)]));
        assert_eq!(vat_of(&server, &key, 5).0, "invoice");
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (55_000 + 10_000 + 70_000, 11_550 + 2_100 + 14_700));
        // Payments and their undoing no longer matter; a write-off gives the VAT back.
        pay(&server, &key, 3, "2026-07-20", 121.0);
        create(&server, &key, "invoices/3/write-off", &json!({"date": "2026-07-30"}));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (135_000 - 20_000, 28_350 - 4_200));
        assert_sound(&server);
        // Staying after all turns that round, as long as no return is filed.
        assert_eq!(change(&server, &key, "cash", "2026-07-01").status, 200);
        assert_eq!(vat_of(&server, &key, 1), cash(5_250, &[
            ("2026-05-20", Some(1), 50_000, 10_500), ("2026-06-05", Some(3), 25_000, 5_250),
        ]));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (10_000, 2_100));
        assert_sound(&server);
        file(&server, &key, "2026-Q2");
        let refused = change(&server, &key, "invoice", "2026-04-01");
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("period_filed")));
    }

    fn a_payment_in_a_filed_period_is_a_correction(engine) {
        let (server, key) = started_with_cash(engine, "2026-08-10T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(1000.0, 21)]));
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(5000.0, 21)]));
        file(&server, &key, "2026-Q2");
        let body = json!({"date": "2026-06-20", "amount": 605});
        let refused = server.post(&key, "/api/v1/invoices/1/payments", &body);
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("period_filed")));
        assert_eq!(vat_of(&server, &key, 1), cash(21_000, &[]));
        let body = json!({"date": "2026-06-20", "amount": 605, "correction": true});
        create(&server, &key, "invoices/1/payments", &body);
        assert_eq!(vat_of(&server, &key, 1), cash(10_500, &[("2026-06-20", Some(1), 50_000, 10_500)]));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (0, 0));
        assert_eq!(box_1a(&server, &key, "2026-Q3"), (50_000, 10_500));
        assert_sound(&server);
        // More than 1 000.00 of VAT in all needs a return of its own: reopen it.
        let much = json!({"date": "2026-06-20", "amount": 6050, "correction": true});
        let refused = server.post(&key, "/api/v1/invoices/2/payments", &much);
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("correction_too_large")));
        let reopened = server.post(&key, "/api/v1/vat-returns/2026-Q2/reopen", &json!({}));
        assert_eq!(reopened.status, 200, "{}", reopened.text);
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (50_000, 10_500));
        create(&server, &key, "invoices/2/payments", &json!({"date": "2026-06-20"}));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (550_000, 115_500));
        assert_sound(&server);
    }

    fn prepayments_and_the_small_businesses_scheme_defer_nothing(engine) {
        let (server, key) = started_with_cash(engine, "2026-08-10T10:00:00Z");
        let mut prepayment = invoice("2026-04-10", &[(400.0, 21)]);
        prepayment["prepayment"] = json!(true);
        assert_eq!(create(&server, &key, "invoices", &prepayment)["vatMethod"], "invoice");
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (40_000, 8_400));
        // The final invoice of 1 000.00 defers only what is left: 600.00.
        let mut last = invoice("2026-05-10", &[(1000.0, 21)]);
        last["prepaymentInvoiceIds"] = json!([1]);
        let last = create(&server, &key, "invoices", &last);
        assert_eq!(cents(&last["vatDeferred"]), 12_600);
        let sale = lines(&[("1300", "", 72_600), ("8000", "", -100_000), ("1620", "", 40_000), ("1770", "", -12_600)]);
        assert_eq!(entry(&server, &key, &last["entryIds"][0]), sale);
        // Paid before its VAT date, in an earlier period: due on that day, and moved nowhere.
        create(&server, &key, "invoices", &invoice("2026-07-10", &[(100.0, 21)]));
        let early = pay(&server, &key, 3, "2026-06-20", 121.0);
        assert_eq!(early["warnings"], json!([]));
        assert_eq!(vat_of(&server, &key, 3), cash(0, &[("2026-06-20", Some(1), 10_000, 2_100)]));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (50_000, 10_500));
        assert_sound(&server);
        let kor = json!({"scheme": "kor", "from": "2026-10-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &kor).status, 200);
        server.clock.set("2026-10-10T10:00:00Z");
        let exempt = create(&server, &key, "invoices", &invoice("2026-10-05", &[(100.0, 0)]));
        assert_eq!((&exempt["vatMethod"], cents(&exempt["vatDeferred"])), (&json!("invoice"), 0));
        // What was sold before is still due when it is paid.
        pay(&server, &key, 2, "2026-10-08", 726.0);
        assert_eq!(box_1a(&server, &key, "2026-Q4"), (60_000, 12_600));
        assert_sound(&server);
    }

    fn a_draft_follows_the_method_of_its_day(engine) {
        let (server, key) = started_with_cash(engine, "2026-08-10T10:00:00Z");
        let mut draft = invoice("2026-03-10", &[(1000.0, 21)]);
        draft["status"] = json!("draft");
        let draft = create(&server, &key, "invoices", &draft);
        assert_eq!(draft["vatMethod"], "invoice");
        let edit = |body: &Value| {
            let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
            let reply = server.send("PATCH", "/api/v1/invoices/1", &headers, Some(body.to_string().as_bytes()));
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()
        };
        assert_eq!(edit(&json!({"invoiceDate": "2026-04-10"}))["vatMethod"], "cash");
        assert_eq!(box_1a(&server, &key, "2026-Q1"), (0, 0));
        let sent = edit(&json!({"status": "sent", "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]}));
        assert_eq!((&sent["vatMethod"], cents(&sent["vatDeferred"])), (&json!("cash"), 10_500));
        assert_eq!(box_1a(&server, &key, "2026-Q2"), (0, 0));
        assert_sound(&server);
    }

    fn the_method_changes_on_the_first_day_of_an_open_period_and_with_a_ground(engine) {
        let (server, key) = started(engine, "2026-08-10T10:00:00Z");
        let post = |body: &Value| server.post(&key, "/api/v1/vat-accounting", body);
        for (body, code, pointer) in [
            (json!({"from": "2026-07-01"}), "required", "/method"),
            (json!({"method": "cash", "ground": "listedTrade"}), "required", "/from"),
            (json!({"method": "barter", "from": "2026-07-01"}), "unknown_value", "/method"),
            (json!({"method": "cash", "from": "2026-07-01"}), "required", "/ground"),
            (json!({"method": "cash", "from": "2026-07-01", "ground": "x"}), "unknown_value", "/ground"),
            (json!({"method": "invoice", "from": "2026-07-01", "ground": "listedTrade"}), "conflicting_fields", "/ground"),
            (json!({"method": "cash", "from": "2026-07-01", "ground": "designated"}), "required", "/designatedOn"),
            (json!({"method": "cash", "from": "2026-07-01", "ground": "listedTrade", "designatedOn": "2026-06-01"}), "conflicting_fields", "/designatedOn"),
            (json!({"method": "cash", "from": "2026-07-01", "ground": "designated", "designatedOn": "2026-07-02"}), "out_of_range", "/designatedOn"),
            (json!({"method": "cash", "from": "2026-08-01", "ground": "listedTrade"}), "out_of_range", "/from"),
        ] {
            assert_eq!(fault(&post(&body)), (422, code.into(), pointer.into()), "{body}");
        }
        assert_eq!(read(&server, &key, "vat-accounting"), json!({"changes": [], "warnings": []}));
        create(&server, &key, "invoices", &invoice("2026-04-10", &[(100.0, 21)]));
        file(&server, &key, "2026-Q2");
        let filed = change(&server, &key, "cash", "2026-04-01");
        assert_eq!((filed.status, &filed.json()["code"]), (409, &json!("period_filed")));
        // The advice names only what the request takes.
        assert!(!filed.text.contains("correction"), "{}", filed.text);
        let designated = json!({"method": "cash", "from": "2026-07-01", "ground": "designated", "designatedOn": "2026-06-01"});
        let changed = post(&designated);
        assert_eq!(changed.status, 200, "{}", changed.text);
        let one = &changed.json()["changes"][0];
        assert_eq!((&one["method"], &one["from"], &one["ground"], &one["designatedOn"]), (
            &json!("cash"), &json!("2026-07-01"), &json!("designated"), &json!("2026-06-01"),
        ));
        assert_eq!(read(&server, &key, "vat-accounting"), changed.json());
    }

    /// Art. 26(1)(b)(c) UB: at least 90 and 80 % to others than businesses.
    fn sales_to_businesses_make_cash_accounting_doubtful(engine) {
        let (server, key) = started(engine, "2026-08-10T10:00:00Z");
        let sell = |price: f64, number: Option<&str>| {
            let mut sale = invoice("2026-08-01", &[(price, 21)]);
            sale["customer"] = json!({"name": format!("Customer {price}"), "country": "NL", "kvkNumber": number});
            create(&server, &key, "invoices", &sale);
        };
        let doubts = |ground: &str| {
            let mut body = json!({"method": "cash", "from": "2026-10-01", "ground": ground});
            if ground == "designated" {
                body["designatedOn"] = json!("2026-08-01");
            }
            let reply = server.post(&key, "/api/v1/vat-accounting", &body);
            assert_eq!(reply.status, 200, "{}", reply.text);
            let warnings = reply.json()["warnings"].as_array().unwrap().clone();
            assert!(warnings.iter().all(|warning| warning["code"] == "cash_accounting_doubtful"));
            warnings.len()
        };
        assert_eq!(doubts("establishment"), 0, "nothing was sold");
        sell(900.0, None);
        sell(100.0, Some("12345678"));
        assert_eq!(["listedTrade", "establishment", "designated"].map(doubts), [0, 0, 0]);
        sell(1.0, Some("12345678"));
        assert_eq!(["listedTrade", "establishment", "designated"].map(doubts), [0, 1, 0]);
        sell(125.0, Some("12345678"));
        assert_eq!(["listedTrade", "establishment", "designated"].map(doubts), [0, 1, 1]);
    }

    fn changes_at_once_leave_one_row_per_first_day(engine) {
        let (server, key) = started(engine, "2026-08-10T10:00:00Z");
        create(&server, &key, "invoices", &invoice("2026-07-10", &[(1000.0, 21)]));
        pay(&server, &key, 1, "2026-08-01", 605.0);
        std::thread::scope(|scope| {
            for turn in 0..64 {
                let (server, key) = (&server, &key);
                scope.spawn(move || {
                    let method = if turn % 2 == 0 { "cash" } else { "invoice" };
                    let status = change(server, key, method, "2026-07-01").status;
                    assert!([200, 429, 503].contains(&status), "{status}");
                });
            }
        });
        let changes = read(&server, &key, "vat-accounting")["changes"].as_array().unwrap().clone();
        assert_eq!(changes.len(), 1);
        let expected = if changes[0]["method"] == "cash" { (50_000, 10_500) } else { (100_000, 21_000) };
        assert_eq!(box_1a(&server, &key, "2026-Q3"), expected);
        assert_sound(&server);
    }

    /// Commands in a random order, of which many are refused.
    fn any_order_of_commands_keeps_the_books_sound(engine) {
        let (server, key) = started_with_cash(engine, "2026-10-01T10:00:00Z");
        let mut dice = Dice(26);
        let (mut last, mut done, mut under_cash) = (0, 0, 0);
        for step in 0..200 {
            let (path, body) = draw(&mut dice, last);
            let reply = if body.is_null() {
                delete(&server, &key, &path)
            } else {
                server.post(&key, &format!("/api/v1/{path}"), &body)
            };
            assert!([200, 201, 404, 409, 422].contains(&reply.status), "{path} {body}: {}", reply.text);
            let is_document = path == "invoices" || path.ends_with("credit-notes");
            last += i64::from(reply.status == 201 && is_document);
            done += i64::from(reply.status < 300);
            let is_invoice = path == "invoices" && reply.status == 201;
            under_cash += i64::from(is_invoice && reply.json()["vatMethod"] == "cash");
            if step % 5 == 4 {
                let found = server.discrepancies(EMAIL);
                assert_eq!(found, Vec::<String>::new(), "step {step}: {path} {body}");
            }
        }
        assert!(done > 40 && under_cash > 0, "{done} {under_cash}");
        for id in 1..=last {
            let invoice = read(&server, &key, &format!("invoices/{id}"));
            let is_settled = ["amountDue", "amountToRefund"].iter().all(|field| cents(&invoice[field]) == 0);
            assert!(!is_settled || cents(&invoice["vatDeferred"]) == 0, "{invoice}");
        }
    }
}
