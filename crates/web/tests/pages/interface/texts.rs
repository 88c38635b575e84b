//! Texts: complete in both languages, without unused or missing texts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Texts of a language with their variables, from the files of all areas.
fn read(language: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut paths = Vec::new();
    files(&here("../i18n/locales"), "ftl", &mut paths);
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(&format!("{language}.ftl")) {
            read_file(&path, &mut texts);
        }
    }
    texts
}

fn read_file(path: &Path, texts: &mut BTreeMap<String, BTreeSet<String>>) {
    let (file, source) = (path.display(), fs::read_to_string(path).unwrap());
    let mut last = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some((id, _)) = line.split_once(" =").filter(|(id, _)| {
            id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        }) {
            last = id.to_owned();
            assert!(texts.insert(last.clone(), BTreeSet::new()).is_none(), "{file} has {id} twice");
        }
        for variable in line.split('$').skip(1) {
            let end = variable
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(variable.len());
            texts.get_mut(&last).unwrap().insert(variable[..end].to_owned());
        }
    }
}

fn files(folder: &Path, ending: &str, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, paths);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            paths.push(path);
        }
    }
}

/// Template source without its comments.
fn without_remarks(source: String) -> String {
    let mut parts = source.split("{#");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |all, part| all + part.split_once("#}").map_or(part, |(_, rest)| rest))
}

/// Source with each chain of calls on one line.
fn with_whole_chains(source: &str) -> String {
    let mut joined = String::with_capacity(source.len());
    for line in source.lines() {
        if line.trim_start().starts_with('.') {
            joined.push_str(line.trim_start());
        } else {
            joined.push('\n');
            joined.push_str(line);
        }
    }
    joined
}

/// Texts that the pages use, with the variables that they pass.
fn used() -> Vec<(PathBuf, String, BTreeSet<String>)> {
    let mut paths = Vec::new();
    files(&here("../web-pages/templates"), "html", &mut paths);
    files(&here("../web-open/templates"), "html", &mut paths);
    files(&here("../web-pages/src"), "rs", &mut paths);
    files(&here("../web-open/src/open_data"), "rs", &mut paths);
    // The reasons of suggestions, which the API shows as well.
    paths.push(here("../web-core/src/suggestions.rs"));
    let mut uses = Vec::new();
    for path in paths {
        let source = with_whole_chains(&without_remarks(fs::read_to_string(&path).unwrap()));
        for rest in source
            .replace("self.rich(\"", "self.t(\"")
            .replace("page.rich(\"", "page.t(\"")
            .split(".t(\"")
            .skip(1)
        {
            let (id, rest) = rest.split_once("\")").unwrap();
            let mut variables = BTreeSet::new();
            let mut rest = rest.trim_start();
            while let Some(after) = rest.strip_prefix(".with(\"") {
                let (variable, after) = after.split_once('"').unwrap();
                variables.insert(variable.to_owned());
                // Up to the closing parenthesis of this call.
                let mut depth = 1;
                let end = after.find(|c| {
                    depth += match c {
                        '(' => 1,
                        ')' => -1,
                        _ => 0,
                    };
                    depth == 0
                });
                rest = after[end.unwrap() + 1..].trim_start();
            }
            uses.push((path.clone(), id.to_owned(), variables));
        }
    }
    uses
}

#[test]
fn both_languages_have_the_same_texts_and_variables() {
    let (dutch, english) = (read("nl"), read("en"));
    assert!(dutch.len() > 100);
    for (id, variables) in &dutch {
        assert_eq!(english.get(id), Some(variables), "{id}");
    }
    for id in english.keys() {
        assert!(dutch.contains_key(id), "{id} is missing in Dutch");
    }
}

#[test]
fn every_text_that_a_page_uses_exists_and_gets_its_variables() {
    let texts = read("en");
    for (path, id, variables) in used() {
        assert_eq!(texts.get(&id), Some(&variables), "{id} in {}", path.display());
    }
}

#[test]
fn no_text_is_unused() {
    let used: BTreeSet<String> = used().into_iter().map(|(_, id, _)| id).collect();
    // A fault's reason is the id of its text; `web-pages/src/frame/faults.rs` tests those texts.
    let mut faults = BTreeMap::new();
    read_file(&here("../i18n/locales/faults.nl.ftl"), &mut faults);
    // The table of errors contains the ids of the texts for refusals.
    let refusals = fs::read_to_string(here("../web-core/src/refusals.rs")).unwrap();
    let is_named = |id: &str| {
        used.contains(id) || faults.contains_key(id) || refusals.contains(&format!("\"{id}\""))
    };
    let idle: Vec<_> = read("nl").into_keys().filter(|id| !is_named(id)).collect();
    assert_eq!(idle, Vec::<String>::new());
}

#[test]
fn templates_hold_no_scripts_styles_or_words_of_their_own() {
    let mut paths = Vec::new();
    files(&here("../web-pages/templates"), "html", &mut paths);
    files(&here("../web-open/templates"), "html", &mut paths);
    for path in paths {
        let source = fs::read_to_string(&path).unwrap();
        for bad in [
            " style=",
            "<style",
            " onclick",
            " onsubmit",
            " onload",
            "javascript:",
            "http://",
            "https://",
        ] {
            assert!(!source.contains(bad), "{bad} in {}", path.display());
        }
        // The components contain fragments of tags; the design page has examples, and is not
        // released.
        if path.ends_with("components.html") || path.ends_with("design.html") {
            continue;
        }
        // Outside tags, calls and comments only names are allowed.
        let mut text = source;
        // Paths and commands are the same in every language.
        for (open, close) in
            [("{#", "#}"), ("<code>", "</code>"), ("{%", "%}"), ("{{", "}}"), ("<", ">")]
        {
            while let Some(start) = text.find(open) {
                let end =
                    text[start..].find(close).map_or(text.len(), |end| start + end + close.len());
                text.replace_range(start..end, " ");
            }
        }
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            assert!(
                [
                    "Grootboek",
                    "Nederlands",
                    "English",
                    "OpenAPI",
                    "DCAT",
                    "JSON",
                    "CSV",
                    "CC",
                    "a",
                    "wide",
                    "narrow",
                    "docs",
                    "API"
                ]
                .contains(&word),
                "{word} in {}",
                path.display()
            );
        }
    }
}
