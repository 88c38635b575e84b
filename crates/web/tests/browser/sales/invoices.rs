//! Life cycle of an invoice: new customer, email, part payment, reminder, credit note, copy,
//! cancellation.

use crate::{BOTH, DARK_PHONE, DESK, KIM, PASSWORD, Visit};
use browser_testing::BrowserOptions;
use serde_json::json;
use service::{Environment, environment::Clock, people::sessions};

/// Customer's email address.
const CUSTOMER: &str = "post@pier.example";

/// Converts an amount in English notation to the notation of the browser's language.
fn amount(options: BrowserOptions, english: &str) -> String {
    let swap = |c| match c {
        ',' => '.',
        '.' => ',',
        other => other,
    };
    if options.language == "nl" { english.chars().map(swap).collect() } else { english.to_owned() }
}

/// Fills in an invoice of two lines for a new customer.
fn fill_in(visit: &Visit) {
    let options = visit.options();
    for (field, text) in [
        ("customer.name", "Museum De Pier"),
        ("customer.address.street", "Kade 1"),
        ("customer.address.postalCode", "1011 AB"),
        ("customer.address.city", "Amsterdam"),
        ("customer.email", CUSTOMER),
        ("items.0.description", "Design"),
        ("items.0.quantity", "2"),
    ] {
        visit.fill(field, text);
    }
    visit.fill("items.0.unitPrice", &amount(options, "1,250.50"));
    add_line(visit);
    visit.fill("items.1.description", "Guide");
    visit.fill("items.1.quantity", "3");
    visit.fill("items.1.unitPrice", &amount(options, "12.35"));
    visit.choose("items.1.vatRate", "9");
}

/// Adds a line: in place if JavaScript is enabled, otherwise through the server.
fn add_line(visit: &Visit) {
    if visit.options().javascript {
        visit.press_in_place(visit.t("line-add"));
    } else {
        visit.press_t("line-add");
    }
}

/// Removes the line with this number.
fn remove_line(visit: &Visit, place: &str) {
    let name = visit.t("line-remove").replace("{ $line }", place);
    if visit.options().javascript {
        visit.press_in_place(&name);
    } else {
        visit.press(&name);
    }
}

/// Waits for the totals of the form; without JavaScript, presses the button that calculates them.
fn see_sums(visit: &Visit, subtotal: &str, total: &str) {
    if !visit.options().javascript {
        visit.press_t("invoice-calculate");
    }
    for sum in [subtotal, total] {
        visit.see(&amount(visit.options(), sum));
    }
}

