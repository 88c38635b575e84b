//! Taking all data along, and closing the account.

use crate::help::{EMAIL, PASSWORD, fault_of, mails, session, signed_in, visit};
use testing::{Server, on_both_engines};

on_both_engines! {
    fn everything_is_downloaded_but_secrets(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/data/export");
        let file = browser.submit(&page, "/settings/data/export", &[]);
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/json")));
        assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"grootboek-2026-03-15.json\""));
        assert!(file.json().to_string().contains(EMAIL));
        assert!(!file.text.contains("argon2") && !file.text.contains(&session(&browser).unwrap()));
        assert!(browser.get("/settings/security").text.contains("Data downloaded"));
    }

    fn an_account_is_closed_for_good_once_its_owner_means_it(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let other = visit(&server);
        assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 303);
        let key = server.key(EMAIL, true, true);
        assert_eq!(server.get(&key, "/api/v1/account").status, 200);
        let page = browser.get("/settings/data/close");
        assert!(page.text.contains("seven years") && page.text.contains("article 52 AWR"));
        let unsure = browser.submit(&page, "/settings/data/close", &[("email", "other@example.com")]);
        assert_eq!(unsure.status, 422);
        assert!(fault_of(&unsure, "email").unwrap().contains("exactly"));
        assert!(fault_of(&unsure, "kept-yes").unwrap().contains("kept your records"));
        assert!(browser.is_signed_in());
        let closed = browser.submit(&page, "/settings/data/close", &[("email", " Anna@Example.com"), ("kept", "yes")]);
        assert_eq!(closed.header("location"), Some("/?done=closed"));
        assert_eq!(session(&browser), None);
        assert!(browser.follow(&closed).text.contains("Your account is deleted."));
        assert!(!other.is_signed_in());
        assert_eq!(other.sign_in(EMAIL, PASSWORD).status, 422);
        assert_eq!(server.get(&key, "/api/v1/account").status, 401);
        assert_eq!(mails(&server, EMAIL, 1)[0].subject, "Your account at Grootboek is deleted");
    }
}
