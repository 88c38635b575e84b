//! `/bank-lines`: statements are previewed and imported, and their lines booked, by mouse and by
//! keyboard.

use crate::{BOTH, DESK, KIM, PHONE, Visit};
use browser_testing::Browser;
use serde_json::{Value, json};

/// Key Enter, by its code in WebDriver.
const ENTER: char = '\u{e007}';

/// IBAN of the bank account in [`STATEMENT`].
pub(crate) const IBAN: &str = "NL02ABNA0123456789";
/// Statement of March: lines 1 and 4 go out, 2 and 3 come in.
pub(crate) const STATEMENT: &str = "ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:NL02ABNA0123456789\r\n:28:1/1\r\n\
:60F:C260309EUR100,00\r\n\
:61:2603100310D4,50N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/Bakkerij De Korenaar/REMI/Brood\r\n\
:61:2603100310C121,00N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/NAME/Studio Noord/REMI/Factuur 2026-0001\r\n\
:61:2603110311C50,00N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/NAME/Anna/REMI/Eigen geld\r\n\
:61:2603110311D9,95N654NONREF\r\n\
:86:/TRTP/SEPA OVERBOEKING/NAME/Hosting Nederland/REMI/Domeinnaam\r\n\
:62F:C260311EUR256,55\r\n-\r\n";

/// Adds the bank account of [`STATEMENT`] to the books; its id is 6.
fn with_account(visit: &Visit) -> String {
    let key = visit.server.key(KIM, true, true);
    let account = json!({"name": "ABN AMRO", "kind": "checking", "iban": IBAN});
    assert_eq!(visit.server.post(&key, "/api/v1/bank-accounts", &account).status, 201);
    key
}

#[test]
fn a_statement_is_previewed_imported_and_its_first_line_booked() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        with_account(&visit);
        visit.goto("/bank");
        let file = visit.folder().join("march.940");
        std::fs::write(&file, STATEMENT).unwrap();
        visit.attach("file", &file);
        visit.press_t("bank-preview");
        visit.see("Studio Noord");
        visit.assert_accessible();
        visit.press_t("bank-take");
        visit.see_around("done-bank-statements-taken");
        // A phone shows the list first.
        visit.goto("/bank-lines?state=new&line=4&kind=bankCosts");
        visit.assert_accessible();
        visit.press_t("journal-book");
        visit.see_end("done-bank-line-booked");
        assert_eq!(visit.by_api("bank-lines/4")["state"], json!("booked"));
        visit.press_t("undo");
        visit.see_end("done-bank-line-undone");
        assert_eq!(visit.by_api("bank-lines/4")["state"], json!("new"));
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}

#[test]
fn lines_are_booked_by_keyboard() {
    let visit = Visit::signed_in(DESK);
    let key = with_account(&visit);
    let kind = [("x-api-key", &*key), ("content-type", "text/plain")];
    let path = "/api/v1/bank-statements";
    assert_eq!(visit.server.send("POST", path, &kind, Some(STATEMENT.as_bytes())).status, 201);
    let state = |id: i64| visit.by_api(&format!("bank-lines/{id}"))["state"].clone();
    let focused = || visit.script("return document.activeElement.name", Vec::new());
    visit.goto("/bank-lines");
    // The latest line comes first: `j` leads to the one below it, and `k` back.
    visit.type_in("j");
    visit.arrive("/bank-lines?line=3");
    visit.type_in("k");
    visit.arrive("/bank-lines?line=4");
    visit.type_in("j");
    visit.arrive("/bank-lines?line=3");
    visit.type_in("p");
    visit.arrive("/bank-lines?line=3&kind=private#book");
    assert_eq!(focused(), Value::from("allocations.0.privateKind"));
    visit.assert_accessible();
    visit.choose("allocations.0.privateKind", "deposit");
    visit.control_enter();
    visit.see_end("done-bank-line-booked");
    assert_eq!((state(3), state(4)), (json!("booked"), json!("new")));
    visit.type_in("u");
    visit.see_end("done-bank-line-undone");
    assert_eq!(state(3), json!("new"));
    // A choice without fields needs two keys.
    visit.goto("/bank-lines?line=4&kind=bankCosts#book");
    visit.enter();
    visit.see_end("done-bank-line-booked");
    assert_eq!(state(4), json!("booked"));
    visit.type_in("x");
    assert_eq!(focused(), Value::from("reason"));
    visit.control_enter();
    visit.see_end("done-bank-line-ignored");
    visit.type_in("?");
    visit.see_t("keys-bank-book");
    visit.assert_accessible();
    assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
}

