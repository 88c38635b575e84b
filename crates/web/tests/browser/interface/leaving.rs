//! Leaving a page: the browser asks where something that was filled in would be lost, and only there.

use crate::{DESK, KIM, PASSWORD, Visit};
use serde_json::{Value, json};
use service::{Environment, environment::Clock, people::sessions};

/// Notes for the next page whether this one was left with the browser's question. Its listener comes after that of the page. A key is
/// pressed, as browsers ask only where there was a gesture.
fn watch(visit: &Visit) {
    visit.tab();
    let note = "sessionStorage.removeItem('asked'); \
                addEventListener('beforeunload', (event) => sessionStorage.setItem('asked', event.defaultPrevented))";
    visit.script(note, Vec::new());
}

/// Whether the last page that was watched asked before it was left.
fn asked(visit: &Visit) -> bool {
    match visit.script("return sessionStorage.getItem('asked')", Vec::new()) {
        Value::String(asked) => asked == "true",
        other => panic!("no page was left: {other}"),
    }
}

/// Types over what a field holds.
fn type_in(visit: &Visit, field: &str, text: &str) {
    let typed = "const field = document.querySelector(`[name='${arguments[0]}']`); field.value = arguments[1]; \
                 field.dispatchEvent(new Event('input', {bubbles: true}))";
    visit.script(typed, vec![json!(field), json!(text)]);
}

/// Follows a link of the navigation.
fn follow_contacts(visit: &Visit) {
    visit.script("document.querySelector('a[href=\"/contacts\"]').click()", Vec::new());
    visit.arrive("/contacts");
}

#[test]
fn leaving_asks_where_something_was_typed() {
    let visit = Visit::signed_in(DESK);
    let key = visit.server.key(KIM, true, true);
    assert_eq!(visit.server.post(&key, "/api/v1/contacts", &json!({"name": "Museum De Pier"})).status, 201);
    assert_eq!(visit.server.post(&key, "/api/v1/projects", &json!({"name": "Year book", "contactId": 1})).status, 201);
    let forms = [
        ("/invoices/new", "customer.name"),
        ("/expenses/new", "supplier"),
        ("/contacts/1/edit", "email"),
        ("/hours?week=2026-W11", "rows.0.monday"),
        ("/settings", "name"),
    ];
    for (page, field) in forms {
        visit.goto(page);
        watch(&visit);
        follow_contacts(&visit);
        assert!(!asked(&visit), "{page}: nothing was typed");
        visit.goto(page);
        watch(&visit);
        type_in(&visit, field, "1:30");
        follow_contacts(&visit);
        assert!(asked(&visit), "{page}");
        // Typed and taken back: what was there before is there again.
        visit.goto(page);
        let before = visit.value(field);
        watch(&visit);
        type_in(&visit, field, "1:45");
        type_in(&visit, field, &before);
        follow_contacts(&visit);
        assert!(!asked(&visit), "{page}: nothing is lost");
    }
    // An empty line, a search and a filter are no work.
    visit.goto("/invoices/new");
    watch(&visit);
    visit.script("document.querySelector('[data-add-line]').click()", Vec::new());
    follow_contacts(&visit);
    assert!(!asked(&visit));
    visit.goto("/invoices");
    watch(&visit);
    type_in(&visit, "q", "pier");
    follow_contacts(&visit);
    assert!(!asked(&visit));
}

#[test]
fn sending_a_form_does_not_ask_but_its_faults_do() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/contacts/new");
    watch(&visit);
    visit.fill("name", "Museum De Pier");
    visit.fill("email", "not an address");
    visit.press_t("save");
    assert!(!asked(&visit));
    // What was typed is only on this page, though nothing was typed here.
    assert!(visit.has(".faults"));
    watch(&visit);
    follow_contacts(&visit);
    assert!(asked(&visit));
    visit.goto("/contacts/new");
    visit.fill("name", "Museum De Pier");
    watch(&visit);
    visit.press_t("save");
    assert!(!asked(&visit));
    assert_eq!(visit.by_api("contacts/1")["name"], "Museum De Pier");
    // Another form that is sent takes what was typed with it: signing out asks.
    visit.goto("/contacts/1/edit");
    watch(&visit);
    type_in(&visit, "email", "post@pier.example");
    visit.script("document.querySelector('form[action=\"/logout\"]').requestSubmit()", Vec::new());
    visit.arrive("/");
    assert!(asked(&visit));
    // Signing in is no work that is lost.
    visit.goto("/login");
    watch(&visit);
    visit.fill("email", KIM);
    visit.goto("/open-data");
    assert!(!asked(&visit));
}

/// The session is gone, on the server or in the browser, or is another one by now: what was typed comes back.
#[test]
fn what_was_typed_comes_back_however_the_session_ended() {
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
            let asks = "const unload = new Event('beforeunload', {cancelable: true}); dispatchEvent(unload); return unload.defaultPrevented";
            assert_eq!(visit.script(asks, Vec::new()), true, "what is kept is only on this page");
            visit.fill("email", KIM);
            visit.fill("password", PASSWORD);
            visit.press_t("sign-in-button");
        }
        visit.see_t("kept-title");
        watch(&visit);
        visit.press_t("kept-send");
        assert!(!asked(&visit));
        assert_eq!(visit.by_api("contacts/1")["name"], "Museum De Pier", "{lost}");
    }
}
