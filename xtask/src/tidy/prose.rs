//! Finds phrases and grammar in comments that make a reader stop: CONTRIBUTING.md, "Prose".

use super::Files;
use regex::Regex;

/// First words that no doc comment may have: each opens a relative clause in place of a noun.
const OPENINGS: &str = "What|Of|Who|Whoever|Which|That|How|Where";
/// Patterns that no comment or document may match, each with better words. Matches that begin with
/// the group `before` are allowed, such as `there is none`.
const PHRASES: &[(&str, &str)] = &[
    (r"\btold\b", "reported, shown, sent"),
    (r"\bwhoever\b", "the caller, the client, the user"),
    (r"\b(?P<before>there )?is none\b", "is not one of, has no"),
    (r"\bat the most\b", "at most, maximum"),
    (r"\banew\b", "again"),
];
/// Files that are not checked: the changelog, this file, and one that is not rewritten yet.
const EXCEPT: &[&str] = &["CHANGELOG.md", "xtask/src/tidy/prose.rs", "docs/bookkeeping.md"];
/// Maximum number of lines in the signature of an item, below its doc comment.
const SIGNATURE_LINES: usize = 14;

/// Returns each violation as `file:line: reason`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let opening = Regex::new(&format!(r"^//[/!] (?:{OPENINGS})\b"))?;
    let phrases: Vec<_> = PHRASES
        .iter()
        .map(|(pattern, better)| Ok((Regex::new(pattern)?, *better)))
        .collect::<Result<_, regex::Error>>()?;
    let mut found = Vec::new();
    for (file, text) in
        files.iter().filter(|(file, _)| !EXCEPT.iter().any(|prefix| file.starts_with(prefix)))
    {
        let is_rust = file.ends_with(".rs");
        if !is_rust && !file.ends_with(".md") {
            continue;
        }
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut previous = "";
        for (index, line) in lines.iter().enumerate() {
            let mut fault = |reason: String| found.push(format!("{file}:{}: {reason}", index + 1));
            let first_of_doc = is_rust && is_doc(line) && !is_doc(previous);
            previous = line;
            if first_of_doc && opening.is_match(line) {
                fault(format!("a doc comment begins with a noun or a verb: {line}"));
            }
            if first_of_doc && line.starts_with("/// Whether ") && !is_bool(&lines[index..]) {
                fault(format!("\"Whether\" describes a bool: {line}"));
            }
            if is_rust && !line.starts_with("//") {
                continue;
            }
            for (pattern, better) in &phrases {
                let is_odd = |phrase: regex::Captures<'_>| phrase.name("before").is_none();
                if pattern.captures_iter(line).any(is_odd) {
                    fault(format!("{better}: {line}"));
                }
            }
        }
    }
    Ok(found)
}

fn is_doc(line: &str) -> bool {
    line.starts_with("///") || line.starts_with("//!")
}

/// Whether the item below the doc comment is or returns a `bool`.
fn is_bool(lines: &[&str]) -> bool {
    let mut item = lines.iter().skip_while(|line| is_doc(line) || line.starts_with("#["));
    let mut signature = String::new();
    for line in item.by_ref().take(SIGNATURE_LINES) {
        signature.push_str(line);
        if line.ends_with(['{', ',', ';'])
            && !line.ends_with("(,")
            && signature.matches('(').count() == signature.matches(')').count()
        {
            break;
        }
    }
    ["bool", "AtomicBool", "true", "false"].iter().any(|word| signature.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_in_place_of_nouns_are_found() {
        let text = "/// What was sent.\nstruct A;\n/// Input.\n/// What follows is a continuation.\nstruct B;\n/// Whether it is on.\nfn on(\n    a: u8,\n) -> bool {}\n/// Whether it is on.\nfn count() -> u8 {}\n// The user is told.\n// Empty if there is none.\n";
        let files = Files::from([
            ("a.rs".to_owned(), text.to_owned()),
            ("a.md".to_owned(), "At the end, one at the most.".to_owned()),
        ]);
        let found = find(&files).unwrap();
        assert_eq!(
            found,
            [
                "a.md:1: at most, maximum: At the end, one at the most.",
                "a.rs:1: a doc comment begins with a noun or a verb: /// What was sent.",
                "a.rs:10: \"Whether\" describes a bool: /// Whether it is on.",
                "a.rs:12: reported, shown, sent: // The user is told.",
            ]
        );
    }
}
