//! Texts, account names and references as they are stored.

use crate::{limits::MOST_CHARACTERS, upload::AccountName};
use std::ops::Range;

/// Text without control characters, bidirectional overrides and repeated blanks.
pub(crate) struct Cleaned {
    /// Text; `None` if nothing remains.
    pub(crate) text: Option<Box<str>>,
    /// Whether it was cut to [`MOST_CHARACTERS`].
    pub(crate) is_cut: bool,
}

/// Cleans a text.
pub(crate) fn clean(text: &str) -> Cleaned {
    let mut cleaned = String::with_capacity(text.len().min(MOST_CHARACTERS));
    let (mut count, mut is_cut, mut blank) = (0, false, false);
    for c in text.chars() {
        if c.is_whitespace() {
            blank = count > 0;
            continue;
        }
        if is_unwanted(c) {
            continue;
        }
        if count + usize::from(blank) >= MOST_CHARACTERS {
            is_cut = true;
            break;
        }
        if blank {
            cleaned.push(' ');
            count += 1;
            blank = false;
        }
        cleaned.push(c);
        count += 1;
    }
    Cleaned { text: (count > 0).then(|| cleaned.into_boxed_str()), is_cut }
}

/// Whether a character can disguise a text: controls, and marks that change its direction
/// (Unicode, UAX #9).
fn is_unwanted(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Returns a text as an IBAN in upper case without blanks, if it has the shape of one (ISO 13616):
/// two letters, two digits, 11 to 30 letters or digits. The check digits are not verified.
pub(crate) fn iban(text: &str) -> Option<Box<str>> {
    let compact: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(35)
        .map(|c| c.to_ascii_uppercase())
        .collect();
    is_iban(&compact).then(|| compact.into_boxed_str())
}

fn is_iban(compact: &str) -> bool {
    let bytes = compact.as_bytes();
    (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes[4..].iter().all(u8::is_ascii_alphanumeric)
}

/// Returns the name of an account without blanks and dots, without a currency at the end and
/// without the name of a bank and a slash before it; `None` if nothing remains.
pub(crate) fn account(text: &str) -> Option<AccountName> {
    let compact: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '.' && !is_unwanted(*c))
        .take(70)
        .flat_map(char::to_uppercase)
        .collect();
    let mut name = compact.as_str();
    if let Some((bank, number)) = name.split_once('/')
        && bank.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        name = number;
    }
    if let Some((split, _)) = name.char_indices().nth_back(2) {
        let (number, currency) = name.split_at(split);
        if number.ends_with(|c: char| c.is_ascii_digit())
            && currency.bytes().all(|byte| byte.is_ascii_uppercase())
            && (number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') || is_iban(number))
        {
            name = number;
        }
    }
    (!name.is_empty()).then(|| AccountName(name.into()))
}

/// Counts the line breaks in a part of a file: LF, CRLF or CR.
pub(crate) fn line_breaks(file: &[u8], part: Range<usize>) -> u32 {
    let is_break = |index: &usize| match file[*index] {
        b'\r' => file.get(index + 1) != Some(&b'\n'),
        byte => byte == b'\n',
    };
    u32::try_from(part.filter(is_break).count()).unwrap_or(u32::MAX)
}

/// Whether a reference only says that there is no reference.
pub(crate) fn is_no_reference(text: &str) -> bool {
    ["NOTPROVIDED", "NONREF", "NONE", "NOTPROVIDE", "NOT PROVIDED", "EREF", "MARF", "PREF"]
        .iter()
        .any(|none| text.eq_ignore_ascii_case(none))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lose_controls_overrides_and_repeated_blanks() {
        let cases = [
            ("  a \t\r\n b  ", Some("a b")),
            ("a\u{0}\u{7}b\u{202E}c\u{2066}d\u{200F}e", Some("abcde")),
            ("=HYPERLINK(\"x\") <b>é</b>", Some("=HYPERLINK(\"x\") <b>é</b>")),
            (" \u{202E} ", None),
            ("", None),
        ];
        for (text, cleaned) in cases {
            assert_eq!(clean(text).text.as_deref(), cleaned, "{text:?}");
        }
    }

    #[test]
    fn texts_are_cut_at_a_thousand_characters() {
        assert!(!clean(&format!("{} ", "é".repeat(1_000))).is_cut);
        let cut = clean(&"é".repeat(1_001));
        assert!(cut.is_cut);
        assert_eq!(cut.text.unwrap().chars().count(), 1_000);
    }

    #[test]
    fn accounts_are_named_alike_however_they_are_written() {
        let cases = [
            ("NL10BUNQ2290325473 EUR", "NL10BUNQ2290325473"),
            ("NL10BUNQ2290325473EUR", "NL10BUNQ2290325473"),
            ("nl10 bunq 2290 3254 73", "NL10BUNQ2290325473"),
            ("1017.490.554EUR", "1017490554"),
            ("4324567-0000081 EUR", "4324567-0000081"),
            ("TRIODOSBANK/0666666666", "0666666666"),
            ("12345678/1020304050", "12345678/1020304050"),
            ("BE68539007547034", "BE68539007547034"),
            ("EUR Main", "EURMAIN"),
        ];
        for (text, name) in cases {
            assert_eq!(account(text).unwrap().as_str(), name);
        }
        assert_eq!(account(" . "), None);
    }

    #[test]
    fn only_the_shape_of_an_iban_counts() {
        assert_eq!(iban("nl00 rabo 0123 4567 89").as_deref(), Some("NL00RABO0123456789"));
        for other in ["0123456789", "P001234567", "NL00", "", "NL00RABO0123456789\u{e9}"] {
            assert_eq!(iban(other), None, "{other}");
        }
    }
}
