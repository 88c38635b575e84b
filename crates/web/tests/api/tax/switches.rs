//! Backdated switches of the small businesses scheme (KOR) in an open period: assets that were
//! depreciated or sold, VAT repaid on unpaid bills, sales of assets and private use with VAT.

use super::filing_and_paying::started_at as started;
use crate::help::{cents, walk};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn post(server: &Server, key: &str, path: &str, body: Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), &body);
    assert!((200..300).contains(&reply.status), "{path}: {}", reply.text);
    reply.json()
}

fn switch(server: &Server, key: &str, scheme: &str) -> Reply {
    server.post(key, "/api/v1/vat-scheme", &json!({"scheme": scheme, "from": "2026-10-01"}))
}

fn switched(server: &Server, key: &str, scheme: &str) {
    let reply = switch(server, key, scheme);
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

/// Debit less credit on ledger accounts in 2026, in cents.
fn balances<const N: usize>(server: &Server, key: &str, codes: [&str; N]) -> [i64; N] {
    let entries = walk(server, key, "/api/v1/entries?year=2026", || ());
    codes.map(|code| {
        let lines = entries.iter().flat_map(|entry| entry["lines"].as_array().unwrap());
        let own = lines.filter(|line| line["accountCode"] == code);
        own.map(|line| cents(&line["debit"]) - cents(&line["credit"])).sum()
    })
}

/// Buys a laptop of 1 000.00 with 210.00 of VAT on 5 October, depreciated over five years.
fn laptop(server: &Server, key: &str) {
    let laptop = json!({"description": "Laptop", "date": "2026-10-05", "account": "0200",
        "cost": 1000, "residualValue": 0, "lifeYears": 5});
    post(server, key, "assets", laptop);
}

fn depreciated(server: &Server, key: &str) -> (i64, Value) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    let asset = server.get(key, "/api/v1/assets/1").json();
    (cents(&asset["depreciated"]), asset["depreciatedUntil"].clone())
}

