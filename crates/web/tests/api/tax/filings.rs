//! VAT returns: each box is the sum of its postings and is frozen once filed.

use crate::{
    help::{books, cents, file, patch, reopen, vat_box, walk},
    simple_invoice,
};
use jiff::{Timestamp, civil::date};
use ledger::{
    booking::MoneyAccount,
    chart::codes,
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use serde_json::{Value, json};
use service::{
    expenses::{self, ExpenseLine, NewExpense, Supplier},
    manual_entries::{self, ManualBooking},
};
use testing::{Server, on_both_engines};

const BOXES: [&str; 14] =
    ["1a", "1b", "1c", "1d", "1e", "2a", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "5g"];

/// Deterministic pseudo-random numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }

    fn cents(&mut self) -> i64 {
        i64::try_from(self.below(200_000)).unwrap() + 1
    }
}

/// Creates invoices of every category, with edits and credit notes, and the other kinds of booking,
/// over two quarters.
// Long: half a year of random books in order.
pub(super) fn random_books(server: &Server, key: &str, seed: u64) {
    let mut dice = Dice(seed);
    let mut sent = Vec::new();
    for _ in 0..12 {
        let day = format!("2026-0{}-{:02}", 1 + dice.below(6), 1 + dice.below(28));
        let items: Vec<Value> = (0..=dice.below(3)).map(|_| {
            let (rate, category) = dice.one_of(&[(21, "standard"), (21, "standard"), (9, "standard"), (0, "zero"), (0, "exempt"), (0, "reverseCharge"), (0, "intraCommunity"), (0, "export"), (0, "outOfScope")]);
            let price: serde_json::Number = format!("{}.{:03}", dice.below(900), dice.below(1000)).parse().unwrap();
            json!({"description": "x", "quantity": 1 + dice.below(3), "unitPrice": price, "vatRate": rate, "vatCategory": category})
        }).collect();
        let status = dice.one_of(&["draft", "sent", "sent"]);
        let payload = json!({"invoiceDate": day, "status": status, "customer": {"name": "A", "country": dice.one_of(&["NL", "DE", "US"])}, "items": items});
        let response = server.post(key, "/api/v1/invoices", &payload);
        assert_eq!(response.status, 201, "{}", response.text);
        let id = response.json()["id"].as_i64().unwrap();
        if status == "sent" {
            sent.push(id);
        } else {
            assert_eq!(
                patch(
                    server,
                    key,
                    &format!("/api/v1/invoices/{id}"),
                    &[],
                    &json!({"invoiceDate": "2026-03-31"})
                )
                .status,
                200
            );
        }
    }
    for id in sent.iter().step_by(3) {
        let reply = server.post(
            key,
            &format!("/api/v1/invoices/{id}/credit-notes"),
            &json!({"date": dice.one_of(&["2026-06-30", "2026-07-01"])}),
        );
        assert_eq!(reply.status, 201, "{}", reply.text);
    }
    let cx = server.owner("anna@example.com");
    let now: Timestamp = "2026-03-15T11:00:00Z".parse().unwrap();
    for _ in 0..10 {
        let on = date(
            2026,
            1 + i8::try_from(dice.below(6)).unwrap(),
            1 + i8::try_from(dice.below(28)).unwrap(),
        );
        let rate = dice.one_of(&[VatRate::high_on(on), VatRate::low_on(on)]);
        let net = Cents::new(dice.one_of(&[1, 1, -1]) * dice.cents());
        let line = ExpenseLine {
            category: dice.one_of(&[codes::SOFTWARE, codes::MEALS]),
            amount: net,
            treatment: dice.one_of(&[
                VatTreatment::Normal,
                VatTreatment::None,
                VatTreatment::ReverseCharge,
                VatTreatment::Import,
                VatTreatment::Eu,
            ]),
            rate: Some(rate),
            includes_vat: dice.one_of(&[true, false]),
            vat: None,
        };
        let who = cx.clone();
        let expense = NewExpense {
            external_id: None,
            date: on,
            supplier: Supplier::default(),
            description: Some("Bought".into()),
            lines: vec![line],
            paid_from: Some(MoneyAccount::Bank),
            business_share: BusinessShare::from_basis_points(dice.one_of(&[10_000, 6_000]))
                .unwrap(),
            receipt_ids: vec![],
            period: service::expenses::Covered::default(),
            bill: service::expenses::Bill::default(),
            if_filed: service::corrections::IfFiled::Refuse,
        };
        server.write(move |tx| expenses::record(tx, &who.at(now), &expense));
        let (who, base) = (cx.clone(), Cents::new(dice.cents()));
        server.write(move |tx| {
            manual_entries::record(tx, &who.at(now), on, &ManualBooking::PrivateUse { base, rate })
        });
    }
}

