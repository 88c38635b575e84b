//! Texts in the character set of SEPA payments: letters without accents, digits, blanks and
//! `/ - ? : ( ) . , ' +` (EPC132-08, section 1.4).

use ledger::latin::without_accent;

/// Returns a text in the character set, with single blanks, truncated to `most` characters.
///
/// Accents are removed, some signs are replaced by similar ones, and other characters by a dot.
pub(crate) fn text(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => out.push(c),
            '/' | '-' | '?' | ':' | '(' | ')' | '.' | ',' | '\'' | '+' => out.push(c),
            c if c.is_whitespace() || c.is_control() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            '&' => out.push('+'),
            '_' | '–' | '—' | '‐' | '‑' => out.push('-'),
            '‘' | '’' | '`' | '´' | '"' | '“' | '”' => out.push('\''),
            '[' | '{' | '<' => out.push('('),
            ']' | '}' | '>' => out.push(')'),
            ';' => out.push(','),
            '€' => out.push_str("EUR"),
            _ => out.push_str(without_accent(c).unwrap_or(".")),
        }
    }
    out.truncate(most.min(out.len()));
    out.trim_end().to_owned()
}

/// Whether a text can be an identifier: 1 to 35 characters of the set without blanks, no `/` at
/// either end, and no `//`.
pub(crate) fn is_identifier(id: &str) -> bool {
    (1..=35).contains(&id.len())
        && text(id, 35) == id
        && !id.contains(' ')
        && !id.starts_with('/')
        && !id.ends_with('/')
        && !id.contains("//")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accents_and_signs_become_letters_and_signs_of_the_set() {
        for (from, to) in [
            ("Café Zoë & Søn <BV>", "Cafe Zoe + Son (BV)"),
            ("  a \n\t b  ", "a b"),
            ("’t Œuvre – 5 €; “x”", "'t OEuvre - 5 EUR, 'x'"),
            ("王🎉", ".."),
            ("Straße_1", "Strasse-1"),
        ] {
            assert_eq!(text(from, 140), to);
        }
        assert_eq!(text("abc def", 4), "abc");
    }

    #[test]
    fn identifiers_have_no_blanks_and_no_double_slashes() {
        for (id, is_valid) in [
            ("GB12-3", true),
            ("", false),
            ("GB 12", false),
            ("/GB", false),
            ("GB/", false),
            ("G//B", false),
            ("G/B", true),
            ("GBé", false),
            (&*"1".repeat(35), true),
            (&*"1".repeat(36), false),
        ] {
            assert_eq!(is_identifier(id), is_valid, "{id}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_converted_once(input in "\\PC{0,60}", most in 0_usize..50) {
            let out = text(&input, most);
            prop_assert!(out.len() <= most && out.is_ascii());
            prop_assert_eq!(text(&out, most), out);
        }
    }
}
