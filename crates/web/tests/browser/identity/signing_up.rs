//! `/signup` and `/confirm`: creation of an account.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use store::accounts::Plan;

/// Fills in the form and submits it.
fn sign_up(visit: &Visit, email: &str, password: &str, name: &str) {
    visit.goto("/signup");
    visit.fill(visit.t("field-email"), email);
    visit.fill(visit.t("field-password"), password);
    visit.fill(visit.t("field-name"), name);
    visit.choose("country", "NL");
    visit.press_t("sign-up-button");
}

#[test]
fn a_confirmation_mail_opens_the_account_once() {
    for options in BOTH {
        let visit = Visit::start(options);
        visit.goto("/");
        visit.press_t("welcome-sign-up");
        visit.arrive("/signup");
        sign_up(&visit, KIM, PASSWORD, "Kim & zn.");
        visit.see_t("sent-title");
        let link = visit.mail(KIM, 1).link();
        visit.goto(&link);
        visit.fill(visit.t("field-password"), "niet dit wachtwoord");
        visit.press_t("confirm-button");
        visit.see_t("fault-confirm-password");
        visit.fill(visit.t("field-password"), PASSWORD);
        visit.press_t("confirm-button");
        visit.see_t("done-confirmed");
        visit.see_t("home-title");
        // The navigation names the signed-in user; on a phone, inside its menu.
        let is_phone = visit.options().width < 600;
        if is_phone {
            visit.press_t("nav-menu");
        }
        visit.see("Kim & zn.");
        if is_phone {
            visit.press_t("nav-menu");
        }
        visit.sign_out();
        visit.goto(&link);
        visit.see_t("link-spent-title");
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("home-title");
    }
}

#[test]
fn invalid_input_is_kept_and_reported_at_its_field() {
    for options in BOTH {
        let visit = Visit::start(options);
        sign_up(&visit, "kim", "password", " ");
        for fault in ["fault-invalid-email", "fault-password-common"] {
            visit.see_t(fault);
        }
        visit.see_around("fault-invalid-name");
        visit.assert_accessible();
        assert_eq!((visit.value("email").as_str(), visit.value("password").as_str()), ("kim", ""));
        sign_up(&visit, KIM, "1234567", "Kim");
        visit.see("8");
        sign_up(&visit, KIM, KIM, "Kim");
        visit.see_t("fault-password-personal");
    }
}

#[test]
fn only_the_mail_reveals_that_an_address_has_an_account() {
    let visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Free);
    sign_up(&visit, KIM, PASSWORD, "Iemand anders");
    visit.see_t("sign-up-sent-text");
    assert_eq!(visit.mail(KIM, 1).subject, "Je hebt al een account bij Grootboek");
    sign_up(&visit, "new@example.com", PASSWORD, "Iemand anders");
    visit.see_t("sign-up-sent-text");
}

#[test]
fn a_lost_confirmation_mail_can_be_sent_again() {
    for options in BOTH {
        let visit = Visit::start(options);
        sign_up(&visit, KIM, PASSWORD, "Kim");
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("fault-sign-in");
        visit.see_t("sign-in-no-mail");
        visit.assert_accessible();
        // Signing in with the right password already sent the email again.
        visit.mail(KIM, 2);
        visit.press_t("confirm-again-title");
        visit.fill(visit.t("field-email"), KIM);
        visit.press_t("confirm-again-button");
        visit.see_t("sent-title");
        visit.goto(&visit.mail(KIM, 3).link());
        visit.fill(visit.t("field-password"), PASSWORD);
        visit.press_t("confirm-button");
        visit.see_t("done-confirmed");
    }
}

#[test]
fn the_pages_are_accessible() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.assert_page_accessible("/signup", "sign-up");
    sign_up(&visit, "kim", "password", " ");
    visit.assert_current_page_accessible("sign-up-faults");
    sign_up(&visit, KIM, PASSWORD, "Kim");
    visit.assert_current_page_accessible("sign-up-sent");
    let link = visit.mail(KIM, 1).link();
    let path = &link[link.find("/confirm").unwrap()..];
    visit.assert_page_accessible(path, "confirm");
    visit.assert_page_accessible("/confirm?token=spent", "spent");
    visit.assert_page_accessible("/confirm/again", "again");
}
