//! Frame of the pages: the reader's language, formatting of values, and headers for cacheable
//! pages.

use super::{MOST_PARAMETERS, respond::Document};
use askama::Template;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use i18n::{Phrase, Texts};
use jiff::civil::Date;
use ledger::{language::Language, money::Cents};
use tax::{
    calculator::{Calculator, Input, InputKind, OutputKind, Step},
    dataset::{ColumnKind, Row, Status},
    fault::Fault,
    value::{Value, cents},
    words::Choice,
};
use web_core::problem::Problem;
use web_pages::frame::{assets, page::policy, texts::negotiated};

/// Context of a page requested by an anonymous reader: language and parameters.
pub struct Frame {
    texts: Texts,
    path: String,
    /// Query parameters without the language.
    parameters: Vec<(String, String)>,
    /// Whether the URL contains the language, so that links keep it.
    says_language: bool,
}

/// A value formatted for people, together with its machine-readable form.
pub(super) struct Shown {
    /// Text for people; a dash if there is no value.
    pub(super) text: String,
    /// Machine-readable value for `<data>` or `<time>`; empty if not needed.
    pub(super) plain: String,
    /// Kind of markup.
    pub(super) kind: ShownKind,
}

/// Markup of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownKind {
    /// Number, aligned with the other numbers of its column.
    Figure,
    /// Date.
    Day,
    /// Text.
    Text,
}

impl Shown {
    /// Whether the value is a number.
    pub(super) fn is_figure(&self) -> bool {
        self.kind == ShownKind::Figure
    }

    /// Whether the value is a date.
    pub(super) fn is_day(&self) -> bool {
        self.kind == ShownKind::Day
    }

    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), plain: String::new(), kind: ShownKind::Text }
    }
}

