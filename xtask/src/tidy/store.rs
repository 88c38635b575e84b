//! Handlers reach the books by two ways only, `AppState::execute` and `AppState::query` (and that of `ReadContext`): whose turn it is to be
//! is said there. What else they do with the store is to wait for what it reports.

use super::Files;
use regex::Regex;

/// Where handlers are.
const HANDLERS: &[&str] = &["crates/web/src/api/", "crates/web/src/docs/", "crates/web/src/oauth/", "crates/web/src/pages/"];
/// What they may ask of the store itself.
const ALLOWED: &[&str] = &["watch", "reported"];

/// Each as `file:line: what is asked of the store`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let asked = Regex::new(r"\.store\(\)(?:\s*\.\s*(\w+))?")?;
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| HANDLERS.iter().any(|folder| file.starts_with(folder))) {
        for verb in asked.captures_iter(text) {
            if verb.get(1).is_some_and(|verb| ALLOWED.contains(&verb.as_str())) {
                continue;
            }
            let line = verb.get(0).map_or(0, |verb| text[..verb.start()].lines().count());
            found.push(format!("{file}:{line}: {}", &verb[0]));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_handler_asks_of_the_store_itself_is_found() {
        let text = "fn a() {\n    app.query(1, q);\n    app.store().reported();\n    app.store().read(q);\n    let store = app\n        .store();\n}\n";
        let files = Files::from([
            ("crates/web/src/api/a.rs".to_owned(), text.to_owned()),
            ("crates/web/src/jobs.rs".to_owned(), text.to_owned()),
        ]);
        let found = find(&files).unwrap();
        assert_eq!(found, ["crates/web/src/api/a.rs:4: .store().read", "crates/web/src/api/a.rs:6: .store()"]);
    }
}
