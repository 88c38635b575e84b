//! VAT rates of the Union scheme (OSS) compared with the open data, and credit notes in all quarters
//! in which a return can be corrected.

use super::oss::{EMAIL, act, made, read, refused, registered, sale, started};
use crate::help::cents;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use testing::{Server, on_both_engines};

/// Days of supply: the first day of the data, and the days before and after each change of a rate.
const DAYS: [&str; 12] = [
    "2024-01-01",
    "2024-08-31",
    "2024-09-01",
    "2024-12-31",
    "2025-01-01",
    "2025-06-30",
    "2025-07-01",
    "2025-07-31",
    "2025-08-01",
    "2025-12-31",
    "2026-01-01",
    "2026-07-01",
];

/// Rates of a member state: the standard rate, and all rates.
type Rates = (Value, Vec<Value>);

/// Rows of the data set `vat-rates-eu`.
fn rows(server: &Server, query: &str) -> Vec<Value> {
    let reply = server.send("GET", &format!("/open-data/vat-rates-eu.json{query}"), &[], None);
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["data"].as_array().unwrap().clone()
}

/// Rates by member state on a day, each rate once.
fn rates(server: &Server, day: &str) -> BTreeMap<String, Rates> {
    let mut countries: BTreeMap<String, Rates> = BTreeMap::new();
    for row in rows(server, &format!("?on={day}")) {
        let country = row["country"].as_str().unwrap().to_owned();
        let (standard, all) = countries.entry(country).or_default();
        if row["kind"] == "standard" {
            *standard = row["rate"].clone();
        }
        if !all.contains(&row["rate"]) {
            all.push(row["rate"].clone());
        }
    }
    countries
}

/// Goods of 100.00 with the given further fields.
fn line(fields: &Value) -> Value {
    let mut line = json!({"description": "Book", "unitPrice": 100, "supply": "goods"});
    line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    line
}

fn invoice(country: &str, day: &str, lines: Vec<Value>) -> Value {
    let mut invoice = sale(country, day, 1, &json!({}));
    invoice["items"] = Value::Array(lines);
    invoice
}

/// Asserts that each of the rates is refused, with one line for each. Rates of no member state are
/// refused before the others, so the two groups are sent apart.
fn assert_refused(
    server: &Server,
    key: &str,
    (country, day): (&str, &str),
    fields: &Value,
    (of_others, unlisted): (&[&Value], &[&Value]),
) {
    for rates in [of_others, unlisted] {
        let with_rate = |rate: &&Value| {
            let mut line = line(fields);
            line["vatRate"] = (*rate).clone();
            line
        };
        let lines = rates.iter().map(with_rate).collect();
        let expected: Vec<String> =
            (0..rates.len()).map(|at| format!("/items/{at}/vatRate unknown_vat_rate")).collect();
        let (status, _, faults) = refused(server, key, "invoices", &invoice(country, day, lines));
        assert_eq!((status, faults), (422, expected), "{country} {day}: {rates:?}");
    }
}

