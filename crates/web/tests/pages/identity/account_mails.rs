//! Emails to account owners are in the outbox before the response, so that a crash cannot lose
//! them.

use crate::{
    help::{EMAIL, PASSWORD, mailed_path, mails, open, signed_in, visit},
    identity::second_factor::{code, set_up},
};
use testing::{Raw, Server, on_both_engines};

const NEW: &str = "vier kleine vlinders";

/// Subjects of the emails in the outbox; sends them afterwards.
fn waiting(server: &Server) -> Vec<String> {
    let rows = Raw::open(&server.database)
        .rows("SELECT subject FROM mails WHERE status = 'queued' ORDER BY subject");
    server.deliver_mails();
    rows.into_iter().filter_map(|row| row.into_iter().next().flatten()).collect()
}

on_both_engines! {
    fn a_change_of_sign_in_methods_and_its_mail_are_written_together(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let (secret, codes) = set_up(&server, &browser);

        let page = browser.get("/settings/password");
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/settings/password",
                    &[("password", PASSWORD), ("new_password", NEW)]
                )
                .status,
            303
        );
        assert_eq!(waiting(&server), ["Your password for Grootboek was changed"]);

        let other = visit(&server);
        assert_eq!(other.sign_in(EMAIL, NEW).header("location"), Some("/login/code"));
        let page = other.get("/login/code");
        assert_eq!(other.submit(&page, "/login/code", &[("code", &codes[0])]).status, 303);
        assert_eq!(waiting(&server).len(), 1);

        server.clock.set("2026-03-15T11:02:00Z");
        let page = browser.get("/settings/recovery-codes");
        assert_eq!(
            browser
                .submit(&page, "/settings/recovery-codes", &[("code", &code(&server, &secret))])
                .status,
            200
        );
        assert_eq!(waiting(&server).len(), 1);

        // A used code changes nothing and sends no email.
        let page = browser.get("/settings/second-factor/off");
        assert_eq!(
            browser
                .submit(&page, "/settings/second-factor/off", &[("code", &code(&server, &secret))])
                .status,
            422
        );
        assert_eq!(waiting(&server), [""; 0]);
        server.clock.set("2026-03-15T11:04:00Z");
        assert_eq!(
            browser
                .submit(&page, "/settings/second-factor/off", &[("code", &code(&server, &secret))])
                .status,
            303
        );
        assert_eq!(waiting(&server).len(), 1);
        assert_eq!(server.mails(EMAIL).len(), 5);
    }

    fn a_new_address_and_a_password_reset_are_written_together_with_their_mails(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/email");
        let _ = browser.submit(&page, "/settings/email", &[("email", "new@example.com")]);
        let link = mailed_path(&server, "new@example.com", 1);
        let page = browser.get(&link);
        assert_eq!(browser.submit(&page, "/email/confirm", &[]).status, 303);
        assert_eq!(waiting(&server).len(), 1);
        assert_eq!(mails(&server, EMAIL, 1).len(), 1);

        let browser = visit(&server);
        let page = browser.get("/password/forgot");
        let _ = browser.submit(&page, "/password/forgot", &[("email", "new@example.com")]);
        let link = mailed_path(&server, "new@example.com", 2);
        let page = browser.get(&link);
        assert_eq!(browser.submit(&page, "/password/reset", &[("password", NEW)]).status, 303);
        assert_eq!(waiting(&server), ["Your password for Grootboek was changed"]);
    }

    fn the_closing_mail_survives_the_erasure_of_the_account(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings/data/close");
        assert_eq!(
            browser
                .submit(
                    &page,
                    "/settings/data/close",
                    &[("email", EMAIL), ("kept", "yes"), ("password", PASSWORD)]
                )
                .status,
            303
        );
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(server.app.sweep()).unwrap();
        assert_eq!(waiting(&server), ["Your account at Grootboek is deleted"]);
        assert_eq!(mails(&server, EMAIL, 1).len(), 1);
        assert_eq!(Raw::open(&server.database).rows("SELECT id FROM mails").len(), 0);
    }

    fn an_address_without_an_account_leaves_nothing_in_the_outbox(engine) {
        let server = Server::start(engine);
        open(&server, EMAIL);
        let browser = visit(&server);
        for path in ["/password/forgot", "/confirm/again"] {
            let page = browser.get(path);
            assert_eq!(
                browser.submit(&page, path, &[("email", "nobody@example.com")]).status,
                303,
                "{path}"
            );
        }
        server.deliver_mails();
        assert_eq!(Raw::open(&server.database).rows("SELECT id FROM mails").len(), 0);
        assert_eq!(server.mails("nobody@example.com"), []);
    }
}
