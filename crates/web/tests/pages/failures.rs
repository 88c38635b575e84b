//! What goes wrong is told in a page where people look, and as before where programs do.

use crate::browser::{Browser, EMAIL, value_of};
use testing::{Engine, Server};

#[test]
fn people_get_a_page_and_programs_a_problem() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::new(&server);
    for (method, path, status, told) in [
        ("GET", "/nowhere", 404, "This page does not exist"),
        ("GET", "/settings/nowhere", 404, "This page does not exist"),
        ("GET", "/assets/app.css", 404, "This page does not exist"),
        ("PUT", "/login", 405, "This page does not work like that"),
        ("DELETE", "/", 405, "This page does not work like that"),
        ("GET", "/logout", 405, "This page does not work like that"),
    ] {
        let page = browser.send(method, path, &[], None);
        assert_eq!(page.status, status, "{method} {path}");
        assert!(page.text.contains(told), "{method} {path}: {}", page.text);
        assert!(page.text.contains("href=\"/\""));
        assert!(page.text.contains(page.header("x-request-id").unwrap()));
        if status == 405 {
            assert!(page.header("allow").is_some(), "{method} {path}");
        }
    }
    for path in ["/api/nowhere", "/api/v1/nowhere", "/api/docs/nowhere", "/.well-known/nowhere"] {
        let problem = browser.get(path);
        assert_eq!(problem.header("content-type"), Some("application/problem+json"), "{path}");
    }
    assert_eq!(browser.get("/healthz").text, "ok\n");
}

#[test]
fn who_is_signed_in_has_the_menu_beside_what_went_wrong() {
    let server = Server::start(Engine::Sqlite);
    let (mut browser, mut stranger) = (Browser::signed_in(&server), Browser::new(&server));
    let csrf = value_of(&browser.get("/settings"), "csrf").unwrap();
    let missing = ["/nowhere", "/settings/nowhere", "/logout"].map(|path| browser.get(path));
    let failed = [browser.post("/settings", &[("csrf", "x")]), browser.post("/api-access/keys/x/revoke", &[("csrf", &csrf)])];
    for page in missing.iter().chain(&failed) {
        assert!(page.status >= 400, "{}", page.text);
        assert!(page.text.contains("action=\"/logout\"") && page.text.contains("href=\"/settings\""), "{}", page.text);
        assert!(page.text.contains("<footer") && page.text.contains(EMAIL), "{}", page.text);
    }
    // And from there one signs out.
    assert_eq!(browser.submit(&missing[0], "/logout", &[]).status, 303);
    let page = stranger.get("/nowhere");
    assert!(page.text.contains("<footer") && !page.text.contains("<form"), "{}", page.text);
    assert_eq!(stranger.get("/nowhere?lang=nl").header("location"), Some("/nowhere"));
    assert!(stranger.get("/nowhere").text.contains("Deze pagina bestaat niet"));
}

#[test]
fn failures_are_told_in_the_visitors_language() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser { language: "nl-NL,nl;q=0.9", ..Browser::new(&server) };
    let page = browser.get("/nergens");
    assert!(page.text.contains("<html lang=\"nl\">") && page.text.contains("Deze pagina bestaat niet"));
}
