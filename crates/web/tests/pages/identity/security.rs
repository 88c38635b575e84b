//! Sessions, change of the email address, and security events of the account.

use crate::help::{
    EMAIL, PASSWORD, fault_of, mailed_path, mails, open, signed_in, value_of, visit,
};
use testing::{Engine, Reply, Server, on_both_engines};

/// Action of the form that ends the first other session in the list.
fn first_end(page: &Reply) -> String {
    let mut actions = page.text.split("action=\"").map(|rest| rest.split('"').next().unwrap());
    actions
        .find(|action| action.starts_with("/settings/sessions/") && action.ends_with("/end"))
        .unwrap()
        .to_owned()
}

const CHROME: &str = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";

on_both_engines! {
    fn sessions_are_listed_and_ended_one_by_one_and_all_at_once(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let others: Vec<_> = (0..3).map(|_| visit(&server).using(CHROME)).collect();
        for other in &others {
            assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 303);
        }
        let page = browser.get("/settings/security");
        assert_eq!(page.text.matches("<bdi>Chrome, Android</bdi></h3>").count(), 3);
        assert_eq!(page.text.matches("This session").count(), 1);
        // The text for screen readers also isolates the text direction of the browser name and the
        // address.
        assert_eq!(page.text.matches("<span class=\"only-read\"> <bdi>Chrome, Android</bdi>, <bdi>127.0.0.1</bdi></span>").count(), 3);
        let action = first_end(&page);
        let ended = browser.submit(&page, &action, &[]);
        assert!(browser.follow(&ended).text.contains("That session is signed out."));
        assert_eq!(others.iter().filter(|other| other.is_signed_in()).count(), 2);
        // A double click ends the session once; an unknown session gets 404 and ends nothing.
        assert_eq!(browser.submit(&page, &action, &[]).status, 303);
        let csrf = value_of(&page, "csrf").unwrap();
        assert_eq!(
            browser.post("/settings/sessions/0123456789/end", &[("csrf", csrf.as_str())]).status,
            404
        );
        assert_eq!(
            browser.get("/settings/security").text.matches("A session signed out").count(),
            1
        );
        let ended = browser.submit(&page, "/settings/sessions/end-others", &[]);
        assert!(browser.follow(&ended).text.contains("All other sessions are signed out."));
        assert!(others.iter().all(|other| !other.is_signed_in()));
        assert!(browser.is_signed_in());
    }

    fn users_cannot_end_sessions_of_others(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let _ = visit(&server).sign_in(EMAIL, PASSWORD);
        let page = browser.get("/settings/security");
        let action = first_end(&page);
        open(&server, "eve@example.com");
        let eve = visit(&server);
        assert_eq!(eve.sign_in("eve@example.com", PASSWORD).status, 303);
        let hers = eve.get("/settings");
        let csrf = crate::help::value_of(&hers, "csrf").unwrap();
        assert_eq!(eve.post(&action, &[("csrf", csrf.as_str())]).status, 404);
        assert!(browser.get("/settings/security").text.contains(&action));
    }

    fn the_address_changes_after_confirmation_from_the_new_mailbox(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/email");
        let same = browser.submit(&page, "/settings/email", &[("email", EMAIL)]);
        assert!(fault_of(&same, "email").unwrap().contains("already has this address"));
        let sent = browser.submit(&page, "/settings/email", &[("email", "anna@new.example")]);
        assert!(browser.follow(&sent).text.contains("Until then your address stays as it was."));
        let link = mailed_path(&server, "anna@new.example", 1);
        // Opening the link changes nothing, and it works in another browser.
        let other_browser = visit(&server);
        let page = other_browser.get(&link);
        assert!(page.text.contains("<bdi>anna@new.example</bdi>"), "{}", page.text);
        assert!(browser.get("/settings/security").text.contains(EMAIL));
        let changed = other_browser.submit(&page, "/email/confirm", &[]);
        assert_eq!(changed.header("location"), Some("/login?done=email-changed"));
        assert!(browser.get("/settings/security").text.contains("anna@new.example"));
        assert_eq!(other_browser.submit(&page, "/email/confirm", &[]).status, 410);
        assert!(mails(&server, EMAIL, 1)[0].text.contains("anna@new.example"));
        assert_eq!(other_browser.sign_in("anna@new.example", PASSWORD).status, 303);
    }

    fn only_the_mailbox_learns_whether_the_new_address_has_an_account(engine) {
        let server = Server::start(engine);
        open(&server, "bob@example.com");
        let browser = signed_in(&server);
        let page = browser.get("/settings/email");
        let taken = browser.submit(&page, "/settings/email", &[("email", "bob@example.com")]);
        let free = browser.submit(&page, "/settings/email", &[("email", "free@example.com")]);
        assert_eq!(
            (taken.status, taken.header("location")),
            (free.status, free.header("location"))
        );
        mails(&server, "bob@example.com", 1);
        mails(&server, "free@example.com", 1);
    }

    fn an_invalid_id_is_not_found(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/security");
        let csrf = value_of(&page, "csrf").unwrap();
        for id in ["%00", "a%00b", "%ff", "%27", "%e2%82%ac", &"a".repeat(65)] {
            for path in [
                format!("/settings/sessions/{id}/end"),
                format!("/api-access/connections/{id}/disconnect"),
            ] {
                assert_eq!(browser.post(&path, &[("csrf", &csrf)]).status, 404, "{path}");
            }
        }
        assert_eq!(browser.post("/settings/sessions/0123abc/end", &[("csrf", &csrf)]).status, 404);
    }
}

#[test]
fn security_events_are_listed() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let guesser = visit(&server).using(CHROME);
    assert_eq!(guesser.sign_in(EMAIL, "wrong password").status, 422);
    let begun = std::time::Instant::now();
    let page = loop {
        let page = browser.get("/settings/security");
        // The event is written in the background.
        if page.text.contains("Wrong password") || begun.elapsed().as_secs() > 20 {
            break page;
        }
    };
    assert!(
        page.text
            .contains("Wrong password <span class=\"quiet-text\">(<bdi>Chrome, Android</bdi>)"),
        "{}",
        page.text
    );
    assert!(
        page.text.contains("Signed in")
            && page.text.contains("15 Mar 2026, 12:00")
            && page.text.contains("127.0.0.1")
    );
}
