//! Routes of the pages: the table in `docs/pages.md`, and their access rules.

use crate::help::{PASSWORD, signed_in, value_of, visit};
use ledger::country::CountryCode;
use service::{
    accounts::{self, OpenAccount},
    environment::{Clock, Environment},
};
use std::{collections::BTreeSet, fs, path::Path};
use store::accounts::Plan;
use testing::{Engine, Server};
use web::pages::{Access, Route, routes};

/// Path in the folder of this crate.
fn here(below: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// Every route of the pages, except those of development builds.
pub(crate) fn all() -> Vec<Route> {
    routes().into_iter().filter(|route| route.path != "/design").collect()
}

/// Every route that requires signing in, with its access rule and with a number in place of each
/// path parameter.
pub(crate) fn for_signed_in() -> Vec<Route> {
    let mut list = all();
    list.retain(|route| route.access != Access::Public);
    for route in &mut list {
        route.path = route
            .path
            .split('/')
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect::<Vec<_>>()
            .join("/");
    }
    list
}

/// Rows of the table: the paths and the tests of each.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let table = fs::read_to_string(here("../../docs/pages.md")).unwrap();
    let coded =
        |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let [paths, _, tests] = cells[..] else { panic!("a row has three cells: {line}") };
        (coded(paths), coded(tests))
    };
    table.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

#[test]
fn the_table_has_every_route_of_the_pages_and_nothing_else() {
    let listed: Vec<String> = rows().into_iter().flat_map(|(paths, _)| paths).collect();
    // The download of a list as a file is in the same table row as its page.
    let routes: BTreeSet<String> = all()
        .into_iter()
        .map(|route| route.path.trim_end_matches(".csv").trim_end_matches(".xlsx").to_owned())
        .collect();
    let missing: Vec<&String> = routes.iter().filter(|path| !listed.contains(path)).collect();
    assert!(missing.is_empty(), "docs/pages.md lacks {missing:?}");
    let gone: Vec<&String> = listed.iter().filter(|path| !routes.contains(*path)).collect();
    assert!(gone.is_empty(), "docs/pages.md has {gone:?}, which have no page");
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a path stands twice in docs/pages.md");
}

#[test]
fn every_test_that_the_table_names_exists() {
    for (paths, tests) in rows() {
        assert!(!tests.is_empty(), "{paths:?} has no test");
        for test in tests {
            let (file, name) =
                test.split_once("::").unwrap_or_else(|| panic!("{test} does not name a test"));
            let source = fs::read_to_string(here(&format!("tests/{file}.rs")))
                .unwrap_or_else(|error| panic!("{test}: {error}"));
            assert!(source.contains(&format!("fn {name}(")), "{test} does not exist");
        }
    }
}

#[test]
fn only_pages_for_dutch_accounts_are_refused_to_others() {
    let server = Server::start(Engine::Sqlite);
    let (now, email) = (server.clock.now(), "de@example.com");
    let account = OpenAccount {
        email: email.to_owned(),
        name: "Anna".to_owned(),
        country: CountryCode::parse("DE").unwrap(),
        plan: Plan::Starter,
        password: Some(PASSWORD.to_owned()),
    };
    server.write(move |tx| accounts::open(tx, &Environment::at(now), &account));
    let browser = visit(&server);
    assert_eq!(browser.sign_in(email, PASSWORD).status, 303);
    let csrf = value_of(&browser.get("/settings"), "csrf").unwrap();
    for Route { path, methods, access } in for_signed_in() {
        for method in methods.iter().filter(|_| access == Access::Dutch) {
            let answer = match *method {
                "get" => browser.get(&path),
                _ => browser.post(&path, &[("csrf", &csrf)]),
            };
            assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text);
        }
        if access == Access::SignedIn && methods.contains(&"get") {
            assert_ne!(browser.get(&path).status, 403, "{path}");
        }
    }
}

/// A route's access rule is the only check before its handler, so new pages need the right one.
#[test]
fn all_pages_are_for_dutch_accounts_except_those_of_hours_and_of_the_account() {
    const FOR_ALL: [&str; 7] =
        ["/search", "/password", "/settings", "/hours", "/projects", "/api-access", "/unfinished"];
    const EXCEPTIONS: [&str; 4] = [
        "/settings/vat",
        "/settings/reminders",
        "/settings/opening-balance",
        "/projects/{id}/invoice",
    ];
    for Route { path, access, .. } in all() {
        let is_under = |above: &str| {
            path == above
                || path.starts_with(&format!("{above}/"))
                || path.starts_with(&format!("{above}."))
        };
        let is_for_all = FOR_ALL.into_iter().any(is_under) && !EXCEPTIONS.contains(&path.as_str());
        assert!(
            access == Access::Public || (access == Access::Dutch) != is_for_all,
            "{path}: {access:?}"
        );
    }
}

#[test]
fn sensitive_pages_ask_for_the_password_again() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let csrf = value_of(&browser.get("/settings"), "csrf").unwrap();
    server.clock.set("2026-03-15T11:10:01Z");
    let protected: Vec<Route> = for_signed_in()
        .into_iter()
        .filter(|route| route.access == Access::RecentPassword)
        .collect();
    assert!(protected.len() > 5, "{protected:?}");
    for Route { path, methods, .. } in protected {
        for method in methods {
            let answer = match method {
                "get" => browser.get(&path),
                _ => browser.post(&path, &[("csrf", &csrf)]),
            };
            assert!(
                answer.header("location").unwrap().starts_with("/password/confirm?next="),
                "{method} {path}"
            );
        }
    }
}
