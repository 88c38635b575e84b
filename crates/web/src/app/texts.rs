//! The texts of the pages in the visitor's language; all of them are in `locales/`.

use crate::app::cookies::Cookies;
use axum::http::{HeaderMap, header};
use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use service::people::Language;
use std::{borrow::Borrow, fmt, sync::LazyLock};
use store::accounts::Plan;
use tracing::error;
use unic_langid::LanguageIdentifier;

type Bundle = FluentBundle<FluentResource>;

static DUTCH: LazyLock<Bundle> = LazyLock::new(|| bundle("nl", include_str!("../../locales/nl.ftl")));
static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle("en", include_str!("../../locales/en.ftl")));

fn bundle(tag: &str, source: &str) -> Bundle {
    // By the language, numbers in texts take their plural form.
    let language: LanguageIdentifier = tag.parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![language]);
    // What people wrote stands in elements of its own in the pages, so that its direction stays there.
    bundle.set_use_isolating(false);
    // The files are part of the program; a test reads every message of both.
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
    let _ = bundle.add_resource(resource);
    bundle
}

/// The texts in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) language: Language,
}

impl Texts {
    /// In the language that the visitor chose, else in the one that the browser asks for.
    pub(crate) fn chosen(cookies: Cookies, headers: &HeaderMap) -> Self {
        cookies.read_language(headers).and_then(Self::of_tag).unwrap_or_else(|| Self::negotiated(headers))
    }

    /// In the language that the browser asks for (RFC 9110, section 12.5.4). Who asks for neither Dutch nor English gets English; who
    /// says nothing gets Dutch.
    pub(crate) fn negotiated(headers: &HeaderMap) -> Self {
        let mut best: Option<(u32, Language)> = None;
        let mut asked = false;
        for value in headers.get_all(header::ACCEPT_LANGUAGE) {
            for range in value.to_str().unwrap_or("").split(',') {
                let (tag, quality) = range.split_once(';').unwrap_or((range, ""));
                let tag = tag.trim();
                let language = match tag.split('-').next() {
                    Some(first) if first.eq_ignore_ascii_case("nl") => Language::Dutch,
                    Some(first) if first.eq_ignore_ascii_case("en") => Language::English,
                    Some("*" | "") | None => continue,
                    Some(_) => {
                        asked = true;
                        continue;
                    }
                };
                asked = true;
                let quality = thousandths(quality);
                if quality > 0 && best.is_none_or(|(other, _)| quality > other) {
                    best = Some((quality, language));
                }
            }
        }
        let fallback = if asked { Language::English } else { Language::Dutch };
        Self { language: best.map_or(fallback, |(_, language)| language) }
    }

    /// The language by its tag (RFC 5646).
    pub(crate) fn of_tag(tag: &str) -> Option<Self> {
        Language::parse(tag).map(|language| Self { language })
    }

    /// The language's tag.
    pub(crate) fn tag(self) -> &'static str {
        self.language.as_str()
    }

    /// What a plan is called.
    pub(crate) fn plan(self, plan: impl Borrow<Plan>) -> String {
        match *plan.borrow() {
            Plan::Free => self.t("plan-free"),
            Plan::Starter => self.t("plan-starter"),
            Plan::Pro => self.t("plan-pro"),
        }
        .into()
    }

    /// A text. What it says about something is given with [`Phrase::with`].
    pub(crate) fn t<'a>(self, id: &'a str) -> Phrase<'a> {
        Phrase { texts: self, id, arguments: FluentArgs::new() }
    }
}

/// A quality of RFC 9110, section 12.4.2, in thousandths.
fn thousandths(parameter: &str) -> u32 {
    let Some(quality) = parameter.trim().strip_prefix("q=") else { return 1000 };
    let (whole, fraction) = quality.split_once('.').unwrap_or((quality, ""));
    let fraction: u32 = format!("{fraction:0<3}").get(..3).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    match whole {
        "0" => fraction,
        "1" => 1000,
        _ => 0,
    }
}

/// A text with what it is about; written into a page as it is read.
pub(crate) struct Phrase<'a> {
    texts: Texts,
    id: &'a str,
    arguments: FluentArgs<'a>,
}

impl<'a> Phrase<'a> {
    /// Puts a value where the text names it.
    pub(crate) fn with(mut self, name: &'a str, value: &'a (impl Argument + ?Sized)) -> Self {
        self.arguments.set(name, value.value());
        self
    }

    /// Never; so that a template can treat a text and no text alike.
    #[expect(clippy::unused_self, reason = "it stands beside str::is_empty in templates")]
    pub(crate) fn is_empty(&self) -> bool {
        false
    }
}

impl fmt::Display for Phrase<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bundle = match self.texts.language {
            Language::Dutch => &*DUTCH,
            Language::English => &*ENGLISH,
        };
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
pub(crate) trait Argument {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_the_browser_likes_best() {
        let cases = [
            ("", "nl"),
            ("*", "nl"),
            ("nl", "nl"),
            ("NL-be", "nl"),
            ("en-GB,en;q=0.9", "en"),
            ("de-DE,de;q=0.9,nl;q=0.5,en;q=0.4", "nl"),
            ("en;q=0.5, nl;q=0.6", "nl"),
            ("nl;q=0, en;q=0.001", "en"),
            ("fr", "en"),
            ("nl;q=0", "en"),
            ("en;q=x,nl;q=0.1", "nl"),
        ];
        for (asked, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, asked.parse().unwrap());
            assert_eq!(Texts::negotiated(&headers).tag(), expected, "{asked}");
        }
        assert_eq!(Texts::negotiated(&HeaderMap::new()).tag(), "nl");
    }
}
