//! What goes wrong is told in a page where people look, and as before where programs do.

use crate::browser::Browser;
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
fn failures_are_told_in_the_visitors_language() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser { language: "nl-NL,nl;q=0.9", ..Browser::new(&server) };
    let page = browser.get("/nergens");
    assert!(page.text.contains("<html lang=\"nl\">") && page.text.contains("Deze pagina bestaat niet"));
}
