//! Password reset, password change, and password confirmation.

use crate::help::{
    EMAIL, PASSWORD, fault_of, mailed_path, mails, open, session, signed_in, value_of, visit,
};
use testing::{Engine, Reply, Server, on_both_engines};

const NEW: &str = "vier kleine kevers";

on_both_engines! {
    fn a_forgotten_password_is_reset_by_mail(engine) {
        let server = Server::start(engine);
        let signed_in = signed_in(&server);
        let browser = visit(&server);
        let page = browser.get("/password/forgot");
        let sent = browser.submit(&page, "/password/forgot", &[("email", "ANNA@example.com")]);
        let text = browser.follow(&sent).text;
        assert!(
            text.contains("we sent a link")
                && text.contains("href=\"/password/forgot\">Send another link"),
            "{text}"
        );
        let link = mailed_path(&server, EMAIL, 1);
        let page = browser.get(&link);
        let common = browser.submit(&page, "/password/reset", &[("password", "password1")]);
        assert_eq!(common.status, 422);
        assert!(fault_of(&common, "password").unwrap().contains("too easy to guess"));
        let set = browser.submit(&common, "/password/reset", &[("password", NEW)]);
        assert_eq!(set.header("location"), Some("/login?done=password-set"));
        assert!(browser.follow(&set).text.contains("Your new password is set."));
        // The reset does not sign the user in, ends all other sessions, and works only once.
        assert!(!browser.is_signed_in() && !signed_in.is_signed_in());
        assert_eq!(browser.get(&link).status, 410);
        assert_eq!(
            browser.submit(&page, "/password/reset", &[("password", "five other words")]).status,
            410
        );
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 422);
        assert_eq!(browser.sign_in(EMAIL, NEW).status, 303);
        assert_eq!(mails(&server, EMAIL, 2)[1].subject, "Your password for Grootboek was changed");
    }

    fn requesting_a_link_gives_every_address_the_same_answer(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        let page = browser.get("/password/forgot");
        let unknown = browser.submit(&page, "/password/forgot", &[("email", "nobody@example.com")]);
        let known = browser.submit(&page, "/password/forgot", &[("email", EMAIL)]);
        let outcome = |reply: &Reply| {
            (reply.status, reply.header("location").map(str::to_owned), reply.text.clone())
        };
        assert_eq!(outcome(&known), outcome(&unknown));
        mails(&server, EMAIL, 1);
        assert_eq!(server.mails("nobody@example.com"), []);
        let bad = browser.submit(&page, "/password/forgot", &[("email", "nobody")]);
        assert_eq!((bad.status, value_of(&bad, "email").as_deref()), (422, Some("nobody")));
    }

    fn changing_the_password_ends_all_other_sessions(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let other = visit(&server);
        assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 303);
        let page = browser.get("/settings/password");
        let before = session(&browser).unwrap();
        let wrong = browser.submit(
            &page,
            "/settings/password",
            &[("password", "not mine"), ("new_password", NEW)],
        );
        assert_eq!(wrong.status, 422);
        assert!(fault_of(&wrong, "password").unwrap().contains("isn’t your password"));
        let short = browser.submit(
            &page,
            "/settings/password",
            &[("password", PASSWORD), ("new_password", "kort")],
        );
        assert!(fault_of(&short, "new_password").unwrap().contains("at least 8 characters"));
        assert!(!short.text.contains(PASSWORD));
        let both = browser.submit(
            &page,
            "/settings/password",
            &[("password", "not mine"), ("new_password", "kort")],
        );
        assert!(fault_of(&both, "password").is_some() && fault_of(&both, "new_password").is_some());
        let changed = browser.submit(
            &page,
            "/settings/password",
            &[("password", PASSWORD), ("new_password", NEW)],
        );
        assert_eq!(changed.header("location"), Some("/settings/security?done=password-changed"));
        assert_ne!(session(&browser).unwrap(), before);
        let text = browser.follow(&changed).text;
        assert!(
            text.contains("API keys and connected apps keep working")
                && text.contains("<a href=\"/api-access\">API access</a></span>")
        );
        assert!(browser.is_signed_in());
        assert!(!other.is_signed_in());
        // A copy of the old cookie is invalid.
        other.set_cookie("grootboek-session", &before);
        assert!(!other.is_signed_in());
        assert_eq!(mails(&server, EMAIL, 1)[0].subject, "Your password for Grootboek was changed");
    }
}

#[test]
fn a_link_is_valid_for_an_hour() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let browser = visit(&server);
    let page = browser.get("/password/forgot");
    let _ = browser.submit(&page, "/password/forgot", &[("email", EMAIL)]);
    let link = mailed_path(&server, EMAIL, 1);
    server.clock.set("2026-03-15T11:59:59Z");
    assert_eq!(browser.get(&link).status, 200);
    server.clock.set("2026-03-15T12:00:00Z");
    assert_eq!(browser.get(&link).status, 410);
    for bad in ["/password/reset", "/password/reset?token=", "/password/reset?token=x"] {
        assert_eq!(browser.get(bad).status, 410, "{bad}");
    }
}

#[test]
fn sensitive_pages_ask_for_the_password_again_after_ten_minutes() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let fresh = [
        "/settings/email",
        "/settings/second-factor",
        "/settings/data/export",
        "/settings/recovery-codes",
    ];
    server.clock.set("2026-03-15T11:10:00Z");
    let page = browser.get("/settings/email");
    assert_eq!(page.status, 200);
    server.clock.set("2026-03-15T11:10:01Z");
    for path in fresh {
        assert!(
            browser
                .get(path)
                .header("location")
                .unwrap()
                .starts_with("/password/confirm?next=%2Fsettings%2F"),
            "{path}"
        );
    }
    // Submitting the form requires the confirmation, just as opening the page does.
    let late = browser.submit(&page, "/settings/email", &[("email", "other@example.com")]);
    let confirm = browser.follow(&late);
    assert_eq!(server.mails("other@example.com"), []);
    let wrong = browser.submit(&confirm, "/password/confirm", &[("password", "wrong")]);
    assert_eq!(wrong.status, 422);
    let before = session(&browser).unwrap();
    let on = browser.submit(&wrong, "/password/confirm", &[("password", PASSWORD)]);
    assert_eq!(on.header("location"), Some("/settings/email"));
    assert_ne!(session(&browser).unwrap(), before);
    assert_eq!(browser.get("/settings/email").status, 200);
    browser.set_cookie("grootboek-session", &before);
    assert!(!browser.is_signed_in());
}
