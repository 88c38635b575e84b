//! Pages for ICP declarations: check, file, reopen, and add a VAT number after sending.

use crate::help::{EMAIL, fault_of, signed_in, value_of};
use serde_json::json;
use testing::{Server, on_both_engines};

on_both_engines! {
    fn a_declaration_is_checked_filed_and_corrected_on_its_pages(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-04-10T11:00:00Z");
        let browser = signed_in(&server);
        assert!(browser.get("/icp").text.contains("No declarations yet"));
        let key = server.key(EMAIL, true, true);
        let items = json!([{"description": "Work", "unitPrice": 700, "vatRate": 0}]);
        let invoice = json!({
            "invoiceDate": "2026-02-20", "status": "sent", "items": items,
            "customer": {"name": "Muster GmbH", "country": "DE"},
        });
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        let list = browser.get("/icp");
        assert!(list.text.contains("href=\"/icp/2026-Q1\""), "{}", list.text);
        let page = browser.get("/icp/2026-Q1");
        assert!(page.text.contains("<a href=\"/vat\" aria-current=\"true\""), "{}", page.text);
        assert!(page.text.contains("href=\"/invoices/1#vat-number-of-customer\""), "{}", page.text);
        assert!(!page.text.contains("DE123456789"));
        // The VAT number is added after the invoice was sent.
        let shown = browser.get("/invoices/1");
        let number = |number| [("action", "vatNumber"), ("vatNumber", number)];
        let refused = browser.submit(&shown, "/invoices/1", &number("NL002455799B11"));
        assert_eq!(refused.status, 422, "{}", refused.text);
        let fault = fault_of(&refused, "vatNumber").unwrap();
        assert!(fault.contains("This is a Dutch VAT ID."), "{fault}");
        let given = browser.submit(&shown, "/invoices/1", &number("DE123456789"));
        assert_eq!(given.status, 303, "{}", given.text);
        let after = browser.follow(&given);
        assert!(after.text.contains("/invoices/1/vat-number/undo"), "{}", after.text);
        let page = browser.get("/icp/2026-Q1");
        assert!(page.text.contains("data-id=\"DE123456789\""), "{}", page.text);
        let filed = browser.submit(&page, "/icp/2026-Q1/file", &[]);
        assert_eq!(filed.header("location"), Some("/icp/2026-Q1?done=icp-filed"), "{}", filed.text);
        let page = browser.follow(&filed);
        let csv = browser.get("/icp/2026-Q1.csv");
        assert!(csv.text.ends_with("DE;123456789;0;700;0\r\n"), "{}", csv.text);
        // Filing a second time is rejected.
        let csrf = value_of(&page, "csrf").unwrap();
        assert_eq!(browser.post("/icp/2026-Q1/file", &[("csrf", &csrf)]).status, 409);
        let undone = browser.submit(&after, "/invoices/1/vat-number/undo", &[]);
        assert_eq!(undone.status, 303, "{}", undone.text);
        let next = browser.get("/icp/2026-Q2");
        assert!(next.text.contains("data-id=\"2026-Q1-DE123456789\""), "{}", next.text);
        let reopened = browser.submit(&page, "/icp/2026-Q1/reopen", &[]);
        assert_eq!(reopened.header("location"), Some("/icp/2026-Q1?done=icp-reopened"), "{}", reopened.text);
        assert_eq!(browser.get("/icp/2026-02").status, 404);
        // With this box ticked, filing the return does not file its declaration.
        let vat = browser.get("/vat/2026/1");
        let filed = browser.submit(&vat, "/vat/2026/1/file", &[("icp", "false")]);
        assert_eq!(filed.status, 303, "{}", filed.text);
        assert!(browser.get("/icp/2026-Q1").text.contains("/icp/2026-Q1/file"));
        // The page for the filed return says what a correction can take.
        assert!(browser.get("/vat/2026/1").text.contains("Turnover without VAT has no limit"));
        // The overview names the declaration until it is filed.
        assert!(browser.get("/").text.contains("href=\"/icp/2026-Q1\""));
        browser.submit(&browser.get("/icp/2026-Q1"), "/icp/2026-Q1/file", &[]);
        assert!(!browser.get("/").text.contains("href=\"/icp/2026-Q1\""));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
