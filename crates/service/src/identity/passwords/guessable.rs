//! Passwords that attackers guess first: common passwords, everyday words and the owner's own name,
//! including variants with digits and symbols around them.

use std::{collections::HashSet, sync::OnceLock};

/// Common passwords in lower case and byte order; `common.md` in this folder documents their
/// source.
const COMMON: &str = include_str!("common.txt");
/// Words that people often combine with a year, such as seasons, months, days, cities and clubs, in
/// Dutch and English.
const EVERYDAY: &str = include_str!("everyday.txt");

/// Whether a password is a common password or everyday word, ignoring digits and symbols around it.
/// Passwords that have no letters or that repeat a single character also count as common.
pub(super) fn is_common(password: &str) -> bool {
    static WORDS: OnceLock<HashSet<String>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let common = COMMON.lines().flat_map(|line| [line, bare(line)]).map(str::to_owned);
        common.chain(EVERYDAY.split_whitespace().map(str::to_owned)).collect()
    });
    let lower = password.to_lowercase();
    let mut chars = lower.chars();
    let first = chars.next();
    chars.all(|c| Some(c) == first)
        || readings(&lower).any(|reading| reading.is_empty() || words.contains(&reading))
}

/// Whether a password is one of the strings about the owner (names, addresses) or a part of one,
/// ignoring digits and symbols around it.
pub(super) fn is_personal(password: &str, personal: &[&str]) -> bool {
    let texts: HashSet<String> = personal
        .iter()
        .map(|text| text.to_lowercase())
        .flat_map(|text| {
            let local = text.split('@').next().unwrap_or_default();
            let parts =
                text.split(|c: char| !c.is_alphanumeric()).filter(|part| part.chars().count() > 2);
            let all: Vec<String> =
                [text.as_str(), local].into_iter().chain(parts).map(compact).collect();
            all
        })
        .collect();
    readings(&password.to_lowercase()).any(|reading| texts.contains(&compact(&reading)))
}

/// Returns the variants of a password that are looked up: as typed, without the digits and symbols
/// after the word, and without the digits and symbols on either side of it. Each variant is also
/// returned with letters in place of the digits and symbols that resemble them.
fn readings(lower: &str) -> impl Iterator<Item = String> {
    let is_around = |c: char| !c.is_alphabetic();
    let cores = [lower, lower.trim_end_matches(is_around), bare(lower)];
    cores
        .into_iter()
        .flat_map(|core| [core.to_owned(), letters(core, 'i'), letters(core, 'l')])
        .collect::<Vec<_>>()
        .into_iter()
}

/// Returns the text without the digits and symbols around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphabetic())
}

fn letters(text: &str, one: char) -> String {
    let letter = |c| match c {
        '0' => 'o',
        '1' => one,
        '3' => 'e',
        '@' => 'a',
        '$' => 's',
        other => other,
    };
    text.chars().map(letter).collect()
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passwords::MIN_CHARS;

    #[test]
    fn the_common_passwords_are_sorted_and_in_lower_case() {
        let lines: Vec<&str> = COMMON.lines().collect();
        assert!(lines.len() > 8_000);
        for pair in lines.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        assert!(
            lines
                .iter()
                .all(|line| line.chars().count() >= MIN_CHARS && *line == line.to_lowercase())
        );
    }

    #[test]
    fn everyday_words_are_bare_and_in_lower_case() {
        for word in EVERYDAY.split_whitespace() {
            assert!(word == bare(word) && word == word.to_lowercase(), "{word}");
        }
    }
}
