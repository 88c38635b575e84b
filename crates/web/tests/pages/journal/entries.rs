//! The journal as pages, with the same bookings as through the API: manual entries, ledger cards,
//! trial balance, events.

use crate::help::{EMAIL, fault_of, signed_in, value_of, visit};
use serde_json::{Value, json};
use testing::{Engine, Reply, Server, on_both_engines};

fn location(answer: &Reply) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").unwrap().to_owned()
}

/// Lines of an entry in accountants' notation.
fn lines(server: &Server, key: &str, entry: i64) -> String {
    let entry = server.get(key, &format!("/api/v1/entries/{entry}")).json();
    let line = |line: &Value| {
        let (side, amount) = if line["debit"] == json!(0.0) {
            ("C", &line["credit"])
        } else {
            ("D", &line["debit"])
        };
        format!("{} {side} {:.2}", line["accountCode"].as_str().unwrap(), amount.as_f64().unwrap())
    };
    entry["lines"].as_array().unwrap().iter().map(line).collect::<Vec<_>>().join(", ")
}

on_both_engines! {
    fn a_manual_entry_is_booked_shown_and_reversed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/journal").text.contains("Nothing booked yet"));
        let form = browser.get("/journal/new");
        // Only permitted accounts are offered: neither debtors nor VAT.
        for (code, offered) in [
            ("4610", true),
            ("0520", true),
            ("1780", true),
            ("1300", false),
            ("1600", false),
            ("1700", false),
            ("1500", false),
        ] {
            assert_eq!(form.text.contains(&format!("<option value=\"{code}\"")), offered, "{code}");
        }
        let unbalanced = [
            ("date", "2026-03-10"),
            ("description", "Bank costs"),
            ("lines.0.account", "4610"),
            ("lines.0.debit", "12,50"),
            ("lines.1.account", "1100"),
            ("lines.1.credit", "12"),
        ];
        let refused = browser.submit(&form, "/journal", &unbalanced);
        assert_eq!(refused.status, 422);
        assert!(
            fault_of(&refused, "lines").unwrap().contains("debit €12.50, credit €12.00"),
            "{:?}",
            fault_of(&refused, "lines")
        );
        assert_eq!(value_of(&refused, "lines.0.debit").as_deref(), Some("12,50"));
        let kept = [
            &unbalanced[..2],
            &[
                ("lines.0.account", "1300"),
                ("lines.0.debit", "1"),
                ("lines.1.account", "1100"),
                ("lines.1.credit", "1"),
            ],
        ]
        .concat();
        let refused = browser.submit(&form, "/journal", &kept);
        assert_eq!(refused.status, 422);
        assert!(fault_of(&refused, "lines.0.account").unwrap().contains("1300"));
        let more = browser.submit(
            &form,
            "/journal",
            &[&unbalanced[..], &[("action", "addLine")]].concat(),
        );
        assert_eq!(
            (more.status, more.text.matches("class=\"line\"").count()),
            (200, form.text.matches("class=\"line\"").count() + 1)
        );
        assert!(more.text.contains("<data value=\"0.50\">"), "{}", more.text);
        let good = [&unbalanced[..5], &[("lines.1.credit", "€ 12,50")]].concat();
        let answer = browser.submit(&form, "/journal", &good);
        assert_eq!(location(&answer), "/journal/1?done=entry-made");
        assert_eq!(
            location(&browser.submit(&form, "/journal", &good)),
            "/journal/1?done=entry-made"
        );
        assert_eq!(lines(&server, &key, 1), "4610 D 12.50, 1100 C 12.50");
        let page = browser.get("/journal/1");
        assert_eq!(
            location(&browser.submit(&page, "/journal/1/reverse", &[])),
            "/journal/2?done=entry-reversed"
        );
        assert_eq!(lines(&server, &key, 2), "4610 C 12.50, 1100 D 12.50");
        let reversed = browser.get("/journal/1");
        assert!(!reversed.text.contains("action=\"/journal/1/reverse\""), "{}", reversed.text);
        // The same submission again changes nothing; a new submission is rejected.
        assert_eq!(
            location(&browser.submit(&page, "/journal/1/reverse", &[])),
            "/journal/2?done=entry-reversed"
        );
        assert_eq!(
            browser.submit(&page, "/journal/1/reverse", &[("submission", "another-one")]).status,
            409
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn entries_are_filtered_and_each_account_has_a_card(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let by_hand = |date: &str, debit: &str, credit: &str, amount: f64| {
            let body = json!({"date": date, "description": "x", "lines": [{"account": debit, "debit": amount}, {"account": credit, "credit": amount}]});
            assert_eq!(server.post(&key, "/api/v1/manual-entries", &body).status, 201);
        };
        by_hand("2025-12-30", "1100", "0510", 1000.0);
        by_hand("2025-12-31", "4100", "1100", 100.0);
        for _ in 0..60 {
            by_hand("2026-02-03", "4100", "1100", 1.5);
        }
        by_hand("2026-05-01", "0520", "1100", 20.0);
        let page = browser.get("/journal?year=2026");
        assert_eq!(page.text.matches("<tbody data-id=").count(), 50);
        assert!(
            page.text.contains("<tbody data-id=\"63\">")
                && page.text.contains("<data value=\"110.00\">"),
            "{}",
            page.text
        );
        let next = page
            .text
            .split("rel=\"next\"")
            .next()
            .unwrap()
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        assert_eq!(
            browser
                .get(&next.replace("&#38;", "&").replace("&amp;", "&"))
                .text
                .matches("<tbody data-id=")
                .count(),
            11
        );
        let ids = |page: &Reply| page.text.matches("<tbody data-id=").count();
        assert_eq!(ids(&browser.get("/journal?year=2026&quarter=2")), 1);
        assert_eq!(ids(&browser.get("/journal?year=2026&account=0520")), 1);
        assert_eq!(ids(&browser.get("/journal?year=2025&kind=manual")), 2);
        assert_eq!(ids(&browser.get("/journal?year=2025&kind=invoice")), 0);
        assert!(browser.get("/journal?year=2026&sort=date").text.contains("<tbody data-id=\"3\">"));
        let csv = browser.get("/journal.csv?year=2026&account=4100");
        assert_eq!(csv.text.lines().count(), 1 + 120);
        assert!(
            csv.text.contains("\r\n3;2026-02-03;2026-02-03;x;manual;3;4100;1,50;0,00;\r\n"),
            "{}",
            csv.text
        );

        // The bank account begins with 900.00, less 60 payments of 1.50 and one of 20.00. Accounts
        // for costs begin at zero, and last year's private money is part of equity.
        let card = browser.get("/journal/accounts/1100?year=2026");
        assert!(
            card.text.contains("<data value=\"900.00\">")
                && card.text.contains("<data value=\"790.00\">"),
            "{}",
            card.text
        );
        assert!(card.text.contains("<data value=\"898.50\">"));
        let later = browser.get("/journal/accounts/1100?year=2026&after=2026-02-03_32_2");
        assert!(
            later.text.contains("<data value=\"855.00\">")
                && later.text.contains("data-id=\"33\"")
                && !later.text.contains("data-id=\"32\""),
            "{}",
            later.text
        );
        let card = browser.get("/journal/accounts/1100.csv?year=2026");
        assert_eq!(card.text.lines().last().unwrap(), "63;2026-05-01;x;0,00;20,00;790,00");
        let balance = browser.get("/journal/accounts.csv?year=2026");
        let rows: Vec<&str> =
            balance.text.lines().skip(1).map(|row| row.splitn(3, ';').last().unwrap()).collect();
        assert_eq!(
            rows,
            [
                "-900,00;0,00;0,00;-900,00",
                "0,00;20,00;0,00;20,00",
                "900,00;0,00;110,00;790,00",
                "0,00;90,00;0,00;90,00"
            ]
        );
        assert!(browser.get("/journal/accounts?year=2026").text.contains("data-id=\"1100\""));
        for path in ["/journal/accounts/9999", "/journal/0", "/journal/999", "/journal/x"] {
            assert_eq!(browser.get(path).status, 404, "{path}");
        }
    }

    fn events_are_recorded_shown_and_undone(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        type Case<'c> = (&'c str, &'c [(&'c str, &'c str)], &'c [&'c str]);
        let cases: [Case<'_>; 5] = [
            (
                "/transfers",
                &[("from", "bank"), ("to", "card"), ("amount", "121"), ("arrived", "2026-03-14")],
                &["1190 D 121.00, 1100 C 121.00", "1120 D 121.00, 1190 C 121.00"],
            ),
            (
                "/private-bookings",
                &[("kind", "incomeTax"), ("amount", "-100"), ("method", "bank")],
                &["0530 C 100.00, 1100 D 100.00"],
            ),
            (
                "/accruals",
                &[
                    ("kind", "prepaidCost"),
                    ("account", "4400"),
                    ("amount", "1.300,00"),
                    ("reverseOn", "2027-01-01"),
                ],
                &["1330 D 1300.00, 4400 C 1300.00", "1330 C 1300.00, 4400 D 1300.00"],
            ),
            (
                "/loans",
                &[("account", "0700"), ("amount", "10000"), ("method", "bank")],
                &["1100 D 10000.00, 0700 C 10000.00"],
            ),
            (
                "/private-use",
                &[("kind", "car"), ("vat", "1080"), ("base", "8800")],
                &[
                    "4240 D 1080.00, 1730 C 1080.00, 4240 C 5142.86, 4240 D 5142.86, 0550 D 8800.00, 4230 C 8800.00",
                ],
            ),
        ];
        let mut entry = 0;
        for (path, filled, booked) in cases {
            let form = browser.get(path);
            let empty = browser.submit(&form, path, &[("date", ""), ("amount", "x"), ("vat", "")]);
            assert_eq!(empty.status, 422, "{path}");
            assert!(fault_of(&empty, "date").is_some());
            let answer = browser.submit(
                &form,
                path,
                &[&[("date", "2026-03-13"), ("description", "As agreed")], filled].concat(),
            );
            let address = location(&answer);
            assert!(
                address.starts_with(path) && address.ends_with("?done=event-made"),
                "{address}"
            );
            for lines_of in booked {
                entry += 1;
                assert_eq!(lines(&server, &key, entry), *lines_of, "{path}");
            }
            let page = browser.follow(&answer);
            assert!(
                page.text.contains(" recorded; the entry is in the journal")
                    && page.text.contains("As agreed")
                    && page.text.contains(&format!("href=\"/journal/{entry}\"")),
                "{}",
                page.text
            );
            assert!(browser.get(path).text.contains("data-id="));
            let one = address.split('?').next().unwrap();
            let undo = format!("{one}/undo");
            assert!(location(&browser.submit(&page, &undo, &[])).ends_with("?done=event-undone"));
            assert_eq!(browser.submit(&page, &undo, &[("submission", "another-one")]).status, 409);
            entry += i64::try_from(booked.len()).unwrap();
            assert!(browser.get(one).text.contains("Undone"));
        }
        assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["balanceSheet"]["total"], 0.0);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_loan_is_repaid_on_its_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = browser.get("/loans");
        location(&browser.submit(
            &form,
            "/loans",
            &[("date", "2026-01-02"), ("account", "0710"), ("amount", "500")],
        ));
        let page = browser.get("/loans/1");
        let too_much = browser.submit(
            &page,
            "/loans/1/repayments",
            &[("date", "2026-02-02"), ("principal", "501"), ("interest", "2")],
        );
        assert_eq!(too_much.status, 422);
        assert!(fault_of(&too_much, "principal").unwrap().contains("€500.00"));
        location(&browser.submit(
            &page,
            "/loans/1/repayments",
            &[("date", "2026-02-02"), ("principal", "200"), ("interest", "2,50")],
        ));
        let page = browser.get("/loans/1");
        assert!(
            page.text.contains("<data value=\"300.00\">")
                && page.text.contains("<data value=\"202.50\">"),
            "{}",
            page.text
        );
        // The repayment links to its entry.
        assert!(page.text.contains("<td><a href=\"/journal/2\">2</a></td>"), "{}", page.text);
        assert_eq!(browser.submit(&page, "/loans/1/undo", &[]).status, 409);
        location(&browser.submit(&page, "/loans/1/repayments/2/undo", &[]));
        let page = browser.get("/loans/1");
        location(&browser.submit(&page, "/loans/1/undo", &[]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_entry_of_a_document_is_undone_with_it(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let body = json!({"status": "sent", "customer": {"name": "X"}, "items": [{"description": "Work", "unitPrice": 10, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        let page = browser.get("/journal/1");
        assert!(
            page.text.contains("href=\"/invoices/1\"") && !page.text.contains("/journal/1/reverse"),
            "{}",
            page.text
        );
        let other = browser.get("/journal/new");
        let body = testing::page::form_to(&other.text, "/journal").filled(&[]);
        let refused =
            browser.post_with("/journal/1/reverse", &body, &[("sec-fetch-site", "same-origin")]);
        assert_eq!(refused.status, 409);
        assert!(refused.text.contains("This entry belongs to"), "{}", refused.text);
    }

    fn duties_list_transfers_of_which_a_half_is_missing(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-03-20T11:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (bank, day, amount) in
            [(2, "2026-01-05", 1), (1, "2026-03-10", -60), (1, "2026-03-09", -70)]
        {
            let feed = json!({"bankAccountId": bank, "from": day, "to": day, "lines": [{"date": day, "amount": amount}]});
            assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        }
        let booked = json!({"allocations": [{"kind": "transfer", "bankAccountId": 2}]});
        let missing = "Transfers of which one half is missing";
        // Ten days are not too many.
        assert_eq!(server.post(&key, "/api/v1/bank-lines/2/book", &booked).status, 200);
        assert!(!browser.get("/duties").text.contains(missing));
        assert_eq!(server.post(&key, "/api/v1/bank-lines/3/book", &booked).status, 200);
        let page = browser.get("/duties").text;
        assert!(page.contains(missing) && page.contains("href=\"/transfers/2\""), "{page}");
        assert!(!page.contains("href=\"/transfers/1\""), "{page}");
        let waits = "is not on a bank statement yet";
        assert!(browser.get("/transfers/2").text.contains(waits));
        let file = browser.get("/duties.csv").text;
        assert!(file.contains("awaitedTransfer;2;1110 Savings account;2026-03-09;70,00"), "{file}");
        // The line of the other account books the other half.
        let feed = json!({"bankAccountId": 2, "from": "2026-03-12", "to": "2026-03-12", "lines": [{"date": "2026-03-12", "amount": 70}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let booked = json!({"allocations": [{"kind": "transfer", "bankAccountId": 1}]});
        assert_eq!(server.post(&key, "/api/v1/bank-lines/4/book", &booked).status, 200);
        assert!(!browser.get("/duties").text.contains(missing));
        assert!(!browser.get("/transfers/2").text.contains(waits));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn duties_list_open_items(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/duties").text.contains("Nothing to settle"));
        let invoice = |date: &str, due: &str, status: &str, supplied: Option<&str>| {
            let body = json!({"status": status, "invoiceDate": date, "dueDate": due, "supplyDate": supplied, "customer": {"name": "De Pier"},
                "items": [{"description": "Work", "unitPrice": 1000, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        };
        // Today is 15 March 2026.
        invoice("2025-02-01", "2025-03-15", "sent", None);
        invoice("2025-02-01", "2025-03-16", "sent", None);
        invoice("2026-03-10", "2026-04-10", "draft", Some("2026-01-20"));
        invoice("2026-03-10", "2026-04-10", "draft", None);
        for body in [
            json!({"date": "2026-03-01", "description": "Wine", "lines": [{"account": "4316", "debit": 227.01}, {"account": "1130", "credit": 227.01}]}),
            json!({"date": "2026-03-16", "description": "Later", "lines": [{"account": "1190", "debit": 5}, {"account": "1100", "credit": 5}]}),
        ] {
            assert_eq!(server.post(&key, "/api/v1/manual-entries", &body).status, 201);
        }
        let page = browser.get("/duties");
        let rows: Vec<&str> = page
            .text
            .split("<tr data-id=\"")
            .skip(1)
            .map(|row| row.split('"').next().unwrap())
            .collect();
        assert_eq!(rows, ["1", "3", "1130"], "{}", page.text);
        // Each duty links to the page that settles it.
        for path in
            ["/invoices/1/write-off", "/invoices/3/send", "/journal/accounts/4316", "/payouts"]
        {
            assert!(page.text.contains(&format!("href=\"{path}")), "{path}: {}", page.text);
            assert_eq!(browser.get(path).status, 200, "{path}");
        }
        assert!(
            page.text.contains("<time datetime=\"2026-02-15\">")
                && page.text.contains("<data value=\"-227.01\">"),
            "{}",
            page.text
        );
        assert!(
            page.text.contains("<data value=\"1210.00\">")
                && page.text.contains("<data value=\"227.01\">")
        );
    }

    fn under_the_kor_the_revenue_of_the_year_is_compared_with_the_threshold(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = |date: &str, price: i64, line: Value| {
            let mut item = json!({"description": "Work", "unitPrice": price, "vatRate": 0});
            item.as_object_mut().unwrap().extend(line.as_object().unwrap().clone());
            let body = json!({"status": "sent", "invoiceDate": date, "customer": {"name": "De Pier", "country": "US"}, "items": [item]});
            let response = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(response.status, 201, "{}", response.text);
        };
        invoice("2025-12-20", 9_000, json!({"vatCategory": "exempt"}));
        assert!(!browser.get("/duties").text.contains("Small businesses scheme"));
        let page = browser.get("/settings/vat");
        let saved =
            browser.submit(&page, "/settings/vat", &[("scheme", "kor"), ("from", "2026-01-01")]);
        assert_eq!(saved.status, 303, "{}", saved.text);
        invoice("2026-02-20", 15_000, json!({"vatCategory": "exempt"}));
        // This invoice is taxed in the customer's country, so its amount is excluded.
        invoice("2026-02-21", 4_000, json!({"vatCategory": "serviceOutsideEu"}));
        let page = browser.get("/duties").text;
        for text in [
            "Small businesses scheme (KOR)",
            "75%",
            "<data value=\"15000.00\">",
            "<data value=\"20000.00\">",
        ] {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(!page.contains("above the threshold of the KOR"), "{page}");
        // Exempt invoices with later dates would be refused; this one makes an earlier number pass.
        invoice("2026-02-01", 5_001, json!({"vatCategory": "exempt"}));
        let page = browser.get("/duties").text;
        assert!(
            page.contains("100%") && page.contains("You are above the threshold of the KOR"),
            "{page}"
        );
    }

    fn the_opening_balance_is_entered_once_and_again_after_it_was_reversed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let form = browser.get("/journal/opening");
        let place = |code: &str| {
            let before = form.text.split(&format!(" value=\"{code}\">")).next().unwrap();
            format!(
                "{}.amount",
                before.rsplit("name=\"").next().unwrap().split(".account").next().unwrap()
            )
        };
        for code in ["0500", "0510", "0590", "1300", "1600", "1700", "8000"] {
            assert!(!form.text.contains(&format!(" value=\"{code}\">")), "{code}");
        }
        let (bank, asset, written, vat) =
            (place("1100"), place("0200"), place("0210"), place("1780"));
        assert_eq!(
            browser.submit(&form, "/journal/opening", &[("date", "2026-01-01")]).status,
            422
        );
        let other_side = browser.submit(
            &form,
            "/journal/opening",
            &[("date", "2026-01-01"), (written.as_str(), "341,82")],
        );
        assert!(
            other_side.status == 422
                && other_side.text.contains("Put a minus before the balance of account 0210"),
            "{}",
            other_side.text
        );
        let filled = [
            ("date", "2026-01-01"),
            (bank.as_str(), "8000"),
            (asset.as_str(), "1899,00"),
            (written.as_str(), "-341,82"),
            (vat.as_str(), "-1150"),
        ];
        assert_eq!(
            location(&browser.submit(&form, "/journal/opening", &filled)),
            "/journal/1?done=opening-made"
        );
        assert_eq!(
            lines(&server, &key, 1),
            "0200 D 1899.00, 0210 C 341.82, 1100 D 8000.00, 1780 C 1150.00, 0500 C 8407.18"
        );
        let opening_page = browser.get("/journal/opening");
        assert!(
            opening_page.text.contains("<data value=\"8407.18\">")
                && !opening_page.text.contains("action=\"/journal/opening\""),
            "{}",
            opening_page.text
        );
        let body = json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 1}]});
        let refused = server.post(&key, "/api/v1/opening-balance", &body);
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("has_opening_balance")));
        let entry = browser.get("/journal/1");
        location(&browser.submit(&entry, "/journal/1/reverse", &[]));
        let twice = json!({"date": "2026-01-01", "balances": [{"account": "1100", "amount": 1}, {"account": "1100", "amount": 2}, {"account": "0500", "amount": 2}]});
        assert_eq!(
            server.post(&key, "/api/v1/opening-balance", &twice).faults(),
            [
                ("/balances/1/account".into(), "unknown_value".into()),
                ("/balances/2/account".into(), "kept_by_program".into())
            ]
        );
        let response = server.post(&key, "/api/v1/opening-balance", &body);
        assert_eq!(
            (response.status, response.json()["balances"].as_array().unwrap().len()),
            (201, 2)
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn opening_items_are_entered_line_by_line_and_shown_with_their_documents(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let form = browser.get("/journal/opening");
        assert!(
            form.text.contains("name=\"openItems.0.kind\"") && !form.text.contains("openItems.1."),
            "{}",
            form.text
        );
        let first = [
            ("date", "2026-01-01"),
            ("openItems.0.kind", "receivable"),
            ("openItems.0.contact", "Museum De Pier"),
            ("openItems.0.number", "F-2025-41"),
            ("openItems.0.date", "2025-11-20"),
            ("openItems.0.dueDate", "2025-12-20"),
            ("openItems.0.amount", "605.50"),
        ];
        // A line is added without JavaScript and removed again; the input is kept.
        let more = browser.submit(
            &form,
            "/journal/opening",
            &[&first[..], &[("action", "addLine")]].concat(),
        );
        assert_eq!(more.status, 200);
        assert!(
            more.text.contains("value=\"Museum De Pier\"")
                && more.text.contains("openItems.1.kind"),
            "{}",
            more.text
        );
        let less = browser.submit(
            &more,
            "/journal/opening",
            &[&first[..], &[("action", "removeLine.0")]].concat(),
        );
        assert!(!less.text.contains("value=\"Museum De Pier\""), "{}", less.text);
        // A line with only a kind is empty; without other input there is nothing to book.
        let nothing = browser.submit(
            &form,
            "/journal/opening",
            &[("date", "2026-01-01"), ("openItems.0.kind", "payable")],
        );
        assert_eq!(nothing.status, 422);
        assert!(fault_of(&nothing, "balances").is_some(), "{}", nothing.text);
        let wrong = browser.submit(
            &form,
            "/journal/opening",
            &[
                &first[..4],
                &[
                    ("openItems.0.date", "2026-01-02"),
                    ("openItems.0.dueDate", "2025-12-20"),
                    ("openItems.0.amount", "0"),
                ],
            ]
            .concat(),
        );
        assert_eq!(wrong.status, 422);
        assert!(fault_of(&wrong, "openItems.0.amount").is_some(), "{}", wrong.text);
        let second = [
            ("openItems.1.kind", "payable"),
            ("openItems.1.contact", "Papierhal"),
            ("openItems.1.number", "88104"),
            ("openItems.1.date", "2025-12-10"),
            ("openItems.1.dueDate", "2026-01-09"),
            ("openItems.1.amount", "121"),
        ];
        let filled = [&first[..], &second[..]].concat();
        let late = filled
            .iter()
            .map(|(name, text)| {
                (*name, if *name == "openItems.0.date" { "2026-01-02" } else { *text })
            })
            .collect::<Vec<_>>();
        let refused = browser.submit(&form, "/journal/opening", &late);
        assert_eq!(refused.status, 422);
        assert!(
            fault_of(&refused, "openItems.0.date").is_some()
                && refused.text.contains("value=\"88104\""),
            "{}",
            refused.text
        );
        let response = browser.submit(&form, "/journal/opening", &filled);
        assert_eq!(location(&response), "/journal/opening?done=opening-made");
        let opening_page = browser.get("/journal/opening");
        for part in [
            "href=\"/invoices/1\"",
            "href=\"/expenses/1\"",
            "<data value=\"605.50\">",
            "<data value=\"121.00\">",
        ] {
            assert!(opening_page.text.contains(part), "{part} {}", opening_page.text);
        }
        // The page of the invoice states its origin and offers payment, credit and write-off, but
        // no document.
        let invoice = browser.get("/invoices/1");
        assert!(
            invoice.text.contains("outstanding when your books began")
                && invoice.text.contains("action=\"/invoices/1/payments\"")
                && invoice.text.contains("href=\"/invoices/1/credit\""),
            "{}",
            invoice.text
        );
        for part in [
            "/invoices/1/pdf",
            "/invoices/1/ubl",
            "/invoices/1/send",
            "/invoices/1/copy",
        ] {
            assert!(!invoice.text.contains(part), "{part} {}", invoice.text);
        }
        for path in ["/invoices/1/pdf", "/invoices/1/ubl", "/invoices/1/send"] {
            let gone = browser.get(path);
            assert_eq!(gone.status, 409, "{path} {}", gone.text);
        }
        assert!(browser.get("/invoices/1/write-off").text.contains("not known here"));
        let csrf =
            testing::page::form_to(&invoice.text, "/invoices/1/payments").value("csrf").to_owned();
        assert_eq!(browser.post("/invoices/1/copy", &[("csrf", &csrf)]).status, 409);
        assert!(
            browser.get("/invoices").text.contains("F-2025-41")
                && browser.get("/search?q=F-2025").text.contains("/invoices/1")
        );
        // The contact shows the amount owed, but not turnover from before these books.
        let contact = browser.get("/contacts/1");
        assert!(
            contact.text.matches("<data value=\"0.00\">").count() >= 2
                && contact.text.contains("<data value=\"605.50\">"),
            "{}",
            contact.text
        );
        let bill = browser.get("/expenses/1");
        assert!(
            bill.text.contains("unpaid when your books began")
                && !bill.text.contains("/expenses/1/edit")
                && !bill.text.contains("/expenses/1/undo"),
            "{}",
            bill.text
        );
        assert!(
            bill.text.contains("Due date") && bill.text.contains("datetime=\"2026-01-09\""),
            "{}",
            bill.text
        );
        location(&browser.submit(
            &bill,
            "/expenses/1/payments",
            &[("date", "2026-01-15"), ("amount", "121"), ("method", "bank")],
        ));
        let refused = browser.submit(&opening_page, "/journal/opening/undo", &[]);
        assert_eq!(refused.status, 409);
        assert!(refused.text.contains("still counts"), "{}", refused.text);
        assert_eq!(server.post(&key, "/api/v1/expenses/1/payments/1/undo", &json!({})).status, 200);
        assert_eq!(
            location(&browser.submit(&opening_page, "/journal/opening/undo", &[])),
            "/journal/opening?done=opening-undone"
        );
        assert!(browser.get("/journal/opening").text.contains("action=\"/journal/opening\""));
        assert!(
            browser.get("/invoices/1").text.contains("that was undone")
                && browser.get("/expenses/1").text.contains("that was undone")
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_open_item_takes_the_total_and_vat_of_the_whole_invoice(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let form = browser.get("/journal/opening");
        // The invoice is for 1 210.00 at 21 % and 109.00 at 9 %. Half of the former was paid before
        // the books began.
        let item = |vat: &'static str| {
            [
                ("date", "2026-01-01"),
                ("openItems.0.kind", "receivable"),
                ("openItems.0.contact", "Museum De Pier"),
                ("openItems.0.number", "F-2025-41"),
                ("openItems.0.date", "2025-11-20"),
                ("openItems.0.dueDate", "2025-12-20"),
                ("openItems.0.amount", "714"),
                ("openItems.0.total", "1319"),
                ("openItems.0.supplyDate", "2025-11-18"),
                ("openItems.0.vat.0.base", "1000"),
                ("openItems.0.vat.0.amount", vat),
                ("openItems.0.vat.1.base", "100"),
                ("openItems.0.vat.1.amount", "9"),
            ]
        };
        let wrong = browser.submit(&form, "/journal/opening", &item("211"));
        assert_eq!(wrong.status, 422);
        assert!(wrong.text.contains("value=\"211\""), "{}", wrong.text);
        assert!(wrong.text.contains("<details class=\"more\" open>"), "{}", wrong.text);
        location(&browser.submit(&form, "/journal/opening", &item("210")));
        let opening = server.get(&key, "/api/v1/opening-balance").json();
        let of = &opening["data"][0]["openItems"][0];
        assert_eq!(
            (&of["total"], &of["supplyDate"], &of["vat"]),
            (
                &json!(1319.0),
                &json!("2025-11-18"),
                &json!([
                    {"rate": 21, "base": 1000.0, "amount": 210.0},
                    {"rate": 9, "base": 100.0, "amount": 9.0},
                ])
            ),
            "{opening}"
        );
        let credit = browser.get("/invoices/1/credit");
        // The whole invoice can be credited: 1 319.00 including VAT.
        assert!(credit.text.contains("1,319.00"), "{}", credit.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}

#[test]
fn only_accounts_in_the_netherlands_have_a_journal() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    assert!(browser.get("/").text.contains("href=\"/journal\""));
    let stranger = visit(&server);
    assert_eq!(stranger.get("/journal").header("location"), Some("/login?next=%2Fjournal"));
}
