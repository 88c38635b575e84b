//! `/signup` and `/confirm`: from nothing to an account.

use crate::{BOTH, KIM, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use store::accounts::Plan;

/// Fills in the form and sends it.
fn sign_up(visit: &Visit, email: &str, password: &str, name: &str) {
    visit.goto("/signup");
    visit.fill(visit.t("field-email"), email);
    visit.fill(visit.t("field-password"), password);
    visit.fill(visit.t("field-name"), name);
    visit.choose("country", "NL");
    visit.press_t("sign-up-button");
}

#[test]
fn signing_up_leads_by_a_mail_into_the_account_once() {
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
        // Who is signed in stands in the navigation, on a phone in its menu.
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
fn what_cannot_be_used_is_told_at_its_field_and_kept() {
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
fn an_address_that_has_an_account_is_told_by_mail_only() {
    let visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Free);
    sign_up(&visit, KIM, PASSWORD, "Iemand anders");
    visit.see_t("sign-up-sent-text");
    assert_eq!(visit.mail(KIM, 1).subject, "Je hebt al een account bij Grootboek");
    sign_up(&visit, "new@example.com", PASSWORD, "Iemand anders");
    visit.see_t("sign-up-sent-text");
}

#[test]
fn whoever_lost_the_mail_gets_another_one() {
    for options in BOTH {
        let visit = Visit::start(options);
        sign_up(&visit, KIM, PASSWORD, "Kim");
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("fault-sign-in");
        visit.see_t("sign-in-no-mail");
        visit.assert_accessible();
        // The right password had it sent again already.
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
fn everybody_can_use_the_pages() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.everybody_can_use("/signup", "sign-up");
    sign_up(&visit, "kim", "password", " ");
    visit.everybody_can_use_this("sign-up-faults");
    sign_up(&visit, KIM, PASSWORD, "Kim");
    visit.everybody_can_use_this("sign-up-sent");
    let link = visit.mail(KIM, 1).link();
    let path = &link[link.find("/confirm").unwrap()..];
    visit.everybody_can_use(path, "confirm");
    visit.everybody_can_use("/confirm?token=spent", "spent");
    visit.everybody_can_use("/confirm/again", "again");
}