/// Rounds cents down to whole euros, towards minus infinity.
fn down(cents: i64) -> i64 {
    cents.div_euclid(100)
}

on_both_engines! {
    fn every_box_is_the_sum_of_the_postings_behind_it(engine) {
        for seed in [1, 20_260_315] {
            let server = Server::start(engine);
            let key = server.account("anna@example.com");
            random_books(&server, &key, seed);
            let mut seen = 0;
            for quarter in ["2026/1", "2026/2", "2026/3"] {
                let filing = server.get(&key, &format!("/api/v1/vat-filings/{quarter}")).json();
                let names: Vec<&str> = filing["boxes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|line| line["box"].as_str().unwrap())
                    .collect();
                assert_eq!(names, BOXES);
                let mut entries = std::collections::BTreeSet::new();
                for line in filing["boxes"].as_array().unwrap() {
                    let name = line["box"].as_str().unwrap();
                    let rows = walk(
                        &server,
                        &key,
                        &format!("/api/v1/vat-filings/{quarter}/boxes/{name}?limit=2"),
                        || (),
                    );
                    let sum = |field: &str| rows.iter().map(|row| cents(&row[field])).sum::<i64>();
                    let in_box =
                        |field: &str| if line[field].is_null() { 0 } else { cents(&line[field]) };
                    assert_eq!(
                        (sum("turnover"), sum("vat")),
                        (in_box("turnover"), in_box("vat")),
                        "{seed} {quarter} {name}"
                    );
                    let places: Vec<(String, i64)> = rows
                        .iter()
                        .map(|row| (row["date"].to_string(), row["entryId"].as_i64().unwrap()))
                        .collect();
                    assert!(
                        places.windows(2).all(|pair| pair[0] <= pair[1]),
                        "{seed} {quarter} {name}: sorted by day and entry"
                    );
                    entries.extend(rows.iter().map(|row| row["entryId"].as_i64().unwrap()));
                    seen += rows.len();
                }
                for id in entries {
                    let entry = server.get(&key, &format!("/api/v1/entries/{id}")).json();
                    assert_eq!(format!("{}/{}", entry["year"], entry["quarter"]), quarter);
                }
                let amount = |name: &str, field: &str| {
                    let line = filing["boxes"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .find(|line| line["box"] == name)
                        .unwrap();
                    if line[field].is_null() { 0 } else { cents(&line[field]) }
                };
                let due: i64 = BOXES[..11].iter().map(|name| amount(name, "vat")).sum();
                assert_eq!(
                    (amount("5a", "vat"), amount("5g", "vat"), cents(&filing["payable"])),
                    (due, due - amount("5b", "vat"), due - amount("5b", "vat"))
                );
                // Rounding to whole euros favours the taxpayer: VAT due is rounded down, deductions
                // up. The declared amounts still add up.
                let declared = |name: &str, field: &str| {
                    filing["boxes"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .find(|line| line["box"] == name)
                        .unwrap()[field]
                        .as_i64()
                        .unwrap_or(0)
                };
                for name in &BOXES[..11] {
                    assert_eq!(
                        (declared(name, "declaredTurnover"), declared(name, "declaredVat")),
                        (down(amount(name, "turnover")), down(amount(name, "vat"))),
                        "{name}"
                    );
                }
                assert_eq!(declared("5b", "declaredVat"), -down(-amount("5b", "vat")));
                let due: i64 = BOXES[..11].iter().map(|name| declared(name, "declaredVat")).sum();
                let payable = due - declared("5b", "declaredVat");
                assert_eq!(
                    (
                        declared("5a", "declaredVat"),
                        declared("5g", "declaredVat"),
                        filing["declaredPayable"].as_i64().unwrap()
                    ),
                    (due, payable, payable)
                );
            }
            assert!(seen > 60, "{seen}");
            assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
        }
    }

    fn each_quarter_of_a_year_has_its_return(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        let mut draft = simple_invoice();
        (draft["invoiceDate"], draft["status"]) = (json!("2026-06-30"), json!("draft"));
        for _ in 0..2 {
            assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        }
        draft["status"] = json!("sent");
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        let listed = server.get(&key, "/api/v1/vat-filings?year=2026");
        assert_eq!((listed.status, &listed.json()["nextCursor"]), (200, &Value::Null));
        let listed = listed.json()["data"].as_array().unwrap().clone();
        let days = [
            ("2026-01-01", "2026-03-31", "2026-04-30"),
            ("2026-04-01", "2026-06-30", "2026-07-31"),
            ("2026-07-01", "2026-09-30", "2026-10-31"),
            ("2026-10-01", "2026-12-31", "2027-01-31"),
        ];
        assert_eq!(listed.len(), 4);
        for (place, (filing, (first, last, due))) in listed.iter().zip(days).enumerate() {
            assert_eq!(
                (&filing["year"], &filing["quarter"], &filing["status"], &filing["filedAt"]),
                (&json!(2026), &json!(place + 1), &json!("open"), &Value::Null)
            );
            assert_eq!(
                (&filing["periodStart"], &filing["periodEnd"], &filing["dueDate"]),
                (&json!(first), &json!(last), &json!(due))
            );
            assert_eq!(
                &server.get(&key, &format!("/api/v1/vat-filings/2026/{}", place + 1)).json(),
                filing
            );
        }
        assert_eq!(
            (
                &listed[1]["draftInvoices"]["count"],
                cents(&listed[1]["draftInvoices"]["vat"]),
                &listed[1]["entryCount"]
            ),
            (&json!(2), 4_200, &json!(3))
        );
        assert_eq!(
            (
                &listed[0]["draftInvoices"]["count"],
                cents(&listed[0]["draftInvoices"]["vat"]),
                &listed[0]["entryCount"]
            ),
            (&json!(0), 0, &json!(0))
        );
        assert!(server.get(&key, "/api/v1/vat-filings/2026/2").text.contains(
            "\"turnover\":300.00,\"vat\":63.00,\"declaredTurnover\":300,\"declaredVat\":63"
        ));
        assert_eq!(walk(&server, &key, "/api/v1/vat-filings?year=2026&limit=3", || ()), listed);
        for (path, place) in [
            ("vat-filings?year=1999", "year"),
            ("vat-filings/26/1", "year"),
            ("vat-filings/2026/5", "quarter"),
            ("vat-filings/2026/0", "quarter"),
            ("vat-filings/2026/x", "quarter"),
        ] {
            let reply = server.get(&key, &format!("/api/v1/{path}"));
            assert_eq!((reply.status, reply.faults()[0].0.as_str()), (422, place), "{path}");
        }
        for name in ["5c", "1f", "6", "1A", "x", "%00"] {
            let reply = server.get(&key, &format!("/api/v1/vat-filings/2026/1/boxes/{name}"));
            assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{name}");
        }
    }

    fn a_filed_return_is_frozen_until_it_is_opened_again(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        random_books(&server, &key, 7);
        server.clock.set("2026-12-01T10:00:00Z");
        let path = "/api/v1/vat-filings/2026/1";
        let open = server.get(&key, path).json();
        file(&server, "anna@example.com", 2026, 1);
        let filed = server.get(&key, path);
        let tag = filed.header("etag").unwrap().to_owned();
        let filed = filed.json();
        assert_eq!(
            (&filed["status"], &filed["filedAt"]),
            (&json!("filed"), &json!("2026-12-01T10:00:00.000000Z"))
        );
        for field in [
            "boxes",
            "payable",
            "declaredPayable",
            "draftInvoices",
            "dueDate",
            "periodStart",
            "periodEnd",
        ] {
            assert_eq!(filed[field], open[field], "{field}");
        }
        let before = books(&server, &key);
        for day in ["2026-01-01", "2026-03-31"] {
            let mut invoice = simple_invoice();
            invoice["invoiceDate"] = json!(day);
            assert_eq!(
                server.post(&key, "/api/v1/invoices", &invoice).code(),
                "period_filed",
                "{day}"
            );
        }
        assert_eq!(books(&server, &key), before);
        // Bookings in other quarters do not change the filed return.
        for day in ["2025-12-31", "2026-04-01"] {
            let mut invoice = simple_invoice();
            invoice["invoiceDate"] = json!(day);
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        }
        assert_eq!(
            server.send("GET", path, &[("x-api-key", &key), ("if-none-match", &tag)], None).status,
            304
        );
        let settlements = server.get(&key, "/api/v1/entries?year=2026&sourceType=vatFiling").json();
        assert_eq!(settlements["data"].as_array().unwrap().len(), 1);
        reopen(&server, "anna@example.com", 2026, 1);
        let again = server.get(&key, path).json();
        assert_eq!(
            (&again["status"], &again["boxes"], &again["payable"]),
            (&json!("open"), &open["boxes"], &open["payable"])
        );
        let (turnover, vat) = vat_box(&server, &key, "2026/1", "1a");
        for day in ["2026-01-01", "2026-03-31"] {
            let mut invoice = simple_invoice();
            invoice["invoiceDate"] = json!(day);
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        }
        assert_eq!(vat_box(&server, &key, "2026/1", "1a"), (turnover + 20_000, vat + 4_200));
        file(&server, "anna@example.com", 2026, 1);
        assert_eq!(server.get(&key, path).json()["status"], "filed");
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
