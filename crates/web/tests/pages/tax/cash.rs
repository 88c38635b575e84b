//! Pages of cash accounting (kasstelsel): the settings, invoices and tasks.

use crate::help::{EMAIL, fault_of, signed_in};
use serde_json::{Value, json};
use testing::{Reply, Server, on_both_engines, page::forms_like};

/// Sends an invoice of 1 000.00 at 21 % dated `day`.
fn invoice(server: &Server, key: &str, day: &str) {
    let body = json!({"status": "sent", "invoiceDate": day, "customer": {"name": "De Pier", "kvkNumber": "12345678"},
        "items": [{"description": "Work", "unitPrice": 1000, "vatRate": 21}]});
    assert_eq!(server.post(key, "/api/v1/invoices", &body).status, 201);
}

on_both_engines! {
    /// The page has several forms, and each keeps its values when another one is rejected.
    fn a_rejected_form_empties_no_other(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let main = |page: &Reply| {
            let mut forms = forms_like(page, "/settings/vat").into_iter();
            forms.find(|form| form.fields.iter().any(|(name, _)| name == "supply")).unwrap()
        };
        let page = browser.get("/settings/vat");
        let filled = [("supply", "goods"), ("majorityOfTime", "true"), ("starter", "true")];
        assert_eq!(browser.submit_form(&main(&page), &filled).status, 303);
        let page = browser.get("/settings/vat");
        for wrong in [
            [("action", "accounting"), ("accounting.method", "cash"), ("accounting.from", "")],
            [("action", "period"), ("vatPeriod.unit", "month"), ("vatPeriod.from", "")],
            [("action", "scheme"), ("scheme", "kor"), ("from", "")],
        ] {
            let refused = browser.submit(&page, "/settings/vat", &wrong);
            assert_eq!(refused.status, 422, "{wrong:?}: {}", refused.text);
            let fields = main(&refused).fields;
            for (name, value) in filled {
                let kept = fields.contains(&(name.to_owned(), value.to_owned()));
                assert!(kept, "{wrong:?} {name}: {fields:?}");
            }
        }
    }

    fn cash_accounting_is_chosen_in_the_settings(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        invoice(&server, &key, "2026-01-10");
        let settings = browser.get("/settings/vat");
        assert!(settings.text.contains("When VAT is due"), "{}", settings.text);
        let choose = |method, from, ground, day| {
            [
                ("action", "accounting"),
                ("accounting.method", method),
                ("accounting.from", from),
                ("accounting.ground", ground),
                ("accounting.designatedOn", day),
            ]
        };
        for (fields, field) in [
            (choose("cash", "2026-02-01", "listedTrade", ""), "accounting.from"),
            (choose("cash", "", "listedTrade", ""), "accounting.from"),
            (choose("cash", "2026-01-01", "", ""), "accounting.ground"),
            (choose("invoice", "2026-01-01", "listedTrade", ""), "accounting.ground"),
            (choose("cash", "2026-01-01", "designated", ""), "accounting.designatedOn"),
            (choose("cash", "2026-01-01", "listedTrade", "2026-01-01"), "accounting.designatedOn"),
        ] {
            let refused = browser.submit(&settings, "/settings/vat", &fields);
            assert_eq!(
                (refused.status, fault_of(&refused, field).is_some()),
                (422, true),
                "{field}: {}",
                refused.text
            );
        }
        let none = server.get(&key, "/api/v1/vat-accounting").json();
        assert_eq!(none["changes"], json!([]));
        let chosen = choose("cash", "2026-01-01", "designated", "2025-12-01");
        let changed = browser.submit(&settings, "/settings/vat", &chosen);
        assert_eq!(changed.status, 303, "{}", changed.text);
        let stored = server.get(&key, "/api/v1/vat-accounting").json()["changes"][0].clone();
        assert_eq!(
            ["method", "from", "ground", "designatedOn"].map(|field| stored[field].clone()),
            ["cash", "2026-01-01", "designated", "2025-12-01"].map(Value::from)
        );
        // All sales so far are to a business.
        let page = browser.get("/settings/vat").text;
        assert!(page.contains("More of your sales goes to businesses"), "{page}");
        // The ground is not filled in, because the end of cash accounting has none.
        assert!(!page.contains("<option value=\"designated\" selected"), "{page}");
        let unknown = browser.submit(&browser.get("/settings/vat"), "/settings/vat", &[("action", "methods")]);
        assert_eq!(unknown.status, 422, "{}", unknown.text);
        assert!(unknown.text.contains("class=\"faults\""), "{}", unknown.text);
        // The names of the API do too.
        let plain = [("action", "accounting"), ("method", "invoice"), ("from", "2026-01-01"), ("ground", "")];
        let back = browser.submit(&browser.get("/settings/vat"), "/settings/vat", &plain);
        assert_eq!(back.status, 303, "{}", back.text);
        let stored = server.get(&key, "/api/v1/vat-accounting").json()["changes"].clone();
        assert_eq!((stored.as_array().unwrap().len(), &stored[0]["method"]), (1, &json!("invoice")));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_invoice_shows_the_vat_that_is_due_and_the_vat_that_is_not(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let cash = json!({"method": "cash", "from": "2025-01-01", "ground": "listedTrade"});
        assert_eq!(server.post(&key, "/api/v1/vat-accounting", &cash).status, 200);
        invoice(&server, &key, "2025-02-01");
        let page = browser.get("/invoices/1");
        let paid = [("date", "2026-03-01"), ("amount", "605"), ("method", "bank")];
        let recorded = browser.submit(&page, "/invoices/1/payments", &paid);
        assert_eq!(recorded.status, 303, "{}", recorded.text);
        let page = browser.get("/invoices/1").text;
        let card = page.split("id=\"vat-when-paid\"").nth(1).expect("a card").to_owned();
        let card = card.split("</section>").next().unwrap();
        assert_eq!(card.matches("105.00").count(), 4, "twice as text and as data: {card}");
        assert!(card.contains("VAT not due yet") && card.contains("2026-03-01"), "{card}");
        // A year late, but there is no VAT to reclaim (art. 29(2) Wet OB 1968).
        assert!(browser.get("/duties").text.contains("Nothing to settle"));
        let write_off = browser.get("/invoices/1/write-off").text;
        assert!(write_off.contains("nothing comes back"), "{write_off}");
        // The summary of the year has a line of its own for it.
        let year = browser.get("/year/2026").text;
        assert!(year.contains("VAT on open invoices"), "{year}");
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
