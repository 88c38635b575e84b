//! Quotes: the owner's pages, and the page on which the customer decides.

use crate::help::{EMAIL, encoded, mails, signed_in, value_of, visit};
use serde_json::{Value, json};
use std::num::NonZeroU32;
use testing::{Reply, Server, Visitor, on_both_engines};
use web::RateLimit;

const FIELDS: [(&str, &str); 9] = [
    ("customer.name", "Museum De Pier"),
    ("customer.country", "NL"),
    ("customer.email", "klant@example.com"),
    ("quoteDate", "2026-03-10"),
    ("validUntil", "2026-04-09"),
    ("items.0.description", "Route through the rooms"),
    ("items.0.quantity", "2"),
    ("items.0.unitPrice", "500"),
    ("items.0.vatRate", "21"),
];

/// Sends the form for a new quote with one of its buttons.
fn post(browser: &Visitor, action: &str) -> Reply {
    let mut fields = FIELDS.to_vec();
    fields.push(("action", action));
    browser.submit(&browser.get("/quotes/new"), "/quotes", &fields)
}

/// Sends a form of the page of quote 1.
fn act(browser: &Visitor, call: &str, fields: &[(&str, &str)]) -> Reply {
    browser.submit(&browser.get("/quotes/1"), &format!("/quotes/1/{call}"), fields)
}

/// A quote made and sent through the API; returns the path of its customer's page.
fn sent(server: &Server, key: &str, extra: &Value) -> String {
    let mut body = json!({"quoteDate": "2026-03-10", "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Route through the rooms", "unitPrice": 500, "vatRate": 21}]});
    for (name, value) in extra.as_object().unwrap() {
        body[name] = value.clone();
    }
    let reply = server.post(key, "/api/v1/quotes", &body);
    assert_eq!(reply.status, 201, "{}", reply.text);
    let path = format!("/api/v1/quotes/{}/mark-sent", reply.json()["id"]);
    let reply = server.post(key, &path, &json!({}));
    assert_eq!(reply.status, 200, "{}", reply.text);
    let url = reply.json()["publicUrl"].as_str().unwrap().to_owned();
    url.strip_prefix(&format!("http://{}", server.address)).unwrap().to_owned()
}

fn get(server: &Server, path: &str) -> Reply {
    server.send("GET", path, &[], None)
}

fn decide(server: &Server, path: &str, fields: &[(&str, &str)]) -> Reply {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    server.send("POST", path, &headers, Some(encoded(fields).as_bytes()))
}

