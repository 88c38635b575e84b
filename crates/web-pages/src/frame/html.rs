//! Generated markup: formatted amounts, dates and durations together with their exact values.

use crate::page::PageContext;
use i18n::{Texts, Week};
use jiff::{
    Timestamp,
    civil::{Date, Weekday},
};
use ledger::{
    calendar::amsterdam_today,
    decimal::{self, Decimal},
    hours::Hours,
    money::Cents,
};
use std::{borrow::Borrow, fmt};

/// Safe markup: the program's own markup and escaped text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Markup written by the program; must not contain user input.
    pub fn of(markup: String) -> Self {
        Self(markup)
    }

    /// Escapes any text.
    pub fn escaped(text: &str) -> Self {
        let mut markup = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '&' => markup.push_str("&amp;"),
                '<' => markup.push_str("&lt;"),
                '>' => markup.push_str("&gt;"),
                '"' => markup.push_str("&quot;"),
                '\'' => markup.push_str("&#39;"),
                _ => markup.push(c),
            }
        }
        Self(markup)
    }

    /// Returns the markup as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl askama::filters::HtmlSafe for Html {}

fn data(value: impl fmt::Display, text: &str) -> Html {
    Html(format!("<data value=\"{value}\">{text}</data>"))
}

fn time(value: impl fmt::Display, text: &str) -> Html {
    Html(format!("<time datetime=\"{value}\">{text}</time>"))
}

/// `€ 1.234,56`.
pub fn money(texts: Texts, amount: Cents) -> Html {
    data(amount, &texts.money(amount))
}

impl PageContext {
    /// Amount: `€ 1.234,56`.
    pub fn money(&self, amount: impl Borrow<Cents>) -> Html {
        money(self.texts, *amount.borrow())
    }

    /// Amount in a list: a dash for zero.
    pub fn money_or_dash(&self, amount: impl Borrow<Cents>) -> Html {
        let amount = *amount.borrow();
        if amount.is_zero() { data(amount, "\u{2013}") } else { money(self.texts, amount) }
    }

    /// Main amount of a page, with smaller cents.
    pub fn hero_money(&self, amount: impl Borrow<Cents>) -> Html {
        let amount = *amount.borrow();
        let text = self.texts.money(amount);
        // Every amount ends in a separator and two digits, each one byte long.
        let (euros, cents) = text.split_at(text.len().saturating_sub(3));
        Html(format!(
            "<data class=\"hero-amount\" value=\"{amount}\">{euros}<small>{cents}</small></data>"
        ))
    }

    /// Amount in whole euros, as required by the tax office.
    pub fn whole_euros(&self, euros: impl Borrow<i64>) -> Html {
        data(*euros.borrow(), &self.texts.whole_euros(*euros.borrow()))
    }

    /// Quantity, price or rate: `1.234,5`.
    pub fn number(&self, value: impl Borrow<Decimal>) -> Html {
        let value = *value.borrow();
        data(decimal::plain(&value), &self.texts.number(value))
    }

    /// Percentage: `21%`.
    pub fn percent(&self, value: impl Borrow<Decimal>) -> Html {
        let value = *value.borrow();
        data(decimal::plain(&value), &self.texts.percent(value))
    }

    /// Hours as a number: `1.104,5`.
    pub fn hours(&self, hours: impl Borrow<Hours>) -> Html {
        let hours = *hours.borrow();
        data(hours, &self.texts.hours(hours))
    }

    /// Hours and minutes: `1:30`.
    pub fn clock(&self, hours: impl Borrow<Hours>) -> Html {
        let hours = *hours.borrow();
        data(hours, &self.texts.clock(hours))
    }

    /// Hours and minutes in a column, with a dash for zero.
    pub fn clock_or_dash(&self, hours: impl Borrow<Hours>) -> Html {
        let hours = *hours.borrow();
        if hours == Hours::new(0) { data(hours, "\u{2013}") } else { self.clock(hours) }
    }

    /// Date in a sentence: `20 november 2026`.
    pub fn date(&self, day: impl Borrow<Date>) -> Html {
        time(day.borrow(), &self.texts.date(day.borrow()))
    }

    /// Date in a list: `20 nov 2026`.
    pub fn short_date(&self, day: impl Borrow<Date>) -> Html {
        time(day.borrow(), &self.texts.short_date(day.borrow()))
    }

    /// Days of a week: `16 – 22 november 2026`.
    pub fn week_days(&self, week: impl Borrow<Week>) -> Html {
        let week = *week.borrow();
        let text = self.texts.week_days(week);
        let (first, last) = text.split_once(" \u{2013} ").unwrap_or((&text, ""));
        Html(format!(
            "{} \u{2013} {}",
            time(week.day(Weekday::Monday), first),
            time(week.day(Weekday::Sunday), last)
        ))
    }

    /// Date in a list that covers one year: `20 nov`.
    pub fn day_and_month(&self, day: impl Borrow<Date>) -> Html {
        time(day.borrow(), &self.texts.day_and_month(day.borrow()))
    }

