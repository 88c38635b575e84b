//! The page for a year: figures, assumptions, closing and reopening. Also the tax settings.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::{Value, json};
use testing::{Reply, Server, Visitor, on_both_engines, page::form_to};

on_both_engines! {
    fn a_year_is_shown_estimated_closed_and_reopened(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        for (day, price) in [("2024-11-20", 40_000), ("2025-11-20", 50_000)] {
            let items = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
            let invoice = json!({"invoiceDate": day, "status": "sent", "customer": {"name": "De Pier"}, "items": items});
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        }
        let page = browser.get("/year/2025");
        for text in [
            "<h1>Jaar 2025",
            "<data value=\"50000.00\">",
            "<data value=\"40000.00\">",
            "+25%",
            "Balans op <time datetime=\"2025-12-31\">",
            "data-id=\"1300\"",
            "Btw 4e kwartaal 2025 indienen",
            "data-id=\"0500\"",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        // Example published by jortt.nl ("Winst naar inkomstenbelasting eenmanszaak"): 50 000 in
        // 2025, with the starters' deduction: 6 715.07 and 2 085.08. Our first amount is a cent
        // lower, because intermediate results are not rounded.
        let page =
            browser.get("/year/2025?asked=1&hoursCriterion=true&starter=true&provisional=800,15");
        for text in [
            "<data value=\"6715.06\">",
            "<data value=\"2085.08\">",
            "<data value=\"7999.99\">",
            "Startersaftrek",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let wrong = browser.get("/year/2025?asked=1&otherIncome=veel");
        assert!(
            fault_of(&wrong, "otherIncome").is_some()
                && value_of(&wrong, "otherIncome").as_deref() == Some("veel"),
            "{}",
            wrong.text
        );
        let closed = browser.submit(&page, "/year/2025/close", &[]);
        let page = browser.follow(&closed);
        assert!(
            page.text.contains("Afgesloten") && page.text.contains("/year/2025/reopen"),
            "{}",
            page.text
        );
        let opened = browser.submit(&page, "/year/2025/reopen", &[]);
        assert!(browser.follow(&opened).text.contains("/year/2025/close"));
        let running = browser.get("/year/2026");
        assert!(!running.text.contains("/year/2026/close"));
        let refused =
            browser.post("/year/2026/close", &[("csrf", &value_of(&running, "csrf").unwrap())]);
        assert!(
            refused.status == 409 && refused.text.contains("nog niet voorbij"),
            "{}",
            refused.text
        );
        assert_eq!(browser.get("/year/26").status, 404);
    }

    fn investments_are_the_purchases_that_qualify(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let buy = |account: &str, cost: f64| {
            let asset = json!({"date": "2026-02-01", "description": "Bought", "account": account, "cost": cost, "lifeYears": 5});
            assert_eq!(server.post(&key, "/api/v1/assets", &asset).status, 201);
        };
        // Four assets: one that qualifies as an investment, one that is too cheap, a car, and one
        // whose purchase is undone later (art. 3.45 Wet IB 2001).
        for (account, cost) in
            [("0200", 2_900.0), ("0200", 449.99), ("0300", 15_000.0), ("0200", 20_000.0)]
        {
            buy(account, cost);
        }
        assert_eq!(
            value_of(&browser.get("/year/2026"), "investments").as_deref(),
            Some("22,900.00")
        );
        assert_eq!(server.post(&key, "/api/v1/assets/4/undo", &json!({})).status, 200);
        assert_eq!(
            value_of(&browser.get("/year/2026"), "investments").as_deref(),
            Some("2,900.00")
        );
    }

    /// Computed by hand: a profit of 60 000 less losses on disposal of 2 000 and 1 000; an addition
    /// of 28 % of proceeds of 3 000 and a market value of 500; and premiums of 3 000 and, up to the
    /// margin, 4 000.
    fn the_estimate_counts_premiums_and_disposed_assets(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-02-20T10:00:00Z");
        let browser = signed_in(&server).speaking("nl");
        let key = server.key(EMAIL, true, true);
        let post = |path: &str, body: Value| {
            let reply = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert!(reply.status < 300, "{path}: {}", reply.text);
        };
        for (day, account, cost) in [
            ("2024-03-01", "0200", 10_000),
            ("2024-04-01", "0200", 5_000),
            ("2024-05-01", "0200", 1_000),
            ("2024-06-01", "0300", 20_000),
        ] {
            post("assets", json!({"date": day, "description": format!("Asset of {cost}"), "account": account, "cost": cost, "lifeYears": 5}));
        }
        let items = json!([{"description": "Work", "unitPrice": 60_000, "vatRate": 21}]);
        post("invoices", json!({"invoiceDate": "2025-11-20", "status": "sent", "customer": {"name": "De Pier"}, "items": items}));
        post("assets/2/dispose", json!({"date": "2025-06-01", "proceeds": 3_000}));
        post("assets/3/dispose", json!({"date": "2025-07-01"}));
        for (premium, amount) in [(json!("disability"), 3_000), (json!("annuity"), 5_000), (json!(null), 215)] {
            post("private-bookings", json!({"date": "2025-05-01", "kind": "premium", "premium": premium, "amount": amount}));
        }
        let page = browser.get("/year/2025");
        for (field, value) in [
            ("disabilityPremiums", "3.000,00"),
            ("annuityPremiums", "5.000,00"),
            ("annuityMargin", "0,00"),
            ("marketValue.3", "0,00"),
        ] {
            assert_eq!(value_of(&page, field).as_deref(), Some(value), "{field}");
        }
        for text in [
            "Van <data value=\"215.00\">",
            "Waarde van Asset of 1000",
            "De lijfrente telt niet mee",
            "<data value=\"840.00\">",
            "Telt niet mee: een fiscale partner, box 2 (aanmerkelijk belang), box 3 (sparen en beleggen), de eigen woning, giften, zorgkosten, verliezen uit andere jaren.",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let page = browser.get("/year/2025?hoursCriterion=true&annuityMargin=4000&marketValue.3=500");
        for amount in ["980.00", "-7000.00", "48460.23", "8032.00", "2549.01", "10581.00"] {
            assert!(page.text.contains(&format!("<data value=\"{amount}\">")), "{amount}: {}", page.text);
        }
        assert!(!page.text.contains("De lijfrente telt niet mee") && !page.text.contains(">voorstel<"));
        let wrong = browser.get("/year/2025?marketValue.3=veel&annuityMargin=-1");
        for field in ["marketValue.3", "annuityMargin"] {
            assert!(fault_of(&wrong, field).is_some(), "{field}: {}", wrong.text);
        }
        // The figures for 2027 are proposals. Each step that depends on them says so.
        let page = browser.get("/year/2027?otherIncome=30000");
        assert_eq!(page.text.matches(">voorstel<").count(), 7, "{}", page.text);
        let page = browser.speaking("en").get("/year/2025");
        assert!(page.text.contains("Left out: a fiscal partner, box 2 (substantial interest)"), "{}", page.text);
    }

    fn a_premium_is_recorded_with_its_kind(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/private-bookings");
        let fields = |kind: &'static str| {
            [("date", "2026-03-02"), ("kind", kind), ("premium", "annuity"), ("amount", "250")]
        };
        let wrong = browser.submit(&page, "/private-bookings", &fields("drawing"));
        assert!(wrong.status == 422 && fault_of(&wrong, "premium").is_some(), "{}", wrong.text);
        let done = browser.submit(&page, "/private-bookings", &fields("premium"));
        assert_eq!(done.status, 303, "{}", done.text);
        assert!(browser.get("/private-bookings").text.contains("Annuity premium"));
        let page = browser.get("/private-bookings");
        let drawing = browser.submit(&page, "/private-bookings", &[("date", "2026-03-02"), ("kind", "drawing"), ("premium", ""), ("amount", "10")]);
        assert_eq!(drawing.status, 303, "{}", drawing.text);
        let listed = server.get(&key, "/api/v1/private-bookings").json();
        assert_eq!(
            [&listed["data"][0]["premium"], &listed["data"][1]["premium"]],
            [&Value::Null, &json!("annuity")]
        );
    }

    fn a_quarter_without_entries_must_be_filed_too(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = json!({"invoiceDate": "2026-02-20", "status": "sent", "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let (overview, list) = (browser.get("/").text, browser.get("/vat").text);
        for quarter in 1..=3 {
            assert!(
                overview.contains(&format!("File the VAT return for Q{quarter} 2026")),
                "{quarter}: {overview}"
            );
            assert!(list.contains(&format!("href=\"/vat/2026/{quarter}\"")), "{quarter}: {list}");
        }
        assert!(!list.contains("href=\"/vat/2025/4\""), "earlier than the start of the books");
        let page = browser.get("/vat/2026/2");
        assert_eq!(browser.submit(&page, "/vat/2026/2/file", &[]).status, 303);
        assert!(!browser.get("/").text.contains("File the VAT return for Q2 2026"));
    }

    fn tax_settings_are_saved(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/settings/vat");
        assert!(page.text.contains("What almost everybody does."), "{}", page.text);
        let wrong =
            browser.submit(&page, "/settings/vat", &[("scheme", "kor"), ("from", "2026-05-02")]);
        assert!(wrong.status == 422 && fault_of(&wrong, "from").is_some(), "{}", wrong.text);
        // A change of scheme without a start date is rejected rather than silently ignored.
        let since_when = browser.submit(&page, "/settings/vat", &[("scheme", "kor")]);
        assert!(
            since_when.status == 422 && fault_of(&since_when, "from").is_some(),
            "{}",
            since_when.text
        );
        let fields = [
            ("scheme", "kor"),
            ("from", "2026-04-01"),
            ("zeroMeans", "reverseCharge"),
            ("supply", "goods"),
            ("majorityOfTime", "true"),
            ("nextNumber", "47"),
        ];
        let saved = browser.submit(&page, "/settings/vat", &fields);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let response = server.post(&key, "/api/v1/invoices", &json!({"customer": {"name": "A"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 0}]})).json();
        assert_eq!(
            (
                &response["number"],
                &response["items"][0]["vatCategory"],
                &response["items"][0]["supply"]
            ),
            (&json!("2026-0047"), &json!("reverseCharge"), &json!("goods"))
        );
        assert_eq!(
            server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"]["majorityOfTime"],
            true
        );
        assert_eq!(
            server.get(&key, "/api/v1/vat-scheme").json()["changes"][0]["from"],
            "2026-04-01"
        );
        assert!(!browser.get("/settings/vat").text.contains("name=\"nextNumber\""));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn assumptions_have_the_names_of_the_contract_and_the_year_links_to_its_audit_file(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/year/2026");
        assert!(page.text.contains("href=\"/year/2026/audit-file\""), "{}", page.text);
        for text in ["Balance sheet so far", "<data value=\"450\">"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let ticked = |page: &testing::Reply, name: &str| {
            page.text.contains(&format!("name=\"{name}\" value=\"true\" checked"))
        };
        for (query, starter, hours) in [
            ("", false, false),
            ("?starter=true", true, false),
            ("?hoursCriterion=true&otherIncome=5000", false, true),
            ("?starter=false&hoursCriterion=true", false, true),
        ] {
            let page = browser.get(&format!("/year/2026{query}"));
            assert_eq!(
                (ticked(&page, "starter"), ticked(&page, "hoursCriterion")),
                (starter, hours),
                "{query}"
            );
        }
        // The form on the year page is filled from the settings until the user overrides them.
        let page = browser.get("/settings/vat");
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/settings/vat",
                    &[
                        ("scheme", "normal"),
                        ("supply", "services"),
                        ("zeroMeans", "zero"),
                        ("starter", "true")
                    ]
                )
                .status,
            303
        );
        assert!(
            ticked(&browser.get("/year/2026"), "starter")
                && !ticked(&browser.get("/year/2026?otherIncome=&investments="), "starter")
        );
    }

    fn tax_settings_that_are_not_posted_are_kept(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/vat");
        let csrf = value_of(&page, "csrf").unwrap();
        let all = [
            ("scheme", "normal"),
            ("supply", "goods"),
            ("zeroMeans", "reverseCharge"),
            ("majorityOfTime", "true"),
            ("starter", "true"),
        ];
        assert_eq!(browser.submit(&page, "/settings/vat", &all).status, 303);
        let says = |browser: &Visitor| {
            let page = browser.get("/settings/vat").text;
            [
                "value=\"goods\" selected",
                "value=\"reverseCharge\" selected",
                "value=\"true\" selected",
                "name=\"starter\" value=\"true\" checked",
            ]
            .map(|said| page.contains(said))
        };
        assert_eq!(says(&browser), [true; 4]);
        let alone = browser.post("/settings/vat", &[("csrf", &csrf), ("supply", "services")]);
        assert_eq!(
            (alone.status, says(&browser)),
            (303, [false, true, true, true]),
            "{}",
            alone.text
        );
        // A checkbox that was on the form but is not ticked is cleared, and so is an emptied field.
        let page = browser.get("/settings/vat");
        let form = form_to(&page.text, "/settings/vat");
        let fields: Vec<(&str, &str)> = form
            .fields
            .iter()
            .filter(|(name, _)| name != "starter")
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert!(fields.contains(&("starterOffered", "true")));
        let emptied: Vec<_> = fields
            .iter()
            .map(|(name, value)| (*name, if *name == "majorityOfTime" { "" } else { *value }))
            .collect();
        assert_eq!(
            (browser.post("/settings/vat", &emptied).status, says(&browser)),
            (303, [false, true, false, false])
        );
        // A change of scheme still requires a start date.
        let page = browser.get("/settings/vat");
        assert_eq!(browser.submit(&page, "/settings/vat", &[("scheme", "kor")]).status, 422);
    }

    /// Closing a year takes at most 12 clicks, using only plain links and forms.
    fn a_year_is_finished_in_twelve_clicks(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-12-31T20:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let send = |path: &str, body: Value| {
            let reply = server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(reply.status, 201, "{}", reply.text);
        };
        send("assets", json!({"date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "residualValue": 189.9, "lifeYears": 5}));
        send("expenses", json!({"date": "2026-07-01", "supplier": "Insurer", "periodFrom": "2026-07-01", "periodUntil": "2027-06-30",
            "items": [{"category": "4400", "amount": 365, "vatTreatment": "none"}]}));
        send("expenses", json!({"date": "2026-05-01", "supplier": "Wholesale", "items": [{"category": "7000", "amount": 1000, "vatRate": 21}]}));
        // The first three returns are already filed.
        for quarter in 1..=3 {
            let page = browser.get(&format!("/vat/2026/{quarter}"));
            assert_eq!(browser.submit(&page, &format!("/vat/2026/{quarter}/file"), &[]).status, 303);
        }
        let clicks = std::cell::Cell::new(0);
        let click = |page: &Reply, path: &str| {
            assert!(page.text.contains(&format!("href=\"{path}\"")), "{path}: {}", page.text);
            clicks.set(clicks.get() + 1);
            browser.get(path.split('#').next().unwrap())
        };
        let press = |page: &Reply, path: &str, action: &str| {
            let button = format!("value=\"{action}\"");
            let form = page.text.split("<form ").skip(1).find(|form| form.split("</form>").next().unwrap().contains(&button));
            let form = form.unwrap_or_else(|| panic!("no button {action}: {}", page.text));
            let form = testing::page::form_to(&format!("<form {form}"), path);
            clicks.set(clicks.get() + 1);
            let done = browser.submit_form(&form, &[("action", action)]);
            assert_eq!(done.status, 303, "{action}: {}", done.text);
            browser.follow(&done)
        };
        let mut page = click(&browser.get("/"), "/year/2026#closing");
        // The form for goods is in a collapsed section; opening it takes a click.
        clicks.set(clicks.get() + 1);
        for step in ["depreciation", "cutOff", "goodsPrivateUse"] {
            page = press(&page, "/year/2026", &format!("do.{step}"));
            let done = format!("data-step=\"{step}\" data-status=\"done\"");
            assert!(page.text.contains(&done), "{done}: {}", page.text);
        }
        // From 1 January on, the last return can be filed and the year closed.
        server.clock.set("2027-01-01T01:00:00Z");
        page = click(&browser.get("/year/2026"), "/vat/2026/4");
        clicks.set(clicks.get() + 1);
        let filed = browser.submit(&page, "/vat/2026/4/file", &[]);
        page = click(&browser.follow(&filed), "/year/2026#closing");
        page = press(&page, "/year/2026", "do.close");
        assert!(page.text.contains("data-step=\"close\" data-status=\"done\""), "{}", page.text);
        assert!(clicks.get() <= 12, "{} clicks", clicks.get());
        assert!(!browser.get("/").text.contains("/year/2026#closing"));
        assert_eq!(server.get(&key, "/api/v1/years/2026").json()["status"], "closed");
        // 341.82 of depreciation, 184.00 of insurance, 1 000.00 of goods; the return for the first
        // quarter rounds 398.79 of input VAT to 399 (0.21 in the owner's favour).
        let result = server.get(&key, "/api/v1/summary/2026").json();
        assert_eq!(result["costs"], json!(1525.61));
        page = press(&page, "/year/2026", "undo.close");
        page = press(&page, "/year/2026", "undo.depreciation");
        assert!(page.text.contains("data-step=\"depreciation\" data-status=\"toDo\""), "{}", page.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn rows_of_a_step_are_chosen_and_goods_are_entered(engine) {
        let server = Server::start(engine);
        server.clock.set("2027-01-20T10:00:00Z");
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        for (day, account, amount) in [("2027-01-05", "4000", 620), ("2027-01-06", "4120", 62)] {
            let bill = json!({"date": day, "supplier": "Verhuur", "periodFrom": "2026-12-01", "periodUntil": "2026-12-31",
                "items": [{"category": account, "amount": amount, "vatTreatment": "none"}]});
            assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
        }
        let page = browser.get("/year/2026");
        assert!(page.text.contains("Geldt van 1 december 2026 tot en met 31 december 2026"), "{}", page.text);
        // The small row is not ticked by default. The owner ticks it instead of the large one.
        let form = form_to(&page.text, "/year/2026");
        let ticked: Vec<&str> = form.fields.iter().filter(|(name, _)| name == "rowIds").map(|(_, id)| id.as_str()).collect();
        assert_eq!(ticked.len(), 1);
        let small = page.text.split("value=\"expense-2-").nth(1).unwrap().split('"').next().unwrap();
        let small = format!("expense-2-{small}");
        let done = browser.submit(&page, "/year/2026", &[("rowIds", &small), ("action", "do.cutOff")]);
        assert_eq!(done.status, 303, "{}", done.text);
        let accruals = server.get(&key, "/api/v1/accruals").json();
        assert_eq!(accruals["data"].as_array().unwrap().len(), 1);
        assert_eq!(accruals["data"][0]["amount"], json!(62.0));
        // If a row has changed since the page was loaded, nothing is booked.
        let page = browser.get("/year/2026");
        let edit = json!({"periodUntil": "2027-01-31"});
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        let edited = server.send("PATCH", "/api/v1/expenses/1", &headers, Some(edit.to_string().as_bytes()));
        assert_eq!(edited.status, 200, "{}", edited.text);
        let stale = browser.submit(&page, "/year/2026", &[("action", "do.cutOff")]);
        assert!(stale.status == 409 && stale.text.contains("Een regel is intussen veranderd"), "{}", stale.text);
        // An invalid VAT rate for goods is reported on its field.
        let page = browser.get("/year/2026");
        let goods = |rate: &'static str| {
            [("chosen", ""), ("rows.0.description", "Wijn"), ("rows.0.base", "100,00"), ("rows.0.vatRate", rate), ("action", "do.goodsPrivateUse")]
        };
        let wrong = browser.submit(&page, "/year/2026", &goods("20"));
        assert!(wrong.status == 422 && fault_of(&wrong, "rows.0.vatRate").is_some(), "{}", wrong.text);
        assert_eq!(value_of(&wrong, "rows.0.base").as_deref(), Some("100,00"));
        assert_eq!(browser.submit(&wrong, "/year/2026", &goods("21")).status, 303);
        let uses = server.get(&key, "/api/v1/private-use").json();
        assert_eq!((&uses["data"][0]["vat"], &uses["data"][0]["date"]), (&json!(21.0), &json!("2026-12-31")));
        assert_eq!(browser.submit(&page, "/year/2026", &[("action", "do.nothing")]).status, 404);
        // A step that is done on another page has a link to that page.
        assert!(page.text.contains("href=\"/vat/2026/4\""), "{}", page.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_last_return_leads_to_the_steps_of_the_year(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-11-30T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = json!({"invoiceDate": "2026-10-20", "status": "sent", "customer": {"name": "De Pier"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let link = "href=\"/year/2026#closing\"";
        for path in ["/", "/vat/2026/4"] {
            assert!(!browser.get(path).text.contains(link), "{path}");
        }
        server.clock.set("2026-12-01T10:00:00Z");
        let browser = server.signed_in(EMAIL);
        for path in ["/", "/vat/2026/4"] {
            assert!(browser.get(path).text.contains(link), "{path}");
        }
        assert!(!browser.get("/vat/2026/3").text.contains(link));
        // The home page keeps the link after 31 December, until the year is closed.
        server.clock.set("2027-03-01T10:00:00Z");
        let browser = server.signed_in(EMAIL);
        assert!(browser.get("/").text.contains(link));
        assert_eq!(server.post(&key, "/api/v1/years/2026/close", &json!({})).status, 200);
        for path in ["/", "/vat/2026/4"] {
            assert!(!browser.get(path).text.contains(link), "{path}");
        }
    }
}
