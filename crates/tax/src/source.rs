//! Where a figure comes from: `data/sources.toml`, each source once.

use crate::words::Words;
use jiff::civil::Date;
use serde::Deserialize;
use std::sync::LazyLock;

/// A law, a decree, an official page, or somebody who repeats one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name in the data files.
    pub id: String,
    /// What it is called.
    pub title: Words,
    /// The article, page or number in it.
    #[serde(deserialize_with = "reference")]
    pub reference: Words,
    /// Where it can be read.
    pub url: String,
    /// When somebody last compared the figures with it, and how, is in the data set's description; this is the day.
    #[serde(deserialize_with = "day")]
    pub checked: Date,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: Vec<Source>,
}

static SOURCES: LazyLock<Vec<Source>> =
    LazyLock::new(|| read(include_str!("../data/sources.toml")).expect("the file is compiled in, and the tests read it"));

/// All sources.
#[must_use]
pub fn all() -> &'static [Source] {
    &SOURCES
}

/// The source of that name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.id == id)
}

fn read(text: &str) -> Result<Vec<Source>, toml::de::Error> {
    toml::from_str::<File>(text).map(|file| file.source)
}

/// `Nederlands // English`, or what is the same in both.
fn reference<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
    let text = String::deserialize(deserializer)?;
    let (nl, en) = text.split_once(" // ").unwrap_or((&text, &text));
    Ok(Words::owned(nl.to_owned(), en.to_owned()))
}

/// A day written as text, `YYYY-MM-DD`.
pub(crate) fn day<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_there_once_and_can_be_looked_up() {
        for source in all() {
            assert_eq!(all().iter().filter(|other| other.id == source.id).count(), 1, "{}", source.id);
            assert!(!source.title.is_incomplete() && !source.reference.is_incomplete(), "{}", source.id);
            assert!(source.url.starts_with("https://"), "{}", source.id);
        }
    }

    #[test]
    fn no_source_is_without_a_use() {
        use crate::{calculators, dataset};
        use ledger::vat::VatCategory;
        let mut used: Vec<&str> = Vec::new();
        for dataset in dataset::all() {
            used.extend(dataset.sources().iter().map(|source| source.id.as_str()));
        }
        for calculator in calculators::all() {
            let outcome = calculator.calculate(&calculator.example());
            used.extend(outcome.iter().flat_map(|outcome| &outcome.steps).map(|step| step.source.id.as_str()));
        }
        let rules = VatCategory::ALL.iter().map(|category| calculators::invoice::rule(*category, None));
        used.extend(rules);
        for source in all() {
            assert!(used.contains(&source.id.as_str()), "{} is named by no row and no step; take it out", source.id);
        }
    }
}
