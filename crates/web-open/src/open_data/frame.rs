//! The frame of the pages: the reader's language, values as people read them, and the headers of a page that may be kept.

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

/// Who looks at a page: nobody in particular, in some language.
pub struct Frame {
    texts: Texts,
    path: String,
    /// The parameters of the address but for the language.
    parameters: Vec<(String, String)>,
    /// Whether the address says the language, so that links go on saying it.
    says_language: bool,
}

/// A value as people read it, and as programs do.
pub(super) struct Shown {
    /// What people read; a dash where there is nothing.
    pub(super) text: String,
    /// What `<data>` or `<time>` says beside it, if anything.
    pub(super) plain: String,
    /// Which of them.
    pub(super) kind: ShownKind,
}

/// How a value is marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownKind {
    /// A number, aligned with others.
    Figure,
    /// A day.
    Day,
    /// Words.
    Text,
}

impl Shown {
    /// Whether it is a number.
    pub(super) fn is_figure(&self) -> bool {
        self.kind == ShownKind::Figure
    }

    /// Whether it is a day.
    pub(super) fn is_day(&self) -> bool {
        self.kind == ShownKind::Day
    }

    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), plain: String::new(), kind: ShownKind::Text }
    }
}

impl Frame {
    /// A visit to a path. The language is that of the address, else the browser's.
    pub fn new(path: &str, query: Option<&str>, headers: &HeaderMap) -> Self {
        let mut said = None;
        let mut parameters = Vec::new();
        for (name, text) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
            if name == "lang" {
                said = Texts::of_tag(&text).or(said);
            } else if parameters.len() < MOST_PARAMETERS {
                parameters.push((name.into_owned(), text.into_owned()));
            }
        }
        let texts = said.unwrap_or_else(|| negotiated(headers));
        Self { texts, path: path.to_owned(), parameters, says_language: said.is_some() }
    }

    pub(super) fn language(&self) -> Language {
        self.texts.language
    }

    pub(super) fn parameters(&self) -> &[(String, String)] {
        &self.parameters
    }

    /// A text in the reader's language.
    pub(super) fn t<'a>(&self, id: &'a str) -> Phrase<'a> {
        self.texts.t(id)
    }

    /// Dates and numbers in the reader's language.
    pub(super) fn texts(&self) -> Texts {
        self.texts
    }

    /// The language's tag, for `<html lang>`.
    pub(super) fn tag(&self) -> &'static str {
        self.texts.tag()
    }

    /// Names of the style sheet and the like.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub(super) fn assets(&self) -> assets::Names {
        assets::names()
    }

    /// A link to another page of this interface.
    pub(super) fn link(&self, path: impl AsRef<str>) -> String {
        let path = path.as_ref();
        if self.says_language { format!("/open-data{path}?lang={}", self.tag()) } else { format!("/open-data{path}") }
    }

    /// This page, with its input, in another language.
    pub(super) fn in_language(&self, tag: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.parameters).append_pair("lang", tag);
        format!("{}?{}", self.path, query.finish())
    }

    /// A value of a column.
    pub(super) fn shown_in(&self, value: Option<&Value>, kind: &ColumnKind) -> Shown {
        match kind {
            ColumnKind::Enum(choices) => self.choice(value, choices),
            _ => self.shown(value),
        }
    }

    /// A value of an answer.
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

    /// A value as people read it.
    pub(super) fn shown(&self, value: Option<&Value>) -> Shown {
        let Some(value) = value else { return Shown::text("–") };
        let plain = value.plain(self.language()).into_owned();
        let figure = |text: String| Shown { text, plain: plain.clone(), kind: ShownKind::Figure };
        match value {
            Value::Money(amount) => figure(self.money(amount)),
            Value::Percent(rate) => figure(self.texts.percent(rate)),
            Value::Number(number) => figure(self.texts.number(number)),
            // A year is not grouped: every whole number is written as it is.
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
        i64::try_from(cents).map_or_else(|_| amount.to_string(), |cents| self.texts.money(Cents::new(cents)))
    }

    /// What is uncertain of a row, or otherwise worth knowing.
    pub(super) fn note<'r>(&self, row: &'r Row) -> Option<&'r str> {
        match row.get("note") {
            Some(Value::Words(words)) => Some(words.get(self.language())),
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// How firm a figure is, in a word.
    pub(super) fn status(&self, status: &Status) -> Phrase<'static> {
        let texts = self.texts;
        match status {
            Status::Law => texts.t("open-data-status-law"),
            Status::Official => texts.t("open-data-status-official"),
            Status::Secondary => texts.t("open-data-status-secondary"),
            Status::Proposal => texts.t("open-data-status-proposal"),
        }
    }

    /// Whether the row of a figure says more than the rule of the step.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub(super) fn says_more(&self, step: &Step, row: &Row) -> bool {
        row.source.id != step.source.id || !row.status.is_law() || row.get("note").is_some()
    }

    /// A parameter as a calculator reads it, from what a person typed: `1.234,56` in Dutch, `31-12-2026`.
    pub(super) fn as_query_writes(&self, calculator: &Calculator, name: &str, typed: &str) -> String {
        let Some(input) = calculator.inputs.iter().find(|input| input.name == name) else { return typed.to_owned() };
        match input.kind {
            InputKind::Money { .. } | InputKind::Percent { .. } | InputKind::Number { .. } | InputKind::Integer { .. } => {
                i18n::plain_number(typed, self.language()).unwrap_or_else(|_| typed.to_owned())
            }
            InputKind::Date => i18n::read_date(typed).map_or_else(|_| typed.to_owned(), |day| day.to_string()),
            _ => typed.to_owned(),
        }
    }

    /// A value that a query writes, as a field of a form shows it.
    pub(super) fn as_people_write(&self, input: &Input, text: &str) -> String {
        match (input.kind, text.parse::<tax::Decimal>()) {
            (InputKind::Money { .. } | InputKind::Percent { .. } | InputKind::Number { .. }, Ok(number)) => {
                self.texts.number_field(number)
            }
            _ => text.to_owned(),
        }
    }

    /// What is wrong with a parameter, by the label of its field and with numbers as people write them.
    pub(super) fn fault(&self, calculator: &Calculator, fault: &Fault) -> String {
        let general = || fault.message.get(self.language()).to_owned();
        let Some(input) = calculator.inputs.iter().find(|input| input.name == fault.parameter) else { return general() };
        let field = input.label.get(self.language()).to_owned();
        let bound = |text: &str| match (text.parse::<tax::Decimal>(), text.parse::<Date>()) {
            (Ok(number), _) => self.texts.number(number),
            (_, Ok(day)) => self.texts.date(day),
            _ => text.to_owned(),
        };
        let (least, most) = fault.bounds.as_deref().map(|bounds| (bound(&bounds.least), bound(&bounds.most))).unwrap_or_default();
        let is_whole = matches!(input.kind, InputKind::Integer { .. });
        match (fault.code, fault.bounds.is_some()) {
            ("required", _) => self.t("open-data-fault-required").with("field", &field).into(),
            ("invalid_date", _) => self.t("open-data-fault-date").with("field", &field).into(),
            ("out_of_range", true) => {
                self.t("open-data-fault-range").with("field", &field).with("least", &least).with("most", &most).into()
            }
            ("invalid_format", true) => {
                self.t("open-data-fault-number").with("field", &field).with("least", &least).with("most", &most).into()
            }
            ("too_many", true) if is_whole => {
                self.t("open-data-fault-whole").with("field", &field).with("least", &least).with("most", &most).into()
            }
            ("too_many", true) => {
                self.t("open-data-fault-decimals").with("field", &field).with("least", &least).with("most", &most).into()
            }
            _ => general(),
        }
    }

    /// The page.
    pub(super) fn show(&self, view: &impl Template, headers: &HeaderMap) -> Result<Response, Problem> {
        let mut response = Document::new("text/html; charset=utf-8", render(view)?).answer(headers);
        set_page_headers(response.headers_mut());
        Ok(response)
    }

    /// The page again, with what is wrong with its input.
    pub(super) fn show_refused(&self, view: &impl Template) -> Result<Response, Problem> {
        html(StatusCode::UNPROCESSABLE_ENTITY, view)
    }

    /// Nothing has that name.
    pub(super) fn not_found(&self) -> Result<Response, Problem> {
        let (title, text) = (self.t("open-data-unknown"), self.t("open-data-unknown-text"));
        html(StatusCode::NOT_FOUND, &MessagePage { page: self, title, text })
    }

    /// Too much was asked from this address; it may ask again after so many seconds.
    pub fn rate_limited(&self, seconds: i64) -> Result<Response, Problem> {
        let (title, text) = (self.t("open-data-busy"), self.t("open-data-busy-text").with("seconds", &seconds));
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
    let mut response = (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], render(view)?).into_response();
    set_page_headers(response.headers_mut());
    Ok(response)
}

fn render(view: &impl Template) -> Result<String, Problem> {
    view.render().map_err(|error| {
        tracing::error!(%error, "a page could not be made");
        Problem::internal()
    })
}

/// What pages need beyond the headers of every answer.
fn set_page_headers(headers: &mut HeaderMap) {
    headers.append(header::VARY, HeaderValue::from_static("Accept-Language"));
    if let Ok(policy) = HeaderValue::from_str(&policy("")) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}
