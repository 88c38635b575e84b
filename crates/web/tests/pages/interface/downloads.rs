//! Downloadable lists: each page links to its rows as CSV and as XLSX.

use crate::help::{EMAIL, signed_in};
use jiff::civil::date;
use ledger::{
    booking::MoneyAccount,
    event::{Event, PrivateKind},
    money::Cents,
};
use serde_json::{Value, json};
use service::{corrections::IfFiled, events::NewEvent};
use std::collections::BTreeSet;
use testing::{Reply, Server, on_both_engines};

/// Text that a spreadsheet would run as a formula if it were not escaped.
const FORMULA: &str = "=HYPERLINK(\"https://evil.example\";\"open\")";

/// Lists: the page, its files, and the beginning of the CSV file's first row.
const LISTS: [(&str, [&str; 2], &str); 24] = [
    ("/vat", ["/vat.csv", "/vat.xlsx"], ""),
    ("/duties", ["/duties.csv", "/duties.xlsx"], "unsettled;1130;"),
    ("/invoices", ["/invoices.csv", "/invoices.xlsx"], "2026-0001;invoice;sent;"),
    ("/quotes", ["/quotes.csv", "/quotes.xlsx"], "O-2026-0001;draft;\"'=HYPERLINK("),
    ("/recurring", ["/recurring.csv", "/recurring.xlsx"], "1;active;\"'=HYPERLINK("),
    ("/contacts", ["/contacts.csv", "/contacts.xlsx"], "\"'=HYPERLINK("),
    ("/articles", ["/articles.csv", "/articles.xlsx"], ";\"'=HYPERLINK("),
    ("/expenses", ["/expenses.csv", "/expenses.xlsx"], "1;2026-01-10;"),
    ("/projects", ["/projects.csv", "/projects.xlsx"], "\"'=HYPERLINK("),
    (
        "/hours/list?from=2026-03-01&to=2026-03-31",
        ["/hours/list.csv", "/hours/list.xlsx"],
        "2026-03-02;\"'=HYPERLINK(",
    ),
    ("/journal?year=2026", ["/journal.csv", "/journal.xlsx"], ""),
    ("/mileage", ["/mileage.csv", "/mileage.xlsx"], "1;2026-03-03;\"'=HYPERLINK("),
    ("/assets", ["/assets.csv", "/assets.xlsx"], "1;2026-01-10;\"'=HYPERLINK("),
    ("/payouts", ["/payouts.csv", "/payouts.xlsx"], "1;2026-03-05;\"'=HYPERLINK("),
    ("/transfers", ["/transfers.csv", "/transfers.xlsx"], "1;2026-03-06;"),
    ("/private-bookings", ["/private-bookings.csv", "/private-bookings.xlsx"], "2;2026-03-06;"),
    ("/accruals", ["/accruals.csv", "/accruals.xlsx"], "3;2026-03-06;"),
    ("/loans", ["/loans.csv", "/loans.xlsx"], "4;2026-03-06;"),
    ("/private-use", ["/private-use.csv", "/private-use.xlsx"], "5;2026-03-06;"),
    ("/vat-payments", ["/vat-payments.csv", "/vat-payments.xlsx"], "6;2026-03-07;"),
    (
        "/bank-lines?state=all",
        ["/bank-lines.csv", "/bank-lines.xlsx"],
        "1;Bank;2026-03-08;;-10,00;;\"'=HYPERLINK(",
    ),
    (
        "/payment-batches",
        ["/payment-batches.csv", "/payment-batches.xlsx"],
        "1;2026-03-20;open;\"'=HYPERLINK(",
    ),
    ("/journal/accounts?year=2026", ["/journal/accounts.csv", "/journal/accounts.xlsx"], ""),
    (
        "/journal/accounts/1100?year=2026",
        ["/journal/accounts/1100.csv", "/journal/accounts/1100.xlsx"],
        "",
    ),
];

fn make(server: &Server, key: &str, path: &str, body: &Value) {
    let response = server.post(key, path, body);
    assert_eq!(response.status, 201, "{path}: {}", response.text);
}