#[test]
fn the_vat_rate_of_a_line_follows_the_category_until_a_person_chooses_one() {
    let visit = Visit::signed_in(DESK);
    let key = with_account(&visit);
    let kind = [("x-api-key", &*key), ("content-type", "text/plain")];
    let path = "/api/v1/bank-statements";
    assert_eq!(visit.server.send("POST", path, &kind, Some(STATEMENT.as_bytes())).status, 201);
    let rate = || visit.value("allocations.0.items.0.vatRate");
    let category = |code| visit.choose("allocations.0.items.0.category", code);
    visit.goto("/bank-lines?state=new&line=4&kind=expense");
    assert_eq!(rate(), "21");
    for (code, expected) in [("4400", "0"), ("4110", "21"), ("4440", "0")] {
        category(code);
        assert_eq!(rate(), expected, "{code}");
    }
    visit.press_t("journal-book");
    visit.see_end("done-bank-line-booked");
    let expense = visit.by_api("expenses/1");
    assert_eq!((&expense["vatTotal"], &expense["total"]), (&json!(0.0), &json!(9.95)));
    visit.goto("/bank-lines?state=new&line=1&kind=expense");
    visit.choose("allocations.0.items.0.vatRate", "9");
    category("4440");
    assert_eq!(rate(), "9");
    assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
}

/// Records a month of 200 lines, of which most pay an invoice, some are known to a rule, and for a few
/// nothing is known.
fn month_of_200(visit: &Visit, key: &str) {
    let made = |path: &str, body: &Value| {
        let reply = visit.server.post(key, &format!("/api/v1/{path}"), body);
        assert_eq!(reply.status, 201, "{path}: {}", reply.text);
        reply.json()
    };
    made(
        "bank-rules",
        &json!({"name": "Bank", "when": {"textContains": "pakketkosten"}, "then": {"kind": "bankCosts"}}),
    );
    let mut lines = Vec::new();
    for number in 0..200 {
        let (amount, name, text) = match number % 20 {
            0..=12 => {
                let customer = format!("Klant {number}");
                let price = 100 + number;
                let invoice = made(
                    "invoices",
                    &json!({
                        "status": "sent", "invoiceDate": "2026-03-01", "pricesIncludeVat": true,
                        "customer": {"name": customer, "country": "NL"},
                        "items": [{"description": "Werk", "quantity": 1, "unitPrice": price, "vatRate": 21}],
                    }),
                );
                (price, customer, format!("Factuur {}", invoice["number"].as_str().unwrap()))
            }
            13..=17 => (-2, "ABN AMRO".to_owned(), format!("Pakketkosten {number}")),
            _ => (-1 - number, format!("Winkel {number}"), format!("Pinbetaling {number}")),
        };
        let day = format!("2026-03-{:02}", 1 + number * 31 / 200);
        lines.push(
            json!({"date": day, "amount": amount, "text": text, "counterparty": {"name": name}}),
        );
    }
    let feed =
        json!({"bankAccountId": 6, "from": "2026-03-01", "to": "2026-03-31", "lines": lines});
    made("bank-statements", &feed);
}

