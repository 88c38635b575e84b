//! `/receipts`: one photo is dropped and booked as an expense next to its picture; another is
//! discarded.

use crate::{DARK_PHONE, DESK, KIM, Visit, picture};

/// Uploads a photo: by drag and drop if JavaScript is enabled, otherwise through the file field.
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
fn a_photograph_is_dropped_and_becomes_an_expense() {
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
            // The image's box has its size before the image is loaded.
            let sizes = "const s = getComputedStyle(document.querySelector('th .receipt img')); return [s.width, s.height]";
            assert_eq!(visit.script(sizes, Vec::new()), serde_json::json!(["80px", "112px"]));
        }
        visit.assert_accessible();
        hand_in(&visit, "twice.jpg");
        visit.goto("/");
        visit.goto("/receipts");
        visit.press_t("receipt-book");
        // Identical bytes are stored once, so there is only one receipt to book.
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
        assert_eq!(
            (&expense["vatDeductible"], &expense["receiptIds"][0]),
            (&21.0.into(), &1.into())
        );
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
