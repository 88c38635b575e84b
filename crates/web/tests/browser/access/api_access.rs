//! `/api-access`: API keys are created, used and revoked.

use crate::{BOTH, NO_SCRIPTS, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use serde_json::json;
use store::accounts::Plan;

#[test]
fn a_key_is_created_shown_once_used_and_revoked() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/api-access");
        visit.fill(visit.t("access-name"), "Webwinkel");
        visit.tick(visit.t("access-read"));
        visit.press_t("access-create");
        let key = visit.text_of("[data-testid=new-key]");
        assert_eq!(visit.server.get(&key, "/api/v1/account").json()["scopes"], json!(["read"]));
        visit.press_t("access-made-done");
        visit.arrive("/api-access");
        visit.see("GET /api/v1/account");
        assert!(
            visit.text().contains("Webwinkel") && !visit.text().contains(&key),
            "{}",
            visit.text()
        );
        visit.press(&format!("{} Webwinkel", visit.t("access-revoke")));
        visit.press_t("access-revoke-yes");
        visit.see_t("done-key-revoked");
        assert_eq!(visit.server.get(&key, "/api/v1/account").status, 401);
    }
}

#[test]
fn after_ten_minutes_the_password_is_asked_for_first_and_the_input_is_kept() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.later(601);
        visit.goto("/api-access");
        visit.fill(visit.t("access-name"), "Uren & zo");
        visit.tick(visit.t("access-write"));
        visit.press_t("access-create");
        visit.see_t("fresh-title");
        visit.fill(visit.t("field-password"), "iets anders");
        visit.press_t("fresh-button");
        visit.see_t("fault-password");
        visit.fill(visit.t("field-password"), PASSWORD);
        visit.press_t("fresh-button");
        visit.arrive("/api-access");
        assert_eq!(
            (visit.value("name").as_str(), visit.ticked("read"), visit.ticked("write")),
            ("Uren & zo", false, true)
        );
        visit.press_t("access-create");
        assert!(visit.text_of("[data-testid=new-key]").starts_with("gb_live_"));
    }
}

#[test]
fn a_new_key_is_copied_by_a_button() {
    let visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/api-access");
    visit.fill("name", "Kopie");
    visit.tick("Lezen");
    visit.tick("Schrijven");
    visit.press("Sleutel aanmaken");
    let key = visit.text_of("[data-testid=new-key]");
    visit.press("Kopiëren");
    visit.see("Gekopieerd");
    assert_eq!(visit.clipboard(), key);
    // Reloading submits the form again.
    visit.reload();
    visit.see_t("access-made-before");
    visit.assert_accessible();
    assert!(!visit.text().contains(&key), "{}", visit.text());
}

#[test]
fn invalid_input_is_reported_and_gets_the_focus() {
    for options in [BrowserOptions::default(), NO_SCRIPTS] {
        let visit = Visit::signed_in(options);
        visit.goto("/api-access");
        visit.fill("Naam", "  ");
        visit.press("Sleutel aanmaken");
        visit.see("Geef de sleutel een naam van hoogstens 255 tekens.");
        visit.see("Kies er minstens één: lezen of schrijven.");
        visit.assert_accessible();
        visit.press("Geef de sleutel een naam van hoogstens 255 tekens.");
        assert_eq!(visit.script("return document.activeElement.id", vec![]), "name");
    }
}

#[test]
fn the_page_and_the_pages_it_links_to_are_accessible() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    visit.assert_page_accessible("/api-access", "empty");
    visit.goto("/api-access");
    visit.fill("Naam", "Een naam die niet ophoudt maar doorgaat ".repeat(4).trim());
    visit.tick("Schrijven");
    visit.press("Sleutel aanmaken");
    let key = visit.text_of("[data-testid=new-key]");
    visit.assert_current_page_accessible("new-key");
    let _ = visit.server.get(&key, "/api/v1/invoices");
    let _ =
        visit.server.post(&key, "/api/v1/contacts", &json!({ "externalId": "1", "name": "Test" }));
    visit.assert_page_accessible("/api-access", "used");
}

#[test]
fn an_account_on_a_lower_plan_sees_the_required_plan() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.account("free@example.com", "NL", Plan::Free);
    visit.sign_in("free@example.com");
    visit.assert_page_accessible("/api-access", "no-plan");
    visit.see("Starter");
    assert!(!visit.offers("Sleutel aanmaken"));
}
