//! Second factor: setup, sign-in, recovery codes, removal.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use service::environment::Clock;
use store::accounts::Plan;
use testing::authenticator;

/// Code that the authenticator app shows now.
fn code(visit: &Visit, seed: &str) -> String {
    authenticator::code(seed, visit.server.clock.now())
}

/// Sets up the second factor; returns the seed and the recovery codes.
fn set_up(visit: &Visit) -> (String, Vec<String>) {
    visit.goto("/settings/security");
    visit.press_t("second-factor-on-button");
    let seed = visit.text_of("#secret");
    visit.fill(visit.t("field-code"), "000000");
    visit.press_t("second-factor-finish");
    visit.see_t("fault-code");
    assert_eq!(visit.text_of("#secret"), seed);
    visit.fill(visit.t("field-code"), &code(visit, &seed));
    visit.press_t("second-factor-finish");
    visit.see_t("second-factor-done");
    (seed, visit.text_of("#codes").lines().map(str::to_owned).collect())
}

/// Submits a code on the second page of the sign-in.
fn submit(visit: &Visit, code: &str) {
    visit.fill(visit.t("field-code"), code);
    visit.press_t("sign-in-button");
}

#[test]
fn it_is_set_up_used_replaced_by_a_recovery_code_and_turned_off() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let (seed, recovery) = set_up(&visit);
        assert_eq!(recovery.len(), 10);
        visit.press_t("recovery-codes-kept");
        visit.see_t("second-factor-is-on");
        visit.sign_out();

        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("code-title");
        visit.goto("/settings");
        visit.arrive("/login/code");
        submit(&visit, "000000");
        visit.see_t("fault-code");
        visit.later(30);
        submit(&visit, &code(&visit, &seed));
        visit.arrive("/settings");
        visit.sign_out();

        visit.sign_in_by_form(KIM, PASSWORD);
        submit(&visit, &recovery[0]);
        visit.see_t("home-title");
        visit.sign_out();

        visit.later(60);
        visit.sign_in_by_form(KIM, PASSWORD);
        submit(&visit, &recovery[0]);
        visit.see_t("fault-recovery-code");
        submit(&visit, &recovery[1]);
        visit.see_t("home-title");

        visit.goto("/settings/security");
        visit.press_t("recovery-codes-new-title");
        visit.later(60);
        visit.fill(visit.t("field-code"), &code(&visit, &seed));
        visit.press_t("recovery-codes-new-button");
        assert!(!visit.text_of("#codes").contains(&recovery[2]));
        visit.press_t("recovery-codes-kept");
        visit.press_t("second-factor-off-button");
        visit.see_t("second-factor-off-text");
        visit.later(60);
        visit.fill(visit.t("field-code"), &code(&visit, &seed));
        visit.press_t("second-factor-off-button");
        visit.see_t("done-second-factor-off");
        visit.sign_out();
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("home-title");
    }
}

#[test]
fn a_password_reset_does_not_bypass_it() {
    let visit = Visit::signed_in(BrowserOptions::default());
    let (_, recovery) = set_up(&visit);
    visit.delete_cookies();
    visit.goto("/password/forgot");
    visit.fill(visit.t("field-email"), KIM);
    visit.press_t("forgot-button");
    visit.see_t("sent-title");
    let mails = visit.server.mails(KIM).len().max(1);
    let mail = (1..=mails + 1)
        .map(|place| visit.mail(KIM, place))
        .find(|mail| mail.text.contains("/password/reset"));
    visit.goto(&mail.unwrap().link());
    visit.fill(visit.t("field-new-password"), "acht kippen lezen de krant");
    visit.press_t("reset-button");
    visit.see_t("done-password-set");
    visit.sign_in_by_form(KIM, "acht kippen lezen de krant");
    visit.see_t("code-title");
    submit(&visit, &recovery[0]);
    visit.see_t("home-title");
}

#[test]
fn the_pages_are_accessible() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    visit.sign_in(KIM);
    visit.assert_page_accessible("/settings/second-factor", "set-up");
    let _ = set_up(&visit);
    visit.assert_current_page_accessible("recovery-codes");
    visit.assert_page_accessible("/settings/second-factor/off", "off");
    visit.assert_page_accessible("/settings/recovery-codes", "new-codes");
    visit.sign_in(KIM);
    visit.assert_page_accessible("/login/code", "code");
}
