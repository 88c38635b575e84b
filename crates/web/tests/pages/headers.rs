//! What every page says beside its text, and its cookies.

use crate::browser::{Browser, EMAIL, PASSWORD, open, set_cookies, value_of};
use testing::{Engine, Server};

/// Pages for everybody.
pub(crate) const OUTSIDE: [&str; 9] = [
    "/",
    "/signup",
    "/signup/sent",
    "/confirm/again",
    "/login",
    "/password/forgot",
    "/password/sent",
    "/confirm?token=x",
    "/email/confirm?token=x",
];

/// Pages for those who are signed in.
pub(crate) const INSIDE: &[&str] = &[
    "/year/2026",
    "/settings/vat",
    "/vat",
    "/vat/2026/1",
    "/contacts",
    "/contacts/new",
    "/hours",
    "/hours?month=2026-03",
    "/hours/list",
    "/projects",
    "/projects/new",
    "/journal/opening",
    "/duties",
    "/expenses",
    "/expenses/new",
    "/receipts",
    "/assets",
    "/assets/new",
    "/mileage",
    "/invoices",
    "/invoices/new",
    "/journal",
    "/journal/new",
    "/journal/accounts",
    "/transfers",
    "/private-bookings",
    "/accruals",
    "/loans",
    "/private-use",
    "/payouts",
    "/vat-payments",
    "/settings",
    "/settings/invoices",
    "/settings/language",
    "/settings/security",
    "/settings/password",
    "/settings/email",
    "/settings/second-factor",
    "/settings/second-factor/off",
    "/settings/recovery-codes",
    "/settings/data",
    "/settings/data/export",
    "/settings/data/close",
    "/password/confirm",
];

#[test]
fn every_page_wears_its_headers() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let mut stranger = Browser::new(&server);
    let inside = INSIDE.iter().map(|path| (*path, browser.get(path))).collect::<Vec<_>>();
    let outside = OUTSIDE.iter().chain(&["/nowhere", "/settings/nowhere"]).map(|path| (*path, stranger.get(path)));
    for (path, page) in outside.chain(inside) {
        let header = |name: &str| page.header(name).unwrap_or_else(|| panic!("{path} has no {name}"));
        assert_eq!(
            header("content-security-policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; \
             form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
            "{path}"
        );
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("referrer-policy"), "strict-origin-when-cross-origin");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        assert!(header("permissions-policy").contains("camera=()"));
        assert_eq!(header("cache-control"), "no-store", "{path}");
        assert!(page.header("strict-transport-security").is_none());
        if page.status != 303 {
            assert_eq!(header("content-type"), "text/html; charset=utf-8", "{path}");
            assert!(page.text.starts_with("<!doctype html>\n<html lang=\"en\">"), "{path}");
            assert!(page.text.contains("<title>") && !page.text.contains("<title> –"), "{path}");
            assert_eq!(page.text.matches("<h1").count(), 1, "{path}");
        }
    }
}

#[test]
fn on_https_browsers_are_told_to_stay_there() {
    let server = Server::start_set(Engine::Sqlite, |settings| settings.base_url = "https://books.example".into());
    let mut browser = Browser::new(&server);
    assert!(browser.get("/").header("strict-transport-security").unwrap().contains("max-age=31536000"));
}

#[test]
fn on_https_cookies_are_for_this_host_only_and_never_sent_without_encryption() {
    let server = Server::start_set(Engine::Sqlite, |settings| settings.base_url = "https://books.example".into());
    open(&server, EMAIL);
    let mut browser = Browser::new(&server);
    for (path, begins) in [("/login", "__Host-session="), ("/?lang=en", "__Host-language=en; ")] {
        let answer = browser.get(path);
        let [line] = set_cookies(&answer)[..] else { panic!("{:?}", answer.headers) };
        assert!(line.starts_with(begins), "{line}");
        for attribute in ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"] {
            assert!(line.split("; ").any(|found| found == attribute), "{attribute} is not in {line}");
        }
    }
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    assert!(browser.is_signed_in());
    // A cookie that a page without encryption could have set counts for nothing.
    let theirs = browser.cookies.remove("__Host-session").unwrap();
    browser.cookies.insert("grootboek-session".into(), theirs);
    assert!(!browser.is_signed_in());
}

