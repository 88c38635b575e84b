//! Latin letters without accents, for texts that allow no others and for comparing names.

/// Returns the letters to write for a Latin letter with an accent, or for a ligature; `None` for
/// any other character.
///
/// ```
/// use ledger::latin::without_accent;
///
/// assert_eq!(without_accent('é'), Some("e"));
/// assert_eq!(without_accent('Æ'), Some("AE"));
/// assert_eq!(without_accent('e'), None);
/// ```
// Long: one match over the letters.
#[must_use]
pub const fn without_accent(letter: char) -> Option<&'static str> {
    Some(match letter {
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' | 'Ǎ' => "A",
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ª' => "a",
        'Æ' => "AE",
        'æ' => "ae",
        'Ç' | 'Ć' | 'Ĉ' | 'Ċ' | 'Č' => "C",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'Ď' | 'Đ' | 'Ð' => "D",
        'ď' | 'đ' | 'ð' => "d",
        'È'..='Ë' | 'Ē' | 'Ĕ' | 'Ė' | 'Ę' | 'Ě' => "E",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'Ĝ' | 'Ğ' | 'Ġ' | 'Ģ' => "G",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'Ĥ' | 'Ħ' => "H",
        'ĥ' | 'ħ' => "h",
        'Ì'..='Ï' | 'Ĩ' | 'Ī' | 'Ĭ' | 'Į' | 'İ' => "I",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'Ĳ' => "IJ",
        'ĳ' => "ij",
        'Ĵ' => "J",
        'ĵ' => "j",
        'Ķ' => "K",
        'ķ' => "k",
        'Ĺ' | 'Ļ' | 'Ľ' | 'Ŀ' | 'Ł' => "L",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'Ñ' | 'Ń' | 'Ņ' | 'Ň' => "N",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ŏ' | 'Ő' => "O",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'º' => "o",
        'Œ' => "OE",
        'œ' => "oe",
        'Ŕ' | 'Ŗ' | 'Ř' => "R",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'Ś' | 'Ŝ' | 'Ş' | 'Š' | 'Ș' => "S",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ẞ' => "SS",
        'Ţ' | 'Ť' | 'Ŧ' | 'Ț' => "T",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'Þ' => "TH",
        'þ' => "th",
        'Ù'..='Ü' | 'Ũ' | 'Ū' | 'Ŭ' | 'Ů' | 'Ű' | 'Ų' => "U",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'Ŵ' => "W",
        'ŵ' => "w",
        'Ý' | 'Ÿ' | 'Ŷ' => "Y",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'Ź' | 'Ż' | 'Ž' => "Z",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_both_cases_correspond() {
        for letter in ('\u{80}'..='\u{24f}').filter(|letter| letter.is_uppercase()) {
            let Some(upper) = without_accent(letter) else { continue };
            assert!(upper.bytes().all(|byte| byte.is_ascii_uppercase()), "{letter}");
            let mut lower = letter.to_lowercase();
            // The dotted I becomes two characters.
            if let (Some(lower), None) = (lower.next(), lower.next()) {
                assert_eq!(without_accent(lower), Some(&*upper.to_lowercase()), "{letter}");
            }
        }
    }

    #[test]
    fn signs_and_other_alphabets_have_none() {
        for c in ['A', 'z', '5', '×', '÷', '€', 'Ж', 'ω', '王'] {
            assert_eq!(without_accent(c), None, "{c}");
        }
    }
}
