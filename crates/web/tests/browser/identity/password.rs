//! `/password/…`: a forgotten password, and one that is changed.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use store::accounts::Plan;

const NEW: &str = "acht kippen lezen de krant";

/// Asks for a link and gives it.
fn link(visit: &Visit) -> String {
    visit.goto("/login");
    visit.press_t("password-forgot-link");
    visit.fill(visit.t("field-email"), KIM);
    visit.press_t("forgot-button");
    visit.see_t("sent-title");
    visit.mail(KIM, 1).link()
}

#[test]
fn a_forgotten_password_is_set_anew_by_mail_and_ends_all_sessions() {
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
        let elsewhere = visit.server.send("GET", "/settings", &[("cookie", &format!("grootboek-session={session}"))], None);
        assert_eq!(elsewhere.status, 303);
    }
}

#[test]
fn an_address_without_account_gets_no_mail_and_the_page_does_not_tell() {
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
        let elsewhere = visit.cookie("grootboek-session").unwrap().value;
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
        let answer = visit.server.send("GET", "/settings", &[("cookie", &format!("grootboek-session={elsewhere}"))], None);
        assert_eq!(answer.status, 303);
        visit.sign_out();
        visit.sign_in_by_form(KIM, NEW);
        visit.see_t("home-title");
    }
}

#[test]
fn everybody_can_use_the_pages() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    visit.everybody_can_use("/password/forgot", "forgot");
    visit.everybody_can_use("/password/sent", "sent");
    visit.everybody_can_use("/password/reset?token=spent", "spent");
    let link = link(&visit);
    visit.everybody_can_use(&link[link.find("/password").unwrap()..], "reset");
    visit.sign_in(KIM);
    visit.everybody_can_use("/settings/password", "change");
    visit.everybody_can_use("/password/confirm?next=%2Fsettings", "fresh");
}
