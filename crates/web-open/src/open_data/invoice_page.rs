//! The calculator `invoice` as a page: a form that is filled in line by line, with the resulting
//! amounts. The URL contains the input.

use super::{
    frame::{Frame, Shown},
    invoice,
    result::{NamedValue, ResultTable, tables, values},
};
use askama::Template;
use axum::{http::HeaderMap, response::Response};
use jiff::civil::Date;
use ledger::{country::CountryCode, vat::VatCategory};
use service::Error;
use tax::{
    calculator::{Calculator, Outcome},
    calculators::invoice::CATEGORIES,
    words::Choice,
};
use web_core::{input, problem::Problem};
use web_pages::{
    INVOICE_LINES,
    frame::{form::Form, lines::Line},
    texts::vat_rates,
};

#[derive(Template)]
#[template(path = "open-data/invoice.html")]
struct InvoicePage<'a> {
    page: &'a Frame,
    calculator: &'static Calculator,
    form: Form,
    lines: Vec<Line>,
    rates: Vec<(String, String)>,
    outcome: Option<Outcome>,
}

impl InvoicePage<'_> {
    /// Returns the reasons for charging no VAT, as choices.
    fn categories(&self) -> Vec<(String, String)> {
        let known = CATEGORIES.iter().filter(|choice| {
            choice.value != VatCategory::Standard.as_str()
                && choice.value != VatCategory::Oss.as_str()
        });
        let none = (String::new(), self.page.t("vat-category-none").to_string());
        let label = |choice: &Choice| {
            (choice.value.to_string(), choice.label.get(self.page.language()).to_owned())
        };
        std::iter::once(none).chain(known.map(label)).collect()
    }

    fn values(&self) -> Vec<NamedValue> {
        self.outcome
            .as_ref()
            .map(|outcome| values(self.page, self.calculator, outcome))
            .unwrap_or_default()
    }

    /// Returns the amount of a line; `None` if there is no result, or if the line is blank. Blank
    /// lines come last, so they do not shift the other lines.
    fn amount(&self, place: &usize) -> Option<Shown> {
        let row = self.outcome.as_ref()?.rows("items").get(*place)?;
        let (_, amount) = row.iter().find(|(name, _)| *name == "amount")?;
        Some(self.page.shown(amount.as_ref()))
    }

    /// Returns the table of VAT by rate. The page shows no other table, because each line already
    /// shows its amount.
    fn vat(&self) -> Option<ResultTable> {
        let tables = self
            .outcome
            .as_ref()
            .map(|outcome| tables(self.page, self.calculator, outcome))
            .unwrap_or_default();
        tables.into_iter().find(|table| table.name == "vat")
    }
}

/// Handles `GET /open-data/calculators/invoice`. The parameters are the fields of the form: the
/// names of the API's fields, joined by dots.
pub(super) fn show(
    today: Date,
    calculator: &'static Calculator,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let frame = Frame::new(&format!("/open-data/calculators/{}", calculator.id), query, headers);
    let action = frame
        .parameters()
        .iter()
        .find(|(name, _)| name == "action")
        .map_or("", |(_, value)| value.as_str());
    // Buttons that add or remove a line do not validate the form.
    let reshapes = !action.is_empty();
    let submitted = frame.parameters().iter().filter(|(name, _)| name != "action").cloned();
    let mut form = INVOICE_LINES.arrange(&Form::of(submitted), action);
    let language = frame.language();
    let has_input = !frame.parameters().is_empty();
    let outcome = has_input.then(|| {
        invoice::price(input::form(form.pairs(), language, |fields| {
            input::invoice_quote(fields, today)
        }))
    });
    let outcome = match outcome {
        Some(Ok(outcome)) => Some(outcome),
        Some(Err(Error::Invalid(faults))) if !reshapes => {
            form.take_faults(&faults, frame.texts());
            None
        }
        Some(Err(Error::Invalid(_))) | None => None,
        Some(Err(other)) => return Err(other.into()),
    };
    let day = i18n::read_date(form.value("invoiceDate")).unwrap_or(today);
    if form.value("customer.country").is_empty() {
        form = form.with("customer.country", CountryCode::NL.as_str());
    }
    let view = InvoicePage {
        lines: INVOICE_LINES.of(&form),
        rates: vat_rates(frame.texts(), day),
        page: &frame,
        calculator,
        form,
        outcome,
    };
    if view.form.faults().is_empty() {
        frame.show(&view, headers)
    } else {
        frame.show_refused(&view)
    }
}
