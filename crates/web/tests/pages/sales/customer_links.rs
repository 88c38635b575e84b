//! The page on which a customer reads an invoice, and its link on the owner's page.

use crate::help::{EMAIL, signed_in, visit};
use serde_json::{Value, json};
use std::num::NonZeroU32;
use testing::{Reply, Server, Visitor, on_both_engines};
use web::RateLimit;

/// Creates an invoice of € 121.00, and returns its id and the path of its customer's page.
fn sent(server: &Server, key: &str, extra: &Value) -> (i64, String) {
    let mut body = json!({"status": "sent", "invoiceDate": "2026-03-10", "dueDate": "2026-03-24",
        "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Route through the rooms", "unitPrice": 100, "vatRate": 21}]});
    for (name, value) in extra.as_object().unwrap() {
        body[name] = value.clone();
    }
    let reply = server.post(key, "/api/v1/invoices", &body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    (reply.json()["id"].as_i64().unwrap(), path(server, &reply.json()["publicUrl"]))
}

fn path(server: &Server, url: &Value) -> String {
    url.as_str().unwrap().strip_prefix(&format!("http://{}", server.address)).unwrap().to_owned()
}

fn get(server: &Server, path: &str) -> Reply {
    server.send("GET", path, &[("accept-language", "en")], None)
}

/// Number of openings that the owner sees.
fn openings(server: &Server, key: &str) -> i64 {
    server.get(key, "/api/v1/invoices/1/link").json()["openCount"].as_i64().unwrap()
}

/// Saves the details of a company that can send e-invoices.
fn complete(browser: &Visitor) {
    let company = [
        ("name", "Anna Ontwerp"),
        ("kvkNumber", "12345678"),
        ("vatNumber", "NL000099998B57"),
        ("address.street", "Herengracht 12"),
        ("address.postalCode", "1015 BK"),
        ("address.city", "Amsterdam"),
        ("iban", "NL91ABNA0417164300"),
    ];
    let saved = browser.submit(&browser.get("/settings"), "/settings", &company);
    assert_eq!(saved.status, 303, "{}", saved.text);
}

