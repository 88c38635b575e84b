//! The routes of the pages, as the sources have them, and the table of them in `docs/pages.md`.

use std::{collections::BTreeSet, fs, path::Path};

/// The folder of this crate.
fn here(below: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The sources of all pages.
fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// Every route of the pages with the methods that it knows: `("/invoices/{id}", "get post")`. What only a build for developers has is not
/// among them.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut source = String::new();
    sources(&here("src/pages"), &mut source);
    let mut found = BTreeSet::new();
    for rest in source.split(".route(").skip(1) {
        let rest = rest.trim_start();
        let Some((path, rest)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else { continue };
        let mut depth = 1;
        let end = rest.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let handlers = &rest[..end.unwrap()];
        let methods: Vec<&str> = ["get", "post"].into_iter().filter(|method| handlers.contains(&format!("{method}("))).collect();
        found.insert((path.to_owned(), methods.join(" ")));
    }
    // The kinds of events have their routes in a table of their own.
    let kinds = fs::read_to_string(here("src/pages/journal/kinds.rs")).unwrap();
    let table = kinds.split_once("const PATHS").unwrap().1.split_once("];").unwrap().0;
    for path in table.split('"').filter(|text| text.starts_with('/')) {
        let methods = match path {
            undo if undo.ends_with("/undo") => "post",
            one if one.contains("{id}") => "get",
            file if file.ends_with(".csv") || file.ends_with(".xlsx") => "get",
            _ => "get post",
        };
        found.insert((path.to_owned(), methods.to_owned()));
    }
    found.retain(|(path, _)| path.starts_with('/') && path != "/design" && !path.starts_with("/static/"));
    found.into_iter().collect()
}

/// The rows of the table: the paths of each, and its tests.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let table = fs::read_to_string(here("../../docs/pages.md")).unwrap();
    let coded = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let [paths, _, tests] = cells[..] else { panic!("a row has three cells: {line}") };
        (coded(paths), coded(tests))
    };
    table.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

#[test]
fn every_route_of_the_pages_stands_in_the_table_and_nothing_else_does() {
    let listed: Vec<String> = rows().into_iter().flat_map(|(paths, _)| paths).collect();
    // A list as a file is listed with its page.
    let routes: BTreeSet<String> =
        all().into_iter().map(|(path, _)| path.trim_end_matches(".csv").trim_end_matches(".xlsx").to_owned()).collect();
    let missing: Vec<&String> = routes.iter().filter(|path| !listed.contains(path)).collect();
    assert!(missing.is_empty(), "docs/pages.md lacks {missing:?}");
    let gone: Vec<&String> = listed.iter().filter(|path| !routes.contains(*path)).collect();
    assert!(gone.is_empty(), "docs/pages.md has {gone:?}, which no page is at");
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a path stands twice in docs/pages.md");
}

#[test]
fn every_test_that_the_table_names_is_there() {
    for (paths, tests) in rows() {
        assert!(!tests.is_empty(), "{paths:?} has no test");
        for test in tests {
            let (file, name) = test.split_once("::").unwrap_or_else(|| panic!("{test} is no test"));
            let source = fs::read_to_string(here(&format!("tests/{file}.rs"))).unwrap_or_else(|error| panic!("{test}: {error}"));
            assert!(source.contains(&format!("fn {name}(")), "{test} is not there");
        }
    }
}
