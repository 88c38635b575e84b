//! Texts of the pages, from the Project Fluent files in `locales/`.

use crate::Language;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use std::{fmt, sync::LazyLock};
use tracing::error;
use unic_langid::LanguageIdentifier;

type Bundle = FluentBundle<FluentResource>;

/// Files of each language, one per area.
const DUTCH_FILES: &[&str] = &[
    include_str!("../locales/frame.nl.ftl"),
    include_str!("../locales/overview.nl.ftl"),
    include_str!("../locales/identity.nl.ftl"),
    include_str!("../locales/access.nl.ftl"),
    include_str!("../locales/settings.nl.ftl"),
    include_str!("../locales/sales.nl.ftl"),
    include_str!("../locales/purchases.nl.ftl"),
    include_str!("../locales/batches.nl.ftl"),
    include_str!("../locales/hours.nl.ftl"),
    include_str!("../locales/unfinished.nl.ftl"),
    include_str!("../locales/tax.nl.ftl"),
    include_str!("../locales/journal.nl.ftl"),
    include_str!("../locales/suggestions.nl.ftl"),
    include_str!("../locales/bank.nl.ftl"),
    include_str!("../locales/faults.nl.ftl"),
    include_str!("../locales/open-data.nl.ftl"),
];
const ENGLISH_FILES: &[&str] = &[
    include_str!("../locales/frame.en.ftl"),
    include_str!("../locales/overview.en.ftl"),
    include_str!("../locales/identity.en.ftl"),
    include_str!("../locales/access.en.ftl"),
    include_str!("../locales/settings.en.ftl"),
    include_str!("../locales/sales.en.ftl"),
    include_str!("../locales/purchases.en.ftl"),
    include_str!("../locales/batches.en.ftl"),
    include_str!("../locales/hours.en.ftl"),
    include_str!("../locales/unfinished.en.ftl"),
    include_str!("../locales/tax.en.ftl"),
    include_str!("../locales/journal.en.ftl"),
    include_str!("../locales/suggestions.en.ftl"),
    include_str!("../locales/bank.en.ftl"),
    include_str!("../locales/faults.en.ftl"),
    include_str!("../locales/open-data.en.ftl"),
];

static DUTCH: LazyLock<Bundle> = LazyLock::new(|| bundle("nl", DUTCH_FILES));
static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle("en", ENGLISH_FILES));

/// Builds the bundle of a language from the files of its areas.
fn bundle(tag: &str, sources: &[&str]) -> Bundle {
    // The language determines the plural forms.
    let language: LanguageIdentifier = tag.parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![language]);
    // No isolation marks: pages put user input into separate elements, which isolate its direction.
    bundle.set_use_isolating(false);
    for source in sources {
        // Errors are ignored: the files are compiled in, and a test formats every message in both
        // languages.
        let resource =
            FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, _)| resource);
        let _ = bundle.add_resource(resource);
    }
    bundle
}

/// The texts in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texts {
    /// The language.
    pub language: Language,
}

impl Texts {
    /// Parses a language tag (RFC 5646).
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        Language::parse(tag).map(|language| Self { language })
    }

    /// Returns the language tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.language.as_str()
    }

    /// Returns the contents of the language's files.
    #[must_use]
    pub fn files(self) -> &'static [&'static str] {
        match self.language {
            Language::Dutch => DUTCH_FILES,
            Language::English => ENGLISH_FILES,
        }
    }

    /// Whether a text with this id exists.
    #[must_use]
    pub fn knows(self, id: &str) -> bool {
        self.bundle().has_message(id)
    }

    fn bundle(self) -> &'static Bundle {
        match self.language {
            Language::Dutch => &DUTCH,
            Language::English => &ENGLISH,
        }
    }

    /// Returns a text; its arguments are set with [`Phrase::with`].
    #[must_use]
    pub fn t<'a>(self, id: &'a str) -> Phrase<'a> {
        Phrase { texts: self, id, arguments: FluentArgs::new() }
    }
}

/// A text with its arguments, formatted by `Display`.
pub struct Phrase<'a> {
    texts: Texts,
    id: &'a str,
    arguments: FluentArgs<'a>,
}

impl<'a> Phrase<'a> {
    /// Sets an argument.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: &'a (impl Argument + ?Sized)) -> Self {
        self.arguments.set(name, value.value());
        self
    }

    /// Always false; lets templates treat a text and a missing text alike.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }
}

impl fmt::Display for Phrase<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bundle = self.texts.bundle();
        let Some(pattern) = bundle.get_message(self.id).and_then(|message| message.value()) else {
            error!(id = self.id, "a text is missing");
            debug_assert!(false, "the text {} is missing", self.id);
            return formatter.write_str(self.id);
        };
        let mut faults = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&self.arguments), &mut faults);
        debug_assert!(faults.is_empty(), "{}: {faults:?}", self.id);
        formatter.write_str(&text)
    }
}

impl From<Phrase<'_>> for String {
    fn from(phrase: Phrase<'_>) -> Self {
        phrase.to_string()
    }
}

/// A type of argument.
pub trait Argument {
    /// Converts to Fluent's type.
    fn value(&self) -> FluentValue<'_>;
}

impl Argument for str {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self)
    }
}

impl Argument for String {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self.as_str())
    }
}

impl Argument for i64 {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(*self)
    }
}

impl Argument for usize {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(*self)
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> FluentValue<'_> {
        (**self).value()
    }
}
