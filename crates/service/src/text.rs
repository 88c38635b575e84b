//! Validation of text fields: visible, printable and of limited length.

use crate::Reason;
use icu_properties::{CodePointSetData, props::DefaultIgnorableCodePoint};

/// Braille pattern without dots, the one printable character that shows nothing and is neither
/// white space nor default-ignorable.
const BLANK_BRAILLE: char = '\u{2800}';

/// Parses a single-line text of at most `most` characters, and trims it.
///
/// # Errors
/// The text has no visible characters, is too long, or contains control characters or direction
/// overrides.
pub fn single_line(text: &str, most: usize) -> Result<String, Reason> {
    read(text, most, false)
}

/// Parses a text of one or more lines, like [`single_line`].
///
/// # Errors
/// Those of [`single_line`].
pub fn multi_line(text: &str, most: usize) -> Result<String, Reason> {
    read(text, most, true)
}

fn read(text: &str, most: usize, newlines: bool) -> Result<String, Reason> {
    let length = text.chars().count();
    let text = text.trim();
    if text.chars().any(|c| is_control(c) && !(newlines && c == '\n')) {
        Err(Reason::ControlCharacters)
    } else if !text.chars().any(is_visible) {
        Err(Reason::EmptyText)
    } else if length > most {
        Err(Reason::TooLong { most })
    } else {
        Ok(text.to_owned())
    }
}

/// Whether a character can control a terminal or the direction of the text around it: embeddings,
/// overrides and isolates (UAX #9) can make a name look like another. The marks in Hebrew and
/// Arabic text (U+200E, U+200F, U+061C) have only a local effect and are allowed.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_visible(c: char) -> bool {
    let is_ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c);
    !(c.is_whitespace() || is_ignorable || c == BLANK_BRAILLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invisible_text_and_direction_overrides_are_rejected() {
        let invisible = [
            "",
            " \u{a0}\u{3000}",
            "\u{200b}",
            "\u{feff}",
            "\u{200d}\u{200c}",
            "\u{2060}\u{180e}",
            "\u{ad}",
            "\u{3164}",
            "\u{115f}\u{1160}",
            "\u{2800}",
            "\u{e0041}",
            "\u{fe0f}",
            " \u{200b} \u{feff} ",
            "\u{200f}",
        ];
        for text in invisible {
            assert_eq!(single_line(text, 255), Err(Reason::EmptyText), "{text:?}");
            assert_eq!(multi_line(text, 255), Err(Reason::EmptyText), "{text:?}");
        }
        for c in ('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}')
            .chain(['\0', '\u{9f}', '\u{7f}'])
        {
            for text in [format!("A{c}B"), format!("{c}AB"), format!("AB{c}C")] {
                assert_eq!(single_line(&text, 255), Err(Reason::ControlCharacters), "{text:?}");
                assert_eq!(multi_line(&text, 255), Err(Reason::ControlCharacters), "{text:?}");
            }
        }
        for text in [
            "a\u{200d}b",
            "👨\u{200d}👩",
            "שלום\u{200f} BV",
            "Café",
            "ت\u{61c}",
            "\u{feff}Jansen",
            "⠁",
        ] {
            assert_eq!(single_line(text, 255).as_deref(), Ok(text));
        }
        assert_eq!(multi_line(" a\nb ", 5).as_deref(), Ok("a\nb"));
        assert_eq!(single_line("a\nb", 5), Err(Reason::ControlCharacters));
        assert_eq!(single_line("abcdef", 5), Err(Reason::TooLong { most: 5 }));
    }

    proptest! {
        #[test]
        fn accepted_text_is_visible_and_has_no_control_characters(text in any::<String>()) {
            if let Ok(read) = single_line(&text, 255) {
                prop_assert!(read.chars().any(is_visible) && !read.chars().any(is_control), "{:?}", read);
                prop_assert_eq!(single_line(&read, 255), Ok(read));
            }
        }
    }
}
