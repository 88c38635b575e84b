//! Invoices as pages, with the same bookings as through the API: creation, sending, payments,
//! credit notes, copies.

use crate::{
    help::{EMAIL, PASSWORD, fault_of, open, signed_in, value_of, visit},
    sales::documents::{seller, set_seller},
};
use ledger::calendar::Quarter;
use serde_json::{Value, json};
use service::vat_filings;
use store::people::Settings;
use testing::{Engine, Reply, Server, Visitor, on_both_engines};

const WORK: [(&str, &str); 7] = [
    ("customer.name", "Museum De Pier"),
    ("items.0.description", "Ontwerp"),
    ("items.0.quantity", "2"),
    ("items.0.unitPrice", "€ 1.250,50"),
    ("items.0.vatRate", "21"),
    ("reference", "PO 7"),
    ("action", "sent"),
];

fn create(browser: &Visitor, fields: &[(&str, &str)]) -> Reply {
    let page = browser.get("/invoices/new");
    browser.submit(&page, "/invoices", fields)
}

/// Returns the invoice whose page has this path, as the API shows it.
fn by_api(server: &Server, key: &str, path: &str) -> Value {
    let id: String =
        path.trim_start_matches("/invoices/").chars().take_while(char::is_ascii_digit).collect();
    server.get(key, &format!("/api/v1/invoices/{id}")).json()
}

fn location(answer: &Reply) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text);
    answer.header("location").unwrap().to_owned()
}

