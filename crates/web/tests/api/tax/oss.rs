//! Union scheme (OSS): registration, turnover, invoices with VAT of other countries, and returns.

use super::filing_and_paying::filing_key;
use crate::help::cents;
use serde_json::{Value, json};
use store::{accounts::Plan, keys::Scopes};
use testing::{Engine, Reply, Server, on_both_engines};

pub(super) const EMAIL: &str = "anna@example.com";

pub(super) fn started(engine: Engine) -> (Server, String) {
    let server = Server::start(engine);
    server.account_of(EMAIL, "NL", Plan::Starter);
    let key = filing_key(&server, Scopes { read: true, write: true, file: true });
    server.clock.set("2026-11-20T11:00:00Z");
    (server, key)
}

pub(super) fn act(server: &Server, key: &str, path: &str) -> Reply {
    server.send("POST", &format!("/api/v1/{path}"), &[("x-api-key", key)], None)
}

pub(super) fn read(server: &Server, key: &str, path: &str) -> Value {
    let reply = server.get(key, &format!("/api/v1/{path}"));
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()
}

pub(super) fn made(server: &Server, key: &str, path: &str, body: &Value) -> Value {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    assert!([200, 201].contains(&reply.status), "{path}: {}", reply.text);
    reply.json()
}

/// Code of a refusal, and the pointers of its faults.
pub(super) fn refused(
    server: &Server,
    key: &str,
    path: &str,
    body: &Value,
) -> (u16, String, Vec<String>) {
    let reply = server.post(key, &format!("/api/v1/{path}"), body);
    let json = reply.json();
    let faults = json["errors"].as_array().cloned().unwrap_or_default();
    let described = |fault: &Value| {
        format!("{} {}", fault["pointer"].as_str().unwrap(), fault["code"].as_str().unwrap())
    };
    (reply.status, reply.code(), faults.iter().map(described).collect())
}

pub(super) fn registered(server: &Server, key: &str, from: &str) {
    made(server, key, "oss", &json!({"from": from, "ground": "choice"}));
}

/// An invoice of one line of 1.00 times `euros` to a consumer.
pub(super) fn sale(country: &str, day: &str, euros: i64, line: &Value) -> Value {
    let mut item = json!({"description": "Book", "quantity": euros, "unitPrice": 1});
    item.as_object_mut().unwrap().extend(line.as_object().unwrap().clone());
    json!({
        "invoiceDate": day, "supplyDate": day, "status": "sent",
        "customer": {"name": format!("Consumer in {country}"), "country": country},
        "items": [item],
    })
}

fn warnings(invoice: &Value) -> Vec<&str> {
    let all = invoice["warnings"].as_array().unwrap().iter();
    all.map(|warning| warning["code"].as_str().unwrap())
        .filter(|code| code.starts_with("oss_") || *code == "consumer_abroad")
        .collect()
}

/// Postings of an invoice: account, debit less credit in cents, and box.
fn postings(server: &Server, key: &str, invoice: &Value) -> Vec<(String, i64, Value)> {
    let entry = read(server, key, &format!("entries/{}", invoice["entryIds"][0]));
    let postings = entry["lines"].as_array().unwrap().iter();
    let posting = |posting: &Value| {
        let amount = cents(&posting["debit"]) - cents(&posting["credit"]);
        (posting["accountCode"].as_str().unwrap().to_owned(), amount, posting["vatBox"].clone())
    };
    postings.map(posting).collect()
}

