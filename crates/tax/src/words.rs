//! Texts in Dutch and English.

use ledger::language::Language;
use serde::Deserialize;
use std::borrow::Cow;

/// A text in Dutch and English.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// Dutch.
    pub nl: Cow<'static, str>,
    /// English.
    pub en: Cow<'static, str>,
}

impl Words {
    /// Creates a constant text.
    #[must_use]
    pub const fn new(nl: &'static str, en: &'static str) -> Self {
        Self { nl: Cow::Borrowed(nl), en: Cow::Borrowed(en) }
    }

    /// Creates a text from formatted strings.
    #[must_use]
    pub const fn owned(nl: String, en: String) -> Self {
        Self { nl: Cow::Owned(nl), en: Cow::Owned(en) }
    }

    /// Returns the text in one language.
    #[must_use]
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::Dutch => &self.nl,
            Language::English => &self.en,
        }
    }

    /// Whether the text is empty in a language.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.nl.trim().is_empty() || self.en.trim().is_empty()
    }
}

/// A value of a column or parameter with a fixed list of values.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Code in JSON, CSV and queries.
    pub value: Cow<'static, str>,
    /// Label for readers.
    pub label: Words,
}

impl Choice {
    /// Creates a constant choice.
    #[must_use]
    pub const fn new(value: &'static str, nl: &'static str, en: &'static str) -> Self {
        Self { value: Cow::Borrowed(value), label: Words::new(nl, en) }
    }
}
