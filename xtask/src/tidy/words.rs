//! Words that were replaced by the terms of the field: in names, and where they were private vocabulary also in comments and documents.

use super::Files;
use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;

/// Parts of names, and what to say instead.
const IN_NAMES: &[(&str, &str)] = &[
    ("deed", "command or query"),
    ("noun", "resource, table or sequence"),
    ("door", "interface or origin"),
    ("told", "reported, message or the name of what it is"),
    ("tell", "report"),
    ("dress", "headers"),
    ("abreast", "limit"),
];
/// Words of comments and documents.
const IN_TEXT: &[(&str, &str)] =
    &[("deeds?", "command or query"), ("nouns?", "resource, table or sequence"), ("doors?", "interface")];
/// A name of more parts is a sentence, as tests have, in which any word may stand.
const MOST_PARTS: usize = 3;
/// The folder of this check, which must name the words.
const HERE: &str = "xtask/src/tidy/";

/// Each occurrence as `file:line: word (say instead)`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let in_text = IN_TEXT.iter().map(|(word, instead)| Ok((Regex::new(&format!(r"(?i)\b{word}\b"))?, *instead)));
    let in_text = in_text.collect::<anyhow::Result<Vec<_>>>()?;
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| !file.starts_with(HERE)) {
        let rust = file.ends_with(".rs");
        if !rust && !file.ends_with(".md") && !file.ends_with(".sql") {
            continue;
        }
        if rust {
            let tokens = text.parse::<TokenStream>().map_err(|fault| anyhow::anyhow!("{file}: {fault}"))?;
            names(tokens, &mut |name, line| {
                if let Some(instead) = retired(name) {
                    found.push(format!("{file}:{line}: {name:?} (say {instead})"));
                }
            });
        }
        for (number, line) in text.lines().enumerate() {
            let comment = if rust { line.find("//").map_or("", |place| &line[place..]) } else { line };
            let written = in_text.iter().filter_map(|(word, instead)| Some((word.find(comment)?.as_str(), *instead)));
            found.extend(written.map(|(word, instead)| format!("{file}:{}: {word:?} (say {instead})", number + 1)));
        }
    }
    Ok(found)
}

/// Every name in Rust's own reading of a file, with its line; texts and comments have none.
fn names(tokens: TokenStream, see: &mut impl FnMut(&str, usize)) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => see(&name.to_string(), name.span().start().line),
            TokenTree::Group(group) => names(group.stream(), see),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// What to say instead of a name, if one of its parts was retired.
fn retired(name: &str) -> Option<&'static str> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if (c == '_' || c.is_uppercase()) && words.last().is_some_and(|word| word.chars().any(char::is_lowercase)) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    if words.len() > MOST_PARTS {
        return None;
    }
    let is = |word: &str, retired: &str| word.strip_prefix(retired).is_some_and(|rest| matches!(rest, "" | "s" | "es" | "ed"));
    IN_NAMES.iter().find(|(old, _)| words.iter().any(|word| is(word, old))).map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_comments_are_searched_and_texts_are_not() {
        let source = "fn told() {}\nstruct OldDoors;\n// one deed\nconst A: &str = \"the door\nis told\"; // fine\nfn untold() {}\n\
                      fn whoever_asks_is_told_why() {}\n";
        let files = Files::from([("crates/a/src/lib.rs".to_owned(), source.to_owned())]);
        let found = find(&files).unwrap();
        let mut lines: Vec<&str> = found.iter().filter_map(|line| line.split(':').nth(1)).collect();
        lines.sort_unstable();
        assert_eq!(lines, ["1", "2", "3"], "{found:?}");
    }
}
