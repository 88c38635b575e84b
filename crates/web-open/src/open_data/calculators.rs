//! Calculators as pages and as JSON. The URL contains the input, so a result can be shared.

use super::{
    Shared, asked_language, borrowed, chart,
    frame::Frame,
    invoice_page, json, refused,
    respond::Document,
    result::{NamedValue, ResultTable, lists, tables, values},
    unknown,
};
use askama::Template;
use axum::{
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use ledger::language::Language;
use tax::{
    calculator::{Calculator, Input, InputKind, Outcome, Run},
    calculators,
    words::Choice,
};
use web_core::problem::Problem;
use web_pages::frame::form::Form;

/// Handles `income-tax` and `income-tax.json`.
pub(super) async fn show(
    State(shared): Shared,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (id, suffix) = name.rsplit_once('.').unwrap_or((&name, ""));
    match (calculators::find(id), suffix) {
        (Some(calculator), "json") => answer(calculator, query.as_deref(), &headers),
        (Some(calculator), "") if matches!(calculator.run, Run::Body) => {
            invoice_page::show((shared.today)(), calculator, query.as_deref(), &headers)
        }
        (Some(calculator), "") => page(calculator, query.as_deref(), &headers),
        _ if suffix.is_empty() => {
            unknown(Some(&Frame::new("/open-data", query.as_deref(), &headers)))
        }
        _ => unknown(None),
    }
}

fn answer(
    calculator: &Calculator,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let (language, parameters) = asked_language(query);
    let outcome = calculator
        .calculate(&borrowed(&parameters))
        .map_err(|faults| refused(&faults, Language::English))?;
    Ok(Document::new("application/json", json::outcome(&outcome, language)).answer(headers))
}

#[derive(Template)]
#[template(path = "open-data/calculator.html")]
struct CalculatorPage<'a> {
    page: &'a Frame,
    calculator: &'static Calculator,
    form: Form,
    outcome: Option<Outcome>,
    chart: Option<String>,
    /// Parameters in the notation of the JSON calculator, for a link to it.
    query: String,
}

impl CalculatorPage<'_> {
    fn years(&self, years: &fn() -> &'static [i16]) -> Vec<(String, String)> {
        years().iter().rev().map(|year| (year.to_string(), year.to_string())).collect()
    }

    fn choices(&self, choices: &[Choice]) -> Vec<(String, String)> {
        choices
            .iter()
            .map(|choice| {
                (choice.value.to_string(), choice.label.get(self.page.language()).to_owned())
            })
            .collect()
    }

    /// Options for a year field in a row: an empty one, followed by the years.
    fn years_or_none(&self, years: &fn() -> &'static [i16]) -> Vec<(String, String)> {
        let none = (String::new(), "–".to_owned());
        [none].into_iter().chain(self.years(years)).collect()
    }

    /// Numbers of the rows to show: up to one empty row after the last row with input.
    fn rows(&self, input: &Input, most: &usize) -> std::ops::Range<usize> {
        let filled = self.form.pairs().filter(|(_, text)| !text.trim().is_empty());
        let places = filled.filter_map(|(name, _)| input.place_of(name));
        0..places.map(|(place, _)| place + 2).max().unwrap_or(1).min(*most)
    }

    fn label<'i>(&self, input: &'i Input) -> &'i str {
        input.label.get(self.page.language())
    }

    fn hint<'i>(&self, input: &'i Input) -> &'i str {
        input.hint.get(self.page.language())
    }

    /// Whether the calculator only validates its input.
    fn is_check(&self) -> bool {
        self.calculator.outputs.iter().any(|output| output.name == "valid")
    }

    fn values(&self) -> Vec<NamedValue> {
        self.outcome
            .as_ref()
            .map(|outcome| values(self.page, self.calculator, outcome))
            .unwrap_or_default()
    }

    /// Lists of codes in the result, each with its label and the codes in words.
    fn lists(&self) -> Vec<(&'static str, String)> {
        self.outcome
            .as_ref()
            .map(|outcome| lists(self.page, self.calculator, outcome))
            .unwrap_or_default()
    }

    fn tables(&self) -> Vec<ResultTable> {
        self.outcome
            .as_ref()
            .map(|outcome| tables(self.page, self.calculator, outcome))
            .unwrap_or_default()
    }
}

fn page(
    calculator: &'static Calculator,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let frame = Frame::new(&format!("/open-data/calculators/{}", calculator.id), query, headers);
    let submitted = frame.parameters();
    let has_input = !submitted.is_empty();
    let mut parameters: Vec<(String, String)> = submitted
        .iter()
        .map(|(name, text)| (name.clone(), frame.as_query_writes(calculator, name, text)))
        .collect();
    // Browsers send empty fields, which are treated as absent, and omit unticked checkboxes.
    parameters.retain(|(_, text)| !text.trim().is_empty());
    for input in calculator.inputs.iter().filter(|input| matches!(input.kind, InputKind::Boolean)) {
        if !parameters.iter().any(|(name, _)| name == input.name) {
            parameters.push((input.name.to_owned(), "false".to_owned()));
        }
    }
    let (outcome, faults) = match has_input.then(|| calculator.calculate(&borrowed(&parameters))) {
        Some(Ok(outcome)) => (Some(outcome), Vec::new()),
        Some(Err(faults)) => (None, faults),
        None => (None, Vec::new()),
    };
    let typed = |input: &Input| match submitted.iter().find(|(name, _)| name == input.name) {
        Some((_, text)) => text.clone(),
        None if has_input => input
            .default
            .filter(|_| !matches!(input.kind, InputKind::Boolean))
            .unwrap_or_default()
            .to_owned(),
        None => frame.as_people_write(
            input,
            if input.example.is_empty() {
                input.default.unwrap_or_default()
            } else {
                input.example
            },
        ),
    };
    let singles = calculator.inputs.iter().map(|input| (input.name.to_owned(), typed(input)));
    let of_rows = submitted
        .iter()
        .filter(|(name, _)| calculator.inputs.iter().any(|input| input.place_of(name).is_some()));
    let mut form = Form::of(singles.chain(of_rows.cloned()));
    for fault in &faults {
        // Faults of parameters without a field are shown above the form.
        let is_field = calculator.input(&fault.parameter).is_some();
        let field = if is_field { fault.parameter.as_str() } else { "" };
        form.refuse(field, frame.fault(calculator, fault));
    }
    let view = CalculatorPage {
        chart: outcome
            .as_ref()
            .and_then(|outcome| chart::of(calculator, &parameters, outcome, &frame)),
        query: form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&parameters)
            .append_pair("lang", frame.tag())
            .finish(),
        form,
        page: &frame,
        calculator,
        outcome,
    };
    if view.form.faults().is_empty() {
        frame.show(&view, headers)
    } else {
        frame.show_refused(&view)
    }
}
