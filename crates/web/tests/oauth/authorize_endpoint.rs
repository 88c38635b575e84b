//! Authorization endpoint for a browser without a session. `tests/pages/access` covers consent.

use crate::help::{Shop, encoded, with};
use testing::{Engine, Reply};

fn open(shop: &Shop, query: &str, headers: &[(&str, &str)]) -> Reply {
    shop.server.send("GET", &format!("/oauth/authorize?{query}"), headers, None)
}

/// Query strings of a valid request, and of requests whose fault is reported through a redirect.
fn requests(shop: &Shop) -> Vec<String> {
    let good = shop.request("read");
    let wrong = [
        ("response_type", "token"),
        ("scope", "admin"),
        ("code_challenge", "x"),
        ("code_challenge_method", "plain"),
        ("prompt", "none"),
    ];
    let all = wrong.into_iter().map(|(name, value)| with(good.clone(), name, Some(value)));
    std::iter::once(good.clone()).chain(all).map(|request| encoded(&request)).collect()
}

/// Query strings of requests without a valid client and redirect URI, which get an error page.
fn lost(shop: &Shop) -> Vec<String> {
    let good = shop.request("read");
    let faults = [
        ("client_id", Some("nobody")),
        ("client_id", None),
        ("redirect_uri", Some("https://evil.example/")),
        ("redirect_uri", None),
    ];
    let mut all: Vec<String> =
        faults.into_iter().map(|(name, value)| encoded(&with(good.clone(), name, value))).collect();
    all.push(format!("{}&redirect_uri=https%3A%2F%2Fevil.example%2F", encoded(&good)));
    all.push(format!("{}&client_id=other", encoded(&good)));
    all.push(encoded(&with(good.clone(), "state", None)) + "&state=%ff");
    all.push(String::new());
    all
}

fn shop() -> Shop {
    Shop::start(Engine::Sqlite)
}

#[test]
fn rfc9700_4_11_2_no_redirect_to_an_application_before_sign_in() {
    let shop = shop();
    for query in requests(&shop) {
        let reply = open(&shop, &query, &[]);
        assert_eq!(reply.status, 303, "{query}");
        assert!(
            reply.header("location").unwrap().starts_with("/login?next="),
            "{query}: {:?}",
            reply.header("location")
        );
    }
}

#[test]
fn rfc9700_4_11_2_the_request_survives_the_sign_in_as_it_was() {
    let shop = shop();
    let query = encoded(&with(shop.request("read"), "state", Some("a b\u{1f600}\"%00&x=y")));
    let location = open(&shop, &query, &[]).header("location").unwrap().to_owned();
    assert_eq!(
        crate::help::parameter(&location, "next"),
        Some(format!("/oauth/authorize?{query}"))
    );
}

#[test]
fn rfc9700_4_11_2_prompt_none_issues_no_code() {
    let shop = shop();
    let reply = open(&shop, &encoded(&with(shop.request("read"), "prompt", Some("none"))), &[]);
    assert!(
        reply.header("location").is_none_or(|location| location.starts_with("/login")),
        "{:?}",
        reply.header("location")
    );
    assert_eq!(shop.rows("oauth_codes"), 0);
}

#[test]
fn rfc6749_4_1_2_1_a_fault_without_a_redirect_uri_gets_an_error_page() {
    let shop = shop();
    for query in lost(&shop) {
        let reply = open(&shop, &query, &[]);
        assert_eq!(reply.status, 400, "{query}");
        assert!(reply.header("content-type").unwrap().starts_with("text/html"), "{query}");
        assert!(!reply.text.contains("requestId"), "{query}");
    }
}

#[test]
fn rfc6749_10_15_a_fault_without_a_redirect_uri_gets_no_redirect() {
    let shop = shop();
    for query in lost(&shop) {
        let reply = open(&shop, &query, &[]);
        assert_eq!((reply.header("location"), reply.header("refresh")), (None, None), "{query}");
        // The page does not lead elsewhere either: all its links are local.
        for part in ["http-equiv=\"refresh", "=\"https:", "=\"//", "<script>"] {
            assert!(!reply.text.contains(part), "{query}: {part}");
        }
    }
}

#[test]
fn rfc6749_10_13_no_other_site_may_frame_it() {
    let shop = shop();
    for query in requests(&shop).into_iter().chain(lost(&shop)) {
        let reply = open(&shop, &query, &[]);
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{query}");
        assert!(
            reply.header("content-security-policy").unwrap().contains("frame-ancestors 'none'"),
            "{query}"
        );
    }
}

#[test]
fn rfc9700_2_6_no_other_site_may_read_it() {
    let shop = shop();
    for query in requests(&shop).into_iter().chain(lost(&shop)) {
        assert_eq!(
            open(&shop, &query, &[("origin", "https://evil.example")])
                .header("access-control-allow-origin"),
            None,
            "{query}"
        );
    }
}

#[test]
fn rfc9700_4_2_4_its_address_is_not_sent_as_a_referrer() {
    let shop = shop();
    for query in lost(&shop) {
        assert_eq!(
            open(&shop, &query, &[]).header("referrer-policy"),
            Some("no-referrer"),
            "{query}"
        );
    }
}

#[test]
fn rfc6749_3_1_it_ignores_credentials_of_the_api() {
    let shop = shop();
    let tokens = shop.connect();
    let reply = open(
        &shop,
        &encoded(&shop.request("read")),
        &[("authorization", &format!("Bearer {}", tokens.access))],
    );
    assert!(reply.header("location").unwrap().starts_with("/login?next="));
}
