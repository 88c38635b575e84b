//! `/hours`: a week filled in with the keyboard alone, and hours invoiced.

use crate::{BOTH, KIM, PHONE, Visit};
use serde_json::json;

/// Creates a customer and a project; returns the API key.
fn with_project(visit: &Visit) -> String {
    let key = visit.server.key(KIM, true, true);
    assert_eq!(
        visit.server.post(&key, "/api/v1/contacts", &json!({"name": "Museum De Pier"})).status,
        201
    );
    let project =
        json!({"name": "Year book", "contactId": 1, "hourlyRate": 95.5, "budgetHours": 40});
    assert_eq!(visit.server.post(&key, "/api/v1/projects", &project).status, 201);
    key
}

/// Dispatches key events on the focused field.
fn keys(visit: &Visit, keys: &[&str]) {
    for key in keys {
        let press = "const field = document.activeElement; \
                     field.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}))";
        visit.script(press, vec![json!(key)]);
    }
}

fn focused(visit: &Visit) -> String {
    visit.script("return document.activeElement.name", Vec::new()).as_str().unwrap_or("").to_owned()
}

fn type_in(visit: &Visit, text: &str) {
    let script = "const field = document.activeElement; field.value = arguments[0]; \
                 field.dispatchEvent(new Event('input', {bubbles: true}))";
    visit.script(script, vec![json!(text)]);
}

#[test]
fn a_week_is_filled_in_with_the_keyboard() {
    let visit = Visit::signed_in(PHONE);
    let key = with_project(&visit);
    visit.goto("/hours?week=2026-W11");
    visit.script("document.getElementById('rows.0.monday').focus()", Vec::new());
    type_in(&visit, "1:30");
    keys(&visit, &["ArrowRight"]);
    assert_eq!(focused(&visit), "rows.0.tuesday");
    type_in(&visit, "90m");
    keys(&visit, &["ArrowDown"]);
    assert_eq!(focused(&visit), "rows.1.tuesday");
    type_in(&visit, "0:45");
    keys(&visit, &["ArrowUp", "ArrowLeft"]);
    assert_eq!(focused(&visit), "rows.0.monday");
    // The totals follow the input.
    assert_eq!(visit.text_of("[data-sum=row]"), "3:00");
    assert_eq!(visit.text_of("[data-sum=all]"), "3:45");
    keys(&visit, &["ArrowRight"]);
    let send = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true}))";
    visit.script(send, Vec::new());
    visit.see_t("done-week-saved");
    assert_eq!(visit.value("rows.0.tuesday"), "1:30");
    let entries =
        visit.server.get(&key, "/api/v1/time-entries").json()["data"].as_array().unwrap().len();
    assert_eq!(entries, 2);
    visit.assert_accessible();
}

#[test]
fn a_timer_becomes_hours_and_the_hours_become_an_invoice() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let key = with_project(&visit);
        visit.goto("/hours");
        visit.press_t("timer-start-title");
        visit.choose("projectId", "1");
        visit.fill(visit.t("timer-what"), "Proofs");
        visit.press_t("timer-start");
        visit.see_t("done-timer-started");
        visit.later(4_500);
        visit.goto("/");
        visit.see("Proofs");
        visit.goto("/hours");
        visit.press_t("timer-stop");
        visit.see_t("done-timer-stopped");
        visit.goto("/projects/1");
        visit.assert_accessible();
        visit.press_t("project-invoice-hours");
        visit.see_t("done-hours-invoiced");
        visit.see("Proofs");
        let draft = visit.server.get(&key, "/api/v1/invoices/1").json();
        assert_eq!((&draft["subtotal"], &draft["status"]), (&json!(119.38), &json!("draft")));
        visit.goto("/contacts/1");
        visit.see("2026-0001");
    }
}

#[test]
fn the_pages_are_accessible() {
    let mut visit = Visit::signed_in(BOTH[0]);
    let key = with_project(&visit);
    let hours =
        json!({"projectId": 1, "date": "2026-03-12", "hours": 2.5, "description": "Sketches"});
    assert_eq!(visit.server.post(&key, "/api/v1/time-entries", &hours).status, 201);
    for (path, name) in [
        ("/hours?week=2026-W11", "week"),
        ("/hours?month=2026-03", "month"),
        ("/hours/list", "hours-list"),
        ("/projects", "projects"),
        ("/projects/1", "project"),
        ("/projects/new", "project-new"),
        ("/contacts", "contacts"),
        ("/contacts/1", "contact"),
        ("/contacts/new", "contact-new"),
    ] {
        visit.assert_page_accessible(path, name);
    }
}