impl Frame {
    /// Creates the frame of a request. The language is taken from the URL if given there, otherwise
    /// from the browser's preference.
    pub fn new(path: &str, query: Option<&str>, headers: &HeaderMap) -> Self {
        let mut language = None;
        let mut parameters = Vec::new();
        for (name, text) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
            if name == "lang" {
                language = Texts::of_tag(&text).or(language);
            } else if parameters.len() < MOST_PARAMETERS {
                parameters.push((name.into_owned(), text.into_owned()));
            }
        }
        let texts = language.unwrap_or_else(|| negotiated(headers));
        Self { texts, path: path.to_owned(), parameters, says_language: language.is_some() }
    }

    pub(super) fn language(&self) -> Language {
        self.texts.language
    }

    pub(super) fn parameters(&self) -> &[(String, String)] {
        &self.parameters
    }

    /// Returns a text in the reader's language.
    pub(super) fn t<'a>(&self, id: &'a str) -> Phrase<'a> {
        self.texts.t(id)
    }

    /// Returns the formatter for dates and numbers in the reader's language.
    pub(super) fn texts(&self) -> Texts {
        self.texts
    }

    /// Returns the language tag, for `<html lang>`.
    pub(super) fn tag(&self) -> &'static str {
        self.texts.tag()
    }

    /// Returns the names of the style sheet and other assets.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub(super) fn assets(&self) -> assets::Names {
        assets::names()
    }

    /// Returns a link to another page of this interface.
    pub(super) fn link(&self, path: impl AsRef<str>) -> String {
        let path = path.as_ref();
        if self.says_language {
            format!("/open-data{path}?lang={}", self.tag())
        } else {
            format!("/open-data{path}")
        }
    }

    /// Returns a link to this page, with its input, in another language.
    pub(super) fn in_language(&self, tag: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.parameters).append_pair("lang", tag);
        format!("{}?{}", self.path, query.finish())
    }

    /// Formats a value of a column.
    pub(super) fn shown_in(&self, value: Option<&Value>, kind: &ColumnKind) -> Shown {
        match kind {
            ColumnKind::Enum(choices) => self.choice(value, choices),
            _ => self.shown(value),
        }
    }

    /// Formats a value of a result.
    pub(super) fn shown_as(&self, value: Option<&Value>, kind: OutputKind) -> Shown {
        match kind {
            OutputKind::Choice(choices) => self.choice(value, choices),
            _ => self.shown(value),
        }
    }

    fn choice(&self, value: Option<&Value>, choices: &[Choice]) -> Shown {
        let text = value.and_then(Value::text);
        match text.and_then(|text| choices.iter().find(|choice| choice.value == text)) {
            Some(choice) => Shown::text(choice.label.get(self.language())),
            None => self.shown(value),
        }
    }

    /// Formats a value for people.
    pub(super) fn shown(&self, value: Option<&Value>) -> Shown {
        let Some(value) = value else { return Shown::text("–") };
        let plain = value.plain(self.language()).into_owned();
        let figure = |text: String| Shown { text, plain: plain.clone(), kind: ShownKind::Figure };
        match value {
            Value::Money(amount) => figure(self.money(amount)),
            Value::Percent(rate) => figure(self.texts.percent(rate)),
            Value::Number(number) => figure(self.texts.number(number)),
            // Integers have no digit grouping, because they may be years.
            Value::Integer(number) => figure(number.to_string()),
            Value::Boolean(true) => Shown::text(self.t("open-data-yes").to_string()),
            Value::Boolean(false) => Shown::text(self.t("open-data-no").to_string()),
            Value::Date(day) => Shown { text: self.texts.date(*day), plain, kind: ShownKind::Day },
            Value::Text(text) => Shown::text(text.as_ref()),
            Value::Words(words) => Shown::text(words.get(self.language())),
        }
    }

    fn money(&self, amount: &tax::Decimal) -> String {
        let cents = (cents(amount) * tax::Decimal::ONE_HUNDRED).normalize();
        i64::try_from(cents)
            .map_or_else(|_| amount.to_string(), |cents| self.texts.money(Cents::new(cents)))
    }

    /// Returns the note on a row, for instance about its uncertainty.
    pub(super) fn note<'r>(&self, row: &'r Row) -> Option<&'r str> {
        match row.get("note") {
            Some(Value::Words(words)) => Some(words.get(self.language())),
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the name of a figure's status.
    pub(super) fn status(&self, status: &Status) -> Phrase<'static> {
        let texts = self.texts;
        match status {
            Status::Law => texts.t("open-data-status-law"),
            Status::Official => texts.t("open-data-status-official"),
            Status::Secondary => texts.t("open-data-status-secondary"),
            Status::Proposal => texts.t("open-data-status-proposal"),
        }
    }

    /// Whether the row of a figure has information that its step lacks: another source, a status
    /// other than law, or a note.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub(super) fn says_more(&self, step: &Step, row: &Row) -> bool {
        row.source.id != step.source.id || !row.status.is_law() || row.get("note").is_some()
    }

    /// Converts form input to the notation of a calculator's parameters; accepts `1.234,56` in
    /// Dutch, and dates such as `31-12-2026`.
    pub(super) fn as_query_writes(
        &self,
        calculator: &Calculator,
        name: &str,
        typed: &str,
    ) -> String {
        let Some(input) = calculator.input(name) else { return typed.to_owned() };
        match input.kind {
            InputKind::Money { .. }
            | InputKind::Percent { .. }
            | InputKind::Number { .. }
            | InputKind::Integer { .. } => {
                i18n::plain_number(typed, self.language()).unwrap_or_else(|_| typed.to_owned())
            }
            InputKind::Date => {
                i18n::read_date(typed).map_or_else(|_| typed.to_owned(), |day| day.to_string())
            }
            _ => typed.to_owned(),
        }
    }

    /// Converts a query value to the text of a form field.
    pub(super) fn as_people_write(&self, input: &Input, text: &str) -> String {
        match (input.kind, text.parse::<tax::Decimal>()) {
            (
                InputKind::Money { .. } | InputKind::Percent { .. } | InputKind::Number { .. },
                Ok(number),
            ) => self.texts.number_field(number),
            _ => text.to_owned(),
        }
    }

    /// Describes a fault of a parameter, with the label of its field and localised numbers.
    pub(super) fn fault(&self, calculator: &Calculator, fault: &Fault) -> String {
        let general = || fault.message.get(self.language()).to_owned();
        let Some(input) = calculator.input(&fault.parameter) else { return general() };
        let field = input.label.get(self.language()).to_owned();
        let bound = |text: &str| match (text.parse::<tax::Decimal>(), text.parse::<Date>()) {
            (Ok(number), _) => self.texts.number(number),
            (_, Ok(day)) => self.texts.date(day),
            _ => text.to_owned(),
        };
        let (least, most) = fault
            .bounds
            .as_deref()
            .map(|bounds| (bound(&bounds.least), bound(&bounds.most)))
            .unwrap_or_default();
        let is_whole = matches!(input.kind, InputKind::Integer { .. });
        match (fault.code, fault.bounds.is_some()) {
            ("required", _) => self.t("open-data-fault-required").with("field", &field).into(),
            ("invalid_date", _) => self.t("open-data-fault-date").with("field", &field).into(),
            ("out_of_range", true) => self
                .t("open-data-fault-range")
                .with("field", &field)
                .with("least", &least)
                .with("most", &most)
                .into(),
            ("invalid_format", true) => self
                .t("open-data-fault-number")
                .with("field", &field)
                .with("least", &least)
                .with("most", &most)
                .into(),
            ("too_many", true) if is_whole => self
                .t("open-data-fault-whole")
                .with("field", &field)
                .with("least", &least)
                .with("most", &most)
                .into(),
            ("too_many", true) => self
                .t("open-data-fault-decimals")
                .with("field", &field)
                .with("least", &least)
                .with("most", &most)
                .into(),
            _ => general(),
        }
    }

    /// Renders the page.
    pub(super) fn show(
        &self,
        view: &impl Template,
        headers: &HeaderMap,
    ) -> Result<Response, Problem> {
        let mut response = Document::new("text/html; charset=utf-8", render(view)?).answer(headers);
        set_page_headers(response.headers_mut());
        Ok(response)
    }

    /// Renders the page with the faults of its input.
    pub(super) fn show_refused(&self, view: &impl Template) -> Result<Response, Problem> {
        html(StatusCode::UNPROCESSABLE_ENTITY, view)
    }

    /// Renders the page for an unknown name.
    pub(super) fn not_found(&self) -> Result<Response, Problem> {
        let (title, text) = (self.t("open-data-unknown"), self.t("open-data-unknown-text"));
        html(StatusCode::NOT_FOUND, &MessagePage { page: self, title, text })
    }

    /// Renders the page for a client that exceeded the rate limit; `seconds` is the time until a
    /// retry is allowed.
    pub fn rate_limited(&self, seconds: i64) -> Result<Response, Problem> {
        let (title, text) =
            (self.t("open-data-busy"), self.t("open-data-busy-text").with("seconds", &seconds));
        html(StatusCode::TOO_MANY_REQUESTS, &MessagePage { page: self, title, text })
    }
}

#[derive(Template)]
#[template(path = "open-data/message.html")]
struct MessagePage<'a> {
    page: &'a Frame,
    title: Phrase<'a>,
    text: Phrase<'a>,
}

fn html(status: StatusCode, view: &impl Template) -> Result<Response, Problem> {
    let mut response =
        (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], render(view)?)
            .into_response();
    set_page_headers(response.headers_mut());
    Ok(response)
}

fn render(view: &impl Template) -> Result<String, Problem> {
    view.render().map_err(|error| {
        tracing::error!(%error, "a page could not be rendered");
        Problem::internal()
    })
}

/// Adds the headers specific to pages.
fn set_page_headers(headers: &mut HeaderMap) {
    headers.append(header::VARY, HeaderValue::from_static("Accept-Language"));
    if let Ok(policy) = HeaderValue::from_str(&policy("")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}
