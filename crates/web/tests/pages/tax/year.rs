//! The year as a page: what it says, its assumptions, and closing it; and the settings about tax.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::json;
use testing::{Server, on_both_engines};

on_both_engines! {
    fn a_year_is_read_estimated_closed_and_opened_again(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let browser = browser.speaking("nl");
        let key = server.key(EMAIL, true, true);
        for (day, price) in [("2024-11-20", 40_000), ("2025-11-20", 50_000)] {
            let items = json!([{"description": "Work", "unitPrice": price, "vatRate": 21}]);
            let invoice = json!({"invoiceDate": day, "status": "sent", "customer": {"name": "De Pier"}, "items": items});
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        }
        let page = browser.get("/year/2025");
        for text in ["<h1>Jaar 2025", "<data value=\"50000.00\">", "<data value=\"40000.00\">", "+25%", "Balans op 31 december", "data-id=\"1300\"", "Btw 4e kwartaal 2025 indienen", "data-id=\"0500\""] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        // The example that jortt.nl publishes ("Winst naar inkomstenbelasting eenmanszaak"): 50 000 in 2025, a starter: 6 715.07 and 2 085.08. Ours is a
        // cent less, as nothing is rounded on the way.
        let page = browser.get("/year/2025?asked=1&hoursCriterion=true&starter=true&provisional=800,15");
        for text in ["<data value=\"6715.06\">", "<data value=\"2085.08\">", "<data value=\"7999.99\">", "Startersaftrek"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let wrong = browser.get("/year/2025?asked=1&otherIncome=veel");
        assert!(fault_of(&wrong, "otherIncome").is_some() && value_of(&wrong, "otherIncome").as_deref() == Some("veel"), "{}", wrong.text);
        let closed = browser.submit(&page, "/year/2025/close", &[]);
        let page = browser.follow(&closed);
        assert!(page.text.contains("Afgesloten") && page.text.contains("/year/2025/reopen"), "{}", page.text);
        let opened = browser.submit(&page, "/year/2025/reopen", &[]);
        assert!(browser.follow(&opened).text.contains("/year/2025/close"));
        let running = browser.get("/year/2026");
        assert!(!running.text.contains("/year/2026/close"));
        let refused = browser.post("/year/2026/close", &[("csrf", &value_of(&running, "csrf").unwrap())]);
        assert!(refused.status == 409 && refused.text.contains("nog niet voorbij"), "{}", refused.text);
        assert_eq!(browser.get("/year/26").status, 404);
    }

    fn the_settings_about_tax_are_kept(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/settings/vat");
        assert!(page.text.contains("Returns are per quarter"), "{}", page.text);
        let wrong = browser.submit(&page, "/settings/vat", &[("scheme", "kor"), ("from", "2026-05-02")]);
        assert!(wrong.status == 422 && fault_of(&wrong, "from").is_some(), "{}", wrong.text);
        // Another scheme, but not since when: nothing is silently left as it is.
        let since_when = browser.submit(&page, "/settings/vat", &[("scheme", "kor")]);
        assert!(since_when.status == 422 && fault_of(&since_when, "from").is_some(), "{}", since_when.text);
        let fields = [("scheme", "kor"), ("from", "2026-04-01"), ("zeroMeans", "reverseCharge"), ("supply", "goods"), ("majorityOfTime", "true"), ("nextNumber", "47")];
        let saved = browser.submit(&page, "/settings/vat", &fields);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let made = server.post(&key, "/api/v1/invoices", &json!({"customer": {"name": "A"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 0}]})).json();
        assert_eq!((&made["number"], &made["items"][0]["vatCategory"], &made["items"][0]["supply"]), (&json!("2026-0047"), &json!("reverseCharge"), &json!("goods")));
        assert_eq!(server.get(&key, "/api/v1/summary/2026").json()["hoursCriterion"]["majorityOfTime"], true);
        assert_eq!(server.get(&key, "/api/v1/vat-scheme").json()["changes"][0]["from"], "2026-04-01");
        assert!(!browser.get("/settings/vat").text.contains("name=\"nextNumber\""));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
