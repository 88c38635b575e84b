//! The link of an invoice: copied by the owner, opened by the customer.

use crate::{BOTH, Visit};
use browser_testing::Browser;
use serde_json::json;

#[test]
fn the_link_of_an_invoice() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/settings");
        visit.fill("iban", "NL91ABNA0417164300");
        visit.press_t("save");
        visit.see_t("done-saved");
        let key = visit.server.key(crate::KIM, true, true);
        let body = json!({
            "status": "sent", "language": options.language, "customer": {"name": "Museum De Pier"},
            "items": [{"description": "Design", "unitPrice": 100, "vatRate": 21}],
        });
        let made = visit.server.post(&key, "/api/v1/invoices", &body).json();
        let url = made["publicUrl"].as_str().unwrap();
        visit.goto("/invoices/1");
        visit.see_t("customer-link-not-opened");
        assert_eq!(visit.text_of("[data-testid=customer-link]"), url);
        assert_eq!(visit.has("[data-copy=customer-link]:not([hidden])"), options.javascript);
        if options.javascript {
            visit.press_in_place(visit.t("copy"));
            visit.see_t("copied");
            assert_eq!(visit.clipboard(), url);
        }
        // The customer has another browser.
        let customer = Browser::start(&format!("http://{}", visit.server.address), options);
        customer.goto(url);
        customer.see("NL91 ABNA 0417 1643 00");
        assert!(customer.has(".qr svg"), "{}", customer.text());
        customer.assert_accessible();
        customer.assert_usable_by_keyboard();
        assert!(customer.cookie("grootboek-session").is_none());
        let wide = "return document.documentElement.scrollWidth > innerWidth";
        assert_eq!(customer.script(wide, Vec::new()), json!(false), "nothing beside the screen");
        let folder = tempfile::tempdir().unwrap();
        customer.download_to(folder.path());
        customer.press_in_place(visit.t("customer-document-pdf"));
        let pdf = customer.downloaded(&folder.path().join("2026-0001.pdf"));
        assert!(pdf.starts_with(b"%PDF"), "{} bytes", pdf.len());
        // The owner sees that it was opened, ends the link, and the customer finds nothing.
        visit.reload();
        assert_eq!(visit.by_api("invoices/1/link")["openCount"], 1);
        assert!(!visit.text().contains(visit.t("customer-link-not-opened")), "{}", visit.text());
        visit.press_t("customer-link-withdraw");
        visit.see_t("done-link-withdrawn");
        visit.assert_accessible();
        customer.reload();
        customer.see(visit.t("customer-missing-title"));
        customer.assert_accessible();
    }
}