/// Creates a row in every list, with [`FORMULA`] as its text.
// Long: a row for each list.
fn fill(server: &Server, key: &str) {
    let customer = json!({"name": FORMULA, "email": "klant@example.com"});
    make(
        server,
        key,
        "/api/v1/invoices",
        &json!({"status": "sent", "invoiceDate": "2026-02-05", "customer": customer, "reference": FORMULA,
        "items": [{"description": FORMULA, "unitPrice": 100.5, "vatRate": 21}]}),
    );
    let lines = json!([{"description": FORMULA, "unitPrice": 100.5, "vatRate": 21}]);
    make(
        server,
        key,
        "/api/v1/quotes",
        &json!({"customer": {"name": FORMULA}, "reference": FORMULA, "items": lines}),
    );
    make(
        server,
        key,
        "/api/v1/recurring-invoices",
        &json!({"customer": {"name": FORMULA}, "reference": FORMULA, "items": lines,
        "every": {"unit": "month"}, "firstDate": "2026-06-01"}),
    );
    make(server, key, "/api/v1/articles", &json!({"name": FORMULA, "unitPrice": 95}));
    make(server, key, "/api/v1/projects", &json!({"name": FORMULA, "hourlyRate": 95}));
    make(
        server,
        key,
        "/api/v1/time-entries",
        &json!({"projectId": 1, "date": "2026-03-02", "hours": 2.5, "description": FORMULA}),
    );
    make(
        server,
        key,
        "/api/v1/mileage",
        &json!({"date": "2026-03-03", "from": FORMULA, "to": "Breda", "km": 12.5}),
    );
    make(
        server,
        key,
        "/api/v1/assets",
        &json!({"date": "2026-01-10", "description": FORMULA, "cost": 1000, "lifeYears": 5, "vatRate": 21,
        "account": "0200", "paidFrom": "bank"}),
    );
    make(
        server,
        key,
        "/api/v1/payouts",
        &json!({"date": "2026-03-05", "amount": 50, "fee": 1, "provider": FORMULA}),
    );
    for (path, mut event) in [
        ("/api/v1/transfers", json!({"from": "bank", "to": "savings", "amount": 10})),
        ("/api/v1/private-bookings", json!({"kind": "drawing", "amount": 10})),
        (
            "/api/v1/accruals",
            json!({"kind": "accruedCost", "account": "4100", "amount": 10, "reverseOn": "2026-04-01"}),
        ),
        ("/api/v1/loans", json!({"account": "0710", "amount": 10})),
        ("/api/v1/private-use", json!({"kind": "goods", "vat": 2.1, "base": 10})),
    ] {
        event["date"] = json!("2026-03-06");
        event["description"] = json!(FORMULA);
        make(server, key, path, &event);
    }
    make(
        server,
        key,
        "/api/v1/vat-payments",
        &json!({"date": "2026-03-07", "amount": 10, "description": FORMULA}),
    );
    let line = json!({"date": "2026-03-08", "amount": -10, "counterparty": {"name": FORMULA}, "text": FORMULA,
        "endToEndId": FORMULA, "bankReference": FORMULA});
    make(
        server,
        key,
        "/api/v1/bank-statements",
        &json!({"bankAccountId": 1, "from": "2026-03-08", "to": "2026-03-08", "lines": [line]}),
    );
    let account = json!({"name": FORMULA, "kind": "checking", "iban": "NL91ABNA0417164300"});
    make(server, key, "/api/v1/bank-accounts", &account);
    let bill = json!({"date": "2026-01-05", "supplier": FORMULA, "paidFrom": "unpaid", "payTo": {"iban": "NL02ABNA0123456789"},
        "items": [{"category": "4100", "amount": 10, "vatRate": 21}]});
    make(server, key, "/api/v1/expenses", &bill);
    make(
        server,
        key,
        "/api/v1/payment-batches",
        &json!({"bankAccountId": 6, "executionDate": "2026-03-20", "items": [{"expenseId": 2}]}),
    );
}

/// URLs of the files that a page links to.
fn files(page: &Reply) -> Vec<String> {
    let links = page.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let files = links.map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
    files
        .filter(|link| {
            link.split('?')
                .next()
                .is_some_and(|path| path.ends_with(".csv") || path.ends_with(".xlsx"))
        })
        .collect()
}

