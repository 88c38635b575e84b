//! Redirects: never to another host.

use super::routes;
use crate::help::{EMAIL, PASSWORD, encoded, open, signed_in, value_of, visit};
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
fn sign_in_never_redirects_to_another_host() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    for evil in EVIL {
        let browser = visit(&server);
        let page = browser.get(&format!("/login?{}", encoded(&[("next", evil)])));
        assert_eq!(value_of(&page, "next").as_deref(), Some("/"), "{evil:?}");
        // A tampered form redirects to the home page.
        let inside = browser.submit(
            &page,
            "/login",
            &[("email", EMAIL), ("password", PASSWORD), ("next", evil)],
        );
        assert_eq!((inside.status, inside.header("location")), (303, Some("/")), "{evil:?}");
        // A user who is already signed in is redirected to the home page too.
        let again = browser.get(&format!("/login?{}", encoded(&[("next", evil)])));
        assert_eq!(again.header("location"), Some("/"), "{evil:?}");
        let confirm = browser.get(&format!("/password/confirm?{}", encoded(&[("next", evil)])));
        assert_eq!(value_of(&confirm, "next").as_deref(), Some("/"), "{evil:?}");
        let confirmed = browser.submit(
            &confirm,
            "/password/confirm",
            &[("password", PASSWORD), ("next", evil)],
        );
        assert_eq!(confirmed.header("location"), Some("/"), "{evil:?}");
    }
}

#[test]
fn a_trailing_slash_is_removed_without_leaving_the_host() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    for (typed, target) in [
        ("/open-data/", "/open-data"),
        ("/open-data/vat-rates/?year=2026", "/open-data/vat-rates?year=2026"),
        ("/login/", "/login"),
    ] {
        let answer = browser.get(typed);
        assert_eq!((answer.status, answer.header("location")), (308, Some(target)), "{typed}");
    }
    for evil in ["//evil.example/", "/.//evil.example/", "/api/v1/invoices/"] {
        let answer = browser.get(evil);
        assert!(
            answer.header("location").is_none() && answer.status >= 400,
            "{evil}: {}",
            answer.status
        );
    }
}

#[test]
fn choosing_a_language_returns_to_the_same_page_only() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    for (asked, led) in [
        ("/login?lang=nl", "/login"),
        ("/login?a=1&lang=en&b=%20", "/login?a=1&b=%20"),
        ("/?lang=nl&lang=en", "/"),
    ] {
        assert_eq!(browser.get(asked).header("location"), Some(led), "{asked}");
    }
    // An unsupported language is ignored.
    assert_eq!(browser.get("/login?lang=fr").status, 200);
}

#[test]
fn a_flash_message_is_shown_once_and_cannot_be_set_by_a_link() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    for path in ["/?done=closed", "/login?done=password-set", "/settings?done=saved"] {
        let page = browser.get(path);
        assert!(!page.text.contains("class=\"flash\""), "{path}");
    }
    let page = browser.get("/settings/security");
    let done = browser.submit(&page, "/logout", &[]);
    let line = done
        .set_cookies()
        .into_iter()
        .find(|line| line.starts_with("grootboek-done=signed-out; "))
        .unwrap()
        .to_owned();
    assert!(
        ["HttpOnly", "SameSite=Lax", "Max-Age=120"].iter().all(|it| line.contains(it)),
        "{line}"
    );
    // The message appears only on the page of the redirect, and no query can show a different
    // message.
    assert!(!browser.get("/?done=closed").text.contains("class=\"flash\""));
    assert!(browser.follow(&done).text.contains("You are signed out."));
    assert!(!browser.follow(&done).text.contains("You are signed out."));
}

