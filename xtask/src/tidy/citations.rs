//! Finds citations of missing files, or of an external contract, in comments and documents.

use super::Files;
use regex::Regex;

/// This file, whose examples name missing files.
const HERE: &str = "xtask/src/tidy/citations.rs";

/// Returns each invalid citation as `file:line: citation`.
pub(super) fn find(files: &Files) -> Vec<String> {
    // Both patterns are valid constants; the test would notice an invalid one.
    let (Ok(path), Ok(elsewhere)) = (
        Regex::new(r"`([\w./-]+\.(?:rs|sql|ftl|html|toml|md))(?::\d+)?`"),
        Regex::new(r"\((?:contract|spec)[,)]"),
    ) else {
        return vec!["the patterns of this check are invalid".into()];
    };
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| file.as_str() != HERE) {
        let rust = file.ends_with(".rs");
        if !rust && !is_document(file) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let comment =
                if rust { line.find("//").map_or("", |place| &line[place..]) } else { line };
            for cited in path.captures_iter(comment).filter_map(|found| found.get(1)) {
                if !is_here(files, cited.as_str()) {
                    found.push(format!(
                        "{file}:{}: `{}` is not in the repository",
                        number + 1,
                        cited.as_str()
                    ));
                }
            }
            if let Some(words) = elsewhere.find(comment) {
                found.push(format!(
                    "{file}:{}: {:?} cites a document outside the repository",
                    number + 1,
                    words.as_str()
                ));
            }
        }
    }
    found
}

/// Whether a file is one of the project's documents.
pub(super) fn is_document(file: &str) -> bool {
    matches!(file, "ARCHITECTURE.md" | "CONTRIBUTING.md" | "README.md")
        || (file.starts_with("docs/") && file.ends_with(".md"))
}

/// Whether a file has this path, or a path that ends with it.
fn is_here(files: &Files, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    files.keys().any(|file| {
        file.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cited_files_must_exist() {
        let source = "//! See `lib.rs`, `a/src/lib.rs`, `gone.rs`.\n/// Thirty seconds (contract, §9).\nlet text = \"`gone.rs`\";\n";
        let guide = "See `a/src/lib.rs` and `gone.md`.\n";
        let files = Files::from([
            ("crates/a/src/lib.rs".to_owned(), source.to_owned()),
            ("docs/guide.md".to_owned(), guide.to_owned()),
            ("elsewhere/guide.md".to_owned(), guide.to_owned()),
        ]);
        assert_eq!(find(&files).len(), 3, "{:?}", find(&files));
    }
}
