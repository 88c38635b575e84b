//! The texts of the pages; all of them are in `locales/` (Project Fluent).

use crate::Language;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use std::{fmt, sync::LazyLock};
use tracing::error;
use unic_langid::LanguageIdentifier;

type Bundle = FluentBundle<FluentResource>;

/// The files of each language, one for each area.
const DUTCH_FILES: &[&str] = &[
    include_str!("../locales/frame.nl.ftl"),
    include_str!("../locales/overview.nl.ftl"),
    include_str!("../locales/identity.nl.ftl"),
    include_str!("../locales/access.nl.ftl"),
    include_str!("../locales/settings.nl.ftl"),
    include_str!("../locales/sales.nl.ftl"),
    include_str!("../locales/purchases.nl.ftl"),
    include_str!("../locales/hours.nl.ftl"),
    include_str!("../locales/tax.nl.ftl"),
    include_str!("../locales/journal.nl.ftl"),
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
    include_str!("../locales/hours.en.ftl"),
    include_str!("../locales/tax.en.ftl"),
    include_str!("../locales/journal.en.ftl"),
    include_str!("../locales/faults.en.ftl"),
    include_str!("../locales/open-data.en.ftl"),
];

static DUTCH: LazyLock<Bundle> = LazyLock::new(|| bundle("nl", DUTCH_FILES));
static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle("en", ENGLISH_FILES));

/// All texts of a language; `sources` are the files of its areas.
fn bundle(tag: &str, sources: &[&str]) -> Bundle {
    // By the language, numbers in texts take their plural form.
    let language: LanguageIdentifier = tag.parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![language]);
    // What people wrote stands in elements of its own in the pages, so that its direction stays there.
    bundle.set_use_isolating(false);
    for source in sources {
        // The files are part of the program; a test reads every message of both.
        let resource = FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, _)| resource);
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
    /// The language by its tag (RFC 5646).
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        Language::parse(tag).map(|language| Self { language })
    }

    /// The language's tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.language.as_str()
    }

    /// The files that the texts of the language are in, as they are written.
    #[must_use]
    pub fn files(self) -> &'static [&'static str] {
        match self.language {
            Language::Dutch => DUTCH_FILES,
            Language::English => ENGLISH_FILES,
        }
    }

    /// Whether there is a text of that name.
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

    /// A text. What it says about something is given with [`Phrase::with`].
    #[must_use]
    pub fn t<'a>(self, id: &'a str) -> Phrase<'a> {
        Phrase { texts: self, id, arguments: FluentArgs::new() }
    }
}

/// A text with what it is about; written into a page as it is read.
pub struct Phrase<'a> {
    texts: Texts,
    id: &'a str,
    arguments: FluentArgs<'a>,
}

impl<'a> Phrase<'a> {
    /// Puts a value where the text names it.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: &'a (impl Argument + ?Sized)) -> Self {
        self.arguments.set(name, value.value());
        self
    }

    /// Never; so that a template can treat a text and no text alike.
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

/// What a text can be about.
pub trait Argument {
    /// As Fluent takes it.
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
