//! Misuse: resubmissions, ids of other accounts, script injection, disguised files, very long
//! forms.

use crate::{
    help::{EMAIL, PASSWORD, fault_of, signed_in, value_of},
    interface::routes,
    sales::documents::PICTURE,
};
use serde_json::{Value, json};
use store::accounts::Plan;
use testing::{
    Reply, Server, Visitor, on_both_engines,
    page::form_to,
    year::{self, Step, fields, steps},
};
use web::pages::Route;

/// Owner of another account, with records of every kind.
const BRAM: &str = "bram@example.com";

/// Creates another account with a year of books; returns its key.
fn another_account(server: &Server) -> String {
    server.account_of(BRAM, "NL", Plan::Pro);
    let key = server.key(BRAM, true, true);
    year::live(server, &key);
    let file = [("x-api-key", key.as_str()), ("content-type", "application/pdf")];
    assert_eq!(server.send("POST", "/api/v1/receipts", &file, Some(b"%PDF-1.7 a")).status, 201);
    let prepaid = json!({"status": "sent", "prepayment": true, "customer": {"contactId": 1},
        "items": [{"description": "Advance", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &prepaid).status, 201);
    key
}

/// Number of entries of an account, and the summary of the year.
fn booked(server: &Server, key: &str) -> (usize, Value) {
    let entries = server.get(key, "/api/v1/entries?year=2026&limit=500").json()["data"]
        .as_array()
        .unwrap()
        .len();
    (entries, server.get(key, "/api/v1/summary/2026").json())
}

/// CSRF token of a browser's session.
fn csrf(browser: &Visitor) -> String {
    value_of(&browser.get("/settings"), "csrf").unwrap()
}

on_both_engines! {
    /// A form submitted again by a double click, Back or a reload does not run again, but redirects
    /// to the result of the first submission.
    fn every_form_submitted_twice_runs_once(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        for Step { page, form, said, .. } in steps() {
            let view = browser.get(page);
            let filled = fields(&said);
            let filled: Vec<(&str, &str)> =
                filled.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let first = browser.submit(&view, form, &filled);
            let after = booked(&server, &key);
            let second = browser.submit(&view, form, &filled);
            assert_eq!((first.status, second.status), (303, 303), "{form}: {}", second.text);
            assert_eq!(first.header("location"), second.header("location"), "{form}");
            assert_eq!(booked(&server, &key), after, "{form}");
        }
        for list in ["contacts", "projects", "time-entries", "hours-log"] {
            assert_eq!(
                server.get(&key, &format!("/api/v1/{list}")).json()["data"]
                    .as_array()
                    .unwrap()
                    .len(),
                if list == "contacts" { 2 } else { 1 },
                "{list}"
            );
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Ids count from 1 in each account, so the id of another account's record must not give access
    /// to that record.
    fn records_of_another_account_are_not_found(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = another_account(&server);
        let before = booked(&server, &key);
        let csrf = csrf(&browser);
        let mut visited = 0;
        for Route { path, methods, .. } in routes::all() {
            if !path.contains("{id}") {
                continue;
            }
            // All books have the bank accounts 1 to 5; the sixth is only in the other account.
            let ids = if path.starts_with("/bank-accounts") {
                ["6", "7", "8"]
            } else {
                ["1", "2", "5"]
            };
            for id in ids {
                let path = ["{id}", "{n}", "{payment}", "{repayment}"]
                    .iter()
                    .fold(path.clone(), |path, name| path.replace(name, id));
                for &method in &methods {
                    let answer = match method {
                        "get" => browser.get(&path),
                        _ => browser.post(
                            &path,
                            &[("csrf", &csrf), ("date", "2026-03-10"), ("amount", "1")],
                        ),
                    };
                    assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text);
                    visited += 1;
                }
            }
        }
        assert!(visited > 150, "{visited}");
        assert_eq!(booked(&server, &key), before);
        for email in [EMAIL, BRAM] {
            assert_eq!(server.discrepancies(email), Vec::<String>::new());
        }
    }

    /// Ids of another account are rejected in every field of a form, too.
    fn no_form_accepts_an_id_of_another_account(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (mine, key) = (server.key(EMAIL, true, true), another_account(&server));
        let before = booked(&server, &key);
        let line = [
            ("items.0.description", "Work"),
            ("items.0.unitPrice", "10"),
            ("items.0.vatRate", "21"),
            ("action", "sent"),
        ];
        let bought = [
            ("date", "2026-02-10"),
            ("supplier", "X"),
            ("items.0.category", "4100"),
            ("items.0.amount", "10"),
            ("items.0.vatRate", "21"),
        ];
        let hours = [("date", "2026-03-02"), ("hours", "1"), ("description", "Work")];
        let csrf = csrf(&browser);
        let cases: Vec<(&str, Vec<(&str, &str)>)> = vec![
            ("/invoices", [&line[..], &[("customer.contactId", "1")]].concat()),
            (
                "/invoices",
                [&line[..], &[("customer.name", "X"), ("prepaymentInvoiceIds.0", "4")]].concat(),
            ),
            ("/expenses", [&bought[..], &[("contactId", "1")]].concat()),
            ("/expenses", [&bought[..], &[("receiptIds", "1")]].concat()),
            ("/projects", vec![("name", "X"), ("contactId", "1")]),
            (
                "/mileage",
                vec![
                    ("date", "2026-02-10"),
                    ("from", "A"),
                    ("to", "B"),
                    ("km", "10"),
                    ("projectId", "1"),
                ],
            ),
            ("/hours/entries", [&hours[..], &[("projectId", "1")]].concat()),
            ("/hours/timer/start", vec![("projectId", "1"), ("description", "Work")]),
        ];
        for (form, filled) in cases {
            let answer = browser.post(form, &[&filled[..], &[("csrf", csrf.as_str())]].concat());
            assert!(
                matches!(answer.status, 404 | 422),
                "{form} {filled:?}: {} {}",
                answer.status,
                answer.text
            );
            assert!(
                !answer.text.contains("De Pier") && !answer.text.contains("Year book"),
                "{form} {filled:?}: {}",
                answer.text
            );
        }
        // A row of a week with the project of another account.
        let week = browser.get("/hours?week=2026-W10");
        let answer = browser.submit(
            &week,
            "/hours/week",
            &[
                ("rows.0.projectId", "1"),
                ("rows.0.category", ""),
                ("rows.0.monday", "2"),
                ("action", "save"),
            ],
        );
        assert_ne!(answer.status, 500, "{}", answer.text);
        assert_eq!(server.get(&mine, "/api/v1/time-entries").json()["data"], json!([]));
        // A merge into a contact of another account.
        assert_eq!(server.post(&mine, "/api/v1/contacts", &json!({"name": "Mine"})).status, 201);
        let merged = browser.post("/contacts/1/merge", &[("csrf", &csrf), ("into", "2")]);
        assert!(
            merged.status == 422 && merged.text.contains("href=\"#into\""),
            "{} {}",
            merged.status,
            merged.text
        );
        assert_eq!(booked(&server, &mine).0, 0);
        assert_eq!(booked(&server, &key), before);
    }

    /// 500 lines are accepted, the 501st is reported as a fault; no input is lost, even if the
    /// session ends.
    fn an_invoice_has_up_to_five_hundred_lines_which_survive_the_session(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let lines = |count: usize| -> Vec<(String, String)> {
            let line = |number: usize| {
                [
                    (
                        "description",
                        format!(
                            "Visit {number}: what was looked at, talked about and written down"
                        ),
                    ),
                    ("unitPrice", format!("1{number}.25")),
                    ("vatRate", "21".into()),
                ]
                .map(|(name, value)| (format!("items.{number}.{name}"), value))
            };
            (0..count).flat_map(line).collect()
        };
        let form = browser.get("/invoices/new");
        let send = |browser: &Visitor, count: usize, action: &str| {
            let lines = lines(count);
            let mut filled: Vec<(&str, &str)> =
                lines.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            filled.extend([("customer.name", "Museum De Pier"), ("action", action)]);
            browser.submit(&form, "/invoices", &filled)
        };
        let reckoned = send(&browser, 500, "calculate");
        assert_eq!((reckoned.status, reckoned.text.matches("class=\"line\"").count()), (200, 500));
        // Each line adds only its fields, their values and its total to the page.
        assert!(reckoned.text.len() < 500 * 840 + 40_000, "{} bytes", reckoned.text.len());
        // Scripts request only the totals during input.
        let typed = lines(500);
        let mut live: Vec<(&str, &str)> =
            typed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        live.extend([
            ("customer.name", "Museum De Pier"),
            ("action", "calculate"),
            ("live", "true"),
        ]);
        let live = browser.submit(&form, "/invoices", &live);
        assert_eq!(
            (
                live.status,
                live.text.matches("class=\"line-sum\"><data").count(),
                live.text.matches("<select name=\"items").count()
            ),
            (200, 500, 0)
        );
        assert!(live.text.len() < 120_000, "{} bytes", live.text.len());
        let refused = send(&browser, 501, "sent");
        assert_eq!(
            (refused.status, value_of(&refused, "items.499.unitPrice").as_deref()),
            (422, Some("1499.25"))
        );
        assert!(refused.text.contains("href=\"#items\""), "501 lines");
        let other_browser = browser.clone();
        let page = other_browser.get("/settings");
        other_browser.submit(&page, "/logout", &[]);
        let again = send(&browser, 500, "sent");
        assert_eq!(again.status, 401);
        let back = browser.submit(&again, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
        let restored = browser.follow(&back);
        assert_eq!(
            (restored.status, value_of(&restored, "items.499.unitPrice").as_deref()),
            (200, Some("1499.25"))
        );
        let response = browser.submit(&restored, "/invoices", &[("action", "sent")]);
        assert_eq!(
            response.header("location"),
            Some("/invoices/1?done=invoice-sent"),
            "{}",
            response.text
        );
        let invoice = server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!(invoice["items"].as_array().unwrap().len(), 500);
        let view = browser.get("/invoices/1");
        assert_eq!(view.status, 200);
        assert!(view.text.len() < 120_000, "{} bytes", view.text.len());
        assert!(
            view.text.contains("Visit 199:")
                && !view.text.contains("Visit 200:")
                && view.text.contains("1 – 200 of 500")
        );
        let last = browser.get("/invoices/1?page=3");
        assert!(
            last.text.contains("Visit 499:")
                && last.text.contains("href=\"/invoices/1?page=2\"")
                && !last.text.contains("rel=\"next\"")
        );
        assert_eq!(browser.get("/invoices/1/pdf").status, 200);
        // The credit form has one field for each line, with its description, price and remainder.
        let credit = browser.get("/invoices/1/credit");
        assert_eq!(value_of(&credit, "items.499.quantity").as_deref(), Some("1"));
        assert!(credit.text.len() < 120_000 + 500 * 40, "{} bytes", credit.text.len());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_name_is_text_whatever_it_contains(engine) {
        for name in NAMES {
            let server = Server::start(engine);
            let browser = signed_in(&server);
            let browser = browser.speaking("nl");
            let page = browser.get("/settings");
            assert_eq!(
                browser
                    .submit(
                        &page,
                        "/settings",
                        &[("name", name), ("address.street", name), ("address.city", name)]
                    )
                    .status,
                303
            );
            for Step { page, form, said, .. } in steps() {
                let filled = fields(&said);
                let is_free = |field: &str| {
                    let last = field.rsplit('.').next().unwrap_or(field);
                    let free = [
                        "name",
                        "description",
                        "supplier",
                        "reference",
                        "notes",
                        "provider",
                        "reason",
                        "purpose",
                        "from",
                        "to",
                        "street",
                        "city",
                    ];
                    // In transfers, `from` and `to` are account numbers rather than free text.
                    free.contains(&last) && !form.starts_with("/transfers")
                };
                let filled: Vec<(&str, &str)> = filled
                    .iter()
                    .map(|(field, text)| {
                        (field.as_str(), if is_free(field) { name } else { text.as_str() })
                    })
                    .collect();
                let view = browser.get(page);
                let sent = browser.submit(&view, form, &filled);
                assert_eq!(sent.status, 303, "{form} {filled:?}: {}", sent.text);
            }
            let own = [
                "/invoices/1",
                "/invoices/1/edit",
                "/invoices/2/edit",
                "/invoices/1/credit",
                "/invoices/1/send",
                "/contacts/1",
                "/contacts/1/edit",
                "/expenses/1",
                "/expenses/1/edit",
                "/assets/1",
                "/projects/1",
                "/projects/1/edit",
                "/journal/1",
                "/journal/accounts/8000",
                "/transfers/1",
                "/loans/4",
                "/vat/2026/1?box=1a",
                "/hours?week=2026-W10",
                "/hours/entries/1",
                "/hours/log/1",
                "/search?q=%3Cscript%3E",
            ];
            for path in super::headers::inside().iter().map(String::as_str).chain(own) {
                let page = browser.get(path);
                // The books have no logo, so its path is not found.
                let is_missing = page.status == 404 && path == "/settings/invoices/logo";
                assert!(is_missing || matches!(page.status, 200 | 303), "{path}: {}", page.status);
                for bad in ["<script>alert", "<img src=x", "amp; 49"] {
                    assert!(!page.text.contains(bad), "{path} has {bad}: {}", page.text);
                }
            }
            // The name is shown in an element that isolates its text direction.
            let view = testing::page::unescaped(&browser.get("/contacts").text);
            assert!(view.contains(&format!("<bdi>{name}</bdi>")), "{view}");
            let pdf = browser.get("/invoices/1/pdf");
            assert!(matches!(pdf.status, 200 | 409 | 422), "{} {}", pdf.status, pdf.text);
            assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
        }
    }

    fn the_type_of_a_file_is_detected_from_its_bytes(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/receipts");
        let html = b"<!doctype html><script>alert(1)</script>".to_vec();
        let zip = b"PK\x03\x04\x14\0\0\0\x08\0bomb".to_vec();
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec();
        let half = PICTURE[..PICTURE.len() / 2].to_vec();
        // File name, contents, and expected fault.
        let cases: Vec<(&str, Vec<u8>, &str)> = vec![
            ("receipt.png", html, "none of these"),
            ("receipt.pdf", zip, "none of these"),
            ("receipt.jpg", svg, "none of these"),
            ("receipt.png", b"GIF89a\x01\0\x01\0".to_vec(), "none of these"),
            ("receipt.png", half, "damaged"),
            ("receipt.png", bomb(60_000), "million pixels"),
            ("receipt.png", bomb(16_000), "million pixels"),
            // An acceptable number of pixels, but no image data.
            ("receipt.png", bomb(7_000), "damaged"),
        ];
        for (name, bytes, says) in cases {
            let answer = browser.submit_with_file(&page, "/receipts", &[], ("file", name, &bytes));
            let fault = fault_of(&answer, "file");
            assert!(
                answer.status == 422 && fault.as_ref().is_some_and(|fault| fault.contains(says)),
                "{name} {says}: {fault:?}"
            );
        }
        // An image with another extension is stored as an image, under a name of ours, never as a
        // page.
        let name = "../../<script>alert(1)</script>.html";
        assert_eq!(
            browser.submit_with_file(&page, "/receipts", &[], ("file", name, PICTURE)).status,
            303
        );
        let list = browser.get("/receipts");
        assert!(
            !list.text.contains("<script>alert") && !list.text.contains("../"),
            "{}",
            list.text
        );
        let file = browser.get("/receipts/1/file");
        assert_eq!(
            (file.header("content-type"), file.header("x-content-type-options")),
            (Some("image/png"), Some("nosniff"))
        );
        assert_eq!(file.header("content-disposition"), Some("inline; filename=\"receipt-1.png\""));
        // Compressed request bodies, such as decompression bombs, are rejected.
        let csrf = form_to(&page.text, "/receipts").value("csrf").to_owned();
        let packed = [
            ("content-encoding", "gzip"),
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
        ];
        let answer =
            browser.send("POST", "/receipts", &packed, Some(format!("csrf={csrf}").as_bytes()));
        assert!(matches!(answer.status, 400..=422), "{}", answer.status);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Invalid and unknown ids in every path.
    fn an_address_with_an_invalid_id_is_not_found(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let csrf = csrf(&browser);
        let tried = |path: &str, answer: &Reply| {
            assert!(
                matches!(answer.status, 303 | 404 | 405),
                "{path}: {} {}",
                answer.status,
                answer.text
            );
        };
        for Route { path, methods, .. } in routes::all() {
            let Some(start) = path.find('{') else { continue };
            for nonsense in [
                "0",
                "-1",
                "1e3",
                "%00",
                "%27",
                "9223372036854775808",
                "99999999999999999999999999",
                "%D9%A1",
                "null",
            ] {
                let end = path.rfind('}').unwrap() + 1;
                let filled = format!("{}{nonsense}{}", &path[..start], &path[end..]);
                if methods.contains(&"get") {
                    tried(&filled, &browser.get(&filled));
                }
                if methods.contains(&"post") {
                    tried(&filled, &browser.post(&filled, &[("csrf", &csrf)]));
                }
            }
        }
    }
}

/// Unusual names: Arabic with a mark that changes the direction of text, a script, and markup.
const NAMES: [&str; 3] = [
    "متحف الرصيف \u{200f}",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>' &amp; {{7*7}}",
];

/// PNG of a few bytes whose header claims `side` pixels on each side.
fn bomb(side: u32) -> Vec<u8> {
    let mut bytes = PICTURE.to_vec();
    let head = 12..33;
    bytes[16..20].copy_from_slice(&side.to_be_bytes());
    bytes[20..24].copy_from_slice(&side.to_be_bytes());
    let sum = checksum(&bytes[head.start..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

/// CRC of a PNG chunk (ISO/IEC 15948, annex D).
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 }
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}
