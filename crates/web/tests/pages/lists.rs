//! Lists: a year at a time or all of it, ordered by a column, 50 rows a page, with their sums and the same rows as a file.

use crate::browser::{Browser, EMAIL};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

fn make(server: &Server, key: &str, path: &str, body: &Value) -> i64 {
    let made = server.post(key, path, body);
    assert_eq!(made.status, 201, "{path}: {}", made.text);
    made.json()["id"].as_i64().unwrap_or_default()
}

/// What the rows of a page are about, in their order.
fn ids(page: &Reply) -> Vec<i64> {
    assert_eq!(page.status, 200, "{}", page.text);
    let rows = page.text.split("<tr data-id=\"").skip(1);
    rows.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

/// What stands at the foot, amounts and numbers as they are.
fn foot(page: &Reply) -> Vec<String> {
    let foot = page.text.split("<tfoot>").nth(1).map_or("", |rest| rest.split("</tfoot>").next().unwrap());
    foot.split("<data value=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// Where a link of the page leads, by its `rel`.
fn link(page: &Reply, rel: &str) -> Option<String> {
    let before = page.text.split(&format!("rel=\"{rel}\"")).next().filter(|before| before.len() < page.text.len())?;
    let address = before.rsplit("href=\"").next()?.split('"').next()?;
    Some(address.replace("&#38;", "&").replace("&amp;", "&"))
}

on_both_engines! {
    fn trips_are_listed_by_year_in_the_order_of_their_days(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let trip = |date: &str, to: &str, km: f64| make(&server, &key, "/api/v1/mileage", &json!({"date": date, "from": "Utrecht", "to": to, "km": km}));
        let late = trip("2026-02-20", "Breda", 100.0);
        let early = trip("2026-01-05", "Assen", 200.0);
        let before = trip("2025-06-01", "Breda", 50.0);
        let page = browser.get("/mileage");
        assert_eq!(ids(&page), [late, early], "the last day first, whatever was recorded last");
        assert_eq!(ids(&browser.get("/mileage?sort=date")), [early, late]);
        assert_eq!(ids(&browser.get("/mileage?sort=-amount")), [early, late]);
        assert!(page.text.contains("<option value=\"2025\"") && page.text.contains("<option value=\"2026\" selected"), "{}", page.text);
        let last_year = browser.get("/mileage?year=2025");
        assert_eq!(ids(&last_year), [before]);
        assert!(foot(&last_year).contains(&"50".to_owned()), "{:?}", foot(&last_year));
        assert_eq!(ids(&browser.get("/mileage?q=breda")), [late]);
        assert_eq!(browser.get("/mileage.csv?year=2025").text.lines().count(), 2);
        assert!(browser.get("/mileage.csv?year=2025&q=assen").text.lines().count() == 1);
        for _ in 0..50 {
            trip("2026-03-01", "Delft", 1.0);
        }
        let page = browser.get("/mileage");
        assert_eq!(ids(&page).len(), 50);
        assert!(foot(&page).contains(&"350".to_owned()), "the sums are those of all pages: {:?}", foot(&page));
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!(ids(&second), [late, early]);
        assert_eq!(link(&second, "prev").as_deref(), Some("/mileage"));
    }

    fn events_are_listed_by_year_with_their_sums(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let private = |kind: &str, date: &str, amount: f64, words: &str| {
            make(&server, &key, "/api/v1/private-bookings", &json!({"kind": kind, "date": date, "amount": amount, "method": "bank", "description": words}))
        };
        let boat = private("drawing", "2026-02-20", 300.0, "Zeilboot");
        let first = private("drawing", "2026-01-05", 500.0, "Huishouden");
        let old = private("drawing", "2025-06-01", 40.0, "Huishouden");
        let deposit = private("deposit", "2026-01-20", 25.0, "Terug");
        let page = browser.get("/private-bookings");
        assert_eq!(ids(&page), [boat, deposit, first, old]);
        assert_eq!(foot(&page), ["25.00", "840.00"], "{}", page.text);
        let year = browser.get("/private-bookings?year=2026&sort=amount");
        assert_eq!((ids(&year), foot(&year)), (vec![deposit, boat, first], vec!["25.00".to_owned(), "800.00".to_owned()]));
        assert_eq!(ids(&browser.get("/private-bookings?q=zeilboot")), [boat]);
        assert_eq!(ids(&browser.get("/private-bookings?q=500")), [first]);
        assert_eq!(browser.get("/private-bookings.csv?year=2025").text.lines().count(), 2);
        // What is undone stays listed, and counts no more.
        assert_eq!(server.post(&key, &format!("/api/v1/private-bookings/{old}/undo"), &json!({})).status, 200);
        let undone = browser.get("/private-bookings?year=2025");
        assert_eq!((ids(&undone), foot(&undone)), (vec![old], vec!["0.00".to_owned()]));
        for _ in 0..50 {
            private("deposit", "2024-03-01", 1.0, "x");
        }
        let page = browser.get("/private-bookings");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!((ids(&page).len(), ids(&second).len()), (50, 4));
        assert_eq!(link(&second, "prev").as_deref(), Some("/private-bookings"));
        // The other kinds are listed alike.
        let transfer = make(&server, &key, "/api/v1/transfers", &json!({"date": "2026-03-01", "from": "bank", "to": "savings", "amount": 12.5}));
        let accrual = make(&server, &key, "/api/v1/accruals", &json!({"date": "2026-03-01", "kind": "accruedCost", "account": "4100", "amount": 12.5, "reverseOn": "2026-04-01"}));
        let loan = make(&server, &key, "/api/v1/loans", &json!({"date": "2026-03-01", "account": "0710", "amount": 12.5}));
        let used = make(&server, &key, "/api/v1/private-use", &json!({"date": "2026-03-01", "kind": "goods", "vat": 12.5, "base": 60}));
        for (path, id) in [("/transfers", transfer), ("/accruals", accrual), ("/loans", loan), ("/private-use", used)] {
            let page = browser.get(&format!("{path}?year=2026&sort=-amount"));
            assert_eq!((ids(&page), foot(&page)), (vec![id], vec!["12.50".to_owned()]), "{path}");
            let none = browser.get(&format!("{path}?year=2025"));
            assert!(ids(&none).is_empty() && none.text.contains("Nothing found") && none.text.contains(&format!("href=\"{path}\"")), "{path}: {}", none.text);
        }
    }

    fn payouts_are_listed_by_year_with_their_sums(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let payout = |date: &str, amount: f64, provider: &str| {
            make(&server, &key, "/api/v1/payouts", &json!({"date": date, "amount": amount, "fee": 1, "provider": provider}))
        };
        let late = payout("2026-02-05", 50.0, "Mollie");
        let early = payout("2026-01-05", 80.0, "Stripe");
        let old = payout("2025-01-05", 10.0, "Stripe");
        let page = browser.get("/payouts");
        assert_eq!((ids(&page), foot(&page)), (vec![late, early, old], vec!["140.00".to_owned(), "3.00".to_owned()]));
        let year = browser.get("/payouts?year=2026&sort=amount");
        assert_eq!((ids(&year), foot(&year)), (vec![late, early], vec!["130.00".to_owned(), "2.00".to_owned()]));
        assert_eq!(ids(&browser.get("/payouts?q=stripe&year=2025")), [old]);
        for _ in 0..48 {
            payout("2024-01-05", 1.0, "Mollie");
        }
        let page = browser.get("/payouts");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!((ids(&page).len(), ids(&second).len(), link(&second, "prev").as_deref()), (50, 1, Some("/payouts")));
    }

    fn receipts_that_were_used_stay_listed(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let receipt = |text: &str| {
            let file = format!("%PDF-1.4 {text}\n%%EOF\n");
            let made = server.send("POST", "/api/v1/receipts", &[("authorization", &format!("Bearer {key}")), ("content-type", "application/pdf")], Some(file.as_bytes()));
            assert_eq!(made.status, 201, "{}", made.text);
            made.json()["id"].as_i64().unwrap()
        };
        let (used, waiting) = (receipt("toner"), receipt("paper"));
        make(&server, &key, "/api/v1/expenses", &json!({"date": "2026-03-01", "supplier": "Papierhal", "receiptIds": [used],
            "items": [{"category": "4100", "amount": 90.75, "vatRate": 21, "includesVat": true}]}));
        assert_eq!(ids(&browser.get("/receipts")), [waiting]);
        let page = browser.get("/receipts?state=used");
        assert_eq!(ids(&page), [used]);
        assert!(page.text.contains("href=\"/expenses/1\""), "{}", page.text);
        assert_eq!(ids(&browser.get("/receipts?state=all")), [waiting, used]);
        let csv = browser.get("/receipts.csv?state=used");
        assert_eq!((csv.text.lines().count(), csv.text.contains(&format!("\r\n{used};")), csv.text.contains(";application/pdf;")), (2, true, true), "{}", csv.text);
        for number in 0..50 {
            receipt(&number.to_string());
        }
        let page = browser.get("/receipts");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!((ids(&page).len(), ids(&second), link(&second, "prev").as_deref()), (50, vec![waiting], Some("/receipts")));
    }

    fn assets_are_ordered_and_filtered_by_what_became_of_them(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let asset = |date: &str, description: &str, cost: f64| {
            make(&server, &key, "/api/v1/assets", &json!({"date": date, "description": description, "cost": cost, "lifeYears": 5, "account": "0200", "paidFrom": "bank"}))
        };
        let desk = asset("2026-02-10", "Bureau", 900.0);
        let laptop = asset("2026-01-10", "laptop", 1500.0);
        let camera = asset("2026-01-20", "Camera", 600.0);
        assert_eq!(server.post(&key, &format!("/api/v1/assets/{camera}/dispose"), &json!({"date": "2026-03-01", "proceeds": 0})).status, 200);
        assert_eq!(ids(&browser.get("/assets")), [laptop, camera, desk]);
        assert_eq!(ids(&browser.get("/assets?sort=description")), [desk, camera, laptop]);
        assert_eq!(ids(&browser.get("/assets?sort=-cost")), [laptop, desk, camera]);
        let held = browser.get("/assets?state=held&sort=-bookValue");
        assert_eq!((ids(&held), foot(&held)), (vec![laptop, desk], vec!["2400.00".to_owned(), "2400.00".to_owned()]));
        assert_eq!(ids(&browser.get("/assets?state=disposed")), [camera]);
        assert_eq!(browser.get("/assets.csv?state=disposed").text.lines().count(), 2);
        assert!(ids(&browser.get("/assets?q=fiets")).is_empty());
        for _ in 0..48 {
            asset("2026-03-01", "Stoel", 450.0);
        }
        let page = browser.get("/assets");
        assert_eq!((ids(&page).len(), ids(&browser.get(&link(&page, "next").unwrap())).len()), (50, 1));
    }

    fn projects_are_fifty_a_page(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for number in 0..51 {
            make(&server, &key, "/api/v1/projects", &json!({"name": format!("Project {number:02}"), "hourlyRate": 100}));
        }
        make(&server, &key, "/api/v1/time-entries", &json!({"projectId": 51, "date": "2026-03-02", "hours": 2, "description": "x"}));
        let page = browser.get("/projects");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!((ids(&page).len(), ids(&second), link(&second, "prev").as_deref()), (50, vec![51], Some("/projects")));
        assert!(foot(&page).contains(&"200.00".to_owned()), "{:?}", foot(&page));
    }
}
