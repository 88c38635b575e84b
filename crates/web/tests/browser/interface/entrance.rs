//! Front page, languages, error page for an unknown path, and framing.

use crate::{NO_SCRIPTS, PHONE, Visit};
use browser_testing::BrowserOptions;

#[test]
fn the_front_page_and_the_page_of_an_unknown_address_are_accessible() {
    let mut visit = Visit::start(BrowserOptions::default());
    visit.assert_page_accessible("/", "first");
    visit.assert_page_accessible("/nowhere", "missing");
    visit.see("Deze pagina bestaat niet");
    visit.press("Naar de startpagina");
    visit.arrive("/");
}

#[test]
fn the_language_is_the_browsers_until_one_is_chosen() {
    for options in [NO_SCRIPTS, BrowserOptions::default()] {
        let mut visit = Visit::start(options);
        visit.goto("/");
        visit.see("Een boekhouding die altijd klopt");
        visit.press("English");
        visit.see("Books that always add up");
        assert_eq!(
            (visit.path().as_str(), visit.attribute_of("html", "lang").as_deref()),
            ("/", Some("en"))
        );
        visit.goto("/nowhere");
        visit.see("This page doesn’t exist");
        visit.goto("/");
        visit.press("Nederlands");
        visit.see("Een boekhouding die altijd klopt");
        let french = BrowserOptions { language: "fr", ..options };
        visit.set(french);
        visit.goto("/");
        visit.see("Een boekhouding die altijd klopt");
    }
}

#[test]
fn the_skip_link_leads_past_the_menu() {
    let visit = Visit::start(PHONE);
    visit.goto("/");
    visit.tab();
    assert_eq!(visit.focused_text(), "Skip to the content");
    visit.enter();
    assert_eq!(visit.script("return document.activeElement.id", vec![]), "main");
}

#[test]
fn no_other_site_can_show_a_page_in_a_frame() {
    let visit = Visit::signed_in(BrowserOptions::default());
    for path in ["/", "/login", "/api-access", "/oauth/authorize"] {
        let frame = format!(
            "<!doctype html><title>x</title><iframe src='http://{}{path}'></iframe>",
            visit.server.address
        );
        let site = browser_testing::Listener::start("", &frame);
        visit.goto(&site.url());
        let console = visit.wait_for_console();
        assert!(
            console[0].contains("frame-ancestors") || console[0].contains("X-Frame-Options"),
            "{path}: {console:?}"
        );
    }
}