on_both_engines! {
    fn every_list_is_a_file_too_without_formulas(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        fill(&server, &server.key(EMAIL, true, true));
        for (page, paths, first) in LISTS {
            let list_page = browser.get(page);
            assert_eq!(list_page.status, 200, "{page}");
            let [csv, xlsx] = &files(&list_page)[..] else { panic!("{page}: {}", list_page.text) };
            assert_eq!([csv, xlsx].map(|file| file.split('?').next().unwrap()), paths, "{page}");
            let list = browser.get(csv);
            assert_eq!(
                (list.status, list.header("content-type")),
                (200, Some("text/csv; charset=utf-8; header=present")),
                "{csv}"
            );
            let (head, rows) =
                list.text.strip_prefix('\u{feff}').unwrap().split_once("\r\n").unwrap();
            assert!(head.contains(';') && !head.contains(','), "{csv}: {head}");
            assert!(rows.starts_with(first) && rows.ends_with("\r\n"), "{csv}: {rows}");
            // An apostrophe precedes text that begins like a formula.
            for cell in rows.lines().flat_map(|row| row.split(';')) {
                assert!(!cell.trim_start_matches('"').starts_with('='), "{csv}: {cell}");
            }
            let name = csv
                .split('?')
                .next()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap()
                .strip_suffix(".csv")
                .unwrap();
            let kept = list.header("content-disposition").unwrap();
            assert!(
                kept.starts_with("attachment; filename=\"") && kept.ends_with(".csv\""),
                "{name}: {kept}"
            );
            let book = browser.get(xlsx);
            let media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
            assert_eq!(
                (book.status, book.header("content-type")),
                (200, Some(media_type)),
                "{xlsx}"
            );
            assert_eq!(book.header("content-disposition").unwrap(), kept.replace(".csv", ".xlsx"));
            assert!(
                book.text.starts_with("PK\u{3}\u{4}")
                    && book.text.contains("xl/worksheets/sheet1.xml"),
                "{xlsx}"
            );
        }
    }

    fn a_file_has_all_rows_of_several_batches(engine) {
        const MANY: usize = 1_050;
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (owner, now) = (server.owner(EMAIL), "2026-03-15T11:00:00Z".parse().unwrap());
        server.write(move |tx| {
            for _ in 0..MANY {
                let event = Event::Private {
                    kind: PrivateKind::Drawing,
                    amount: Cents::new(100),
                    method: MoneyAccount::Bank,
                    premium: None,
                };
                let drawing = NewEvent {
                    external_id: None,
                    date: date(2026, 3, 6),
                    description: None,
                    event,
                    parent_id: None,
                    open_items: Vec::new(),
                    if_filed: IfFiled::Refuse,
                };
                service::events::record(tx, &owner.at(now), &drawing)?;
            }
            Ok(())
        });
        let list = browser.get("/private-bookings.csv");
        let ids: BTreeSet<&str> =
            list.text.lines().skip(1).filter_map(|row| row.split(';').next()).collect();
        assert_eq!((list.status, list.text.lines().count(), ids.len()), (200, MANY + 1, MANY));
    }

    fn the_icp_declaration_of_a_quarter_is_a_file_too(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (number, supply, price) in [
            ("DE123456788", "services", 1000.5),
            ("DE123456788", "goods", 200.0),
            ("BE0428759497", "triangular", 50.9),
        ] {
            let customer = json!({"name": number, "country": &number[..2], "vatNumber": number});
            make(
                &server,
                &key,
                "/api/v1/invoices",
                &json!({"status": "sent", "invoiceDate": "2026-02-15", "customer": customer,
                "items": [{"description": "Work", "unitPrice": price, "vatRate": 0, "vatCategory": "intraCommunity", "supply": supply}]}),
            );
        }
        let page = browser.get("/vat/2026/1");
        assert!(
            page.text.contains("id=\"icp\"") && page.text.contains("data-id=\"BE0428759497\""),
            "{}",
            page.text
        );
        assert_eq!(files(&page), ["/icp/2026-Q1.csv", "/icp/2026-Q1.xlsx"]);
        let list = browser.get("/vat/2026/1/icp.csv");
        assert_eq!(browser.get("/vat/2026-Q1/icp.csv").text, list.text);
        let expected = "\u{feff}land;btw-id;leveringen;diensten;abc-leveringen\r\nBE;0428759497;0;0;50\r\nDE;123456788;200;1000;0\r\n";
        assert_eq!(
            (list.text.as_str(), list.header("content-disposition")),
            (expected, Some("attachment; filename=\"icp-2026-1.csv\""))
        );
        assert_eq!(browser.get("/vat/2026/1/icp.xlsx").status, 200);
        // The API returns the same figures.
        let answer = server.get(&key, "/api/v1/vat-filings/2026/1/icp").json();
        assert_eq!(
            (&answer["total"], &answer["difference"], answer["rows"].as_array().unwrap().len()),
            (&json!(1250), &json!(0.00), 2),
            "{answer}"
        );
        assert_eq!(browser.get("/vat/2026/5/icp.csv").status, 404);
        assert!(files(&browser.get("/vat/2026/2")).is_empty());
    }
}
