//! Country names (Unicode CLDR), sorted alphabetically in each language.

use crate::{Language, Texts};
use std::sync::LazyLock;

type Names = Vec<(&'static str, &'static str)>;

static DUTCH: LazyLock<Names> = LazyLock::new(|| read(include_str!("../locales/countries.nl.txt")));
static ENGLISH: LazyLock<Names> =
    LazyLock::new(|| read(include_str!("../locales/countries.en.txt")));

fn read(list: &'static str) -> Names {
    list.lines().filter_map(|line| line.split_once(' ')).collect()
}

impl Texts {
    /// Returns the codes and names of all countries, sorted by name.
    #[must_use]
    pub fn countries(self) -> &'static [(&'static str, &'static str)] {
        match self.language {
            Language::Dutch => &DUTCH,
            Language::English => &ENGLISH,
        }
    }

    /// Returns the name of a country; empty if the code is unknown.
    #[must_use]
    pub fn country(self, code: &str) -> &'static str {
        self.countries().iter().find(|(other, _)| *other == code).map_or("", |(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::country::CountryCode;
    use std::collections::BTreeSet;

    #[test]
    fn every_country_has_a_name_in_both_languages() {
        let all: Vec<String> = CountryCode::all().map(|code| code.as_str().to_owned()).collect();
        for names in [&*DUTCH, &*ENGLISH] {
            let named: BTreeSet<&str> = names.iter().map(|(code, _)| *code).collect();
            assert!(all.iter().all(|code| named.contains(code.as_str())));
            assert_eq!(names.len(), all.len());
        }
        assert_eq!(Texts { language: Language::Dutch }.country("NL"), "Nederland");
        assert_eq!(Texts { language: Language::English }.country("NL"), "Netherlands");
    }
}
