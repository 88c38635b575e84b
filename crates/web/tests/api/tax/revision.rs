//! Revision of the VAT on assets: `/vat-revisions/{year}`, and the sale of an asset within the
//! term. Amounts are computed by hand from art. 11 to 13a Uitvoeringsbeschikking omzetbelasting
//! 1968.

use super::filing_and_paying::started_at as started;
use crate::{help::cents, purchases::expenses::postings, simple_invoice};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn assert_sound(server: &Server) {
    assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
}

/// Buys equipment; the VAT is 21 % of its cost.
fn buy(server: &Server, key: &str, day: &str, cost: f64) -> i64 {
    let asset = json!({"date": day, "description": "Camera", "account": "0200", "cost": cost, "lifeYears": 5});
    let reply = server.post(key, "/api/v1/assets", &asset);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["id"].as_i64().unwrap()
}

fn sell(server: &Server, key: &str, day: &str, price: i64, line: &Value) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    let mut item = json!({"description": "Work", "unitPrice": price});
    for (name, value) in line.as_object().unwrap() {
        item[name] = value.clone();
    }
    invoice["items"] = json!([item]);
    let reply = server.post(key, "/api/v1/invoices", &invoice);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

fn taxed(server: &Server, key: &str, day: &str, price: i64) {
    sell(server, key, day, price, &json!({"vatRate": 21}));
}

fn exempt(server: &Server, key: &str, day: &str, price: i64) {
    sell(server, key, day, price, &json!({"vatRate": 0, "vatCategory": "exempt"}));
}

/// Begins or ends the small businesses scheme on `from`.
fn scheme(server: &Server, key: &str, scheme: &str, from: &str) {
    let reply = server.post(key, "/api/v1/vat-scheme", &json!({"scheme": scheme, "from": from}));
    assert_eq!(reply.status, 200, "{}", reply.text);
}

fn revision(server: &Server, key: &str, year: i16) -> Value {
    let reply = server.get(key, &format!("/api/v1/vat-revisions/{year}"));
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()
}

fn revise(server: &Server, key: &str, year: i16, body: &Value) -> Reply {
    server.post(key, &format!("/api/v1/vat-revisions/{year}"), body)
}

/// Total of the revision for a year, in cents, and whether it is waived.
fn due(server: &Server, key: &str, year: i16) -> (i64, bool) {
    let revision = revision(server, key, year);
    (cents(&revision["total"]), revision["waived"].as_bool().unwrap())
}

/// Debit less credit on a ledger account in all entries, in cents.
fn balance(server: &Server, key: &str, account: &str) -> i64 {
    let of_year = |year: i16| {
        let page = server.get(key, &format!("/api/v1/entries?limit=500&year={year}")).json();
        let entries = page["data"].as_array().unwrap().clone();
        let lines = entries.iter().flat_map(|entry| entry["lines"].as_array().unwrap());
        lines
            .filter(|line| line["accountCode"] == account)
            .map(|line| cents(&line["debit"]) - cents(&line["credit"]))
            .sum::<i64>()
    };
    (2025..=2029).map(of_year).sum()
}

