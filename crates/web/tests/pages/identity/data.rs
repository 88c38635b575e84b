//! Data export, and closing the account.

use crate::{
    help::{EMAIL, PASSWORD, fault_of, mails, session, signed_in, visit},
    identity::second_factor::{code, set_up},
};
use testing::{Server, on_both_engines, page::value_of};

on_both_engines! {
    fn the_export_contains_everything_but_secrets(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/data/export");
        let file = browser.submit(&page, "/settings/data/export", &[]);
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/json")));
        assert_eq!(
            file.header("content-disposition"),
            Some("attachment; filename=\"grootboek-2026-03-15.json\"")
        );
        assert!(file.json().to_string().contains(EMAIL));
        assert!(!file.text.contains("argon2") && !file.text.contains(&session(&browser).unwrap()));
        assert!(browser.get("/settings/security").text.contains("Data downloaded"));
    }

    fn a_session_alone_cannot_close_the_account(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let meant =
            |password: &'static str| [("email", EMAIL), ("kept", "yes"), ("password", password)];
        // The password is required even if it was entered a moment ago.
        for wrong in ["", "wrong"] {
            let page = browser.get("/settings/data/close");
            let refused = browser.submit(&page, "/settings/data/close", &meant(wrong));
            assert_eq!(refused.status, 422, "{wrong}");
            assert!(fault_of(&refused, "password").unwrap().contains("isn’t your password"));
            assert!(
                fault_of(&refused, "email").is_none() && fault_of(&refused, "kept-yes").is_none()
            );
            assert_eq!(
                value_of(&refused, "password").unwrap_or_default(),
                "",
                "the password must not come back in the form"
            );
        }
        // A second factor is required too: no code, a wrong one and a used one are rejected.
        let (seed, _) = set_up(&server, &browser);
        let page = browser.get("/settings/data/close");
        let used = code(&server, &seed);
        for (input, status) in [("", 422), ("000000", 422), (used.as_str(), 422)] {
            let fields = [&meant(PASSWORD)[..], &[("code", input)]].concat();
            let refused = browser.submit(&page, "/settings/data/close", &fields);
            assert_eq!(refused.status, status, "{input}");
            assert!(fault_of(&refused, "code").is_some(), "{input}");
        }
        assert!(browser.is_signed_in());
        server.clock.set("2026-03-15T11:09:00Z");
        // The right code without the password is rejected.
        let fresh = code(&server, &seed);
        let fields = [&meant("wrong")[..], &[("code", fresh.as_str())]].concat();
        assert_eq!(browser.submit(&page, "/settings/data/close", &fields).status, 422);
        let fields = [&meant(PASSWORD)[..], &[("code", fresh.as_str())]].concat();
        let closed = browser.submit(&page, "/settings/data/close", &fields);
        assert_eq!((closed.status, closed.header("location")), (303, Some("/?done=closed")));
        assert_eq!(visit(&server).sign_in(EMAIL, PASSWORD).status, 422);
    }

    fn an_account_is_closed_for_good_after_confirmation(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let other = visit(&server);
        assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 303);
        let key = server.key(EMAIL, true, true);
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        let page = browser.get("/settings/data/close");
        assert!(page.text.contains("seven years") && page.text.contains("article 52 AWR"));
        let unsure =
            browser.submit(&page, "/settings/data/close", &[("email", "other@example.com")]);
        assert_eq!(unsure.status, 422);
        assert!(fault_of(&unsure, "password").unwrap().contains("isn’t your password"));
        assert!(fault_of(&unsure, "email").unwrap().contains("exactly"));
        assert!(fault_of(&unsure, "kept-yes").unwrap().contains("kept your records"));
        assert!(browser.is_signed_in());
        let closed = browser.submit(
            &page,
            "/settings/data/close",
            &[("email", " Anna@Example.com"), ("kept", "yes"), ("password", PASSWORD)],
        );
        assert_eq!(closed.header("location"), Some("/?done=closed"));
        assert_eq!(session(&browser), None);
        assert!(browser.follow(&closed).text.contains("Your account is deleted."));
        assert!(!other.is_signed_in());
        assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 422);
        assert_eq!(server.get(&key, "/api/v1/account").status, 401);
        assert_eq!(mails(&server, EMAIL, 1)[0].subject, "Your account at Grootboek is deleted");
    }
}
