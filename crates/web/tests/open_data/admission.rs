//! Admission to the open data: any origin (CORS), a rate limit per address, and no dependence on
//! the database.

use super::SERVER;
use std::num::NonZeroU32;
use testing::{Engine, Server};
use web::RateLimit;

#[test]
fn a_page_of_another_origin_may_read_and_post() {
    let headers = [
        ("origin", "https://elsewhere.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    for path in
        ["/open-data/vat-rates.json", "/open-data/calculators/invoice.json", "/open-data/mcp"]
    {
        let reply = SERVER.send("OPTIONS", path, &headers, None);
        assert_eq!(
            (reply.status, reply.header("access-control-allow-origin")),
            (204, Some("*")),
            "{path}"
        );
        assert!(reply.header("access-control-allow-methods").unwrap().contains("POST"));
        assert!(reply.header("access-control-allow-headers").unwrap().contains("Content-Type"));
    }
}

#[test]
fn a_page_of_another_origin_can_read_refusals_too() {
    for (method, path, status) in [
        ("POST", "/open-data/vat-rates.json", 405),
        ("DELETE", "/open-data/calculators/vat.json", 405),
        ("GET", "/open-data/nothing.json", 404),
        ("GET", "/open-data/a/b/c", 404),
        ("GET", "/open-data/calculators/vat/x", 404),
    ] {
        let reply = SERVER.send(method, path, &[], None);
        let headers =
            ["access-control-allow-origin", "cache-control"].map(|name| reply.header(name));
        assert_eq!(
            (reply.status, headers),
            (status, [Some("*"), Some("no-store")]),
            "{method} {path}"
        );
    }
}

#[test]
fn gzip_responses_have_their_own_entity_tag() {
    for path in [
        "/open-data/vat-rates-eu.json",
        "/open-data/deadlines.ics",
        "/open-data/openapi.json",
        "/open-data/vat-rates",
    ] {
        let plain = SERVER.send("GET", path, &[], None);
        let zipped = SERVER.send("GET", path, &[("accept-encoding", "br, gzip;q=0.8")], None);
        assert_eq!(
            (zipped.header("content-encoding"), plain.header("content-encoding")),
            (Some("gzip"), None),
            "{path}"
        );
        assert!(
            zipped.header("vary").unwrap().contains("Accept-Encoding")
                && plain.header("vary").is_some(),
            "{path}"
        );
        let tags = [&plain, &zipped].map(|reply| reply.header("etag").unwrap().to_owned());
        assert_ne!(tags[0], tags[1], "{path}");
        let headers = [("accept-encoding", "gzip"), ("if-none-match", tags[1].as_str())];
        assert_eq!(SERVER.send("GET", path, &headers, None).status, 304, "{path}");
        let refused = SERVER.send("GET", path, &[("accept-encoding", "gzip;q=0")], None);
        assert_eq!(refused.header("content-encoding"), None, "{path}");
    }
}

#[test]
fn an_address_over_its_rate_limit_gets_retry_after_and_others_are_served() {
    let three = NonZeroU32::new(3).unwrap();
    let server = Server::start_set(Engine::Sqlite, |config| {
        config.open_data_rate_limit = Some(RateLimit { per_minute: three, burst: three });
        config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    });
    let ask =
        |address: &str, path: &str| server.send("GET", path, &[("x-forwarded-for", address)], None);
    for path in ["/open-data", "/open-data/vat-rates.json", "/open-data/calculators/vat"] {
        assert_eq!(ask("203.0.113.9", path).status, 200, "{path}");
    }
    for path in ["/open-data", "/open-data/mcp", "/open-data/vat-rates.csv"] {
        let refused = ask("203.0.113.9", path);
        assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"), "{path}");
        let seconds: u32 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=21).contains(&seconds), "{seconds}");
        assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    }
    let headers =
        [("x-forwarded-for", "203.0.113.9"), ("accept", "text/html"), ("accept-language", "nl")];
    let page = server.send("GET", "/open-data/calculators/vat", &headers, None);
    assert_eq!((page.status, page.header("content-type")), (429, Some("text/html; charset=utf-8")));
    assert!(
        page.text.contains("<h1>Te veel verzoeken</h1>") && page.header("retry-after").is_some(),
        "{}",
        page.text
    );
    assert_eq!(ask("203.0.113.10", "/open-data").status, 200);
    // The IPv6 network of a subscriber counts as one address.
    for host in 1..=3 {
        assert_eq!(ask(&format!("2001:db8:0:{host}::1"), "/open-data").status, 200);
    }
    assert_eq!(ask("2001:db8:0:44::1", "/open-data").status, 429);
    assert_eq!(ask("2001:db8:0:100::1", "/open-data").status, 200);
}

#[test]
fn it_answers_while_the_database_is_away() {
    let server = Server::start(Engine::Postgres);
    assert_eq!(server.send("GET", "/readyz", &[], None).status, 200);
    server.database.take_away();
    assert!(server.send("GET", "/readyz", &[], None).status >= 500);
    for path in [
        "/open-data",
        "/open-data/vat-rates",
        "/open-data/vat-rates.json",
        "/open-data/deadlines.ics",
        "/open-data/calculators/vat.json?amount=100",
        "/open-data/nothing",
    ] {
        let status = server.send("GET", path, &[], None).status;
        assert!(matches!(status, 200 | 404), "{path}: {status}");
    }
}
