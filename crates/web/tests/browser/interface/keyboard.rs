//! Keyboard operation with real keystrokes: shortcuts and Tab, an invoice, an expense and a VAT
//! return.

use crate::{DESK, KIM, Visit};
use browser_testing::BrowserOptions;
use serde_json::json;

/// Types into the field with this name, reached with the Tab key.
fn type_at(visit: &Visit, name: &str, text: &str) {
    visit.tab_to(&format!("[name='{name}']"));
    visit.type_in(text);
}

#[test]
fn shortcuts_lead_everywhere() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/");
    for (letter, path) in [
        ("i", "/invoices"),
        ("c", "/contacts"),
        ("e", "/expenses"),
        ("r", "/receipts"),
        ("b", "/assets"),
        ("k", "/mileage"),
        ("h", "/hours"),
        ("p", "/projects"),
        ("v", "/vat"),
        ("y", "/year/2026"),
        ("j", "/journal"),
        ("o", "/"),
        ("m", "/bank"),
    ] {
        visit.type_in(&format!("g{letter}"));
        visit.arrive(path);
    }
    visit.type_in("?");
    visit.see_t("keys-title");
    visit.assert_accessible();
    visit.escape();
    assert!(!visit.has("#shortcuts[open]"));
    // A shortcut letter typed into a field is plain text.
    visit.type_in("/");
    visit.type_in("gin");
    assert_eq!(visit.value("q"), "gin");
    visit.enter();
    visit.arrive("/search");
    visit.see_around("search-none");
}

#[test]
fn an_invoice_is_made_and_mailed_by_keyboard() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/invoices");
    visit.type_in("n");
    visit.arrive("/invoices/new");
    type_at(&visit, "customer.name", "Museum De Pier");
    type_at(&visit, "customer.email", "post@pier.example");
    type_at(&visit, "items.0.description", "Design");
    type_at(&visit, "items.0.unitPrice", "95.50");
    visit.tab_to("[data-add-line]");
    visit.enter();
    // The new line has the focus.
    visit.type_in("Guide");
    type_at(&visit, "items.1.unitPrice", "12.50");
    // 95.50 + 12.50, and 21 % of that.
    visit.see("€130.68");
    visit.control_enter();
    visit.arrive("/invoices/1/send");
    visit.see_around("done-invoice-created");
    visit.tab_to("[name='subject']");
    visit.control_enter();
    visit.see_around("done-invoice-mailed");
    visit.mail("post@pier.example", 1);
    visit.type_in("gi");
    visit.arrive("/invoices");
    visit.type_in("/");
    visit.type_in("pier");
    visit.enter();
    visit.arrive("/search");
    visit.see("2026-0001");
    visit.tab_to("[data-id='1'] a");
    visit.enter();
    visit.arrive("/invoices/1");
}

#[test]
fn rejected_input_is_corrected_by_keyboard() {
    let visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/expenses");
    visit.type_in("n");
    visit.arrive("/expenses/new");
    type_at(&visit, "supplier", "Papierhal");
    // A select picks the option that begins with the typed text.
    type_at(&visit, "items.0.category", "Kantoor");
    type_at(&visit, "items.0.amount", "veel");
    visit.control_enter();
    // The error list has the focus and links to the field.
    visit.arrive("/expenses");
    visit.tab_to(".faults a[href='#items.0.amount']");
    visit.enter();
    assert_eq!(visit.script("return document.activeElement.name", Vec::new()), "items.0.amount");
    // Moves the cursor to the end of the value and four characters back.
    visit.type_in("\u{e010}\u{e003}\u{e003}\u{e003}\u{e003}121,00");
    visit.tab_to("[name='paidFrom']");
    visit.control_enter();
    visit.see_around("done-expense-recorded");
    let expense = visit.by_api("expenses/1");
    assert_eq!(
        (&expense["items"][0]["category"], &expense["total"]),
        (&"4100".into(), &121.0.into())
    );
}

#[test]
fn a_return_is_viewed_and_filed_by_keyboard() {
    let visit = Visit::signed_in(BrowserOptions::default());
    let key = visit.server.key(KIM, true, true);
    let body = json!({"status": "sent", "invoiceDate": "2025-11-20", "customer": {"name": "De Pier"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(visit.server.post(&key, "/api/v1/invoices", &body).status, 201);
    visit.goto("/");
    visit.type_in("gv");
    visit.arrive("/vat");
    visit.tab_to("a[href='/vat/2025/4']");
    visit.enter();
    visit.arrive("/vat/2025/4");
    visit.tab_to("#box-1a a");
    visit.enter();
    visit.see("2025-0001");
    visit.tab_to("form[action='/vat/2025/4/file'] button");
    visit.enter();
    visit.see_around("done-vat-filed");
    visit.tab_to("form[action='/vat/2025/4/payment'] [name='amount']");
    visit.control_enter();
    visit.see_around("done-vat-paid");
}

/// `n` opens the form for a new record, or focuses it if the page already contains it.
#[test]
fn n_starts_a_new_record_of_the_page() {
    let visit = Visit::signed_in(DESK);
    let key = visit.server.key(KIM, true, true);
    assert_eq!(
        visit.server.post(&key, "/api/v1/projects", &json!({"name": "Year book"})).status,
        201
    );
    assert_eq!(
        visit
            .server
            .post(
                &key,
                "/api/v1/time-entries",
                &json!({"projectId": 1, "date": "2026-03-13", "hours": 1, "description": "Work"})
            )
            .status,
        201
    );
    for (path, field) in [
        ("/mileage", "date"),
        ("/receipts", "file"),
        ("/transfers", "date"),
        ("/accruals", "date"),
        ("/payouts", "date"),
        ("/hours/list", "projectId"),
        ("/hours?week=2026-W11", "rows.0.sunday"),
    ] {
        visit.goto(path);
        visit.type_in("n");
        let focused = visit.script("return document.activeElement.name ?? ''", Vec::new());
        assert_eq!(focused, json!(field), "{path}");
    }
    visit.goto("/vat");
    visit.type_in("n");
    visit.arrive("/vat/2026/1");
}

/// Invoice numbers do not wrap on a desktop.
#[test]
fn invoice_numbers_do_not_wrap() {
    let visit = Visit::signed_in(BrowserOptions { width: 1200, ..DESK });
    let key = visit.server.key(KIM, true, true);
    let body = json!({"status": "sent", "customer": {"name": "Stichting tot behoud van de pier van Scheveningen en omstreken"}, "reference": "Purchase order 2026-77-123456",
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(visit.server.post(&key, "/api/v1/invoices", &body).status, 201);
    visit.goto("/invoices");
    let white_space = visit.script(
        "return getComputedStyle(document.querySelector('th .nowrap')).whiteSpace",
        Vec::new(),
    );
    assert_eq!(white_space, json!("nowrap"));
}
