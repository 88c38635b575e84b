//! `/expenses` and `/receipts`: a photographed bill is booked with its receipt and paid.

use crate::{BOTH, DESK, Visit, picture};

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

#[test]
fn the_vat_rate_follows_the_category_until_a_person_chooses_one() {
    let visit = Visit::signed_in(DESK);
    visit.goto("/expenses/new");
    let rate = || visit.value("items.0.vatRate");
    assert_eq!(rate(), "21");
    visit.fill("supplier", "CJIB");
    visit.fill("items.0.amount", "104,00");
    for (category, expected) in [("4440", "0"), ("4100", "21"), ("4400", "0")] {
        visit.choose("items.0.category", category);
        assert_eq!(rate(), expected, "{category}");
    }
    // What is shown is booked with one press.
    visit.press_t("expense-book");
    visit.see_around("done-expense-recorded");
    assert_eq!(visit.by_api("expenses/1")["vatTotal"], 0.0);
    visit.goto("/expenses/new");
    visit.choose("items.0.vatRate", "9");
    visit.choose("items.0.category", "4440");
    assert_eq!(rate(), "9");
}
