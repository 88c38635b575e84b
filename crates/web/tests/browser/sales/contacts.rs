//! `/contacts…` and `/search`: a contact is added, found, merged with a duplicate and archived.

use crate::{BOTH, KIM, Visit};
use serde_json::json;

#[test]
fn a_contact_is_added_found_merged_and_archived() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let key = visit.server.key(KIM, true, true);
        visit.goto("/contacts");
        visit.see_t("contacts-empty-title");
        visit.press_t("contact-new");
        visit.fill("name", "");
        visit.fill("vatNumber", "NL1");
        visit.press_t("save");
        assert!(visit.has("#name-fault") && visit.has("#vatNumber-fault"), "{}", visit.text());
        visit.fill("name", "Museum De Pier");
        visit.fill("vatNumber", "");
        visit.fill("address.city", "Utrecht");
        visit.press_t("save");
        visit.see_t("done-contact-created");
        // A duplicate of the customer, with an invoice.
        let body = json!({"status": "sent", "invoiceDate": "2026-03-01", "customer": {"name": "Pier"},
            "items": [{"description": "Design", "unitPrice": 100, "vatRate": 21}]});
        assert_eq!(visit.server.post(&key, "/api/v1/invoices", &body).status, 201);
        visit.goto("/contacts/2");
        visit.choose("into", "Museum De Pier");
        visit.press_t("contact-merge-button");
        visit.see_t("done-contact-merged");
        visit.arrive("/contacts/1");
        visit.press("2026-0001");
        visit.arrive("/invoices/1");

        // The search finds the contact by name, and its invoice by number and amount.
        for (text, found) in [
            ("de pier", "Museum De Pier"),
            ("2026-0001", "2026-0001"),
            ("121,00", "2026-0001"),
            ("121.00", "2026-0001"),
        ] {
            visit.goto("/search");
            visit.see_t("search-hint");
            visit.fill(visit.t("search-label"), text);
            visit.enter();
            visit.see(found);
            assert!(visit.path().starts_with("/search?q="), "{}", visit.path());
        }
        visit.goto("/search?q=nobody");
        visit.see_around("search-none");

        visit.goto("/contacts/1");
        visit.press_t("archive");
        visit.see_t("done-contact-archived");
        visit.goto("/contacts");
        visit.see_t("contacts-none-title");
        visit.press_t("state-archived");
        visit.press("Museum De Pier");
        visit.press_t("restore");
        visit.see_t("done-contact-restored");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
