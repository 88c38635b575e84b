//! The small businesses scheme as pages: turnover, tasks, and the end of the scheme.

use crate::help::{EMAIL, signed_in};
use serde_json::{Value, json};
use testing::{Server, on_both_engines};

/// Creates a sent, exempt invoice.
fn sold(server: &Server, key: &str, day: &str, price: i64) -> Value {
    let invoice = json!({"invoiceDate": day, "status": "sent", "customer": {"name": "Bakery"},
        "items": [{"description": "Work", "unitPrice": price, "vatRate": 0}]});
    let reply = server.post(key, "/api/v1/invoices", &invoice);
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

on_both_engines! {
    fn the_turnover_is_shown_and_the_scheme_is_ended(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get("/settings/vat");
        let fields = [
            ("scheme", "kor"),
            ("from", "2026-10-01"),
            ("because", "choice"),
            ("notifiedOn", "2026-09-04"),
            ("action", "scheme"),
        ];
        // Four weeks before 1 October is 3 September.
        let late = browser.submit(&page, "/settings/vat", &fields);
        assert_eq!(late.status, 422, "{}", late.text);
        assert!(late.text.contains("The tax office needs your notice by"), "{}", late.text);
        let mut fields = fields;
        fields[3].1 = "2026-09-03";
        assert_eq!(browser.submit(&page, "/settings/vat", &fields).status, 303);
        sold(&server, &key, "2026-10-05", 15_000);
        let todo = "Near the limit of the KOR";
        assert!(!browser.get("/").text.contains(todo));
        let later = sold(&server, &key, "2026-11-02", 4_950);
        assert!(browser.get("/").text.contains(todo));
        let shown = browser.get(&format!("/invoices/{}", later["id"])).text;
        assert!(shown.contains("€50.00 is left this year"), "{shown}");
        let new = browser.get("/invoices/new").text;
        assert!(new.contains("€50.00</data> is left"), "{new}");
        let kor = browser.get("/kor").text;
        assert!(kor.contains("99%") && kor.contains("You use the KOR."), "{kor}");
        // The next invoice is dated earlier, so that the previous one now passes the limit.
        let backdated = sold(&server, &key, "2026-10-20", 100);
        let shown = browser.get(&format!("/invoices/{}", backdated["id"])).text;
        assert!(shown.contains("Because of this invoice a later one passes"), "{shown}");
        assert!(browser.get("/").text.contains("End the KOR"));
        let kor = browser.get("/kor");
        let end = [
            ("scheme", "normal"),
            ("because", "limit"),
            ("from", "2026-11-02"),
            ("action", "scheme"),
        ];
        // Until then a new line has no VAT.
        assert!(new.contains("<option value=\"0\" selected"), "{new}");
        assert_eq!(browser.submit(&kor, "/settings/vat", &end).status, 303);
        let duties = browser.get("/duties").text;
        let section = duties.split("id=\"after-kor\"").nth(1).expect("a list");
        assert!(section.contains(&format!("/invoices/{}/credit", later["id"])), "{section}");
        assert!(browser.get("/duties.csv").text.contains("afterKor"));
        let new = browser.get("/invoices/new").text;
        assert!(new.contains("<option value=\"21\" selected"), "{new}");
        let kor = browser.get("/kor").text;
        assert!(kor.contains("You don’t use the KOR.") && kor.contains("1 January 2028"), "{kor}");
        assert!(!browser.get("/").text.contains("End the KOR"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    /// Art. 37a(1) Wet OB 1968: who uses the scheme declares no services to businesses in other
    /// member states.
    fn a_service_to_a_business_in_the_eu_is_no_task_under_the_scheme(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-11-20T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let eu = |day: &str| {
            let invoice = json!({"invoiceDate": day, "status": "sent",
                "customer": {"name": "Muster GmbH", "country": "DE", "vatNumber": "DE123456789"},
                "items": [{"description": "Work", "unitPrice": 450, "vatRate": 0}]});
            assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        };
        eu("2026-05-10");
        let kor = json!({"scheme": "kor", "from": "2026-07-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &kor).status, 200);
        eu("2026-08-10");
        let home = browser.get("/").text;
        for (quarter, is_due) in [(2, true), (3, false)] {
            let task = format!("File the VAT return for Q{quarter} 2026");
            assert_eq!(home.contains(&task), is_due, "{quarter}: {home}");
            let row = "data-id=\"DE123456789\"";
            let icp = browser.get(&format!("/icp/2026-Q{quarter}")).text;
            assert_eq!(icp.contains(row), is_due, "{quarter}: {icp}");
        }
        let list = browser.get("/vat").text;
        let third = list.split("<tr").find(|row| row.contains("/vat/2026/3")).unwrap();
        assert!(third.contains("Nothing to file"), "{third}");
    }
}
