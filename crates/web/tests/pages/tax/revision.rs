//! Page for the revision of VAT on assets.

use crate::help::{EMAIL, signed_in};
use serde_json::json;
use testing::{Server, on_both_engines};

on_both_engines! {
    fn the_vat_on_assets_is_revised_on_its_page(engine) {
        let server = Server::start(engine);
        server.clock.set("2027-01-10T10:00:00Z");
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        assert!(browser.get("/vat-revisions/2026").text.contains("You have no assets of this year"));
        let camera = json!({"date": "2025-06-01", "description": "Camera", "cost": 20000});
        assert_eq!(server.post(&key, "/api/v1/assets", &camera).status, 201);
        let scheme = json!({"scheme": "kor", "from": "2026-01-01"});
        assert_eq!(server.post(&key, "/api/v1/vat-scheme", &scheme).status, 200);
        // The year-end checklist links to the page.
        let year = browser.get("/year/2026").text;
        assert!(year.contains("href=\"/vat-revisions/2026\""), "{year}");
        let page = browser.get("/vat-revisions/2026");
        assert!(page.text.contains("<data value=\"840.00\">") && page.text.contains("0%"), "{}", page.text);
        let fields = [("description", "Scheme began")];
        let booked = browser.submit(&page, "/vat-revisions/2026", &fields);
        assert_eq!(booked.status, 303, "{}", booked.text);
        let shown = browser.follow(&booked);
        assert!(shown.text.contains("booked on 31 December"), "{}", shown.text);
        let entry = server.get(&key, "/api/v1/vat-revisions/2026").json()["entryId"].clone();
        let journal = browser.get(&format!("/journal/{entry}")).text;
        assert!(journal.contains("Scheme began") && journal.contains("/vat-revisions/2026"), "{journal}");
        assert!(!shown.text.contains("Book the revision"), "{}", shown.text);
        let undone = browser.submit(&shown, "/vat-revisions/2026/undo", &[]);
        assert!(browser.follow(&undone).text.contains("is reversed"), "{}", undone.text);
        // After the last return has been filed, the revision must be a correction.
        let ends = browser.get("/vat/2026/4");
        assert_eq!(browser.submit(&ends, "/vat/2026/4/file", &[]).status, 303);
        let page = browser.get("/vat-revisions/2026");
        let refused = browser.submit(&page, "/vat-revisions/2026", &[]);
        assert!(refused.status == 409 && refused.text.contains("name=\"correction\""), "{}", refused.text);
        let corrected = browser.submit(&refused, "/vat-revisions/2026", &[("correction", "true")]);
        assert_eq!(corrected.status, 303, "{}", corrected.text);
        assert_eq!(browser.get("/vat-revisions/1999").status, 404);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}
