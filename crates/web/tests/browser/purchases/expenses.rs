//! `/expenses` and `/receipts`: a photographed bill is booked with its receipt and paid.

use crate::{BOTH, Visit, picture};

#[test]
fn a_bill_is_booked_with_its_receipt_and_paid() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let file = visit.folder().join("toner.png");
        std::fs::write(&file, picture()).unwrap();
        visit.goto("/expenses");
        visit.press_t("expense-new");
        visit.fill("supplier", "Papierhal");
        visit.fill("description", "Toner");
        visit.choose("items.0.category", "4100");
        visit.fill("items.0.amount", "121,00");
        visit.choose("paidFrom", "unpaid");
        visit.attach("receipt", &file);
        visit.assert_accessible();
        visit.press_t("expense-book");
        visit.see_around("done-expense-recorded");
        visit.see("toner.png");
        visit.assert_accessible();
        visit.press_t("payment-record");
        visit.see_around("done-expense-paid-whole");
        visit.goto("/receipts");
        visit.see_t("receipts-empty-title");
        visit.assert_accessible();
    }
}