on_both_engines! {
    fn a_customer_reads_an_invoice_and_downloads_it_without_cookie_or_script(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        complete(&browser);
        let key = server.key(EMAIL, true, true);
        let (_, path) = sent(&server, &key, &json!({}));
        let page = get(&server, &path);
        assert_eq!(page.status, 200, "{}", page.text);
        let pdf = get(&server, &format!("{path}/pdf"));
        assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
        let ubl = get(&server, &format!("{path}/ubl"));
        assert_eq!((ubl.status, ubl.header("content-type")), (200, Some("application/xml")));
        for reply in [&page, &pdf, &ubl] {
            for (name, value) in [
                ("cache-control", "no-store"),
                ("referrer-policy", "no-referrer"),
                ("x-robots-tag", "noindex"),
                ("set-cookie", ""),
            ] {
                assert_eq!(reply.header(name).unwrap_or_default(), value, "{name}");
            }
        }
        // The files are those that the owner has.
        assert_eq!(pdf.text, server.get(&key, "/api/v1/invoices/1/pdf").text);
        assert_eq!(ubl.text, server.get(&key, "/api/v1/invoices/1/ubl").text);
        assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
        assert!(!page.text.contains("<script"), "{}", page.text);
        // In the customer's language, which is the account's here.
        for part in [
            "lang=\"nl\"", "Factuur 2026-0001", "Te betalen", "121,00", "24 maart 2026",
            "NL91 ABNA 0417 1643 00", "Anna Ontwerp", "Route through the rooms", "<svg", "Verstuurd",
        ] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        let english = json!({"language": "en"});
        let (_, path) = sent(&server, &key, &english);
        let page = get(&server, &path);
        assert!(page.text.contains("lang=\"en\"") && page.text.contains("Invoice 2026-0002"), "{}", page.text);
    }

    fn links_without_an_invoice_look_alike(engine) {
        let many = NonZeroU32::new(60_000).unwrap();
        let limit = RateLimit { per_minute: many, burst: many };
        let server = Server::start_with(engine, Some(limit));
        let key = server.account(EMAIL);
        let closed = server.account("bob@example.com");
        let (_, of_closed) = sent(&server, &closed, &json!({}));
        let person = server.person("bob@example.com");
        let env = server.env();
        server.write(move |tx| service::people::data::close(tx, &env, person));
        let (id, withdrawn) = sent(&server, &key, &json!({}));
        let link = format!("/api/v1/invoices/{id}/link");
        let renewed = server.post(&key, &link, &json!({})).json()["url"].clone();
        let renewed = path(&server, &renewed);
        assert_eq!(server.send("DELETE", &link, &[("x-api-key", &key)], None).status, 200);
        let quote = withdrawn.replace("/i/", "/q/");
        let unknown = format!("/i/{}", "a".repeat(22));
        let paths = [
            &of_closed, &withdrawn, &renewed, &quote, &unknown, "/i/short", "/i/short/pdf", "/i/short/ubl",
        ];
        let pages = paths.map(|path| get(&server, path));
        let headers = |page: &Reply| {
            let names = ["content-type", "content-length", "cache-control", "content-security-policy"];
            names.map(|name| page.header(name).map(str::to_owned))
        };
        for (path, page) in paths.iter().zip(&pages) {
            assert_eq!((page.status, &page.text), (404, &pages[0].text), "{path}");
            assert_eq!(headers(page), headers(&pages[0]), "{path}");
            assert_eq!(page.header("set-cookie"), None);
        }
        // Twenty misses a minute; then even a link that exists is refused. Hits do not count.
        let (_, open) = sent(&server, &key, &json!({}));
        for _ in 0..30 {
            assert_eq!(get(&server, &open).status, 200);
        }
        for _ in paths.len()..20 {
            assert_eq!(get(&server, &unknown).status, 404);
        }
        for path in [&open, &unknown] {
            let refused = get(&server, path);
            assert_eq!((refused.status, refused.header("retry-after")), (429, Some("60")));
        }
        server.clock.set("2026-03-15T11:02:00Z");
        assert_eq!(get(&server, &open).status, 200);
    }

    fn without_a_rate_limit_misses_are_not_counted(engine) {
        let server = Server::start(engine);
        for _ in 0..30 {
            assert_eq!(get(&server, &format!("/i/{}", "a".repeat(22))).status, 404);
        }
    }

    fn the_page_shows_what_was_paid_and_credited_and_what_is_left(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let (_, invoice) = sent(&server, &key, &json!({"language": "en"}));
        let due = |amount: &str| {
            let page = get(&server, &invoice);
            let due = page.text.split("data-testid=\"amount-due\">").nth(1);
            let due = due.map(|rest| rest.split("</dd>").next().unwrap().to_owned());
            assert!(due.as_ref().is_some_and(|due| due.contains(amount)), "{amount}: {due:?}");
            page.text
        };
        assert!(due("121.00").contains("To be paid"));
        let paid = json!({"date": "2026-03-12", "amount": 21, "reference": "private words"});
        let paid = server.post(&key, "/api/v1/invoices/1/payments", &paid);
        assert_eq!(paid.status, 201, "{}", paid.text);
        let page = due("100.00");
        assert!(page.contains("Partly paid") && page.contains("12 March 2026"), "{page}");
        assert!(!page.contains("private words"), "{page}");
        let items = json!({"items": [{"description": "Less", "unitPrice": 50, "vatRate": 21}]});
        let note = server.post(&key, "/api/v1/invoices/1/credit-notes", &items);
        assert_eq!(note.status, 201, "{}", note.text);
        let credit_url = note.json()["publicUrl"].as_str().unwrap().to_owned();
        let page = due("39.50");
        assert!(page.contains(&credit_url) && page.contains("60.50"), "{page}");
        // The credit note has a page too, on which nothing is to be paid.
        let credit = get(&server, &path(&server, &json!(credit_url)));
        assert_eq!(credit.status, 200, "{}", credit.text);
        assert!(credit.text.contains("2026-0001") && !credit.text.contains("data-testid=\"pay\""), "{}", credit.text);
        server.clock.set("2026-03-25T11:00:00Z");
        assert!(due("39.50").contains("Payment term passed"));
        let rest = json!({"date": "2026-03-25", "amount": 39.50});
        assert_eq!(server.post(&key, "/api/v1/invoices/1/payments", &rest).status, 201);
        let page = get(&server, &invoice).text;
        assert!(page.contains(">Paid<") && !page.contains("data-testid=\"pay\""), "{page}");
        // What is credited after the payment comes back.
        assert_eq!(server.post(&key, "/api/v1/invoices/1/credit-notes", &json!({})).status, 201);
        let page = get(&server, &invoice).text;
        assert!(page.contains("data-testid=\"refund\"") && page.contains("60.50"), "{page}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn texts_of_owner_and_customer_are_printed_as_text(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let html = "<img src=x onerror=alert(1)>\"'&{link}";
        let extra = json!({
            "customer": {"name": html, "address": {"street": html, "city": html}},
            "items": [{"description": html, "unitPrice": 100, "vatRate": 21}],
            "reference": html, "notes": html, "orderNumber": html, "buyerReference": html,
        });
        let (_, path) = sent(&server, &key, &extra);
        let page = get(&server, &path);
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(!page.text.contains("<img") && !page.text.contains("{{"), "{}", page.text);
        assert!(page.text.contains("&#60;img") || page.text.contains("&lt;img"), "{}", page.text);
        assert!(page.text.contains("{link}"), "braces of values are not read again");
    }

    fn an_invoice_of_a_test_account_is_marked(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        complete(&browser);
        let test = server.test_key(EMAIL);
        let (_, path) = sent(&server, &test, &json!({}));
        let page = get(&server, &path);
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains("TEST") && !page.text.contains("class=\"qr\""), "{}", page.text);
        let key = server.key(EMAIL, true, true);
        let (_, path) = sent(&server, &key, &json!({}));
        assert!(!get(&server, &path).text.contains("TEST"));
    }

    fn only_a_person_other_than_the_owner_opens_a_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let (_, path) = sent(&server, &key, &json!({}));
        assert_eq!(browser.get(&path).status, 200);
        for (method, name, value) in [
            ("HEAD", "accept", "*/*"),
            ("GET", "sec-purpose", "prefetch;prerender"),
            ("GET", "purpose", "prefetch"),
            ("GET", "sec-fetch-mode", "no-cors"),
        ] {
            let reply = server.send(method, &path, &[(name, value)], None);
            assert_eq!(reply.status, 200, "{method} {name}");
        }
        for file in ["pdf", "ubl"] {
            get(&server, &format!("{path}/{file}"));
        }
        assert_eq!(openings(&server, &key), 0);
        assert!(browser.get("/invoices/1").text.contains("Not opened yet"));
        let headers = [("sec-fetch-mode", "navigate")];
        assert_eq!(server.send("GET", &path, &headers, None).status, 200);
        assert_eq!(get(&server, &path).status, 200);
        assert_eq!(openings(&server, &key), 2);
        let page = browser.get("/invoices/1").text;
        assert!(page.contains("Opened 2 times") && page.contains("15 Mar 2026"), "{page}");
    }

    fn the_owner_renews_and_withdraws_the_link_on_the_page(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let (_, first) = sent(&server, &key, &json!({}));
        let page = browser.get("/invoices/1");
        assert!(page.text.contains(&first), "{}", page.text);
        let press = |action: &str| {
            let page = browser.get("/invoices/1");
            browser.submit(&page, "/invoices/1/link", &[("action", action)])
        };
        let renewed = press("renew");
        assert_eq!((renewed.status, renewed.header("location")), (303, Some("/invoices/1?done=link-renewed")));
        let second = path(&server, &server.get(&key, "/api/v1/invoices/1").json()["publicUrl"]);
        assert_eq!((get(&server, &first).status, get(&server, &second).status), (404, 200));
        let withdrawn = press("withdraw");
        assert_eq!((withdrawn.status, withdrawn.header("location")), (303, Some("/invoices/1?done=link-withdrawn")));
        assert_eq!(get(&server, &second).status, 404);
        let page = browser.get("/invoices/1");
        assert!(!page.text.contains("/i/") && page.text.contains("no longer works"), "{}", page.text);
        // A draft has no link to renew, and a stranger signs in first.
        let draft = json!({"customer": {"name": "Pier"}, "items": [{"description": "Work", "unitPrice": 1, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &draft).status, 201);
        let page = browser.get("/invoices/2");
        assert!(!page.text.contains("/invoices/2/link"), "{}", page.text);
        assert_eq!(visit(&server).get("/invoices/1").status, 303);
    }
}