#[test]
fn the_cookie_is_out_of_reach_for_scripts_and_given_with_the_first_form() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let mut browser = Browser::new(&server);
    for path in ["/", "/signup/sent", "/nowhere", "/login?lang=xx"] {
        let set = browser.get(path).headers.iter().filter(|(name, _)| name == "set-cookie").count();
        assert_eq!(set, usize::from(path.starts_with("/login")), "{path}");
    }
    let first = browser.session().unwrap().to_owned();
    // Nothing new for who has one.
    assert!(set_cookies(&browser.get("/signup")).is_empty());
    let inside = browser.sign_in(EMAIL, PASSWORD);
    let lines = set_cookies(&inside);
    assert_eq!(lines.len(), 1);
    let (pair, rest) = lines[0].split_once("; ").unwrap();
    let value = pair.strip_prefix("grootboek-session=").unwrap();
    assert!(value.len() == 43 && value != first);
    let mut attributes: Vec<_> = rest.split("; ").collect();
    attributes.sort_unstable();
    // Without encryption a cookie for encrypted addresses only would not come back.
    assert_eq!(attributes, ["HttpOnly", "Path=/", "SameSite=Lax"]);
    // What is no token of ours is treated as none.
    for bad in ["", "x", &"a".repeat(44), &format!("{}!", &value[1..])] {
        browser.cookies.insert("grootboek-session".into(), bad.to_owned());
        assert_eq!(set_cookies(&browser.get("/login")).len(), 1, "{bad}");
    }
}

#[test]
fn the_api_does_not_know_the_cookie() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    assert_eq!(browser.get("/api/v1/account").status, 401);
}

#[test]
fn the_files_of_the_pages_are_kept_for_ever_and_name_what_is_in_them() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::new(&server);
    let page = browser.get("/");
    let mut names: Vec<&str> = page.text.split("/static/").skip(1).map(|rest| rest.split(['"', '#']).next().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 5, "{names:?}");
    for name in names {
        // Only the head: the font is no text.
        let file = browser.send("HEAD", &format!("/static/{name}"), &[], None);
        assert_eq!((file.status, file.header("cache-control")), (200, Some("public, max-age=31536000, immutable")));
        let kind = file.header("content-type").unwrap();
        assert!(
            ["text/css; charset=utf-8", "text/javascript; charset=utf-8", "image/svg+xml", "font/woff2"].contains(&kind),
            "{kind}"
        );
        assert_eq!(browser.get(&format!("/static/x{name}")).status, 404);
    }
}

#[test]
fn browsers_find_the_icon_where_they_look_for_it() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::new(&server);
    for path in ["/favicon.ico", "/favicon.svg"] {
        let there = browser.get(path).header("location").unwrap().to_owned();
        let icon = browser.get(&there);
        assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
        assert!(browser.get("/").text.contains(&format!("<link rel=\"icon\" type=\"image/svg+xml\" href=\"{there}\">")));
    }
}

#[test]
fn what_becomes_smaller_is_compressed_for_whoever_reads_that() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let page = browser.get("/settings");
    let asset = |kind: &str| {
        let mut links = page.text.split('"').filter(|text| text.starts_with("/static/") && text.ends_with(kind));
        links.next().unwrap_or_else(|| panic!("no {kind} in {}", page.text)).to_owned()
    };
    let (style, font) = (asset(".css"), asset(".woff2"));
    for (path, is_compressed) in [
        ("/settings", true),
        (style.as_str(), true),
        ("/api/openapi.json", true),
        (font.as_str(), false),
        ("/invoices.csv", false),
    ] {
        let plain = browser.send("GET", path, &[], None);
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        let asked = browser.send("GET", path, &[("accept-encoding", "gzip, br")], None);
        assert_eq!(asked.header("content-encoding"), is_compressed.then_some("gzip"), "{path}");
        // A cache between us must not give the one to whoever asked for the other.
        let varies = asked.headers.iter().any(|(name, value)| name == "vary" && value.contains("accept-encoding"));
        assert_eq!(varies, is_compressed, "{path}");
    }
    // What a compressed page keeps secret is written in another way each time.
    let again = browser.get("/settings");
    assert_ne!(value_of(&page, "csrf"), value_of(&again, "csrf"));
    assert!(value_of(&page, "csrf").is_some());
}
