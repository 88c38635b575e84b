//! CSRF protection of forms, unreadable bodies, and input as text.

use crate::help::{EMAIL, PASSWORD, encoded, open, value_of, visit};
use testing::{Engine, Server, page::form_to};

#[test]
fn a_form_without_its_token_or_with_that_of_another_browser_does_nothing() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let (browser, other) = (visit(&server), visit(&server));
    let own = value_of(&browser.get("/login"), "csrf").unwrap();
    let foreign = value_of(&other.get("/login"), "csrf").unwrap();
    assert_ne!(own, foreign);
    let fields = [("email", EMAIL), ("password", PASSWORD)];
    for csrf in [None, Some(""), Some("x"), Some(foreign.as_str()), Some(&own[1..])] {
        let fields: Vec<_> = csrf.map(|csrf| ("csrf", csrf)).into_iter().chain(fields).collect();
        let answer = browser.post("/login", &fields);
        assert_eq!(answer.status, 403, "{csrf:?}");
        assert!(
            answer.text.contains("This page has expired")
                && answer.text.contains("Reload the page")
        );
        assert!(!browser.is_signed_in());
    }
    // Without the cookie no token is valid.
    browser.lose_cookies();
    assert_eq!(browser.post("/login", &[("csrf", own.as_str()), fields[0], fields[1]]).status, 403);
}

#[test]
fn a_form_that_another_site_sends_does_nothing_even_with_its_token() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let browser = visit(&server);
    let csrf = value_of(&browser.get("/login"), "csrf").unwrap();
    let body = encoded(&[("csrf", csrf.as_str()), ("email", EMAIL), ("password", PASSWORD)]);
    let own = format!("http://{}", server.address);
    let refused: [&[(&str, &str)]; 6] = [
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", &own)],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://127.0.0.1")],
    ];
    for headers in refused {
        let answer = browser.post_with("/login", &body, headers);
        assert_eq!(answer.status, 403, "{headers:?}");
        assert!(answer.text.contains("This form came from another site"));
        assert!(!browser.is_signed_in());
    }
    let taken: [&[(&str, &str)]; 4] = [
        &[],
        &[("origin", &own)],
        &[("sec-fetch-site", "same-origin"), ("origin", "null")],
        &[("sec-fetch-site", "none")],
    ];
    for headers in taken {
        let browser = visit(&server);
        let csrf = value_of(&browser.get("/login"), "csrf").unwrap();
        let body = encoded(&[("csrf", csrf.as_str()), ("email", EMAIL), ("password", PASSWORD)]);
        assert_eq!(browser.post_with("/login", &body, headers).status, 303, "{headers:?}");
    }
}

#[test]
fn an_unreadable_form_is_reported() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    let csrf = value_of(&browser.get("/login"), "csrf").unwrap();
    let body = encoded(&[("csrf", csrf.as_str()), ("email", EMAIL)]);
    let urlencoded = "application/x-www-form-urlencoded";
    let large = format!("{body}&x={}", "a".repeat(1024 * 1024));
    let cases: [(&str, &[u8], u16, &str); 8] = [
        ("application/json", b"{}", 415, "This isn’t a form"),
        ("multipart/form-data; boundary=x", b"--x--", 415, "This isn’t a form"),
        ("text/plain", body.as_bytes(), 415, "This isn’t a form"),
        ("", body.as_bytes(), 415, "This isn’t a form"),
        (urlencoded, b"email=%FF", 400, "The form can’t be read"),
        (urlencoded, b"email=\xff", 400, "The form can’t be read"),
        (urlencoded, large.as_bytes(), 413, "The form is too large"),
        (
            "Application/X-WWW-Form-URLEncoded; charset=UTF-8",
            body.as_bytes(),
            422,
            "email address or password is incorrect",
        ),
    ];
    for (kind, body, status, expected) in cases {
        let answer = browser.send("POST", "/login", &[("content-type", kind)], Some(body));
        assert_eq!(answer.status, status, "{kind}");
        assert!(answer.text.contains(expected), "{kind}: {}", answer.text);
    }
}

#[test]
fn input_comes_back_as_text_and_never_as_markup() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    let page = browser.get("/login");
    for nasty in [
        "\"><script>alert(1)</script>",
        "' onfocus=alert(1) x='",
        "{{ 7*7 }}",
        "&lt;b&gt;",
        "\u{202e}kcab",
    ] {
        let again = browser.submit(&page, "/login", &[("email", nasty), ("password", "x")]);
        assert!(
            !again.text.contains("<script>alert")
                && !again.text.contains(" onfocus=alert(1) x='\""),
            "{nasty}"
        );
        assert_eq!(value_of(&again, "email").as_deref(), Some(nasty));
    }
}

/// A form submitted after its session ended, lost its cookie or was replaced is not processed, but
/// is kept so that it can be submitted again after signing in.
#[test]
fn input_is_offered_again_however_its_session_ended() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    open(&server, "bert@example.com");
    let names = || {
        let contacts = server.get(&server.key(EMAIL, true, true), "/api/v1/contacts").json();
        contacts["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let mut created_names = Vec::new();
    for (language, kept) in
        [("en", "what you filled in is kept"), ("nl", "wat je invulde is bewaard")]
    {
        let browser = visit(&server).speaking(language);
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        // The browser loses the cookie.
        let name = format!("Museum {language}");
        let page = browser.get("/contacts/new");
        browser.lose_cookies();
        let response = browser.submit(&page, "/contacts", &[("name", &name)]);
        assert_eq!(response.status, 401);
        assert!(response.text.contains(kept), "{}", response.text);
        let again =
            browser.submit(&response, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
        assert_eq!((again.status, names()), (200, created_names.clone()));
        assert_eq!(browser.submit(&again, "/contacts", &[]).status, 303);
        created_names.push(name);
        assert_eq!(names(), created_names);
        // The user signs in again in another window.
        let name = format!("Pier {language}");
        let page = browser.get("/contacts/new");
        browser.lose_cookies();
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let again = browser.submit(&page, "/contacts", &[("name", &name)]);
        assert_eq!((again.status, names()), (403, created_names.clone()));
        assert_eq!(browser.submit(&again, "/contacts", &[]).status, 303);
        created_names.push(name);
        assert_eq!(names(), created_names);
    }
    // Input is not kept for another user, from another site, or without our forms' hidden fields.
    let browser = visit(&server);
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    let form = form_to(&browser.get("/contacts/new").text, "/contacts");
    let (csrf, books) = (form.value("csrf").to_owned(), form.value("books").to_owned());
    let fields = [("csrf", csrf.as_str()), ("books", books.as_str()), ("name", "Nobody")];
    browser.lose_cookies();
    let site = [("sec-fetch-site", "same-site")];
    let others = [
        browser.post_with("/contacts", &encoded(&fields), &site),
        browser.post("/contacts", &fields[1..]),
        browser.post("/contacts", &[fields[0], fields[2]]),
    ];
    assert_eq!(browser.sign_in("bert@example.com", PASSWORD).status, 303);
    for reply in others.iter().chain([&browser.post("/contacts", &fields)]) {
        assert_eq!(reply.status, 403);
        assert!(!reply.text.contains("Nobody"), "{}", reply.text);
    }
    assert_eq!(names(), created_names);
}
