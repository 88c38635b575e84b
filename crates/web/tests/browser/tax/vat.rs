//! VAT return: filing and reopening.

use crate::{BOTH, Visit};

#[test]
fn a_quarter_is_filed_and_reopened() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/vat");
        visit.assert_accessible();
        visit.goto("/vat/2025/4");
        visit.see_t("vat-boxes");
        visit.assert_accessible();
        visit.press_t("vat-file");
        visit.see_around("done-vat-filed");
        visit.press_t("vat-reopen");
        visit.see_t("done-vat-reopened");
        visit.see_t("vat-versions");
        visit.assert_accessible();
        visit.goto("/year/2025");
        visit.assert_accessible();
        visit.press_t("year-close");
        visit.see_t("done-year-closed");
    }
}