#[test]
// Long: one scenario in order.
fn an_invoice_is_created_mailed_paid_reminded_credited_and_copied() {
    for options in [DESK, DARK_PHONE] {
        let visit = Visit::signed_in(options);
        visit.goto("/invoices");
        visit.see_t("invoices-empty-title");
        visit.press_t("invoice-new");
        fill_in(&visit);
        // Adds one line too many, which is removed again by its number below.
        add_line(&visit);
        visit.fill("items.2.description", "Travel");
        assert_eq!(visit.value("items.2.quantity"), "1");
        visit.fill("items.2.unitPrice", "50");
        // 2501.00 + 37.05 + 50.00; VAT 525.21 + 3.33 + 10.50.
        see_sums(&visit, "2,588.05", "3,127.09");
        remove_line(&visit, "3");
        // 2501.00 + 37.05; VAT 525.21 + 3.33.
        see_sums(&visit, "2,538.05", "3,066.59");
        visit.assert_accessible();
        visit.press_t("invoice-save-draft");
        visit.see_around("done-invoice-created");
        visit.arrive("/invoices/1");
        visit.see_around("invoice-draft-text");
        visit.assert_accessible();

        // Reloading and going back save nothing twice; the draft can be edited.
        visit.reload();
        visit.see_around("invoice-draft-text");
        // Back to the form itself, past the answers to its submissions: the driver sometimes hangs
        // on those, which the browser does not load again.
        let form = "navigation.entries().findLast(entry => entry.url.endsWith('/invoices/new'))";
        visit.script(&format!("navigation.traverseTo({form}.key)"), Vec::new());
        visit.arrive("/invoices/new");
        visit.goto("/invoices/1");
        visit.press_t("invoice-edit");
        assert_eq!(visit.value("items.1.description"), "Guide");
        visit.fill("reference", "PO 7");
        visit.press_t("invoice-save-draft");
        visit.see_around("done-invoice-edited");
        visit.see("PO 7");
        assert_eq!(visit.by_api("invoices")["data"].as_array().unwrap().len(), 1);

        // The send button emails the document; after that the invoice is final.
        visit.press_t("invoice-send");
        assert_eq!(visit.value("to"), CUSTOMER);
        visit.fill("to", "nobody");
        visit.press_t("send-send");
        visit.see_t("fault-invalid-email");
        visit.assert_accessible();
        visit.fill("to", CUSTOMER);
        visit.press_t("send-send");
        visit.see_around("done-invoice-mailed");
        let mail = visit.mail(CUSTOMER, 1);
        for part in ["application/pdf", "2026-0001.pdf"] {
            assert!(mail.text.contains(part), "{part} is not in {}", mail.text);
        }
        assert!(mail.subject.contains("2026-0001"), "{}", mail.subject);
        visit.goto("/invoices/1/edit");
        visit.see_around("done-invoice-not-a-draft");
        visit.see(CUSTOMER);

        // Part payment.
        visit.fill("amount", "5000");
        visit.press_t("payment-record");
        assert!(visit.has("#amount-fault"), "{}", visit.text());
        visit.fill("amount", "1000");
        visit.choose("method", "savings");
        visit.press_t("payment-record");
        visit.see(&amount(options, "2,066.59"));
        visit.assert_accessible();

        // The rest is overdue, so a reminder is sent.
        visit.later(45 * 86_400);
        visit.sign_in(KIM);
        visit.goto("/invoices?state=overdue");
        visit.press("2026-0001");
        visit.press_t("invoice-remind");
        visit.assert_accessible();
        visit.press_t("remind-send");
        visit.see_around("done-invoice-reminded");
        visit.mail(CUSTOMER, 2);

        // Credit note for a quarter of the first line.
        visit.press_t("invoice-credit");
        visit.fill("items.0.quantity", &amount(options, "0.5"));
        visit.fill("items.1.quantity", "4");
        visit.press_t("credit-make");
        assert!(visit.has("[id='items.1.quantity-fault']"), "{}", visit.text());
        visit.assert_accessible();
        visit.fill("items.1.quantity", "0");
        visit.fill("reason", "Too much");
        visit.press_t("credit-make");
        visit.see_around("done-credit-note-made");
        visit.arrive("/invoices/2");
        visit.see(&amount(options, "756.55"));
        visit.assert_accessible();

        // The invoice is copied, and the copy is cancelled.
        visit.goto("/invoices/1");
        visit.unfold("invoice-more");
        visit.press_t("invoice-copy");
        visit.see_around("done-invoice-copied");
        visit.arrive("/invoices/3");
        visit.unfold("invoice-more");
        visit.press_t("invoice-cancel");
        visit.see_around("done-invoice-cancelled");
        visit.see_t("invoice-cancelled-text");
        visit.assert_accessible();

        // The invoice shows its history; the payment is undone there.
        visit.goto("/invoices/1");
        for what in ["message-reminder", "history-made"] {
            visit.see_t(what);
        }
        for what in ["message-sent", "history-payment", "credit-note-title"] {
            visit.see_around(what);
        }
        visit.press_t("undo");
        visit.see_around("done-payment-undone");
        visit.see_t("undone");
        let invoice = visit.by_api("invoices/1");
        // 3066.59 − 756.55.
        assert_eq!((&invoice["amountDue"], &invoice["amountPaid"]), (&2310.04.into(), &0.0.into()));
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}

/// The session ends while a long invoice is being filled in; after signing in, the form goes on with
/// everything that was typed.
#[test]
fn input_survives_the_end_of_the_session() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/invoices/new");
        fill_in(&visit);
        let (person, now) = (visit.server.person(KIM), visit.server.clock.now());
        visit.server.write(move |tx| sessions::end_all(tx, &Environment::at(now), person));
        visit.press_t("invoice-save-draft");
        visit.see_t("unfinished-sign-in");
        visit.assert_accessible();
        visit.fill(visit.t("field-email"), KIM);
        visit.fill(visit.t("field-password"), PASSWORD);
        visit.press_t("sign-in-button");
        visit.see_t("done-unfinished-restored");
        visit.assert_accessible();
        assert_eq!(visit.value("items.1.description"), "Guide");
        visit.press_t("invoice-save-draft");
        visit.see_around("done-invoice-created");
        assert_eq!(visit.by_api("invoices/1")["total"], 3066.59);
        visit.goto("/unfinished");
        visit.see_t("unfinished-empty-title");
    }
}

/// The Back button leads to the submitted form; saving it again creates no second invoice.
#[test]
fn going_back_and_saving_again_creates_no_second_invoice() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/invoices/new");
        for (field, text) in [
            ("customer.name", "Museum De Pier"),
            ("items.0.description", "Design"),
            ("items.0.unitPrice", "1250"),
        ] {
            visit.fill(field, text);
        }
        visit.press_t("invoice-save-draft");
        visit.see_around("done-invoice-created");
        visit.back();
        visit.arrive("/invoices/new");
        visit.press_t("invoice-save-draft");
        assert_eq!(visit.by_api("invoices")["data"].as_array().map(Vec::len), Some(1));
        assert_eq!(visit.by_api("invoices/1")["items"][0]["description"], "Design");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}

