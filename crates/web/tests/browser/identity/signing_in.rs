//! `/login` and signing out.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::{BrowserOptions, Cookie};
use store::accounts::Plan;

#[test]
fn signing_in_leads_where_one_wanted_to_go() {
    for options in BOTH {
        let visit = Visit::start(options);
        visit.account(KIM, "NL", Plan::Starter);
        visit.goto("/settings/security");
        visit.arrive("/login");
        visit.fill(visit.t("field-email"), KIM);
        visit.fill(visit.t("field-password"), "niet dit wachtwoord");
        visit.press_t("sign-in-button");
        visit.see_t("fault-sign-in");
        visit.assert_accessible();
        assert_eq!((visit.value("email").as_str(), visit.value("password").as_str()), (KIM, ""));
        visit.fill(visit.t("field-password"), PASSWORD);
        visit.press_t("sign-in-button");
        visit.arrive("/settings/security");
        visit.see_t("sessions-this");
    }
}

#[test]
fn an_address_without_account_and_a_wrong_password_look_alike() {
    let visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    let reported = |email: &str| {
        visit.sign_in_by_form(email, "niet dit wachtwoord");
        visit.see_t("fault-sign-in");
        visit.text()
    };
    assert_eq!(reported(KIM), reported("nobody@example.com"));
}

#[test]
fn who_tries_too_often_is_asked_to_wait_and_gets_in_afterwards() {
    let visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    let mut tries = 0;
    while !visit.text().contains("Wacht") {
        visit.sign_in_by_form(KIM, "niet dit wachtwoord");
        tries += 1;
        assert!(tries < 20, "{}", visit.text());
    }
    visit.assert_accessible();
    visit.later(3600);
    visit.sign_in_by_form(KIM, PASSWORD);
    visit.see_t("home-title");
}

#[test]
fn after_signing_out_the_back_button_shows_nothing_private() {
    for options in BOTH {
        for path in ["/", "/settings"] {
            let visit = Visit::start(options);
            visit.account(KIM, "NL", Plan::Starter);
            visit.sign_in_by_form(KIM, PASSWORD);
            visit.see_t("home-title");
            if path != "/" {
                visit.goto(path);
            }
            visit.arrive(path);
            let old = visit.cookie("grootboek-session").unwrap();
            visit.sign_out();
            visit.back();
            visit.see_t("sign-in-title");
            assert!(!visit.text().contains(KIM) && !visit.has("form[action='/logout']"), "{}", visit.text());
            if path != "/" {
                // The page before it, which the sign-in led to.
                visit.back();
                visit.see_t("welcome-title");
            }
            let mut stolen = Cookie::new("grootboek-session", old.value);
            stolen.set_path("/");
            visit.set_cookie(stolen);
            visit.goto("/settings");
            visit.arrive("/login");
        }
    }
}

#[test]
fn a_form_whose_session_is_gone_is_kept_for_the_next_sign_in() {
    let visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/settings");
    visit.delete_cookies();
    visit.press_t("save");
    visit.see_t("kept-sign-in");
    visit.assert_accessible();
}

#[test]
fn everybody_can_use_the_page() {
    Visit::start(BrowserOptions::default()).everybody_can_use("/login", "sign-in");
}
