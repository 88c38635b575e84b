//! Likeness of names.
//!
//! The likeness is the share of pairs of adjacent letters that two names have in common (Dice
//! coefficient), with the edges of words as letters. The order of words does not count, nor do case,
//! accents, legal forms and forms of address.

use ledger::latin::without_accent;
use std::collections::HashMap;

/// Minimum likeness in hundredths.
pub(crate) const LEAST_LIKENESS: u8 = 85;
/// Number of characters from which the beginning of a longer name is that name: banks cut names.
const CUT_NAME: usize = 20;
/// Likeness of a name and its beginning.
const CUT_LIKENESS: u8 = 95;
/// Maximum number of words of a name that are compared.
const MOST_WORDS: usize = 16;
/// Legal forms and forms of address, in capitals.
const IGNORED: [&str; 34] = [
    "BV",
    "NV",
    "VOF",
    "CV",
    "BVBA",
    "SRL",
    "SPRL",
    "SA",
    "SARL",
    "SAS",
    "GMBH",
    "AG",
    "KG",
    "UG",
    "OHG",
    "EK",
    "LTD",
    "LIMITED",
    "PLC",
    "LLC",
    "INC",
    "CORP",
    "APS",
    "AB",
    "OY",
    "UA",
    "EENMANSZAAK",
    "DHR",
    "HEER",
    "MEVR",
    "MEVROUW",
    "MW",
    "HR",
    "FA",
];

/// Returns the words of a name that count, in capitals without accents.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars().flat_map(char::to_uppercase) {
        match c {
            // `B.V.` and `d'Arc` are one word each.
            '.' | '\'' | '’' => {}
            c if c.is_alphanumeric() => {
                if let Some(word) = words.last_mut() {
                    match without_accent(c) {
                        Some(letters) => word.push_str(letters),
                        None => word.push(c),
                    }
                }
            }
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty() && !IGNORED.contains(&word.as_str()));
    words.truncate(MOST_WORDS);
    words
}

/// Number of letters from which a word that two names have in common says something.
const LONG_WORD: usize = 4;

/// Whether one of these texts has a longer word in common with a name.
pub(crate) fn has_word_of(texts: &[&str], name: &str) -> bool {
    let of_name = words(name);
    let is_of_name = |word: &String| word.chars().count() >= LONG_WORD && of_name.contains(word);
    texts.iter().any(|text| words(text).iter().any(is_of_name))
}

/// Returns the key of a name: equal for names that differ in case, accents, signs and legal forms.
pub(crate) fn key(name: &str) -> String {
    words(name).join(" ")
}