#[test]
fn a_month_of_200_lines_is_booked_in_220_keys() {
    let visit = Visit::signed_in(DESK);
    let key = with_account(&visit);
    visit.later(20 * 24 * 3_600);
    visit.sign_in(KIM);
    month_of_200(&visit, &key);
    let count = |state: &str| {
        let path = format!("bank-lines?state={state}&limit=500");
        visit.by_api(&path)["data"].as_array().unwrap().len()
    };
    assert_eq!((count("new"), count("booked")), (200, 0));
    visit.goto("/bank-lines");
    assert!(visit.has("input[type=checkbox][form=accept]:checked"), "certain lines are not ticked");
    let mut keys = 0;
    while visit.has("tr[data-id]") {
        if visit.has("[data-key=A]") {
            // All that are certain on this page: Shift and A.
            keys += 2;
            visit.leave_by_key('A');
        } else if visit.has("button[value=accept][data-key=Enter]") {
            keys += 1;
            visit.leave_by_key(ENTER);
        } else {
            // A private payment: its form, and Control and Enter.
            keys += 3;
            visit.leave_by_key('p');
            let focused = visit.script("return document.activeElement.name", Vec::new());
            assert_eq!(focused, Value::from("allocations.0.privateKind"));
            visit.leave_by(Browser::control_enter);
        }
        assert!(keys <= 220, "{} lines are left after {keys} keys", count("new"));
    }
    assert_eq!((count("new"), count("booked")), (0, 200));
    assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
}

#[test]
fn a_kind_is_chosen_in_place_and_ticks_are_counted() {
    for options in [DESK, PHONE] {
        let visit = Visit::signed_in(options);
        let key = with_account(&visit);
        let names = ["Studio Noord voor vormgeving en illustratie", "Bakkerij De Korenaar"];
        let mut lines = Vec::new();
        for name in names {
            let invoice = json!({"status": "sent", "invoiceDate": "2026-03-02", "customer": {"name": name, "country": "NL"},
                "items": [{"description": "Werk", "quantity": 1, "unitPrice": 100, "vatRate": 21}]});
            let sent = visit.server.post(&key, "/api/v1/invoices", &invoice);
            let text = format!("Factuur {}", sent.json()["number"].as_str().unwrap());
            lines.push(json!({"date": "2026-03-10", "amount": 121, "text": text, "counterparty": {"name": name}}));
        }
        let feed =
            json!({"bankAccountId": 6, "from": "2026-03-01", "to": "2026-03-31", "lines": lines});
        assert_eq!(visit.server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        visit.goto("/bank-lines?state=new");
        // The number and name of a suggestion are shown whole.
        let cut = "return [...document.querySelectorAll('.second.whole')].filter(of => of.scrollWidth > of.clientWidth).length";
        assert_eq!(visit.script(cut, Vec::new()), json!(0));
        let count = "return document.querySelector('[data-ticked]').textContent";
        assert_eq!(visit.script(count, Vec::new()), json!("2"));
        visit.script(
            "document.querySelector('input[form=accept][type=checkbox]').click()",
            Vec::new(),
        );
        assert_eq!(visit.script(count, Vec::new()), json!("1"));
        // Choosing a kind replaces the form alone: the page keeps its place, and what was unticked.
        visit.goto("/bank-lines?state=new&line=2");
        visit.script("window.isKept = true", Vec::new());
        let click = "document.querySelector('.kinds a[href*=\"kind=interest\"]')
            .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))";
        visit.script(click, Vec::new());
        visit.arrive("/bank-lines?state=new&line=2&kind=interest#book");
        let after = "const kinds = document.querySelector('.kinds');
            return [window.isKept, kinds.getBoundingClientRect().bottom > 0, kinds.querySelectorAll('[aria-current]').length]";
        assert_eq!(visit.script(after, Vec::new()), json!([true, true, 1]));
        visit.assert_accessible();
        visit.press_t("journal-book");
        visit.see_end("done-bank-line-booked");
        assert_eq!(visit.by_api("bank-lines/2")["state"], json!("booked"));
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
