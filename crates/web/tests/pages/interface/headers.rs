//! Response headers of every page, cookies, caching and compression.

use super::routes;
use crate::help::{EMAIL, PASSWORD, open, session, signed_in, value_of, visit};
use testing::{Engine, Server};
use web::pages::Access;

/// Endings of paths that return a file.
const FILES: [&str; 4] = [".csv", ".xlsx", "/audit-file", "/icp"];
/// Pages that need more than a session: an authorization request, or a test account.
const OF_OTHERS: [&str; 2] = ["/oauth/authorize", "/api-access/test-account/webhooks/new"];
/// Lists that a script inserts into a page.
const PARTS: [&str; 2] = ["/contacts/suggest", "/articles/suggest"];
/// Pages with a preview in a frame of this server.
const FRAMING: [&str; 3] = ["/invoices/new", "/quotes/new", "/recurring/new"];

/// Paths of the public pages.
pub(crate) fn outside() -> Vec<String> {
    pages(|access| access == Access::Public, &["/confirm?token=x", "/email/confirm?token=x"])
}

/// Paths of the pages that require signing in.
pub(crate) fn inside() -> Vec<String> {
    pages(|access| access != Access::Public, &["/hours?month=2026-03"])
}

/// Paths of the pages that need no record and whose access rule `fits`, followed by `besides`.
fn pages(fits: impl Fn(Access) -> bool, besides: &[&str]) -> Vec<String> {
    let shown = routes::all()
        .into_iter()
        .filter(|route| route.methods.contains(&"get") && fits(route.access));
    let paths = shown.map(|route| route.path.replace("{year}", "2026").replace("{quarter}", "1"));
    let by_itself = |path: &String| {
        !path.contains('{')
            && !FILES.iter().any(|ending| path.ends_with(ending))
            && !OF_OTHERS.contains(&path.as_str())
            && !PARTS.contains(&path.as_str())
    };
    paths.filter(by_itself).chain(besides.iter().map(|path| (*path).to_owned())).collect()
}

#[test]
fn every_page_has_its_headers() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let stranger = visit(&server);
    let (inside, mut outside) = (inside(), outside());
    assert!(inside.len() > 40 && outside.len() > 8, "{inside:?} {outside:?}");
    outside.extend(["/nowhere", "/settings/nowhere"].map(str::to_owned));
    let inside: Vec<_> = inside.into_iter().map(|path| (browser.get(&path), path)).collect();
    let outside = outside.into_iter().map(|path| (stranger.get(&path), path));
    for (page, path) in outside.chain(inside) {
        let header = |name: &str| {
            page.header(name).unwrap_or_else(|| panic!("{path} lacks the header {name}"))
        };
        let frames = if FRAMING.contains(&path.as_str()) { "; frame-src 'self'" } else { "" };
        assert_eq!(
            header("content-security-policy").strip_suffix(frames).unwrap(),
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
fn over_https_browsers_are_kept_on_https() {
    let server = Server::start_set(Engine::Sqlite, |settings| {
        settings.base_url = "https://books.example".into()
    });
    let browser = visit(&server);
    assert!(
        browser.get("/").header("strict-transport-security").unwrap().contains("max-age=31536000")
    );
}

#[test]
fn over_https_cookies_are_secure_and_bound_to_this_host() {
    let server = Server::start_set(Engine::Sqlite, |settings| {
        settings.base_url = "https://books.example".into()
    });
    open(&server, EMAIL);
    let browser = visit(&server);
    for (path, begins) in [("/login", "__Host-session="), ("/?lang=en", "__Host-language=en; ")] {
        let answer = browser.get(path);
        let [line] = answer.set_cookies()[..] else { panic!("{:?}", answer.headers) };
        assert!(line.starts_with(begins), "{line}");
        for attribute in ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"] {
            assert!(line.split("; ").any(|part| part == attribute), "{attribute} is not in {line}");
        }
    }
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    assert!(browser.is_signed_in());
    // A cookie without the `__Host-` prefix, which an unencrypted page could have set, is ignored.
    let theirs = browser.lose_cookie("__Host-session").unwrap();
    browser.set_cookie("grootboek-session", &theirs);
    assert!(!browser.is_signed_in());
}

#[test]
fn the_cookie_is_http_only_and_set_with_the_first_form() {
    let server = Server::start(Engine::Sqlite);
    open(&server, EMAIL);
    let browser = visit(&server);
    for path in ["/", "/signup/sent", "/nowhere", "/login?lang=xx"] {
        let set = browser.get(path).headers.iter().filter(|(name, _)| name == "set-cookie").count();
        assert_eq!(set, usize::from(path.starts_with("/login")), "{path}");
    }
    let first = session(&browser).unwrap();
    // A browser that already has a session cookie gets no new one.
    assert!(browser.get("/signup").set_cookies().is_empty());
    let inside = browser.sign_in(EMAIL, PASSWORD);
    let lines = inside.set_cookies();
    assert_eq!(lines.len(), 1);
    let (pair, rest) = lines[0].split_once("; ").unwrap();
    let value = pair.strip_prefix("grootboek-session=").unwrap();
    assert!(value.len() == 43 && value != first);
    let mut attributes: Vec<_> = rest.split("; ").collect();
    attributes.sort_unstable();
    // Over HTTP the browser would not send a `Secure` cookie back.
    assert_eq!(attributes, ["HttpOnly", "Path=/", "SameSite=Lax"]);
    // An invalid token is treated as a missing one.
    for bad in ["", "x", &"a".repeat(44), &format!("{}!", &value[1..])] {
        browser.set_cookie("grootboek-session", bad);
        assert_eq!(browser.get("/login").set_cookies().len(), 1, "{bad}");
    }
}

#[test]
fn the_api_ignores_the_cookie() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    assert_eq!(browser.get("/api/v1/account").status, 401);
}

