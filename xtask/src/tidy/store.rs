//! Finds handlers that access the store directly. Handlers must use `AppState::execute`, and
//! `AppState::query` or `ReadContext::query`, which pass the account to the fair queue. Apart from
//! that, handlers may only wait for the store's notifications.

use super::Files;
use regex::Regex;

/// Folders of the handlers.
const HANDLERS: &[&str] = &[
    "crates/web-api/src/",
    "crates/web-open/src/",
    "crates/web-pages/src/",
    "crates/web/src/oauth/",
];
/// Methods of the store that handlers may call.
const ALLOWED: &[&str] = &["watch", "reported"];

/// Returns each violation as `file:line: call`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let calls = Regex::new(r"\.store\(\)(?:\s*\.\s*(\w+))?")?;
    let mut found = Vec::new();
    for (file, text) in
        files.iter().filter(|(file, _)| HANDLERS.iter().any(|folder| file.starts_with(folder)))
    {
        for verb in calls.captures_iter(text) {
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
    fn direct_uses_of_the_store_are_found() {
        let text = "fn a() {\n    app.query(1, q);\n    app.store().reported();\n    app.store().read(q);\n    let store = app\n        .store();\n}\n";
        let files = Files::from([
            ("crates/web-api/src/a.rs".to_owned(), text.to_owned()),
            ("crates/web-core/src/jobs.rs".to_owned(), text.to_owned()),
        ]);
        let found = find(&files).unwrap();
        assert_eq!(
            found,
            ["crates/web-api/src/a.rs:4: .store().read", "crates/web-api/src/a.rs:6: .store()"]
        );
    }
}
