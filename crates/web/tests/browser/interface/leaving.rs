//! Prompt before leaving a page: the browser asks only if unsaved input would be lost.

use crate::{DESK, KIM, PASSWORD, Visit};
use serde_json::{Value, json};
use service::{Environment, environment::Clock, people::sessions};

/// Records whether the browser prompts before leaving this page, for a check on the next page. The
/// listener runs after the page's own. A key is pressed first, because browsers prompt only after a
/// user gesture.
fn watch(visit: &Visit) {
    visit.tab();
    let note = "sessionStorage.removeItem('asked'); \
                addEventListener('beforeunload', (event) => sessionStorage.setItem('asked', event.defaultPrevented))";
    visit.script(note, Vec::new());
}

/// Whether the last watched page prompted before it was left.
fn was_prompted(visit: &Visit) -> bool {
    match visit.script("return sessionStorage.getItem('asked')", Vec::new()) {
        Value::String(value) => value == "true",
        other => panic!("no page was left: {other}"),
    }
}

/// Replaces the value of a field.
fn type_in(visit: &Visit, field: &str, text: &str) {
    let script = "const field = document.querySelector(`[name='${arguments[0]}']`); field.value = arguments[1]; \
                 field.dispatchEvent(new Event('input', {bubbles: true}))";
    visit.script(script, vec![json!(field), json!(text)]);
}

/// Goes on with the latest unfinished form of a page, once it is saved, and checks its field.
fn see_kept(visit: &Visit, page: &str, field: &str, typed: &str) {
    let link = format!("main [data-testid=unfinished] a[href^='{page}']");
    for _ in 0..500 {
        visit.goto(page);
        if visit.has(&link) {
            break;
        }
    }
    let address = visit.attribute_of(&link, "href").unwrap();
    visit.goto(&address);
    assert_eq!(visit.value(field), typed, "{page}");
}

/// Follows a link in the navigation.
fn follow_contacts(visit: &Visit) {
    visit.script("document.querySelector('a[href=\"/contacts\"]').click()", Vec::new());
    visit.arrive("/contacts");
}

#[test]
fn leaving_prompts_if_there_is_unsaved_input() {
    let visit = Visit::signed_in(DESK);
    let key = visit.server.key(KIM, true, true);
    assert_eq!(
        visit.server.post(&key, "/api/v1/contacts", &json!({"name": "Museum De Pier"})).status,
        201
    );
    assert_eq!(
        visit
            .server
            .post(&key, "/api/v1/projects", &json!({"name": "Year book", "contactId": 1}))
            .status,
        201
    );
    // What is typed on a page that is saved while it is filled in is not lost.
    let forms = [
        ("/invoices/new", "customer.name", true),
        ("/expenses/new", "supplier", true),
        ("/contacts/1/edit", "email", false),
        ("/hours?week=2026-W11", "rows.0.monday", true),
        ("/settings", "name", false),
    ];
    for (page, field, is_kept) in forms {
        visit.goto(page);
        watch(&visit);
        follow_contacts(&visit);
        assert!(!was_prompted(&visit), "{page}: nothing was typed");
        visit.goto(page);
        watch(&visit);
        type_in(&visit, field, "1:30");
        follow_contacts(&visit);
        assert_eq!(was_prompted(&visit), !is_kept, "{page}");
        if is_kept {
            see_kept(&visit, page, field, "1:30");
        }
        // Typed and reverted: the field has its former value.
        visit.goto(page);
        let before = visit.value(field);
        watch(&visit);
        type_in(&visit, field, "1:45");
        type_in(&visit, field, &before);
        follow_contacts(&visit);
        assert!(!was_prompted(&visit), "{page}: nothing is lost");
    }
    // An empty line, a search and a filter are not unsaved work.
    visit.goto("/invoices/new");
    watch(&visit);
    visit.script("document.querySelector('[data-add-line]').click()", Vec::new());
    follow_contacts(&visit);
    assert!(!was_prompted(&visit));
    visit.goto("/invoices");
    watch(&visit);
    type_in(&visit, "q", "pier");
    follow_contacts(&visit);
    assert!(!was_prompted(&visit));
}

#[test]
fn submitting_a_form_does_not_prompt_but_leaving_its_faults_does() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/contacts/new");
    watch(&visit);
    visit.fill("name", "Museum De Pier");
    visit.fill("email", "not an address");
    visit.press_t("save");
    assert!(!was_prompted(&visit));
    // The rejected input exists only on this page, although it was not typed here.
    assert!(visit.has(".faults"));
    watch(&visit);
    follow_contacts(&visit);
    assert!(was_prompted(&visit));
    visit.goto("/contacts/new");
    visit.fill("name", "Museum De Pier");
    watch(&visit);
    visit.press_t("save");
    assert!(!was_prompted(&visit));
    assert_eq!(visit.by_api("contacts/1")["name"], "Museum De Pier");
    // Submitting another form would discard the input, so signing out prompts.
    visit.goto("/contacts/1/edit");
    watch(&visit);
    type_in(&visit, "email", "post@pier.example");
    visit.script("document.querySelector('form[action=\"/logout\"]').requestSubmit()", Vec::new());
    visit.arrive("/");
    assert!(was_prompted(&visit));
    // Sign-in fields are not unsaved work.
    visit.goto("/login");
    watch(&visit);
    visit.fill("email", KIM);
    visit.goto("/open-data");
    assert!(!was_prompted(&visit));
}

/// The input is restored whether the session ended, the browser lost its cookie, or another session
/// replaced it.
#[test]
fn input_comes_back_however_the_session_ended() {
    for lost in ["ended", "no cookie", "signed in again"] {
        let visit = Visit::signed_in(DESK);
        visit.goto("/contacts/new");
        visit.fill("name", "Museum De Pier");
        match lost {
            "ended" => {
                let (person, now) = (visit.server.person(KIM), visit.server.clock.now());
                visit.server.write(move |tx| sessions::end_all(tx, &Environment::at(now), person));
            }
            "no cookie" => visit.delete_cookies(),
            _ => visit.set_cookie(visit.new_session(KIM)),
        }
        visit.press_t("save");
        if lost != "signed in again" {
            visit.see_t("kept-sign-in");
            visit.tab();
            let script = "const unload = new Event('beforeunload', {cancelable: true}); dispatchEvent(unload); return unload.defaultPrevented";
            assert_eq!(
                visit.script(script, Vec::new()),
                true,
                "the kept input exists only on this page"
            );
            visit.fill("email", KIM);
            visit.fill("password", PASSWORD);
            visit.press_t("sign-in-button");
        }
        visit.see_t("kept-title");
        watch(&visit);
        visit.press_t("kept-send");
        assert!(!was_prompted(&visit));
        assert_eq!(visit.by_api("contacts/1")["name"], "Museum De Pier", "{lost}");
    }
}
