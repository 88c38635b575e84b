//! `/password/…`: resetting a forgotten password, and changing a password.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use store::accounts::Plan;

const NEW: &str = "acht kippen lezen de krant";

/// Requests a reset email and returns its link.
fn link(visit: &Visit) -> String {
    visit.goto("/login");
    visit.press_t("password-forgot-link");
    visit.fill(visit.t("field-email"), KIM);
    visit.press_t("forgot-button");
    visit.see_t("sent-title");
    visit.mail(KIM, 1).link()
}

#[test]
fn resetting_a_forgotten_password_by_mail_ends_all_sessions() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let session = visit.cookie("grootboek-session").unwrap().value;
        visit.delete_cookies();
        let link = link(&visit);
        visit.goto(&link);
        visit.fill(visit.t("field-new-password"), "password");
        visit.press_t("reset-button");
        visit.see_t("fault-password-common");
        visit.fill(visit.t("field-new-password"), NEW);
        visit.press_t("reset-button");
        visit.see_t("done-password-set");
        visit.goto(&link);
        visit.see_t("link-spent-title");
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("fault-sign-in");
        visit.sign_in_by_form(KIM, NEW);
        visit.see_t("home-title");
        let response = visit.server.send(
            "GET",
            "/settings",
            &[("cookie", &format!("grootboek-session={session}"))],
            None,
        );
        assert_eq!(response.status, 303);
    }
}

#[test]
fn an_address_without_account_gets_no_mail_and_the_same_page() {
    let visit = Visit::start(BrowserOptions::default());
    visit.goto("/password/forgot");
    visit.fill(visit.t("field-email"), "nobody@example.com");
    visit.press_t("forgot-button");
    visit.see_t("forgot-sent-text");
    assert_eq!(visit.server.mails("nobody@example.com"), []);
}

#[test]
fn a_changed_password_signs_other_browsers_out() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let other_session = visit.cookie("grootboek-session").unwrap().value;
        visit.sign_in(KIM);
        visit.goto("/settings/security");
        visit.press_t("security-change-password");
        visit.fill(visit.t("field-current-password"), NEW);
        visit.fill(visit.t("field-new-password"), NEW);
        visit.press_t("security-change-password");
        visit.see_t("fault-password");
        visit.fill(visit.t("field-current-password"), PASSWORD);
        visit.fill(visit.t("field-new-password"), NEW);
        visit.press_t("security-change-password");
        visit.see_t("done-password-changed");
        let answer = visit.server.send(
            "GET",
            "/settings",
            &[("cookie", &format!("grootboek-session={other_session}"))],
            None,
        );
        assert_eq!(answer.status, 303);
        visit.sign_out();
        visit.sign_in_by_form(KIM, NEW);
        visit.see_t("home-title");
    }
}

#[test]
fn the_pages_are_accessible() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    visit.assert_page_accessible("/password/forgot", "forgot");
    visit.assert_page_accessible("/password/sent", "sent");
    visit.assert_page_accessible("/password/reset?token=spent", "spent");
    let link = link(&visit);
    visit.assert_page_accessible(&link[link.find("/password").unwrap()..], "reset");
    visit.sign_in(KIM);
    visit.assert_page_accessible("/settings/password", "change");
    visit.assert_page_accessible("/password/confirm?next=%2Fsettings", "fresh");
}
