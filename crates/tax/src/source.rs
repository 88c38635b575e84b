//! Sources of the figures, each defined once in `data/sources.toml`.

use crate::words::Words;
use jiff::civil::Date;
use serde::Deserialize;
use std::sync::LazyLock;

/// A law, a decree, an official page, or a third party that cites one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Id in the data files.
    pub id: String,
    /// Title.
    pub title: Words,
    /// Article, page or number within the source.
    #[serde(deserialize_with = "reference")]
    pub reference: Words,
    /// URL.
    pub url: String,
    /// Date on which the figures were last compared with the source. The data set's description
    /// explains how they were compared.
    pub checked: Date,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: Vec<Source>,
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    read(include_str!("../data/sources.toml"))
        .expect("the file is compiled in and the tests read it")
});

/// Returns all sources.
#[must_use]
pub fn all() -> &'static [Source] {
    &SOURCES
}

/// Returns the source with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.id == id)
}

fn read(text: &str) -> Result<Vec<Source>, toml::de::Error> {
    toml::from_str::<File>(text).map(|file| file.source)
}

/// Parses `Nederlands // English`, or a text that is the same in both languages.
fn reference<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
    let text = String::deserialize(deserializer)?;
    let (nl, en) = text.split_once(" // ").unwrap_or((&text, &text));
    Ok(Words::owned(nl.to_owned(), en.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_complete_and_unique() {
        for source in all() {
            assert_eq!(
                all().iter().filter(|other| other.id == source.id).count(),
                1,
                "{}",
                source.id
            );
            assert!(
                !source.title.is_incomplete() && !source.reference.is_incomplete(),
                "{}",
                source.id
            );
            assert!(source.url.starts_with("https://"), "{}", source.id);
        }
    }

    #[test]
    fn every_source_is_used() {
        use crate::{calculators, dataset};
        use ledger::vat::VatCategory;
        let mut used: Vec<&str> = Vec::new();
        for dataset in dataset::all() {
            used.extend(dataset.sources().iter().map(|source| source.id.as_str()));
        }
        for calculator in calculators::all() {
            let outcome = calculator.calculate(&calculator.example());
            used.extend(
                outcome
                    .iter()
                    .flat_map(|outcome| &outcome.steps)
                    .map(|step| step.source.id.as_str()),
            );
        }
        let rules =
            VatCategory::ALL.iter().map(|category| calculators::invoice::rule(*category, None));
        used.extend(rules);
        // The example of the income tax calculator has no premiums, so it does not use these rules.
        used.extend(calculators::income_tax::PROVISIONS);
        for source in all() {
            assert!(
                used.contains(&source.id.as_str()),
                "{} is not used by any row or step; remove it",
                source.id
            );
        }
    }
}
