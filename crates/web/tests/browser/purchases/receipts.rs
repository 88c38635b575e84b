//! `/receipts`: a photograph is dropped, waits, and becomes an expense beside which it is shown; another is thrown away.

use crate::{DARK_PHONE, DESK, KIM, Visit, picture};

/// Brings a photograph to the page: dropped where scripts run, else chosen.
fn hand_in(visit: &Visit, name: &str) {
    if visit.options().javascript {
        visit.drop_photograph(name);
    } else {
        let file = visit.folder().join(name);
        std::fs::write(&file, picture()).unwrap();
        visit.attach("file", &file);
    }
    visit.press_t("receipts-keep");
}

#[test]
fn a_photograph_is_dropped_and_made_into_an_expense() {
    for options in [DESK, DARK_PHONE] {
        let visit = Visit::signed_in(options);
        visit.goto("/receipts");
        visit.see_t("receipts-empty-title");
        visit.press_t("receipts-keep");
        assert!(visit.has("#file-fault"), "{}", visit.text());
        hand_in(&visit, "toner.jpg");
        visit.see_t("done-receipts-kept");
        visit.see("toner.jpg");
        assert!(visit.has("img[src='/receipts/1/thumbnail']"));
        if visit.options().javascript {
            // Its place is as high as it will be before it is loaded.
            let sizes = "const s = getComputedStyle(document.querySelector('th .receipt img')); return [s.width, s.height]";
            assert_eq!(visit.script(sizes, Vec::new()), serde_json::json!(["80px", "112px"]));
        }
        visit.assert_accessible();
        hand_in(&visit, "twice.jpg");
        visit.goto("/");
        visit.goto("/receipts");
        visit.press_t("receipt-book");
        // Both are the same bytes: kept once, so there is one to book.
        visit.arrive("/expenses/new");
        assert!(visit.has("figure.receipt img"), "{}", visit.text());
        visit.fill("supplier", "Papierhal");
        visit.choose("items.0.category", "4100");
        visit.fill("items.0.amount", "121");
        visit.assert_accessible();
        visit.press_t("expense-book");
        visit.see_around("done-expense-recorded");
        assert!(visit.has("figure.receipt img"), "{}", visit.text());
        visit.goto("/receipts");
        visit.see_t("receipts-empty-title");
        let expense = visit.by_api("expenses/1");
        assert_eq!((&expense["vatDeductible"], &expense["receiptIds"][0]), (&21.0.into(), &1.into()));
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
