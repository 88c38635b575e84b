//! `/journal…` and events: a manual entry, a transfer and related pages, with and without
//! JavaScript.

use crate::{BOTH, Visit};
use browser_testing::BrowserOptions;

#[test]
fn a_manual_entry_and_a_transfer_are_booked() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        visit.goto("/journal");
        visit.see_t("journal-empty-title");
        visit.goto("/journal/new");
        visit.fill("description", "Bank");
        visit.choose("lines.0.account", "4610");
        visit.fill("lines.0.debit", "12,50");
        visit.choose("lines.1.account", "1100");
        visit.fill("lines.1.credit", "12");
        visit.press_t("journal-book");
        visit.see(visit.t("fault-unbalanced").split(':').next().unwrap());
        assert_eq!(
            (visit.value("lines.0.debit").as_str(), visit.value("lines.0.account").as_str()),
            ("12,50", "4610")
        );
        visit.fill("lines.1.credit", "12,50");
        visit.press_t("journal-book");
        visit.see_around("done-entry-made");
        visit.arrive("/journal/1");
        visit.press_t("journal-reverse");
        visit.see_around("done-entry-reversed");
        visit.arrive("/journal/2");
        visit.goto("/transfers");
        visit.choose("to", "card");
        visit.fill("amount", "121");
        visit.press_t("transfers-button");
        visit.see_around("done-event-made");
        visit.arrive("/transfers/2");
        visit.press_t("undo");
        visit.see_t("event-undone");
    }
}

#[test]
fn the_journal_is_accessible() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    visit.goto("/transfers");
    visit.fill("amount", "121");
    visit.press_t("transfers-button");
    for (path, name) in [
        ("/journal", "journal"),
        ("/journal/1", "journal-entry"),
        ("/journal/new", "journal-new"),
        ("/journal/accounts", "trial-balance"),
        ("/journal/accounts/1190", "ledger-card"),
        ("/transfers", "transfers"),
        ("/transfers/1", "transfer"),
        ("/duties", "duties"),
        ("/journal/opening", "opening"),
    ] {
        visit.assert_page_accessible(path, name);
    }
}
