//! Pages of the Union scheme (OSS): registration, an invoice with VAT of another country, and its
//! return.

use crate::help::{EMAIL, fault_of, signed_in};
use testing::{Server, on_both_engines};

on_both_engines! {
    fn a_registration_and_a_return_are_kept_on_their_pages(engine) {
        let server = Server::start(engine);
        server.clock.set("2026-09-30T20:00:00Z");
        let browser = signed_in(&server);
        let page = browser.get("/oss");
        assert!(page.text.contains("You charge Dutch VAT"), "{}", page.text);
        let register = |from| [("action", "register"), ("from", from), ("ground", "choice"), ("until", "")];
        let refused = browser.submit(&page, "/oss", &register("01-08-2026"));
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "from").unwrap().contains("first day of a quarter"));
        let kept = browser.submit(&page, "/oss", &register("01-07-2026"));
        assert_eq!(kept.header("location"), Some("/oss?done=oss-registered"), "{}", kept.text);
        assert!(browser.follow(&kept).text.contains("You use the Union scheme"));
        let form = browser.get("/invoices/new");
        let invoice = [
            ("action", "sent"), ("invoiceDate", "10-09-2026"),
            ("customer.name", "Erika Muster"), ("customer.country", "DE"), ("customer.kind", "consumer"),
            ("items.0.description", "Book"), ("items.0.quantity", "2"), ("items.0.unitPrice", "50"),
            ("items.0.vatRate", ""), ("items.0.supply", "goods"),
        ];
        let sent = browser.submit(&form, "/invoices", &invoice);
        assert_eq!(sent.status, 303, "{}", sent.text);
        assert!(browser.follow(&sent).text.contains("119"), "100.00 and 19 % of it");
        let page = browser.get("/oss/2026-Q3");
        assert!(page.text.contains("data-id=\"DE-goods-19\""), "{}", page.text);
        let csv = browser.get("/oss/2026-Q3.csv");
        assert!(csv.text.ends_with("DE;goederen;NL;standaard;19;100,00;19,00;\r\n"), "{}", csv.text);
        assert!(browser.get("/oss/2026-Q3.xlsx").status == 200);
        server.clock.set("2026-10-01T11:00:00Z");
        assert!(browser.get("/").text.contains("href=\"/oss/2026-Q3\""));
        let page = browser.get("/oss/2026-Q3");
        let filed = browser.submit(&page, "/oss/2026-Q3/file", &[]);
        assert_eq!(filed.header("location"), Some("/oss/2026-Q3?done=oss-filed"), "{}", filed.text);
        assert!(!browser.get("/").text.contains("href=\"/oss/2026-Q3\""));
        assert!(page.text.contains("value=\"19.00\""), "{}", page.text);
        let paid = [("amount", "19"), ("date", "01-10-2026"), ("method", "bank")];
        let paid = browser.submit(&browser.get("/oss/2026-Q3"), "/oss/2026-Q3/payment", &paid);
        assert_eq!(paid.status, 303, "{}", paid.text);
        assert!(browser.get("/vat-payments").text.contains("/oss/2026-Q3"));
        let more = [("amount", "5"), ("date", "01-10-2026"), ("method", "bank")];
        let more = browser.submit(&browser.get("/oss/2026-Q3"), "/oss/2026-Q3/payment", &more);
        assert!(browser.follow(&more).text.contains("more than this return"));
        // A new line for a customer in Germany has the German rate.
        let form = browser.get("/invoices/new");
        let customer = [("action", "calculate"), ("customer.name", "Erika Muster"), ("customer.country", "DE"), ("customer.kind", "consumer"), ("items.0.supply", "goods"), ("items.0.vatRate", "21")];
        let form = browser.submit(&form, "/invoices", &customer);
        assert!(form.text.contains("<option value=\"19\" selected"), "{}", form.text);
        let reopened = browser.submit(&browser.get("/oss/2026-Q3"), "/oss/2026-Q3/reopen", &[]);
        assert_eq!(reopened.header("location"), Some("/oss/2026-Q3?done=oss-reopened"), "{}", reopened.text);
        assert_eq!(browser.get("/oss/2026-07").status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
