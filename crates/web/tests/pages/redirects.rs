//! Where a page leads on to: never to another host.

use crate::browser::{Browser, EMAIL, PASSWORD, encoded, open, value_of};
use testing::{Engine, Server};

const EVIL: [&str; 16] = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\r\n/evil.example",
    " //evil.example",
    "https://evil.example/",
    "HTTPS://EVIL.example/",
    "https:evil.example",
    "//user@evil.example",
    "http://127.0.0.1@evil.example/",
    "javascript:alert(1)",
    "/.//evil.example",
    "%2F%2Fevil.example",
    "settings",
];

#[test]
fn after_signing_in_nobody_is_led_elsewhere() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    for evil in EVIL {
        let mut browser = Browser::new(&server);
        let page = browser.get(&format!("/login?{}", encoded(&[("next", evil)])));
        assert_eq!(value_of(&page, "next").as_deref(), Some("/"), "{evil:?}");
        // Not even when the form is changed.
        let inside = browser.submit(&page, "/login", &[("email", EMAIL), ("password", PASSWORD), ("next", evil)]);
        assert_eq!((inside.status, inside.header("location")), (303, Some("/")), "{evil:?}");
        // And not when signed in already.
        let again = browser.get(&format!("/login?{}", encoded(&[("next", evil)])));
        assert_eq!(again.header("location"), Some("/"), "{evil:?}");
        let confirm = browser.get(&format!("/password/confirm?{}", encoded(&[("next", evil)])));
        assert_eq!(value_of(&confirm, "next").as_deref(), Some("/"), "{evil:?}");
        let confirmed = browser.submit(&confirm, "/password/confirm", &[("password", PASSWORD), ("next", evil)]);
        assert_eq!(confirmed.header("location"), Some("/"), "{evil:?}");
    }
}

#[test]
fn choosing_a_language_leads_back_to_the_same_page_only() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::new(&server);
    for (asked, led) in
        [("/login?lang=nl", "/login"), ("/login?a=1&lang=en&b=%20", "/login?a=1&b=%20"), ("/?lang=nl&lang=en", "/")]
    {
        assert_eq!(browser.get(asked).header("location"), Some(led), "{asked}");
    }
    // What is no language of ours is no choice.
    assert_eq!(browser.get("/login?lang=fr").status, 200);
}