    /// Date with its weekday: `vrijdag 20 november 2026`.
    pub fn long_date(&self, day: impl Borrow<Date>) -> Html {
        time(day.borrow(), &self.texts.long_date(day.borrow()))
    }

    /// Date and time in the Dutch time zone: `20 nov 2026 14:32`.
    pub fn moment(&self, moment: impl Borrow<Timestamp>) -> Html {
        time(moment.borrow(), &self.texts.moment(moment.borrow()))
    }

    /// Moment in a sentence: the time of today, and otherwise with its date.
    pub fn time_of(&self, moment: impl Borrow<Timestamp>) -> Html {
        let moment = *moment.borrow();
        let today = amsterdam_today(self.app.now());
        if amsterdam_today(moment) == today {
            time(moment, &self.texts.time(moment))
        } else {
            self.moment(moment)
        }
    }

    /// Text that contains markup: `rich(id).with("day", page.date(day)).with("name", &name)`. Only
    /// [`Html`] is inserted as markup; every other argument is escaped.
    pub fn rich<'a>(&self, id: &'a str) -> Rich<'a> {
        Rich { texts: self.texts, id, parts: Vec::new() }
    }
}

/// Text that contains markup, see [`PageContext::rich`].
pub struct Rich<'a> {
    texts: Texts,
    id: &'a str,
    parts: Vec<(&'a str, Part)>,
}

/// Argument of a text with markup.
pub enum Part {
    /// Inserted verbatim.
    Markup(Html),
    /// Escaped.
    Text(String),
    /// Number, which selects plural forms.
    Number(i64),
}

impl From<Html> for Part {
    fn from(html: Html) -> Self {
        Self::Markup(html)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&&str> for Part {
    fn from(text: &&str) -> Self {
        Self::Text((*text).to_owned())
    }
}

impl From<&String> for Part {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<i64> for Part {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&i64> for Part {
    fn from(number: &i64) -> Self {
        Self::Number(*number)
    }
}

impl From<usize> for Part {
    fn from(number: usize) -> Self {
        // No count exceeds 63 bits.
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&usize> for Part {
    fn from(number: &usize) -> Self {
        (*number).into()
    }
}

impl<'a> Rich<'a> {
    /// Sets an argument of the text.
    pub fn with(mut self, name: &'a str, value: impl Into<Part>) -> Self {
        self.parts.push((name, value.into()));
        self
    }

    /// Always `false`; allows a template to test a text in the same way as an absent one.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// Private-use characters (Unicode, section 23.5) that delimit a placeholder for markup while a
/// text is assembled.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

impl fmt::Display for Rich<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let placeholders: Vec<String> =
            (0..self.parts.len()).map(|place| format!("{OPEN}{place}{CLOSE}")).collect();
        let clean: Vec<String> = self
            .parts
            .iter()
            .map(|(_, part)| {
                if let Part::Text(text) = part {
                    text.replace([OPEN, CLOSE], "")
                } else {
                    String::new()
                }
            })
            .collect();
        let mut phrase = self.texts.t(self.id);
        for (place, (name, part)) in self.parts.iter().enumerate() {
            phrase = match part {
                Part::Markup(_) => phrase.with(name, &placeholders[place]),
                Part::Text(_) => phrase.with(name, &clean[place]),
                Part::Number(number) => phrase.with(name, number),
            };
        }
        let mut markup = Html::escaped(&phrase.to_string()).0;
        for (place, (_, part)) in self.parts.iter().enumerate() {
            if let Part::Markup(html) = part {
                markup = markup.replace(&placeholders[place], html.as_str());
            }
        }
        formatter.write_str(&markup)
    }
}

impl askama::filters::HtmlSafe for Rich<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use i18n::Language;

    #[test]
    fn amounts_carry_their_value() {
        let texts = Texts { language: Language::Dutch };
        assert_eq!(
            money(texts, Cents::new(95_169)).as_str(),
            "<data value=\"951.69\">€\u{a0}951,69</data>"
        );
        assert_eq!(
            money(texts, Cents::new(-5)).as_str(),
            "<data value=\"-0.05\">−\u{a0}€\u{a0}0,05</data>"
        );
    }

    #[test]
    fn only_markup_of_the_program_is_put_in_as_it_is() {
        let rich = Rich {
            texts: Texts { language: Language::English },
            id: "consent-until",
            parts: Vec::new(),
        };
        let shown = rich.with("date", Html::of("<time>today</time>".into())).to_string();
        assert!(shown.contains("until <time>today</time>."), "{shown}");
        let rich = Rich {
            texts: Texts { language: Language::English },
            id: "consent-title",
            parts: Vec::new(),
        };
        let shown = rich.with("app", "<b>&\u{e000}0\u{e001}").to_string();
        assert!(shown.contains("&lt;b&gt;&amp;0"), "{shown}");
    }
}
