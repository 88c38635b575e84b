//! Retired words that were replaced by the standard terms: in names, and private vocabulary also in
//! comments and documents.
//!
//! `Lane` is allowed: it is the standard name of an account's queue in a fair queue. So is
//! `View<'a>`, the data of an askama template.

use super::Files;
use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;
use std::collections::HashMap;

/// Retired words: pattern in names, pattern in comments and documents, and the replacement. A name
/// is split into its words, in lower case and separated by blanks. The names of types and variants
/// have the prefix `type`, or `declared type` where they are declared. The pattern for text is
/// empty if the word is also ordinary English.
const RETIRED: &[(&str, &str, &str)] = &[
    (r"\bdeeds?\b", r"\bdeeds?\b", "command or query"),
    (r"\bdoors?\b", r"\bdoors?\b", "interface or origin"),
    (r"\bnouns?\b", r"\bnouns?\b", "resource, table or sequence"),
    (r"\bforeseen\b|\bask ahead\b|\btype ahead$", "", "prefetch"),
    (r"\bgrounds?\b", "", "preconditions"),
    (
        r"\b(hold|held)\b",
        r"\bbooks (are|is|were|being) held\b|\bwhile they are held\b",
        "lock, locked",
    ),
    (r"\babreast\b", r"\babreast\b", "limit"),
    (
        r"^fold \w+$|^to fold$",
        r"\b(folds?|folded) (the log|it) into\b|\bcannot be folded\b",
        "checkpoint",
    ),
    (r"^declared type (app|settings)$", "", "AppState, Config"),
    (r"^declared type reading$", "", "ReadContext"),
    (r"^around( every request)?$", "", "middleware"),
    (r"\b(dress(es|ed)?|wears?|worn)\b", r"\b(dress(es|ed)?|wears?|worn)\b", "headers"),
    (r"\b(told|tells?)\b", "", "report, message or the name of what it is"),
    (
        r"\b(signed in|fresh) page\b|\bhalf signed in\b",
        "",
        "Authenticated, RecentlyAuthenticated, awaiting_second_factor",
    ),
    (
        r"^(arrive|leave)$|\b(noted|nowhere)\b|^wrong method$",
        r"\bnoted\b",
        "begin, finish, recorded, not_found",
    ),
    (
        r"\b(forgery|onward|entrance)\b|\btype lost$",
        "",
        "csrf, redirecting, public, authorization_error",
    ),
    (r"\b(un)?seal(s|ed|ing)?\b", r"\b(un)?seal(s|ed|ing)?\b", "encrypt; sign"),
    (r"^machine$|\btype (machine|outside)$", "", "System, environment"),
    (
        r"\b(patience|patient|patiently|familiar|tally|tallies|slow down)\b|\btype (try|slow|slowed)$|^meet$",
        r"\b(patience|familiar|tally|tallies)\b",
        "timeout, backoff, known client, counter, attempt, throttled",
    ),
    (r"^declared type kind$", "", "the kind of what"),
    (r"\btype given$|\btype (line|customer) given$", "", "Parsed, …Input, a value"),
    (r"\btype known$|\bknown or faults\b", "", "Existing, find_by_external_id"),
    (r"\btype (invoice|filing|summary) view$", "", "…Details"),
    (
        r"\bjudged?\b|\btype (wrong|need|whole|exact)$",
        "",
        "validate, ValueError, Presence, Integer, DecimalNumber",
    ),
    (
        r"\bbehind\b|^explain( box)?$",
        r"\bbehind (a|the|each|each of its) box(es)?\b|\bstands? behind (a|the) (box|return|line)\b",
        "postings_of_box, component_boxes",
    ),
    (
        r"\b(proofs?|proves?|proved|proven|proving)\b",
        r"\b(proofs?|proves?|proved|proven|proving)\b",
        "verification, verify, check",
    ),
    (r"\b(uncounted|left)\b|^strange rates$", "", "quarter_delta, remaining, rates_not_invoiced"),
    (r"\btype broken$|^note \w+$", "", "Internal, record"),
];
/// Exceptions: the word as it is found, the prefix of the files' paths, and the reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("left", "crates/documents/", "the side"),
    ("left", "crates/service/src/sales/document_snapshots.rs", "the side"),
    ("left", "crates/testing/src/statements.rs", "the side of an operator"),
    ("behind", "crates/service/src/access/oauth/redirect.rs", "what follows the port"),
    ("explain", "crates/grootboek/", "says what an error means"),
    ("type lost", "crates/store/src/engine/postgres/", "a connection is lost"),
    ("noted", "crates/service/src/tax/scheme_changes.rs", "`notedAt` of the API"),
    ("noted", "crates/store/src/tax/schemes.rs", "`notedAt` of the API"),
    ("noted", "crates/web-api/src/tax/vat_scheme.rs", "`notedAt` of the API"),
    ("noted", "crates/service/src/tax/oss.rs", "`notedAt` of the API"),
    ("noted", "crates/service/src/tax/vat_accounting.rs", "`notedAt` of the API"),
    ("noted", "crates/store/src/tax/cash_accounting.rs", "`notedAt` of the API"),
    ("noted", "crates/store/src/tax/oss.rs", "`notedAt` of the API"),
    ("noted", "crates/web-api/src/tax/oss.rs", "`notedAt` of the API"),
    ("noted", "crates/web-api/src/tax/vat_accounting.rs", "`notedAt` of the API"),
    ("ground", "crates/grootboek/src/demo/year.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/ledger/src/cash_accounting.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/ledger/src/oss.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/service/src/tax/oss.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/service/src/tax/vat_accounting.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/service/tests/model/cash.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/service/tests/model/oss.rs", "`ground` of the API, as in the law"),
    (
        "ground",
        "crates/service/tests/tampering/everything.rs",
        "`ground` of the API, as in the law",
    ),
    ("ground", "crates/service/tests/union_scheme.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/store/src/tax/cash_accounting.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/store/src/tax/oss.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web-api/src/tax/oss.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web-api/src/tax/vat_accounting.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web-core/src/input/tax.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web-pages/src/tax/oss.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web/tests/api/journal/bookkeeping.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web/tests/api/tax/cash.rs", "`ground` of the API, as in the law"),
    ("ground", "crates/web/tests/pages/tax/cash.rs", "`ground` of the API, as in the law"),
    (
        "declared type settings",
        "crates/service/src/sales/document_snapshots.rs",
        "what documents show",
    ),
    ("declared type settings", "crates/store/src/identity/people.rs", "what a person chose"),
    ("arrive", "crates/browser-testing/", "a browser arrives at a page"),
    ("arrive", "crates/web/tests/", "a browser arrives at a page"),
    ("entrance", "crates/web/tests/", "the pages before sign-in"),
    ("judge", "lab/src/", "`cargo lab judge`: programs of others that judge ours"),
    ("sealed", "crates/store/migrations/", "stays as it was recorded"),
];
/// The changelog keeps its wording.
const HISTORY: &str = "CHANGELOG.md";
/// Maximum number of words in a checked name. A longer one is a sentence, such as a test name, in
/// which any word is allowed.
const MOST_PARTS: usize = 3;
/// Folder of this check, which has to contain the words.
const HERE: &str = "xtask/src/tidy/";