#[test]
fn static_files_are_cached_for_ever_under_a_name_of_their_content() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    let page = browser.get("/");
    let mut names: Vec<&str> = page
        .text
        .split("/static/")
        .skip(1)
        .map(|rest| rest.split(['"', '#']).next().unwrap())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 5, "{names:?}");
    for name in names {
        // Only the headers: the font is not text.
        let file = browser.send("HEAD", &format!("/static/{name}"), &[], None);
        assert_eq!(
            (file.status, file.header("cache-control")),
            (200, Some("public, max-age=31536000, immutable"))
        );
        let kind = file.header("content-type").unwrap();
        assert!(
            [
                "text/css; charset=utf-8",
                "text/javascript; charset=utf-8",
                "image/svg+xml",
                "font/woff2"
            ]
            .contains(&kind),
            "{kind}"
        );
        assert_eq!(browser.get(&format!("/static/x{name}")).status, 404);
    }
}

#[test]
fn browsers_find_the_icon_at_its_usual_address() {
    let server = Server::start(Engine::Sqlite);
    let browser = visit(&server);
    for path in ["/favicon.ico", "/favicon.svg"] {
        let target = browser.get(path).header("location").unwrap().to_owned();
        let icon = browser.get(&target);
        assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
        assert!(
            browser
                .get("/")
                .text
                .contains(&format!("<link rel=\"icon\" type=\"image/svg+xml\" href=\"{target}\">"))
        );
    }
}

#[test]
fn compressible_responses_are_compressed_for_browsers_that_accept_it() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/settings");
    let asset = |kind: &str| {
        let mut links = page
            .text
            .split('"')
            .filter(|text| text.starts_with("/static/") && text.ends_with(kind));
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
        let response = browser.send("GET", path, &[("accept-encoding", "gzip, br")], None);
        assert_eq!(response.header("content-encoding"), is_compressed.then_some("gzip"), "{path}");
        // Caches must keep compressed and plain responses apart.
        let varies = response
            .headers
            .iter()
            .any(|(name, value)| name == "vary" && value.contains("accept-encoding"));
        assert_eq!(varies, is_compressed, "{path}");
    }
    // Secrets in a compressed page are masked with different bytes each time.
    let again = browser.get("/settings");
    assert_ne!(value_of(&page, "csrf"), value_of(&again, "csrf"));
    assert!(value_of(&page, "csrf").is_some());
}
