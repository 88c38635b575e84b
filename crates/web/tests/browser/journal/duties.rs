//! `/duties`: open duties and their settlement; private money, a loan and a payout.

use crate::{BOTH, KIM, Visit};
use serde_json::json;

#[test]
fn open_duties_are_settled() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let key = visit.server.key(KIM, true, true);
        for (day, due) in [("2024-12-01", "2024-12-31"), ("2026-03-01", "2026-03-31")] {
            let body = json!({"status": "sent", "invoiceDate": day, "dueDate": due, "customer": {"name": "De Pier"},
                "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            assert_eq!(visit.server.post(&key, "/api/v1/invoices", &body).status, 201);
        }
        let bill = json!({"date": "2024-11-01", "description": "Paper", "supplier": "Papierhal", "paidFrom": "unpaid", "items": [{"category": "4100", "amount": 100, "vatRate": 21}]});
        assert_eq!(visit.server.post(&key, "/api/v1/expenses", &bill).status, 201);
        visit.goto("/invoices/2");
        visit.choose("method", "ideal");
        visit.press_t("payment-record");
        visit.see_around("done-payment-settled");

        // A debt overdue for a year is written off, which reclaims its VAT.
        visit.goto("/duties");
        visit.see_t("duties-old-debtors");
        visit.see_t("duties-unsettled");
        visit.assert_accessible();
        visit.press("2024-0001");
        visit.unfold("invoice-more");
        visit.press_t("invoice-write-off");
        visit.fill("amount", "1000");
        visit.press_t("write-off-make");
        assert!(visit.has("#amount-fault"), "{}", visit.text());
        visit.assert_accessible();
        visit.fill("amount", "121");
        visit.fill("reason", "Bankrupt");
        visit.press_t("write-off-make");
        visit.see_around("done-invoice-written-off");
        visit.see("Bankrupt");

        // An unpaid bill of that age: its input VAT is repaid.
        visit.goto("/duties");
        visit.see_t("duties-old-bills");
        visit.press("Paper");
        visit.unfold("expense-more");
        visit.press_t("expense-repay-vat");
        visit.see_around("done-expense-vat-repaid");

        // The money that the payment provider holds is paid out.
        visit.goto("/duties");
        visit.press_t("duties-way-provider");
        visit.arrive("/payouts");
        visit.see_t("payouts-empty-title");
        visit.fill("amount", "120");
        visit.fill("fee", "1");
        visit.fill("provider", "Betaalbrug");
        visit.assert_accessible();
        visit.press_t("payout-make");
        visit.see_around("done-payout-recorded");
        visit.see("Betaalbrug");
        visit.goto("/duties");
        visit.see_t("duties-empty-title");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}

#[test]
fn private_money_and_a_loan_are_recorded() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/private-bookings");
        visit.see_t("events-empty-title");
        visit.choose("kind", "drawing");
        visit.fill("amount", "veel");
        visit.press_t("private-button");
        assert!(visit.has("#amount-fault"), "{}", visit.text());
        assert_eq!(visit.value("kind"), "drawing");
        visit.fill("amount", "1800");
        visit.press_t("private-button");
        visit.see_around("done-event-made");
        visit.see_t("private-drawing");
        visit.goto("/loans");
        visit.fill("amount", "10000");
        visit.press_t("loans-button");
        visit.see_around("done-event-made");
        visit.fill("principal", "200");
        visit.fill("interest", "41");
        visit.press_t("repayments-button");
        visit.see_t("loan-owed");
        assert!(visit.has("data[value='9800.00']"), "{}", visit.text());
        visit.assert_accessible();
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
