//! Overview and search, for books with entries and for empty books.

use crate::help::{EMAIL, PASSWORD, signed_in, visit};
use jiff::ToSpan;
use serde_json::json;
use service::environment::Clock;
use store::outbox;
use testing::{Engine, Server};

/// Engines on which the overview and the search must be the same.
const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// Books on 20 November 2026: one invoice overdue, one due soon, one draft; third quarter not
/// filed.
fn books(server: &Server) {
    let key = server.key(EMAIL, true, true);
    let invoices = [
        ("2026-09-10", "2026-10-10", "De Gouden Korrel", "1000", "sent"),
        ("2026-11-10", "2026-11-25", "Museum <De Pier>", "500", "sent"),
        ("2026-11-12", "2026-12-12", "Museum <De Pier>", "100", "draft"),
    ];
    for (date, due, customer, price, status) in invoices {
        let body = json!({
            "customer": { "name": customer, "country": "NL" }, "invoiceDate": date, "dueDate": due, "status": status,
            "items": [{ "description": "Design", "quantity": 1, "unitPrice": price.parse::<i64>().unwrap(), "vatRate": 21 }],
        });
        let made = server.post(&key, "/api/v1/invoices", &body);
        assert_eq!(made.status, 201, "{}", made.text);
    }
}

#[test]
fn the_overview_shows_tasks_and_figures() {
    for engine in ENGINES {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T12:00:00Z");
        let browser = signed_in(&server);
        books(&server);
        let key = server.key(EMAIL, true, true);
        let file = [("x-api-key", key.as_str()), ("content-type", "application/pdf")];
        assert_eq!(server.send("POST", "/api/v1/receipts", &file, Some(b"%PDF-1.7 a")).status, 201);
        let bill = json!({"date": "2026-11-02", "supplier": "Papierhal", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 10, "vatTreatment": "none"}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
        let page = browser.get("/").text;
        assert_eq!(page.matches("<h1").count(), 1);
        for expected in [
            "<a href=\"/expenses?state=open\">1 bill to pay</a>",
            "<data value=\"10.00\">€10.00</data>",
            "1 receipt waits for its expense",
            // The return for the third quarter: its amount in whole euros, and its deadline.
            "File the VAT return for Q3 2026",
            "<data value=\"210\">€210</data>",
            "The last day was <time datetime=\"2026-10-31\">31 October 2026</time>.",
            // VAT for this quarter so far: 105 on the invoice and 21 on the draft.
            "<data class=\"hero-amount\" value=\"126.00\">€126<small>.00</small></data>",
            "1 draft already counts in your VAT return",
            "VAT on it: <data value=\"21.00\">€21.00</data>.",
            "1 invoice overdue",
            "De Gouden Korrel 41 days",
            // Amount outstanding on sent invoices, and the overdue part of it.
            "<data value=\"1815.00\">€1,815.00</data>",
            "<data value=\"1210.00\">€1,210.00</data>",
            // Revenue for the year.
            "<data value=\"1600.00\">€1,600.00</data>",
            "<caption class=\"only-read\">Profit per month</caption>",
            "<time datetime=\"2027-01-29\">29 January 2027</time>",
        ] {
            assert!(page.contains(expected), "{expected} is missing in {page}");
        }
    }
}

#[test]
fn overview_week_and_year_agree_on_hours_and_income_tax() {
    let server = Server::start(Engine::Sqlite);
    server.clock.set("2026-11-20T12:00:00Z");
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let settings = browser.get("/settings/vat");
    assert_eq!(browser.submit(&settings, "/settings/vat", &[("starter", "true")]).status, 303);
    let made = [
        (
            "invoices",
            json!({ "customer": { "name": "De Pier" }, "invoiceDate": "2026-05-01", "status": "sent",
            "items": [{ "description": "Design", "quantity": 1, "unitPrice": 90_000, "vatRate": 21 }] }),
        ),
        (
            "assets",
            json!({ "date": "2026-03-02", "description": "Press", "account": "0200", "cost": 10_000, "residualValue": 0, "lifeYears": 5 }),
        ),
        ("projects", json!({ "name": "Design" })),
        (
            "time-entries",
            json!({ "projectId": 1, "date": "2026-11-10", "hours": 5, "description": "Sketches" }),
        ),
        // A time entry in the future.
        (
            "time-entries",
            json!({ "projectId": 1, "date": "2026-12-01", "hours": 3, "description": "Sketches" }),
        ),
    ];
    for (path, body) in made {
        let made = server.post(&key, &format!("/api/v1/{path}"), &body);
        assert_eq!(made.status, 201, "{path}: {}", made.text);
    }
    let (overview, week, year) =
        (browser.get("/").text, browser.get("/hours").text, browser.get("/year/2026").text);
    let after = |text: &str, begin: &str, end: &str| {
        text.split_once(begin).unwrap().1.split_once(end).unwrap().0.to_owned()
    };
    assert_eq!(
        after(&overview, "class=\"ring\">", "</p>").matches("<strong><data value=\"5\">").count(),
        1,
        "{overview}"
    );
    assert!(
        after(&week, "class=\"name\">Hours", "</section>").contains("<strong><data value=\"5\">"),
        "{week}"
    );
    let summary = server.get(&key, "/api/v1/summary/2026").json();
    assert_eq!(
        (&summary["hoursCriterion"]["total"], &summary["hoursCriterion"]["futureHours"]),
        (&json!(5), &json!(3))
    );
    let tax = after(&overview, "<dt>Income tax and Zvw</dt><dd>", "</dd>");
    assert!(year.contains(&tax), "{tax} is not in {year}");
}

#[test]
fn a_refund_is_not_to_be_paid_or_set_aside() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let bill = json!({"date": "2026-02-10", "supplier": "Papierhal", "items": [{"category": "4100", "amount": 1000, "vatRate": 21, "includesVat": false}]});
    assert_eq!(server.post(&key, "/api/v1/expenses", &bill).status, 201);
    server.clock.set("2026-04-10T12:00:00Z");
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    let page = browser.get("/").text;
    for expected in [
        "File by <time datetime=\"2026-04-30\">",
        "; this will be paid back to you.",
        "To get back on balance",
        "<data value=\"210.00\">€210.00</data>",
        "The tax office will pay this back to you.",
    ] {
        assert!(page.contains(expected), "{expected} is not in {page}");
    }
    for other in ["File and pay by", "To set aside", "This will go to the tax office"] {
        assert!(!page.contains(other), "{other} is in {page}");
    }
}

