//! A text in the two languages of the program.

use ledger::language::Language;
use serde::Deserialize;
use std::borrow::Cow;

/// The same text in Dutch and in English.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// In Dutch.
    pub nl: Cow<'static, str>,
    /// In English.
    pub en: Cow<'static, str>,
}

impl Words {
    /// A text that stands in the code.
    #[must_use]
    pub const fn new(nl: &'static str, en: &'static str) -> Self {
        Self { nl: Cow::Borrowed(nl), en: Cow::Borrowed(en) }
    }

    /// A text that was put together.
    #[must_use]
    pub const fn owned(nl: String, en: String) -> Self {
        Self { nl: Cow::Owned(nl), en: Cow::Owned(en) }
    }

    /// The text in one language.
    #[must_use]
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::Dutch => &self.nl,
            Language::English => &self.en,
        }
    }

    /// Whether a language lacks its text.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.nl.trim().is_empty() || self.en.trim().is_empty()
    }
}

/// One of several values that a column or a parameter may have.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// As JSON and CSV write it and as a query gives it.
    pub value: Cow<'static, str>,
    /// What people read.
    pub label: Words,
}

impl Choice {
    /// A choice that stands in the code.
    #[must_use]
    pub const fn new(value: &'static str, nl: &'static str, en: &'static str) -> Self {
        Self { value: Cow::Borrowed(value), label: Words::new(nl, en) }
    }
}
