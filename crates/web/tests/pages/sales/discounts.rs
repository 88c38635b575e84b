//! Units, discounts, numbers of the customer and languages in the form and on the pages of invoices
//! and quotes, and the texts of documents in two languages.

use crate::help::{EMAIL, signed_in, value_of};
use serde_json::json;
use testing::{Reply, Server, Visitor, on_both_engines};

const FIELDS: [(&str, &str); 18] = [
    ("customer.name", "Museum De Pier"),
    ("customer.country", "NL"),
    ("invoiceDate", "2026-03-10"),
    ("quoteDate", "2026-03-10"),
    ("orderNumber", "PO 9"),
    ("buyerReference", "Department 12"),
    ("discountAmount", "10"),
    ("discountDescription", "Introduction"),
    ("language", "nl"),
    ("items.0.description", "Route through the rooms"),
    ("items.0.quantity", "8"),
    ("items.0.unit", "Hours"),
    ("items.0.unitPrice", "100"),
    ("items.0.discountPercent", "12.5"),
    ("items.0.vatRate", "21"),
    ("items.1.description", "Guide"),
    ("items.1.unitPrice", "30"),
    ("items.1.vatRate", "9"),
];

fn post(browser: &Visitor, list: &str, action: &str, more: &[(&str, &str)]) -> Reply {
    let date = if list == "/quotes" { "invoiceDate" } else { "quoteDate" };
    let given =
        |field: &&(&str, &str)| field.0 != date && !more.iter().any(|(name, _)| *name == field.0);
    let mut fields: Vec<(&str, &str)> = FIELDS.iter().filter(given).copied().collect();
    fields.extend(more);
    fields.push(("action", action));
    browser.submit(&browser.get(&format!("{list}/new")), list, &fields)
}

on_both_engines! {
    fn units_and_discounts_are_typed_and_shown(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        for list in ["/invoices", "/quotes"] {
            let calculated = post(&browser, list, "calculate", &[]);
            assert_eq!(calculated.status, 200, "{}", calculated.text);
            // 700.00 and 30.00, less 10.00.
            assert!(calculated.text.contains("720.00"), "{}", calculated.text);
            let made = post(&browser, list, "draft", &[]);
            assert_eq!(made.status, 303, "{}", made.text);
            let stored = server.get(&key, &format!("/api/v1{list}/1")).json();
            assert_eq!(stored["items"][0]["unit"], "hour");
            assert_eq!(stored["items"][0]["discountPercent"], json!(12.5));
            assert_eq!(
                [&stored["orderNumber"], &stored["buyerReference"], &stored["discountDescription"], &stored["language"]],
                [&json!("PO 9"), &json!("Department 12"), &json!("Introduction"), &json!("nl")]
            );
            let page = browser.get(&format!("{list}/1")).text;
            for shown in ["8 hours", "12.5%", "730.00", "Introduction", "720.00"] {
                assert!(page.contains(shown) || page.replace("</data>", "").contains(shown), "{shown}: {page}");
            }
            let edit = browser.get(&format!("{list}/1/edit"));
            let value = |name: &str| value_of(&edit, name).unwrap_or_default();
            assert_eq!(
                ["items.0.unit", "items.0.discountPercent", "discountAmount", "orderNumber"].map(value),
                ["hours", "12.5", "10", "PO 9"].map(str::to_owned)
            );
            assert_eq!(browser.get(&format!("{list}/1/pdf")).status, 200);
        }
    }

    fn faults_of_discounts_are_shown_where_they_are_typed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        for (field, value) in [("items.0.discountAmount", "5"), ("items.1.discountAmount", "31"), ("discountPercent", "101")] {
            let refused = post(&browser, "/invoices", "draft", &[(field, value)]);
            assert_eq!(refused.status, 422, "{field}: {}", refused.text);
            assert!(refused.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", refused.text);
        }
    }

    fn a_credit_note_is_made_of_a_discounted_line(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let made = post(&browser, "/invoices", "draft", &[]);
        assert_eq!(made.status, 303, "{}", made.text);
        let sent = server.send("PATCH", "/api/v1/invoices/1", &[("x-api-key", &key), ("content-type", "application/json")],
            Some(br#"{"status": "sent"}"#));
        assert_eq!(sent.status, 200, "{}", sent.text);
        let form = browser.get("/invoices/1/credit");
        let fields = [("items.0.quantity", "4"), ("items.1.quantity", "0"), ("date", "2026-03-11")];
        let credited = browser.submit(&form, "/invoices/1/credit", &fields);
        assert_eq!(credited.status, 303, "{}", credited.text);
        let note = server.get(&key, "/api/v1/invoices/2").json();
        assert_eq!(note["items"][0]["invoiceItem"], json!(1));
        // 700.00 less its part of 10.00, 9.59, is 690.41; half of it.
        assert_eq!(note["subtotal"].to_string(), "-345.21");
    }

    fn documents_have_the_texts_of_their_language(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = browser.get("/settings/invoices");
        assert_eq!(form.status, 200);
        let texts = [
            ("paymentTermDays", "30"),
            ("numberPattern", "{year}-{number:4}"),
            ("opening.nl", "Bedankt voor de opdracht."),
            ("closing.en", "My terms apply."),
        ];
        let saved = browser.submit(&form, "/settings/invoices", &texts);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let form = browser.get("/settings/invoices");
        for (name, text) in [("opening.nl", "Bedankt voor de opdracht."), ("opening.en", ""), ("closing.nl", ""), ("closing.en", "My terms apply.")] {
            let area = format!("name=\"{name}\"");
            let shown = form.text.split(&area).nth(1).and_then(|rest| rest.split("</textarea>").next()).unwrap();
            assert_eq!(shown.split_once('>').unwrap().1.trim(), text, "{name}");
        }
    }
}
