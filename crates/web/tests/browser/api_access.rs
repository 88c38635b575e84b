//! `/api-access`: keys made, used, revoked.

use crate::{NO_SCRIPTS, PHONE, Visit};
use browser_testing::BrowserOptions;
use serde_json::json;
use store::accounts::Plan;

/// What is pressed and filled in, by language.
struct Words {
    name: &'static str,
    read: &'static str,
    make: &'static str,
    done: &'static str,
    revoke: &'static str,
    yes: &'static str,
    revoked: &'static str,
}

const NL: Words = Words {
    name: "Naam",
    read: "Lezen",
    make: "Sleutel maken",
    done: "Klaar",
    revoke: "Intrekken Webwinkel",
    yes: "Ja, deze sleutel intrekken",
    revoked: "De sleutel is ingetrokken.",
};
const EN: Words = Words {
    name: "Name",
    read: "Read",
    make: "Make key",
    done: "Done",
    revoke: "Revoke Webwinkel",
    yes: "Yes, revoke this key",
    revoked: "The key is revoked.",
};

#[test]
fn a_key_is_made_shown_once_used_and_revoked() {
    for (options, words) in [(PHONE, EN), (NO_SCRIPTS, NL)] {
        let visit = Visit::signed_in(options);
        visit.goto("/api-access");
        visit.fill(words.name, "Webwinkel");
        visit.tick(words.read);
        visit.press(words.make);
        let key = visit.text_of("[data-testid=new-key]");
        assert_eq!(visit.server.get(&key, "/api/v1/account").json()["scopes"], json!(["read"]));
        visit.press(words.done);
        visit.arrive("/api-access");
        visit.see("Webwinkel");
        assert!(!visit.text().contains(&key) && visit.text().contains("GET /api/v1/account"), "{}", visit.text());
        visit.press(words.revoke);
        visit.press(words.yes);
        visit.see(words.revoked);
        assert_eq!(visit.server.get(&key, "/api/v1/account").status, 401);
    }
}

#[test]
fn a_new_key_is_copied_by_a_button() {
    let visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/api-access");
    visit.fill("name", "Kopie");
    visit.tick("Lezen");
    visit.tick("Schrijven");
    visit.press("Sleutel maken");
    let key = visit.text_of("[data-testid=new-key]");
    visit.press("Kopiëren");
    visit.see("Gekopieerd");
    assert_eq!(visit.clipboard(), key);
}

#[test]
fn what_is_filled_in_wrongly_is_told_and_the_cursor_goes_there() {
    for options in [BrowserOptions::default(), NO_SCRIPTS] {
        let visit = Visit::signed_in(options);
        visit.goto("/api-access");
        visit.fill("Naam", "  ");
        visit.press("Sleutel maken");
        visit.see("Geef de sleutel een naam van hoogstens 255 tekens.");
        visit.see("Kies er minstens één: lezen of schrijven.");
        visit.assert_accessible();
        visit.press("Geef de sleutel een naam van hoogstens 255 tekens.");
        assert_eq!(
            visit.script("return document.activeElement.id || location.hash", vec![]),
            if options.javascript { "name" } else { "#name" }
        );
    }
}

#[test]
fn everybody_can_use_the_page_and_what_it_leads_to() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    visit.everybody_can_use("/api-access", "empty");
    visit.goto("/api-access");
    visit.fill("Naam", "Een naam die niet ophoudt maar doorgaat ".repeat(4).trim());
    visit.tick("Schrijven");
    visit.press("Sleutel maken");
    let key = visit.text_of("[data-testid=new-key]");
    visit.everybody_can_use_this("new-key");
    let _ = visit.server.get(&key, "/api/v1/invoices");
    let _ = visit.server.post(&key, "/api/v1/contacts", &json!({ "externalId": "1", "name": "Test" }));
    visit.everybody_can_use("/api-access", "used");
}

#[test]
fn an_account_without_the_plan_is_told_what_is_needed() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.account("free@example.com", "NL", Plan::Free);
    visit.sign_in("free@example.com");
    visit.everybody_can_use("/api-access", "no-plan");
    visit.see("starter");
    assert!(!visit.offers("Sleutel maken"));
}
