//! Small businesses scheme (KOR): exemption of lines, turnover, limit, and the end of the scheme.

use super::filing_and_paying::started_at as started;
use crate::{
    help::{cents, codes, patch, walk},
    simple_invoice,
};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

const EMAIL: &str = "anna@example.com";

fn change(server: &Server, key: &str, body: Value) -> Reply {
    server.post(key, "/api/v1/vat-scheme", &body)
}

/// Creates books under the scheme from the given day.
fn under_kor(engine: Engine, now: &str, from: &str) -> (Server, String) {
    let (server, key) = started(engine, now);
    let reply = change(&server, &key, json!({"scheme": "kor", "from": from}));
    assert_eq!(reply.status, 200, "{}", reply.text);
    (server, key)
}

fn body(day: &str, price: &str, line: &Value) -> Value {
    let mut invoice = simple_invoice();
    invoice["invoiceDate"] = json!(day);
    invoice["items"][0]["unitPrice"] = price.parse::<serde_json::Number>().unwrap().into();
    invoice["items"][0]["vatRate"] = json!(0);
    for (name, value) in line.as_object().unwrap() {
        match name.as_str() {
            "status" | "pricesIncludeVat" | "supplyDate" | "externalId" => {
                invoice[name] = value.clone();
            }
            "country" => invoice["customer"]["country"] = value.clone(),
            _ => invoice["items"][0][name] = value.clone(),
        }
    }
    invoice
}

fn send(server: &Server, key: &str, day: &str, price: &str, line: Value) -> Reply {
    server.post(key, "/api/v1/invoices", &body(day, price, &line))
}