#[test]
fn an_empty_overview_explains_how_to_start() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/").text;
    assert!(
        page.contains("Getting started")
            && page.contains("href=\"/settings\"")
            && !page.contains("To do now"),
        "{page}"
    );
}

#[test]
// Long: one set of books, searched in every way.
fn the_search_finds_names_numbers_and_amounts_of_the_own_books() {
    for engine in ENGINES {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T12:00:00Z");
        let browser = signed_in(&server);
        books(&server);
        let found = |query: &str| {
            let page = browser.get(&format!("/search?q={query}"));
            assert_eq!(page.status, 200);
            let numbers: Vec<String> = page
                .text
                .split("<th scope=\"row\">")
                .skip(1)
                .map(|rest| rest.split("</th>").next().unwrap().to_owned())
                .collect();
            (numbers, page.text)
        };
        let cases: [(&str, &[&str]); 8] = [
            ("2026-0002", &["2026-0002"]),
            ("2026-", &["2026-0003", "2026-0002", "2026-0001"]),
            ("de+pier", &["2026-0003", "2026-0002"]),
            ("1210", &["2026-0001"]),
            ("%E2%82%AC+1,210.00", &["2026-0001"]),
            ("nobody", &[]),
            ("%25", &[]),
            ("_", &[]),
        ];
        for (query, numbers) in cases {
            let (shown, page) = found(query);
            assert_eq!(shown.len(), numbers.len(), "{query}: {page}");
            assert!(
                shown.iter().zip(numbers).all(|(cell, number)| cell.contains(number)),
                "{query}: {shown:?}"
            );
        }
        assert!(found("pier").1.contains("Museum &#60;De Pier&#62;"), "{}", found("pier").1);
        assert!(
            found("%3Cscript%3E").1.contains("Nothing found for “&#60;script&#62;”"),
            "{}",
            found("%3Cscript%3E").1
        );
        // Purchases are found by supplier, description and total.
        let key = server.key(EMAIL, true, true);
        let toner = json!({"date": "2026-11-18", "supplier": "Papierhal <Zuid>", "description": "Toner",
            "items": [{"category": "4100", "amount": 90.75, "vatRate": 21, "includesVat": true}]});
        assert_eq!(server.post(&key, "/api/v1/expenses", &toner).status, 201);
        for query in ["papierhal", "toner", "90.75"] {
            let (shown, page) = found(query);
            assert!(
                shown.len() == 1
                    && shown[0].contains("href=\"/expenses/1\"")
                    && shown[0].contains("Papierhal &#60;Zuid&#62;"),
                "{query}: {page}"
            );
        }
        // Entries without a document are found by description, and by amount in either direction.
        let drawing = json!({"date": "2026-11-12", "kind": "drawing", "amount": 4321.09, "method": "bank", "description": "Zeilboot <huur>"});
        assert_eq!(server.post(&key, "/api/v1/private-bookings", &drawing).status, 201);
        let memo = json!({"date": "2026-11-13", "description": "Memo bankkosten",
            "lines": [{"account": "4610", "debit": 12.34}, {"account": "1100", "credit": 12.34}]});
        let memo = server.post(&key, "/api/v1/manual-entries", &memo);
        assert_eq!(memo.status, 201);
        for (query, address, name) in [
            ("zeilboot", "href=\"/private-bookings/", "Zeilboot &#60;huur&#62;"),
            ("4321.09", "href=\"/private-bookings/", "Zeilboot &#60;huur&#62;"),
            ("memo", "href=\"/journal/", "Memo bankkosten"),
            ("12.34", "href=\"/journal/", "Memo bankkosten"),
        ] {
            let (shown, page) = found(query);
            assert!(
                shown.len() == 1 && shown[0].contains(address) && shown[0].contains(name),
                "{query}: {page}"
            );
        }
        let (shown, _) = found("memo");
        let there = shown[0].split("href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert!(browser.get(&there).text.contains("Memo bankkosten"));
        // Another account's search does not find these records.
        server.account_of("bram@example.com", "NL", store::accounts::Plan::Pro);
        let key = server.key("bram@example.com", true, true);
        assert!(!server.get(&key, "/api/v1/invoices").text.contains("2026-0001"));
        let bram = visit(&server);
        assert_eq!(bram.get("/search?q=2026").status, 303);
    }
}

/// Monthly figures, future months included, add up to the profit next to them.
#[test]
fn the_months_of_the_overview_sum_to_its_profit() {
    for engine in ENGINES {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T12:00:00Z");
        let browser = signed_in(&server);
        books(&server);
        let key = server.key(EMAIL, true, true);
        let costs = json!({
            "date": "2026-12-31", "description": "Costs",
            "lines": [{"account": "4610", "debit": 120}, {"account": "1100", "credit": 120}],
        });
        let booked = server.post(&key, "/api/v1/manual-entries", &costs);
        assert_eq!(booked.status, 201, "{}", booked.text);
        let page = browser.get("/").text;
        let values = |text: &str| {
            text.split("<data value=\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let cents = |value: &String| value.replace('.', "").parse::<i64>().unwrap();
        let under =
            page.split("<table class=\"under\">").nth(1).unwrap().split("</table>").next().unwrap();
        let figures = values(under);
        assert_eq!(figures, ["1000.00", "600.00", "-120.00"], "{under}");
        let profit = page.split("Profit</dt>").nth(1).unwrap();
        assert_eq!(figures.iter().map(cents).sum::<i64>(), cents(&values(profit)[0]), "{page}");
    }
}

/// A bounced email is shown on the overview and in the list, until the next email or until nothing
/// is due.
#[test]
fn a_bounced_invoice_is_shown_on_the_overview_and_in_the_list() {
    for engine in ENGINES {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T12:00:00Z");
        let browser = signed_in(&server);
        books(&server);
        let key = server.key(EMAIL, true, true);
        let (account, later) = (server.owner(EMAIL).actor.account, server.clock.now() + 24.hours());
        let mail = |to: &str| {
            let mailed = server.post(&key, "/api/v1/invoices/1/send", &json!({"to": to}));
            assert_eq!(mailed.status, 202, "{}", mailed.text);
        };
        let refuse = || {
            server.write(move |tx| {
                let claimed =
                    outbox::claim(tx, account, "test", later, later + 1.hour())?.unwrap().mail;
                Ok(outbox::failed(tx, account, &claimed.id, "test", "550 no such user")?)
            });
        };
        let shown = || {
            let (home, list) = (browser.get("/").text, browser.get("/invoices").text);
            let on_home = home.contains("One invoice was not delivered")
                && home.contains("href=\"/invoices/1\"");
            let row =
                list.split("<tr data-id=\"1\">").nth(1).unwrap().split("</tr>").next().unwrap();
            (
                on_home,
                row.contains("mail not delivered"),
                list.matches("mail not delivered").count(),
            )
        };
        assert_eq!(shown(), (false, false, 0));
        mail("nobody@example.com");
        assert_eq!(shown(), (false, false, 0));
        refuse();
        assert_eq!(shown(), (true, true, 1));
        // The next email is under way.
        server.clock.set("2026-11-20T12:01:00Z");
        mail("somebody@example.com");
        assert_eq!(shown(), (false, false, 0));
        refuse();
        assert_eq!(shown(), (true, true, 1));
        assert_eq!(
            server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-11-20"})).status,
            201
        );
        assert_eq!(shown(), (false, false, 0));
    }
}
