//! Failures: pages for browsers, problem details for programs.

use crate::help::{EMAIL, PASSWORD, encoded, session, signed_in, value_of, visit};
use service::{
    Environment,
    environment::Clock,
    people::{data, sessions},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
};
use store::people::PersonId;
use testing::{Engine, Server, on_both_engines, page::unescaped};

#[test]
fn browsers_get_a_page_and_programs_problem_details() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    for (method, path, status, expected) in [
        ("GET", "/nowhere", 404, "This page doesn’t exist"),
        ("GET", "/settings/nowhere", 404, "This page doesn’t exist"),
        ("GET", "/static/app.css", 404, "This page doesn’t exist"),
        ("PUT", "/login", 405, "This page doesn’t work like that"),
        ("DELETE", "/", 405, "This page doesn’t work like that"),
        ("PUT", "/logout", 405, "This page doesn’t work like that"),
    ] {
        let page = browser.send(method, path, &[], None);
        assert_eq!(page.status, status, "{method} {path}");
        assert!(page.text.contains(expected), "{method} {path}: {}", page.text);
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
fn signed_in_users_have_the_menu_on_error_pages() {
    let server = Server::start(Engine::Sqlite);
    let (browser, stranger) = (signed_in(&server), visit(&server));
    let csrf = value_of(&browser.get("/settings"), "csrf").unwrap();
    let missing = [
        "/nowhere",
        "/settings/nowhere",
        "/logout/nowhere",
        "/static/app.css",
        "/static/%FF",
        "/docs/nowhere",
    ]
    .map(|path| browser.get(path));
    let failed = [
        browser.post("/settings", &[("csrf", "x")]),
        browser.post("/api-access/keys/x/revoke", &[("csrf", &csrf)]),
    ];
    for page in missing.iter().chain(&failed) {
        assert!(page.status >= 400, "{}", page.text);
        assert!(
            page.text.contains("action=\"/logout\"") && page.text.contains("href=\"/settings\""),
            "{}",
            page.text
        );
        assert!(page.text.contains("<footer") && page.text.contains(EMAIL), "{}", page.text);
    }
    // The sign-out button on a page about a failure works.
    assert_eq!(browser.submit(&missing[0], "/logout", &[]).status, 303);
    let page = stranger.get("/nowhere");
    assert!(page.text.contains("<footer") && !page.text.contains("<form"), "{}", page.text);
    assert_eq!(stranger.get("/nowhere?lang=nl").header("location"), Some("/nowhere"));
    assert!(stranger.get("/nowhere").text.contains("Deze pagina bestaat niet"));
}

#[test]
fn error_pages_are_in_the_visitors_language() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server).speaking("nl-NL,nl;q=0.9");
    let page = browser.get("/nergens");
    assert!(
        page.text.contains("<html lang=\"nl\">") && page.text.contains("Deze pagina bestaat niet")
    );
}

/// Sends a raw request head as a browser with this session cookie would.
fn begun(server: &Server, line: &str, session: Option<&str>, more: &str) -> TcpStream {
    let cookie = session
        .map(|session| format!("cookie: grootboek-session={session}\r\n"))
        .unwrap_or_default();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-language: en\r\n{cookie}{more}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn no_link_on_an_error_page_leaves_the_host_whatever_the_address() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let paths = [
        "//evil.example",
        "//evil.example/x",
        "///evil.example",
        "//user@evil.example?a=b",
        "/\\evil.example",
        "\\\\evil.example",
        "/\\/evil.example",
        "/.//evil.example",
        "/..//evil.example/%2e",
        "/%2e//evil.example",
        "/nowhere/..//evil.example",
        "http://x//evil.example",
        "/%09/evil.example",
        "/nowhere?next=//evil.example",
    ];
    let inside = session(&browser);
    for (path, session) in paths.iter().flat_map(|path| [(path, None), (path, inside.as_deref())]) {
        for method in ["GET", "POST"] {
            let page = answer(begun(&server, &format!("{method} {path}"), session, ""));
            // Invalid request targets are rejected before a page is rendered.
            let Some((_, page)) = page.split_once("<html") else {
                assert!(path.starts_with('\\'), "{method} {path}: {page}");
                continue;
            };
            assert_eq!(page.contains("/logout"), session.is_some(), "{method} {path}: {page}");
            let values = ["href=\"", "action=\"", "src=\""]
                .into_iter()
                .flat_map(|name| page.split(name).skip(1));
            for link in values.map(|rest| unescaped(rest.split('"').next().unwrap())) {
                let is_ours = link.starts_with("#")
                    || link.starts_with('/') && !link[1..].starts_with(['/', '\\']);
                assert!(is_ours && !link.contains("/."), "{method} {path} links to {link}");
            }
        }
    }
}

on_both_engines! {
    fn a_sign_out_during_a_submission_redirects_to_sign_in(engine) {
        type End = fn(&Server, PersonId);
        let ends: [End; 2] = [
            |server, person| {
                let now = server.clock.now();
                server.write(move |tx| data::close(tx, &Environment::at(now), person));
            },
            |server, person| {
                let now = server.clock.now();
                server.write(move |tx| sessions::end_all(tx, &Environment::at(now), person));
            },
        ];
        let changed = [("password", PASSWORD), ("new_password", "vier kleine torren")];
        let settings = [("name", "Anna"), ("language", "nl")];
        let forms = [
            ("/settings/password", &changed[..], [true, true]),
            ("/password/confirm", &[("password", PASSWORD)], [true, true]),
            // These two fail only if the account is closed, not if only the session has ended.
            ("/settings", &settings, [true, false]),
            ("/api-access", &[("name", "key"), ("scope", "read")], [true, false]),
        ];
        for (path, fields, matters) in forms {
            for (end, matters) in ends.into_iter().zip(matters) {
                let server = Server::start(engine);
                let browser = signed_in(&server);
                let person = server.person(EMAIL);
                let csrf = value_of(&browser.get("/settings"), "csrf").unwrap();
                let body = encoded(&[fields, &[("csrf", &csrf)]].concat());
                let head = format!(
                    "sec-fetch-site: same-origin\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\
                     expect: 100-continue\r\n",
                    body.len()
                );
                // The server asks for the body after it has found the session.
                let mut stream =
                    begun(&server, &format!("POST {path}"), session(&browser).as_deref(), &head);
                let mut go_on = [0; 25];
                stream.read_exact(&mut go_on).unwrap();
                assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
                end(&server, person);
                stream.write_all(body.as_bytes()).unwrap();
                let response = answer(stream);
                let is_asked = response.starts_with("HTTP/1.1 303 ")
                    && response.contains("\r\nlocation: /login");
                assert!(
                    is_asked == matters
                        && !response.starts_with("HTTP/1.1 4")
                        && !response.starts_with("HTTP/1.1 5"),
                    "{path}: {response}"
                );
            }
        }
    }
}
