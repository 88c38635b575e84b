//! Lists: selection of a year, sorting, pages of 50 rows, totals, and links to the same rows as a
//! file.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines};

fn make(server: &Server, key: &str, path: &str, body: &Value) -> i64 {
    let response = server.post(key, path, body);
    assert_eq!(response.status, 201, "{path}: {}", response.text);
    response.json()["id"].as_i64().unwrap_or_default()
}

fn patch(server: &Server, key: &str, path: &str, body: &Value) -> Reply {
    server.send(
        "PATCH",
        path,
        &[("x-api-key", key), ("content-type", "application/json")],
        Some(body.to_string().as_bytes()),
    )
}

/// Ids of the rows of a page, in order.
fn ids(page: &Reply) -> Vec<i64> {
    assert_eq!(page.status, 200, "{}", page.text);
    let rows = page.text.split("<tr data-id=\"").skip(1);
    rows.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

/// Cells of the table footer; amounts as plain numbers.
fn foot(page: &Reply) -> Vec<String> {
    let foot =
        page.text.split("<tfoot>").nth(1).map_or("", |rest| rest.split("</tfoot>").next().unwrap());
    foot.split("<data value=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

/// Target of the page's link with this `rel`.
fn link(page: &Reply, rel: &str) -> Option<String> {
    let before = page
        .text
        .split(&format!("rel=\"{rel}\""))
        .next()
        .filter(|before| before.len() < page.text.len())?;
    let address = before.rsplit("href=\"").next()?.split('"').next()?;
    Some(address.replace("&#38;", "&").replace("&amp;", "&"))
}

on_both_engines! {
    fn trips_are_listed_by_year_in_the_order_of_their_days(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let trip = |date: &str, to: &str, km: f64| {
            make(
                &server,
                &key,
                "/api/v1/mileage",
                &json!({"date": date, "from": "Utrecht", "to": to, "km": km}),
            )
        };
        let late = trip("2026-02-20", "Breda", 100.0);
        let early = trip("2026-01-05", "Assen", 200.0);
        let before = trip("2025-06-01", "Breda", 50.0);
        let page = browser.get("/mileage");
        assert_eq!(ids(&page), [late, early], "latest date first, in any order of recording");
        assert_eq!(ids(&browser.get("/mileage?sort=date")), [early, late]);
        assert_eq!(ids(&browser.get("/mileage?sort=-amount")), [early, late]);
        assert!(
            page.text.contains("<option value=\"2025\"")
                && page.text.contains("<option value=\"2026\" selected"),
            "{}",
            page.text
        );
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
        assert!(
            foot(&page).contains(&"350".to_owned()),
            "the sums are those of all pages: {:?}",
            foot(&page)
        );
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!(ids(&second), [late, early]);
        assert_eq!(link(&second, "prev").as_deref(), Some("/mileage"));
    }

    fn events_are_listed_by_year_with_their_sums(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let private = |kind: &str, date: &str, amount: f64, words: &str| {
            make(
                &server,
                &key,
                "/api/v1/private-bookings",
                &json!({"kind": kind, "date": date, "amount": amount, "method": "bank", "description": words}),
            )
        };
        let boat = private("drawing", "2026-02-20", 300.0, "Zeilboot");
        let first = private("drawing", "2026-01-05", 500.0, "Huishouden");
        let old = private("drawing", "2025-06-01", 40.0, "Huishouden");
        let deposit = private("deposit", "2026-01-20", 25.0, "Terug");
        let page = browser.get("/private-bookings");
        assert_eq!(ids(&page), [boat, deposit, first, old]);
        assert_eq!(foot(&page), ["25.00", "840.00"], "{}", page.text);
        let year = browser.get("/private-bookings?year=2026&sort=amount");
        assert_eq!(
            (ids(&year), foot(&year)),
            (vec![deposit, boat, first], vec!["25.00".to_owned(), "800.00".to_owned()])
        );
        assert_eq!(ids(&browser.get("/private-bookings?q=zeilboot")), [boat]);
        assert_eq!(ids(&browser.get("/private-bookings?q=500")), [first]);
        assert_eq!(browser.get("/private-bookings.csv?year=2025").text.lines().count(), 2);
        // An undone booking stays listed but is not in the totals.
        assert_eq!(
            server.post(&key, &format!("/api/v1/private-bookings/{old}/undo"), &json!({})).status,
            200
        );
        let undone = browser.get("/private-bookings?year=2025");
        assert_eq!((ids(&undone), foot(&undone)), (vec![old], vec!["0.00".to_owned()]));
        for _ in 0..50 {
            private("deposit", "2024-03-01", 1.0, "x");
        }
        let page = browser.get("/private-bookings");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!((ids(&page).len(), ids(&second).len()), (50, 4));
        assert_eq!(link(&second, "prev").as_deref(), Some("/private-bookings"));
        // The other kinds of booking have the same list.
        let transfer = make(
            &server,
            &key,
            "/api/v1/transfers",
            &json!({"date": "2026-03-01", "from": "bank", "to": "savings", "amount": 12.5}),
        );
        let accrual = make(
            &server,
            &key,
            "/api/v1/accruals",
            &json!({"date": "2026-03-01", "kind": "accruedCost", "account": "4100", "amount": 12.5, "reverseOn": "2026-04-01"}),
        );
        let loan = make(
            &server,
            &key,
            "/api/v1/loans",
            &json!({"date": "2026-03-01", "account": "0710", "amount": 12.5}),
        );
        let used = make(
            &server,
            &key,
            "/api/v1/private-use",
            &json!({"date": "2026-03-01", "kind": "goods", "vat": 12.5, "base": 60}),
        );
        for (path, id) in [
            ("/transfers", transfer),
            ("/accruals", accrual),
            ("/loans", loan),
            ("/private-use", used),
        ] {
            let page = browser.get(&format!("{path}?year=2026&sort=-amount"));
            assert_eq!((ids(&page), foot(&page)), (vec![id], vec!["12.50".to_owned()]), "{path}");
            let none = browser.get(&format!("{path}?year=2025"));
            assert!(
                ids(&none).is_empty()
                    && none.text.contains("Nothing found")
                    && none.text.contains(&format!("href=\"{path}\"")),
                "{path}: {}",
                none.text
            );
        }
    }

    fn payouts_are_listed_by_year_with_their_sums(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let payout = |date: &str, amount: f64, provider: &str| {
            make(
                &server,
                &key,
                "/api/v1/payouts",
                &json!({"date": date, "amount": amount, "fee": 1, "provider": provider}),
            )
        };
        let late = payout("2026-02-05", 50.0, "Mollie");
        let early = payout("2026-01-05", 80.0, "Stripe");
        let old = payout("2025-01-05", 10.0, "Stripe");
        let page = browser.get("/payouts");
        assert_eq!(
            (ids(&page), foot(&page)),
            (vec![late, early, old], vec!["140.00".to_owned(), "3.00".to_owned()])
        );
        let year = browser.get("/payouts?year=2026&sort=amount");
        assert_eq!(
            (ids(&year), foot(&year)),
            (vec![late, early], vec!["130.00".to_owned(), "2.00".to_owned()])
        );
        assert_eq!(ids(&browser.get("/payouts?q=stripe&year=2025")), [old]);
        for _ in 0..48 {
            payout("2024-01-05", 1.0, "Mollie");
        }
        let page = browser.get("/payouts");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!(
            (ids(&page).len(), ids(&second).len(), link(&second, "prev").as_deref()),
            (50, 1, Some("/payouts"))
        );
    }

    fn used_receipts_stay_listed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let receipt = |text: &str| {
            let file = format!("%PDF-1.4 {text}\n%%EOF\n");
            let response = server.send(
                "POST",
                "/api/v1/receipts",
                &[("x-api-key", &key), ("content-type", "application/pdf")],
                Some(file.as_bytes()),
            );
            assert_eq!(response.status, 201, "{}", response.text);
            response.json()["id"].as_i64().unwrap()
        };
        let (used, waiting) = (receipt("toner"), receipt("paper"));
        make(
            &server,
            &key,
            "/api/v1/expenses",
            &json!({"date": "2026-03-01", "supplier": "Papierhal", "receiptIds": [used],
            "items": [{"category": "4100", "amount": 90.75, "vatRate": 21, "includesVat": true}]}),
        );
        assert_eq!(ids(&browser.get("/receipts")), [waiting]);
        let page = browser.get("/receipts?state=used");
        assert_eq!(ids(&page), [used]);
        assert!(page.text.contains("href=\"/expenses/1\""), "{}", page.text);
        assert_eq!(ids(&browser.get("/receipts?state=all")), [waiting, used]);
        let csv = browser.get("/receipts.csv?state=used");
        assert_eq!(
            (
                csv.text.lines().count(),
                csv.text.contains(&format!("\r\n{used};")),
                csv.text.contains(";application/pdf;")
            ),
            (2, true, true),
            "{}",
            csv.text
        );
        // Receipts are filtered and sorted by name; the first two have no name.
        let page = browser.get("/receipts");
        assert_eq!(
            browser
                .submit_with_file(
                    &page,
                    "/receipts",
                    &[],
                    ("file", "Bakker.pdf", b"%PDF-1.7 bakker")
                )
                .status,
            303
        );
        assert_eq!(
            browser
                .submit_with_file(&page, "/receipts", &[], ("file", "aap.pdf", b"%PDF-1.7 aap"))
                .status,
            303
        );
        let (bakker, aap) = (waiting + 1, waiting + 2);
        assert_eq!(ids(&browser.get("/receipts?q=BAKK")), [bakker]);
        assert_eq!(ids(&browser.get("/receipts?state=used&q=bakk")), Vec::<i64>::new());
        assert_eq!(ids(&browser.get("/receipts?sort=-name")), [bakker, aap, waiting]);
        assert_eq!(ids(&browser.get("/receipts?sort=date")), [waiting, bakker, aap]);
        let page = browser.get("/receipts?q=bakk");
        assert!(
            page.text.contains("1 file<")
                && browser.get("/receipts.csv?q=bakk").text.lines().count() == 2,
            "{}",
            page.text
        );
        let page = browser.get("/receipts");
        for receipt in [bakker, aap] {
            assert_eq!(
                browser.submit(&page, &format!("/receipts/{receipt}/delete"), &[]).status,
                303
            );
        }
        for number in 0..50 {
            receipt(&number.to_string());
        }
        let page = browser.get("/receipts");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!(
            (ids(&page).len(), ids(&second), link(&second, "prev").as_deref()),
            (50, vec![waiting], Some("/receipts"))
        );
    }

    fn assets_are_sorted_and_filtered_by_state(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let asset = |date: &str, description: &str, cost: f64| {
            make(
                &server,
                &key,
                "/api/v1/assets",
                &json!({"date": date, "description": description, "cost": cost, "lifeYears": 5, "account": "0200", "paidFrom": "bank"}),
            )
        };
        let desk = asset("2026-02-10", "Bureau", 900.0);
        let laptop = asset("2026-01-10", "laptop", 1500.0);
        let camera = asset("2026-01-20", "Camera", 600.0);
        assert_eq!(
            server
                .post(
                    &key,
                    &format!("/api/v1/assets/{camera}/dispose"),
                    &json!({"date": "2026-03-01", "proceeds": 0})
                )
                .status,
            200
        );
        assert_eq!(ids(&browser.get("/assets")), [laptop, camera, desk]);
        assert_eq!(ids(&browser.get("/assets?sort=description")), [desk, camera, laptop]);
        assert_eq!(ids(&browser.get("/assets?sort=-cost")), [laptop, desk, camera]);
        let in_use = browser.get("/assets?state=held&sort=-bookValue");
        assert_eq!(
            (ids(&in_use), foot(&in_use)),
            (vec![laptop, desk], vec!["2400.00".to_owned(), "2400.00".to_owned()])
        );
        assert_eq!(ids(&browser.get("/assets?state=disposed")), [camera]);
        assert_eq!(browser.get("/assets.csv?state=disposed").text.lines().count(), 2);
        assert!(ids(&browser.get("/assets?q=fiets")).is_empty());
        for _ in 0..48 {
            asset("2026-03-01", "Stoel", 450.0);
        }
        let page = browser.get("/assets");
        assert_eq!(
            (ids(&page).len(), ids(&browser.get(&link(&page, "next").unwrap())).len()),
            (50, 1)
        );
    }

    fn projects_are_fifty_a_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for number in 0..51 {
            make(
                &server,
                &key,
                "/api/v1/projects",
                &json!({"name": format!("Project {number:02}"), "hourlyRate": 100}),
            );
        }
        make(
            &server,
            &key,
            "/api/v1/time-entries",
            &json!({"projectId": 51, "date": "2026-03-02", "hours": 2, "description": "x"}),
        );
        let page = browser.get("/projects");
        let second = browser.get(&link(&page, "next").unwrap());
        assert_eq!(
            (ids(&page).len(), ids(&second), link(&second, "prev").as_deref()),
            (50, vec![51], Some("/projects"))
        );
        assert!(foot(&page).contains(&"200.00".to_owned()), "{:?}", foot(&page));
    }

    fn payments_of_vat_have_a_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let form = browser.get("/vat-payments");
        assert!(form.text.contains("No VAT paid or refunded yet"), "{}", form.text);
        let refused =
            browser.submit(&form, "/vat-payments", &[("date", "2026-03-01"), ("amount", "x")]);
        assert_eq!((refused.status, fault_of(&refused, "amount").is_some()), (422, true));
        let filled = [
            ("date", "2026-03-01"),
            ("amount", "1.708,00"),
            ("method", "savings"),
            ("description", "Naheffing"),
        ];
        let paid = browser.submit(&form, "/vat-payments", &filled);
        assert_eq!(paid.header("location"), Some("/vat-payments?done=vat-paid"), "{}", paid.text);
        let page = browser.follow(&paid);
        assert!(
            page.text.contains("<data value=\"1708.00\">")
                && page.text.contains("href=\"/journal/1\"")
                && page.text.contains("Naheffing"),
            "{}",
            page.text
        );
        let payment = server.get(&key, "/api/v1/vat-payments/1").json();
        assert_eq!(
            (&payment["amount"], &payment["method"], &payment["date"]),
            (&json!(1708.00), &json!("savings"), &json!("2026-03-01")),
            "{payment}"
        );
        assert_eq!(
            (ids(&browser.get("/vat-payments?year=2026")), foot(&page)),
            (vec![1], vec!["1708.00".to_owned()])
        );
        assert!(ids(&browser.get("/vat-payments?year=2025")).is_empty());
        let entry = browser.get("/journal/1");
        assert!(entry.text.contains("href=\"/vat-payments\""), "{}", entry.text);
        let again = browser.get("/vat-payments");
        let undone = browser.submit(&again, "/vat-payments/1/undo", &[]);
        assert_eq!(
            undone.header("location"),
            Some("/vat-payments?done=vat-payment-undone"),
            "{}",
            undone.text
        );
        assert_eq!(foot(&browser.get("/vat-payments")), ["0.00"]);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn addresses_with_names_of_the_api_redirect_to_pages(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        for (path, target) in [
            ("/manual-entries", "/journal?kind=manual"),
            ("/opening-balance", "/journal/opening"),
            ("/vat-scheme", "/settings/vat"),
        ] {
            let answer = browser.get(path);
            assert_eq!((answer.status, answer.header("location")), (303, Some(target)), "{path}");
            assert_eq!(browser.get(target).status, 200, "{target}");
        }
    }

    fn forms_and_entries_of_hundreds_of_lines_are_short_pages(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let lines: Vec<(String, String)> = (0..500)
            .flat_map(|number| {
                let side = if number % 2 == 0 { "debit" } else { "credit" };
                let account = if number % 2 == 0 { "4610" } else { "1100" };
                [
                    (format!("lines.{number}.account"), account.to_owned()),
                    (format!("lines.{number}.{side}"), "12,50".to_owned()),
                ]
            })
            .collect();
        let form = browser.get("/journal/new");
        let mut filled: Vec<(&str, &str)> =
            lines.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        filled.extend([("date", "2026-03-10"), ("description", "Many")]);
        let result_page =
            browser.submit(&form, "/journal", &[&filled[..], &[("action", "calculate")]].concat());
        assert_eq!(
            (
                result_page.status,
                result_page.text.matches(".account\" list=").count(),
                result_page.text.matches("<option value=\"4610\"").count()
            ),
            (200, 500, 1)
        );
        assert!(result_page.text.len() < 120_000, "{} bytes", result_page.text.len());
        assert_eq!(value_of(&result_page, "lines.499.credit").as_deref(), Some("12,50"));
        let live = browser.submit(
            &form,
            "/journal",
            &[&filled[..], &[("action", "calculate"), ("live", "true")]].concat(),
        );
        assert!(
            live.text.len() < 30_000 && live.text.contains("<data value=\"3125.00\">"),
            "{} bytes",
            live.text.len()
        );
        let others = filled.iter().copied().filter(|(name, _)| *name != "lines.2.account");
        let wrong = browser.submit(
            &form,
            "/journal",
            &others.chain([("lines.2.account", "1300")]).collect::<Vec<_>>(),
        );
        assert_eq!(
            (wrong.status, fault_of(&wrong, "lines.2.account").is_some()),
            (422, true),
            "{:?} {}",
            wrong.headers,
            wrong.text
        );
        let response = browser.submit(&form, "/journal", &filled);
        assert_eq!(
            response.header("location"),
            Some("/journal/1?done=entry-made"),
            "{}",
            response.text
        );
        let list = browser.get("/journal?year=2026");
        assert_eq!(list.text.matches("href=\"/journal/accounts/4610?year=2026\"").count(), 10);
        assert!(
            list.text.contains("<a href=\"/journal/1\">All 500 lines</a>")
                && list.text.len() < 120_000,
            "{}",
            list.text
        );
        let entry = browser.get("/journal/1");
        assert!(
            entry.text.len() < 120_000 && entry.text.contains("1 – 50 of 500"),
            "{} bytes",
            entry.text.len()
        );
        assert!(browser.get(&link(&entry, "next").unwrap()).text.contains("51 – 100 of 500"));
        // The form of an expense with a hundred lines stays small: it lists the categories once.
        let items: Vec<(String, String)> = (0..100)
            .flat_map(|number| {
                [
                    (format!("items.{number}.category"), "4100".to_owned()),
                    (format!("items.{number}.amount"), "1".to_owned()),
                ]
            })
            .collect();
        let form = browser.get("/expenses/new");
        let mut filled: Vec<(&str, &str)> =
            items.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        filled.extend([("supplier", "Papierhal"), ("action", "calculate")]);
        let result_page = browser.submit(&form, "/expenses", &filled);
        assert_eq!(
            (result_page.status, result_page.text.matches("<option value=\"4100\"").count()),
            (200, 1)
        );
        assert!(result_page.text.len() < 140_000, "{} bytes", result_page.text.len());
    }

    fn every_kind_of_entry_has_a_name_and_links_to_its_document(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/journal");
        let kinds =
            page.text.split("name=\"kind\"").nth(1).unwrap().split("</select>").next().unwrap();
        let mut names: Vec<&str> =
            kinds.split("\">").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), all), (22, 22), "{names:?}");
        let invoice = json!({"status": "sent", "invoiceDate": "2026-01-15", "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        make(&server, &key, "/api/v1/invoices", &invoice);
        make(
            &server,
            &key,
            "/api/v1/invoices/1/payments",
            &json!({"date": "2026-02-01", "amount": 121}),
        );
        make(
            &server,
            &key,
            "/api/v1/expenses",
            &json!({"date": "2026-01-20", "supplier": "Papierhal", "items": [{"category": "4100", "amount": 90.75, "vatRate": 21, "includesVat": true}]}),
        );
        make(
            &server,
            &key,
            "/api/v1/mileage",
            &json!({"date": "2026-01-21", "from": "Utrecht", "to": "Breda", "km": 70}),
        );
        make(
            &server,
            &key,
            "/api/v1/assets",
            &json!({"date": "2026-01-22", "description": "Laptop", "cost": 1000, "lifeYears": 5, "account": "0200", "paidFrom": "bank"}),
        );
        assert_eq!(
            server
                .post(&key, "/api/v1/assets/1/depreciate", &json!({"until": "2026-02-28"}))
                .status,
            200
        );
        make(
            &server,
            &key,
            "/api/v1/payouts",
            &json!({"date": "2026-01-23", "amount": 50, "fee": 1}),
        );
        for (entry, target) in [
            (1, "/invoices/1"),
            (2, "/invoices/1"),
            (3, "/expenses/1"),
            (4, "/mileage?year=2026"),
            (5, "/expenses/2"),
            (6, "/assets/1"),
            (7, "/payouts?year=2026"),
        ] {
            let page = browser.get(&format!("/journal/{entry}"));
            assert!(
                page.text.contains(&format!("class=\"button secondary\" href=\"{target}\"")),
                "{entry}: {}",
                page.text
            );
        }
    }

    fn each_action_shows_its_entry(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let flash_of = |page: &Reply| {
            page.text
                .split("class=\"flash\"")
                .nth(1)
                .map(|rest| rest.split("</div>").next().unwrap().to_owned())
                .unwrap_or_default()
        };
        type Case<'c> = (&'c str, &'c str, &'c [(&'c str, &'c str)], &'c str, i64);
        let cases: [Case<'_>; 7] = [
            (
                "/expenses/new",
                "/expenses",
                &[
                    ("supplier", "Papierhal"),
                    ("date", "2026-03-02"),
                    ("items.0.category", "4100"),
                    ("items.0.amount", "90,75"),
                ],
                "90.75",
                1,
            ),
            (
                "/mileage",
                "/mileage",
                &[("date", "2026-03-03"), ("from", "Utrecht"), ("to", "Breda"), ("km", "100")],
                "",
                2,
            ),
            (
                "/assets/new",
                "/assets",
                &[
                    ("description", "Laptop"),
                    ("date", "2026-01-10"),
                    ("cost", "1200"),
                    ("lifeYears", "5"),
                ],
                "1200.00",
                3,
            ),
            ("/assets/1", "/assets/1/depreciate", &[("until", "2026-02-28")], "40.00", 4),
            (
                "/private-bookings",
                "/private-bookings",
                &[
                    ("date", "2026-03-04"),
                    ("kind", "drawing"),
                    ("amount", "300"),
                    ("method", "bank"),
                ],
                "300.00",
                5,
            ),
            (
                "/journal/new",
                "/journal",
                &[
                    ("date", "2026-03-05"),
                    ("description", "Bank"),
                    ("lines.0.account", "4610"),
                    ("lines.0.debit", "12,50"),
                    ("lines.1.account", "1100"),
                    ("lines.1.credit", "12,50"),
                ],
                "12.50",
                6,
            ),
            ("/journal/6", "/journal/6/reverse", &[], "", 7),
        ];
        for (path, action, filled, amount, entry) in cases {
            let form = browser.get(path);
            let answer = browser.submit(&form, action, filled);
            assert_eq!(answer.status, 303, "{action}: {}", answer.text);
            let flash = flash_of(&browser.follow(&answer));
            assert!(flash.contains(&format!("href=\"/journal/{entry}\"")), "{action}: {flash}");
            assert!(
                amount.is_empty() || flash.contains(&format!("<data value=\"{amount}\">")),
                "{action}: {flash}"
            );
        }
        // Nothing is left to depreciate up to an earlier date, and the message reports this.
        let form = browser.get("/assets/1");
        let answer = browser.submit(&form, "/assets/1/depreciate", &[("until", "2026-01-31")]);
        let flash = flash_of(&browser.follow(&answer));
        assert!(
            flash.contains("nothing is booked") && !flash.contains("href=\"/journal/"),
            "{flash}"
        );
        let page = browser.get("/expenses/1");
        let undone = browser.submit(&page, "/expenses/1/undo", &[]);
        let flash = flash_of(&browser.follow(&undone));
        assert!(
            flash.contains("<data value=\"90.75\">") && flash.contains("href=\"/journal/8\""),
            "{flash}"
        );
    }

    fn an_invoice_shows_its_edits_and_why_it_cannot_be_credited(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-03-02T09:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let draft = json!({"invoiceDate": "2026-03-02", "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        make(&server, &key, "/api/v1/invoices", &draft);
        assert!(!browser.get("/invoices/1").text.contains("<span>Edited</span>"));
        let refused = browser.get("/invoices/1/credit");
        assert_eq!(
            (refused.status, refused.header("location")),
            (303, Some("/invoices/1?done=invoice-is-draft"))
        );
        assert!(browser.follow(&refused).text.contains("is still a draft"));
        server.clock.set("2026-03-02T10:30:00Z");
        let dearer = json!({"items": [{"description": "Work", "unitPrice": 110, "vatRate": 21}]});
        assert_eq!(patch(&server, &key, "/api/v1/invoices/1", &dearer).status, 200);
        server.clock.set("2026-03-02T12:45:00Z");
        assert_eq!(
            patch(&server, &key, "/api/v1/invoices/1", &json!({"notes": "Thanks"})).status,
            200
        );
        let page = browser.get("/invoices/1");
        let history = page.text.split("class=\"timeline\"").nth(1).unwrap();
        assert_eq!(history.matches("<span>Edited</span>").count(), 2, "{history}");
        assert!(history.contains("11:30") && history.contains("13:45"), "{history}");
        server.clock.set("2026-03-02T14:00:00Z");
        assert_eq!(
            patch(&server, &key, "/api/v1/invoices/1", &json!({"status": "sent"})).status,
            200
        );
        assert_eq!(browser.get("/invoices/1/credit").status, 200);
        make(&server, &key, "/api/v1/invoices/1/credit-notes", &json!({}));
        let refused = browser.get("/invoices/1/credit");
        assert_eq!(refused.header("location"), Some("/invoices/1?done=invoice-is-credited"));
        assert!(browser.follow(&refused).text.contains("credited in full"));
        assert_eq!(
            browser.get("/invoices/2/credit").header("location"),
            Some("/invoices/2?done=invoice-is-credit-note")
        );
    }

    fn an_asset_of_the_opening_balance_is_added_without_an_entry(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-03-15T11:00:00Z");
        let browser = signed_in(&server);
        let fields = [
            ("description", "Bakfiets"),
            ("date", "2024-01-10"),
            ("account", "0200"),
            ("cost", "3000"),
            ("lifeYears", "5"),
            ("openingDepreciated", "1200"),
        ];
        let refused = browser.submit(&browser.get("/assets/new"), "/assets", &fields);
        assert!(
            refused.status == 422 && refused.text.contains("Record your opening balance first"),
            "{}",
            refused.text
        );
        let key = server.key(EMAIL, true, true);
        make(
            &server,
            &key,
            "/api/v1/opening-balance",
            &json!({"date": "2026-01-01", "balances": [{"account": "0200", "amount": 3000}, {"account": "0210", "amount": -1200}]}),
        );
        let response = browser.submit(&refused, "/assets", &fields);
        assert_eq!(response.status, 303, "{}", response.text);
        let page = browser.follow(&response);
        for text in [
            "Nothing was booked: it was in your opening balance",
            "<data value=\"1800.00\">",
            "href=\"/journal/opening\"",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        assert!(!page.text.contains("depreciate/undo"), "{}", page.text);
        assert!(
            browser.get("/assets.csv").text.contains(";1800,00;"),
            "{}",
            browser.get("/assets.csv").text
        );
    }

    fn an_asset_is_bought_with_its_receipt_and_its_last_entry_undone(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let form = browser.get("/assets/new");
        let filled = [
            ("description", "Laptop"),
            ("date", "2026-01-10"),
            ("cost", "1200"),
            ("lifeYears", "5"),
            ("vatTreatment", "reverseCharge"),
            ("supplier", "Elektro GmbH"),
        ];
        let bought = browser.submit_with_file(
            &form,
            "/assets",
            &filled,
            ("receipt", "bill.pdf", b"%PDF-1.4 laptop\n%%EOF\n"),
        );
        assert_eq!(
            bought.header("location"),
            Some("/assets/1?done=asset-bought"),
            "{}",
            bought.text
        );
        let expense = server.get(&key, "/api/v1/expenses/1").json();
        assert_eq!(
            (&expense["items"][0]["vatTreatment"], expense["receiptIds"].as_array().unwrap().len()),
            (&json!("reverseCharge"), 1),
            "{expense}"
        );
        // The expense of an asset cannot be edited separately.
        let page = browser.get("/expenses/1");
        assert!(
            page.text.contains("href=\"/assets/1\"") && !page.text.contains("/expenses/1/edit"),
            "{}",
            page.text
        );
        assert_eq!(browser.get("/expenses/1/edit").header("location"), Some("/assets/1"));
        let value = |server: &Server| {
            let asset = server.get(&key, "/api/v1/assets/1").json();
            (
                asset["bookValue"].as_f64().unwrap(),
                asset["depreciatedUntil"].clone(),
                asset["disposedOn"].clone(),
            )
        };
        for until in ["2026-02-28", "2026-04-30"] {
            assert_eq!(
                server.post(&key, "/api/v1/assets/1/depreciate", &json!({"until": until})).status,
                200
            );
        }
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/assets/1/dispose",
                    &json!({"date": "2026-05-02", "proceeds": 900})
                )
                .status,
            200
        );
        for (remaining, until) in
            [(1120.0, json!("2026-04-30")), (1160.0, json!("2026-02-28")), (1200.0, Value::Null)]
        {
            let page = browser.get("/assets/1");
            let undone = browser.submit(&page, "/assets/1/depreciate/undo", &[]);
            assert_eq!(
                undone.header("location"),
                Some("/assets/1?done=asset-last-undone"),
                "{}",
                undone.text
            );
            assert_eq!(value(&server), (remaining, until, Value::Null));
        }
        assert!(!browser.get("/assets/1").text.contains("/depreciate/undo"));
        assert_eq!(browser.post("/assets/1/depreciate/undo", &[]).status, 403, "without its token");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_small_businesses_scheme_is_explained_in_one_sentence(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let pages = ["/", "/vat", "/vat/2026/1", "/invoices/new", "/expenses/new"];
        for path in pages {
            assert!(!browser.get(path).text.contains("small businesses scheme (KOR): "), "{path}");
        }
        let change = server.post(
            &key,
            "/api/v1/vat-scheme",
            &json!({"scheme": "kor", "from": "2026-01-01"}),
        );
        assert_eq!(change.status, 200, "{}", change.text);
        for path in pages {
            let page = browser.get(path);
            assert!(
                page.text.contains("small businesses scheme (KOR): ")
                    && page.text.contains("<a href=\"/kor\">Your revenue"),
                "{path}: {}",
                page.text
            );
        }
    }

    fn the_journal_is_searched_summed_and_paged_in_both_directions(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let by_hand = |date: &str, words: &str| {
            let lines = json!([{"account": "4610", "debit": 2}, {"account": "1100", "credit": 2}]);
            make(
                &server,
                &key,
                "/api/v1/manual-entries",
                &json!({"date": date, "description": words, "lines": lines}),
            )
        };
        by_hand("2026-05-01", "Memo bankkosten");
        for _ in 0..129 {
            by_hand("2026-02-03", "x");
        }
        let entries = |page: &Reply| {
            page.text
                .split("<tbody data-id=\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let search_page = browser.get("/journal?year=2026&q=MEMO");
        assert_eq!(entries(&search_page), ["1"]);
        assert!(entries(&browser.get("/journal?year=2025&q=memo")).is_empty());
        assert_eq!(browser.get("/journal.csv?year=2026&q=memo").text.lines().count(), 3);
        assert_eq!(foot(&browser.get("/journal?year=2026")), ["260.00", "260.00"]);
        assert_eq!(foot(&browser.get("/journal?year=2026&quarter=2")), ["2.00", "2.00"]);
        assert_eq!(foot(&browser.get("/journal?year=2026&account=1100")), ["0.00", "260.00"]);
        // The trial balance is sorted by account or amount. The search on a card leads to the
        // journal, filtered by the card's account.
        let balance = |query: &str| browser.get(&format!("/journal/accounts?year=2026{query}"));
        assert_eq!(ids(&balance("")), [1100, 4610]);
        assert_eq!(
            (ids(&balance("&sort=-debit")), ids(&balance("&sort=closing"))),
            (vec![4610, 1100], vec![1100, 4610])
        );
        assert_eq!(
            (ids(&balance("&q=4610")), foot(&balance("&q=4610"))),
            (vec![4610], ["0.00", "260.00", "0.00", "260.00"].map(str::to_owned).to_vec())
        );
        assert!(balance("&q=zzz").text.contains("Nothing found"));
        let card = browser.get("/journal/accounts/1100?year=2026");
        assert!(
            card.text.contains("<input type=\"hidden\" name=\"account\" value=\"1100\">"),
            "{}",
            card.text
        );
        assert_eq!(entries(&browser.get("/journal?year=2026&account=1100&q=memo")), ["1"]);
        for first in ["/journal?year=2026", "/journal/accounts/1100?year=2026"] {
            let rows = |page: &Reply| {
                if first.contains("accounts") {
                    ids(page).iter().map(ToString::to_string).collect()
                } else {
                    entries(page)
                }
            };
            let one = browser.get(first);
            let two = browser.get(&link(&one, "next").unwrap());
            let three = browser.get(&link(&two, "next").unwrap());
            assert_eq!(
                (rows(&one).len(), rows(&two).len(), rows(&three).len()),
                (50, 50, 30),
                "{first}"
            );
            assert_eq!((link(&one, "prev"), link(&three, "next")), (None, None), "{first}");
            assert_eq!(rows(&browser.get(&link(&three, "prev").unwrap())), rows(&two), "{first}");
            assert_eq!(rows(&browser.get(&link(&two, "prev").unwrap())), rows(&one), "{first}");
        }
    }

    fn invoices_and_expenses_are_filtered_by_period_and_category(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (date, price) in [("2026-01-15", 100), ("2026-02-15", 200), ("2026-03-01", 400)] {
            let items = json!([{"description": "Work", "unitPrice": price, "vatRate": 0}]);
            make(
                &server,
                &key,
                "/api/v1/invoices",
                &json!({"status": "sent", "invoiceDate": date, "customer": {"name": "De Pier"}, "items": items}),
            );
            let items = json!([{"category": if price == 200 { "4610" } else { "4100" }, "amount": price, "vatTreatment": "none"}]);
            make(
                &server,
                &key,
                "/api/v1/expenses",
                &json!({"date": date, "supplier": "Papierhal", "items": items}),
            );
        }
        for path in ["/invoices", "/expenses"] {
            let page = browser.get(&format!("{path}?from=2026-02-01&to=2026-02-28"));
            assert_eq!(ids(&page), [2], "{path}");
            assert!(foot(&page).contains(&"200.00".to_owned()), "{path}: {:?}", foot(&page));
            assert_eq!(
                ids(&browser.get(&format!("{path}?from=2026-02-01&sort=date"))),
                [2, 3],
                "{path}"
            );
            assert_eq!(ids(&browser.get(&format!("{path}?to=31-01-2026"))), [1], "{path}");
            assert_eq!(
                browser.get(&format!("{path}.csv?from=2026-02-01")).text.lines().count(),
                3,
                "{path}"
            );
            assert!(
                page.text.contains("name=\"from\" value=\"2026-02-01\""),
                "{path}: {}",
                page.text
            );
        }
        assert_eq!(ids(&browser.get("/expenses?category=4610")), [2]);
        assert!(ids(&browser.get("/expenses?category=4610&to=2026-01-31")).is_empty());
    }
}