on_both_engines! {
    /// An unknown action books nothing, and missing legal requirements are reported before booking.
    fn faults_of_an_invoice_are_reported_before_it_is_booked(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let refused = create(&browser, &[&WORK[..6], &[("action", "bogus")]].concat());
        assert!(
            refused.status == 422 && refused.text.contains("Museum De Pier"),
            "{} {}",
            refused.status,
            refused.text
        );
        assert!(browser.get("/invoices").text.contains("No invoices yet"));
        let reversed = [
            &WORK[..4],
            &[
                ("items.0.vatRate", "0"),
                ("items.0.vatCategory", "reverseCharge"),
                ("action", "calculate"),
            ],
        ]
        .concat();
        const MISSING: &str = "Then the invoice must show your customer’s VAT ID";
        assert!(create(&browser, &reversed).text.contains(MISSING));
        let known = [&reversed[..], &[("customer.vatNumber", "NL001234567B01")]].concat();
        let zero = [
            &WORK[..4],
            &[("items.0.vatRate", "0"), ("items.0.vatCategory", "zero"), ("action", "calculate")],
        ]
        .concat();
        for fields in [known, zero] {
            assert!(!create(&browser, &fields).text.contains(MISSING));
        }
    }

    fn an_invoice_is_booked_as_the_api_books_it(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        let empty = browser.get("/invoices");
        assert!(
            empty.text.contains("Nog geen facturen")
                && empty.text.contains("href=\"/invoices/new\""),
            "{}",
            empty.text
        );
        let answer = create(&browser, &WORK);
        let path = location(&answer);
        let mine = by_api(&server, &key, &path);
        let body = json!({"status": "sent", "customer": {"name": "Museum De Pier"}, "reference": "PO 7",
            "items": [{"description": "Ontwerp", "quantity": 2, "unitPrice": 1250.50, "vatRate": 21}]});
        let theirs = server.post(&key, "/api/v1/invoices", &body).json();
        for field in [
            "status",
            "items",
            "vat",
            "subtotal",
            "vatTotal",
            "total",
            "invoiceDate",
            "dueDate",
            "reference",
            "vatPeriod",
        ] {
            assert_eq!(mine[field], theirs[field], "{field}");
        }
        assert_eq!(
            (&mine["total"], &mine["source"], &mine["number"]),
            (&json!(3026.21), &json!("app"), &json!("2026-0001"))
        );
        assert_eq!(mine["customer"]["contactId"], theirs["customer"]["contactId"]);
        let entry = |invoice: &Value| {
            server.get(&key, &format!("/api/v1/entries/{}", invoice["entryIds"][0])).json()["postings"].clone()
        };
        assert_eq!(entry(&mine), entry(&theirs));
        let page = browser.follow(&answer);
        for text in [
            "Factuur 2026-0001",
            "Museum De Pier",
            "<data value=\"3026.21\">",
            "staat als verstuurd",
            "1300 ",
            "<a href=\"/journal/1\">",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let list = browser.get("/invoices?q=pier");
        assert!(
            list.text.contains("data-id=\"1\"") && list.text.contains("<data value=\"6052.42\">"),
            "{}",
            list.text
        );
        assert!(browser.get("/invoices?state=draft").text.contains("Geen facturen gevonden"));
        assert!(browser.get("/invoices?q=3026,21").text.contains("data-id=\"1\""));
        let csv = browser.get("/invoices.csv?state=open");
        assert!(csv.text.contains("\r\n2026-0001;invoice;sent;Museum De Pier;NL;"), "{}", csv.text);
    }

    fn lists_are_ordered_filtered_and_summed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (name, day, due, price) in [
            ("A", "2026-01-05", "2026-01-06", 300),
            ("B", "2026-02-05", "2026-12-31", 100),
            ("C", "2026-03-05", "2026-03-06", 200),
        ] {
            let body = json!({"status": "sent", "invoiceDate": day, "dueDate": due, "customer": {"name": name},
                "items": [{"description": "Work", "unitPrice": price, "vatRate": 0}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        let ids = |page: &Reply| -> Vec<String> {
            page.text
                .split("<tr data-id=\"")
                .skip(1)
                .map(|row| row.split('"').next().unwrap().to_owned())
                .collect()
        };
        for (address, expected) in [
            ("/invoices", "3 2 1"),
            ("/invoices?sort=total", "2 3 1"),
            ("/invoices?sort=-due", "1 3 2"),
            ("/invoices?sort=number", "1 2 3"),
            ("/invoices?sort=customer&state=open", "1 2 3"),
            ("/invoices?sort=date", "1 2 3"),
            ("/invoices?sort=dueDate", "1 3 2"),
            ("/invoices?state=overdue", "1 3"),
            ("/invoices?state=open&age=notDue", "2"),
            ("/invoices?state=open&age=30", "3"),
            ("/invoices?state=open&age=older", "1"),
            ("/invoices?q=b", "2"),
            ("/invoices?contactId=3", "3"),
            ("/invoices?state=paid", ""),
        ] {
            let page = browser.get(address);
            assert_eq!(ids(&page).join(" "), expected, "{address}");
        }
        assert!(browser.get("/invoices").text.contains("<data value=\"600.00\">"));
    }

    fn invoices_are_listed_by_their_date_and_found_by_amounts_without_a_minus(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for (name, day) in [("Museum De Pier Raamwerk", "2026-03-05"), ("Bakker", "2026-01-05")] {
            let body = json!({"status": "sent", "invoiceDate": day, "dueDate": "2026-03-06", "customer": {"name": name},
                "items": [{"description": "Work", "unitPrice": 22.3, "vatRate": 21}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        assert_eq!(
            server
                .post(&key, "/api/v1/invoices/2/credit-notes", &json!({"date": "2026-02-01"}))
                .status,
            201
        );
        let ids = |page: &Reply| -> Vec<String> {
            page.text
                .split("<tr data-id=\"")
                .skip(1)
                .map(|row| row.split('"').next().unwrap().to_owned())
                .collect()
        };
        let list = browser.get("/invoices");
        assert_eq!(ids(&list), ["1", "3", "2"], "latest date first, in any order of creation");
        assert!(
            list.text.contains("aria-sort=\"descending\"")
                && list.text.contains("3 invoices and credit notes"),
            "{}",
            list.text
        );
        assert_eq!(list.text.matches("9 days").count(), 1, "how late it is, once: {}", list.text);
        // Two invoices have a total of 26.98 each, and a credit note the negative of that.
        for address in ["/search?q=26.98", "/search?q=-26.98", "/invoices?q=26.98"] {
            let page = browser.get(address);
            assert!(page.text.matches("26.98\">").count() >= 3, "{address}: {}", page.text);
            assert!(page.text.contains("<data value=\"-26.98\">"), "{address}: {}", page.text);
        }
        for address in
            ["/search?q=museum+raam", "/invoices?q=museum+raam", "/contacts?q=museum+raam"]
        {
            assert!(browser.get(address).text.contains("Museum De Pier Raamwerk"), "{address}");
        }
    }

    fn a_double_click_creates_one_invoice(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/invoices/new");
        let first = location(&browser.submit(&page, "/invoices", &WORK));
        let second = location(&browser.submit(&page, "/invoices", &WORK));
        assert_eq!(
            (first.as_str(), second.as_str()),
            ("/invoices/1?done=invoice-sent", "/invoices/1?done=invoice-sent")
        );
        assert_eq!(location(&create(&browser, &WORK)), "/invoices/2?done=invoice-sent");
    }

    fn a_rejected_form_keeps_its_input(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let bad = [
            ("customer.name", ""),
            ("invoiceDate", "31-02-2026"),
            ("items.0.description", "Work"),
            ("items.0.quantity", "twelve"),
            ("items.0.unitPrice", "10"),
            ("items.0.vatRate", "21"),
            ("notes", "Thanks"),
            ("action", "draft"),
        ];
        let refused = create(&browser, &bad);
        assert_eq!(refused.status, 422);
        assert!(
            fault_of(&refused, "items.0.quantity").unwrap().contains("“twelve” isn’t a number")
        );
        assert!(fault_of(&refused, "invoiceDate").is_some());
        assert!(fault_of(&refused, "customer.name").is_some());
        assert_eq!(value_of(&refused, "items.0.quantity").as_deref(), Some("twelve"));
        assert!(
            refused.text.contains("Thanks</textarea>")
                && refused.text.contains("href=\"#items.0.quantity\""),
            "{}",
            refused.text
        );
        let none = create(&browser, &[("customer.name", "X"), ("action", "draft")]);
        assert_eq!(none.status, 422);
        assert!(
            none.text.contains("href=\"#items\"") && none.text.contains("id=\"items\""),
            "{}",
            none.text
        );
        let unknown = create(&browser, &[&WORK[1..], &[("customer.contactId", "99")]].concat());
        assert_eq!(
            (unknown.status, browser.get("/invoices").text.contains("<tr data-id")),
            (422, false)
        );
    }

    fn lines_are_added_removed_and_calculated_without_scripts(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let with = |action: &'static str| {
            [
                &WORK[..6],
                &[
                    ("items.3.description", "Second"),
                    ("items.3.unitPrice", "10"),
                    ("items.3.vatRate", "9"),
                    ("action", action),
                ],
            ]
            .concat()
        };
        let added = create(&browser, &with("addLine"));
        assert_eq!((added.status, added.text.matches("class=\"line\"").count()), (200, 3));
        assert_eq!(value_of(&added, "items.1.unitPrice").as_deref(), Some("10"));
        assert_eq!(value_of(&added, "items.2.quantity").as_deref(), Some("1"));
        let removed = create(&browser, &with("removeLine.0"));
        assert_eq!((removed.status, removed.text.matches("class=\"line\"").count()), (200, 1));
        assert_eq!(value_of(&removed, "items.0.unitPrice").as_deref(), Some("10"));
        let reckoned = create(&browser, &with("calculate"));
        // 2 × 1250.50 = 2501.00, VAT 525.21; 10.00, VAT 0.90.
        for amount in ["2501.00", "525.21", "0.90", "2511.00", "3037.11"] {
            assert!(
                reckoned.text.contains(&format!("<data value=\"{amount}\">")),
                "{amount}: {}",
                reckoned.text
            );
        }
        assert!(!browser.get("/invoices").text.contains("<tr data-id"));
    }

    fn a_draft_is_edited_and_sent_and_then_final(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let draft = [&WORK[..6], &[("action", "draft")]].concat();
        assert_eq!(location(&create(&browser, &draft)), "/invoices/1?done=invoice-created");
        let page = browser.get("/invoices/1");
        assert!(
            page.text.contains("This draft already counts")
                && page.text.contains("action=\"/invoices/1/mark-sent\""),
            "{}",
            page.text
        );
        let form = browser.get("/invoices/1/edit");
        assert_eq!(value_of(&form, "items.0.unitPrice").as_deref(), Some("1250.5"));
        let new = [
            ("customer.contactId", "1"),
            ("invoiceDate", "2026-11-20"),
            ("dueDate", ""),
            ("items.0.description", "Design"),
            ("items.0.quantity", "3"),
            ("items.0.unitPrice", "100"),
            ("items.0.vatRate", "9"),
            ("notes", ""),
            ("action", "draft"),
        ];
        let stale = browser.get("/invoices/1/edit");
        assert_eq!(
            location(&browser.submit(&form, "/invoices/1", &new)),
            "/invoices/1?done=invoice-edited"
        );
        assert_eq!(by_api(&server, &key, "/invoices/1")["total"], 327.0);
        // An edit conflict: the form was opened before the draft changed.
        let late = [
            &new[..5],
            &[("items.0.unitPrice", "5"), ("items.0.vatRate", "9"), ("action", "draft")],
        ]
        .concat();
        let refused = browser.submit(&stale, "/invoices/1", &late);
        assert_eq!(
            (refused.status, value_of(&refused, "items.0.unitPrice").as_deref()),
            (409, Some("5"))
        );
        assert!(
            refused.text.contains("€327.00")
                && refused.text.contains("This has changed in the meantime"),
            "{}",
            refused.text
        );
        assert_eq!(
            browser.submit(&page, "/invoices/1/mark-sent", &[]).status,
            409,
            "the page shows the former state"
        );
        let page = browser.get("/invoices/1");
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/mark-sent", &[])),
            "/invoices/1?done=invoice-sent"
        );
        // A double click is one command; a new submission finds no draft left to send.
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/mark-sent", &[])),
            "/invoices/1?done=invoice-sent"
        );
        assert_eq!(
            browser.submit(&page, "/invoices/1/mark-sent", &[("submission", "another")]).status,
            409
        );
        assert_eq!(by_api(&server, &key, "/invoices/1")["status"], "sent");
        let answer = browser.get("/invoices/1/edit");
        assert!(browser.follow(&answer).text.contains("no longer changes"));
        // Editing a sent invoice is rejected, without a conflict to resolve.
        let changed = browser.submit(&refused, "/invoices/1", &late);
        assert!(
            changed.status == 409 && changed.text.contains("has been sent and no longer changes"),
            "{}",
            changed.text
        );
        assert!(
            !changed.text.contains("This has changed in the meantime")
                && value_of(&changed, "items.0.unitPrice").as_deref() == Some("5")
        );
        assert_eq!(browser.submit(&changed, "/invoices/1", &late).status, 409);
    }

    /// Art. 13(2) Wet OB 1968: paid in the third quarter, whose return was filed.
    fn vat_that_waits_is_moved_from_the_page_of_the_invoice(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-12-20T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let items = json!([{"description": "Work", "unitPrice": 1000, "vatRate": 21}]);
        let invoice = json!({"invoiceDate": "2026-12-20", "status": "sent", "customer": {"name": "De Pier"}, "items": items});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let cx = server.owner(EMAIL);
        let quarter = Quarter::new(2026, 3).unwrap();
        let now = "2026-12-20T10:00:00Z".parse().unwrap();
        server.write(move |tx| vat_filings::file(tx, &cx.at(now), quarter.into()));
        server.clock.set("2026-12-20T11:00:00Z");
        let paid = server.post(&key, "/api/v1/invoices/1/payments", &json!({"date": "2026-09-15", "amount": 605}));
        assert_eq!(paid.status, 201, "{}", paid.text);
        let page = browser.get("/invoices/1");
        assert!(page.text.contains("action=\"/invoices/1/move-vat\""), "{}", page.text);
        // The checks of both returns list the invoice.
        let are_named = || {
            ["/vat/2026/3", "/vat/2026/4"].map(|path| browser.get(path).text.contains("before its VAT period"))
        };
        assert_eq!(are_named(), [true, true]);
        let refused = browser.submit(&page, "/invoices/1/move-vat", &[]);
        assert!(refused.status == 409 && refused.text.contains("name=\"correction\""), "{}", refused.text);
        let moved = browser.submit(&refused, "/invoices/1/move-vat", &[("correction", "true")]);
        assert_eq!(location(&moved), "/invoices/1?done=vat-moved");
        assert_eq!(are_named(), [false, false]);
        let page = browser.get("/invoices/1");
        assert!(!page.text.contains("/move-vat") && page.text.contains("return of the day of the payment"), "{}", page.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Art. 35a(1)(g) Wet OB 1968.
    fn an_old_draft_proposes_its_date_as_date_of_supply(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        server.clock.set("2026-02-20T10:00:00Z");
        let items = json!([{"description": "Work", "unitPrice": 100, "vatRate": 21}]);
        for supplied in [Value::Null, Value::Null, json!("2026-01-03")] {
            let draft = json!({"invoiceDate": "2026-01-05", "supplyDate": supplied, "status": "draft",
                "customer": {"name": "De Pier"}, "items": items});
            assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        }
        let page = browser.get("/invoices/1");
        assert_eq!(value_of(&page, "supplyDate").as_deref(), Some("2026-01-05"));
        let sent = [("invoiceDate", "2026-02-20"), ("supplyDate", "2026-01-05")];
        assert_eq!(location(&browser.submit(&page, "/invoices/1/mark-sent", &sent)), "/invoices/1?done=invoice-sent");
        assert_eq!(by_api(&server, &key, "/invoices/1")["supplyDate"], "2026-01-05");
        let page = browser.get("/invoices/2");
        let blank = [("invoiceDate", "2026-02-20"), ("supplyDate", "")];
        assert_eq!(location(&browser.submit(&page, "/invoices/2/mark-sent", &blank)), "/invoices/2?done=invoice-sent");
        assert_eq!(by_api(&server, &key, "/invoices/2")["supplyDate"], Value::Null);
        // The draft has its own date of supply, so none is proposed.
        assert_eq!(value_of(&browser.get("/invoices/3"), "supplyDate"), None);
        // Hours of another day.
        let project = json!({"name": "Website", "hourlyRate": 90, "contactId": 1});
        assert_eq!(server.post(&key, "/api/v1/projects", &project).status, 201);
        let hours = json!({"projectId": 1, "date": "2026-01-02", "hours": 2, "description": "Design"});
        assert_eq!(server.post(&key, "/api/v1/time-entries", &hours).status, 201);
        let billed = server.post(&key, "/api/v1/projects/1/invoice", &json!({"invoiceDate": "2026-01-05"}));
        assert_eq!(billed.status, 201, "{}", billed.text);
        // They are the date of supply; without it, nothing is proposed.
        assert_eq!(value_of(&browser.get("/invoices/4"), "supplyDate"), None);
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        let blank = Some(&br#"{"supplyDate": null}"#[..]);
        assert_eq!(server.send("PATCH", "/api/v1/invoices/4", &headers, blank).status, 200);
        assert_eq!(value_of(&browser.get("/invoices/4"), "supplyDate").as_deref(), Some(""));
    }

    fn an_edit_conflict_on_a_draft_is_shown_field_by_field(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        location(&create(
            &browser,
            &[&WORK[..6], &[("dueDate", "2026-04-01"), ("action", "draft")]].concat(),
        ));
        let form = browser.get("/invoices/1/edit");
        let change = json!({"reference": "PO 8", "notes": "Thanks", "dueDate": "2026-04-08", "supplyDate": "2026-03-01",
            "items": [{"description": "Ontwerp", "quantity": 3, "unitPrice": 1250.50, "vatRate": 9},
                {"description": "Travel", "unitPrice": 10, "vatRate": 21}]});
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        let patched = server.send(
            "PATCH",
            "/api/v1/invoices/1",
            &headers,
            Some(change.to_string().as_bytes()),
        );
        assert_eq!(patched.status, 200, "{}", patched.text);
        // A blank line in the form is not a difference.
        let mine = [
            ("customer.contactId", "1"),
            ("invoiceDate", "15-03-2026"),
            ("dueDate", "2026-04-01"),
            ("items.0.description", "Ontwerp"),
            ("items.0.quantity", "2"),
            ("items.0.unitPrice", "€ 1.250,50"),
            ("items.0.vatRate", "21"),
            ("items.5.quantity", "1"),
            ("items.5.vatRate", "21"),
            ("pricesIncludeVat", "false"),
            ("prepayment", "false"),
            ("reference", "PO 7"),
            ("action", "draft"),
        ];
        let stale = browser.submit(&form, "/invoices/1", &mine);
        assert_eq!(stale.status, 409, "{}", stale.text);
        let row = |label: &str, typed: &str, now: &str| {
            format!("<tr><th scope=\"row\">{label}</th><td>{typed}</td><td>{now}</td></tr>")
        };
        let rows = [
            row("Your customer’s reference", "PO 7", "PO 8"),
            row("Text below the invoice", "", "Thanks"),
            row("Due date", "1 April 2026", "8 April 2026"),
            row("Supplied on or from", "", "1 March 2026"),
            row("Quantity (1)", "2", "3"),
            row("VAT (1)", "21%", "9%"),
            row("Description (2)", "", "Travel"),
            row("Quantity (2)", "", "1"),
            row("Price (2)", "", "10"),
            row("VAT (2)", "", "21%"),
            row("Total", "€3,026.21", "€4,101.24"),
        ];
        let begun = "<tr><th scope=\"row\">";
        let differences: Vec<String> = stale
            .text
            .split(begun)
            .skip(1)
            .map(|rest| format!("{begun}{}</tr>", rest.split("</tr>").next().unwrap()))
            .collect();
        assert_eq!(
            differences.iter().collect::<std::collections::BTreeSet<_>>(),
            rows.iter().collect(),
            "{}",
            stale.text
        );
        // When submitted again, the input replaces the stored values.
        assert_eq!(
            location(&browser.submit(&stale, "/invoices/1", &mine)),
            "/invoices/1?done=invoice-edited"
        );
        assert_eq!(by_api(&server, &key, "/invoices/1")["reference"], "PO 7");
    }

    fn missing_details_of_the_seller_are_shown_before_and_after_sending(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        const BEFORE: &str = "Op je factuur ontbreekt nog: je adres, je KvK-nummer, je btw-id, je IBAN. Vul dat eerst in; wat verstuurd is, verandert niet meer. <a href=\"/settings\">";
        let new = browser.get("/invoices/new");
        assert!(new.text.contains(BEFORE), "{}", new.text);
        location(&create(&browser, &[&WORK[..6], &[("action", "draft")]].concat()));
        for path in ["/invoices/1", "/invoices/1/edit"] {
            let page = browser.get(path);
            assert!(page.text.contains(BEFORE), "{path}: {}", page.text);
        }
        let page = browser.get("/invoices/1");
        location(&browser.submit(&page, "/invoices/1/mark-sent", &[]));
        set_seller(&server, &seller("Studio Noord"));
        // Documents already sent without these details stay incomplete.
        let sent = browser.get("/invoices/1");
        assert!(
            sent.text.contains(
                "Op het verstuurde document ontbreekt: je adres, je KvK-nummer, je btw-id, je IBAN."
            ),
            "{}",
            sent.text
        );
        assert!(
            sent.text.contains("crediteer deze factuur en kopieer hem daarna")
                && !sent.text.contains("ontbreekt nog"),
            "{}",
            sent.text
        );
        assert!(!browser.get("/invoices/new").text.contains("ontbreekt"));
        location(&create(&browser, &WORK));
        let whole = browser.get("/invoices/2");
        assert!(!whole.text.contains("ontbreekt"), "{}", whole.text);
        // Without an account number the document requests payment but does not say where to pay.
        set_seller(&server, &Settings { iban: None, ..seller("Studio Noord") });
        assert!(browser.get("/invoices/new").text.contains("ontbreekt nog: je IBAN. Vul"));
        assert!(!browser.get("/invoices/2").text.contains("ontbreekt"));
        // A credit note needs no account number.
        let form = browser.get("/invoices/2/credit");
        location(&browser.submit(
            &form,
            "/invoices/2/credit",
            &[("items.0.quantity", "2"), ("date", "2026-03-15")],
        ));
        assert!(!browser.get("/invoices/3").text.contains("ontbreekt"));
    }

    fn the_address_of_a_customer_is_required_above_a_hundred_euros(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let address = json!({"street": "Kade 1", "postalCode": "1011 AB", "city": "Amsterdam"});
        let (business, consumer) = (
            json!({"name": "Museum De Pier", "kvkNumber": "12345678"}),
            json!({"name": "Jan de Vries"}),
        );
        for (price, address, customer, is_missing) in [
            (100.0, None, &business, false),
            (100.01, None, &business, true),
            (100.01, Some(&address), &business, false),
            (100.01, None, &consumer, false),
        ] {
            let mut customer = customer.clone();
            if let Some(address) = address {
                customer["address"] = address.clone();
            }
            let body = json!({"status": "sent", "customer": customer, "items": [{"description": "Work", "unitPrice": price, "vatRate": 0}]});
            let invoice = server.post(&key, "/api/v1/invoices", &body);
            assert_eq!(invoice.status, 201, "{}", invoice.text);
            let page = browser.get(&format!("/invoices/{}", invoice.json()["id"]));
            assert_eq!(
                page.text.contains("Your customer’s address isn’t on it"),
                is_missing,
                "{price} {customer}: {}",
                page.text
            );
        }
    }

    fn the_history_shows_creation_and_sending(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        location(&create(&browser, &[&WORK[..6], &[("action", "draft")]].concat()));
        let history = |page: &Reply| {
            page.text
                .split("<ol class=\"timeline\">")
                .nth(1)
                .unwrap()
                .split("</ol>")
                .next()
                .unwrap()
                .to_owned()
        };
        let draft = browser.get("/invoices/1");
        assert!(
            history(&draft).contains("Created") && !history(&draft).contains("<span>Sent</span>"),
            "{}",
            draft.text
        );
        server.clock.set("2026-03-16T10:00:00Z");
        location(&browser.submit(&draft, "/invoices/1/mark-sent", &[]));
        let sent = history(&browser.get("/invoices/1"));
        let (made_on, sent_on) =
            sent.split_once("<span>Sent</span>").unwrap_or_else(|| panic!("{sent}"));
        assert!(
            made_on.contains("datetime=\"2026-03-15\"")
                && sent_on.contains("datetime=\"2026-03-16\""),
            "{sent}"
        );
        // This invoice is created and sent in one step.
        location(&create(&browser, &WORK));
        let both = history(&browser.get("/invoices/2"));
        assert!(both.contains("Created") && both.contains("<span>Sent</span>"), "{both}");
    }

    fn required_fields_are_not_called_optional(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let is_optional = |page: &Reply, name: &str| {
            // The labels of line fields never contain "optional", so their attribute `required` is
            // checked instead.
            if name.starts_with("items.") {
                let (_, rest) = page
                    .text
                    .split_once(&format!(" name=\"{name}\""))
                    .unwrap_or_else(|| panic!("{name}: {}", page.text));
                return !rest.split('>').next().unwrap().ends_with(" required");
            }
            let (_, rest) = page
                .text
                .split_once(&format!("<label for=\"{name}\">"))
                .unwrap_or_else(|| panic!("{name}: {}", page.text));
            rest.split("</label>").next().unwrap().contains("class=\"optional\"")
        };
        let page = browser.get("/invoices/new");
        for name in ["customer.name", "items.0.description", "items.0.unitPrice"] {
            assert!(!is_optional(&page, name), "{name}");
        }
        assert!(is_optional(&page, "customer.email") && is_optional(&page, "items.0.quantity"));
        let longer = create(&browser, &[&WORK[..6], &[("action", "addLine")]].concat());
        assert!(
            !is_optional(&longer, "items.0.description")
                && is_optional(&longer, "items.1.description")
        );
        location(&create(&browser, &WORK));
        let page = browser.get("/invoices/new?contactId=1");
        // The field shows the name of the known customer.
        for name in ["customer.name", "items.0.unitPrice"] {
            assert!(!is_optional(&page, name), "{name}");
        }
    }

    fn payments_are_recorded_up_to_what_is_outstanding(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        location(&create(&browser, &WORK));
        let page = browser.get("/invoices/1");
        assert_eq!(value_of(&page, "amount").as_deref(), Some("3,026.21"));
        let refused = browser.submit(
            &page,
            "/invoices/1/payments",
            &[("date", "2026-03-13"), ("amount", "4000")],
        );
        assert_eq!((refused.status, value_of(&refused, "amount").as_deref()), (422, Some("4000")));
        assert!(
            fault_of(&refused, "amount").unwrap().contains("€3,026.21"),
            "{:?}",
            fault_of(&refused, "amount")
        );
        let part = [
            ("date", "13-03-2026"),
            ("amount", "1026,21"),
            ("method", "savings"),
            ("reference", "Bank 7"),
        ];
        let answer = browser.submit(&page, "/invoices/1/payments", &part);
        assert_eq!(location(&answer), "/invoices/1?done=payment-recorded");
        let result_page = browser.follow(&answer);
        assert!(result_page.text.contains("€2,000.00 still outstanding"), "{}", result_page.text);
        // A payment form submitted twice records one payment.
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/payments", &part)),
            "/invoices/1?done=payment-recorded"
        );
        assert_eq!(by_api(&server, &key, "/invoices/1")["amountPaid"], 1026.21);
        let page = browser.get("/invoices/1");
        let answer = browser.submit(&page, "/invoices/1/payments", &[("date", "2026-03-13")]);
        assert_eq!(location(&answer), "/invoices/1?done=payment-settled");
        let paid = browser.get("/invoices/1");
        assert!(
            browser.get("/invoices").text.contains("Paid on <time datetime=\""),
            "{}",
            browser.get("/invoices").text
        );
        assert!(
            paid.text.contains("Paid on") && !paid.text.contains("action=\"/invoices/1/payments\""),
            "{}",
            paid.text
        );
        assert_eq!(by_api(&server, &key, "/invoices/1")["paid"], true);
    }

    fn an_invoice_is_credited_in_part_and_then_in_full(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        location(&create(&browser, &WORK));
        let form = browser.get("/invoices/1/credit");
        assert_eq!(value_of(&form, "items.0.quantity").as_deref(), Some("2"));
        let refused = browser.submit(
            &form,
            "/invoices/1/credit",
            &[("items.0.quantity", "3"), ("date", "2026-11-20")],
        );
        assert_eq!(refused.status, 422);
        assert!(fault_of(&refused, "items.0.quantity").is_some());
        let both = browser.submit(
            &form,
            "/invoices/1/credit",
            &[("items.0.quantity", "3"), ("date", "soon")],
        );
        assert!(
            fault_of(&both, "items.0.quantity").is_some() && fault_of(&both, "date").is_some(),
            "{}",
            both.text
        );
        let part = [("items.0.quantity", "0.5"), ("date", "2026-11-20"), ("reason", "Too much")];
        assert_eq!(
            location(&browser.submit(&form, "/invoices/1/credit", &part)),
            "/invoices/2?done=credit-note-made"
        );
        assert_eq!(
            location(&browser.submit(&form, "/invoices/1/credit", &part)),
            "/invoices/2?done=credit-note-made"
        );
        let note = by_api(&server, &key, "/invoices/2");
        assert_eq!(
            (&note["kind"], &note["total"], &note["creditedInvoiceId"]),
            (&json!("creditNote"), &json!(-756.55), &json!(1))
        );
        let form = browser.get("/invoices/1/credit");
        assert_eq!(value_of(&form, "items.0.quantity").as_deref(), Some("1.5"));
        let all = [("items.0.quantity", "1.5"), ("date", "2026-11-20")];
        location(&browser.submit(&form, "/invoices/1/credit", &all));
        assert_eq!(by_api(&server, &key, "/invoices/1")["amountDue"], 0.0);
        let page = browser.get("/invoices/1");
        assert!(
            page.text.contains("Credited") && !page.text.contains("href=\"/invoices/1/credit\""),
            "{}",
            page.text
        );
        assert_eq!(
            browser
                .submit(
                    &form,
                    "/invoices/1/credit",
                    &[("date", "2026-11-20"), ("submission", "another-one")]
                )
                .status,
            409
        );
    }

    fn the_remainder_of_an_invoice_is_credited_by_its_lines(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let items = json!([{"description": "Werk", "quantity": 2, "unitPrice": 100, "vatRate": 21}, {"description": "Gids", "quantity": 4, "unitPrice": 10, "vatRate": 9}]);
        let body = json!({"status": "sent", "customer": {"name": "Pier"}, "items": items});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        let form = browser.get("/invoices/1/credit");
        assert_eq!(
            browser
                .submit(
                    &form,
                    "/invoices/1/credit",
                    &[("items.0.quantity", "0.5"), ("items.1.quantity", "")]
                )
                .status,
            303
        );
        // Submitted unchanged, the form credits the remainder with the original descriptions.
        let form = browser.get("/invoices/1/credit");
        assert_eq!(browser.submit(&form, "/invoices/1/credit", &[]).status, 303);
        let rest = server.get(&key, "/api/v1/invoices/3").json();
        let credited: Vec<(Value, Value)> = rest["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (item["description"].clone(), item["quantity"].clone()))
            .collect();
        assert_eq!(credited, [(json!("Werk"), json!(-1.5)), (json!("Gids"), json!(-4))], "{rest}");
        assert_eq!(server.get(&key, "/api/v1/invoices/1").json()["amountDue"], json!(0.0));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_invalid_sending_date_is_kept_at_its_field(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let path = location(&create(&browser, &[&WORK[..6], &[("action", "draft")]].concat()));
        let page = browser.get(&path);
        let refused = browser.submit(
            &page,
            &format!("{}/mark-sent", path.split('?').next().unwrap()),
            &[("invoiceDate", "2026-02-31")],
        );
        assert_eq!(
            (refused.status, value_of(&refused, "invoiceDate").as_deref()),
            (422, Some("2026-02-31")),
            "{}",
            refused.text
        );
        assert!(fault_of(&refused, "invoiceDate").is_some(), "{}", refused.text);
    }

    fn nothing_is_mailed_if_the_address_is_removed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let customer = json!({"name": "Pier", "email": "pier@example.com"});
        let body = json!({"status": "sent", "customer": customer, "items": [{"description": "Werk", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        let form = browser.get("/invoices/1/send");
        let refused = browser.submit(&form, "/invoices/1/send", &[("to", " ")]);
        assert_eq!(refused.status, 422);
        assert!(fault_of(&refused, "to").is_some(), "{}", refused.text);
        assert_eq!(server.get(&key, "/api/v1/invoices/1/messages").json()["data"], json!([]));
    }

    fn a_copy_is_a_new_draft(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        location(&create(&browser, &WORK));
        let page = browser.get("/invoices/1");
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/copy", &[])),
            "/invoices/2?done=invoice-copied"
        );
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/copy", &[])),
            "/invoices/2?done=invoice-copied"
        );
        let (first, copy) =
            (by_api(&server, &key, "/invoices/1"), by_api(&server, &key, "/invoices/2"));
        assert_eq!(
            (&copy["status"], &copy["number"], &copy["items"]),
            (&json!("draft"), &json!("2026-0002"), &first["items"])
        );
        assert_eq!(copy["customer"]["contactId"], first["customer"]["contactId"]);
        // If a VAT rate no longer exists, the form shows the lines for correction.
        let old = json!({"status": "sent", "invoiceDate": "2018-05-05", "customer": {"name": "X"}, "items": [{"description": "Book", "unitPrice": 10, "vatRate": 6}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &old).status, 201);
        let page = browser.get("/invoices/3");
        let result_page = browser.submit(&page, "/invoices/3/copy", &[]);
        assert_eq!(
            (result_page.status, value_of(&result_page, "items.0.unitPrice").as_deref()),
            (422, Some("10"))
        );
        assert!(fault_of(&result_page, "items.0.vatRate").is_some());
    }

    /// A draft is sent, overpaid, refunded, written off and recovered; each step is undone; then a
    /// draft is cancelled.
    fn money_is_received_refunded_written_off_and_undone(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let state = || {
            let invoice = by_api(&server, &key, "/invoices/1");
            ["amountPaid", "amountDue", "amountToRefund", "amountWrittenOff"]
                .map(|field| invoice[field].as_f64().unwrap())
        };
        location(&create(&browser, &WORK));
        let page = browser.get("/invoices/1");
        let over = [("date", "2026-03-13"), ("amount", "3100"), ("method", "ideal")];
        let refused = browser.submit(&page, "/invoices/1/payments", &over);
        assert!(
            refused.status == 422 && refused.text.contains("name=\"overpayment\""),
            "{}",
            refused.text
        );
        let kept = [&over[..], &[("overpayment", "keep")]].concat();
        location(&browser.submit(&refused, "/invoices/1/payments", &kept));
        assert_eq!(state(), [3100.0, 0.0, 73.79, 0.0]);
        let page = browser.get("/invoices/1");
        assert_eq!(value_of(&page, "amount").as_deref(), Some("-73.79"));
        let answer = browser.submit(
            &page,
            "/invoices/1/payments",
            &[("date", "2026-03-14"), ("amount", "-73,79"), ("method", "bank")],
        );
        assert_eq!(location(&answer), "/invoices/1?done=refund-recorded");
        let page = browser.follow(&answer);
        let refused = browser.submit(&page, "/invoices/1/payments/1/undo", &[]);
        assert!(
            refused.status != 303 && refused.text.contains("Undo that refund first"),
            "{}",
            refused.text
        );
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/payments/2/undo", &[])),
            "/invoices/1?done=payment-undone"
        );
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/payments/1/undo", &[])),
            "/invoices/1?done=payment-undone"
        );
        assert_eq!(state(), [0.0, 3026.21, 0.0, 0.0]);
        let form = browser.get("/invoices/1/write-off");
        assert_eq!(value_of(&form, "amount").as_deref(), Some("3,026.21"));
        assert!(form.text.contains("At most €3,026.21"), "{}", form.text);
        let refused = browser.submit(
            &form,
            "/invoices/1/write-off",
            &[("date", "2026-03-13"), ("amount", "4000")],
        );
        assert!(
            refused.status == 422 && fault_of(&refused, "amount").is_some(),
            "{}",
            refused.text
        );
        let gone = [("date", "2026-03-15"), ("amount", "3026.21"), ("reason", "Bankrupt")];
        assert_eq!(
            location(&browser.submit(&form, "/invoices/1/write-off", &gone)),
            "/invoices/1?done=invoice-written-off"
        );
        assert_eq!(state(), [0.0, 0.0, 0.0, 3026.21]);
        // A fully written-off invoice is neither open nor paid.
        assert!(browser.get("/invoices?state=open").text.contains("No invoices found"));
        assert!(browser.get("/invoices?state=paid").text.contains("No invoices found"));
        assert!(
            browser.get("/invoices/1").text.contains("Bankrupt")
                && browser.get("/invoices/1").text.contains("Written off")
        );
        let page = browser.get("/invoices/1");
        location(&browser.submit(
            &page,
            "/invoices/1/payments",
            &[("date", "2026-03-15"), ("amount", "1000"), ("method", "bank")],
        ));
        assert_eq!(state(), [1000.0, 0.0, 0.0, 2026.21]);
        let page = browser.get("/invoices/1");
        assert_eq!(browser.submit(&page, "/invoices/1/write-off/1/undo", &[]).status, 422);
        location(&browser.submit(&page, "/invoices/1/payments/3/undo", &[]));
        assert_eq!(
            location(&browser.submit(&page, "/invoices/1/write-off/1/undo", &[])),
            "/invoices/1?done=write-off-undone"
        );
        assert_eq!(state(), [0.0, 3026.21, 0.0, 0.0]);
        let draft = [&WORK[..6], &[("action", "draft")]].concat();
        location(&create(&browser, &draft));
        let page = browser.get("/invoices/2");
        assert_eq!(
            location(&browser.submit(&page, "/invoices/2/cancel", &[])),
            "/invoices/2?done=invoice-cancelled"
        );
        assert_eq!(by_api(&server, &key, "/invoices/2")["status"], "cancelled");
        let page = browser.get("/invoices/2");
        assert!(
            page.text.contains("Withdrawn") && !page.text.contains("/invoices/2/edit"),
            "{}",
            page.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_form_keeps_supply_prices_and_prepayments(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let advance = [&WORK[..6], &[("prepayment", "true"), ("action", "sent")]].concat();
        location(&create(&browser, &advance));
        assert_eq!(by_api(&server, &key, "/invoices/1")["prepayment"], true);
        let page = browser.get("/invoices/new?contactId=1");
        assert!(page.text.contains("name=\"prepaymentInvoiceIds.0\""), "{}", page.text);
        let last = [
            ("customer.contactId", "1"),
            ("items.0.description", "Goods"),
            ("items.0.unitPrice", "9680"),
            ("items.0.vatRate", "21"),
            ("items.0.supply", "goods"),
            ("pricesIncludeVat", "true"),
            ("prepaymentInvoiceIds.0", "1"),
            ("action", "draft"),
        ];
        location(&browser.submit(&page, "/invoices", &last));
        let draft = by_api(&server, &key, "/invoices/2");
        assert_eq!(
            (&draft["total"], &draft["prepaymentInvoiceIds"]),
            (&json!(6653.79), &json!([1]))
        );
        let form = browser.get("/invoices/2/edit");
        assert_eq!(value_of(&form, "items.0.unitPrice").as_deref(), Some("9680"));
        let same: Vec<(&str, &str)> = last
            .into_iter()
            .filter(|(name, _)| *name != "action")
            .chain([("action", "sent")])
            .collect();
        location(&browser.submit(&form, "/invoices/2", &same));
        let sent = by_api(&server, &key, "/invoices/2");
        for field in ["items", "vat", "total", "pricesIncludeVat", "prepaymentInvoiceIds"] {
            assert_eq!(sent[field], draft[field], "{field}");
        }
        assert_eq!(sent["items"][0]["supply"], "goods");
        let page = browser.get("/payouts");
        let paid_out = [
            ("date", "2026-03-14"),
            ("amount", "118,50"),
            ("fee", "2,50"),
            ("feeVatTreatment", "normal"),
            ("provider", "Mollie"),
        ];
        assert_eq!(
            location(&browser.submit(&page, "/payouts", &paid_out)),
            "/payouts?done=payout-recorded"
        );
        let page = browser.get("/payouts");
        assert!(page.text.contains("Mollie"));
        let in_side_bar = "<a href=\"/invoices\" aria-current=\"true\"";
        assert!(page.text.contains(in_side_bar), "{}", page.text);
        assert_eq!(
            location(&browser.submit(&page, "/payouts/1/undo", &[])),
            "/payouts?done=payout-undone"
        );
        let page = browser.get("/payouts");
        let refused = browser.submit(&page, "/payouts", &[("date", ""), ("amount", "x")]);
        assert!(
            refused.status == 422 && fault_of(&refused, "amount").is_some(),
            "{}",
            refused.text
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn filed_quarters_are_shown(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let body = json!({"status": "sent", "invoiceDate": "2026-05-05", "customer": {"name": "X"}, "items": [{"description": "Work", "unitPrice": 10, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &body).status, 201);
        let (cx, now) = (server.owner(EMAIL), "2026-12-01T10:00:00Z".parse().unwrap());
        server.write(move |tx| vat_filings::file(tx, &cx.at(now), Quarter::new(2026, 2).unwrap().into()));
        let refused = create(&browser, &[&WORK[..], &[("invoiceDate", "2026-06-01")]].concat());
        assert_eq!(refused.status, 409);
        assert!(
            refused.text.contains("role=\"alert\"") && refused.text.contains("2026"),
            "{}",
            refused.text
        );
        assert_eq!(value_of(&refused, "items.0.unitPrice").as_deref(), Some("€ 1.250,50"));
    }
}

#[test]
fn users_cannot_see_invoices_of_other_accounts() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    for path in
        ["/invoices/1", "/invoices/1/edit", "/invoices/1/credit", "/invoices/0", "/invoices/x"]
    {
        assert_eq!(browser.get(path).status, 404, "{path}");
    }
    let stranger = visit(&server);
    assert_eq!(stranger.get("/invoices").header("location"), Some("/login?next=%2Finvoices"));
}

/// The session ends while the form is filled in: signing in restores the input, ready to submit.
#[test]
fn input_survives_the_end_of_the_session() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let form = browser.get("/invoices/new");
    let other_browser = browser.clone();
    let page = other_browser.get("/settings");
    other_browser.submit(&page, "/logout", &[]);
    let again = browser.submit(&form, "/invoices", &WORK);
    assert!(
        again.status == 401 && again.text.contains("name=\"kept\""),
        "{} {}",
        again.status,
        again.text
    );
    let wrong = browser.submit(&again, "/login", &[("email", EMAIL), ("password", "not this one")]);
    assert!(wrong.status == 422 && wrong.text.contains("name=\"kept\""), "{}", wrong.text);
    let back = browser.submit(&wrong, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
    let restored = browser.follow(&back);
    assert_eq!(
        (restored.status, value_of(&restored, "items.0.unitPrice").as_deref()),
        (200, Some("€ 1.250,50"))
    );
    let response = browser.submit(&restored, "/invoices", &[("action", "sent")]);
    assert_eq!(location(&response), "/invoices/1?done=invoice-sent");
    assert!(browser.follow(&response).text.contains("Museum De Pier"));
    // A form without input is not kept.
    let other_browser = browser.clone();
    let (settings, page) = (other_browser.get("/settings"), browser.get("/invoices/1"));
    other_browser.submit(&settings, "/logout", &[]);
    assert_eq!(
        browser.submit(&page, "/invoices/1/copy", &[]).header("location"),
        Some("/login?next=%2Finvoices%2F1%2Fcopy")
    );
}

/// Ids count from 1 in each account, so a form kept for one account must not run in another.
#[test]
fn a_kept_form_is_offered_to_no_other_account() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    open(&server, "bert@example.com");
    let form = browser.get("/invoices/new");
    let other_browser = browser.clone();
    let page = other_browser.get("/settings");
    other_browser.submit(&page, "/logout", &[]);
    let again = browser.submit(&form, "/invoices", &WORK);
    assert_eq!(again.status, 401);
    let other =
        browser.submit(&again, "/login", &[("email", "bert@example.com"), ("password", PASSWORD)]);
    assert_eq!(
        (other.status, other.text.contains("Museum De Pier")),
        (303, false),
        "{}",
        other.text
    );
    assert!(browser.get("/invoices").text.contains("href=\"/invoices/new\""));
}

/// `2.500` is two and a half thousand in Dutch and two and a half in English: the language of the
/// form decides, not that of the response.
#[test]
fn a_number_is_read_in_the_language_of_its_form() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server).speaking("nl");
    let key = server.key(EMAIL, true, true);
    let form = browser.get("/invoices/new");
    assert_eq!(value_of(&form, "formLanguage").as_deref(), Some("nl"));
    let typed = [&WORK[..3], &[("items.0.unitPrice", "2.500"), ("items.0.vatRate", "21")]].concat();
    let browser = browser.speaking("en");
    // After a rejection for another reason, the form keeps its language and its input.
    let refused = browser.submit(
        &form,
        "/invoices",
        &[&typed[..], &[("invoiceDate", "soon"), ("action", "sent")]].concat(),
    );
    assert_eq!((refused.status, value_of(&refused, "formLanguage").as_deref()), (422, Some("nl")));
    let response =
        browser.submit(&refused, "/invoices", &[("invoiceDate", "2026-03-15"), ("action", "sent")]);
    assert_eq!(by_api(&server, &key, &location(&response))["subtotal"], json!(5000.0));
}