on_both_engines! {
    fn goods_and_electronic_services_to_consumers_count_towards_10_000(engine) {
        let (server, key) = started(engine);
        let oss = read(&server, &key, "oss");
        assert_eq!(oss["threshold"], 10_000.0);
        assert_eq!(oss["registrations"], json!([]));
        assert_eq!(oss["obligedFrom"], Value::Null);
        let goods = json!({"vatRate": 21, "supply": "goods"});
        let first = made(&server, &key, "invoices", &sale("DE", "2026-10-05", 7_999, &goods));
        assert_eq!(warnings(&first), Vec::<&str>::new());
        // Exactly 80 % warns.
        let electronic = json!({"vatRate": 21, "supply": "electronic"});
        let second = made(&server, &key, "invoices", &sale("FR", "2026-10-06", 1, &electronic));
        assert_eq!(warnings(&second), ["oss_limit_near"]);
        assert!(second["warnings"].to_string().contains("2000.00 euros remain"), "{}", second["warnings"]);
        // Not counted: services, a Dutch customer, a business, and what was handed over here.
        let services = made(&server, &key, "invoices", &sale("DE", "2026-10-07", 5_000, &json!({"vatRate": 21})));
        assert_eq!(warnings(&services), ["consumer_abroad"]);
        made(&server, &key, "invoices", &sale("NL", "2026-10-07", 5_000, &goods));
        let mut business = sale("DE", "2026-10-07", 5_000, &json!({"vatRate": 0, "supply": "goods"}));
        business["customer"]["vatNumber"] = json!("DE123456789");
        made(&server, &key, "invoices", &business);
        let here = json!({"vatRate": 21, "supply": "goods", "taxCountry": "NL"});
        let here = made(&server, &key, "invoices", &sale("DE", "2026-10-07", 5_000, &here));
        assert_eq!((warnings(&here), &here["items"][0]["taxCountry"]), (vec![], &json!("NL")));
        assert_eq!(here["vat"][0]["box"], "1a");
        // Exactly 10 000 does not pass.
        made(&server, &key, "invoices", &sale("DE", "2026-10-08", 2_000, &goods));
        let oss = read(&server, &key, "oss");
        assert_eq!(oss["years"][0], json!({"year": 2026, "counted": 10_000.0, "passedBy": null}));
        assert_eq!((&oss["years"][1]["year"], &oss["obligedFrom"]), (&json!(2025), &Value::Null));
        let passing = made(&server, &key, "invoices", &sale("BE", "2026-11-10", 1, &goods));
        assert_eq!(warnings(&passing), ["oss_limit_passed"]);
        let oss = read(&server, &key, "oss");
        assert_eq!(oss["years"][0]["passedBy"], json!({"invoiceId": passing["id"], "date": "2026-11-10"}));
        assert_eq!(oss["obligedFrom"], "2026-11-10");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_registration_begins_with_a_quarter_or_with_the_supply_that_passed(engine) {
        let (server, key) = started(engine);
        let register = |body: &Value| refused(&server, &key, "oss", body);
        let cases = [
            (json!({"from": "2026-11-01", "ground": "choice"}), "/from out_of_range"),
            (json!({"from": "2026-11-10", "ground": "limit"}), "/from out_of_range"),
            (json!({"from": "2026-10-01", "ground": "choice", "until": "2027-12-30"}), "/until out_of_range"),
            (json!({"from": "2026-10-01", "ground": "no"}), "/ground unknown_value"),
            (json!({"ground": "choice"}), "/from required"),
        ];
        for (body, fault) in cases {
            let (status, _, faults) = register(&body);
            assert_eq!((status, faults), (422, vec![fault.to_owned()]), "{body}");
        }
        let goods = json!({"vatRate": 21, "supply": "goods"});
        made(&server, &key, "invoices", &sale("DE", "2026-11-10", 10_001, &goods));
        let early = register(&json!({"from": "2026-11-09", "ground": "limit"}));
        assert_eq!(early.2, ["/from out_of_range"]);
        made(&server, &key, "oss", &json!({"from": "2026-11-10", "ground": "limit"}));
        // The same first day replaces the registration.
        let again = json!({"from": "2026-11-10", "ground": "limit", "until": "2027-12-31"});
        let oss = made(&server, &key, "oss", &again);
        assert_eq!(oss["registrations"].as_array().unwrap().len(), 1);
        assert_eq!(oss["registrations"][0]["until"], "2027-12-31");
    }

    fn an_invoice_charges_the_vat_of_the_country_in_no_dutch_box(engine) {
        let (server, key) = started(engine);
        let oss = json!({"vatCategory": "oss", "vatRate": 19, "supply": "goods"});
        let early = refused(&server, &key, "invoices", &sale("DE", "2026-11-10", 1000, &oss));
        assert_eq!((early.0, early.1.as_str()), (409, "oss_not_registered"));
        registered(&server, &key, "2026-10-01");
        let before = refused(&server, &key, "invoices", &sale("DE", "2026-09-30", 1000, &oss));
        assert_eq!((before.0, before.1.as_str()), (409, "oss_not_registered"));
        // The default is the Union scheme at the standard rate: 19 % of 1 000 is 190.
        let goods = json!({"supply": "goods"});
        let sold = made(&server, &key, "invoices", &sale("DE", "2026-11-10", 1000, &goods));
        assert_eq!((&sold["total"], &sold["vatTotal"]), (&json!(1190.0), &json!(190.0)));
        let item = &sold["items"][0];
        assert_eq!((&item["vatCategory"], &item["vatRate"], &item["taxCountry"]), (&json!("oss"), &json!(19), &json!("DE")));
        assert_eq!(sold["vat"], json!([{"rate": 19, "category": "oss", "exemption": null, "supply": "goods", "taxCountry": "DE",
            "base": 1000.0, "amount": 190.0, "box": null}]));
        assert_eq!(warnings(&sold), Vec::<&str>::new());
        assert_eq!(postings(&server, &key, &sold), [
            ("1300".to_owned(), 119_000, Value::Null),
            ("8057".to_owned(), -100_000, Value::Null),
            ("1725".to_owned(), -19_000, Value::Null),
        ]);
        // Rates with decimals: 25.5 % of 200 is 51; and 27 % within 127 is 27.
        let finnish = made(&server, &key, "invoices", &sale("FI", "2026-11-10", 200, &json!({"supply": "electronic", "vatRate": 25.5})));
        assert_eq!((&finnish["vatTotal"], &finnish["items"][0]["vatRate"]), (&json!(51.0), &json!(25.5)));
        let mut gross = sale("HU", "2026-11-10", 127, &goods);
        gross["pricesIncludeVat"] = json!(true);
        let gross = made(&server, &key, "invoices", &gross);
        assert_eq!((&gross["total"], &gross["subtotal"], &gross["vatTotal"]), (&json!(127.0), &json!(100.0), &json!(27.0)));
        // Nothing is in the Dutch return.
        let boxes = read(&server, &key, "vat-filings/2026/4")["boxes"].clone();
        for row in boxes.as_array().unwrap() {
            assert!([json!(0.0), json!(0), Value::Null].contains(&row["turnover"]), "{row}");
            assert!([json!(0.0), json!(0), Value::Null].contains(&row["vat"]), "{row}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn services_taxed_elsewhere_name_their_country(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-10-01");
        // Work on a house in Belgium, for a Dutch customer (art. 6b): 21 % of 100.
        let work = json!({"vatCategory": "oss", "taxCountry": "BE", "supply": "services"});
        let belgian = made(&server, &key, "invoices", &sale("NL", "2026-11-10", 100, &work));
        assert_eq!(belgian["vat"][0]["taxCountry"], "BE");
        assert_eq!(belgian["vatTotal"], 21.0);
        // Services are not declared by default.
        let own = made(&server, &key, "invoices", &sale("DE", "2026-11-10", 100, &json!({"vatRate": 21})));
        assert_eq!(own["items"][0]["vatCategory"], "standard");
        let rows = read(&server, &key, "oss-returns/2026-Q4")["rows"].clone();
        assert_eq!(rows, json!([{"country": "BE", "supply": "services", "from": "NL", "rateType": "standard", "rate": 21, "base": 100.0, "vat": 21.0}]));
        assert_eq!(read(&server, &key, "oss")["years"][0]["counted"], 0.0);
    }

    fn what_does_not_fit_is_refused_where_it_stands(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-10-01");
        let day = "2026-11-10";
        let cases = [
            ("DE", json!({"vatCategory": "oss", "vatRate": 21, "supply": "goods"}), "/items/0/vatRate unknown_vat_rate"),
            ("DE", json!({"vatRate": 21, "supply": "goods"}), "/items/0/vatRate unknown_vat_rate"),
            ("DE", json!({"vatCategory": "oss", "vatRate": 100, "supply": "goods"}), "/items/0/vatRate unknown_vat_rate"),
            ("DE", json!({"vatCategory": "oss", "taxCountry": "XX", "supply": "goods"}), "/items/0/taxCountry unknown_value"),
            ("DE", json!({"vatCategory": "oss", "taxCountry": "US", "supply": "goods"}), "/items/0/taxCountry unknown_value"),
            ("DE", json!({"vatCategory": "oss", "taxCountry": "NL", "supply": "goods"}), "/items/0/taxCountry conflicting_fields"),
            ("DE", json!({"vatCategory": "standard", "taxCountry": "DE", "vatRate": 21}), "/items/0/taxCountry conflicting_fields"),
            ("US", json!({"vatCategory": "oss", "supply": "goods"}), "/items/0/taxCountry required"),
            ("NL", json!({"vatRate": 19}), "/items/0/vatRate unknown_vat_rate"),
        ];
        for (country, line, fault) in cases {
            let (status, _, faults) = refused(&server, &key, "invoices", &sale(country, day, 10, &line));
            assert_eq!((status, faults), (422, vec![fault.to_owned()]), "{country} {line}");
        }
        let mut business = sale("DE", day, 10, &json!({"vatCategory": "oss", "supply": "goods"}));
        business["customer"]["vatNumber"] = json!("DE123456789");
        let (status, _, faults) = refused(&server, &key, "invoices", &business);
        assert_eq!((status, faults), (422, vec!["/items/0/vatCategory conflicting_fields".to_owned()]));
        assert_eq!(read(&server, &key, "invoices")["data"], json!([]));
    }

    fn a_return_is_filed_corrected_paid_and_reopened(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-07-01");
        let goods = json!({"supply": "goods"});
        let july = made(&server, &key, "invoices", &sale("DE", "2026-07-10", 1000, &goods));
        made(&server, &key, "invoices", &sale("DE", "2026-08-10", 100, &json!({"supply": "goods", "vatRate": 7})));
        // A credit of the same quarter is less in the rows; one of a later quarter is a correction.
        let credit = |date: &str, quantity: i64| json!({"date": date, "items": [{"description": "Book", "quantity": quantity, "unitPrice": 1, "vatRate": 19}]});
        let path = format!("invoices/{}/credit-notes", july["id"]);
        made(&server, &key, &path, &credit("2026-09-30", 100));
        made(&server, &key, &path, &credit("2026-10-01", 200));
        let third = read(&server, &key, "oss-returns/2026-Q3");
        assert_eq!(third["dueDate"], "2026-10-31");
        assert_eq!(third["rows"], json!([
            {"country": "DE", "supply": "goods", "from": "NL", "rateType": "standard", "rate": 19, "base": 900.0, "vat": 171.0},
            {"country": "DE", "supply": "goods", "from": "NL", "rateType": "reduced", "rate": 7, "base": 100.0, "vat": 7.0},
        ]));
        assert_eq!((&third["payable"], &third["corrections"]), (&json!(178.0), &json!([])));
        let fourth = read(&server, &key, "oss-returns/2026-Q4");
        assert_eq!(fourth["corrections"], json!([{"period": "2026-Q3", "country": "DE", "vat": -38.0}]));
        assert_eq!(fourth["perCountry"], json!([{"country": "DE", "supplies": 0.0, "corrections": -38.0, "vat": -38.0}]));
        assert_eq!(fourth["payable"], 0.0);
        let early = act(&server, &key, "oss-returns/2026-Q4/file");
        assert_eq!((early.status, early.code().as_str()), (409, "period_not_over"));
        let filed = act(&server, &key, "oss-returns/2026-Q3/file");
        assert_eq!((filed.status, &filed.json()["status"]), (200, &json!("filed")), "{}", filed.text);
        let again = act(&server, &key, "oss-returns/2026-Q3/file");
        assert_eq!((again.status, again.code().as_str()), (409, "period_filed"));
        // What falls into a filed quarter is a correction of the next return: 19 % of 10.
        made(&server, &key, "invoices", &sale("DE", "2026-09-20", 10, &goods));
        assert_eq!(read(&server, &key, "oss-returns/2026-Q3")["payable"], 178.0);
        let fourth = read(&server, &key, "oss-returns/2026-Q4");
        assert_eq!(fourth["corrections"], json!([{"period": "2026-Q3", "country": "DE", "vat": -36.1}]));
        // A registration cannot change a filed quarter.
        let end = refused(&server, &key, "oss", &json!({"from": "2026-04-01", "ground": "choice", "until": "2027-12-31"}));
        assert_eq!(end.0, 200, "an earlier quarter has no filed return");
        let paid = json!({"date": "2026-10-30", "amount": 178, "ossPeriod": "2026-Q3"});
        let payment = made(&server, &key, "vat-payments", &paid);
        assert_eq!((&payment["ossPeriod"], &payment["vatPeriodId"]), (&json!("2026-Q3"), &Value::Null));
        let entry = read(&server, &key, &format!("entries/{}", payment["entryId"]));
        assert_eq!((&entry["lines"][0]["accountCode"], &entry["lines"][0]["debit"]), (&json!("1725"), &json!(178.0)));
        let both = refused(&server, &key, "vat-payments", &json!({"date": "2026-10-30", "amount": 1, "ossPeriod": "2026-Q3", "vatPeriod": "2026-Q3"}));
        assert_eq!(both.2, ["/ossPeriod conflicting_fields"]);
        let month = refused(&server, &key, "vat-payments", &json!({"date": "2026-10-30", "amount": 1, "ossPeriod": "2026-10"}));
        assert_eq!(month.2, ["/ossPeriod invalid_format"]);
        assert_eq!(act(&server, &key, "oss-returns/2026-Q3/reopen").status, 200);
        let reopened = read(&server, &key, "oss-returns/2026-Q3");
        // 900 + 10 at 19 % is 172.90, and 7.00.
        assert_eq!((&reopened["payable"], &reopened["versions"][0]["payable"]), (&json!(179.9), &json!(178.0)));
        let again = act(&server, &key, "oss-returns/2026-Q3/reopen");
        assert_eq!((again.status, again.code().as_str()), (409, "period_not_filed"));
        for path in ["2026-Q1", "2026-07", "2026", "no"] {
            assert_eq!(server.get(&key, &format!("/api/v1/oss-returns/{path}")).status, 404, "{path}");
        }
        let periods: Vec<Value> = read(&server, &key, "oss-returns?status=open")["data"].as_array().unwrap().iter()
            .map(|row| row["period"].clone()).collect();
        assert_eq!(periods, [json!("2026-Q4"), json!("2026-Q3"), json!("2026-Q2")]);
        let changes = read(&server, &key, "changes?types=ossReturn");
        assert_eq!((&changes["data"][0]["period"], &changes["data"][0]["id"]), (&json!("2026-Q3"), &json!(20_263)));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_registration_that_would_change_a_filed_quarter_is_refused(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-07-01");
        // A return without supplies must be filed too.
        let filed = act(&server, &key, "oss-returns/2026-Q3/file");
        assert_eq!((filed.status, &filed.json()["nothingToDeclare"]), (200, &json!(true)), "{}", filed.text);
        registered(&server, &key, "2026-10-01");
        server.clock.set("2028-02-01T11:00:00Z");
        for quarter in ["2026-Q4", "2027-Q1", "2027-Q2", "2027-Q3", "2027-Q4"] {
            assert_eq!(act(&server, &key, &format!("oss-returns/{quarter}/file")).status, 200, "{quarter}");
        }
        made(&server, &key, "oss", &json!({"from": "2026-10-01", "ground": "choice", "until": "2027-12-31"}));
        let (status, code, _) = refused(&server, &key, "oss", &json!({"from": "2026-04-01", "ground": "choice"}));
        assert_eq!((status, code.as_str()), (200, ""), "no filed quarter changes");
        assert_eq!(act(&server, &key, "oss-returns/2027-Q4/reopen").status, 200);
        made(&server, &key, "oss", &json!({"from": "2026-10-01", "ground": "choice"}));
        assert_eq!(act(&server, &key, "oss-returns/2027-Q4/file").status, 200);
        server.clock.set("2028-05-01T11:00:00Z");
        assert_eq!(act(&server, &key, "oss-returns/2028-Q1/file").status, 200);
        let end = refused(&server, &key, "oss", &json!({"from": "2026-10-01", "ground": "choice", "until": "2027-12-31"}));
        assert_eq!((end.0, end.1.as_str()), (409, "period_filed"));
    }

    fn a_filed_quarter_is_not_touched_unawares(engine) {
        let (server, key) = started(engine);
        // The Union scheme takes goods since July 2021.
        let early = refused(&server, &key, "oss", &json!({"from": "2021-04-01", "ground": "choice"}));
        assert_eq!((early.0, early.2), (422, vec!["/from out_of_range".to_owned()]));
        // Without a return there is nothing to pay.
        let paid = json!({"date": "2026-10-30", "amount": 19, "ossPeriod": "2026-Q3"});
        assert_eq!(refused(&server, &key, "vat-payments", &paid).1, "oss_not_registered");
        registered(&server, &key, "2026-07-01");
        let goods = json!({"supply": "goods"});
        let before = made(&server, &key, "invoices", &sale("DE", "2026-09-10", 100, &goods));
        assert_eq!(act(&server, &key, "oss-returns/2026-Q3/file").status, 200);
        let path = |invoice: &Value| format!("invoices/{}", invoice["id"]);
        assert_eq!(warnings(&read(&server, &key, &path(&before))), Vec::<&str>::new());
        server.clock.set("2026-11-20T11:00:01Z");
        let after = made(&server, &key, "invoices", &sale("DE", "2026-09-20", 10, &goods));
        assert_eq!(warnings(&after), ["oss_return_filed"]);
        assert_eq!(act(&server, &key, "oss-returns/2026-Q3/reopen").status, 200);
        assert_eq!(warnings(&read(&server, &key, &path(&after))), Vec::<&str>::new());
        assert_eq!(act(&server, &key, "oss-returns/2026-Q3/file").status, 200);
        // A new registration in the filed quarter is refused, the same one again is not.
        let limit = refused(&server, &key, "oss", &json!({"from": "2026-09-20", "ground": "limit"}));
        assert_eq!((limit.0, limit.1.as_str()), (409, "period_filed"));
        registered(&server, &key, "2026-07-01");
        made(&server, &key, "vat-payments", &paid);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn only_documents_and_payments_use_the_accounts_of_other_countries(engine) {
        let (server, key) = started(engine);
        let entry = json!({"date": "2026-11-20", "description": "By hand", "lines": [
            {"account": "1725", "debit": 10}, {"account": "0520", "credit": 10},
        ]});
        let by_hand = refused(&server, &key, "manual-entries", &entry);
        assert_eq!((by_hand.0, by_hand.2), (422, vec!["/lines/0/account kept_by_program".to_owned()]));
        let dutch = refused(&server, &key, "invoices", &sale("NL", "2026-11-20", 10, &json!({"vatRate": 21, "account": "8057"})));
        assert_eq!((dutch.0, dutch.2), (422, vec!["/items/0/account unknown_value".to_owned()]));
    }

    fn a_return_is_corrected_for_three_years(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-10-01");
        let sold = made(&server, &key, "invoices", &sale("DE", "2026-11-10", 1000, &json!({"supply": "goods"})));
        let path = format!("invoices/{}/credit-notes", sold["id"]);
        let credit = |date: &str| json!({"date": date, "items": [{"description": "Book", "quantity": 1, "unitPrice": 1, "vatRate": 19}]});
        server.clock.set("2030-02-10T11:00:00Z");
        // The return was due on 31 January 2027.
        made(&server, &key, &path, &credit("2030-01-31"));
        let late = refused(&server, &key, &path, &credit("2030-02-01"));
        assert_eq!((late.0, late.1.as_str()), (409, "too_old_for_oss"));
    }

    fn kor_does_not_exempt_what_another_country_taxes(engine) {
        let (server, key) = started(engine);
        made(&server, &key, "vat-scheme", &json!({"scheme": "kor", "from": "2026-10-01"}));
        registered(&server, &key, "2026-10-01");
        let sold = made(&server, &key, "invoices", &sale("DE", "2026-11-10", 1000, &json!({"supply": "goods"})));
        assert_eq!((&sold["vatTotal"], &sold["items"][0]["vatCategory"]), (&json!(190.0), &json!("oss")));
        assert_eq!(read(&server, &key, "kor")["counted"], 0.0);
        let dutch = refused(&server, &key, "invoices", &sale("NL", "2026-11-10", 10, &json!({"vatRate": 21})));
        assert_eq!(dutch.2, ["/items/0/vatRate kor_applies"]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_credit_line_takes_the_supply_of_the_line_with_its_description(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-10-01");
        let mut body = sale("DE", "2026-11-02", 10, &json!({"supply": "goods"}));
        let course = json!({"description": "Course", "quantity": 1, "unitPrice": 30, "supply": "electronic"});
        body["items"].as_array_mut().unwrap().push(course);
        let invoice = made(&server, &key, "invoices", &body);
        let path = format!("invoices/{}/credit-notes", invoice["id"]);
        let line = |description: &str, price: i64| json!({"items": [{"description": description, "unitPrice": price, "vatRate": 19}]});
        for (description, price, supply) in [("Course", 30, "electronic"), ("Book", 1, "goods")] {
            let note = made(&server, &key, &path, &line(description, price));
            assert_eq!((&note["items"][0]["supply"], &note["items"][0]["taxCountry"]), (&json!(supply), &json!("DE")), "{note}");
        }
        let (status, code, faults) = refused(&server, &key, &path, &line("Something", 1));
        assert_eq!((status, code.as_str()), (422, "validation_failed"), "{faults:?}");
    }

    fn a_bad_debt_with_vat_of_another_country_is_cost_as_a_whole(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-10-01");
        let sold = made(&server, &key, "invoices", &sale("DE", "2026-10-10", 1000, &json!({"supply": "goods"})));
        let lost = made(&server, &key, &format!("invoices/{}/write-off", sold["id"]), &json!({"date": "2026-11-10", "reason": "Bankrupt"}));
        let entry = read(&server, &key, &format!("entries/{}", lost["entryId"]));
        let on = |code: &str| -> f64 {
            let postings = entry["lines"].as_array().unwrap().iter();
            postings.filter(|posting| posting["accountCode"] == code).map(|posting| posting["debit"].as_f64().unwrap_or_default()).sum()
        };
        assert_eq!((on("4340"), on("1725")), (1190.0, 0.0));
        assert_eq!(read(&server, &key, "oss-returns/2026-Q4")["payable"], 190.0);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