on_both_engines! {
    /// 1 000.00 over 60 months is 16.67 and 33.33 after one and two months; 1 210.00 is 20.17 and
    /// 40.33.
    fn depreciation_follows_a_switch(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        laptop(&server, &key);
        for until in ["2026-10-31", "2026-11-30"] {
            post(&server, &key, "assets/1/depreciate", json!({"until": until}));
        }
        let state = |expected: i64| {
            assert_eq!(depreciated(&server, &key), (expected, json!("2026-11-30")));
            assert_eq!(balances(&server, &key, ["0210", "4500"]), [-expected, expected]);
        };
        state(3_333);
        // A change with the same first day replaces the one before.
        let kor = ("kor", 4_033);
        for (scheme, expected) in [kor, kor, ("normal", 3_333), kor] {
            switched(&server, &key, scheme);
            state(expected);
        }
        // The last depreciation can still be undone and booked again.
        post(&server, &key, "assets/1/depreciate/undo", json!({}));
        assert_eq!(depreciated(&server, &key), (2_017, json!("2026-10-31")));
        post(&server, &key, "assets/1/depreciate", json!({"until": "2026-12-31"}));
        assert_eq!(depreciated(&server, &key), (6_050, json!("2026-12-31")));
        post(&server, &key, "assets/1/undo", json!({}));
        assert_eq!(balances(&server, &key, ["0200", "0210", "4500", "1500"]), [0; 4]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Amounts that round to nothing: 0.30 over 60 months is half a cent a month, 0.25 is less.
    fn depreciation_of_less_than_a_cent_is_not_booked(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let stand = json!({"description": "Stand", "date": "2026-10-05", "account": "0200",
            "cost": 0.25, "residualValue": 0, "lifeYears": 5});
        post(&server, &key, "assets", stand);
        switched(&server, &key, "kor");
        post(&server, &key, "assets/1/depreciate", json!({"until": "2026-10-31"}));
        assert_eq!(depreciated(&server, &key), (1, json!("2026-10-31")));
        switched(&server, &key, "normal");
        assert_eq!(depreciated(&server, &key), (0, Value::Null));
        switched(&server, &key, "kor");
        assert_eq!(depreciated(&server, &key), (0, Value::Null));
    }

    /// The step of the year end keeps its booking: 50.00 of 1 000.00, 60.50 of 1 210.00.
    fn the_depreciation_of_the_year_end_follows_a_switch(engine) {
        let (server, key) = started(engine, "2026-12-20T10:00:00Z");
        laptop(&server, &key);
        let step = |path: &str| {
            let path = format!("years/2026/closing-steps/depreciation{path}");
            let step = post(&server, &key, &path, json!({}));
            (step["status"].clone(), cents(&step["amount"]))
        };
        assert_eq!(step(""), (json!("done"), 5_000));
        for (scheme, expected) in [("kor", 6_050), ("normal", 5_000), ("kor", 6_050)] {
            switched(&server, &key, scheme);
            assert_eq!(depreciated(&server, &key), (expected, json!("2026-12-31")));
            assert_eq!(step(""), (json!("done"), expected));
        }
        assert_eq!(step("/undo"), (json!("toDo"), 6_050));
        assert_eq!(balances(&server, &key, ["0210", "4500"]), [0, 0]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// An asset sold without VAT, or written off: its result is computed from the new book value,
    /// and the revision on the sale (art. 13a) from the VAT that is now deducted.
    fn a_disposal_without_vat_follows_a_switch(engine) {
        for (proceeds, revision) in [(500, 16_800), (0, 0)] {
            let (server, key) = started(engine, "2026-11-20T10:00:00Z");
            laptop(&server, &key);
            post(&server, &key, "assets/1/depreciate", json!({"until": "2026-11-30"}));
            let sale = json!({"date": "2026-11-30", "proceeds": proceeds, "vatRate": 0});
            server.clock.set("2026-12-01T10:00:00Z");
            post(&server, &key, "assets/1/dispose", sale);
            let state = |book_value: i64, vat: i64, revision: i64| {
                assert_eq!(
                    balances(&server, &key, ["0200", "0210", "4530", "1500", "4450"]),
                    [0, 0, book_value - proceeds * 100, vat - revision, revision]
                );
                let shown = server.get(&key, "/api/v1/assets/1").json()["vatRevision"].clone();
                let amount = if shown.is_null() { 0 } else { cents(&shown["amount"]) };
                assert_eq!(amount, revision);
            };
            state(96_667, 21_000, revision);
            for _ in 0..2 {
                switched(&server, &key, "kor");
                state(116_967, 0, 0);
                switched(&server, &key, "normal");
                state(96_667, 21_000, revision);
            }
            switched(&server, &key, "kor");
            post(&server, &key, "assets/1/depreciate/undo", json!({}));
            assert_eq!(depreciated(&server, &key), (4_033, json!("2026-11-30")));
        }
    }

    /// VAT on the document of a sale stands in the way of the scheme (art. 25a(4) Wet OB 1968).
    fn a_sale_of_an_asset_with_vat_stands_in_the_way(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        laptop(&server, &key);
        let sale = json!({"date": "2026-11-10", "proceeds": 500, "vatRate": 21});
        post(&server, &key, "assets/1/dispose", sale);
        let refused = switch(&server, &key, "kor");
        assert_eq!((refused.status, refused.code()), (409, "kor_has_taxed_invoices".into()));
        assert!(refused.text.contains("sold with VAT from that day on: 1"), "{}", refused.text);
        // The scheme can begin after the sale.
        let later = json!({"scheme": "kor", "from": "2027-01-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &later).status, 200);
        post(&server, &key, "assets/1/depreciate/undo", json!({}));
        switched(&server, &key, "kor");
        post(&server, &key, "assets/1/dispose", json!({"date": "2026-11-10", "proceeds": 500}));
        assert_eq!(balances(&server, &key, ["0200", "4530", "1500", "1700"]), [0, 71_000, 0, 0]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Private use is a supply only if VAT was deducted (art. 3(3)(a), 4(2)(a) Wet OB 1968), and
    /// exempt under the scheme (art. 25(1)).
    fn private_use_with_vat_stands_in_the_way(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let goods = |vat: i64| {
            json!({"date": "2026-11-10", "kind": "goods", "base": 100, "vat": vat})
        };
        let id = post(&server, &key, "private-use", goods(21))["id"].clone();
        let refused = switch(&server, &key, "kor");
        assert_eq!((refused.status, refused.code()), (409, "kor_has_taxed_invoices".into()));
        let detail = format!("booked with VAT from that day on: {id}");
        assert!(refused.text.contains(&detail), "{}", refused.text);
        post(&server, &key, &format!("private-use/{id}/undo"), json!({}));
        switched(&server, &key, "kor");
        post(&server, &key, "private-use", goods(0));
        assert_eq!(balances(&server, &key, ["1730", "8900", "0550"]), [0, -10_000, 10_000]);
        // Private use without VAT does not stand in the way.
        switched(&server, &key, "kor");
    }

    /// A purchase under the scheme gives no right to deduct, so nothing is repaid after a year
    /// (art. 29(7)) or deducted again on payment (art. 29(8)).
    fn vat_repaid_on_an_unpaid_bill_follows_a_switch(engine) {
        for paid in [false, true] {
            let (server, key) = started(engine, "2026-12-20T10:00:00Z");
            let bill = json!({"date": "2026-10-05", "description": "Licence",
                "paidFrom": "unpaid",
                "items": [{"category": "4110", "amount": 1000, "vatRate": 21}]});
            post(&server, &key, "expenses", bill);
            post(&server, &key, "expenses/1/vat-repayment", json!({"date": "2026-11-10"}));
            assert_eq!(balances(&server, &key, ["1500", "4450"]), [0, 21_000]);
            let pay = |amount: i64| {
                let payment = json!({"date": "2026-12-10", "amount": amount, "method": "bank"});
                cents(&post(&server, &key, "expenses/1/payments", payment)["vatRecovered"])
            };
            if paid {
                assert_eq!(pay(605), 10_500);
            }
            let state = |vat: i64, cost: i64| {
                assert_eq!(balances(&server, &key, ["1500", "4450", "4110"]), [vat, 0, cost]);
                let bill = server.get(&key, "/api/v1/expenses/1").json();
                assert_eq!((cents(&bill["vatDeductible"]), cents(&bill["vatRepaid"])), (vat, 0));
            };
            switched(&server, &key, "kor");
            state(0, 121_000);
            assert_eq!(pay(if paid { 405 } else { 1_010 }), 0);
            state(0, 121_000);
            // Once the scheme ends, the VAT is deducted and the duty to repay it begins again.
            switched(&server, &key, "normal");
            state(21_000, 100_000);
            post(&server, &key, "expenses/1/vat-repayment", json!({"date": "2026-12-11"}));
            // 200.00 of 1 210.00 is unpaid.
            assert_eq!(balances(&server, &key, ["1500", "4450"]), [17_529, 3_471]);
            assert_eq!(pay(200), 3_471);
            switched(&server, &key, "kor");
            state(0, 121_000);
            // Undoing a payment deducts nothing either.
            let payments = if paid { 3 } else { 2 };
            post(&server, &key, &format!("expenses/1/payments/{payments}/undo"), json!({}));
            state(0, 121_000);
            post(&server, &key, "expenses/1/undo", json!({}));
            assert_eq!(balances(&server, &key, ["1500", "4450", "4110", "1600"]), [0; 4]);
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
    }
}
