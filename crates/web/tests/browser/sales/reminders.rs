//! Reminders: the plan, the due ones, and stopping those of an invoice.

use crate::{BOTH, KIM, Visit};
use serde_json::json;

const CUSTOMER: &str = "post@pier.example";

#[test]
fn due_reminders_are_sent_and_those_of_an_invoice_stopped() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let key = visit.server.key(KIM, true, true);
        for _ in 0..2 {
            let body = json!({"status": "sent", "invoiceDate": "2026-01-05", "dueDate": "2026-01-19",
                "customer": {"name": "Museum De Pier", "email": CUSTOMER, "kvkNumber": "12345678"},
                "items": [{"description": "Work", "unitPrice": 500, "vatRate": 21}]});
            assert_eq!(visit.server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        visit.goto("/settings/reminders");
        visit.assert_accessible();
        visit.fill("minimumDays", "1");
        visit.press_t("save");
        assert!(visit.has("#minimumDays-fault"), "{}", visit.text());
        visit.assert_accessible();
        visit.fill("minimumDays", "5");
        visit.press_t("save");
        visit.see_t("done-saved");

        visit.goto("/invoices/2");
        visit.press_t("reminders-stop");
        visit.fill("reason", "Payment plan");
        visit.assert_accessible();
        visit.press_t("reminders-stop-now");
        visit.see_t("done-reminders-stopped");
        visit.see("Payment plan");

        visit.goto("/reminders");
        visit.see("2026-0001");
        visit.assert_accessible();
        visit.press_t("reminders-send");
        visit.see_around("done-reminders-sent");
        visit.see_t("reminders-empty-title");
        visit.mail(CUSTOMER, 1);

        visit.goto("/invoices/2");
        visit.press_t("reminders-resume");
        visit.see_t("done-reminders-resumed");
        visit.assert_accessible();
    }
}