/// Conflict between two windows with the same draft: the later window shows both versions.
#[test]
fn the_later_of_two_windows_with_one_draft_shows_both_versions() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/invoices/new");
        fill_in(&visit);
        visit.press_t("invoice-save-draft");
        visit.goto("/invoices/1/edit");
        // An edit in the other window.
        let other = visit.server.send(
            "PATCH",
            "/api/v1/invoices/1",
            &[
                ("x-api-key", &visit.server.key(KIM, true, true)),
                ("content-type", "application/json"),
            ],
            Some(br#"{"items": [{"description": "Cover", "unitPrice": 400, "vatRate": 21}]}"#),
        );
        assert_eq!(other.status, 200, "{}", other.text);
        visit.fill("items.0.description", "Design of a book");
        visit.press_t("invoice-save-draft");
        visit.see_t("changed-title");
        visit.see_t("invoice-stored-use");
        visit.see("Cover");
        assert_eq!(visit.value("items.0.description"), "Design of a book");
        visit.assert_accessible();
        visit.press_t("invoice-save-draft");
        visit.see_around("done-invoice-edited");
        assert_eq!(visit.by_api("invoices/1")["items"][0]["description"], "Design of a book");
    }
}

/// Arrow key of WebDriver.
const DOWN: &str = "\u{E015}";

#[test]
fn a_second_invoice_to_a_known_customer_takes_three_fields() {
    let wide = BrowserOptions { width: 1400, ..DESK };
    let visit = Visit::signed_in(wide);
    let key = visit.server.key(KIM, true, true);
    let first = json!({"customer": {"name": "Museum De Pier", "email": CUSTOMER},
        "items": [{"description": "Design", "unitPrice": 100, "vatRate": 21}]});
    let article = json!({"name": "Walking tour", "unitPrice": 12.5, "vatRate": 9});
    for (path, body) in [("invoices", first), ("articles", article)] {
        assert_eq!(visit.server.post(&key, &format!("/api/v1/{path}"), &body).status, 201);
    }
    visit.goto("/invoices/new");
    // The page opens with the focus on the customer.
    visit.type_in("pier");
    visit.see("Museum De Pier");
    visit.assert_accessible();
    visit.type_in(DOWN);
    visit.enter();
    assert_eq!(visit.value("customer.name"), "Museum De Pier");
    visit.tab_to("[name='items.0.description']");
    visit.type_in("walk");
    visit.see("Walking tour");
    visit.type_in(DOWN);
    visit.enter();
    // The choice filled in text, price and VAT, and leads on to the quantity.
    assert_eq!(visit.value("items.0.description"), "Walking tour");
    visit.type_in("\u{E003}\u{E003}4");
    // 4 × 12.50, and 9 % of that.
    visit.see(&amount(wide, "54.50"));
    // The preview is there once the form has rested.
    let shown = "return new Promise(resolve => { const look = () => \
        document.querySelector('[data-preview] iframe') ? resolve(true) : setTimeout(look, 50); look(); })";
    assert_eq!(visit.script(shown, Vec::new()), json!(true));
    visit.control_enter();
    visit.arrive("/invoices/2/send");
    let made = visit.by_api("invoices/2");
    assert_eq!(made["customer"]["contactId"], 1);
    assert_eq!(made["items"][0]["description"], "Walking tour");
    assert_eq!(visit.by_api("contacts")["data"].as_array().unwrap().len(), 1);
    assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
}

#[test]
fn lines_are_moved_in_place() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/invoices/new");
    visit.fill("items.0.description", "Design");
    visit.fill("items.0.unitPrice", "10");
    add_line(&visit);
    visit.fill("items.1.description", "Guide");
    visit.fill("items.1.unitPrice", "20");
    visit.press_in_place(&visit.t("line-move-up").replace("{ $line }", "2"));
    assert_eq!(visit.value("items.0.description"), "Guide");
    assert_eq!(visit.value("items.1.description"), "Design");
    visit.press_in_place(&visit.t("line-move-down").replace("{ $line }", "1"));
    assert_eq!(visit.value("items.0.description"), "Design");
    // By dragging: the second line above the first.
    let drag = "const lines = [...document.querySelectorAll('[data-lines] .line')]; \
        const transfer = new DataTransfer(); \
        const fire = (on, type, y) => on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer, clientY: y })); \
        const grip = lines[1].querySelector('.grip'); \
        fire(grip, 'dragstart', 0); \
        fire(lines[0], 'dragover', lines[0].getBoundingClientRect().top + 1); \
        fire(lines[0], 'drop', 0); \
        fire(grip, 'dragend', 0);";
    visit.script(drag, Vec::new());
    assert_eq!(visit.value("items.0.description"), "Guide");
    visit.fill("customer.name", "Museum De Pier");
    visit.press_t("invoice-save-draft");
    visit.see_around("done-invoice-created");
    let items = visit.by_api("invoices/1")["items"].clone();
    assert_eq!(
        json!([items[0]["description"], items[1]["description"]]),
        json!(["Guide", "Design"])
    );
}