on_both_engines! {
    fn a_quote_is_made_sent_decided_and_invoiced_on_its_pages(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert_eq!(browser.get("/quotes").status, 200);
        let form = browser.get("/quotes/new");
        assert_eq!((form.status, value_of(&form, "validUntil")), (200, Some("2026-04-14".to_owned())));
        let calculated = post(&browser, "calculate");
        assert_eq!(calculated.status, 200, "{}", calculated.text);
        assert!(calculated.text.contains("1,210.00"), "{}", calculated.text);
        let made = post(&browser, "draft");
        assert_eq!(
            (made.status, made.header("location")),
            (303, Some("/quotes/1?done=quote-created")),
            "{}",
            made.text
        );
        let page = browser.get("/quotes/1");
        assert!(page.text.contains("O-2026-0001"), "{}", page.text);
        for path in ["/quotes/1/edit", "/quotes/1/send", "/quotes/1/pdf"] {
            assert_eq!(browser.get(path).status, 200, "{path}");
        }
        assert_eq!(act(&browser, "mark-sent", &[]).status, 303);
        assert!(browser.get("/quotes/1").text.contains("/q/"));
        assert_eq!(act(&browser, "accept", &[("name", "Anna")]).status, 303);
        let made = act(&browser, "invoice", &[("kind", "whole"), ("status", "draft")]);
        assert_eq!(made.status, 303, "{}", made.text);
        assert_eq!(server.get(&key, "/api/v1/quotes/1").json()["status"], "invoiced");
        for (tab, shown) in [("", true), ("?state=invoiced", true), ("?state=draft", false), ("?q=pier", true), ("?q=nobody", false)] {
            let page = browser.get(&format!("/quotes{tab}"));
            assert_eq!((page.status, page.text.contains("O-2026-0001")), (200, shown), "{tab}");
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_customer_reads_and_accepts_without_cookie_or_script(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let path = sent(&server, &key, &json!({"onAccept": "draft"}));
        let page = get(&server, &path);
        assert_eq!(page.status, 200, "{}", page.text);
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex"),
            ("set-cookie", ""),
        ] {
            assert_eq!(page.header(name).unwrap_or_default(), value, "{name}");
        }
        assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
        assert!(!page.text.contains("<script"), "{}", page.text);
        assert!(page.text.contains("Route through the rooms"), "{}", page.text);
        let seen = value_of(&page, "seen").unwrap();
        let pdf = get(&server, &format!("{path}/pdf"));
        assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
        // A name is needed, and the document that was shown.
        let fields = |name, seen| [("action", "accept"), ("name", name), ("note", "Go"), ("seen", seen)];
        assert_eq!(decide(&server, &path, &fields("", &seen)).status, 422);
        let other = "0".repeat(64);
        assert_eq!(decide(&server, &path, &fields("Anna", &other)).status, 409);
        assert_eq!(server.get(&key, "/api/v1/quotes/1").json()["status"], "sent");
        let accepted = decide(&server, &path, &fields("Anna de Bakker", &seen));
        assert_eq!((accepted.status, accepted.header("location")), (303, Some(&*path)));
        let quote = server.get(&key, "/api/v1/quotes/1").json();
        assert_eq!(
            (&quote["decision"]["by"], &quote["decision"]["name"], &quote["decision"]["note"]),
            (&json!("customer"), &json!("Anna de Bakker"), &json!("Go"))
        );
        assert_eq!(quote["invoiceIds"], json!([1]), "{quote}");
        // The decision is final for the customer, and the owner gets an email.
        assert_eq!(decide(&server, &path, &fields("Anna", &seen)).status, 409);
        assert!(get(&server, &path).text.contains("Anna de Bakker"));
        let mailed = mails(&server, EMAIL, 1);
        assert!(mailed[0].subject.contains("O-2026-0001"), "{}", mailed[0].subject);
        assert!(browser.get("/").text.contains("/quotes"), "the overview names it");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn links_without_a_quote_look_alike(engine) {
        let many = NonZeroU32::new(60_000).unwrap();
        let limit = RateLimit { per_minute: many, burst: many };
        let server = Server::start_with(engine, Some(limit));
        let key = server.account(EMAIL);
        let withdrawn = sent(&server, &key, &json!({}));
        let link = "/api/v1/quotes/1/link";
        assert_eq!(server.send("DELETE", link, &[("x-api-key", &key)], None).status, 200);
        let unknown = format!("/q/{}", "a".repeat(22));
        let pages = [&withdrawn, &unknown, "/q/short", "/q/short/pdf"].map(|path| get(&server, path));
        for page in &pages {
            assert_eq!((page.status, &page.text), (404, &pages[0].text));
            assert_eq!(page.header("set-cookie"), None);
            assert_eq!(page.header("cache-control"), Some("no-store"));
        }
        // Twenty misses a minute; then even a link that exists is refused.
        let open = sent(&server, &key, &json!({}));
        for _ in 4..20 {
            assert_eq!(get(&server, &unknown).status, 404);
        }
        assert_eq!(get(&server, &open).status, 429);
        server.clock.set("2026-03-15T11:02:00Z");
        assert_eq!(get(&server, &open).status, 200);
    }

    fn a_quote_that_is_over_says_so(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let expired = sent(&server, &key, &json!({"validUntil": "2026-03-15"}));
        let withdrawn = sent(&server, &key, &json!({}));
        assert_eq!(server.post(&key, "/api/v1/quotes/2/withdraw", &json!({})).status, 200);
        server.clock.set("2026-03-16T11:00:00Z");
        for path in [&expired, &withdrawn] {
            let page = get(&server, path);
            assert_eq!(page.status, 409, "{}", page.text);
            assert!(!page.text.contains("<form"), "{}", page.text);
            let late = decide(&server, path, &[("action", "accept"), ("name", "Anna"), ("seen", "")]);
            assert_eq!(late.status, 409, "{}", late.text);
        }
    }

    fn two_customers_who_decide_at_once_get_one_decision(engine) {
        let server = Server::start(engine);
        let key = server.account(EMAIL);
        let path = sent(&server, &key, &json!({}));
        let seen = value_of(&get(&server, &path), "seen").unwrap();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let calls: Vec<_> = ["accept", "refuse"]
                .map(|action| {
                    let (server, path, seen) = (&server, &path, &seen);
                    let fields = [("action", action), ("name", action), ("seen", seen.as_str())];
                    scope.spawn(move || decide(server, path, &fields).status)
                })
                .into_iter()
                .collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        let mut sorted = statuses.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [303, 409], "{statuses:?}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn the_series_of_quotes_has_a_pattern_of_its_own(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/invoices");
        let pattern = [("quoteNumberPattern", "OFF-{year}-{number:3}")];
        let saved = browser.submit(&page, "/settings/invoices", &pattern);
        assert_eq!(saved.status, 303, "{}", saved.text);
        assert_eq!(post(&browser, "draft").status, 303);
        assert!(browser.get("/quotes/1").text.contains("OFF-2026-001"));
        assert_eq!(visit(&server).get("/quotes").status, 303, "a stranger signs in first");
    }
}
