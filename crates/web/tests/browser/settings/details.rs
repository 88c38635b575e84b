//! `/settings…`: details, language, sessions, email address, data.

use crate::{BOTH, KIM, PASSWORD, PHONE, Visit};
use browser_testing::{Browser, BrowserOptions};
use std::collections::HashMap;
use store::accounts::Plan;

#[test]
fn each_detail_is_validated_and_saved() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/settings");
        for (field, wrong, fault) in [
            ("field-postal-code", "12", "fault-invalid-postal-code"),
            ("field-kvk-number", "1", "fault-invalid-kvk-number"),
            ("field-vat-number", "NL1", "fault-vat-number-form"),
            ("field-iban", "NL00BANK0123456789", "fault-iban-check-digits"),
        ] {
            visit.fill(visit.t(field), wrong);
            visit.press_t("save");
            visit.see(visit.t(fault).rsplit('}').next().unwrap());
            assert_eq!(visit.value(visit.t(field)), wrong);
        }
        visit.assert_accessible();
        for (field, right) in [
            ("field-postal-code", "1234 AB"),
            ("field-city", "Ons Dorp"),
            ("field-kvk-number", "12345678"),
            ("field-vat-number", ""),
            ("field-iban", "NL91 ABNA 0417 1643 00"),
        ] {
            visit.fill(visit.t(field), right);
        }
        visit.press_t("save");
        visit.see_t("done-saved");
        assert_eq!(visit.value("address.city"), "Ons Dorp");
    }
}

#[test]
fn the_terms_and_the_look_of_invoices_are_chosen() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/settings/invoices");
        visit.assert_accessible();
        for (field, wrong, fault) in [
            ("field-payment-term", "400", "fault-whole-out-of-range-at-payment-term-days"),
            ("field-number-pattern", "{year}", "fault-pattern-incomplete"),
        ] {
            visit.fill(visit.t(field), wrong);
            visit.press_t("save");
            visit.see(visit.t(fault).rsplit('}').next().unwrap());
            assert_eq!(visit.value(visit.t(field)), wrong);
        }
        visit.assert_accessible();
        visit.fill(visit.t("field-payment-term"), "14");
        visit.fill(visit.t("field-number-pattern"), "F{year}-{number:3}");
        visit.press_t("save");
        visit.see_t("done-saved");
        visit.see("F2026-001");
        assert_eq!(visit.value("paymentTermDays"), "14");
    }
}

#[test]
fn the_language_of_the_account_overrides_that_of_the_browser() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/settings/language");
    visit.choose("language", "en");
    visit.press_t("save");
    visit.see("The settings are saved.");
    visit.goto("/");
    let english = BrowserOptions { language: "en", ..visit.options() };
    assert_eq!(visit.attribute_of("html", "lang").as_deref(), Some("en"));
    visit.set(english);
    visit.goto("/settings/language");
    visit.choose("language", "nl");
    visit.press_t("save");
    visit.see("De instellingen zijn opgeslagen.");
}

#[test]
fn a_session_in_another_browser_is_ended() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let other =
            Browser::start(&format!("http://{}", visit.server.address), BrowserOptions::default());
        let theirs = visit.cookie("grootboek-session").unwrap();
        other.goto("/healthz");
        other.set_cookie(theirs);
        other.goto("/settings");
        other.arrive("/settings");
        visit.sign_in(KIM);
        visit.goto("/settings/security");
        visit.submit("/end");
        visit.see_t("done-session-ended");
        other.reload();
        other.arrive("/login");
        visit.sign_in(KIM);
        visit.goto("/settings/security");
        visit.press_t("sessions-end-others");
        visit.see_t("done-sessions-ended");
        assert!(!visit.has("form[action*='/settings/sessions/']"));
    }
}

#[test]
fn an_address_is_changed_by_a_link_sent_to_the_new_one() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/settings/security");
        visit.press_t("security-change-email");
        visit.fill(visit.t("email-change-new"), "kim");
        visit.press_t("email-change-button");
        visit.see_t("fault-invalid-email");
        visit.fill(visit.t("email-change-new"), "new@example.com");
        visit.press_t("email-change-button");
        visit.see_t("done-email-mailed");
        visit.goto(&visit.mail("new@example.com", 1).link());
        visit.press_t("email-confirm-button");
        visit.see_t("done-email-changed");
        visit.delete_cookies();
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("fault-sign-in");
        visit.sign_in_by_form("new@example.com", PASSWORD);
        visit.see_t("home-title");
    }
}