#[test]
fn a_form_sent_after_sign_out_reports_that_nothing_was_saved() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/settings");
    let other_browser = browser.clone();
    let other = other_browser.get("/settings");
    assert_eq!(other_browser.submit(&other, "/logout", &[]).status, 303);
    let refused = browser.submit(&page, "/settings", &[("name", "Another")]);
    // The input is kept during the sign-in and offered for submission again.
    assert!(refused.status == 401 && refused.text.contains("name=\"kept\""), "{}", refused.text);
    let offered = browser.submit(&refused, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
    assert!(offered.text.contains("Another"), "{}", offered.text);
    assert!(!browser.get("/settings").text.contains("Another"));
    let sent = browser.submit(&offered, "/settings", &[]);
    assert_eq!(sent.status, 303, "{}", sent.text);
    assert!(browser.get("/settings").text.contains("Another"));
    // Opening a page submits nothing, so there is nothing to report.
    let stranger = visit(&server);
    let response = stranger.get("/settings");
    assert!(!stranger.follow(&response).text.contains("nothing was saved"));
    // Without the cookie the form belongs to no session, but its input is kept too.
    browser.lose_cookies();
    let stale = browser.submit(&page, "/settings", &[("name", "Another")]);
    assert!(stale.status == 401 && stale.text.contains("name=\"kept\""), "{}", stale.text);
    // A form without input is rejected, with a link to the sign-in page.
    let stale = browser.submit(&page, "/logout", &[]);
    assert_eq!(stale.status, 403);
    assert!(
        stale.text.contains("<a class=\"button secondary\" href=\"/login\">"),
        "{}",
        stale.text
    );
}

/// After a rejected form, a reload or Back opens a path that accepts only forms. That path
/// redirects to the page with the form.
#[test]
fn an_address_of_a_form_redirects_to_its_page() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    for (path, target) in [
        ("/hours/entries", "/hours/list"),
        ("/hours/log", "/hours/list"),
        ("/hours/week", "/hours"),
        ("/hours/timer/start", "/hours"),
        ("/vat/2026/3/payment", "/vat/2026/3"),
        ("/vat-payments/1/undo", "/vat-payments"),
        ("/contacts/1/merge", "/contacts/1"),
        ("/articles/1/archive", "/articles"),
        ("/invoices/preview", "/invoices/new"),
        ("/year/2025/close", "/year/2025"),
        ("/invoices/1/payments/2/undo", "/invoices/1/payments"),
        ("/settings/invoices/preview", "/settings/invoices"),
        ("/settings/sessions/end-others", "/settings/security"),
        ("/settings/opening-balance", "/journal/opening"),
        ("/logout", "/"),
    ] {
        let answer = browser.get(path);
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(target)),
            "{path}: {}",
            answer.text
        );
    }
    // Every route without GET redirects in this way; PUT is still rejected.
    let shown = |path: &str| {
        routes::for_signed_in()
            .into_iter()
            .chain(routes::all())
            .any(|route| route.path == path && route.methods.contains(&"get"))
    };
    for route in routes::for_signed_in().into_iter().filter(|route| !route.methods.contains(&"get"))
    {
        let answer = browser.get(&route.path);
        let target = answer.header("location").unwrap_or_default().to_owned();
        assert!(
            answer.status == 303 && shown(&target),
            "{}: {} {target}",
            route.path,
            answer.status
        );
        assert_eq!(
            browser.send("PUT", &route.path, &[("sec-fetch-site", "same-origin")], None).status,
            405,
            "{}",
            route.path
        );
    }
    // A visitor without a session is redirected to the sign-in page first.
    let answer = visit(&server).get("/hours/entries");
    assert!(
        answer.header("location").is_some_and(|target| target.starts_with("/login")),
        "{}",
        answer.status
    );
}

/// Links on a page with a rejected form work.
#[test]
fn a_rejected_form_links_to_working_pages() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let key = server.key(EMAIL, true, true);
    let project = serde_json::json!({"name": "Year book"});
    assert_eq!(server.post(&key, "/api/v1/projects", &project).status, 201);
    let worked = serde_json::json!({"projectId": 1, "date": "2026-03-02", "hours": 1, "description": "Work"});
    assert_eq!(server.post(&key, "/api/v1/time-entries", &worked).status, 201);
    let page = browser.get("/hours/list");
    let refused = browser.submit(&page, "/hours/entries", &[("hours", "many")]);
    assert_eq!(refused.status, 422, "{}", refused.text);
    for link in ["href=\"/hours/list?sort=", "href=\"/hours/list?lang=nl\""] {
        assert!(refused.text.contains(link), "{link}: {}", refused.text);
    }
    assert!(!refused.text.contains("href=\"/hours/entries?"), "{}", refused.text);
}
