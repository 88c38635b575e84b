//! The chart of accounts over the API: own accounts, and the bookings that use them.

use crate::{
    help::patch,
    purchases::expenses::{postings, started},
};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const ACCOUNTS: &str = "/api/v1/ledger-accounts";

fn add(server: &Server, key: &str, code: &str, rgs: &str) -> Reply {
    let body = json!({"code": code, "name": format!("Own {code}"), "rgsCode": rgs});
    server.post(key, ACCOUNTS, &body)
}

/// Adds an account of each class.
fn some(server: &Server, key: &str) {
    for (code, rgs) in [
        ("0250", "BMvaBeiVvp"),
        ("0260", "BMvaBeiCae"),
        ("4105", "WBedKanOka"),
        ("4505", "WAfsAmvBei"),
        ("8105", "WOmzNodOdh"),
    ] {
        let reply = add(server, key, code, rgs);
        assert_eq!(reply.status, 201, "{}", reply.text);
    }
    let excluded =
        json!({"code": "4106", "name": "Tickets", "rgsCode": "WBedVkkRep", "vatDeductible": false});
    assert_eq!(server.post(key, ACCOUNTS, &excluded).status, 201);
}

/// Books with a POST, and returns the postings of the entry with this id.
fn booked(server: &Server, key: &str, path: &str, body: &Value, entry: i64) -> Vec<String> {
    let reply = server.post(key, path, body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    postings(server, key, &json!(entry))
}

fn fault(path: &str, code: &str) -> (String, String) {
    (path.to_owned(), code.to_owned())
}

on_both_engines! {
    fn an_own_account_is_added_renamed_hidden_and_shown(engine) {
        let (server, key) = started(engine);
        let reply = add(&server, &key, "4105", "WBedKanOka");
        assert_eq!(reply.status, 201, "{}", reply.text);
        let location = format!("http://{}{ACCOUNTS}/4105", server.address);
        assert_eq!(reply.header("location"), Some(location.as_str()));
        let account = json!({
            "code": "4105", "name": "Own 4105", "rgsCode": "WBedKanOka", "class": "cost", "origin": "own",
            "hidden": false, "bookable": true, "vatDeductible": true, "balance": 0.0,
        });
        assert_eq!(reply.json(), account);
        assert_eq!(server.get(&key, &format!("{ACCOUNTS}/4105")).json(), account);
        // The list has the accounts of the program too, in order of code.
        let list = server.get(&key, &format!("{ACCOUNTS}?limit=500")).json();
        let rows = list["data"].as_array().unwrap();
        assert_eq!(rows.len(), ledger::chart::CHART.len() + 1);
        let codes: Vec<&str> = rows.iter().map(|row| row["code"].as_str().unwrap()).collect();
        assert!(codes.is_sorted() && codes.contains(&"4105"));
        let receivables = rows.iter().find(|row| row["code"] == "1300").unwrap();
        let of_program = json!({
            "code": "1300", "name": "Trade receivables", "rgsCode": "BVorDebHad", "class": "asset",
            "origin": "program", "hidden": false, "bookable": false, "vatDeductible": true, "balance": 0.0,
        });
        assert_eq!(*receivables, of_program);
        let meals = rows.iter().find(|row| row["code"] == "4315").unwrap();
        assert_eq!(meals["vatDeductible"], json!(false));
        // Name and visibility can change, also with a precondition.
        let path = format!("{ACCOUNTS}/4105");
        let changed = |body: &Value| {
            let reply = patch(&server, &key, &path, &[], body);
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()
        };
        assert_eq!(changed(&json!({"name": "Postage"}))["name"], json!("Postage"));
        let hidden = changed(&json!({"hidden": true}));
        assert_eq!((&hidden["hidden"], &hidden["name"]), (&json!(true), &json!("Postage")));
        assert_eq!(changed(&json!({"hidden": false}))["hidden"], json!(false));
        let outdated =
            patch(&server, &key, &path, &["\"0000\""], &json!({"name": "X"}));
        assert_eq!(outdated.status, 412, "{}", outdated.text);
        // The program's accounts cannot be changed, and others do not exist.
        let refused = patch(&server, &key, &format!("{ACCOUNTS}/8000"), &[], &json!({"name": "X"}));
        assert_eq!((refused.status, refused.code()), (409, "account_in_use".into()));
        for code in ["4107", "41050", "x"] {
            let unknown =
                patch(&server, &key, &format!("{ACCOUNTS}/{code}"), &[], &json!({"name": "X"}));
            assert_eq!(unknown.status, 404, "{code}");
        }
        // An account with a balance stays visible; without one it can be hidden.
        let postage = |debit: &str, credit: &str| json!({
            "date": "2026-03-10", "description": "Stamps",
            "lines": [{"account": debit, "debit": 10}, {"account": credit, "credit": 10}],
        });
        assert_eq!(
            booked(&server, &key, "/api/v1/manual-entries", &postage("4105", "1100"), 1),
            ["4105 D 1000", "1100 C 1000"]
        );
        assert_eq!(server.get(&key, &path).json()["balance"], json!(10.0));
        let refused = patch(&server, &key, &path, &[], &json!({"hidden": true}));
        assert_eq!((refused.status, refused.code()), (409, "account_in_use".into()));
        booked(&server, &key, "/api/v1/manual-entries", &postage("4100", "4105"), 2);
        assert_eq!(changed(&json!({"hidden": true}))["hidden"], json!(true));
        let entry = server.get(&key, "/api/v1/entries/1").json();
        assert_eq!(
            (&entry["lines"][0]["accountName"], &entry["lines"][0]["rgsCode"]),
            (&json!("Postage"), &json!("WBedKanOka"))
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_account_that_does_not_fit_the_chart_is_refused_at_its_field(engine) {
        let (server, key) = started(engine);
        assert_eq!(add(&server, &key, "4105", "WBedKanOka").status, 201);
        for (code, rgs, path, expected) in [
            ("4105", "WBedKanOka", "/code", "taken"),
            ("4100", "WBedKanOka", "/code", "taken"),
            ("0500", "BEivKapOnd", "/code", "reserved_account"),
            ("1139", "BLimBanRba", "/code", "reserved_account"),
            ("1300", "BVorDebHad", "/code", "reserved_account"),
            ("1529", "BSchBepBtwVoo", "/code", "reserved_account"),
            ("1640", "BSchTusTov", "/code", "reserved_account"),
            ("1799", "BSchBepBtwOla", "/code", "reserved_account"),
            ("8105", "WBedKanOka", "/code", "out_of_range"),
            ("4106", "BMvaBeiVvp", "/code", "out_of_range"),
            ("2000", "BMvaBeiVvp", "/code", "out_of_range"),
            ("410", "WBedKanOka", "/code", "invalid_format"),
            ("41O6", "WBedKanOka", "/code", "invalid_format"),
            ("4106", "WBedKanXxx", "/rgsCode", "unknown_rgs_code"),
            ("4106", "WBedKan", "/rgsCode", "unknown_rgs_code"),
        ] {
            let refused = add(&server, &key, code, rgs);
            assert_eq!(refused.status, 422, "{code} {rgs}: {}", refused.text);
            assert_eq!(refused.faults(), [fault(path, expected)], "{code} {rgs}");
        }
        let empty = server.post(&key, ACCOUNTS, &json!({}));
        assert_eq!(
            empty.faults(),
            [fault("/code", "required"), fault("/name", "required"), fault("/rgsCode", "required")]
        );
        // 199 more are possible.
        for number in 4_700..4_899 {
            let reply = add(&server, &key, &number.to_string(), "WBedKanOka");
            assert_eq!(reply.status, 201, "{}", reply.text);
        }
        assert_eq!(add(&server, &key, "4899", "WBedKanOka").faults(), [fault("/code", "too_many")]);
        // Nobody else has these accounts.
        let other = server.account("bert@example.com");
        assert_eq!(server.get(&other, &format!("{ACCOUNTS}/4105")).status, 404);
        assert_eq!(add(&server, &other, "4105", "WOmzNodOdh").faults(), [fault("/code", "out_of_range")]);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    // Long: a booking of each kind.
    fn own_accounts_are_used_wherever_accounts_are(engine) {
        let (server, key) = started(engine);
        some(&server, &key);
        // A purchase; on 4106 the VAT is a cost.
        let bought = |category: &str| json!({
            "date": "2026-03-10", "supplier": "Shop", "items": [{"category": category, "amount": 100, "vatRate": 21}],
        });
        assert_eq!(
            booked(&server, &key, "/api/v1/expenses", &bought("4105"), 1),
            ["4105 D 10000", "1500 D 2100 5b", "1100 C 12100"]
        );
        assert_eq!(
            booked(&server, &key, "/api/v1/expenses", &bought("4106"), 2),
            ["4106 D 12100", "1100 C 12100"]
        );
        // Revenue of a line; the box is that of its rate: 21 % of 150.00 is 31.50.
        let sold = json!({
            "status": "sent", "invoiceDate": "2026-03-12", "customer": {"name": "K"},
            "items": [{"description": "a", "unitPrice": 100, "vatRate": 21},
                      {"description": "b", "unitPrice": 50, "vatRate": 21, "account": "8105"}],
        });
        let sale = ["1300 D 18150", "8000 C 10000 1a", "8105 C 5000 1a", "1700 C 3150 1a"];
        assert_eq!(booked(&server, &key, "/api/v1/invoices", &sold, 3), sale);
        let items = server.get(&key, "/api/v1/invoices/1").json()["items"].clone();
        assert_eq!((&items[0]["account"], &items[1]["account"]), (&Value::Null, &json!("8105")));
        // A credit note takes the revenue back from the same accounts.
        let credit = ["1300 C 18150", "8000 D 10000 1a", "8105 D 5000 1a", "1700 D 3150 1a"];
        assert_eq!(
            booked(&server, &key, "/api/v1/invoices/1/credit-notes", &json!({}), 4),
            credit
        );
        // With prices including VAT: 21/121 of 121.00.
        let gross = json!({
            "status": "sent", "invoiceDate": "2026-03-13", "customer": {"name": "K"}, "pricesIncludeVat": true,
            "items": [{"description": "c", "unitPrice": 121, "vatRate": 21, "account": "8105"}],
        });
        assert_eq!(
            booked(&server, &key, "/api/v1/invoices", &gross, 5),
            ["1300 D 12100", "8105 C 10000 1a", "1700 C 2100 1a"]
        );
        // An asset: 1 200.00 over five years is 240.00 a year.
        let asset = json!({
            "date": "2026-01-15", "description": "Bench", "cost": 1200, "account": "0250",
            "accumulatedAccount": "0260", "depreciationAccount": "4505",
        });
        assert_eq!(
            booked(&server, &key, "/api/v1/assets", &asset, 6),
            ["0250 D 120000", "1500 D 25200 5b", "1100 C 145200"]
        );
        let until = json!({"until": "2026-12-31"});
        assert_eq!(server.post(&key, "/api/v1/assets/1/depreciate", &until).status, 200);
        assert_eq!(postings(&server, &key, &json!(7)), ["4505 D 24000", "0260 C 24000"]);
        // An accrual, and a manual entry.
        let accrual = json!({
            "date": "2026-12-31", "kind": "workToInvoice", "account": "8105", "amount": 75, "reverseOn": "2027-01-01",
        });
        assert_eq!(
            booked(&server, &key, "/api/v1/accruals", &accrual, 8),
            ["1320 D 7500", "8105 C 7500"]
        );
        // The summary has the accounts by their class: revenue 100.00 + 75.00; costs 100.00 + 121.00
        // + 240.00; accumulated depreciation is deducted from the assets.
        let summary = server.get(&key, "/api/v1/summary/2026").json();
        let amounts = |list: &Value| -> Vec<(String, Value)> {
            let rows = list.as_array().unwrap().iter();
            rows.map(|row| (row["accountCode"].as_str().unwrap().to_owned(), row["amount"].clone()))
                .collect()
        };
        assert_eq!(amounts(&summary["revenueByAccount"]), [("8105".into(), json!(175.0))]);
        assert_eq!(
            amounts(&summary["costsByAccount"]),
            [
                ("4105".into(), json!(100.0)),
                ("4106".into(), json!(121.0)),
                ("4505".into(), json!(240.0)),
            ]
        );
        let assets = amounts(&summary["balanceSheet"]["assets"]);
        assert_eq!(assets[..2], [("0250".into(), json!(1200.0)), ("0260".into(), json!(-240.0))]);
        assert_eq!(summary["revenueByAccount"][0]["accountName"], json!("Own 8105"));
        // Entries are found by account, and the audit file has the account.
        let found = server.get(&key, "/api/v1/entries?year=2026&accountCode=8105").json();
        assert_eq!(found["data"].as_array().unwrap().len(), 4);
        let unknown = server.get(&key, "/api/v1/entries?year=2026&accountCode=8106");
        assert_eq!(unknown.faults(), [fault("accountCode", "unknown_value")]);
        let file = server.get(&key, "/api/v1/audit-files/2026").text;
        for part in ["<accID>8105</accID>", "Own 8105", "<accID>0260</accID>"] {
            assert!(file.contains(part), "{part}");
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn an_account_of_another_class_or_unknown_is_refused_where_it_is_named(engine) {
        let (server, key) = started(engine);
        some(&server, &key);
        let item = |code: &str| json!({"description": "a", "unitPrice": 100, "vatRate": 21, "account": code});
        let asset = |name: &str, code: &str| {
            let mut asset = json!({"date": "2026-01-15", "description": "Bench", "cost": 1200});
            asset[name] = json!(code);
            asset
        };
        for code in ["4999", "8105", "x"] {
            for (path, body, at) in [
                ("expenses", json!({"date": "2026-03-10", "description": "x", "items": [{"category": code, "amount": 1, "vatRate": 21}]}), "/items/0/category"),
                ("accruals", json!({"date": "2026-12-31", "kind": "accruedCost", "account": code, "amount": 75, "reverseOn": "2027-01-01"}), "/account"),
                ("assets", asset("account", code), "/account"),
                ("assets", asset("accumulatedAccount", code), "/accumulatedAccount"),
                ("assets", asset("depreciationAccount", code), "/depreciationAccount"),
            ] {
                let refused = server.post(&key, &format!("/api/v1/{path}"), &body);
                assert_eq!(refused.faults(), [fault(at, "unknown_value")], "{path} {code} {}", refused.text);
            }
        }
        for code in ["8999", "4105", "8900"] {
            let sale = json!({"status": "sent", "customer": {"name": "K"}, "items": [item("8105"), item(code)]});
            let refused = server.post(&key, "/api/v1/invoices", &sale);
            assert_eq!(refused.faults(), [fault("/items/1/account", "unknown_value")], "{code}");
        }
        let lines = json!([{"account": "4999", "debit": 1}, {"account": "1100", "credit": 1}]);
        let entry = json!({"date": "2026-03-10", "description": "x", "lines": lines});
        assert_eq!(
            server.post(&key, "/api/v1/manual-entries", &entry).faults(),
            [fault("/lines/0/account", "unknown_value")]
        );
        let opening = json!({"date": "2026-01-01", "balances": [{"account": "0250", "amount": 5}, {"account": "0999", "amount": 1}]});
        assert_eq!(
            server.post(&key, "/api/v1/opening-balance", &opening).faults(),
            [fault("/balances/1/account", "unknown_value")]
        );
        // Nothing was booked.
        assert_eq!(server.get(&key, "/api/v1/entries?year=2026").json()["data"], json!([]));
        let opening = json!({"date": "2026-01-01", "balances": [{"account": "0250", "amount": 500}, {"account": "0260", "amount": -200}]});
        assert_eq!(
            booked(&server, &key, "/api/v1/opening-balance", &opening, 1),
            ["0250 D 50000", "0260 C 20000", "0500 C 30000"]
        );
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    /// At most 10 % a year (art. 3.30(2) Wet IB 2001).
    fn goodwill_is_depreciated_in_at_least_ten_years(engine) {
        let (server, key) = started(engine);
        assert_eq!(add(&server, &key, "0150", "BIvaGooVvp").status, 201);
        let asset = |years: Option<i64>| {
            let mut asset = json!({"date": "2026-01-15", "description": "Practice", "cost": 10000, "account": "0150"});
            if let Some(years) = years {
                asset["lifeYears"] = json!(years);
            }
            server.post(&key, "/api/v1/assets", &asset)
        };
        let short = asset(Some(9));
        assert_eq!(short.faults(), [fault("/lifeYears", "out_of_range")]);
        assert!(short.text.contains("10"), "{}", short.text);
        let bought = asset(None);
        assert_eq!((bought.status, &bought.json()["lifeYears"]), (201, &json!(10)), "{}", bought.text);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