/// Returns each occurrence as `file:line: word (say replacement)`, and each exception that is not
/// needed.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    search(files, ALLOWED)
}

fn search(files: &Files, allowed: &[(&str, &str, &str)]) -> anyhow::Result<Vec<String>> {
    let mut words = Words::new(allowed)?;
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| !file.starts_with(HERE) && *file != HISTORY)
    {
        let rust = file.ends_with(".rs");
        if !rust && !file.ends_with(".md") && !file.ends_with(".sql") {
            continue;
        }
        if rust {
            let tokens =
                text.parse::<TokenStream>().map_err(|fault| anyhow::anyhow!("{file}: {fault}"))?;
            names(tokens, &mut |name, is_declared, line| {
                if let Some((word, instead)) = words
                    .in_name(name, is_declared)
                    .filter(|(word, _)| !words.is_allowed(word, file))
                {
                    found.push(format!("{file}:{line}: {word:?} in {name} (say {instead})"));
                }
            });
        }
        for (number, line) in text.lines().enumerate() {
            let comment = if rust { comment(line) } else { line };
            for (word, instead) in words.in_text(comment) {
                if !words.is_allowed(&word, file) {
                    found.push(format!("{file}:{}: {word:?} (say {instead})", number + 1));
                }
            }
        }
    }
    found.extend(words.unneeded());
    Ok(found)
}

/// Compiled patterns and their results.
struct Words<'a> {
    patterns: Vec<(Regex, Option<Regex>, &'static str)>,
    /// Results for the names that were already checked.
    names: HashMap<(String, bool), Option<(String, &'static str)>>,
    allowed: &'a [(&'a str, &'a str, &'a str)],
    used: Vec<bool>,
}