#[test]
fn an_account_is_closed_after_its_data_are_downloaded() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let key = visit.server.key(KIM, true, true);
        let folder = tempfile::tempdir().unwrap();
        visit.download_to(folder.path());
        visit.goto("/settings/data");
        visit.press_t("export-title");
        visit.press_in_place(visit.t("export-button"));
        let file = visit.downloaded(&folder.path().join("grootboek-2026-03-15.json"));
        assert!(String::from_utf8(file).unwrap().contains(KIM));
        visit.goto("/settings/data");
        visit.press_t("close-title");
        visit.press_t("close-button");
        visit.see_t("fault-close-email");
        visit.see_t("fault-close-kept");
        visit.fill(visit.t("close-email"), KIM);
        visit.fill(visit.t("field-password"), PASSWORD);
        visit.tick(visit.t("close-kept"));
        visit.press_t("close-button");
        visit.see_t("done-closed");
        visit.sign_in_by_form(KIM, PASSWORD);
        visit.see_t("fault-sign-in");
        assert_eq!(visit.server.get(&key, "/api/v1/account").status, 401);
    }
}

#[test]
fn the_pages_are_accessible() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    for (path, name) in [
        ("/", "overview"),
        ("/settings", "settings"),
        ("/settings/security", "security"),
        ("/settings/email", "email"),
        ("/settings/data", "data"),
        ("/settings/data/export", "export"),
        ("/settings/data/close", "close"),
        ("/email/confirm?token=spent", "email-spent"),
    ] {
        visit.assert_page_accessible(path, name);
    }
}

#[test]
fn every_page_has_a_title_of_its_own_and_working_links() {
    let visit = Visit::start(BrowserOptions::default());
    visit.account(KIM, "NL", Plan::Starter);
    let mut titles: HashMap<String, &str> = HashMap::new();
    let mut visit_page = |path| {
        visit.goto(path);
        let title = visit.title();
        assert!(title.ends_with(" – Grootboek"), "{path}: {title}");
        let other_path = titles.insert(title.clone(), path);
        assert_eq!(other_path, None, "{path} has the title {title} too");
        let links = visit.script(
            "return [...document.links].map(link => link.getAttribute('href').split('#')[0])",
            vec![],
        );
        let session = visit
            .cookie("grootboek-session")
            .map(|cookie| format!("grootboek-session={}", cookie.value))
            .unwrap_or_default();
        for link in links
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|link| link.as_str())
            .filter(|link| !link.is_empty())
        {
            let status = visit.server.send("GET", link, &[("cookie", &session)], None).status;
            assert!(status < 400, "{path} links to {link}, which answers {status}");
        }
    };
    for path in [
        "/",
        "/signup",
        "/login",
        "/confirm/again",
        "/password/forgot",
        "/password/sent",
        "/nowhere",
    ] {
        visit_page(path);
    }
    visit.sign_in(KIM);
    for path in [
        "/",
        "/api-access",
        "/settings",
        "/settings/security",
        "/settings/password",
        "/settings/email",
        "/settings/second-factor",
        "/settings/data",
        "/settings/data/export",
        "/settings/data/close",
        "/password/confirm",
    ] {
        visit_page(path);
    }
}

#[test]
fn a_long_word_as_a_name_widens_no_page() {
    let visit = Visit::signed_in(PHONE);
    let key = visit.server.key(KIM, true, true);
    let _ = visit.server.get(&key, "/api/v1/account");
    let _ = visit.server.get(&key, "/api/v1/nowhere");
    visit.server.write(|tx| {
        let long = "W".repeat(255);
        for table in ["accounts", "api_keys"] {
            tx.execute(&format!("UPDATE {table} SET name = ?1"), &store::params![&long])?;
        }
        Ok(tx.execute(
            "UPDATE accounts SET number_pattern = ?1",
            &store::params![&format!("{}{{year}}{{number}}", "W".repeat(26))],
        )?)
    });
    for path in ["/", "/api-access", "/settings", "/settings/security", "/settings/data"] {
        visit.goto(path);
        let open = "document.querySelectorAll('details').forEach(it => { it.open = true }); \
                    return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(
            visit.script(open, Vec::new()).as_i64(),
            Some(0),
            "{path}: {}",
            visit.screenshot("long-names").display()
        );
    }
    visit.goto("/api-access");
    visit.see_t("access-call-nowhere");
}

#[test]
fn the_language_is_changed_in_the_footer() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let other = |tag| if tag == "nl" { ("en", "language-en") } else { ("nl", "language-nl") };
        let (tag, name) = other(options.language);
        visit.server.write(move |tx| {
            Ok(tx.execute("UPDATE people SET language = ?1", &store::params![other(tag).0])?)
        });
        visit.goto("/api-access");
        assert_eq!(visit.attribute_of("html", "lang").as_deref(), Some(options.language));
        visit.press_t(name);
        visit.arrive("/api-access");
        assert_eq!(visit.attribute_of("html", "lang").as_deref(), Some(tag));
    }
}