fn sold(server: &Server, key: &str, day: &str, price: &str, line: Value) -> Value {
    let reply = send(server, key, day, price, line);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

/// Balance of a ledger account: debit less credit, in cents.
fn balance(server: &Server, key: &str, code: &str) -> i64 {
    let lines = |entry: &Value| {
        let all = entry["lines"].as_array().unwrap();
        let own = all.iter().filter(|line| line["accountCode"] == code);
        own.map(|line| cents(&line["debit"]) - cents(&line["credit"])).sum::<i64>()
    };
    walk(server, key, "/api/v1/entries?year=2026", || ()).iter().map(lines).sum()
}

fn kor(server: &Server, key: &str, year: i16) -> Value {
    server.get(key, &format!("/api/v1/kor?year={year}")).json()
}

fn changes(server: &Server, key: &str) -> Vec<(String, String, String)> {
    let body = server.get(key, "/api/v1/vat-scheme").json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    body["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| (text(&of["scheme"]), text(&of["from"]), text(&of["because"])))
        .collect()
}

on_both_engines! {
    fn a_line_is_exempt_under_the_scheme_unless_it_says_otherwise(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        for (line, exemption) in [
            (json!({}), "kor"),
            (json!({"vatCategory": "exempt"}), "kor"),
            (json!({"vatCategory": "exempt", "exemption": "article11"}), "article11"),
            (json!({"exemption": "article11Counted"}), "article11Counted"),
            (json!({"exemption": "kor"}), "kor"),
        ] {
            let invoice = sold(&server, &key, "2026-11-02", "100", line.clone());
            assert_eq!(
                (&invoice["items"][0]["vatCategory"], &invoice["items"][0]["exemption"]),
                (&json!("exempt"), &json!(exemption)),
                "{line}"
            );
            assert_eq!(
                (&invoice["vat"][0]["exemption"], &invoice["vat"][0]["box"]),
                (&json!(exemption), &Value::Null)
            );
            let credit = server.post(
                &key,
                &format!("/api/v1/invoices/{}/credit-notes", invoice["id"]),
                &json!({}),
            );
            assert_eq!(
                (credit.status, &credit.json()["items"][0]["exemption"]),
                (201, &json!(exemption)),
                "{}",
                credit.text
            );
        }
        // Before the scheme begins, `kor` is not a valid exemption; and only exempt lines can have
        // one.
        for (day, line) in [
            ("2026-09-30", json!({"exemption": "kor"})),
            ("2026-09-30", json!({"exemption": "nonsense"})),
            ("2026-11-02", json!({"vatCategory": "zero", "exemption": "kor"})),
        ] {
            let refused = send(&server, &key, day, "100", line.clone());
            assert_eq!(
                (refused.status, refused.faults()),
                (422, vec![("/items/0/exemption".into(), "unknown_value".into())]),
                "{line}"
            );
        }
        let earlier = sold(&server, &key, "2026-09-30", "100", json!({"vatCategory": "exempt"}));
        assert_eq!(earlier["items"][0]["exemption"], "article11");
        let taxed = sold(&server, &key, "2026-09-30", "100", json!({"vatRate": 21}));
        assert_eq!(taxed["items"][0]["exemption"], Value::Null);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn zero_percent_that_usually_means_exempt_stays_article_11(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
server.write(|tx| {
            let account = store::accounts::by_email(tx, EMAIL)?.unwrap().id;
            let sales = ledger::vat::SalesDefaults {
                zero_means: ledger::vat::VatCategory::Exempt,
                ..ledger::vat::SalesDefaults::default()
            };
            let says = store::accounts::BookkeepingSettings {
                sales,
                majority_of_time: None,
                starter: false,
            };
            store::accounts::set_bookkeeping(tx, account, &says).map_err(service::Error::from)
        });
        assert_eq!(change(&server, &key, json!({"scheme": "kor", "from": "2026-10-01"})).status, 200);
        for (line, exemption) in [
            (json!({}), "article11"),
            (json!({"vatCategory": "exempt"}), "article11"),
            (json!({"exemption": "kor"}), "kor"),
            (json!({"vatCategory": "zero"}), "kor"),
        ] {
            let invoice = sold(&server, &key, "2026-11-02", "100", line.clone());
            assert_eq!(invoice["items"][0]["exemption"], exemption, "{line}");
        }
    }

    fn the_turnover_counts_by_kind_of_supply(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        // Accountant's finding 2: articles by a writer are not included in the turnover (art. 25(1)
        // and (2) Wet OB).
        sold(&server, &key, "2026-11-02", "19500", json!({"exemption": "article11"}));
        sold(&server, &key, "2026-11-02", "1000", json!({}));
        for (price, line) in [
            ("10", json!({"exemption": "article11Counted"})),
            ("20", json!({"country": "DE", "supply": "goods"})),
            ("40", json!({"country": "US", "supply": "goods"})),
            ("80", json!({"country": "DE", "supply": "services"})),
            ("160", json!({"country": "US", "supply": "services"})),
            ("320", json!({"vatCategory": "outOfScope"})),
            ("640", json!({"status": "draft"})),
        ] {
            sold(&server, &key, "2026-11-02", price, line);
        }
        // The date of supply decides, not the date of the invoice.
        sold(&server, &key, "2026-11-02", "5", json!({"supplyDate": "2026-01-20", "vatRate": 21}));
        sold(&server, &key, "2026-11-02", "7", json!({"supplyDate": "2025-12-20", "vatRate": 21}));
        let year = kor(&server, &key, 2026);
        // 1000 + 10 + 20 + 40 + 640 + 5.
        assert_eq!((cents(&year["counted"]), &year["percent"]), (171_500, &json!(8)));
        assert_eq!((cents(&year["previousYear"]), cents(&year["threshold"])), (700, 2_000_000));
        assert_eq!((&year["applies"], &year["passedBy"]), (&json!(true), &Value::Null));
        let lines: Vec<(&str, i64, bool)> = year["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| {
                let kind = line["kind"].as_str().unwrap();
                (kind, cents(&line["amount"]), line["counts"].as_bool().unwrap())
            })
            .collect();
        assert_eq!(
            lines,
            [
                ("standard", 500, true),
                ("kor", 170_000, true),
                ("article11Counted", 1_000, true),
                ("article11", 1_950_000, false),
                ("intraCommunityServices", 8_000, false),
                ("serviceOutsideEu", 16_000, false),
                ("outOfScope", 32_000, false),
            ]
        );
        assert_eq!(cents(&kor(&server, &key, 2025)["counted"]), 700);
        assert_eq!(
            server.get(&key, "/api/v1/kor?year=1999").faults(),
            [("year".into(), "out_of_range".into())]
        );
        // Services to businesses in other member states are in no box and on no list (art. 37a(1)).
        let filing = server.get(&key, "/api/v1/vat-returns/2026-Q4").json();
        let box_3b = filing["boxes"].as_array().unwrap().iter().find(|of| of["box"] == "3b");
        assert_eq!(box_3b.map(|of| cents(&of["turnover"])), Some(0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_credit_of_an_invoice_from_before_the_books_reduces_nothing(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let item = json!({"kind": "receivable", "contact": "Museum De Pier", "number": "41",
            "date": "2026-06-10", "dueDate": "2026-07-10", "amount": 605});
        let opening = json!({"date": "2026-07-01", "openItems": [item]});
        assert_eq!(server.post(&key, "/api/v1/opening-balance", &opening).status, 201);
        sold(&server, &key, "2026-10-05", "1000", json!({"vatRate": 21}));
        // The invoice is not part of the turnover here, so neither is the credit note on it.
        let items = json!([{"description": "Half", "amount": 250, "vatRate": 21}]);
        let note = server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({"date": "2026-10-06", "items": items}));
        assert_eq!(note.status, 201, "{}", note.text);
        assert_eq!(cents(&kor(&server, &key, 2026)["counted"]), 100_000);
    }

    /// Backdated invoices can pass the limit before the first day of the scheme.
    fn a_limit_passed_before_the_scheme_began_ends_it_with_the_first_supply(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-07-01");
        sold(&server, &key, "2026-06-29", "22000", json!({"vatRate": 21}));
        assert_eq!(send(&server, &key, "2026-07-18", "2000", json!({})).status, 422);
        sold(&server, &key, "2026-07-18", "2000", json!({"vatRate": 21}));
        assert_eq!(
            changes(&server, &key),
            [
                ("kor".into(), "2026-07-01".into(), "choice".into()),
                ("normal".into(), "2026-07-18".into(), "limit".into()),
            ]
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn one_email_a_year_warns_at_95_percent_of_the_limit(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        let warned = || {
            let mails = server.mails(EMAIL);
            mails.iter().filter(|mail| mail.text.contains("/kor")).count()
        };
        sold(&server, &key, "2026-10-05", "18999.99", json!({}));
        assert_eq!(warned(), 0);
        let at_95 = sold(&server, &key, "2026-10-06", "0.01", json!({}));
        assert_eq!(warned(), 1);
        // Credited, and above 95 per cent again: the owner knows already.
        let path = format!("/api/v1/invoices/{}/credit-notes", at_95["id"]);
        assert_eq!(server.post(&key, &path, &json!({})).status, 201);
        sold(&server, &key, "2026-10-07", "500", json!({}));
        assert_eq!(warned(), 1);
        // A refused invoice queues nothing.
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        assert_eq!(send(&server, &key, "2026-10-05", "20000.01", json!({})).status, 422);
        assert!(!server.mails(EMAIL).iter().any(|mail| mail.text.contains("/kor")));
    }

    fn the_invoice_that_passes_the_limit_is_taxed_and_ends_the_scheme(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        let first = sold(&server, &key, "2026-10-05", "15999.99", json!({}));
        assert!(!codes(&first).contains(&"kor_limit_near"), "{first}");
        // Turnover of exactly 80 % of the limit causes a warning with the amount that is left.
        let near = sold(&server, &key, "2026-10-06", "0.01", json!({}));
        assert!(codes(&near).contains(&"kor_limit_near"), "{near}");
        assert!(near.to_string().contains("4000.00 euros remain"), "{near}");
        // A turnover of exactly the limit does not exceed it.
        sold(&server, &key, "2026-10-07", "4000", json!({}));
        let same_day = body("2026-11-02", "0.01", &json!({}));
        let refused = server.post(&key, "/api/v1/invoices", &same_day);
        assert_eq!(
            (refused.status, refused.faults()),
            (422, vec![("/items/0/vatRate".into(), "kor_limit_passed".into())])
        );
        // A supply exempt under art. 11 is not included in the turnover, so it can still be
        // invoiced.
        sold(&server, &key, "2026-11-02", "500", json!({"exemption": "article11"}));
        // No VAT can be charged on a supply that does not pass the limit.
        let taxed = send(&server, &key, "2026-10-06", "1", json!({"vatRate": 21}));
        assert_eq!(taxed.faults(), [("/items/0/vatRate".into(), "kor_applies".into())]);
        let passing = sold(&server, &key, "2026-11-02", "100", json!({"vatRate": 21}));
        assert_eq!(cents(&passing["vatTotal"]), 2_100);
        assert_eq!(
            changes(&server, &key),
            [
                ("kor".into(), "2026-10-01".into(), "choice".into()),
                ("normal".into(), "2026-11-02".into(), "limit".into()),
            ]
        );
        let year = kor(&server, &key, 2026);
        assert_eq!(
            (&year["applies"], &year["passedBy"], &year["barredUntil"]),
            (
                &json!(false),
                &json!({"invoiceId": passing["id"], "date": "2026-11-02"}),
                &json!("2028-01-01")
            )
        );
        // From then on VAT is due, and nothing is exempt under the scheme.
        let after = sold(&server, &key, "2026-11-03", "100", json!({}));
        assert_eq!(after["items"][0]["vatCategory"], "zero");
        let filing = server.get(&key, "/api/v1/vat-returns/2026-Q4").json();
        let box_1a = filing["boxes"].as_array().unwrap().iter().find(|of| of["box"] == "1a");
        assert_eq!(box_1a.map(|of| cents(&of["turnover"])), Some(10_000));
        // After this invoice is credited in full, the scheme remains ended.
        let path = format!("/api/v1/invoices/{}/credit-notes", passing["id"]);
        assert_eq!(server.post(&key, &path, &json!({})).status, 201);
        assert_eq!(changes(&server, &key).len(), 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn with_prices_that_include_vat_the_price_decides(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        sold(&server, &key, "2026-10-05", "19900", json!({}));
        // 110.00 including VAT is 90.91 excluding VAT, but under the scheme all 110.00 is turnover:
        // 20 010.00 in total.
        let line = json!({"vatRate": 21, "pricesIncludeVat": true});
        let within = send(&server, &key, "2026-10-06", "100", line.clone());
        assert_eq!(within.faults(), [("/items/0/vatRate".into(), "kor_applies".into())]);
        sold(&server, &key, "2026-10-06", "110", line);
        assert_eq!(changes(&server, &key)[1].1, "2026-10-06");
        assert_eq!(cents(&kor(&server, &key, 2026)["counted"]), 1_990_000 + 9_091);
    }

    fn a_withdrawn_draft_does_not_end_the_scheme(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        sold(&server, &key, "2026-10-05", "19950", json!({}));
        let draft = json!({"vatRate": 21, "status": "draft"});
        let passing = sold(&server, &key, "2026-11-02", "100", draft.clone());
        assert_eq!(changes(&server, &key).len(), 2);
        let path = format!("/api/v1/invoices/{}", passing["id"]);
        let moved = patch(&server, &key, &path, &[], &json!({"invoiceDate": "2026-11-09"}));
        assert_eq!(moved.status, 200, "{}", moved.text);
        assert_eq!(changes(&server, &key)[1].1, "2026-11-09");
        let gone = server.send("DELETE", &path, &[("x-api-key", &key)], None);
        assert_eq!(gone.status, 200, "{}", gone.text);
        assert_eq!(changes(&server, &key).len(), 1);
        sold(&server, &key, "2026-11-02", "50", json!({}));
        // Another invoice with VAT since then keeps the scheme ended.
        let passing = sold(&server, &key, "2026-11-03", "100", draft);
        sold(&server, &key, "2026-11-04", "100", json!({"vatRate": 21}));
        let path = format!("/api/v1/invoices/{}", passing["id"]);
        assert_eq!(server.send("DELETE", &path, &[("x-api-key", &key)], None).status, 200);
        assert_eq!(changes(&server, &key).len(), 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_backdated_invoice_makes_a_later_one_pass(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        sold(&server, &key, "2026-10-05", "15000", json!({}));
        let later = sold(&server, &key, "2026-11-02", "4950", json!({}));
        let early = json!({"scheme": "normal", "because": "limit", "from": "2026-11-02"});
        assert_eq!(
            change(&server, &key, early.clone()).faults(),
            [("/from".into(), "out_of_range".into())]
        );
        let backdated = sold(&server, &key, "2026-10-20", "100", json!({}));
        assert!(codes(&backdated).contains(&"kor_limit_passed_by"), "{backdated}");
        assert_eq!(
            kor(&server, &key, 2026)["passedBy"],
            json!({"invoiceId": later["id"], "date": "2026-11-02"})
        );
        for from in ["2026-11-01", "2026-11-03", "2026-10-01"] {
            let refused =
                change(&server, &key, json!({"scheme": "normal", "because": "limit", "from": from}));
            assert_eq!(refused.faults(), [("/from".into(), "out_of_range".into())], "{from}");
        }
        for _ in 0..2 {
            assert_eq!(change(&server, &key, early.clone()).status, 200);
        }
        assert_eq!(changes(&server, &key)[1].1, "2026-11-02");
        let path = format!("/api/v1/invoices/{}/credit-notes", later["id"]);
        assert_eq!(server.post(&key, &path, &json!({})).status, 201);
        sold(&server, &key, "2026-11-02", "4950", json!({"vatRate": 21}));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_end_in_the_past_leaves_invoices_without_vat(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-07-01");
        let before = sold(&server, &key, "2026-09-30", "100", json!({}));
        let after = sold(&server, &key, "2026-10-01", "100", json!({}));
        let article_11 = sold(&server, &key, "2026-10-02", "100", json!({"exemption": "article11"}));
        let ended = change(&server, &key, json!({"scheme": "normal", "from": "2026-10-01"}));
        assert_eq!(ended.status, 200, "{}", ended.text);
        let warns = |invoice: &Value| {
            let path = format!("/api/v1/invoices/{}", invoice["id"]);
            codes(&server.get(&key, &path).json()).contains(&"kor_ended")
        };
        assert_eq!([&before, &after, &article_11].map(warns), [false, true, false]);
        let path = format!("/api/v1/invoices/{}/credit-notes", after["id"]);
        let credited = server.post(&key, &path, &json!({}));
        assert_eq!(credited.status, 201, "{}", credited.text);
        assert!(!warns(&after));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_scheme_begins_with_a_period_and_not_while_it_is_barred(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let faults = |body: Value| change(&server, &key, body).faults();
        for (field, more) in [
            ("/from", json!({"scheme": "kor", "from": "2026-10-02"})),
            ("/from", json!({"scheme": "kor", "from": "2026-11-01"})),
            ("/from", json!({"scheme": "normal", "from": "2026-11-01"})),
            // Four weeks before 1 January is 4 December.
            (
                "/notifiedOn",
                json!({"scheme": "kor", "from": "2027-01-01", "notifiedOn": "2026-12-05"}),
            ),
        ] {
            assert_eq!(faults(more.clone()), [(field.into(), "out_of_range".into())], "{more}");
        }
        let unit = json!({"unit": "month", "from": "2026-10-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-periods", &unit).status, 200);
        let begun = json!({"scheme": "kor", "from": "2026-11-01", "notifiedOn": "2026-10-04"});
        assert_eq!(change(&server, &key, begun).status, 200);
        let ended = json!({"scheme": "normal", "from": "2027-01-01"});
        assert_eq!(change(&server, &key, ended).status, 200);
        // Art. 25a(7): not before the 1 January after the year that follows the year in which the
        // scheme ended.
        for from in ["2027-02-01", "2028-12-01"] {
            let barred = change(&server, &key, json!({"scheme": "kor", "from": from}));
            assert_eq!(barred.faults(), [("/from".into(), "kor_barred".into())], "{from}");
            assert!(barred.text.contains("2029-01-01"), "{}", barred.text);
        }
        assert_eq!(change(&server, &key, json!({"scheme": "kor", "from": "2029-01-01"})).status, 200);
    }

    fn the_turnover_of_this_and_the_previous_year_bars_the_scheme(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let invoice = sold(&server, &key, "2026-03-02", "20000.01", json!({"vatRate": 21}));
        for (from, until) in [("2026-10-01", "2028-01-01"), ("2027-01-01", "2028-01-01")] {
            let barred = change(&server, &key, json!({"scheme": "kor", "from": from}));
            assert_eq!(barred.faults(), [("/from".into(), "kor_barred".into())], "{from}");
            assert!(barred.text.contains(until), "{}", barred.text);
        }
        let year = kor(&server, &key, 2026);
        assert_eq!(
            (&year["earliestStart"], &year["passedBy"]["invoiceId"]),
            (&json!("2028-01-01"), &invoice["id"])
        );
        let path = format!("/api/v1/invoices/{}/credit-notes", invoice["id"]);
        let credit = json!({"items": [{"description": "x", "unitPrice": 0.01, "vatRate": 21}]});
        assert_eq!(server.post(&key, &path, &credit).status, 201);
        // Four weeks from 20 November is 18 December.
        assert_eq!(kor(&server, &key, 2026)["earliestStart"], "2027-01-01");
        assert_eq!(change(&server, &key, json!({"scheme": "kor", "from": "2026-10-01"})).status, 200);
        assert_eq!(kor(&server, &key, 2026)["earliestStart"], Value::Null);
    }

    fn expenses_follow_a_switch_in_an_open_period(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let bought = |day: &str| {
            let expense = json!({"date": day, "description": "Paper", "paidFrom": "bank",
                "items": [{"category": "4100", "amount": 100, "vatRate": 21, "vatTreatment": "normal"}]});
            let reply = server.post(&key, "/api/v1/expenses", &expense);
            assert_eq!(reply.status, 201, "{}", reply.text);
            reply.json()["id"].clone()
        };
        let before = bought("2026-09-30");
        let after = bought("2026-10-01");
        let deductible = |id: &Value| {
            let path = format!("/api/v1/expenses/{id}");
            cents(&server.get(&key, &path).json()["vatDeductible"])
        };
        let taxed = sold(&server, &key, "2026-10-05", "100", json!({"vatRate": 21}));
        let begin = json!({"scheme": "kor", "from": "2026-10-01"});
        let refused = change(&server, &key, begin.clone());
        assert_eq!((refused.status, refused.code()), (409, "kor_has_taxed_invoices".into()));
        assert!(refused.text.contains(&format!(": {}", taxed["id"])), "{}", refused.text);
        let path = format!("/api/v1/invoices/{}/credit-notes", taxed["id"]);
        assert_eq!(server.post(&key, &path, &json!({})).status, 201);
        assert_eq!((deductible(&before), deductible(&after)), (2_100, 2_100));
        assert_eq!(change(&server, &key, begin).status, 200);
        assert_eq!((deductible(&before), deductible(&after)), (2_100, 0));
        assert_eq!(balance(&server, &key, "1500"), 2_100);
        // When a change with the same start date replaces it, its bookings are reversed too.
        assert_eq!(change(&server, &key, json!({"scheme": "normal", "from": "2026-10-01"})).status, 200);
        assert_eq!((deductible(&before), deductible(&after)), (2_100, 2_100));
        assert_eq!(balance(&server, &key, "1500"), 4_200);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn fees_of_payouts_follow_a_switch_in_an_open_period(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        for (day, undone) in [("2026-09-30", false), ("2026-10-01", false), ("2026-10-02", true)] {
            let payout = json!({"date": day, "amount": 100, "fee": 12.10, "feeVatTreatment": "normal"});
            let made = server.post(&key, "/api/v1/payouts", &payout);
            assert_eq!(made.status, 201, "{}", made.text);
            if undone {
                let path = format!("/api/v1/payouts/{}/undo", made.json()["id"]);
                assert_eq!(server.post(&key, &path, &json!({})).status, 200);
            }
        }
        // 12.10 includes 2.10 of VAT.
        let balances = |vat: i64, costs: i64| {
            assert_eq!(balance(&server, &key, "1500"), vat);
            assert_eq!(balance(&server, &key, "4610"), costs);
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        };
        balances(420, 2_000);
        let kor = json!({"scheme": "kor", "from": "2026-10-01"});
        assert_eq!(change(&server, &key, kor).status, 200);
        balances(210, 2_210);
        assert_eq!(change(&server, &key, json!({"scheme": "normal", "from": "2026-10-01"})).status, 200);
        balances(420, 2_000);
        let path = "/api/v1/payouts/2/undo";
        assert_eq!(server.post(&key, path, &json!({})).status, 200);
        balances(210, 1_000);
    }

    /// VAT that is not deductible is part of the cost of an asset (art. 3.8 Wet IB 2001).
    fn assets_follow_a_switch_in_an_open_period(engine) {
        let (server, key) = started(engine, "2026-11-20T10:00:00Z");
        let laptop = json!({"description": "Laptop", "date": "2026-10-05", "account": "0200",
            "cost": 1000, "residualValue": 0, "lifeYears": 5});
        let made = server.post(&key, "/api/v1/assets", &laptop);
        assert_eq!(made.status, 201, "{}", made.text);
        let cost = || {
            let shown = server.get(&key, "/api/v1/assets/1").json();
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
            (cents(&shown["cost"]), balance(&server, &key, "0200"), balance(&server, &key, "1500"))
        };
        assert_eq!(cost(), (100_000, 100_000, 21_000));
        assert_eq!(change(&server, &key, json!({"scheme": "kor", "from": "2026-10-01"})).status, 200);
        assert_eq!(cost(), (121_000, 121_000, 0));
        assert_eq!(change(&server, &key, json!({"scheme": "normal", "from": "2026-10-01"})).status, 200);
        assert_eq!(cost(), (100_000, 100_000, 21_000));
    }

    /// Under the scheme, a return is required only if it has VAT to pay (art. 25a Wet OB 1968).
    fn a_return_under_the_scheme_is_required_for_reverse_charged_purchases_only(engine) {
        let (server, key) = under_kor(engine, "2026-11-20T10:00:00Z", "2026-10-01");
        sold(&server, &key, "2026-11-02", "100", json!({}));
        let required = || {
            let of = server.get(&key, "/api/v1/vat-returns/2026-Q4").json();
            (of["nothingToDeclare"].clone(), of["dueDate"].clone())
        };
        assert_eq!(required(), (json!(true), Value::Null));
        let bought = |category: &str, treatment: &str| {
            let expense = json!({"date": "2026-11-03", "description": "Bought", "paidFrom": "bank",
                "items": [{"category": category, "amount": 50, "vatRate": 21, "vatTreatment": treatment}]});
            let reply = server.post(&key, "/api/v1/expenses", &expense);
            assert_eq!(reply.status, 201, "{}", reply.text);
            codes(&reply.json()).contains(&"no_article_23")
        };
        assert!(!bought("4110", "eu"));
        assert_eq!(required(), (json!(false), json!("2027-01-31")));
        // Under the scheme there is no licence for reverse charge at import (art. 23(5)). Such a
        // licence is for goods only.
        assert!(bought("7000", "import"));
        assert!(!bought("4110", "import"));
        assert!(!bought("7000", "eu"));
    }
}