on_both_engines! {
    // Long: all rates of all member states, and what the returns make of them.
    fn the_rates_of_all_member_states_are_those_of_the_open_data(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2024-01-01");
        let mut known: Vec<Value> = vec![json!(100)];
        for row in rows(&server, "") {
            if !known.contains(&row["rate"]) {
                known.push(row["rate"].clone());
            }
        }
        // Base and VAT in cents by quarter, country and rate.
        let mut expected: BTreeMap<(String, String, String), (i64, i64)> = BTreeMap::new();
        for day in DAYS {
            let countries = rates(&server, day);
            assert_eq!(countries.len(), 27, "{day}");
            let is_somewhere = |rate: &Value| countries.values().any(|(_, all)| all.contains(rate));
            let month: i32 = day[5..7].parse().unwrap();
            let quarter = format!("{}-Q{}", &day[..4], (month + 2) / 3);
            for (country, (standard, listed)) in &countries {
                let others = known.iter().filter(|rate| !listed.contains(rate));
                let others: (Vec<&Value>, Vec<&Value>) = others.partition(|rate| is_somewhere(rate));
                let others = (others.0.as_slice(), others.1.as_slice());
                // Goods that are handed over in the Netherlands have Dutch VAT.
                if country == "NL" {
                    let here = json!({"taxCountry": "NL"});
                    let with_rate = |rate: &Value| line(&json!({"taxCountry": "NL", "vatRate": rate}));
                    let lines = listed.iter().map(with_rate).collect();
                    let sold = made(&server, &key, "invoices", &invoice("DE", day, lines));
                    for item in sold["items"].as_array().unwrap() {
                        let shown = (&item["vatCategory"], &item["taxCountry"]);
                        assert_eq!(shown, (&json!("standard"), &json!("NL")), "{day} {item}");
                    }
                    assert_refused(&server, &key, ("DE", day), &here, others);
                    continue;
                }
                // The first line takes the default, which is the standard rate.
                let mut lines = vec![line(&json!({}))];
                lines.extend(listed.iter().map(|rate| line(&json!({"vatRate": rate}))));
                let sold = made(&server, &key, "invoices", &invoice(country, day, lines));
                let items = sold["items"].as_array().unwrap();
                let charged: Vec<&Value> = items.iter().map(|item| &item["vatRate"]).collect();
                let wanted: Vec<&Value> = std::iter::once(standard).chain(listed).collect();
                assert_eq!(charged, wanted, "{country} {day}");
                for item in items {
                    let shown = (&item["vatCategory"], &item["taxCountry"]);
                    assert_eq!(shown, (&json!("oss"), &json!(country)), "{day} {item}");
                }
                for rate in wanted {
                    let at = (quarter.clone(), country.clone(), rate.to_string());
                    let (base, vat) = expected.entry(at).or_default();
                    *base += 10_000;
                    // A percentage of 100.00 in cents is the rate in hundredths.
                    *vat += cents(rate);
                }
                let oss = json!({"vatCategory": "oss"});
                assert_refused(&server, &key, (country, day), &oss, others);
            }
        }
        let mut declared = BTreeMap::new();
        let quarters: BTreeSet<String> = expected.keys().map(|at| at.0.clone()).collect();
        for quarter in quarters {
            let body = read(&server, &key, &format!("oss-returns/{quarter}"));
            for row in body["rows"].as_array().unwrap() {
                let country = row["country"].as_str().unwrap().to_owned();
                let at = (quarter.clone(), country, row["rate"].to_string());
                declared.insert(at, (cents(&row["base"]), cents(&row["vat"])));
            }
        }
        assert_eq!(declared, expected);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Art. 28se(8) Wet OB 1968: the return for the fourth quarter of 2026 was due on 31 January
    /// 2027. Its supplies are credited in their own quarter and corrected in thirteen later ones.
    fn a_supply_is_credited_in_fourteen_quarters_and_then_no_more(engine) {
        let (server, key) = started(engine);
        registered(&server, &key, "2026-10-01");
        // 25.5 % of 10 000.00.
        let goods = json!({"supply": "goods"});
        let sold = made(&server, &key, "invoices", &sale("FI", "2026-11-10", 10_000, &goods));
        let path = format!("invoices/{}/credit-notes", sold["id"]);
        let credit = |date: &str, euros: i64| {
            json!({"date": date, "items": [{"description": "Book", "quantity": euros, "unitPrice": 1, "vatRate": 25.5}]})
        };
        server.clock.set("2026-12-15T11:00:00Z");
        made(&server, &key, &path, &credit("2026-12-15", 100));
        let mut quarter = "2026-Q4".to_owned();
        let own = read(&server, &key, "oss-returns/2026-Q4");
        assert_eq!(own["rows"].as_array().unwrap().len(), 1);
        let row = &own["rows"][0];
        assert_eq!((cents(&row["base"]), cents(&row["vat"])), (990_000, 252_450));
        let mut returns = vec![(quarter.clone(), own["rows"].clone(), own["corrections"].clone())];
        for number in 1..=13 {
            let (year, place) = (2026 + (number + 3) / 4, (number + 3) % 4);
            let day = format!("{year}-{:02}-{}", place * 3 + 1, if place % 3 == 0 { 31 } else { 30 });
            server.clock.set(&format!("{day}T11:00:00Z"));
            let filed = act(&server, &key, &format!("oss-returns/{quarter}/file"));
            assert_eq!(filed.status, 200, "{quarter}: {}", filed.text);
            // A different amount each time: 25.50, 51.00, and so on.
            made(&server, &key, &path, &credit(&day, number * 100));
            quarter = format!("{year}-Q{}", place + 1);
            let next = read(&server, &key, &format!("oss-returns/{quarter}"));
            let corrections = next["corrections"].as_array().unwrap();
            assert_eq!(corrections.len(), 1, "{quarter}: {next}");
            let correction = &corrections[0];
            assert_eq!(
                (&correction["period"], &correction["country"], cents(&correction["vat"])),
                (&json!("2026-Q4"), &json!("FI"), -2_550 * number),
                "{quarter}"
            );
            assert_eq!((&next["rows"], cents(&next["payable"])), (&json!([]), 0), "{quarter}");
            returns.push((quarter.clone(), next["rows"].clone(), next["corrections"].clone()));
        }
        assert_eq!((quarter.as_str(), returns.len()), ("2030-Q1", 14));
        // No credit note changed an earlier return.
        for (quarter, rows, corrections) in returns {
            let later = read(&server, &key, &format!("oss-returns/{quarter}"));
            assert_eq!((&later["rows"], &later["corrections"]), (&rows, &corrections), "{quarter}");
        }
        server.clock.set("2030-04-10T11:00:00Z");
        for day in ["2030-02-01", "2030-03-31", "2030-04-10"] {
            let late = refused(&server, &key, &path, &credit(day, 1));
            assert_eq!((late.0, late.1.as_str()), (409, "too_old_for_oss"), "{day}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
