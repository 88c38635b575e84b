//! Sign-in and sign-out.

use crate::help::{
    EMAIL, PASSWORD, encoded, open, session, signed_in, value_of, visit, without_tokens,
};
use store::accounts::Plan;
use testing::{Engine, Reply, Server, on_both_engines};
use web::pages::Route;

on_both_engines! {
    fn the_password_signs_in_and_sign_out_ends_the_session(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let home = browser.get("/");
        assert!(home.text.contains("Anna Ontwerp") && home.text.contains(EMAIL));
        assert!(home.text.contains("<a href=\"/api-access\">"));
        let stolen = session(&browser).unwrap();
        let out = browser.submit(&home, "/logout", &[]);
        assert_eq!(out.header("location"), Some("/?done=signed-out"));
        assert_eq!(session(&browser), None);
        assert!(browser.follow(&out).text.contains("You are signed out."));
        // The session itself has ended, not only its cookie.
        browser.set_cookie("grootboek-session", &stolen);
        assert!(!browser.is_signed_in());
    }

    fn an_unknown_address_and_a_wrong_password_get_the_same_answer(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        let wrong = browser.sign_in(EMAIL, "not the password");
        let unknown = browser.sign_in("nope@example.com", "not the password");
        assert_eq!((wrong.status, unknown.status), (422, 422));
        assert!(wrong.text.contains("email address or password is incorrect"));
        assert!(
            wrong.text.contains("Signing in didn’t work")
                && !wrong.text.contains("That can’t be done")
        );
        assert!(
            wrong
                .text
                .contains("Account not confirmed yet? Check your mailbox or ask for a new link.")
        );
        assert_eq!(value_of(&wrong, "email").as_deref(), Some(EMAIL));
        assert_eq!(value_of(&wrong, "password"), None);
        assert_eq!(
            without_tokens(&wrong).replace(EMAIL, ""),
            without_tokens(&unknown).replace("nope@example.com", "")
        );
        assert!(wrong.set_cookies().is_empty() && unknown.set_cookies().is_empty());
    }

    fn an_unknown_address_costs_as_much_as_a_wrong_password(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        server.account_of("no-password@example.com", "NL", Plan::Starter);
        let browser = visit(&server);
        for who in [EMAIL, "nope@example.com", "no-password@example.com", "not an address"] {
            let before = server.password_hashes();
            assert_eq!(browser.sign_in(who, "not the password").status, 422);
            assert_eq!(server.password_hashes() - before, 1, "{who}");
        }
        for who in ["new@example.com", EMAIL] {
            let before = server.password_hashes();
            let page = browser.get("/signup");
            let new = [("email", who), ("name", "Bram"), ("password", PASSWORD), ("country", "NL")];
            assert_eq!(
                browser.submit(&page, "/signup", &new).header("location"),
                Some("/signup/sent")
            );
            assert_eq!(server.password_hashes() - before, 1, "signing up as {who}");
        }
    }

    fn the_session_from_before_sign_in_is_invalid(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        let _ = browser.get("/login");
        let planted = session(&browser).unwrap();
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        assert_ne!(session(&browser).unwrap(), planted);
        assert!(browser.is_signed_in());
        let attacker = visit(&server);
        attacker.set_cookie("grootboek-session", &planted);
        assert!(!attacker.is_signed_in());
    }

    fn sessions_end_when_idle_and_when_old(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        server.clock.set("2026-03-16T10:59:00Z");
        assert!(browser.is_signed_in());
        server.clock.set("2026-03-17T10:59:30Z");
        assert!(!browser.is_signed_in());
        // Even with daily use, a session ends after two weeks.
        server.clock.set("2026-04-01T11:00:00Z");
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        for day in 1..=14 {
            for hour in [if day == 1 { 12 } else { 11 }, 23] {
                server.clock.set(&format!("2026-04-{day:02}T{hour}:00:00Z"));
                assert!(browser.is_signed_in(), "{day} {hour}");
            }
        }
        server.clock.set("2026-04-15T11:00:01Z");
        assert!(!browser.is_signed_in());
    }
}

#[test]
fn guessing_is_throttled_without_locking_the_owner_out() {
    let server = Server::start(Engine::Sqlite);
    let owner = signed_in(&server);
    let guesser = visit(&server);
    let page = guesser.get("/login");
    let mut throttled: Option<Reply> = None;
    for _ in 0..8 {
        let answer = guesser.submit(
            &page,
            "/login",
            &[("email", "other@example.com"), ("password", "wrong")],
        );
        if answer.status == 429 {
            throttled = Some(answer);
            break;
        }
    }
    let throttled = throttled.unwrap();
    let seconds: i64 = throttled.header("retry-after").unwrap().parse().unwrap();
    assert!(seconds >= 1);
    assert!(
        throttled.text.contains("That went wrong too often. Try again in"),
        "{}",
        throttled.text
    );
    assert_eq!(value_of(&throttled, "email").as_deref(), Some("other@example.com"));
    assert!(owner.is_signed_in());
    assert_eq!(visit(&server).sign_in(EMAIL, PASSWORD).status, 303);
}

#[test]
fn sign_in_returns_to_the_requested_page() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let browser = visit(&server);
    let away = browser.get("/settings/security?x=%20y");
    assert_eq!(away.header("location"), Some("/login?next=%2Fsettings%2Fsecurity%3Fx%3D%2520y"));
    let page = browser.follow(&away);
    assert_eq!(value_of(&page, "next").as_deref(), Some("/settings/security?x=%20y"));
    let wrong = browser.submit(&page, "/login", &[("email", EMAIL), ("password", "wrong")]);
    assert_eq!(value_of(&wrong, "next").as_deref(), Some("/settings/security?x=%20y"));
    let inside = browser.submit(&wrong, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
    assert_eq!(inside.header("location"), Some("/settings/security?x=%20y"));
    assert_eq!(browser.get("/login?next=%2Fsettings").header("location"), Some("/settings"));
}

#[test]
fn every_page_behind_sign_in_asks_strangers_to_sign_in() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    let login = browser.get("/login");
    let csrf = value_of(&login, "csrf").unwrap();
    for Route { path, methods, .. } in crate::interface::routes::for_signed_in() {
        for method in methods {
            let answer = match method {
                "get" => browser.get(&path),
                _ => browser.post_with(&path, &encoded(&[("csrf", &csrf)]), &[]),
            };
            assert_eq!(answer.status, 303, "{method} {path}");
            assert!(
                answer.header("location").unwrap().starts_with("/login?next="),
                "{method} {path}"
            );
        }
    }
}