/// Like [`key`], without words that contain digits: names of card payments end with the number of
/// the shop or of the terminal.
pub(crate) fn habit_key(name: &str) -> String {
    let mut words = words(name);
    words.retain(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words.join(" ")
}

/// Pairs of adjacent letters of all words, ordered and without repetition.
fn pairs(words: &[String]) -> Vec<u32> {
    let edge = u32::from(' ');
    let mut pairs = Vec::new();
    for word in words {
        let letters = word.chars().map(u32::from).chain([edge]);
        let mut previous = edge;
        for letter in letters {
            pairs.push(previous.wrapping_mul(0x1_0001).wrapping_add(letter));
            previous = letter;
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Name in the index.
#[derive(Debug)]
struct Name {
    /// Index of the party, as passed to [`Names::add`].
    party: u32,
    /// Index of the name in the list of the party.
    place: u32,
    key: String,
    pairs: u32,
}

/// Name in the books that is like a name on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alike {
    /// Index of the party.
    pub(crate) party: u32,
    /// Index of the name in the list of the party.
    pub(crate) place: u32,
    /// Likeness in hundredths.
    pub(crate) likeness: u8,
}

/// Index of names by their pairs of letters.
#[derive(Debug, Default)]
pub(crate) struct Names {
    names: Vec<Name>,
    by_pair: HashMap<u32, Vec<u32>>,
}

impl Names {
    /// Adds a name of a party.
    pub(crate) fn add(&mut self, name: &str, party: u32, place: u32) {
        let words = words(name);
        let pairs = pairs(&words);
        if pairs.is_empty() {
            return;
        }
        let Ok(index) = u32::try_from(self.names.len()) else { return };
        for pair in &pairs {
            self.by_pair.entry(*pair).or_default().push(index);
        }
        let pairs = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
        self.names.push(Name { party, place, key: words.join(" "), pairs });
    }

    /// Returns the parties with a name like this one, each with its best name; the best first.
    pub(crate) fn alike(&self, name: &str) -> Vec<Alike> {
        let mut alike = self.alike_to(name);
        // Joint accounts name two persons.
        let lower = name.to_lowercase();
        if let Some(at) = lower.find(" e/o ").or_else(|| lower.find(" en/of ")) {
            alike.extend(name.get(..at).map(|first| self.alike_to(first)).unwrap_or_default());
        }
        alike.sort_by_key(|alike| (alike.party, std::cmp::Reverse(alike.likeness), alike.place));
        alike.dedup_by_key(|alike| alike.party);
        alike.sort_by_key(|alike| (std::cmp::Reverse(alike.likeness), alike.party));
        alike
    }

    fn alike_to(&self, name: &str) -> Vec<Alike> {
        let words = words(name);
        let pairs = pairs(&words);
        let key = words.join(" ");
        let mut common = vec![0_u32; self.names.len()];
        for index in pairs.iter().filter_map(|pair| self.by_pair.get(pair)).flatten() {
            common[*index as usize] += 1;
        }
        let count = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
        let likeness = |(index, common): (usize, u32)| {
            let name = &self.names[index];
            let dice = u8::try_from(200 * common / (count + name.pairs)).unwrap_or(100);
            let is_cut = || {
                let shorter = key.len().min(name.key.len());
                shorter >= CUT_NAME && (key.starts_with(&name.key) || name.key.starts_with(&key))
            };
            let likeness = match dice {
                LEAST_LIKENESS.. => dice,
                40.. if is_cut() => CUT_LIKENESS,
                _ => return None,
            };
            Some(Alike { party: name.party, place: name.place, likeness })
        };
        common
            .into_iter()
            .enumerate()
            .filter(|(_, common)| *common > 0)
            .filter_map(likeness)
            .collect()
    }
}

/// Removes blanks and raises letters.
pub(crate) fn compact(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(one: &str, other: &str) -> Option<u8> {
        let mut names = Names::default();
        names.add(one, 4, 2);
        let alike = names.alike(other);
        assert!(alike.iter().all(|alike| (alike.party, alike.place) == (4, 2)));
        alike.first().map(|alike| alike.likeness)
    }

    #[test]
    fn case_accents_order_and_legal_forms_do_not_count() {
        for (one, other) in [
            ("Bakkerij Jansen B.V.", "BAKKERIJ JANSEN"),
            ("Bakkerij Jansen", "Jansen Bakkerij BV"),
            ("Café Zoë", "CAFE ZOE"),
            ("Dhr. P. de Vries", "P de Vries"),
            ("P. de Vries", "P DE VRIES e/o M Bakker"),
            ("Søn & Æbler", "SON AEBLER"),
        ] {
            assert_eq!(likeness(one, other), Some(100), "{one} and {other}");
        }
    }

    #[test]
    fn slips_and_cut_names_are_alike_and_other_names_are_not() {
        for (one, other) in [
            ("Bakkerij Jansen", "Bakkerij Janssen"),
            ("Timmerbedrijf Van den Heuvel", "Timmerbedrijf van den Huevel"),
            ("Installatiebedrijf Hendriksen en Zonen", "INSTALLATIEBEDRIJF HENDRIKSEN"),
        ] {
            assert!(likeness(one, other) >= Some(LEAST_LIKENESS), "{one} and {other}");
        }
        for (one, other) in [
            ("Bakkerij Jansen", "Bakkerij Pietersen"),
            ("Jansen", "Hansen"),
            ("B.V.", "B.V."),
            ("Jansen", ""),
            ("Installatiebedrijf", "Installatiebedrijf Hendriksen"),
        ] {
            assert_eq!(likeness(one, other), None, "{one} and {other}");
        }
    }

    #[test]
    fn each_party_is_found_once_and_the_best_first() {
        let mut names = Names::default();
        for (party, name) in
            [(1, "Bakkerij Janssen"), (2, "Bakkerij Jansen"), (2, "Bakkerij Jansen BV")]
        {
            names.add(name, party, 0);
        }
        let alike = names.alike("bakkerij jansen");
        assert_eq!(alike.iter().map(|alike| alike.party).collect::<Vec<_>>(), [2, 1]);
    }
}
