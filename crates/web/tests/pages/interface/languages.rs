//! Language: that of the account, else the visitor's choice, else the browser's preference.

use super::headers;
use crate::help::{EMAIL, signed_in, value_of, visit};
use testing::{Engine, Server};

fn tag(page: &testing::Reply) -> &str {
    page.text.split_once("<html lang=\"").unwrap().1.split('"').next().unwrap()
}

#[test]
fn account_before_choice_before_browser() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let browser = browser.speaking("nl");
    assert_eq!(tag(&browser.get("/settings")), "nl");
    let chosen = browser.get("/settings?lang=en");
    let line = chosen.set_cookies()[0].to_owned();
    assert!(
        line.starts_with("grootboek-language=en; ") && line.contains("Max-Age=31536000"),
        "{line}"
    );
    let page = browser.follow(&chosen);
    assert_eq!(tag(&page), "en");
    let fields = ["name"].map(|name| (name, value_of(&page, name).unwrap()));
    let mut filled: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    filled.push(("language", "nl"));
    let saved = browser.submit(&page, "/settings", &filled);
    let page = browser.follow(&saved);
    assert_eq!(tag(&page), "nl");
    assert!(page.text.contains("De instellingen zijn opgeslagen."));
    // The language applies in another browser too.
    let other_browser = visit(&server);
    assert_eq!(other_browser.sign_in(EMAIL, crate::help::PASSWORD).status, 303);
    assert_eq!(tag(&other_browser.get("/")), "nl");
}

#[test]
fn the_language_of_an_account_is_changed_in_the_footer_of_any_page() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/settings");
    assert!(
        page.text.contains("href=\"/settings?lang=nl\"")
            && !page.text.contains("action=\"/settings/language\"")
    );
    let fields = ["name"].map(|name| (name, value_of(&page, name).unwrap()));
    let mut filled: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    filled.push(("language", "nl"));
    assert_eq!(browser.submit(&page, "/settings", &filled).status, 303);
    // A link cannot change the account's language, and the page has no such link.
    let _ = browser.get("/settings?lang=en");
    let page = browser.get("/settings/security?a=1");
    assert!(tag(&page) == "nl" && !page.text.contains("lang=en"), "{}", page.text);
    let changed = browser.submit(&page, "/settings/language", &[("language", "en")]);
    assert_eq!(changed.header("location"), Some("/settings/security?a=1"));
    assert!(changed.set_cookies()[0].starts_with("grootboek-language=en; "));
    assert_eq!(tag(&browser.follow(&changed)), "en");
    // An unsupported language, and a form without its token, change nothing.
    assert_eq!(browser.submit(&page, "/settings/language", &[("language", "fr")]).status, 303);
    assert_eq!(browser.post("/settings/language", &[("language", "nl")]).status, 403);
    assert_eq!(tag(&browser.get("/settings")), "en");
    // The language applies in another browser too.
    let other_browser = visit(&server).speaking("nl");
    assert_eq!(other_browser.sign_in(EMAIL, crate::help::PASSWORD).status, 303);
    assert_eq!(tag(&other_browser.get("/")), "en");
}

#[test]
fn every_page_exists_in_both_languages() {
    let server = Server::start(Engine::Sqlite);
    let inside = signed_in(&server);
    let outside = visit(&server);
    let shown = |path: &str, is_inside: bool, language: &'static str| {
        let browser = if is_inside { &inside } else { &outside };
        browser.clone().speaking(language).get(path)
    };
    let pages = [(headers::inside(), true), (headers::outside(), false)];
    for (path, is_inside) in pages
        .into_iter()
        .flat_map(|(paths, is_inside)| paths.into_iter().map(move |path| (path, is_inside)))
    {
        let (dutch, english) = (shown(&path, is_inside, "nl"), shown(&path, is_inside, "en"));
        assert_eq!(dutch.status, english.status, "{path}");
        if dutch.status == 303 {
            continue;
        }
        assert_eq!((tag(&dutch), tag(&english)), ("nl", "en"), "{path}");
        let title = |page: &testing::Reply| {
            page.text.split_once("<h1").unwrap().1.split("</h1>").next().unwrap().to_owned()
        };
        assert_ne!(title(&dutch), title(&english), "{path}");
    }
}

#[test]
fn the_language_has_a_page_of_its_own_among_the_settings() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    assert!(browser.get("/settings").text.contains("href=\"/settings/language\""));
    let page = browser.get("/settings/language");
    assert!(page.status == 200 && page.text.contains("<title>Language"), "{}", page.text);
    let saved = browser.submit(&page, "/settings/language", &[("language", "nl")]);
    assert_eq!(saved.header("location"), Some("/settings/language?done=saved"), "{}", saved.text);
    let page = browser.follow(&saved);
    assert!(
        tag(&page) == "nl" && page.text.contains("De instellingen zijn opgeslagen."),
        "{}",
        page.text
    );
    assert!(page.text.contains("value=\"nl\" selected"), "{}", page.text);
    let wrong = browser.submit(&page, "/settings/language", &[("language", "fr"), ("next", "")]);
    assert!(
        wrong.status == 422 && crate::help::fault_of(&wrong, "language").is_some(),
        "{}",
        wrong.text
    );
    // A form without the field keeps the language. The browser's language can be selected again.
    let company = browser.get("/settings");
    assert!(
        !company.text.contains("name=\"language\"><option")
            && browser.submit(&company, "/settings", &[("name", "Anna")]).status == 303
    );
    let page = browser.get("/settings/language");
    assert_eq!(tag(&page), "nl");
    assert_eq!(
        browser.submit(&page, "/settings/language", &[("language", ""), ("next", "")]).status,
        303
    );
    browser.lose_cookie("grootboek-language");
    assert_eq!(tag(&browser.get("/settings/language")), "en");
}