impl<'a> Words<'a> {
    fn new(allowed: &'a [(&'a str, &'a str, &'a str)]) -> anyhow::Result<Self> {
        let compiled = RETIRED.iter().map(|(name, text, instead)| {
            let text =
                if text.is_empty() { None } else { Some(Regex::new(&format!("(?i){text}"))?) };
            anyhow::Ok((Regex::new(name)?, text, *instead))
        });
        Ok(Self {
            patterns: compiled.collect::<Result<_, _>>()?,
            names: HashMap::new(),
            allowed,
            used: vec![false; allowed.len()],
        })
    }

    /// Returns the retired word in a name, with its replacement.
    fn in_name(&mut self, name: &str, is_declared: bool) -> Option<(String, &'static str)> {
        let key = (name.to_owned(), is_declared);
        if let Some(found) = self.names.get(&key) {
            return found.clone();
        }
        let parts = parts(name);
        let is_type = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let before = match (is_type, is_declared) {
            (true, true) => "declared type ",
            (true, false) => "type ",
            (false, _) => "",
        };
        let words = format!("{before}{}", parts.join(" "));
        let retired = |(pattern, _, instead): &(Regex, _, _)| {
            Some((pattern.find(&words)?.as_str().to_owned(), *instead))
        };
        let found =
            if parts.len() > MOST_PARTS { None } else { self.patterns.iter().find_map(retired) };
        self.names.insert(key, found.clone());
        found
    }

    /// Returns the retired words in a comment or a line of a document.
    fn in_text(&self, line: &str) -> Vec<(String, &'static str)> {
        let found = |(_, pattern, instead): &(_, Option<Regex>, _)| {
            Some((pattern.as_ref()?.find(line)?.as_str().to_lowercase(), *instead))
        };
        self.patterns.iter().filter_map(found).collect()
    }

    fn is_allowed(&mut self, word: &str, file: &str) -> bool {
        let place = self
            .allowed
            .iter()
            .position(|(allowed, files, _)| *allowed == word && file.starts_with(files));
        if let Some(place) = place {
            self.used[place] = true;
        }
        place.is_some()
    }

    fn unneeded(&self) -> Vec<String> {
        let unneeded = self.allowed.iter().zip(&self.used).filter(|(_, used)| !**used);
        unneeded
            .map(|((word, files, _), _)| {
                format!("{files}: the exception for {word:?} is not needed")
            })
            .collect()
    }
}

/// Visits every identifier of a file, with its line and whether it declares a type. String literals
/// and comments have none.
fn names(tokens: TokenStream, see: &mut impl FnMut(&str, bool, usize)) {
    let mut declares = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                let text = name.to_string();
                see(&text, declares, name.span().start().line);
                declares = matches!(text.as_str(), "enum" | "struct" | "trait" | "type" | "union");
            }
            TokenTree::Group(group) => names(group.stream(), see),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Returns the comment of a line. The slashes of a URL do not start one.
fn comment(line: &str) -> &str {
    let begins = |place: &usize| !line[..*place].ends_with(':');
    line.match_indices("//").map(|(place, _)| place).find(begins).map_or("", |place| &line[place..])
}

/// Splits a name into its words, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let is_constant = !name.contains(char::is_lowercase);
    for c in name.chars() {
        let is_in_word = words.last().is_some_and(|word| word.chars().any(char::is_lowercase));
        if c == '_' || (c.is_uppercase() && !is_constant && is_in_word) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(source: &str, allowed: &[(&str, &str, &str)]) -> Vec<String> {
        let files = Files::from([("crates/a/src/lib.rs".to_owned(), source.to_owned())]);
        let found = search(&files, allowed).unwrap();
        let mut lines: Vec<String> = found
            .iter()
            .filter_map(|line| Some(line.split(':').nth(1)?.trim().to_owned()))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    #[test]
    fn names_and_comments_are_checked_and_strings_are_not() {
        let source = "fn told() {}\nstruct OldDoors;\n// one deed\nconst A: &str = \"the door\nis told\"; // fine\nfn untold() {}\n\
                      fn whoever_asks_is_told_why() {}\nconst PATIENCE: u8 = 1;\nenum Kind {}\nfn kind() {}\n";
        assert_eq!(lines(source, &[]), ["1", "2", "3", "8", "9"]);
    }

    #[test]
    fn every_pattern_matches_its_word() {
        let retired = "deed door noun ask_ahead ground held abreast fold_log App Reading around DRESS told SignedInPage noted onward \
                       seal_key machine familiar Kind LineGiven Known InvoiceView Judged boxes_behind prove left Broken";
        let mut words = Words::new(&[]).unwrap();
        let found: Vec<_> = retired
            .split(' ')
            .map(|name| words.in_name(name, true).map(|(_, instead)| instead))
            .collect();
        let all: Vec<_> = RETIRED.iter().map(|(_, _, instead)| Some(*instead)).collect();
        assert_eq!(found, all);
    }

    #[test]
    fn exceptions_apply_to_their_files_and_must_be_needed() {
        let source = "fn told() {}\n";
        assert!(lines(source, &[("told", "crates/a/", "a reason")]).is_empty());
        assert_eq!(
            lines(source, &[("told", "crates/b/", "a reason")]),
            ["1", "the exception for \"told\" is not needed"]
        );
    }
}
