//! Typed work: found again after the tab was closed, after the session ended, and without scripts.

use crate::{BOTH, DESK, KIM, NO_SCRIPTS, PASSWORD, Visit};
use serde_json::{Value, json};
use service::{Environment, environment::Clock, people::sessions};
use std::{
    thread,
    time::{Duration, Instant},
};
use testing::year;

/// Page, and values that are typed into its fields.
type Typing = (&'static str, &'static [(&'static str, &'static str)]);

const FORMS: [Typing; 5] = [
    (
        "/invoices/new",
        &[
            ("customer.name", "Korenaar"),
            ("customer.email", "post@korenaar.example"),
            ("reference", "PO & 12"),
            ("items.0.description", "Ontwerp"),
            ("items.0.quantity", "2,5"),
            ("items.0.unitPrice", "95,10"),
            ("notes", "Tot ziens"),
        ],
    ),
    (
        "/expenses/new",
        &[("supplier", "Papierhandel"), ("description", "Enveloppen"), ("items.0.amount", "12,10")],
    ),
    ("/hours?week=2026-W10", &[("rows.0.monday", "7:45"), ("rows.0.sunday", "1:15")]),
    ("/invoices/5/send", &[("subject", "Mijn factuur"), ("message", "Dag allemaal")]),
    (
        "/journal/new",
        &[("description", "Afronding"), ("lines.0.debit", "0,01"), ("lines.1.credit", "0,01")],
    ),
];

fn with_books() -> Visit {
    let visit = Visit::signed_in(DESK);
    let key = visit.server.key(KIM, true, true);
    year::live(&visit.server, &key);
    let invoice = json!({"status": "sent", "invoiceDate": "2026-01-04",
        "customer": {"name": "Stichting Zomerconcerten", "email": "post@zomer.example"},
        "items": [{"description": "Programme", "unitPrice": 640, "vatRate": 21}]});
    assert_eq!(visit.server.post(&key, "/api/v1/invoices", &invoice).status, 201);
    visit
}

fn fill(visit: &Visit, typed: &[(&str, &str)]) {
    for (field, value) in typed {
        visit.fill(field, value);
    }
}

/// Number of typed fields that the page has.
fn found(visit: &Visit, typed: &[(&str, &str)]) -> usize {
    typed.iter().filter(|(field, value)| visit.value(field) == *value).count()
}

/// Forms that are stored, ended ones included.
fn stored(visit: &Visit) -> Vec<Value> {
    let rows = visit.server.export(1)["unfinished_forms"].as_array().cloned();
    rows.unwrap_or_default().into_iter().filter(|row| row["fields"] != "").collect()
}

/// Waits until this number of forms is stored.
fn wait_for(visit: &Visit, count: usize) {
    let end = Instant::now() + Duration::from_secs(20);
    while stored(visit).len() < count {
        assert!(Instant::now() < end, "{} of {count} forms are stored", stored(visit).len());
        thread::sleep(Duration::from_millis(20));
    }
}

/// Opens the latest unfinished form from where the page offers it.
fn go_on(visit: &Visit) {
    let link = visit.attribute_of("main [data-testid=unfinished] a", "href").unwrap();
    visit.goto(&link);
}

#[test]
fn every_typed_field_is_found_again_after_the_tab_was_closed() {
    let visit = with_books();
    let (mut typed_fields, mut found_fields) = (0, 0);
    for (count, (page, typed)) in FORMS.into_iter().enumerate() {
        visit.goto(page);
        fill(&visit, typed);
        visit.change_tab();
        wait_for(&visit, count + 1);
        visit.goto(page);
        visit.assert_accessible();
        go_on(&visit);
        typed_fields += typed.len();
        found_fields += found(&visit, typed);
    }
    assert_eq!(found_fields, typed_fields, "the ratio of typed fields found again is 1");
    visit.goto("/unfinished");
    visit.see("Korenaar");
    visit.assert_accessible();
}

#[test]
fn work_is_saved_a_few_seconds_after_the_last_key() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/invoices/new");
    let opened = Instant::now();
    visit.fill("customer.name", "Korenaar");
    wait_for(&visit, 1);
    assert!(opened.elapsed() >= Duration::from_secs(3));
    // Nothing typed, nothing saved: only what was typed is stored.
    visit.change_tab();
    visit.goto("/expenses/new");
    visit.change_tab();
    visit.goto("/");
    visit.see("Korenaar");
    assert_eq!(stored(&visit).len(), 1);
    // A second window overwrites nothing: it goes on as a form of its own.
    visit.press_t("unfinished-go-on");
    assert_eq!(visit.value("customer.name"), "Korenaar");
    let id = || {
        visit.script("return document.querySelector('main [name=unfinished]').value", Vec::new())
    };
    let first = id();
    let other = "const body = new URLSearchParams(new FormData(document.querySelector('main form[action=\"/invoices\"]'))); \
                 body.set('rev', '7'); body.set('customer.name', 'Molenaar'); \
                 return fetch('/unfinished', { method: 'POST', body }).then((answer) => answer.status)";
    assert_eq!(visit.script(other, Vec::new()), 204);
    visit.fill("reference", "PO 12");
    wait_for(&visit, 2);
    assert_ne!(id(), first);
    let fields: Vec<String> = stored(&visit).iter().map(|row| row["fields"].to_string()).collect();
    assert!(fields.iter().any(|fields| fields.contains("Molenaar") && !fields.contains("PO+12")));
    assert!(fields.iter().any(|fields| fields.contains("Korenaar") && fields.contains("PO+12")));
}

#[test]
fn every_typed_field_is_found_again_after_the_session_ended() {
    let visit = with_books();
    for (page, typed) in FORMS {
        visit.goto(page);
        fill(&visit, typed);
        let (person, now) = (visit.server.person(KIM), visit.server.clock.now());
        visit.server.write(move |tx| sessions::end_all(tx, &Environment::at(now), person));
        visit.script(
            "document.querySelector('input[name=unfinished]').form.requestSubmit(document.querySelector('[data-main]'))",
            Vec::new(),
        );
        visit.see_t("unfinished-sign-in");
        visit.fill("email", KIM);
        visit.fill("password", PASSWORD);
        visit.press_t("sign-in-button");
        visit.see_t("done-unfinished-restored");
        assert_eq!(found(&visit, typed), typed.len(), "{page}");
        // The saves that failed without a session are the browser's to report.
        visit.console();
    }
}

#[test]
fn the_button_keeps_work_without_scripts() {
    let visit = Visit::signed_in(NO_SCRIPTS);
    visit.goto("/invoices/new");
    visit.fill("customer.name", "Korenaar");
    visit.press_t("unfinished-keep");
    visit.see_t("done-unfinished-kept");
    assert_eq!(visit.value("customer.name"), "Korenaar");
    visit.goto("/");
    visit.press_t("unfinished-discard");
    visit.see_t("done-unfinished-discarded");
    visit.press_t("undo");
    visit.see_t("done-unfinished-undone");
    visit.see("Korenaar");
    visit.goto("/unfinished");
    visit.press_t("unfinished-discard");
    visit.see_t("unfinished-discarded");
    visit.assert_accessible();
}

#[test]
fn the_page_is_accessible() {
    for options in BOTH {
        let mut visit = Visit::signed_in(options);
        visit.assert_page_accessible("/unfinished", "unfinished");
    }
}
