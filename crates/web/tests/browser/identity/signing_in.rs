//! `/login` and sign-out.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::{BrowserOptions, Cookie};
use store::accounts::Plan;

#[test]
fn signing_in_returns_to_the_requested_page() {
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
fn an_unknown_address_and_a_wrong_password_get_the_same_page() {
    let visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    let page_text = |email: &str| {
        visit.sign_in_by_form(email, "niet dit wachtwoord");
        visit.see_t("fault-sign-in");
        visit.text()
    };
    assert_eq!(page_text(KIM), page_text("nobody@example.com"));
}

#[test]
fn too_many_attempts_have_to_wait_before_the_next() {
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
            assert!(
                !visit.text().contains(KIM) && !visit.has("form[action='/logout']"),
                "{}",
                visit.text()
            );
            if path != "/" {
                // Going back once more leads to the page that the sign-in had redirected to.
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
fn a_form_sent_without_a_session_is_kept_for_the_next_sign_in() {
    let visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/settings");
    visit.delete_cookies();
    visit.press_t("save");
    visit.see_t("kept-sign-in");
    visit.assert_accessible();
}

#[test]
fn the_page_is_accessible() {
    Visit::start(BrowserOptions::default()).assert_page_accessible("/login", "sign-in");
}