on_both_engines! {
    /// Equipment with 4 200.00 of VAT, all of it deducted. The scheme begins on 1 April, so a
    /// quarter of the turnover has VAT. Three quarters of a fifth of the VAT (630.00 of 840.00) are
    /// paid back.
    fn the_turnover_of_the_year_decides_and_the_last_return_carries_it(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        let camera = buy(&server, &key, "2025-06-01", 20_000.0);
        server.clock.set("2026-02-10T10:00:00Z");
        taxed(&server, &key, "2026-02-10", 5_000);
        scheme(&server, &key, "kor", "2026-04-01");
        server.clock.set("2026-05-10T10:00:00Z");
        exempt(&server, &key, "2026-05-10", 15_000);
        server.clock.set("2027-01-10T10:00:00Z");
        let last = |field: &str| {
            server.get(&key, "/api/v1/vat-returns/2026-Q4").json()[field].clone()
        };
        assert_eq!((last("nothingToDeclare"), last("dueDate")), (json!(true), Value::Null));
        let expected = json!({
            "year": 2026, "share": 25, "total": 630.0, "waived": false, "entryId": null,
            "assets": [{"assetId": camera, "vat": 4200.0, "deducted": 4200.0, "due": 630.0}],
        });
        assert_eq!(revision(&server, &key, 2026), expected);
        let body = json!({"externalId": "r-2026", "description": "By the turnover of 2026"});
        let made = revise(&server, &key, 2026, &body);
        assert_eq!(made.status, 201, "{}", made.text);
        assert!(made.header("location").unwrap().ends_with("/api/v1/vat-revisions/2026"));
        let entry = made.json()["entryId"].clone();
        assert_eq!(postings(&server, &key, &entry), ["4450 D 63000", "1500 C 63000 5b"]);
        let booked = server.get(&key, &format!("/api/v1/entries/{entry}")).json();
        assert_eq!(
            (&booked["date"], &booked["source"]["type"], &booked["description"]),
            (&json!("2026-12-31"), &json!("vatRevision"), &json!("VAT revision: By the turnover of 2026"))
        );
        // The return must now be filed, although the scheme applies.
        assert_eq!((last("nothingToDeclare"), last("payable")), (json!(false), json!(630.0)));
        assert_ne!(last("dueDate"), Value::Null);
        let again = revise(&server, &key, 2026, &body);
        assert_eq!((again.status, again.json()), (200, made.json()));
        let more = revise(&server, &key, 2026, &json!({}));
        assert_eq!((more.status, more.code()), (409, "nothing_to_revise".into()));
        let part = server.post(&key, &format!("/api/v1/assets/{camera}/vat-revision"), &json!({"date": "2026-12-31"}));
        assert_eq!(part.faults(), [("/date".to_owned(), "exceeds_outstanding".to_owned())]);
        // Undoing the revision a second time does nothing.
        for _ in 0..2 {
            let undone = server.post(&key, "/api/v1/vat-revisions/2026/undo", &json!({}));
            assert_eq!((undone.status, &undone.json()["entryId"]), (200, &Value::Null));
            assert_eq!(balance(&server, &key, "4450"), 0);
        }
        assert_eq!(revise(&server, &key, 2026, &json!({})).status, 201);
        // The scheme applies throughout 2027, so a whole fifth is due. 2029 is the last year of the
        // term.
        server.clock.set("2027-03-10T10:00:00Z");
        exempt(&server, &key, "2027-03-10", 1_000);
        assert_eq!(due(&server, &key, 2027), (84_000, false));
        assert_eq!(due(&server, &key, 2029), (84_000, false));
        assert_eq!(revision(&server, &key, 2030)["assets"], json!([]));
        assert_sound(&server);
    }

    /// Less than 500.00 a year is waived, whether to pay back or to deduct (art. 13(4)); 500.00 is
    /// not.
    fn less_than_500_is_waived_when_the_scheme_begins_or_ends(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        // VAT of 2 499.95: a fifth is 499.99.
        buy(&server, &key, "2025-06-01", 11_904.52);
        server.clock.set("2025-11-10T10:00:00Z");
        scheme(&server, &key, "kor", "2026-01-01");
        server.clock.set("2027-01-10T10:00:00Z");
        assert_eq!(due(&server, &key, 2026), (49_999, true));
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "nothing_to_revise");
        // With another asset, whose fifth is 0.01 (VAT of 0.05), the total is 500.00.
        let cheap = json!({"date": "2025-06-02", "description": "Stand", "account": "0200", "cost": 0.24, "lifeYears": 5});
        assert_eq!(server.post(&key, "/api/v1/assets", &cheap).status, 201);
        assert_eq!(due(&server, &key, 2026), (50_000, false));
        assert_eq!(revise(&server, &key, 2026, &json!({})).status, 201);
        // Assets bought under the scheme, which then ends: a deduction of 420.00 is waived, 840.00
        // is not.
        buy(&server, &key, "2026-06-01", 10_000.0);
        server.clock.set("2027-02-10T10:00:00Z");
        scheme(&server, &key, "normal", "2027-04-01");
        server.clock.set("2027-05-10T10:00:00Z");
        taxed(&server, &key, "2027-05-10", 1_000);
        assert_eq!(due(&server, &key, 2027), (-42_000, true));
        buy(&server, &key, "2026-06-02", 10_000.0);
        assert_eq!(due(&server, &key, 2027), (-84_000, false));
        let made = revise(&server, &key, 2027, &json!({}));
        assert_eq!(
            postings(&server, &key, &made.json()["entryId"]),
            ["4450 C 84000", "1500 D 84000 5b"]
        );
        assert_sound(&server);
    }

    /// Without the small businesses scheme, only a difference of at most a tenth is waived (art.
    /// 13(4)).
    fn a_tenth_is_waived_but_not_in_the_year_of_first_use(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        let old = buy(&server, &key, "2025-06-01", 20_000.0);
        server.clock.set("2026-06-10T10:00:00Z");
        taxed(&server, &key, "2026-06-10", 900);
        exempt(&server, &key, "2026-06-10", 100);
        // Turnover outside the scope of VAT does not affect the share.
        sell(&server, &key, "2026-06-10", 500, &json!({"vatRate": 0, "vatCategory": "outOfScope"}));
        assert_eq!(revision(&server, &key, 2026)["share"], json!(90));
        assert_eq!(due(&server, &key, 2026), (0, true));
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "nothing_to_revise");
        // In the year of first use there is no tolerance: 10 % of 420.00 of VAT is due.
        let new = buy(&server, &key, "2026-06-01", 2_000.0);
        assert_eq!(due(&server, &key, 2026), (4_200, false));
        // 900 of 1 125 is 80 %: 840.00 x 20 % = 168.00, and 420.00 x 20 % = 84.00.
        exempt(&server, &key, "2026-06-11", 125);
        let first = revise(&server, &key, 2026, &json!({})).json();
        let amount = |of: &Value, id: i64, field: &str| {
            let assets = of["assets"].as_array().unwrap();
            cents(&assets.iter().find(|asset| asset["assetId"] == id).unwrap()[field])
        };
        assert_eq!((amount(&first, old, "due"), amount(&first, new, "due")), (16_800, 8_400));
        assert_eq!(cents(&first["total"]), 25_200);
        // When the turnover changes, a new entry replaces the first. 900 of 1 800 is 50 %.
        exempt(&server, &key, "2026-06-12", 675);
        let second = revise(&server, &key, 2026, &json!({})).json();
        assert_eq!(cents(&second["total"]), 42_000 + 21_000);
        assert_ne!(first["entryId"], second["entryId"]);
        assert_eq!(balance(&server, &key, "4450"), 63_000);
        // In 2027 the newer asset is compared with its revised deduction of 2026: half of its VAT.
        server.clock.set("2027-06-10T10:00:00Z");
        taxed(&server, &key, "2027-06-10", 1_000);
        let next = revision(&server, &key, 2027);
        assert_eq!((amount(&next, new, "deducted"), amount(&next, new, "due")), (21_000, -4_200));
        assert_eq!(amount(&next, old, "due"), 0);
        // Undoing an asset removes it from the revision for the year.
        assert_eq!(server.post(&key, &format!("/api/v1/assets/{new}/undo"), &json!({})).status, 200);
        assert_eq!(balance(&server, &key, "4450"), 42_000);
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "nothing_to_revise");
        assert_sound(&server);
    }

    /// Supplies at the zero rate and supplies abroad give the right to deduct (art. 11(1)(c)).
    fn zero_rate_and_supplies_abroad_give_the_right_to_deduct(engine) {
        let (server, key) = started(engine, "2026-06-10T10:00:00Z");
        buy(&server, &key, "2026-06-01", 1_000.0);
        let abroad = |country: &str, number: Option<&str>, price: i64| {
            let mut invoice = simple_invoice();
            invoice["customer"] = json!({"name": "Muster", "country": country, "vatNumber": number});
            invoice["items"] = json!([{"description": "Work", "unitPrice": price, "vatRate": 0}]);
            let reply = server.post(&key, "/api/v1/invoices", &invoice);
            assert_eq!(reply.status, 201, "{}", reply.text);
        };
        abroad("DE", Some("DE136695976"), 100);
        abroad("US", None, 100);
        sell(&server, &key, "2026-06-10", 50, &json!({"vatRate": 0, "vatCategory": "zero"}));
        exempt(&server, &key, "2026-06-10", 500);
        // 250 of 750: a third, not rounded. 210.00 x 2/3 = 140.00.
        let revision = revision(&server, &key, 2026);
        assert_eq!((&revision["share"], cents(&revision["total"])), (&json!(33.333333), 14_000));
        // A credited invoice is not part of the turnover.
        assert_eq!(server.post(&key, "/api/v1/invoices/4/credit-notes", &json!({})).status, 201);
        assert_eq!(due(&server, &key, 2026), (0, false));
        assert_sound(&server);
    }

    /// A sale revises all remaining years, including its own (art. 13a). VAT of 4 200.00; a fifth
    /// is 840.00.
    fn a_sale_revises_all_years_that_remain(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        for _ in 0..4 {
            buy(&server, &key, "2025-06-01", 20_000.0);
        }
        server.clock.set("2027-01-10T10:00:00Z");
        let dispose = |asset: i64, body: &Value| {
            let reply = server.post(&key, &format!("/api/v1/assets/{asset}/dispose"), body);
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.json()
        };
        // Sold with VAT: treated as taxed use until the end of the term. Written off: not a supply.
        let sold = dispose(1, &json!({"date": "2026-03-10", "proceeds": 9_000}));
        assert_eq!(sold["vatRevision"], Value::Null);
        assert_eq!(dispose(2, &json!({"date": "2026-03-10"}))["vatRevision"], Value::Null);
        // An exempt sale in 2026: four of the five years remain.
        let sold = dispose(3, &json!({"date": "2026-03-10", "proceeds": 9_000, "vatRate": 0}));
        assert_eq!(cents(&sold["vatRevision"]["amount"]), 336_000);
        let entry = sold["vatRevision"]["entryId"].clone();
        assert_eq!(postings(&server, &key, &entry), ["4450 D 336000", "1500 C 336000 5b"]);
        let booked = server.get(&key, &format!("/api/v1/entries/{entry}")).json();
        assert_eq!(
            (&booked["date"], &booked["source"]["type"]),
            (&json!("2026-03-10"), &json!("vatRevision"))
        );
        assert!(sold["entryIds"].as_array().unwrap().contains(&entry));
        // A sale under the scheme in 2027, after the revision for 2027 was booked: three years
        // remain.
        scheme(&server, &key, "kor", "2027-01-01");
        assert_eq!(revise(&server, &key, 2027, &json!({})).status, 201);
        assert_eq!(balance(&server, &key, "4450"), 336_000 + 84_000);
        let sold = dispose(4, &json!({"date": "2027-01-09", "proceeds": 9_000}));
        assert_eq!(cents(&sold["vatRevision"]["amount"]), 252_000);
        assert_eq!(balance(&server, &key, "4450"), 336_000 + 252_000);
        assert_eq!(revision(&server, &key, 2027)["assets"], json!([]));
        // Undoing a sale also undoes its revision. The revision for the year is due again.
        for (asset, booked) in [(4, 336_000), (3, 0)] {
            let undone = server.post(&key, &format!("/api/v1/assets/{asset}/depreciate/undo"), &json!({}));
            assert_eq!((undone.status, &undone.json()["vatRevision"]), (200, &Value::Null), "{}", undone.text);
            assert_eq!(balance(&server, &key, "4450"), booked);
        }
        assert_eq!(due(&server, &key, 2027), (168_000, false));
        assert_sound(&server);
    }

    /// Later turnover changes the share for the year of first use, and so what counts as deducted
    /// on a sale: of 4 200.00 of VAT all, then half (art. 12(3) and 13a).
    fn a_sale_follows_the_share_of_the_first_year(engine) {
        let (server, key) = started(engine, "2026-06-01T10:00:00Z");
        let camera = buy(&server, &key, "2026-06-01", 20_000.0);
        taxed(&server, &key, "2026-06-01", 1_000);
        server.clock.set("2027-01-10T10:00:00Z");
        let body = json!({"date": "2027-01-05", "proceeds": 9_000, "vatRate": 0});
        let path = format!("/api/v1/assets/{camera}");
        let sold = server.post(&key, &format!("{path}/dispose"), &body).json();
        assert_eq!(cents(&sold["vatRevision"]["amount"]), 336_000);
        exempt(&server, &key, "2026-12-31", 1_000);
        assert_eq!(due(&server, &key, 2026), (210_000, false));
        assert_eq!(revise(&server, &key, 2026, &json!({})).status, 201);
        let of_sale = || cents(&server.get(&key, &path).json()["vatRevision"]["amount"]);
        assert_eq!((of_sale(), balance(&server, &key, "4450")), (168_000, 378_000));
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "nothing_to_revise");
        // A quarter of the turnover of 2026 has VAT, and later all of it again.
        exempt(&server, &key, "2026-12-31", 2_000);
        assert_eq!(revise(&server, &key, 2026, &json!({})).status, 201);
        assert_eq!((of_sale(), balance(&server, &key, "4450")), (84_000, 399_000));
        for invoice in [2, 3] {
            let note = format!("/api/v1/invoices/{invoice}/credit-notes");
            assert_eq!(server.post(&key, &note, &json!({})).status, 201);
        }
        assert_eq!(revise(&server, &key, 2026, &json!({})).status, 201);
        assert_eq!((of_sale(), balance(&server, &key, "4450")), (336_000, 336_000));
        // A sale with VAT follows too: nothing to revise, then half of the VAT for four years.
        let undone = server.post(&key, &format!("{path}/depreciate/undo"), &json!({}));
        assert_eq!(undone.status, 200, "{}", undone.text);
        let body = json!({"date": "2027-01-05", "proceeds": 9_000});
        let sold = server.post(&key, &format!("{path}/dispose"), &body).json();
        assert_eq!(sold["vatRevision"], Value::Null);
        exempt(&server, &key, "2026-12-31", 1_000);
        assert_eq!(revise(&server, &key, 2026, &json!({})).status, 201);
        assert_eq!((of_sale(), balance(&server, &key, "4450")), (-168_000, 42_000));
        assert_sound(&server);
    }

    /// Bought under the scheme without deduction and sold with VAT: VAT is deducted for the
    /// remaining years.
    fn a_sale_with_vat_deducts_what_was_not_deducted_before(engine) {
        let (server, key) = started(engine, "2025-11-10T10:00:00Z");
        scheme(&server, &key, "kor", "2026-01-01");
        server.clock.set("2026-06-10T10:00:00Z");
        let camera = buy(&server, &key, "2026-06-01", 20_000.0);
        server.clock.set("2027-02-10T10:00:00Z");
        scheme(&server, &key, "normal", "2027-01-01");
        let body = json!({"date": "2027-02-01", "proceeds": 9_000});
        let sold = server.post(&key, &format!("/api/v1/assets/{camera}/dispose"), &body).json();
        // 2027 to 2030: four fifths of 4 200.00.
        assert_eq!(cents(&sold["vatRevision"]["amount"]), -336_000);
        assert_eq!(
            postings(&server, &key, &sold["vatRevision"]["entryId"]),
            ["4450 C 336000", "1500 D 336000 5b"]
        );
        // Undoing the purchase also reverses the revision.
        assert_eq!(server.post(&key, &format!("/api/v1/assets/{camera}/undo"), &json!({})).status, 200);
        assert_eq!((balance(&server, &key, "4450"), balance(&server, &key, "1500")), (0, 0));
        assert_sound(&server);
    }

    fn a_filed_return_and_a_closed_year_hold(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        buy(&server, &key, "2025-06-01", 20_000.0);
        server.clock.set("2025-11-10T10:00:00Z");
        scheme(&server, &key, "kor", "2026-01-01");
        server.clock.set("2027-01-10T10:00:00Z");
        assert_eq!(server.post(&key, "/api/v1/vat-returns/2026-Q4/file", &json!({})).status, 200);
        let entries = || server.get(&key, "/api/v1/entries?year=2026").json();
        let before = entries();
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "period_filed");
        assert_eq!(entries(), before);
        let made = revise(&server, &key, 2026, &json!({"correction": true}));
        assert_eq!(made.status, 201, "{}", made.text);
        assert_eq!(
            postings(&server, &key, &made.json()["entryId"]),
            ["4450 D 84000", "1785 C 84000"]
        );
        let next = server.get(&key, "/api/v1/vat-returns/2027-Q1").json();
        assert_eq!((&next["payable"], &next["nothingToDeclare"]), (&json!(840.0), &json!(false)));
        // After the return is reopened, it includes the revision itself, which still counts as
        // booked.
        assert_eq!(server.post(&key, "/api/v1/vat-returns/2026-Q4/reopen", &json!({})).status, 200);
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "nothing_to_revise");
        assert_eq!(server.get(&key, "/api/v1/vat-returns/2026-Q4").json()["payable"], json!(840.0));
        assert_eq!(server.post(&key, "/api/v1/years/2025/close", &json!({})).status, 200);
        assert_eq!(server.post(&key, "/api/v1/years/2026/close", &json!({})).status, 200);
        let undone = server.post(&key, "/api/v1/vat-revisions/2026/undo", &json!({}));
        assert_eq!((undone.status, undone.code()), (409, "year_closed".into()));
        assert_sound(&server);
    }

    fn invalid_requests_and_other_accounts_change_nothing(engine) {
        let (server, key) = started(engine, "2025-06-01T10:00:00Z");
        buy(&server, &key, "2025-06-01", 20_000.0);
        let wrong = |body: &Value| revise(&server, &key, 2026, body).faults();
        assert_eq!(wrong(&json!({"share": 50})), [("/share".to_owned(), "unknown_field".to_owned())]);
        assert_eq!(wrong(&json!({"correction": "yes"})), [("/correction".to_owned(), "invalid_type".to_owned())]);
        assert_eq!(server.get(&key, "/api/v1/vat-revisions/1999").status, 422);
        assert_eq!(revise(&server, &key, 2026, &json!({})).code(), "nothing_to_revise");
        let other = server.account("bob@example.com");
        assert_eq!(revision(&server, &other, 2025)["assets"], json!([]));
        assert_eq!(server.post(&other, "/api/v1/vat-revisions/2026/undo", &json!({})).status, 200);
        assert_sound(&server);
    }
}
